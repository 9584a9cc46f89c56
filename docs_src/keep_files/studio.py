from pathlib import Path
from tempfile import mkdtemp

from callsheet import Artifact, Context, tool


@tool(version="3")
async def draw(ctx: Context, what: str) -> Artifact:
    """Draw a picture."""
    return await ctx.store(f"a picture of {what}".encode(), name=f"{what}.png")


@tool
async def cut(ctx: Context, pictures: list[Artifact]) -> Artifact:
    """Make a film of pictures."""
    film = Path(mkdtemp()) / "film.mp4"
    with film.open("wb") as file:
        for picture in pictures:
            file.write(await ctx.load(picture))
    return await ctx.store(film)
