"""What is given on the command line: a plan, its tools, its inputs. All problems are found at once.

Nothing is written: a plan that does not check leaves not even a home behind.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from msgspec import structs

import callsheet
from callsheet import InputError, PlanError, Problem, StoreError
from callsheet.cli.home import looking, trying
from callsheet.cli.place import Place
from callsheet.frozen import Frozen

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from callsheet import Engine, Plan, Tool
    from callsheet.cli.home import Where

_NO_TOOL = "there is no tool"
_SUFFIXES = (".yaml", ".yml", ".json")


class Given(Frozen, kw_only=True):
    """A plan that checks, with the tools and inputs to run it."""

    plan: Plan
    tools: list[Tool[..., object]]
    inputs: dict[str, Any]
    warnings: list[Problem]


class Order(Frozen, kw_only=True):
    """What was asked for, in the words of the command line."""

    plan: str
    where: Where
    inputs: Sequence[str] = ()
    """`name=value`, each."""
    inputs_file: Path | None = None


@dataclass(slots=True)
class _Findings:
    """Problems, as they are found; one does not hide the others."""

    problems: list[Problem] = field(default_factory=list)

    def take(self, error: InputError, place: str, *, within: str = "") -> None:
        """Note all that an error says; `within` says in which file."""
        found = [
            structs.replace(each, place=within + each.place)
            for each in getattr(error, "problems", ())
            if isinstance(each, Problem)
        ]
        self.problems += found or [Problem(place=place, what=error.message.rstrip("."))]

    @property
    def errors(self) -> list[Problem]:
        return [problem for problem in self.problems if problem.severity == "error"]

    def refuse(self) -> NoReturn:
        heading = "The input is wrong:"
        raise PlanError("\n".join((heading, *map(str, self.problems))), self.problems)


def load_all(references: Iterable[str]) -> list[Tool[..., object]]:
    """The tools of all modules and files.

    Raises:
        PlanError: some of them cannot be loaded; says which, and why.
    """
    findings = _Findings()
    tools = _load(references, findings)
    if findings.problems:
        findings.refuse()
    return tools


def _load(references: Iterable[str], findings: _Findings) -> list[Tool[..., object]]:
    tools: list[Tool[..., object]] = []
    for reference in references:
        try:
            tools += callsheet.load_tools(reference)
        except InputError as error:
            findings.take(error, f"--tools {reference}")
    return tools


async def gather(order: Order, *, with_inputs: bool = True) -> Given:
    """Everything that a run needs, read and checked.

    Raises:
        PlanError: every problem of the tools, the plan and the inputs.
    """
    findings = _Findings()
    tools = _load(order.where.tools, findings)
    async with AsyncExitStack() as stack:
        try:
            engine = await stack.enter_async_context(trying(order.where, tools))
        except InputError as error:  # two tools of one name, a broken plug-in or configuration
            if error.code == "configuration":
                findings.take(error, "--config", within=f"{order.where.configuration}: ")
            else:
                findings.take(error, "--tools")
            engine = await stack.enter_async_context(callsheet.Engine.open())
        plan = await _plan(engine, order, findings)
        if plan and not findings.problems:
            # With tools missing, all that the check could say is that they are.
            findings.problems += await asyncio.to_thread(_check, engine, plan, order)
        given = await asyncio.to_thread(_inputs, engine, plan, order, findings)
        if plan and with_inputs:
            _bind(engine, plan, given, findings)
    if plan is None or findings.errors:
        _advise(order, findings)
        findings.refuse()
    return Given(plan=plan, tools=tools, inputs=given, warnings=findings.problems)


def _advise(order: Order, findings: _Findings) -> None:
    """Say how tools are given to somebody who has given none and names some."""
    if not order.where.tools and any(_NO_TOOL in each.what for each in findings.errors):
        what, fix = "no tools of your own are given", "Write --tools FILE.py, or --tools MODULE."
        findings.problems.append(Problem(place="--tools", what=what, fix=fix))


def _check(engine: Engine, plan: Plan, order: Order) -> tuple[Problem, ...]:
    source = order.plan if Path(order.plan).is_file() else None
    return engine.check(plan, source=source)


def _bind(engine: Engine, plan: Plan, given: Mapping[str, Any], findings: _Findings) -> None:
    try:
        engine.bind(plan, given)
    except InputError as error:
        findings.take(error, "inputs")


async def _plan(engine: Engine, order: Order, findings: _Findings) -> Plan | None:
    try:
        return await find_plan(engine, order.plan, order.where.home)
    except InputError as error:
        findings.take(error, order.plan)
    return None


async def find_plan(engine: Engine, name: str, home: Place) -> Plan:
    """The plan of a file; or else the newest saved plan of that name.

    Raises:
        InputError: there is neither, or it cannot be read.
    """
    if _is_file(name):
        # A large one takes its time, and Ctrl-C is heard meanwhile.
        return await asyncio.to_thread(engine.read, name)
    try:
        async with looking(home) as keeper:
            return (await keeper.plans.get(name)).plan
    except InputError as error:
        neither = f"There is no file {name!r} and no saved plan of that name in {str(home)!r}."
        raise InputError(neither) from error
    except StoreError as error:
        if error.code != "store":
            raise
        raise InputError(f"There is no file {name!r}, and no home {str(home)!r}.") from error


def _is_file(name: str) -> bool:
    return "/" in name or name.endswith(_SUFFIXES) or Path(name).exists()


def _inputs(engine: Engine, plan: Plan | None, order: Order, findings: _Findings) -> dict[str, Any]:
    given: dict[str, Any] = {}
    if order.inputs_file is not None:
        try:
            given |= engine.read_inputs(order.inputs_file)
        except InputError as error:
            findings.take(error, f"--inputs {order.inputs_file}")
    named: dict[str, Any] = {}
    for text in order.inputs:
        name, equals, value = text.partition("=")
        if not equals or not name:
            what, fix = "it is not name=value", "Write --input city=Oslo."
            findings.problems.append(Problem(place=f"--input {text}", what=what, fix=fix))
        elif name in named:
            what, fix = f"{name!r} is given twice", "Remove one of them."
            findings.problems.append(Problem(place=f"--input {text}", what=what, fix=fix))
        else:
            named[name] = value_of(value, plan.inputs.get(name) if plan else None)
    return given | named


def value_of(text: str, schema: object) -> object:
    """What is meant by a value: text where text is asked for, else JSON if it is JSON."""
    if isinstance(schema, dict) and schema.get("type") == "string":
        return text
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return text


def _refuse_constant(text: str) -> NoReturn:
    raise ValueError(text)
