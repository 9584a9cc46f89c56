"""fal.ai: other makers' models, each at an endpoint of its own, behind one queue.

The SDK has no types for what an endpoint takes, so it stands here, for those that are ordered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

import msgspec
from typing_extensions import override

from callsheet.errors import InvalidError
from callsheet_studio.providers.http import TIMEOUT, AnsweredError, Wire, needed, told
from callsheet_studio.providers.opening import checked_key
from callsheet_studio.providers.port import Progress
from callsheet_studio.providers.wording import data_uri, lines_for, seconds_for, shape_for

if TYPE_CHECKING:
    import httpx
    from fal_client import AsyncRequestHandle

    from callsheet_studio.providers.port import Order, Provider

SERVICE: Final = "fal.ai"
_REFUSALS: Final = frozenset({400, 422})
_SHAPES: Final = ("21:9", "16:9", "4:3", "1:1", "3:4", "9:16")
_FROM_TEXT: Final = "/text-to-video"
_FROM_PICTURE: Final = "/image-to-video"


class Takes(msgspec.Struct, frozen=True, kw_only=True):
    """What the endpoints of a model take, beside a prompt and a first frame."""

    seconds: range = range(0)
    in_words: bool = False
    """Whether seconds are sent as a text."""
    shapes: tuple[str, ...] = _SHAPES
    """For an endpoint that takes no first frame; one that does goes by its shape."""
    sizes: tuple[str, ...] = ()
    switches_sound: bool = False


MODELS: Final = {
    "bytedance/seedance-2.0": Takes(
        seconds=range(4, 16),
        in_words=True,
        sizes=("480p", "720p", "1080p", "4k"),
        switches_sound=True,
    ),
    "bytedance/seedance-2.5": Takes(
        seconds=range(4, 31), in_words=True, sizes=("480p", "720p"), switches_sound=True
    ),
    "fal-ai/kling-video/v2.5-turbo/pro": Takes(
        seconds=range(5, 11, 5), in_words=True, shapes=("16:9", "9:16", "1:1")
    ),
    "fal-ai/nano-banana-2": Takes(sizes=("1K", "2K", "4K")),
    "fal-ai/nano-banana-pro": Takes(sizes=("1K", "2K", "4K")),
    "minimax/h3": Takes(seconds=range(5, 16), sizes=("480P", "768P", "2K", "4K")),
}


def open_provider(key: str, base_url: str | None = None) -> Provider:
    """fal.ai, for whoever has this key.

    Raises:
        InputError: its package is not installed, or the key is none.
    """
    try:
        from fal_client.auth import FAL_QUEUE_RUN_HOST
    except ImportError as exc:
        raise needed("fal-client", SERVICE) from exc
    wire = Wire(SERVICE, base_url or f"https://{FAL_QUEUE_RUN_HOST}", instead_of=FAL_QUEUE_RUN_HOST)
    return Fal(checked_key(SERVICE, key), wire)


class Fal:
    """Orders, which fal calls requests. One is known by its endpoint and its id."""

    def __init__(self, key: str, wire: Wire) -> None:
        from fal_client import AsyncClient

        web = wire.client(Authorization=f"Key {key}")

        class Client(AsyncClient):
            """With a way to the service that is ours; the SDK has no parameter for it."""

            @property
            @override
            async def _client(self) -> httpx.AsyncClient:
                return web

        self._wire = wire
        self._web = web
        self._sdk = Client(key=key, default_timeout=cast("float", TIMEOUT.read))

    @property
    def name(self) -> str:
        """As the offers call it."""
        return SERVICE

    async def submit(self, order: Order, picture: bytes | None, token: str) -> str:
        """Order it; the service knows no tokens."""
        del token
        asked = arguments(order, picture)
        with told(SERVICE, "submit"):
            handle = await self._sdk.submit(order.model, asked)
        return f"{order.model}:{handle.request_id}"

    async def look(self, job: str) -> Progress:
        """How far it is."""
        from fal_client import InProgress, Queued

        with told(SERVICE, "look"):
            handle = self._handle(job)
            status = await handle.status()
            if isinstance(status, Queued):
                return Progress(state="waiting")
            if isinstance(status, InProgress):
                return Progress(state="working")
            try:
                return Progress(state="made", share=1.0, place=_place(await handle.get()))
            except AnsweredError as exc:
                complaint = exc.complaint
                failed = getattr(status, "error", None)
                if not failed and complaint.status not in _REFUSALS:
                    raise
                return Progress(
                    state="failed",
                    why=complaint.text or failed or str(exc),
                    refused=complaint.status in _REFUSALS,
                )

    async def fetch(self, place: str) -> bytes:
        """What was made."""
        return await self._wire.download(place)

    async def cancel(self, job: str) -> None:
        """Ask for it not to be made."""
        with told(SERVICE, "cancel"):
            await self._handle(job).cancel()

    async def close(self) -> None:
        """Close connections."""
        await self._web.aclose()

    def _handle(self, job: str) -> AsyncRequestHandle:
        from fal_client import AsyncRequestHandle

        endpoint, _, request = job.rpartition(":")
        return AsyncRequestHandle.from_request_id(self._web, endpoint, request)


def arguments(order: Order, picture: bytes | None) -> dict[str, Any]:
    """What is asked of an endpoint.

    Raises:
        InvalidError: it does not make this, or it is not known what it takes.
    """
    ending = _FROM_TEXT if picture is None else _FROM_PICTURE
    model = order.model.removesuffix(ending) if order.kind == "clip" else order.model
    takes = MODELS.get(model)
    if takes is None or bool(takes.seconds) != (order.kind == "clip"):
        raise InvalidError(f"What {order.model!r} of {SERVICE} takes for this is not known here.")
    asked: dict[str, Any] = {"prompt": order.text}
    if takes.seconds:
        seconds = seconds_for(order, takes.seconds)
        asked["duration"] = str(seconds) if takes.in_words else seconds
    else:
        asked["num_images"] = 1
    if picture is None:
        asked["aspect_ratio"] = shape_for(order, takes.shapes)
    else:
        asked["image_url"] = data_uri(picture)
    if takes.sizes:
        asked["resolution"] = lines_for(order, takes.sizes)
    if takes.switches_sound:
        asked["generate_audio"] = order.sound
    return asked


def _place(made: dict[str, Any]) -> str:
    """The address in a result: of a clip, or of the first picture."""
    found = made["video"] if "video" in made else made["images"][0]
    return str(found["url"])
