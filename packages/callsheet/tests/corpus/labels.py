"""The corpus as data: plans as they are written, and the mistakes in them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from callsheet.core.plan.plan import Cost
from callsheet.core.plan.toolspec import ToolSpec

if TYPE_CHECKING:
    from callsheet.core.value import Json

HERE = Path(__file__).parent


class Mistake(msgspec.Struct, frozen=True):
    """One mistake: where it stands in the document as written, and what should stand there."""

    place: str
    kind: str
    right: tuple[str, ...]
    """Texts of which a good `fix` has one; none: there is no one right way."""


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """One plan as somebody wrote it."""

    name: str
    text: str
    habit: str
    aside: bool
    second: bool
    """Of the plans that were written when the checker knew the first forty."""
    calls: tuple[str, ...]
    """The tools that are meant to be called, in the order of the plan."""
    mistakes: tuple[Mistake, ...]


def samples() -> list[Sample]:
    """All of them, by name."""
    return [_sample(path) for path in sorted((HERE / "plans").glob("*.labels"))]


def _sample(path: Path) -> Sample:
    (source,) = (each for each in path.parent.glob(f"{path.stem}.*") if each.suffix != ".labels")
    facts: dict[str, str] = {}
    mistakes: list[Mistake] = []
    for line in path.read_text().splitlines():
        parts = [part.strip() for part in line.split(" | ")]
        if len(parts) == 1 and not line.endswith(" |"):
            name, _, said = line.partition(": ")
            facts[name] = said
            continue
        place, kind = parts[0], parts[1].removesuffix(" |")
        right = parts[2].split(" OR ") if parts[2:] and parts[2] else []
        mistakes.append(Mistake(place, kind, tuple(right)))
    return Sample(
        name=path.stem,
        text=source.read_text(),
        habit=facts["habit"],
        aside=facts.get("aside") == "yes",
        second=facts.get("set") == "second",
        calls=tuple(facts["calls"].split()),
        mistakes=tuple(mistakes),
    )


def specs(place: Path = HERE) -> dict[str, ToolSpec]:
    """The tools that the plans of a directory are written against."""
    return {each["name"]: _spec(each) for each in json.loads((place / "tools.json").read_text())}


def _spec(said: dict[str, Json]) -> ToolSpec:
    amounts = {
        name: msgspec.convert(said[name], Cost) for name in ("cost", "ceiling") & said.keys()
    }
    rest = {
        name: said[name]
        for name in ("undo", "idempotent", "effect", "description", "name") & said.keys()
    }
    facts = {**rest, "input_schema": said["args"], "output_schema": said["returns"]}
    return msgspec.structs.replace(msgspec.convert(facts, ToolSpec), **amounts)
