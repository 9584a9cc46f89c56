"""The studio: what its films keep to, and how long a plan takes, on every example brief."""

from __future__ import annotations

import subprocess
import sys
import time
from datetime import date
from statistics import median
from typing import TYPE_CHECKING

from bench import fresh
from bench.fresh import keeping_bytecode
from bench.sampling import number
from bench.table import Row

if TYPE_CHECKING:
    from pathlib import Path

    from bench.cases import Bench

BRIEFS = fresh.ROOT / "examples" / "briefs"
DAY = date(2026, 11, 15)
MINUTE = "payday.json"
"""A film of 60 s."""
THREE_MINUTES = "nightboat.yaml"


async def studio(bench: Bench) -> list[Row]:
    """Frames, words, messages, cuts and metadata of all example films; times of three."""
    return [*_kept(bench), *_cold(bench)]


# What the films keep to


def briefs() -> list[Path]:
    """All examples."""
    return sorted(each for each in BRIEFS.iterdir() if each.suffix in {".yaml", ".json", ".md"})


def _kept(bench: Bench) -> list[Row]:
    from callsheet_studio.brief import load
    from callsheet_studio.production.report import report_on
    from callsheet_studio.script import write_script
    from callsheet_studio.shots import plan_shots

    found: dict[str, list[float]] = {}
    cuts = 0
    heads = ["brief", "s", "beats", "shots", "frames off", "overruns"]
    heads += ["messages", "metadata", "per 100 cuts"]
    lines = ["", f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    for path in briefs()[: bench.sizes.films]:
        brief = load(path)
        script = write_script(brief)
        shots = plan_shots(script, brief)
        checks = report_on(brief, script, shots, None)["checks"]
        said, seen = checks["script"], checks["shots"]
        cuts += len(shots.shots) - 1
        row = {
            "frames": abs(said["frame_error"]) + abs(seen["frame_error"]),
            "overruns": said["speech_overruns"],
            "messages": said["message_coverage"],
            "metadata": said["metadata"],
            "cuts": seen["violations_per_100_cuts"],
            "rules": len(said["violations"]) + len(seen["violations"]),
        }
        for key, value in row.items():
            found.setdefault(key, []).append(value)
        cells = (row[key] for key in ("frames", "overruns", "messages", "metadata", "cuts"))
        told = (path.name, f"{brief.content.duration:g}", len(script.beats), len(shots.shots))
        lines.append("| " + " | ".join(map(str, (*told, *map(number, cells)))) + " |")
    bench.notes.append("Example films:\n" + "\n".join(lines))
    films = len(found["frames"])
    return [
        _count(f"{films} films: frames off", max(found["frames"]), 0),
        _count(f"{films} films: beats whose words do not fit", sum(found["overruns"]), 0),
        _share("messages told", min(found["messages"])),
        _share("metadata filled", min(found["metadata"])),
        _count(f"continuity broken, per 100 of {cuts} cuts", max(found["cuts"]), 0),
        _count("other rules broken", sum(found["rules"]), 0),
    ]


def _count(case: str, value: float, most: float) -> Row:
    return Row(case=case, ours=number(value), bar=f"≤ {number(most)}", met=value <= most)


def _share(case: str, value: float) -> Row:
    return Row(case=case, ours=f"{value:.0%}", bar="100%", met=value >= 1)


# How long it takes


def _cold(bench: Bench) -> list[Row]:
    """`callsheet make`, each time in a fresh process and a fresh home."""
    rows = []
    for name, most in ((MINUTE, 5.0), (THREE_MINUTES, 10.0)):
        makes = range(bench.sizes.makes)
        taken = [_made(bench.scratch / f"{name}-{index}", BRIEFS / name) for index in makes]
        seconds = median(each["seconds"] for each in taken)
        imports = median(each["imports"] for each in taken)
        told = f"{number(seconds)} s, {imports / seconds:.0%} of it imports"
        met = seconds < most and imports < seconds / 2
        case = f"make {name} from a cold start"
        rows.append(Row(case=case, ours=told, bar=f"< {most:g} s, imports < half", met=met))
    return rows


def _made(scratch: Path, brief: Path) -> dict[str, float]:
    """Seconds of a make, and of what it imports: counted in a second one, by Python itself."""
    scratch.mkdir()
    words = ["-m", "callsheet.cli", "make", str(brief), "--today", DAY.isoformat()]
    words += ["--stop-after", "plan"]
    # Python keeps its bytecode from the first start on: nobody's every start compiles.
    _python(scratch, *words, "-o", "none", "--home", "home-none")
    began = time.perf_counter()
    _python(scratch, *words, "-o", "one", "--home", "home-one")
    seconds = time.perf_counter() - began
    told = _python(scratch, "-X", "importtime", *words, "-o", "two", "--home", "home-two")
    own = (line.split("|")[0].partition(":")[2] for line in told.splitlines() if "|" in line)
    return {
        "seconds": seconds,
        "imports": sum(int(each) for each in own if each.strip().isdigit()) / 1e6,
    }


def _python(scratch: Path, *words: str) -> str:
    """Run a fresh interpreter; what it says on stderr."""
    done = subprocess.run(
        [sys.executable, *words],
        cwd=scratch,
        env=keeping_bytecode(scratch),
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stderr
