from callsheet import Context, tool


@tool(ceiling=1.0, effect="read")
async def paint(what: str, ctx: Context) -> str:
    """Paint a poster."""
    ctx.charge(usd=0.4)
    return f"a poster with {what}"
