"""What is measured in a process of its own: `python -m bench.fresh WHAT …` prints JSON."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from bench import machine

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet import Plan

ROOT = Path(__file__).parents[1]


def ask(*words: object, scratch: Path, under: Sequence[str] = ()) -> Any:
    """What a fresh process answers; `under` is the command that runs it."""
    command = [*under, sys.executable, "-m", "bench.fresh", *map(str, words)]
    environment = {**_environment(), "TMPDIR": str(scratch)}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{done.stderr[-2000:]}")
    return json.loads(done.stdout)


def bare(code: str, *words: object, scratch: Path, options: Sequence[str] = ()) -> tuple[str, str]:
    """What code prints and complains in an interpreter that has imported nothing else."""
    command = [sys.executable, *options, "-c", code, *map(str, words)]
    done = subprocess.run(
        command,
        cwd=scratch,
        env=keeping_bytecode(scratch),
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout, done.stderr


def keeping_bytecode(scratch: Path) -> dict[str, str]:
    """An environment in which bytecode is kept, as everywhere, but not among the sources."""
    environment = {**_environment(), "PYTHONPYCACHEPREFIX": str(scratch / "bytecode")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return environment


def _environment() -> dict[str, str]:
    paths = [os.environ.get("PYTHONPATH", ""), str(ROOT), str(ROOT / "src")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}


def peak(shape: str, steps: int) -> float:
    """MB that were resident at most while a plan of so many steps ran."""
    from bench.ours import ours

    async def run() -> float:
        with TemporaryDirectory() as home:
            async with ours(Path(home)) as mine:
                await mine.run(_plan(shape, steps, shape))
        return machine.memory_of_self("VmHWM")

    return asyncio.run(run())


def growth(shape: str, small: int, large: int, samples: int) -> list[list[float]]:
    """Seconds per step of many runs of a small plan, then of one run of a large one, in turns.

    Both are as many steps in all, and every plan is new to the engine: read, checked, run.
    """
    from bench.ours import ours

    async def run() -> list[list[float]]:
        found: list[list[float]] = []
        with TemporaryDirectory() as home:
            async with ours(Path(home)) as mine:
                for sample in range(samples):
                    plans = [_plan(shape, large, f"large-{sample}")]
                    few = [
                        _plan(shape, small, f"small-{sample}-{i}") for i in range(large // small)
                    ]
                    pair = []
                    for batch in (few, plans):
                        began = time.perf_counter()
                        for plan in batch:
                            await mine.run(plan)
                        pair.append((time.perf_counter() - began) / large)
                    found.append(pair)
        return found

    return asyncio.run(run())


def chains(side: str, length: int, times: int) -> int:
    """Run chains and nothing else, to be looked at from outside; says how many steps they were."""
    from bench.limit import limits
    from bench.ours import chain, ours

    async def run() -> None:
        with TemporaryDirectory() as scratch:
            if side == "ours":
                async with ours(Path(scratch)) as mine:
                    for _ in range(times):
                        await mine.run(chain(length))
            else:
                with limits(Path(scratch)) as programs:
                    for _ in range(times):
                        await programs[side].chain(length)

    asyncio.run(run())
    return length * times


def _plan(shape: str, steps: int, name: str) -> Plan:
    from bench.ours import WINDOW, fan, lanes

    return lanes(steps, name=name) if shape == "lanes" else fan(steps - 2, name=name, window=WINDOW)


def main(what: str, *words: str) -> object:
    """Measure what is asked for."""
    if what == "peak":
        return peak(words[0], int(words[1]))
    if what == "growth":
        return growth(words[0], *map(int, words[1:]))
    return chains(words[0], *map(int, words[1:]))


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])))
