"""ElevenLabs: speech.

It is made while one waits, and the answer is the thing: `held.py` says what becomes of it when a
process dies. But the service keeps what it has said in a history, and its id of the request is the
id of the order: what was checkpointed is found there again, by whatever process looks, and is not
paid for twice. The service takes no idempotency key, so an answer that is lost leaves the step in
doubt.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from callsheet.errors import (
    FatalError,
    InvalidError,
    NotDoneError,
    RateLimitedError,
    ToolError,
    TransientError,
)
from callsheet_studio.providers.answers import IN_DOUBT, Complaint, error_for, lost
from callsheet_studio.providers.held import Held, mark_of
from callsheet_studio.providers.http import certificates, needed
from callsheet_studio.providers.opening import checked_key
from callsheet_studio.providers.port import Progress

if TYPE_CHECKING:
    import httpx
    from elevenlabs.client import AsyncElevenLabs
    from elevenlabs.core.api_error import ApiError
    from elevenlabs.core.request_options import RequestOptions

    from callsheet_studio.providers.port import Order, Provider

NAME: Final = "ElevenLabs"
_ADDRESS = "https://api.elevenlabs.io"
_PATIENCE = 120.0
"""Seconds without a sound before an answer counts as lost."""
_CONNECT = 10.0
_FORMAT = "mp3_44100_128"
"""The best that every plan of theirs has."""
_CHOOSES_LANGUAGE = "multilingual_v2"
"""Models with this in their name go by the words, and refuse to be told."""
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")
"""What may stand in a path."""
_PAGE = 1000
"""Of the history: how far back it is searched."""
_HISTORY = "history/"
_GONE = "deleted"


def open_provider(key: str, base_url: str | None = None) -> Provider:
    """The service, for whoever has the key.

    Raises:
        InputError: its package is not installed, or the key is none.
    """
    try:
        import httpx
        from elevenlabs.client import AsyncElevenLabs
    except ImportError as exc:
        raise needed("elevenlabs", NAME) from exc
    key = checked_key(NAME, key)
    # A redirect is not followed: the key would go along.
    web = httpx.AsyncClient(
        timeout=_PATIENCE,
        follow_redirects=False,
        verify=certificates(),
        event_hooks={"request": [_connect_soon]},
    )
    client = AsyncElevenLabs(
        api_key=key, base_url=base_url or _ADDRESS, timeout=_PATIENCE, httpx_client=web
    )
    return ElevenLabs(client, web, key)


async def _connect_soon(request: httpx.Request) -> None:
    """The SDK has one timeout for everything; an address takes a connection soon, or never."""
    request.extensions["timeout"]["connect"] = _CONNECT


class ElevenLabs:
    """Speech of ElevenLabs."""

    def __init__(self, client: AsyncElevenLabs, web: httpx.AsyncClient, key: str) -> None:
        self._client = client
        self._web = web
        self._key = key
        self._held = Held(NAME)
        self._once: RequestOptions = {"max_retries": 0, "chunk_size": 1 << 16}

    @property
    def name(self) -> str:
        """As the offers call it."""
        return NAME

    async def submit(self, order: Order, picture: bytes | None, token: str) -> str:
        """Have it said, hold it, and return its id."""
        import httpx
        from elevenlabs.core.api_error import ApiError

        mark = mark_of(order, picture, token)
        held = self._held.job_of(mark)
        if held is not None:
            return held
        _check(order, picture)
        self._held.make_room()
        try:
            job, said = await self._say(order)
        except ApiError as exc:
            raise error_for(NAME, _complaint(exc, self._key)) from exc
        except (httpx.HTTPError, httpx.InvalidURL) as exc:
            raise lost(NAME, exc) from exc
        if not said:
            raise TransientError(f"{NAME} answered with nothing. {IN_DOUBT}")
        self._held.keep(job or mark, mark, said)
        return job or mark

    async def look(self, job: str) -> Progress:
        """That it is said: here, or in the service's history."""
        found = self._held.look(job) or await self._remembered(job)
        if found is None:
            raise FatalError(
                f"{NAME} has nothing in its history about {job}. "
                "It may have been paid for; order it again if you agree."
            )
        return found

    async def fetch(self, place: str) -> bytes:
        """What was said."""
        found = self._held.fetch(place)
        if found is None and place.startswith(_HISTORY):
            found = await self._from_history(place.removeprefix(_HISTORY))
        if not found:
            raise NotDoneError(f"{NAME} has nothing to fetch as {place}: look again.")
        return found

    async def cancel(self, job: str) -> None:
        """Nothing: it is said already."""
        self._held.release(job)

    async def close(self) -> None:
        """Close connections."""
        await self._web.aclose()

    async def _say(self, order: Order) -> tuple[str, bytes]:
        language = order.language.partition("-")[0]
        speech = self._client.text_to_speech.with_raw_response
        async with speech.convert(
            order.voice,
            text=order.text,
            model_id=order.model,
            language_code=None if _CHOOSES_LANGUAGE in order.model else language or None,
            output_format=_FORMAT,
            request_options=self._once,
        ) as answer:
            said = b"".join([part async for part in answer.data])
            return answer.headers.get("request-id", ""), said

    async def _remembered(self, job: str) -> Progress | None:
        import httpx
        from elevenlabs.core.api_error import ApiError

        try:
            found = await self._client.history.list(page_size=_PAGE, request_options=self._once)
        except ApiError as exc:
            raise _not_asked(error_for(NAME, _complaint(exc, self._key))) from exc
        except httpx.HTTPError as exc:
            raise TransientError(f"{NAME} cannot be asked now: {exc}") from exc
        for item in found.history:
            if item.request_id == job and item.state != _GONE:
                return Progress(state="made", share=1.0, place=_HISTORY + item.history_item_id)
        return None

    async def _from_history(self, item: str) -> bytes:
        import httpx
        from elevenlabs.core.api_error import ApiError

        if not _NAME.match(item):
            return b""
        try:
            parts = self._client.history.get_audio(item, request_options=self._once)
            return b"".join([part async for part in parts])
        except ApiError as exc:
            raise NotDoneError(error_for(NAME, _complaint(exc, self._key)).message) from exc
        except httpx.HTTPError as exc:
            raise NotDoneError(f"{NAME} cannot be asked now: {exc}") from exc


def _check(order: Order, picture: bytes | None) -> None:
    if order.kind != "speech" or picture is not None:
        raise InvalidError(f"{NAME} speaks, and makes no {order.kind} here. Order speech alone.")
    if not _NAME.match(order.voice):
        raise InvalidError(f"{NAME} has no voice {order.voice!r}. Give the id of one.")


def _complaint(exc: ApiError, key: str) -> Complaint:
    """The body is `{detail: {code, status, message}}`, a list of faults, or text."""
    detail: Any = exc.body.get("detail") if isinstance(exc.body, dict) else exc.body
    told = detail if isinstance(detail, dict) else {"message": detail}
    words = (told.get(name) for name in ("type", "code", "status"))
    return Complaint(
        status=exc.status_code or 0,
        words=frozenset(word for word in words if isinstance(word, str)),
        text=str(told.get("message") or "").replace(key, "…"),
        headers=exc.headers or {},
    )


def _not_asked(error: ToolError) -> ToolError:
    """What the same answer means to somebody who only looks."""
    if isinstance(error, (TransientError, RateLimitedError)):
        return TransientError(error.message, retry_after=error.retry_after)
    return FatalError(error.message)
