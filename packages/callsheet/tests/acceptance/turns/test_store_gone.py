"""A turn whose store goes away: a clear error for whoever begins one, and nothing is lost."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, cast

import pytest

from callsheet import Engine, tool
from callsheet.errors import StoreError
from callsheet.stores.memory.store import MemoryStore
from callsheet.testing import SimulatedClock, simulated
from callsheet.testing.models import Gate, Say, ScriptedModel, calls
from callsheet.tools.registry import Registry

if TYPE_CHECKING:
    from callsheet.ports import Journal

pytestmark = pytest.mark.requirement("T8")


class Leaving:
    """A journal that nobody can read or write for a while."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.is_away = False

    def __getattr__(self, name: str) -> Any:
        if self.is_away and name in ("append", "heads"):
            raise StoreError("The database does not answer. Start it again.")
        return getattr(self._journal, name)


@simulated
async def test_a_turn_goes_on_when_its_store_is_back_and_nothing_of_it_is_lost() -> None:
    done: list[str] = []

    @tool("notes.put", effect="write")
    async def put(text: str) -> str:
        """Put a note down."""
        done.append(text)
        return "put"

    gate, clock = asyncio.Event(), SimulatedClock()
    model = ScriptedModel(
        [Say("I put it down. "), *calls("1", "notes.put", {"text": "a"})],
        [Gate(gate), Say("It is down.")],
    )
    store = MemoryStore()
    journal = Leaving(store.journal)
    store.journal = cast("Journal", journal)
    engine = Engine(store, Registry([put]), clock, models={"scripted": model})
    async with engine.runtime:
        turn = await engine.turn("Put a down.", model="scripted", tools=["notes.put"])
        await clock.sleep(5)
        assert done == ["a"]
        journal.is_away = True
        gate.set()
        await clock.sleep(30)

        with pytest.raises(StoreError, match="does not answer"):
            await engine.turn("And b.", model="scripted")
        assert len(model.requests) == 2

        journal.is_away = False
        answer = await turn.wait()
        assert (answer.state, answer.text) == ("answered", "It is down.")
        assert done == ["a"]
        assert (await engine.replay(turn.id)).same
