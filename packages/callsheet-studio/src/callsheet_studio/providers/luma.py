"""Luma: Ray for clips and Uni for stills, through its Agents API. Orders cannot be cancelled."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any, Final, assert_never, get_args

from callsheet.errors import InvalidError
from callsheet_studio.providers.http import TIMEOUT, Wire, needed, told
from callsheet_studio.providers.opening import checked_key
from callsheet_studio.providers.port import Progress
from callsheet_studio.providers.wording import lines_for, media_type, seconds_for, shape_for

if TYPE_CHECKING:
    from callsheet_studio.providers.port import Order, Provider

SERVICE: Final = "Luma Agents API"
BASE: Final = "https://agents.lumalabs.ai/v1"
SHAPES: Final = ("21:9", "16:9", "4:3", "1:1", "3:4", "9:16")
"""That clips are made in; stills are made in more."""
_OURS: Final = frozenset(
    {
        "content_moderated",
        "corrupt_input",
        "image_too_large",
        "invalid_request",
        "unsupported_format",
    }
)
"""Codes of failures that the same order would meet again."""


def open_provider(key: str, base_url: str | None = None) -> Provider:
    """Luma, for whoever has this key.

    Raises:
        InputError: its package is not installed, or the key is none.
    """
    try:
        import luma_agents  # noqa: F401 -- whether it is there
    except ImportError as exc:
        raise needed("luma-agents", SERVICE) from exc
    return Luma(checked_key(SERVICE, key), base_url or BASE)


class Luma:
    """Orders, which Luma calls generations."""

    def __init__(self, key: str, base_url: str) -> None:
        from luma_agents import AsyncLuma

        self._wire = Wire(SERVICE, base_url)
        self._sdk = AsyncLuma(
            auth_token=key,
            base_url=base_url,
            http_client=self._wire.client(),
            max_retries=0,
            timeout=TIMEOUT,
        )

    @property
    def name(self) -> str:
        """As the offers call it."""
        return SERVICE

    async def submit(self, order: Order, picture: bytes | None, token: str) -> str:
        """Order it; the service knows no tokens."""
        del token
        asked = arguments(order, picture)
        with told(SERVICE, "submit"):
            made = await self._sdk.generations.create(**asked)
            return made.id

    async def look(self, job: str) -> Progress:
        """How far it is."""
        with told(SERVICE, "look"):
            made = await self._sdk.generations.get(job)
            match made.state:
                case "queued":
                    return Progress(state="waiting")
                case "processing":
                    return Progress(state="working")
                case "completed":
                    outputs = made.output or []
                    return Progress(state="made", share=1.0, place=outputs[0].url)
                case "failed":
                    why = made.failure_reason or made.failure_code or "It failed."
                    refused = made.failure_code in _OURS
                    return Progress(state="failed", why=why, refused=refused)
                case unknown:
                    assert_never(unknown)

    async def fetch(self, place: str) -> bytes:
        """What was made."""
        return await self._wire.download(place)

    async def cancel(self, job: str) -> None:
        """It cannot be: what was ordered is made, and costs."""

    async def close(self) -> None:
        """Close connections."""
        await self._sdk.close()


def arguments(order: Order, picture: bytes | None) -> dict[str, Any]:
    """What is asked.

    Raises:
        InvalidError: it does not make this.
    """
    from luma_agents.types import Model, VideoDuration, VideoResolution

    if order.model not in get_args(Model):
        raise InvalidError(f"{SERVICE} has no model {order.model!r}.")
    asked: dict[str, Any] = {
        "model": order.model,
        "prompt": order.text,
        "aspect_ratio": shape_for(order, SHAPES),
    }
    if order.kind == "still" and picture is None:
        return {**asked, "type": "image", "output_format": "png"}
    if order.kind != "clip":
        raise InvalidError(f"{SERVICE} makes clips, and stills without a first frame.")
    lengths = [int(str(each).removesuffix("s")) for each in get_args(VideoDuration)]
    video: dict[str, Any] = {
        "duration": f"{seconds_for(order, lengths)}s",
        "resolution": lines_for(order, get_args(VideoResolution)),
    }
    if picture is not None:
        # Not `start_frame`, which is for clips of five seconds.
        frame = {"data": base64.b64encode(picture).decode(), "media_type": media_type(picture)}
        video |= {"keyframes": [frame], "keyframe_indexes": [0]}
    return {**asked, "type": "video", "video": video}
