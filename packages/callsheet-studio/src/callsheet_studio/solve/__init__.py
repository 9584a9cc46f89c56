"""VideoSolver: with what each shot is made, for how much and how long, with a proof."""

from callsheet_studio.solve.errors import InfeasibleError
from callsheet_studio.solve.solver import solve
from callsheet_studio.solve.terms import Terms

__all__ = ["InfeasibleError", "Terms", "solve"]
