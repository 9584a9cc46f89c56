"""CP-SAT without pandas: its module imports that only for tables of variables, which we have none.

Importing pandas takes longer than importing all of CP-SAT: with it, production plans take half
as long again (`make bench`, case `studio`: 21 s without, 32 s with). Nobody else's imports are
touched, and whoever passes CP-SAT a table is still served: pandas is then imported after all.
"""

from __future__ import annotations

import builtins
import importlib
import importlib.util
import sys
from functools import cache
from types import ModuleType
from typing import Any

from typing_extensions import override

_CP_MODEL = "ortools.sat.python.cp_model"
_PANDAS = "pandas"


@cache
def cp_model() -> Any:
    """The module `ortools.sat.python.cp_model`."""
    if _CP_MODEL in sys.modules or _PANDAS in sys.modules:
        return importlib.import_module(_CP_MODEL)
    spec = importlib.util.find_spec(_CP_MODEL)
    if spec is None or spec.loader is None:
        return importlib.import_module(_CP_MODEL)
    module = importlib.util.module_from_spec(spec)
    late = _Late(_PANDAS)
    vars(module)["__builtins__"] = {**vars(builtins), "__import__": _importing(late)}
    spec.loader.exec_module(module)
    late.is_wanted = True
    # Only now: another thread that imports it must not find half of it.
    return sys.modules.setdefault(_CP_MODEL, module)


def _importing(late: _Late) -> Any:
    def importing(name: str, *args: Any, **kwargs: Any) -> Any:
        return late if name == _PANDAS else builtins.__import__(name, *args, **kwargs)

    return importing


class _Late(ModuleType):
    """A module that is imported when something of it is first used, its names in types aside."""

    is_wanted = False

    @override
    def __getattr__(self, name: str) -> Any:
        if self.is_wanted:
            return getattr(importlib.import_module(self.__name__), name)
        return type(name, (), {})
