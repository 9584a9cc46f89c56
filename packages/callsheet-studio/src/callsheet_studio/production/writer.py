"""Who writes: the offline way, or a model, and the steps that ask one.

Every question to a model is a step of the run, `model.ask`: recorded, paid for, tried again and
resumed as any other. The same question is not asked twice: its answer is kept, as a cached read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import structs

from callsheet import Cost, Engine, Step
from callsheet.errors import CallsheetError, InputError
from callsheet_studio.writers.asking import ROUNDS

if TYPE_CHECKING:
    from collections.abc import Collection

    from callsheet.types import Tenant
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.writers.asking import Ask

AUTO, OFFLINE = "auto", "offline"
USUAL = "writer"
"""The model of the configuration that `auto` takes, if there is one."""
_TIMEOUT = 300.0
"""Seconds for one answer."""
_TOLD = 12_000
"""Characters of rules that go back with an answer."""
_SPARE = 1.5
"""By how much the shots of a model's script may be more than those of ours."""

_OWN = "the brief brings its own"

Written = Literal["script", "shots"]
"""What a model writes."""


class Writer(msgspec.Struct, frozen=True, kw_only=True):
    """Who writes a production."""

    asked: str = OFFLINE
    """`auto`, `offline`, or a model."""
    model: str = ""
    """Empty: it is written offline."""
    why: str = ""
    """Why it was chosen, where that was not said."""
    ceilings: dict[Written, Cost] = {}
    """What one answer may cost, where that is known."""

    def writes(self, what: Written, brief: Brief) -> bool:
        """Whether a model writes it: nobody rewrites what the brief brings itself."""
        own = brief.content.shots or (what == "script" and (brief.content.script or "").strip())
        return bool(self.model) and not own

    def to_json(self, written: Collection[Written]) -> dict[str, str]:
        """As it stands in a report, of what a model is asked to write."""
        if self.model and not written:
            return {"asked": self.asked, "way": OFFLINE, "why": _OWN}
        told = {"asked": self.asked, "way": "model" if self.model else OFFLINE}
        told |= {"model": self.model} if self.model else {}
        return told | ({"why": self.why} if self.why else {})

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
        for number in range(1, ROUNDS + 1):
            before = f"{what}_draft_{number - 1}" if number > 1 else ""
            again = f"${{steps.{before}.goes_back}}" if before else None
            message = f"${{steps.{before or ask.id}.message}}"
            answer, draft = f"{what}_answer_{number}", f"{what}_draft_{number}"
            steps += [
                self._asked(answer, what, message, again),
                Step(
                    id=draft,
                    tool=f"studio.{what}_draft",
                    args={
                        **args,
                        "ask": f"${{steps.{ask.id}}}",
                        "step": answer,
                        "outcome": f"${{outcomes.{answer}}}",
                        "last": number == ROUNDS,
                    },
                    when=again,
                    cache=True,
                ),
            ]
            drafts.append(f"${{steps.{draft}}}")
        taken: dict[str, Any] = {**args, "drafts": drafts}
        mend = structs.replace(made, tool=f"studio.{what}_mend", args=taken, run_if_skipped=True)
        return [*steps, mend]

    def _asked(self, id: str, what: Written, message: str, when: str | None) -> Step:
        ask = f"steps.{what}_ask"
        return Step(
            id=id,
            tool="model.ask",
            args={
                "model": self.model,
                "instructions": f"${{{ask}.instructions}}",
                "message": message,
                "schema": f"${{{ask}.answer}}",
                "max_tokens": f"${{{ask}.max_tokens}}",
            },
            when=when,
            timeout=_TIMEOUT,
            # What a model does not write is written without it.
            on_failure="ignore",
            cache=True,
            ceiling=self.ceilings.get(what),
        )


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
        return _chosen(engine, brief)
    try:
        engine.models.open(asked)
    except CallsheetError as error:
        raise InputError(f"--writer {asked}: {error.message}") from error
    return _priced(engine, Writer(asked=asked, model=asked), brief)


def _chosen(engine: Engine, brief: Brief) -> Writer:
    try:
        engine.models.check(USUAL)
    except InputError:
        return Writer(asked=AUTO, why=f"no model {USUAL!r} is configured")
    try:
        engine.models.open(USUAL)
    except CallsheetError as error:
        return Writer(asked=AUTO, why=error.message)
    writer = Writer(asked=AUTO, model=USUAL, why=f"[models.{USUAL}] is configured")
    return _priced(engine, writer, brief)


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
