"""Amounts, accounts and statements on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from callsheet.cli.show.lists import when

if TYPE_CHECKING:
    from collections.abc import Iterable

    from callsheet import Cost
    from callsheet.types import Account, Statement

_CURRENCIES = (("usd", "USD"), ("credits", "credits"), ("tokens", "tokens"))
_SIGNS = {"grant": "+", "reserve": "-", "charge": "", "refund": "+"}
"""What a line does to what is available."""


def amount(cost: Cost) -> str:
    """An amount for people: `2.5 USD, 100 tokens`."""
    parts = [
        f"{_number(getattr(cost, field))} {unit}"
        for field, unit in _CURRENCIES
        if getattr(cost, field)
    ]
    return ", ".join(parts) or "nothing"


def _number(value: float) -> str:
    return f"{value:.9f}".rstrip("0").rstrip(".")


def _table(*heads: str) -> Table:
    table = Table.grid(*heads, padding=(0, 2, 0, 0))
    for column in table.columns:
        column.no_wrap, column.overflow = True, "ellipsis"
    table.add_row(*(Text(head, "dim") for head in heads))
    return table


def accounts_table(accounts: Iterable[Account]) -> Table:
    """Accounts, one per row."""
    table = _table("tenant", "granted", "available", "reserved", "spent")
    for each in accounts:
        parts = (each.granted, each.available, each.reserved, each.spent)
        is_short = any(getattr(each.available, field) < 0 for field, _ in _CURRENCIES)
        cells = [Text(amount(part)) for part in parts]
        cells[1].stylize("red" if is_short else "green")
        table.add_row(Text(each.tenant, "bold"), *cells)
    return table


def statement_table(statement: Statement) -> Table:
    """An account, line by line."""
    table = _table("at", "line", "amount", "available", "run", "what")
    opening = amount(statement.opening.available)
    table.add_row(when(statement.since), "opening", "", Text(opening), "", "")
    for line in statement.postings:
        sign = _SIGNS[line.kind]
        table.add_row(
            Text(when(line.at), "dim"),
            Text(line.kind),
            Text(f"{sign}{amount(line.amount)}", "red" if sign == "-" else ""),
            "",
            Text(line.run or "", "dim"),
            Text(line.note, "dim"),
        )
    closing = amount(statement.closing.available)
    table.add_row(when(statement.until), "closing", "", Text(closing, "bold"), "", "")
    return table
