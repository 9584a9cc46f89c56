"""What a plan orders, what it costs at worst, and what stands in the way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.solve.films import (
    TODAY,
    brief,
    film,
    offer,
    renderer,
    stack,
    tool,
)

from callsheet import Artifact
from callsheet_studio.film.speaking import LineData
from callsheet_studio.providers.catalogue import callable_stack
from callsheet_studio.providers.fitting import hard_cuts
from callsheet_studio.providers.orders import Orders, orders_of
from callsheet_studio.providers.preflight import how_to_enable, preflight
from callsheet_studio.providers.producing import shot_plan
from callsheet_studio.providers.voices import voice_wants
from callsheet_studio.solve import solve

if TYPE_CHECKING:
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.shots import ShotList
    from callsheet_studio.model.stack import Stack, StackTool

pytestmark = pytest.mark.requirement("P11")

KEY = "CALLSHEET_SECRET_RUNWAYML_API_SECRET"
KEPT = Artifact(digest="0" * 64, media_type="video/mp4", size=1)


def gen(**more: Any) -> StackTool:
    """A tool that Runway is known to have."""
    asked: dict[str, Any] = {"modes": ("t2v", "i2v"), "share": 0.6, "resolutions": ("720p",)}
    price = offer("runway-gen4.5@Runway API", 0.12, resolution=None)
    return tool("runway-gen4.5", price, **(asked | more))


def market(*more: StackTool) -> Stack:
    return callable_stack(stack(gen(), renderer(), *more), {"runway"})


def ordered(shots: ShotList, wanted: Brief, known: Stack) -> Orders:
    return orders_of(shots, solve(shots, wanted, known, TODAY), known, wanted)


def test_a_shot_is_ordered_as_it_was_planned_and_priced() -> None:
    found = ordered(film([120, 60]), brief(), market())
    first, second = found.shots
    assert (first.clip.what.model, first.clip.what.seconds) == ("gen4.5", 5.0)
    assert (first.clip.what.width, first.clip.what.height) == (1280, 720)
    assert (first.clip.service, first.clip.secret) == ("runway", "RUNWAYML_API_SECRET")
    assert (first.clip.usd, second.clip.usd) == (0.6, 0.36)
    assert (found.least, found.worst) == (0.96, 4.8)
    assert found.drawn == ()


def test_a_film_is_cut_from_the_shape_that_loses_least() -> None:
    known = market()
    for aspect, size in (("9:16", (720, 1280)), ("4:5", (720, 1280))):
        wanted = brief(aspect=aspect, resolution="720x900")  # type: ignore[arg-type]
        tools = tuple(
            each.model_copy(update={"aspects": ("9:16", "16:9")}) if each.aspects else each
            for each in known.tools
        )
        found = ordered(film([120]), wanted, known.model_copy(update={"tools": tools}))
        assert (found.shots[0].clip.what.width, found.shots[0].clip.what.height) == size


def test_who_is_seen_again_begins_with_the_drawn_frame() -> None:
    found = ordered(film([120, 120], figures=("Mara",)), brief(), market())
    assert [each.drawn for each in found.shots] == [True, True]
    assert [each.still for each in found.shots] == [None, None]


def test_the_same_order_has_the_same_name_and_another_one_has_not() -> None:
    one, alike, other = (
        each.clip.name for each in ordered(film([120, 120, 96]), brief(), market()).shots
    )
    # Two shots that are alike are two all the same.
    assert len({one, alike, other}) == 3
    again = [each.clip.name for each in ordered(film([96, 120]), brief(), market()).shots]
    assert again == [other, one]
    drawn = film([120, 120], figures=("Mara",))
    first = ordered(drawn, brief(), market()).shots[0].clip.name
    closer = tuple(each.model_copy(update={"size": "CU"}) for each in drawn.shots)
    second = ordered(drawn.model_copy(update={"shots": closer}), brief(), market())
    assert first not in {one, second.shots[0].clip.name}


def test_what_was_bought_is_not_ordered_unless_it_is_wanted_again() -> None:
    found = ordered(film([120, 96]), brief(), market())
    names = [each.clip.name for each in found.shots]
    rest = found.with_kept({names[0]: KEPT}, ())
    assert [bool(each.wants) for each in rest.shots] == [False, True]
    assert rest.worst == found.shots[1].worst
    assert found.with_kept({names[0]: KEPT}, ("1A",)) == found


def test_what_cannot_be_ordered_is_drawn_and_needs_a_yes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY, "one")
    known = market()
    # Longer than any clip: it would have to be joined from two.
    found = ordered(film([264, 96]), brief(), known)
    assert [each.shot for each in found.shots] == ["2A"]
    checked = preflight(found, known, TODAY, 100)
    assert checked.state == "degraded"
    assert checked.degraded == (
        "1A is drawn: planned as 2 clips, and only shots of one are ordered",
    )
    assert checked.blocked == ()


def test_of_a_still_that_is_moved_over_the_still_is_ordered() -> None:
    calm: dict[str, Any] = {"motion": 1, "figures": ()}
    wanted = brief(quality="budget", max_cost=0.5)
    price = offer("nano-banana-2@fal.ai", 0.01, unit="image", resolution="720p")
    image = tool("nano-banana-2", price, category="image", modes=("t2i",), aspects=(), lengths=())
    known = callable_stack(stack(gen(), renderer(), image), {"runway", "fal"})
    (found,) = ordered(film([96], **calm), wanted, known).shots
    assert (found.clip.what.kind, found.clip.what.model) == ("still", "fal-ai/nano-banana-2")
    assert (found.clip.what.width, found.clip.what.height) == (1280, 720)
    assert (found.still, found.worst) == (None, 0.05)
    (fit,) = (step for step in shot_plan(found).steps if step.id == "fit_1")
    assert fit.args["moves"] is True


def test_a_card_with_words_is_drawn() -> None:
    shots = film([96, 96])
    words = {"subject": "End card", "action": "End card", "on_screen_text": "Try Harbor"}
    abstract = shots.shots[1].set.model_copy(update={"place": "abstract"})
    card = shots.shots[1].model_copy(update={**words, "set": abstract})
    shots = shots.model_copy(update={"shots": (shots.shots[0], card)})
    found = ordered(shots, brief(), market())
    assert [each.shot for each in found.shots] == ["1A"]
    assert [(each.shot, each.planned) for each in found.drawn] == [("2A", True)]


def test_it_is_said_what_is_there_already_and_what_a_clip_begins_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(KEY, "one")
    known = market()
    found = ordered(film([120, 96], figures=("Mara",)), brief(), known)
    rest = found.with_kept({found.shots[0].clip.name: KEPT}, ())
    notes = preflight(rest, known, TODAY, 100).notes
    assert "1A: bought before, and used again" in notes
    assert "2A: the clip begins with the drawn frame of the storyboard" in notes


def test_own_pictures_and_planned_animatics_are_as_planned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY, "one")
    known = market()
    shots = film([96, 96])
    own = shots.shots[0].model_copy(update={"picture": KEPT})
    shots = shots.model_copy(update={"shots": (own, shots.shots[1])})
    checked = preflight(ordered(shots, brief(), known), known, TODAY, 100)
    assert checked.state == "passed"
    assert "1A is drawn: own material" in checked.notes


@pytest.mark.parametrize(
    ("most", "key", "told"),
    [
        (100, "", f"Runway API has no key: set {KEY}"),
        (2.39, "one", "at worst it costs $2.40, and $2.39 may be spent"),
        (100, "gone", "runway-gen4.5@Runway API is not in the tool stack any more"),
        (100, "retired", "runway-gen4.5@Runway API is retired since 2026-11-16"),
    ],
)
def test_what_blocks_is_said(
    monkeypatch: pytest.MonkeyPatch, most: float, key: str, told: str
) -> None:
    monkeypatch.setenv(KEY, key)
    known = market()
    found = ordered(film([96]), brief(), known)
    if key == "gone":
        known = known.model_copy(update={"tools": ()})
    if key == "retired":
        known = market().model_copy(update={"tools": (gen(retires=TODAY),)})
    checked = preflight(found, known, TODAY, most)
    assert checked.state == "blocked"
    assert checked.blocked[0].startswith(told)


def test_just_enough_money_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY, "one")
    known = market()
    assert preflight(ordered(film([96]), brief(), known), known, TODAY, 2.40).state == "passed"


def test_a_film_of_which_nothing_is_ordered_is_not_produced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(KEY, "one")
    known = market()
    found = ordered(film([96]), brief(look="an animatic"), known)
    checked = preflight(found, known, TODAY, 100)
    assert checked.blocked == (
        "no shot of this plan can be ordered, so there is nothing to produce",
    )


def test_a_missing_package_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY, "one")
    known = market()
    found = ordered(film([96]), brief(), known)
    monkeypatch.setattr("callsheet_studio.providers.catalogue.find_spec", lambda _: None)
    checked = preflight(found, known, TODAY, 100)
    assert checked.blocked == (
        "Runway API needs a package that is not there: pip install 'callsheet-studio[providers]'",
    )


def test_a_voice_costs_and_needs_a_key_like_a_clip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY, "one")
    monkeypatch.delenv("CALLSHEET_SECRET_ELEVENLABS_API_KEY", raising=False)
    price = offer("elevenlabs-v3@ElevenLabs", 100, unit="1k_characters", resolution=None)
    speaker = tool("elevenlabs-v3", price, category="voice", modes=("tts",), lengths=())
    line = LineData(text="Go.", speaker="", language="en", pitch=0, pace=150, hints={})
    known = stack(gen(), renderer(), speaker)
    voices = voice_wants("elevenlabs-v3@ElevenLabs=one", [line, line], known, {})
    found = ordered(film([96]), brief(), market())
    checked = preflight(found, known, TODAY, 2.99, voices)
    assert checked.worst == pytest.approx(found.worst + 0.6)
    assert checked.blocked == (
        "ElevenLabs has no key: set CALLSHEET_SECRET_ELEVENLABS_API_KEY",
        *(each for each in checked.blocked if each.startswith("at worst it costs $3.00")),
    )
    assert len(checked.blocked) == 2
    assert (
        "2 lines spoken by one of elevenlabs-v3@ElevenLabs, 2 of them new: $0.60" in checked.notes
    )


def test_it_is_said_which_variable_enables_whom() -> None:
    assert how_to_enable(stack(gen())).split() == [KEY, "Runway", "API"]


def test_a_dissolve_beside_a_shot_that_is_ordered_becomes_a_cut() -> None:
    plain = film([48, 48, 48, 48])
    soft = tuple(each.model_copy(update={"transition": "dissolve"}) for each in plain.shots)
    found = hard_cuts.function(plain.model_copy(update={"shots": soft}), ["2A"])
    assert [each.transition for each in found.shots] == ["dissolve", "cut", "cut", "dissolve"]
