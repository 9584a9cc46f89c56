"""A small change in a brief is a small change in its film: all that it does not touch stays."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.script.smith_briefs import examples

from callsheet_studio.brief import load
from callsheet_studio.documents import captions
from callsheet_studio.film.sounds import plan_lines, plan_score
from callsheet_studio.film.takes import TakeData, takes
from callsheet_studio.model.captions import CaptionLine
from callsheet_studio.script import write_script
from callsheet_studio.shots import plan_shots

if TYPE_CHECKING:
    from callsheet_studio.film.speaking import LineData
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.script import Script
    from callsheet_studio.model.shots import ShotList

# Every example brief becomes shots several times: 40 ms each.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("P11")]

EXAMPLES = Path(__file__).parents[5] / "examples" / "briefs"
MUCH, SOME = 0.8, 0.5
"""The share of takes that stays when a message changes: over all films, and in each."""
BEAT = 3
"""Shots that one beat's line can change: its own two, and the next that dissolves from them."""


@dataclass(frozen=True)
class Film:
    """What of a film is made step by step."""

    script: Script
    shots: ShotList
    takes: tuple[TakeData, ...]
    lines: tuple[LineData, ...]

    def takes_of(self, beats: set[str]) -> list[TakeData]:
        return [
            take
            for take, shot in zip(self.takes, self.shots.shots, strict=True)
            if shot.beat in beats
        ]


def film(brief: Brief) -> Film:
    script = write_script(brief)
    shots = plan_shots(script, brief)
    shown = [CaptionLine(start=c.start, end=c.end, lines=c.lines) for c in captions(script)]
    return Film(script, shots, takes(shots, brief, shown), plan_lines(script, brief))


@cache
def example(name: str) -> tuple[Brief, Film]:
    brief = load(EXAMPLES / name)
    return brief, film(brief)


@cache
def written() -> tuple[tuple[Brief, Film], ...]:
    """The films of the examples whose script is ours."""
    return tuple((brief, film(brief)) for brief in examples())


def changed(brief: Brief, section: str, **fields: Any) -> Brief:
    """A brief that says something else in one section."""
    return brief.model_copy(
        update={section: getattr(brief, section).model_copy(update=fields)},
    )


def called_otherwise(brief: Brief) -> Brief:
    """One word of the call to action is another one."""
    *others, _ = brief.message.cta.rstrip(".").split()
    return changed(brief, "message", cta=" ".join((*others, "tomorrow")))


def told_otherwise(brief: Brief) -> Brief:
    """One word of a message has another form."""
    told = list(brief.message.supporting)
    told[len(told) // 2] = f"{told[len(told) // 2].rstrip('.')}s"
    return changed(brief, "message", supporting=tuple(told))


def kept(before: tuple[Any, ...], after: tuple[Any, ...]) -> int:
    """How many are there as before, wherever they are now."""
    one, other = (Counter(each.model_dump_json() for each in side) for side in (before, after))
    return (one & other).total()


def test_another_call_to_action_changes_the_last_beat_and_nothing_else() -> None:
    for brief, before in written():
        after = film(called_otherwise(brief))
        *others, last = before.script.beats
        assert after.script.beats[:-1] == tuple(others)
        assert after.script.beats[-1] != last
        rest = {beat.id for beat in others}
        assert after.takes_of(rest) == before.takes_of(rest)
        assert after.lines[:-1] == before.lines[:-1]


def test_another_message_changes_the_line_that_tells_it_and_the_shots_that_show_it() -> None:
    stayed = count = 0
    for brief, before in written():
        if not brief.message.supporting:
            continue
        after = film(told_otherwise(brief))
        same = kept(before.takes, after.takes)
        others = len(after.takes) - same
        assert others <= BEAT or same >= SOME * len(after.takes), brief.project.title
        assert kept(before.lines, after.lines) >= len(after.lines) - 2, brief.project.title
        stayed, count = stayed + same, count + len(after.takes)
    assert count > 150
    assert stayed >= MUCH * count


def test_what_is_neither_seen_nor_heard_changes_nothing() -> None:
    for brief, before in written():
        other = changed(brief, "constraints", max_cost_usd=4321.0, quality="budget")
        other = changed(other, "purpose", objective="to be seen", kpis=("seen",))
        assert film(other) == before


def test_the_words_of_an_own_shot_change_its_take_alone() -> None:
    brief, before = example("slow-coffee.yaml")
    own = list(brief.content.shots or ())
    own[1] = own[1].model_copy(update={"action": f"{own[1].action.rstrip('.')}, slowly."})
    after = film(changed(brief, "content", shots=tuple(own)))
    differ = [one.shot != two.shot for one, two in zip(before.takes, after.takes, strict=True)]
    assert differ.count(True) == 1
    assert after.lines == before.lines


def test_a_word_of_an_own_script_changes_the_shot_that_has_it() -> None:
    brief, before = example("last-ferry.yaml")
    script = brief.content.script or ""
    assert script.count("throws the rope into the boat") == 1
    told = script.replace("throws the rope into the boat", "throws the rope into her boat")
    after = film(changed(brief, "content", script=told))
    pairs = zip(before.takes, after.takes, strict=True)
    differ = [two.shot.action for one, two in pairs if one.shot != two.shot]
    assert differ == ["Ingrid throws the rope into her boat."]
    assert after.lines == before.lines


def test_the_music_stays_whatever_is_said() -> None:
    brief, before = example("harbor.yaml")
    other = told_otherwise(called_otherwise(brief))
    score, same = plan_score(before.script, brief), plan_score(write_script(other), other)
    assert (same.seed, same.mood, same.arc) == (score.seed, score.mood, score.arc)


def test_the_same_words_in_another_film_are_told_and_drawn_otherwise() -> None:
    brief, before = example("harbor.yaml")
    after = film(changed(brief, "project", title="Quay"))
    assert kept(before.takes, after.takes) == 0
    assert after.script.beats != before.script.beats
    assert after.takes[0].style.seed != before.takes[0].style.seed
