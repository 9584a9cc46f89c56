"""SQLite's statements as text, kept in the package: who opens a home imports no SQLAlchemy.

`sqlite_statements.json` is written by `python -m callsheet.stores.kept`, from what `statements` and
`schema` declare; a test compares the two. Whoever changes either runs it.
"""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

from callsheet.stores.compiled import Statement

if TYPE_CHECKING:
    from callsheet.stores.statements import Statements

FILE = Path(__file__).with_name("sqlite_statements.json")


def kept() -> Statements:
    """The statements, each under its name, and the `ddl`."""
    data = json.loads(FILE.read_bytes())
    named = {
        name: Statement(one["text"], tuple(one["names"]), one["fixed"])
        for name, one in data["statements"].items()
    }
    # Their names and types are declared where they are built, and nowhere else.
    return cast("Statements", SimpleNamespace(ddl=data["ddl"], **named))


def compiled() -> dict[str, Any]:
    """What the file ought to say."""
    from sqlalchemy.dialects.sqlite import dialect

    from callsheet.stores.statements import Statements

    ours = Statements(dialect())
    named: dict[str, Statement] = {name: getattr(ours, name) for name in ours.all_names()}
    return {
        "ddl": ours.ddl,
        "statements": {
            name: {"text": one.text, "names": list(one.names), "fixed": dict(one.fixed)}
            for name, one in named.items()
        },
    }


def main() -> None:
    """Write the file anew."""
    FILE.write_text(json.dumps(compiled(), indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
