"""The runs whose journals are kept for ever, each as a plan, its tools, and what a person does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from callsheet.core.run import entries as e
from callsheet.core.run.request import Request, RequestKind
from callsheet.errors import (
    FatalError,
    InvalidError,
    NotDoneError,
    RateLimitedError,
    TransientError,
)
from callsheet.testing import World, echo, hangs, raises, returns, waits

if TYPE_CHECKING:
    from callsheet import Context
    from callsheet.core.run.entry import Entry
    from callsheet.core.run.provisions import Provisions
    from callsheet.core.value import Json
    from callsheet.testing import Act, Call

Reaction: TypeAlias = Callable[[e.AnyEntry], list[Request]]
"""What a person asks of the run when something has been journalled. Ids never vary."""

Cut: TypeAlias = Callable[[e.AnyEntry], bool]
"""After which entry the process dies: the first for which it is true."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """One run, so described that it can be carried out again, whole or from any part of it."""

    name: str
    steps: list[dict[str, Any]]
    tools: Callable[[World], object]
    plan: Mapping[str, Any] = field(default_factory=dict)
    """Everything else in the plan."""
    inputs: Mapping[str, Json] = field(default_factory=dict)
    reactions: tuple[Reaction, ...] = ()
    cuts: tuple[Cut, ...] = ()
    closes: Cut | None = None
    """After which entry the engine is closed, and drains; the next one goes on."""
    open: bool = False
    earlier: int = 0
    """How many runs of the same plan were there before."""
    fork: tuple[str, Mapping[str, Json]] | None = None
    """Recorded is the fork of the run at this step, with these arguments."""
    child: str = ""
    """Recorded is the run that this step is."""
    granted: float = 0.0
    """USD in the account of the tenant."""
    provisions: Provisions | None = None
    """What it may use."""
    left: bool = False
    """It was left to be started, by a process that does not drive."""
    large: bool = False
    """It has values beside its journal: they are there when it is taken up again."""

    @property
    def document(self) -> dict[str, Any]:
        return {"callsheet": 1, "name": self.name, **self.plan, "steps": self.steps}


# What people do


def asked(
    step: str, answer: Json, *, ask: e.QuestionKind = "question", output: Json = None
) -> Reaction:
    """Answer a question, whenever it is asked."""

    def reaction(entry: e.AnyEntry) -> list[Request]:
        match entry:
            case e.QuestionAsked(step=s, ask=a, question=number) if (s, a) == (step, ask):
                name = f"answer-{number}"
                return [a_request("answer", name, step=step, answer=answer, output=output)]
        return []

    return reaction


def when(kind: type[Entry], step: str, request: RequestKind, **fields: Any) -> Reaction:
    """Ask something as soon as there is an entry of this kind about a step."""

    def reaction(entry: e.AnyEntry) -> list[Request]:
        if isinstance(entry, kind) and getattr(entry, "step", None) == step:
            return [a_request(request, f"{request}-{kind.__name__}-{step}", **fields)]
        return []

    return reaction


def at_the_end(state: str, *requests: Request) -> Reaction:
    """Ask these, one after the other, of a run that has ended so."""

    def reaction(entry: e.AnyEntry) -> list[Request]:
        return list(requests) if isinstance(entry, e.RunEnded) and entry.state == state else []

    return reaction


def a_request(kind: RequestKind, name: str, **fields: Any) -> Request:
    return Request(id=name, run="", kind=kind, by="ann", **fields)


# Where processes die


def after(kind: type[Entry], step: str, attempt: int = 1) -> Cut:
    def cut(entry: e.AnyEntry) -> bool:
        return isinstance(entry, kind) and (
            (getattr(entry, "step", None), getattr(entry, "attempt", attempt)) == (step, attempt)
        )

    return cut


# What tools do


def costs(usd: float, then: Act = echo) -> Act:
    async def act(call: Call, ctx: Context) -> Json:
        ctx.charge(usd=usd, tokens=100)
        return await then(call, ctx)

    return act


async def submits(call: Call, ctx: Context) -> Json:
    """A job at a provider: submitted once, waited for, and lost sight of at first."""
    if ctx.saved is None:
        await ctx.checkpoint({"job": "j-1"})
        raise TransientError("Lost sight of the job.")
    await ctx.sleep(3)
    return ctx.saved


ROOMS: list[Json] = [{"id": 1}, {"id": 2}, {"id": 3}]


def shops(world: World) -> None:
    world.tool("look", returns({"price": 40, "rooms": ROOMS, "open": False}))
    world.pair("book", "cancel", waits(1, world.stands))
    world.pair("pin", "unpin", waits(2, world.stands), idempotent=True)
    world.tool("boom", raises(FatalError("It broke.")))
    world.tool("slow", waits(30))


def shops_with(name: str, *script: Act, **terms: Any) -> Callable[[World], object]:
    def tools(world: World) -> None:
        shops(world)
        world.tool(name, script, **terms)

    return tools


def pays(world: World) -> None:
    shops(world)
    broken = raises(RuntimeError("The line broke."))
    world.pair("pay", "refund", [broken, waits(1, world.stands)])
    world.pair("wire", "recall", [broken, waits(1, world.stands)])


def pays_endlessly(world: World) -> None:
    pays(world)
    world.tool("endless", hangs(), effect="write")


def undo_breaks(world: World) -> None:
    shops(world)
    world.tool("sell", waits(1, world.stands), effect="write", undo="buy_back")
    stubborn = [raises(FatalError("The market is closed.")), world.takes_back]
    world.tool("buy_back", stubborn, effect="write", idempotent=True)


LOOK = {"id": "look", "tool": "look", "args": {"city": "${inputs.city}"}}
FLIGHT = {"id": "flight", "tool": "book", "args": {"price": "${steps.look.price}"}}
HOTEL = {"id": "hotel", "tool": "book", "args": {"price": "${steps.look.price}"}}
BOOM = {"id": "boom", "tool": "boom", "needs": ["flight", "hotel"]}
PAY = {"id": "pay", "tool": "pay", "args": {"sum": "${steps.look.price}"}}
OSLO: dict[str, Any] = {
    "plan": {"inputs": {"city": {"type": "string"}}},
    "inputs": {"city": "Oslo"},
}


RECORDINGS = (
    Recording(
        name="succeeded",
        steps=[
            LOOK,
            FLIGHT,
            {**HOTEL, "priority": 5},
            {"id": "pin", "tool": "pin", "args": {"at": "${steps.hotel.id}"}, "needs": ["flight"]},
        ],
        tools=shops,
        plan={**OSLO["plan"], "concurrency": 1, "output": "${steps.pin}"},
        inputs=OSLO["inputs"],
    ),
    Recording(
        name="retried",
        steps=[
            {"id": "read", "tool": "flaky", "retry": {"attempts": 4, "backoff": "2s"}},
            {"id": "write", "tool": "limited", "retry": {"attempts": 3}},
            {"id": "again", "tool": "submit", "retry": {"attempts": 3}},
        ],
        tools=lambda world: (
            world.tool(
                "flaky",
                [
                    raises(TransientError("Not yet.")),
                    raises(TimeoutError("Too slow.")),
                    returns({"n": 3}),
                ],
            ),
            world.tool(
                "limited",
                [
                    raises(RateLimitedError("Too many.", retry_after=7)),
                    raises(NotDoneError("Nothing was done.")),
                    returns("done"),
                ],
                effect="write",
            ),
            world.tool("submit", submits, effect="write", idempotent=True),
        ),
        plan={"output": {"read": "${steps.read.n}", "job": "${steps.again.job}"}},
    ),
    Recording(
        name="breaker",
        steps=[{"id": "out", "tool": "outage", "retry": {"attempts": 9, "backoff": "1s"}}],
        tools=lambda world: world.tool(
            "outage", [*[raises(TransientError("Out of order."))] * 6, returns("back")]
        ),
    ),
    Recording(
        name="failed-and-undone",
        steps=[LOOK, FLIGHT, HOTEL, {"id": "pin", "tool": "pin", "needs": ["hotel"]}, BOOM],
        tools=shops,
        **OSLO,
    ),
    Recording(
        name="failed-and-stopped",
        steps=[LOOK, FLIGHT, HOTEL, BOOM, {"id": "late", "tool": "slow", "needs": ["boom"]}],
        tools=shops,
        plan={**OSLO["plan"], "on_failure": "stop"},
        inputs=OSLO["inputs"],
    ),
    Recording(
        name="failed-and-continued",
        steps=[
            {"id": "bad", "tool": "refuse"},
            {"id": "after_bad", "tool": "slow", "needs": ["bad"]},
            {"id": "good", "tool": "slow"},
            {"id": "after_good", "tool": "book", "needs": ["good"]},
        ],
        tools=shops_with("refuse", raises(InvalidError("Not like that."))),
        plan={"on_failure": "continue"},
    ),
    Recording(
        name="cancelled-and-undone",
        steps=[LOOK, FLIGHT, HOTEL, {"id": "wait", "tool": "endless", "needs": ["flight"]}],
        tools=shops_with("endless", hangs()),
        reactions=(when(e.AttemptStarted, "wait", "cancel", reason="Enough."),),
        **OSLO,
    ),
    Recording(
        name="cancelled-and-kept",
        steps=[LOOK, FLIGHT, {"id": "wait", "tool": "endless", "needs": ["flight"]}],
        tools=shops_with("endless", hangs()),
        plan={**OSLO["plan"], "on_cancel": "keep"},
        inputs=OSLO["inputs"],
        reactions=(when(e.AttemptStarted, "wait", "cancel"),),
    ),
    Recording(
        name="doubt-happened",
        steps=[LOOK, PAY, {"id": "next", "tool": "pin", "args": {"of": "${steps.pay.id}"}}],
        tools=pays,
        reactions=(asked("pay", "happened", ask="doubt", output={"id": "p-1"}),),
        **OSLO,
    ),
    Recording(
        name="doubt-did-not",
        steps=[LOOK, PAY, {"id": "next", "tool": "pin", "args": {"of": "${steps.pay.id}"}}],
        tools=pays,
        reactions=(asked("pay", "did_not", ask="doubt"),),
        **OSLO,
    ),
    Recording(
        name="doubt-undone",
        steps=[LOOK, FLIGHT, {**PAY, "needs": ["flight"]}],
        tools=pays,
        reactions=(asked("pay", "undo", ask="doubt"),),
        **OSLO,
    ),
    Recording(
        name="doubt-decided-beforehand",
        steps=[
            LOOK,
            {**PAY, "in_doubt": "retry", "retry": {"attempts": 2}},
            {"id": "wire", "tool": "wire", "in_doubt": "fail", "on_failure": "ignore"},
        ],
        tools=pays,
        **OSLO,
    ),
    Recording(
        name="stuck-in-doubt-then-undone",
        steps=[
            {**FLIGHT, "args": {}},
            {
                "id": "pay",
                "tool": "endless",
                "undo": {"tool": "refund", "args": {"key": "${key}", "id": "${output.id}"}},
            },
            {"id": "boom", "tool": "boom", "needs": ["flight"]},
        ],
        tools=pays_endlessly,
        reactions=(
            asked("pay", "happened", ask="doubt", output={"id": "p-1"}),
            at_the_end(
                "stuck",
                a_request("answer", "late", step="pay", answer="happened", output={"id": "p-1"}),
                a_request("undo", "again"),
            ),
        ),
    ),
    Recording(
        name="stuck-undo-then-undone",
        steps=[
            {**FLIGHT, "args": {}},
            {"id": "sell", "tool": "sell", "needs": ["flight"]},
            {"id": "boom", "tool": "boom", "needs": ["sell"]},
        ],
        tools=undo_breaks,
        reactions=(at_the_end("stuck", a_request("undo", "again")),),
    ),
    Recording(
        name="approved-and-denied",
        steps=[
            LOOK,
            {**FLIGHT, "approval": "required"},
            {**HOTEL, "approval": "required", "on_failure": "ignore"},
            {"id": "last", "tool": "slow", "needs": ["flight", "hotel"]},
        ],
        tools=shops,
        reactions=(
            asked("flight", "approve", ask="approval"),
            asked("hotel", "deny", ask="approval"),
        ),
        **OSLO,
    ),
    Recording(
        name="for-each",
        steps=[
            LOOK,
            {
                "id": "rooms",
                "tool": "pin",
                "for_each": "${steps.look.rooms}",
                "args": {"room": "${item.id}"},
                "when": "${item.id != `2`}",
            },
            {"id": "none", "tool": "pin", "for_each": []},
            {
                "id": "some",
                "tool": "boom",
                "for_each": [1, 2],
                "on_failure": "ignore",
            },
            {"id": "sum", "tool": "slow", "args": {"rooms": "${steps.rooms[*].room}"}},
        ],
        tools=shops,
        plan={**OSLO["plan"], "output": "${steps.sum}"},
        inputs=OSLO["inputs"],
    ),
    Recording(
        name="touches",
        steps=[
            LOOK,
            {"id": "a", "tool": "pin", "touches": ["shelf", "room-1"]},
            {"id": "b", "tool": "pin", "touches": ["shelf"]},
            {"id": "c", "tool": "pin", "touches": ["room-${steps.look.rooms[0].id}"]},
            {"id": "d", "tool": "pin", "touches": ["shelf", "room-1"]},
            {"id": "boom", "tool": "boom", "needs": ["a", "b", "c", "d"]},
        ],
        tools=shops,
        **OSLO,
    ),
    Recording(
        name="skipped",
        steps=[
            LOOK,
            {"id": "bar", "tool": "book", "when": "${steps.look.open}"},
            {"id": "drink", "tool": "book", "args": {"at": "${steps.bar.id}"}},
            {
                "id": "home",
                "tool": "slow",
                "args": {"after": "${steps.drink || 'nothing'}"},
                "run_if_skipped": True,
            },
            {"id": "bad", "tool": "boom", "on_failure": "skip"},
            {"id": "after_bad", "tool": "slow", "needs": ["bad"]},
            {"id": "worse", "tool": "boom", "on_failure": "ignore"},
            {"id": "after_worse", "tool": "slow", "needs": ["worse"]},
        ],
        tools=shops,
        **OSLO,
    ),
    Recording(
        name="over-budget",
        steps=[
            {"id": "cheap", "tool": "paid"},
            {"id": "dear", "tool": "greedy", "needs": ["cheap"]},
            {"id": "never", "tool": "paid", "needs": ["dear"]},
        ],
        tools=lambda world: (
            world.pair("paid", "unpaid", costs(0.4, world.stands), ceiling=0.5),
            world.pair(
                "greedy", "ungreedy", costs(2.5, world.stands), ceiling=0.5, idempotent=True
            ),
        ),
        plan={"budget": {"usd": 2.0}},
    ),
    Recording(
        name="refused-by-budget",
        steps=[
            {"id": "one", "tool": "paid"},
            {"id": "two", "tool": "paid", "needs": ["one"], "on_failure": "ignore"},
            {"id": "three", "tool": "free", "needs": ["two"]},
        ],
        tools=lambda world: (
            world.tool("paid", costs(0.4), ceiling=0.5),
            world.tool("free", returns(3)),
        ),
        plan={"budget": {"usd": 0.7}},
    ),
    Recording(
        name="unresolved",
        steps=[
            LOOK,
            {
                "id": "null",
                "tool": "pin",
                "args": {"at": "${steps.look.nowhere}"},
                "on_failure": "ignore",
            },
            {
                "id": "list",
                "tool": "pin",
                "for_each": "${steps.look.price}",
                "on_failure": "ignore",
            },
        ],
        tools=shops,
        plan={**OSLO["plan"], "output": "${max(steps.look.rooms)}"},
        inputs=OSLO["inputs"],
    ),
    Recording(
        name="out-of-time",
        steps=[{**FLIGHT, "args": {}}, {"id": "wait", "tool": "endless", "needs": ["flight"]}],
        tools=shops_with("endless", hangs()),
        plan={"budget": {"seconds": 20}},
    ),
    Recording(
        name="paused",
        steps=[
            {"id": "first", "tool": "slow"},
            {"id": "other", "tool": "pin", "args": {}},
            {"id": "second", "tool": "slow", "needs": ["other"]},
        ],
        tools=shops,
        reactions=(
            when(e.AttemptStarted, "first", "pause"),
            when(e.AttemptEnded, "first", "resume"),
        ),
    ),
    Recording(
        name="question-unanswered",
        steps=[
            {"id": "ok", "ask": "Go on?", "choices": ["yes", "no"]},
            {"id": "sure", "ask": "Sure?", "timeout": "1m", "on_failure": "ignore"},
            {"id": "go", "tool": "slow", "when": "${steps.ok == 'yes'}", "needs": ["sure"]},
        ],
        tools=shops,
        reactions=(asked("ok", "yes"),),
    ),
    Recording(
        name="undone-on-request",
        steps=[
            LOOK,
            FLIGHT,
            {"id": "pin", "tool": "pin", "args": {"at": "${steps.flight.id}"}},
            {**HOTEL, "needs": ["flight"]},
        ],
        tools=shops,
        reactions=(at_the_end("succeeded", a_request("undo", "back", step="pin")),),
        **OSLO,
    ),
    Recording(
        name="recovered",
        steps=[
            LOOK,
            FLIGHT,
            HOTEL,
            {"id": "pin", "tool": "pin", "needs": ["hotel"]},
            {"id": "read", "tool": "slow", "needs": ["hotel"]},
            {"id": "boom", "tool": "boom", "needs": ["flight", "pin", "read"]},
        ],
        tools=shops,
        cuts=(
            after(e.AttemptStarted, "look"),
            after(e.AttemptStarted, "hotel"),
            after(e.AttemptStarted, "pin"),
            after(e.UndoStarted, "hotel"),
        ),
        **OSLO,
    ),
)
