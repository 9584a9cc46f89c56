"""The statements of the SQL store: read from `queries.sql` and `schema.sql`, for one database.

In these files a statement begins with its name and what it does, and ends before the next one:

    -- name: forget_run
    -- Remove a run from the index.
    DELETE FROM runs WHERE run = :run;

One that is named again as `-- name: forget_run (postgresql)` is said to that database instead.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import msgspec

if TYPE_CHECKING:
    from collections.abc import Mapping

Param: TypeAlias = str | int | None
Dialect = Literal["sqlite", "postgresql"]

_HERE = Path(__file__).parent
_NAME = re.compile(r"^-- name: (\w+)(?: \((\w+)\))?$", re.MULTILINE)
_COMMENT = re.compile(r"^--.*$", re.MULTILINE)
_PARAMETER = re.compile(r":([a-z]\w*)")
_WORD = re.compile(r"\bVARCHAR\b(?!\()")


class Bound(NamedTuple):
    """A statement with its values, ready for the driver."""

    text: str
    params: tuple[Param, ...]


class Statement(msgspec.Struct, frozen=True):
    """A statement as the driver wants it."""

    text: str
    names: tuple[str, ...]
    """Of its parameters, in the order the driver wants them."""

    def bind(self, **values: Param) -> Bound:
        """Give it its values."""
        return Bound(self.text, tuple(values[name] for name in self.names))


class Statements(msgspec.Struct, frozen=True, kw_only=True):
    """All statements, each under its name; what they do is said in `queries.sql`."""

    schema: Mapping[str, str]
    """What makes each table and each index, in order."""

    # Journals, and the index of runs
    advance: Statement
    append: Statement
    position: Statement
    since: Statement
    length: Statement
    entries: Statement
    forget_entries: Statement
    start: Statement
    end: Statement
    forget_run: Statement
    head: Statement
    find: Statement
    heads: Statement
    open_heads: Statement
    tenant_heads: Statement
    subject_heads: Statement

    # Requests
    put: Statement
    request: Statement
    pending: Statement
    requests_to: Statement
    deal_with: Statement
    settle: Statement
    forget_requests: Statement
    over: Statement
    forget_request: Statement

    # Saved plans
    save: Statement
    versions: Statement
    version: Statement
    newest: Statement
    shelf: Statement
    user_of_plan: Statement
    forget_plan: Statement

    # Lineage and cache
    use: Statement
    uses: Statement
    uses_of_tenant: Statement
    artifacts_of_tenant: Statement
    upload: Statement
    forget_upload: Statement
    uses_of_run: Statement
    forget_uses: Statement
    named: Statement
    reuse: Statement
    youngest_call: Statement
    forget_calls: Statement

    # The ledger
    open_account: Statement
    account: Statement
    account_to_change: Statement
    change_account: Statement
    accounts: Statement
    post: Statement
    postings: Statement
    hold: Statement
    held: Statement
    change_hold: Statement
    forget_hold: Statement

    # Context
    put_item: Statement
    item: Statement
    item_history: Statement
    newest_item: Statement
    newest_version: Statement
    last_version: Statement
    items: Statement
    other_bytes: Statement
    item_of_call: Statement
    expire_item: Statement
    forget_item: Statement
    forget_scope: Statement
    prune_context: Statement
    name_in_context: Statement
    forget_names: Statement

    # Drivers
    last_driver: Statement
    enter_driver: Statement
    replace_driver: Statement
    replaced_by: Statement
    process: Statement
    other_drivers: Statement
    forget_drivers: Statement
    fence: Statement
    successor: Statement
    owner: Statement
    own: Statement
    orphans: Statement
    newest_orphans: Statement

    # What lies beside the database
    places: Statement
    forget_place: Statement
    settle_place: Statement
    forget_directories: Statement
    any_artifact: Statement

    # Writes under keys
    write_of_key: Statement
    keep_write: Statement

    # Migrations
    revisions: Statement
    stamp: Statement


def statements_for(dialect: Dialect) -> Statements:
    """Everything that is said to a database.

    Raises:
        TypeError: a name is in the file and not above, or the other way round.
    """
    queries = _read("queries.sql", dialect)
    named = {name: _prepared(text, dialect) for name, text in queries.items()}
    return Statements(schema=_schema(dialect), **named)


def _schema(dialect: Dialect) -> Mapping[str, str]:
    texts = _read("schema.sql", dialect)
    if dialect == "sqlite":
        return texts
    return {
        name: _WORD.sub('VARCHAR COLLATE "C"', text).removesuffix(" WITHOUT ROWID")
        for name, text in texts.items()
    }


def _read(file: str, dialect: Dialect) -> dict[str, str]:
    """The statements of a file by their names, as they are written there."""
    _, *parts = _NAME.split((_HERE / file).read_text("utf-8"))
    found: dict[str, str] = {}
    for name, only, text in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        if only is None or only == dialect:
            found[name] = _COMMENT.sub("", text).strip().removesuffix(";")
    return found


def _prepared(text: str, dialect: Dialect) -> Statement:
    """With values as the driver counts them: SQLite one by one, PostgreSQL each name once."""
    names = _PARAMETER.findall(text)
    if dialect == "sqlite":
        return Statement(_PARAMETER.sub("?", text), tuple(names))
    once = list(dict.fromkeys(names))
    numbered = _PARAMETER.sub(lambda found: f"${once.index(found[1]) + 1}", text)
    return Statement(numbered, tuple(once))
