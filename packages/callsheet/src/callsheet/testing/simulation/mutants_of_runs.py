"""Mutants of what one run has to do with another: forks, sub-plans, cached reads, large values."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import Any

from msgspec import Raw, structs

from callsheet.core import value
from callsheet.core.ids import step_of
from callsheet.core.past.fork import _Copies
from callsheet.core.plan.plan import NOTHING
from callsheet.core.run import entries as e
from callsheet.core.run.fold import HANDLERS
from callsheet.runtime import calls as making
from callsheet.runtime import context
from callsheet.runtime import perform as obey
from callsheet.runtime.child import ChildAttempt
from callsheet.runtime.journal import WholeJournal
from callsheet.testing.simulation.faults import Faults
from callsheet.testing.simulation.mutant import Mutant, instead, nothing

# Forks


def _one_key_for_all(right: Any) -> Any:
    return lambda _run, step, *, undo=False: right("r", step, undo=undo)


def _owe_copies(right: Any) -> Any:
    def copied(s: Any, entry: Any) -> None:
        right(s, entry)
        step = s.steps[entry.step]
        if step.planned.undo_tool and not step.planned.is_child:
            step.done = True
            step.undo = e.UndoCall(tool=step.planned.undo_tool, args=Raw(b"{}"), resolved=True)

    return copied


def _copy_all(self: Any) -> Any:
    for planned in sorted(self._snapshot.graph.steps.values(), key=lambda planned: planned.rank):
        if planned.id != step_of(self._again):
            yield from self._copy(self._snapshot.steps[planned.id])[0]


def _forget_outputs(right: Any) -> Any:
    def copy_one(self: Any, step: Any) -> Any:
        copied = right(self, step)
        return copied and structs.replace(copied, output=e.NULL)

    return copy_one


# Sub-plans


def _another_run_each_time(right: Any) -> Any:
    numbers = count(10)
    return lambda run, step: f"{right(run, step)[:-2]}{next(numbers) % 90 + 10}"


def _leave_it_behind(_right: Any) -> Any:
    def tell(self: Any) -> None:
        if not self.undo and not self._over:
            failure = e.Failure(error_class="cancelled", message="", nothing_happened=True)
            self._over = True
            self._report(self._end("cancelled", error=failure))

    return tell


def _for_nothing(right: Any) -> Any:
    def end(self: Any, *args: Any, **named: Any) -> Any:
        return structs.replace(right(self, *args, **named), cost=NOTHING)

    return end


async def _undo_nothing(self: Any) -> Any:
    return self._end("succeeded")


# What is kept


def _without_version(right: Any) -> Any:
    return lambda spec, args, tenant: right(structs.replace(spec, version=""), args, tenant)


def _without_tenant(right: Any) -> Any:
    return lambda spec, args, _tenant: right(spec, args, "")


def _without_args(right: Any) -> Any:
    return lambda spec, _args, tenant: right(spec, e.NULL, tenant)


def _put_later(_right: Any) -> Any:
    async def put(self: Any, raw: Raw) -> str:
        said = value.decode(raw)
        asyncio.get_running_loop().create_task(
            self._artifacts.put(value.canonical(said))
        ).get_name()
        return value.digest(said)

    return put


MUTANTS_OF_RUNS = (
    Mutant(
        "forks_too_much",
        "a fork copies what is built on the step that is done again",
        ((_Copies, "made", instead(_copy_all)),),
    ),
    Mutant(
        "forks_too_little",
        "a fork does again what had been done",
        ((_Copies, "made", instead(lambda _self: iter(()))),),
    ),
    Mutant(
        "forgets_copied_outputs",
        "a copy has not the output that it is a copy of",
        ((_Copies, "_copy_one", _forget_outputs),),
    ),
    Mutant(
        "shares_keys_with_its_fork",
        "a fork gives tools the keys of the run it was forked from",
        ((context, "idempotency_key", _one_key_for_all),),
    ),
    Mutant(
        "undoes_copies",
        "a fork takes back what the run has done that it was forked from",
        ((HANDLERS, e.StepCopied, _owe_copies),),  # type: ignore[arg-type]
    ),
    Mutant(
        "starts_children_again",
        "a sub-plan becomes another run when its parent is driven again",
        ((making, "child_run", _another_run_each_time),),
    ),
    Mutant(
        "leaves_children_behind",
        "a run that is stopped does not wait for its children",
        ((ChildAttempt, "tell", _leave_it_behind),),
    ),
    Mutant(
        "stops_alone",
        "neither a pause nor a cancel reaches sub-plans",
        ((ChildAttempt, "pause", instead(nothing)), (ChildAttempt, "tell", instead(nothing))),
        Faults(
            cancels=0.8,
            pauses=0.8,
            crashes=0.0,
            slow_commits=0.0,
            failed_commits=0.0,
            unsure_commits=0.0,
            outages=0.0,
        ),
    ),
    Mutant(
        "does_not_pay_for_children",
        "what a sub-plan has cost is not charged to its parent",
        ((ChildAttempt, "_end", _for_nothing),),
    ),
    Mutant(
        "lets_children_spend",
        "a sub-plan may spend more than its step allows",
        ((making, "capped", instead(lambda plan, _ceiling: plan)),),
    ),
    Mutant(
        "does_not_undo_children",
        "a sub-plan counts as undone, and is not",
        ((ChildAttempt, "_undo", instead(_undo_nothing)),),
    ),
    Mutant(
        "caches_across_versions",
        "a read of an older tool answers for a newer one",
        ((obey, "cache_key", _without_version),),
    ),
    Mutant(
        "caches_across_tenants",
        "a tenant is told what another has read",
        ((obey, "cache_key", _without_tenant),),
    ),
    Mutant(
        "caches_across_arguments",
        "a read with other arguments answers",
        ((obey, "cache_key", _without_args),),
        Faults(forks=1.0, repeats=1.0, outages=0.0, cancels=0.0),
    ),
    Mutant(
        "stores_values_too_late",
        "an entry is written before the value that it names",
        ((WholeJournal, "_put", _put_later),),
    ),
)
