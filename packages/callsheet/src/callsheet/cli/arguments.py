"""What is given on the command line: a plan, its tools, its inputs. All problems are found at once.

Nothing is written: a plan that does not check leaves not even a home behind.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import msgspec
from msgspec import structs

import callsheet
from callsheet.cli.home import looking, owner_of, preparing
from callsheet.cli.options import TENANT
from callsheet.cli.place import Place
from callsheet.errors import InputError, PlanError, StoreError
from callsheet.types import Problem, Problems

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from callsheet import Plan, Tool
    from callsheet.cli.home import Where
    from callsheet.types import CheckedPlan, Toolroom

_NO_TOOL = "there is no tool"
_SUFFIXES = (".yaml", ".yml", ".json")


class Given(msgspec.Struct, frozen=True, kw_only=True):
    """A plan that checks, with the tools and inputs to run it."""

    checked: CheckedPlan
    room: Toolroom
    tools: list[Tool[..., object]]
    inputs: dict[str, Any]
    warnings: list[Problem]

    @property
    def plan(self) -> Plan:
        """The plan itself."""
        return self.checked.plan


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked for, in the words of the command line."""

    plan: str
    where: Where
    inputs: Sequence[str] = ()
    """`name=value`, each."""
    inputs_file: Path | None = None
    concurrency: int | None = None
    """Instead of what the plan says."""
    lenient: bool = False
    """Whether a fence and prose around a plan are read past."""
    tenant: str = TENANT
    """Whose saved plan is meant."""


class _Findings(Problems):
    """Problems of all that is given."""

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
    if order.where.home.is_service:
        return await _gather_for_service(order, findings, with_inputs=with_inputs)
    tools = _load(order.where.tools, findings)
    room = _room(order.where, tools, findings)
    # With tools missing, all that the check could say is that they are.
    is_whole = not findings.problems
    checked = await _checked(room, order, findings)
    plan = checked.plan if checked else None
    if checked and is_whole:
        findings.problems += checked.problems
    given = await asyncio.to_thread(_inputs, room, plan, order, findings)
    if plan and with_inputs:
        _bind(room, plan, given, findings)
    if checked is None or not is_whole or findings.errors:
        _advise(order, findings)
        findings.refuse()
    warnings = findings.problems
    return Given(checked=checked, room=room, tools=tools, inputs=given, warnings=warnings)


async def gather_to_leave(order: Order) -> tuple[Plan, dict[str, Any]]:
    """A plan and its inputs, for a process to start that has the tools: here they need not be.

    Raises:
        PlanError: every problem of the plan, or of the inputs.
    """
    if order.where.home.is_service:
        raise InputError("A service starts what it is sent: leave out --leave.")
    findings = _Findings()
    room = _room(order.where, _load(order.where.tools, findings), findings)
    try:
        source = text_of(order.plan)
        if isinstance(source, bytes):
            plan = room.checker.read_text(source)
        else:
            plan = await find_plan(room, order.plan, order.where.home, order.tenant)
    except InputError as error:
        findings.take(error, order.plan)
        findings.refuse()
    if order.concurrency is not None:
        plan = structs.replace(plan, concurrency=order.concurrency)
    given = await asyncio.to_thread(_inputs, room, plan, order, findings)
    _bind(room, plan, given, findings)
    if findings.errors:
        findings.refuse()
    return plan, given


async def _gather_for_service(order: Order, findings: _Findings, *, with_inputs: bool) -> Given:
    """The same for a service: its tools are what the plan is checked against."""
    where = order.where
    if where.tools or where.allow_shell or where.allow_private or where.files:
        raise InputError(
            "A service has its own tools: give --tools and similar options where it is started."
        )
    room = callsheet.Engine.toolroom()
    try:
        plan, document = await _sent(room, order)
        async with looking(where.home) as service:
            findings.problems += await service.check(document)
    except PlanError as error:
        findings.take(error, order.plan)
        findings.refuse()
    given = await asyncio.to_thread(_inputs, room, plan, order, findings)
    if with_inputs:
        _bind(room, plan, given, findings)
    if findings.errors:
        findings.refuse()
    warnings = findings.problems
    if order.concurrency is not None:
        plan = structs.replace(plan, concurrency=order.concurrency)
    checked = room.check(plan)
    return Given(checked=checked, room=room, tools=[], inputs=given, warnings=warnings)


async def _sent(room: Toolroom, order: Order) -> tuple[Plan, Any]:
    """A plan, and what a service is told of it: its text, so that problems have their lines."""
    source = text_of(order.plan)
    if source is None or (isinstance(source, str) and _module_of(source)):
        plan = await find_plan(room, order.plan, order.where.home, order.tenant)
        return plan, plan
    if isinstance(source, str):
        try:
            source = await asyncio.to_thread(Path(source).read_bytes)
        except OSError as error:
            raise InputError(f"Cannot read the plan {order.plan!r}: {error.strerror}.") from error
    plan = room.checker.read_text(source, Path(order.plan).name.split(".")[0])
    return plan, source.decode(errors="replace")


def _room(where: Where, tools: Iterable[Tool[..., object]], findings: _Findings) -> Toolroom:
    try:
        return preparing(where, tools)
    except InputError as error:  # two tools of one name, a broken plug-in or configuration
        if error.code == "configuration":
            findings.take(error, "--config", within=f"{where.configuration}: ")
        else:
            findings.take(error, "--tools")
        return callsheet.Engine.toolroom()


def _advise(order: Order, findings: _Findings) -> None:
    """Say how tools are given to somebody who has given none and names some."""
    if not order.where.tools and any(_NO_TOOL in each.what for each in findings.errors):
        what, fix = "no tools of your own are given", "Write --tools FILE.py, or --tools MODULE."
        findings.problems.append(Problem(place="--tools", what=what, fix=fix))


def _bind(room: Toolroom, plan: Plan, given: Mapping[str, Any], findings: _Findings) -> None:
    try:
        room.bind(plan, given)
    except InputError as error:
        findings.take(error, "inputs")


async def _checked(room: Toolroom, order: Order, findings: _Findings) -> CheckedPlan | None:
    try:
        checked = await _examined(room, order)
    except InputError as error:
        findings.take(error, order.plan)
        return None
    if order.concurrency is None:
        return checked
    plan = structs.replace(checked.plan, concurrency=order.concurrency)
    return structs.replace(checked, plan=plan)


async def _examined(room: Toolroom, order: Order) -> CheckedPlan:
    source = text_of(order.plan)
    if source is not None:
        # A large one takes its time, and Ctrl-C is heard meanwhile.
        return await asyncio.to_thread(room.examine, source, lenient=order.lenient)
    return room.check(await find_plan(room, order.plan, order.where.home, order.tenant))


def text_of(name: str) -> str | bytes | None:
    """The path of the file that a plan is in, or what stdin says for `-`; None: a saved plan."""
    if name == "-":
        return sys.stdin.buffer.read()
    return name if _is_file(name) else None


async def find_plan(room: Toolroom, name: str, home: Place, tenant: str = TENANT) -> Plan:
    """The plan of a file; or else the newest saved plan of that name, of a tenant.

    Raises:
        InputError: there is neither, or it cannot be read.
    """
    if name.endswith(".py"):
        raise InputError(f"{name!r} is Python. Name the plan in it, as in {name}:PLAN.")
    if _is_file(name):
        # A large one takes its time, and Ctrl-C is heard meanwhile.
        return await asyncio.to_thread(room.read, name)
    try:
        async with looking(home) as keeper:
            return (await owner_of(keeper, home, tenant).plans.get(name)).plan
    except InputError as error:
        neither = f"There is no file {name!r} and no saved plan of that name in {str(home)!r}."
        raise InputError(neither) from error
    except StoreError as error:
        if error.code != "store":
            raise
        raise InputError(f"There is no file {name!r} and no home {str(home)!r}.") from error


def _is_file(name: str) -> bool:
    return "/" in name or name.endswith(_SUFFIXES) or Path(name).exists() or bool(_module_of(name))


def _module_of(name: str) -> str:
    """The file of a plan that is built in Python: `FILE.py:NAME`."""
    file = name.rpartition(":")[0]
    return file if file.endswith(".py") else ""


def with_its_tools(where: Where, plan: str) -> Where:
    """The same place, with the file that a plan is built in, if there are tools in it."""
    file = _module_of(plan)
    if not file or file in where.tools:
        return where
    try:
        callsheet.load_tools(file)
    except InputError:
        return where  # what is wrong with it is said when the plan is read
    return structs.replace(where, tools=(*where.tools, file))


def _inputs(room: Toolroom, plan: Plan | None, order: Order, findings: _Findings) -> dict[str, Any]:
    given: dict[str, Any] = {}
    if order.inputs_file is not None:
        try:
            given |= room.read_inputs(order.inputs_file)
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
