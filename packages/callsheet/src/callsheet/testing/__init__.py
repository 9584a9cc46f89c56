"""For those who test with Callsheet: scripted tools, simulated time, simulated lives, contracts.

    @simulated
    async def test_a_slow_hotel_is_given_up() -> None:
        world = World()
        world.tool("hotel", hangs())
        async with Engine.in_memory(world.tools, clock=SimulatedClock()) as engine: ...

    def test_my_plan_survives_whatever_happens() -> None:
        for seed in range(200):
            simulate(plan, tools, seed=seed).check()

    async with ModelServer() as server:
        server.answers(Say("Looking. "), *calls("call_1", "weather", {"city": "Oslo"}))

The contracts are in `callsheet.testing.contracts`, the lines of a model in
`callsheet.testing.models`.
"""

from __future__ import annotations

from callsheet.testing.models import ModelServer, ScriptedModel
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
from callsheet.testing.simulation import Broken, Faults, Simulated, simulate

__all__ = [
    "Act",
    "Broken",
    "Call",
    "Faults",
    "ModelServer",
    "Script",
    "ScriptedModel",
    "Simulated",
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
    "simulate",
    "simulated",
    "waits",
]
