"""Tables as CSV: for spreadsheets, and safe in them."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from callsheet_studio.documents.words import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_FORMULA = ("=", "+", "-", "@")


def as_csv(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """The table with its header.

    A cell that a spreadsheet would take for a formula is marked as text. What is not plain ASCII
    begins with a byte order mark, without which spreadsheets take it for something else.
    """
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(columns)
    writer.writerows([safe(cell) for cell in row] for row in rows)
    text = file.getvalue()
    return text.encode("ascii" if text.isascii() else "utf-8-sig")


def safe(cell: str) -> str:
    """The text on one line, so that no spreadsheet calculates with it."""
    text = one_line(cell)
    return f"'{text}" if text.startswith(_FORMULA) else text
