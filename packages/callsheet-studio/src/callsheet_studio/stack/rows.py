"""Rows of the studio's tables: a stack becomes rows, and rows become a stack.

A row says since which day its fact is known (`as_of`) and which import brought it (`number`). What
is true on a day is, of all rows that were known by then, the one that was imported last. All of it
is called with a connection; importing this module imports SQLAlchemy.
"""

from __future__ import annotations

import json
from datetime import date
from typing import TYPE_CHECKING, Any, cast

from sqlalchemy import func, insert, select

from callsheet.errors import InputError
from callsheet_studio import schema
from callsheet_studio.model.stack import Stack
from callsheet_studio.stack.changes import Change, Changes, changes_between
from callsheet_studio.stack.queries import known_since

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Connection, Table

    from callsheet_studio.model.stack import Offer, StackTool

NANO = 1_000_000_000

_Row = dict[str, Any]


# Writing


def replace(connection: Connection, stack: Stack) -> Changes:
    """Make a stack the one that is true; what differs is recorded."""
    last = newest(connection)
    before = load(connection, None) if last is not None else None
    if before == stack:
        return Changes(number=None, changes=())
    number = (last or 0) + 1
    found = changes_between(before, stack)
    _add(connection, schema.imports, [_import_row(stack, number)])
    known = {source.id: source for source in before.sources} if before else {}
    _add(
        connection,
        schema.sources,
        [
            {"id": s.id, "number": number, "as_of": str(s.as_of), "body": s.model_dump_json()}
            for s in stack.sources
            if known.get(s.id) != s
        ],
    )
    _add_tools(connection, before, stack, number)
    _add_offers(connection, before, stack, number)
    _add(
        connection,
        schema.changes,
        [_change_row(change, number, place) for place, change in enumerate(found)],
    )
    return Changes(number=number, changes=found)


def _add(connection: Connection, table: Table, rows: list[_Row]) -> None:
    if rows:
        connection.execute(insert(table), rows)


def _import_row(stack: Stack, number: int) -> _Row:
    body = {
        "latency_prior": stack.latency_prior.model_dump(mode="json"),
        "sources": [source.id for source in stack.sources],
        "tools": {tool.id: [offer.id for offer in tool.offers] for tool in stack.tools},
    }
    return {"number": number, "as_of": str(stack.as_of), "body": json.dumps(body)}


def _add_tools(connection: Connection, before: Stack | None, stack: Stack, number: int) -> None:
    known = {tool.id: tool for tool in before.tools} if before else {}
    rows, measured = [], []
    for tool in stack.tools:
        old = known.pop(tool.id, None)
        if old is not None and _without_offers(old) == _without_offers(tool):
            continue
        rows.append(_tool_row(tool, number, known_since(tool) if old is None else tool.as_of))
        measured += [
            {
                "tool": tool.id,
                "number": number,
                "place": place,
                "as_of": str(each.as_of),
                "board": each.board,
                "score": each.score,
                "source": each.source,
                "body": each.model_dump_json(),
            }
            for place, each in enumerate(tool.benchmarks)
        ]
    rows += [{**_tool_row(tool, number, stack.as_of), "body": None} for tool in known.values()]
    _add(connection, schema.tools, rows)
    _add(connection, schema.benchmarks, measured)


def _without_offers(tool: StackTool) -> StackTool:
    return tool.model_copy(update={"offers": ()})


def _tool_row(tool: StackTool, number: int, since: date) -> _Row:
    return {
        "id": tool.id,
        "number": number,
        "as_of": str(since),
        "name": tool.name,
        "vendor": tool.vendor,
        "category": tool.category,
        "status": tool.status,
        "retires": str(tool.retires) if tool.retires else None,
        "body": tool.model_dump_json(exclude={"offers", "benchmarks"}),
    }


def _add_offers(connection: Connection, before: Stack | None, stack: Stack, number: int) -> None:
    known = _offers(before) if before else {}
    rows = [
        _offer_row(offer, tool, number, offer.as_of)
        for tool, offer in _offers(stack).values()
        if known.get(offer.id) != (tool, offer)
    ]
    gone = [known[name] for name in known if name not in _offers(stack)]
    rows += [{**_offer_row(offer, tool, number, stack.as_of), "body": None} for tool, offer in gone]
    _add(connection, schema.offers, rows)


def _offers(stack: Stack) -> Mapping[str, tuple[str, Offer]]:
    return {offer.id: (tool.id, offer) for tool in stack.tools for offer in tool.offers}


def _offer_row(offer: Offer, tool: str, number: int, since: date) -> _Row:
    return {
        "id": offer.id,
        "number": number,
        "tool": tool,
        "as_of": str(since),
        "provider": offer.provider,
        "unit": offer.unit,
        "nano_usd": round(offer.usd * NANO),
        "resolution": offer.resolution,
        "until": str(offer.until) if offer.until else None,
        "source": offer.source,
        "body": offer.model_dump_json(),
    }


def _change_row(change: Change, number: int, place: int) -> _Row:
    return {
        "number": number,
        "place": place,
        "kind": change.kind,
        "tool": change.tool,
        "offer": change.offer,
        "before": None if change.before is None else json.dumps(change.before),
        "after": None if change.after is None else json.dumps(change.after),
        "source": change.source,
        "as_of": str(change.as_of),
    }


# Reading


def newest(connection: Connection) -> int | None:
    """The number of the last import; None: there was none."""
    found: int | None = connection.scalar(select(func.max(schema.imports.c.number)))
    return found


def load(connection: Connection, as_of: date | None) -> Stack:
    """The stack as it was imported last, or as it was known on a day.

    Raises:
        InputError: nothing was imported, or nothing was known on that day.
    """
    number = newest(connection)
    if number is None:
        raise InputError("No tool stack was imported here. `callsheet stack import FILE` does it.")
    query = select(schema.imports).where(schema.imports.c.number == number)
    last = connection.execute(query).mappings().one()
    order = json.loads(last["body"])
    tools = _known(connection, schema.tools, as_of)
    offers = _by_tool(_known(connection, schema.offers, as_of), order["tools"])
    measured = _benchmarks(connection, as_of)
    sources = _known(connection, schema.sources, None)
    if as_of is None:
        sources = {name: sources[name] for name in order["sources"]}
    data = {
        "as_of": str(as_of) if as_of else last["as_of"],
        "latency_prior": order["latency_prior"],
        "sources": [json.loads(row["body"]) for row in _in_order(sources, order["sources"])],
        "tools": [
            {
                **json.loads(row["body"]),
                "offers": offers.get(row["id"], []),
                "benchmarks": measured.get((row["id"], row["number"]), []),
            }
            for row in _in_order(tools, list(order["tools"]))
        ],
    }
    if not data["tools"]:
        raise InputError(f"Nothing was known of any stack tool on {as_of}. Name a later day.")
    return Stack.model_validate_json(json.dumps(data))


def _known(connection: Connection, table: Table, as_of: date | None) -> dict[str, _Row]:
    """By id, what was known on a day: the row imported last, unless it says that it is gone."""
    query = select(table).order_by(table.c.id, table.c.number)
    if as_of is not None:
        query = query.where(table.c.as_of <= str(as_of))
    found = {row["id"]: dict(row) for row in connection.execute(query).mappings()}
    return {name: row for name, row in found.items() if row["body"] is not None}


def _in_order(rows: Mapping[str, _Row], order: Sequence[str]) -> list[_Row]:
    """As in the last import; what is not in it comes behind."""
    rest = sorted(rows.keys() - set(order))
    return [rows[name] for name in (*order, *rest) if name in rows]


def _by_tool(rows: Mapping[str, _Row], order: Mapping[str, Sequence[str]]) -> dict[str, list[_Row]]:
    found: dict[str, list[_Row]] = {}
    for row in _in_order(rows, [name for names in order.values() for name in names]):
        found.setdefault(row["tool"], []).append(json.loads(row["body"]))
    return found


def _benchmarks(connection: Connection, as_of: date | None) -> dict[tuple[str, int], list[_Row]]:
    table = schema.benchmarks
    query = select(table).order_by(table.c.tool, table.c.number, table.c.place)
    if as_of is not None:
        query = query.where(table.c.as_of <= str(as_of))
    found: dict[tuple[str, int], list[_Row]] = {}
    for row in connection.execute(query).mappings():
        found.setdefault((row["tool"], row["number"]), []).append(json.loads(row["body"]))
    return found


def changes(connection: Connection, tool: str | None) -> tuple[Change, ...]:
    """What imports have changed, newest import first; of one stack tool, or of all."""
    table = schema.changes
    query = select(table).order_by(table.c.number.desc(), table.c.place)
    if tool is not None:
        query = query.where(table.c.tool == tool)
    return tuple(
        Change(
            kind=row["kind"],
            tool=row["tool"],
            offer=row["offer"],
            before=_object(row["before"]),
            after=_object(row["after"]),
            source=row["source"],
            as_of=date.fromisoformat(row["as_of"]),
        )
        for row in connection.execute(query).mappings()
    )


def _object(text: str | None) -> dict[str, object] | None:
    return None if text is None else cast("dict[str, object]", json.loads(text))
