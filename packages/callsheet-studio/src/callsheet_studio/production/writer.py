"""Who writes: the offline way, an agent or a model, and the steps that ask one.

Every question is a step of the run, an agent's or `model.ask`: recorded, paid for, tried again and
resumed as any other. A model is not asked the same twice: its answer is kept, as a cached read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import structs

from callsheet import Cost, Step
from callsheet.errors import CallsheetError, InputError
from callsheet_studio.model.brief import Brief
from callsheet_studio.writers.asking import ROUNDS

if TYPE_CHECKING:
    from collections.abc import Collection

    from callsheet import Engine
    from callsheet.types import Tenant

Written = Literal["script", "shots"]
"""What a model writes."""
AUTO, OFFLINE = "auto", "offline"
_TIMEOUT = 300.0
"""Seconds for one answer."""
_TOLD = 12_000
"""Characters of rules that go back with an answer."""
_ASKED = 16_000
"""Characters of rules, library and schema."""
_SHORTEST: dict[Written, float] = {"script": 3.0, "shots": 1.5}
"""Seconds of the beats and shots of a film that has as many as one may have."""
_CHARACTERS, _TOKENS, _TOKENS_EACH = 3_000, 1_000, 500
"""What is said of each beat or shot, and what the answer has at most."""
_OWN = "the brief brings its own"

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
        engine: whose models and agents there are; a tenant has those that it was given.
        asked: `auto`, `offline`, or a model as everywhere: a name of the configuration,
            `provider:model`, or `recorded:FILE`.
        brief: what is written about.

    Raises:
        InputError: there is no such model, or no key for it.
    """
    if asked == OFFLINE:
        return Writer(asked=asked)
    if asked == AUTO:
        return _chosen(engine)
    try:
        engine.models.open(asked)
    except CallsheetError as error:
        raise InputError(f"{asked!r} cannot write: {error.message}") from error
    return _priced(engine, Writer(asked=asked, model=asked), brief)


def _chosen(engine: Engine | Tenant) -> Writer:
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


def _priced(engine: Engine | Tenant, writer: Writer, brief: Brief) -> Writer:
    """With what one answer may cost; without a price nobody can say."""
    price = engine.models.price(writer.model)
    if price is None or not (price.input or price.output):
        return writer
    told = _ASKED + len(brief.model_dump_json())
    pieces = {what: int(brief.content.duration / least) + 2 for what, least in _SHORTEST.items()}
    return structs.replace(
        writer,
        ceilings={
            what: engine.models.ceiling(
                writer.model,
                # One that was sent back comes with all that was said before.
                characters=told + many * _CHARACTERS + _TOLD,
                max_tokens=_TOKENS + many * _TOKENS_EACH,
            )
            for what, many in pieces.items()
        },
    )
