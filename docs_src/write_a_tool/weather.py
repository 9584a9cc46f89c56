from callsheet import tool


@tool(effect="read")
async def forecast(city: str, days: int = 1) -> dict[str, str]:
    """Tell the weather.

    Args:
        city: where, by its name.
        days: how far ahead.
    """
    return {"city": city, "sky": "clear" if days < 3 else "who knows"}
