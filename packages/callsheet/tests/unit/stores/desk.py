"""A writer on a real file, watched and slowed down as a test needs it."""

from __future__ import annotations

import asyncio
import threading
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from typing_extensions import override

from callsheet.core.index.heads import change_of
from callsheet.stores.sql.statements import Bound
from callsheet.stores.sql.transactor import PATIENCE, Transactor
from callsheet.stores.sql.writer import Writer
from callsheet.stores.sqlite import versions
from callsheet.stores.sqlite.session import Session, statements
from callsheet.testing.contracts.samples import started

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from callsheet.core.ids import RunId
    from callsheet.core.run.entries import AnyEntry


class Watched(Session):
    """A session that says where it commits, and takes as long for it as it is told."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.commits: list[int] = []
        self.clock = 0.0
        self.commit_takes = 0.0001
        self.may_commit = threading.Event()
        self.may_commit.set()
        self.waits_for_locks = threading.Event()

    @override
    def commit(self) -> None:
        assert self.may_commit.wait(5)
        self.clock += self.commit_takes
        self.commits.append(threading.get_ident())
        super().commit()

    @override
    def wait_for_locks(self, seconds: float) -> None:
        super().wait_for_locks(seconds)
        if seconds:
            self.waits_for_locks.set()

    def pragma(self, text: str) -> None:
        self.all(Bound(f"PRAGMA {text}", ()))

    def length(self, run: RunId) -> int:
        return len(self.all(statements.entries.bind(run=run, after=0, limit=10_000)))


class Desk:
    """A writer on a file of its own, and short words for what is asked of it."""

    def __init__(self, path: Path, *, patience: float) -> None:
        self.session = Watched(path)
        transactor = Transactor(self.session, statements, patience=patience, clock=self.now)
        self.writer = Writer(transactor, asyncio.get_running_loop(), clock=self.now)

    def now(self) -> float:
        return self.session.clock

    def append(self, run: RunId, *entries: AnyEntry, after: int) -> asyncio.Future[object]:
        rows = [(run, seq, "{}") for seq, _ in enumerate(entries, after + 1)]
        return self.writer.append(run, after, rows, change_of(run, entries, after=after))

    def start(self, run: RunId, *, key: str | None = None) -> asyncio.Future[object]:
        return self.append(run, started(run, key=key), after=0)


@asynccontextmanager
async def a_desk(directory: Path, *, patience: float = PATIENCE) -> AsyncIterator[Desk]:
    path = directory / "test.db"
    versions.create(path)
    desk = Desk(path, patience=patience)
    async with asyncio.timeout(10):
        yield desk
        await desk.writer.close()
    desk.session.close()
