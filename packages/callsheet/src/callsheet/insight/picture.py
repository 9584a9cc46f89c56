"""A picture of lineage: artifacts and calls from left to right, as SVG.

Layered: every link points to the right, and has a lane of its own where it passes a column. Within
a column, each box stands near the boxes that it is linked to.
"""

from __future__ import annotations

from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from callsheet.core.plan.artifact import Artifact
    from callsheet.insight.lineage import LineageCall, LineageGraph

WIDTH, HEIGHT = 216, 58
ACROSS, DOWN = 64, 18
"""Room between columns, and between the boxes of one."""
MARGIN = 28
LANE = 10
"""Room for a link that passes a column."""
_LANE = "lane "
SWEEPS = 8
_LONGEST = 27
"""Characters that fit into a box."""
_FOLD = 14
_STEP = 1000

_STYLE = """
text{font-family:ui-sans-serif,system-ui,'Segoe UI',Helvetica,Arial,sans-serif;font-size:11px}
.title{font-size:13px;font-weight:600}
.link{fill:none;stroke:#94a3b8;stroke-width:1.5}
.artifact{fill:#fff7ed;stroke:#ea9a3e}.fold{fill:#fde3c3;stroke:#ea9a3e}
.root{fill:#fed7aa;stroke:#c2570c;stroke-width:2}
.call{fill:#eff6ff;stroke:#5b8def}.taken{fill:#f8fafc;stroke:#94a3b8;stroke-dasharray:4 3}
.t{fill:#1e293b}.s{fill:#64748b}
"""
_HEAD = (
    '<marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
    'orient="auto"><path d="M0 0 8 4 0 8z" fill="#94a3b8"/></marker>'
)


class Box(msgspec.Struct, frozen=True):
    """What is drawn of an artifact or a call."""

    id: str
    kind: str
    title: str
    lines: tuple[str, str]


def picture_of(graph: LineageGraph) -> str:
    """The graph as an SVG document."""
    boxes = _boxes_of(graph)
    arrows = [
        (link.call, link.artifact) if link.role == "produced" else (link.artifact, link.call)
        for link in graph.links
    ]
    columns = _columns_of(list(boxes), arrows)
    chains = _led_through(columns, arrows)
    _order(columns, [pair for chain in chains for pair in pairwise(chain)])
    tall = [sum(_height(name) + DOWN for name in column) - DOWN for column in columns]
    place: dict[str, tuple[int, float]] = {}
    for number, column in enumerate(columns):
        top = MARGIN + (max(tall) - tall[number]) / 2
        for name in column:
            place[name] = (MARGIN + number * (WIDTH + ACROSS), top)
            top += _height(name) + DOWN
    width = 2 * MARGIN + max(len(columns), 1) * (WIDTH + ACROSS) - ACROSS
    height = 2 * MARGIN + max(tall, default=0)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {_size(width, height)}>',
            f"<title>Lineage: {len(graph.artifacts)} artifacts, {len(graph.calls)} calls</title>",
            f"<style>{_STYLE}</style>",
            f"<defs>{_HEAD}</defs>",
            f'<rect width="{width}" height="{height:g}" rx="10" fill="#ffffff"/>',
            *(_arrow(chain, place) for chain in chains),
            *(_drawn(box, *place[name]) for name, box in boxes.items()),
            "</svg>\n",
        ]
    )


def _size(width: int, height: float) -> str:
    return f'viewBox="0 0 {width} {height:g}" width="{width}" height="{height:g}"'


def _boxes_of(graph: LineageGraph) -> dict[str, Box]:
    found = {each.digest: _artifact_box(each, graph.roots) for each in graph.artifacts}
    return found | {call.id: _call_box(call) for call in graph.calls}


def _artifact_box(artifact: Artifact, roots: Sequence[str]) -> Box:
    is_root = len(roots) == 1 and artifact.digest in roots
    size = f", {_bytes(artifact.size)}" if artifact.size else ""
    return Box(
        artifact.digest,
        "root" if is_root else "artifact",
        artifact.name or artifact.digest[:12],
        (f"{artifact.media_type.partition(';')[0]}{size}", artifact.digest[:12]),
    )


def _call_box(call: LineageCall) -> Box:
    version = f" v{call.version}" if call.version else ""
    who = {
        "call": f"{call.tool}{version}, attempt {call.attempt}",
        "child": "a sub-plan",
        "cached": "from the cache",
        "copied": "copied by a fork",
        "inputs": "given as an input",
        "output": "kept as the output",
    }[call.how]
    kind = "call" if call.how == "call" else "taken"
    return Box(call.id, kind, call.step or call.plan, (who, f"{call.plan}, {call.run[-8:]}"))


def _bytes(size: int) -> str:
    """How many bytes, for a person."""
    amount, unit = float(size), "B"
    for larger in ("kB", "MB", "GB", "TB"):
        if amount < _STEP:
            break
        amount, unit = amount / _STEP, larger
    return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"


def _columns_of(names: Sequence[str], arrows: Sequence[tuple[str, str]]) -> list[list[str]]:
    """Each name in a column to the right of all that points to it; a circle is cut open."""
    before: dict[str, list[str]] = {name: [] for name in names}
    for source, target in arrows:
        before[target].append(source)
    column: dict[str, int] = {}
    open_now: set[str] = set()
    for name in names:
        todo = [name]
        while todo:
            top = todo[-1]
            open_now.add(top)
            waiting = [x for x in before[top] if x not in column and x not in open_now]
            if waiting and top not in column:
                todo.append(waiting[0])
                continue
            todo.pop()
            open_now.discard(top)
            column[top] = max((column[x] + 1 for x in before[top] if x in column), default=0)
    columns: list[list[str]] = [[] for _ in range(max(column.values(), default=-1) + 1)]
    for name in names:
        columns[column[name]].append(name)
    return [each for each in columns if each]


def _led_through(
    columns: list[list[str]], arrows: Sequence[tuple[str, str]]
) -> list[tuple[str, ...]]:
    """Each arrow with its places in the columns that it passes: there it has a lane of its own."""
    column = {name: number for number, names in enumerate(columns) for name in names}
    chains = []
    for source, target in arrows:
        lanes = []
        for number in range(column[source] + 1, column[target]):
            lanes.append(f"{_LANE}{source}>{target}@{number}")
            columns[number].append(lanes[-1])
        chains.append((source, *lanes, target))
    return chains


def _height(name: str) -> int:
    return LANE if name.startswith(_LANE) else HEIGHT


def _order(columns: list[list[str]], arrows: Sequence[tuple[str, str]]) -> None:
    """Have few links cross: within its column, each box goes near those it is linked to."""
    near: dict[str, list[str]] = {name: [] for column in columns for name in column}
    for source, target in arrows:
        near[source].append(target)
        near[target].append(source)
    for sweep in range(SWEEPS):
        for column in columns if sweep % 2 == 0 else reversed(columns):
            row = _rows_of(columns)
            column.sort(key=lambda name: (_mean([row[other] for other in near[name]]), name))


def _rows_of(columns: list[list[str]]) -> Mapping[str, float]:
    """How far down each stands, from -1 to 1, as columns are centred."""
    return {
        name: (number - (len(column) - 1) / 2)
        for column in columns
        for number, name in enumerate(column)
    }


def _mean(rows: Sequence[float]) -> float:
    return sum(rows) / len(rows) if rows else 0.0


def _arrow(chain: Sequence[str], place: Mapping[str, tuple[int, float]]) -> str:
    first, *rest = chain
    x, y = place[first][0] + WIDTH, place[first][1] + HEIGHT / 2
    path = f"M{x} {y:g}"
    for name in rest:
        end, down = place[name][0], place[name][1] + _height(name) / 2
        bend = max((end - x) / 2, ACROSS / 2)
        path += f"C{x + bend:g} {y:g} {end - bend:g} {down:g} {end} {down:g}"
        x, y = end + WIDTH, down
        path += f"H{x}" if name.startswith(_LANE) else ""
    return f'<path class="link" d="{path}" marker-end="url(#arrow)"/>'


def _drawn(box: Box, x: int, y: float) -> str:
    if box.kind in {"artifact", "root"}:
        right, corner = x + WIDTH, x + WIDTH - _FOLD
        sheet = f"M{x} {y:g}H{corner}L{right} {y + _FOLD:g}V{y + HEIGHT:g}H{x}z"
        fold = f"M{corner} {y:g}V{y + _FOLD:g}H{right}"
        shape = f'<path class="{box.kind}" d="{sheet}"/><path class="fold" d="{fold}"/>'
    else:
        size = f'width="{WIDTH}" height="{HEIGHT}" rx="12"'
        shape = f'<rect class="{box.kind}" x="{x}" y="{y:g}" {size}/>'
    said = zip((20, 36, 50), ("title t", "t", "s"), (box.title, *box.lines), strict=True)
    texts = (
        f'<text class="{look}" x="{x + 12}" y="{y + down:g}">{_said(_short(text))}</text>'
        for down, look, text in said
    )
    return f"<g><title>{_said(box.title)} ({_said(box.id)})</title>{shape}{''.join(texts)}</g>"


def _said(text: str) -> str:
    """Text as XML can hold it, which is not every character."""
    return escape("".join(each if each.isprintable() else " " for each in text))


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
