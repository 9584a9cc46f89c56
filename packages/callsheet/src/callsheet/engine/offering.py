"""Which tools the model of a turn may call: those that are named, or what anybody may have."""

from __future__ import annotations

import difflib
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import msgspec

from callsheet.core import given, value
from callsheet.core.grants import ANSWER, DRAFT
from callsheet.errors import InputError
from callsheet.tools.builtin.catalog import CONTEXT, NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from callsheet.ports import Toolbox
    from callsheet.tools.registry import Registry

MOST = 32_000
"""Bytes of descriptions that a model is given of tools which nobody has named: about 8,000 tokens
in every request of a turn."""


class Offer(msgspec.Struct, frozen=True):
    """What a model is offered."""

    names: tuple[str, ...]
    withheld: tuple[str, ...] = ()
    """Those that were too many."""


def offer_of(
    tools: Iterable[str] | None, mine: Toolbox, registry: Registry, programs: Iterable[str]
) -> Offer:
    """The tools that are named, also by patterns; None: reads that do not reach the machine.

    Of the latter at most `MOST` bytes of descriptions, one's own before those of apps.

    Raises:
        InputError: nothing is called so.
    """
    there = [name for name in mine.names() if name not in (ANSWER, DRAFT)]
    if tools is not None:
        return Offer(_named(tools, there))
    ours = {*NAMES, *CONTEXT, "sh", *programs}
    found = [name for name in there if name not in ours and _is_harmless(name, registry)]
    found.sort(key=lambda name: (registry.is_of_app(name), name))
    names: list[str] = []
    withheld: list[str] = []
    left = MOST
    for name in found:
        size = _size(name, registry)
        (names if size <= left else withheld).append(name)
        left -= size if size <= left else 0
    return Offer(tuple(names), tuple(withheld))


def _named(tools: Iterable[str], there: Sequence[str]) -> tuple[str, ...]:
    if isinstance(tools, str):
        raise given.wrong("tools", "a list of names", tools)
    found: dict[str, None] = {}
    for pattern in tools:
        fitting = [name for name in there if fnmatchcase(name, given.text("tools", pattern))]
        if not fitting:
            near = difflib.get_close_matches(pattern, there, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise InputError(f"No tool is called {pattern!r}.{hint}")
        found.update(dict.fromkeys(fitting))
    return tuple(found)


def _is_harmless(name: str, registry: Registry) -> bool:
    spec = registry.spec(name)
    reads = spec is not None and spec.effect == "read" and spec.approval is None
    return reads and not registry.reaches_machine(name)


def _size(name: str, registry: Registry) -> int:
    spec = registry.spec(name)
    return len(spec.description) + len(value.encode(spec.input_schema)) if spec else 0
