"""Replicate: other makers' models, each of which says itself what it takes.

A model is asked for its schema before the first order, and is given what it has a name for.
"""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any, Final

from callsheet.errors import FatalError, InvalidError, NotDoneError, TransientError
from callsheet_studio.providers.http import TIMEOUT, Wire, needed, told
from callsheet_studio.providers.opening import checked_key
from callsheet_studio.providers.port import Progress
from callsheet_studio.providers.wording import (
    data_uri,
    lines_for,
    lines_of,
    media_type,
    seconds_for,
    shape_for,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Mapping
    from typing import TypeVar

    from callsheet_studio.providers.port import Order, Provider

    _T = TypeVar("_T")

SERVICE: Final = "Replicate"
BASE: Final = "https://api.replicate.com"
FRAMES: Final = ("start_image", "first_frame_image", "image", "input_image")
"""What models call a first frame, the most exact name first."""
SOUNDS: Final = ("generate_audio", "audio")
_SMALL: Final = 256_000
"""Bytes: up to here a file is sent within the order."""
_REFUSED: Final = re.compile(r"flagged|sensitive|nsfw|moderat|content policy|E005", re.IGNORECASE)


def open_provider(key: str, base_url: str | None = None) -> Provider:
    """Replicate, for whoever has this key.

    Raises:
        InputError: its package is not installed, or the key is none.
    """
    try:
        import replicate  # noqa: F401 -- whether it is there
    except ImportError as exc:
        raise needed("replicate", SERVICE) from exc
    return Replicate(checked_key(SERVICE, key), base_url or BASE)


class Replicate:
    """Orders, which Replicate calls predictions."""

    def __init__(self, key: str, base_url: str) -> None:
        from replicate.client import Client

        self._wire = Wire(SERVICE, base_url)
        # It tries again what is answered with 429 or 503; through this wire no such answer comes.
        self._sdk = Client(key, base_url=base_url, timeout=TIMEOUT, transport=self._wire)
        self._known: dict[str, dict[str, Any]] = {}

    @property
    def name(self) -> str:
        """As the offers call it."""
        return SERVICE

    async def submit(self, order: Order, picture: bytes | None, token: str) -> str:
        """Order it; the service knows no tokens."""
        del token
        if order.kind == "speech":
            raise InvalidError(f"Speech is not ordered from {SERVICE}.")
        takes = await _before(self._takes(order.model))
        asked = arguments(order, takes)
        if picture is not None:
            asked[_frame(order, takes)] = await _before(self._sent(picture))
        with told(SERVICE, "submit"):
            made = await self._sdk.predictions.async_create(model=order.model, input=asked)
            return made.id

    async def look(self, job: str) -> Progress:
        """How far it is."""
        with told(SERVICE, "look"):
            made = await self._sdk.predictions.async_get(job)
        match made.status:
            case "starting":
                return Progress(state="waiting")
            case "processing":
                return Progress(
                    state="working", share=made.progress.percentage if made.progress else None
                )
            case "succeeded":
                output = made.output[0] if isinstance(made.output, list) else made.output
                if not output:
                    raise FatalError(f"{SERVICE} has deleted what was made: it keeps it an hour.")
                return Progress(state="made", share=1.0, place=str(output))
            case "canceled":
                return Progress(state="failed", why="It was cancelled.")
            case "failed":
                why = made.error or "It failed."
                return Progress(state="failed", why=why, refused=bool(_REFUSED.search(why)))

    async def fetch(self, place: str) -> bytes:
        """What was made."""
        return await self._wire.download(place)

    async def cancel(self, job: str) -> None:
        """Ask for it not to be made."""
        with told(SERVICE, "cancel"):
            await self._sdk.predictions.async_cancel(job)

    async def close(self) -> None:
        """Close connections."""
        await self._wire.aclose()

    async def _takes(self, name: str) -> dict[str, Any]:
        """What a model takes: schemas, by name."""
        if name not in self._known:
            with told(SERVICE, "submit"):
                model = await self._sdk.models.async_get(name)
            if model.latest_version is None:
                raise InvalidError(f"{name} of {SERVICE} does not say what it takes.")
            schemas = model.latest_version.openapi_schema["components"]["schemas"]
            self._known[name] = {
                field: _resolved(schema, schemas)
                for field, schema in schemas["Input"]["properties"].items()
            }
        return self._known[name]

    async def _sent(self, picture: bytes) -> str:
        """The address of a picture, which may be the picture itself."""
        if len(picture) <= _SMALL:
            return data_uri(picture)
        kind = media_type(picture)
        with told(SERVICE, "submit"):
            name = f"frame.{kind.partition('/')[2]}"
            file = await self._sdk.files.async_create(
                io.BytesIO(picture), filename=name, content_type=kind
            )
            return file.urls["get"]


async def _before(what: Awaitable[_T]) -> _T:
    """Something that is done before the order: if it fails, nothing was ordered."""
    try:
        return await what
    except TransientError as exc:
        raise NotDoneError(exc.message, retry_after=exc.retry_after) from exc


def arguments(order: Order, takes: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """What is asked of a model that takes these.

    Raises:
        InvalidError: it does not make this.
    """
    if "prompt" not in takes:
        raise InvalidError(f"{order.model} of {SERVICE} takes no prompt.")
    asked: dict[str, Any] = {"prompt": order.text}
    if order.kind == "clip" and "duration" in takes:
        lengths = takes["duration"].get("enum", [])
        seconds = seconds_for(order, [int(each) for each in lengths])
        asked["duration"] = next((each for each in lengths if int(each) == seconds), seconds)
    if shapes := takes.get("aspect_ratio", {}).get("enum"):
        asked["aspect_ratio"] = shape_for(order, shapes)
    if sizes := [each for each in takes.get("resolution", {}).get("enum", []) if lines_of(each)]:
        asked["resolution"] = lines_for(order, sizes)
    asked.update({name: order.sound for name in SOUNDS if _is_switch(takes.get(name))})
    return asked


def _frame(order: Order, takes: Mapping[str, object]) -> str:
    found = next((name for name in FRAMES if name in takes), None)
    if found is None:
        raise InvalidError(f"{order.model} of {SERVICE} takes no first frame.")
    return found


def _is_switch(schema: Mapping[str, Any] | None) -> bool:
    return schema is not None and schema.get("type") == "boolean"


def _resolved(schema: dict[str, Any], schemas: Mapping[str, Any]) -> dict[str, Any]:
    """A schema with what it refers to: enumerations stand apart."""
    for part in schema.get("allOf", []):
        schema = {**schema, **schemas[part["$ref"].rpartition("/")[2]]}
    return schema
