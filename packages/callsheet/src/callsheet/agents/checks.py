"""What is made of a call that a model asks for: a step, and when; or an error that it can mend."""

from __future__ import annotations

import difflib
from contextlib import suppress
from typing import TYPE_CHECKING, Literal

import msgspec

from callsheet.agents.assembler import read_arguments
from callsheet.core import value
from callsheet.core.plan.document import plain
from callsheet.core.plan.toolspec import ToolSpec
from callsheet.core.problem import Report
from callsheet.core.schema.validate import problems_of
from callsheet.core.value import Json
from callsheet.errors import PlanError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet.agents.message import Call
    from callsheet.core.plan.toolspec import Tools

SHOWN = 5
"""Problems of arguments that a model is told at once."""
LOOKING = frozenset({"runs.list", "runs.show", "runs.why", "runs.cost", "runs.questions"})
"""The tools of conversations that look at runs."""
STEERING = frozenset({"runs.cancel", "runs.pause", "runs.undo", "runs.resume", "runs.retry"})
"""Those that change runs: a model needs a person's approval, and a person needs none."""
Start = Literal["at_once", "at_the_end", "when_approved"]


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """A call that can be made."""

    spec: ToolSpec
    args: dict[str, Json]
    start: Start

    @property
    def digest(self) -> str:
        """Of the tool and the arguments."""
        return call_digest(self.spec.name, self.args)


def call_digest(name: str, args: Json) -> str:
    """The name of a call by what it does."""
    return value.digest([name, args])[:32]


def starts(spec: ToolSpec, *, own_words: bool = False) -> Start:
    """When a call of a tool may start; `own_words`: a person has asked for it, and no model."""
    is_meant = own_words and spec.name in STEERING
    if (spec.destructive and not is_meant) or spec.approval is not None:
        return "when_approved"
    early = spec.effect == "read" or spec.idempotent or spec.undo is not None
    return "at_once" if early else "at_the_end"


def unsayable(args: dict[str, Json]) -> str:
    """What no plan can say, in arguments that a model wrote; "": all of it can be said.

    They become a step of the turn: one that cannot be read would end it, and everything in it.
    """
    if (problem := value.problem_of(args)) is not None:
        return f"they hold something {problem}"
    report = Report()
    with suppress(PlanError):  # which the report has
        plain(args, report)
    return "; ".join(f"{each.place}: {each.what}" for each in report.problems[:SHOWN])


def checked(
    call: Call, tools: Tools, offered: Sequence[str], *, own_words: bool = False
) -> Wanted | str:
    """The call that is wanted, or what to write instead."""
    spec = tools.spec(call.name) if call.name in offered else None
    if spec is None:
        near = difflib.get_close_matches(call.name, offered, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        return f"There is no tool {call.name!r}.{hint} Write one of: {', '.join(offered)}."
    args = read_arguments(call.arguments)
    if args is None:
        return (
            f"The arguments of {call.name!r} are not one complete JSON object. Write the whole "
            "object, and nothing after it."
        )
    if problem := unsayable(args):
        return f"The arguments of {call.name!r} do not fit: {problem}."
    problems = problems_of(spec.input_schema, args) if spec.input_schema else []
    if problems:
        told = "; ".join(
            f"{'.'.join(map(str, place)) or 'arguments'}: {what}"
            for place, what in problems[:SHOWN]
        )
        return f"The arguments of {call.name!r} do not fit: {told}. Write them as its schema says."
    return Wanted(spec=spec, args=args, start=starts(spec, own_words=own_words))
