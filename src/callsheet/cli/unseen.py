"""What a view of a run is; and the one that shows nothing, without what drawing would need."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, ClassVar, Protocol

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from callsheet import Result
    from callsheet.cli.output import Output


class View(Protocol):
    """Somebody who is shown how a run stands, again and again."""

    every: ClassVar[float]
    """Seconds, about, between two times."""

    def show(self, result: Result) -> None:
        """The run stands so."""
        ...

    def hear(self, told: object) -> None:
        """A step has said how far it is."""
        ...

    def say(self, text: str) -> None:
        """A remark that stays."""
        ...

    def held(self) -> AbstractContextManager[None]:
        """Draw nothing meanwhile: somebody else has the terminal."""
        ...

    def close(self) -> None:
        """Nothing more will be shown."""
        ...


class NoView:
    """Shows nothing: the output is JSON."""

    every: ClassVar[float] = 0.5
    """Often enough to notice that a run waits for somebody who is not there."""

    def __init__(self, out: Output) -> None:
        self._out = out

    def show(self, result: Result) -> None:
        """Nothing."""

    def hear(self, told: object) -> None:
        """Nothing."""

    def say(self, text: str) -> None:
        """On stderr."""
        self._out.remark(text)

    def held(self) -> AbstractContextManager[None]:
        """There is nothing to hold."""
        return nullcontext()

    def close(self) -> None:
        """Nothing."""
