"""From commands to entries: resolving what must be resolved, admitting what may be admitted.

A command becomes one entry, or none when admission holds it back. A call that is let through has a
slot, which is kept here until the call has ended.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Raw

from callsheet.core import value
from callsheet.core.ids import StepKey
from callsheet.core.past import costs
from callsheet.core.past.requests import doubt_choices
from callsheet.core.plan.artifact import MARK_BYTES, artifacts_in
from callsheet.core.plan.plan import Plan
from callsheet.core.plan.subplan import child_inputs, child_plan
from callsheet.core.run import commands as c
from callsheet.core.run import entries as e
from callsheet.core.run.fold import APPROVE, DENY
from callsheet.core.run.start import digests_in
from callsheet.core.words import clipped
from callsheet.errors import CallsheetError, DeniedError, InvalidError, ToolError
from callsheet.runtime import alive
from callsheet.runtime.admission import Applicant, Slot
from callsheet.runtime.belonging import Belongings
from callsheet.runtime.cache import cache_key
from callsheet.runtime.ends import brief, hidden, written
from callsheet.runtime.failure import failure_of
from callsheet.runtime.log import log
from callsheet.runtime.secrets import NOT_ANY, Vault
from callsheet.runtime.unsaid import settled

if TYPE_CHECKING:
    from datetime import datetime

    from callsheet.core.plan.artifact import Artifact
    from callsheet.core.run.outcome import End
    from callsheet.core.run.snapshot import Snapshot
    from callsheet.core.run.step import StepRun
    from callsheet.core.value import Json
    from callsheet.runtime.cache import Lookups
    from callsheet.runtime.environment import Environment
    from callsheet.runtime.families import ChildPlace, Member
    from callsheet.runtime.held import Reach
    from callsheet.runtime.resolve import Resolver
    from callsheet.runtime.secrets import Revealed

MAX_SHOWN = 400
LOOK = 0.25
"""Seconds between two looks whether an earlier attempt of a step has ended at last."""
STILL_ALIVE = "An earlier attempt of it does not stop, and may still be at work in this process."


class Performer:
    """Makes the entries of one run."""

    def __init__(
        self,
        snapshot: Snapshot,
        resolver: Resolver,
        shared: Environment,
        lookups: Lookups,
        member: Member,
        reach: Reach,
    ) -> None:
        self._permitted = reach.tools
        self._belongings = Belongings(snapshot.graph, resolver.outputs)
        self._snapshot = snapshot
        self._resolver = resolver
        self._clock = shared.clock
        self._toolbox = shared.toolbox
        self._admission = shared.admission
        self._families = shared.families
        self._member = member
        self._secrets = Vault(shared.secrets, shared.grants, member.tenant, reach.secrets)
        self._lookups = lookups
        self._applicant = Applicant(member.tenant, member.nudge)
        self._nudge = member.nudge
        self._tenant = member.tenant
        self._slots: dict[StepKey, Slot | ChildPlace] = {}
        """Of the calls that may be made, or are; each is given back at the end of its call."""
        self._output: Raw | None = None
        self._consumed: dict[StepKey, tuple[str, ...]] = {}
        self._cache_keys: dict[StepKey, str] = {}
        self._args: dict[StepKey, Raw] = {}
        """Of the steps that were looked for in the cache, until they start."""
        self._revealed: dict[StepKey, Revealed] = {}
        """The secrets that the calls going on were given."""
        self._looking = False
        """It will look again whether an earlier attempt has ended."""

    def entry_of(self, command: c.Command, held: set[str]) -> e.AnyEntry | None:
        """The entry a command becomes. A tool that cannot be admitted is added to `held`."""
        if isinstance(command, c.StartAttempt):
            return self._start(command, held)
        if isinstance(command, (c.ExpandStep, c.DecideStep, c.AskStep)):
            step = self._snapshot.steps[command.step]
            try:
                return self._settle(command, step)
            except CallsheetError as exc:
                return e.StepRefused(at=self._clock.now(), step=step.key, error=_refusal(exc))
        return self._plainly(command)

    def _settle(
        self, command: c.ExpandStep | c.DecideStep | c.AskStep, step: StepRun
    ) -> e.AnyEntry:
        now = self._clock.now()
        if isinstance(command, c.ExpandStep):
            items = self._resolver.items(step)
            raw = Raw(value.encode(items))
            return e.StepExpanded(at=now, step=step.key, count=len(items), items=raw)
        if isinstance(command, c.AskStep):
            return self._question(command, step)
        if not self._resolver.when(step):
            reason = f"when is false: {step.planned.step.when}"
            return e.StepDecided(at=now, step=step.key, verdict="skip", reason=reason)
        touches = self._resolver.touches(step)
        return e.StepDecided(at=now, step=step.key, verdict="run", touches=touches)

    def _plainly(self, command: c.Command) -> e.AnyEntry | None:
        now = self._clock.now()
        match command:
            case c.SkipStep():
                return e.StepDecided(
                    at=now, step=command.step, verdict="skip", reason=command.reason
                )
            case c.RefuseStep():
                return e.StepRefused(at=now, step=command.step, error=command.error)
            case c.StartUndo():
                return self._undo(command)
            case c.EndRun():
                return self._end(command)
            case _:
                return None  # StopAttempts: the loop tells them, and there is nothing to write

    def _question(self, command: c.AskStep, step: StepRun) -> e.QuestionAsked:
        now = self._clock.now()
        number = f"{step.key}#{step.questions + 1}"
        if command.ask == "question":
            return e.QuestionAsked(
                at=now,
                step=step.key,
                question=number,
                ask="question",
                text=self._resolver.text(step),
                choices=step.planned.step.choices,
            )
        if command.ask == "doubt":
            why = step.error.message if step.error else "the attempt was lost"
            return e.QuestionAsked(
                at=now,
                step=step.key,
                question=number,
                ask="doubt",
                text=f"Did {step.planned.tool} happen? It is not known: {why}",
                choices=doubt_choices(step),
            )
        args = self._resolver.args(step)
        return e.QuestionAsked(
            at=now,
            step=step.key,
            question=number,
            ask="approval",
            text=f"Run {step.planned.tool} with {_clipped(args)}?",
            choices=(APPROVE, DENY),
            digest=value.digest(value.decode(args)),
            args=args,
        )

    def _start(self, command: c.StartAttempt, held: set[str]) -> e.AnyEntry | None:
        step = self._snapshot.steps[command.step]
        if step.planned.is_child:
            return self._start_child(command, step, held)
        if step.planned.step.cache and not step.attempts:
            try:
                answer = self._from_cache(step)
            except CallsheetError as exc:
                return e.StepRefused(at=self._clock.now(), step=step.key, error=_refusal(exc))
            if answer is not None:
                return answer if isinstance(answer, e.StepCached) else None
        if step.attempts and step.planned.writes and self._is_alive(step, undo=False):
            return self._delayed(step, STILL_ALIVE)
        slot = self._admitted(step, held)
        if not isinstance(slot, Slot):
            return slot
        entry = self._call(command, step)
        if isinstance(entry, e.StepRefused):
            slot.withdraw()
            self._families.call_ended(self._member)
        else:
            self._slots[step.key] = slot
        return entry

    def _admitted(self, step: StepRun, held: set[str]) -> Slot | e.StepDelayed | None:
        """The place of a call; else the entry that says why there is none, if that is told."""
        tool = step.planned.tool
        if not self._families.admit_call(self._member):
            held.add(tool)
            return None
        slot = self._admission.admit(tool, self._applicant)
        if isinstance(slot, Slot):
            return slot
        self._families.call_ended(self._member)
        held.add(tool)
        return self._delayed(step, slot.reason, slot.until) if slot.told else None

    def _delayed(
        self, step: StepRun, reason: str, until: datetime | None = None
    ) -> e.StepDelayed | None:
        """It is held back, for a reason that is told once."""
        if step.reason == reason:
            return None
        return e.StepDelayed(at=self._clock.now(), step=step.key, reason=reason, until=until)

    def _start_child(
        self, command: c.StartAttempt, step: StepRun, held: set[str]
    ) -> e.AnyEntry | None:
        try:
            place = self._families.admit_child(self._member)
        except CallsheetError as exc:
            return e.StepRefused(at=self._clock.now(), step=step.key, error=_refusal(exc))
        if place is None:
            held.add(step.planned.tool)
            return None
        entry = self._call(command, step)
        if isinstance(entry, e.StepRefused):
            place.drop()
        else:
            self._slots[step.key] = place
        return entry

    def go_on_with(self, step: StepKey) -> None:
        """A child was there when the run was taken up again."""
        self._slots[step] = self._families.take_child(self._member)

    def _call(self, command: c.StartAttempt, step: StepRun) -> e.AnyEntry:
        now = self._clock.now()
        try:
            self._must_be_permitted(step)
            args = self._args.pop(step.key, None) or self._resolver.args(step)
            if step.approved and step.approved != value.digest(value.decode(args)):
                raise InvalidError("The arguments are not those that were approved.")
            undo = self._resolver.undo_template(step, args) if step.planned.undo_tool else None
            if step.planned.is_child:
                self._check_inputs(step, args)
            elif names := self._resolver.secrets_of(step):
                self._revealed[step.key] = self._secrets.reveal(names, step.planned.tool)
            if consumed := digests_in(args):
                self._belongings.check(consumed)
        except CallsheetError as exc:
            return e.StepRefused(at=now, step=step.key, error=_refusal(exc))
        if consumed:
            self._consumed[step.key] = consumed
        return e.AttemptStarted(
            at=now,
            step=step.key,
            attempt=command.attempt,
            args=args,
            undo=undo,
            reserved=step.planned.reserve,
            consumed=consumed,
        )

    def _must_be_permitted(self, step: StepRun) -> None:
        tool = step.planned.tool
        if self._permitted is self._toolbox or step.planned.is_child:
            return
        # Somebody may have said so since the run was started.
        if self._permitted.spec(tool) is None and self._toolbox.spec(tool) is not None:
            raise DeniedError(f"The tool {tool} is not for the tenant {self._tenant!r}.")

    def _check_inputs(self, step: StepRun, args: Raw) -> None:
        plan = child_plan(step.planned.step, self._snapshot.graph.children)
        child_inputs(step.planned.step, plan or Plan(steps=()), value.decode(args))

    def _from_cache(self, step: StepRun) -> e.StepCached | Literal["wait"] | None:
        """The entry of a read that another run has made; None: this one must make it."""
        spec = self._toolbox.spec(step.planned.tool)
        if spec is None:
            return None
        key = self._cache_keys.get(step.key)
        if key is None:
            args = self._args[step.key] = self._resolver.args(step)
            key = self._cache_keys[step.key] = cache_key(spec, args, self._tenant)
        age = step.planned.step.cache
        most = None if age is True else float(age)
        if self._lookups.is_pending(step.key, key, most):
            return "wait"
        found = self._lookups.answer(step.key, most)
        if found is None:
            return None
        self._args.pop(step.key, None)
        self._cache_keys.pop(step.key, None)
        output = found.entry.output
        return e.StepCached(
            at=self._clock.now(),
            step=step.key,
            key=key,
            source=found.run,
            source_step=found.entry.step,
            output=output,
            artifacts=artifacts_in(value.decode(output)) if digests_in(output) else (),
        )

    def call_args(self, entry: e.AttemptStarted | e.UndoStarted) -> tuple[Json, Revealed]:
        """What a tool is really given, and the secrets in it."""
        step = self._snapshot.steps[StepKey(entry.step)]
        if isinstance(entry, e.UndoStarted):
            names = self._resolver.secrets_of(step, undo=True)
            self._revealed[step.key] = self._secrets.reveal(names, entry.tool)
        secrets = self._revealed.get(step.key)
        if not secrets:
            return value.decode(entry.args), NOT_ANY
        undo = isinstance(entry, e.UndoStarted)
        return self._resolver.revealed(step, secrets, undo=undo), secrets

    def _is_alive(self, step: StepRun, *, undo: bool) -> bool:
        """Whether an earlier attempt may be at work here; if so, it looks again in a while."""
        if not alive.is_alive((self._snapshot.run, step.key, undo)):
            return False
        if not self._looking:
            self._looking = True
            self._clock.call_later(LOOK, self._look_again)
        return True

    def _look_again(self) -> None:
        self._looking = False
        self._nudge()

    def _undo(self, command: c.StartUndo) -> e.AnyEntry | None:
        step = self._snapshot.steps[command.step]
        if step.undo_attempts and self._is_alive(step, undo=True):
            return None
        undo = step.undo
        now = self._clock.now()
        assert undo is not None, "decide names only steps that owe something"
        try:
            call = self._resolver.resolved_undo(step, undo)
            self._secrets.reveal(self._resolver.secrets_of(step, undo=True), call.tool)
        except CallsheetError as exc:
            return e.UndoEnded(
                at=now,
                step=step.key,
                attempt=command.attempt,
                outcome="failed",
                error=_refusal(exc),
            )
        return e.UndoStarted(
            at=now, step=step.key, attempt=command.attempt, tool=call.tool, args=call.args
        )

    def _end(self, command: c.EndRun) -> e.AnyEntry:
        if command.state == "succeeded" and self._output is None:
            try:
                self._output = Raw(value.encode(self._resolver.output()))
            except CallsheetError as exc:
                # The steps have succeeded all the same; the end follows with no output.
                self._output = e.NULL
                message = f"The output could not be resolved: {exc.message}"
                return e.ProblemNoted(at=self._clock.now(), message=message)
        output = self._output if command.state == "succeeded" and self._output else e.NULL
        return e.RunEnded(
            at=self._clock.now(),
            state=command.state,
            cause=command.cause,
            output=output,
            digest=self._snapshot.digest(),
            spent=self._snapshot.pot.spent,
        )

    def ending_of(self, end: End) -> e.AttemptEnded | e.UndoEnded:
        """The entry for a call that has ended; its slot is free from here on."""
        self._free(end)
        if self._revealed and (secrets := self._revealed.pop(end.step, None)):
            end = hidden(end, secrets)
        now = self._clock.now()
        end, raw = written(end)
        step = self._snapshot.steps[end.step]
        spec = self._toolbox.spec(end.tool)
        if end.error is not None:
            end = settled(brief(end, end.error), step, spec)
            self._tell_where(end)
        if end.undo:
            return e.UndoEnded(
                at=now,
                step=end.step,
                attempt=end.attempt,
                outcome=end.outcome,
                output=raw,
                error=end.error,
                cost=costs.of_undo(end, spec),
            )
        undo = step.undo
        artifacts: tuple[Artifact, ...] = ()
        key = ""
        if end.outcome == "succeeded":
            artifacts, key = self._given_by(end.step, raw)
            if undo is not None:
                undo = self._resolver.undo_of(step, end.output)
        entry = e.AttemptEnded(
            at=now,
            step=end.step,
            attempt=end.attempt,
            outcome=end.outcome,
            output=raw,
            error=end.error,
            cost=costs.of_call(
                end,
                step,
                spec,
                stopping=self._snapshot.stopping is not None,
            ),
            undo=undo,
            abandoned=end.abandoned,
            kept=end.kept,
            artifacts=artifacts,
            cache_key=key,
        )
        if key:
            self._lookups.note_made(self._snapshot.run, entry)
        return entry

    def _free(self, end: End) -> None:
        """The place that a call had is free."""
        if slot := self._slots.pop(end.step, None):
            slot.end(end)
            if type(slot) is Slot:
                self._families.call_ended(self._member)

    def pass_on(self) -> None:
        """The turn is over: places that were offered and not taken are for other runs."""
        if self._applicant.offers:
            self._admission.pass_on(self._applicant)

    def _tell_where(self, end: End) -> None:
        """Say to operators where in a tool an exception was raised that nobody expected."""
        if end.error is None or not end.error.traceback:
            return
        log.warning(
            "tool.raised",
            run=self._snapshot.run,
            step=end.step,
            attempt=end.attempt,
            tool=end.tool,
            exception=end.error.traceback,
        )

    def close(self) -> None:
        """The run is no longer driven here: its slots are free for others."""
        self._admission.leave(self._applicant)
        for slot in self._slots.values():
            slot.drop()
            if type(slot) is Slot:
                self._families.call_ended(self._member)
        self._slots.clear()
        self._families.leave(self._member)

    def _given_by(self, step: StepKey, output: Raw) -> tuple[tuple[Artifact, ...], str]:
        """What a call that succeeded gives to others: artifacts, and the key it is found by."""
        key = self._cache_keys.pop(step, "")
        consumed = self._consumed.pop(step, ())
        if MARK_BYTES not in bytes(output):
            return (), key
        found = artifacts_in(value.decode(output))
        return tuple(artifact for artifact in found if artifact.digest not in consumed), key


def _clipped(args: Raw) -> str:
    """Arguments for a question: a person must see what is approved, at a glance."""
    text = bytes(args).decode()
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"


def _refusal(exc: CallsheetError) -> e.Failure:
    if isinstance(exc, ToolError):
        return failure_of(exc)
    message = clipped(exc.message).encode("utf-8", "backslashreplace").decode()
    return e.Failure(error_class="invalid", message=message, type=type(exc).__name__)
