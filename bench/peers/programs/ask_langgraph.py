"""What LangGraph does when things go wrong, shown by doing it. Arguments: scratch, and a stage."""

from __future__ import annotations

import asyncio
import operator
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt

from bench.peers.programs import probing

if TYPE_CHECKING:
    from collections.abc import Callable

diary = probing.Diary(Path(sys.argv[1]) / "diary.txt")
DYING = len(sys.argv) > 2


class State(TypedDict, total=False):
    said: Annotated[list[str], operator.add]


def writes(what: str) -> Callable[[State], Any]:
    async def node(_: State) -> State:
        times = diary.write(what)
        if what == "doubted" and DYING and times == 1:
            probing.die()
        return {"said": [what]}

    return node


def branch(name: str) -> Callable[[State], Any]:
    async def node(_: State) -> State:
        if name == "left":
            await asyncio.sleep(0.5)  # the result of the other one is recorded by then
            if DYING:
                probing.die()
        return {"said": [f"{name} got {name}"]}

    return node


async def fail(_: State) -> State:
    raise ValueError("as planned")


async def approved(_: State) -> State:
    diary.write("before the question")
    return {"said": [interrupt("go on?")]}


def in_a_row(saver: AsyncSqliteSaver, **nodes: Callable[[State], Any]) -> Any:
    graph, before = StateGraph(State), START
    for name, node in nodes.items():
        graph.add_node(name, node)
        graph.add_edge(before, name)
        before = name
    graph.add_edge(before, END)
    return graph.compile(checkpointer=saver)


def side_by_side(saver: AsyncSqliteSaver) -> Any:
    graph = StateGraph(State)
    for name in ("left", "right"):
        graph.add_node(name, branch(name))
        graph.add_edge(START, name)
        graph.add_edge(name, END)
    return graph.compile(checkpointer=saver)


def graph_of(stage: str, saver: AsyncSqliteSaver) -> Any:
    return (
        in_a_row(saver, doubted=writes("doubted")) if stage == "doubtful" else side_by_side(saver)
    )


def thread(name: str) -> dict[str, Any]:
    return {"configurable": {"thread_id": name}}


async def crash(saver: AsyncSqliteSaver, stage: str) -> None:
    await graph_of(stage, saver).ainvoke({}, thread(stage), durability="sync")


async def ask(saver: AsyncSqliteSaver) -> None:
    await graph_of("doubtful", saver).ainvoke(None, thread("doubtful"), durability="sync")
    probing.doubted(diary.count("doubted"))
    after = await graph_of("branching", saver).ainvoke(None, thread("branching"))
    probing.report(
        "own results",
        "yes" if sorted(after["said"]) == ["left got left", "right got right"] else "no",
        "two branches at once, the process killed between them: after recovery "
        + "; ".join(after["said"]),
    )
    await undo(saver)
    limit = "ainvoke takes recursion_limit, a cap on rounds and not on money; "
    found = sorted(set(probing.public_names(probing.BUDGET, "langgraph.graph", "langgraph.types")))
    probing.report(
        "budget", "no", f"{limit}names that speak of money: {', '.join(found) or 'none'}"
    )
    await replay(saver)
    await lineage(saver)
    await approval(saver)


async def undo(saver: AsyncSqliteSaver) -> None:
    graph = in_a_row(saver, one=writes("one"), two=writes("two"), fail=fail)
    with suppress(ValueError):
        await graph.ainvoke({}, thread("failing"), durability="sync")
    standing = diary.count("one") + diary.count("two")
    probing.searched(
        "undo",
        probing.UNDO,
        "langgraph.graph",
        "langgraph.types",
        otherwise=f"{standing} of 2 writes stand after a failure; the author draws the way back; ",
    )


async def replay(saver: AsyncSqliteSaver) -> None:
    graph = in_a_row(saver, before=writes("before"), after=writes("after"))
    await graph.ainvoke({}, thread("replayed"), durability="sync")
    history = [state async for state in graph.aget_state_history(thread("replayed"))]
    (between,) = (state for state in history if state.next == ("after",))
    await graph.ainvoke(None, between.config, durability="sync")
    probing.report(
        "replay",
        "partly",
        "going on from an earlier checkpoint kept the first step and called the second again "
        f"({diary.count('before')} and {diary.count('after')} calls); nothing compares a finished "
        "run with its record without calling",
    )


async def lineage(saver: AsyncSqliteSaver) -> None:
    found = await saver.aget_tuple(thread("replayed"))
    probing.report(
        "lineage",
        "partly",
        f"a checkpoint has {', '.join(sorted(found.checkpoint))}: versions_seen tells which state "
        "a node saw, not which call's output it was given, nor which bytes",
    )


async def approval(saver: AsyncSqliteSaver) -> None:
    graph = in_a_row(saver, approved=approved)
    await graph.ainvoke({}, thread("approved"), durability="sync")
    after = await graph.ainvoke(Command(resume="yes"), thread("approved"), durability="sync")
    assert after["said"] == ["yes"]
    probing.report(
        "approval",
        "partly",
        "a node can wait with interrupt(), and begins anew when it is answered: what stands "
        f"before the question was done {diary.count('before the question')} times",
    )


async def main(scratch: Path, *stage: str) -> None:
    if not stage:
        for dying in ("doubtful", "branching"):
            await asyncio.to_thread(probing.until_dead, str(scratch), dying)
    async with AsyncSqliteSaver.from_conn_string(str(scratch / "checkpoints.db")) as saver:
        await (crash(saver, *stage) if stage else ask(saver))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), *sys.argv[2:]))
