"""What the studio brings to conversations: films, and the sentences that ask for them."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from callsheet import Context, tool
from callsheet.errors import FatalError, InputError, InvalidError

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet import Engine, Tool
    from callsheet_studio.model.brief import Brief

PHRASES = files("callsheet_studio").joinpath("phrases.toml").read_text("utf-8")
"""As `callsheet.phrases` wants them."""
_SENTENCES = re.compile(r"(?<=[.!?])\s+(?=[A-ZÄÖÜ„“\"])")
_LONGEST_NAME = 255
_A_TELLING = 8
"""Words; a name of a file has fewer."""


def _is_file(brief: str) -> bool:
    """Whether a brief is named, and not told: a name is one line without sentences in it."""
    if len(brief.split()) < _A_TELLING:
        return True
    return len(brief) < _LONGEST_NAME and "\0" not in brief and Path(brief).is_file()


def _told(brief: str) -> Brief | str:
    """A brief that was told in the conversation; the name of a file as it is."""
    if _is_file(brief):
        return brief
    from callsheet_studio.brief import parse

    # What is asked for, then what is told: people join them with a colon, briefs do not.
    asked, colon, rest = brief.partition(":")
    apart = f"{asked}.\n\n{rest.strip()}" if colon and not _SENTENCES.search(asked) else brief
    return parse(_SENTENCES.sub("\n\n", apart), "text", "what you told me")


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
        """Make script, storyboard, production plan and film in a directory.

        `brief` is a file, or the brief itself, in a few sentences.
        """
        from callsheet_studio.studio import Studio

        if isinstance(ctx.saved, str):  # an earlier attempt has started it
            run = await engine().get(ctx.saved)
        else:
            try:
                asked = Studio.commission(_told(brief), out=out)
            except InputError as exc:  # nothing has begun
                raise InvalidError(exc.message) from exc
            run = (await Studio(engine()).make(asked)).run
            await ctx.checkpoint(run.id)
        async for status in run.watch():
            done = sum(step.state == "succeeded" for step in status.steps.values())
            ctx.progress(done / max(len(status.steps), 1), f"{done} of {len(status.steps)} steps")
        result = await run.wait()
        if result.state.value != "succeeded":
            failed = [str(each) for each in result.problems]
            raise FatalError(f"The production {run.id} is {result.state.value}. {' '.join(failed)}")
        of = brief if _is_file(brief) else "what you told me"
        text = f"The film of {of} is made: open {out}/index.html, or play {out}/film.mp4."
        return {"text": text, "run": run.id, "directory": out}

    return [make, remove]
