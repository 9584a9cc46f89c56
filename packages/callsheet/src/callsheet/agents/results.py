"""Results: what a model is told of its calls, one for each, in their order."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from callsheet.agents.message import CallResult, ResultsMessage
from callsheet.core import value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet.agents.terms import AskedCall
    from callsheet.core.value import Json

UNKNOWN = "It is not known whether it happened."


def results_of(
    calls: Sequence[AskedCall], outcomes: Sequence[Json], *, most: int, run: str
) -> ResultsMessage:
    """The results of the calls of an answer. `outcomes` are those of the calls that are steps."""
    left = iter(outcomes)
    return ResultsMessage(
        results=tuple(
            result_of(call, cast("dict[str, Json]", next(left, None) or {}), most, run)
            if call.step
            else CallResult(id=call.id, name=call.name, content=call.error, error=True)
            for call in calls
        )
    )


def result_of(call: AskedCall, outcome: dict[str, Json], most: int, run: str) -> CallResult:
    """The result of one call, as an outcome says it."""
    if outcome.get("state") == "succeeded":
        content = cut(shown(outcome.get("output")), most, f"{run}/{call.step}")
        return CallResult(id=call.id, name=call.name, content=content)
    content = cut(problem(outcome), most, f"{run}/{call.step}")
    return CallResult(id=call.id, name=call.name, content=content, error=True)


def problem(outcome: dict[str, Json]) -> str:
    """What went wrong, for a model."""
    state = str(outcome.get("state") or "lost")
    error = outcome.get("error")
    said = error if isinstance(error, dict) else {}
    kind = str(said.get("class") or state)
    words = [f"{kind}: {said['message']}" if said.get("message") else f"{kind}."]
    if said.get("happened") == "unknown":
        words.append(UNKNOWN)
    return " ".join(words)


def shown(output: Json) -> str:
    """An output as a model reads it: text as it is, all else as JSON."""
    return output if isinstance(output, str) else value.encode(output).decode()


def cut(text: str, most: int, link: str) -> str:
    """A text that is not too long; where the rest is, is said."""
    if len(text) <= most:
        return text
    note = f"\n… ({len(text):,} characters in all; the rest is at {link})"
    return text[: max(0, most - len(note))] + note
