"""Footage from elsewhere becomes exactly a shot: its frames, its size, its words."""

from __future__ import annotations

import io
from fractions import Fraction
from functools import cache
from itertools import islice
from typing import Any, cast

import av
import numpy as np
import pytest
from tests.providers.media import picture, size_of
from tests.unit.draw.shots import a_shot
from tests.unit.film.films import SIZE, SPOKEN, a_take
from typing_extensions import override

from callsheet import Artifact
from callsheet.errors import InputError
from callsheet_studio.film.check.looking import look_at
from callsheet_studio.film.filming import Filmed, filmed_of
from callsheet_studio.film.footage import Footage
from callsheet_studio.film.shoot import Shooting
from callsheet_studio.model.base import Violation
from callsheet_studio.providers.fitting import Produced, conform, draw, put_in_order
from callsheet_studio.providers.received import Received

pytestmark = pytest.mark.requirement("P11")

RATE = Fraction(24)
LARGE = (480, 270)
"""So that captions can be read."""


@cache
def clip(
    frames: int, rate: int = 24, size: tuple[int, int] = (320, 180), kind: str = "ramp"
) -> bytes:
    """Each picture is brighter than the one before; or black; or none moves."""
    out = io.BytesIO()
    with av.open(out, "w", format="mp4") as file:
        stream = file.add_stream("libx264", rate=rate)
        stream.width, stream.height, stream.pix_fmt = *size, "yuv420p"
        stream.codec_context.options = {"preset": "ultrafast", "crf": "1"}
        for number in range(frames):
            pixels = np.zeros((size[1], size[0], 3), np.uint8)
            if kind == "ramp":
                pixels[:] = 20 + number * 4
                pixels[:, : size[0] // 8] = (255, 0, 0)
            elif kind == "still":
                pixels[:, ::16] = 200
            elif kind == "moves":
                pixels[:, np.arange(size[0]) // 12 % 2 == 0] = 90
                pixels = np.roll(pixels, number * 3, axis=1)
            file.mux(stream.encode(av.VideoFrame.from_ndarray(pixels, "rgb24")))
        file.mux(stream.encode())
    return out.getvalue()


def brightness(picture: list[Any]) -> float:
    return float(picture[0][:, picture[0].shape[1] // 2 :].mean())


@pytest.mark.parametrize("rate", [12, 24, 25, 30])
def test_a_picture_stands_where_it_is_at_its_time(rate: int) -> None:
    seen = [brightness(each) for each in islice(Footage(clip(48, rate)).pictures(SIZE, RATE), 24)]
    # 16 is black and 235 is white; each picture is four steps brighter than the one before.
    numbers = [((each - 16) * 255 / 219 - 20) / 4 for each in seen]
    wanted = [number * rate // 24 for number in range(24)]
    assert [round(each) for each in numbers] == wanted


def test_the_last_picture_stays() -> None:
    seen = [brightness(each) for each in islice(Footage(clip(10)).pictures(SIZE, RATE), 14)]
    assert seen[9:] == [seen[9]] * 5
    assert seen[8] < seen[9]


def test_the_middle_is_seen_and_the_frame_is_full() -> None:
    (wide,) = islice(Footage(clip(1, size=(480, 180))).pictures(SIZE, RATE), 1)
    luma, *colour = wide
    assert luma.shape == (SIZE[1], SIZE[0])
    assert [each.shape for each in colour] == [(SIZE[1] // 2, SIZE[0] // 2)] * 2
    # The red at the left side is cut off.
    assert int(colour[1].max()) < 140
    (same,) = islice(Footage(clip(1)).pictures(SIZE, RATE), 1)
    assert int(same[2][:, 0].min()) > 200


def test_how_much_is_missing_is_known() -> None:
    assert Footage(clip(48)).seconds() == pytest.approx(2.0)
    assert Footage(clip(48)).lacks(48, RATE) == 0
    assert Footage(clip(48)).lacks(60, RATE) == pytest.approx(0.5)


@pytest.mark.parametrize("data", [b"", b"no film at all"])
def test_what_is_no_film_is_refused(data: bytes) -> None:
    with pytest.raises(InputError, match="The clip is"):
        Footage(data).seconds()


class Bench:
    """Where a tool finds and leaves what it works on."""

    def __init__(self, data: bytes) -> None:
        self.kept = {"clip": data}

    def load(self, artifact: Artifact) -> bytes:
        return self.kept[artifact.digest]

    def store(self, data: bytes, *, name: str) -> Artifact:
        self.kept[name] = data
        return Artifact(digest=name, media_type="", size=len(data))


MADE = Received(made=Artifact(digest="clip", media_type="video/mp4", size=1))


def fitted(data: bytes, *, moves: bool = False, **changes: Any) -> tuple[Any, Bench]:
    shot = a_shot(end=48, figures=(), **changes)
    bench = Bench(data)
    take = a_take(shot, LARGE, captions=(SPOKEN,))
    return conform.function(take, "7B", MADE, cast("Any", bench), moves), bench


# Slow: a shot is drawn for the board, and encoded.
@pytest.mark.slow
def test_a_clip_becomes_a_shot_with_the_words_that_it_has() -> None:
    found, bench = fitted(clip(50, kind="moves"), on_screen_text="Two boats")
    assert (found.filmed.name, found.why, found.again) == ("7B", "", False)
    assert found.clip == MADE.made
    segment = bench.kept["7B.mp4"]
    look = look_at(segment, (SPOKEN,))
    assert (look.looks.frames, look.looks.size) == (48, LARGE)
    assert look.looks.unread == ()
    # What the drawing has written in it is not in a clip, so it is written over it.
    assert {each.text for each in found.filmed.texts} == {"Two boats, one berth.", "Two boats"}
    assert bench.kept["7B-board.png"].startswith(b"\x89PNG")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("frames", "kind", "told", "rules"),
    [
        (48, "black", "Nothing is seen", []),
        (48, "still", "Nothing moves", []),
        (24, "moves", "The clip ends 1.0 s too early", ["clip-short"]),
    ],
)
def test_a_clip_that_is_wrong_is_sent_back(
    frames: int, kind: str, told: str, rules: list[str]
) -> None:
    found, _ = fitted(clip(frames, kind=kind), transition="cut")
    assert found.again
    assert told in found.why
    # What the checks of the film find themselves is not told twice.
    assert [each.rule for each in found.wrong] == rules
    assert found.filmed is not None


@pytest.mark.slow
def test_a_still_is_moved_over() -> None:
    found, bench = fitted(picture(320, 180), moves=True)
    assert (found.filmed.name, found.why, found.again) == ("7B", "", False)
    looks = look_at(bench.kept["7B.mp4"]).looks
    assert looks.frames == 48
    # The slope of the still is what is seen: dark at one side, bright at the other.
    first = np.frombuffer(look_at(bench.kept["7B.mp4"]).ends, np.uint8)
    assert int(first.max()) - int(first.min()) > 80
    damaged, _ = fitted(b"no picture", moves=True)
    assert (damaged.filmed, damaged.again) == (None, True)


def test_what_was_not_made_or_is_damaged_is_no_shot() -> None:
    found, _ = fitted(b"damaged")
    assert (found.filmed, found.again) == (None, True)
    bench = Bench(b"")
    nothing = conform.function(a_take(a_shot()), "7B", Received(why="refused"), cast("Any", bench))
    assert (nothing.filmed, nothing.why, nothing.again) == (None, "refused", False)


def test_a_clip_can_begin_with_the_drawn_frame() -> None:
    bench = Bench(b"")
    draw.function(a_take(a_shot(on_screen_text="Two boats")), cast("Any", bench))
    assert size_of(bench.kept["frame.png"]) == SIZE


@pytest.mark.slow
def test_a_shot_of_which_the_encoder_makes_something_else_is_told() -> None:
    class Elsewhere(Shooting):
        @override
        def segment(self, seen: Any = iter) -> bytes:
            assert super().segment(seen)
            return clip(12, kind="black")

    take = a_take(a_shot(end=12, figures=(), transition="cut"))
    filmed = filmed_of(Shooting(take), take, cast("Any", Bench(b"")))
    assert (filmed.wrong, filmed.looks.frames, filmed.looks.at) == ((), 12, (0, 4, 8, 11))
    other = filmed_of(Elsewhere(take), take, cast("Any", Bench(b"")))
    assert [(each.rule, each.where) for each in other.wrong] == [("film-pictures", take.shot.id)]


def test_drawn_and_bought_shots_come_in_the_order_of_the_film() -> None:
    kept = Artifact(digest="it", media_type="", size=1)
    artifacts: dict[str, Any] = dict.fromkeys(
        ("segment", "board", "frame", "thumbnail", "clip", "ends"), kept
    )
    looks = look_at(clip(2)).looks
    one, two, three = (
        Filmed(name=name, looks=looks, texts=(), unwritten=(), **artifacts)
        for name in ("1A", "1B", "1C")
    )
    short = Violation(rule="clip-short", where="1B", message="", fix="")
    bought = Produced(filmed=two, wrong=(short,))
    found = put_in_order.function(["1A", "1B", "1C"], [three, one], [bought])
    assert [each.name for each in found] == ["1A", "1B", "1C"]
    assert [each.wrong for each in found] == [(), (short,), ()]


def test_a_shot_without_footage_is_drawn_as_ever() -> None:
    take = a_take(a_shot(end=2))
    assert Shooting(take).segment() == Shooting(take, None, None).segment()
