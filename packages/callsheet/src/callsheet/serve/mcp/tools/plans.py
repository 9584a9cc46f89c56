"""Tools about plans: check them, keep them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from callsheet.errors import InputError
from callsheet.serve.mcp.call import Row
from callsheet.serve.mcp.handed import handed_in
from callsheet.serve.mcp.schemas import LISTED, PLAN, WHOLE, gives, takes
from callsheet.serve.mcp.told import Told, size_of

if TYPE_CHECKING:
    from callsheet.core.plan.saved import SavedPlan
    from callsheet.serve.mcp.call import Call

_LARGE = 8_000


async def check(call: Call) -> Told:
    """Every problem of a plan."""
    handed = await handed_in(call.door, call.args)
    plan = handed.plan
    data: dict[str, Any] = {
        "ok": handed.ok,
        "problems": [problem.to_json() for problem in handed.problems],
        "read_as": handed.read_as,
        "plan": plan.name if plan else None,
        "steps": len(plan.steps) if plan else None,
    }
    return Told(data=data)


async def save(call: Call) -> Told:
    """Keep a plan under its name."""
    handed = await handed_in(call.door, {"plan": call.args["plan"]})
    if handed.read_as.startswith("the saved plan"):
        raise InputError("It is saved already: one line is the name of a saved plan.")
    saved = await call.door.tenant.plans.save(handed.accepted())
    return Told(data=_facts(saved))


async def listed(call: Call) -> Told:
    """The newest version of each saved plan."""
    found = await call.door.tenant.plans.list()
    return Told(data={"items": [_facts(each) for each in found], "next": None})


async def show(call: Call) -> Told:
    """One saved plan."""
    name, version = call.args["name"], call.args.get("version")
    saved = await call.door.tenant.plans.get(name, version)
    versions = [each.version for each in await call.door.tenant.plans.versions(name)]
    plan = saved.plan.to_json()
    if size_of(plan) > _LARGE:
        plan = {"bytes": size_of(plan), "read": f"plan://{name}"}
    return Told(data={**_facts(saved), "versions": versions, "plan": plan})


async def delete(call: Call) -> Told:
    """Remove a saved plan."""
    await call.door.tenant.plans.delete(call.args["name"])
    return Told(data={"deleted": call.args["name"]})


def _facts(saved: SavedPlan) -> dict[str, Any]:
    return saved.to_json()


_NAME = {"type": "string", "minLength": 1}
_SAVED = gives(name="text", version="whole", digest="text", steps="whole", plan="any")

ROWS = (
    Row(
        name="plan_check",
        about="Check a plan without running it: every problem with its place and what to write "
        "instead. Check before you start.",
        takes=takes("plan", plan=PLAN),
        gives=gives(ok="flag", problems="list", read_as="text", plan="text?", steps="whole?"),
        noun="plans",
        do=check,
        reads=True,
    ),
    Row(
        name="plan_save",
        about="Keep a plan under its name, as a new version if its content is new.",
        takes=takes("plan", plan=PLAN),
        gives=_SAVED,
        noun="plans",
        do=save,
        idempotent=True,
    ),
    Row(
        name="plan_list",
        about="List the saved plans.",
        takes=takes(),
        gives=LISTED,
        noun="plans",
        do=listed,
        reads=True,
    ),
    Row(
        name="plan_show",
        about="Show a saved plan.",
        takes=takes("name", name=_NAME, version={**WHOLE, "minimum": 1}),
        gives=_SAVED,
        noun="plans",
        do=show,
        reads=True,
    ),
    Row(
        name="plan_delete",
        about="Delete a saved plan with all its versions; refused while a run needs it.",
        takes=takes("name", name=_NAME),
        gives=gives(deleted="text"),
        noun="plans",
        do=delete,
        destructive=True,
    ),
)
