"""What may go wrong in a story, and how often.

Each story draws its own weather from these chances: some are calm, some have one fault all the
time, some have everything at once. Faults that come rarely together find what constant rain hides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from random import Random


class Faults(msgspec.Struct, frozen=True, kw_only=True):
    """How often each thing happens, between 0 (never) and 1 (at every occasion)."""

    crashes: float = 0.5
    """Per life of the engine: the process dies at some moment, and another one goes on."""
    slow_commits: float = 0.3
    """Per append: it takes up to three seconds."""
    failed_commits: float = 0.05
    """Per append: it fails, and nothing is written."""
    unsure_commits: float = 0.05
    """Per append: it fails, and all is written."""
    errors: float = 0.15
    """Per call: the tool fails, with any class of error."""
    lost_answers: float = 0.06
    """Per call: it has done its work, and the answer never arrives."""
    hangs: float = 0.05
    """Per call: it does not end until it is told to."""
    deaf: float = 0.1
    """Per call: it does not listen when it is told to stop."""
    stubborn: float = 0.02
    """Per call of an undo: it fails for good."""
    cancels: float = 0.2
    """Per story: a person cancels."""
    pauses: float = 0.2
    """Per story: a person pauses the run, and resumes it later."""
    undos: float = 0.2
    """Per story: a person has it undone, while it runs or afterwards."""
    denials: float = 0.1
    """Per approval: it is denied."""
    echoes: float = 0.3
    """Per answer: it is given twice."""
    openness: float = 0.1
    """Per story: the run is open, and people add the last of its steps while it runs."""
    forks: float = 0.15
    """Per story: somebody forks a run, whatever its state, once or twice."""
    repeats: float = 0.2
    """Per story: the same plan is run once more, perhaps by another tenant."""
    upgrades: float = 0.15
    """Per story: the second process has newer versions of the tools."""
    elsewhere: float = 0.3
    """Per request: it comes from another process, through the inbox."""
    outages: float = 0.03
    """Per append: from then on the disk takes nothing for up to a minute."""
    zombies: float = 0.3
    """Per crash: what the dead process had on its way arrives when another one is at work."""
    closings: float = 0.3
    """Per life of the engine: it is closed at some moment, and another process goes on."""


CALM = Faults(**dict.fromkeys(Faults.__struct_fields__, 0.0))
"""Nothing goes wrong, and nobody interferes."""


def weather(faults: Faults, random: Random) -> Faults:
    """The faults of one story: each kind is left out, kept, or comes much more often."""
    drawn = {}
    for name in Faults.__struct_fields__:
        chance: float = getattr(faults, name)
        drawn[name] = min(chance * (0.0, 0.0, 1.0, 1.0, 2.5)[random.randrange(5)], 1.0)
    return Faults(**drawn)


def happens(random: Random, chance: float) -> bool:
    """Whether something happens that has this chance."""
    return random.random() < chance
