"""JMESPath's traps, and how to say to a person what to write instead."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import msgspec
from jmespath.exceptions import IncompleteExpressionError, LexerError, ParseError

from callsheet.core import value
from callsheet.core.problem import did_you_mean, one_of, show

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOTS = ("inputs", "steps", "outcomes", "item", "args", "output", "key", "saved", "secrets")
"""What a reference may start with; where each may stand is the checker's to say."""

_QUOTED = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`""", re.DOTALL)
_COMPARE = r"(?:==|!=|<=|>=|<|>)"
_NUMBER = r"-?\d+(?:\.\d+)?"
_NUMBER_RIGHT = re.compile(rf"({_COMPARE}\s*)({_NUMBER})(?![\w.])")
_NUMBER_LEFT = re.compile(rf"(?<![\w.\[-])({_NUMBER})(\s*{_COMPARE})")
_WORDS = ("true", "false", "null")


class Fault(msgspec.Struct, frozen=True):
    """Why an expression cannot be used, and what to write."""

    what: str
    fix: str = ""


class _Rule(msgspec.Struct, frozen=True):
    pattern: re.Pattern[str]
    what: str
    fix: str


# Tried in this order on an expression that does not parse, with quoted parts blanked out.
_RULES = (
    _Rule(re.compile(r"(?<![=!<>])=(?!=)"), "one `=` compares nothing", "Write == to compare."),
    _Rule(
        re.compile(r"\[\s*[Q\"'`]"),
        "brackets hold positions, not names",
        "Write steps.a.name for steps.a['name'] (or steps.a.\"odd-name\").",
    ),
    _Rule(
        re.compile(r"(?<!\d)\.\s*\d"),
        "a position in a list stands in brackets",
        "Write steps.a[0] for steps.a.0.",
    ),
    _Rule(
        re.compile(r"\b(?:and|or|not)\b"),
        "`and`, `or` and `not` are no operators here",
        "Write &&, || and !.",
    ),
    _Rule(
        re.compile(r"\w-|-\w"),
        "a name with a dash stands in double quotes, and a reference does not calculate",
        'Write steps.a."odd-name"; for arithmetic, use a tool.',
    ),
    _Rule(
        re.compile(r"[+/%^]|\*\s*\w|\w\s+\*"),
        "a reference picks values, it does not calculate",
        "Let a tool do the arithmetic.",
    ),
)


def explain(text: str, error: ParseError) -> Fault:
    """Why an expression does not parse, in words that help."""
    masked = _QUOTED.sub(lambda match: "Q" * len(match.group()), text)
    if _NUMBER_RIGHT.search(masked) or _NUMBER_LEFT.search(masked):
        return Fault(
            "numbers in comparisons need backticks", f"Write ${{{_with_backticks(text)}}}."
        )
    for rule in _RULES:
        if rule.pattern.search(masked):
            return Fault(rule.what, rule.fix)
    return Fault(_position(text, error), "The expression is a JMESPath: https://jmespath.org.")


def _with_backticks(text: str) -> str:
    text = _NUMBER_RIGHT.sub(r"\1`\2`", text)
    return _NUMBER_LEFT.sub(r"`\1`\2", text)


def _position(text: str, error: ParseError) -> str:
    if isinstance(error, IncompleteExpressionError) or error.lex_position >= len(text):
        return "the expression ends too early"
    if isinstance(error, LexerError):
        column, token = error.lexer_position + 1, text[error.lexer_position :][:1]
    else:
        column, token = error.lex_position + 1, str(error.token_value)
    return f"{show(token)} does not belong at column {column} of the expression"


def bad_literals(text: str) -> Iterator[Fault]:
    """Faults of the literals in backticks, which must be JSON we accept."""
    for match in _QUOTED.finditer(text):
        quoted = match.group()
        if not quoted.startswith("`"):
            continue
        inside = quoted[1:-1].replace("\\`", "`")
        try:
            problem = value.problem_of(value.decode(inside))
        except (msgspec.DecodeError, UnicodeEncodeError):
            problem = "not JSON"
        if problem:
            yield Fault(
                f"{show(inside)} in backticks is {problem}",
                "Text stands in single quotes: 'x'; backticks hold numbers, true, false and null.",
            )


def unknown_root(name: str, text: str, *, compared: bool) -> Fault:
    """Why a reference cannot start with this name."""
    trap = name_taken_for_value(name, text)
    if trap:
        return trap
    if compared:
        return Fault(
            f"`{name}` is a name here, and there is no such name",
            f"Text stands in single quotes: '{name}'.",
        )
    similar = did_you_mean(name, ROOTS)
    what = f"a reference starts with one of {one_of(ROOTS)}, not with {show(name)}"
    return Fault(what, similar or f"Write steps.{name} for a step, inputs.{name} for an input.")


def name_taken_for_value(name: str, text: str) -> Fault | None:
    """What is wrong when a name was probably meant as a value; None if nothing says so."""
    if name in _WORDS:
        return Fault(f"`{name}` is a name here, not a value", f"Write it in backticks: `{name}`.")
    return quoted_name(name, text) if name.isidentifier() else None


def quoted_name(name: str, text: str) -> Fault | None:
    """What is wrong with a name in double quotes where text is meant; None: it has none."""
    spelled = json.dumps(name, ensure_ascii=False)
    if spelled not in text and f'"{name}"' not in text:
        return None
    fix = f"Write single quotes: '{name}'."
    if not name.isprintable() or "\\" in name:
        fix = f"Write `{spelled}`, in backticks."  # only there, escapes mean something
    return Fault(f"{spelled} in double quotes is a name, not text", fix)
