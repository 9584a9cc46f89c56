from typing import Any

from callsheet import Context, tool

ROOMS: dict[str, str] = {}


@tool("rooms.release", effect="write", idempotent=True)
async def release(key: str) -> None:
    """Give a room back. If there is none under this key, nothing was done, and that is fine."""
    ROOMS.pop(key, None)


@tool("rooms.book", effect="write", idempotent=True, undo=release)
async def book(hotel: str, ctx: Context) -> dict[str, Any]:
    """Book a room, once for each key."""
    ROOMS.setdefault(ctx.key, hotel)
    return {"hotel": hotel, "room": len(ROOMS)}
