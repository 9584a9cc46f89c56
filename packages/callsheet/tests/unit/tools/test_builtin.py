"""`wait`, `value`, and which tools there are."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from typing import TYPE_CHECKING, Any, cast

import pytest
from tests.unit.tools.ctx import FakeContext

from callsheet.errors import InvalidError
from callsheet.tools.assembly import Wishes, assembled
from callsheet.tools.builtin.access import ContextAccess
from callsheet.tools.builtin.catalog import CONTEXT, builtin_tools
from callsheet.tools.builtin.context import context_tools
from callsheet.tools.registry import Registry

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    return Registry(builtin_tools(root=tmp_path))


def test_there_is_no_shell_unless_it_is_allowed(tmp_path: Path) -> None:
    usual = ["file.read", "file.restore", "file.write", "http.get", "http.request", "value", "wait"]
    assert Registry(builtin_tools(root=tmp_path)).names() == usual
    allowed = Registry(builtin_tools(root=tmp_path, allow_shell=True))
    assert allowed.names() == sorted([*usual, "sh"])
    assert allowed.missing_undos() == {}


def test_an_engine_knows_the_names_of_the_built_in_tools_before_it_makes_them() -> None:
    for allowed in (False, True):
        assembly = assembled([], Wishes(allow_shell=allowed))
        assert list(assembly.names) == [each.spec.name for each in assembly.builtin()]
    assert list(CONTEXT) == [each.spec.name for each in context_tools(ContextAccess())]


async def test_built_in_tools_that_are_made_later_work_where_the_engine_was_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    registry = assembled([], Wishes()).registry()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "note.txt").write_text("here")
    monkeypatch.chdir(tmp_path / "elsewhere")
    read = await registry.call("file.read", {"path": "note.txt"}, FakeContext())
    assert cast("dict[str, Any]", read)["text"] == "here"


async def test_wait_sleeps_on_the_clock_of_the_engine(registry: Registry) -> None:
    ctx = FakeContext()
    assert await registry.call("wait", {"seconds": 90}, ctx) == {"waited": 90.0}
    assert ctx.slept == [90.0]


@pytest.mark.parametrize("seconds", [-1, "soon", float("nan"), float("inf"), None])
async def test_wait_refuses_what_is_no_duration(registry: Registry, seconds: Any) -> None:
    with pytest.raises(InvalidError, match=r"args\.seconds"):
        await registry.call("wait", {"seconds": seconds}, FakeContext())


async def test_wait_ends_when_it_is_cancelled(registry: Registry) -> None:
    ctx = FakeContext(sleeps_for_ever=True)
    async with asyncio.timeout(5), asyncio.TaskGroup() as group:
        call = group.create_task(registry.call("wait", {"seconds": 3600}, ctx))
        while not ctx.slept:
            await asyncio.to_thread(bool)
        call.cancel()
    assert call.cancelled()


@pytest.mark.parametrize("value", [None, 1, "x", [1, {"a": None}], {"b": True}])
async def test_value_returns_what_it_is_given(registry: Registry, value: Any) -> None:
    assert await registry.call("value", {"value": value}, FakeContext()) == value


def test_the_built_in_tools_do_not_import_httpx_before_it_is_used() -> None:
    code = (
        "import sys; from callsheet.tools.builtin.catalog import builtin_tools; builtin_tools();"
        "print('httpx' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == "False"
