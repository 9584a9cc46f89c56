"""Promises and tests belong together: none without the other."""

from __future__ import annotations

import ast
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from tests.requirements import REQUIREMENTS

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]


def is_requirement_marker(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr="requirement", value=ast.Attribute(attr="mark"))):
            return True
        case _:
            return False


def markers(source: str) -> Iterator[ast.Call]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and is_requirement_marker(node):
            yield node


def ids_of(marker: ast.Call) -> tuple[str, ...]:
    """The ids in a marker: literals, so that they are found without running anything."""
    return tuple(ast.literal_eval(argument) for argument in marker.args)


@cache
def proven() -> dict[str, list[str]]:
    """Every id that a marker carries, with the places of its markers."""
    places: dict[str, list[str]] = {}
    for path in sorted(
        (*ROOT.glob("tests/**/test_*.py"), *ROOT.glob("packages/*/tests/**/test_*.py"))
    ):
        for marker in markers(path.read_text("utf-8")):
            place = f"{path.relative_to(ROOT)}:{marker.lineno}"
            for requirement in ids_of(marker):
                places.setdefault(requirement, []).append(place)
    return places


def test_every_promise_has_an_id_of_its_own() -> None:
    twice = [name for name, count in Counter(r.id for r in REQUIREMENTS).items() if count > 1]
    assert not twice


def test_every_promise_has_a_test() -> None:
    open_promises = {r.id: r.promise for r in REQUIREMENTS if r.deferred is None}
    missing = {name: promise for name, promise in open_promises.items() if name not in proven()}
    assert not missing, "Promises without a test:\n" + "\n".join(
        f"  {name}: {promise}" for name, promise in missing.items()
    )


def test_every_marker_names_a_promise() -> None:
    known = {r.id for r in REQUIREMENTS}
    unknown = {name: places for name, places in proven().items() if name not in known}
    assert not unknown, f"Not in tests/requirements.py: {unknown}"


def test_a_deferred_promise_has_no_test_yet() -> None:
    deferred = {r.id for r in REQUIREMENTS if r.deferred is not None}
    kept = {name: places for name, places in proven().items() if name in deferred}
    assert not kept, f"These have tests, so they are no longer deferred: {kept}"


def test_markers_are_found_wherever_they_stand() -> None:
    source = """
import pytest
pytestmark = pytest.mark.requirement("a")
@pytest.mark.requirement("b", "c")
async def test_one(): ...
class TestMore:
    @pytest.mark.slow
    @pytest.mark.requirement("d")
    def test_two(self): ...
"""
    assert sorted(name for m in markers(source) for name in ids_of(m)) == ["a", "b", "c", "d"]
