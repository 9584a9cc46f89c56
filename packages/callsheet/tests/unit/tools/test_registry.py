"""The registry: tools by name, and calls on the event loop."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.tools.ctx import FakeContext

from callsheet.errors import EngineClosedError, InvalidError, RateLimitedError, ToolDefinitionError
from callsheet.ports import Context, Toolbox
from callsheet.tools.output import UnserialisableOutputError
from callsheet.tools.registry import Registry, tool

if TYPE_CHECKING:
    from callsheet.tools.registry import AnyTool


@tool("hotels.book", effect="write", undo="hotels.cancel")
async def book(city: str, nights: int = 1) -> dict[str, Any]:
    return {"city": city, "nights": nights}


@tool("hotels.look", effect="read")
async def look(ctx: Context) -> str:
    return ctx.key


def test_a_registry_is_a_toolbox() -> None:
    toolbox: Toolbox = Registry([book, look])
    assert toolbox.names() == ["hotels.book", "hotels.look"]
    assert toolbox.spec("hotels.book") is book.spec
    assert toolbox.spec("hotels.burn") is None


def test_two_tools_of_one_name_are_refused() -> None:
    other = tool("hotels.look", effect="read")(look.function)
    with pytest.raises(ToolDefinitionError, match=r"two tools named 'hotels\.look'"):
        Registry([look, other])


def test_the_same_tool_twice_is_one() -> None:
    assert Registry([look, look]).names() == ["hotels.look"]


def test_only_tools_can_be_added() -> None:
    not_a_tool: Any = print
    with pytest.raises(ToolDefinitionError, match="Put '@tool' above the function"):
        Registry([not_a_tool])


def test_an_undo_that_nobody_has_is_reported() -> None:
    registry = Registry([book, look])
    assert registry.missing_undos() == {"hotels.book": "hotels.cancel"}
    registry.add(tool("hotels.cancel", effect="write")(book.function))
    assert registry.missing_undos() == {}


def test_tools_that_are_added_for_later_are_made_when_one_is_asked_for() -> None:
    made: list[str] = []

    def make() -> list[AnyTool]:
        made.append("made")
        return [book, tool("hotels.cancel", effect="write")(book.function)]

    registry = Registry([look])
    registry.add_later(("hotels.book", "hotels.cancel"), make)
    assert registry.names() == ["hotels.book", "hotels.cancel", "hotels.look"]
    assert registry.spec("hotels.look") is look.spec
    assert registry.spec("hotels.burn") is None
    assert registry.missing_undos() == {}
    assert made == []
    assert registry.spec("hotels.book") is book.spec
    assert registry.spec("hotels.cancel") is not None
    assert registry.names() == ["hotels.book", "hotels.cancel", "hotels.look"]
    assert made == ["made"]


async def test_a_tool_that_was_added_for_later_can_be_called() -> None:
    registry = Registry()
    registry.add_later(["hotels.look"], lambda: [look])
    assert await registry.call("hotels.look", {}, FakeContext(key="k-17")) == "k-17"


def test_a_name_is_taken_also_while_its_tool_is_not_made_yet() -> None:
    registry = Registry([look])
    with pytest.raises(ToolDefinitionError, match=r"two tools named 'hotels\.look'"):
        registry.add_later(["hotels.look"], lambda: [look])
    registry.add_later(["hotels.book"], lambda: [book])
    with pytest.raises(ToolDefinitionError, match=r"two tools named 'hotels\.book'"):
        registry.add(book)


async def test_an_async_tool_is_called_with_its_arguments_and_its_output_comes_back() -> None:
    output = await Registry([book]).call("hotels.book", {"city": "Oslo"}, FakeContext())
    assert output == {"city": "Oslo", "nights": 1}


@pytest.mark.requirement("E18")
async def test_a_tool_is_given_the_idempotency_key_of_its_call() -> None:
    assert await Registry([look]).call("hotels.look", {}, FakeContext(key="k-17")) == "k-17"


@pytest.mark.requirement("E7")
async def test_wrong_arguments_are_invalid_and_the_function_is_not_called() -> None:
    called = []

    @tool(effect="read")
    async def note(number: int) -> None:
        called.append(number)

    with pytest.raises(InvalidError, match=r"args\.number: Input should be a valid integer"):
        await Registry([note]).call("note", {"number": "x"}, FakeContext())
    assert not called


async def test_a_tool_that_does_not_exist_is_invalid_with_the_one_that_may_be_meant() -> None:
    with pytest.raises(
        InvalidError, match=r"no tool 'hotels\.bok'\. Did you mean 'hotels\.book'\?"
    ):
        await Registry([book]).call("hotels.bok", {}, FakeContext())


@pytest.mark.requirement("E7")
async def test_what_a_tool_raises_comes_out_as_it_is() -> None:
    @tool(effect="read")
    async def busy() -> None:
        raise RateLimitedError(retry_after=3.0)

    with pytest.raises(RateLimitedError) as caught:
        await Registry([busy]).call("busy", {}, FakeContext())
    assert caught.value.retry_after == 3.0


async def test_an_output_is_converted_to_json() -> None:
    @tool(effect="read")
    async def when() -> datetime:
        return datetime.fromisoformat("2024-05-01T10:00:00+00:00")

    assert await Registry([when]).call("when", {}, FakeContext()) == "2024-05-01T10:00:00Z"


async def test_an_output_without_json_is_an_error_that_is_no_tools_word() -> None:
    @tool(effect="read")
    async def lock() -> Any:
        return [asyncio.Lock()]

    with pytest.raises(UnserialisableOutputError, match=r"'lock'.*output\[0\] is of type asyncio"):
        await Registry([lock]).call("lock", {}, FakeContext())


async def test_cancelling_a_call_cancels_an_async_tool() -> None:
    ended = []

    @tool(effect="read")
    async def wait(ctx: Context) -> None:
        ctx.progress()
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(True)

    ctx = FakeContext()
    async with asyncio.TaskGroup() as group:
        call = group.create_task(Registry([wait]).call("wait", {}, ctx))
        await ctx.wait_heard()
        call.cancel()
    assert call.cancelled()
    assert ended


@pytest.mark.parametrize("each", [book, look])
async def test_a_closed_registry_calls_nothing(each: AnyTool) -> None:
    registry = Registry([each])
    await registry.close()
    await registry.close()
    with pytest.raises(EngineClosedError):
        await registry.call(each.spec.name, {}, FakeContext())
