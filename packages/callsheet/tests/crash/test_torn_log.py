"""The power fails: the end of the write-ahead log is torn, and what was whole before it is kept."""

from __future__ import annotations

import shutil
from random import Random
from typing import TYPE_CHECKING

import pytest
from tests.crash.program import TOLD
from tests.crash.victim import KILLED, Case

from callsheet import Engine
from callsheet.core.run import entries as e
from callsheet.stores.sqlite.session import log_of
from callsheet.stores.sqlite.store import DATABASE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.crash.conftest import Undisturbeds

# Slow: real processes. What the tests cut off had been synced, as if the disk had lied.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("E11", "S7")]

HEADER, FRAME = 32, 24 + 4096
"""Of a log with SQLite's usual pages."""


@pytest.fixture
async def killed(tmp_path: Path) -> Case:
    """A case whose life was killed late, and whose home nobody else has opened ever."""
    case = Case(tmp_path / "killed")
    async with case.life("append.after:8", answers=False) as life:
        assert await life.end() == KILLED
    return case


def copy_of(case: Case, name: str) -> Case:
    home = case.home.with_name(name)
    shutil.copytree(case.home, home)
    return Case(home, case.scenario)


def log_bytes(case: Case) -> bytes:
    return log_of(case.home / DATABASE).read_bytes()


def tear(case: Case, log: bytes, *, index: bool) -> None:
    path = log_of(case.home / DATABASE)
    path.write_bytes(log)
    if not index:
        # After the loss of power there is none; after a kill there is, and it is out of date.
        path.with_name(f"{DATABASE}-shm").unlink()


async def kept(case: Case) -> Sequence[bytes]:
    return [e.encode(entry) for entry in await case.journal()]


async def test_a_log_torn_anywhere_keeps_a_prefix_of_the_journal(killed: Case) -> None:
    log = log_bytes(killed)
    whole = await kept(copy_of(killed, "whole"))
    frames = range(HEADER, len(log) + 1, FRAME)
    lengths = []
    for number, at in enumerate(frames):
        cut = at + (0, 1, 23, 24, 2000, FRAME - 1)[number % 6]
        case = copy_of(killed, f"cut-{cut}")
        tear(case, log[:cut], index=bool(number % 2))
        found = await kept(case)
        assert list(found) == list(whole[: len(found)])
        lengths.append(len(found))
    assert lengths == sorted(lengths), "the more is left of the log, the more is kept"
    assert lengths[0] == 0
    assert lengths[-1] == len(whole) > 0


async def test_a_log_with_rubbish_in_it_keeps_what_was_before_the_rubbish(killed: Case) -> None:
    log = log_bytes(killed)
    whole = await kept(copy_of(killed, "whole"))
    chance = Random(1)
    for number in range(8):
        at = chance.randrange(HEADER, len(log))
        length = min(chance.choice((1, 512, 10_000)), len(log) - at)
        case = copy_of(killed, f"rubbish-{number}")
        tear(case, log[:at] + chance.randbytes(length) + log[at + length :], index=False)
        found = await kept(case)
        assert list(found) == list(whole[: len(found)])


@pytest.mark.parametrize("left", [0.0, 0.3, 0.6, 0.9, 1.0])
async def test_a_run_goes_on_after_the_end_of_its_log_was_torn_off(
    left: float, killed: Case, undisturbed: Undisturbeds
) -> None:
    expected = (await undisturbed("keeps")).outcome
    log = log_bytes(killed)
    tear(killed, log[: int(len(log) * left)], index=False)
    # What was acknowledged is partly gone, and the world has not forgotten: only what the journal
    # says can be compared.
    (killed.home / TOLD).unlink()
    await Case(killed.home).live_on()
    ended = Case(killed.home).said("ended")[-1].data
    steps = {key: (step["state"], step["output"]) for key, step in ended["steps"].items()}
    assert (ended["state"], ended["output"], steps) == (
        expected.state,
        expected.output,
        expected.steps,
    )
    async with Engine.open(killed.home, drive=False) as engine:
        assert (await engine.replay(ended["run"])).same
