"""What a part of the studio makes is made again when that part has changed, and only then."""

from __future__ import annotations

import ast
import re
import shutil
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import callsheet_studio
from callsheet_studio.base.edition import PARTS, Part, digest_of, edition, files_of
from callsheet_studio.production.tools import production_tools

if TYPE_CHECKING:
    from collections.abc import Iterator

STUDIO = "callsheet_studio"
ROOT = Path(callsheet_studio.__file__).parent
MODULES = {
    ".".join((STUDIO, *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(
        ".__init__"
    ): path
    for path in ROOT.rglob("*.py")
}
BY_NAME = {f"{STUDIO}.draw.sets", f"{STUDIO}.draw.props"}
"""Packages whose modules are imported by a name that is made up."""
TOOLS = {each.spec.name: each for each in production_tools(orders=True)}
VERSIONS = {edition(part): part for part in PARTS}
MADE_OF: dict[str, Part] = {
    name: VERSIONS[each.spec.version]
    for name, each in TOOLS.items()
    if each.spec.version in VERSIONS
}


@cache
def code(module: str) -> ast.Module:
    return ast.parse(MODULES[module].read_text("utf-8"))


@cache
def imported(module: str) -> set[str]:
    """The modules of the studio that importing or calling this one imports, types aside."""
    found = set(_names(code(module)))
    if module in BY_NAME:
        found |= {each for each in MODULES if each.startswith(f"{module}.")}
    packages = {each.rpartition(".")[0] for each in {module, *found}}
    return {each for each in found | packages if each in MODULES} - {STUDIO}


def _names(node: ast.AST) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
            continue
        if isinstance(child, ast.Import):
            yield from (each.name for each in child.names)
        if isinstance(child, ast.ImportFrom) and child.module:
            inside = (f"{child.module}.{each.name}" for each in child.names)
            yield from (each if each in MODULES else child.module for each in inside)
        yield from _names(child)


@cache
def needed(module: str) -> frozenset[str]:
    """All modules that one is made of."""
    seen: set[str] = set()
    ahead = {module}
    while ahead:
        seen |= ahead
        ahead = {other for each in ahead for other in imported(each)} - seen
    return frozenset(seen)


def has_code(module: str) -> bool:
    return any(not isinstance(each, (ast.Expr, ast.ImportFrom)) for each in code(module).body)


def path_of(module: str) -> str:
    return str(MODULES[module].relative_to(ROOT))


def test_every_tool_of_a_production_has_the_edition_of_a_part() -> None:
    # What is ordered is not made here, and what somebody gives is handed on as it is.
    ordered = {"studio.order", "studio.recall", "studio.receive"}
    given = {"studio.given_script", "studio.given_shots"}
    assert TOOLS.keys() - MADE_OF.keys() == ordered | given
    assert set(MADE_OF.values()) == set(PARTS)


def test_a_part_covers_all_that_its_tools_are_made_of() -> None:
    for name, part in MADE_OF.items():
        covered = files_of(part)
        modules = {each for each in needed(TOOLS[name].function.__module__) if has_code(each)}
        assert {path_of(each) for each in modules} <= covered, (name, part)
        read = {data_of(each, file) for each in modules for file in named_in(each)}
        assert read <= covered, (name, part)


def data_of(module: str, name: str) -> str:
    """The data file that a module means by a name: the nearest one, where there are several."""
    here = MODULES[module].parent
    found = [each for folder in (here, ROOT) for each in sorted(folder.rglob(name))]
    return str(found[0].relative_to(ROOT))


def named_in(module: str) -> list[str]:
    """Files of data that a module reads, by their names."""
    return re.findall(r'"(\w+\.toml)"', MODULES[module].read_text("utf-8"))


def test_a_part_names_what_is_there_and_nothing_of_a_door() -> None:
    for part, entries in PARTS.items():
        for entry in entries:
            assert (ROOT / entry).exists(), (part, entry)
            assert not entry.startswith(("cli", "serve", "studio.py")), (part, entry)


def test_a_comment_in_a_set_draws_and_films_again_and_writes_speaks_and_plans_nothing(
    tmp_path: Path,
) -> None:
    copied = tmp_path / "studio"
    shutil.copytree(ROOT, copied, ignore=shutil.ignore_patterns("__pycache__"))
    with (copied / "draw/sets/coast.py").open("a") as file:
        file.write("# The sea is wide.\n")
    changed = {part for part in PARTS if digest_of(part, str(copied)) != edition(part)}
    assert changed == {"draw", "film"}
