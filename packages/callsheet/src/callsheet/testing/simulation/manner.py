"""How a call behaves, drawn before it begins: how long, how it ends, whether it listens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from callsheet.testing.simulation.faults import happens

if TYPE_CHECKING:
    from random import Random

    from callsheet.core.plan.toolspec import ToolSpec
    from callsheet.testing.simulation.faults import Faults

SURE = ("not_done", "rate_limited", "invalid", "denied", "fatal")
"""Errors that say that nothing happened: raised only when that is true."""
UNSURE = ("transient", "timeout", "reset", "bug")
"""Errors after which nobody knows."""
AGAIN = ("not_done", "rate_limited", "transient")
"""What an undo recovers from."""
FOREVER = 10_000.0


@dataclass(slots=True, kw_only=True, eq=False)
class Manner:
    """How one call behaves."""

    before: float
    """Seconds before it does anything."""
    after: float = 0.0
    """Seconds between doing it and the answer."""
    error: str = ""
    done_first: bool = False
    """The error comes after the work is done."""
    retry_after: float | None = None
    happens_unheard: bool = False
    """If it is stopped, or its process dies, before it has done its work: whether it does it."""
    deaf: float = 0.0
    """Seconds that it goes on after it is told to stop."""
    honest: bool = False
    """It says so when nothing was done."""
    checkpoint: bool = False

    @property
    def words(self) -> str:
        """For the story."""
        told = [f"{self.before + self.after:g} s"]
        if self.error:
            told.append(f"{self.error}{' after it is done' * self.done_first}")
        if self.deaf:
            told.append("deaf")
        return ", ".join(told)


def manner_of(random: Random, faults: Faults, spec: ToolSpec, *, undo: bool) -> Manner:
    """Draw how a call behaves."""
    manner = Manner(
        before=_while(random),
        after=_while(random),
        happens_unheard=happens(random, 0.5),
        honest=happens(random, 0.3),
        checkpoint=not undo and spec.effect == "write" and happens(random, 0.3),
    )
    if happens(random, faults.deaf):
        manner.deaf = random.random() * 20
    if undo:
        _trouble_of_undo(manner, random, faults)
        return manner
    if happens(random, faults.errors):
        _trouble(manner, random)
    elif happens(random, faults.lost_answers):
        manner.error = random.choice(UNSURE)
        manner.done_first = True
    elif happens(random, faults.hangs):
        manner.after = FOREVER
    return manner


def _trouble(manner: Manner, random: Random) -> None:
    manner.error = random.choice(SURE + UNSURE)
    if manner.error == "rate_limited":
        manner.retry_after = round(random.random() * 4, 2)


def _trouble_of_undo(manner: Manner, random: Random, faults: Faults) -> None:
    if happens(random, faults.stubborn):
        manner.error = "fatal"
    elif happens(random, faults.errors / 2):
        manner.error = random.choice(AGAIN)
        manner.done_first = manner.error == "transient" and happens(random, 0.5)


def _while(random: Random) -> float:
    """Often no time at all, seldom a second."""
    return 0.0 if happens(random, 0.3) else round(random.random() ** 3, 3)
