"""Models, and the servers behind them: what they say is data, bounded, and ends nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from callsheet import Engine, tool
from callsheet.agents.answer import MOST_CALLS
from callsheet.agents.bounded import MOST
from callsheet.agents.language.phrases import own_phrases
from callsheet.agents.model import Offered
from callsheet.agents.offline.understanding import Unclear, understand
from callsheet.testing.models import Piece, Say, ScriptedModel, calls
from callsheet.tools.builtin.catalog import builtin_tools

if TYPE_CHECKING:
    from collections.abc import Iterable

    from callsheet.agents.turn import Answer
    from callsheet.testing.models import Line

pytestmark = pytest.mark.requirement("S10", "T1")

SECRET = "sk_live_verysecret123"


@tool(effect="read")
async def note(text: str) -> str:
    """Say it back."""
    return text


async def answered(said: Iterable[Line], tools: tuple[str, ...] = ("note",)) -> Answer:
    """What becomes of a turn in which a model says this, and then that it is done."""
    model = ScriptedModel(said, [Say("Done.")])
    async with Engine.in_memory([note], models={"m": model}, secrets={"STRIPE": SECRET}) as engine:
        turn = await engine.turn("Go.", model="m", tools=tools)
        found = await turn.wait()
        seen = f"{found.to_json()} {model.requests} {await turn.run.journal()}"
        assert SECRET not in seen
        return found


def told(answer: Answer) -> list[dict[str, Any]]:
    """The calls of an answer, as everybody is told them."""
    found: Any = answer.to_json()
    calls_: list[dict[str, Any]] = found["calls"]
    return calls_


@pytest.mark.parametrize(
    "arguments",
    [
        '{"text": "\\u001b[2J"}',
        '{"text": "a\\u0000b"}',
        '{"text": "\\ud800"}',
        '{"text": NaN}',
        '{"text": ' + "9" * 5_000 + "}",
        '{"text": ' + "[" * 100 + "1" + "]" * 100 + "}",
        '{"text": ' + "[" * 50_000,
        "",
    ],
)
async def test_arguments_that_no_plan_can_say_are_told_to_the_model(arguments: str) -> None:
    found = await answered([Piece(0, "c1", "note", arguments)])
    assert found.state == "answered"
    (call,) = told(found)
    assert call["error"]["class"] == "invalid"


async def test_a_reference_that_a_model_writes_is_text() -> None:
    for text in ("${secrets.STRIPE}", "${inputs}", "${steps.a1.text}"):
        found = await answered(calls("c1", "note", {"text": text}))
        (call,) = told(found)
        assert (call["status"], call["result"]) == ("complete", text)


@pytest.mark.parametrize(
    "name", ["file.read", "sh", "runs.cancel", "runs.undo", "context.restore", "no\x1b[31m\n", ""]
)
async def test_what_was_not_offered_is_not_there(name: str) -> None:
    found = await answered([Piece(0, "c1", name, '{"path": "/etc/passwd"}')])
    calls_ = told(found)
    assert all(call["step"] is None and call["status"] == "error" for call in calls_)


async def test_an_answer_has_an_end() -> None:
    found = await answered([Say("x" * (MOST // 4)) for _ in range(5)])
    assert (found.state, "at most" in found.reason) == ("failed", True)
    found = await answered([Piece(0, "c1", "note", "x" * (MOST // 4)) for _ in range(5)])
    assert found.state == "failed"


async def test_an_answer_asks_for_so_many_calls_and_no_more() -> None:
    named = [Piece(n, f"c{n}", "unknown", "{}") for n in range(MOST_CALLS + 1)]
    without_names = [Piece(0, "", "unknown", "{}") for _ in range(MOST_CALLS + 1)]
    for many in (named, without_names):
        found = await answered(many)
        assert found.state == "failed"
        assert f"at most {MOST_CALLS} calls" in found.reason


def test_what_is_bounded_is_bounded_for_agents_and_drafts_too() -> None:
    """All three readers of models read by one way."""
    from importlib import import_module

    from callsheet.agents.bounded import streamed

    for name in ("answer", "ask", "drafting.draft"):
        module: Any = import_module(f"callsheet.agents.{name}")
        assert module.streamed is streamed


@pytest.mark.parametrize(
    "said",
    [
        f"wait {'9' * 400} seconds",
        f"wait seconds={'9' * 400}",
        f"http.get url=https://example.com, max_bytes=1{'0' * 400}",
        f"wait 0,{'1' * 3_000} s",
    ],
)
def test_a_number_in_a_sentence_that_is_none_is_no_accident(said: str) -> None:
    """Found by the fuzzer: OverflowError."""
    offered = [
        Offered(name=each.spec.name, version="1", description="", schema=each.spec.input_schema)
        for each in builtin_tools()
    ]
    assert isinstance(understand(said, offered, own_phrases()), Unclear)
