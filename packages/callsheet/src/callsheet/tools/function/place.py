"""Where a function lives, so that another process can find it; and modules that are just files."""

from __future__ import annotations

import contextvars
import hashlib
import importlib
import importlib.machinery
import importlib.util
import inspect
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

SCRIPT = "__mp_main__"
"""What a program's own file is called when a worker imports it: as `multiprocessing` calls it."""

loading: contextvars.ContextVar[bool] = contextvars.ContextVar("callsheet_loading", default=False)
"""True while a worker process imports the module of a tool."""


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where a function lives."""

    module: str
    qualname: str
    file: str | None
    """Where the module was loaded from: for modules that cannot be imported by name."""


def place_of(function: Callable[..., object]) -> Place:
    """Where a function lives.

    Raises:
        ValueError: no other process could find it there.
    """
    qualname = function.__qualname__
    if inspect.ismethod(function) or "<" in qualname:
        raise ValueError(f"another process cannot find {qualname!r}")
    module = sys.modules.get(function.__module__)
    file = getattr(module, "__file__", None)
    name = function.__module__
    if name == "__main__":
        spec = getattr(module, "__spec__", None)
        # `python -m pkg.mod` is that module; `python file.py` is a file without a name of its own.
        name = spec.name if spec else SCRIPT
        if file is None or not Path(file).exists():
            raise ValueError("another process cannot import what was typed in")
    return Place(module=name, qualname=qualname, file=file and str(Path(file).resolve()))


def find(place: Place) -> Any:
    """What lives there. Imports the module, by name or else from its file.

    Raises:
        ImportError, AttributeError: it is not there.
    """
    with _loading():
        found: Any = sys.modules.get(place.module) or _import(place)
    for name in place.qualname.split("."):
        found = getattr(found, name)
    return found


def make_ready(name: str) -> None:
    """Import a module that tools will be found in, and call its function if that is named, too.

    Raises:
        Exception: whatever the module or the function raises.
    """
    module, _, function = name.partition(":")
    with _loading():
        found = importlib.import_module(module)
    if function:
        getattr(found, function)()


@contextmanager
def _loading() -> Iterator[None]:
    token = loading.set(True)
    try:
        yield
    finally:
        loading.reset(token)


def _import(place: Place) -> ModuleType:
    if place.file and place.module == SCRIPT:
        return load_file(Path(place.file), place.module)
    try:
        return importlib.import_module(place.module)
    except ModuleNotFoundError as exc:
        # Unless it is the module itself that is not found, the error is the module's own.
        if not place.file or not (exc.name and f"{place.module}.".startswith(f"{exc.name}.")):
            raise
    return load_file(Path(place.file), place.module)


def name_for(file: Path) -> str:
    """The module name of a file: the same for the same file, in every process."""
    digest = hashlib.sha256(str(file).encode("utf-8", "surrogateescape")).hexdigest()[:12]
    return f"callsheet_tools_{digest}"


def load_file(file: Path, name: str) -> ModuleType:
    """The module in a file, under a name of its own in `sys.modules`; loaded once."""
    if name in sys.modules:
        return sys.modules[name]
    loader = importlib.machinery.SourceFileLoader(name, str(file))
    spec = importlib.util.spec_from_loader(name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        loader.exec_module(module)
    except BaseException:
        # A half-loaded module must not be taken for a whole one.
        del sys.modules[name]
        raise
    return module
