"""The options of every command that calls tools: where runs are kept, and which tools there are."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from inspect import Parameter
from typing import Any

from callsheet.cli import options as o
from callsheet.cli.home import Where

_OPTIONS = {
    "tools": (o.Tools, None),
    "allow_shell": (o.AllowShell, False),
    "allow_private": (o.AllowPrivate, False),
    "files": (o.FilesRoot, None),
    "no_plugins": (o.NoPlugins, False),
    "config": (o.Config, None),
    "home": (o.Home, o.DEFAULT_HOME),
}
"""In the order of the help, each with its default."""


def placed(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command its `where`: it declares that one, and the command line has these options."""
    own = inspect.signature(command, eval_str=True)
    options = [
        Parameter(name, Parameter.KEYWORD_ONLY, annotation=kind, default=default)
        for name, (kind, default) in _OPTIONS.items()
    ]

    @wraps(command)
    def called(**given: Any) -> None:
        said = {name: given.pop(name) for name in _OPTIONS}
        plugins = not said.pop("no_plugins")
        where = Where(**{**said, "tools": said["tools"] or ()}, plugins=plugins)
        command(**given, where=where)

    shown: list[Parameter] = []
    for each in own.parameters.values():
        shown += options if each.name == "where" else [each]
    # Typer asks the signature what to parse.
    called.__signature__ = own.replace(parameters=shown)  # type: ignore[attr-defined]
    return called
