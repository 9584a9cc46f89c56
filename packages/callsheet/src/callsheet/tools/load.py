"""Tools from a module or a file, as `--tools` names them."""

from __future__ import annotations

import importlib
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from callsheet.core.plan.plan import Plan
from callsheet.errors import InputError, ToolDefinitionError
from callsheet.tools.function.declare import AnyTool, Tool
from callsheet.tools.function.place import load_file, name_for

if TYPE_CHECKING:
    from types import ModuleType


def load_tools(reference: str) -> list[AnyTool]:
    """All tools in the namespace of a module (`pkg.mod`) or a file (`FILE.py`), in its order.

    A file is loaded once, and its directory becomes importable, after everything else.

    Raises:
        ToolDefinitionError: there is no such module or file, it does not load, or it has no tools.
    """
    is_file = reference.endswith(".py") or "/" in reference
    module = _from_file(reference) if is_file else _from_name(reference)
    found = tools_in(module)
    if not found:
        msg = f"There are no tools in {reference!r}. Put '@tool' above a function."
        raise ToolDefinitionError(msg)
    return found


def is_plan_in_file(reference: object) -> bool:
    """Whether it names a plan that is built in a file: `FILE.py:NAME`."""
    return isinstance(reference, str) and reference.rpartition(":")[0].endswith(".py")


def load_plan(reference: str) -> Plan:
    """The plan that a file calls so: `FILE.py:NAME`.

    Raises:
        InputError: there is no such file or name, it does not load, or it is no plan.
    """
    file, _, name = reference.rpartition(":")
    module = _from_file(file)
    found = vars(module).get(name)
    if isinstance(found, Plan):
        return found
    plans = [each for each, item in vars(module).items() if isinstance(item, Plan)]
    there = f"Its plans are: {', '.join(plans)}." if plans else "It has no plans."
    what = "is no plan" if name in vars(module) else "is not there"
    raise InputError(f"{name!r} {what} in {file!r}. {there}")


def tools_in(module: ModuleType) -> list[AnyTool]:
    """All tools in the namespace of a module, once each, in its order."""
    found = {id(item): item for item in vars(module).values() if isinstance(item, Tool)}
    return list(found.values())


def _from_file(reference: str) -> ModuleType:
    file = Path(reference).expanduser().resolve()
    if not file.is_file():
        raise ToolDefinitionError(f"There is no file {reference!r}.")
    if str(file.parent) not in sys.path:
        sys.path.append(str(file.parent))
    try:
        return load_file(file, name_for(file))
    except (Exception, SystemExit) as exc:
        raise _unloadable(reference, exc, file) from exc


def _from_name(reference: str) -> ModuleType:
    try:
        return importlib.import_module(reference)
    except ModuleNotFoundError as exc:
        if not (exc.name and f"{reference}.".startswith(f"{exc.name}.")):
            raise _unloadable(reference, exc, None) from exc
        file = f"{reference.replace('.', '/')}.py"
        hint = f" Did you mean {file!r}?" if Path(file).is_file() else ""
        raise ToolDefinitionError(f"There is no module {reference!r}.{hint}") from exc
    except (Exception, SystemExit) as exc:
        raise _unloadable(reference, exc, None) from exc


def _unloadable(reference: str, exc: BaseException, file: Path | None) -> ToolDefinitionError:
    what = str(exc) if isinstance(exc, ToolDefinitionError) else f"{type(exc).__name__}: {exc}"
    place = ""
    if isinstance(exc, SyntaxError):
        what = f"SyntaxError: {exc.msg}"
        place = f", line {exc.lineno}" if exc.lineno else ""
    else:
        frames = traceback.extract_tb(exc.__traceback__)
        lines = [f.lineno for f in frames if file and f.filename == str(file)]
        place = f", line {lines[-1]}" if lines else ""
    return ToolDefinitionError(f"{reference!r}{place} does not load: {what}")
