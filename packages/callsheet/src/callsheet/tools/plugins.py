"""Tools of other packages: whoever is installed and says so in its metadata is a plug-in."""

from __future__ import annotations

from importlib.metadata import entry_points
from types import ModuleType
from typing import TYPE_CHECKING

from callsheet.core.problem import did_you_mean
from callsheet.errors import ToolDefinitionError
from callsheet.tools.function.declare import AnyTool, Tool
from callsheet.tools.load import tools_in

if TYPE_CHECKING:
    from collections.abc import Iterable
    from importlib.metadata import EntryPoint

GROUP = "callsheet.tools"
WAY_OUT = "Go on without plug-ins: --no-plugins, or Engine.open(plugins=False)."


def plugin_tools(wanted: bool | Iterable[str]) -> list[AnyTool]:
    """The tools of all plug-ins, or of those that are named; of each, by its name.

    Raises:
        ToolDefinitionError: a plug-in is not there, does not load, or gives something else; says
            which distributions are to blame, and how to go on without.
    """
    found = sorted(entry_points(group=GROUP), key=lambda each: each.name) if wanted else []
    problems: list[str] = []
    if not isinstance(wanted, bool):
        names = set(wanted)
        problems += _missing(names, [each.name for each in found])
        found = [each for each in found if each.name in names]
    tools: list[AnyTool] = []
    owners: dict[str, str] = {}
    for plugin in found:
        who = _who(plugin)
        try:
            given = _given(plugin.load())
        except (Exception, SystemExit) as exc:  # noqa: BLE001 -- somebody else's code
            problems.append(f"{who} does not load: {_why(exc)}")
            continue
        for tool in given:
            other = owners.setdefault(tool.spec.name, who)
            if other != who:
                problems.append(f"{who} and {other} both have a tool {tool.spec.name!r}")
        tools += given
    if problems:
        raise ToolDefinitionError(f"{'; '.join(problems)}. {WAY_OUT}")
    return tools


def _given(what: object) -> list[AnyTool]:
    """The tools that an entry point stands for: itself, a list, a module's, or what it returns."""
    if isinstance(what, Tool):
        return [what]
    if isinstance(what, ModuleType):
        return tools_in(what)
    if callable(what):
        what = what()
    if isinstance(what, Tool):
        return [what]
    if not isinstance(what, (list, tuple)) or not all(isinstance(each, Tool) for each in what):
        raise TypeError("it is no tool, list of tools, or module or function that gives them")
    return list(what)


def _missing(wanted: Iterable[str], there: list[str]) -> list[str]:
    return [
        f"There is no plug-in {name!r}. {did_you_mean(name, there)}".strip().rstrip(".")
        for name in sorted(set(wanted).difference(there))
    ]


def _who(plugin: EntryPoint) -> str:
    dist = plugin.dist
    return f"Plug-in {plugin.name!r}" + (f" of {dist.name} {dist.version}" if dist else "")


def _why(exc: BaseException) -> str:
    if isinstance(exc, ToolDefinitionError):
        return exc.message.rstrip(".")
    return f"{type(exc).__name__}: {exc}".rstrip(".")
