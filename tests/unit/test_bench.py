"""The benchmark runs and says what it found. Nothing here looks at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from bench import fresh, machine, scale, syncs, table
from bench.__main__ import CASES, measure
from bench.sampling import Series
from bench.work import TINY

if TYPE_CHECKING:
    from pathlib import Path

ALWAYS = ("chain", "start", "entries", "cancel", "inside")
"""Cases that are measured for each change: a rate, a time, a count, and what two engines do."""
APART = ("syncs", "growth", "footprint", "solver", "film")
"""Cases that count for minutes, whatever the sizes are: only `make bench` measures them."""


@pytest.mark.slow  # it opens an engine for each case
def test_a_case_gives_a_row_with_a_verdict(tmp_path: Path) -> None:
    names = ALWAYS
    report = measure(names, TINY, scratch=tmp_path, patience=0.0)
    told = table.document(table.Report({}, report.rows))
    shown = [line for line in told.splitlines() if line.startswith("| ")]
    assert len(shown) == 1 + len(report.rows)
    assert len(report.rows) >= len(names)
    assert all(name in report.loads for name in names)
    assert {row.verdict for row in report.rows} <= {"met", "MISSED", table.NOTHING}


@pytest.mark.long  # processes of their own, services and servers
@pytest.mark.parametrize("name", sorted(CASES.keys() - {*ALWAYS, *APART}))
def test_every_other_case_gives_rows_too(tmp_path: Path, name: str) -> None:
    report = measure([name], TINY, scratch=tmp_path, patience=0.0)
    assert report.rows
    assert {row.verdict for row in report.rows} <= {"met", "MISSED", table.NOTHING}


@pytest.mark.slow  # a fresh interpreter
def test_a_plan_is_measured_in_a_process_of_its_own(tmp_path: Path) -> None:
    pairs = fresh.ask("growth", "lanes", 20, 40, 1, scratch=tmp_path)
    assert [len(pair) for pair in pairs] == [2]


@pytest.mark.slow  # a chain whose every step reads its journal
async def test_no_step_of_a_chain_begins_before_the_outcome_it_needs_is_committed(
    tmp_path: Path,
) -> None:
    assert await syncs.early_starts(tmp_path, 5) == 0


def test_a_share_below_its_bar_is_said_to_be_missed() -> None:
    series = {"ours": Series((3.0, 3.0)), "thread": Series((1.0, 1.2)), "turn": Series((1.0, 1.0))}
    row = table.rate_row("chain", 100, series, at_least=0.5)
    assert row.verdict == "MISSED"
    assert row.ratios[0] == "0.367 (0.333-0.400)"
    assert "Missed: chain." in table.document(table.Report({}, [row]))


def test_the_columns_of_the_table_are_aligned() -> None:
    rows = [table.Row(case="a", ours="1"), table.Row(case="longer", ours="1,000", met=True)]
    assert len({len(line) for line in table.render(rows).splitlines()}) == 1


def test_syncs_are_read_from_what_strace_counted() -> None:
    summary = """\
% time     seconds  usecs/call     calls    errors syscall
------ ----------- ----------- --------- --------- ----------------
 99.21    0.012500          62       201           fdatasync
  0.79    0.000100          50         2         1 fsync
------ ----------- ----------- --------- --------- ----------------
100.00    0.012600          62       203         1 total
"""
    assert syncs.calls(summary) == 203


def test_import_times_are_summed_by_package() -> None:
    said = """\
import time: self [us] | cumulative | imported package
import time:      1000 |       1000 |     asyncio.base
import time:       500 |       1500 |   asyncio
import time:       700 |       2200 | callsheet.core.plan.plan
"""
    assert scale.offenders(said).endswith("asyncio 1.5 ms, callsheet.core 0.7 ms")


def test_the_machine_is_described(tmp_path: Path) -> None:
    said = machine.describe(tmp_path)
    assert all(said.values())
    assert {"date", "commit", "cores", "memory", "kernel", "python", "sqlite"} <= said.keys()
