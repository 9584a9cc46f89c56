"""`--tools MODULE | FILE.py`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from callsheet.errors import ToolDefinitionError
from callsheet.tools.registry import load_tools

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TWO_TOOLS = """
from callsheet.tools.registry import tool

@tool("b.two", effect="read")
def two(): return 2

@tool(effect="read")
async def one(): return 1

again = one
not_a_tool = 3
"""


@pytest.fixture(autouse=True)
def _imports_as_before() -> Iterator[None]:
    path, modules = list(sys.path), set(sys.modules)
    yield
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        del sys.modules[name]


def names(reference: str | Path) -> list[str]:
    return [tool.spec.name for tool in load_tools(str(reference))]


def test_a_file_gives_its_tools_once_each_in_its_order(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(TWO_TOOLS)
    assert names(file) == ["b.two", "one"]


def test_a_file_is_loaded_once(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(TWO_TOOLS)
    assert load_tools(str(file)) == load_tools(str(tmp_path / "." / "mine.py"))


def test_a_file_may_import_its_neighbours(tmp_path: Path) -> None:
    (tmp_path / "neighbour_of_mine.py").write_text(TWO_TOOLS)
    file = tmp_path / "mine.py"
    file.write_text("from neighbour_of_mine import one")
    assert names(file) == ["one"]


def test_a_module_gives_its_tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_tool_package").mkdir()
    (tmp_path / "my_tool_package" / "mod.py").write_text(TWO_TOOLS)
    monkeypatch.syspath_prepend(tmp_path)
    assert names("my_tool_package.mod") == ["b.two", "one"]


def refusal(reference: str | Path) -> str:
    with pytest.raises(ToolDefinitionError) as caught:
        load_tools(str(reference))
    return caught.value.message


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    assert refusal(tmp_path / "no.py") == f"There is no file '{tmp_path / 'no.py'}'."


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("x = 1\ndef (", "line 2 does not load: SyntaxError: invalid syntax"),
        ("x = 1\n\nx = y\n", "line 3 does not load: NameError: name 'y' is not defined"),
        ("import sys\nsys.exit(3)", "line 2 does not load: SystemExit: 3"),
        ("import no_such_module_at_all", "does not load: ModuleNotFoundError"),
        ("x = 1", "There are no tools in"),
        ("x = '\\0'", "There are no tools in"),
        (
            "from callsheet.tools.registry import tool\n@tool(timeout='soon')\ndef f(): ...",
            "does not load: Tool 'f' cannot be declared: timeout must",
        ),
    ],
)
def test_a_file_that_does_not_load_says_why_and_in_which_line(
    tmp_path: Path, text: str, complaint: str
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(text)
    assert complaint in refusal(file)


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_bytes(b"\xff\xfe\x00\x01")
    assert "does not load: SyntaxError" in refusal(file)


def test_a_file_that_did_not_load_can_be_mended_and_loaded(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("x = y")
    refusal(file)
    file.write_text(TWO_TOOLS)
    assert names(file) == ["b.two", "one"]


def test_a_module_that_is_not_there_is_named_with_the_file_that_may_be_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_lonely_tools.py").write_text(TWO_TOOLS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if entry])
    message = refusal("my_lonely_tools")
    assert message == "There is no module 'my_lonely_tools'. Did you mean 'my_lonely_tools.py'?"


def test_a_module_that_breaks_while_it_is_imported_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_broken_tools.py").write_text("import no_such_module_at_all")
    monkeypatch.syspath_prepend(tmp_path)
    assert "does not load: ModuleNotFoundError: No module named 'no_such" in refusal(
        "my_broken_tools"
    )
