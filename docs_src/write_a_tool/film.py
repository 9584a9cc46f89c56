from callsheet import Context, Cost, tool

STUDIO: dict[str, int] = {}
"""Stands for a slow service: how far each order is, in per cent."""


async def order(scene: str, key: str) -> str:
    """Order a film of a scene; the same key is the same order."""
    STUDIO.setdefault(key, 0)
    return f"{scene}/{key}"


async def look(number: str) -> int:
    """How far an order is."""
    key = number.rpartition("/")[2]
    STUDIO[key] = min(STUDIO.get(key, 0) + 25, 100)
    return STUDIO[key]


@tool(
    "film.make",
    effect="write",
    idempotent=True,
    cost=Cost(usd=0.30),
    ceiling=Cost(usd=0.50),
    timeout="30m",
    retry=5,
    limit=2,
    version="2",
)
async def make(scene: str, ctx: Context) -> str:
    """Make a film of a scene."""
    number = ctx.saved or await order(scene, ctx.key)
    await ctx.checkpoint(number)
    ctx.log.info("film.ordered", number=number)
    while (done := await look(str(number))) < 100:
        ctx.progress(done / 100, "filming")
        await ctx.sleep(0.1)
    ctx.charge(usd=0.25)
    return f"{scene}.mp4"
