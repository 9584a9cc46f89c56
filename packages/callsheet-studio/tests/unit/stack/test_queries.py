"""Questions to the tool stack are answered from what is known, best first."""

from __future__ import annotations

import itertools
from datetime import date

import pytest
from tests.unit.stack.files import file, offer, tool

from callsheet.errors import InputError
from callsheet_studio.stack import (
    CAPABILITIES,
    by_capability,
    by_complexity,
    by_shot_type,
    details,
    is_offered,
    is_usable,
    known_on,
    quality,
    read_stack,
    starting_stack,
)

pytestmark = pytest.mark.requirement("P8")

STACK = starting_stack()


def test_a_tool_is_there_until_the_day_it_ends() -> None:
    veo = details(STACK, "veo-3.1")
    assert is_usable(veo, date(2026, 11, 16))
    assert not is_usable(veo, date(2026, 11, 17))


def test_a_retired_tool_is_never_there() -> None:
    assert not is_usable(details(STACK, "sora-2"), date(2020, 1, 1))


def test_an_offer_holds_until_the_day_before_its_end() -> None:
    (only,) = (
        read_stack(file(tool(offers=[offer(deprecation_date="2026-12-01")])), "here")
        .tools[0]
        .offers
    )
    assert is_offered(only, date(2026, 11, 30))
    assert not is_offered(only, date(2026, 12, 1))


def test_a_name_that_is_not_there_is_answered_with_the_nearest() -> None:
    with pytest.raises(InputError, match=r"veo-3\.1"):
        details(STACK, "veo3.1")
    with pytest.raises(InputError, match="stack list"):
        details(STACK, "zzz")


@pytest.mark.parametrize("capability", [*CAPABILITIES, "i2v", "tts", "2160p", "9:16", "T2V"])
def test_every_capability_is_known_of_some(capability: str) -> None:
    assert 0 < len(by_capability(STACK, capability)) < len(STACK.tools)


def test_only_what_is_known_to_be_capable_is_named() -> None:
    assert all(each.lip_sync for each in by_capability(STACK, "lip_sync"))
    names = {each.id for each in by_capability(STACK, "sound")}
    assert "kling-3.0-turbo" not in names, "its sources disagree"
    assert {each.id for each in by_capability(STACK, "local")} >= {"espeak-ng", "ffmpeg-static"}


def test_those_that_have_ended_come_last_and_the_preferred_first() -> None:
    found = by_capability(STACK, "lip_sync")
    assert found[0].id == "seedance-2.0"
    assert found[-1].id == "sora-2"


def test_a_capability_that_nobody_has_is_an_error_with_a_hint() -> None:
    with pytest.raises(InputError, match="lip_sync"):
        by_capability(STACK, "lipsync")
    with pytest.raises(InputError, match="There are sound"):
        by_capability(STACK, "qqqq")


def test_the_harder_a_shot_the_fewer_can_make_it() -> None:
    answers = [{each.id for each in by_complexity(STACK, score)} for score in range(1, 11)]
    assert all(harder <= easier for easier, harder in itertools.pairwise(answers))
    assert {"ffmpeg-static", "flux-schnell"} <= answers[0]
    assert len(answers[9]) < len(answers[4]) < len(answers[0])


def test_hard_shots_are_for_those_that_people_prefer() -> None:
    floor = min(quality(each) or 0 for each in by_complexity(STACK, 9))
    assert floor > 0.6
    for score in (0, 11):
        with pytest.raises(InputError, match="1 to 10"):
            by_complexity(STACK, score)


def test_a_face_begins_with_a_picture_and_a_view_need_not() -> None:
    assert all("i2v" in each.modes for each in by_shot_type(STACK, "CU"))
    assert all("t2v" in each.modes for each in by_shot_type(STACK, "EWS"))
    assert by_shot_type(STACK, "WS")[0].id != by_shot_type(STACK, "CU", "INSERT")[0].id


def test_who_is_seen_speaking_needs_lip_sync() -> None:
    found = by_shot_type(STACK, "MCU", lip_sync=True)
    assert found
    assert all(each.lip_sync for each in found)


def test_nothing_that_has_ended_suits_any_shot() -> None:
    for score in range(1, 11):
        assert all(
            is_usable(each, STACK.as_of) for each in by_shot_type(STACK, "WS", complexity=score)
        )


def test_a_stack_without_boards_has_nothing_for_hard_shots() -> None:
    silent = read_stack(file(), "here")
    assert by_complexity(silent, 5) == ()
    assert [each.id for each in by_complexity(silent, 3)] == ["acme-1"]


def test_a_day_knows_what_was_read_by_then() -> None:
    early = known_on(STACK, date(2026, 8, 21))
    assert early.as_of == date(2026, 8, 21)
    assert 0 < len(early.tools) < len(STACK.tools)
    assert all(o.as_of <= early.as_of for each in early.tools for o in each.offers)
    assert known_on(STACK, STACK.as_of) == STACK
    with pytest.raises(InputError, match="1999"):
        known_on(STACK, date(1999, 1, 1))
