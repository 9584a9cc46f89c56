"""For those who test with Callsheet: scripted tools, simulated time, and contracts for stores.

    @simulated
    async def test_a_slow_hotel_is_given_up() -> None:
        world = World()
        world.tool("hotel", hangs())
        async with Engine.open(tools=world.tools, clock=SimulatedClock()) as engine: ...

The contracts are in `callsheet.testing.contracts`.
"""

from __future__ import annotations

from callsheet.testing.scripted import (
    Act,
    Call,
    Script,
    World,
    blocks,
    echo,
    hangs,
    ignores_stop,
    raises,
    returns,
    waits,
)
from callsheet.testing.simulated import SimulatedClock, SimulatedLoop, run_simulated, simulated

__all__ = [
    "Act",
    "Call",
    "Script",
    "SimulatedClock",
    "SimulatedLoop",
    "World",
    "blocks",
    "echo",
    "hangs",
    "ignores_stop",
    "raises",
    "returns",
    "run_simulated",
    "simulated",
    "waits",
]
