"""Everything about the peers in one go: the numbers first, then the questions."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from bench import machine
from bench.peers.asking import answers
from bench.peers.catalog import PEERS, VARIANTS
from bench.peers.contest import contests
from bench.peers.environments import Environments
from bench.peers.report import Findings

if TYPE_CHECKING:
    from pathlib import Path

    from bench.work import Sizes


def measure(sizes: Sizes, scratch: Path, environments: Environments | None = None) -> Findings:
    """Measure and ask all of them."""
    environments = environments or Environments()
    began = time.perf_counter()
    return Findings(
        contests=contests(VARIANTS, sizes, scratch / "contests", environments),
        answers=answers(PEERS, scratch / "questions", environments),
        facts=machine.describe(scratch),
        seconds=time.perf_counter() - began,
    )
