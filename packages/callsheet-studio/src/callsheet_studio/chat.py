"""What the studio brings to conversations: films, and the sentences that ask for them."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any

from callsheet import Context, tool
from callsheet.errors import FatalError

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet import Engine, Tool

PHRASES = files("callsheet_studio").joinpath("phrases.toml").read_text("utf-8")
"""As `callsheet.phrases` wants them."""


def chat_tools(engine: Callable[[], Engine]) -> list[Tool[..., Any]]:
    """The tool `film.make`, on the engine that the conversation is held with."""

    @tool("film.remove", effect="write", idempotent=True)
    async def remove(output: dict[str, Any]) -> None:
        """Take a film back: its directory is as it was."""
        run = await engine().get(output["run"])
        if (await run.status()).state.value != "undone":
            await run.undo(by="chat")
            await run.wait()

    @tool("film.make", effect="write", idempotent=True, undo=remove, timeout=3600)
    async def make(brief: str, ctx: Context, out: str = "film") -> dict[str, Any]:
        """Make script, storyboard, production plan and film of a brief (a file) in a directory."""
        from callsheet_studio.studio import Studio

        if isinstance(ctx.saved, str):  # an earlier attempt has started it
            run = await engine().get(ctx.saved)
        else:
            asked = Studio.commission(brief, out=out)
            run = (await Studio(engine()).make(asked)).run
            await ctx.checkpoint(run.id)
        async for status in run.watch():
            done = sum(step.state == "succeeded" for step in status.steps.values())
            ctx.progress(done / max(len(status.steps), 1), f"{done} of {len(status.steps)} steps")
        result = await run.wait()
        if result.state.value != "succeeded":
            failed = [str(each) for each in result.problems]
            raise FatalError(f"The production {run.id} is {result.state.value}. {' '.join(failed)}")
        text = f"The film of {brief} is made: open {out}/index.html, or play {out}/film.mp4."
        return {"text": text, "run": run.id, "directory": out}

    return [make, remove]
