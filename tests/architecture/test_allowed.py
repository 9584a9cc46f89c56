"""The allow-list contract of `lint-imports` finds what is not allowed, and nothing else."""

from __future__ import annotations

import pytest
from grimp import ImportGraph
from tests.architecture.allowed import AllowedContract


def broken(importer: str, imported: str, *, allowed: list[str]) -> list[tuple[str, int, str]]:
    """What a contract on `app` about `engine` says of one import."""
    graph = ImportGraph()
    graph.add_import(importer=importer, imported=imported, line_number=7, line_contents="…")
    contract = AllowedContract(
        name="app",
        session_options={},
        contract_options={"importers": ["app"], "package": "engine", "allowed": allowed},
    )
    check = contract.check(graph, verbose=False)
    found: list[tuple[str, int, str]] = check.metadata["broken"]
    assert check.kept == (not found)
    return found


@pytest.mark.parametrize(
    ("importer", "imported"),
    [
        ("app", "engine"),
        ("app.part", "engine.doors"),
        ("app.part", "engine.doors.below"),
        ("app.part", "app.other"),
        ("app.part", "application"),
        ("other", "engine.inside"),
        ("apple", "engine.inside"),
    ],
)
def test_what_is_named_is_allowed_and_others_are_not_looked_at(
    importer: str, imported: str
) -> None:
    assert broken(importer, imported, allowed=["engine", "engine.doors.*"]) == []


@pytest.mark.parametrize("imported", ["engine.inside", "engine.new", "engine.doorstep"])
def test_what_is_not_named_is_told_with_its_line(imported: str) -> None:
    found = broken("app.part", imported, allowed=["engine", "engine.doors.*"])
    assert found == [("app.part", 7, imported)]


def test_a_module_that_is_named_alone_does_not_open_what_is_below_it() -> None:
    assert broken("app", "engine.doors.below", allowed=["engine", "engine.doors"])
    assert broken("app", "engine", allowed=[])
