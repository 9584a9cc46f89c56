"""What a brief cannot all want is refused, with the numbers."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.brief.test_reading import problems

from callsheet_studio.base.time import read_duration
from callsheet_studio.brief import from_data

pytestmark = pytest.mark.requirement("P1")

CORE = "Harbor keeps every berth in view."


def wrong(**keys: Any) -> dict[str, str]:
    return problems({"core": CORE, **keys})


def is_fine(**keys: Any) -> bool:
    return from_data({"core": CORE, **keys}, "it").message.core == CORE


@pytest.mark.parametrize("duration", ["14s", 5.0, "5m1s", "20 minutes", "3h"])
def test_a_film_that_is_to_be_written_has_15_seconds_to_5_minutes(duration: object) -> None:
    assert "15 s to 5 min are" in wrong(duration=duration)["content.duration"]


@pytest.mark.parametrize("duration", ["6h", "100h", "0s", "-5", "soon", "1-2 min", "30-60", True])
def test_a_nonsense_duration_is_refused_with_the_forms(duration: object) -> None:
    found = wrong(duration=duration)["content.duration"]
    assert "30, 30s, 1:30, 1m30s or 90 seconds" in found or "Write a text" in found


def test_a_film_with_its_own_script_may_be_shorter_and_longer() -> None:
    for duration in ("3s", "10m"):
        brief = from_data({"script": "Go.", "duration": duration, "cta": "Go"}, "it")
        assert brief.content.duration == read_duration(duration)
    found = problems({"script": "Go.", "duration": "11m", "cta": "Go"})
    assert "3 s to 10 min are" in found["content.duration"]
    hint = wrong(duration="8s")["content.duration"]
    assert "With your own script or shots it may be 3 s to 10 min." in hint


def test_ten_thousand_messages_are_refused() -> None:
    found = wrong(supporting=[f"message {n}" for n in range(10_000)])
    assert "10,000 are too many: at most 12" in found["message.supporting"]


def test_messages_that_cannot_be_said_in_time_are_refused_with_how_many_can() -> None:
    messages = [f"message number {n} is about ten words long you see" for n in "abcdefgh"]
    found = wrong(supporting=messages, duration="15s", cta="Go now")["message.supporting"]
    assert "88 words, and in 15 s at most 40 can be said" in found
    assert "The first 3 fit; or make the film 32 s long." in found
    assert is_fine(supporting=messages[:3], duration="15s", cta="Go now")
    assert is_fine(supporting=messages, duration="33s", cta="Go now")


def test_words_that_must_be_included_need_time_too() -> None:
    wanted = [f"wanted {n} seven words that nobody says" for n in "abcdef"]
    assert "Say less, or make" in wrong(must_include=wanted, duration="15s")["message.core"]
    assert is_fine(must_include=wanted, duration="60s")


def test_a_call_to_action_longer_than_the_end_of_the_film_is_refused() -> None:
    found = wrong(cta="go " * 60, duration="15s")["message.cta"]
    assert "60 words, which take 22.0 s to say" in found
    assert "15 s has room for 8" in found
    assert is_fine(cta="go " * 8, duration="15s")
    assert "message.cta" in wrong(cta="go " * 9, duration="15s")
    assert "room for 18" in wrong(cta="go " * 19, duration="3m")["message.cta"]


@pytest.mark.parametrize(
    ("keys", "place"),
    [
        ({"must_avoid": ["berth"]}, "message.core"),
        ({"must_avoid": ["BERTH"], "must_include": ["a berth"]}, "message.must_include"),
        ({"must_avoid": ["free"], "cta": "Try it, free!"}, "message.cta"),
        ({"must_avoid": ["acme"], "brand": "Acme"}, "message.brand"),
        ({"must_avoid": ["paper list"], "supporting": ["no paper-list"]}, "message.supporting"),
        ({"must_avoid": ["gone"], "script": "All is gone."}, "content.script"),
        (
            {"must_avoid": ["gone"], "shots": [{"action": "a", "voiceover": "Gone."}]},
            "content.shots",
        ),
    ],
)
def test_a_word_to_avoid_may_stand_nowhere_in_what_is_said(
    keys: dict[str, Any], place: str
) -> None:
    assert "must be avoided" in wrong(**keys)[place]


def test_a_word_to_avoid_is_a_whole_word() -> None:
    assert is_fine(must_avoid=["bert", "har", "view every"])


def test_a_language_without_a_writer_needs_an_own_script() -> None:
    assert "only in en and de" in wrong(language="fr")["content.language"]
    assert from_data({"script": "Bonjour.", "language": "French"}, "it").content.language == "fr"
    assert from_data({"core": CORE, "language": "en-GB"}, "it").content.language == "en"


@pytest.mark.parametrize(
    ("aspect", "resolution"),
    [("16:9", "720x1280"), ("1:1", "1280x720"), ("4:5", "1080x1080"), ("16:9", "1280x800")],
)
def test_a_resolution_of_another_shape_is_refused(aspect: str, resolution: str) -> None:
    found = wrong(aspect=aspect, resolution=resolution)["delivery.resolution"]
    assert f"{resolution} is not {aspect}" in found


def test_a_resolution_that_is_rounded_to_whole_pixels_is_fine() -> None:
    assert is_fine(aspect="16:9", resolution="854x480")


@pytest.mark.parametrize(("resolution", "said"), [("160x90", "not a size"), ("855x481", "odd")])
def test_a_resolution_that_no_film_has_is_refused(resolution: str, said: str) -> None:
    assert said in wrong(aspect="16:9", resolution=resolution)["delivery.resolution"]


def test_own_shots_fill_the_film_exactly() -> None:
    shots = [{"action": "a", "duration": 4}, {"action": "b", "duration": "6s"}]
    found = wrong(shots=shots, duration="20s")["content.shots"]
    assert "the shots take 10 s, and the film is 20 s long" in found
    assert is_fine(shots=shots, duration="10s")
    open_ = [{"action": "a", "duration": 4}, {"action": "b"}]
    assert is_fine(shots=open_, duration="14s")
    assert "take 5 to 14 s" in wrong(shots=open_, duration="15s")["content.shots"]
    assert "content.shots" in wrong(shots=open_, duration="4.5s")


def test_an_own_script_and_own_shots_say_the_same() -> None:
    script = "Look up! There, on the roof."
    shots = [{"action": "a", "voiceover": "look up"}, {"action": "b", "dialogue": "on the floor"}]
    found = wrong(script=script, shots=shots)
    assert list(found) == ["content.shots[1]"]
    assert "'on the floor' is not in the script" in found["content.shots[1]"]
    assert is_fine(script=script, shots=shots[:1])


def test_what_is_wrong_already_is_not_compared() -> None:
    found = wrong(duration="soon", cta="go " * 60, resolution="big", aspect="16:9")
    assert sorted(found) == ["content.duration", "delivery.resolution"]
