"""Our screenplay comes back with other words: those are taken, and the rest is as it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.script.samples import make_brief

from callsheet.errors import InputError
from callsheet_studio.brief import load
from callsheet_studio.documents import reworded
from callsheet_studio.documents.fountain import fountain
from callsheet_studio.script import write_script

pytestmark = pytest.mark.requirement("P12")

EXAMPLES = Path(__file__).parents[5] / "examples" / "briefs"
PLAY = """INT. KITCHEN - NIGHT

MARA (41, apron) stirs a pot.

MARA
It is ready in ten minutes.

SUPER: Later

EXT. HARBOUR - DAWN

Boats lie still.

NARRATOR
Every summer is the same.
"""


# About 0.3 s each: a script is written.
@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(path.name for path in EXAMPLES.glob("*.yaml")))
def test_an_unchanged_screenplay_is_the_same_script(name: str) -> None:
    script = write_script(load(EXAMPLES / name))
    assert reworded(script, fountain(script)) == script
    assert reworded(script, fountain(script).replace("\n", "\r\n")) == script


def test_a_changed_line_is_changed_and_nothing_else() -> None:
    script = write_script(make_brief(script=PLAY, seconds=30))
    text = fountain(script).replace("It is ready in ten minutes.", "It is ready now.")
    made = reworded(script, text)
    before, after = script.beats[0], made.beats[0]
    assert after.script.dialogue == "MARA: It is ready now."
    assert after.script.action == before.script.action
    assert after.script.on_screen_text == before.script.on_screen_text
    assert after.model_copy(update={"script": before.script}) == before
    assert made.beats[1:] == script.beats[1:]


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("[[2.1 ·", "(2.1 ·", "beat 2.1 is missing"),
        ("EXT. HARBOUR - DAWN", "EXT. BEACH - DAWN", "a slug line was changed"),
        ("It is ready in ten minutes.", "word " * 200, "does not fit its beat"),
    ],
)
def test_what_cannot_be_taken_back_is_said(old: str, new: str, what: str) -> None:
    script = write_script(make_brief(script=PLAY, seconds=30))
    text = fountain(script)
    assert old in text
    with pytest.raises(InputError, match=what):
        reworded(script, text.replace(old, new))
