"""That there is no plan, and what would have to give."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typing_extensions import override

from callsheet.errors import InputError

if TYPE_CHECKING:
    from callsheet_studio.model.plan import Infeasibility


class InfeasibleError(InputError):
    """No plan keeps to everything that the brief asks for. Says what to relax."""

    code = "infeasible"

    def __init__(self, message: str, infeasibility: Infeasibility) -> None:
        super().__init__(message)
        self.infeasibility = infeasibility

    @override
    def __reduce__(self) -> tuple[type[InfeasibleError], tuple[str, Infeasibility]]:
        return type(self), (self.message, self.infeasibility)
