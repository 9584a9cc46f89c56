"""The desk that plans cross on their way in: read, checked against the tools, remembered."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, cast

from callsheet.core import value
from callsheet.core.check import check_plan
from callsheet.core.child import saved_names
from callsheet.core.document import MAX_BYTES, locate, plain, read_text
from callsheet.core.ids import PLAN_NAME
from callsheet.core.plan import Plan
from callsheet.core.problem import Report, refusal_of
from callsheet.core.read import read_plan
from callsheet.core.refs import prepare
from callsheet.errors import InputError, MissingSecretsError
from callsheet.frozen import Frozen
from callsheet.runtime.nested import gather_children
from callsheet.runtime.secrets import PREFIX
from callsheet.runtime.start import specs_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from callsheet.core.problem import Problem
    from callsheet.core.toolspec import ToolSpec
    from callsheet.core.value import Json
    from callsheet.ports import PlanShelf, Secrets, Toolbox

MAX_CHECKED = 64


class Checked(Frozen):
    """A plan that has been checked against an engine's tools."""

    plan: Plan
    tools: dict[str, ToolSpec]
    children: dict[str, Plan]
    """The saved plans that it names."""
    secrets: tuple[str, ...] = ()
    """The secrets that it and those name."""


class Desk:
    """Reads and checks plans for one engine."""

    def __init__(self, toolbox: Toolbox, shelf: PlanShelf, secrets: Secrets) -> None:
        self._toolbox = toolbox
        self._shelf = shelf
        self._secrets = secrets
        self._checked: dict[str, Checked] = {}

    def read(self, plan: Plan | Mapping[str, object] | str | Path) -> Plan:
        """A plan from a Plan, a mapping, or the path of a YAML or JSON file.

        Raises:
            PlanError: it is not a plan; every problem, with its place.
        """
        if isinstance(plan, (str, Path)):
            path = Path(plan)
            return read_plan(bytes_of(path), name=_name_of(path))
        return read_plan(plan)

    def problems(
        self,
        plan: Plan,
        source: str | Path | None = None,
        children: Mapping[str, Plan] | None = None,
    ) -> tuple[Problem, ...]:
        """Every problem of a plan, errors first; with the file it was read from, also the lines."""
        found = check_plan(plan, self._toolbox.spec, self._toolbox.names(), children)
        if source is None or not found:
            return found
        return locate(found, bytes_of(Path(source)).decode())

    async def examine(self, plan: Plan, source: str | Path | None = None) -> tuple[Problem, ...]:
        """Every problem of a plan, and of the saved plans that it names."""
        children = await gather_children(saved_names(plan), self._shelf)
        return await asyncio.to_thread(self.problems, plan, source, children)

    async def check(
        self,
        plan: Plan | Mapping[str, object] | str | Path,
        settled: Mapping[str, Plan] | None = None,
    ) -> Checked:
        """A plan that can be started; `settled` are saved plans that a run has recorded.

        Raises:
            PlanError: it does not check; every problem.
            MissingSecretsError: it names secrets that are not set.
        """
        if isinstance(plan, Plan) and (known := self._checked.get(plan.digest)):
            self._must_have(known.secrets)
            return known
        fresh = self.read(plan)
        children = await gather_children(saved_names(fresh), self._shelf, settled)
        source = plan if isinstance(plan, (str, Path)) else None
        problems = self.problems(fresh, source, children)
        errors = [problem for problem in problems if problem.severity == "error"]
        if errors:
            raise refusal_of(errors)
        names = _secrets_of(fresh, *children.values())
        self._must_have(names)
        checked = Checked(fresh, specs_of(fresh, self._toolbox), children, names)
        if not children:
            # What a name stands for may be another plan the next time.
            self._remember(plan, checked)
        return checked

    def _remember(self, plan: object, checked: Checked) -> None:
        if len(self._checked) >= MAX_CHECKED:
            self._checked.pop(next(iter(self._checked)))
        self._checked[checked.plan.digest] = checked
        if isinstance(plan, Plan):
            self._checked[plan.digest] = checked

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
