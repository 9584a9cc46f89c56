"""Calls of an answer that touch the same thing: they keep their order, and hinder nobody else."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.turns.theatre import PATIENCE, config

from callsheet import Engine, tool
from callsheet.core.run.entries import StepsAdded
from callsheet.testing.models import Gate, ModelServer, Piece, Say, calls

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from callsheet.tools.function.declare import AnyTool

# Real sockets, real libraries, and what they take to load.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("T2")]


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    async with ModelServer() as running:
        yield running


class Pages:
    """Tools on pages: each notes when it begins and when it is done."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.held = asyncio.Event()
        """What is first written to the page `slow` waits for this; `look` at the lock sets it."""
        self.begun: dict[str, asyncio.Event] = {}

    def began(self, what: str) -> asyncio.Event:
        """Set once something has begun."""
        return self.begun.setdefault(what, asyncio.Event())

    async def _do(self, what: str, *, waits: bool = False) -> str:
        self.told.append(f"{what} begins")
        self.began(what).set()
        if waits:
            await self.held.wait()
        self.told.append(f"{what} is done")
        return what

    @property
    def all(self) -> list[AnyTool]:
        """All of them."""

        @tool("page.write", effect="write", idempotent=True, touches="page:${args.page}")
        async def write(page: str, text: str) -> str:
            return await self._do(f"write {page} {text}", waits=(page, text) == ("slow", "one"))

        @tool("page.read", effect="read", touches=["page:${args.page}"])
        async def read(page: str) -> str:
            return await self._do(f"read {page}")

        @tool("page.print", effect="write", touches="page:${args.page}")
        async def print_it(page: str) -> str:
            return await self._do(f"print {page}")

        @tool("look", effect="read")
        async def look(at: str) -> str:
            if at == "the lock":
                self.held.set()
            return await self._do(f"look {at}")

        return [write, read, print_it, look]


async def told_by(server: ModelServer, pages: Pages, tmp_path: Path) -> tuple[list[str], list[Any]]:
    """What the tools did in a turn, and the steps that its calls were."""
    path = tmp_path / "callsheet.toml"
    path.write_text(config(server))
    async with (
        asyncio.timeout(PATIENCE),
        Engine.open(None, pages.all, config=path) as engine,
    ):
        turn = await engine.turn("Go!", model="writer", tools=["page.*", "look"])
        answer = await turn.wait()
        steps = [
            step
            for entry in await turn.run.journal()
            if isinstance(entry, StepsAdded)
            for step in entry.steps
            if step.label
        ]
    assert answer.state == "answered"
    assert {call.status for call in answer.calls} == {"complete"}
    return pages.told, steps


async def test_calls_that_touch_the_same_are_made_in_their_order_and_others_meanwhile(
    server: ModelServer, tmp_path: Path
) -> None:
    pages = Pages()
    server.answers(
        *calls("one", "page__write", {"page": "slow", "text": "one"}),
        *calls("two", "page__write", {"page": "slow", "text": "two"}, index=1),
        *calls("three", "page__read", {"page": "slow"}, index=2),
        *calls("other", "page__write", {"page": "other", "text": "x"}, index=3),
        # What touches something else is under way, although the first one is not done.
        Gate(pages.began("write other x")),
        *calls("free", "look", {"at": "the lock"}, index=4),
    )
    server.answers(Say("Done."))
    told, steps = await told_by(server, pages, tmp_path)
    slow = [each for each in told if "slow" in each]
    assert slow == [
        "write slow one begins",
        "write slow one is done",
        "write slow two begins",
        "write slow two is done",
        "read slow begins",
        "read slow is done",
    ]
    assert told.index("look the lock begins") < told.index("write slow one is done")
    assert [(step.label, step.touches) for step in steps] == [
        ("one", ("page:slow",)),
        ("two", ("page:slow",)),
        ("three", ("page:slow",)),
        ("other", ("page:other",)),
        ("free", ()),
    ]


async def test_what_follows_a_write_that_waits_for_the_end_waits_with_it(
    server: ModelServer, tmp_path: Path
) -> None:
    pages = Pages()
    server.answers(
        *calls("print", "page__print", {"page": "a"}),
        *calls("write", "page__write", {"page": "a", "text": "new"}, index=1),
        *calls("else", "page__write", {"page": "b", "text": "x"}, index=2),
        Gate(pages.began("write b x")),
    )
    server.answers(Say("Done."))
    told, _ = await told_by(server, pages, tmp_path)
    assert [each for each in told if each.endswith("begins")] == [
        "write b x begins",
        "print a begins",
        "write a new begins",
    ]


async def test_what_one_before_it_touches_is_known_when_its_arguments_are(
    server: ModelServer, tmp_path: Path
) -> None:
    pages = Pages()
    server.answers(
        Piece(0, "first", "page__write"),
        Piece(0, arguments='{"text": "first", '),
        *calls("second", "page__write", {"page": "a", "text": "second"}, index=1),
        *calls("free", "look", {"at": "y"}, index=2),
        Gate(pages.began("look y")),
        Piece(0, arguments='"page": "a"}'),
        Gate(pages.began("write a first")),
    )
    server.answers(Say("Done."))
    told, _ = await told_by(server, pages, tmp_path)
    assert [each for each in told if each.endswith("begins")] == [
        "look y begins",
        "write a first begins",
        "write a second begins",
    ]


async def test_what_a_call_touches_is_data_whatever_a_model_wrote(
    server: ModelServer, tmp_path: Path
) -> None:
    pages = Pages()
    name = "${secrets.TOKEN} $${x} ${steps.a1}"
    server.answers(
        *calls("one", "page__write", {"page": name, "text": "1"}),
        *calls("two", "page__write", {"page": name, "text": "2"}, index=1),
        *calls("long", "page__read", {"page": "x" * 1000}, index=2),
    )
    server.answers(Say("Done."))
    told, steps = await told_by(server, pages, tmp_path)
    assert [each for each in told if name in each and "begins" in each] == [
        f"write {name} 1 begins",
        f"write {name} 2 begins",
    ]
    first, second, long = (step.touches for step in steps)
    assert first == second
    assert all("$" not in key and len(key) <= 200 for key in (*first, *long))
