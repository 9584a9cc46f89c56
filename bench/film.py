"""The film: how fast it is made, from nothing, again, and with one shot changed."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from bench.fresh import keeping_bytecode
from bench.sampling import number
from bench.table import Row
from callsheet import RunState

if TYPE_CHECKING:
    import psutil

    from bench.cases import Bench

DAY = "2026-11-15"
SECONDS, RATE = 30, 24
LONG = Path(__file__).parent.parent / "examples" / "briefs" / "nightboat.yaml"
PLACES = ("harbour", "harbour", "office", "phone_screen", "office", "cafe", "skyline", "abstract")
SIZES = ("WS", "CU", "WS", "MS", "CU", "MS", "EWS", "WS")
AFRESH = (3, 7)
"""After which of the changed shots it is made from nothing once more."""
WATCHED = 3
"""How often it is made while somebody looks at its processes."""
TITLES = ("Harbor", "Marina", "Quay", "Lagoon")
"""Of the films that one process makes, one after the other."""
MOVES = ("push in", "static", "pan left", "static", "push in", "truck right", "crane up", "static")


async def film(bench: Bench) -> list[Row]:
    """A film of 30 s and eight shots, 1280x720 at 24, everything included."""
    # Python keeps its bytecode from the first start on: nobody's every start compiles.
    _made(bench.scratch, _brief(bench.scratch), within="warming-up")
    makes = [_made(bench.scratch, _brief(bench.scratch))]
    again = _made(bench.scratch, _brief(bench.scratch))
    took = []
    for place in range(len(PLACES)):
        took.append(_made(bench.scratch, _brief(bench.scratch, changed=place)).seconds)
        if place in AFRESH:
            # A machine is not as fast all the time: so it is made from nothing in between, too.
            makes.append(_made(bench.scratch, _brief(bench.scratch), within=f"afresh-{place}"))
    first = sorted(makes, key=lambda make: make.seconds)[len(makes) // 2]
    changed = [seconds / first.seconds for seconds in took]
    large = _made(bench.scratch, _brief(bench.scratch, size="1920x1080"))
    # To look at the memory of processes takes time itself, so it is looked at in other makes.
    seen = [
        _made(bench.scratch, _brief(bench.scratch), within=f"watched-{number}", watched=True)
        for number in range(WATCHED)
    ]
    memory = max(make.memory for make in seen)
    long = _made(bench.scratch, _long(bench.scratch), watched=True)
    warm = await _warm(bench.scratch)
    x264, drawn, pictures = _encoding(bench)
    return [
        _row(
            "film of 30 s from a cold start, x realtime", SECONDS / first.seconds, 4.0, least=True
        ),
        _row("the same, warm, x realtime", SECONDS / warm, 5.0, least=True),
        _row("the same in 1920x1080, cold, x realtime", SECONDS / large.seconds, 2.0, least=True),
        _row("the same again, of the first", again.seconds / first.seconds, 0.2),
        _row(
            "one of eight shots changed, each in turn, of the first: at most "
            f"{number(max(changed))}, where the next dissolves from it",
            median(changed),
            0.35,
        ),
        _row("most memory, all processes, MB", memory / 1e6, 900),
        _row("most memory for a film of 3 min, of that", long.memory / memory, 1.3),
        *_drawing(),
        _row(
            f"x264 {number(x264 * 1000 / pictures)} ms a frame: its share of a shot's CPU",
            x264 / (x264 + drawn),
        ),
        _row(
            f"the same, of all {number(first.cpu)} s of CPU, documents and plan included "
            f"(threads that encode, in a make: {number(median(make.encoding for make in seen))})",
            x264 / pictures * SECONDS * RATE / first.cpu,
        ),
    ]


def _row(case: str, value: float, bar: float | None = None, *, least: bool = False) -> Row:
    if bar is None:
        return Row(case=case, ours=number(value))
    met = value >= bar if least else value <= bar
    return Row(case=case, ours=number(value), bar=f"{'≥' if least else '≤'} {bar:g}", met=met)


# Making


@dataclass(frozen=True)
class _Make:
    """What one `callsheet make` took."""

    seconds: float
    cpu: float
    memory: float = 0.0
    """Bytes of all processes together, at most; 0 if nobody has watched."""
    encoding: float = 0.0
    """The share of CPU that the threads took which encode; 0 if nobody has watched."""


def _brief(
    scratch: Path,
    *,
    changed: int | None = None,
    size: str = "1280x720",
    title: str = "Harbor",
) -> Path:
    path = scratch / "brief.json"
    path.write_text(json.dumps(_told(changed, size, title)), "utf-8")
    return path


def _long(scratch: Path) -> Path:
    """A film of 3 min, as large as the others."""
    path = scratch / LONG.name
    path.write_text(LONG.read_text("utf-8").replace("1920x1080", "1280x720"), "utf-8")
    return path


def _told(changed: int | None, size: str, title: str) -> dict[str, Any]:
    shots: list[dict[str, Any]] = [
        {
            "action": f"Mara at work, {place.replace('_', ' ')}, take {take}",
            "place": place,
            "size": seen,
            "movement": move,
            "subject": "Mara",
            "seconds": SECONDS / len(PLACES),
        }
        for take, (place, seen, move) in enumerate(zip(PLACES, SIZES, MOVES, strict=True), 1)
    ]
    shots[5]["action"] = "Mara looks out of the window"
    if changed is not None:
        shots[changed]["action"] = "Mara laughs"
    shots[0]["voiceover"] = f"{title} keeps every berth in view."
    shots[3]["voiceover"] = "One live map for all berths."
    shots[7]["voiceover"] = f"Try {title} free for 30 days."
    return {
        "project": {"title": title},
        "message": {
            "core": f"{title} keeps every berth in view.",
            "cta": f"Try {title} free for 30 days",
        },
        "content": {"type": "product_demo", "duration": SECONDS, "language": "en", "shots": shots},
        "delivery": {"aspect": "16:9", "resolution": size, "fps": RATE},
    }


def _made(scratch: Path, brief: Path, within: str = "", *, watched: bool = False) -> _Make:
    place = scratch / within
    place.mkdir(exist_ok=True)
    words = ["-m", "callsheet.cli", "make", str(brief), "-o", brief.stem, "--today", DAY, "--json"]
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, *words],
        cwd=place,
        env=keeping_bytecode(scratch),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    family = _Family(process)
    watcher = threading.Thread(target=family.watch)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    if watched:
        watcher.start()
    out, err = process.communicate()
    seconds = time.perf_counter() - began
    if watched:
        watcher.join()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if process.returncode:
        raise RuntimeError(f"the film was not made: {err.decode()[-800:]}{out.decode()[-800:]}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return _Make(seconds, cpu, family.memory, family.encoding)


class _Family:
    """A make and its worker processes, looked at while they work."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._cpu: dict[int, float] = {}
        """What each process has taken."""
        self._own: dict[int, float] = {}
        """What the main thread of each worker has: it makes the pictures, others encode them."""
        self.memory = 0.0

    @property
    def encoding(self) -> float:
        """The share of all CPU that threads took which encode, each as it was seen last."""
        coded = sum(self._cpu[worker] - own for worker, own in self._own.items())
        return coded / (sum(self._cpu.values()) or 1.0)

    def watch(self) -> None:
        """Look until it has ended."""
        import psutil

        while self._process.poll() is None:
            total = 0.0
            try:
                first = psutil.Process(self._process.pid)
                for each in (first, *first.children(recursive=True)):
                    total += each.memory_info().rss
                    self._note(each)
            except psutil.NoSuchProcess:
                continue
            self.memory = max(self.memory, total)
            time.sleep(0.05)

    def _note(self, each: psutil.Process) -> None:
        if each.pid != self._process.pid:
            (main,) = [thread for thread in each.threads() if thread.id == each.pid]
            self._own[each.pid] = main.user_time + main.system_time
        taken = each.cpu_times()
        self._cpu[each.pid] = taken.user + taken.system


async def _warm(scratch: Path) -> float:
    """Seconds for another film in a process that has made one: the median of some."""
    from callsheet import Engine
    from callsheet_studio.brief import load
    from callsheet_studio.production.inputs import inputs_for
    from callsheet_studio.production.plan import production_plan
    from callsheet_studio.production.tools import production_tools
    from callsheet_studio.stack import starting_stack

    took = []
    async with Engine.open(scratch / "warm", production_tools()) as engine:
        for title in TITLES:
            brief = load(_brief(scratch, title=title))
            began = time.perf_counter()
            inputs = inputs_for(brief, date.fromisoformat(DAY), starting_stack())
            inputs |= {"out": str(scratch / f"warm-{title}")}
            run = await engine.start(production_plan(brief), inputs)
            result = await run.wait()
            if result.state is not RunState.SUCCEEDED:
                raise RuntimeError(f"the film was not made: {result.cause}")
            took.append(time.perf_counter() - began)
    return median(took[1:])


# Drawing and encoding alone


def _drawing() -> list[Row]:
    """Every set once, as a picture without its file: CPU."""
    from tests.unit.draw.shots import MARA, STYLE, a_shot

    from callsheet_studio.draw.frame import draw_frame
    from callsheet_studio.library import sets

    times = []
    for place in sets():
        shot = a_shot(place=place)
        draw_frame(shot, (MARA,), STYLE).layers()
        began = time.process_time()
        draw_frame(shot, (MARA,), STYLE).layers()
        times.append((time.process_time() - began) * 1000)
    return [_row(f"a frame drawn, median of {len(times)} sets, CPU ms", median(times), 150)]


def _encoding(bench: Bench) -> tuple[float, float, int]:
    """Seconds of CPU for all shots: what x264 alone takes, what their pictures take; how many."""
    from callsheet_studio.brief import load
    from callsheet_studio.film.encode import encode
    from callsheet_studio.film.shoot import Shooting
    from callsheet_studio.film.takes import takes
    from callsheet_studio.script import write_script
    from callsheet_studio.shots import plan_shots

    brief = load(_brief(bench.scratch))
    shots = plan_shots(write_script(brief), brief)
    coded = drawn = 0.0
    many = 0
    for take in takes(shots, brief, ()):
        began = time.process_time()
        pictures = list(Shooting(take).pictures())
        between = time.process_time()
        encode(iter(pictures), take.size, Fraction(RATE))
        drawn, coded = drawn + between - began, coded + time.process_time() - between
        many += len(pictures)
    return coded, drawn, many
