from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.script.samples import CTA, make_brief, make_script, with_alternative

from callsheet.errors import InputError
from callsheet_studio.model.script import Script, Words
from callsheet_studio.script import RULES, check_script, coverage, read_script, write_script

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet_studio.model.base import Violation
    from callsheet_studio.model.brief import Brief, Structure

Damage = tuple["Callable[[Script], Script]", str, str]
PAGE = Path(__file__).parents[5] / "docs" / "reference" / "script-rules.md"


def beat(number: int, **changes: Any) -> Callable[[Script], Script]:
    """Put other values into a beat; `script__action=…` goes into a part of it."""

    def damage(script: Script) -> Script:
        beats = list(script.beats)
        made = beats[number - 1]
        for name, value in changes.items():
            group, _, field = name.partition("__")
            inside = getattr(made, group).model_copy(update={field: value}) if field else value
            made = made.model_copy(update={group: inside})
        beats[number - 1] = made
        return script.model_copy(update={"beats": tuple(beats)})

    return damage


def whole(**changes: Any) -> Callable[[Script], Script]:
    return lambda script: script.model_copy(update=changes)


def alternative(number: int, words: Words) -> Callable[[Script], Script]:
    def damage(script: Script) -> Script:
        beats = list(script.beats)
        beats[number - 1] = with_alternative(beats[number - 1], words)
        return script.model_copy(update={"beats": tuple(beats)})

    return damage


def both(*damages: Callable[[Script], Script]) -> Callable[[Script], Script]:
    def damage(script: Script) -> Script:
        for each in damages:
            script = each(script)
        return script

    return damage


LONG = "Every berth on the pier is on one live map with all boats and " * 3
DAMAGES: dict[str, Damage] = {
    "a gap": (beat(2, start=97), "gap", "1.2"),
    "a gap at the beginning": (beat(1, start=2), "gap", "1.1"),
    "a gap at the end": (beat(4, end=719), "gap", "2.1"),
    "an overlap": (beat(2, start=95), "overlap", "1.2"),
    "an end after the film": (beat(4, end=721), "overlap", "2.1"),
    "no length": (both(beat(1, end=0), beat(2, start=0, end=216)), "no-length", "1.1"),
    "another total": (both(whole(frames=719), beat(4, end=719)), "total-length", ""),
    "another rate": (whole(fps=25), "same-rate", ""),
    "an id twice": (beat(2, id="1.1"), "id-unique", "1.1"),
    "an id out of order": (beat(2, id="1.4"), "id-order", "1.4"),
    "an order that jumps": (beat(3, order=5), "id-order", "1.3"),
    "a scene that jumps": (beat(4, scene=3, id="3.1"), "id-order", "3.1"),
    "a beat that is too short": (both(beat(3, end=430), beat(4, start=430)), "beat-length", "1.3"),
    "a beat that is too long": (both(beat(2, end=340), beat(3, start=340)), "beat-length", "1.2"),
    "a hook that is too short": (both(beat(1, end=71), beat(2, start=71)), "beat-length", "1.1"),
    "a voice that nobody follows": (whole(words_per_minute=181), "pace", ""),
    "a voice that never says anything": (whole(words_per_minute=0), "pace", ""),
    "a line that is too long": (
        beat(3, script__dialogue=f"MARA: You paid 5 days before your arrival. {LONG}"),
        "speech-fits",
        "1.3",
    ),
    "a text that is gone too soon": (
        both(beat(1, end=71, script__on_screen_text="One berth"), beat(2, start=71)),
        "text-time",
        "1.1",
    ),
    "three lines on screen": (beat(2, script__on_screen_text="a\nb\nc"), "text-size", "1.2"),
    "ten words in a line": (beat(2, script__on_screen_text="a " * 10), "text-size", "1.2"),
    "another structure": (whole(structure="three_act"), "structure", ""),
    "a part that is missing": (
        both(beat(2, function__part="own"), beat(3, function__part="own")),
        "part-missing",
        "",
    ),
    "a message that is missing": (
        beat(2, script__voiceover="Harbor helps.", script__on_screen_text=None),
        "message",
        "1.1",
    ),
    "a number that is wrong": (
        beat(3, script__dialogue="MARA: You paid 6 days before your arrival."),
        "message",
        "1.3",
    ),
    "no call to action": (beat(4, script__voiceover="Try Harbor for 30 days."), "cta", "2.1"),
    "a call to action too early": (
        both(beat(4, script__voiceover="Bye."), beat(3, script__voiceover=CTA)),
        "cta-place",
        "1.3",
    ),
    "a word that must not be": (
        beat(2, script__on_screen_text="Cheaper berths"),
        "must-avoid",
        "1.2",
    ),
    "two beats that are the same": (
        lambda script: beat(3, script=script.beats[1].script, audio=script.beats[1].audio)(script),
        "twin",
        "1.3",
    ),
    "no alternative to the hook": (beat(1, alternatives=()), "alternative-missing", "1.1"),
    "no alternative to the call": (beat(4, alternatives=()), "alternative-missing", "2.1"),
    "an alternative that is the same": (
        lambda script: alternative(1, script.beats[0].script)(script),
        "alternative-same",
        "1.1",
    ),
    "an alternative that does not fit": (
        alternative(1, Words(action="A list.", voiceover=LONG)),
        "alternative-fits",
        "1.1",
    ),
    "an alternative without the call": (
        alternative(4, Words(action="The map.", voiceover="Bye.")),
        "alternative-fits",
        "2.1",
    ),
    "an empty question": (beat(1, question=" "), "field-empty", "1.1"),
    "an empty list": (beat(2, visual__keywords=()), "field-empty", "1.2"),
    "an empty text instead of none": (beat(3, script__voiceover=""), "field-empty", "1.3"),
    "an empty title": (whole(title=""), "field-empty", ""),
    "dialogue that is not marked": (
        beat(3, audio__dialogue_present=False),
        "dialogue-marked",
        "1.3",
    ),
}
ALSO = {
    "a voice that never says anything": {"speech-fits", "alternative-fits"},
    "an empty list": set[str](),
    "another structure": {"part-missing"},
    "an id out of order": {"id-order"},
    "a hook that is too short": set(),
    "a text that is gone too soon": {"beat-length"},
    "no length": {"gap", "speech-fits"},
    "two beats that are the same": {"message"},
    "a call to action too early": {"alternative-fits"},
    "no call to action": set(),
}
"""What else a damage breaks, and cannot but break."""


def test_the_script_that_is_damaged_below_is_right() -> None:
    assert check_script(make_script(), make_brief()) == ()


@pytest.mark.requirement("P4")
@pytest.mark.parametrize("name", DAMAGES)
def test_a_damage_is_found_by_its_rule_and_at_its_beat(name: str) -> None:
    damage, rule, where = DAMAGES[name]
    found = check_script(damage(make_script()), make_brief())
    assert (rule, where) in {(each.rule, each.where) for each in found}
    assert {each.rule for each in found} - {rule} <= ALSO.get(name, set())
    assert all(each.message and each.fix for each in found)


ANYWHERE: dict[str, tuple[Callable[[int], Callable[[Script], Script]], str]] = {
    "longer": (
        lambda n: lambda script: beat(n, end=script.beats[n - 1].end + 1)(script),
        "overlap",
    ),
    "shorter": (lambda n: lambda script: beat(n, end=script.beats[n - 1].end - 1)(script), "gap"),
    "wordy": (lambda n: beat(n, script__voiceover="Boats and berths. " * 20), "speech-fits"),
    "crowded": (lambda n: beat(n, script__on_screen_text="berth " * 10), "text-size"),
    "forbidden": (lambda n: beat(n, script__on_screen_text="The cheapest"), "must-avoid"),
    "empty": (lambda n: beat(n, script__action=""), "field-empty"),
    "dark": (lambda n: beat(n, visual__lighting=" "), "field-empty"),
    "misnumbered": (lambda n: beat(n, order=99), "id-order"),
}


# It takes longer because every beat of two whole scripts is damaged in every way.
@pytest.mark.slow
@pytest.mark.requirement("P4")
@pytest.mark.parametrize(("structure", "seconds"), [("eight_part", 90), ("ad", 30)])
@pytest.mark.parametrize("name", ANYWHERE)
def test_a_damage_to_any_beat_of_a_written_script_is_found_there(
    name: str, structure: Structure, seconds: int
) -> None:
    brief = make_brief(structure=structure, seconds=seconds)
    script = write_script(brief)
    assert check_script(script, brief) == ()
    damage, rule = ANYWHERE[name]
    for number, damaged in enumerate(script.beats, start=1):
        found = places(check_script(damage(number)(script), brief))
        assert rule in {broken for broken, _ in found}
        # Where a beat ends is seen at the one that begins there.
        near = {each.id for each in script.beats[number - 1 : number + 1]}
        assert near & {where for broken, where in found if broken == rule}
        assert name in {"longer", "shorter"} or (rule, damaged.id) in found


def test_no_beats_are_a_violation_and_not_a_crash() -> None:
    found = check_script(make_script().model_copy(update={"beats": ()}), make_brief())
    assert [each.rule for each in found] == ["no-beats"]


def test_what_must_be_included_is_missed() -> None:
    brief = with_message(must_include=("Harbor", "Skipper's Choice"))
    assert [(v.rule, v.where) for v in check_script(make_script(), brief)] == [("must-include", "")]


def test_an_ad_that_does_not_name_its_brand_by_second_three() -> None:
    brief = make_brief(structure="ad")
    script = make_script().model_copy(update={"structure": "ad"})
    assert ("brand-early", "1.1") in places(check_script(script, brief))
    named = beat(1, script__on_screen_text="Harbor")(script)
    assert "brand-early" not in {rule for rule, _ in places(check_script(named, brief))}


def test_an_ad_without_a_brand_is_known_by_its_title() -> None:
    brief = make_brief(structure="ad")
    nameless = brief.model_copy(update={"message": brief.message.model_copy(update={"brand": ""})})
    script = whole(structure="ad")(make_script())
    assert ("brand-early", "1.1") in places(check_script(script, nameless))
    titled = beat(1, script__action="The Harbor logo.")(script)
    assert "brand-early" not in {rule for rule, _ in places(check_script(titled, nameless))}


@pytest.mark.parametrize(("end", "rules"), [(612, {"cta-place"}), (613, set())])
def test_the_last_15_percent_begin_at_a_frame(end: int, rules: set[str]) -> None:
    early = both(
        beat(3, end=end, script__voiceover=CTA),
        beat(4, start=end, script__voiceover="Bye.", alternatives=()),
    )
    found = {violation.rule for violation in check_script(early(make_script()), make_brief())}
    assert found - {"beat-length", "alternative-missing"} == rules


def test_a_text_may_stay_over_a_cut() -> None:
    held = both(
        beat(1, end=60, script__on_screen_text="Harbor"),
        beat(2, start=60, script__on_screen_text="Harbor"),
    )
    assert "text-time" not in {v.rule for v in check_script(held(make_script()), make_brief())}


def test_a_line_that_is_too_long_says_three_ways_to_mend_it() -> None:
    long = "MARA: You paid 5 days before your arrival, and now every boat on the pier has one "
    long += "that we can see here on our map."
    found = check_script(beat(3, script__dialogue=long)(make_script()), make_brief())
    assert [v.rule for v in found] == ["speech-fits"]
    wanted = (
        r"Shorten it by \d+ words?, or make the beat \d+ frames longer, or speak at (\d+) words"
    )
    mended = re.match(wanted, found[0].fix)
    assert mended
    faster = make_script().model_copy(update={"words_per_minute": int(mended[1])})
    assert check_script(beat(3, script__dialogue=long)(faster), make_brief()) == ()
    slower = faster.model_copy(update={"words_per_minute": int(mended[1]) - 1})
    assert check_script(beat(3, script__dialogue=long)(slower), make_brief())


@pytest.mark.parametrize("form", ["TRY HARBOR FREE FOR 30 DAYS", "“Try Harbor free\nfor 30 days!”"])
def test_a_call_to_action_may_have_other_capitals_and_signs_at_its_ends(form: str) -> None:
    script = beat(4, script__voiceover=None, script__on_screen_text=form)(make_script())
    assert check_script(script, make_brief()) == ()


def test_a_message_is_found_in_another_form_of_its_words() -> None:
    inflected = beat(2, script__voiceover="Every berth is live on one of our maps.")
    assert check_script(inflected(make_script()), make_brief()) == ()


def test_a_german_message_is_found_in_another_form_of_its_words() -> None:
    brief = with_message(supporting=("alle Liegeplätze auf einer Karte",), must_avoid=("billig",))
    german = whole(language="de")(make_script())
    told = beat(2, script__voiceover="Harbor zeigt jeden Liegeplatz auf der Karte.")(german)
    assert check_script(told, brief) == ()
    avoided = beat(2, script__voiceover="Liegeplatz, Karte: billiger.")(german)
    assert places(check_script(avoided, brief)) == [("must-avoid", "1.2")]


@pytest.mark.parametrize(
    ("message", "told", "is_told"),
    [
        ("20% fewer calls", "20 % fewer calls", True),
        ("20% fewer calls", "25% fewer calls", False),
        ("syncs with Outlook calendars", "It syncs with Outlook calendars.", True),
        ("syncs with Outlook calendars", "It syncs with all calendars.", False),
        ("One Live Map For Berths", "A live map of one berth.", True),
        ("Harbor saves hours", "Harbor's way of saving an hour.", True),
        ("Harbor saves hours", "We save hours.", False),
        ("the iPhone app", "An app for phones.", False),
        ("for all of you", "For all of you.", True),
    ],
)
def test_numbers_and_names_are_told_exactly(message: str, told: str, is_told: bool) -> None:
    brief = with_message(supporting=(message,))
    script = beat(2, script__voiceover=told, script__on_screen_text=None)(make_script())
    found = {violation.rule for violation in check_script(script, brief)}
    assert ("message" not in found) == is_told


def test_a_word_that_only_contains_what_must_be_avoided_is_fine() -> None:
    brief = with_message(must_avoid=("art",))
    script = beat(1, script__action="The party starts.", script__voiceover="A party.")
    assert check_script(script(make_script()), brief) == ()


@pytest.mark.requirement("P4")
def test_the_numbers_of_a_script_say_how_complete_it_is() -> None:
    full = coverage(make_script(), make_brief())
    assert (full.beats, full.message_coverage, full.metadata) == (4, 1.0, 1.0)
    assert (full.speech_overruns, full.violations) == (0, 0)
    damaged = both(
        beat(2, script__voiceover="Hi.", script__on_screen_text=None, visual__keywords=()),
        beat(1, script__voiceover="Two boats " * 20),
    )
    less = coverage(damaged(make_script()), make_brief())
    assert (less.message_coverage, less.speech_overruns) == (0.5, 1)
    assert 0.9 < less.metadata < 1


# The page and the code


def test_every_rule_is_on_its_page_and_every_rule_there_exists() -> None:
    rows = re.findall(
        r"^\| `([a-z-]+)` \| (.+?) \| (.+?) \|$", PAGE.read_text("utf-8"), re.MULTILINE
    )
    assert {name: meaning for name, meaning, _ in rows} == RULES


def test_every_rule_can_be_broken() -> None:
    broken = {rule for _, rule, _ in DAMAGES.values()}
    assert RULES.keys() - broken == {"no-beats", "must-include", "brand-early"}, "tested above"


# Reading


def test_a_script_is_read_back_from_its_json() -> None:
    assert read_script(make_script().model_dump_json()) == make_script()


def test_everything_that_is_wrong_with_a_shape_is_told_at_once() -> None:
    data = json.loads(make_script().model_dump_json())
    del data["beats"][1]["visual"]["size"]
    data["beats"][2]["emotion"]["intensity"] = 11
    data["beats"][3]["mood"] = "calm"
    data["frames"] = "many"
    with pytest.raises(InputError) as refused:
        read_script(json.dumps(data))
    assert "beats[1].visual.size: is missing" in refused.value.message
    assert "beats[2].emotion.intensity: Input should be less than" in refused.value.message
    assert "beats[3].mood: is not known here" in refused.value.message
    assert "frames: Input should be a valid integer" in refused.value.message


@pytest.mark.parametrize("text", ["", "beats", "[]", "null", '{"fps": 24', "\ud800"])
def test_what_is_no_script_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        read_script(text)


def test_a_rate_that_no_film_has_is_refused() -> None:
    with pytest.raises(InputError, match="not a frame rate"):
        read_script(make_script().model_copy(update={"fps": 17}).model_dump_json())


def with_message(**changes: Any) -> Brief:
    brief = make_brief()
    return brief.model_copy(update={"message": brief.message.model_copy(update=changes)})


def places(found: tuple[Violation, ...]) -> list[tuple[str, str]]:
    return [(each.rule, each.where) for each in found]
