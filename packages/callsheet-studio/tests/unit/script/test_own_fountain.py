"""Screenplays in Fountain: scenes, speakers and texts, word for word."""

from __future__ import annotations

import pytest
from tests.unit.script.samples import make_brief

from callsheet_studio.library import drawn_as
from callsheet_studio.script import check_script, write_script
from callsheet_studio.script.own.fountain import read_fountain
from callsheet_studio.shots.cast import cast_of
from callsheet_studio.sound.lines import voices_for

PLAY = """Title: Harbor Lights
Credit: written by
Author: A. Writer

FADE IN:

# Act one

EXT. SMALL MARINA - DAWN #1#

= Mara is tired.

Boats lie still. A lamp goes *out*. [[a note that
goes on]]
On the pier, MARA (50).

MARA
(tired)
Two boats, one berth.
Again. /* cut this? */

NARRATOR (V.O.)
Every summer it is the same story.

CUT TO:

INT. HARBOUR OFFICE - NIGHT

Mara opens a laptop.

TOM (O.S.)
So that is it?

@McMara ^
That is it.

> Harbor: every berth in view <

~Home, home to the harbour

SUPER: Today

> FADE OUT.

> THE END <
"""


@pytest.mark.requirement("P1", "P3")
def test_a_screenplay_becomes_beats_word_for_word() -> None:
    brief = make_brief(script=PLAY, seconds=45)
    script = write_script(brief)
    assert script.title == "Harbor Lights"
    assert [beat.script.dialogue for beat in script.beats if beat.script.dialogue] == [
        "MARA: (tired) Two boats, one berth. Again.",
        "TOM (V.O.): So that is it?\nMCMARA: That is it.",
    ]
    assert [beat.script.voiceover for beat in script.beats if beat.script.voiceover] == [
        "Every summer it is the same story.",
        "Home, home to the harbour",
    ]
    texts = [beat.script.on_screen_text for beat in script.beats if beat.script.on_screen_text]
    assert texts == ["Harbor: every berth in view", "Today", brief.message.cta]
    assert script.beats[0].script.action == (
        "Boats lie still. A lamp goes out. On the pier, MARA (50)."
    )
    assert check_script(script, brief) == ()


def test_a_heading_is_a_scene_with_its_place_and_hour() -> None:
    script = write_script(make_brief(script=PLAY, seconds=45))
    first, office = script.beats[0], next(beat for beat in script.beats if beat.scene == 2)
    assert (first.visual.location, first.visual.time_of_day) == ("harbour", "dawn")
    assert office.visual.time_of_day == "night"
    assert office.production.references[0] == "INT. HARBOUR OFFICE - NIGHT"


def test_a_place_that_the_library_does_not_have_keeps_its_words() -> None:
    play = "INT. SUBMARINE BRIDGE - NIGHT\n\nIt is dark.\n\nEXT. MOON BASE - DAY\n\nDust."
    script = write_script(make_brief(script=play, seconds=20))
    assert [beat.visual.location for beat in script.beats] == [
        "submarine bridge",
        "moon base",
        "abstract",
    ]


def test_german_headings_are_headings() -> None:
    play = "INNEN. BÜRO - TAG\n\nEin Telefon.\n\nAUSSEN. HAFEN - NACHT\n\nEin Boot."
    script = write_script(make_brief(script=play, language="de", cta="Jetzt testen"))
    assert [(beat.visual.location, beat.visual.time_of_day) for beat in script.beats[:2]] == [
        ("office", "day"),
        ("harbour", "night"),
    ]


@pytest.mark.parametrize(
    ("heading", "place"),
    [
        ("EXT. SHOP - DAY", "building_front"),
        ("AUSSEN. BÄCKEREI - TAG", "building_front"),
        ("INT. SHOP - DAY", "shop"),
        ("EXT./INT. SHOP - DAY", "shop"),
        ("EXT. FOREST - DAY", "forest"),
    ],
)
def test_a_house_from_outside_is_its_front(heading: str, place: str) -> None:
    script = write_script(make_brief(script=f"{heading}\n\nNobody is there.", seconds=15))
    assert drawn_as(script.beats[0].visual.location, heading) == place


def test_a_centred_line_is_a_title_over_the_picture_of_its_place() -> None:
    play = "INT. OFFICE - NIGHT\n\n> Berlin, 1989 <\n\nA phone rings.\n\n> Later <\n\nNight."
    script = write_script(make_brief(script=play, seconds=30))
    shown = [beat.script for beat in script.beats if beat.script.on_screen_text][:2]
    assert [words.on_screen_text for words in shown] == ["Berlin, 1989", "Later"]
    assert shown[0].action == "The open office, row after row of desks."
    # What stands on the screen is no screen that somebody would draw.
    assert not any("screen" in words.action for words in shown)


def test_a_name_may_begin_with_any_capital() -> None:
    play = "INT. A - DAY\n\n\u00c4NNE (leise)\nWie jedes Jahr.\n\n\u00dcberall Boote.\nUnd mehr."
    first, second = read_fountain(play).passages
    assert [(say.speaker, say.manner, say.text) for say in first.says] == [
        ("\u00c4NNE", "leise", "Wie jedes Jahr.")
    ]
    assert second.action == "\u00dcberall Boote. Und mehr."


def test_a_first_line_that_is_no_title_page_is_not_lost() -> None:
    draft = read_fountain("Remember: two boats.\n\nINT. OFFICE - DAY\n\nA phone.")
    assert [passage.action for passage in draft.passages] == ["Remember: two boats.", "A phone."]


def test_transitions_are_kept_as_references() -> None:
    script = write_script(make_brief(script=PLAY, seconds=45))
    kept = [text for beat in script.beats for text in beat.production.references]
    assert "CUT TO:" in kept
    assert "FADE OUT." in kept


@pytest.mark.parametrize(
    ("play", "words"),
    [
        ("INT. A - DAY\n\nOne /* two three", "One /* two three"),
        ("INT. A - DAY\n\nOne [[ two three", "One [[ two three"),
        ("INT. A - DAY\n\nOne ]] two */ three", "One ]] two */ three"),
        ("INT. A - DAY\n\nMARA", "MARA"),
        ("INT. A - DAY\n\n(quietly)", "(quietly)"),
        ("INT. A - DAY\n\n!INT. NOT A HEADING", "INT. NOT A HEADING"),
        ("INT. A - DAY\n\nSnake\\_case and \\*stars\\*", "Snake_case and *stars*"),
        ("INT. A - DAY\n\n**Bold** *and _deep_* 3 * 4 * a_b_c", "Bold and deep 3 * 4 * a_b_c"),
        (".\n\nINT. A - DAY\n\n@\n\nwords", "words"),
    ],
)
def test_what_is_malformed_is_read_as_action_and_nothing_is_lost(play: str, words: str) -> None:
    actions = [passage.action for passage in read_fountain(play).passages]
    assert actions[-1] == words


EPITHETS = """EXT. QUAY - DAY

OLD HEINRICH, 70, mends a net.

OLD HEINRICH
The sea gives and the sea takes.

MARA
It does.

Heinrich nods.

HEINRICH
You know it.
"""


@pytest.mark.parametrize(
    ("play", "names", "old"),
    [
        (EPITHETS, ["Heinrich", "Mara"], True),
        (EPITHETS.replace("OLD HEINRICH", "ALTER HEINRICH"), ["Heinrich", "Mara"], True),
        # Two of them are two, and whom nobody calls otherwise keeps the whole name.
        (EPITHETS.replace("\nHEINRICH", "\nYOUNG HEINRICH"), None, False),
        (
            EPITHETS.replace("\nHEINRICH", "\nOLD MAN").replace("Heinrich nods", "A man nods"),
            None,
            False,
        ),
    ],
    ids=["old", "alter", "two", "a noun"],
)
def test_a_name_with_and_without_an_epithet_is_one_person(
    play: str, names: list[str] | None, *, old: bool
) -> None:
    script = write_script(make_brief(script=play, seconds=20))
    figures = {figure.name: figure.look for figure in cast_of(script, "x").figures}
    if names is None:
        assert "Old Heinrich" in figures
        return
    assert list(figures) == names
    assert figures["Heinrich"].startswith(("old, ", "alter, ")) is old
    voices = voices_for(script)
    (full,) = [name for name in voices if name.endswith(" HEINRICH")]
    assert voices[full] == voices["HEINRICH"] != voices["MARA"]
    cues = [beat.script.dialogue or "" for beat in script.beats]
    assert any(full in cue for cue in cues), "what the author wrote is not changed"
