"""No template shows: what is ours is short, and never the same in film after film."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

import pytest
from tests.every import every
from tests.unit.script.smith_briefs import examples, generated

from callsheet_studio import library
from callsheet_studio.script import words
from callsheet_studio.script.smith.lines import LONGEST_RUN
from callsheet_studio.script.smith.writing import OfflineWriter

if TYPE_CHECKING:
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.script import Script

pytestmark = pytest.mark.requirement("P3")

WORD = re.compile(r"[\w%€$]+(?:['\u2019.-]\w+)*")
MARKS = re.compile(r"\A(?:\w+\|)+")
SENTENCE = re.compile(r"(?<=[.?!])\s+")
LENGTH, MOST = 6, 2
FREE = ("names", "wardrobe")
"""Lists of single things, of which one stands for all."""


def sequences(text: str) -> set[tuple[str, ...]]:
    found = [word.lower() for word in WORD.findall(text)]
    return {tuple(found[n : n + LENGTH]) for n in range(len(found) - LENGTH + 1)}


def given(brief: Brief) -> set[tuple[str, ...]]:
    told = brief.message
    texts = [
        brief.project.title,
        brief.project.context,
        brief.audience.who,
        brief.style.look,
        *brief.audience.pain_points,
        told.core,
        *told.supporting,
        told.cta,
        brief.direction.visual_metaphors,
    ]
    return set().union(*map(sequences, texts))


def streams(script: Script) -> list[str]:
    """Everything that is said, read and seen: field by field, beat by beat, and in one go."""
    beats = [beat.script for beat in script.beats]
    others = [other.script for beat in script.beats for other in beat.alternatives]
    told = [
        " ".join(filter(None, (w.action, w.voiceover, w.dialogue, w.on_screen_text)))
        for w in (*beats, *others)
    ]
    fields = [
        text
        for beat in script.beats
        for text in (
            beat.question,
            beat.answer,
            beat.function.conveys,
            beat.audio.music_mood,
            beat.audio.ambience,
            beat.emotion.arc,
            *beat.production.custom_assets,
            *(other.condition for other in beat.alternatives),
        )
    ]
    spoken = " ".join(filter(None, (w.voiceover or w.dialogue for w in beats)))
    return [spoken, " ".join(w.action for w in beats), *told, *fields]


@pytest.mark.slow  # Sixty scripts, some of them for five minutes.
def test_no_six_words_of_ours_are_in_more_than_two_scripts() -> None:
    seen: dict[tuple[str, ...], set[int]] = defaultdict(set)
    briefs = (*examples(), *generated())
    assert len(examples()) >= 12
    assert len(generated()) == 50
    for number, brief in enumerate(briefs):
        known = given(brief)
        for text in streams(OfflineWriter().write(brief)):
            for found in sequences(text) - known:
                seen[found].add(number)
    repeated = {" ".join(six): sorted(where) for six, where in seen.items() if len(where) > MOST}
    assert repeated == {}


@every(language=words.LANGUAGES, kind=["moves", "scenes", "views"])
def test_no_move_has_more_than_five_words_of_ours_in_a_row(language: str, kind: str) -> None:
    table = words.table(f"{language}_{kind}")
    long = [
        (name, line)
        for name, text in table.items()
        for whole in text.splitlines()
        for line in whole.split(" | ")
        if name not in FREE and max(words.own_runs(MARKS.sub("", line))) > LONGEST_RUN
    ]
    assert long == []


def sentences(script: Script) -> list[str]:
    """Everything that is spoken, sentence by sentence."""
    lines = [b.script.voiceover or b.script.dialogue or "" for b in script.beats]
    bare = [re.sub(r"\A[A-ZÄÖÜŞ]+: ", "", line) for line in lines]
    return [said for line in bare for said in SENTENCE.split(line) if said]


@pytest.fixture(scope="module")
def scripts() -> list[tuple[Brief, Script]]:
    return [(brief, OfflineWriter().write(brief)) for brief in (*examples(), *generated())]


@pytest.mark.slow
def test_no_sentence_of_ours_is_in_more_than_three_scripts(
    scripts: list[tuple[Brief, Script]],
) -> None:
    seen: dict[str, set[int]] = defaultdict(set)
    for number, (brief, script) in enumerate(scripts):
        known = brief.model_dump_json().lower()
        for said in sentences(script):
            if len(said.split()) >= 3 and said.lower().rstrip(".?!") not in known:
                seen[said].add(number)
    assert {said: len(where) for said, where in seen.items() if len(where) > 3} == {}


@pytest.mark.slow
def test_a_message_is_never_cut_in_two(scripts: list[tuple[Brief, Script]]) -> None:
    """What is spoken of a message stands in one beat, and in one sentence."""
    for brief, script in scripts:
        told = [said.lower().replace(",", "") for said in sentences(script)]
        for message in brief.message.supporting:
            wanted = message.lower().replace(",", "").rstrip(".")
            begun = wanted.rsplit(" ", 1)[0]
            whole = [said for said in told if wanted in said]
            assert whole or not any(begun in said for said in told)


@pytest.mark.slow
def test_the_call_to_action_is_a_sentence_of_its_own(scripts: list[tuple[Brief, Script]]) -> None:
    for brief, script in scripts:
        line = script.beats[-1].script.voiceover or ""
        cta = brief.message.cta.rstrip(".")
        if cta in line:
            before = line[: line.index(cta)].rstrip()
            assert not before or before[-1] in ".?!"


@pytest.mark.slow
def test_most_sentences_are_whole_and_pictures_alone_are_few(
    scripts: list[tuple[Brief, Script]],
) -> None:
    for brief, script in scripts:
        said = sentences(script)
        short = [line for line in said if len(line.split()) <= 3]
        assert len(short) <= max(len(said) / 4, 1)
        silent = [b for b in script.beats if not (b.script.voiceover or b.script.dialogue)]
        if brief.content.duration >= 45 and brief.content.duration <= 60 * len(
            brief.message.supporting
        ):
            assert len(silent) <= len(script.beats) / 4


def test_both_languages_have_the_same_kinds_of_material() -> None:
    english, german = (set(words.table(f"{language}_moves")) for language in words.LANGUAGES)
    assert english == german
    for kind in ("scenes", "views"):
        tables = [set(words.table(f"{language}_{kind}")) for language in words.LANGUAGES]
        assert tables[0] == tables[1]


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_set_of_the_library_has_pictures_and_a_voice(language: str) -> None:
    for name in library.sets():
        assert words.lines(language, f"set_{name}")
        assert words.moves(language, f"scene_{name}")
        assert words.lines(language, f"sound_{name}")


def test_what_must_be_avoided_is_not_in_our_own_words_either() -> None:
    brief = examples()[0]
    plain = OfflineWriter().write(brief)
    words_said = " ".join(beat.script.voiceover or "" for beat in plain.beats).lower()
    told = brief.message
    known = " ".join((told.core, *told.supporting, told.cta, *brief.audience.pain_points)).lower()
    ours = [w for w in re.findall(r"[a-z]{4,}", words_said) if w not in known][:6]
    assert ours
    message = brief.message.model_copy(update={"must_avoid": tuple(ours)})
    script = OfflineWriter().write(brief.model_copy(update={"message": message}))
    said = " ".join(beat.script.voiceover or "" for beat in script.beats).lower()
    assert not set(ours) & set(re.findall(r"[a-z]{4,}", said))
