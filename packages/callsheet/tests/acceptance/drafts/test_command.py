"""`callsheet plan draft`: with a tape, and without a model."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.acceptance.command import call
from tests.acceptance.drafts.drawing import says
from tests.acceptance.turns.theatre import PATIENCE

from callsheet import Engine, tool
from callsheet.agents.recorded import RecordingModel
from callsheet.testing.models import ScriptedModel

# Every one of them opens a home.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("M5")]

TOOLS = """
from callsheet import tool


@tool("weather", effect="read")
async def weather(city: str) -> str:
    return city.upper()
"""
GOAL = "How cold is it in Oslo?"
OPTIONS = ("--tools", "weather.py", "--offer", "weather", "--model", "recorded:tape.jsonl")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CALLSHEET_HOME", raising=False)
    Path("weather.py").write_text(TOOLS)


async def _tape() -> None:
    @tool("weather", effect="read")
    async def weather(city: str) -> str:
        return city

    step = {"id": "oslo", "tool": "weather", "args": {"city": "Oslo"}}
    right = says(step, output="${steps.oslo}")
    model = RecordingModel(ScriptedModel(right), Path("tape.jsonl"))
    async with asyncio.timeout(PATIENCE), Engine.in_memory([weather]) as engine:
        engine.models.add("m", model)
        await (await engine.plan_for(GOAL, tools=["weather"], model="m")).wait()


def test_a_plan_is_drafted_printed_written_and_run() -> None:
    asyncio.run(_tape())
    printed = call("plan", "draft", GOAL, *OPTIONS)
    assert (printed.code, printed.out.splitlines()[:2]) == (0, ["callsheet: 1", "name: draft"])
    assert "Drafted by recorded:tape.jsonl (as you asked)." in printed.err
    written = call("plan", "draft", GOAL, *OPTIONS, "--run", "-o", "cold.yaml", "--json")
    assert (written.code, written.json["output"]) == (0, "OSLO")
    assert Path("cold.yaml").read_text() == printed.out
    again = call("run", "cold.yaml", "--tools", "weather.py", "--json")
    assert again.json["output"] == "OSLO"


def test_what_was_not_recorded_fails_and_says_what_differs() -> None:
    asyncio.run(_tape())
    other = call("plan", "draft", "Something else", *OPTIONS, "--json")
    assert (other.code, other.json["state"]) == (1, "failed")
    assert "never recorded" in other.json["cause"]["message"]


def test_without_a_model_it_says_what_it_did() -> None:
    Path("report.yaml").write_text(
        "callsheet: 1\nname: weather-report\nsteps:\n- {id: a, tool: weather, args: {city: Oslo}}\n"
    )
    none = call("plan", "draft", "Book a flight")
    assert none.code == 2
    assert "no key" in none.err
    assert "none is saved" in none.err
    assert call("plan", "save", "report.yaml").code == 0
    shown = call("plan", "draft", "a report on the weather")
    assert (shown.code, "name: weather-report" in shown.out) == (0, True)
    assert "was chosen, by the words: report, weather" in shown.err
    ran = call("plan", "draft", "a weather report", "--run", "--tools", "weather.py", "--json")
    assert (ran.code, ran.json["plan"], ran.json["state"]) == (0, "weather-report", "succeeded")
    assert "There are weather-report" in call("plan", "draft", "Book a flight").err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("",), "goal is empty"),
        (("g" * 200_000,), "at most 100,000 characters"),
        (("Go", "--model", "nobody"), "There is no model 'nobody'"),
        (("Go", "-o", "nowhere/plan.yaml"), "There is no directory"),
        (("Go", "--server", "http://127.0.0.1:9"), "leave out --server"),
    ],
)
def test_wrong_input_is_said_with_code_2(options: tuple[str, ...], words: str) -> None:
    done = call("plan", "draft", *options)
    assert (done.code, words in done.err) == (2, True), done.err
