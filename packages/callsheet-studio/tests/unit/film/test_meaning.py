"""An honest check: what the illustrator drew is compared with what the words say."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from callsheet_studio.brief import load
from callsheet_studio.draw.frame import draw_frame
from callsheet_studio.draw.style import style_of
from callsheet_studio.film.check.meaning import judge, judge_pictures, story_of
from callsheet_studio.library import find_place, presets
from callsheet_studio.script import write_script
from callsheet_studio.shots import plan_shots

if TYPE_CHECKING:
    from collections.abc import Iterator

    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.seen import Judged
    from callsheet_studio.model.shots import Shot, ShotList

pytestmark = pytest.mark.requirement("P15")

EXAMPLES = Path(__file__).parents[5] / "examples" / "briefs"
SIZE = (128, 72)
EACH = 12
NIGHT, DAY = "neon_night", "soft_day"


@cache
def films() -> tuple[tuple[Brief, ShotList], ...]:
    """The example films."""
    found = []
    for path in sorted(EXAMPLES.iterdir()):
        if path.suffix in (".yaml", ".json", ".md"):
            brief = load(path)
            found.append((brief, plan_shots(write_script(brief), brief)))
    return tuple(found)


def changed(kind: str, shot: Shot, shots: ShotList) -> dict[str, Any] | None:
    """The same shot with one thing exchanged, or nothing if there is no such thing in it."""
    placed = find_place(shot.set.place) not in {"abstract", "product_table", ""}
    flat = shot.graphic is not None or shot.action.startswith(("A card", "Eine Tafel", "End card"))
    flat = flat or shot.action.startswith(("Schlusskarte", "The name", "Der Name"))
    if kind == "person" and shot.figures and not flat and shot.kind != "INSERT":
        return {"figures": ("Somebody Else",), "subject": "Somebody Else"}
    flat = flat or not placed
    if kind == "place" and not flat:
        other = "kitchen" if find_place(shot.set.place) != "kitchen" else "forest"
        return {"set": shot.set.model_copy(update={"place": other})}
    if kind == "thing" and shot.things and not flat and not shot.figures:
        return {"things": ("cat",), "subject": "cat", "action": "Close: cat."}
    if kind == "state" and shot.things and not flat and not shot.figures:
        name, _, state = shot.things[0].partition(":")
        other = "wet" if state != "wet" else "broken"
        return {"things": (f"{name}:{other}", *shot.things[1:])}
    if kind == "light" and not flat and find_place(shot.set.place):
        dark = any(t in ("night", "evening") for t in presets()[shot.lighting.preset].times)
        preset = DAY if dark else NIGHT
        return {"lighting": shot.lighting.model_copy(update={"preset": preset})}
    del shots
    return None


def planted(kind: str, *, misread: bool = False) -> Iterator[Judged]:
    """Twelve shots that are right, drawn with a fault of a kind.

    Args:
        kind: of the fault.
        misread: whether the shot itself asks for the wrong thing, and only its words are right.
    """
    count = 0
    for brief, shots in films():
        style, story = style_of(brief), story_of(brief)
        right = {each.shot for each in judge_pictures(shots, brief) if not each.wrong}
        taken = 0
        for shot in shots.shots:
            update = changed(kind, shot, shots) if shot.id in right and not shot.picture else None
            if update is None or taken == 4:
                continue
            fault = shot.model_copy(update=update)
            drawn = draw_frame(fault, shots.figures, style, SIZE).depicts
            assert drawn is not None
            told = fault.model_copy(update={"things": (), "graphic": None}) if misread else shot
            yield judge(told, drawn, shots.figures, story)
            taken, count = taken + 1, count + 1
            if count == EACH:
                return


@pytest.mark.slow  # Some three hundred pictures are drawn, small.
def test_of_sixty_exchanged_pictures_fifty_four_are_named_with_what_is_wrong() -> None:
    named, total = 0, 0
    for kind in ("place", "thing", "person", "state", "light"):
        found = list(planted(kind))
        assert len(found) == EACH, kind
        named += sum(kind in each.wrong for each in found)
        total += len(found)
    assert total == 60
    assert named >= 54


@pytest.mark.slow  # As many.
@pytest.mark.parametrize("kind", ["thing", "state"])
def test_a_shot_that_asks_for_what_nobody_has_said_is_found_by_its_words(kind: str) -> None:
    found = list(planted(kind, misread=True))
    assert sum(kind in each.wrong for each in found) >= 10


@pytest.mark.slow  # All example films, drawn small.
def test_no_shot_of_our_examples_contradicts_what_is_said() -> None:
    for brief, shots in films():
        wrong = [each.message for each in judge_pictures(shots, brief) if each.wrong]
        assert len(wrong) <= 0.03 * len(shots.shots) + 1, wrong


def test_who_does_not_show_what_is_said_is_told_what_would_mend_it() -> None:
    brief, shots = films()[0]
    for each in judge_pictures(shots, brief):
        assert bool(each.message) == bool(each.fix) == (each.verdict != "shown")
