"""`python -m bench`: measure, print the table, write `RESULTS.md`."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench import (
    artifacts,
    cases,
    doors,
    film,
    guards,
    inside,
    machine,
    mcp,
    postgres,
    processes,
    profiling,
    results,
    scale,
    serve,
    studio,
    studio_solver,
    syncs,
    table,
    turns,
    used,
    work,
)
from bench.peers import measuring
from bench.peers import report as peers

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from bench.work import Sizes

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
    "processes": processes.processes,
    "postgres_chain": postgres.postgres_chain,
    "postgres_fan": postgres.postgres_fan,
    "artifacts": artifacts.artifacts,
    "used": used.used,
    "doors": doors.doors,
    "guards": guards.guards,
    "inside": inside.inside,
    "serve": serve.serve,
    "mcp": mcp.mcp,
    "turns": turns.turns,
    "studio": studio.studio,
    "solver": studio_solver.solver,
    "film": film.film,
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
        if not options.only_peers:
            _ours(options, sizes, Path(scratch))
        if _wants_peers(options):
            _peers(options, sizes, Path(scratch))
    return 0


def _ours(options: argparse.Namespace, sizes: Sizes, scratch: Path) -> None:
    names = options.case or list(CASES)
    report = measure(names, sizes, scratch=scratch, verbose=options.verbose)
    print(table.document(report))
    if options.write or not (options.quick or options.case):
        results.write(table.document(report), report.busiest, anyway=options.write)


def _wants_peers(options: argparse.Namespace) -> bool:
    """Unless it is said: with everything else, and not with single cases."""
    if options.peers is None:
        return options.only_peers or not options.case
    return bool(options.peers)


def _peers(options: argparse.Namespace, sizes: Sizes, scratch: Path) -> None:
    machine.wait_until_quiet(PATIENCE)
    findings = measuring.measure(sizes, scratch)
    section = peers.section(findings)
    print(section)
    if options.write or not options.quick:
        results.write(section, findings.busiest, anyway=options.write)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="less of everything; writes nothing")
    parser.add_argument(
        "--case", action="append", choices=CASES, help="this case only (may be repeated)"
    )
    parser.add_argument(
        "--profile", choices=profiling.PROFILED, help="print where the time of our side goes"
    )
    parser.add_argument(
        "--peers",
        action=argparse.BooleanOptionalAction,
        help="also other engines, in environments of their own (with everything: yes)",
    )
    parser.add_argument("--only-peers", action="store_true", help="nothing but these")
    parser.add_argument("--verbose", action="store_true", help="also what the import consists of")
    parser.add_argument("--write", action="store_true", help="write RESULTS.md in any case")
    parser.add_argument("--dir", type=Path, help="where the databases are put (default: TMPDIR)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
