"""The tree of a JMESPath expression, and what it reaches for.

JMESPath has no way back to the start: a name inside a filter or a projection belongs to the element
at hand. So it can be said without evaluating which steps and inputs an expression needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, cast

import msgspec
from jmespath.functions import Functions

from callsheet.core.problem import did_you_mean, show
from callsheet.core.refs.traps import (
    ROOTS,
    Fault,
    name_taken_for_value,
    quoted_name,
    unknown_root,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from callsheet.core.value import Json

Path: TypeAlias = tuple[str | int, ...]

MAX_NESTING = 50
NAMING_STEPS = frozenset({"steps", "outcomes"})
"""The roots behind which the id of a step stands."""

_CHAINS = frozenset({"subexpression", "index_expression"})
# The first child goes on with the chain; the others work on each element of what it gave.
_PROJECTIONS = frozenset({"projection", "value_projection", "filter_projection"})
_NAMES = frozenset({"field", "index"})
_TEXTS = frozenset({("join", 0), ("contains", 1), ("starts_with", 1), ("ends_with", 1)})
"""Arguments that are nearly always a text of the plan's own."""
_NOWHERE = frozenset({"current", "identity"})


class Node(msgspec.Struct, frozen=True):
    """A node of the tree; `value` is a name, a position or a literal, depending on the kind."""

    kind: str
    value: object
    children: tuple[Node, ...]


def node_of(tree: Mapping[str, object], depth: int = 0) -> Node:
    """JMESPath's own tree as nodes.

    Raises:
        RecursionError: it is nested more than `MAX_NESTING` levels deep.
    """
    if depth > MAX_NESTING:
        raise RecursionError
    children = cast("Sequence[object]", tree["children"])
    return Node(
        str(tree["type"]),
        tree.get("value"),
        tuple(node_of(child, depth + 1) for child in children if isinstance(child, dict)),
    )


def path_of(node: Node) -> Path | None:
    """The way that an expression is, if it is nothing but names and positions."""
    links = _links(node)
    if links[0].kind != "field" or not all(link.kind in _NAMES for link in links):
        return None
    return tuple(cast("str | int", link.value) for link in links)


def _links(node: Node) -> list[Node]:
    """`a.b[0].c` as a flat list: the parser nests what stands around a bracket, on either side."""
    if node.kind in _CHAINS:
        return [link for child in node.children for link in _links(child)]
    if node.kind in _PROJECTIONS:
        return [*_links(node.children[0]), Node("elements", None, node.children[1:])]
    return [node]


class Findings:
    """What an expression reaches for, and what is wrong with it."""

    __slots__ = ("_text", "compared", "faults", "paths", "traps")

    def __init__(self, text: str) -> None:
        self._text = text
        self.paths: list[Path] = []
        self.compared: list[tuple[Path, Json]] = []
        self.faults: list[Fault] = []
        self.traps: list[Fault] = []

    def visit(self, node: Node, *, at_root: bool, compared: bool = False) -> None:
        """Collect from a part of the tree that starts at the root or at some element."""
        if node.kind in _CHAINS or node.kind in _PROJECTIONS or node.kind == "field":
            self._visit_chain(_links(node), at_root=at_root, compared=compared)
        elif node.kind in _NOWHERE and at_root:
            names = "inputs.<name> or steps.<id>"
            self.faults.append(Fault("a reference starts with a name", f"Write {names}."))
        elif node.kind == "function_expression":
            self._visit_function(node, at_root=at_root)
        elif node.kind == "expref":
            self.faults.append(
                Fault("`&` stands only before an argument of a function like sort_by")
            )
        else:
            if node.kind == "comparator" and at_root:
                self._compare(*node.children)
            for index, child in enumerate(node.children):
                # What stands behind a pipe works on what came through it.
                here = at_root and (index == 0 or node.kind != "pipe")
                self.visit(child, at_root=here, compared=node.kind == "comparator")

    def _compare(self, first: Node, second: Node) -> None:
        for side, other in ((first, second), (second, first)):
            path = path_of(side) if other.kind == "literal" else None
            if path is not None:
                self.compared.append((path, cast("Json", other.value)))

    def follow(self, path: Path, *, compared: bool = False) -> None:
        """Note a way that starts at the root."""
        if path[0] not in ROOTS:
            self.faults.append(unknown_root(str(path[0]), self._text, compared=compared))
        elif path[0] in NAMING_STEPS and not (len(path) > 1 and isinstance(path[1], str)):
            root = path[0]
            self.faults.append(
                Fault("a reference names its step", f"Write {root}.<id>, or {root}.<id>.<field>.")
            )
        elif path[0] == "secrets" and not _names_secret(path):
            self.faults.append(Fault("a secret is one text with a name", "Write secrets.<NAME>."))
        else:
            self.paths.append(path)

    def _visit_chain(self, links: list[Node], *, at_root: bool, compared: bool) -> None:
        if links[0].kind == "not_expression" and links[1:]:
            # JMESPath reads `!a.b` as `(!a).b`, which is null whatever a is.
            self.faults.append(
                Fault("`!` takes only the next name", "Write !(steps.<id>.<field>).")
            )
            return
        known = 0
        while known < len(links) and links[known].kind in _NAMES:
            known += 1
        path = tuple(cast("str | int", link.value) for link in links[:known])
        if path and at_root:
            self.follow(path, compared=compared)
        elif path:
            self._look_for_traps(path, compared=compared)
        for index, link in enumerate(links[known:], start=known):
            self.visit(link, at_root=at_root and index == 0)

    def _look_for_traps(self, path: Path, *, compared: bool) -> None:
        if not compared:
            return
        trap = name_taken_for_value(str(path[0]), self._text) if len(path) == 1 else None
        if trap:
            self.traps.append(trap)
        elif path[0] in {"inputs", *NAMING_STEPS} and len(path) > 1:
            what = f"inside brackets, `{path[0]}` is a field of the element, not of the run"
            self.traps.append(Fault(what, "Let an earlier step or the tool do the comparison."))

    def _visit_function(self, node: Node, *, at_root: bool) -> None:
        name = str(node.value)
        table = Functions.FUNCTION_TABLE
        if name not in table:
            fix = did_you_mean(name, table) or f"There are {', '.join(sorted(table))}."
            self.faults.append(Fault(f"there is no function {show(name)}", fix))
            return
        signature = table[name]["signature"]
        given, taken = len(node.children), len(signature)
        if given < taken or (given > taken and not signature[-1].get("variadic")):
            count = f"{taken} argument{'' if taken == 1 else 's'}"
            self.faults.append(Fault(f"{name}() takes {count}, not {given}"))
        for index, child in enumerate(node.children):
            expected = signature[min(index, taken - 1)]["types"]
            if child.kind == "expref" and "expref" in expected:
                self.visit(child.children[0], at_root=False)
            elif child.kind == "field" and (name, index) in _TEXTS:
                fault = quoted_name(str(child.value), self._text)
                if fault is not None:
                    self.faults.append(fault)
                else:
                    self.visit(child, at_root=at_root)
            else:
                self.visit(child, at_root=at_root)


def _names_secret(path: Path) -> bool:
    return isinstance(path[-1], str) and len(path[1:]) == 1
