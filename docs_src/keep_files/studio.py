from callsheet import Artifact, Context, tool


@tool(effect="read")
async def write(ctx: Context, about: str) -> Artifact:
    """Write a story."""
    return await ctx.store(f"Once there was a {about}.", name="story.txt")


@tool(version="3", effect="read")
async def draw(ctx: Context, story: Artifact) -> Artifact:
    """Draw a picture of a story."""
    text = await ctx.load(story)
    return await ctx.store(b"a picture: " + text, name="picture.png")


@tool(effect="read")
async def cut(ctx: Context, story: Artifact, picture: Artifact) -> Artifact:
    """Make a film of a story and its picture."""
    film = bytearray()
    for part in (story, picture):
        path = await ctx.file(part)
        film += path.read_bytes()
    return await ctx.store(bytes(film), media_type="video/mp4", name="film.mp4")
