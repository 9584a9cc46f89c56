"""Postings are written with the entries they follow from, or not at all."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from callsheet.core.plan.plan import Cost
from callsheet.errors import StoreFullError
from callsheet.stores.sqlite.session import Session
from callsheet.stores.sqlite.store import DATABASE, SqlStore
from callsheet.testing.contracts.samples import at, ended, run_id, started, succeeded

if TYPE_CHECKING:
    from pathlib import Path

    from callsheet.core.run.entries import AnyEntry

pytestmark = pytest.mark.requirement("E11", "E14", "E16", "budget:ledger-adds-up")

RUN = run_id(1)
BEGUN = started(RUN, tenant="acme", reserves=Cost(usd=2), consumed=("a" * 64,))


async def everything(store: SqlStore) -> list[object]:
    call = await store.cache.find("k")
    return [
        len(await store.journal.read(RUN)),
        await store.ledger.account("acme"),
        len(await store.ledger.postings("acme")),
        len(await store.lineage.of_run(RUN)),
        call and call.entry.at,
    ]


@pytest.mark.parametrize(
    ("before", "failing"),
    [
        ([], [BEGUN]),
        ([BEGUN], [succeeded(1, cache_key="k"), ended(spent=Cost(usd=1))]),
    ],
    ids=["start", "end"],
)
async def test_an_append_that_is_not_durable_leaves_no_index_row(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    before: list[AnyEntry],
    failing: list[AnyEntry],
) -> None:
    store = await SqlStore.open(tmp_path)
    await store.ledger.grant("acme", Cost(usd=3), at=at(0))
    await store.journal.append(RUN, before, after=0)
    as_it_was = await everything(store)

    def full(_: Session) -> None:
        raise StoreFullError("The disk is full.")

    with monkeypatch.context() as patched:
        patched.setattr(Session, "commit", full)
        with pytest.raises(StoreFullError):
            await store.journal.append(RUN, failing, after=len(before))
    assert await everything(store) == as_it_was
    # And it is not believed to have happened either: the same append is made later, once.
    await store.journal.append(RUN, failing, after=len(before))
    await store.close()
    again = await SqlStore.open(tmp_path)
    assert (await everything(again))[0] == len(before) + len(failing)
    assert len(await again.ledger.postings("acme")) == (4 if before else 2)
    await again.close()


async def test_a_run_that_was_begun_by_another_process_is_settled_here(tmp_path: Path) -> None:
    first = await SqlStore.open(tmp_path)
    await first.ledger.grant("acme", Cost(usd=3), at=at(0))
    await first.journal.append(RUN, [BEGUN], after=0)
    await first.close()
    second = await SqlStore.open(tmp_path)
    await second.journal.append(RUN, [ended(spent=Cost(usd=1))], after=1)
    account = await second.ledger.account("acme")
    assert account is not None
    assert (account.available, account.reserved, account.spent) == (
        Cost(usd=2),
        Cost(),
        Cost(usd=1),
    )
    await second.close()


async def test_a_deleted_run_leaves_its_postings_and_nothing_else(tmp_path: Path) -> None:
    store = await SqlStore.open(tmp_path)
    await store.ledger.grant("acme", Cost(usd=3), at=at(0))
    call, end = succeeded(1, cache_key="k"), ended(spent=Cost(usd=1))
    await store.journal.append(RUN, [BEGUN, call, end], after=0)
    await store.journal.delete(RUN)
    await store.close()
    db = sqlite3.connect(tmp_path / DATABASE)
    tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    rows = {name: db.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in tables}
    db.close()
    left = {name: count for name, count in rows.items() if count}
    assert left == {
        "accounts": 1,
        "postings": 4,
        "drivers": 1,
        "positions": 1,
        "alembic_version": 1,
    }


async def test_somebody_who_only_looks_may_grant(tmp_path: Path) -> None:
    driver = await SqlStore.open(tmp_path)
    looker = await SqlStore.open(tmp_path, drive=False)
    await looker.ledger.grant("acme", Cost(usd=2), at=at(0), by="ada")
    await driver.journal.append(RUN, [BEGUN], after=0)
    account = await looker.ledger.account("acme")
    assert account is not None
    assert account.reserved == Cost(usd=2)
    await looker.close()
    await driver.close()
