"""A tool that plans: it adds each errand as it thinks of it, and has the packing follow."""

import asyncio
from pathlib import Path

from callsheet import Context, tool

ERRANDS = ["bread", "cheese", "apples"]


@tool(effect="read")
async def plan_party(ctx: Context) -> int:
    done = ctx.saved if isinstance(ctx.saved, int) else 0
    for number, errand in list(enumerate(ERRANDS, 1))[done:]:
        ctx.emit(f"Next: {errand}.\n")
        step = {"id": f"buy_{number}", "label": errand, "tool": "buy"}
        await ctx.add([{**step, "args": {"what": errand}, "literal": True}], checkpoint=number)
        await ctx.sleep(2)
    bags = [f"${{steps.buy_{number}}}" for number, _ in enumerate(ERRANDS, 1)]
    await ctx.then([{"id": "pack", "tool": "value", "args": {"value": bags}}], seal=True)
    return len(ERRANDS)


@tool(effect="write", idempotent=True)
async def buy(what: str) -> str:
    await asyncio.to_thread(write_down, what)
    return f"a bag of {what}"


def write_down(what: str) -> None:
    path = Path("bought.txt")
    bought = path.read_text().split() if path.exists() else []
    if what not in bought:
        path.write_text("\n".join([*bought, what, ""]))
