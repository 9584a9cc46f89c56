"""A tool stack from its file: every fact with its source and date, every fault at once."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, get_args

from callsheet.errors import InputError
from callsheet_studio.model.stack import (
    Benchmark,
    Category,
    Grid,
    Latency,
    Source,
    Stack,
    StackTool,
    Status,
)
from callsheet_studio.stack.normal import (
    LENGTHS,
    closed_regions,
    grid_of,
    has_lip_sync,
    has_sound,
    name_of,
    sides_of,
)
from callsheet_studio.stack.offers import read_offers, source_of
from callsheet_studio.stack.record import Faults, Record, day_of, is_number, shown

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from datetime import date
    from pathlib import Path

    from callsheet_studio.model.stack import Offer

LARGEST = 16_000_000
"""Characters of a file; a greater one is not a tool stack."""

_KEYS = ("meta", "sources", "quality_note", "tools", "latency_prior", "lifecycle_alerts")
_TOOL_KEYS = (
    "id",
    "name",
    "vendor",
    "category",
    "status",
    "lifecycle",
    "modes",
    "durations_s",
    "max_clip_s",
    "resolutions",
    "aspect_ratios",
    "fps",
    "native_audio",
    "lip_sync",
    "reference_images_max",
    "offers",
    "latency",
    "quality",
    "api",
    "license",
    "hardware",
    "strengths",
    "limits",
    "source",
    "as_of",
    "usd_per_second_range",
)
_QUALITY_KEYS = (
    "benchmark",
    "model_row",
    "score",
    "ci",
    "votes",
    "scale",
    "winrate_vs_board_median",
    "board_median",
    "source",
    "as_of",
    "note",
    "rank",
)
_LATENCY_KEYS = ("kind", "source", "as_of", "typical_s", "low_s", "high_s", "note", "per")
_SOURCE_KEYS = ("title", "url", "as_of", "kind", "refresh")
_ENDS = ("retired", "deprecated", "deprecation")
_PRIOR_KEYS = (
    "note",
    "fast_tier_s",
    "standard_s",
    "median_s",
    "range_s",
    "clip",
    "source",
    "as_of",
)
_ID = re.compile(r"[a-z0-9][a-z0-9._-]{0,99}\Z")
_ASPECT = re.compile(r"[1-9]\d{0,2}:[1-9]\d{0,2}\Z")
_STATUSES: tuple[Status, ...] = get_args(Status)
_CATEGORIES: tuple[Category, ...] = get_args(Category)


def load_stack(path: Path) -> Stack:
    """The tool stack of a file.

    Raises:
        InputError: it cannot be read.
        StackError: it is not a tool stack; every fault, with its place and what to write.
    """
    try:
        if path.stat().st_size > LARGEST:
            raise _too_large(str(path))
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as exc:
        raise InputError(f"{str(path)!r} cannot be read: {exc.strerror}.") from exc
    except UnicodeDecodeError as exc:
        raise InputError(
            f"{str(path)!r} is not UTF-8 (byte {exc.start}). Save it as UTF-8."
        ) from exc
    return read_stack(text, str(path))


def read_stack(text: str, where: str) -> Stack:
    """The tool stack of a JSON text; `where` is what messages call it.

    Raises:
        InputError: it is not JSON.
        StackError: it is not a tool stack; every fault, with its place and what to write.
    """
    faults = Faults(where)
    file = Record(_data(text, where), "", faults, _KEYS)
    sources = _sources(file, faults)
    ends = _alerts(file)
    records = file.records("tools", _TOOL_KEYS, needed=True, named="id")
    tools = tuple(_tool(each, sources, ends) for each in records)
    _once(tools, records)
    written = file.record("meta", None).day_or_none("written")
    prior = _prior(file, sources)
    if not tools and isinstance(file.get("tools"), list):
        file.fault("is empty. Write at least one tool.", "tools")
    faults.settle()
    as_of = written or max(tool.as_of for tool in tools)
    return Stack(as_of=as_of, tools=tools, sources=tuple(sources.values()), latency_prior=prior)


@cache
def starting_stack() -> Stack:
    """The tool stack that is shipped, as of the day it was written."""
    file = files(__package__) / "starting.json"
    return read_stack(file.read_text("utf-8"), "starting.json")


# The text


def _data(text: str, where: str) -> object:
    if len(text) > LARGEST:
        raise _too_large(where)
    if not text.strip():
        raise InputError(f"{where} is empty. A tool stack is JSON: {{sources, tools, …}}.")
    try:
        return json.loads(text, object_pairs_hook=_unique)
    except RecursionError:
        why = "it is nested too deeply"
    except ValueError as exc:
        why = str(exc)
    raise InputError(f"{where} is not JSON: {why}.")


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {shown(key)} stands twice in one mapping")
        found[key] = value
    return found


def _too_large(where: str) -> InputError:
    return InputError(
        f"{where} has more than {LARGEST:,} characters: it is not a tool stack. Name another file."
    )


# What the whole file says


def _sources(file: Record, faults: Faults) -> dict[str, Source]:
    listed = file.record("sources", None)
    if not listed.keys() and "sources" not in file:
        file.fault("is missing. Write {name: {title, url, as_of}, …}.", "sources")
    found = {}
    for name in listed.keys():  # noqa: SIM118 -- a record is read by its keys, it is no mapping
        if not _ID.match(name):
            listed.fault(f"{shown(name)} is no name. Use a-z, 0-9, `.`, `_` and `-`.")
            continue
        each = Record(listed.get(name), listed.at(name), faults, _SOURCE_KEYS)
        found[name] = Source(
            id=name,
            title=each.text("title", needed=True),
            url=each.text("url", needed=True),
            as_of=each.day("as_of"),
            kind=each.text("kind"),
        )
    return found


def _alerts(file: Record) -> dict[str, tuple[date, str]]:
    """The day on which a tool ends, and what was said of it."""
    return {
        alert.text("tool", needed=True): (alert.day("date"), alert.text("note"))
        for alert in file.records("lifecycle_alerts", ("tool", "date", "note"))
    }


def _prior(file: Record, sources: Collection[str]) -> Latency:
    prior = file.record("latency_prior", _PRIOR_KEYS)
    if file.get("latency_prior") is None:
        file.fault("is missing. Write {median_s, range_s, source, as_of}.", "latency_prior")
        prior = Record({"source": "", "as_of": "1970-01-01"}, "", Faults(""), None)
    least = most = None
    match prior.get("range_s"):
        case [int() | float() as low, int() | float() as high] if (
            is_number(low) and is_number(high) and 0 <= low <= high
        ):
            least, most = float(low), float(high)
        case None:
            pass
        case other:
            prior.fault(f"{shown(other)} is not a range. Write [33, 540].", "range_s")
    return Latency(
        kind="prior",
        least=least,
        typical=prior.number("median_s"),
        most=most,
        source=source_of(prior, sources),
        as_of=prior.day("as_of"),
    )


def _once(tools: tuple[StackTool, ...], records: list[Record]) -> None:
    seen: set[str] = set()
    for tool, record in zip(tools, records, strict=True):
        if tool.id in seen:
            record.fault(f"{shown(tool.id)} is the id of another tool. Use another one.", "id")
        if tool.id:
            seen.add(tool.id)


# A tool


def _tool(
    record: Record, sources: Collection[str], ends: Mapping[str, tuple[date, str]]
) -> StackTool:
    name = _tool_id(record)
    category = record.choice("category", _CATEGORIES)
    status = record.choice("status", _STATUSES)
    offers = read_offers(record, name, sources)
    grid = _grid(record, category, status, offers)
    resolutions, aspects = _resolutions(record), _aspects(record)
    licence = record.text("license")
    benchmarks = tuple(
        _benchmark(each, sources) for each in record.records("quality", _QUALITY_KEYS)
    )
    latency = tuple(_latency(each, sources) for each in record.records("latency", _LATENCY_KEYS))
    references = record.count("reference_images_max")
    return StackTool(
        id=name,
        name=record.text("name", needed=True),
        vendor=record.text("vendor", needed=True),
        category=category,
        status=status,
        retires=_end(record, ends.get(name)),
        modes=record.texts("modes", needed=True),
        grid=grid,
        resolutions=resolutions,
        aspects=aspects,
        native_audio=has_sound(record.text("native_audio")),
        lip_sync=has_lip_sync(record.text("lip_sync")),
        reference_images=references,
        licence=licence or None,
        regions=closed_regions(licence),
        strengths=record.texts("strengths"),
        limits=record.texts("limits"),
        notes=_notes(record, ends.get(name)),
        api=record.text("api"),
        offers=offers,
        benchmarks=benchmarks,
        latency=latency,
        sources=_named(record, sources),
        as_of=record.day("as_of"),
    )


def _tool_id(record: Record) -> str:
    name = record.text("id", needed=True)
    if name and not _ID.match(name):
        record.fault(f"{shown(name)} is no id. Use a-z, 0-9, `.`, `_` and `-`.", "id")
        return name_of(name)
    return name


def _grid(
    record: Record, category: Category, status: Status, offers: tuple[Offer, ...]
) -> Grid | None:
    """The lengths of its clips.

    Those of a video tool have to be told. `null` says that they were looked for and not found;
    that is no answer where the file knows the longest clip, or has a price for a whole one.
    """
    grid, longest = grid_of(record, "durations_s"), record.number("max_clip_s")
    if grid is not None:
        if longest is not None and longest < grid.most:
            record.fault(f"{longest:g} is less than the grid's {grid.most:g}.", "max_clip_s")
        return grid
    if category != "video":
        return Grid(most=longest) if longest else None
    is_known = longest is not None or any(offer.unit == "clip" for offer in offers)
    if "durations_s" not in record or (
        status == "active" and is_known and record.get("durations_s") is None
    ):
        record.fault(
            f"is missing: without a grid nobody knows what a clip costs. Write {LENGTHS}.",
            "durations_s",
        )
    return None


def _resolutions(record: Record) -> tuple[str, ...]:
    sides, unknown = sides_of(record.texts("resolutions"))
    for word in unknown:
        record.fault(f"{shown(word)} is no size. Write 720p, 1280x720 or 4k.", "resolutions")
    return tuple(f"{side}p" for side in sides)


def _aspects(record: Record) -> tuple[str, ...]:
    aspects = record.texts("aspect_ratios")
    for aspect in aspects:
        if not _ASPECT.match(aspect):
            record.fault(f"{shown(aspect)} is no aspect. Write 16:9.", "aspect_ratios")
    return aspects


def _named(record: Record, sources: Collection[str]) -> tuple[str, ...]:
    names = record.texts("source")
    for name in names:
        if name not in sources:
            record.fault(f"{shown(name)} is not in `sources`. Add it there.", "source")
    return names


def _end(record: Record, alert: tuple[date, str] | None) -> date | None:
    """The first day without it, of all that are told."""
    lifecycle = record.record("lifecycle", None)
    days = [lifecycle.day_or_none(key) for key in _ENDS]
    days += [alert[0]] if alert else []
    return min((day for day in days if day is not None), default=None)


def _benchmark(record: Record, sources: Collection[str]) -> Benchmark:
    score = record.number("score", least=-1e6)
    if score is None and record.get("score") is None:
        record.fault("is missing. Write a number.", "score")
    return Benchmark(
        board=record.text("benchmark", needed=True),
        score=score or 0,
        interval=record.number("ci"),
        share=record.number("winrate_vs_board_median", most=1),
        votes=record.count("votes"),
        source=source_of(record, sources),
        as_of=record.day("as_of"),
    )


def _latency(record: Record, sources: Collection[str]) -> Latency:
    return Latency(
        kind=record.text("kind", needed=True),
        least=record.number("low_s"),
        typical=record.number("typical_s"),
        most=record.number("high_s"),
        source=source_of(record, sources),
        as_of=record.day("as_of"),
    )


def _notes(record: Record, alert: tuple[date, str] | None) -> tuple[str, ...]:
    """Everything that was said beyond yes and no."""
    said = [
        ("sound", record.text("native_audio")),
        ("lip sync", record.text("lip_sync")),
        ("hardware", record.text("hardware")),
        ("end", alert[1] if alert else ""),
    ]
    lifecycle = record.record("lifecycle", None)
    for key in lifecycle.keys():  # noqa: SIM118 -- a record is read by its keys, it is no mapping
        if key not in _ENDS:
            word = lifecycle.text(key)
            said.append(
                (key.replace("_", " "), f"{word}" if day_of(word) is None else f"on {word}")
            )
    said += [
        (each.text("benchmark"), each.text(key))
        for each in record.records("quality", None)
        for key in ("note", "rank")
    ]
    said += [
        (f"latency, {each.text('kind')}", each.text(key))
        for each in record.records("latency", None)
        for key in ("note", "per")
    ]
    plain = ("", "no", "yes", "native", "always", "optional")
    return tuple(f"{what}: {words}" for what, words in said if words not in plain)
