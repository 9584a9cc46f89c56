"""The agents of an engine: read, checked all at once, and made into the tools that they are."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import msgspec
from msgspec import structs

from callsheet.agents.agent import Agent, Capability
from callsheet.core import given
from callsheet.core.ids import STEP_ID
from callsheet.core.index.context import check_names
from callsheet.core.plan.agent import call_schema
from callsheet.core.plan.card import AGENT, TASK, TEXT, AgentCard, CapabilityCard
from callsheet.core.plan.plan import Budget, Cost
from callsheet.core.plan.toolspec import Limit
from callsheet.core.problem import Report, listed, one_of, show
from callsheet.core.schema.validate import problem_of_schema
from callsheet.errors import CallsheetError, ConfigurationError, InputError, InvalidError
from callsheet.tools import agenttables
from callsheet.tools.function.declare import schema_tool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from callsheet.agents.models import Models
    from callsheet.core.plan.toolspec import Tools
    from callsheet.core.problem import Place
    from callsheet.core.value import Json
    from callsheet.tools.agenttables import AgentTable
    from callsheet.tools.function.declare import AnyTool

LONGEST = 100_000
"""Bytes of a prompt or a schema: they stand in the journal of every run of the agent."""


class Known(msgspec.Struct, frozen=True, kw_only=True):
    """What agents are checked against."""

    tools: Tools
    knows_model: Callable[[str], str | None]
    """Why there is no model of that name; None: there is one, whether or not it can be used."""
    price: Callable[[str], object | None]


class Hired(msgspec.Struct, frozen=True):
    """An agent that checks."""

    card: AgentCard
    concurrency: int | None = None


def hired(
    tables: Mapping[str, AgentTable], agents: Iterable[Agent], known: Known, base: Path | None
) -> list[Hired]:
    """The agents of a configuration, whose files lie beside it, and those handed in.

    Raises:
        ConfigurationError: everything that is wrong with any of them, each with its place.
    """
    report = Report()
    found: dict[str, Hired] = {}
    for place, name, agent in _all(tables, agents, report):
        reading = _Reading(report, ("agents", place), known, base)
        if not STEP_ID.match(name):
            fix = "Write a lowercase letter, then lowercase letters, digits and _."
            report.error(("agents", place), f"{show(name)} is not a name for an agent", fix)
        elif name in found:
            what = f"there are two agents named {show(name)}"
            report.error(("agents", place), what, "Give each a name of its own.")
        elif name == "choose":
            report.error(("agents", place), "an agent cannot be called so", "Choose another name.")
        else:
            found[name] = reading.hired(name, agent)
    if report.failed:
        problems = report.ordered
        raise ConfigurationError(listed("The agents do not check:", problems), problems)
    return list(found.values())


def _all(
    tables: Mapping[str, AgentTable], agents: Iterable[Agent], report: Report
) -> Iterator[tuple[str | int, str, Agent]]:
    for name, table in tables.items():
        yield name, name, _of_table(name, table)
    for index, agent in enumerate(agents):
        if isinstance(agent, Agent):
            yield index, agent.name or agent.role, agent
        else:
            report.error(("agents", index), f"{agent!r} is not an agent", "Write Agent(role=…).")


def _of_table(name: str, table: AgentTable) -> Agent:
    return Agent(
        name=name,
        role=table.role,
        capabilities={
            each: Capability(**{side: Path(file) for side, file in said.items()})
            for each, said in table.capabilities.items()
        },
        models=table.models,
        prompt=Path(table.prompt) if table.prompt is not None else "",
        tools=table.tools,
        reads=table.reads,
        writes=table.writes,
        budget=table.budget,
        concurrency=table.concurrency,
        preference=table.preference,
        limits=table.limits,
    )


class _Reading:
    """Reads one agent; what is wrong is reported, and the rest is read all the same."""

    def __init__(self, report: Report, place: Place, known: Known, base: Path | None) -> None:
        self._report = report
        self._place = place
        self._known = known
        self._base = base

    def hired(self, name: str, agent: Agent) -> Hired:
        prompt = self._text("prompt", agent.prompt)
        said = cast("dict[str, Any]", self._term("limits", agent.limits) or {})
        card = AgentCard(
            name=name,
            role=str(self._term("role", agent.role) or ""),
            capabilities=self._capabilities(agent.capabilities),
            models=self._models(agent),
            instructions=prompt,
            prompt=hashlib.sha256(prompt.encode()).hexdigest(),
            tools=self._tools(agent.tools),
            reads=self._items("reads", agent.reads),
            writes=self._items("writes", agent.writes),
            budget=cast("Budget | None", self._term("budget", agent.budget)),
            preference=cast("int", self._term("preference", agent.preference) or 0),
            **said,
        )
        return Hired(card, cast("int | None", self._term("concurrency", agent.concurrency)))

    def _error(self, field: str | tuple[str | int, ...], what: str, fix: str = "") -> None:
        inside = (field,) if isinstance(field, str) else field
        self._report.error((*self._place, *inside), what, fix)

    def _term(self, field: str, found: object) -> object:
        """A value, read as the configuration reads it."""
        if found is None or found in ("", {}):
            return None
        if isinstance(found, Budget):
            found = msgspec.to_builtins(found)
        read, example = agenttables.AGENT[field]
        try:
            return read(found)
        except ValueError as exc:
            self._error(field, f"{field} {exc}", f"Write {example}.")
            return None

    def _names(self, field: str, found: object) -> tuple[str, ...]:
        names = tuple(found) if isinstance(found, (list, tuple)) else None
        if names is None or not all(isinstance(each, str) and each for each in names):
            self._error(field, f"{field} must be a list of names, not {found!r}")
            return ()
        return names

    def _models(self, agent: Agent) -> tuple[str, ...]:
        names = self._names("models", agent.models)
        if not names:
            self._error("models", "it has no models", 'Write models = ["offline"], or better ones.')
        for index, name in enumerate(names):
            why = self._known.knows_model(name)
            if why is not None:
                self._error(("models", index), why)
                continue
            capped = agent.budget is not None and getattr(agent.budget, "usd", None) is not None
            if capped and self._known.price(name) is None:
                what = f"nobody knows what {show(name)} costs, so a budget in USD cannot be kept"
                self._error(("models", index), what, "Say it: price = {input = 3.0, output = 15.0}")
        return names

    def _tools(self, found: object) -> tuple[str, ...]:
        names = self._names("tools", found)
        for index, name in enumerate(names):
            spec = self._known.tools.spec(name)
            if name.startswith(AGENT):
                fix = "Leave it out: an agent says what it needs, and somebody able is found."
                self._error(("tools", index), "agents do not call agents", fix)
            elif spec is None:
                self._error(
                    ("tools", index),
                    f"there is no tool {show(name)}",
                    self._report.suggest(name, self._known.tools.names()),
                )
        return names

    def _items(self, field: str, found: object) -> tuple[str, ...]:
        names = self._names(field, found)
        for index, name in enumerate(names):
            try:
                check_names("run:1", name)
            except InputError as exc:
                self._error((field, index), exc.message)
        return names

    # Files

    def _text(self, field: str | tuple[str | int, ...], found: object) -> str:
        if isinstance(found, Path):
            path = (self._base or Path()) / found
            try:
                with path.open("rb") as file:
                    data = file.read(LONGEST + 1)
                if len(data) > LONGEST:
                    self._error(field, f"{str(path)!r} has more than {LONGEST:,} bytes")
                return data[:LONGEST].decode()
            except OSError as exc:
                self._error(field, f"cannot read {str(path)!r}: {exc.strerror}")
            except ValueError:
                self._error(field, f"{str(path)!r} is not text in UTF-8")
            return ""
        if not isinstance(found, str):
            self._error(field, f"it is neither text nor the path of a file: {found!r}")
            return ""
        if len(found.encode("utf-8", "replace")) > LONGEST:
            self._error(field, f"it has more than {LONGEST:,} bytes")
        return found

    def _capabilities(self, found: object) -> dict[str, CapabilityCard]:
        if isinstance(found, (list, tuple)):
            found = dict.fromkeys(found, Capability())
        if not isinstance(found, dict) or not found:
            self._error("capabilities", "it has no capabilities", "Write at least one.")
            return {}
        cards: dict[str, CapabilityCard] = {}
        for name, said in found.items():
            place = ("capabilities", name)
            try:
                agenttables.capabilities_of([name])
            except ValueError as exc:
                self._error(place, f"it {exc}")
                continue
            if not isinstance(said, Capability):
                self._error(place, f"{said!r} is not a Capability")
                continue
            cards[name] = CapabilityCard(
                input=self._schema((*place, "input"), said.input, TASK, "validation"),
                output=self._schema((*place, "output"), said.output, TEXT, "serialization"),
            )
        return cards

    def _schema(
        self, place: tuple[str | int, ...], found: object, usual: dict[str, Json], mode: str
    ) -> dict[str, Json]:
        if found is None:
            return usual
        schema: object = found
        if isinstance(found, Path):
            text = self._text(place, found)
            try:
                schema = msgspec.json.decode(text) if text else usual
            except msgspec.DecodeError as exc:
                self._error(place, f"{str(found)!r} is not JSON: {exc}")
                return usual
        elif not isinstance(found, dict):
            schema = self._described(place, found, mode)
        if not isinstance(schema, dict):
            self._error(place, "it is not a JSON Schema")
            return usual
        problem = problem_of_schema(schema)
        if problem:
            self._error(place, problem)
            return usual
        if place[-1] == "input" and schema.get("type") != "object":
            self._error(place, "what a capability takes is an object", 'Write "type": "object".')
        return schema

    def _described(self, place: tuple[str | int, ...], found: object, mode: str) -> object:
        from pydantic import TypeAdapter
        from pydantic.errors import PydanticUserError

        try:
            return TypeAdapter(cast("Any", found)).json_schema(mode=cast("Any", mode))
        except PydanticUserError as exc:
            self._error(place, f"{found!r} has no schema: {str(exc).splitlines()[0]}")
            return {"type": "object"}


def tool_of(agent: Hired, tools: Tools) -> AnyTool:
    """The tool that an agent is, as it is listed and offered; it is carried out as a run."""
    card = agent.card
    names: list[Json] = [*card.capabilities]
    wanted: dict[str, Json] = {"type": "object"}
    if len(card.capabilities) == 1:
        (only,) = card.capabilities.values()
        wanted = only.input
    schema = call_schema({"enum": names}, wanted)

    async def ask(args: dict[str, Json]) -> None:
        del args
        raise InvalidError(f"{card.tool} is an agent: a step of a plan asks it, and nothing else.")

    tool = schema_tool(ask, card.tool, {"effect": "read"}, args=schema, returns=None)
    writes = bool(card.writes) or any(
        spec is not None and spec.effect == "write" for spec in map(tools.spec, card.tools)
    )
    about = f"Ask the agent {card.name} ({card.role}): {one_of(card.capabilities)}."
    spec = structs.replace(
        tool.spec,
        effect="write" if writes else "read",
        version=card.prompt[:12],
        description=about,
        ceiling=_ceiling(card.budget),
        agent=card,
    )
    return replace(tool, spec=spec)


def limit_of(agent: Hired) -> Limit | None:
    """How many answers of an agent may go on at once."""
    return Limit(at_once=agent.concurrency) if agent.concurrency is not None else None


def _ceiling(budget: Budget | None) -> Cost | None:
    if budget is None:
        return None
    return Cost(
        usd=budget.usd or 0.0,
        credits=budget.credits or 0.0,
        tokens=budget.tokens or 0,
        calls=budget.calls or 0,
    )


def known_by(models: Models, tools: Tools) -> Known:
    """What agents are checked against, in an engine with these."""

    def knows(name: str) -> str | None:
        try:
            models.find(given.text("model", name))
        except CallsheetError as exc:
            return exc.message
        return None

    return Known(tools=tools, knows_model=knows, price=models.price)
