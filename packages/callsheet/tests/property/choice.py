"""Choices, drawn from Hypothesis one integer at a time: the cheapest draw, and it shrinks to 0."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, TypeVar

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")


@cache
def _below(count: int) -> st.SearchStrategy[int]:
    return st.integers(0, count - 1)


class Choice:
    """Whoever chooses. Put the plain option first."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw

    def below(self, count: int) -> int:
        return self._draw(_below(count)) if count > 1 else 0

    def rarely(self, one_in: int) -> bool:
        return self.below(one_in) == one_in - 1

    def of(self, options: Sequence[T]) -> T:
        return options[self.below(len(options))]

    def some_of(self, options: Sequence[T], most: int) -> list[T]:
        """So many different ones at most, none being the first choice."""
        rest = list(options)
        count = self.below(min(most, len(rest)) + 1)
        return [rest.pop(self.below(len(rest))) for _ in range(count)]
