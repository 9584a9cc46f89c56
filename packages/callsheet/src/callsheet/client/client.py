"""`Client`: the nouns and verbs of `Engine`, asked of a service."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING, Any, Self

import msgspec

from callsheet.client.connection import Connection, named
from callsheet.client.nouns import (
    ClientAgents,
    ClientArtifacts,
    ClientContext,
    ClientLedger,
    ClientPlans,
    ClientTools,
)
from callsheet.client.run import ClientRun, heard
from callsheet.client.turns import ClientConversations
from callsheet.core.ids import RunId
from callsheet.core.index.heads import EVERY_RUN, Filter, RunHead
from callsheet.core.past.fork import RepeatedWrite
from callsheet.core.past.replay import ReplayReport
from callsheet.core.problem import Problem
from callsheet.core.renamed import renamed
from callsheet.engine.listing import run_named
from callsheet.engine.questions import OpenQuestion
from callsheet.errors import InputError, UnknownRunError
from callsheet.runtime.feed import Event

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
    from datetime import datetime
    from types import TracebackType

    from callsheet.agents.terms import Limits
    from callsheet.client.turns import ClientTurn
    from callsheet.core.past.result import Result
    from callsheet.core.plan.plan import Budget, Plan
    from callsheet.core.run.step import RunState
    from callsheet.core.value import Json
    from callsheet.insight.lineage import Direction, LineageGraph
    from callsheet.ports import Clock

PAGE = 500
POLL = 0.2


class Client:
    """A service, with the verbs of an engine. Used with `async with`.

    Only what is safe is asked again when an answer is lost: what changes nothing, and what goes
    under a key of its own. Streams go on by themselves after what was read.
    """

    def __init__(self, url: str, key: str | None = None, *, clock: Clock | None = None) -> None:
        """A client of the service at `url`.

        Raises:
            InputError: that is no address.
        """
        self._connection = Connection(url, key, clock=clock)
        self.plans = ClientPlans(self._connection)
        self.context = ClientContext(self._connection)
        self.artifacts = ClientArtifacts(self._connection)
        self.ledger = ClientLedger(self._connection)
        self.tools = ClientTools(self._connection)
        self.agents = ClientAgents(self._connection)
        self.conversations = ClientConversations(self._connection)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._connection.close()

    # Plans

    async def check(self, plan: Plan | Mapping[str, object] | str) -> tuple[Problem, ...]:
        """Every problem of a plan against the tools of the service. Text is that of a plan."""
        found = await self._connection.post("/api/plans/check", {"plan": _document(plan)})
        return tuple(msgspec.convert(each, Problem) for each in found["problems"])

    async def problems(self, plan: Plan | Mapping[str, object] | str) -> tuple[Problem, ...]:
        """The name of `check` in version 0.1."""
        renamed("problems", "check")
        return await self.check(plan)

    async def preflight(
        self,
        plan: Plan | Mapping[str, object] | str,
        inputs: Mapping[str, Json] | None = None,
    ) -> dict[str, Json]:
        """What a run will probably take, as plain data."""
        body = {"plan": _document(plan), "inputs": inputs}
        found: dict[str, Json] = await self._connection.post("/api/plans/preflight", body)
        return found

    # Runs

    async def start(
        self,
        plan: Plan | Mapping[str, object] | str,
        inputs: Mapping[str, Json] | None = None,
        *,
        key: str | None = None,
        open: bool = False,  # noqa: A002 -- an open run is called so everywhere
        subject: str | None = None,
    ) -> ClientRun:
        """Start a run. Text is that of a plan; `client.start_saved` starts a saved one.

        Raises:
            PlanError: the plan or the inputs do not check; nothing was spent or written.
            KeyReusedError: the key was used with another plan or other inputs.
            LedgerShortError: the account does not cover the run's budget.
        """
        body = {"plan": _document(plan), "inputs": inputs, "open": open, "subject": subject}
        return await self._begin("/api/runs", body, key)

    async def start_saved(
        self, plan: str, inputs: Mapping[str, Json] | None = None, *, key: str | None = None
    ) -> ClientRun:
        """Start a run of a saved plan: `name`, `name@version`, or its digest."""
        return await self._begin("/api/runs", {"plan_id": plan, "inputs": inputs}, key)

    async def run(
        self,
        plan: Plan | Mapping[str, object] | str,
        inputs: Mapping[str, Json] | None = None,
        *,
        key: str | None = None,
    ) -> Result:
        """Start a run and wait for its end."""
        return await (await self.start(plan, inputs, key=key)).wait()

    async def fork(
        self,
        run: str,
        step: str,
        args: Mapping[str, Json] | None = None,
        *,
        key: str | None = None,
        repeat_writes: bool = False,
    ) -> ClientRun:
        """Start a new run that takes over what another has done, up to a step."""
        body = {"step": step, "args": args, "repeat_writes": repeat_writes}
        return await self._begin(named("runs", run, "fork"), body, key)

    async def _begin(self, path: str, body: dict[str, Any], key: str | None) -> ClientRun:
        plain = {name: said for name, said in body.items() if said is not None}
        if key is not None:
            plain["key"] = key
        found = await self._connection.post(path, plain)
        self._connection.mine.add(found["run"])
        return ClientRun(found["run"], self._connection)

    async def get(self, run: str) -> ClientRun:
        """The handle of a run.

        Raises:
            UnknownRunError: there is no such run.
        """
        found = await self._connection.get(named("runs", run), steps="none", outputs=False)
        return ClientRun(found["run"], self._connection)

    async def find(self, name: str) -> ClientRun:
        """The run that somebody means: by its id, by the beginning of it, or by `last`.

        Raises:
            UnknownRunError: there is none, or more than one.
        """
        # As the engine finds it: there are as many words for a run here as there.
        return ClientRun(await run_named(_Index(self), name), self._connection)

    async def runs(  # noqa: PLR0913 -- as `Engine.runs`
        self,
        *,
        state: RunState | str | None = None,
        plan: str | None = None,
        tenant: str | None = None,
        subject: str | None = None,
        key: str | None = None,
        since: datetime | None = None,
        top_level: bool = False,
        open_only: bool = False,
        limit: int = 50,
        before: str | None = None,
    ) -> Sequence[RunHead]:
        """Runs, newest first; each argument leaves out those that differ in it."""
        del tenant  # a key opens one
        asked = {
            "state": None if state is None else str(state),
            "plan": plan,
            "subject": subject,
            "key": key,
            "since": None if since is None else since.isoformat(),
            "top_level": top_level,
        }
        heads: list[RunHead] = []
        is_on = before is None
        async for found in self._pages("/api/runs", asked):
            head = head_of(found)
            if is_on and not (open_only and head.ended is not None):
                heads.append(head)
            is_on = is_on or head.run == before
            if len(heads) >= limit:
                break
        return heads

    async def _pages(self, path: str, asked: Mapping[str, object]) -> AsyncIterator[dict[str, Any]]:
        cursor = None
        while True:
            found = await self._connection.get(path, **asked, limit=PAGE, cursor=cursor)
            for each in found["items"]:
                yield each
            cursor = found["next"]
            if cursor is None:
                return

    async def questions(self, *, subject: str | None = None) -> Sequence[OpenQuestion]:
        """Everything that waits for a person, oldest run first."""
        found = []
        async for each in self._pages("/api/questions", {"subject": subject}):
            whose = {name: each.pop(name) for name in ("run", "plan", "tenant")}
            found.append(msgspec.convert({**whose, "question": each}, OpenQuestion))
        return found

    async def feed(
        self, after: int = 0, *, plan: str | None = None, subject: str | None = None
    ) -> AsyncIterator[Event]:
        """What happens in all runs of the tenant: each entry once, in commit order."""
        while True:
            told = heard(self._connection, "/api/feed", after, plan=plan, subject=subject)
            async with aclosing(told) as every:
                async for each in every:
                    if isinstance(each, Event):
                        after = each.position or after
                        yield each
            await self._connection.clock.sleep(POLL)

    async def resume(self, run: str) -> ClientRun:
        """Have a run gone on with by the service."""
        handle = ClientRun(run, self._connection)
        await handle.resume()
        return handle

    # Turns

    async def turn(  # noqa: PLR0913 -- as `Engine.turn`
        self,
        message: str,
        *,
        model: str | None = None,
        tools: Iterable[str] | None = None,
        instructions: str = "",
        conversation: str | None = None,
        budget: Budget | None = None,
        key: str | None = None,
        limits: Limits | None = None,
    ) -> ClientTurn:
        """Say something to a model; returns when that is durable. The turn goes on by itself.

        As `Engine.turn`; without a `model`, the first that the tenant has answers, or `offline`.

        Raises:
            InputError: the model, a tool or a limit is none; nothing was spent or written.
            TurnRunningError: the conversation has a turn that goes on; it is named.
            KeyReusedError: with this key, something else was said in the conversation.
            LedgerShortError: the account does not cover the budget.
        """
        return await self.conversations.say(
            message,
            model=model,
            tools=tools,
            instructions=instructions,
            conversation=conversation,
            budget=budget,
            key=key,
            limits=limits,
        )

    async def get_turn(self, run: str) -> ClientTurn:
        """The handle of a turn.

        Raises:
            UnknownRunError: there is no such run.
            InputError: the run is no turn.
        """
        return await self.conversations.turn(run)

    async def repeats(self, run: str, step: str) -> tuple[RepeatedWrite, ...]:
        """The writes that a run has done and a fork at this step would do again."""
        found = await self._connection.get(named("runs", run, "steps", step, "repeats"))
        return tuple(msgspec.convert(each, RepeatedWrite) for each in found["items"])

    async def replay(self, run: str) -> ReplayReport:
        """Fold and decide again over a run's journal; says whether anything comes out different."""
        found = await self._connection.post(named("runs", run, "replay"))
        return msgspec.convert(found, ReplayReport)

    async def delete(self, run: str) -> bool:
        """Remove an ended run whole; False when there is none."""
        try:
            await self._connection.ask("DELETE", named("runs", run))
        except UnknownRunError:
            return False
        return True

    async def lineage(self, name: str, *, direction: Direction = "both") -> LineageGraph:
        """What an artifact, or all of a run, was made from, and what was made of it."""
        return await self.artifacts.lineage(name, direction=direction)

    def listen(self, listener: Callable[[object], object]) -> Callable[[], None]:
        """Nobody is told: what a service drives is told by `ClientRun.events`."""
        del listener
        return lambda: None


class _Index:
    """The runs of a service, as far as one is found by its name (`Journal`)."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def head(self, run: RunId) -> RunHead | None:
        """What is known of a run, as far as it matters: that there is one."""
        try:
            await self._client.get(run)
        except (UnknownRunError, InputError):
            return None
        return _THERE

    async def heads(
        self, which: Filter = EVERY_RUN, *, limit: int = 50, before: RunId | None = None
    ) -> Sequence[RunHead]:
        """Runs, newest first."""
        found = await self._client.runs(top_level=which.top_level, limit=PAGE)
        return [head for head in found if before is None or head.run < before][:limit]


def head_of(told: dict[str, Any]) -> RunHead:
    """A run of a list."""
    ended = told["state"] if told["ended_at"] is not None else None
    return msgspec.convert(
        {
            "run": RunId(told["run"]),
            "name": told["plan"],
            "plan": told["digest"],
            "content": "",
            "tenant": told["tenant"],
            "key": told["key"],
            "started_at": told["started_at"],
            "ended": ended,
            "ended_at": told["ended_at"],
            "subject": told["subject"],
            "parent": told["parent"],
            "root": told["root"],
        },
        RunHead,
    )


_THERE = head_of(
    {
        **dict.fromkeys(("run", "plan", "digest", "tenant"), ""),
        **dict.fromkeys(("key", "ended_at", "subject", "parent", "root")),
        "started_at": "2000-01-01T00:00:00Z",
        "state": "",
    }
)
"""A run of which nothing else is asked."""


def _document(plan: Plan | Mapping[str, object] | str) -> object:
    to_json = getattr(plan, "to_json", None)
    return plan if to_json is None else to_json()
