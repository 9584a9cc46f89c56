"""Google Veo, on Google's Agent Platform: the only one of its two APIs whose SDK makes videos.

It is asked with a key ("express mode"), so there is no bucket to put a clip in: the finished
operation carries it, and asking for the operation once more is fetching. An operation cannot be
cancelled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import httpx

from callsheet.errors import InvalidError, NotDoneError
from callsheet_studio.providers.http import TIMEOUT, Wire, needed, told
from callsheet_studio.providers.opening import checked_key
from callsheet_studio.providers.port import Progress
from callsheet_studio.providers.wording import lines_for, media_type, seconds_for, shape_for

if TYPE_CHECKING:
    from google.genai.types import GenerateVideosOperation

    from callsheet_studio.providers.port import Order, Provider

SERVICE: Final = "Vertex AI"
BASE: Final = "https://aiplatform.googleapis.com"
VERSION: Final = "v1beta1"
SECONDS: Final = (4, 6, 8)
_INVALID: Final = 3
"""Of Google's codes: what was asked for is wrong."""


def open_provider(key: str, base_url: str | None = None) -> Provider:
    """Veo, for whoever has this key.

    Raises:
        InputError: its package is not installed, or the key is none.
    """
    try:
        import google.genai  # noqa: F401 -- whether it is there
    except ImportError as exc:
        raise needed("google-genai", SERVICE) from exc
    return Veo(checked_key(SERVICE, key), base_url or BASE)


class Veo:
    """Orders, which Google calls operations."""

    def __init__(self, key: str, base_url: str) -> None:
        from google.genai import Client
        from google.genai.types import HttpOptions

        self._wire = Wire(SERVICE, base_url)
        options = HttpOptions(
            base_url=base_url,
            api_version=VERSION,
            timeout=int((TIMEOUT.read or 0) * 1000),
            httpx_async_client=self._wire.client(),
            # Nothing is asked through it; without one, the SDK would make one that can be.
            httpx_client=httpx.Client(transport=httpx.MockTransport(_nothing)),
        )
        self._client = Client(vertexai=True, api_key=key, http_options=options)
        self._sdk = self._client.aio

    @property
    def name(self) -> str:
        """As the offers call it."""
        return SERVICE

    async def submit(self, order: Order, picture: bytes | None, token: str) -> str:
        """Order it; the service knows no tokens."""
        from google.genai.types import GenerateVideosConfig, GenerateVideosSource, Image

        del token
        if order.kind != "clip":
            raise InvalidError(f"Veo makes clips, and no {order.kind}.")
        frame = (
            None if picture is None else Image(image_bytes=picture, mime_type=media_type(picture))
        )
        config = GenerateVideosConfig(
            number_of_videos=1,
            duration_seconds=seconds_for(order, SECONDS),
            aspect_ratio=shape_for(order, ("16:9", "9:16")),
            resolution=lines_for(order, ("720p", "1080p", "4k")),
            generate_audio=order.sound,
        )
        with told(SERVICE, "submit"):
            made = await self._sdk.models.generate_videos(
                model=order.model,
                source=GenerateVideosSource(prompt=order.text, image=frame),
                config=config,
            )
            if not made.name:
                raise ValueError("the operation has no name")
            return made.name

    async def look(self, job: str) -> Progress:
        """How far it is."""
        with told(SERVICE, "look"):
            operation = await self._get(job)
        if not operation.done:
            return Progress(state="working")
        if operation.error:
            why = str(operation.error.get("message", "It failed."))
            return Progress(
                state="failed", why=why, refused=operation.error.get("code") == _INVALID
            )
        if _clip(operation) is not None:
            return Progress(state="made", share=1.0, place=job)
        reasons = (operation.response and operation.response.rai_media_filtered_reasons) or []
        why = " ".join(reasons) or "It was filtered, without a reason."
        return Progress(state="failed", why=why, refused=True)

    async def fetch(self, place: str) -> bytes:
        """What was made."""
        with told(SERVICE, "fetch"):
            clip = _clip(await self._get(place))
        if clip is None:
            raise NotDoneError(f"{SERVICE} does not hand it out. Look again.")
        return clip

    async def cancel(self, job: str) -> None:
        """It cannot be: what was ordered is made, and costs."""

    async def close(self) -> None:
        """Close connections."""
        await self._sdk.aclose()
        self._client.close()
        await self._wire.aclose()

    async def _get(self, job: str) -> GenerateVideosOperation:
        from google.genai.types import GenerateVideosOperation

        return await self._sdk.operations.get(GenerateVideosOperation.model_validate({"name": job}))


def _clip(operation: GenerateVideosOperation) -> bytes | None:
    response = operation.response
    videos = (response and response.generated_videos) or []
    video = videos[0].video if videos else None
    return (video and video.video_bytes) or None


def _nothing(request: httpx.Request) -> httpx.Response:
    raise httpx.UnsupportedProtocol("Only asynchronous calls are made.", request=request)
