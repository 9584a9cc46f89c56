"""`make --produce`: a film whose shots are ordered from a provider, here on this machine."""

from __future__ import annotations

import asyncio
import gc
import io
import json
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

import av
import numpy as np
import pytest
from tests.acceptance.command import Done, Process, Terminal, call, run, until
from tests.providers.runway import TAKES, WIDE, RunwayService
from tests.providers.service import KEY, Work, serving
from typing_extensions import override

from callsheet_studio.providers.catalogue import services

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# Slow: films are made, by processes of their own.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("P11")]

DAY = ("--today", "2026-11-18")
MODEL = ("/v1/text_to_video", "gemini_omni_flash")
VARIABLE = "CALLSHEET_SECRET_RUNWAYML_API_SECRET"
PRICE = 0.1
"""Of a second, as the offer says that is the best on the day."""
RATE = 24
BRIEF = {
    "project": {"title": "Kite"},
    "message": {"core": "The kite rises over the sea.", "cta": "Fly a kite"},
    "content": {
        "type": "general",
        "duration": "9s",
        "language": "en",
        # Two sentences, each with a picture of its own: two orders.
        "script": "The wind comes over the water and the red kite rises.\n\nFly a kite",
    },
    "style": {"medium": "animation"},
    "delivery": {"aspect": "16:9", "resolution": "480x270", "fps": 24},
}


class Runway(RunwayService):
    """Makes clips that are as long as they were ordered; none while it is told to wait."""

    waits = False

    @override
    def is_made(self, work: Work) -> bool:
        return not self.waits and super().is_made(work)

    @property
    def billed(self) -> float:
        """What its price list says for what it has accepted."""
        seconds = sum(int(each.asked["duration"]) for each in self.works.values())
        return round(PRICE * seconds, 6)


@cache
def clip(seconds: int) -> bytes:
    """A clip in which something moves all the time."""
    out = io.BytesIO()
    across, down = np.arange(640), np.arange(360)[:, None]
    with av.open(out, "w", format="mp4") as file:
        stream = file.add_stream("libx264", rate=RATE)
        stream.width, stream.height, stream.pix_fmt = 640, 360, "yuv420p"
        stream.codec_context.options = {"preset": "ultrafast"}
        for number in range(seconds * RATE):
            pixels = np.full((360, 640, 3), 120, np.uint8)
            pixels[..., 0] = (across + number * 4) % 256
            pixels[..., 1] = (down + number * 2) % 256
            file.mux(stream.encode(av.VideoFrame.from_ndarray(pixels, "rgb24")))
        file.mux(stream.encode())
    return out.getvalue()


@contextmanager
def served() -> Iterator[Runway]:
    """A provider, while commands are called that have loops of their own."""
    service, loop = Runway(), asyncio.new_event_loop()
    serves = serving(service)
    loop.run_until_complete(serves.__aenter__())
    try:
        yield service
    finally:
        loop.run_until_complete(serves.__aexit__(None, None, None))
        loop.close()


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with a brief, and nobody who has a key."""
    # What other tests have drawn with belongs to this thread, and an SDK is imported in another.
    gc.collect()
    for each in services():
        monkeypatch.delenv(each.variable, raising=False)
    (tmp_path / "brief.json").write_text(json.dumps(BRIEF), "utf-8")
    return tmp_path


def words(*more: str) -> tuple[str, ...]:
    return ("make", "brief.json", "-o", "film", *DAY, "--home", "home", "--produce", *more)


def with_key(monkeypatch: pytest.MonkeyPatch, server: RunwayService) -> None:
    monkeypatch.setitem(TAKES, MODEL, (WIDE, range(3, 11), {"promptText"}))
    monkeypatch.setenv(VARIABLE, KEY)
    monkeypatch.setenv("CALLSHEET_URL_RUNWAY", server.base_url)


def in_place(place: Path, monkeypatch: pytest.MonkeyPatch, *more: str) -> Done:
    monkeypatch.chdir(place)
    return call(*words(*more))


def report(place: Path) -> Any:
    return json.loads((place / "film" / "report.json").read_text("utf-8"))


def spent(place: Path) -> list[float]:
    """What the productions in a home have cost, the oldest first."""
    home = ("--home", place / "home")
    runs = [call("show", each["run"], "--json", *home).json for each in productions(place)]
    return [each["cost"]["usd"] for each in reversed(runs) if "deliver" in each["steps"]]


def productions(place: Path) -> list[Any]:
    """The runs in a home but for those of single shots, the newest first."""
    listed = call("runs", "--json", "--home", place / "home").json
    return [each for each in listed if each["plan"] == "production"]


def test_a_production_that_is_killed_goes_on_and_orders_nothing_twice(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served() as server:
        with_key(monkeypatch, server)
        server.made, server.waits = clip(10), True
        with Process(*words("--yes", "--max-cost", "20"), directory=place) as process:
            until(lambda: _are_looked_at(server, 2), "two orders that are waited for")
            process.popen.kill()
            process.end()
        server.waits = False
        (started,) = (each["run"] for each in productions(place) if each["state"] == "running")
        done = run("resume", started, "--home", "home", directory=place)
        assert done.code == 0, done.out + done.err
        assert len(server.orders) == 2
        assert f"spent ${server.billed:.2f} on what was ordered" in done.out
        assert report(place)["checks"]["film"]["violations"] == []
        assert _frames(place / "film" / "film.mp4") == 9 * RATE
        assert spent(place) == [server.billed]

        # Another time one shot is wanted anew: it is one order, and the other shot is as it was.
        before = server.billed
        done = in_place(place, monkeypatch, "--max-cost", "20", "--again", "1B", "--yes")
        assert (done.code, len(server.orders)) == (0, 3), done.err
        assert "1A: bought before, and used again" in done.out
        assert spent(place) == [before, round(server.billed - before, 6)]


def _are_looked_at(server: RunwayService, many: int) -> bool:
    return sum(work.looks > 0 for work in server.works.values()) == many


def _frames(film: Path) -> int:
    with av.open(film) as source:
        return source.streams.video[0].frames


def test_a_shot_that_is_refused_is_drawn_and_the_rest_stays(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served() as server:
        with_key(monkeypatch, server)
        server.made = clip(10)
        server.break_with("refused")
        with Terminal(*words("--max-cost", "20"), directory=place) as terminal:
            terminal.see("Order it, for $")
            assert server.orders == []
            terminal.type("yes\n")
            assert terminal.end() == 1
        assert len(server.orders) == 2
        (found,) = report(place)["checks"]["film"]["violations"]
        assert found["rule"] == "shot-drawn"
        assert "the text was refused" in found["message"]
        assert found["where"] in terminal.screen
        assert spent(place) == [server.billed]


# Long: the run goes on when the others are made, and a film is made after it.
@pytest.mark.long
def test_what_was_bought_is_kept_when_the_money_runs_out(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served() as server:
        with_key(monkeypatch, server)
        server.made = clip(10)
        server.break_with("no_balance")
        done = in_place(place, monkeypatch, "--max-cost", "20", "--yes")
        assert done.code == 1
        assert "You do not have enough credits" in done.out + done.err
        assert len(server.orders) == 1
        done = in_place(place, monkeypatch, "--max-cost", "20", "--yes")
        assert done.code == 0, done.err
        assert "bought before, and used again" in done.out
        assert len(server.orders) == 2
        assert sum(spent(place)) == pytest.approx(server.billed)


def test_without_a_key_it_says_which_variable_enables_whom(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = in_place(place, monkeypatch)
    assert done.code == 2
    for variable, name in ((VARIABLE, "Runway API"), ("CALLSHEET_SECRET_FAL_KEY", "fal.ai")):
        (line,) = (each for each in done.err.splitlines() if variable in each)
        assert line.split(maxsplit=1)[1] == name
    assert not (place / "film").exists()


def test_nothing_is_ordered_without_a_maximum_a_yes_or_the_money(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served() as server:
        with_key(monkeypatch, server)
        for more, told in (
            ((), "Give --max-cost"),
            (("--max-cost", "20"), "There is nobody here to ask. Look at it, then add --yes."),
            (("--max-cost", "4", "--yes"), "at worst it costs $5.00, and $4.00 may be spent"),
            (("--max-cost", "20", "--yes", "--again", "7Z"), "There is no shot '7Z'"),
        ):
            done = in_place(place, monkeypatch, *more)
            assert done.code == 2, done.out
            assert told in done.err
        assert server.orders == []
        assert not (place / "film").exists()


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("--produce", "--review"), "--produce asks once"),
        (("--produce", "--stop-after", "plan"), "Leave out --stop-after"),
        (("--yes",), "Add --produce"),
    ],
)
def test_what_does_not_go_with_an_order_is_refused(
    place: Path, more: tuple[str, ...], told: str
) -> None:
    done = call("make", place / "brief.json", "-o", place / "film", *more)
    assert done.code == 2
    assert told in done.err
