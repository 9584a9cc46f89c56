"""Steps as somebody hands them in, to be added to a run: plain data that nobody has checked yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import msgspec

from callsheet.core import given
from callsheet.core.plan.agent import agent_key_in
from callsheet.core.plan.plan import Plan, Step
from callsheet.core.value import Json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Addition(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be added."""

    steps: list[dict[str, Json]]
    """As a plan would write them."""
    plans: dict[str, Plan] = {}
    """The saved plans that they name."""


def plain_steps(steps: object) -> list[dict[str, Json]]:
    """Steps as a plan would write them; what each of them is worth is checked with the others.

    Raises:
        InputError: it is no list of steps, or not all of it has JSON.
    """
    if not isinstance(steps, (list, tuple)):
        raise given.wrong("steps", "a list of steps, or the path of a file", steps)
    plain = [
        given.json(f"steps[{index}]", msgspec.to_builtins(step) if isinstance(step, Step) else step)
        for index, step in enumerate(steps)
    ]
    # What is no mapping is refused where steps are read, with its place.
    return cast("list[dict[str, Json]]", plain)


def saved_plans_in(steps: Iterable[Json]) -> Iterator[str]:
    """The saved plans that steps name, as they were written: nobody has checked them yet."""
    for step in steps:
        plan = step.get("plan") if isinstance(step, dict) else None
        if isinstance(plan, str):
            yield plan
        elif isinstance(plan, dict):
            inner = plan.get("steps")
            yield from saved_plans_in(inner if isinstance(inner, (list, tuple)) else ())
        elif isinstance(step, dict) and (key := agent_key_in(step)):
            yield key
