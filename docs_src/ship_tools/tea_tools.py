from callsheet import tool


@tool("tea.brew", effect="read")
async def brew(kind: str, minutes: int = 3) -> dict[str, str]:
    """Brew tea."""
    return {"kind": kind, "strength": "weak" if minutes < 3 else "strong"}
