"""The whole way at once: from a brief to script, shots and production plan, in Python."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from callsheet import Engine
from callsheet_studio.production.tools import production_tools
from callsheet_studio.stack import starting_stack
from callsheet_studio.studio import Studio

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from callsheet_studio.model.stack import Stack
    from callsheet_studio.production.commission import BriefSource
    from callsheet_studio.production.result import Production
    from callsheet_studio.production.stage import Stage


async def execute_full_pipeline(  # noqa: PLR0913 -- all but the brief have a default
    vrd: BriefSource,
    *,
    today: date | None = None,
    engine: Engine | None = None,
    stack: Stack | None = None,
    answers: Mapping[str, str] | None = None,
    stop_after: Stage = "plan",
    writer: str = "auto",
) -> Production:
    """Make script, shot list and production plan of a brief, and return them.

    Args:
        vrd: the brief: as data, as the path of a file, or read.
        today: the day whose prices and tools count; None: this one.
        engine: one with the studio's tools; None: one in memory.
        stack: the tool stack; None: the starting data.
        answers: to clarifying questions; the others take their defaults.
        stop_after: the last stage.
        writer: who writes: `auto`, `offline`, or a model.

    Raises:
        InputError: the brief is wrong, or cannot be carried out; says what to change.
    """
    async with AsyncExitStack() as opened:
        if engine is None:
            tools = production_tools(stop_after)
            engine = await opened.enter_async_context(Engine.in_memory(tools))
        return await Studio(engine).production(
            vrd,
            stop_after=stop_after,
            today=today,
            stack=stack or starting_stack(),
            answers=answers,
            writer=writer,
        )
