"""`@tool`: what may be declared, and what is said of what may not."""

from __future__ import annotations

import functools
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from callsheet.core.plan.plan import Cost, Retry
from callsheet.core.plan.toolspec import Limit
from callsheet.errors import ToolDefinitionError
from callsheet.tools.registry import Tool, tool

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator


def a_read(city: str = "Oslo") -> str:
    """Says hello to a city.

    Args:
        city: where to.
    """
    return f"Hello {city}"


async def an_async_read(city: str = "Oslo") -> str:
    return f"Hello {city}"


def a_write(city: str) -> str:
    return city


async def an_async_write(city: str) -> str:
    return city


@pytest.mark.requirement("tool:unsaid")
def test_a_bare_decorator_declares_a_write_that_is_not_idempotent_and_where_it_ran_before() -> None:
    declared = tool(a_read)
    assert declared.spec.name == "a_read"
    assert (declared.spec.effect, declared.spec.repeatable) == ("write", False)
    assert declared.spec.unsaid
    assert declared.way == "thread", "only an effect that is said isolates it"
    assert not tool(effect="write")(a_write).spec.unsaid
    assert declared.spec.version == "1"
    assert declared.spec.description == "Says hello to a city."


def test_a_declared_function_can_still_be_called_as_the_plain_function() -> None:
    assert tool(a_read)("Bergen") == "Hello Bergen"


async def test_a_declared_async_function_can_still_be_awaited() -> None:
    assert await tool("hello", effect="read")(an_async_read)(city="Bergen") == "Hello Bergen"


def test_a_declared_tool_is_frozen() -> None:
    declared = tool(a_read)
    with pytest.raises(AttributeError):
        declared.way = "process"  # type: ignore[misc]


def test_every_term_reaches_the_spec() -> None:
    spec = tool(
        name="flights.book",
        effect="write",
        idempotent=True,
        destructive=True,
        undo="flights.cancel",
        cost=0.5,
        ceiling={"usd": 2, "tokens": 100},
        timeout="1.5s",
        retry={"attempts": 4, "backoff": "250ms"},
        limit="100/m",
        version="2024-05",
        description="Books a flight.",
    )(an_async_write).spec
    assert spec.name == "flights.book"
    assert spec.repeatable
    assert spec.destructive
    assert spec.undo == "flights.cancel"
    assert spec.cost == Cost(usd=0.5)
    assert spec.ceiling == Cost(usd=2.0, tokens=100)
    assert spec.timeout == 1.5
    assert spec.retry == Retry(attempts=4, backoff=0.25)
    assert spec.limit == Limit(rate=100, per=60.0)
    assert spec.version == "2024-05"
    assert spec.description == "Books a flight."


@pytest.mark.parametrize(
    ("terms", "field", "expected"),
    [
        ({"cost": Cost(credits=3)}, "cost", Cost(credits=3)),
        ({"cost": 2}, "cost", Cost(usd=2.0)),
        ({"timeout": 30}, "timeout", 30.0),
        ({"timeout": "2m"}, "timeout", 120.0),
        ({"timeout": "500ms"}, "timeout", 0.5),
        ({"timeout": "1h"}, "timeout", 3600.0),
        ({"retry": 5}, "retry", Retry(attempts=5)),
        ({"retry": Retry(attempts=2, backoff=0.0)}, "retry", Retry(attempts=2, backoff=0.0)),
        ({"retry": {"attempts": 2, "backoff": 0}}, "retry", Retry(attempts=2, backoff=0.0)),
        ({"limit": 4}, "limit", Limit(at_once=4)),
        ({"limit": "10/s"}, "limit", Limit(rate=10, per=1.0)),
        ({"limit": Limit(at_once=2, rate=5)}, "limit", Limit(at_once=2, rate=5)),
        ({"limit": {"at_once": 2}}, "limit", Limit(at_once=2)),
        ({"touches": "the door"}, "touches", ("the door",)),
        ({"touches": ["a", "b"]}, "touches", ("a", "b")),
        ({"touches": None}, "touches", ()),
    ],
)
def test_terms_have_short_forms(terms: dict[str, Any], field: str, expected: object) -> None:
    assert getattr(tool(**terms)(a_read).spec, field) == expected


def test_an_undo_may_be_the_tool_itself_instead_of_its_name() -> None:
    cancel = tool("flights.cancel", effect="write")(an_async_write)
    book = tool("flights.book", effect="write", undo=cancel)(an_async_write)
    assert book.spec.undo == "flights.cancel"


def test_sync_writes_are_isolated_unless_they_opt_out_and_reads_only_if_they_opt_in() -> None:
    ways = {
        "async": tool(an_async_write).way,
        "read": tool(a_read).way,
        "isolated read": tool(isolated=True, effect="read")(a_read).way,
        "write": tool(effect="write")(a_write).way,
        "write in a thread": tool(effect="write", isolated=False)(a_write).way,
    }
    assert ways == {
        "async": "loop",
        "read": "thread",
        "isolated read": "process",
        "write": "process",
        "write in a thread": "thread",
    }


@pytest.mark.parametrize(
    ("terms", "complaint"),
    [
        ({"name": "flights/book"}, "the name 'flights/book' is not words"),
        ({"name": "9lives"}, "the name '9lives' is not words"),
        ({"name": "book\n"}, "is not words"),
        ({"name": "a..b"}, "is not words"),
        ({"name": "x" * 101}, "100 characters at most"),
        ({"effect": "maybe"}, "effect must be 'read' or 'write', not 'maybe'"),
        ({"undo": "x"}, "only a write can have undo"),
        ({"idempotent": True}, "only a write can have idempotent"),
        ({"destructive": True}, "only a write can have destructive"),
        ({"cost": -1}, "cost must not be negative"),
        ({"cost": float("nan")}, "cost must not be negative, infinite or NaN"),
        ({"cost": True}, "cost must be a number"),
        ({"cost": "cheap"}, "cost must be a number (USD)"),
        ({"cost": {"eur": 1}}, "cost has no 'eur'"),
        ({"cost": {"usd": "x"}}, "cost does not fit"),
        ({"cost": 3, "ceiling": 2}, "its cost is above its ceiling (usd)"),
        ({"timeout": 0}, "timeout must be seconds"),
        ({"timeout": "soon"}, "not 'soon'"),
        ({"timeout": True}, "timeout must be seconds"),
        ({"retry": 0}, "retry attempts must be 1 or more"),
        ({"retry": "often"}, "retry must be attempts"),
        ({"retry": {"backoff": -1}}, "must be seconds"),
        ({"retry": {"tries": 3}}, "retry has no 'tries'"),
        ({"retry": Retry(backoff=-1.0)}, "backoff must not be negative"),
        ({"limit": 0}, "limit must be 1 or more"),
        ({"limit": "10/fortnight"}, "limit must be calls at once"),
        ({"limit": Limit()}, "limit names neither"),
        ({"limit": Limit(rate=1, per=0.0)}, "the time of a rate must be positive"),
        ({"touches": 3}, "touches must be texts like 'file:${args.path}', not 3"),
        ({"touches": [""]}, "touches must be texts"),
        ({"touches": "${args.nope}"}, "touches refers to args.nope, which the tool does not take"),
        ({"touches": "${steps.a}"}, "touches refers to 'steps'; it may refer to its args alone"),
        ({"touches": "${"}, "touches cannot be read"),
        ({"version": 2}, "version must be text"),
        ({"version": ""}, "version must be text"),
        ({"idempotent": "yes"}, "idempotent must be True or False"),
        ({"timout": 3}, "there is no term 'timout'; did you mean 'timeout'?"),
    ],
)
def test_a_wrong_term_is_refused_with_what_to_write(terms: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ToolDefinitionError) as caught:
        tool(**terms)(an_async_read)
    assert complaint in caught.value.message


def test_everything_that_is_wrong_is_said_at_once() -> None:
    with pytest.raises(ToolDefinitionError) as caught:
        tool("a b", timeout="soon", limit=0, undo="x")(an_async_read)
    for complaint in (
        "the name 'a b'",
        "timeout must",
        "limit must",
        "only a write can have undo",
    ):
        assert complaint in caught.value.message


def test_a_tool_cannot_be_its_own_undo() -> None:
    with pytest.raises(ToolDefinitionError, match="undo names the tool itself"):
        tool("book", effect="write", undo="book")(an_async_write)


def test_a_read_cannot_be_an_undo() -> None:
    with pytest.raises(ToolDefinitionError, match="is a read and takes nothing back"):
        tool("book", effect="write", undo=tool("look", effect="read")(a_read))(an_async_write)


def test_an_async_function_cannot_be_isolated() -> None:
    with pytest.raises(ToolDefinitionError, match="an async function cannot be isolated"):
        tool(isolated=True, effect="read")(an_async_read)


def yields() -> Iterator[int]:
    yield 1


async def yields_later() -> AsyncIterator[int]:
    yield 1


@pytest.mark.parametrize("function", [yields, yields_later])
def test_a_function_that_yields_cannot_be_a_tool(function: Callable[..., object]) -> None:
    with pytest.raises(ToolDefinitionError, match="a tool returns its output whole"):
        tool(function)


@pytest.mark.parametrize("thing", [functools.partial(a_read, "x"), int, functools.cache(a_read)])
def test_only_functions_can_be_tools(thing: Any) -> None:
    with pytest.raises(ToolDefinitionError, match="only functions can be tools"):
        tool(thing)


def within_a_function() -> Callable[[], int]:
    def inner() -> int:
        return 1

    return inner


class Service:
    def book(self) -> int:
        return 1


@pytest.mark.parametrize(
    "function", [within_a_function(), lambda: 1, Service().book], ids=["closure", "lambda", "bound"]
)
def test_an_isolated_function_must_be_where_another_process_can_find_it(
    function: Callable[[], int],
) -> None:
    with pytest.raises(ToolDefinitionError) as caught:
        tool("x", effect="write")(function)
    assert "another process cannot find" in caught.value.message
    assert "move it to the top of a module, make it async, or set isolated=False" in str(
        caught.value
    )


def test_a_function_anywhere_may_be_a_tool_when_it_is_not_isolated() -> None:
    assert isinstance(tool("x", effect="write", isolated=False)(within_a_function()), Tool)


def test_a_bound_method_may_be_a_tool() -> None:
    assert tool("service.book", effect="read")(Service().book).spec.input_schema["properties"] == {}


def test_what_was_typed_in_cannot_be_isolated() -> None:
    typed = (
        "from callsheet.tools.registry import tool\n"
        "try:\n"
        "    @tool(effect='write')\n"
        "    def book(): ...\n"
        "except Exception as exc:\n"
        "    print(exc)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", typed], capture_output=True, text=True, timeout=60, check=True
    )
    assert "another process cannot import what was typed in" in done.stdout


def test_importing_the_registry_does_not_import_pydantic() -> None:
    code = "import sys, callsheet.tools.registry; print('pydantic' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == "False"


def test_a_worker_process_needs_neither_an_event_loop_nor_the_ports_to_find_a_tool() -> None:
    code = """
import sys
import callsheet.tools.calling.worker
from callsheet import SyncContext, tool

@tool(effect="read")
def double(number: int, ctx: SyncContext) -> int:
    return 2 * number

print({"asyncio", "callsheet.ports"} & set(sys.modules))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == "set()"
