"""Who writes: the offline way, an agent or a model, and the steps that ask one.

Every question is a step of the run, an agent's or `model.ask`: recorded, paid for, tried again and
resumed as any other. A model is not asked the same twice: its answer is kept, as a cached read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import structs

from callsheet import Cost, Engine, Step
from callsheet.errors import CallsheetError, InputError
from callsheet_studio.model.brief import Brief
from callsheet_studio.writers.asking import ROUNDS

if TYPE_CHECKING:
    from collections.abc import Collection

    from callsheet.types import Tenant
    from callsheet_studio.writers.asking import Ask

AUTO, OFFLINE = "auto", "offline"
_TIMEOUT = 300.0
"""Seconds for one answer."""
_TOLD = 12_000
"""Characters of rules that go back with an answer."""
_SPARE = 1.5
"""By how much the shots of a model's script may be more than those of ours."""

_OWN = "the brief brings its own"

Written = Literal["script", "shots"]
"""What a model writes."""
CAPABILITIES: dict[Written, str] = {"script": "script.write", "shots": "shots.write"}
"""What an agent must be able to do for it."""
_TASK = """\
${{{ask}.instructions}}

${{{message}}}

Answer with one JSON object that fits this JSON Schema, and nothing else:
${{{ask}.answer}}
"""


class Able(msgspec.Struct, frozen=True, kw_only=True):
    """An agent that is able to write something: the first that is asked."""

    name: str
    takes_task: bool = True
    """Whether it is told in words what to do; else it is given the brief, or script and brief."""

    @property
    def rounds(self) -> int:
        """How often it is asked: what is wrong can only be told in words."""
        return ROUNDS if self.takes_task else 1


class Writer(msgspec.Struct, frozen=True, kw_only=True):
    """Who writes a production."""

    asked: str = OFFLINE
    """`auto`, `offline`, or a model."""
    model: str = ""
    """Empty: it is written by agents, or offline."""
    agents: dict[Written, Able] = {}
    """Who is able to write what."""
    why: str = ""
    """Why it was chosen, where that was not said."""
    ceilings: dict[Written, Cost] = {}
    """What one answer may cost, where that is known."""

    def writes(self, what: Written, brief: Brief) -> bool:
        """Whether a model writes it: nobody rewrites what the brief brings itself."""
        own = brief.content.shots or (what == "script" and (brief.content.script or "").strip())
        return (bool(self.model) or what in self.agents) and not own

    def to_json(self, written: Collection[Written]) -> dict[str, Any]:
        """As it stands in a report, of what is not written offline."""
        told: dict[str, Any] = {"asked": self.asked, "way": OFFLINE}
        if self.model and written:
            told |= {"way": "model", "model": self.model}
        elif written:
            told |= {"way": "agent", "agents": sorted({self.agents[each].name for each in written})}
        why = self.why if written or not (self.model or self.agents) else _OWN
        return told | ({"why": why} if why else {})

    def steps(self, what: Written, args: dict[str, Any], made: Step) -> list[Step]:
        """The steps that ask a model and judge its answers, and the one that takes the best.

        Args:
            what: is written.
            args: of the step that would write it offline.
            made: that step; what its id, condition and cache are stays.
        """
        ask = Step(
            id=f"{what}_ask",
            tool=f"studio.{what}_ask",
            args=args,
            when=made.when,
            run_if_skipped=made.run_if_skipped,
            cache=True,
        )
        steps, drafts = [ask], []
        rounds = self.agents[what].rounds if what in self.agents else ROUNDS
        for number in range(1, rounds + 1):
            before = f"{what}_draft_{number - 1}" if number > 1 else ""
            again = f"${{steps.{before}.goes_back}}" if before else None
            message = f"steps.{before or ask.id}.message"
            answer, draft = f"{what}_answer_{number}", f"{what}_draft_{number}"
            asked = self._by_agent if what in self.agents else self._by_model
            steps += [
                structs.replace(asked(what, answer, message, args), when=again),
                Step(
                    id=draft,
                    tool=f"studio.{what}_draft",
                    args={
                        **args,
                        "asked": f"${{steps.{ask.id}.message}}",
                        "step": answer,
                        "outcome": f"${{outcomes.{answer}}}",
                        "last": number == rounds,
                    },
                    when=again,
                    cache=True,
                ),
            ]
            drafts.append(f"${{steps.{draft}}}")
        taken: dict[str, Any] = {**args, "drafts": drafts}
        mend = structs.replace(made, tool=f"studio.{what}_mend", args=taken, run_if_skipped=True)
        return [*steps, mend]

    def _by_model(self, what: Written, id: str, message: str, _args: dict[str, Any]) -> Step:
        ask = f"steps.{what}_ask"
        return Step(
            id=id,
            tool="model.ask",
            args={
                "model": self.model,
                "instructions": f"${{{ask}.instructions}}",
                "message": f"${{{message}}}",
                "schema": f"${{{ask}.answer}}",
                "max_tokens": f"${{{ask}.max_tokens}}",
            },
            timeout=_TIMEOUT,
            # What a model does not write is written without it.
            on_failure="ignore",
            cache=True,
            ceiling=self.ceilings.get(what),
        )

    def _by_agent(self, what: Written, id: str, message: str, args: dict[str, Any]) -> Step:
        given: dict[str, Any] = args
        if self.agents[what].takes_task:
            given = {"task": _TASK.format(ask=f"steps.{what}_ask", message=message)}
        elif what == "script":
            whole = args["brief"].removesuffix("}")
            given = {name: f"{whole}.{name}}}" for name in Brief.model_fields}
        wanted = {"capability": CAPABILITIES[what]}
        return Step(id=id, agent=wanted, args=given, on_failure="ignore")


def writer_for(engine: Engine | Tenant, asked: str, brief: Brief) -> Writer:
    """Who writes, of what was asked for.

    Args:
        engine: whose models and agents there are. A tenant has none for this: the models are paid
            for by whoever runs the engine.
        asked: `auto`, `offline`, or a model as everywhere: a name of the configuration,
            `provider:model`, or `recorded:FILE`.
        brief: what is written about.

    Raises:
        InputError: there is no such model, or no key for it.
    """
    if asked == OFFLINE:
        return Writer(asked=asked)
    if not isinstance(engine, Engine):
        if asked == AUTO:
            return Writer(asked=asked, why="a tenant's productions are written offline")
        raise InputError(f"--writer {asked}: a tenant's productions are written offline.")
    if asked == AUTO:
        return _chosen(engine)
    try:
        engine.models.open(asked)
    except CallsheetError as error:
        raise InputError(f"{asked!r} cannot write: {error.message}") from error
    return _priced(engine, Writer(asked=asked, model=asked), brief)


def _chosen(engine: Engine) -> Writer:
    """The agents that are able, and have a model that can be asked; else nobody."""
    usable = {
        state.card.name: [model.name for model in state.models if not model.problem]
        for state in engine.agents.list()
    }
    found: dict[Written, Able] = {}
    for what, capability in CAPABILITIES.items():
        # An agent that has only the offline model writes nothing that we do not write better.
        able = [
            card for card in engine.agents.able(capability) if set(usable[card.name]) - {OFFLINE}
        ]
        if able:
            taken = able[0].capabilities[capability].input.get("properties")
            is_task = isinstance(taken, dict) and "task" in taken
            found[what] = Able(name=able[0].name, takes_task=is_task)
    if found:
        return Writer(asked=AUTO, agents=found)
    named = engine.agents.able(CAPABILITIES["script"])
    why = f"no model of {named[0].name!r} can be asked here" if named else "no agent is able to"
    return Writer(asked=AUTO, why=why)


def _priced(engine: Engine, writer: Writer, brief: Brief) -> Writer:
    """With what one answer may cost; without a price nobody can say."""
    price = engine.models.price(writer.model)
    if price is None or not (price.input or price.output):
        return writer
    from callsheet_studio.script import write_script
    from callsheet_studio.writers.script import script_ask
    from callsheet_studio.writers.shots import shots_ask

    asks: dict[Written, Ask] = {}
    if writer.writes("script", brief):
        asks["script"] = script_ask(brief)
    if writer.writes("shots", brief):
        asks["shots"] = shots_ask(write_script(brief), brief)
    found = {what: _ceiling(engine, writer.model, ask) for what, ask in asks.items()}
    return structs.replace(writer, ceilings=found)


def _ceiling(engine: Engine, model: str, ask: Ask) -> Cost:
    """Of an answer that was sent back: with all that was said before."""
    tokens = round(ask.max_tokens * _SPARE)
    characters = round(ask.characters * _SPARE) + 4 * tokens + _TOLD
    return engine.models.ceiling(model, characters=characters, max_tokens=tokens)
