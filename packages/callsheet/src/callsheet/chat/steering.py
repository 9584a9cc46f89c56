"""Tools about runs, for conversations alone: what goes on, why it failed, stop it, undo it.

They are verbs of the engine that the conversation is held with. None of them acts on the turn that
calls it, and none of them answers: a question, an approval or a doubt is a person's.
"""

from __future__ import annotations

from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from callsheet.core.run.entries import AttemptStarted
from callsheet.core.run.step import RunState
from callsheet.errors import FatalError, InvalidError, RequestRefusedError, UnknownRunError
from callsheet.tools.function.declare import tool

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence

    from callsheet.core.index.heads import RunHead
    from callsheet.core.past.result import Result
    from callsheet.engine.engine import Engine
    from callsheet.engine.tenant.tenant import Tenant
    from callsheet.ports import Context
    from callsheet.runtime.run import Run
    from callsheet.tools.registry import AnyTool

LAST = "last"
MOST = 20
"""Runs that are listed, and looked at for the one that is meant."""
TALK = "turn"
"""The plan of turns."""
MOST_COUNTED = 1_000
"""Runs whose cost is added up."""
NOTHING_RUNS = "Nothing is running."
NOTHING_FAILED = "Nothing has failed."
_STATES = frozenset(each.value for each in RunState)
_DAYS = {"today": 0, "yesterday": 1, "week": 7, "month": 30}


class Steering:
    """What a conversation may do with the runs of an engine."""

    def __init__(self, engine: Callable[[], Engine]) -> None:
        """`engine` is asked when a tool is called: by then it is open."""
        self._engine = engine

    async def list(
        self, ctx: Context, state: str | None = None, since: str | None = None
    ) -> dict[str, Any]:
        """List the newest runs; `state` leaves out those in any other.

        `since` leaves out older ones: `today`, `yesterday`, `week`, `month` or a date.
        """
        shown = await self._listed(ctx, state, await self._since(ctx, since))
        lines = [f"{head.run}  {head.name}  {_state(head)}" for head in shown]
        which = f"{state} " if state else ""
        return {"text": "\n".join(lines) or f"There are no {which}runs.", "runs": _ids(shown)}

    async def _listed(
        self, ctx: Context, state: str | None = None, since: datetime | None = None
    ) -> Sequence[RunHead]:
        """As a list shows them, so that the second one is the same one to everybody."""
        heads = await self._of(ctx).runs(state=state, since=since, top_level=True, limit=MOST)
        return [head for head in heads if head.run != ctx.run and head.name != TALK]

    async def show(self, ctx: Context, run: str = LAST) -> dict[str, Any]:
        """Show a run with its steps; `last` is the newest one.

        Every tool about a run takes its id or the beginning of it, `last`, its number in the list
        (`2`), a state (`failed`: the newest of that state) or the name of its plan.
        """
        result = await (await self._meant(run, ctx, lambda _: True)).status()
        lines = [f"{result.plan}  {result.run}  {result.state.value}"]
        for name, step in result.steps.items():
            why = f"  {step.error.message}" if step.error else ""
            lines.append(f"  {name}  {step.state.value}{why}")
        lines += [f"waits for you: {each.step}: {each.text}" for each in result.questions]
        return {"text": "\n".join(lines), "run": result.run, "state": result.state.value}

    async def why(self, ctx: Context, run: str = LAST) -> dict[str, Any]:
        """Say why a run failed; `last` is the newest one in which something went wrong."""
        result = await (await self._meant(run, ctx, _went_wrong, none=NOTHING_FAILED)).status()
        failed = [
            f"{name}: {step.error.message} ({step.error.error_class})"
            for name, step in result.steps.items()
            if step.error is not None
        ]
        lines = failed or [str(each) for each in result.problems]
        if not lines:
            return {"text": f"Nothing went wrong in {result.run}: {result.state.value}."}
        return {"text": "\n".join((f"In {result.plan} ({result.run}):", *lines))}

    async def cost(
        self, ctx: Context, run: str | None = None, since: str | None = None
    ) -> dict[str, Any]:
        """What a run has cost, or all runs together; `since` leaves out older ones."""
        if run is not None:
            result = await (await self._meant(run, ctx, lambda _: True)).status()
            usd, calls, of = result.cost.usd, result.cost.calls, str(result.run)
        else:
            found = await self._counted(ctx, await self._since(ctx, since))
            usd = sum(each.cost.usd for each in found)
            calls = sum(each.cost.calls for each in found)
            of = f"{len(found)} runs" + (f" since {since}" if since else "")
        return {"text": f"{usd:.4f} USD for {calls} calls, in {of}.", "usd": usd, "calls": calls}

    async def _counted(self, ctx: Context, since: datetime | None) -> Sequence[Result]:
        tenant = self._of(ctx)
        found: list[Result] = []
        before: str | None = None
        while len(found) < MOST_COUNTED:
            heads = await tenant.runs(since=since, top_level=True, limit=MOST * 5, before=before)
            if not heads:
                break
            found += [await (await tenant.get(each.run)).status() for each in heads]
            before = heads[-1].run
        return found

    async def questions(self, ctx: Context) -> dict[str, Any]:
        """List what waits for a person, and what to type to answer it."""
        found = await self._of(ctx).questions()
        lines = [f"{each.question.text}\n  {each.command}" for each in found if each.run != ctx.run]
        return {"text": "\n".join(lines) or "Nothing waits for you."}

    async def cancel(self, ctx: Context, run: str = LAST) -> dict[str, Any]:
        """Cancel a run that goes on."""
        found = await self._meant(run, ctx, lambda each: not each.state.ended, none=NOTHING_RUNS)
        with _said_plainly():
            await found.cancel(reason="asked for in a conversation", by="chat")
        return {"text": f"{found.id} is being cancelled."}

    async def pause(self, ctx: Context, run: str = LAST) -> dict[str, Any]:
        """Pause a run that goes on: what has begun ends, nothing more is begun."""
        found = await self._meant(run, ctx, _goes_on, none=NOTHING_RUNS)
        with _said_plainly():
            await found.pause(by="chat")
        return {"text": f"{found.id} is paused. Say `resume` to go on with it."}

    async def undo(self, ctx: Context, run: str = LAST) -> dict[str, Any]:
        """Take back what a run has done; `last` is the newest one that has done something."""
        found = await self._meant(
            run, ctx, _has_done_something, owing=True, none="Nothing is there to be undone."
        )
        with _said_plainly():
            await found.undo(by="chat")
        result = await found.wait()
        if result.state.value != "undone":
            raise FatalError(f"{found.id} could not be undone whole: it is {result.state.value}.")
        undone = [name for name, step in result.steps.items() if step.state.value == "undone"]
        return {"text": f"Undone: {', '.join(undone) or 'there was nothing to undo'}."}

    async def resume(self, ctx: Context, run: str = LAST) -> dict[str, Any]:
        """Go on with a run that is paused or interrupted."""
        found = await self._meant(
            run, ctx, lambda each: not each.state.ended, none="Nothing is interrupted or paused."
        )
        with _said_plainly():
            await self._of(ctx).resume(found.id)
        return {"text": f"{found.id} goes on."}

    async def retry(self, ctx: Context, run: str = LAST, step: str | None = None) -> dict[str, Any]:
        """Try a failed step of a run again; without `step`, the only one that failed."""
        found = await self._meant(run, ctx, _may_be_retried, none=NOTHING_FAILED)
        result = await found.status()
        failed = [name for name, each in result.steps.items() if each.state.value == "failed"]
        if step is None and len(failed) != 1:
            which = ", ".join(failed) or "none has"
            raise InvalidError(f"Say which step of {found.id}: {which} failed.")
        with _said_plainly():
            await found.retry(step or failed[0], by="chat")
        return {"text": f"{step or failed[0]} of {found.id} is tried again."}

    async def _since(self, ctx: Context, said: str | None) -> datetime | None:
        """The beginning of a day, where the engine is."""
        if said is None:
            return None
        if said not in _DAYS:
            try:
                return datetime.fromisoformat(said).astimezone()
            except ValueError:
                words = f"since={said!r} is none of {', '.join(_DAYS)}, and no date."
                raise InvalidError(words) from None
        now = (await (await self._of(ctx).get(ctx.run)).status()).at
        midnight = now.astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
        return midnight - timedelta(days=_DAYS[said])

    def _of(self, ctx: Context) -> Tenant:
        """What whoever talks can see: a conversation of one tenant steers nobody else's runs."""
        return self._engine().tenant(ctx.tenant)

    async def _meant(
        self,
        run: str,
        ctx: Context,
        fits: Callable[[Result], bool],
        *,
        owing: bool = False,
        none: str = "There is no run yet.",
    ) -> Run:
        """The run that is named; `last` is the newest that fits, never the turn itself.

        `owing`: one in which something can be taken back. `none` says that there is none.
        """
        tenant = self._of(ctx)
        if run != LAST:
            found = await self._named(run, ctx)
            if found.id == ctx.run:
                raise InvalidError("That is the turn in which this is said. Name another run.")
            return found
        for head in await tenant.runs(top_level=True, limit=MOST):
            if head.run == ctx.run:
                continue
            handle = await tenant.get(head.run)
            status = await handle.status()
            if (head.name == TALK and not _has_called(status)) or not fits(status):
                continue
            if not owing or await _owes(handle, status):
                return handle
        raise InvalidError(f"{none} {await self._newest(ctx)}")

    async def _newest(self, ctx: Context) -> str:
        """What there is instead, in a sentence."""
        listed = await self._listed(ctx)
        if not listed:
            return "There are no runs here."
        head = listed[0]
        return f"The last run, {head.name} ({head.run}), is {_state(head)}. `show runs` lists them."

    async def _named(self, run: str, ctx: Context) -> Run:
        """By its number in the list, its state, its id or the beginning of it, or its plan."""
        tenant = self._of(ctx)
        if run.isdecimal():
            listed = await self._listed(ctx)
            if not 0 < int(run) <= len(listed):
                raise InvalidError(
                    f"There are {len(listed)} runs in the list, and no number {run}."
                )
            return await tenant.get(listed[int(run) - 1].run)
        if run in _STATES:
            of_state = await self._listed(ctx, run)
            if not of_state:
                raise InvalidError(f"No run is {run}. `show runs` lists what there is.")
            return await tenant.get(of_state[0].run)
        try:
            return await tenant.find(run)
        except UnknownRunError:
            of_plan = await tenant.runs(plan=run, top_level=True, limit=1)
            if not of_plan:
                raise
            return await tenant.get(of_plan[0].run)


def steering_tools(engine: Callable[[], Engine]) -> list[AnyTool]:
    """The tools `runs.…`, of the tenant whose turn calls them.

    What changes a run needs a person's approval where a model asks for it; a person's own words,
    which the model `offline` only takes literally, are one.

    Args:
        engine: the engine that the conversation is held with; asked when a tool is called.
    """
    steering = Steering(engine)
    reads: tuple[Callable[..., Awaitable[Any]], ...] = (
        steering.list,
        steering.show,
        steering.why,
        steering.cost,
        steering.questions,
    )
    writes = (steering.cancel, steering.pause, steering.undo, steering.resume, steering.retry)
    return [
        *(tool(f"runs.{each.__name__}", effect="read")(each) for each in reads),
        *(
            tool(
                f"runs.{each.__name__}",
                effect="write",
                idempotent=True,
                destructive=True,
                timeout=3600,
            )(each)
            for each in writes
        ),
    ]


@contextmanager
def _said_plainly() -> Iterator[None]:
    """What a run's state does not allow is wrong input: nothing has happened, and it says why."""
    try:
        yield
    except RequestRefusedError as refused:
        raise InvalidError(str(refused)) from refused


def _ids(heads: Sequence[RunHead]) -> list[str]:
    return [head.run for head in heads]


def _state(head: RunHead) -> str:
    return str(head.ended or "running")


def _has_called(result: Result) -> bool:
    """Whether a turn has called anything."""
    return any("_c" in name for name in result.steps)


def _goes_on(result: Result) -> bool:
    return not result.state.ended and not result.paused


def _went_wrong(result: Result) -> bool:
    return any(step.error is not None for step in result.steps.values()) or result.state.value in (
        "failed",
        "undone",
        "stuck",
    )


def _may_be_retried(result: Result) -> bool:
    """Whether a step may be tried again; what was said in a conversation is said again."""
    return result.plan != TALK and _went_wrong(result)


def _has_done_something(result: Result) -> bool:
    """Whether something was called that may be taken back."""
    return result.state.value != "undone" and any(
        step.state.value == "succeeded" and not name.removeprefix("a").isdigit()
        for name, step in result.steps.items()
    )


async def _owes(run: Run, result: Result) -> bool:
    """Whether something stands that has an undo: what was only looked at is not taken back."""
    undoable = {
        entry.step
        for entry in await run.journal()
        if isinstance(entry, AttemptStarted) and entry.undo is not None
    }
    return any(
        step.state.value == "succeeded" and (step.child or name in undoable)
        for name, step in result.steps.items()
    )
