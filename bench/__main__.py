"""`python -m bench`: measure, print the table, write `RESULTS.md`."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench import cases, machine, profiling, scale, syncs, table, work

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from bench.work import Sizes

RESULTS = Path(__file__).parent / "RESULTS.md"
PATIENCE = 10.0
"""Seconds to wait before each case for others to be quiet."""

CASES: dict[str, Callable[[cases.Bench], Coroutine[Any, Any, list[table.Row]]]] = {
    "chain": cases.chain,
    "syncs": syncs.syncs,
    "fan": cases.fan,
    "many": cases.many,
    "start": cases.start,
    "sleep": cases.sleep,
    "growth": scale.growth,
    "entries": scale.entries,
    "footprint": scale.footprint,
    "cancel": cases.cancel,
}


def measure(
    names: Sequence[str],
    sizes: Sizes,
    *,
    scratch: Path,
    verbose: bool = False,
    patience: float = PATIENCE,
) -> table.Report:
    """Measure the cases of these names, each with a directory and an event loop of its own."""
    report = table.Report(machine.describe(scratch))
    began = time.perf_counter()
    for name in names:
        machine.wait_until_quiet(patience)
        bench = _bench(name, sizes, scratch, report, verbose=verbose)
        print(f"{name} …", file=sys.stderr, flush=True)
        load = machine.Load()
        report.rows += asyncio.run(CASES[name](bench))
        report.loads[name] = load.others() or 0.0
    report.seconds = time.perf_counter() - began
    return report


def _bench(
    name: str, sizes: Sizes, scratch: Path, report: table.Report, *, verbose: bool
) -> cases.Bench:
    own = scratch / name
    own.mkdir()
    return cases.Bench(sizes, own, report.notes, verbose)


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says."""
    options = _parser().parse_args(arguments)
    sizes = work.QUICK if options.quick else work.FULL
    with tempfile.TemporaryDirectory(prefix="callsheet-bench-", dir=options.dir) as scratch:
        if options.profile:
            bench = cases.Bench(sizes, Path(scratch))
            asyncio.run(profiling.profile(options.profile, bench))
            return 0
        names = options.case or list(CASES)
        report = measure(names, sizes, scratch=Path(scratch), verbose=options.verbose)
    print(table.document(report))
    whole = not options.quick and not options.case
    if whole or options.write:
        _write(report, anyway=options.write)
    return 0


def _write(report: table.Report, *, anyway: bool) -> None:
    if report.busiest > machine.QUIET and not anyway:
        print(
            f"{RESULTS.name} is left as it is: others took up to {report.busiest:.0%} of the "
            f"machine, and {machine.QUIET:.0%} is the most that counts as quiet (--write: anyway)."
        )
        return
    RESULTS.write_text(table.document(report), "utf-8")
    print(f"Written to {RESULTS}.")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="less of everything; writes nothing")
    parser.add_argument(
        "--case", action="append", choices=CASES, help="this case only (may be repeated)"
    )
    parser.add_argument(
        "--profile", choices=profiling.PROFILED, help="print where the time of our side goes"
    )
    parser.add_argument("--verbose", action="store_true", help="also what the import consists of")
    parser.add_argument("--write", action="store_true", help="write RESULTS.md in any case")
    parser.add_argument("--dir", type=Path, help="where the databases are put (default: TMPDIR)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
