"""Questions to persons, as forms that a client shows to its user."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mcp_types import ElicitRequest, ElicitRequestFormParams, ElicitResult
from pydantic import ValidationError

from callsheet.errors import InputError
from callsheet.serve.mcp.told import clipped

if TYPE_CHECKING:
    from mcp_types import ClientCapabilities

    from callsheet.core.run.step import Question
    from callsheet.core.value import Json

ANSWER = "answer"
_LONG_TEXT, _LONG_LIST = 600, 20


def form_of(question: Question, run: str, *, proposed: Any = None) -> ElicitRequestFormParams:
    """The form that asks it. What an agent proposes is said, and is nobody's answer."""
    lines = [question.text]
    if question.args is not None:
        shown = clipped(question.args, _LONG_TEXT, _LONG_LIST)
        lines.append(json.dumps(shown, ensure_ascii=False, indent=1))
    if proposed is not None:
        lines.append(f"The agent proposes: {clipped(proposed, _LONG_TEXT, _LONG_LIST)}")
    lines.append(f"(run {run}, step {question.step})")
    choices = question.choices
    field: dict[str, Any] = {"type": "string", "title": "Answer"}
    if choices:
        field["enum"] = list(choices)
    schema = {"type": "object", "properties": {ANSWER: field}, "required": [ANSWER]}
    return ElicitRequestFormParams(message="\n".join(lines), requested_schema=schema)


def request_of(question: Question, run: str, *, proposed: Any = None) -> ElicitRequest:
    """The form as a request that the client fulfils."""
    return ElicitRequest(params=form_of(question, run, proposed=proposed))


def answered(question: Question, response: object) -> Json:
    """What the client's user has answered; None: nothing.

    Whoever declines an approval denies it; a form that is closed leaves everything as it is. Where
    any text will do, a client that shows a form of its own may answer with what is in it.

    Raises:
        InputError: it is no answer to this question.
    """
    try:
        said = ElicitResult.model_validate(
            response.model_dump(by_alias=True) if isinstance(response, ElicitResult) else response
        )
    except ValidationError as exc:
        raise InputError(
            f"The answer to {question.id!r} is no answer to a form: {{action, content}}."
        ) from exc
    if said.action == "decline" and question.ask == "approval":
        return "deny"
    if said.action != "accept":
        return None
    content: dict[str, Any] = dict(said.content or {})
    choices = question.choices
    if not choices and content and ANSWER not in content:
        return content
    found = content.get(ANSWER)
    if not isinstance(found, str) or (choices and found not in choices):
        wanted = ", ".join(choices) or "a text"
        raise InputError(f"{found!r} does not answer {question.id!r}. It takes: {wanted}.")
    return found


def can_show(capabilities: ClientCapabilities | None) -> bool:
    """Whether a client shows forms to its user."""
    asked = capabilities.elicitation if capabilities else None
    if asked is None:
        return False
    # A client that names only another mode shows no forms.
    return asked.form is not None or asked.url is None
