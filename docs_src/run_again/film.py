from callsheet import tool
from callsheet.errors import InvalidError


@tool(version="3", effect="read")
async def draw(scene: str) -> str:
    """Draw one scene."""
    return f"drawing of {scene}"


@tool(effect="write", undo="shelve")
async def film(scene: str, picture: str, lens: str) -> str:
    """Film one scene."""
    if lens == "fog":
        raise InvalidError(f"The {lens} lens does not see {scene}.")
    return f"{scene} through the {lens} lens, after {picture!r}"


@tool(effect="write", idempotent=True)
async def shelve(key: str) -> None:
    """Take a take back."""
