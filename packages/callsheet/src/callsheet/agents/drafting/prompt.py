"""What a model is told when it is to write a plan, and when what it wrote does not check.

The words are part of what tapes are found by: the same goal, tools and inputs are the same words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from callsheet.agents.drafting.terms import RESULT, ROUNDS
from callsheet.agents.results import problem, shown
from callsheet.core import value
from callsheet.core.words import clipped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet.agents.drafting.rules import Offered
    from callsheet.agents.drafting.terms import DraftTerms
    from callsheet.core.plan.plan import Step
    from callsheet.core.problem import Problem
    from callsheet.core.value import Json

MOST_PROBLEMS = 20
"""That are told at once."""
MOST_OUTCOMES = 100_000
"""Characters of all outcomes that a joiner is shown."""

_FORMAT = """\
You write plans for Callsheet. Write one JSON object and nothing else, no fence and no comment:

{"steps": [{"id": "oslo", "tool": "weather.at", "args": {"city": "Oslo"}},
           {"id": "mail", "tool": "mail.send", "args": {"text": "In Oslo: ${steps.oslo.text}"}}],
 "output": "${steps.mail}"}

Each step starts as soon as its object is complete, while you write the rest. So write first what \
can begin first, and never change a step that you have written.

- `id`: lowercase letters, digits and _; each its own. `tool`: one of the tools below. `args`: as \
its schema says.
- `${steps.ID.FIELD}` stands for what another step gave: a JMESPath over `steps.ID` and \
`inputs.NAME`. It is a dependency; steps that do not depend on each other run at the same time. \
`needs: [ID]` adds one without data.
- `for_each: ${steps.ID.LIST}` makes one call for each `${item}`. `when: ${steps.ID.FIELD == 'x'}` \
skips a step. `ask: QUESTION` with `choices` instead of `tool` asks a person.
- `on_failure: "ignore"` lets the plan go on when a step fails; otherwise a failure ends it, and \
what was done is taken back.
- `output` is what the plan gives. Leave it out if the results have to be looked at first: then \
you are shown what became of each step, and answer, or add steps.
- Name, inputs, budget and policies are fixed: write `steps` and `output`, and no other field. \
There are no secrets to refer to."""


def instructions_of(terms: DraftTerms, offered: Offered) -> str:
    """What holds for the whole of a draft."""
    parts = [_FORMAT, "Tools:\n" + "\n".join(map(_tool, _specs(offered)))]
    if offered.named:
        plans = "\n".join(_plan(name, offered) for name in offered.named)
        parts.append(f"Saved plans (a step says `plan: NAME`; its `args` are inputs):\n{plans}")
    if terms.inputs:
        parts.append("Inputs:\n" + _json(terms.inputs))
    return "\n\n".join(parts)


def _specs(offered: Offered) -> list[dict[str, Json]]:
    found: list[dict[str, Json]] = []
    for name in offered.offered:
        spec = offered.tools.spec(name)
        if spec is not None:
            told: dict[str, Json] = {"tool": name, "effect": spec.effect}
            told |= {"does": spec.description} if spec.description else {}
            told["args"] = spec.input_schema
            told |= {"gives": spec.output_schema} if spec.output_schema else {}
            found.append(told)
    return found


def _tool(told: dict[str, Json]) -> str:
    return f"- {_json(told)}"


def _plan(name: str, offered: Offered) -> str:
    plan = offered.plans.get(name)
    told: dict[str, Json] = {"plan": name}
    if plan is not None:
        told |= {"does": plan.description, "args": dict(plan.inputs)}
    return f"- {_json(told)}"


def goal_of(terms: DraftTerms) -> str:
    """What is asked for."""
    return f"The goal:\n{terms.goal}"


def problems_of(problems: Sequence[Problem], started: Sequence[Step]) -> str:
    """What goes back to a model whose document does not check."""
    told = [f"- {each}" for each in problems[:MOST_PROBLEMS]]
    if len(problems) > MOST_PROBLEMS:
        told.append(f"- and {len(problems) - MOST_PROBLEMS:,} more")
    parts = ["That does not check:\n" + "\n".join(told)]
    if started:
        steps = "\n".join(f"- {_json(msgspec.to_builtins(step))}" for step in started)
        parts.append(
            "These steps have started. They stay as they are, written again or not; the same id "
            f"with other content is a problem:\n{steps}"
        )
    parts.append("Write the whole object again, with these problems mended.")
    return "\n\n".join(parts)


def outcomes_of(outcomes: dict[str, Json], round_: int) -> str:
    """What a joiner is asked."""
    most = max(200, min(RESULT, MOST_OUTCOMES // max(1, len(outcomes))))
    told = [f"- {name}: {clipped(_became(each), most)}" for name, each in outcomes.items()]
    last = round_ >= ROUNDS
    more = (
        "This is the last round: you cannot add steps."
        if last
        else 'Or, if more has to be done first, write {"steps": […]} with new ids, and `output` '
        "if what they give is the answer as it is."
    )
    return (
        "What became of the steps:\n" + "\n".join(told) + "\n\n"
        'Answer the goal: write {"answer": …} and nothing else; text, or whatever JSON the goal '
        f"asks for. {more}"
    )


def _became(outcome: Json) -> str:
    said = outcome if isinstance(outcome, dict) else {}
    if said.get("state") == "succeeded":
        return shown(said.get("output"))
    return f"did not succeed: {problem(said)}"


def _json(found: Json) -> str:
    return value.encode(found).decode()
