"""A document that has changed, written into its own text: comments and layout stay.

What stands in the text is compared with what should, place by place, and only what differs is
written anew. Whoever asks reads the result back: where that is not the document, there is none.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from textwrap import indent
from typing import TYPE_CHECKING, TypeAlias, cast

import yaml
from yaml.nodes import MappingNode, ScalarNode, SequenceNode

from callsheet.core.problem import Report
from callsheet.core.yaml.flow import flow, flow_inside
from callsheet.core.yaml.read import read_yaml
from callsheet.core.yaml.write import dump
from callsheet.errors import PlanError

if TYPE_CHECKING:
    from yaml.nodes import Node

    from callsheet.core.value import Json

Pair: TypeAlias = "tuple[ScalarNode, Node]"
SHORT = 60
"""Characters of a value that still stands on one line."""


def kept(text: str, document: Json) -> str | None:
    """The text, with this document in it; None: it cannot be done without writing it anew."""
    try:
        # The composer that is written in Python: its marks count characters.
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        if root is None:
            return None
        writer = _Writer(text)
        writer.change(root, document)
        made = writer.written()
        return made if read_yaml(made, Report()) == document else None
    except (yaml.YAMLError, PlanError, RecursionError, _GivesUp):
        return None


class _GivesUp(Exception):  # noqa: N818 -- no error: the caller writes the document anew
    """Something stands in the text in a way that is not known here."""


class _Writer:
    def __init__(self, text: str) -> None:
        self._text = text
        self._edits: list[tuple[int, int, str]] = []

    def written(self) -> str:
        """The text with all changes in it."""
        made, upto = [], 0
        for start, end, new in sorted(self._edits, key=lambda edit: edit[:2]):
            if start < upto:
                raise _GivesUp
            made += [self._text[upto:start], new]
            upto = end
        return "".join([*made, self._text[upto:]])

    def change(self, node: Node, meant: Json, *, inside: bool = False) -> None:
        """Have a node say what is meant; `inside`: it stands in `{ }` or `[ ]`."""
        if self._says(node, meant):
            return
        if isinstance(node, MappingNode) and isinstance(meant, dict) and meant:
            if node.flow_style:
                self._change_flow(node, meant, inside=inside)
            else:
                self._change_mapping(node, meant)
        elif (
            isinstance(node, SequenceNode)
            and isinstance(meant, list)
            and len(meant) == len(node.value)
        ):
            for each, wanted in zip(node.value, meant, strict=True):
                self.change(each, wanted, inside=inside or bool(node.flow_style))
        else:
            self._replace(node, meant, inside=inside)

    def _says(self, node: Node, meant: Json) -> bool:
        """Whether a part of the text, read alone, is what is meant."""
        part = self._text[_start(node) : _end(self._text, node)]
        try:
            before = "\n" + " " * _column(node) if not node_is_flow(node) else ""
            report = Report()
            # A date or a `no` without quotes is read as text, and told: it does not say it.
            return read_yaml(before + part, report) == meant and not report.failed
        except PlanError:
            return False

    # Mappings

    def _change_flow(self, node: MappingNode, meant: dict[str, Json], *, inside: bool) -> None:
        pairs = cast("list[Pair]", node.value)
        if len(pairs) == len(meant):
            for (key, value), (name, wanted) in zip(pairs, meant.items(), strict=True):
                self._name(key, name)
                self.change(value, wanted, inside=True)
        else:
            self._replace(node, meant, inside=inside)

    def _change_mapping(self, node: MappingNode, meant: dict[str, Json]) -> None:
        pairs = cast("list[Pair]", node.value)
        old, new = [str(key.value) for key, _ in pairs], list(meant)
        for _, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            self._change_part(pairs, (i, j), {name: meant[name] for name in new[k:m]})

    def _change_part(
        self, pairs: list[Pair], part: tuple[int, int], meant: dict[str, Json]
    ) -> None:
        """Fields that stand together, and what stands in their place: each beside its like."""
        left = list(meant.items())
        is_even = len(left) == part[1] - part[0]
        at = part[0]
        for number in range(*part):
            key, value = pairs[number]
            like = (
                0 if is_even else next((n for n, (_, v) in enumerate(left) if _like(value, v)), -1)
            )
            if like < 0:
                self._remove(pairs, number)
                continue
            if like:
                self._insert(pairs, number, dict(left[:like]))
            name, wanted = left[like]
            left = left[like + 1 :] if not is_even else left[1:]
            self._name(key, name)
            self.change(value, wanted)
            at = number + 1
        if left:
            self._insert(pairs, at, dict(left))

    def _name(self, key: ScalarNode, name: str) -> None:
        if key.value != name:
            self._edits.append((_start(key), _end(self._text, key), flow_inside(name)))

    def _remove(self, pairs: list[Pair], number: int) -> None:
        key, value = pairs[number]
        start = _start(key)
        line = self._text.rfind("\n", 0, start) + 1
        if not self._text[line:start].strip():
            end = self._text.find("\n", _end(self._text, value))
            self._edits.append((line, len(self._text) if end < 0 else end + 1, ""))
        elif number + 1 < len(pairs):
            # The first one of an item: the next one takes its place behind the dash.
            self._edits.append((start, _start(pairs[number + 1][0]), ""))
        else:
            raise _GivesUp

    def _insert(self, pairs: list[Pair], at: int, added: dict[str, Json]) -> None:
        space = " " * _column(pairs[0][0])
        lines = [f"{flow_inside(name)}:{_valued(each, space)}" for name, each in added.items()]
        if at == 0:
            place = _start(pairs[0][0])
            self._edits.append((place, place, "".join(f"{line}\n{space}" for line in lines)))
            return
        end = self._text.find("\n", _end(self._text, pairs[at - 1][1]))
        end = len(self._text) if end < 0 else end
        self._edits.append((end, end, "".join(f"\n{space}{line}" for line in lines)))

    def _replace(self, node: Node, meant: Json, *, inside: bool) -> None:
        start, end = _start(node), _end(self._text, node)
        back = len(self._text[:start].rstrip())
        if inside:
            self._edits.append((start, end, flow_inside(meant)))
        elif back and self._text[back - 1] == ":":
            line = self._text[self._text.rfind("\n", 0, back) + 1 : back]
            space = line[: len(line) - len(line.lstrip(" -"))].replace("-", " ")
            self._edits.append((back, end, _valued(meant, space)))
        elif isinstance(meant, (dict, list)):
            written = dump(meant).rstrip("\n").replace("\n", "\n" + " " * _column(node))
            self._edits.append((start, end, written))
        else:
            self._edits.append((start, end, flow(meant)))


def _like(node: Node, meant: Json) -> bool:
    """Whether a value is of the kind that a node is."""
    if isinstance(node, ScalarNode):
        return not isinstance(meant, (dict, list))
    return isinstance(meant, dict if isinstance(node, MappingNode) else list)


def _valued(value: Json, space: str) -> str:
    """A value behind its key: on its line if it is short, else below it."""
    short = flow(value)
    if not isinstance(value, (dict, list)) or len(short) <= SHORT:
        return f" {short}"
    return "\n" + indent(dump(value).rstrip("\n"), space + "  ")


def node_is_flow(node: Node) -> bool:
    """Whether a node stands on its line, and not in lines below."""
    return isinstance(node, ScalarNode) or bool(cast("MappingNode", node).flow_style)


def _start(node: Node) -> int:
    return int(node.start_mark.index)


def _column(node: Node) -> int:
    return int(node.start_mark.column)


def _end(text: str, node: Node) -> int:
    """Where a node ends; blank lines and comments behind it are nobody's."""
    start, end = _start(node), int(node.end_mark.index)
    if isinstance(node, ScalarNode):
        return start + len(text[start:end].rstrip())
    if node_is_flow(node):
        return end
    last = node.value[-1] if node.value else None
    inner = last[1] if isinstance(last, tuple) else last
    return _end(text, inner) if inner is not None else start + len(text[start:end].rstrip())
