"""The program that is killed: opens an engine on a home, starts one run and sees it through.

Every life of it is the same: `start` with the same key begins the run the first time, and finds it
again ever after. What it is told by the engine it writes into a file at once, so that the test
knows what had been acknowledged when it died.

    python -m tests.crash.program '{"home": "/tmp/home", "scenario": "keeps"}'
"""

from __future__ import annotations

import asyncio
import importlib
import os
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import msgspec
from tests.crash.world import Line, What, World

from callsheet import Context, Engine, Run, Tool, tool
from callsheet.core.run import entries as codec
from callsheet.errors import FatalError, TransientError
from callsheet.runtime import crash
from callsheet.runtime.feed import Event
from callsheet.stores.postgres.session import PgSession

# Imported here, so that a server which forks lives of this program has done it once for all.
from callsheet.stores.sql.transactor import PATIENCE, Transactor
from callsheet.stores.sqlite.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet.runtime.feed import Told

S = TypeVar("S")
Scenario = Literal[
    "keeps", "fails", "cancelled", "isolated", "nests", "nests-fails", "pays", "plans"
]

KEY = "the-run"
WORLD, TOLD = "world.jsonl", "told.jsonl"
HOME = "CALLSHEET_CRASH_HOME"
STORE_POINTS = ("commit.before", "commit.after")
"""The store has no crash points of its own; this program puts them around its commits."""
MOMENT = 0.002
QUICKLY = {"backoff": "10ms"}
PRICE, CAP = 1.0, 25.0
ROUNDS = 2


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """What a life is told."""

    home: str
    database: str = ""
    """The URL of the store, if it is not in the home."""
    scenario: Scenario = "keeps"
    crash_at: str = ""
    """Like `CALLSHEET_CRASH_AT`, for a life that was forked after that had been read."""
    runs: int = 1
    """How many runs of the scenario, all at once."""
    sync: Literal["full", "normal"] = "full"
    count: bool = False
    """Count how often each crash point is reached, and say so at the end."""
    patience: float = PATIENCE
    """How long a writer waits for a database that somebody else holds."""


class Word(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A line of what the program was told, or has to say."""

    said: str
    """`heard` by a listener, or an `event` of the run's stream; else whatever happened."""
    run: str = ""
    seq: int = 0
    entry: str = ""
    data: Any = None


# The tools


def _world() -> World:
    return World(Path(os.environ[HOME]) / WORLD)


def line_of(what: What, name: str, ctx: Any, key: str = "") -> Line:
    """What a tool does, in a line."""
    return Line(
        what=what,
        tool=name,
        run=ctx.run,
        step=ctx.step,
        attempt=ctx.attempt,
        key=key or ctx.key,
        process=os.getpid(),
        resumed=ctx.saved is not None,
    )


async def _do(name: str, ctx: Context) -> dict[str, str]:
    """An effect in the middle of a call that takes a while."""
    world = _world()
    world.write(line_of("called", name, ctx))
    await ctx.sleep(MOMENT)
    world.write(line_of("done", name, ctx))
    await ctx.sleep(MOMENT)
    return {"id": f"{name}-{ctx.step}"}


@tool("look", effect="read")
async def look(city: str, ctx: Context) -> dict[str, Any]:
    """Look something up."""
    _world().write(line_of("called", "look", ctx))
    await ctx.sleep(MOMENT)
    return {"city": city.upper(), "seats": [11, 12, 13], "lounge": False}


@tool("unbook", effect="write", idempotent=True)
async def unbook(args: dict[str, Any], key: str, ctx: Context, output: Any = None) -> None:
    """Take back what was done under a key, once."""
    await _take_back("unbook", ctx, key)


@tool("unbook_by_id", effect="write", idempotent=True)
async def unbook_by_id(id: str, key: str, ctx: Context) -> None:
    """Take back something whose id must be known."""
    assert id == f"book-{ctx.step}"
    await _take_back("unbook_by_id", ctx, key)


async def _take_back(name: str, ctx: Context, key: str) -> None:
    world = _world()
    world.write(line_of("called", name, ctx))
    await ctx.sleep(MOMENT)
    if world.has("done", key) and not world.has("taken back", key):
        world.write(line_of("taken back", name, ctx, key))
    await ctx.sleep(MOMENT)


@tool("book", effect="write", undo="unbook", retry=QUICKLY)
async def book(what: str, ctx: Context) -> dict[str, str]:
    """A write that happens again when it is called again."""
    return await _do("book", ctx)


@tool("seat", effect="write", idempotent=True, undo="unbook", retry=QUICKLY)
async def seat(number: int, on: str, ctx: Context) -> dict[str, str]:
    """A write that happens once per key."""
    if not _world().has("done", ctx.key):
        return await _do("seat", ctx)
    _world().write(line_of("called", "seat", ctx))
    return {"id": f"seat-{ctx.step}"}


# Two failures each, of five runs, may be ten in a row: that is what is wanted here, no outage.
@tool(
    "flaky",
    effect="write",
    idempotent=True,
    undo="unbook",
    retry={"attempts": 5, **QUICKLY},
    breaker=False,
)
async def flaky(ctx: Context) -> dict[str, str]:
    """Works at the third attempt."""
    if ctx.attempt < 3:
        _world().write(line_of("called", "flaky", ctx))
        raise TransientError("Not yet.")
    if not _world().has("done", ctx.key):
        return await _do("flaky", ctx)
    _world().write(line_of("called", "flaky", ctx))
    return {"id": f"flaky-{ctx.step}"}


@tool("render", effect="write", idempotent=True, undo="unbook", retry=QUICKLY)
async def render(ctx: Context) -> dict[str, str]:
    """Submits a job, remembers it, waits for it."""
    world = _world()
    world.write(line_of("called", "render", ctx))
    if ctx.saved is None:
        if not world.has("submitted", ctx.key):
            world.write(line_of("submitted", "render", ctx))
        await ctx.checkpoint({"job": ctx.key})
    await ctx.sleep(MOMENT)
    if not world.has("done", ctx.key):
        world.write(line_of("done", "render", ctx))
    return {"id": f"render-{ctx.step}"}


@tool("mail", effect="write", idempotent=True)
async def mail(text: str, ctx: Context) -> dict[str, str]:
    """Cannot be taken back; needs an approval."""
    if not _world().has("done", ctx.key):
        return await _do("mail", ctx)
    _world().write(line_of("called", "mail", ctx))
    return {"id": f"mail-{ctx.step}"}


@tool("boom", effect="read")
async def boom(ctx: Context) -> None:
    """Fails."""
    _world().write(line_of("called", "boom", ctx))
    raise FatalError("Boom.")


@tool("hang", effect="write", idempotent=True, undo="unbook", retry=QUICKLY)
async def hang(ctx: Context) -> None:
    """Waits until it is told to stop."""
    _world().write(line_of("called", "hang", ctx))
    await ctx.sleep(600.0)


@tool("paid", effect="write", idempotent=True, ceiling=PRICE, retry=QUICKLY)
async def paid(ctx: Context) -> None:
    """Is billed when it begins, and says so at the end."""
    _world().write(line_of("called", "paid", ctx))
    await ctx.sleep(MOMENT)
    ctx.charge(usd=PRICE)


@tool("planner", effect="read", retry=QUICKLY)
async def planner(number: int, seen: list[Any], ctx: Context) -> str:
    """Plans as a model does: says something, calls tools, and has the next round follow."""
    _world().write(line_of("called", "planner", ctx))
    whole = f"Round {number}: first, and second."
    first = {"id": f"c{number}", "tool": "book", "label": f"call_{number}-A", "literal": True}
    ctx.emit(whole[len(ctx.emitted) : 15])
    await ctx.sleep(MOMENT)
    saving: Any = {"calls": 1} if ctx.saved is None else None
    await ctx.add([{**first, "args": {"what": "${x}"}}], checkpoint=saving)
    await ctx.sleep(MOMENT)
    ctx.emit(whole[max(len(ctx.emitted), 15) :])
    second = {"id": f"d{number}", "tool": "seat", "args": {"number": number, "on": "a"}}
    await ctx.add([second])
    if number < ROUNDS:
        results = [f"${{steps.c{number}.id}}", f"${{steps.d{number}.id}}"]
        args = {"number": number + 1, "seen": results}
        await ctx.then([{"id": f"plan_{number + 1}", "tool": "planner", "args": args}])
    else:
        await ctx.then([{"id": "last", "tool": "mail", "args": {"text": "done"}}])
        await ctx.then(seal=True)
    return whole


@tool("print", effect="write", idempotent=True, undo="unbook")
def print_out(ctx: Any) -> dict[str, str]:
    """A sync write: it runs in a process of its own."""
    world = _world()
    world.write(line_of("called", "print", ctx))
    ctx.sleep(20 * MOMENT)
    if not world.has("done", ctx.key):
        world.write(line_of("done", "print", ctx))
    ctx.sleep(20 * MOMENT)
    return {"id": f"print-{ctx.step}"}


TOOLS: list[Tool[..., Any]] = [
    *(look, book, unbook, unbook_by_id, seat, flaky, render, mail, boom, hang),
    *(print_out, paid, planner),
]

# The plans

NOT_IDEMPOTENT = frozenset({"flight", "hotel", "car", "lounge", "drink", "room", "c1", "c2"})
EVERYTHING = ["flight", "hotel", "car", "seats", "flaky", "film", "ok"]

TRIP: list[dict[str, Any]] = [
    {"id": "look", "tool": "look", "args": {"city": "${inputs.city}"}},
    {"id": "flight", "tool": "book", "args": {"what": "to ${steps.look.city}"}},
    {"id": "hotel", "tool": "book", "args": {"what": "in ${steps.look.city}"}},
    {
        "id": "car",
        "tool": "book",
        "args": {"what": "at ${steps.flight.id}"},
        "undo": {"tool": "unbook_by_id", "args": {"id": "${output.id}", "key": "${key}"}},
    },
    {
        "id": "seats",
        "tool": "seat",
        "for_each": "${steps.look.seats}",
        "args": {"number": "${item}", "on": "${steps.flight.id}"},
        "touches": ["cabin"],
    },
    {"id": "flaky", "tool": "flaky"},
    {"id": "film", "tool": "render", "needs": ["hotel"]},
    {
        "id": "lounge",
        "tool": "book",
        "when": "${steps.look.lounge}",
        "args": {"what": "lounge"},
    },
    {"id": "drink", "tool": "book", "args": {"what": "in ${steps.lounge.id}"}},
    {"id": "ok", "ask": "Keep ${steps.hotel.id}?", "choices": ["keep", "drop"]},
]

LAST: dict[Scenario, dict[str, Any]] = {
    "keeps": {
        "id": "mail",
        "tool": "mail",
        "when": "${steps.ok == 'keep'}",
        "args": {"text": "Booked ${steps.flight.id}, ${steps.car.id}"},
        "needs": EVERYTHING,
        "approval": "required",
    },
    "fails": {"id": "boom", "tool": "boom", "needs": EVERYTHING},
    "cancelled": {"id": "hang", "tool": "hang", "needs": EVERYTHING},
}

PRINTS: list[dict[str, Any]] = [
    {"id": "first", "tool": "print"},
    {"id": "second", "tool": "print", "needs": ["first"]},
]


STAY: dict[str, Any] = {
    "callsheet": 1,
    "inputs": {"city": {"type": "string"}},
    "steps": [
        {"id": "room", "tool": "book", "args": {"what": "in ${inputs.city}"}},
        {
            "id": "beds",
            "tool": "seat",
            "for_each": [1, 2],
            "args": {"number": "${item}", "on": "${steps.room.id}"},
        },
        {"id": "tour", "tool": "render", "needs": ["room"]},
    ],
    "output": "${steps.room.id}",
}
DEEP: dict[str, Any] = {"callsheet": 1, "steps": [{"id": "flaky", "tool": "flaky"}]}
NESTED: list[dict[str, Any]] = [
    {"id": "look", "tool": "look", "args": {"city": "${inputs.city}"}},
    {"id": "flight", "tool": "book", "args": {"what": "to ${steps.look.city}"}},
    {"id": "stay", "plan": STAY, "args": {"city": "${steps.look.city}"}, "needs": ["flight"]},
    {"id": "deep", "plan": {"callsheet": 1, "steps": [{"id": "deeper", "plan": DEEP}]}},
    {"id": "bus", "tool": "seat", "args": {"number": 1, "on": "${steps.stay}"}},
]
SUB_PLANS = frozenset({"stay", "deep", "deeper"})
BROKEN = {"id": "boom", "tool": "boom", "needs": ["bus", "deep"]}
PAYS = [{"id": f"p{n}", "tool": "paid", "on_failure": "skip"} for n in range(40)]


def plan_of(scenario: Scenario) -> dict[str, Any]:
    """The plan of a scenario."""
    if scenario == "pays":
        budget = {"usd": CAP}
        return {"callsheet": 1, "name": scenario, "budget": budget, "steps": PAYS}
    if scenario.startswith("nests"):
        return {
            "callsheet": 1,
            "name": scenario,
            "inputs": {"city": {"type": "string"}},
            "steps": [*NESTED, BROKEN] if scenario == "nests-fails" else NESTED,
            "output": "${steps.bus}",
        }
    if scenario == "plans":
        first = {"id": "plan_1", "tool": "planner", "args": {"number": 1, "seen": []}}
        return {"callsheet": 1, "name": scenario, "steps": [first]}
    if scenario == "isolated":
        return {"callsheet": 1, "name": scenario, "steps": PRINTS, "output": "${steps.second}"}
    return {
        "callsheet": 1,
        "name": scenario,
        "inputs": {"city": {"type": "string"}},
        "steps": [*TRIP, LAST[scenario]],
        "output": {"flight": "${steps.flight}", "seats": "${steps.seats}", "film": "${steps.film}"},
    }


# A life


class Diary:
    """Where the program writes what it is told. Unbuffered: it may die at any moment."""

    def __init__(self, home: Path) -> None:
        self._file = os.open(home / TOLD, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)

    def say(self, word: Word) -> None:
        os.write(self._file, msgspec.json.encode(word) + b"\n")

    def hear(self, told: Told, said: Literal["heard", "event"] = "heard") -> None:
        if isinstance(told, Event):
            entry = codec.encode(told.entry).decode()
            self.say(Word(said=said, run=told.run, seq=told.seq, entry=entry))


async def live(options: Options, diary: Diary) -> None:
    """One life, from opening the home to the end of its runs."""
    diary.say(Word(said="ready"))
    plan = plan_of(options.scenario)
    inputs: dict[str, Any] = {"city": "Oslo"} if plan.get("inputs") else {}
    async with (
        Engine.open(options.database or options.home, TOOLS, sync=options.sync) as engine,
        asyncio.TaskGroup() as group,
    ):
        engine.listen(diary.hear)
        engine.listen(lambda told: attend_child(told, engine, diary, group))
        for head in await engine.runs():
            run = await engine.get(head.run)
            if is_child((await run.journal())[0]):
                group.create_task(watch(run, diary))
        for number in range(options.runs):
            run = await engine.start(
                plan, inputs, key=f"{KEY}-{number}", open=options.scenario == "plans"
            )
            diary.say(Word(said="started", run=run.id))
            group.create_task(see_through(run, diary))


def is_child(entry: codec.AnyEntry) -> bool:
    """Whether it is the beginning of a run that is a step of another."""
    return isinstance(entry, codec.RunStarted) and entry.parent is not None


def attend_child(told: Told, engine: Engine, diary: Diary, group: asyncio.TaskGroup) -> None:
    """Watch a child as soon as there is one: it may have something to ask."""

    async def attend(name: str) -> None:
        await watch(await engine.get(name), diary)

    if isinstance(told, Event) and is_child(told.entry):
        group.create_task(attend(told.run))


async def see_through(run: Run, diary: Diary) -> None:
    """Watch a run to its end."""
    async with asyncio.TaskGroup() as group:
        watching = group.create_task(watch(run, diary))
        result = await run.wait()
        await watching
    diary.say(Word(said="ended", run=run.id, data=result.to_json()))


async def watch(run: Run, diary: Diary) -> None:
    """Write down the run's stream of events, from the first."""
    async for told in run.events():
        diary.hear(told, "event")


def arm(options: Options) -> dict[str, int]:
    """Make this process die where it is to; returns the counts, if it is to count instead."""
    if options.crash_at:
        os.environ["CALLSHEET_CRASH_AT"] = options.crash_at
        importlib.reload(crash)
    counts = dict.fromkeys((*crash.POINTS, *STORE_POINTS), 0)
    if options.count:

        def count(point: str) -> None:
            counts[point] += 1

        crash.reach = count
    # Here and not in the store, which need not know how it is tested.
    Session.commit = _with_points(Session.commit)  # type: ignore[assignment, method-assign]
    PgSession.commit = _with_points(PgSession.commit)  # type: ignore[assignment, method-assign]
    _put_points_around_posted_commits()
    (Transactor.__init__.__kwdefaults__ or {})["patience"] = options.patience
    return counts


def _put_points_around_posted_commits() -> None:
    """The same for commits that are sent and answered in two turns of the loop."""
    post, is_committed = PgSession.post_commit, PgSession.is_committed

    def posted(session: PgSession) -> None:
        crash.reach("commit.before")
        post(session)

    def committed(session: PgSession) -> bool:
        done = is_committed(session)
        if done:
            crash.reach("commit.after")
        return done

    PgSession.post_commit = posted  # type: ignore[assignment, method-assign]
    PgSession.is_committed = committed  # type: ignore[assignment, method-assign]


def _with_points(commit: Callable[[S], None]) -> Callable[[S], None]:
    def committed(session: S) -> None:
        crash.reach("commit.before")
        commit(session)
        crash.reach("commit.after")

    return committed


def main(text: str) -> None:
    """Live once; `text` is `Options` as JSON."""
    options = msgspec.json.decode(text, type=Options)
    os.environ[HOME] = options.home
    Path(options.home).mkdir(parents=True, exist_ok=True)
    diary = Diary(Path(options.home))
    counts = arm(options)
    try:
        asyncio.run(live(options, diary))
    except BaseException:
        diary.say(Word(said="error", data=traceback.format_exc()))
        raise
    if options.count:
        diary.say(Word(said="counts", data=counts))


if __name__ == "__main__":
    main(sys.argv[1])
