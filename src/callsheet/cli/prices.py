"""Stack tools, offers and changes on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from rich.console import RenderableType

    from callsheet.studio.model.stack import Benchmark, Grid, Latency, Offer, StackTool
    from callsheet.studio.stack import Change

_UNKNOWN = "?"
_STATUS = {"active": "green", "legacy": "yellow", "retired": "red"}
_FLEXIBLE = frozenset({"conditions", "before", "after", "modes"})
_FEW = 4


def _table(*heads: str) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    for head in heads:
        table.add_column(no_wrap=head not in _FLEXIBLE, overflow="ellipsis")
    table.add_row(*(Text(head, "dim") for head in heads))
    return table


def tools_table(tools: Iterable[StackTool], today: date) -> Table:
    """Stack tools, one per row."""
    from callsheet.studio.stack import quality

    table = _table(
        "tool", "makes", "status", "clips", "up to", "sound", "from", "preferred", "modes"
    )
    for tool in tools:
        status = status_of(tool, today)
        share = quality(tool)
        table.add_row(
            Text(tool.id, "bold"),
            Text(tool.category),
            Text(status, _STATUS.get(status.partition(",")[0], "red")),
            Text(lengths(tool.grid)),
            Text(tool.resolutions[-1] if tool.resolutions else _UNKNOWN),
            Text(yes(tool.native_audio)),
            Text(_cheapest(tool, today)),
            Text(_UNKNOWN if share is None else f"{share:.0%}"),
            Text(", ".join(tool.modes), "dim"),
        )
    return table


def status_of(tool: StackTool, today: date) -> str:
    """`active`, `legacy` or `retired`, and when it ends."""
    if tool.retires is None:
        return tool.status
    if today >= tool.retires:
        return f"retired, {tool.retires}"
    return f"{tool.status}, ends {tool.retires}"


def lengths(grid: Grid | None) -> str:
    """The lengths that clips can have: `5 or 10 s`, `2 to 10 s`."""
    if grid is None:
        return _UNKNOWN
    if not grid.lengths:
        return f"{grid.least:g} to {grid.most:g} s" if grid.least else f"up to {grid.most:g} s"
    if len(grid.lengths) <= _FEW:
        return " or ".join(f"{length:g}" for length in grid.lengths) + " s"
    step = grid.lengths[1] - grid.lengths[0]
    return f"{grid.least:g} to {grid.most:g} s by {step:g}"


def price(offer: Offer) -> str:
    """What one unit costs: `$0.12 / second`."""
    unit = offer.unit.replace("1k_", "1k ")
    if offer.unit_seconds is not None:
        unit = f"{unit} of {offer.unit_seconds:g} s"
    least = f", at least ${offer.minimum_usd:g}" if offer.minimum_usd else ""
    return f"${offer.usd:.6f}".rstrip("0").rstrip(".") + f" / {unit}{least}"


def _cheapest(tool: StackTool, today: date) -> str:
    from callsheet.studio.stack import is_offered

    offers = [offer for offer in tool.offers if is_offered(offer, today)]
    return price(min(offers, key=lambda offer: offer.usd)) if offers else _UNKNOWN


def yes(value: bool | None) -> str:
    """A truth for people."""
    return _UNKNOWN if value is None else ("yes" if value else "no")


def tool_view(
    tool: StackTool, changes: tuple[Change, ...], today: date
) -> Iterable[RenderableType]:
    """All that is known of a stack tool."""
    status = status_of(tool, today)
    head = Text(tool.id, "bold")
    head.append(f"  {tool.name} by {tool.vendor}  ", "dim")
    head.append(status, _STATUS.get(status.partition(",")[0], "red"))
    yield head
    yield _facts(tool)
    yield Text()
    yield offers_table(tool.offers)
    if tool.benchmarks:
        yield Text()
        yield _benchmarks_table(tool.benchmarks)
    if tool.latency:
        yield Text()
        yield _latency_table(tool.latency)
    if changes:
        yield Text()
        yield changes_table(changes)


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
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column()
    for name, said in facts:
        if said:
            table.add_row(Text(f"  {name}", "dim"), Text(said))
    return table


def offers_table(offers: Iterable[Offer]) -> Table:
    """Offers, one per row."""
    table = _table("offer", "price", "size", "sound", "source", "as of", "until", "conditions")
    for offer in offers:
        said = (f"{key} {value}" for key, value in offer.conditions.items())
        table.add_row(
            Text(offer.id),
            Text(price(offer), "bold"),
            Text(offer.resolution or ""),
            Text(yes(offer.audio) if offer.audio is not None else ""),
            Text(offer.source, "dim"),
            Text(str(offer.as_of), "dim"),
            Text(str(offer.until or ""), "yellow"),
            Text(", ".join(said), "dim"),
        )
    return table


def _benchmarks_table(benchmarks: Iterable[Benchmark]) -> Table:
    table = _table("board", "score", "preferred", "votes", "source", "as of")
    for each in benchmarks:
        about = f" ± {each.interval:g}" if each.interval is not None else ""
        table.add_row(
            Text(each.board),
            Text(f"{each.score:g}{about}", "bold"),
            Text("" if each.share is None else f"{each.share:.0%}"),
            Text("" if each.votes is None else f"{each.votes:,}"),
            Text(each.source, "dim"),
            Text(str(each.as_of), "dim"),
        )
    return table


def _latency_table(latency: Iterable[Latency]) -> Table:
    table = _table("latency", "least", "typical", "most", "source", "as of")
    for each in latency:
        times = (each.least, each.typical, each.most)
        table.add_row(
            Text(each.kind.replace("_", " ")),
            *(Text("" if time is None else f"{time:g} s") for time in times),
            Text(each.source, "dim"),
            Text(str(each.as_of), "dim"),
        )
    return table


def changes_table(changes: Iterable[Change]) -> Table:
    """Changes, one per row."""
    table = _table("as of", "change", "what", "source", "before", "after")
    for change in changes:
        table.add_row(
            Text(str(change.as_of), "dim"),
            Text(change.kind.replace("_", " ")),
            Text(change.offer or change.tool, "bold"),
            Text(change.source, "dim"),
            Text(_fields(change.before, change.after), "red"),
            Text(_fields(change.after, change.before), "green"),
        )
    return table


def _fields(fields: dict[str, object] | None, other: dict[str, object] | None) -> str:
    """The fields that differ from another's, in words."""
    if fields is None:
        return ""
    shown = {key: v for key, v in fields.items() if other is None or other.get(key) != v}
    return ", ".join(f"{key} {value}" for key, value in shown.items() if value is not None)
