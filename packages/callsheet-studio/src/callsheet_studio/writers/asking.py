"""What a model is asked, what comes back, and what it is told about that."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from callsheet_studio.model.base import Data, Violation

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ROUNDS = 3
"""Answers: the first, and two after something was wrong."""
_MOST_TOLD = 40
"""Violations that go back at once."""
_LONGEST = 60_000
"""Characters of a wrong answer that are shown again."""


_FENCED = re.compile(r"\A\s*```[a-zA-Z]*\s*\n(.*?)\n?\s*```\s*\Z", re.DOTALL)


class Ask(Data):
    """A question to a model: the arguments of `model.ask`, but for the model."""

    instructions: str
    message: str
    answer: dict[str, Any]
    """The JSON Schema of what is wanted."""
    max_tokens: int

    @property
    def characters(self) -> int:
        """How much is sent, in the first round."""
        return len(self.instructions) + len(self.message) + len(json.dumps(self.answer))


class Draft(Data):
    """An answer, judged."""

    step: str
    """That has answered."""
    data: dict[str, Any] | None = None
    """What was answered; None: nothing that can be read."""
    violations: tuple[Violation, ...] = ()
    goes_back: bool = False
    """Whether the model is asked again."""
    message: str = ""
    """With what."""


def answered(outcome: Mapping[str, Any]) -> tuple[dict[str, Any] | None, list[Violation]]:
    """What an answer has to say, and what is wrong with it as such.

    Args:
        outcome: what became of the step that asked.
    """
    output = outcome.get("output")
    if not isinstance(output, dict):
        error = outcome.get("error") or {}
        said = str(error.get("message") or f"The step is {outcome.get('state')}.")
        return None, [_wrong("no-answer", said, "Nothing: it is written without a model.")]
    if not {"data", "problems"} <= output.keys():
        return _from_agent(output)
    data, told = output["data"], output["problems"]
    found = [_wrong("answer", str(each), "Write it as the schema says.") for each in told]
    return (data if isinstance(data, dict) else None), found


def _from_agent(output: dict[str, Any]) -> tuple[dict[str, Any] | None, list[Violation]]:
    """The result of an agent: data, or a text that has it."""
    if output.keys() != {"text"}:
        return output, []
    try:
        data = json.loads(_FENCED.sub(r"\1", str(output["text"])))
    except (ValueError, RecursionError) as error:
        return None, [_wrong("answer", f"It is no JSON: {error}.", "Answer with one object.")]
    if isinstance(data, dict) and data.keys() == {"result"}:
        data = data["result"]
    if not isinstance(data, dict):
        return None, [_wrong("answer", "It is JSON, but no object.", "Answer with one object.")]
    return data, []


def _wrong(rule: str, message: str, fix: str) -> Violation:
    return Violation(rule=rule, where="", message=message, fix=fix)


def judged(
    asked: str,
    step: str,
    outcome: Mapping[str, Any],
    violations: Sequence[Violation],
    *,
    last: bool,
) -> Draft:
    """A draft with what is said about it, if the model is to write it again."""
    data, _ = answered(outcome)
    is_answer = isinstance(outcome.get("output"), dict)
    goes_back = bool(violations) and is_answer and not last
    return Draft(
        step=step,
        data=data,
        violations=tuple(violations),
        goes_back=goes_back,
        message=_again(asked, data, outcome, violations) if goes_back else "",
    )


def _again(
    asked: str,
    data: Mapping[str, Any] | None,
    outcome: Mapping[str, Any],
    violations: Sequence[Violation],
) -> str:
    said = json.dumps(data, ensure_ascii=False) if data else str(outcome["output"].get("text"))
    lines = [
        f"- {each.where or 'the whole'}: {each.message} {each.fix}"
        for each in violations[:_MOST_TOLD]
    ]
    more = len(violations) - len(lines)
    lines += [f"- and {more} more"] if more > 0 else []
    return "\n\n".join(
        (
            asked,
            f"Your last answer:\n{said[:_LONGEST]}",
            "It breaks these rules. Mend exactly that, keep the rest, and answer with all of it:\n"
            + "\n".join(lines),
        )
    )


Keep = dict[str, Any]
"""Fields that are asked for; those below them, or True for all; `!` at the end: required."""


def narrowed(schema: dict[str, Any], keep: Keep) -> dict[str, Any]:
    """A schema of `callsheet schema` with those fields that are somebody's to decide."""
    defs = schema.get("$defs", {})

    def inlined(part: Any) -> Any:
        if isinstance(part, list):
            return [inlined(each) for each in part]
        if not isinstance(part, dict):
            return part
        if "$ref" in part:
            return inlined(defs[part["$ref"].rpartition("/")[2]])
        # Titles repeat the names, and a default is ours to take.
        plain = {k: v for k, v in part.items() if k not in {"title", "default", "$defs"}}
        if isinstance(part.get("properties"), dict):
            plain["properties"] = {k: inlined(v) for k, v in part["properties"].items()}
            return plain | {"additionalProperties": False}
        return {k: inlined(v) for k, v in plain.items()}

    def cut(part: dict[str, Any], wanted: Keep) -> dict[str, Any]:
        if "items" in part:
            return part | {"items": cut(part["items"], wanted)}
        named = {name.rstrip("!"): below for name, below in wanted.items()}
        kept = {
            name: part["properties"][name]
            if below is True
            else cut(part["properties"][name], below)
            for name, below in named.items()
        }
        required = [name[:-1] for name in wanted if name.endswith("!")]
        return part | {"properties": kept, "required": required}

    return cut(inlined(schema), keep)
