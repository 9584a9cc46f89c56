"""Making calls of entries: what a start in the journal becomes, and what a lost one counts as."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from msgspec import Raw

from callsheet.core import value
from callsheet.core.ids import StepKey, child_run
from callsheet.core.past import costs
from callsheet.core.plan.subplan import SUB_PLAN, capped, child_inputs, child_plan
from callsheet.core.run import entries as e
from callsheet.core.run.start import Start, specs_of
from callsheet.core.run.step import StepState
from callsheet.runtime.attempt import Attempt
from callsheet.runtime.child import ChildAttempt
from callsheet.runtime.context import CallContext, Listener

if TYPE_CHECKING:
    from callsheet.core.past.outputs import Outputs
    from callsheet.core.run.outcome import End
    from callsheet.core.run.provisions import Provisions
    from callsheet.core.run.snapshot import Snapshot
    from callsheet.core.run.step import StepRun
    from callsheet.errors import CallsheetError
    from callsheet.runtime.environment import Environment
    from callsheet.runtime.perform import Performer


class Caller(Listener, Protocol):
    """Who calls are made for: the loop of their run."""

    snapshot: Snapshot
    outputs: Outputs

    def call_ended(self, end: End) -> None:
        """A call has ended."""
        ...

    def child_broken(self, error: CallsheetError) -> None:
        """A sub-plan is not driven any more, and has not ended."""
        ...


class Calls:
    """Makes the calls of one run."""

    def __init__(
        self,
        caller: Caller,
        shared: Environment,
        performer: Performer,
        provisions: Provisions | None = None,
    ) -> None:
        """`provisions`: what runs that are steps of this one are held to."""
        self._caller = caller
        self._provisions = provisions
        self._snapshot = caller.snapshot
        self._outputs = caller.outputs
        self._shared = shared
        self._performer = performer

    def of(self, entry: e.AttemptStarted | e.UndoStarted) -> Attempt | ChildAttempt:
        """The call that an entry says is about to be made."""
        key = StepKey(entry.step)
        step = self._snapshot.steps[key]
        if step.planned.is_child:
            return self.child(step)
        if isinstance(entry, e.AttemptStarted):
            undo, tool, timeout = False, step.planned.tool, step.planned.timeout
        else:
            spec = self._shared.toolbox.spec(entry.tool)
            undo, tool, timeout = True, entry.tool, spec.timeout if spec else None
        args, secrets = self._performer.call_args(entry)
        saved = self._outputs.saved(key)
        if undo and saved is None and isinstance(args, dict) and "saved" in args:
            saved = self._outputs.left(key)
        ctx = CallContext(
            self._caller,
            self._snapshot.run,
            key,
            entry.attempt,
            undo=undo,
            saved=saved,
            secrets=secrets,
            tenant=self._outputs.tenant,
            beside=self._shared,
        )
        return Attempt(
            ctx,
            tool,
            args if isinstance(args, dict) else {},
            undo=undo,
            writes=undo or step.planned.writes,
            timeout=timeout,
            clock=self._shared.clock,
            report=self._caller.call_ended,
        )

    def child(self, step: StepRun) -> ChildAttempt:
        """The run that a step is, or its undo."""
        undo = step.state is StepState.UNDOING
        return ChildAttempt(
            self._start_of(step),
            self._shared.runs,
            step=step.key,
            attempt=step.undo_attempts if undo else step.attempts,
            tool=SUB_PLAN,
            undo=undo,
            timeout=step.planned.timeout,
            charged=step.cost,
            clock=self._shared.clock,
            report=self._caller.call_ended,
            broken=self._caller.child_broken,
        )

    def _start_of(self, step: StepRun) -> Start:
        graph = self._snapshot.graph
        plan = child_plan(step.planned.step, graph.children)
        assert plan is not None, "checked when the run was started"
        args = value.decode(self._outputs.args[step.key])
        run = self._snapshot.run
        return Start(
            run=child_run(run, step.key),
            plan=capped(plan, step.planned.step.ceiling),
            inputs=Raw(value.canonical(child_inputs(step.planned.step, plan, args))),
            # An agent adds what it does to its run, step by step.
            open=step.planned.step.plan is None,
            tools=specs_of(plan, self._shared.toolbox),
            children=graph.children,
            tenant=self._outputs.tenant,
            subject=self._outputs.subject,
            root=self._outputs.root,
            parent=e.ParentStep(run=run, step=step.key),
            provisions=self._provisions,
        )

    def lost(self, key: StepKey) -> e.AnyEntry:
        """The end of a call that died with its process."""
        step = self._snapshot.steps[key]
        now = self._shared.clock.now()
        if step.undo_attempts:
            tool = step.undo.tool if step.undo else ""
            cost = costs.of_lost_undo(self._shared.toolbox.spec(tool))
            return e.UndoEnded(
                at=now, step=key, attempt=step.undo_attempts, outcome="lost", cost=cost
            )
        spec = self._shared.toolbox.spec(step.planned.tool)
        cost = costs.of_lost(step, spec, stopping=self._snapshot.stopping is not None)
        return e.AttemptEnded(at=now, step=key, attempt=step.attempts, outcome="lost", cost=cost)
