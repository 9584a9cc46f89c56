"""Writing plans: what `read` reads back as the same plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from callsheet.core.plan import Plan
    from callsheet.core.value import Json

# As a person would write it: what it is, what it takes, what it does, what it gives.
_ORDER = (
    "callsheet",
    "name",
    "description",
    "inputs",
    "budget",
    "on_failure",
    "on_cancel",
    "concurrency",
    "steps",
    "output",
)


def write_plan(plan: Plan) -> dict[str, Json]:
    """The plan as a mapping, without what is merely default."""
    built: dict[str, Json] = msgspec.to_builtins(plan)
    built = {"callsheet": plan.callsheet, "name": plan.name, "steps": [], **built}
    return {name: built[name] for name in _ORDER if name in built}


def to_json(plan: Plan) -> str:
    """The plan as JSON for people."""
    return msgspec.json.format(msgspec.json.encode(write_plan(plan)), indent=2).decode()


def to_yaml(plan: Plan) -> str:
    """The plan as YAML for people."""
    from callsheet.core.yamlwrite import dump

    return dump(write_plan(plan))
