"""A studio that renders shots, for money."""

from callsheet import Context, Cost, tool


@tool("weather.look", effect="read")
async def look(place: str, ctx: Context) -> str:
    """Say what the weather is like."""
    await ctx.sleep(0.2)
    return f"sunny in {place}"


@tool("shot.render", cost=Cost(usd=0.05), ceiling=Cost(usd=0.08), timeout=20.0, effect="read")
async def render(shot: str, light: str, ctx: Context) -> str:
    """Render one shot."""
    await ctx.sleep(0.3)
    return f"{shot} in the light of {light}"


@tool("film.publish", effect="write", destructive=True)
async def publish(shots: list[str]) -> int:
    """Put the film where everybody sees it; what was there is gone."""
    return len(shots)
