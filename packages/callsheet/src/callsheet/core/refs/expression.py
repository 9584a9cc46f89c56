"""Expressions: the JMESPath inside `${…}`, parsed once and understood.

Says what an expression starts from, which steps and inputs it names, and how to evaluate it.
Knows nothing of templates, of nulls that are not allowed, or of plans.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol, TypeAlias, cast

import jmespath
import msgspec
from jmespath.exceptions import EmptyExpressionError, JMESPathError, ParseError

from callsheet.core.refs.evaluation import Interpreter
from callsheet.core.refs.syntax import NAMING_STEPS, Findings, Path, node_of, path_of
from callsheet.core.refs.traps import ROOTS, Fault, bad_literals, explain
from callsheet.core.value import Json
from callsheet.errors import InvalidError

if TYPE_CHECKING:
    from jmespath.parser import ParsedResult

Scope: TypeAlias = Mapping[str, Json]
"""What an expression is evaluated over: `{"inputs": …, "steps": {id: output}, …}`."""

Evaluate: TypeAlias = Callable[[Scope], Json]

MAX_LENGTH = 4_096

_CACHED = 4_096
_PLAIN_PATH = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\Z", re.ASCII)
_NONE: frozenset[str] = frozenset()
_ONE_ROOT = {root: frozenset({root}) for root in ROOTS}
_EMPTY: tuple[Json, ...] = ("", [], {})


class _Nested(Protocol):
    def __getitem__(self, name: str, /) -> _Nested: ...


# Not tracked by the collector: a plan has thousands of them, and none is part of a cycle.
class Expression(msgspec.Struct, gc=False, frozen=True, kw_only=True):
    """A parsed expression."""

    text: str
    roots: frozenset[str]
    steps: frozenset[str]
    """The ids of those whose output it needs."""
    outcomes: frozenset[str]
    """The ids of those of which it needs to know what became of them."""
    inputs: frozenset[str]
    paths: tuple[Path, ...]
    """Every way it goes from a root, as far as it consists of names and positions."""
    path: Path | None
    """The expression is nothing but this way."""
    compared: tuple[tuple[Path, Json], ...] = ()
    """Every way from a root that is compared with a literal, and that."""
    has_default: bool
    """It ends in `|| …`, so it says itself what stands for a null."""
    traps: tuple[Fault, ...]
    """What is valid but was probably meant otherwise."""
    evaluate: Evaluate
    """Its value; None for what is not there, `InvalidError` for what a function cannot work on."""


@lru_cache(maxsize=_CACHED)
def parse(text: str) -> Expression | tuple[Fault, ...]:
    """Understand an expression, or say everything that is wrong with it."""
    if _PLAIN_PATH.match(text):
        # Most references are plain paths; parsing them in full would be most of a plan's check.
        return _plain(text, tuple(text.split(".")))
    literals = tuple(bad_literals(text))
    if literals or len(text) > MAX_LENGTH:
        return literals or (Fault(f"the expression is longer than {MAX_LENGTH} characters"),)
    try:
        return _parse_in_full(text)
    except EmptyExpressionError:
        return (Fault("the reference is empty", "Write ${steps.<id>} or ${inputs.<name>}."),)
    except ParseError as error:
        return (explain(text, error),)
    except RecursionError:
        return (Fault("the expression is nested too deeply", "Let a tool do the work."),)


def _plain(text: str, names: tuple[str, ...]) -> Expression | tuple[Fault, ...]:
    root, rest = names[0], names[1:]
    if root not in ROOTS or root == "secrets" or (root in NAMING_STEPS and not rest):
        return _understood(text, path=names, evaluate=_walk(names))
    return Expression(
        text=text,
        roots=_ONE_ROOT[root],
        steps=frozenset(rest[:1]) if root == "steps" else _NONE,
        outcomes=frozenset(rest[:1]) if root == "outcomes" else _NONE,
        inputs=frozenset(rest[:1]) if root == "inputs" else _NONE,
        paths=(names,),
        path=names,
        has_default=False,
        traps=(),
        evaluate=_walk(names),
    )


def _parse_in_full(text: str) -> Expression | tuple[Fault, ...]:
    parsed = jmespath.compile(text)
    node = node_of(cast("Mapping[str, object]", parsed.parsed))
    path = path_of(node)
    if path is None:
        findings = Findings(text)
        findings.visit(node, at_root=True)
        has_default = node.kind == "or_expression"
        return _understood(
            text, findings=findings, evaluate=_search(parsed), has_default=has_default
        )
    names = tuple(part for part in path if isinstance(part, str))
    evaluate = _walk(names) if len(names) == len(path) else _search(parsed)
    return _understood(text, path=path, evaluate=evaluate)


def _understood(
    text: str,
    *,
    evaluate: Evaluate,
    path: Path | None = None,
    findings: Findings | None = None,
    has_default: bool = False,
) -> Expression | tuple[Fault, ...]:
    found = findings or Findings(text)
    if path is not None:
        found.follow(path)
    if path is None and any(way[0] == "secrets" for way in found.paths):
        # Whatever is worked out of a secret could be written down and read.
        found.faults.append(Fault("nothing can be made of a secret", "Write ${secrets.<NAME>}."))
    if found.faults:
        return tuple(found.faults)
    return Expression(
        text=text,
        roots=frozenset(str(way[0]) for way in found.paths),
        steps=frozenset(str(way[1]) for way in found.paths if way[0] == "steps"),
        outcomes=frozenset(str(way[1]) for way in found.paths if way[0] == "outcomes"),
        inputs=frozenset(str(way[1]) for way in found.paths if way[0] == "inputs" and way[1:]),
        paths=tuple(found.paths),
        path=path,
        compared=tuple(found.compared),
        has_default=has_default,
        traps=tuple(found.traps),
        evaluate=evaluate,
    )


def is_true(result: Json) -> bool:
    """JMESPath's truth: false, null and whatever is empty are not true; every number is."""
    return not (result is None or result is False or result in _EMPTY)


def _walk(names: tuple[str, ...]) -> Evaluate:
    def walk(scope: _Nested) -> _Nested | None:
        try:
            for name in names:
                scope = scope[name]
        except (KeyError, TypeError):
            return None
        return scope

    return cast("Evaluate", walk)


def _search(parsed: ParsedResult) -> Evaluate:
    tree = parsed.parsed

    def search(scope: Scope) -> Json:
        try:
            return Interpreter().result(tree, scope)
        except InvalidError as error:
            raise InvalidError(f"${{{parsed.expression}}}: {error.message}.") from error
        except (JMESPathError, TypeError, ValueError, ArithmeticError, RecursionError) as error:
            raise InvalidError(f"${{{parsed.expression}}} cannot be evaluated: {error}") from error

    return search
