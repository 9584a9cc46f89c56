"""Drafts: runs whose plan a model writes, or that are of a plan which was chosen by words."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

import msgspec
from msgspec import structs

from callsheet.agents import money
from callsheet.agents.drafting.draft import request_of
from callsheet.agents.drafting.prompt import goal_of
from callsheet.agents.drafting.terms import (
    DraftOrder,
    DraftTerms,
    draft_step,
    is_answer,
    is_draft,
    terms_of,
)
from callsheet.agents.message import UserMessage
from callsheet.agents.model import OFFLINE
from callsheet.core import given
from callsheet.core.ids import PLAN_NAME
from callsheet.core.plan.plan import FORMAT
from callsheet.core.plan.read import read_plan
from callsheet.core.run.entries import RunSealed, RunStarted, StepsAdded
from callsheet.core.schema.shape import kind_of
from callsheet.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from callsheet.agents.drafting.draft import Draftsman
    from callsheet.core.ids import RunId
    from callsheet.core.plan.plan import Budget, OnCancel, OnFailure, Plan
    from callsheet.core.value import Json
    from callsheet.engine.plans import SavedPlans
    from callsheet.engine.runs import Runs
    from callsheet.engine.turns import Turns
    from callsheet.ports import Toolbox
    from callsheet.runtime.run import Run

MOST_GOAL = 100_000
"""Characters of a goal."""
SAVED = "plan:"
"""How a saved plan is named among the tools."""
_POLICIES = ("undo", "stop")
_LISTED = 20


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """What `plan_for` was asked for."""

    goal: str
    tools: Iterable[str] | None = None
    model: str | None = None
    budget: Budget | None = None
    inputs: Mapping[str, Json] | None = None
    name: str = "draft"
    on_failure: OnFailure = "undo"
    on_cancel: OnCancel | None = None
    concurrency: int = 8
    only_draft: bool = False
    key: str | None = None
    subject: str | None = None


class PlanFor(TypedDict, total=False):
    """The options of `plan_for`: of an engine, of a tenant, with and without async."""

    tools: Iterable[str] | None
    model: str | None
    budget: Budget | None
    inputs: Mapping[str, Json] | None
    name: str
    on_failure: OnFailure
    on_cancel: OnCancel | None
    concurrency: int
    only_draft: bool
    key: str | None
    subject: str | None


class Drafts:
    """What `Engine` does with goals."""

    def __init__(self, runs: Runs, turns: Turns, draftsman: Draftsman) -> None:
        self._runs = runs
        self._turns = turns
        self._draftsman = draftsman
        self._models = draftsman.desk.models

    async def start(
        self, wish: Wish, plans: SavedPlans, tenant: str, *, box: Toolbox, reach: bool = True
    ) -> Run:
        """As `Engine.plan_for`, with the tenant's `plans`, and tools out of a `box`.

        Unless it may `reach` them, it has no model that is a file of this machine.
        """
        self._runs.must_drive()
        goal = given.text("goal", wish.goal)
        if not goal.strip():
            raise InputError("The goal is empty. Write what you want.")
        if len(goal) > MOST_GOAL:
            raise InputError(
                f"A goal has at most {MOST_GOAL:,} characters; this has {len(goal):,}. Put what "
                "is long into a file or an input."
            )
        if wish.model is None or wish.model == OFFLINE:
            return await self._chosen(wish, plans, tenant)
        self._turns.must_be_ready(given.text("model", wish.model), tenant, reach=reach)
        return await self._drafted(wish, tenant, box)

    # With a model

    async def _drafted(self, wish: Wish, tenant: str, box: Toolbox) -> Run:
        terms = await self._terms(wish, tenant, box)
        inputs = given.mapping("inputs", wish.inputs or {})
        plan: dict[str, Json] = {
            "callsheet": FORMAT,
            "name": terms.name,
            "description": terms.description,
            "inputs": dict(terms.inputs),
            "on_failure": terms.on_failure,
            "concurrency": terms.concurrency,
            "steps": [await self._first(terms, tenant)],
        }
        plan |= {"on_cancel": terms.on_cancel} if terms.on_cancel is not None else {}
        plan |= {"budget": msgspec.to_builtins(terms.budget)} if terms.budget is not None else {}
        return await self._runs.start(
            plan, inputs, key=wish.key, is_open=True, tenant=tenant, subject=wish.subject
        )

    async def _terms(self, wish: Wish, tenant: str, box: Toolbox) -> DraftTerms:
        if wish.on_failure not in _POLICIES:
            raise InputError(
                f"on_failure={wish.on_failure!r}: a draft that fails ends its run. Write 'undo' "
                "or 'stop'."
            )
        if not PLAN_NAME.fullmatch(given.text("name", wish.name)):
            raise InputError(
                f"{wish.name!r} cannot be the name of a plan: write letters, digits, '.', '_' and "
                "'-', 100 at most."
            )
        tools, saved = self._offered(wish, box)
        inputs = given.mapping("inputs", wish.inputs or {})
        schemas: dict[str, Json] = {name: {"type": kind_of(each)} for name, each in inputs.items()}
        terms = DraftTerms(
            goal=wish.goal,
            model=wish.model or "",
            tools=tools,
            plans=saved,
            name=wish.name,
            inputs=schemas,
            budget=wish.budget,
            on_failure=wish.on_failure,
            on_cancel=wish.on_cancel,
            concurrency=given.whole("concurrency", wish.concurrency, least=1),
            only_draft=given.flag("only_draft", wish.only_draft),
        )
        await self._must_be_there(terms, tenant)
        return terms

    def _offered(self, wish: Wish, box: Toolbox) -> tuple[tuple[str, ...], tuple[str, ...]]:
        if isinstance(wish.tools, str):
            raise given.wrong("tools", "a list of names", wish.tools)
        named = None if wish.tools is None else [given.text("tools", each) for each in wish.tools]
        saved = [each.removeprefix(SAVED) for each in named or () if each.startswith(SAVED)]
        called = None if named is None else [each for each in named if not each.startswith(SAVED)]
        found = self._turns.offered(called, box).names if called is None or called else ()
        if not found and not saved:
            raise InputError("There are no tools to plan with. Name some in `tools`.")
        return found, tuple(saved)

    async def _must_be_there(self, terms: DraftTerms, tenant: str) -> None:
        offered = await self._draftsman.offered(terms, tenant)
        missing = [name for name in terms.plans if name not in offered.plans]
        if missing:
            raise InputError(
                f"There is no saved plan {missing[0]!r}. `callsheet plan list` lists them."
            )

    async def _first(self, terms: DraftTerms, tenant: str) -> dict[str, Json]:
        price = self._models.price(terms.model)
        if price is None and terms.budget is not None and terms.budget.usd is not None:
            raise InputError(
                f"The price of {terms.model!r} is unknown, so a budget in USD cannot be kept. Set "
                "it in the configuration (price = {input = 3.0, output = 15.0}), or leave the "
                "budget out."
            )
        offered = await self._draftsman.offered(terms, tenant)
        request = request_of(terms, offered, [UserMessage(text=goal_of(terms))], {})
        ceiling = money.ceiling_of(request, price, self._models.most(terms.model))
        return draft_step(DraftOrder(), msgspec.to_builtins(terms), ceiling)

    async def plan_of(self, run: RunId) -> Plan:
        """As `Engine.drafted`."""
        handle = await self._runs.get(run)
        entries = await handle.journal()
        first = entries[0]
        if not isinstance(first, RunStarted) or not any(map(is_draft, first.plan.steps)):
            raise InputError(f"Nothing was drafted in run {run!r}.")
        if terms_of(first.plan.steps[0]).only_draft:
            given_plan = (await handle.status()).output
            if isinstance(given_plan, dict):
                return read_plan(given_plan)
        added = [each for each in entries if isinstance(each, StepsAdded)]
        steps = [step for each in added for step in each.steps if not is_draft(step)]
        seals = [each.output for each in entries if isinstance(each, RunSealed)]
        output = next((each for each in seals if not is_answer(each)), None)
        return structs.replace(first.plan, steps=tuple(steps), output=output)

    # Without one

    async def _chosen(self, wish: Wish, plans: SavedPlans, tenant: str) -> Run:
        found = await plans.fitting(wish.goal)
        if not found or not found[0].clear:
            raise InputError(_none_chosen([each.plan.name for each in found]))
        if wish.only_draft:
            raise InputError(
                f"Without a model nothing is drafted. The saved plan {found[0].plan.name!r} fits."
            )
        plan = found[0].plan
        if wish.budget is not None:
            plan = structs.replace(plan, budget=wish.budget)
        return await self._runs.start(
            plan,
            wish.inputs or {},
            key=wish.key,
            is_open=False,
            tenant=tenant,
            subject=wish.subject,
        )


def _none_chosen(names: list[str]) -> str:
    why = "There is no model to draft a plan, and no plan was found whose words fit the goal"
    if not names:
        return f"{why}: none is saved. Name a model, or save a plan (`callsheet plan save`)."
    more = f", and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    known = ", ".join(names[:_LISTED])
    return f"{why} and no other. There are {known}{more}. Name a model, or run one of these."
