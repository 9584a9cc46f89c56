"""What the parts of a SQL store share: its reader, its writer and its statements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from callsheet.stores import refusals

if TYPE_CHECKING:
    from pathlib import Path

    from callsheet.stores.reader import Reader
    from callsheet.stores.statements import Statements
    from callsheet.stores.writer import Writer


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """The way to one database."""

    home: Path
    reader: Reader
    writer: Writer
    statements: Statements
    driving: bool

    def must_drive(self) -> None:
        """Refuse what only the driver may do.

        Raises:
            StoreBusyError: this process does not drive.
        """
        if not self.driving:
            raise refusals.not_driving(self.home)
