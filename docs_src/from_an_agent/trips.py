from callsheet import tool


@tool("flights.book", effect="write", idempotent=True, undo="flights.cancel")
async def book(to: str) -> str:
    """Book a flight; the same key books it once."""
    return f"flight to {to}"


@tool("flights.cancel", effect="write", idempotent=True)
async def cancel(output: str) -> str:
    """Give a flight back."""
    return f"gave back: {output}"
