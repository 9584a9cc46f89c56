"""The film: how fast it is made, from nothing, again, and with one shot changed."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from fractions import Fraction
from statistics import median
from typing import TYPE_CHECKING, Any

from bench.sampling import number
from bench.table import Row

if TYPE_CHECKING:
    from pathlib import Path

    from bench.cases import Bench

DAY = "2026-11-15"
SECONDS = 30
PLACES = ("harbour", "harbour", "office", "phone_screen", "office", "cafe", "skyline", "abstract")
SIZES = ("WS", "CU", "WS", "MS", "CU", "MS", "EWS", "WS")
MOVES = ("push in", "static", "pan left", "static", "push in", "truck right", "crane up", "static")


async def film(bench: Bench) -> list[Row]:
    """A film of 30 s and eight shots, 1280x720 at 24, everything included."""
    first, again, changed, peak = _makes(bench.scratch)
    speed = SECONDS / first
    return [
        _row("film of 30 s from a cold start, x realtime", speed, 4.0, least=True),
        _row("the same again, of the first", again / first, 0.2),
        _row("one of eight shots changed, of the first", changed / first, 0.35),
        _row("most memory, all processes, MB", peak / 1e6, 900),
        *_drawing(),
        *_encoding(bench),
    ]


def _row(case: str, value: float, bar: float, *, least: bool = False) -> Row:
    met = value >= bar if least else value <= bar
    return Row(case=case, ours=number(value), bar=f"{'≥' if least else '≤'} {bar:g}", met=met)


# Making


def _makes(scratch: Path) -> tuple[float, float, float, float]:
    first, peak = _made(scratch, _brief(scratch, "Mara looks out of the window"))
    again, _ = _made(scratch, _brief(scratch, "Mara looks out of the window"))
    changed, _ = _made(scratch, _brief(scratch, "Mara laughs at the window"))
    return first, again, changed, peak


def _brief(scratch: Path, action: str) -> Path:
    shots: list[dict[str, Any]] = [
        {
            "action": f"Mara at work, {place.replace('_', ' ')}, take {take}",
            "place": place,
            "size": size,
            "movement": move,
            "subject": "Mara",
            "seconds": SECONDS / len(PLACES),
        }
        for take, (place, size, move) in enumerate(zip(PLACES, SIZES, MOVES, strict=True), 1)
    ]
    shots[5]["action"] = action
    shots[0]["voiceover"] = "Harbor keeps every berth in view."
    shots[3]["voiceover"] = "One live map for all berths."
    shots[7]["voiceover"] = "Try Harbor free for 30 days."
    told = {
        "project": {"title": "Harbor"},
        "message": {
            "core": "Harbor keeps every berth in view.",
            "cta": "Try Harbor free for 30 days",
        },
        "content": {"type": "product_demo", "duration": SECONDS, "language": "en", "shots": shots},
        "delivery": {"aspect": "16:9", "resolution": "1280x720", "fps": 24},
    }
    path = scratch / "brief.json"
    path.write_text(json.dumps(told), "utf-8")
    return path


def _made(scratch: Path, brief: Path) -> tuple[float, float]:
    """Seconds of a `callsheet make`, and the most memory of its processes together."""
    words = ["-m", "callsheet.cli", "make", str(brief), "-o", "film", "--today", DAY, "--json"]
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, *words], cwd=scratch, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    most = [0.0]
    watcher = threading.Thread(target=_watch, args=(process, most))
    watcher.start()
    out, err = process.communicate()
    seconds = time.perf_counter() - began
    watcher.join()
    if process.returncode:
        raise RuntimeError(f"the film was not made: {err.decode()[-800:]}{out.decode()[-800:]}")
    return seconds, most[0]


def _watch(process: subprocess.Popen[bytes], most: list[float]) -> None:
    import psutil

    while process.poll() is None:
        total = 0.0
        try:
            family = [psutil.Process(process.pid)]
            family += family[0].children(recursive=True)
            for each in family:
                total += each.memory_info().rss
        except psutil.NoSuchProcess:
            continue
        most[0] = max(most[0], total)
        time.sleep(0.05)


# Drawing and encoding alone


def _drawing() -> list[Row]:
    """Every set once, as a picture without its file: CPU."""
    from tests.unit.studio.draw.shots import MARA, STYLE, a_shot

    from callsheet.studio.draw.frame import draw_frame
    from callsheet.studio.library import sets

    times = []
    for place in sets():
        shot = a_shot(place=place)
        draw_frame(shot, (MARA,), STYLE).layers()
        began = time.process_time()
        draw_frame(shot, (MARA,), STYLE).layers()
        times.append((time.process_time() - began) * 1000)
    return [_row(f"a frame drawn, median of {len(times)} sets, CPU ms", median(times), 150)]


def _encoding(bench: Bench) -> list[Row]:
    """What x264 alone takes for the same pictures: the limit."""
    from callsheet.studio.brief import load
    from callsheet.studio.film.encode import encode
    from callsheet.studio.film.shoot import Shooting
    from callsheet.studio.film.takes import takes
    from callsheet.studio.script import write_script
    from callsheet.studio.shots import plan_shots

    brief = load(bench.scratch / "brief.json")
    shots = plan_shots(write_script(brief), brief)
    take = takes(shots, brief, ())[0]
    began = time.process_time()
    pictures = [[plane.copy() for plane in each] for each in Shooting(take).pictures()]
    made = time.process_time() - began
    began = time.process_time()
    encode(iter(pictures), take.size, Fraction(24))
    coded = time.process_time() - began
    share = coded / (coded + made)
    case = f"x264 {number(coded * 1000 / len(pictures))} ms a frame: its share of a shot"
    return [_row(case, share, 0.45, least=True)]
