"""Whole lives of an engine in milliseconds: everything goes wrong that may, from one seed.

def test_my_plan_survives() -> None:
    for seed in range(200):
        simulate(plan, tools, seed=seed).check()
"""

from __future__ import annotations

from callsheet.testing.simulation.faults import CALM, Faults
from callsheet.testing.simulation.simulate import Broken, Simulated, simulate

__all__ = ["CALM", "Broken", "Faults", "Simulated", "simulate"]
