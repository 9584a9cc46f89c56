"""Where in a tool an exception was raised: in the journal, the log and the span."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest
from tests.acceptance.isolated import breaks
from tests.acceptance.stage import a_plan, records

from callsheet import Engine, Step, tool
from callsheet.errors import FatalError
from callsheet.frames import LONGEST, frames_of

NUMBERS: dict[str, int] = {}


@tool(effect="read")
async def in_the_loop() -> int:
    return NUMBERS["b"]  # in the loop


@tool(effect="read")
def in_a_thread() -> int:
    return NUMBERS["b"]  # in a thread


# A process is started for one of them.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("broken", "line"),
    [
        (in_the_loop, "# in the loop"),
        (in_a_thread, "# in a thread"),
        (breaks, "# in a process"),
    ],
    ids=["loop", "thread", "process"],
)
@pytest.mark.requirement("tool:traceback")
async def test_the_journal_and_the_log_say_file_and_line(
    broken: Any, line: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CALLSHEET_LOG")
    with caplog.at_level(logging.WARNING, "callsheet"):
        async with Engine.open(None, [broken]) as engine, asyncio.timeout(60):
            step = Step(id="a", tool=broken.spec.name, in_doubt="fail")
            run = await engine.start(a_plan(step))
            result = await run.wait()
            (end,) = await records(run, "AttemptEnded")
            (attempt,) = await run.attempts()
    told = end.error.traceback
    assert line in told
    assert told.rstrip().endswith("KeyError: 'b'")
    assert "/callsheet/tools/" not in told, "our own frames are nobody's business"
    assert result.steps["a"].error == end.error
    told_of: Any = attempt.to_json()
    assert told_of["error"]["traceback"] == told
    shown: Any = result.to_json()
    assert "traceback" not in shown["steps"]["a"]["error"]
    (record,) = [each for each in caplog.records if "tool.raised" in each.getMessage()]
    assert record.levelno == logging.WARNING
    assert record.name == "callsheet"
    assert line in record.getMessage()
    assert record.callsheet["step"] == "a"  # type: ignore[attr-defined]


@pytest.mark.requirement("tool:traceback", "secrets:never-written")
async def test_a_secret_in_a_traceback_is_not_written_down() -> None:
    @tool(effect="read")
    async def leaks(token: str) -> None:
        raise ValueError(f"bad token {token}")

    async with Engine.open(None, [leaks], secrets={"TOKEN": "s3cr3t-value"}) as engine:
        run = await engine.start(
            a_plan(Step(id="a", tool="leaks", args={"token": "${secrets.TOKEN}"}))
        )
        await run.wait()
        (end,) = await records(run, "AttemptEnded")
    assert "bad token ${secrets.TOKEN}" in end.error.traceback
    assert "s3cr3t" not in end.error.traceback


@pytest.mark.requirement("tool:traceback")
async def test_the_word_of_a_tool_needs_no_traceback() -> None:
    @tool(effect="read")
    async def says() -> None:
        raise FatalError("sold out")

    async with Engine.open(None, [says]) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="says")))
        result = await run.wait()
    assert result.steps["a"].error is not None
    assert result.steps["a"].error.traceback == ""


@pytest.mark.requirement("tool:traceback")
def test_a_traceback_is_bounded_and_keeps_its_end() -> None:
    def deep(depth: int) -> None:
        if depth:
            deep(depth - 1)
        raise ValueError("x" * 20_000 + "the end")

    def caught() -> Exception:
        try:
            deep(500)
        except ValueError as exc:
            return exc
        raise AssertionError

    told = frames_of(caught())
    assert len(told) <= LONGEST + 10
    assert told.endswith("the end")
    assert told.startswith("Traceback")
