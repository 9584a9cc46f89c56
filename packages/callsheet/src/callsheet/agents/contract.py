"""What an agent is told of its work, and how its answer is read: a result, or a request.

Agents do not call agents. One that needs something of another says so and stops; whoever runs it
looks for somebody who can, and comes back with what came of it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from callsheet.core import value
from callsheet.core.plan.card import TASK, TEXT
from callsheet.core.schema.validate import problems_of
from callsheet.core.value import Json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from callsheet.core.plan.card import AgentCard

SHOWN = 10
"""Problems of an answer that go back at once."""
_FENCED = re.compile(r"\s*```[a-zA-Z]*\s*\n(?P<inside>.*?)\n?```\s*\Z", re.DOTALL)


class Delivered(msgspec.Struct, frozen=True):
    """A result that fits."""

    result: Json


class Asked(msgspec.Struct, frozen=True):
    """Something that another agent is to do."""

    capability: str
    args: dict[str, Json]
    why: str


class Unfit(msgspec.Struct, frozen=True):
    """What is wrong with an answer."""

    problems: tuple[str, ...]

    def told(self) -> str:
        """As the agent is told it."""
        listed = "\n".join(f"- {problem}" for problem in self.problems)
        return f"Your answer does not fit:\n{listed}\nWrite the whole answer again."


def instructions_of(card: AgentCard, capability: str, others: Mapping[str, Sequence[str]]) -> str:
    """What an agent is told before everything else. `others`: what agents can do besides."""
    wanted = card.capabilities[capability]
    parts = [card.instructions.strip()] if card.instructions.strip() else []
    parts.append(f"You are {card.name}. You are asked for {capability}.")
    if wanted.output == TEXT:
        parts.append("Answer with the text itself.")
    else:
        schema = value.encode(wanted.output).decode()
        parts.append(
            'Answer with one JSON object and nothing else: {"result": …}, where the result fits '
            f"this JSON Schema: {schema}"
        )
    if others:
        listed = "; ".join(f"{name} ({', '.join(who)})" for name, who in sorted(others.items()))
        parts.append(
            "You cannot call other agents. If you need what one of them does, answer with "
            '{"request": {"capability": "…", "args": {…}, "why": "…"}} and nothing else, and you '
            f"are told what came of it. They can: {listed}."
        )
    return "\n\n".join(parts)


def message_of(card: AgentCard, capability: str, args: Json) -> str:
    """What an agent is asked, in words."""
    if card.capabilities[capability].input == TASK and isinstance(args, dict):
        return str(args["task"])
    return value.encode(args).decode()


def read_answer(text: str, schema: dict[str, Json]) -> Delivered | Asked | Unfit:
    """What an agent has answered."""
    fenced = _FENCED.match(text)
    bare = fenced["inside"] if fenced else text
    try:
        found: Json = msgspec.json.decode(bare.strip().encode())
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as exc:
        if schema == TEXT and text.strip():
            return Delivered({"text": text})
        return Unfit((f"it is not one JSON object: {exc}",))
    if isinstance(found, dict) and found.keys() == {"request"}:
        return _request(found["request"])
    if isinstance(found, dict) and found.keys() == {"result"}:
        return _result(found["result"], schema, text)
    if schema == TEXT:
        return Delivered({"text": text})
    return Unfit(('it must be {"result": …} or {"request": …}, and nothing else',))


def _result(result: Json, schema: dict[str, Json], text: str) -> Delivered | Unfit:
    if schema == TEXT and isinstance(result, str):
        result = {"text": result}
    if (problem := value.problem_of(result)) is not None:
        return Unfit((f"result: it holds something that is {problem}",))
    problems = problems_of(schema, result)
    if not problems:
        return Delivered(result)
    if schema == TEXT:
        return Delivered({"text": text})
    return Unfit(
        tuple(f"{'.'.join(map(str, ('result', *place)))}: {what}" for place, what in problems)[
            :SHOWN
        ]
    )


def _request(found: Json) -> Asked | Unfit:
    fits = (
        isinstance(found, dict)
        and {"capability", "args"} <= found.keys() <= {"capability", "args", "why"}
        and isinstance(found["capability"], str)
        and isinstance(found["args"], dict)
    )
    if not fits:
        return Unfit(('request: it must be {"capability": "…", "args": {…}, "why": "…"}',))
    assert isinstance(found, dict)
    args = found["args"]
    assert isinstance(args, dict)
    if (problem := value.problem_of(args)) is not None:
        return Unfit((f"request.args: they hold something that is {problem}",))
    return Asked(str(found["capability"]), args, str(found.get("why") or ""))
