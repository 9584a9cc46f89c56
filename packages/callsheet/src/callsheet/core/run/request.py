"""Requests: what is asked of a run, perhaps by another process."""

from __future__ import annotations

from datetime import datetime
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
    "start",
    "unreadable",
]
"""`stop`, `undo_step` and `retry` are about one step: kinds of their own, so that a version which
does not know them refuses them, and takes none for a request about the run.

`start`: the run is not there yet; whoever has its tools begins it.

`unreadable`: something was left that is no request; it is refused, and `reason` says why."""


class LeftFork(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Which run a run is to be forked from, and how."""

    run: str
    step: str
    args: dict[str, Json] | None = None
    repeat_writes: bool = False


class Wanted(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A run that somebody wants, beside its plan."""

    key: str | None = None
    tenant: str = "default"
    open: bool = False
    subject: str | None = None
    fork: LeftFork | None = None


class LeftStart(Wanted, frozen=True, kw_only=True, omit_defaults=True):
    """A run that somebody wants who does not drive: for whoever has its tools."""

    at: datetime
    plan: Plan
    """Of a fork, as it would be now; it is made when it is begun."""
    content: str
    """What its key stands for, if it has one."""
    inputs: dict[str, Json] = {}
    only: tuple[str, ...] | None = None
    """The tools, as names or patterns, that whoever wants it may use; None: what the tenant may."""


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
    start: LeftStart | None = None
    """`start`: what is to be started."""


class Settled(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What became of a request."""

    refusal: str | None = None
    """Why it was not done; None: it was journalled."""
    error: str = ""
    """The code of the error that this was; empty: that the request was refused."""
    run: str | None = None
    """`start`: the run that had its key before; None: the run is the one that was asked for."""
    cancelled: bool = False
    """`start`: nobody wants it any more, and it has never begun."""
    at: datetime | None = None
    """When it was refused or cancelled."""
