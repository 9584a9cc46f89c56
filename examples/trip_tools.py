"""Tools for the example plans: a small travel agency.

It keeps its books in a text file, one line for each thing that really happens, so that effects can
be counted from outside. `TRIP_LEDGER` names the file; without it nothing is written down.

    callsheet run examples/trip.yaml --tools examples/trip_tools.py --input city=Oslo
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from callsheet import Context, tool
from callsheet.errors import DeniedError, FatalError, NotDoneError

ROOMS = ("attic", "harbour", "garden")


def note(line: str, key: str) -> None:
    """Write a line into the ledger, once for each key: a repeated call changes nothing."""
    ledger = os.environ.get("TRIP_LEDGER")
    if ledger is None:
        return
    path = Path(ledger)
    if path.exists() and f"{key} " in path.read_text("utf-8"):
        return
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{key} {line}\n")


@tool("weather.forecast", effect="read")
async def forecast(city: str, ctx: Context) -> dict[str, Any]:
    """Tell the weather."""
    await ctx.sleep(0.6)
    return {"city": city, "sky": "clear", "degrees": 12}


@tool("flights.cancel", effect="write", idempotent=True)
async def cancel_flight(key: str, args: dict[str, Any], ctx: Context) -> None:
    """Give a seat back. Does no harm if there was none."""
    await ctx.sleep(0.3)
    note(f"flight to {args['to']} cancelled", f"{key}:undo")


@tool("flights.book", effect="write", idempotent=True, undo="flights.cancel", cost=0.4, ceiling=0.5)
async def book_flight(to: str, ctx: Context) -> dict[str, str]:
    """Book a seat. The key makes sure that it is one seat, however often this is called."""
    await ctx.sleep(0.8)
    note(f"flight to {to} booked", ctx.key)
    return {"id": f"F-{ctx.key[:6]}", "to": to, "arrival": "2030-05-17T18:40"}


@tool("hotels.cancel", effect="write", idempotent=True)
async def cancel_hotel(key: str, args: dict[str, Any], ctx: Context) -> None:
    """Give a room back. Does no harm if there was none."""
    await ctx.sleep(0.3)
    note(f"hotel in {args['city']} cancelled", f"{key}:undo")


@tool("hotels.book", effect="write", idempotent=True, undo="hotels.cancel", cost=0.1, ceiling=0.2)
async def book_hotel(city: str, arrival: str, nights: int, ctx: Context) -> dict[str, Any]:
    """Book a room. The reservation system is busy the first time, as such systems are."""
    await ctx.sleep(0.4)
    if ctx.attempt == 1:
        raise NotDoneError("the reservation system is busy")
    note(f"hotel in {city} booked", ctx.key)
    rooms = [{"id": room, "view": f"{city}, from the {room}"} for room in ROOMS]
    return {
        "id": f"H-{ctx.key[:6]}",
        "name": f"Hotel {city}",
        "price": 140 * nights,
        "arrival": arrival,
        "rooms": rooms,
    }


@tool("hotels.photo", effect="read")
async def photo(room: str, ctx: Context) -> str:
    """Fetch the photo of a room."""
    for part in (0.25, 0.5, 0.75):
        ctx.progress(part, "fetching")
        await ctx.sleep(0.1)
    return f"{room}.jpg"


@tool("trip.confirm", effect="read")
async def confirm(decision: str) -> str:
    """Go on if the answer was to keep the bookings; else the trip is off."""
    if decision != "keep":
        raise DeniedError("the bookings are not wanted")
    return "confirmed"


@tool("insurance.buy", effect="write", idempotent=True, undo="insurance.cancel")
async def buy_insurance(traveller: str, ctx: Context) -> str:
    """Insure a traveller. Nobody is insured against everything."""
    await ctx.sleep(0.5)
    raise FatalError(f"no insurer takes {traveller}")


@tool("insurance.cancel", effect="write", idempotent=True)
async def cancel_insurance() -> None:
    """End an insurance. Does no harm if there was none."""


@tool("cards.recall", effect="write", idempotent=True)
async def recall_card(key: str, args: dict[str, Any]) -> None:
    """Ask the post office for a postcard back."""
    note(f"card from {args['city']} recalled", f"{key}:undo")


@tool("cards.send", effect="write", idempotent=True, undo="cards.recall")
async def send_card(city: str, ctx: Context) -> str:
    """Send a postcard from a city."""
    await ctx.sleep(0.25)
    note(f"card from {city} sent", ctx.key)
    return f"greetings from {city}"
