"""`engine.agents`: who there is, what they can do, and whether they can be used here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from callsheet.core import given
from callsheet.core.plan.agent import able_agents, all_agents
from callsheet.core.plan.card import AgentCard
from callsheet.core.plan.plan import Wanted
from callsheet.core.run.start import TENANT
from callsheet.errors import CallsheetError

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet.agents.models import Models
    from callsheet.core.plan.toolspec import Tools
    from callsheet.core.value import Json


class ModelState(msgspec.Struct, frozen=True, kw_only=True):
    """A model of an agent, and why it cannot be asked here; "": it can."""

    name: str
    problem: str = ""

    def to_json(self) -> dict[str, Json]:
        """As plain data."""
        return {"name": self.name, "usable": not self.problem, "problem": self.problem}


class AgentState(msgspec.Struct, frozen=True, kw_only=True):
    """An agent, and what of it can be used here."""

    card: AgentCard
    models: tuple[ModelState, ...]

    @property
    def usable(self) -> bool:
        """Whether any of its models can be asked."""
        return any(not model.problem for model in self.models)

    def to_json(self) -> dict[str, Json]:
        """As plain data: everything but the text of its prompt."""
        card = self.card
        return {
            "name": card.name,
            "role": card.role,
            "tool": card.tool,
            "capabilities": {
                name: {"input": each.input, "output": each.output}
                for name, each in card.capabilities.items()
            },
            "models": [model.to_json() for model in self.models],
            "usable": self.usable,
            "prompt": card.prompt,
            "tools": [*card.tools],
            "reads": [*card.reads],
            "writes": [*card.writes],
            "budget": msgspec.to_builtins(card.budget),
            "preference": card.preference,
        }


class Agents:
    """The agents of an engine, or those that a tenant may ask."""

    def __init__(self, tools: Tools, models: Callable[[], Models], tenant: str = TENANT) -> None:
        self._tools = tools
        self._models = models
        self._tenant = tenant

    def able(self, capability: str, *, role: str = "") -> list[AgentCard]:
        """The agents that have a capability, in the order in which they are asked.

        Those that are preferred come first. An empty list: nobody has it.
        """
        wanted = Wanted(capability=given.text("capability", capability), role=role)
        return able_agents(self._tools, wanted)

    def list(self) -> list[AgentState]:
        """Every agent, by name, and whether each of its models can be used here."""
        return [
            AgentState(
                card=card,
                models=tuple(
                    ModelState(name=name, problem=self._problem(name)) for name in card.models
                ),
            )
            for card in all_agents(self._tools)
        ]

    def _problem(self, model: str) -> str:
        try:
            self._models().open(model, self._tenant)
        except CallsheetError as exc:
            return exc.message
        return ""
