"""The first stage of a production as a tool: the brief as it is settled."""

from __future__ import annotations

from callsheet import tool
from callsheet_studio.base.carrying import or_invalid
from callsheet_studio.base.edition import edition
from callsheet_studio.brief.ask import answered
from callsheet_studio.model.brief import Brief, Constraints

_VERSION = edition("script")


@tool("studio.brief", version=_VERSION, effect="read")
def settle_brief(brief: Brief, answers: dict[str, str | None]) -> dict[str, Brief]:
    """Put the answers to the clarifying questions into a brief.

    Returns it whole, and as those see it who write and shoot: without money and time, so that a
    change of budget does not write another script.
    """
    given = {key: answer for key, answer in answers.items() if answer and answer.strip()}
    whole = or_invalid(answered, brief, given)
    blank = {"constraints": Constraints(quality="balanced"), "inferred": ()}
    return {"whole": whole, "creative": whole.model_copy(update=blank)}
