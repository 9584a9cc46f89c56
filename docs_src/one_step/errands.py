from pathlib import Path

from callsheet import Context, tool
from callsheet.errors import FatalError


@tool("note", effect="write", idempotent=True, undo="tear_up")
def note(text: str, file: str) -> dict[str, str]:
    """Write a note."""
    Path(file).write_text(text, encoding="utf-8")
    return {"file": file}


@tool("tear_up", effect="write", idempotent=True)
def tear_up(output: dict[str, str]) -> None:
    """Throw a note away."""
    Path(output["file"]).unlink(missing_ok=True)


@tool("letter", effect="read")
def letter(file: str) -> str:
    """Read a letter, if it has come."""
    if not Path(file).exists():
        raise FatalError("No letter has come.")
    return Path(file).read_text(encoding="utf-8")


@tool("weather", effect="read")
async def weather(ctx: Context) -> str:
    """Ask a service that does not always answer."""
    await ctx.sleep(3600)
    return "sunny"
