"""Plans that clients hand in: read, checked, and held to what the door allows."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import structs

from callsheet.core.plan.plan import Plan
from callsheet.core.plan.read import read_plan
from callsheet.core.plan.subplan import saved_names
from callsheet.core.problem import Problem, refusal_of
from callsheet.core.refs.references import prepare
from callsheet.core.run.entries import RunStarted, StepsAdded
from callsheet.errors import InputError, PlanError, UnknownPlanError
from callsheet.runtime.checker import Checker, found_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from callsheet.core.plan.plan import Step
    from callsheet.runtime.checker import CheckedPlan
    from callsheet.runtime.run import Run
    from callsheet.serve.mcp.door import Door


_SMALL = 20
"""Steps of a plan that is checked sooner than a thread for it is found."""
_LINE = 100
"""Bytes of text that a step has, about."""


class Handed(msgspec.Struct, frozen=True, kw_only=True):
    """A plan that was handed in, with all that is wrong with it."""

    read_as: str
    """What was understood: an object, YAML text, or the name of a saved plan."""
    plan: Plan | None
    """None: it is so wrong that there is nothing to check."""
    problems: tuple[Problem, ...]

    @property
    def ok(self) -> bool:
        """Whether it can be started."""
        return not any(problem.severity == "error" for problem in self.problems)

    def accepted(self) -> Plan:
        """The plan, to be started.

        Raises:
            PlanError: it cannot; every problem.
        """
        if self.plan is None or not self.ok:
            errors = [each for each in self.problems if each.severity == "error"]
            raise refusal_of(errors or self.problems)
        return self.plan


async def handed_in(door: Door, args: dict[str, Any]) -> Handed:
    """The plan that a call is about: `plan`, or `plan_id` for a saved one.

    Raises:
        InputError: neither, or both.
        UnknownPlanError: there is no saved plan of that name.
    """
    plan, name = args.get("plan"), args.get("plan_id")
    if (plan is None) == (name is None):
        raise InputError("Give either `plan` or `plan_id`, the name of a saved plan.")
    if name is None and isinstance(plan, str) and not _is_text(plan):
        name = plan
    if name is not None:
        return await _saved(door, name)
    source = plan.encode() if isinstance(plan, str) else dict(plan or {})
    read_as = "YAML text" if isinstance(plan, str) else "an object"
    try:
        checked = await _examined(Checker(door.tenant.tools), source)
    except PlanError as error:
        return Handed(read_as=read_as, plan=None, problems=found_in(error))
    problems = checked.problems
    if not checked.errors and any(saved_names(checked.plan)):
        problems = await door.tenant.check(checked.plan)
    problems = (
        *_unoffered(door, checked.plan, problems),
        *_secrets(door, checked.plan.steps),
        *await _secrets_in_saved(door, checked.plan),
    )
    return Handed(read_as=read_as, plan=checked.plan, problems=problems)


async def _examined(checker: Checker, source: bytes | dict[str, Any]) -> CheckedPlan:
    steps = source.get("steps") if isinstance(source, dict) else None
    size = len(source) // _LINE if isinstance(source, bytes) else _count(steps)
    if size <= _SMALL:
        return checker.examine(source, lenient=True)
    # A large one takes its time, and others are served meanwhile.
    return await asyncio.to_thread(checker.examine, source, lenient=True)


def _count(steps: object) -> int:
    return len(steps) if isinstance(steps, list) else 0


async def _saved(door: Door, name: str) -> Handed:
    name, _, version = name.strip().partition("@")
    if version and not version.isdecimal():
        raise InputError(f"{version!r} is no version of a plan. Write it as in name@2.")
    saved = await door.tenant.plans.get(name, int(version) if version else None)
    problems = await door.tenant.check(saved.plan)
    read_as = f"the saved plan {name!r}, version {saved.version}"
    problems = (
        *_unoffered(door, saved.plan, problems),
        *_secrets(door, saved.plan.steps),
        *await _secrets_in_saved(door, saved.plan),
    )
    return Handed(read_as=read_as, plan=saved.plan, problems=problems)


async def _secrets_in_saved(door: Door, plan: Plan) -> list[Problem]:
    """The same for the saved plans that it names, and those that they name.

    Whoever starts them says what they are given, and so where their secrets go.
    """
    found: list[Problem] = []
    waiting, seen = list(saved_names(plan)), set[str]()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        with suppress(UnknownPlanError):  # which the check has said
            saved = (await door.tenant.plans.get(*_version_in(name))).plan
            found += [
                structs.replace(each, what=f"{each.what} (in the saved plan {name!r})")
                for each in _secrets(door, saved.steps)
            ]
            waiting += saved_names(saved)
    return found


def _version_in(name: str) -> tuple[str, int | None]:
    known, _, version = name.partition("@")
    return known, int(version) if version.isdecimal() else None


async def must_be_allowed(door: Door, steps: Sequence[dict[str, Any]]) -> None:
    """Hold steps that are added to a run to what the door allows.

    Raises:
        PlanError: they are no steps, or name a secret or a tool that is not for whoever comes
            this way.
    """
    plan = read_plan({"callsheet": 1, "name": "added", "steps": list(steps)})
    problems = [
        *_unoffered(door, plan, ()),
        *_secrets(door, plan.steps),
        *await _secrets_in_saved(door, plan),
    ]
    if problems:
        raise refusal_of(problems)


async def must_reach_no_secret(door: Door, run: Run, args: dict[str, Any] | None) -> None:
    """The same for a fork: its new arguments, and what a run is given with them that names secrets.

    With another address in one argument, the secret in the next would go there.

    Raises:
        PlanError: a secret is named that is not for whoever comes this way.
    """
    if not args:
        return  # what was decided before is done again
    named = dict.fromkeys(prepare(args).secrets)
    problems = [_secret("args", name) for name in named if name not in door.secrets]
    for entry in await run.journal():
        match entry:
            case RunStarted():
                plans = (entry.plan, *entry.children.values())
                problems += [found for plan in plans for found in _secrets(door, plan.steps)]
            case StepsAdded():
                problems += _secrets(door, entry.steps)
            case _:
                pass
    if problems:
        raise refusal_of(problems)


def _is_text(plan: str) -> bool:
    """Whether it is a plan and not the name of one."""
    return "\n" in plan or plan.lstrip().startswith("{")


def _unoffered(door: Door, plan: Plan, problems: Sequence[Problem]) -> Iterator[Problem]:
    """The problems; those about tools that are withheld say who can offer them."""
    withheld = dict(_withheld(door, plan.steps))
    for problem in problems:
        said = withheld.pop(problem.place, None)
        yield structs.replace(problem, fix=said, patch=None) if said else problem
    for place, said in withheld.items():
        yield Problem(place=place, what="the tool is not offered here", fix=said)


def _withheld(door: Door, steps: Sequence[Step], within: str = "") -> Iterator[tuple[str, str]]:
    for index, step in enumerate(steps):
        place = f"{within}steps[{index}]"
        if said := door.withheld.get(step.tool or ""):
            yield f"{place}.tool", said
        if isinstance(step.plan, Plan):
            yield from _withheld(door, step.plan.steps, f"{place}.plan.")


def _secrets(door: Door, steps: Sequence[Step], within: str = "") -> Iterator[Problem]:
    """A secret that a model names goes wherever the model wants: none does unless it is granted."""
    for index, step in enumerate(steps):
        place = f"{within}steps[{index}]"
        if not step.literal:
            named = dict.fromkeys(_named(step))
            for name in named:
                if name not in door.secrets:
                    yield _secret(place, name)
        if isinstance(step.plan, Plan):
            yield from _secrets(door, step.plan.steps, f"{place}.plan.")


def _named(step: Step) -> Iterator[str]:
    yield from prepare(step.args).secrets
    if step.undo is not None and step.undo != "none":
        yield from prepare(step.undo.args).secrets


def _secret(place: str, name: str) -> Problem:
    what = f"the secret {name} is not for plans that come this way"
    fix = f'Whoever runs the server can allow it in callsheet.toml: [mcp] secrets = ["{name}"].'
    return Problem(place=place, what=what, fix=fix)
