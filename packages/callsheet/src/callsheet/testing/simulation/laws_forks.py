"""The laws of forks: what is taken over, what is done again, and whose it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.core import value
from callsheet.core.run import entries as e
from callsheet.testing.simulation.tale import name_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from callsheet.testing.simulation.tale import Tale


def a_fork_is_of_what_was_wanted(tale: Tale) -> Iterator[str]:
    """The run, the step and the arguments that somebody has named, and one fork of each wish."""
    origin = tale.started.forked_from
    if origin is None:
        if tale.copies:
            yield "a run that is no fork begins with copies"
        return
    fork = tale.fork
    if fork is None or (origin.run, origin.step) != (fork.source, fork.step):
        yield f"it is forked from {origin.run} at {origin.step}, which nobody wanted"
    steps = {step.id: step for step in tale.started.plan.steps}
    for name, step in tale.steps.items():
        if name not in steps or steps[name].args != step.args:
            yield f"{name} has other arguments than those that were wanted"


def what_is_copied_is_what_the_source_has(tale: Tale) -> Iterator[str]:
    """The same outcome, with the same output, as it was written when it was forked."""
    if tale.source is None or tale.fork is None:
        return
    length = max(tale.fork.seen)
    known = [_outcomes(tale.source, entry) for entry in tale.source.entries[:length]]
    outcomes = {found for found in known if found is not None}
    for copy in tale.copies:
        mark = copy.step, copy.outcome, _spelled(tale, copy)
        if copy.outcome == "succeeded" and mark not in outcomes:
            yield f"{copy.step} is copied as {mark[2]}, which {tale.source.run} does not say"
        elif not any(step == copy.step and how == copy.outcome for step, how, _ in outcomes):
            yield f"{copy.step} is copied as {copy.outcome}, which {tale.source.run} does not say"


def _outcomes(tale: Tale, entry: e.AnyEntry) -> tuple[str, str, str] | None:
    """What an entry says that became of a step."""
    if isinstance(entry, e.AttemptEnded):
        done = "succeeded" if entry.outcome == "succeeded" else "failed"
        return entry.step, done, _spelled(tale, entry)
    if isinstance(entry, (e.StepCopied, e.StepCached)):
        done = entry.outcome if isinstance(entry, e.StepCopied) else "succeeded"
        return entry.step, done, _spelled(tale, entry)
    if isinstance(entry, e.StepDecided):
        return (entry.step, "skipped", "") if entry.verdict == "skip" else None
    if isinstance(entry, e.StepRefused):
        return entry.step, "failed", ""
    if isinstance(entry, e.AnswerRecorded):
        return _answered(tale, entry)
    return None


def _answered(tale: Tale, entry: e.AnswerRecorded) -> tuple[str, str, str] | None:
    if tale.step(entry.step).ask is not None:
        return entry.step, "succeeded", _spelled(tale, entry, "answer")
    word = value.decode(entry.answer)
    if word == "happened":
        return entry.step, "succeeded", _spelled(tale, entry)
    return (entry.step, "failed", "") if word == "deny" else None


def _spelled(tale: Tale, entry: e.AnyEntry, name: str = "output") -> str:
    """A value of an entry, in few letters, wherever it lies."""
    return (entry.stored or {}).get(name) or value.digest(tale.value(entry, name))


def nothing_is_copied_that_is_to_be_done_again(tale: Tale) -> Iterator[str]:
    """Neither the step itself nor what was built on it."""
    if tale.fork is None:
        return
    again, name = tale.fork.step, name_of(tale.fork.step)
    for copy in tale.copies:
        if copy.step == again or name_of(copy.step) == again:
            yield f"{copy.step} is to be done again, and is copied"
        elif name in tale.above[name_of(copy.step)]:
            yield f"{copy.step} is built on {again}, which is done again, and is copied"


def nothing_is_done_again_that_was_done(tale: Tale) -> Iterator[str]:
    """What had ended well, on what had ended well, and is not built on the step."""
    if tale.fork is None or tale.source is None:
        return
    # Whichever of those who asked for it was heard: it may have been taken back between the two.
    source = tale.source
    done = set.intersection(*(_done(source, source.entries[:seen]) for seen in tale.fork.seen))
    again = name_of(tale.fork.step)
    for key in tale.tries:
        name = name_of(key)
        if name == again or again in tale.above[name]:
            continue
        if done.issuperset({name, *tale.above[name]}):
            yield f"{key} had ended well in {tale.source.run}, and is done again"


def _done(tale: Tale, entries: Sequence[e.AnyEntry]) -> set[str]:
    """The steps that have ended well, and have not been taken back since."""
    left: dict[str, int] = {}
    over: dict[str, int] = {}
    for entry in entries:
        if isinstance(entry, e.StepExpanded):
            left[entry.step] = entry.count
        elif isinstance(entry, (e.UndoStarted, e.UndoEnded)):
            left[name_of(entry.step)] = -1
        elif (found := _outcomes(tale, entry)) and found[1] != "failed":
            over[name_of(found[0])] = over.get(name_of(found[0]), 0) + 1
    return {name for name, count in over.items() if count == left.get(name, 1)}


def nobody_takes_back_what_another_has_done(tale: Tale) -> Iterator[str]:
    """A copy is not owed: only what a run has called itself is taken back by it."""
    for key, book in tale.undos.items():
        if key not in tale.tries:
            yield f"{key} is undone at {book[0].began}, and this run has not done it"


LAWS_OF_FORKS: tuple[Callable[[Tale], Iterator[str]], ...] = (
    a_fork_is_of_what_was_wanted,
    what_is_copied_is_what_the_source_has,
    nothing_is_copied_that_is_to_be_done_again,
    nothing_is_done_again_that_was_done,
    nobody_takes_back_what_another_has_done,
)
