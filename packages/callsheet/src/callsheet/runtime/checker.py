"""Plans on their way in: read, checked against the tools, remembered."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, cast

import msgspec

from callsheet.core import value
from callsheet.core.check.check import check_plan
from callsheet.core.ids import PLAN_NAME
from callsheet.core.plan.document import MAX_BYTES, locate, plain, read_text
from callsheet.core.plan.plan import FORMAT, Plan
from callsheet.core.plan.read import read_plan
from callsheet.core.plan.subplan import saved_names
from callsheet.core.problem import Problem, Report, refusal_of
from callsheet.core.refs.references import prepare
from callsheet.core.run.start import specs_of
from callsheet.errors import InputError, MissingSecretsError, PlanError
from callsheet.ports import Toolbox
from callsheet.runtime.secrets import PREFIX
from callsheet.runtime.subplans import gather_children

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from callsheet.core.plan.toolspec import ToolSpec
    from callsheet.core.value import Json
    from callsheet.ports import PlanShelf, Secrets

PlanLike: TypeAlias = "Plan | Mapping[str, object] | str | Path"
"""A plan, or what one is read from: a mapping, or the path of a YAML or JSON file."""

MAX_CHECKED = 64


class CheckedPlan(msgspec.Struct, frozen=True):
    """A plan, and all that was found when it was checked against some tools."""

    plan: Plan
    problems: tuple[Problem, ...]
    """Errors first; without any, it can be started."""
    toolbox: Toolbox
    """What it was checked against."""
    children: dict[str, Plan] | None
    """The saved plans that it names; None: they were not looked up, and not checked."""

    @property
    def errors(self) -> list[Problem]:
        """Why it cannot be started."""
        return [problem for problem in self.problems if problem.severity == "error"]

    def to_json(self) -> dict[str, Json]:
        """As plain data: `{ok, plan, digest, steps, problems}`."""
        return {
            "ok": not self.errors,
            "plan": self.plan.name,
            "digest": self.plan.digest,
            "steps": len(self.plan.steps),
            "problems": [problem.to_json() for problem in self.problems],
        }


class Accepted(msgspec.Struct, frozen=True):
    """A plan that can be started."""

    plan: Plan
    problems: tuple[Problem, ...]
    """Warnings."""
    tools: dict[str, ToolSpec]
    children: dict[str, Plan]
    """The saved plans that it names."""
    secrets: tuple[str, ...] = ()
    """The secrets that it and those name."""


class Checker:
    """Reads plans and checks them against tools. It needs nothing else, and writes nothing."""

    def __init__(self, toolbox: Toolbox) -> None:
        self.toolbox = toolbox

    def read(self, plan: PlanLike) -> Plan:
        """A plan from a Plan, a mapping, or the path of a YAML or JSON file.

        Raises:
            PlanError: it is not a plan; every problem, with its place.
        """
        if isinstance(plan, (str, Path)):
            path = Path(plan)
            return read_plan(bytes_of(path), name=_name_of(path))
        if isinstance(plan, Mapping):
            # In Python there is no file that could be of another version.
            plan = {"callsheet": FORMAT, **plan}
        return read_plan(plan)

    def plan(self, plan: PlanLike) -> Plan:
        """The same; a `Plan` is taken as it is."""
        return plan if isinstance(plan, Plan) else self.read(plan)

    def check(
        self,
        plan: Plan,
        source: str | Path | None = None,
        children: dict[str, Plan] | None = None,
    ) -> CheckedPlan:
        """A plan with every problem; with the file it was read from, also the lines."""
        found = check_plan(plan, self.toolbox.spec, self.toolbox.names, children)
        if source is not None and found:
            found = locate(found, bytes_of(Path(source)).decode())
        return CheckedPlan(plan, found, self.toolbox, children)


def found_in(error: PlanError) -> tuple[Problem, ...]:
    """The problems that an error tells."""
    found = tuple(each for each in error.problems if isinstance(each, Problem))
    return found or (Problem(place="", what=error.message),)


class Acceptance:
    """Accepts plans for one engine: with the saved plans they name, and the secrets."""

    def __init__(self, checker: Checker, shelf: PlanShelf, secrets: Secrets) -> None:
        self._checker = checker
        self._shelf = shelf
        self._secrets = secrets
        self._accepted: dict[str, Accepted] = {}

    async def examine(self, plan: Plan, source: str | Path | None = None) -> tuple[Problem, ...]:
        """Every problem of a plan, and of the saved plans that it names."""
        children = await gather_children(saved_names(plan), self._shelf)
        return (await asyncio.to_thread(self._checker.check, plan, source, children)).problems

    async def accept(
        self, plan: CheckedPlan | PlanLike, settled: Mapping[str, Plan] | None = None
    ) -> Accepted:
        """A plan that can be started; `settled` are saved plans that a run has recorded.

        Raises:
            PlanError: it does not check; every problem.
            MissingSecretsError: it names secrets that are not set.
        """
        content = plan.plan if isinstance(plan, CheckedPlan) else plan
        if isinstance(content, Plan) and (known := self._accepted.get(content.digest)):
            self._must_have(known.secrets)
            return known
        checked = await self._checked(plan, settled)
        if checked.errors:
            raise refusal_of(checked.errors)
        children = checked.children or {}
        names = _secrets_of(checked.plan, *children.values())
        self._must_have(names)
        tools = specs_of(checked.plan, self._checker.toolbox)
        accepted = Accepted(checked.plan, checked.problems, tools, children, names)
        if not children:
            # What a name stands for may be another plan the next time.
            self._remember(content, accepted)
        return accepted

    async def _checked(
        self, plan: CheckedPlan | PlanLike, settled: Mapping[str, Plan] | None
    ) -> CheckedPlan:
        source = None
        if isinstance(plan, CheckedPlan):
            fresh = plan.plan
            names = list(saved_names(fresh))
            if plan.toolbox is self._checker.toolbox and not names:
                return plan
        else:
            source = plan if isinstance(plan, (str, Path)) else None
            fresh = self._checker.read(plan)
            names = list(saved_names(fresh))
        children = await gather_children(names, self._shelf, settled)
        return self._checker.check(fresh, source, children)

    def _remember(self, plan: object, accepted: Accepted) -> None:
        if len(self._accepted) >= MAX_CHECKED:
            self._accepted.pop(next(iter(self._accepted)))
        self._accepted[accepted.plan.digest] = accepted
        if isinstance(plan, Plan):
            self._accepted[plan.digest] = accepted

    def _must_have(self, names: Iterable[str]) -> None:
        missing = [name for name in names if self._secrets.get(name) is None]
        if missing:
            variables = ", ".join(PREFIX + name for name in missing)
            raise MissingSecretsError(
                f"The plan names secrets that are not set: {', '.join(missing)}. Set {variables}, "
                "or give them to Engine.open."
            )


def _secrets_of(*plans: Plan) -> tuple[str, ...]:
    # Nearly no plan names any: look before preparing every argument once more.
    suspects = [plan for plan in plans if b"secrets." in value.encode(plan)]
    return tuple(dict.fromkeys(name for plan in suspects for name in secrets_in(plan)))


def secrets_in(plan: Plan) -> Iterator[str]:
    """The secrets that a plan names, in its own steps and in the plans written into them."""
    for step in plan.steps:
        yield from prepare(step.args).secrets
        if step.undo is not None and step.undo != "none":
            yield from prepare(step.undo.args).secrets
        if isinstance(step.plan, Plan):
            yield from secrets_in(step.plan)


def steps_in(path: Path) -> list[dict[str, Json]]:
    """The steps in a YAML or JSON file: a list of them, or a mapping with `steps`.

    Raises:
        PlanError: it cannot be read, or has no steps.
    """
    report = Report()
    _, found = read_text(bytes_of(path, "steps"), report)
    document = plain(found, report)
    steps = document.get("steps") if isinstance(document, dict) else document
    if not isinstance(steps, list):
        report.error(("steps",), "there is no list of steps", "Write `- id: …` for each step.")
    if report.failed:
        raise report.refusal()
    # What is no mapping is refused where steps are read, with its place.
    return cast("list[dict[str, Json]]", steps)


def bytes_of(path: Path, what: str = "plan") -> bytes:
    """The bytes of a file that somebody hands in, as far as they will be looked at."""
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as exc:
        raise InputError(f"Cannot read the {what} {str(path)!r}: {exc.strerror}.") from exc


def _name_of(path: Path) -> str:
    stem = path.name.split(".")[0]
    return stem if PLAN_NAME.match(stem) else "plan"
