"""What a draft is told: the words of its run.

They stand in journals, so this is a format: fields are only ever added, with defaults.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from callsheet.agents.history import link_in
from callsheet.core.plan.artifact import Artifact
from callsheet.core.plan.plan import FORMAT, Budget, OnCancel, OnFailure
from callsheet.core.value import Json

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from callsheet.core.plan.plan import Cost, Step

DRAFT = "model.draft"
"""The tool that every draft, and every joiner, is a call of."""
REPAIRS = 2
"""How often problems go back."""
ROUNDS = 5
"""How often a joiner is asked."""
MOST_STEPS = 1_000
"""Steps of one document."""
MOST_TEXT = 1_000_000
"""Characters of one document."""
LONGEST = 600.0
"""Seconds that a model has to write one document."""
RESULT = 8_000
"""Characters of one outcome that a joiner is shown."""

SCHEMA: dict[str, Json] = {
    "type": "object",
    "properties": {
        "terms": {"type": "object"},
        "round": {"type": "integer", "minimum": 0},
        "repair": {"type": "integer", "minimum": 0},
        "link": {"type": ["object", "null"]},
        "outcomes": {"type": ["object", "null"]},
    },
    "required": ["terms"],
    "additionalProperties": False,
}


class DraftTerms(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the caller has fixed before the first step."""

    goal: str
    model: str
    tools: tuple[str, ...] = ()
    plans: tuple[str, ...] = ()
    """Saved plans that steps may be."""
    name: str = "draft"
    inputs: dict[str, Json] = {}
    """Name to JSON Schema."""
    budget: Budget | None = None
    on_failure: OnFailure = "undo"
    on_cancel: OnCancel | None = None
    concurrency: int = 8
    only_draft: bool = False
    """Nothing that is drafted is run: the plan is what the run gives."""

    def plan(self, steps: Iterable[Step | dict[str, Json]], output: Json) -> dict[str, Json]:
        """The plan of these steps, as a document."""
        document: dict[str, Json] = {"callsheet": FORMAT, "name": self.name}
        document |= {"description": self.description, "inputs": dict(self.inputs)}
        if self.budget is not None:
            document["budget"] = msgspec.to_builtins(self.budget)
        document |= {"on_failure": self.on_failure, "concurrency": self.concurrency}
        if self.on_cancel is not None:
            document["on_cancel"] = self.on_cancel
        document["steps"] = [msgspec.to_builtins(step) for step in steps]
        if output is not None:
            document["output"] = output
        return {name: each for name, each in document.items() if each not in ("", {})}

    @property
    def description(self) -> str:
        """The goal, as a plan may say it: nothing in it is a reference."""
        return " ".join(self.goal.split())[:200]


class DraftOrder(msgspec.Struct, frozen=True, kw_only=True):
    """What one document is asked with."""

    round: int = 0
    """0: the draft; from 1: a joiner."""
    repair: int = 0
    """How often problems have gone back in this round."""
    link: Artifact | None = None
    """All that was said before."""
    outcomes: dict[str, Json] | None = None
    """What became of the steps, for a joiner."""


def order_of(args: dict[str, Json]) -> DraftOrder:
    """What the arguments of a step say, but for the terms."""
    return DraftOrder(
        round=msgspec.convert(args.get("round") or 0, int),
        repair=msgspec.convert(args.get("repair") or 0, int),
        link=link_in(args.get("link")),
        outcomes=msgspec.convert(args.get("outcomes"), dict[str, Json] | None),
    )


def step_id(order: DraftOrder) -> str:
    """What the step of a document is called."""
    name = f"joining_{order.round}" if order.round else "drafting"
    return f"{name}_{order.repair + 1}" if order.repair else name


def draft_step(
    order: DraftOrder, terms: dict[str, Json], ceiling: Cost, steps: Sequence[str] = ()
) -> dict[str, Json]:
    """The step that asks for a document; a joiner is told what became of `steps`.

    Nothing that a model or a caller wrote stands in it but as data: it is `literal`, or, for a
    joiner, `terms` is an artifact.
    """
    args: dict[str, Json] = {"terms": terms}
    args |= {"round": order.round} if order.round else {}
    args |= {"repair": order.repair} if order.repair else {}
    args |= {"link": order.link.to_json()} if order.link else {}
    step: dict[str, Json] = {"id": step_id(order), "tool": DRAFT, "args": args, "timeout": LONGEST}
    if steps:
        args["outcomes"] = {name: f"${{outcomes.{name}}}" for name in steps}
    else:
        step["literal"] = True
    if ceiling.usd or ceiling.tokens:
        step["ceiling"] = {"usd": ceiling.usd, "tokens": ceiling.tokens}
    return step


def is_drafted(step: Step) -> bool:
    """Whether a model wrote it: the others ask for what it writes."""
    return step.tool != DRAFT


def drafted(steps: Sequence[Step]) -> list[Step]:
    """Those that a model wrote."""
    return [step for step in steps if is_drafted(step)]
