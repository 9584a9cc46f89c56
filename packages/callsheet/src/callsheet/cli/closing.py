"""The last words on a run that was driven or watched here: how it ended, what can be done now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet import RunState
from callsheet.cli.show.view import closing, questions_of

if TYPE_CHECKING:
    from callsheet.cli.attend import Parting
    from callsheet.cli.home import Where
    from callsheet.cli.output import Output


def part(out: Output, parting: Parting, where: Where) -> int:
    """Say how it ended; returns the exit code."""
    result = parting.result
    if out.as_json:
        out.data(result.to_json())
    else:
        out.show(*closing(result, after_table=out.console.is_terminal))
    for line in _advice(parting, where):
        out.remark(line)
    return parting.code


def _advice(parting: Parting, where: Where) -> list[str]:
    run = parting.result.run
    resume = where.command("resume", run, tools=True)
    match parting.reason:
        case "waiting":
            return [
                "It is waiting for an answer, and nobody is here to ask:",
                *questions_of(parting.result, where),
                f"then: {resume}",
            ]
        case "left":
            return []  # said when it was left
        case "undriven":
            return [f"No process is driving this run. To resume it: {resume}"]
        case "ended":
            return _advice_at_the_end(parting, where)


def _advice_at_the_end(parting: Parting, where: Where) -> list[str]:
    if parting.result.state is not RunState.STUCK:
        return []
    undo = where.command("undo", parting.result.run, tools=True)
    return [
        "It is stuck: something could not be undone. Put it right, then:",
        *questions_of(parting.result, where),
        f"  {undo}",
    ]
