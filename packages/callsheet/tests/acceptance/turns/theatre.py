"""What the tests of turns share: a model server, tools that note what they did, an engine."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from callsheet import Context, Engine, tool
from callsheet.core.value import Json
from callsheet.errors import InvalidError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from callsheet.agents.turn import Turn
    from callsheet.testing.models import ModelServer
    from callsheet.tools.function.declare import AnyTool

FINAL = {"complete", "error", "timeout", "cancelled"}
PATIENCE = 60
"""Seconds: nothing here takes that long, whatever else the machine does."""


class Tools:
    """Tools that note what they were asked for, and wait where a test wants it."""

    def __init__(self) -> None:
        self.done: list[tuple[str, Any]] = []
        self.begun = asyncio.Event()
        self.gate: asyncio.Event | None = None
        """Nobody goes on before it is open."""
        self.opens_at = 0
        """How many calls open it, once they have all begun."""

    def count(self, name: str) -> int:
        """How often a tool was called."""
        return sum(1 for each, _ in self.done if each == name)

    async def _do(self, name: str, said: Any) -> None:
        self.done.append((name, said))
        self.begun.set()
        if self.gate is not None:
            if self.opens_at and len(self.done) >= self.opens_at:
                self.gate.set()
            await self.gate.wait()

    @property
    def all(self) -> list[AnyTool]:
        """All of them."""

        @tool("weather.at", effect="read")
        async def weather(city: str) -> dict[str, Json]:
            """The weather in a city."""
            await self._do("weather.at", city)
            if city == "Nowhere":
                raise InvalidError("There is no such city.")
            return {"city": city, "degrees": 4}

        @tool("notes.put", effect="write", undo="notes.drop")
        async def put(text: str) -> str:
            """Put a note down."""
            await self._do("notes.put", text)
            return f"note {text}"

        @tool("notes.drop", effect="write", idempotent=True)
        async def drop(output: str) -> None:
            """Drop a note."""
            self.done.append(("notes.drop", output))

        @tool("mail.send", effect="write")
        async def mail(to: str) -> str:
            """Send a mail; it cannot be taken back."""
            await self._do("mail.send", to)
            return "sent"

        @tool("disk.wipe", effect="write", destructive=True)
        async def wipe(disk: str) -> str:
            """Wipe a disk."""
            await self._do("disk.wipe", disk)
            return "wiped"

        @tool("now", effect="read")
        async def now(ctx: Context) -> str:
            """The time; takes nothing."""
            await self._do("now", ctx.step)
            return "noon"

        return [weather, put, drop, mail, wipe, now]


def config(server: ModelServer, *, service: str = "openai", more: str = "") -> str:
    """A configuration that has a model `writer` on the server."""
    model, url = "openai:gpt-4o", server.openai
    if service == "anthropic":
        model, url = "anthropic:claude-sonnet-5", server.anthropic
    if service == "google":
        model, url = "google:gemini-2.5-pro", server.google
    return (
        f'[models.writer]\nmodel = "{model}"\nbase_url = "{url}"\n'
        f"price = {{input = 2.0, output = 10.0}}\nsettings = {{max_tokens = 1000}}\n{more}"
    )


@asynccontextmanager
async def opened(  # noqa: PLR0913 -- every one but the first three is optional
    server: ModelServer,
    tools: Tools,
    tmp_path: Path,
    *,
    home: Path | None = None,
    service: str = "openai",
    more: str = "",
    drain: float = 10.0,
) -> AsyncIterator[Engine]:
    """An engine whose model `writer` is on the server."""
    path = tmp_path / "callsheet.toml"
    path.write_text(config(server, service=service, more=more))
    async with (
        asyncio.timeout(PATIENCE),
        Engine.open(home, tools.all, config=path, drain=drain) as engine,
    ):
        yield engine


async def flowed(turn: Turn, after: int = 0) -> list[dict[str, Json]]:
    """The flow of a turn, to its end."""
    return [update async for update in turn.flow(after)]


def written(updates: list[dict[str, Json]]) -> list[dict[str, Json]]:
    """A flow as it is when it is read later: without what was only said."""
    kept: list[dict[str, Json]] = []
    waiting: list[dict[str, Json]] = []
    for update in updates:
        waiting.append(update)
        if "seq" in update:
            kept += waiting
            waiting = []
    return kept


class Page:
    """What a page makes of a flow, as it comes."""

    def __init__(self) -> None:
        self.sections: dict[int, dict[str, Any]] = {}
        self.ends: dict[tuple[str, str], list[str]] = {}
        self.steps: dict[tuple[str, str], str] = {}
        self.closed: dict[int, int] = {}
        self.end: dict[str, Json] | None = None

    def show(self, update: dict[str, Any]) -> None:
        """Take in an update."""
        assert self.end is None, "nothing comes after the end"
        match update["kind"]:
            case "text":
                self._text(update)
            case "tools":
                self._tools(update)
            case "call":
                self._call(update["index"], update)
            case "end":
                self.end = update
            case _:
                assert update["kind"] == "note"

    def _text(self, update: dict[str, Any]) -> None:
        section = self.sections.setdefault(update["index"], {"kind": "text", "text": ""})
        if "content" in update:
            assert isinstance(update["content"], str)
            section["text"] = update["content"]
        else:
            have = section["text"]
            assert update["offset"] <= len(have), "nothing is missing"
            section["text"] = have[: update["offset"]] + max(
                update["append"], have[update["offset"] :], key=len
            )

    def _tools(self, update: dict[str, Any]) -> None:
        section = self.sections.setdefault(update["index"], {"kind": "tools", "calls": {}})
        section["expanded"] = update["expanded"]
        if update["status"] == "complete":
            self.closed[update["index"]] = self.closed.get(update["index"], 0) + 1
        for call in update.get("calls", ()):
            self._call(update["index"], call)

    def _call(self, index: int, call: dict[str, Any]) -> None:
        name, step = (call["answer"], call["id"]), call.get("step")
        if step and self.steps.setdefault(name, step) != step:
            # What was meant instead of the one before it.
            self.steps[name] = step
            self.ends.pop(name)
        section = self.sections.setdefault(index, {"kind": "tools", "calls": {}})
        section["calls"].setdefault(call["id"], {}).update(call)
        if "status" in call:
            seen = self.ends.setdefault(name, [])
            if not seen or seen[-1] != call["status"]:
                assert not seen or seen[-1] not in FINAL, "final is final"
                seen.append(call["status"])

    @property
    def statuses(self) -> dict[str, list[str]]:
        """What each call has gone through, by its id; of one that comes again, the last."""
        return {id: seen for (_, id), seen in self.ends.items()}

    @property
    def text(self) -> str:
        """All text, in order."""
        found = [self.sections[index] for index in sorted(self.sections)]
        return "".join(each["text"] for each in found if each["kind"] == "text")

    @property
    def calls(self) -> dict[str, dict[str, Any]]:
        """All calls, in order."""
        return {
            id: call
            for index in sorted(self.sections)
            for id, call in self.sections[index].get("calls", {}).items()
        }


def page_of(updates: list[dict[str, Json]]) -> Page:
    """A page that has seen all of a flow."""
    page = Page()
    for update in updates:
        page.show(update)
    return page
