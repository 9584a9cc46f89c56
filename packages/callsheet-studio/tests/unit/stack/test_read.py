"""A tool stack is read from its file, with every fact and every fault."""

from __future__ import annotations

import json
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.stack.files import STARTING, file, offer, starting, tool

from callsheet.errors import InputError
from callsheet_studio.stack import StackError, load_stack, read_stack, starting_stack
from callsheet_studio.stack.read import LARGEST

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from callsheet_studio.model.stack import Offer, StackTool

pytestmark = pytest.mark.requirement("P8")

OFFERS = {each.id: each for tool in starting_stack().tools for each in tool.offers}
TOOLS = {tool.id: tool for tool in starting_stack().tools}


def the_tool(**changes: object) -> StackTool:
    (found,) = read_stack(file(tool(**changes)), "here").tools
    return found


def the_offer(**changes: object) -> Offer:
    (found,) = the_tool(offers=[offer(**changes)]).offers
    return found


def places(text: str) -> list[str]:
    with pytest.raises(StackError) as caught:
        read_stack(text, "here")
    return [problem.place for problem in caught.value.problems]


# What is shipped


def test_everything_of_the_starting_data_is_there() -> None:
    raw, stack = starting(), starting_stack()
    assert [each.id for each in stack.tools] == [each["id"] for each in raw["tools"]]
    assert (len(stack.tools), len(OFFERS)) == (78, 194)
    for said, found in zip(raw["tools"], stack.tools, strict=True):
        assert [o["usd"] for o in said["offers"]] == [o.usd for o in found.offers]
        assert [q["score"] for q in said["quality"]] == [b.score for b in found.benchmarks]
        assert [str(o.as_of) for o in found.offers] == [o["as_of"] for o in said["offers"]]
    assert [each.id for each in stack.sources] == list(raw["sources"])
    assert stack.as_of == date(2026, 11, 15)


def test_every_price_has_a_source_that_is_listed() -> None:
    sources = {source.id for source in starting_stack().sources}
    assert {each.source for each in OFFERS.values()} <= sources


def test_an_id_of_an_offer_says_what_it_is() -> None:
    assert OFFERS["runway-gen4.5@runway-api"].usd == 0.12
    assert OFFERS["kling-v3@kling-api:1080p+sound"].usd == 0.168
    assert OFFERS["luma-ray-3.2@luma-agents-api:clip-10s+720p"].usd == 0.9
    assert OFFERS["luma-ray-3.2@luma-agents-api:clip-5s+720p+hdr"].usd == 0.6


def test_two_sources_of_one_price_are_two_offers_and_both_are_kept() -> None:
    assert OFFERS["seedance-2.5@fal.ai:480p"].usd == 0.2205
    assert OFFERS["seedance-2.5@fal.ai:480p~sloptv"].usd == 0.265


def test_an_offer_keeps_its_id_when_others_come_and_go() -> None:
    first, second = offer(), offer(conditions={"tier": "pro"})
    alone = {each.id for each in the_tool(offers=[second]).offers}
    both = [each.id for each in the_tool(offers=[first, second]).offers]
    assert alone == {both[1]}
    assert both == ["acme-1@acme-api", "acme-1@acme-api:pro"]


def test_a_clip_is_billed_whole() -> None:
    found = OFFERS["minimax-hailuo-2.3@minimax-api:clip-6s+768p"]
    assert (found.unit, found.unit_seconds, found.usd) == ("clip", 6, 0.28)


def test_a_tier_for_one_mode_says_so() -> None:
    found = OFFERS["minimax-hailuo-2.3@minimax-api:clip-6s+768p+fast+i2v"]
    assert found.conditions == {"tier": "fast", "mode": "i2v"}


def test_a_minimum_charge_is_read() -> None:
    assert OFFERS["runway-aleph2@runway-api"].minimum_usd == 0.56


def test_one_price_for_two_sizes_is_for_the_finer_and_names_both() -> None:
    found = OFFERS["veo-3.1@gemini-api:1080p+sound"]
    assert (found.resolution, found.conditions) == ("1080p", {"resolutions": ["720p", "1080p"]})


def test_a_tool_ends_on_the_day_that_is_announced() -> None:
    assert TOOLS["veo-3.1"].retires == date(2026, 11, 17)
    assert TOOLS["sora-2-pro"].retires == date(2026, 9, 24)
    assert TOOLS["nano-banana-2"].retires is None
    assert OFFERS["nano-banana-2@vertex-ai"].until == date(2027, 5, 27)


def test_a_licence_that_leaves_regions_out_names_them() -> None:
    assert TOOLS["hunyuanvideo-1.5"].regions == ("!EU", "!UK", "!KR")
    assert TOOLS["ltx-2.3"].regions == ()


def test_what_is_not_found_stays_unknown() -> None:
    happyhorse = TOOLS["happyhorse-1.1"]
    assert (happyhorse.grid, happyhorse.aspects) == (None, ())
    assert TOOLS["kling-3.0-turbo"].native_audio is None, "its sources disagree"
    assert TOOLS["pika-2.5"].lip_sync is False, "another model does that"


def test_quality_and_latency_come_with_their_uncertainty() -> None:
    (board, *_) = TOOLS["veo-3.1"].benchmarks
    assert (board.score, board.interval, board.share, board.votes) == (1375, 13, 0.711, 7762)
    documented, estimate = TOOLS["veo-3.1"].latency
    assert (documented.least, documented.typical, documented.most) == (11, None, 360)
    assert (estimate.kind, estimate.typical) == ("estimate", 120)
    prior = starting_stack().latency_prior
    assert (prior.least, prior.typical, prior.most) == (33, 150, 540)


def test_it_is_read_once() -> None:
    assert starting_stack() is starting_stack()


# How it is written


@pytest.mark.parametrize(
    ("said", "lengths", "least", "most"),
    [
        ([10, 5], (5, 10), 5, 10),
        ([4.5], (4.5,), 4.5, 4.5),
        ({"min": 3, "max": 10}, (), 3, 10),
        ({"min": 6, "max": 20, "step": 6}, (6, 12, 18), 6, 18),
        ({"min": 2, "max": 30, "applies_to": "input video"}, (), 2, 30),
    ],
)
def test_a_grid_is_a_list_or_a_range(
    said: object, lengths: tuple[float, ...], least: float, most: float
) -> None:
    grid = the_tool(durations_s=said, max_clip_s=None).grid
    assert grid is not None
    assert (grid.lengths, grid.least, grid.most) == (lengths, least, most)


@pytest.mark.parametrize(
    ("said", "sides"),
    [
        (["1280x720", "960x960", "1584x672"], ("720p",)),
        (["720x480"], ("480p",)),
        (["4k", "720p", "2k"], ("720p", "1440p", "2160p")),
        (["up to 1080p, follows input"], ("1080p",)),
        (["720p (1280x704 for TI2V-5B)"], ("720p",)),
        (["0.5K", "1K"], ("360p", "720p")),
        (["up to 4 MP"], ("1440p",)),
        ([], ()),
    ],
)
def test_sizes_are_short_sides(said: list[str], sides: tuple[str, ...]) -> None:
    assert the_tool(resolutions=said).resolutions == sides


def test_music_can_be_as_long_as_it_says() -> None:
    grid = the_tool(category="music", durations_s=None, max_clip_s=184).grid
    assert grid is not None
    assert (grid.least, grid.most, grid.lengths) == (0, 184, ())


def test_without_a_day_of_writing_it_is_as_new_as_its_newest_tool() -> None:
    newer = tool(id="b", as_of="2026-12-24")
    assert read_stack(file(tool(), newer, meta={}), "here").as_of == date(2026, 12, 24)


def test_a_file_with_a_mark_of_its_encoding_is_read(tmp_path: Path) -> None:
    path = tmp_path / "stack.json"
    path.write_bytes(b"\xef\xbb\xbf" + STARTING.encode())
    assert load_stack(path) == starting_stack()


# What is refused


@pytest.mark.parametrize(
    ("change", "place", "words"),
    [
        (lambda d: d["offers"][0].update(usd=-0.01), "tools[0] (acme-1).offers[0].usd", "negative"),
        (lambda d: d["offers"][0].update(usd=None), "tools[0] (acme-1).offers[0].usd", "in USD"),
        (lambda d: d["offers"][0].update(usd="0.1"), "tools[0] (acme-1).offers[0].usd", "in USD"),
        (lambda d: d["offers"][0].update(usd=True), "tools[0] (acme-1).offers[0].usd", "in USD"),
        (lambda d: d["offers"][0].update(usd=1e300), "tools[0] (acme-1).offers[0].usd", "too much"),
        (lambda d: d["offers"][0].pop("usd"), "tools[0] (acme-1).offers[0].usd", "missing"),
        (
            lambda d: d["offers"][0].update(unit="frame"),
            "tools[0] (acme-1).offers[0].unit",
            "clip_5s",
        ),
        (
            lambda d: d["offers"][0].update(unit="clip"),
            "tools[0] (acme-1).offers[0].unit",
            "clip_5s",
        ),
        (
            lambda d: d["offers"][0].update(unit="clip_0s"),
            "tools[0] (acme-1).offers[0].unit",
            "clip_5s",
        ),
        (lambda d: d["offers"][0].pop("unit"), "tools[0] (acme-1).offers[0].unit", "missing"),
        (
            lambda d: d["offers"][0].update(source="x"),
            "tools[0] (acme-1).offers[0].source",
            "`sources`",
        ),
        (
            lambda d: d["offers"][0].update(as_of="15.11.2026"),
            "tools[0] (acme-1).offers[0].as_of",
            "date",
        ),
        (
            lambda d: d["offers"][0].update(as_of="20261115"),
            "tools[0] (acme-1).offers[0].as_of",
            "date",
        ),
        (
            lambda d: d["offers"][0].update(conditions={"resolution": "big"}),
            "tools[0] (acme-1).offers[0].conditions.resolution",
            "720p",
        ),
        (
            lambda d: d["offers"][0].update(conditions={"audio": "yes"}),
            "tools[0] (acme-1).offers[0].conditions.audio",
            "neither true nor false",
        ),
        (
            lambda d: d["offers"][0].update(conditions={"more": [1]}),
            "tools[0] (acme-1).offers[0].conditions.more",
            "no condition",
        ),
        (lambda d: d["offers"][0].update(pirce=1), "tools[0] (acme-1).offers[0]", "not a key"),
        (lambda d: d.update(offers={}), "tools[0] (acme-1).offers", "list"),
        (lambda d: d.pop("durations_s"), "tools[0] (acme-1).durations_s", "without a grid"),
        (lambda d: d.update(durations_s=None), "tools[0] (acme-1).durations_s", "without a grid"),
        (lambda d: d.update(durations_s=[]), "tools[0] (acme-1).durations_s", "[5, 10]"),
        (lambda d: d.update(durations_s=[0]), "tools[0] (acme-1).durations_s", "[5, 10]"),
        (lambda d: d.update(durations_s="5-10"), "tools[0] (acme-1).durations_s", "[5, 10]"),
        (
            lambda d: d.update(durations_s={"min": 9, "max": 5}),
            "tools[0] (acme-1).durations_s",
            "`min`",
        ),
        (
            lambda d: d.update(durations_s={"min": 1, "max": 9, "step": 0}),
            "tools[0] (acme-1).durations_s.step",
            "steps",
        ),
        (lambda d: d.update(max_clip_s=4), "tools[0] (acme-1).max_clip_s", "less than"),
        (lambda d: d.update(status="beta"), "tools[0] (acme-1).status", "active, legacy, retired"),
        (lambda d: d.update(category="film"), "tools[0] (acme-1).category", "video, image"),
        (lambda d: d.update(id="Acme 1"), "tools[0] (Acme 1).id", "a-z"),
        (lambda d: d.pop("id"), "tools[0].id", "missing"),
        (lambda d: d.update(id="a" * 101), "tools[0].id", "a-z"),
        (lambda d: d.update(id=["acme"]), "tools[0].id", "text"),
        (lambda d: d.update(name="a\x00b"), "tools[0] (acme-1).name", "cannot be shown"),
        (lambda d: d.update(modes=[]), "tools[0] (acme-1).modes", "list"),
        (lambda d: d.update(resolutions=["HD"]), "tools[0] (acme-1).resolutions", "720p"),
        (lambda d: d.update(aspect_ratios=["wide"]), "tools[0] (acme-1).aspect_ratios", "16:9"),
        (lambda d: d.update(source=["nobody"]), "tools[0] (acme-1).source", "`sources`"),
        (
            lambda d: d.update(reference_images_max=2.5),
            "tools[0] (acme-1).reference_images_max",
            "whole",
        ),
        (
            lambda d: d.update(quality=[{"score": "high"}]),
            "tools[0] (acme-1).quality[0].score",
            "number",
        ),
    ],
)
def test_a_fault_is_said_with_its_place_and_what_to_write(
    change: Callable[[dict[str, Any]], object], place: str, words: str
) -> None:
    wrong = tool()
    change(wrong)
    with pytest.raises(StackError) as caught:
        read_stack(file(wrong), "here")
    said = {problem.place: problem.what for problem in caught.value.problems}
    assert words in said[place]
    assert str(caught.value).startswith("here is not a tool stack")


def test_all_faults_are_said_at_once() -> None:
    wrong = tool(id="b", status="new", offers=[offer(), offer(usd=-1)], durations_s=[])
    assert places(file(tool(offers=[offer(unit="x")]), wrong)) == [
        "tools[0] (acme-1).offers[0].unit",
        "tools[1] (b).status",
        "tools[1] (b).offers[1].usd",
        "tools[1] (b).durations_s",
    ]


def test_two_tools_have_two_ids() -> None:
    assert places(file(tool(), tool())) == ["tools[1] (acme-1).id"]


def test_the_rest_of_the_file_is_checked_too() -> None:
    assert places(file(sources={})) == [
        "tools[0] (acme-1).offers[0].source",
        "tools[0] (acme-1).source",
        "latency_prior.source",
    ]
    assert places(file(tools=[])) == ["tools"]
    assert places(file(latency_prior=None)) == ["latency_prior"]
    assert "the file" in places(file(tols=[]))


def test_a_grid_may_be_unknown_only_where_nothing_is_known_of_its_lengths() -> None:
    assert the_tool(durations_s=None, max_clip_s=None).grid is None
    clip = [offer(unit="clip_5s")]
    assert places(file(tool(durations_s=None, max_clip_s=None, offers=clip)))
    assert the_tool(durations_s=None, status="retired").grid is None
    assert the_tool(durations_s=None, status="legacy").grid is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("  \n", "is empty"),
        ("tools: []", "not JSON"),
        ('{"tools": ', "not JSON"),
        ("[" * 100_000, "not JSON"),
        ('{"a": 1, "a": 2}', "stands twice"),
        ('{"a": ' + "9" * 5000 + "}", "not JSON"),
        ("[]", "not a mapping"),
        ("null", "not a mapping"),
    ],
)
def test_what_is_no_tool_stack_at_all_is_refused(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read_stack(text, "here")


def test_a_price_is_a_number_even_if_json_has_more() -> None:
    for word in ("NaN", "Infinity", "1e999", "-Infinity"):
        text = file().replace('"usd": 0.1', f'"usd": {word}')
        assert places(text) == ["tools[0] (acme-1).offers[0].usd"]


def test_a_file_that_is_too_large_or_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "stack.json"
    path.write_bytes(b"\xff\xfe{}")
    with pytest.raises(InputError, match="UTF-8"):
        load_stack(path)
    with path.open("wb") as large:
        large.truncate(LARGEST + 1)
    with pytest.raises(InputError, match="characters"):
        load_stack(path)
    with pytest.raises(InputError, match="cannot be read"):
        load_stack(tmp_path / "none.json")
    with pytest.raises(InputError, match="cannot be read"):
        load_stack(tmp_path)


def test_a_file_full_of_faults_does_not_flood() -> None:
    data = json.loads(file())
    data["tools"] = [{"id": f"t{number}"} for number in range(500)]
    with pytest.raises(StackError) as caught:
        read_stack(json.dumps(data), "here")
    assert len(str(caught.value).splitlines()) < 110
    assert len(caught.value.problems) > 500
