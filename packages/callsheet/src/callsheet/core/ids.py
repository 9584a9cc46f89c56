"""Names of things, and how new ones are made.

Nothing here reads a clock or rolls dice: whoever mints an id brings the time and the chance.
"""

from __future__ import annotations

import hashlib
import re
from typing import NewType

RunId = NewType("RunId", str)
"""Sorts by the time the run was started, so that new runs land at the end of an index."""

StepId = NewType("StepId", str)
"""A step as the plan names it."""

StepKey = NewType("StepKey", str)
"""A step as a run carries it out: its id, or `id[n]` for one item of a `for_each`."""

Digest = NewType("Digest", str)

STEP_ID = re.compile(r"[a-z][a-z0-9_]*\Z")
PLAN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}\Z")

CAPABILITY = re.compile(r"[a-z][a-z0-9_-]*(\.[a-z0-9_-]+)*\Z")
"""What an agent can do, or its role."""

UNDO = ":undo"
"""How the key of an undo ends; before it stands that of the call it takes back."""

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"


def mint_run(milliseconds: int, chance: int) -> RunId:
    """A run id from the time in milliseconds and 64 bits of chance."""
    number = (milliseconds << 64) | (chance & (2**64 - 1))
    digits = []
    for _ in range(23):
        digits.append(_ALPHABET[number & 31])
        number >>= 5
    return RunId("r" + "".join(reversed(digits)))


def child_run(run: RunId, step: StepKey) -> RunId:
    """The run that a sub-plan is: known before it starts, so that starting it twice is one.

    Begins as its parent does, so that they stand together in an index.
    """
    name = hashlib.sha256(f"{run}\n{step}\nplan".encode()).digest()
    number = int.from_bytes(name[:9], "big")
    digits = "".join(_ALPHABET[(number >> 5 * place) & 31] for place in range(14))
    return RunId(run[:10] + digits)


def item_key(step: StepId | str, index: int) -> StepKey:
    """The key of one item of a `for_each` step."""
    return StepKey(f"{step}[{index}]")


def step_of(key: StepKey | str) -> StepId:
    """The plan's step behind a key."""
    return StepId(key.partition("[")[0])


def index_of(key: StepKey | str) -> int | None:
    """The item's index, or None for a step that is not an item."""
    _, bracket, rest = key.partition("[")
    return int(rest[:-1]) if bracket else None


def idempotency_key(run: RunId, step: StepKey, *, undo: bool = False) -> str:
    """The key a tool is given: the same for all attempts of one step of one run."""
    name = hashlib.sha256(f"{run}\n{step}".encode()).hexdigest()[:32]
    return name + UNDO if undo else name


def chance_of(seed: str, *names: str | int) -> float:
    """A number in [0, 1) that depends on its arguments alone."""
    text = "\n".join((seed, *map(str, names)))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:7], "big") / 2**56
