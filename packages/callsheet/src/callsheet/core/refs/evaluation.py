"""Evaluating expressions within bounds: a short text can ask for more than any machine has.

Counted are steps and what is built, never time: the same expression over the same values always
gives the same. Handing on a value that is there costs nothing, however large it is; to have it
twice in one result does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, cast

from jmespath.functions import Functions
from jmespath.visitor import TreeInterpreter
from typing_extensions import override

from callsheet.core import value as values
from callsheet.errors import InvalidError

if TYPE_CHECKING:
    from collections.abc import Callable

    from jmespath.visitor import _TreeNode

    from callsheet.core.value import Json

T = TypeVar("T")

MOST_STEPS = 100_000
"""Looks at a value, and values in the lists and mappings that are made on the way."""
MOST_BUILT = 1_000_000
"""Characters of what an expression builds; a number counts as a few."""
_NODE = 8
_FUNCTIONS = Functions()
_EQUALITY = ("eq", "ne")
_COMPARING = frozenset({"contains", "to_string"})


class Interpreter(TreeInterpreter):
    """One evaluation of one expression."""

    def __init__(self) -> None:
        # Not as the library's own, which makes all functions anew.
        self._dict_cls = dict
        self._functions = _FUNCTIONS
        self._steps = 0
        self._text = 0
        self._built: dict[int, object] = {}
        """Lists and mappings that were made here: kept, so that their identity is theirs."""

    def result(self, tree: _TreeNode, scope: object) -> Json:
        """The value.

        Raises:
            InvalidError: it takes too much, or what is built is too large.
        """
        found = self.visit(tree, scope)
        if id(found) in self._built:
            self._measure(found)
        return cast("Json", found)

    @override
    def visit(self, node: _TreeNode, value: object) -> object:
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise _too_much()
        return _VISITS[node["type"]](self, node, value)

    def _made(self, found: T) -> T:
        """Count a list or mapping that was made, and remember that it was."""
        if isinstance(found, (list, dict)):
            self._steps += len(found)
            if self._steps > MOST_STEPS:
                raise _too_much()
            self._built[id(found)] = found
        return found

    @override
    def visit_multi_select_list(self, node: _TreeNode, value: object) -> list[object] | None:
        return self._made(super().visit_multi_select_list(node, value))

    @override
    def visit_multi_select_dict(self, node: _TreeNode, value: object) -> object:
        found: object = super().visit_multi_select_dict(node, value)
        return self._made(found)

    @override
    def visit_projection(self, node: _TreeNode, value: object) -> list[object] | None:
        return self._made(super().visit_projection(node, value))

    @override
    def visit_filter_projection(self, node: _TreeNode, value: object) -> list[object] | None:
        return self._made(super().visit_filter_projection(node, value))

    @override
    def visit_value_projection(self, node: _TreeNode, value: object) -> list[object] | None:
        return self._made(super().visit_value_projection(node, value))

    @override
    def visit_slice(self, node: _TreeNode, value: object) -> object:
        found: object = super().visit_slice(node, value)
        return self._made(found)

    @override
    def visit_flatten(self, node: _TreeNode, value: object) -> list[object] | None:
        base = self.visit(node["children"][0], value)
        if not isinstance(base, list):
            return None
        inside = sum(len(each) for each in base if isinstance(each, list))
        if self._steps + inside + len(base) > MOST_STEPS:
            raise _too_much()
        merged: list[object] = []
        for each in base:
            if isinstance(each, list):
                merged.extend(each)
            else:
                merged.append(each)
        return self._made(merged)

    @override
    def visit_comparator(self, node: _TreeNode, value: object) -> object:
        first, second = node["children"]
        left, right = self.visit(first, value), self.visit(second, value)
        if id(left) in self._built or id(right) in self._built:
            self._measure(left)
            self._measure(right)
        name = str(node["value"])
        if name not in _EQUALITY and not (_has_order(left) and _has_order(right)):
            return None
        found: object = self.COMPARATOR_FUNC[name](left, right)
        return found

    @override
    def visit_function_expression(self, node: _TreeNode, value: object) -> object:
        name = str(node["value"])
        given = [self.visit(child, value) for child in node["children"]]
        for each in given:
            if isinstance(each, (list, dict)):
                self._steps += len(each)
                if name in _COMPARING:
                    self._measure(each, whole=name == "to_string")
        if name == "join":
            _check_join(given)
        found: object = self._functions.call_function(name, given)
        if isinstance(found, (int, float)):
            # Functions can make what JSON cannot say: to_number('nan').
            problem = values.problem_of(found)
            if problem:
                raise InvalidError(f"it gives a value that is {problem}")
        elif not any(found is each for each in given):
            self._count(found)
        return found

    def _count(self, found: object) -> None:
        """Count what a function has made."""
        if not isinstance(found, str):
            self._made(found)
            return
        self._text += len(found)
        if self._text > MOST_BUILT:
            raise _too_large()

    def _measure(self, found: object, *, whole: bool = False) -> None:
        """Refuse what would be too large when it is written down.

        Unless the `whole` of it counts, a value that was there is free the first time.
        """
        size, seen = 0, set[int]()
        ahead: list[tuple[object, int]] = [(found, 1)]
        while ahead:
            each, depth = ahead.pop()
            size += _NODE
            if isinstance(each, str):
                is_again = whole or id(each) in seen
                seen.add(id(each))
                size += len(each) if is_again else 0
            elif isinstance(each, (list, dict)):
                if depth > values.MAX_DEPTH:
                    msg = (
                        f"it gives a value that is nested more than {values.MAX_DEPTH} levels deep"
                    )
                    raise InvalidError(msg)
                is_again = whole or id(each) in self._built or id(each) in seen
                seen.add(id(each))
                if is_again:
                    inside = each.values() if isinstance(each, dict) else each
                    size += sum(map(len, each)) if isinstance(each, dict) else 0
                    if size + _NODE * len(each) > MOST_BUILT:
                        raise _too_large()
                    ahead += ((item, depth + 1) for item in inside)
            if size > MOST_BUILT:
                raise _too_large()


_VISITS: dict[object, Callable[[Interpreter, _TreeNode, object], object]] = {
    name.removeprefix("visit_"): getattr(Interpreter, name)
    for name in dir(Interpreter)
    if name.startswith("visit_")
}


def _has_order(found: object) -> bool:
    """Numbers and texts do, as JMESPath's own interpreter has it."""
    return isinstance(found, (int, float, str)) and not isinstance(found, bool)


def _check_join(given: list[object]) -> None:
    """Refuse before it is done: this is how a text grows tenfold in a few characters."""
    glue, texts = (*given, "", [])[:2]
    if isinstance(glue, str) and isinstance(texts, list):
        length = sum(len(each) for each in texts if isinstance(each, str))
        if length + len(glue) * len(texts) > MOST_BUILT:
            raise _too_large()


def _too_much() -> InvalidError:
    return InvalidError(
        f"it takes more than {MOST_STEPS:,} steps. Let a tool do this work, and refer to its output"
    )


def _too_large() -> InvalidError:
    return InvalidError(
        f"it builds more than {MOST_BUILT:,} characters. Refer to what is there, or let a tool "
        "do this work"
    )
