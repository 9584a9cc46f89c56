"""The laws of what is left outside, and of what people were told."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from callsheet.core import value
from callsheet.core.run import entries as e
from callsheet.testing.simulation.disk import AWAY
from callsheet.testing.simulation.tale import name_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from callsheet.testing.simulation.outside import Visit
    from callsheet.testing.simulation.tale import Tale, Try

DUST = 1e-6


def it_ends_and_the_engine_makes_no_mistake(tale: Tale) -> Iterator[str]:
    """No story goes on for ever, and no exception is left lying about."""
    if tale.story.hung:
        yield tale.story.hung
    yield from tale.story.faulty
    known = tale.run == tale.story.run or tale.source or tale.parent or tale.is_repeat
    if tale.entries and not known:
        yield f"{tale.run} is another run of the same start"
    if tale.entries and tale.end is None:
        yield "it has not ended"


def a_call_is_written_down_before_it_is_made(tale: Tale) -> Iterator[str]:
    """Its start is on the disk, once, with the same arguments."""
    seen: set[tuple[str, int, bool, str]] = set()
    for visit in tale.visits:
        name = f"call {visit.attempt} of {visit.step}{' (undo)' * visit.undo}"
        mark = visit.step, visit.attempt, visit.undo, visit.tool
        if mark in seen:
            yield f"{name} is made twice"
        seen.add(mark)
        start = _start_of(tale, visit)
        if not visit.written or start is None:
            yield f"{name} is made before it is written down"
        elif not start.start.stored and value.digest(visit.args) != value.digest(
            value.decode(start.start.args)
        ):
            yield f"{name} is made with other arguments than those written down"


def _start_of(tale: Tale, visit: Visit) -> Try | None:
    book = (tale.undos if visit.undo else tale.tries).get(visit.step, [])
    return next((each for each in book if each.attempt == visit.attempt), None)


def a_step_has_one_key(tale: Tale) -> Iterator[str]:
    """All attempts of a step are given the same key, and no two steps of any runs share one."""
    keys: dict[str, str] = {}
    owners: dict[str, str] = {}
    for visit in tale.story.outside.visits:
        name = f"{visit.step} of {visit.run}{' (undo)' * visit.undo}"
        if keys.setdefault(name, visit.key) != visit.key:
            yield f"{name} is given another key in attempt {visit.attempt}"
        if owners.setdefault(visit.key, name) != name:
            yield f"{name} is given the key of {owners[visit.key]}"


def no_tool_is_called_more_at_once_than_it_takes(tale: Tale) -> Iterator[str]:
    """A tool's own limit, over all that goes on."""
    # One that was told to stop and does not listen is not counted any more by anybody.
    told = Counter((v.tool, v.life) for v in tale.story.outside.visits if v.told)
    for visit in tale.visits:
        limit = tale.specs[visit.tool].limit
        deaf = told[visit.tool, visit.life]
        if limit is not None and limit.at_once and visit.busy - deaf > limit.at_once:
            yield f"{visit.busy} calls of {visit.tool} at once; it takes {limit.at_once}"


def an_effect_happens_at_most_once(tale: Tale) -> Iterator[str]:
    """However often a write is tried. Who says `in_doubt: retry` has said that it may be twice."""
    counts: dict[str, int] = {}
    for effect in tale.effects:
        counts[effect.step] = counts.get(effect.step, 0) + 1
    for step, count in counts.items():
        if count > 1 and tale.step(step).in_doubt != "retry":
            yield f"{step} has happened {count} times"


def what_succeeded_stands(tale: Tale) -> Iterator[str]:
    """A write that is journalled as done is there, unless it was taken back."""
    for key, book in tale.tries.items():
        last = book[-1].end
        writes = tale.spec(key).effect == "write" and tale.step(key).plan is None
        done = last is not None and last.outcome == "succeeded" and writes
        if done and not any(effect.step == key for effect in tale.effects):
            yield f"{key} has succeeded, and nothing has happened"


def undone_means_that_nothing_stands(tale: Tale) -> Iterator[str]:
    """A run that takes back leaves nothing behind that it could take back, or is stuck."""
    if tale.end is None or not _takes_back(tale) or tale.end.state in ("stuck", "succeeded"):
        return
    kept = _kept(tale)
    for effect in tale.effects:
        owed = tale.undo_tool(effect.step) is not None and name_of(effect.step) not in kept
        if owed and not effect.taken_back and effect.step not in kept:
            yield f"the run ended {tale.end.state}, and {effect.step} still stands"


def _takes_back(tale: Tale) -> bool:
    """Whether what stopped the run, or who, wants it taken back."""
    asked = any(isinstance(entry, e.UndoRequested) for entry in tale.entries)
    cause = tale.end.cause if tale.end else None
    if asked or cause is None:
        return asked
    if cause.kind == "cancel":
        return (tale.plan.on_cancel or tale.plan.on_failure) == "undo"
    return tale.plan.on_failure == "undo"


def _kept(tale: Tale) -> set[str]:
    """Everything that some request to undo wanted kept, read generously."""
    found: set[str] = set()
    for entry in tale.entries:
        if isinstance(entry, e.UndoRequested) and entry.to is not None:
            name = name_of(entry.to)
            more = {name} | tale.above[name]
            while more:
                # Whoever touched the same thing before it is kept too, and what that was built on.
                found |= more
                keys = {key for step in found for key in tale.touched_by(step)}
                more = {step for step in tale.steps if tale.touched_by(step) & keys} - found
                more |= {above for step in more for above in tale.above[step]} - found
    return found


def a_run_that_takes_nothing_back_takes_nothing_back(tale: Tale) -> Iterator[str]:
    """Nothing is undone without a reason: a stop that takes back, a request, or an answer."""
    reason = False
    for seq, entry in enumerate(tale.entries, 1):
        if isinstance(entry, e.UndoRequested):
            reason = True
        elif isinstance(entry, e.CancelRequested):
            reason = reason or (tale.plan.on_cancel or tale.plan.on_failure) == "undo"
        elif isinstance(entry, e.UndoStarted):
            fails = tale.plan.on_failure == "undo"
            if not (reason or fails or tale.said(entry.step, "undo", before=seq)):
                yield f"{entry.step} is undone at {seq}, and nobody wanted that"


def nothing_is_taken_back_twice(tale: Tale) -> Iterator[str]:
    """An undo that has succeeded is not started again."""
    for key, book in tale.undos.items():
        for earlier, later in pairwise(book):
            if earlier.end is not None and earlier.end.outcome == "succeeded":
                yield f"{key} was undone, and is undone again at {later.began}"


def a_step_is_taken_back_after_what_was_built_on_it(tale: Tale) -> Iterator[str]:
    """Dependents first, and whoever touched the same key later."""
    begun = {key: book[0].began for key, book in tale.tries.items()}
    for key, book in tale.undos.items():
        if tale.said(key, "undo", before=book[0].began):
            continue  # a person wanted this one alone
        for effect in tale.effects:
            if effect.step == key or not _is_built_on(tale, effect.step, key, begun):
                continue
            owed = tale.undo_tool(effect.step) is not None and _is_owed(tale, effect.step)
            undone = [t.ended for t in tale.undos.get(effect.step, ()) if _went_well(t)]
            if owed and not (undone and undone[0] < book[0].began):
                yield f"{key} is undone at {book[0].began}, before {effect.step}"


def _is_owed(tale: Tale, key: str) -> bool:
    """Whether the journal knows of the effect."""
    last = tale.tries[key][-1].end
    sure = last is not None and last.error is not None and last.error.nothing_happened
    return not sure


def _went_well(each: Try) -> bool:
    return each.end is not None and each.end.outcome == "succeeded"


def _is_built_on(tale: Tale, later: str, earlier: str, begun: dict[str, int]) -> bool:
    if name_of(earlier) in tale.above[name_of(later)]:
        return True
    shared = tale.touched_by(later) & tale.touched_by(earlier)
    return bool(shared) and begun[later] > begun[earlier]


def what_a_call_charges_is_what_is_journalled(tale: Tale) -> Iterator[str]:
    """Not more, not twice."""
    for visit in tale.visits:
        each = _start_of(tale, visit)
        if each is None or each.end is None or each.end.outcome != "succeeded":
            continue
        if visit.charged is not None and abs(each.end.cost.usd - visit.charged) > DUST:
            cost = each.end.cost.usd
            yield f"{visit.step} has cost {visit.charged:g} USD, and {cost:g} are journalled"


def the_cap_holds_outside(tale: Tale) -> Iterator[str]:
    """What calls have really cost is not more than the cap, whether anybody heard of it or not."""
    budget = tale.plan.budget
    if budget is None or budget.usd is None:
        return
    spent = sum(visit.charged or 0.0 for visit in tale.visits if not visit.undo)
    if spent > budget.usd + DUST:
        yield f"{spent:g} USD were spent; the cap is {budget.usd:g}"


def a_checkpoint_comes_back(tale: Tale) -> Iterator[str]:
    """The next attempt is given what the last one was told is safe."""
    safe: dict[str, tuple[int, object]] = {}
    for seq, entry in enumerate(tale.entries, 1):
        if isinstance(entry, e.CheckpointSaved):
            safe[entry.step] = seq, value.decode(entry.data)
    for visit in tale.visits:
        if visit.checkpoint is not None and visit.step not in safe:
            yield f"a checkpoint of {visit.step} is not in the journal"
        start = _start_of(tale, visit)
        if start is None or visit.undo or visit.step not in safe:
            continue
        known = _saved_before(tale, visit.step, start.began)
        if known != visit.saved:
            yield f"attempt {visit.attempt} of {visit.step} is given {visit.saved}, not {known}"


def _saved_before(tale: Tale, step: str, seq: int) -> object:
    for entry in reversed(tale.entries[: seq - 1]):
        if isinstance(entry, e.CheckpointSaved) and entry.step == step:
            return value.decode(entry.data)
    return None


def what_was_acknowledged_is_kept(tale: Tale) -> Iterator[str]:
    """Every entry that somebody was told is durable, and every answer that was accepted."""
    promised = tale.story.disk.acknowledged.get(tale.run, [])
    for seq, body in enumerate(promised, 1):
        if body and (seq > len(tale.bodies) or tale.bodies[seq - 1] != body):
            yield f"entry {seq} was acknowledged, and is not what is on the disk"
            break
    known = {getattr(entry, "request", None) for entry in tale.entries}
    for said in tale.story.people.said:
        if said.kind == "answer" and said.run == tale.run and said.id not in known:
            yield f"the answer {said.id} to {said.step} was accepted, and is not in the journal"


def a_run_has_one_driver(tale: Tale) -> Iterator[str]:
    """Nobody takes it from one who is alive, and whoever was replaced writes nothing more."""
    if tale.run == tale.story.run:
        yield from tale.story.disk.drivers.mistakes


def what_was_refused_has_not_happened(tale: Tale) -> Iterator[str]:
    """No is no: a request that was refused is not in the journal."""
    known = {getattr(entry, "request", None) for entry in tale.entries}
    for request in tale.story.people.refused:
        if request in known:
            yield f"{request} was refused, and is in the journal"


def nobody_is_refused_for_the_disk(tale: Tale) -> Iterator[str]:
    """A disk that fails, or an engine that closes, delays what was asked. It is no answer to it."""
    if tale.run != tale.story.run:
        return
    for request, why in tale.story.people.refused.items():
        if AWAY in why or "engine was closed" in why or "engine is closed" in why:
            yield f"{request} was refused: {why}"


def a_stop_that_was_accepted_stops(tale: Tale) -> Iterator[str]:
    """Somebody who was told that the run is cancelled or undone finds it so."""
    kinds = (e.CancelRequested, e.UndoRequested)
    stopped = any(isinstance(entry, kinds) for entry in tale.entries)
    state = tale.end.state if tale.end else None
    for said in tale.story.people.said:
        mine = said.kind == "cancel" and said.run == tale.run
        if mine and not stopped and state == "succeeded":
            yield "a cancel was accepted, and the run has succeeded"


def the_stream_is_the_journal(tale: Tale) -> Iterator[str]:
    """Whoever follows a run is told every entry once, in order, across crashes."""
    yield from tale.story.people.mishearings
    followed = tale.story.people.followed.get(tale.run)
    heard = followed.heard if followed else []
    if not tale.story.hung and not _says(heard, tale.whole_bodies()):
        yield f"{len(heard)} entries were told; there are {len(tale.bodies)}"


def _says(heard: list[bytes], written: list[bytes]) -> bool:
    """Whether it is the same; a value that lies elsewhere may be spelled in another way there."""
    return heard == written or (
        len(heard) == len(written)
        and all(
            mine == other or msgspec.json.decode(mine) == msgspec.json.decode(other)
            for mine, other in zip(heard, written, strict=True)
        )
    )


def the_result_is_what_the_journal_says(tale: Tale) -> Iterator[str]:
    """State and output, as whoever waits is told them."""
    if tale.result is None or tale.end is None:
        return
    if tale.result.state != tale.end.state:
        yield f"the result is {tale.result.state}, the journal says {tale.end.state}"
    if tale.end.state == "succeeded" and tale.result.output != tale.value(tale.end, "output"):
        yield "the output is not what the journal says"


def two_calls_with_one_key_are_never_alive_at_once(tale: Tale) -> Iterator[str]:
    """Not even if the first was told to stop and does not listen. A read harms nobody."""
    for visit in tale.visits:
        if visit.beside and tale.specs[visit.tool].effect == "write":
            yield f"call {visit.attempt} of {visit.step} begins while an earlier one goes on"


def what_ends_while_the_engine_closes_is_journalled(tale: Tale) -> Iterator[str]:
    """In a life that was closed, every answer that was given is written down as what it is."""
    if tale.story.disk.troubles:
        return  # then a run is left as after a crash
    for visit in tale.visits:
        found = _start_of(tale, visit)
        if not visit.returned or visit.life not in tale.story.closed or found is None:
            continue
        if found.end is None or found.end.outcome != "succeeded":
            yield f"call {visit.attempt} of {visit.step} has returned, and nobody knows"


def only_a_run_that_stops_cancels_calls(tale: Tale) -> Iterator[str]:
    """A closing engine does not."""
    stopped = False
    for seq, entry in enumerate(tale.entries, 1):
        if isinstance(entry, (e.AttemptEnded, e.UndoEnded)):
            if entry.outcome == "cancelled" and not stopped:
                yield f"{entry.step} is cancelled at {seq}, and nothing had stopped the run"
            stopped = stopped or entry.outcome == "failed" or entry.cost.usd > 0
        else:
            stopped = stopped or isinstance(entry, _MAY_STOP)


_MAY_STOP = (
    e.CancelRequested,
    e.UndoRequested,
    e.SecondsSpent,
    e.StepRefused,
    e.AnswerRecorded,
    e.TimerFired,
)


LAWS_OUTSIDE: tuple[Callable[[Tale], Iterator[str]], ...] = (
    it_ends_and_the_engine_makes_no_mistake,
    a_call_is_written_down_before_it_is_made,
    a_step_has_one_key,
    no_tool_is_called_more_at_once_than_it_takes,
    an_effect_happens_at_most_once,
    what_succeeded_stands,
    undone_means_that_nothing_stands,
    a_run_that_takes_nothing_back_takes_nothing_back,
    nothing_is_taken_back_twice,
    a_step_is_taken_back_after_what_was_built_on_it,
    what_a_call_charges_is_what_is_journalled,
    the_cap_holds_outside,
    a_checkpoint_comes_back,
    what_was_acknowledged_is_kept,
    a_run_has_one_driver,
    what_was_refused_has_not_happened,
    nobody_is_refused_for_the_disk,
    a_stop_that_was_accepted_stops,
    the_stream_is_the_journal,
    the_result_is_what_the_journal_says,
    two_calls_with_one_key_are_never_alive_at_once,
    what_ends_while_the_engine_closes_is_journalled,
    only_a_run_that_stops_cancels_calls,
)
