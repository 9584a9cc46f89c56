"""The calls of one answer: which have started, which start at its end, what is said of the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import msgspec

from callsheet.agents.assembler import read_arguments
from callsheet.agents.checks import Wanted, checked
from callsheet.agents.message import Call, Part, Text, Thinking
from callsheet.agents.terms import AskedCall
from callsheet.agents.touched import touched
from callsheet.core.plan.artifact import artifact_of
from callsheet.errors import RequestRefusedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet.agents.assembler import Assembler, Piecewise
    from callsheet.agents.memory import Memory
    from callsheet.agents.terms import Limits
    from callsheet.core.plan.toolspec import Tools
    from callsheet.core.value import Json
    from callsheet.ports import Context

LONGEST_LABEL = 200
LARGE = 4096
"""Characters of arguments above which a checkpoint names them instead of repeating them."""
LEAST = 0.001
"""Seconds: a call whose time is over before it starts is over at once, and says so."""


class Started(msgspec.Struct, frozen=True, kw_only=True):
    """A call that was started before the answer had ended."""

    call: Call
    step: str
    wanted: Wanted
    at: int
    """Characters of the answer's text before it."""


class Asking:
    """What becomes of the calls of one answer."""

    def __init__(  # noqa: PLR0913 -- what the calls of an answer depend on
        self,
        ctx: Context,
        tools: Tools,
        offered: Sequence[str],
        limits: Limits,
        number: int,
        *,
        own_words: bool = False,
        memory: Memory | None = None,
    ) -> None:
        """`own_words`: what is asked for is what a person has said, and no model's idea.

        `memory` is what an agent shares with others.
        """
        self._memory = memory
        self._ctx = ctx
        self._own_words = own_words
        self._tools = tools
        self._offered = offered
        self._limits = limits
        self._number = number
        self._count = 0
        self._from = len(ctx.emitted)
        """Characters that earlier attempts had said: their text is replaced."""
        self._saved: list[Json] = []
        self.started: dict[int, Started] = {}
        """By their number in the answer."""
        self.asked: list[AskedCall] = []
        """All of them, in order, once the answer has ended."""
        self.late: list[dict[str, Json]] = []
        """Steps that start when the answer has ended."""
        self.notes: list[str] = []

    def note(self, text: str) -> None:
        """Something that people should know."""
        self.notes.append(text)

    # While the answer goes on

    async def complete(self, piecewise: Piecewise, assembler: Assembler, left: float) -> None:
        """The first object of a call's arguments has ended: it is started, if that is harmless."""
        first = piecewise.first or ""
        call = msgspec.structs.replace(assembler.call(piecewise), arguments=first)
        wanted = self._checked(call)
        if isinstance(wanted, str) or wanted.start != "at_once":
            return
        if any(each.id == call.id for each in assembler.calls[: piecewise.number - 1]):
            return  # of two with one id, the first is the call, complete or not
        if not wanted.args and wanted.spec.input_schema.get("properties"):
            return  # some servers send an empty object before the real one
        if self._must_wait(piecewise, wanted, assembler):
            return
        step = self._step(call, wanted, left)
        started = Started(call=call, step=str(step["id"]), wanted=wanted, at=assembler.said)
        self._saved.append(await self._remembered(started))
        await self._ctx.add([step], checkpoint=self._checkpoint(assembler))
        self.started[piecewise.number] = started

    def _checked(self, call: Call) -> Wanted | str:
        if self._memory is not None and call.name in self._memory.names:
            return self._memory.checked(call, self._tools)
        return checked(call, self._tools, self._offered, own_words=self._own_words)

    def _must_wait(self, piecewise: Piecewise, wanted: Wanted, assembler: Assembler) -> bool:
        """Whether one before it, which has not started, touches or may touch the same.

        Then both start when the answer has ended, in their order.
        """
        keys = set(touched(wanted.spec, wanted.args))
        if not keys:
            return False
        for each in assembler.calls[: piecewise.number - 1]:
            if each.number in self.started:
                continue
            call = assembler.call(each)
            spec = self._tools.spec(call.name) if call.name in self._offered else None
            if spec is None or not spec.touches:
                continue
            before = checked(call, self._tools, self._offered)
            if each.first is None or isinstance(before, str):
                return True  # what it touches is not known yet
            if keys & set(touched(spec, before.args)):
                return True
        return False

    def _step(self, call: Call, wanted: Wanted, left: float) -> dict[str, Json]:
        self._count += 1
        most = max(self._limits.call, wanted.spec.timeout or 0.0)
        step: dict[str, Json] = {
            "id": f"a{self._number}_c{self._count}",
            "label": call.id[:LONGEST_LABEL],
            "tool": wanted.spec.name,
            "args": wanted.args,
            "literal": True,
            "on_failure": "ignore",
            "in_doubt": "fail",
            "within": max(LEAST, min(most, left)),
        }
        if wanted.start == "when_approved":
            step["approval"] = "required"
        if keys := touched(wanted.spec, wanted.args):
            step["touches"] = list(keys)
        return step

    def _checkpoint(self, assembler: Assembler) -> Json:
        saved: dict[str, Json] = {"from": self._from, "calls": list(self._saved)}
        if thoughts := assembler.thoughts():
            saved["thoughts"] = msgspec.to_builtins(thoughts)
        return saved

    async def _remembered(self, started: Started) -> Json:
        """What the next attempt must know of a call."""
        arguments: Json = started.call.arguments
        if len(started.call.arguments) > LARGE:
            kept = await self._ctx.store(started.call.arguments, media_type="application/json")
            arguments = kept.to_json()
        return {
            "id": started.call.id,
            "name": started.call.name,
            "arguments": arguments,
            "step": started.step,
            "digest": started.wanted.digest,
            "at": started.at,
        }

    # At its end

    async def settle(self, assembler: Assembler, left: float) -> Final:
        """The answer has ended: every call is one that goes on, one that starts now, or an error.

        Returns what each is in the conversation, by its number.
        """
        final = Final()
        seen: dict[str, str] = {}
        for piecewise in assembler.calls:
            call = assembler.call(piecewise)
            if call.id in seen:
                if _same(seen[call.id], call.arguments):
                    continue
                call = msgspec.structs.replace(call, id=f"{call.id}#{piecewise.number}")
                final[piecewise.number] = call
                why = "It has the id of another call. Write it again, with an id of its own."
                self.asked.append(AskedCall(id=call.id, name=call.name, error=why))
                continue
            seen[call.id] = call.arguments
            final[piecewise.number] = call
            await self._settle(piecewise, call, left)
        return final

    async def _settle(self, piecewise: Piecewise, call: Call, left: float) -> None:
        started = self.started.get(piecewise.number)
        wanted = self._checked(call)
        if started is not None:
            if isinstance(wanted, Wanted) and wanted.args == started.wanted.args:
                self.asked.append(_asked(call, started.step, wanted))
                return
            await self._take_back(started)
        if isinstance(wanted, str):
            self.asked.append(AskedCall(id=call.id, name=call.name, error=wanted))
            return
        step = self._step(call, wanted, left)
        self.late.append(step)
        self.asked.append(_asked(call, str(step["id"]), wanted))

    async def _take_back(self, started: Started) -> None:
        """The answer turned out otherwise than what was started."""
        tool, step = started.call.name, started.step
        if started.wanted.spec.effect == "read":
            self.note(f"{tool} was read with other arguments than were meant: {step} is dropped.")
            return
        self.note(f"{tool} was done with other arguments than were meant: {step} is taken back.")
        try:
            await self._ctx.undo(step)
        except RequestRefusedError:
            await self._ctx.stop(step)

    def of_started(self, piecewise: Piecewise) -> Call | None:
        """A call of an answer that broke off: only those that have started are of it."""
        started = self.started.get(piecewise.number)
        if started is None:
            return None
        asked = _asked(started.call, started.step, started.wanted)
        if asked not in self.asked:
            self.asked.append(asked)
        return started.call

    async def restore(self, saved: Json, emitted: str) -> tuple[Part, ...]:
        """What an earlier attempt had written, and the calls that it had started."""
        kept = cast("dict[str, Json]", saved)
        # Providers that sign thoughts want them before the calls that came of them.
        parts: list[Part] = [*msgspec.convert(kept.get("thoughts") or [], list[Thinking])]
        text, upto = emitted[cast("int", kept["from"]) :], 0
        for each in cast("list[dict[str, Json]]", kept["calls"]):
            at = cast("int", each["at"])
            if text[upto:at]:
                parts.append(Text(text=text[upto:at]))
            upto = max(upto, at)
            arguments = each["arguments"]
            stored = artifact_of(arguments)
            if stored is not None:
                arguments = (await self._ctx.load(stored)).decode()
            call = Call(id=str(each["id"]), name=str(each["name"]), arguments=str(arguments))
            parts.append(call)
            self.asked.append(
                AskedCall(
                    id=call.id, name=call.name, digest=str(each["digest"]), step=str(each["step"])
                )
            )
        if text[upto:]:
            parts.append(Text(text=text[upto:]))
        return tuple(parts)


class Final(dict[int, Call]):
    """Calls as they stand in the conversation, by number; one that is not here is left out."""

    def of(self, piecewise: Piecewise) -> Call | None:
        """What a call is in the end."""
        return self.get(piecewise.number)


def _asked(call: Call, step: str, wanted: Wanted) -> AskedCall:
    return AskedCall(id=call.id, name=call.name, digest=wanted.digest, step=step)


def _same(one: str, other: str) -> bool:
    return one == other or read_arguments(one) == read_arguments(other)
