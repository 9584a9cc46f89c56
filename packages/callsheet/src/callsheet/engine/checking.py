"""What `engine.check` answers: awaited, every problem; read at once, as version 0.1 gave them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, overload

from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Generator

    from callsheet.core.problem import Problem


class Checking(Sequence["Problem"]):
    """The problems of a plan, errors first: `problems = await engine.check(plan)`.

    Whoever reads it without `await`, as one did in version 0.1, gets the same problems but for
    those of saved plans that the plan names: they lie in the store.
    """

    def __init__(
        self,
        whole: Callable[[], Awaitable[tuple[Problem, ...]]],
        at_once: Callable[[], tuple[Problem, ...]],
    ) -> None:
        """Neither is called before it is asked for."""
        self._whole = whole
        self._at_once = at_once

    def __await__(self) -> Generator[object, None, tuple[Problem, ...]]:
        """Every problem, with those of saved plans."""
        return self._whole().__await__()

    @cached_property
    def _found(self) -> tuple[Problem, ...]:
        return self._at_once()

    @overload
    def __getitem__(self, index: int) -> Problem: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Problem, ...]: ...
    @override
    def __getitem__(self, index: int | slice) -> Problem | tuple[Problem, ...]:
        return self._found[index]

    @override
    def __len__(self) -> int:
        return len(self._found)

    @override
    def __eq__(self, other: object) -> bool:
        return self._found == (other._found if isinstance(other, Checking) else other)

    @override
    def __hash__(self) -> int:
        return hash(self._found)

    @override
    def __repr__(self) -> str:
        return repr(self._found)
