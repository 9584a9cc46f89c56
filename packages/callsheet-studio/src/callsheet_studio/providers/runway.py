"""Runway: clips and stills of its own models and of others', through its API.

What a model takes is read from the types of the SDK, so that it is known for each model that the
SDK knows, and a call that the service would refuse is refused here, before anything is sent.
"""

from __future__ import annotations

import functools
from typing import (
    TYPE_CHECKING,
    Any,
    Final,
    Literal,
    Required,
    TypeAlias,
    assert_never,
    get_args,
    get_origin,
    get_type_hints,
)

from callsheet.errors import InvalidError
from callsheet_studio.providers.http import TIMEOUT, Wire, needed, told
from callsheet_studio.providers.opening import checked_key
from callsheet_studio.providers.port import Progress
from callsheet_studio.providers.wording import data_uri, lines_for, seconds_for, shape_for

if TYPE_CHECKING:
    from collections.abc import Mapping

    from callsheet_studio.providers.port import Order, Provider

Kind: TypeAlias = Literal["image_to_video", "text_to_video", "text_to_image"]
SERVICE: Final = "Runway API"
BASE: Final = "https://api.dev.runwayml.com"
_GOING: Final = frozenset({"PENDING", "THROTTLED", "RUNNING"})
_GIVEN: Final = frozenset(
    {"audio", "duration", "model", "prompt_image", "prompt_text", "ratio", "resolution"}
)
"""What is said of an order."""
_OURS: Final = frozenset({"ASSET", "INPUT_PREPROCESSING", "SAFETY"})
"""In the code of a failure: the same order would meet it again."""


def open_provider(key: str, base_url: str | None = None) -> Provider:
    """Runway, for whoever has this key.

    Raises:
        InputError: its package is not installed, or the key is none.
    """
    try:
        import runwayml  # noqa: F401 -- whether it is there
    except ImportError as exc:
        raise needed("runwayml", SERVICE) from exc
    return Runway(checked_key(SERVICE, key), base_url or BASE)


class Runway:
    """Orders, which Runway calls tasks."""

    def __init__(self, key: str, base_url: str) -> None:
        from runwayml import AsyncRunwayML

        self._wire = Wire(SERVICE, base_url)
        self._sdk = AsyncRunwayML(
            api_key=key,
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
        # One method for each kind, with an overload for each model: more than a type can say here.
        create: Any
        if order.kind == "clip" and picture is not None:
            create, choices = self._sdk.image_to_video.create, models("image_to_video")
        elif order.kind == "clip":
            create, choices = self._sdk.text_to_video.create, models("text_to_video")
        elif order.kind == "still" and picture is None:
            create, choices = self._sdk.text_to_image.create, models("text_to_image")
        else:
            raise InvalidError(f"{SERVICE} makes clips, and stills without a first frame.")
        if order.model not in choices:
            raise InvalidError(f"{SERVICE} does not make this with {order.model!r}.")
        asked = arguments(order, choices[order.model])
        if picture is not None:
            asked["prompt_image"] = [{"uri": data_uri(picture), "position": "first"}]
        with told(SERVICE, "submit"):
            made = await create(**asked)
            return str(made.id)

    async def look(self, job: str) -> Progress:
        """How far it is."""
        with told(SERVICE, "look"):
            task = await self._sdk.tasks.retrieve(job)
            match task.status:
                case "PENDING" | "THROTTLED":
                    return Progress(state="waiting")
                case "RUNNING":
                    return Progress(state="working", share=min(1.0, max(0.0, task.progress)))
                case "SUCCEEDED":
                    return Progress(state="made", share=1.0, place=task.output[0])
                case "CANCELLED":
                    return Progress(state="failed", why="It was cancelled.")
                case "FAILED":
                    refused = not _OURS.isdisjoint((task.failure_code or "").split("."))
                    return Progress(state="failed", why=task.failure, refused=refused)
                case unknown:
                    assert_never(unknown)

    async def fetch(self, place: str) -> bytes:
        """What was made."""
        return await self._wire.download(place)

    async def cancel(self, job: str) -> None:
        """Ask for it not to be made; what is made would be deleted, so it is left alone."""
        with told(SERVICE, "cancel"):
            task = await self._sdk.tasks.retrieve(job)
            if task.status in _GOING:
                await self._sdk.tasks.delete(job)

    async def close(self) -> None:
        """Close connections."""
        await self._sdk.close()


def arguments(order: Order, takes: Mapping[str, object]) -> dict[str, Any]:
    """What is asked of a model that takes these, by name.

    Raises:
        InvalidError: it does not make this.
    """
    asked: dict[str, Any] = {"model": order.model, "prompt_text": order.text}
    if order.kind == "clip" and "duration" in takes:
        lengths = [each for each in _literals(takes["duration"]) if isinstance(each, int)]
        asked["duration"] = seconds_for(order, lengths)
    if "ratio" in takes:
        ratios = [str(each) for each in _literals(takes["ratio"])]
        # Where the shape follows the first frame, only the size is chosen.
        follows = all(each.startswith("auto") for each in ratios)
        asked["ratio"] = (lines_for if follows else shape_for)(order, ratios)
    if "resolution" in takes:
        asked["resolution"] = lines_for(order, map(str, _literals(takes["resolution"])))
    if "audio" in takes:
        asked["audio"] = order.sound
    return asked


@functools.cache
def models(kind: Kind) -> _Choices:
    """What each model takes that needs no more than orders have: types, by name."""
    from runwayml import types

    params = {
        "image_to_video": types.ImageToVideoCreateParams,
        "text_to_video": types.TextToVideoCreateParams,
        "text_to_image": types.TextToImageCreateParams,
    }
    found: _Choices = {}
    for each in get_args(params[kind]):
        marked = get_type_hints(each, include_extras=True)
        if {name for name, hint in marked.items() if get_origin(hint) is Required} <= _GIVEN:
            hints = get_type_hints(each)
            found.update({str(name): hints for name in _literals(hints["model"])})
    return found


def _literals(kind: object) -> list[object]:
    """The values that a type lists, also within unions."""
    if get_origin(kind) is Literal:
        return list(get_args(kind))
    return [value for each in get_args(kind) for value in _literals(each)]


_Choices = dict[str, dict[str, Any]]
