"""VideoSolver: with what each shot is made, for how much and how long, with a proof."""

from callsheet.studio.solve.errors import InfeasibleError
from callsheet.studio.solve.solver import solve
from callsheet.studio.solve.terms import Terms

__all__ = ["InfeasibleError", "Terms", "solve"]
