"""The script as files: for programs, for readers, and for writers' tools."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from screenplay_tools.fountain.parser import Parser
from screenplay_tools.screenplay import ElementType
from tests.unit.documents.films import film

from callsheet_studio.documents import script_files
from callsheet_studio.documents.fountain import JOINER, fountain
from callsheet_studio.documents.scripts import plain
from callsheet_studio.documents.words import one_line
from callsheet_studio.model.script import Script, Words

pytestmark = pytest.mark.requirement("P12", "P3")

NASTY = (
    "INT. TRAP - NIGHT",
    "CUT TO:",
    "> FADE OUT.",
    "# not a section",
    "= no synopsis",
    "~ no lyric",
    "!forced",
    ".HIDDEN HEADING",
    "@Somebody",
    "(whispering)",
    "===",
    "Look [[here]] and /* there */ and *there* and_there",
    "Title: not a title",
    "ALL CAPITALS",
    "\\backslash",
    "> centred <",
)
said = st.text(min_size=1).filter(one_line) | st.sampled_from(NASTY)


def parsed(text: str) -> Parser:
    parser = Parser()
    parser.mergeActions = False
    parser.add_text(text)
    return parser


def unmarked(text: str) -> str:
    """What somebody reads: without escapes, tags of notes and invisible signs."""
    bare = re.sub(r"\[\[\d+\]\]", "", text).replace(JOINER, "")
    return one_line(re.sub(r"\\([*_\\])", r"\1", bare))


def texts(parser: Parser, kind: ElementType) -> list[str]:
    found = [unmarked(each.text_raw) for each in parser.script.elements if each.type == kind]
    return [each for each in found if each]


def test_the_script_for_programs_is_the_model_and_comes_back() -> None:
    made = film(3)
    text = script_files(made.script, made.brief)["script.json"].decode()
    found = json.loads(text)
    assert found["fps"] == 24
    assert found["frames"] == 24 * 24
    assert [beat["end"] for beat in found["beats"]] == [192, 384, 576]
    assert Script.model_validate_json(text) == made.script
    assert text.endswith("}\n")


def test_words_stand_in_json_as_they_are_written() -> None:
    made = film(2, language="de", fps="23.976")
    text = script_files(made.script, made.brief)["script.json"].decode()
    assert "Hafenmeisterin merkt es" in text
    assert "Steg" not in text or "\\u" not in text
    assert json.loads(text)["fps"] == "24000/1001"


def test_the_narrative_has_a_row_for_every_beat_in_two_columns() -> None:
    made = film(4)
    text = script_files(made.script, made.brief)["script.md"].decode()
    rows = [line for line in text.splitlines() if re.match(r"\| \*\*\d\.\d\*\* ", line)]
    assert [row.split("**")[1] for row in rows] == ["1.1", "1.2", "2.1", "2.2"]
    for row, beat in zip(rows, made.script.beats, strict=True):
        seen, heard = re.split(r"(?<!\\)\|", row)[1:3]
        assert beat.script.action in seen
        assert beat.script.voiceover is not None
        assert beat.script.voiceover in heard
    assert "32.0 s (768 frames at 24 fps)" in text
    assert text.index("## Alternatives") > text.index("**2.2**")


@given(st.text())
@example("a | b\nc <br> *d* `e` [f](g) _h_ # i")
def test_no_words_break_the_table(text: str) -> None:
    cell = plain(text)
    assert "\n" not in cell
    assert not re.search(r"(?<!\\)(\\\\)*[|*_`\[]", cell)
    assert "<" not in cell


def test_a_screenplay_has_title_headings_voice_and_text() -> None:
    made = film(2)
    found = parsed(fountain(made.script))
    title = {each.key: each.text for each in found.script.titleEntries}
    assert title["Title"] == "Harbor"
    headings = [each for each in found.script.elements if each.type == ElementType.HEADING]
    assert [(each.text, each.scene_number) for each in headings] == [("INT. OFFICE - DAWN", "1")]
    people = [each for each in found.script.elements if each.type == ElementType.CHARACTER]
    assert {(each.name, each.extension) for each in people} == {("NARRATOR", "V.O.")}
    assert texts(found, ElementType.DIALOGUE) == [b.script.voiceover for b in made.script.beats]
    assert "SUPER: Try Harbor free for 30 days." in texts(found, ElementType.ACTION)


# Many texts.
@pytest.mark.slow
@given(action=said, voiceover=said, line=said, text=said)
def test_no_words_are_taken_for_markup(action: str, voiceover: str, line: str, text: str) -> None:
    words = Words(
        action=action,
        voiceover=voiceover,
        dialogue=f"MARA: {one_line(line)}",
        on_screen_text=one_line(text),
    )
    assume(not one_line(line).startswith("("))  # that is how it is said
    found = parsed(fountain(film(1, 1, words=words).script))
    spoken = [one_line(voiceover), one_line(line)]
    assert texts(found, ElementType.DIALOGUE) == spoken
    actions = texts(found, ElementType.ACTION)
    assert actions == [one_line(action), f"SUPER: {one_line(text)}"]
    kinds = {each.type for each in found.script.elements}
    others = {ElementType.HEADING, ElementType.CHARACTER}
    assert kinds == {ElementType.ACTION, ElementType.DIALOGUE, *others}
    assert len(found.script.notes) == 1
    assert found.script.boneyards == []


def test_everybody_speaks_under_their_own_name() -> None:
    dialogue = "MARA: Whose berth is it?\nJO (O.S.): Yours.\nINT. MÜLLER: Ours: all of it."
    found = parsed(fountain(film(1, 1, words=Words(action="They talk.", dialogue=dialogue)).script))
    people = [each for each in found.script.elements if each.type == ElementType.CHARACTER]
    assert [(each.name, each.extension) for each in people] == [
        ("MARA", None),
        ("JO", "O.S."),
        ("INT. MÜLLER", None),
    ]
    spoken = ["Whose berth is it?", "Yours.", "Ours: all of it."]
    assert texts(found, ElementType.DIALOGUE) == spoken


def test_how_a_line_is_said_is_a_parenthetical() -> None:
    made = film(
        1, words=Words(action="Two at a table.", dialogue="ANNA: (tired) Again. (He nods.)")
    )
    assert "\nANNA\n(tired)\nAgain. (He nods.)\n" in fountain(made.script)


def test_a_german_narrative_says_where_and_when_in_german() -> None:
    made = film(2, language="de")
    text = script_files(made.script, made.brief)["script.md"].decode()
    assert "\n## 1 · Büro, Morgendämmerung\n" in text
