"""Faults put into the engine on purpose, one at a time: what the simulation is measured by.

A simulation that finds nothing says little. Each of these breaks one promise in one place, by
patching the real engine while it is active; each must be caught within `ENOUGH` seeds. Some are
mistakes that the simulation has found in the engine itself.
"""

from __future__ import annotations

from datetime import timedelta
from itertools import count
from typing import Any

from msgspec import Raw, structs

from callsheet.core.past.outputs import Outputs
from callsheet.core.run import commands as c
from callsheet.core.run import decide, policy, snapshot
from callsheet.core.run import entries as e
from callsheet.core.run.budget import Pot
from callsheet.core.run.fold import HANDLERS
from callsheet.core.run.ready import TouchQueues
from callsheet.core.run.request import Settled
from callsheet.core.run.saga import Saga
from callsheet.core.run.snapshot import Snapshot
from callsheet.errors import CallsheetError
from callsheet.runtime import loop, mailbox
from callsheet.runtime.admission import Admission
from callsheet.runtime.attempt import Attempt
from callsheet.runtime.context import CallContext
from callsheet.runtime.feed import Feed
from callsheet.runtime.journal import WholeJournal
from callsheet.runtime.loop import RunLoop
from callsheet.runtime.perform import Performer
from callsheet.runtime.runtime import Runtime
from callsheet.stores.memory.store import MemoryJournal
from callsheet.testing.simulation.faults import Faults
from callsheet.testing.simulation.mutant import Mutant
from callsheet.testing.simulation.mutant import instead as _instead
from callsheet.testing.simulation.mutant import nothing as _nothing
from callsheet.testing.simulation.mutants_of_closing import MUTANTS_OF_CLOSING
from callsheet.testing.simulation.mutants_of_runs import MUTANTS_OF_RUNS
from callsheet.testing.simulation.owners import Drivers

# The store


def _drop(right: Any) -> Any:
    appends = count(1)

    async def append(self: Any, run: Any, entries: Any, *, after: int) -> int:
        if next(appends) % 7 == 0:
            return after + len(entries)
        written: int = await right(self, run, entries, after=after)
        return written

    return append


def _tear(right: Any) -> Any:
    async def append(self: Any, run: Any, entries: Any, *, after: int) -> int:
        half = entries[:-1] if len(entries) > 3 else entries  # noqa: PLR2004 -- not every one
        await right(self, run, half, after=after)
        return after + len(entries)

    return append


async def _give_up(_self: Any, _run: Any, _entries: Any, error: Any, **_: Any) -> int:
    raise error


async def _do_not_look(_self: Any, _run: Any, entries: Any, _error: Any, *, after: int) -> int:
    return after + len(entries)


# The loop


def _swap(right: Any) -> Any:
    async def write(self: Any) -> None:
        noted = self._entries
        if len(noted) > 1 and not isinstance(noted[-2], e.RunStarted):
            noted[-2], noted[-1] = noted[-1], noted[-2]
        await right(self)

    return write


def _tell_first(right: Any) -> Any:
    async def write(self: Any) -> None:
        if self._entries:
            self._shared.feed.publish(self.snapshot.run, self._durable, list(self._entries))
        await right(self)

    return write


def _once_each(right: Any) -> Any:
    def publish(self: Any, run: Any, after: int, entries: Any) -> None:
        told = self.__dict__.setdefault("told", {})
        if told.get(run, 0) <= after:
            told[run] = after + len(entries)
            right(self, run, after, entries)

    return publish


def _call_first(right: Any) -> Any:
    async def write(self: Any) -> None:
        for attempt in self._attempts.values():
            attempt.begin(self._group, self._shared.toolbox)
        await right(self)

    return write


def _once(right: Any) -> Any:
    def begin(self: Any, group: Any, toolbox: Any) -> None:
        if self._task is None:
            right(self, group, toolbox)

    return begin


def _forget_the_lost(right: Any) -> Any:
    def recover(self: Any, entries: Any) -> None:
        right(self, entries)
        self._entries = [x for x in self._entries if getattr(x, "outcome", "") != "lost"]

    return recover


def _resume_by_itself(right: Any) -> Any:
    def recover(self: Any, entries: Any) -> None:
        right(self, entries)
        self.snapshot.paused = False

    return recover


def _lose_answers(right: Any) -> Any:
    answers = count(1)

    def entry_of(s: Any, request: Any, *rest: Any) -> Any:
        if request.kind == "answer" and next(answers) % 3 == 0:
            return None
        return right(s, request, *rest)

    return entry_of


def _take_any_answer(right: Any) -> Any:
    def entry_of(s: Any, request: Any, *rest: Any) -> Any:
        return right(s, structs.replace(request, question=None), *rest)

    return entry_of


def _start_after_cancel(right: Any) -> Any:
    def decide_(s: Any, held: Any = ()) -> Any:
        commands = right(s, held)
        if s.saga or not (s.stopping and s.stopping.kind == "cancel"):
            return commands
        cause, s.stopping = s.stopping, None
        starts = [x for x in right(s, held) if isinstance(x, c.StartAttempt)]
        s.stopping = cause
        return starts or commands

    return decide_


async def _refuse_all(self: Any, request: Any, _first: bool) -> Settled:
    try:
        await self.request(request)
    except CallsheetError as exc:
        return Settled(refusal=exc.message)
    return Settled()


# The core


def _repeat(right: Any) -> Any:
    def judge(step: Any, entry: Any, *, stopping: bool) -> Any:
        verdict = right(step, entry, stopping=stopping)
        again = verdict == "succeeded" and step.attempts == 1 and step.planned.repeatable
        return "retry" if again and not stopping else verdict

    return judge


def _ask_on(right: Any) -> Any:
    def recorded(s: Any, entry: Any) -> None:
        question = s.questions.get(entry.step)
        right(s, entry)
        if question is not None and question.ask == "approval":
            s.questions[entry.step] = question

    return recorded


def _take_no_for_yes(right: Any) -> Any:
    def recorded(s: Any, entry: Any) -> None:
        if bytes(entry.answer) == b'"deny"':
            entry = structs.replace(entry, answer=Raw(b'"approve"'))
        right(s, entry)

    return recorded


def _start_early(right: Any) -> Any:
    def started(s: Any, entry: Any) -> None:
        right(s, entry)
        for step in list(s.steps.values()):
            if step.unmet == 1:
                step.unmet = 0
                s.needs_met(step)

    return started


def _keep_after_cancel(right: Any) -> Any:
    def stop(self: Any, cause: Any, *, takes_back: bool) -> None:
        right(self, cause, takes_back=takes_back and cause.kind != "cancel")

    return stop


def _end_at_once(right: Any) -> Any:
    def stopping(s: Any, cause: Any) -> Any:
        return [decide._end_stopped(cause)] if s.active else right(s, cause)  # noqa: SLF001

    return stopping


def _all_at_once(right: Any) -> Any:
    def init(self: Any, graph: Any, steps: Any, touched: Any, to: Any) -> None:
        right(self, graph, steps, touched, to)
        for step in steps.values():
            if step.owes and not step.undo_impossible and step.key not in self.keep:
                self._passed.add(step.key)
                self.due[step.key] = None

    return init


def _again(right: Any) -> Any:
    def settle(self: Any, step: Any) -> None:
        right(self, step)
        if step.undo_attempts == 1:
            self.due[step.key] = None

    return settle


def _charge_twice(right: Any) -> Any:
    def ending_of(self: Any, end: Any) -> Any:
        entry = right(self, end)
        return structs.replace(entry, cost=entry.cost.plus(entry.cost))

    return ending_of


def _key_per_attempt(right: Any) -> Any:
    def key(self: Any) -> str:
        found: str = right.fget(self)
        return found if found.endswith(":undo") else f"{found}{self.attempt}"

    return property(key)


# The feed


def _gap(right: Any) -> Any:
    batches = count(1)

    def publish(self: Any, run: Any, after: int, entries: Any) -> None:
        if next(batches) % 5:
            right(self, run, after, entries)

    return publish


def _stutter(right: Any) -> Any:
    def publish(self: Any, run: Any, after: int, entries: Any) -> None:
        right(self, run, after, entries)
        right(self, run, after, entries)

    return publish


MUTANTS = (
    Mutant(
        "drops_a_commit",
        "an append is acknowledged, and was never written",
        ((MemoryJournal, "append", _drop),),
    ),
    Mutant(
        "tears_a_commit",
        "the last entry of an append is missing",
        ((MemoryJournal, "append", _tear),),
    ),
    Mutant(
        "lets_the_replaced_write",
        "what a process that was replaced had on its way is written all the same",
        ((Drivers, "lets_write", _instead(lambda _self, _driver: True)),),
        Faults(crashes=1.0, zombies=1.0, slow_commits=0.8, outages=0.0),
    ),
    Mutant(
        "gives_up_in_an_outage",
        "a run that the disk has interrupted is left alone",
        (
            (WholeJournal, "append_after_all", _instead(_give_up)),
            (Runtime, "take_up_later", _instead(_nothing)),
        ),
    ),
    Mutant(
        "writes_again_blindly",
        "after a commit that nobody knows of, what is written is not looked at",
        ((WholeJournal, "append_after_all", _instead(_do_not_look)),),
    ),
    Mutant("swaps_entries", "two entries change places", ((RunLoop, "_write", _swap),)),
    Mutant(
        "calls_before_writing",
        "a tool is called before its start is journalled",
        ((RunLoop, "_write", _call_first), (Attempt, "begin", _once)),
    ),
    Mutant(
        "forgets_lost_attempts",
        "what a crash interrupted never gets an end",
        ((RunLoop, "recover", _forget_the_lost),),
    ),
    Mutant(
        "resumes_by_itself",
        "a paused run goes on when it is taken up again",
        ((RunLoop, "recover", _resume_by_itself),),
    ),
    Mutant(
        "loses_answers",
        "an answer is acknowledged, and not journalled",
        ((mailbox, "entry_of", _lose_answers),),
    ),
    Mutant(
        "takes_late_answers",
        "an answer to one question is taken for an answer to the next",
        ((mailbox, "entry_of", _take_any_answer),),
        Faults(lost_answers=0.3, crashes=1.0, echoes=1.0, outages=0.0),
    ),
    Mutant(
        "starts_after_cancel",
        "steps start although a cancel is journalled",
        ((loop, "decide", _start_after_cancel),),
    ),
    Mutant(
        "tells_before_writing",
        "whoever looks on is told of what is not written yet",
        ((RunLoop, "_write", _tell_first), (Feed, "publish", _once_each)),
    ),
    Mutant(
        "refuses_for_the_disk",
        "a request that the disk did not take is refused for good",
        ((Runtime, "_serve", _instead(_refuse_all)),),
        Faults(elsewhere=1.0, outages=0.1, undos=1.0),
    ),
    Mutant(
        "repeats_a_finished_step",
        "a step that has succeeded is tried once more",
        ((policy, "judge", _repeat),),
    ),
    Mutant(
        "takes_two_answers",
        "an approval can be answered again",
        ((HANDLERS, e.AnswerRecorded, _ask_on),),  # type: ignore[arg-type]
    ),
    Mutant(
        "takes_no_for_yes",
        "what was denied is done",
        ((HANDLERS, e.AnswerRecorded, _take_no_for_yes),),  # type: ignore[arg-type]
    ),
    Mutant(
        "starts_before_its_needs",
        "a step does not wait for the last thing it needs",
        ((HANDLERS, e.RunStarted, _start_early),),  # type: ignore[arg-type]
    ),
    Mutant(
        "runs_on_what_failed",
        "a step runs although what it needs has failed or was skipped",
        ((snapshot, "_stops", _instead(lambda _step: "")),),
    ),
    Mutant(
        "ignores_touches",
        "two steps touch the same thing at once",
        ((TouchQueues, "is_first", _instead(lambda _self, _step: True)),),
    ),
    Mutant(
        "ignores_concurrency",
        "more goes on at once than the plan allows",
        ((Snapshot, "free", _instead(property(lambda _self: 99))),),
    ),
    Mutant(
        "ignores_limits",
        "a tool is called more often at once than it takes",
        ((Admission, "_delay", _instead(lambda *_: None)),),
        Faults(crashes=0.0, closings=0.0, repeats=1.0, outages=0.0),
    ),
    Mutant(
        "skips_the_reservation",
        "nothing is set aside for calls that go on",
        ((Pot, "reserve", _instead(_nothing)), (Pot, "release", _instead(_nothing))),
        Faults(hangs=0.3, crashes=0.0, closings=0.0, outages=0.0),
    ),
    Mutant(
        "charges_twice",
        "a call is charged twice what it has cost",
        ((Performer, "ending_of", _charge_twice),),
    ),
    Mutant(
        "retries_blindly",
        "a write that may have happened is made again",
        ((policy, "is_unknown", _instead(lambda _step, _entry: False)),),
    ),
    Mutant(
        "ignores_retry_after",
        "a tool that asks for time does not get it",
        ((policy, "_at_least", _instead(lambda wait, _: timedelta(seconds=wait))),),
    ),
    Mutant(
        "changes_the_key",
        "each attempt is given another idempotency key",
        ((CallContext, "key", _key_per_attempt),),
    ),
    Mutant(
        "loses_checkpoints",
        "the next attempt is not given what the last one had saved",
        ((Outputs, "saved", _instead(lambda _self, _step: None)),),
    ),
    Mutant(
        "never_times_out",
        "a call that hangs is left to",
        ((Attempt, "_expire", _instead(_nothing)),),
    ),
    Mutant(
        "ends_while_calls_go_on",
        "a run that is stopped ends before its calls have",
        ((decide, "_stopping", _end_at_once),),
    ),
    Mutant(
        "keeps_after_cancel",
        "a cancelled run does not take back what it should",
        ((Snapshot, "stop", _keep_after_cancel),),
    ),
    Mutant(
        "undoes_in_any_order",
        "a step is taken back before what was built on it",
        ((Saga, "__init__", _all_at_once),),
    ),
    Mutant("undoes_twice", "what is taken back is taken back again", ((Saga, "settle", _again),)),
    Mutant("leaves_gaps", "subscribers are not told of some entries", ((Feed, "publish", _gap),)),
    Mutant("stutters", "listeners are told of entries twice", ((Feed, "publish", _stutter),)),
    *MUTANTS_OF_RUNS,
    *MUTANTS_OF_CLOSING,
)


def mutant_named(name: str) -> Mutant:
    """The mutant of that name.

    Raises:
        KeyError: there is none.
    """
    return {mutant.name: mutant for mutant in MUTANTS}[name]
