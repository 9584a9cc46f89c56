"""A fault that can be put into the engine, and taken out again."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import msgspec

from callsheet.testing.simulation.faults import Faults

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Change = Callable[[Any], Any]

ENOUGH = 1000
"""Seeds within which each is caught."""


class Mutant(msgspec.Struct, frozen=True):
    """One fault of the engine, to be switched on: `with mutant.active(): …`."""

    name: str
    fault: str
    """What is wrong, in words."""
    changes: tuple[tuple[Any, str, Change], ...]
    """Where it is patched: owner, name, and the wrong one as a function of the right one."""
    faults: Faults | None = None
    """The weather in which it shows; None: any."""

    @contextmanager
    def active(self) -> Iterator[None]:
        """The engine has this fault, in this process, until the block is left."""
        before = []
        try:
            for owner, name, change in self.changes:
                right = _get(owner, name)
                before.append((owner, name, right))
                _set(owner, name, change(right))
            yield
        finally:
            for owner, name, right in reversed(before):
                _set(owner, name, right)


def _get(owner: Any, name: str) -> Any:
    return owner[name] if isinstance(owner, dict) else vars(owner)[name]


def _set(owner: Any, name: str, value: Any) -> None:
    if isinstance(owner, dict):
        owner[name] = value
    else:
        setattr(owner, name, value)


def instead(wrong: Any) -> Change:
    """The right one is not even asked."""
    return lambda _right: wrong


def nothing(*_: object, **__: object) -> None:
    """Do nothing at all."""
