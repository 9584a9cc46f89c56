"""Offers of a tool stack's file: a price, what it is for, and an id that stays."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from callsheet_studio.model.stack import Offer
from callsheet_studio.stack.normal import UNITS, name_of, sides_of, unit_of
from callsheet_studio.stack.record import LONGEST_TEXT, is_number, shown

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from callsheet_studio.stack.record import Record

KEYS = (
    "provider",
    "unit",
    "usd",
    "conditions",
    "source",
    "as_of",
    "source_key",
    "vendor_page",
    "deprecation_date",
)
_ONLY = " only"
_MOVED = ("resolution", "audio", "minimum_usd_per_task", "tier")
_NAMED = ("tier", "mode", "product", "quality")
"""Conditions by which two offers of one provider differ, and that are part of the id."""


def read_offers(tool: Record, name: str, sources: Collection[str]) -> tuple[Offer, ...]:
    """The offers of a tool, in the order of the file."""
    taken: set[str] = set()
    offers = []
    for record in tool.records("offers", KEYS, needed=True):
        offer = _offer(record, name, sources)
        offer = offer.model_copy(update={"id": _own_id(offer, taken)})
        taken.add(offer.id)
        offers.append(offer)
    return tuple(offers)


def _offer(record: Record, tool: str, sources: Collection[str]) -> Offer:
    unit, seconds = _unit(record)
    given = record.record("conditions", None)
    conditions = _conditions(given)
    gone = record.day_or_none("deprecation_date")
    provider = record.text("provider", needed=True)
    resolution = _resolution(given, conditions)
    audio = given.truth("audio")
    return Offer(
        id=_id(tool, provider, [_length(unit, seconds), resolution, _sound(audio)], conditions),
        provider=provider,
        unit=unit,
        unit_seconds=seconds,
        usd=record.price("usd"),
        minimum_usd=given.number("minimum_usd_per_task") or 0,
        resolution=resolution,
        audio=audio,
        conditions=conditions,
        until=gone - timedelta(days=1) if gone else None,
        source=source_of(record, sources),
        as_of=record.day("as_of"),
        key=record.text("source_key"),
        page=record.text("vendor_page"),
    )


def source_of(record: Record, sources: Collection[str]) -> str:
    """Where a fact was read; it has to be among the file's sources."""
    name = record.text("source", needed=True)
    if name and name not in sources:
        record.fault(f"{shown(name)} is not in `sources`. Add it there, or name another.", "source")
    return name


def _unit(record: Record) -> tuple[str, float | None]:
    text = record.get("unit")
    found = unit_of(text) if isinstance(text, str) else None
    if found is None:
        forms = ", ".join("clip_5s" if unit == "clip" else unit for unit in UNITS)
        said = f"{shown(record.get('unit'))} is no unit" if "unit" in record else "is missing"
        record.fault(f"{said}. Write one of {forms}.", "unit")
    return found or (UNITS[0], None)


def _conditions(given: Record) -> dict[str, object]:
    """What no field of an offer is for. A tier that is for one mode names it: `fast, i2v only`."""
    tier, comma, mode = given.text("tier").partition(", ")
    conditions: dict[str, object] = {"tier": tier} if tier else {}
    if comma and mode.endswith(_ONLY):
        conditions["mode"] = mode.removesuffix(_ONLY)
    elif comma:
        conditions["tier"] = given.text("tier")
    for key in given.keys():  # noqa: SIM118 -- a record is read by its keys, it is no mapping
        value = given.get(key)
        if key in _MOVED or value is None:
            continue
        is_text = isinstance(value, str) and value.isprintable() and len(value) <= LONGEST_TEXT
        if is_text or isinstance(value, bool) or is_number(value):
            conditions[key] = value
        else:
            given.fault(f"{shown(value)} is no condition. Write a text, number or truth.", key)
    return conditions


def _resolution(given: Record, conditions: dict[str, object]) -> str | None:
    """The finest that the price is for; all of them are a condition if there are more."""
    words = given.text("resolution")
    sides, unknown = sides_of(words.split("/")) if words else ((), ())
    if unknown:
        given.fault(f"{shown(words)} is no size. Write 720p, 1280x720 or 4k.", "resolution")
    if len(sides) > 1:
        conditions["resolutions"] = [f"{side}p" for side in sides]
    return f"{sides[-1]}p" if sides else None


# Ids


def _id(tool: str, provider: str, parts: list[str | None], conditions: Mapping[str, object]) -> str:
    words = [*parts, *(str(conditions[key]) for key in _NAMED if key in conditions)]
    words += ["hdr"] if conditions.get("hdr") is True else []
    what = "+".join(filter(None, (name_of(word) for word in words if word)))
    return f"{tool}@{name_of(provider)}" + (f":{what}" if what else "")


def _length(unit: str, seconds: float | None) -> str | None:
    return None if seconds is None else f"{unit}-{seconds:g}s"


def _sound(audio: bool | None) -> str | None:
    return None if audio is None else ("sound" if audio else "silent")


def _own_id(offer: Offer, taken: Collection[str]) -> str:
    """The first of a kind has the plain id; others are told apart by plan, by source, by number."""
    note = offer.conditions.get("note")
    hints = [offer.source, name_of(note) if isinstance(note, str) else ""]
    tries = [offer.id, *(f"{offer.id}~{name_of(hint)}" for hint in hints if hint)]
    tries += [f"{offer.id}~{number}" for number in range(2, len(taken) + 3)]
    return next(each for each in tries if each not in taken)
