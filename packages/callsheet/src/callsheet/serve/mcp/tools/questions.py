"""The tool that answers what a run asks of a person. A model does not answer for one."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from mcp_types import InputRequiredResult
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from callsheet.errors import InputError, RequestRefusedError
from callsheet.serve.mcp.call import Row
from callsheet.serve.mcp.door import APPROVE
from callsheet.serve.mcp.forms import answered, can_show, form_of, request_of
from callsheet.serve.mcp.schemas import RUN, RUN_VIEW, TEXT, takes
from callsheet.serve.mcp.told import Told, denial
from callsheet.serve.mcp.tools.control import asked
from callsheet.serve.mcp.view import told_of

if TYPE_CHECKING:
    from callsheet.core.run.step import Question
    from callsheet.runtime.run import Run
    from callsheet.serve.mcp.call import Call


async def answer(call: Call) -> Told | InputRequiredResult:
    """Answer for oneself, if the door allows that; else have the person asked; else refuse."""
    run = await call.run()
    question = await _asked_now(run, call.args["step"])
    proposed = call.args.get("answer")
    if call.door.may(APPROVE):
        if proposed is None:
            wanted = ", ".join(question.choices) or "a text"
            raise InputError(f"Step {question.step!r} asks {question.text!r}. Answer: {wanted}.")
        return await _give(call, run, question, proposed, output=call.args.get("output"))
    if not (call.door.forms_count and can_show(call.capabilities)):
        return denial(for_a_person(run, question))
    if call.request.protocol_version in MODERN_PROTOCOL_VERSIONS:
        response: object = (call.responses or {}).get(question.id)
        if response is None:
            form = request_of(question, run.id, proposed=proposed)
            return InputRequiredResult(input_requests={question.id: form})
    else:
        form_params = form_of(question, run.id, proposed=proposed)
        response = await call.request.session.elicit_form(
            form_params.message, form_params.requested_schema, call.request.request_id
        )
    found = answered(question, response)
    if found is None:
        return await told_of(call.door, run, note="The person has not answered.")
    return await _give(call, run, question, found)


async def _give(
    call: Call, run: Run, question: Question, found: Any, *, output: Any = None
) -> Told:
    given = run.answer(question.step, found, output=output, by=call.client, question=question.id)
    return await asked(call, run, given)


async def _asked_now(run: Run, step: str) -> Question:
    result = await run.status()
    for question in result.questions:
        if step in (question.step, question.id):
            return question
    open_ones = ", ".join(question.step for question in result.questions) or "nothing is asked"
    raise RequestRefusedError(
        f"Step {step!r} of run {run.id!r} asks nothing (any more). Open now: {open_ones}."
    )


def for_a_person(run: Run, question: Question) -> str:
    """What is said to whoever may not answer."""
    value = (question.choices or ("TEXT",))[0]
    line = shlex.join(["callsheet", "answer", run.id, question.step, value])
    return (
        f"Step {question.step!r} asks a person: {question.text} You may not answer for one. Ask "
        f"the person to type: {line}"
    )


ROWS = (
    Row(
        name="run_answer",
        about="Have a question, an approval (approve, deny) or a doubt (happened, did_not_happen, "
        "undo) of a run answered. The person is asked; your `answer` is a proposal, unless the "
        "server says otherwise.",
        takes=takes("run", "step", run=RUN, step=TEXT, answer={}, output={}),
        gives=RUN_VIEW,
        do=answer,
        destructive=True,
    ),
)
