"""A conversation with an engine, whoever shows it: the model that answers, and what it may call."""

from __future__ import annotations

import importlib.util
import os
from typing import TYPE_CHECKING

import msgspec

from callsheet.agents.model import OFFLINE
from callsheet.agents.terms import Limits
from callsheet.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from callsheet.agents.turn import Turn
    from callsheet.core.plan.plan import Budget
    from callsheet.engine.engine import Engine

LAST = "last"
HOUR = Limits(turn=3600.0)
"""People think while they talk: a turn of a chat may take long."""
_KEYS = {
    "openai": "OPENAI_API_KEY",
    "anthropic": "ANTHROPIC_API_KEY",
    "google": "GOOGLE_API_KEY",
}
INSTRUCTIONS = (
    "You talk to somebody at a terminal, through Callsheet, which runs what you call. Be brief. "
    "Call a tool where one helps; say plainly what failed. You cannot approve or answer anything."
)


class Choice(msgspec.Struct, frozen=True):
    """The model that answers, and why it is that one."""

    model: str
    why: str

    @classmethod
    def of(cls, asked: str | None, configured: Iterable[str] = ()) -> Choice:
        """The one that was asked for; else the first of the configuration; else none is needed."""
        if asked is not None:
            return cls(asked, "as you asked")
        named = next(iter(configured), None)
        if named is not None:
            return cls(named, "the first of [models]")
        if importlib.util.find_spec("pydantic_ai") is None:
            return cls(OFFLINE, "models need pip install 'callsheet[models]'")
        keys = [key for key in _KEYS.values() if os.environ.get(key)]
        if keys:
            return cls(OFFLINE, f"{keys[0]} is set: choose a model with --model")
        return cls(OFFLINE, "there is no key for a model; --model names one")


class Chat:
    """One conversation. Its turns are runs: they survive this process, and go on by themselves."""

    def __init__(
        self,
        engine: Engine,
        choice: Choice,
        *,
        offered: Sequence[str] | None = None,
        names: Sequence[str] | None = None,
        conversation: str | None = None,
        budget: Budget | None = None,
    ) -> None:
        """`offered` is what may be called; `names` are the tools there are, if not the engine's."""
        self.engine = engine
        self.choice = choice
        self.conversation = conversation
        self._offered = offered
        self._names = names
        self._budget = budget

    @property
    def offered(self) -> tuple[str, ...]:
        """The tools that may be called."""
        if self._offered is not None:
            return (*self._offered, "runs.*")
        if self.choice.model != OFFLINE:
            return ()
        # A person's own words: whatever this engine has, but for the insides of apps and for what
        # only an undo may call.
        names = self._names if self._names is not None else self.engine.tools.names()
        return tuple(each for each in names if _is_for_people(each))

    async def begin(self) -> None:
        """Find the conversation that is meant.

        Raises:
            InputError: there is none to go on with.
        """
        if self.conversation == LAST:
            found = await self.engine.conversations.list(limit=1)
            if not found:
                raise InputError("There is no conversation yet to go on with.")
            self.conversation = found[0].id

    async def say(self, message: str) -> Turn:
        """Begin a turn; returns when it is durable.

        Raises:
            InputError: the message, the model or a tool is none.
            TurnRunningError: the conversation has a turn that goes on.
        """
        turn = await self.engine.turn(
            message,
            model=self.choice.model,
            tools=self.offered or None,
            instructions=INSTRUCTIONS if self.choice.model != OFFLINE else "",
            conversation=self.conversation,
            budget=self._budget,
            limits=HOUR,
        )
        self.conversation = turn.conversation
        return turn


def _is_for_people(tool: str) -> bool:
    return not tool.endswith(".restore") and not tool.startswith(("model.", "studio."))
