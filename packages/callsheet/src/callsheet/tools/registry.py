"""The tools there are: `Registry` is the engine's toolbox. This module is the way into them."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from callsheet.errors import EngineClosedError, InvalidError, ToolDefinitionError
from callsheet.tools.calling.thread import Threads, call_in_thread
from callsheet.tools.function import place
from callsheet.tools.function.declare import AnyTool, Terms, Tool, tool
from callsheet.tools.load import load_tools
from callsheet.tools.output import as_json, is_plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from callsheet.core.plan.toolspec import ToolSpec
    from callsheet.core.value import Json
    from callsheet.ports import Context
    from callsheet.tools.calling.process import Workers
    from callsheet.tools.specs.forms import Form

__all__ = ["AnyTool", "Registry", "Terms", "Tool", "load_tools", "tool"]


class Registry:
    """Tools by name, and the threads and processes they run in. Implements `ports.Toolbox`."""

    def __init__(self, tools: Iterable[AnyTool] = ()) -> None:
        if place.loading.get():
            msg = (
                "This file opens an engine while it is imported, and a worker process imports it "
                "to find a tool. Put that part under: if __name__ == '__main__':"
            )
            raise ToolDefinitionError(msg)
        self._tools: dict[str, AnyTool] = {}
        self._later: dict[str, Callable[[], Iterable[AnyTool]]] = {}
        self._unlisted: set[str] = set()
        self._else: Callable[[], Iterable[AnyTool]] | None = None
        self._of_apps: frozenset[str] = frozenset()
        self._withheld: frozenset[str] = frozenset()
        self._withholds_machine = False
        self._threads = Threads()
        self._workers: Workers | None = None
        self._closed = False
        for each in tools:
            self.add(each)

    def add(self, tool: AnyTool) -> None:
        """Add a tool.

        Raises:
            ToolDefinitionError: it is not one, or there is another of its name.
        """
        if not isinstance(tool, Tool):
            raise ToolDefinitionError(f"{tool!r} is not a tool. Put '@tool' above the function.")
        name = tool.spec.name
        if name in self._later or self._tools.get(name, tool) is not tool:
            raise _named_twice(name)
        self._tools[name] = tool

    def add_later(self, names: Iterable[str], make: Callable[[], Iterable[AnyTool]]) -> None:
        """Add tools of these names, which are made when one of them is first asked for.

        Raises:
            ToolDefinitionError: there is another tool of such a name.
        """
        for name in names:
            if self.has(name):
                raise _named_twice(name)
            self._later[name] = make

    def add_unlisted(self, name: str, make: Callable[[], AnyTool]) -> None:
        """Add a tool that is called by what the engine itself plans, and offered to nobody."""
        self.add_later([name], lambda: [make()])
        self._unlisted.add(name)

    def look_in(self, source: Callable[[], Iterable[AnyTool]]) -> None:
        """Add what a source has, once a tool is asked for that is not here, or all of them are."""
        self._else = source

    def withhold(self, names: Iterable[str], *, machine: bool = False) -> None:
        """Have these no more: no plan that names one checks, no run that needs one goes on here.

        `machine`: nor any other that says of itself that it reaches this machine. For a process
        that others tell what to run, and that was not told to offer them.
        """
        self._withheld |= frozenset(names)
        self._withholds_machine |= machine

    def reaches_machine(self, name: str) -> bool:
        """Whether a tool says of itself that it reaches the files or programs of this machine."""
        tool = self._known(name)
        return tool is not None and tool.machine

    def missing_undos(self) -> dict[str, str]:
        """Tools that name an undo that is not here: name to the undo's name."""
        known = {*self._tools, *self._later}
        return {
            name: tool.spec.undo
            for name, tool in sorted(self._tools.items())
            if tool.spec.undo is not None and tool.spec.undo not in known
        }

    def has(self, name: str) -> bool:
        """Whether a tool of this name was added; looks nowhere else, and makes nothing."""
        return name in self._tools or name in self._later

    def spec(self, name: str) -> ToolSpec | None:
        """A tool's declaration, or None if there is no such tool."""
        tool = self._found(name)
        return tool.spec if tool else None

    def tool(self, name: str) -> AnyTool | None:
        """A tool, as it is called; None: there is no such tool."""
        return self._found(name)

    def names(self) -> Sequence[str]:
        """All of them, sorted."""
        self._look()
        names = {*self._tools, *self._later} - self._unlisted - self._withheld
        if self._withholds_machine:
            names = {name for name in names if not self.reaches_machine(name)}
        return sorted(names)

    def specs(
        self, *, form: Form = "openai", names: Iterable[str] | None = None
    ) -> list[dict[str, Json]]:
        """The tools as a model's provider, or MCP, describes them: all, or those of these names.

        `named` says which tool a name in them stands for.

        Raises:
            ToolDefinitionError: there is no such tool or form.
        """
        from callsheet.tools.specs.forms import all_told

        found = [self._described(name) for name in (self.names() if names is None else names)]
        return all_told(found, form)

    def named(self, written: str) -> str:
        """The tool's name behind one that stands in `specs`."""
        from callsheet.tools.specs.wire import plan_name

        return plan_name(written, self.names())

    def _described(self, name: str) -> ToolSpec:
        spec = self.spec(name)
        if spec is None:
            raise ToolDefinitionError(f"There is no tool {name!r}.")
        return spec

    async def call(self, name: str, args: dict[str, Json], ctx: Context) -> Json:
        """Call a tool and return its output as a JSON value.

        Async tools run here, sync reads in a thread, isolated tools in a worker process.

        Raises:
            InvalidError: there is no such tool, or the arguments do not fit; nothing was called.
            UnserialisableOutputError: the output has no JSON; the tool has done its work.
            Exception: whatever the tool raises.
        """
        tool = self._found(name)
        if tool is None or self._closed:
            raise self._uncallable(name)
        parameters = tool.parameters
        arguments = parameters.bind(args)
        if tool.way == "loop":
            if parameters.context is not None:
                arguments[parameters.context] = ctx
            output = await tool.function(**arguments)
            return output if is_plain(output) else as_json(name, output)
        if tool.way == "thread":
            return await call_in_thread(self._threads, tool, arguments, ctx)
        if self._workers is None:
            from callsheet.tools.calling.process import Workers

            self._workers = Workers()
        return await self._workers.call(tool, args, ctx)

    async def close(self) -> None:
        """Kill the worker processes and let the threads end; nothing is called any more."""
        self._closed = True
        self._threads.close()
        if self._workers is not None:
            await self._workers.close()

    def _found(self, name: str) -> AnyTool | None:
        if name in self._withheld:
            return None
        tool = self._known(name)
        return None if tool is not None and tool.machine and self._withholds_machine else tool

    def _known(self, name: str) -> AnyTool | None:
        if name in self._later:
            for each in self._later[name]():
                del self._later[each.spec.name]
                self.add(each)
        if name not in self._tools:
            self._look()
        return self._tools.get(name)

    def _look(self) -> None:
        """Take in what the source has. One that fails is asked, and fails, again."""
        if self._else is not None:
            found = list(self._else())
            self._else = None
            for each in found:
                self.add(each)
            self.are_of_apps(each.spec.name for each in found)

    def are_of_apps(self, names: Iterable[str]) -> None:
        """These came with apps that are installed, and not with whoever opened the engine."""
        self._of_apps |= frozenset(names)

    def is_of_app(self, name: str) -> bool:
        """Whether a tool came with an app that is installed."""
        return name in self._of_apps

    def _uncallable(self, name: str) -> Exception:
        if self._closed:
            return EngineClosedError()
        near = difflib.get_close_matches(name, self.names(), n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        return InvalidError(f"There is no tool {name!r}.{hint}")


def _named_twice(name: str) -> ToolDefinitionError:
    return ToolDefinitionError(f"There are two tools named {name!r}.")
