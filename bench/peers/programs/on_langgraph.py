"""LangGraph: a graph per plan, a node per step, `AsyncSqliteSaver`, `durability="sync"`.

Its functional API is not measured: there a result is written in the background, and what depends on
it does not wait, which is another promise than ours. Argument: scratch.
"""

from __future__ import annotations

import asyncio
import operator
import sys
import time
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Send

from bench.peers.programs.answering import answer
from bench.work import result

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

SYNC = ("off", "normal", "full", "extra")
bodies: list[float] = []
threads = count()


class Last(TypedDict, total=False):
    """The result of the last step alone: the state of a chain does not grow."""

    last: dict[str, object]


class Gathered(TypedDict, total=False):
    i: int
    last: dict[str, object]
    results: Annotated[list[dict[str, object]], operator.add]


async def noop(_: dict[str, Any]) -> dict[str, object]:
    return {"last": result(0)}


async def mark(_: dict[str, Any]) -> dict[str, object]:
    bodies.append(time.perf_counter())
    return {"last": result(0)}


async def item(state: dict[str, Any]) -> dict[str, object]:
    return {"results": [result(state["i"])]}


async def rest(state: dict[str, Any]) -> dict[str, object]:
    await asyncio.sleep(state["seconds"])
    return {"results": [result(state["i"])]}


def row(length: int, saver: AsyncSqliteSaver, step: Callable[..., Awaitable[object]] = noop) -> Any:
    graph = StateGraph(Last)
    for i in range(length):
        graph.add_node(f"s{i}", step)
        graph.add_edge(f"s{i - 1}" if i else START, f"s{i}")
    graph.add_edge(f"s{length - 1}", END)
    return graph.compile(checkpointer=saver)


def spread(
    width: int, saver: AsyncSqliteSaver, step: Callable[..., Awaitable[object]], **given: float
) -> Any:
    def send(_: dict[str, Any]) -> list[Send]:
        return [Send("item", {"i": i, **given}) for i in range(width)]

    graph = StateGraph(Gathered)
    graph.add_node("first", noop)
    graph.add_node("item", step)
    graph.add_node("last", noop)
    graph.add_edge(START, "first")
    graph.add_conditional_edges("first", send, ["item"])
    graph.add_edge("item", "last")
    graph.add_edge("last", END)
    return graph.compile(checkpointer=saver)


async def invoke(graph: Any, steps: int) -> None:
    config = {"configurable": {"thread_id": f"t{next(threads)}"}, "recursion_limit": steps + 10}
    await graph.ainvoke({}, config, durability="sync")


class Cases:
    """The graphs, made once for each size, as a program would hold them."""

    def __init__(self, saver: AsyncSqliteSaver) -> None:
        self._saver = saver
        self._rows: dict[int, Any] = {}
        self._spreads: dict[tuple[float, ...], Any] = {}
        self._first = row(1, saver, mark)

    async def chain(self, length: int) -> None:
        if length not in self._rows:
            self._rows[length] = row(length, self._saver)
        await invoke(self._rows[length], length)

    async def fan(self, width: int) -> None:
        if (width,) not in self._spreads:
            self._spreads[width,] = spread(width, self._saver, item)
        await invoke(self._spreads[width,], 3)

    async def many(self, runs: int, length: int) -> None:
        await asyncio.gather(*(self.chain(length) for _ in range(runs)))

    async def sleep(self, width: int, seconds: float) -> None:
        if (width, seconds) not in self._spreads:
            self._spreads[width, seconds] = spread(width, self._saver, rest, seconds=seconds)
        await invoke(self._spreads[width, seconds], 3)

    async def start(self) -> float:
        bodies.clear()
        began = time.perf_counter()
        await invoke(self._first, 1)
        return bodies[0] - began


async def main(scratch: Path) -> None:
    async with AsyncSqliteSaver.from_conn_string(str(scratch / "checkpoints.db")) as saver:
        await saver.setup()
        cases = Cases(saver)
        await answer(
            {name: getattr(cases, name) for name in ("chain", "fan", "many", "start", "sleep")},
            "langgraph langgraph-checkpoint-sqlite",
            settings=f"AsyncSqliteSaver, journal_mode={await _pragma(saver, 'journal_mode')}, "
            f"synchronous={SYNC[await _pragma(saver, 'synchronous')]}, durability=sync",
        )


async def _pragma(saver: AsyncSqliteSaver, name: str) -> Any:
    cursor = await saver.conn.execute(f"PRAGMA {name}")
    (value,) = await cursor.fetchone()
    return value


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
