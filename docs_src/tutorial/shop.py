"""A small shop. What really happens stands in shop.txt, for whoever wants to count it."""

from pathlib import Path
from typing import Any

from callsheet import Context, tool
from callsheet.errors import FatalError

PRICES = {"tea": 4.5, "kettle": 30.0, "cups": 12.0}
BOOK = Path("shop.txt")


def write_down(line: str, ctx: Context) -> None:
    """A call that is repeated has the same key, and changes nothing."""
    entry = f"{ctx.key[:6]} {line}\n"
    if not BOOK.exists() or entry not in BOOK.read_text("utf-8"):
        with BOOK.open("a", encoding="utf-8") as book:
            book.write(entry)


@tool("stock.release", effect="write", idempotent=True)
async def release(args: dict[str, Any], ctx: Context) -> None:
    """Put an item back. Does no harm if it was never taken."""
    write_down(f"{args['item']} released", ctx)


@tool("stock.reserve", effect="write", idempotent=True, undo=release)
async def reserve(item: str, ctx: Context) -> dict[str, Any]:
    """Take an item from the shelf."""
    await ctx.sleep(0.5)
    write_down(f"{item} reserved", ctx)
    return {"item": item, "price": PRICES[item]}


@tool("card.refund", effect="write", idempotent=True)
async def refund(args: dict[str, Any], ctx: Context) -> None:
    """Give money back. Does no harm if it was never charged."""
    write_down(f"{args['amount']} refunded", ctx)


@tool("card.charge", effect="write", idempotent=True, undo=refund)
async def charge(amount: float, ctx: Context) -> str:
    """Charge a card."""
    await ctx.sleep(1)
    write_down(f"{amount} charged", ctx)
    return f"receipt-{ctx.key[:6]}"


@tool("parcel.send", effect="write", idempotent=True)
async def send(address: str, receipt: str, ctx: Context) -> str:
    """Send a parcel. It cannot be called back."""
    if address == "nowhere":
        raise FatalError("there is no such address")
    write_down(f"parcel sent to {address}", ctx)
    return f"on its way to {address}, {receipt}"
