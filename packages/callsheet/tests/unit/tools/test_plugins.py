"""Tools of other packages."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from callsheet.errors import ToolDefinitionError
from callsheet.tools.plugins import plugin_tools

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Install = Callable[[str, str, str], None]

ROOT = Path(__file__).parents[5]
MODULE = """
from callsheet import tool

@tool("{name}.one", effect="read")
async def one() -> int:
    return 1

@tool("{name}.two", effect="read")
async def two() -> int:
    return 2

both = [one, two]

def give():
    return both

number = 7
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Installs a package: its name, its code, and what its entry point names."""
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)

    def install(name: str, code: str, target: str) -> None:
        (tmp_path / f"{name}.py").write_text(code)
        info = tmp_path / f"acme_{name}-1.2.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: acme-{name}\nVersion: 1.2\n")
        (info / "entry_points.txt").write_text(f"[callsheet.tools]\n{name} = {target}\n")

    yield install
    for name in set(sys.modules) - before:
        del sys.modules[name]


def names(wanted: bool | list[str] = True) -> list[str]:
    found = [tool.spec.name for tool in plugin_tools(wanted)]
    # The studio is installed, too.
    return [name for name in found if not name.startswith("studio.")]


@pytest.mark.requirement("E6")
@pytest.mark.parametrize(
    ("target", "given"),
    [
        ("p", ["p.one", "p.two"]),
        ("p:one", ["p.one"]),
        ("p:both", ["p.one", "p.two"]),
        ("p:give", ["p.one", "p.two"]),
    ],
)
def test_a_plug_in_is_a_tool_a_list_a_module_or_a_function_that_gives_them(
    install: Install, target: str, given: list[str]
) -> None:
    install("p", MODULE.format(name="p"), target)
    assert names() == given
    assert names(wanted=False) == []


def test_only_those_that_are_named_are_loaded(install: Install) -> None:
    install("b", MODULE.format(name="b"), "b:one")
    install("a", MODULE.format(name="a"), "a:two")
    install("broken", "1 / 0", "broken")
    assert names(["a", "b"]) == ["a.two", "b.one"]
    assert names(["b"]) == ["b.one"]
    with pytest.raises(ToolDefinitionError, match=r"There is no plug-in 'brokn'.*'broken'"):
        names(["brokn"])


@pytest.mark.parametrize(
    ("code", "target", "reason"),
    [
        ("1 / 0", "p", "ZeroDivisionError: division by zero"),
        ("import no_such_module", "p", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("raise SystemExit(1)", "p", "SystemExit: 1"),
        (MODULE.format(name="p"), "p:missing", "AttributeError"),
        (MODULE.format(name="p"), "p:number", "it is no tool, list of tools"),
        ("def give(): raise KeyError('x')", "p:give", "KeyError: 'x'"),
        ("def give(): return [1]", "p:give", "it is no tool, list of tools"),
        ("from callsheet import tool\n@tool(efect='read')\ndef f(): ...", "p", "no term 'efect'"),
    ],
)
def test_a_broken_plug_in_is_named_with_its_distribution_and_the_way_out(
    install: Install, code: str, target: str, reason: str
) -> None:
    install("p", code, target)
    install("sound", MODULE.format(name="sound"), "sound")
    with pytest.raises(ToolDefinitionError) as caught:
        names()
    said = caught.value.message
    assert said.startswith("Plug-in 'p' of acme-p 1.2 does not load: ")
    assert reason in said
    assert said.endswith("Go on without plug-ins: --no-plugins, or Engine.open(plugins=False).")


def test_two_plug_ins_with_one_tool_are_both_named(install: Install) -> None:
    install("p", MODULE.format(name="same"), "p:one")
    install("q", MODULE.format(name="same"), "q:one")
    with pytest.raises(ToolDefinitionError, match=r"'q' of acme-q 1.2 and Plug-in 'p' of acme-p"):
        names()


@pytest.mark.requirement("S11")
def test_the_package_of_the_documents_is_a_plug_in(install: Install) -> None:
    example = ROOT / "docs_src" / "ship_tools"
    project = tomllib.loads((example / "pyproject.toml").read_text())["project"]
    ((group, entries),) = project["entry-points"].items()
    assert (group, entries) == ("callsheet.tools", {"tea": "tea_tools"})
    install("tea_tools", (example / "tea_tools.py").read_text(), "tea_tools")
    assert names() == ["tea.brew"]
