"""Public names that are looked up when they are first used.

A worker process that needs one tool does not pay for the engine. Which names a door has, and where
each comes from, is written down once: in the stub beside the door, which type checkers read, too.
"""

from __future__ import annotations

import ast
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def door(name: str, file: str) -> tuple[Callable[[str], object], list[str]]:
    """A module's `__getattr__` and its `__all__`, from the imports in its stub."""
    stub = ast.parse(Path(file).with_suffix(".pyi").read_text("utf-8"))
    where = {
        each.name: planned.module
        for planned in stub.body
        if isinstance(planned, ast.ImportFrom) and planned.module
        for each in planned.names
    }

    def find(wanted: str) -> object:
        module = where.get(wanted)
        if module is None:
            raise AttributeError(f"module {name!r} has no attribute {wanted!r}")
        if module == name:
            return import_module(f"{name}.{wanted}")
        found: object = getattr(import_module(module), wanted)
        setattr(sys.modules[name], wanted, found)
        return found

    return find, sorted(where)
