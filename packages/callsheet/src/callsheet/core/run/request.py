"""Requests: what is asked of a run, perhaps by another process."""

from __future__ import annotations

from typing import Literal

import msgspec

from callsheet.core.plan.plan import Plan
from callsheet.core.value import Json

RequestKind = Literal[
    "pause",
    "resume",
    "cancel",
    "undo",
    "answer",
    "add",
    "seal",
    "stop",
    "undo_step",
    "retry",
    "unreadable",
]
"""`stop`, `undo_step` and `retry` are about one step: kinds of their own, so that a version which
does not know them refuses them, and takes none for a request about the run.

`unreadable`: something was left that is no request; it is refused, and `reason` says why."""


class Request(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something asked of a run, perhaps by another process."""

    id: str
    run: str
    kind: RequestKind
    by: str | None = None
    step: str | None = None
    """`undo`: the step to keep; `answer` and the verbs of one step: which."""
    question: str | None = None
    """`answer`: the question it is meant for; None: whichever the step asks now."""
    answer: Json = None
    output: Json = None
    reason: str = ""
    steps: list[dict[str, Json]] = []
    """`add`: the steps, as a plan would write them."""
    plans: dict[str, Plan] = {}
    """`add`: the saved plans that they name."""
    left: bool = False
    """Nobody drove the run when it was asked, and nobody waits for what becomes of it."""


class Settled(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What became of a request."""

    refusal: str | None = None
    """Why it was not done; None: it was journalled."""
