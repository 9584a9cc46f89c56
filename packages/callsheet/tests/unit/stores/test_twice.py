"""What is done again after a connection that broke at its commit is done once."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from callsheet.core.index.context import ContextItem
from callsheet.core.plan.plan import Cost
from callsheet.stores.sql.context import SqlContext
from callsheet.stores.sql.ledger import SqlLedger
from callsheet.stores.sqlite import versions
from callsheet.stores.sqlite.reader import Reader
from callsheet.stores.sqlite.session import Session, statements
from callsheet.testing.contracts.samples import at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

pytestmark = pytest.mark.requirement("E11", "store:postgresql")


class Unsure:
    """A writer whose commit succeeds, and that is never told so: it does everything again."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def call(self, act: Callable[[Session], object], **_: object) -> asyncio.Future[object]:
        done: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        self._once(act)
        done.set_result(self._once(act))
        return done

    def _once(self, act: Callable[[Session], object]) -> object:
        self._session.begin()
        result = act(self._session)
        self._session.commit()
        return result


class Parts:
    """As much of `Access` as ledger and context need."""

    def __init__(self, path: Path) -> None:
        self.session = Session(path)
        self.reader = Reader(path)
        self.writer = Unsure(self.session)
        self.statements = statements


@pytest.fixture
def parts(tmp_path: Path) -> Iterator[Any]:
    versions.create(tmp_path / "test.db")
    parts = Parts(tmp_path / "test.db")
    yield parts
    parts.session.close()
    parts.reader.close()


async def test_a_grant_is_posted_once(parts: Any) -> None:
    ledger = SqlLedger(parts)
    first = await ledger.grant("acme", Cost(usd=1), at=at(1), note="May", by="ada", key="1")
    second = await ledger.grant("acme", Cost(usd=1), at=at(1), note="May", by="ada", key="2")
    assert list(await ledger.postings("acme")) == [first, second]
    account = await ledger.account("acme")
    assert account is not None
    assert account.granted == Cost(usd=2)


@pytest.mark.parametrize(("key", "after"), [("", None), ("", 0), ("call", 0)])
async def test_an_item_is_put_once(parts: Any, key: str, after: int | None) -> None:
    context = SqlContext(parts)
    item = ContextItem(scope="p", name="n", version=1, value=[1], size=3, saved_at=at(1), key=key)
    assert await context.put(item, after=after, most=100) == item
    assert await context.get("p", "n", at=at(1), version=2) is None
