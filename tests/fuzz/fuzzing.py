"""Fuzzing one target: so many inputs, or so long, and everything that is none of ours."""

from __future__ import annotations

import resource
import time
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from tests.fuzz.mutate import spoiled

if TYPE_CHECKING:
    from tests.fuzz.targets import Target

SECONDS = 2.0
"""Of CPU that one input may take: for a megabyte, and so for all that are shorter."""
MEGABYTES = 300
"""That the whole may grow by."""


@dataclass(slots=True)
class Outcome:
    """What came of it."""

    accepted: int = 0
    refused: int = 0
    finds: list[tuple[str, str]] = field(default_factory=list)
    """What was wrong, and the input."""
    longest: float = 0.0


def fuzz(target: Target, seed: int, *, inputs: int | None = None, until: float = 0.0) -> Outcome:
    """Try so many inputs; None: until that moment of the process's own time."""
    outcome, number = Outcome(), 0
    before = _memory()
    while number < inputs if inputs is not None else time.monotonic() < until:
        chance = Random(f"{target.name} {seed} {number}")
        text = spoiled(chance.choice(target.seeds), chance, target.seeds)
        _try(target, text, outcome)
        number += 1
        if _memory() - before > MEGABYTES:
            outcome.finds.append((f"more than {MEGABYTES} MB", text))
            before = _memory()
    return outcome


def _try(target: Target, text: str, outcome: Outcome) -> None:
    begun = time.process_time()
    try:
        target.read(text)
        outcome.accepted += 1
    except target.refusals:
        outcome.refused += 1
    except Exception as exc:  # noqa: BLE001 -- that is what is looked for
        outcome.finds.append((f"{type(exc).__name__}: {exc}"[:200], text))
    took = time.process_time() - begun
    outcome.longest = max(outcome.longest, took)
    if took > SECONDS:
        outcome.finds.append((f"{took:.1f} s of CPU", text))


def _memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
