"""Which offers can be used: on the day, for the brief, for the shot."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.solve import films

from callsheet import Artifact
from callsheet_studio.solve import Terms
from callsheet_studio.solve.case import Case
from callsheet_studio.solve.terms import wish_of

if TYPE_CHECKING:
    from callsheet_studio.model.shots import ShotList
    from callsheet_studio.model.stack import Offer, StackTool

ONE = films.film([120])
NORTH = films.offer("a@north", 0.1)
DAY = timedelta(days=1)


def _ways(
    *tools: StackTool, shots: ShotList = ONE, terms: Terms | None = None, **asked: Any
) -> list[tuple[str, str]]:
    """Recipe and offer of each way to make the first shot, without those of our own renderer."""
    case = Case.of(shots, films.stack(*tools), films.TODAY, terms or Terms())
    group = case.problem(wish_of(films.brief(**asked))).groups[0]
    return [(way.recipe, way.call.offer.id) for way in group.ways]


def _usable(tool: StackTool, **asked: Any) -> bool:
    return bool(_ways(tool, **asked))


@pytest.mark.requirement("P7")
@pytest.mark.parametrize(
    ("said", "usable"),
    [
        ({}, True),
        ({"status": "legacy"}, False),
        ({"status": "retired"}, False),
        ({"retires": films.TODAY}, False),
        ({"retires": films.TODAY + DAY}, True),
        ({"aspects": ()}, False),
        ({"aspects": ("9:16",)}, False),
        ({"licence": None}, True),
    ],
)
def test_a_tool_is_used_only_if_it_is_there_and_fits(said: dict[str, Any], usable: bool) -> None:
    assert _usable(films.tool("a", NORTH, **said)) is usable


@pytest.mark.requirement("P7")
def test_an_offer_is_used_until_its_last_day() -> None:
    last = films.offer("a@north", 0.1, until=films.TODAY)
    over = films.offer("a@north", 0.1, until=films.TODAY - DAY)
    assert _usable(films.tool("a", last))
    assert not _usable(films.tool("a", over))


@pytest.mark.requirement("P7")
@pytest.mark.parametrize(
    ("offers", "made", "usable"),
    [
        # Told by the offer itself.
        (("1080p",), (), True),
        (("720p",), (), False),
        # Told by no offer: the price is for all that the tool makes.
        ((None,), ("720p", "1080p"), True),
        # Told by another offer: this one may be for the smallest.
        ((None, "480p"), ("480p", "1080p"), False),
        ((None, "1080p"), ("1080p", "2160p"), True),
        # Told by nobody.
        ((None,), (), False),
    ],
)
def test_a_picture_is_as_sharp_as_is_certain_for_the_price(
    offers: tuple[str | None, ...], made: tuple[str, ...], usable: bool
) -> None:
    sold = [films.offer(f"a@north:{n}", 0.1, resolution=each) for n, each in enumerate(offers)]
    found = _ways(films.tool("a", *sold, resolutions=made), resolution="1920x1080")
    assert any(name == "a@north:0" for _, name in found) is usable


@pytest.mark.requirement("P7")
@pytest.mark.parametrize(
    ("regions", "usable"),
    [((), True), (("US",), False), (("US", "eu"), True), (("!EU",), False), (("!KR",), True)],
)
def test_a_region_forbids_only_where_it_is_known(regions: tuple[str, ...], usable: bool) -> None:
    assert _usable(films.tool("a", NORTH, regions=regions), region="EU") is usable
    assert _usable(films.tool("a", NORTH, regions=regions))


@pytest.mark.requirement("P7")
@pytest.mark.parametrize(
    ("licence", "wanted", "usable"),
    [
        ("proprietary", "any", True),
        (None, "open", False),
        ("Apache-2.0", "open", True),
        ("CogVideoX licence (not Apache)", "open", False),
        ("proprietary", "open", False),
        ("proprietary", "commercial", True),
        ("Stability AI Community License", "commercial", False),
        ("Apache-2.0", "MIT, Apache-2.0", True),
    ],
)
def test_a_licence_matters_where_the_brief_names_one(
    licence: str | None, wanted: str, usable: bool
) -> None:
    assert _usable(films.tool("a", NORTH, licence=licence), licences=wanted) is usable


@pytest.mark.requirement("P7")
@pytest.mark.parametrize(
    ("lip_sync", "native", "audio", "usable"),
    [
        (True, True, None, True),
        (True, None, True, True),
        (True, True, False, False),
        (True, None, None, False),
        (None, True, True, False),
        (False, True, True, False),
    ],
)
def test_who_is_seen_speaking_needs_lips_and_sound(
    lip_sync: bool | None, native: bool | None, audio: bool | None, usable: bool
) -> None:
    said = films.offer("a@north", 0.1, audio=audio)
    tool = films.tool("a", said, lip_sync=lip_sync, native_audio=native)
    assert _usable(tool, shots=films.film([120], lip_sync=True)) is usable
    assert _usable(tool)


@pytest.mark.requirement("P7")
def test_who_is_seen_again_must_look_the_same() -> None:
    words = films.tool("a", NORTH)
    shown = films.tool("b", films.offer("b@north", 0.1), reference_images=3)
    moved = films.tool("c", films.offer("c@north", 0.1), modes=("i2v",))
    plain = films.tool("p", _image("p"), category="image", modes=("t2i",))
    alike = films.tool("q", _image("q"), category="image", modes=("t2i", "edit"))
    tools = (words, shown, moved)
    again = films.film([120, 96], figures=("Mara",))
    assert _ways(*tools, plain, shots=again) == [("text_to_video", "b@north")]
    found = _ways(*tools, plain, alike, shots=again)
    assert ("image_to_video", "c@north") in found or found == [("text_to_video", "b@north")]
    assert ("image_to_video", "c@north") in _ways(moved, alike, shots=again)
    # Who is seen once needs no reference.
    assert ("text_to_video", "a@north") in _ways(words, shots=films.film([120], figures=("Mara",)))


def _image(name: str) -> Offer:
    return films.offer(f"{name}@north", 0.02, unit="image")


@pytest.mark.requirement("P7")
def test_a_first_frame_needs_somebody_who_draws_it() -> None:
    moved = films.tool("c", films.offer("c@north", 0.1), modes=("i2v",))
    assert _ways(moved) == []


@pytest.mark.requirement("P7")
def test_a_model_that_needs_a_card_of_ones_own_is_planned_on_demand_only() -> None:
    own = films.tool("a", films.offer("a@local GPU", 0))
    assert not _usable(own)
    assert _ways(own, terms=Terms(gpu=True)) == [("text_to_video", "a@local GPU")]


@pytest.mark.requirement("P7")
@pytest.mark.parametrize("said", [{"tier": "fast, i2v only"}, {"mode": "i2v"}])
def test_an_offer_for_one_mode_is_not_used_for_another(said: dict[str, object]) -> None:
    fast = films.offer("a@north", 0.1, conditions=said)
    assert not _usable(films.tool("a", fast))


@pytest.mark.requirement("P7")
def test_an_aspect_that_nobody_makes_is_cut_from_a_longer_one() -> None:
    tall = films.tool("a", NORTH, aspects=("9:16", "16:9"))
    wide = films.tool("b", films.offer("b@north", 0.01), aspects=("16:9",))
    assert _ways(tall, wide, aspect="4:5") == [("text_to_video", "a@north")]
    exact = films.tool("c", films.offer("c@south", 0.3), aspects=("4:5",))
    assert _ways(tall, wide, exact, aspect="4:5") == [("text_to_video", "c@south")]


@pytest.mark.requirement("P7")
@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ({}, False),
        ({"quality": "high"}, False),
        ({"quality": "budget"}, True),
        ({"look": "a rough animatic first"}, True),
    ],
)
def test_the_animatic_serves_below_balanced_or_when_asked_for(
    asked: dict[str, Any], shown: bool
) -> None:
    found = _ways(films.tool("a", NORTH), films.renderer(), **asked)
    assert (("animatic", "own@local CPU") in found) is shown


@pytest.mark.requirement("P7")
def test_a_calm_shot_may_be_a_still_that_the_camera_moves_over() -> None:
    painter = films.tool("p", _image("p"), category="image", modes=("t2i",))
    tools = (painter, films.renderer())
    still = ("still_and_move", "own@local CPU")
    assert still in _ways(*tools, shots=films.film([120], motion=2), quality="budget")
    assert still not in _ways(*tools, shots=films.film([120], motion=6), quality="budget")
    assert still not in _ways(*tools, shots=films.film([120], motion=2))


@pytest.mark.requirement("P7")
@pytest.mark.parametrize(
    "brought",
    [
        {"references": ("footage:harbour.mp4",)},
        {"picture": Artifact(digest="a" * 64, media_type="image/png", size=9, name="pier.png")},
    ],
    ids=["footage", "picture"],
)
def test_what_one_has_brought_is_taken_as_it_is(brought: dict[str, Any]) -> None:
    own = films.film([120], **brought)
    found = _ways(films.tool("a", NORTH), films.renderer(), shots=own, quality="high")
    assert found == [("footage", "own@local CPU")]
