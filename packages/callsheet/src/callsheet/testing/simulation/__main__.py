"""`python -m callsheet.testing.simulation`: many seeds on all cores, or one story line by line.

--seeds 10000           so many stories; says how fast, and the first that breaks a law
--seed 42               one story, told line by line
--mutants               each mutant, and after how many seeds it is caught
--mutant undoes_twice   with one of them at work
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING

from callsheet.testing.simulation.mutant import ENOUGH
from callsheet.testing.simulation.mutants import MUTANTS, mutant_named
from callsheet.testing.simulation.simulate import simulate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet.testing.simulation.mutant import Mutant

BATCH = 50
COMMAND = "python -m callsheet.testing.simulation"


def main(arguments: Sequence[str] | None = None) -> int:
    """Simulate; 1 when a law is broken (or a mutant is not caught)."""
    options = _options().parse_args(arguments)
    if options.mutants:
        return _catch_all()
    if options.seed is not None:
        return _tell(options.seed, options.mutant)
    return _many(range(options.begin, options.begin + options.seeds), options.mutant, options.cores)


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=COMMAND, description="Whole lives of an engine.")
    parser.add_argument("--seed", type=int, help="tell one story, line by line")
    parser.add_argument("--seeds", type=int, default=1000, help="how many stories (1000)")
    parser.add_argument("--begin", type=int, default=0, help="the first seed (0)")
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1, help="processes (all)")
    names = [mutant.name for mutant in MUTANTS]
    parser.add_argument("--mutant", choices=names, metavar="NAME", help="with a fault put in")
    parser.add_argument("--mutants", action="store_true", help="catch every mutant")
    return parser


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _tell(seed: int, mutant: str | None) -> int:
    fault = mutant_named(mutant) if mutant else None
    with fault.active() if fault else nullcontext():
        story = simulate(seed=seed, faults=fault.faults if fault else None)
    for line in story.lines:
        _say(line)
    for broken in story.broken:
        _say(f"BROKEN  {broken.law.replace('_', ' ')}: {broken.what}")
    return 1 if story.broken else 0


def _many(seeds: range, mutant: str | None, cores: int) -> int:
    began = time.perf_counter()
    batches = [
        range(seeds[i], min(seeds[i] + BATCH, seeds.stop)) for i in range(0, len(seeds), BATCH)
    ]
    done = 0
    with ProcessPoolExecutor(cores) as pool:
        for batch, found in zip(
            batches, pool.map(partial(_first_broken, mutant), batches), strict=True
        ):
            done += len(batch)
            if found is not None:
                pool.shutdown(cancel_futures=True)
                _complain(*found, mutant)
                return 1
    pace = done / (time.perf_counter() - began)
    _say(f"{done} stories, every law holds; {pace:.0f} stories per second on {cores} cores")
    return 0


def _first_broken(mutant: str | None, seeds: range) -> tuple[int, str] | None:
    # What a story leaves behind is thrown away whole: looking for it all the time costs a tenth.
    gc.set_threshold(100_000, 50, 50)
    fault = mutant_named(mutant) if mutant else None
    with fault.active() if fault else nullcontext():
        for seed in seeds:
            story = simulate(seed=seed, faults=fault.faults if fault else None)
            if story.broken:
                first = story.broken[0]
                return seed, f"{first.law.replace('_', ' ')}: {first.what}"
    return None


def _complain(seed: int, broken: str, mutant: str | None) -> None:
    _say(f"BROKEN  seed {seed}: {broken}")
    extra = f" --mutant {mutant}" if mutant else ""
    _say(f"The whole story: {COMMAND} --seed {seed}{extra}")


def _catch_all() -> int:
    escaped = 0
    for mutant in MUTANTS:
        caught = _catch(mutant)
        escaped += caught is None
        after = f"seed {caught[0]}: {caught[1]}" if caught else f"NOT caught in {ENOUGH} seeds"
        _say(f"{mutant.name:24} {after}")
    _say(f"{len(MUTANTS) - escaped} of {len(MUTANTS)} mutants are caught")
    return 1 if escaped else 0


def _catch(mutant: Mutant) -> tuple[int, str] | None:
    return _first_broken(mutant.name, range(ENOUGH))


if __name__ == "__main__":
    sys.exit(main())
