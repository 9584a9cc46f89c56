"""The tools that plan.yaml calls. Each says what it does to the world outside: read, or write."""

from pathlib import Path

from callsheet import Context, tool
from callsheet.errors import InvalidError

PRICES = {"tea": 4.5, "cups": 12.0, "kettle": 30.0}
ORDERS = Path("orders.txt")


def orders() -> list[str]:
    """What stands in orders.txt, a line an order."""
    return ORDERS.read_text("utf-8").splitlines() if ORDERS.exists() else []


def keep(lines: list[str]) -> None:
    """Write orders.txt anew."""
    ORDERS.write_text("".join(f"{line}\n" for line in lines), "utf-8")


@tool("prices.find", effect="read")
async def find(item: str) -> float:
    """What an item costs. A read: it may be repeated, and there is nothing to undo."""
    if item not in PRICES:
        raise InvalidError(f"There is no {item!r} here; there are {', '.join(PRICES)}.")
    return PRICES[item]


@tool("orders.cancel", effect="write", idempotent=True)
async def cancel(key: str) -> None:
    """Cancel an order. Does no harm if there is none."""
    keep([line for line in orders() if not line.startswith(key)])


@tool("orders.place", effect="write", idempotent=True, undo=cancel)
async def place(item: str, count: int, ctx: Context) -> dict[str, str]:
    """Place an order. A call that is repeated has the same key, and places it once."""
    line = f"{ctx.key} {count} {item}"
    if line not in orders():
        keep([*orders(), line])
    return {"number": ctx.key[:8]}
