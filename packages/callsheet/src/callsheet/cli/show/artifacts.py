"""Artifacts and their lineage on a terminal: a table, and trees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from rich.filesize import decimal
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from callsheet.cli.show.lists import when
from callsheet.cli.show.table import clipped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from callsheet import Artifact
    from callsheet.types import LineageCall, LineageGraph

_SHORT = 12
"""Characters of a digest that are shown."""
_LONGEST = 32
"""Characters of a name that are shown."""
_FLEXIBLE = frozenset({"type", "written"})
"""Columns that give way when there is not enough room."""
_HOW = {
    "call": "",
    "child": "sub-plan",
    "cached": "from the cache",
    "copied": "copied by a fork",
    "inputs": "as an input",
    "output": "as the output",
}


def artifacts_table(listed: Iterable[Mapping[str, Any]]) -> Table:
    """Artifacts, one per row."""
    rows = list(listed)
    heads = ["digest", "name", "type", "size", "made by", "run"]
    heads += ["written"] if any(each["written_at"] for each in rows) else []
    table = Table.grid(padding=(0, 2, 0, 0))
    for head in heads:
        table.add_column(no_wrap=head not in _FLEXIBLE)
    table.add_row(*(Text(head, "dim") for head in heads))
    for each in rows:
        cells = [
            Text(each["digest"][:_SHORT], "yellow"),
            Text(_shortened(each["name"]), "bold"),
            clipped(each["media_type"].partition(";")[0]),
            Text(decimal(each["size"])),
            Text(each["step"] or ""),
            Text(each["run"] or "nothing refers to it", "dim"),
            clipped(when(each["written_at"]), "dim"),
        ]
        table.add_row(*cells[: len(heads)])
    return table


def _shortened(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"


def lineage_trees(graph: LineageGraph) -> Iterator[Tree]:
    """The graph as trees, each from an artifact that was asked about."""
    drawn: set[str] = set()
    artifacts = {artifact.digest: artifact for artifact in graph.artifacts}
    # Of a run, what nothing was made of: the rest hangs on those.
    ends = [digest for digest in graph.roots if not any(_makers(graph, digest, "down"))]
    roots = ends if len(graph.roots) > 1 and ends else graph.roots
    for digest in roots:
        if digest in artifacts:
            tree = Tree(_artifact(artifacts[digest]), guide_style="dim")
            _grow(tree, graph, artifacts[digest], "up", drawn)
            if len(graph.roots) == 1 or digest not in ends:
                _grow(tree, graph, artifacts[digest], "down", set())
            else:
                _name_users(tree, graph, digest)
            yield tree


def _grow(
    tree: Tree,
    graph: LineageGraph,
    artifact: Artifact,
    way: Literal["up", "down"],
    drawn: set[str],
) -> None:
    for call in _makers(graph, artifact.digest, way):
        branch = tree.add(_call(call, "made by" if way == "up" else "used by"))
        others = graph.made_from(call) if way == "up" else graph.made(call)
        if call.how != "call":
            continue
        for other in others:
            label = _artifact(other)
            if other.digest in drawn:
                branch.add(label.append("  (see above)", "dim"))
                continue
            drawn.add(other.digest)
            _grow(branch.add(label), graph, other, way, drawn)


def _name_users(tree: Tree, graph: LineageGraph, digest: str) -> None:
    for call in graph.consumers(digest):
        tree.add(_call(call, "used by"))


def _makers(
    graph: LineageGraph, digest: str, way: Literal["up", "down"]
) -> tuple[LineageCall, ...]:
    """The calls to go on with: those that made it, or those that were given it."""
    made = graph.producers(digest)
    if way == "up":
        return made or tuple(call for call in graph.consumers(digest) if call.how != "call")
    return graph.consumers(digest)


def _artifact(artifact: Artifact) -> Text:
    said = [artifact.media_type.partition(";")[0]]
    said += [decimal(artifact.size)] if artifact.size else []
    return Text.assemble(
        (artifact.name or "artifact", "bold"),
        ("  " + ", ".join(said), "dim"),
        ("  " + artifact.digest[:_SHORT], "yellow"),
    )


def _call(call: LineageCall, verb: str) -> Text:
    tool = f"{call.tool} v{call.version}" if call.tool else ""
    said = [_HOW[call.how] or tool, f"attempt {call.attempt}" if call.attempt > 1 else ""]
    said += [f"of {call.source}" if call.source else ""]
    return Text.assemble(
        (f"{verb} ", "dim"),
        (call.step or call.plan, "cyan"),
        "  " + " ".join(word for word in said if word),
        (f"  {call.plan}, {call.run}", "dim"),
    )
