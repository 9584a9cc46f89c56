"""A line is on the shot of who says it, in the shot list and in what is heard."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.script.samples import make_brief

from callsheet_studio.film.sounds import plan_score
from callsheet_studio.script import write_script
from callsheet_studio.shots import check_continuity, check_shots, plan_shots
from callsheet_studio.shots.spoken import lines, told

PLAYS = Path(__file__).parents[2] / "screenplays"

pytestmark = pytest.mark.requirement("P3", "P4")

TWO = """INT. KITCHEN - NIGHT

A pot boils over. MARA (41, apron) stirs. JONAS (12, school bag) looks on.

MARA
It is ready in ten minutes, I promise you.

JONAS
You said so an hour ago, and the day before.

MARA
(laughs)
Then it is nearly ready.
"""


def test_each_line_is_on_a_shot_that_shows_who_says_it() -> None:
    brief = make_brief(script=TWO, seconds=20)
    script = write_script(brief)
    shots = plan_shots(script, brief)
    spoken = [
        (piece.name.title(), shot.figures) for shot in shots.shots for piece in lines(shot.dialogue)
    ]
    assert len(spoken) >= 3
    assert not [name for name, figures in spoken if name not in figures]
    said = [word for shot in shots.shots for _, word in told(shot.dialogue, shot.voiceover)]
    assert said == [w for b in script.beats for _, w in told(b.script.dialogue, b.script.voiceover)]


# About 0.3 s each: a screenplay in shots.
@pytest.mark.slow
@pytest.mark.parametrize("name", ["night-drive", "tides", "crossed-lines", "all-capitals"])
def test_of_a_screenplay_nearly_every_line_is(name: str) -> None:
    brief = make_brief(script=(PLAYS / f"{name}.fountain").read_text("utf-8"), seconds=90)
    script = write_script(brief)
    shots = plan_shots(script, brief)
    seen = [
        piece.name.title() in shot.figures
        for shot in shots.shots
        for piece in lines(shot.dialogue)
        if piece.seen
    ]
    assert sum(seen) >= 0.95 * len(seen)
    assert not [each for each in check_shots(shots, script) if each.rule == "shot-words"]
    assert check_continuity(shots) == ()


def test_what_is_heard_does_not_begin_before_who_says_it_is_seen() -> None:
    brief = make_brief(script=TWO, seconds=20)
    script = write_script(brief)
    shots = plan_shots(script, brief)
    score = plan_score(script, brief, shots)
    starts = {shot.start: shot for shot in shots.shots}
    for line in score.lines:
        assert line.speaker.title() in starts[line.begins].figures
