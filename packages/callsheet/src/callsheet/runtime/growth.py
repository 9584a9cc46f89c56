"""How a run grows from inside: steps that its own steps add, at once or with their end.

What is added at once is durable, together with a checkpoint, before the tool goes on. What is to
follow is checked at once, and written in the append that ends the attempt, if it ends well: so no
crash leaves an open run with nobody to go on with it, and nothing follows an attempt that failed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

import msgspec
from msgspec import Raw, structs

from callsheet.core import value
from callsheet.core.past import additions
from callsheet.core.plan.addition import Addition
from callsheet.core.problem import Problem, refusal_of
from callsheet.core.refs.references import examine
from callsheet.core.run import entries as e
from callsheet.core.run.agents import AgentChosen, AgentSaid
from callsheet.core.run.step import StepState
from callsheet.core.value import Json
from callsheet.errors import InvalidError, PlanError, RequestRefusedError
from callsheet.runtime import crash
from callsheet.runtime.failure import failure_of
from callsheet.runtime.subplans import gather_children

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from callsheet.core.ids import StepKey
    from callsheet.core.plan.plan import Cost, Plan, Step
    from callsheet.core.run.outcome import End
    from callsheet.core.run.snapshot import Snapshot
    from callsheet.ports import Toolbox
    from callsheet.runtime.environment import Environment
    from callsheet.runtime.mailbox import Mailbox
    from callsheet.runtime.text import Texts

_STEP = re.compile(r"steps\[(\d+)\]")
_IN_OUTPUT = frozenset({"inputs", "steps", "outcomes"})
_Verb: TypeAlias = "Callable[[Snapshot, StepKey, str, datetime], e.AnyEntry | None]"


class Promise(msgspec.Struct, frozen=True, kw_only=True):
    """What is to follow an attempt, if it ends well."""

    addition: Addition
    seal: bool
    output: Json = None
    """With the seal: what the run gives."""
    chosen: tuple[AgentChosen, ...] = ()
    """Who answers in the steps that follow."""
    entries: tuple[e.AnyEntry, ...] = ()
    """What is written then, as it was checked when the run had so many steps."""
    steps: int = -1


class Growth:
    """Adds steps to one run, in the name of its own steps."""

    def __init__(
        self,
        snapshot: Snapshot,
        shared: Environment,
        mailbox: Mailbox,
        texts: Texts,
        permitted: Toolbox,
    ) -> None:
        """`permitted` are the tools that the run's tenant may use."""
        self.texts = texts
        self._permitted = permitted
        self._snapshot = snapshot
        self._clock = shared.clock
        self._toolbox = shared.toolbox
        self._plans = shared.plans
        self._mailbox = mailbox
        self._promised: dict[StepKey, Promise] = {}
        self._has_followed = False
        """Something follows the end of an attempt, and is not written yet."""

    def seconds(self) -> float:
        """How long the run has been running."""
        return self._snapshot.seconds(self._clock.now())

    def spent(self) -> Cost:
        """What the run has spent so far, all its calls together."""
        return self._snapshot.pot.spent

    def grown(self) -> tuple[Step, ...]:
        """The steps that were added from inside so far, in their order."""
        steps = self._snapshot.graph.steps
        return tuple(steps[name].step for name in self._snapshot.adders)

    async def saved_plans(self, names: list[str]) -> dict[str, Plan]:
        """The saved plans of these names, and those that they name."""
        if not names:
            return {}
        tenant = self._snapshot.tenant
        return await gather_children(names, self._plans, self._permitted, tenant=tenant)

    async def add(
        self, step: StepKey, attempt: int, addition: Addition, checkpoint: Json = None
    ) -> None:
        """Add steps, and save a checkpoint with them; returns when both are durable.

        Raises:
            RequestRefusedError: the attempt is over, or the run takes no steps.
            PlanError: they do not check.
            InvalidError: an earlier attempt has added another step of the same id.
        """

        def added() -> list[e.AnyEntry]:
            self._must_go_on(step, attempt)
            now, who = self._clock.now(), (step, attempt)
            entry = additions.entry_from_inside(self._snapshot, who, addition, now, self._toolbox)
            # The text that introduces what is added comes before it.
            entries: list[e.AnyEntry] = [*self.texts.new(step)]
            if entry is not None:
                entries.append(entry)
            if checkpoint is not None:
                data = Raw(value.encode(checkpoint))
                entries.append(e.CheckpointSaved(at=now, step=step, attempt=attempt, data=data))
            crash.reach("add.before")
            return entries

        await self._mailbox.durably(added)
        crash.reach("add.after")

    async def stop(self, step: StepKey, attempt: int, name: str) -> None:
        """Stop a step that this one has added; returns when that is durable.

        Raises:
            RequestRefusedError: it has not, or that step cannot be stopped.
        """
        await self._single(step, attempt, name, additions.stop_from_inside)

    async def undo(self, step: StepKey, attempt: int, name: str) -> None:
        """Have a step taken back that this one has added; returns when that is durable.

        Raises:
            RequestRefusedError: it has not, or that step cannot be taken back.
        """
        await self._single(step, attempt, name, additions.undo_from_inside)

    async def _single(self, step: StepKey, attempt: int, name: str, entry_of: _Verb) -> None:
        def asked() -> list[e.AnyEntry]:
            self._must_go_on(step, attempt)
            entry = entry_of(self._snapshot, step, name, self._clock.now())
            return [] if entry is None else [entry]

        await self._mailbox.durably(asked)

    def promise(
        self,
        step: StepKey,
        attempt: int,
        addition: Addition,
        *,
        seal: bool,
        output: Json = None,
        chosen: tuple[AgentChosen, ...] = (),
    ) -> None:
        """Have steps follow an attempt, or the run sealed, if the attempt ends well.

        Raises:
            RequestRefusedError: the attempt is over, or the run takes no steps.
            PlanError: they do not check.
            InvalidError: an earlier attempt has added another step of the same id.
        """
        self._must_go_on(step, attempt)
        before = self._promised.get(step)
        steps = [*(before.addition.steps if before else ()), *addition.steps]
        plans = {**(before.addition.plans if before else {}), **addition.plans}
        whole = Promise(
            addition=Addition(steps=steps, plans=plans),
            seal=seal or bool(before and before.seal),
            output=before.output if before and output is None else output,
            chosen=(*(before.chosen if before else ()), *chosen),
        )
        if output is not None:
            self._must_lead_somewhere(output, whole.addition)
        try:
            entries = tuple(self._following(step, attempt, whole))
        except PlanError as refused:
            raise _counted_from(len(steps) - len(addition.steps), refused) from None
        known = len(self._snapshot.graph.steps)
        self._promised[step] = structs.replace(whole, entries=entries, steps=known)

    def _must_lead_somewhere(self, output: Json, addition: Addition) -> None:
        prepared, faults = examine(output)
        known = {*self._snapshot.graph.steps, *(str(each.get("id")) for each in addition.steps)}
        wrong = [f"{fault.text}: {fault.what}" for fault in faults]
        wrong += [f"it refers to {root!r}" for root in sorted(prepared.roots - _IN_OUTPUT)]
        used = sorted(prepared.steps | prepared.outcomes)
        wrong += [f"there is no step {name!r}" for name in used if name not in known]
        if wrong:
            raise refusal_of([Problem(place="output", what=what) for what in wrong])

    async def say(self, step: StepKey, attempt: int, sender: str, to: str, content: str) -> None:
        """Write down a message between agents; returns when it is durable.

        What an earlier attempt of the step has said is not said again.
        """
        if (step, sender, to, content) in self._snapshot.spoken:
            return

        def said() -> list[e.AnyEntry]:
            self._must_go_on(step, attempt)
            number = self._snapshot.said + 1
            return [
                AgentSaid(
                    at=self._clock.now(),
                    sender=sender,
                    to=to,
                    seq=number,
                    content=content,
                    step=step,
                )
            ]

        await self._mailbox.durably(said)

    def _must_go_on(self, step: StepKey, attempt: int) -> None:
        run = self._snapshot.steps[step]
        if run.state is StepState.UNDOING:
            raise RequestRefusedError(f"Step {step!r} is being undone: an undo adds no steps.")
        if step not in self._snapshot.active or run.attempts != attempt:
            raise RequestRefusedError(f"Attempt {attempt} of step {step!r} is over.")

    def _following(self, step: StepKey, attempt: int, promise: Promise) -> list[e.AnyEntry]:
        if promise.steps == len(self._snapshot.graph.steps):
            return list(promise.entries)  # nobody has added anything since it was checked
        now, who = self._clock.now(), (step, attempt)
        entries: list[e.AnyEntry] = []
        entry = additions.entry_from_inside(
            self._snapshot, who, promise.addition, now, self._toolbox
        )
        if entry is not None:
            entries.append(entry)
            entries += [structs.replace(each, at=now) for each in promise.chosen]
        if promise.seal:
            entries.append(e.RunSealed(at=now, step=step, attempt=attempt, output=promise.output))
        return entries

    def ending(
        self, end: End, entry_of: Callable[[End], e.AttemptEnded | e.UndoEnded]
    ) -> Iterator[e.AnyEntry]:
        """The entries for a call that has ended, each to be noted before the next is made."""
        promise = None if end.undo else self._promised.pop(end.step, None)
        following: list[e.AnyEntry] = []
        s = self._snapshot
        if promise and end.outcome == "succeeded" and s.open and not s.stopping:
            try:
                following = self._following(end.step, end.attempt, promise)
            except (PlanError, InvalidError) as exc:
                # Somebody else has added a step of that id meanwhile.
                refused = InvalidError(f"What was to follow cannot be added: {exc.message}")
                error = structs.replace(failure_of(refused), nothing_happened=False)
                end = structs.replace(end, outcome="failed", output=None, error=error)
        yield from self.texts.new(end.step)
        ended = entry_of(end)
        yield ended
        if promise is None or ended.outcome != "succeeded" or s.stopping:
            return
        if not s.open:
            message = "What was to follow was not added: the run was sealed meanwhile."
            yield e.ProblemNoted(at=ended.at, step=end.step, message=message)
            return
        if following:
            crash.reach("then.before")
            self._has_followed = True
            for entry in following:
                yield structs.replace(entry, at=ended.at)

    def note_written(self) -> None:
        """What was noted is durable."""
        self.texts.note_written()
        if self._has_followed:
            self._has_followed = False
            crash.reach("then.after")

    def close(self) -> None:
        """The run is no longer driven here."""
        self.texts.close()


def _counted_from(first: int, refused: PlanError) -> PlanError:
    """Problems with places counted from the steps that were given last."""

    def shifted(problem: object) -> Problem:
        assert isinstance(problem, Problem)
        found = _STEP.match(problem.place)
        if found is None or int(found[1]) < first:
            return problem
        place = f"steps[{int(found[1]) - first}]{problem.place[found.end() :]}"
        return structs.replace(problem, place=place)

    return refusal_of([shifted(each) for each in refused.problems])
