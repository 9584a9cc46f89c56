"""Turns: calls while the model talks, what they cost in CPU, watchers, and long conversations."""

from __future__ import annotations

import asyncio
import sys
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from bench.table import Row
from callsheet import Agent, Engine, Event, tool
from callsheet.testing.models import Line, ModelServer, Pause, Say, ScriptedModel, calls

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from bench.cases import Bench
    from callsheet import Turn

CALLS, STREAM, TOOL = 8, 2.0, 0.3
TURNS, WATCHERS = 50, 10
ROUNDS, EARLY, SPAN = 200, 20, 10


@tool("look", effect="read")
async def look(at: str) -> str:
    return at


def configuration(scratch: Path, url: str) -> Path:
    """A file that says where the model is."""
    scratch.mkdir(parents=True, exist_ok=True)
    path = scratch / "callsheet.toml"
    path.write_text(
        f'[models.m]\nmodel = "openai:gpt-4o"\nbase_url = "{url}"\n'
        "price = {input = 1.0, output = 1.0}\n"
    )
    return path


@asynccontextmanager
async def served(scratch: Path, url: str, *tools: Any) -> AsyncIterator[Engine]:
    """An engine whose model is at an address."""
    path = configuration(scratch, url)
    async with Engine.open(scratch / "home", tools, config=path) as engine:
        yield engine


async def turns(bench: Bench) -> list[Row]:
    """All of it."""
    return [
        *await _paced(bench),
        await _overhead(bench),
        await _agents(bench),
        await _watched(bench),
        await _long(bench),
    ]


async def _paced(bench: Bench) -> list[Row]:
    """Eight calls of 300 ms in an answer that streams 2 s."""
    begun: dict[str, float] = {}
    loop = asyncio.get_running_loop()

    @tool("slow", effect="read")
    async def slow(at: str) -> str:
        begun[at] = loop.time()
        await asyncio.sleep(TOOL)
        return at

    pace = STREAM / (CALLS + 1)
    lines: list[Line] = [Say("Looking. ")]
    for index in range(CALLS):
        lines += [Pause(pace), *calls(f"c{index}", "slow", {"at": str(index)}, index=index)]
    lines += [Pause(pace), Say("Well.")]
    late: list[float] = []
    whole: list[float] = []
    async with ModelServer() as server, served(bench.scratch / "paced", server.openai, slow) as it:
        server.answers(Say("Hello."))
        await (await it.turn("Warm up.", model="m", tools=["slow"])).wait()
        for _ in range(3):
            server.answers(*lines)
            server.answers(Say("Done."))
            await (await it.turn("Go!", model="m", tools=["slow"])).wait()
            first, second = server.requests[-2:]
            late += [begun[str(i)] - first.at - pace * (i + 1) for i in range(CALLS)]
            whole.append(second.at - first.at)
    limit = max(STREAM, pace * CALLS + TOOL)
    best, worst = min(whole) / limit, max(late) * 1000
    return [
        Row(
            case=f"turn: {CALLS} calls of {TOOL * 1000:g} ms while an answer streams {STREAM:g} s",
            ours=f"{min(whole):.2f} s",
            limits=(f"{limit:.2f} s", "-"),
            ratios=(f"{best:.2f}", "-"),
            bar="≤ 1.1",
            met=best <= 1.1,
        ),
        Row(
            case="turn: last argument byte to start of the call, the slowest",
            ours=f"{worst:.0f} ms",
            bar="≤ 100 ms",
            met=worst <= 100,
        ),
    ]


async def _overhead(bench: Bench) -> Row:
    """CPU of a turn with two answers and eight calls, beside reading the same streams alone."""
    program = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bench.turn_server", stdout=asyncio.subprocess.PIPE
    )
    assert program.stdout is not None
    try:
        url = (await program.stdout.readline()).decode().strip()
        async with served(bench.scratch / "overhead", url, look) as engine:

            async def one() -> None:
                await (await engine.turn("Go!", model="m", tools=["look"])).wait()

            ours = await _cpu(one)
        alone = await _cpu(_reader(url))
    finally:
        program.terminate()
        await program.wait()
    ratio = ours / alone
    return Row(
        case=f"turn: CPU of 2 answers and {CALLS} instant calls, sync=full",
        ours=f"{ours * 1000:.1f} ms",
        limits=(f"{alone * 1000:.1f} ms (read alone)", "-"),
        ratios=(f"{ratio:.2f}", "-"),
        bar="≤ 3",
        met=ratio <= 3,
    )


async def _agents(bench: Bench) -> Row:
    """CPU of steps that an agent answers, beside turns that ask the same model as much."""
    model = ScriptedModel()
    model.otherwise(lambda _: [Say("Done.")])
    agent = Agent(role="writer", capabilities=["write"], models=["m"], prompt="Write.")
    steps = [
        {
            "id": f"w{n}",
            "agent": "write",
            "args": {"task": "Go!"},
            "needs": [f"w{n - 1}"] if n else [],
        }
        for n in range(TURNS)
    ]
    home = bench.scratch / "agents"
    async with Engine.open(home, agents=[agent], models={"m": model}) as engine:

        async def asked() -> None:
            await engine.run({"steps": steps})

        async def said() -> None:
            for _ in range(TURNS):
                turn = await engine.turn("Go!", model="m", tools=[], instructions="Write.")
                await turn.run.wait()

        ours, alone = await _cpu(asked) / TURNS, await _cpu(said) / TURNS
    more = (ours - alone) * 1000
    return Row(
        case="agent: CPU of a call, router included, over the same turn",
        ours=f"{ours * 1000:.2f} ms",
        limits=(f"{alone * 1000:.2f} ms (the turn)", "-"),
        ratios=(f"{more:+.2f} ms", "-"),
        bar="≤ 0.5 ms more",
        met=more <= 0.5,
    )


async def _cpu(work: Any) -> float:
    await work()
    best = float("inf")
    for _ in range(5):
        begun = time.process_time()
        for _ in range(3):
            await work()
        best = min(best, (time.process_time() - begun) / 3)
    return best


def _reader(url: str) -> Any:
    """Reads the two streams with the library, and does nothing else."""
    from pydantic_ai.direct import model_request_stream
    from pydantic_ai.messages import ModelRequest, ModelResponse, ToolReturnPart
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider
    from pydantic_ai.tools import ToolDefinition

    model = OpenAIChatModel("gpt-4o", provider=OpenAIProvider(base_url=url, api_key="none"))
    tools = [ToolDefinition(name="look", parameters_json_schema=look.spec.input_schema)]
    parameters = ModelRequestParameters(function_tools=tools)

    async def read(messages: list[Any]) -> ModelResponse:
        async with model_request_stream(
            model, messages, model_request_parameters=parameters
        ) as stream:
            async for _ in stream:
                pass
            return stream.get()

    async def both() -> None:
        asked = [ModelRequest.user_text_prompt("Go!")]
        said = await read(asked)
        results = [
            ToolReturnPart(call.tool_name, "x", call.tool_call_id) for call in said.tool_calls
        ]
        await read([*asked, said, ModelRequest(parts=results)])

    return both


async def _watched(bench: Bench) -> Row:
    """Fifty turns at once, ten watchers each: from an entry to whoever watches."""
    loop = asyncio.get_running_loop()
    written: dict[tuple[str, int], float] = {}
    delays: list[float] = []

    def note(told: object) -> None:
        if isinstance(told, Event):
            written[told.run, told.seq] = loop.time()

    async def watch(turn: Turn) -> None:
        async for update in turn.flow():
            seq = update.get("seq")
            if isinstance(seq, int) and (turn.id, seq) in written:
                delays.append(loop.time() - written[turn.id, seq])

    model = ScriptedModel()
    model.otherwise(
        lambda request: (
            [Say("Done.")]
            if len(request.messages) > 1
            else [line for word in range(20) for line in (Say(f"word {word} "), Pause(0.05))]
            + [*calls("c", "look", {"at": "x"})]
        )
    )
    async with Engine.open(bench.scratch / "watched", [look]) as engine:
        engine.models.add("m", model)
        engine.listen(note)
        begun = time.process_time()
        async with asyncio.TaskGroup() as group:
            for _ in range(TURNS):
                turn = await engine.turn("Go!", model="m", tools=["look"])
                for _ in range(WATCHERS):
                    group.create_task(watch(turn))
        spent = time.process_time() - begun
    delays.sort()
    late = delays[int(len(delays) * 0.99)] * 1000
    return Row(
        case=f"turn: {TURNS} at once, {WATCHERS} watchers each; entry to watcher, p99",
        ours=f"{late:.1f} ms",
        bar="≤ 50 ms (idle machine)",
        met=late <= 50,
        cpu=f"{spent / len(delays) * 1000:.3f} ms a delivery",
    )


async def _long(bench: Bench) -> Row:
    """A conversation of two hundred rounds: what each of them stores."""
    home = bench.scratch / "long"
    model = ScriptedModel()
    model.otherwise(lambda _: [Say("An answer of some length, always the same. " * 10)])
    sizes = [0]
    async with Engine.open(home, [look], sync="normal") as engine:
        engine.models.add("m", model)
        for _ in range(ROUNDS):
            turn = await engine.turn("And then?", model="m", conversation="long", tools=["look"])
            await turn.wait()
            sizes.append(sizes[-1] + await _stored(turn))
    early = sizes[EARLY] - sizes[EARLY - SPAN]
    late = sizes[ROUNDS] - sizes[ROUNDS - SPAN]
    ratio = late / early
    return Row(
        case=f"conversation: bytes of journal per round, round {ROUNDS} : round {EARLY}",
        ours=f"{late / SPAN:,.0f} B",
        limits=(f"{early / SPAN:,.0f} B", "-"),
        ratios=(f"{ratio:.2f}", "-"),
        bar="≤ 1.2",
        met=ratio <= 1.2,
    )


async def _stored(turn: Turn) -> int:
    from callsheet.core.run.entries import encode

    return sum(len(encode(entry)) for entry in await turn.run.journal())
