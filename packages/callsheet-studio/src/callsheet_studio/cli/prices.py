"""Stack tools, offers and changes on a terminal of any width."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

    from rich.console import RenderableType

    from callsheet_studio.model.stack import Grid, Offer, StackTool
    from callsheet_studio.stack import Change

_UNKNOWN = "?"
_FEW = 4
_GAP = 2
_NARROW = 26


class Column(msgspec.Struct, frozen=True):
    """One column of a table, from top to bottom."""

    head: str
    cells: Sequence[str]
    style: str = ""
    spare: int = 0
    """Left out when there is no room, the greatest first; 0 stays."""

    @property
    def width(self) -> int:
        """What it needs."""
        return max(len(self.head), *(len(cell) for cell in self.cells)) + _GAP


def drawn(columns: Iterable[Column], width: int) -> Table:
    """A table of what there is room for; what is empty is left out, and the last column wraps."""
    kept = [column for column in columns if any(column.cells)]
    while sum(c.width for c in kept[:-1]) + min(kept[-1].width, _NARROW) > width + _GAP:
        least = max(kept, key=lambda column: column.spare)
        if not least.spare:
            break
        kept.remove(least)
    table = Table.grid(padding=(0, _GAP, 0, 0))
    for column in kept:
        table.add_column(no_wrap=column is not kept[-1], overflow="ellipsis")
    table.add_row(*(Text(column.head, "dim") for column in kept))
    for row in zip(*(column.cells for column in kept), strict=True):
        table.add_row(*(Text(cell, c.style) for cell, c in zip(row, kept, strict=True)))
    return table


def tools_table(tools: Sequence[StackTool], today: date, width: int) -> Table:
    """Stack tools, one per row."""
    from callsheet_studio.stack import quality

    shares = [quality(tool) for tool in tools]
    return drawn(
        [
            Column("tool", [tool.id for tool in tools], "bold"),
            Column("makes", [tool.category for tool in tools], spare=4),
            Column("status", [status_of(tool, today) for tool in tools]),
            Column("clips", [lengths(tool.grid) for tool in tools], spare=1),
            Column("up to", [_finest(tool) for tool in tools], spare=3),
            Column("sound", [yes(tool.native_audio) for tool in tools], spare=5),
            Column("from", [_cheapest(tool, today) for tool in tools]),
            Column("preferred", [_UNKNOWN if s is None else f"{s:.0%}" for s in shares], spare=2),
            Column("modes", [", ".join(tool.modes) for tool in tools], "dim", spare=6),
        ],
        width,
    )


def _finest(tool: StackTool) -> str:
    return tool.resolutions[-1] if tool.resolutions else _UNKNOWN


def status_of(tool: StackTool, today: date) -> str:
    """`active`, `legacy` or `retired`, and when it ends."""
    if tool.retires is None:
        return tool.status
    if today >= tool.retires:
        return f"ended {tool.retires}"
    return f"ends {tool.retires}" if tool.status == "active" else f"legacy, ends {tool.retires}"


def lengths(grid: Grid | None) -> str:
    """The lengths that clips can have: `5, 10 s`; `2-10 s`, by whole seconds; `any 2-10 s`."""
    if grid is None:
        return _UNKNOWN
    span = f"{grid.least:g}-{grid.most:g} s"
    if not grid.lengths:
        return f"any {span}" if grid.least else f"up to {grid.most:g} s"
    if len(grid.lengths) <= _FEW:
        return ", ".join(f"{length:g}" for length in grid.lengths) + " s"
    step = grid.lengths[1] - grid.lengths[0]
    return span if step == 1 else f"{span} by {step:g}"


def price(offer: Offer) -> str:
    """What one unit costs: `$0.12 / second`."""
    return _price(offer.usd, offer.unit, offer.unit_seconds, offer.minimum_usd)


def _price(usd: Any, unit: Any, unit_seconds: Any, minimum_usd: Any) -> str:
    of = f" of {unit_seconds:g} s" if unit_seconds is not None else ""
    least = f", at least ${minimum_usd:g}" if minimum_usd else ""
    amount = f"{usd:.9f}".rstrip("0").rstrip(".")
    return f"${amount} / {unit.replace('1k_', '1k ')}{of}{least}"


def _cheapest(tool: StackTool, today: date) -> str:
    from callsheet_studio.stack import is_offered

    offers = [offer for offer in tool.offers if is_offered(offer, today)]
    return price(min(offers, key=lambda offer: offer.usd)) if offers else _UNKNOWN


def yes(value: bool | None) -> str:
    """A truth for people."""
    return _UNKNOWN if value is None else ("yes" if value else "no")


def tool_view(
    tool: StackTool, changes: Sequence[Change], today: date, width: int
) -> Iterable[RenderableType]:
    """All that is known of a stack tool."""
    head = Text(tool.id, "bold")
    head.append(f"  {tool.name} by {tool.vendor}  ", "dim")
    head.append(status_of(tool, today))
    yield head
    yield _facts(tool)
    tables = [
        offers_columns(tool.offers),
        _benchmark_columns(tool),
        _latency_columns(tool),
        change_columns(changes),
    ]
    for columns in tables:
        if columns[0].cells:
            yield Text()
            yield drawn(columns, width)


def _facts(tool: StackTool) -> Table:
    references = _UNKNOWN if tool.reference_images is None else f"up to {tool.reference_images}"
    facts = [
        ("makes", f"{tool.category}: {', '.join(tool.modes)}"),
        ("clips", lengths(tool.grid)),
        ("sizes", ", ".join(tool.resolutions) or _UNKNOWN),
        ("aspects", ", ".join(tool.aspects) or _UNKNOWN),
        ("sound", f"{yes(tool.native_audio)}; lip sync {yes(tool.lip_sync)}"),
        ("references", references),
        ("licence", tool.licence or _UNKNOWN),
        ("regions", ", ".join(each.replace("!", "not ") for each in tool.regions) or _UNKNOWN),
        ("good at", "; ".join(tool.strengths)),
        ("limits", "; ".join(tool.limits)),
        ("notes", "; ".join(tool.notes)),
        ("api", tool.api),
        ("sources", f"{', '.join(tool.sources)}, as of {tool.as_of}"),
    ]
    table = Table.grid(padding=(0, _GAP, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column()
    for name, said in facts:
        if said:
            table.add_row(Text(f"  {name}", "dim"), Text(said))
    return table


def offers_columns(offers: Sequence[Offer]) -> list[Column]:
    """Offers, one per row. The id says size and sound, too."""
    conditions = [
        ", ".join(f"{key} {value}" for key, value in offer.conditions.items()) for offer in offers
    ]
    sounds = ["" if offer.audio is None else yes(offer.audio) for offer in offers]
    return [
        Column("offer", [offer.id for offer in offers]),
        Column("price", [price(offer) for offer in offers], "bold"),
        Column("size", [offer.resolution or "" for offer in offers], spare=2),
        Column("sound", sounds, spare=3),
        Column("source", [offer.source for offer in offers], "dim"),
        Column("as of", [str(offer.as_of) for offer in offers], "dim"),
        Column("until", [str(offer.until or "") for offer in offers], "yellow"),
        Column("conditions", conditions, "dim"),
    ]


def _benchmark_columns(tool: StackTool) -> list[Column]:
    rows = tool.benchmarks
    about = [f" ± {each.interval:g}" if each.interval is not None else "" for each in rows]
    scores = [f"{each.score:g}{more}" for each, more in zip(rows, about, strict=True)]
    return [
        Column("board", [each.board for each in rows]),
        Column("score", scores, "bold"),
        Column("preferred", ["" if each.share is None else f"{each.share:.0%}" for each in rows]),
        Column("votes", ["" if each.votes is None else f"{each.votes:,}" for each in rows]),
        Column("source", [each.source for each in rows], "dim"),
        Column("as of", [str(each.as_of) for each in rows], "dim"),
    ]


def _latency_columns(tool: StackTool) -> list[Column]:
    rows = tool.latency
    return [
        Column("latency", [each.kind.replace("_", " ") for each in rows]),
        Column("least", [_seconds(each.least) for each in rows]),
        Column("typical", [_seconds(each.typical) for each in rows]),
        Column("most", [_seconds(each.most) for each in rows]),
        Column("source", [each.source for each in rows], "dim"),
        Column("as of", [str(each.as_of) for each in rows], "dim"),
    ]


def _seconds(value: float | None) -> str:
    return "" if value is None else f"{value:g} s"


def change_columns(changes: Sequence[Change]) -> list[Column]:
    """Changes, one per row."""
    return [
        Column("as of", [str(change.as_of) for change in changes], "dim"),
        Column("change", [change.kind.replace("_", " ") for change in changes]),
        Column("what", [change.offer or change.tool for change in changes], "bold"),
        Column("source", [change.source for change in changes], "dim", spare=1),
        Column("before", [_said(change.before, change.after) for change in changes], "red"),
        Column("after", [_said(change.after, change.before) for change in changes], "green"),
    ]


def _said(fields: dict[str, object] | None, other: dict[str, object] | None) -> str:
    """One side of a change: a price, a tool, or the fields that differ from the other side's."""
    if fields is None:
        return ""
    if "usd" in fields:
        return _price(**fields)
    if other is None:
        return ", ".join(str(value) for value in fields.values())
    shown = {key: value for key, value in fields.items() if other.get(key) != value}
    return ", ".join(f"{key} {value}" for key, value in shown.items())
