"""The tools of an engine, before it is open: plans are read and checked against them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from callsheet.core.plan.inputs import bind_inputs, read_inputs
from callsheet.engine.places import Home
from callsheet.errors import InputError
from callsheet.runtime.checker import Checker, bytes_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from callsheet.agents.agent import Agent
    from callsheet.agents.agents import Agents
    from callsheet.agents.model import Model
    from callsheet.agents.models import Models
    from callsheet.agents.roster import Hired
    from callsheet.core.check.fix import Fixed
    from callsheet.core.plan.plan import Plan
    from callsheet.core.value import Json
    from callsheet.ports import Clock, ContextShelf
    from callsheet.runtime.checker import CheckedPlan, PlanLike
    from callsheet.tools.assembly import Assembly
    from callsheet.tools.outside.network import Network
    from callsheet.tools.registry import AnyTool, Registry


class Toolroom:
    """The tools that one engine will have, and what plans can be checked with until it is open.

    Made by `Engine.toolroom`; `Engine.open(home, room)` opens the engine. Nothing is written, not
    even a home: a plan that does not check leaves no trace.
    """

    def __init__(
        self,
        home: str | Path | None,
        assembly: Assembly,
        agents: Iterable[Agent] = (),
        models: Mapping[str, Model] | None = None,
    ) -> None:
        self.home = home
        """What the engine will be opened on."""
        self.tools: Registry = assembly.registry()
        self.grants = assembly.grants
        """To whom secrets are given."""
        self.said = assembly.said
        """The configuration."""
        self.provider = assembly.provider(self.tools)
        """Says what runs may use."""
        self.programs = assembly.programs
        """The tools that are programs which the configuration names."""
        self.mcp_secrets = assembly.mcp_secrets
        """The secrets that plans of MCP clients may name."""
        self.models = dict(models or {})
        """Those that were handed in, by name."""
        self.hired = self._hired(assembly, list(agents))
        """The agents there are."""
        self.checker = Checker(self.tools)
        self._assembly = assembly
        self._is_taken = False

    @classmethod
    def of(  # noqa: PLR0913 -- what `Engine.toolroom` is told
        cls,
        home: str | Path | None,
        tools: Iterable[AnyTool],
        *,
        allow_shell: bool,
        allow_private: bool | Iterable[str] | Network,
        plugins: bool | Iterable[str],
        file: Path | None,
        files: str | Path | None = None,
        agents: Iterable[Agent] = (),
        models: Mapping[str, Model] | None = None,
    ) -> Toolroom:
        """A room of these tools, and of those that the configuration in `file` adds."""
        # Imported here, like the stores: whoever only declares tools needs none of it.
        from callsheet.tools.assembly import Wishes, assembled

        wishes = Wishes(
            file=file,
            plugins=plugins,
            allow_shell=allow_shell,
            allow_private=allow_private,
            home=Home.of(home).directory,
            files=Path(files) if files is not None else None,
        )
        return cls(home, assembled(tools, wishes), agents, models)

    @property
    def agents(self) -> Agents:
        """The agents there are, and whether they can be used here."""
        from callsheet.agents.agents import Agents

        return Agents(self.tools, self._models)

    def _models(self) -> Models:
        from callsheet.agents.models import Models
        from callsheet.runtime.secrets import EnvironmentSecrets

        said = self.said
        models = Models(said.models, said.tenant_models, EnvironmentSecrets(), self.grants)
        for name, model in self.models.items():
            models.add(name, model)
        return models

    def _hired(self, assembly: Assembly, agents: list[Agent]) -> list[Hired]:
        """The agents there are, each one a tool."""
        said = assembly.said
        if not agents and not said.agents:
            return []
        from callsheet.agents.roster import hired, known_by, tool_of

        base = said.path.parent if said.path is not None else None
        found = hired(said.agents, agents, known_by(self._models(), self.tools), base)
        for agent in found:
            self.tools.add(tool_of(agent, self.tools))
        return found

    def read(self, plan: PlanLike) -> Plan:
        """A plan from a Plan, a mapping, the path of a YAML or JSON file, or `FILE.py:NAME`.

        Raises:
            PlanError: it is not a plan; every problem, with its place.
        """
        from callsheet.tools.load import is_plan_in_file, load_plan

        return self.checker.read(load_plan(str(plan)) if is_plan_in_file(plan) else plan)

    def check(self, plan: Plan, *, source: str | Path | None = None) -> CheckedPlan:
        """A plan with every problem, errors first; `Engine.start` does not check it again.

        With the file it was read from as `source`, each problem has its line. Saved plans that it
        names are not looked up: a plan that names some is checked with them when it is started.
        """
        return self.checker.check(plan, source)

    def examine(self, plan: PlanLike | bytes, *, lenient: bool = False) -> CheckedPlan:
        """A plan read and checked in one pass, with every problem and what to write instead.

        Where something is wrong, `plan` is what was probably meant. Bytes are the text of a plan.
        `lenient`: a fence and prose around it are read past.

        Raises:
            PlanError: it is so wrong that there is nothing to check; every problem.
        """
        return self.checker.examine(plan, lenient=lenient, advise=True)

    def fix(self, plan: str | Path | bytes) -> Fixed:
        """The document of a plan with all mended that is certain, and what is left to do.

        A path is that of a YAML or JSON file; bytes are the text of a plan.
        """
        return self.checker.fix(plan)

    def read_inputs(self, path: str | Path) -> dict[str, Json]:
        """Inputs from a YAML or JSON file, as they stand there.

        Raises:
            InputsError: it cannot be read, or is not a mapping.
        """
        return read_inputs(bytes_of(Path(path), "inputs"))

    def bind(self, plan: Plan, inputs: Mapping[str, Json]) -> dict[str, Json]:
        """The inputs of a run of this plan, defaults included.

        Raises:
            InputsError: every input that is missing, unknown or does not fit.
        """
        return bind_inputs(plan, inputs)

    def join(self, shelf: ContextShelf, clock: Clock, undo: Path | None) -> None:
        """The engine is open, and keeps there what `file.write` needs for its undo.

        Raises:
            InputError: another one was before: it has closed what the tools run in.
        """
        if self._is_taken:
            raise InputError("These tools have served another engine. Prepare them anew.")
        self._is_taken = True
        self._assembly.join(shelf, clock, undo)
