"""The laws of runs that are steps of others: one for each step, paid and stopped with it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from callsheet.core import value
from callsheet.core.run import entries as e
from callsheet.testing.simulated import BEGIN
from callsheet.testing.simulation.tale import name_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from callsheet.testing.simulation.outside import Effect
    from callsheet.testing.simulation.tale import Tale

DUST = 1e-6
SOON = 0.2
"""Simulated seconds in which a pause has reached everybody on a disk that works."""
LAG = 10.0
"""Simulated seconds in which a pause has reached everybody, however slow the disk is."""


def a_step_is_one_run(tale: Tale) -> Iterator[str]:
    """A sub-plan is started once, with the arguments of its step, after that is written down."""
    if tale.parent is None:
        return
    step = tale.started.parent
    assert step is not None, "whoever has a parent says so"
    if tale.parent.children.get(step.step) is not tale:
        yield f"{step.step} of {step.run} is another run already"
    if tale.started.plan.steps != tale.plan.steps or tale.started.plan.budget != tale.plan.budget:
        yield f"it is not the plan of {step.step}"
    starts = tale.parent.tries.get(step.step, [])
    if not starts or _place(tale, tale.run, 1) < _place(tale, step.run, starts[0].began):
        yield f"it was started before {step.step} of {step.run} was"
    elif value.decode(starts[0].start.args) != value.decode(tale.started.inputs):
        yield f"its inputs are not the arguments of {step.step}"


def _place(tale: Tale, run: str, seq: int) -> int:
    """When an entry was written, among all that was written."""
    order = enumerate(tale.story.disk.order)
    return next(place for place, (whose, length) in order if whose == run and length >= seq)


def a_run_ends_after_its_children(tale: Tale) -> Iterator[str]:
    """When an end is written, no run that is a step of it goes on."""
    if not tale.children:
        return
    for seq, entry in enumerate(tale.entries, 1):
        if isinstance(entry, e.RunEnded):
            place = _place(tale, tale.run, seq)
            for key, child in tale.children.items():
                if not _had_ended(child, place):
                    yield f"it ended at {seq}, while {key} ({child.run}) went on"


def _had_ended(tale: Tale, place: int) -> bool:
    lengths = [n for run, n in tale.story.disk.order[: place + 1] if run == tale.run]
    entries = tale.entries[: lengths[-1]] if lengths else []
    over = not entries
    for entry in entries:
        over = isinstance(entry, e.RunEnded) or (over and not isinstance(entry, e.UndoRequested))
    return over


def a_child_is_never_lost(tale: Tale) -> Iterator[str]:
    """What became of it is in its journal, whoever has died meanwhile; and so it is told."""
    for key, book in tale.tries.items():
        if tale.step(key).plan is None:
            continue
        if len(book) > 1:
            yield f"{key} is started again at {book[1].began}"
        end, child = book[0].end, tale.children.get(key)
        if end is not None and end.outcome == "lost":
            yield f"{key} is lost at {book[0].ended}"
        first = (
            next((x for x in child.entries if isinstance(x, e.RunEnded)), None) if child else None
        )
        if book[0].went_well and (first is None or first.state != "succeeded"):
            yield f"{key} has succeeded, and its run has not"


def what_a_child_spends_its_parent_pays(tale: Tale) -> Iterator[str]:
    """All of it, once."""
    for key, child in tale.children.items():
        ends = (e.AttemptEnded, e.UndoEnded)
        paid = sum(x.cost.usd for x in tale.entries if isinstance(x, ends) and x.step == key)
        spent = child.end.spent.usd if child.end else 0.0
        if abs(paid - spent) > DUST:
            yield f"{key} ({child.run}) has spent {spent:g} USD, and {paid:g} are paid for it"


def the_caps_hold_over_the_family(tale: Tale) -> Iterator[str]:
    """What all the runs of it have really spent and called is within what it may."""
    budget = tale.plan.budget
    if budget is None or not tale.children:
        return
    visits = [visit for each in tale.family() for visit in each.visits if not visit.undo]
    spent = sum(visit.charged or 0.0 for visit in visits)
    if budget.usd is not None and spent > budget.usd + DUST:
        yield f"{spent:g} USD were spent by it and its children; the cap is {budget.usd:g}"
    if budget.calls is not None and len(visits) > budget.calls:
        yield f"{len(visits)} calls were made by it and its children; {budget.calls} may be"


def what_is_undone_is_undone_within(tale: Tale) -> Iterator[str]:
    """A sub-plan that was taken back leaves nothing standing, however it had ended."""
    for key, child in tale.children.items():
        undone = any(each.went_well for each in tale.undos.get(key, ()))
        for effect in _owed(child) if undone else ():
            if not effect.taken_back:
                yield f"{key} was undone, and {effect.step} of {effect.run} still stands"


def undone_means_undone_within(tale: Tale) -> Iterator[str]:
    """A run that ended undone has nothing standing in its children either."""
    if tale.end is None or tale.end.state != "undone" or _keeps(tale):
        return
    for key, child in tale.children.items():
        kept = tale.step(key).undo == "none"
        for effect in () if kept else _owed(child):
            if not effect.taken_back:
                yield f"it ended undone, and {effect.step} of {effect.run} ({key}) still stands"


def _keeps(tale: Tale) -> bool:
    return any(isinstance(x, e.UndoRequested) and x.to is not None for x in tale.entries)


def _owed(tale: Tale) -> Iterator[Effect]:
    """What could be taken back of a run and of those inside."""
    for effect in tale.effects:
        if tale.undo_tool(effect.step) is not None:
            yield effect
    for key, child in tale.children.items():
        if tale.step(key).undo != "none":
            yield from _owed(child)


def a_child_is_taken_back_before_what_it_was_built_on(tale: Tale) -> Iterator[str]:
    """Also across runs: everything inside it is gone before the undo of an earlier step."""
    for visit in tale.visits:
        if not visit.undo or tale.said(visit.step, "undo"):
            continue
        for key, child in tale.children.items():
            built_on = name_of(visit.step) in tale.above[name_of(key)]
            if not built_on or tale.step(key).undo == "none":
                continue
            for effect in _owed(child):
                if not effect.taken_back or effect.taken_back[0] > visit.place:
                    yield f"{visit.step} is undone before {effect.step} of {effect.run} ({key})"


def a_pause_and_a_cancel_reach_the_children(tale: Tale) -> Iterator[str]:
    """Nothing is called inside while the run rests, or when it has been stopped."""
    since, lag = None, _lag(tale)
    for seq, entry in enumerate(tale.entries if tale.children else (), 1):
        if isinstance(entry, (e.RunPaused, e.CancelRequested)):
            # A disk that takes nothing keeps it from being said, to the children as to anybody.
            said = BEGIN + timedelta(seconds=tale.story.disk.wrote_at[tale.run, seq])
            since = since or said
        elif since is not None and isinstance(entry, (e.RunResumed, e.RunEnded)):
            for child in tale.children.values():
                for each in child.all_tries():
                    late = (each.start.at - since).total_seconds() > lag
                    if late and each.start.at < entry.at:
                        yield f"{each.step} of {child.run} starts in a pause or after a cancel"
            since = None


def _lag(tale: Tale) -> float:
    quick = not (tale.story.faults.slow_commits or tale.story.disk.troubles)
    return SOON if quick else LAG


LAWS_OF_CHILDREN: tuple[Callable[[Tale], Iterator[str]], ...] = (
    a_step_is_one_run,
    a_run_ends_after_its_children,
    a_child_is_never_lost,
    what_a_child_spends_its_parent_pays,
    the_caps_hold_over_the_family,
    what_is_undone_is_undone_within,
    undone_means_undone_within,
    a_child_is_taken_back_before_what_it_was_built_on,
    a_pause_and_a_cancel_reach_the_children,
)
