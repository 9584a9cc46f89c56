"""Waiting for a run. Whoever waits may leave at any time: the run does not notice."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import anyio

from callsheet.core.run.step import RunState
from callsheet.errors import EngineClosedError
from callsheet.serve.mcp.view import progress_of

if TYPE_CHECKING:
    from callsheet.core.past.result import Result
    from callsheet.runtime.run import Run
    from callsheet.serve.mcp.call import Call

_LOOK = 0.25
"""Seconds after which it is looked at once more, for progress and for questions."""
_TELL = 2.0
"""Seconds between two reports of progress that say the same."""


async def waited(call: Call, run: Run, seconds: float) -> Result:
    """The run when it has ended, when it waits for a person, or when the time is up."""
    loop = asyncio.get_running_loop()
    until = loop.time() + seconds
    told: tuple[int, int, str] | None = None
    told_at = loop.time()
    while True:
        result = await run.status()
        left = until - loop.time()
        if result.state.ended or result.state is RunState.WAITING or result.damaged or left <= 0:
            return result
        now = progress_of(result)
        if now != told or loop.time() - told_at > _TELL:
            done, total, words = told = now
            told_at = loop.time()
            await call.progress(done, total, f"Run {run.id}: {words}. Leaving does not cancel it.")
        try:
            async with asyncio.timeout(min(left, _LOOK)):
                return await run.wait()
        except TimeoutError:
            continue
        except EngineClosedError:
            # Nobody drives it just now; somebody may before long.
            await anyio.sleep(min(left, _LOOK))
