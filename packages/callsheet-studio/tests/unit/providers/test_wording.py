"""Orders in the words of services."""

from __future__ import annotations

import pytest
from tests.unit.providers.pictures import FRAME

from callsheet.errors import InvalidError
from callsheet_studio.providers.port import Order
from callsheet_studio.providers.wording import (
    data_uri,
    lines_for,
    lines_of,
    media_type,
    seconds_for,
    shape_for,
)

pytestmark = pytest.mark.requirement("P11")


def order(width: int = 1280, height: int = 720, seconds: float = 5.0) -> Order:
    return Order(kind="clip", model="m", text="t", seconds=seconds, width=width, height=height)


@pytest.mark.parametrize(
    ("size", "choices", "chosen"),
    [
        ((1280, 720), ["960:960", "1920:1080", "1280:720"], "1280:720"),
        ((1920, 1080), ["1280:720", "1920:1080", "720:1280"], "1920:1080"),
        ((1080, 1920), ["16:9", "9:16", "1:1"], "9:16"),
        ((1680, 720), ["1280:720", "1584:672"], "1584:672"),
        ((1280, 720), ["adaptive", "auto", "16:9"], "16:9"),
    ],
)
def test_the_shape_is_kept_and_the_size_is_the_nearest(
    size: tuple[int, int], choices: list[str], chosen: str
) -> None:
    assert shape_for(order(*size), choices) == chosen


def test_a_shape_that_is_not_made_is_refused_with_those_that_are() -> None:
    with pytest.raises(InvalidError, match=r"1280x720.*960:960, 720:1280"):
        shape_for(order(), ["960:960", "720:1280", "auto"])


@pytest.mark.parametrize(
    ("size", "choices", "chosen"),
    [
        ((1280, 720), ["480p", "720p", "1080p"], "720p"),
        ((1080, 1920), ["480p", "720p", "1080p", "4k"], "1080p"),
        ((3840, 2160), ["720p", "1080p", "4k"], "4k"),
        ((1280, 720), ["auto_1080p", "auto_720p"], "auto_720p"),
        ((1280, 720), ["adaptive", "768P", "2K"], "768P"),
    ],
)
def test_lines_go_by_the_shorter_side(
    size: tuple[int, int], choices: list[str], chosen: str
) -> None:
    assert lines_for(order(*size), choices) == chosen


def test_what_does_not_say_its_lines_has_none() -> None:
    assert [lines_of(each) for each in ("auto", "16:9", "auto_1k")] == [0, 0, 0]


def test_a_length_is_one_of_those_that_are_made() -> None:
    assert seconds_for(order(seconds=6.0), (4, 6, 8)) == 6
    assert seconds_for(order(seconds=7.0)) == 7


@pytest.mark.parametrize(
    ("seconds", "choices"), [(5.0, (4, 6, 8)), (4.5, ()), (4.5, (4, 5)), (0.0, ())]
)
def test_another_length_is_refused(seconds: float, choices: tuple[int, ...]) -> None:
    with pytest.raises(InvalidError, match=f"no clip of {seconds:g} s"):
        seconds_for(order(seconds=seconds), choices)


def test_a_picture_says_what_it_is() -> None:
    assert media_type(b"\xff\xd8\xff\xe0 jpeg") == "image/jpeg"
    assert data_uri(FRAME).startswith("data:image/png;base64,iVBORw0KGgo")


def test_what_no_service_takes_is_refused() -> None:
    with pytest.raises(InvalidError, match="neither PNG nor JPEG"):
        media_type(b"RIFF....WEBP")
