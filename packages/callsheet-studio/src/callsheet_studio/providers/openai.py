"""OpenAI: pictures and speech.

Both are made while one waits, and the answer is the thing: `held.py` says what becomes of it when
a process dies. The service takes no idempotency key, so an answer that is lost leaves the step in
doubt.
"""

from __future__ import annotations

import base64
import binascii
import math
import re
from typing import TYPE_CHECKING, Final

from callsheet.errors import FatalError, InvalidError, NotDoneError, ToolError, TransientError
from callsheet_studio.providers.answers import IN_DOUBT, Complaint, error_for, lost
from callsheet_studio.providers.held import Held, mark_of
from callsheet_studio.providers.http import certificates, needed
from callsheet_studio.providers.opening import checked_key

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI
    from openai.types import ImagesResponse

    from callsheet_studio.providers.port import Order, Progress, Provider

NAME: Final = "OpenAI"
_ADDRESS = "https://api.openai.com/v1"
"""Said, so that no setting of the environment sends a key elsewhere."""
_PATIENCE = 300.0
"""Seconds for an answer: a large picture takes minutes."""
_CONNECT = 10.0
_QUALITY: Final = "medium"
"""Said, so that a picture costs what was foreseen: the service would choose."""
_OWN_VOICE = "voice_"
"""How the ids of voices begin that somebody has made."""
_SIZES = ((1024, 1024), (1536, 1024), (1024, 1536))
_ANY_SIZE = re.compile(r"gpt-image-2(-|\.5-|\Z)")
"""How the names of models begin that take other sizes, too."""
_GRID = 16
"""Pixels that both sides have to be divisible by."""
_LONG_SIDE, _SHORT_SIDE = 3840, 2160


def open_provider(key: str, base_url: str | None = None) -> Provider:
    """The service, for whoever has the key.

    Raises:
        InputError: its package is not installed, or the key is none.
    """
    try:
        import openai
    except ImportError as exc:
        raise needed("openai", NAME) from exc
    patience = openai.Timeout(_PATIENCE, connect=_CONNECT)
    client = openai.AsyncOpenAI(
        api_key=checked_key(NAME, key),
        base_url=base_url or _ADDRESS,
        timeout=patience,
        max_retries=0,
        http_client=openai.DefaultAsyncHttpxClient(
            timeout=patience, follow_redirects=False, verify=certificates()
        ),
    )
    return OpenAI(client)


class OpenAI:
    """Pictures and speech of OpenAI."""

    def __init__(self, client: AsyncOpenAI) -> None:
        self._client = client
        self._held = Held(NAME)

    @property
    def name(self) -> str:
        """As the offers call it."""
        return NAME

    async def submit(self, order: Order, picture: bytes | None, token: str) -> str:
        """Have it made, hold it, and return its id.

        A still is drawn after the picture, if there is one. Speech is in the language of its
        words: the service cannot be told another.
        """
        from openai import APIConnectionError, APIStatusError

        mark = mark_of(order, picture, token)
        held = self._held.job_of(mark)
        if held is not None:
            return held
        _check(order, picture)
        self._held.make_room()
        try:
            made = await self._make(order, picture)
        except APIStatusError as exc:
            raise _refusal(exc, self._client.api_key) from exc
        except APIConnectionError as exc:
            raise lost(NAME, exc.__cause__) from exc
        self._held.keep(mark, mark, made)
        return mark

    async def look(self, job: str) -> Progress:
        """That it is made, if this process has had it made."""
        found = self._held.look(job)
        if found is None:
            raise FatalError(
                f"{NAME} was asked for {job} by a process that has ended, and keeps nothing. "
                "It may have been paid for; order it again if you agree."
            )
        return found

    async def fetch(self, place: str) -> bytes:
        """What was made."""
        found = self._held.fetch(place)
        if found is None:
            raise NotDoneError(f"{NAME} has nothing to fetch as {place}: look again.")
        return found

    async def cancel(self, job: str) -> None:
        """Nothing: it is made already."""
        self._held.release(job)

    async def close(self) -> None:
        """Close connections."""
        await self._client.close()

    async def _make(self, order: Order, picture: bytes | None) -> bytes:
        if order.kind == "speech":
            return await self._speak(order)
        made = await (self._draw(order) if picture is None else self._redraw(order, picture))
        return _picture_in(made)

    async def _speak(self, order: Order) -> bytes:
        own = order.voice.startswith(_OWN_VOICE)
        answer = await self._client.audio.speech.create(
            model=order.model,
            input=order.text,
            voice={"id": order.voice} if own else order.voice,
            # Nothing is lost, and no decoder adds a silence.
            response_format="wav",
        )
        return _something(await answer.aread())

    async def _draw(self, order: Order) -> ImagesResponse:
        return await self._client.images.generate(
            model=order.model,
            prompt=order.text,
            size=size_for(order),
            quality=_QUALITY,
            output_format="png",
            n=1,
        )

    async def _redraw(self, order: Order, picture: bytes) -> ImagesResponse:
        kind = "png" if picture.startswith(b"\x89PNG") else "jpeg"
        return await self._client.images.edit(
            model=order.model,
            image=(f"picture.{kind}", picture, f"image/{kind}"),
            prompt=order.text,
            size=size_for(order),
            quality=_QUALITY,
            output_format="png",
            n=1,
        )


def size_for(order: Order) -> str:
    """The size that is asked for: not smaller than the order's if the model can, `1920x1088`.

    It is off by less than the grid, which has to be cut off. Older models have three sizes, and
    make the one that is nearest in shape.
    """
    width, height = order.width, order.height
    if not _ANY_SIZE.match(order.model):
        wide, high = min(_SIZES, key=lambda size: abs(math.log(size[0] * height / size[1] / width)))
        return f"{wide}x{high}"
    sides = [-(-side // _GRID) * _GRID for side in (width, height)]
    share = min(1.0, _LONG_SIDE / max(sides), _SHORT_SIDE / min(sides))
    wide, high = (max(_GRID, int(side * share) // _GRID * _GRID) for side in sides)
    return f"{wide}x{high}"


def _check(order: Order, picture: bytes | None) -> None:
    if order.kind == "clip":
        raise InvalidError(f"{NAME} makes no clips. Order a still or speech.")
    if order.kind == "speech" and (picture is not None or not order.voice):
        raise InvalidError(f"{NAME} speaks with a voice and without a picture: give it so.")
    if order.kind == "still" and not (order.width > 0 and order.height > 0):
        raise InvalidError(f"{NAME} has to know how wide and high a still is.")


def _picture_in(answer: ImagesResponse) -> bytes:
    coded = answer.data[0].b64_json if answer.data else None
    try:
        return _something(base64.b64decode(coded or "", validate=True))
    except binascii.Error as exc:
        raise TransientError(f"{NAME} answered with what is no picture. {IN_DOUBT}") from exc


def _something(made: bytes) -> bytes:
    if not made:
        raise TransientError(f"{NAME} answered with nothing. {IN_DOUBT}")
    return made


def _refusal(exc: APIStatusError, key: str) -> ToolError:
    body = exc.body if isinstance(exc.body, dict) else {"message": str(exc.body or "")}
    complaint = Complaint(
        status=exc.status_code,
        words=frozenset(word for word in (exc.code, exc.type) if word),
        text=str(body.get("message") or "").replace(key, "…"),
        headers=exc.response.headers,
    )
    return error_for(NAME, complaint)
