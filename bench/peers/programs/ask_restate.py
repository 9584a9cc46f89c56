"""What Restate does when things go wrong, shown by doing it.

Arguments: scratch; and for a service: its port, and which step kills it.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import restate

from bench.peers.programs import probing
from bench.peers.programs.answering import end_when_told
from bench.peers.programs.on_restate import Ports, register, restate_server, served
from bench.peers.programs.servers import LOOPBACK, listens, stop

if TYPE_CHECKING:
    from collections.abc import Iterator

NOBODY = ""
KILLER = sys.argv[3] if len(sys.argv) > 3 else NOBODY
diary = probing.Diary(Path(sys.argv[1]) / "diary.txt")
service = restate.Service("Probe")


async def write(what: str) -> str:
    diary.write(what)
    if what == KILLER:
        probing.die()
    return what


async def first(branch: str) -> str:
    await asyncio.sleep(0.5 if branch == "left" else 0.0)
    return branch


async def second(branch: str) -> str:
    if KILLER == branch == "left":
        probing.die()
    return branch


@service.handler()
async def writing(ctx: restate.Context, what: str) -> str:
    return await ctx.run_typed("write", write, what=what)


@service.handler()
async def branching(ctx: restate.Context, _: str) -> list[str]:
    begun = {name: ctx.run_typed("first", first, branch=name) for name in ("left", "right")}
    going_on = {}
    async for done in restate.as_completed(*begun.values()):
        name = await done
        going_on[name] = ctx.run_typed("second", second, branch=name)
    return [f"{name} got {await going_on[name]}" for name in sorted(going_on)]


@service.handler()
async def failing(ctx: restate.Context, _: str) -> None:
    await ctx.run_typed("one", write, what="one")
    await ctx.run_typed("two", write, what="two")
    raise restate.TerminalError("as planned")


async def serve(port: int) -> None:
    end_when_told()
    ports = Ports()
    ports.service = port
    async with served(ports, service):
        await asyncio.Event().wait()


class Probe:
    def __init__(self, client: httpx.AsyncClient, ports: Ports) -> None:
        self._client = client
        self._ports = ports
        self._ingress = f"http://{LOOPBACK}:{ports.ingress}"
        self._admin = f"http://{LOOPBACK}:{ports.admin}"

    @contextmanager
    def serving(self, killer: str = NOBODY) -> Iterator[Any]:
        process = probing.again(sys.argv[1], str(self._ports.service), killer)
        try:
            while not listens(self._ports.service):
                assert process.poll() is None, "the service has ended"
            yield process
        finally:
            stop(process)

    async def crashed(self, killer: str, handler: str) -> str:
        """The id of an invocation whose service has died in the middle."""
        with self.serving(killer) as process:
            if killer == "doubted":
                await register(self._client, self._ports)
            sent = await self._client.post(f"{self._ingress}/Probe/{handler}/send", json=killer)
            await asyncio.to_thread(process.wait, probing.PATIENCE)
        found: str = sent.raise_for_status().json()["invocationId"]
        return found

    async def result(self, invocation: str) -> Any:
        where = f"{self._ingress}/restate/invocation/{invocation}/attach"
        return (await self._client.get(where)).raise_for_status().json()

    async def ask(self) -> None:
        doubted = await self.crashed("doubted", "writing")
        branches = await self.crashed("left", "branching")
        with self.serving():
            await self.result(doubted)
            probing.doubted(diary.count("doubted"))
            pairs = await self.result(branches)
            probing.report(
                "own results",
                "yes" if pairs == ["left got left", "right got right"] else "no",
                "two branches at once, the service killed between them: afterwards "
                + "; ".join(pairs),
            )
            answered = await self._client.post(f"{self._ingress}/Probe/failing", json="")
            assert answered.is_server_error, answered.text
        standing = diary.count("one") + diary.count("two")
        by_hand = f"{standing} of 2 writes stand after a failure; the author writes the except; "
        probing.searched("undo", probing.UNDO, "restate", otherwise=by_hand)
        probing.searched("budget", probing.BUDGET, "restate")
        await self.replay()
        await self.lineage()
        waits = "a handler can wait for an awakeable, which the author writes before each call; "
        probing.searched("approval", probing.APPROVAL, "restate", otherwise=waits)

    async def replay(self) -> None:
        api = (await self._client.get(f"{self._admin}/openapi")).raise_for_status().json()
        paths = sorted(path for path in api["paths"] if "restart" in path or "replay" in path)
        probing.report(
            "replay",
            "partly",
            "a handler is replayed from its journal after a crash; for a finished one the admin "
            f"interface has {', '.join(paths) or 'nothing'}, and nothing that compares without "
            "calling",
        )

    async def lineage(self) -> None:
        asked = {"query": "SELECT * FROM sys_journal LIMIT 1"}
        json = {"accept": "application/json"}
        answered = await self._client.post(f"{self._admin}/query", json=asked, headers=json)
        (row,) = answered.raise_for_status().json()["rows"]
        probing.report(
            "lineage",
            "no",
            f"a journal entry has {', '.join(sorted(row))}: nothing says whose output a step was "
            "given",
        )


async def ask(ports: Ports) -> None:
    async with httpx.AsyncClient(timeout=probing.PATIENCE) as client:
        await Probe(client, ports).ask()


def main(scratch: Path, port: str = "", *_: str) -> None:
    if port:
        asyncio.run(serve(int(port)))
        return
    ports = Ports()
    with restate_server(scratch, ports):
        asyncio.run(ask(ports))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
