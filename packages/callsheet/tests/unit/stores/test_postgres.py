"""What is particular to PostgreSQL: opening, connections that break, the lock, the news."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import psycopg
import pytest
from msgspec import structs
from tests.postgres import started, url_of

from callsheet import Engine
from callsheet.core.plan.plan import Cost
from callsheet.core.run.entries import encode
from callsheet.core.run.request import Settled
from callsheet.errors import (
    DriverReplacedError,
    InputError,
    KeyReusedError,
    RequestRefusedError,
    StaleWriteError,
    StoreBusyError,
    StoreCorruptError,
    StoreError,
    StoreVersionError,
)
from callsheet.stores.postgres.address import Address, is_address
from callsheet.stores.postgres.reader import CONNECTIONS
from callsheet.stores.postgres.session import LostError, statements
from callsheet.stores.postgres.store import PostgresStore, upgrade
from callsheet.stores.postgres.transactor import PgTransactor
from callsheet.stores.postgres.wire import Wire
from callsheet.stores.sql.statements import Statement
from callsheet.stores.sql.transactor import Transactor
from callsheet.stores.sqlite import versions
from callsheet.testing.contracts import samples
from callsheet.testing.contracts.samples import a_plan, a_request, at, noted, run_id

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
    from typing import Any, TypeAlias

    from tests.postgres import Server

    from callsheet.stores.sql.statements import Param

    Statements: TypeAlias = Sequence[tuple[str, Sequence[Sequence[Param]]]]
    BreakOnce: TypeAlias = Callable[[bool], list[bool]]

pytestmark = pytest.mark.requirement("S7", "store:postgresql")

RUN, OTHER = run_id(1), run_id(2)
PASSWORD = "open-sesame"


@asynccontextmanager
async def opened(
    url: str, *, drive: bool = True, patience: float = 5.0
) -> AsyncIterator[PostgresStore]:
    async with asyncio.timeout(20):
        store = await PostgresStore.open(url, drive=drive, patience=patience)
        try:
            yield store
        finally:
            await store.close()


@pytest.fixture
def empty(postgres: Server) -> Iterator[str]:
    with postgres.database(empty=True) as url:
        yield url


def execute(url: str, text: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url, autocommit=True) as db:
        cursor = db.execute(text.encode())
        return cursor.fetchall() if cursor.description else []


# Opening


async def test_a_driver_makes_what_is_missing(empty: str) -> None:
    async with opened(empty) as store:
        assert await store.journal.append(RUN, [samples.started(RUN)], after=0) == 1


@pytest.mark.parametrize(("drive", "create"), [(False, True), (True, False)])
async def test_nobody_else_makes_anything(empty: str, *, drive: bool, create: bool) -> None:
    with pytest.raises(StoreError, match="There is no Callsheet store in"):
        await PostgresStore.open(empty, drive=drive, create=create)
    assert execute(empty, "SELECT 1 FROM pg_tables WHERE schemaname = 'public'") == []


async def test_tables_of_somebody_else_are_left_alone(empty: str) -> None:
    execute(empty, "CREATE TABLE guests (name text)")
    async with opened(empty) as store:
        assert await store.journal.heads() == ()
    execute(empty, "SELECT name FROM guests")


async def test_a_table_of_somebody_else_in_the_place_of_ours_is_refused(empty: str) -> None:
    execute(empty, "CREATE TABLE plans (name text)")
    with pytest.raises(StoreCorruptError, match="tables of somebody else"):
        await PostgresStore.open(empty)
    assert len(execute(empty, "SELECT 1 FROM pg_tables WHERE schemaname = 'public'")) == 1


@pytest.mark.requirement("versions:newer-store-is-refused")
async def test_a_newer_version_is_refused_and_keeps_nothing_locked(database: str) -> None:
    execute(database, "UPDATE alembic_version SET version_num = '0999'")
    for drive in (True, False):
        with pytest.raises(StoreVersionError, match=r"newer version .* Upgrade callsheet\."):
            await PostgresStore.open(database, drive=drive)
    execute(database, f"UPDATE alembic_version SET version_num = '{versions.HEAD}'")
    async with opened(database) as store:
        assert store.driving


async def test_only_a_driver_upgrades_an_older_version(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = [name for name, text in statements.schema.items() if text.startswith("CREATE TABLE")]
    execute(database, f"DROP TABLE {', '.join(ours)}")
    monkeypatch.setattr(versions, "HEAD", versions.REVISIONS[-1])
    upgrade(Address.of(database))
    monkeypatch.setattr(versions, "HEAD", "9999")
    with pytest.raises(StoreVersionError, match="older version"):
        await PostgresStore.open(database, drive=False)
    async with opened(database) as store:  # to what there is, which is not what we pretend
        assert await store.journal.append(RUN, [samples.started(RUN)], after=0) == 1


def test_a_new_database_and_a_migrated_one_have_the_same_schema(database: str, empty: str) -> None:
    upgrade(Address.of(empty))
    columns = (
        "SELECT table_name, column_name, data_type, collation_name, is_nullable, column_default "
        "FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2"
    )
    indexes = "SELECT tablename, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1, 2"
    for question in (columns, indexes):
        assert execute(empty, question) == execute(database, question) != []


def test_postgresql_understands_every_statement(database: str) -> None:
    prepared = [
        f"PREPARE our_{name} AS {each.text}"
        for name, each in structs.asdict(statements).items()
        if isinstance(each, Statement)
    ]
    assert len(prepared) > 50
    execute(database, "; ".join(prepared))


def test_a_migration_that_fails_leaves_nothing_behind(empty: str) -> None:
    execute(empty, "CREATE TABLE plans (name text)")
    with pytest.raises(StoreError, match="plans"):
        upgrade(Address.of(empty))
    assert len(execute(empty, "SELECT 1 FROM pg_tables WHERE schemaname = 'public'")) == 1


# Addresses, and passwords


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://ada:{PASSWORD}@127.0.0.1:1/sheets",
        f"postgresql://ada@127.0.0.1:1/sheets?password={PASSWORD}",
        f"postgresql://ada:{PASSWORD}@/sheets?host=/nowhere",
        f"postgresql://ada:{PASSWORD}%zz@host/sheets",
        f"postgresql://ada:{PASSWORD}@host/sheets?nonsense=1",
        f"postgresql://ada:{PASSWORD}@127.0.0.1:99999/sheets",
        f"postgresql://ada:{PASSWORD}/more@127.0.0.1/sheets",
        f"postgresql://ada:1/{PASSWORD}@127.0.0.1/sheets",
    ],
)
async def test_a_password_is_never_shown(url: str) -> None:
    with pytest.raises((StoreError, InputError)) as caught:
        await PostgresStore.open(url)
    said: BaseException | None = caught.value
    while said is not None:
        assert PASSWORD not in f"{said} {said!r} {said.args}"
        said = said.__cause__ or (None if said.__suppress_context__ else said.__context__)


def test_an_address_is_shown_without_its_password() -> None:
    address = Address.of(f"postgresql://ada:{PASSWORD}@db.example:5433/sheets")
    assert address.shown == "postgresql://ada@db.example:5433/sheets"
    assert PASSWORD not in repr(address)


def test_a_home_is_a_directory_or_a_database() -> None:
    assert is_address("postgresql://host/db")
    assert is_address("postgres://host/db")
    assert not is_address("some/directory")
    with pytest.raises(InputError, match="mysql://"):
        is_address("mysql://host/db")


async def test_without_the_driver_one_is_told_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"pip install 'callsheet\[postgres\]'"):
        async with Engine.open("postgresql://ada@host/sheets"):
            pass


async def test_a_server_that_is_not_there_is_named_with_what_to_do() -> None:
    with pytest.raises(StoreError, match=r"ada@127\.0\.0\.1:1/sheets' cannot be reached.*server"):
        await PostgresStore.open("postgresql://ada@127.0.0.1:1/sheets")


async def test_a_database_that_is_not_there_is_named(database: str) -> None:
    name = Address.of(database).params["dbname"]
    with pytest.raises(StoreError, match=r"refuses the connection.*does not exist"):
        await PostgresStore.open(database.replace(name, "nowhere"))


# Drivers


@pytest.mark.requirement("E26")
async def test_two_drivers_write_their_own_runs_and_see_that_the_other_is_alive(
    database: str,
) -> None:
    async with opened(database) as one, opened(database) as two:
        assert one.driving
        assert two.driving
        await one.journal.append(RUN, [samples.started(RUN)], after=0)
        assert not await two.owners.claim(RUN)
        assert await two.owners.is_alive(one.owners.driver)
        async with opened(database, drive=False) as onlooker:
            assert not onlooker.driving
            assert await onlooker.owners.is_alive(two.owners.driver)
            with pytest.raises(StoreBusyError, match="does not drive"):
                await onlooker.journal.append(RUN, [samples.noted()], after=1)
        number = one.owners.driver
        await one.close()
        assert not await two.owners.is_alive(number)
        assert await two.owners.claim(RUN)


async def test_stores_in_two_schemas_of_a_database_have_a_driver_each(empty: str) -> None:
    execute(empty, "CREATE SCHEMA one")
    execute(empty, "CREATE SCHEMA two")
    async with (
        opened(f"{empty}&options=-csearch_path%3Done") as one,
        opened(f"{empty}&options=-csearch_path%3Dtwo") as two,
    ):
        await one.journal.append(RUN, [samples.started(RUN)], after=0)
        assert len(await one.journal.read(RUN)) == 1
        assert len(await two.journal.read(RUN)) == 0


@pytest.mark.requirement("E26", "E11")
async def test_a_driver_that_was_taken_for_dead_writes_nothing_more(
    database: str, postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    # It must not notice by itself, and take the lock again, before the successor has it.
    monkeypatch.setattr(PostgresStore, "_see_at_once", lambda _: None)
    monkeypatch.setattr("callsheet.stores.sql.fence.BEAT", 60.0)
    async with opened(database, patience=0.2) as zombie:
        await zombie.journal.append(RUN, [samples.started(RUN)], after=0)
        assert postgres.end_sessions(database) == 2
        async with opened(database) as successor:
            assert await successor.owners.claim(RUN)
            await successor.journal.append(RUN, [noted("successor")], after=1)
            # It would be refused by the length of the journal, too; here the length fits.
            with pytest.raises(
                DriverReplacedError, match=r"Process \d+ on .* has found this process gone"
            ):
                await zombie.journal.append(RUN, [noted("zombie")], after=2)
            assert not zombie.driving
            with pytest.raises(DriverReplacedError, match="Nothing more is written from here"):
                await zombie.journal.append(RUN, [noted("zombie")], after=2)
            assert len(await successor.journal.read(RUN)) == 2
            # What anybody may do, it may still do.
            await zombie.inbox.put(a_request(1))
            assert [each.id for each in await successor.inbox.pending()] == ["q1"]


async def test_a_driver_that_has_nothing_to_write_notices_that_it_was_replaced(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("callsheet.stores.sql.fence.BEAT", 0.02)
    async with opened(database) as zombie, opened(database) as successor:
        gone, by = zombie.owners.driver, successor.owners.driver
        execute(database, f"UPDATE drivers SET replaced_by = {by} WHERE id = {gone}")
        await until(lambda: not zombie.driving)
        assert successor.driving


# Connections that break


async def test_whatever_breaks_between_two_calls_is_not_noticed(
    database: str, postgres: Server
) -> None:
    async with opened(database) as store:
        await store.journal.append(RUN, [samples.started(RUN)], after=0)
        assert len(await store.journal.read(RUN)) == 1
        assert postgres.end_sessions(database) >= 3
        assert await store.journal.append(RUN, [noted()], after=1) == 2
        assert store.driving
        assert postgres.end_sessions(database) >= 1
        assert len(await store.journal.read(RUN)) == 2
        await store.inbox.put(a_request(1))
        await store.plans.save(a_plan(), at(1))
        assert len(await store.plans.list()) == 1


@pytest.fixture
def break_once(
    database: str, postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> Callable[[bool], list[bool]]:
    """Have the connection break with the next commit: when it is done, or before it is sent."""

    def arm(done: bool) -> list[bool]:
        send = Wire.send
        broken: list[bool] = []

        def breaking(wire: Wire, statements: Statements) -> None:
            if broken or statements[-1][0] != "COMMIT":
                return send(wire, statements)
            broken.append(True)
            if done:
                send(wire, statements)
            postgres.end_sessions(database)
            return send(wire, [("SELECT 1", [()])] if done else statements)

        monkeypatch.setattr(Wire, "send", breaking)
        return broken

    return arm


@pytest.mark.requirement("E11")
@pytest.mark.parametrize("done", [True, False])
async def test_a_commit_whose_outcome_is_unknown_is_neither_lost_nor_repeated(
    database: str, break_once: BreakOnce, *, done: bool
) -> None:
    async with opened(database) as store:
        await store.journal.append(RUN, [samples.started(RUN)], after=0)
        broken = break_once(done)
        async with asyncio.TaskGroup() as tasks:
            appends = [
                tasks.create_task(store.journal.append(RUN, [noted("a"), noted("b")], after=1)),
                tasks.create_task(store.journal.append(OTHER, [samples.started(OTHER)], after=0)),
                tasks.create_task(store.journal.append(RUN, [noted("c")], after=3)),
            ]
        assert broken
        assert [append.result() for append in appends] == [3, 1, 4]
        assert len(await store.journal.read(RUN)) == 4
        assert len(await store.journal.read(OTHER)) == 1
        assert await store.journal.append(RUN, [noted()], after=4) == 5


@pytest.mark.requirement("E11")
@pytest.mark.parametrize("drive", [True, False])
@pytest.mark.parametrize("done", [True, False])
async def test_a_grant_whose_commit_is_lost_is_posted_once(
    database: str, break_once: BreakOnce, *, done: bool, drive: bool
) -> None:
    async with opened(database, drive=drive) as store:
        broken = break_once(done)
        await store.ledger.grant("acme", Cost(usd=11), at=at(1))
        assert broken
        account = await store.ledger.account("acme")
        assert account is not None
        assert account.granted == Cost(usd=11)


async def test_a_connection_that_breaks_again_while_it_is_looked_into_is_told_in_our_words(
    database: str, break_once: BreakOnce, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(database, patience=1) as store:
        await store.journal.append(RUN, [samples.started(RUN)], after=0)
        break_once(True)

        def lost(*_: object) -> bool:
            raise LostError(StoreError("The connection was lost."))

        with monkeypatch.context() as patched:
            patched.setattr(PgTransactor, "_is_made", lost)
            with pytest.raises(StoreError, match="Nobody knows whether the last write was made"):
                await store.journal.append(OTHER, [samples.started(OTHER)], after=0)
        # The store goes on, and what nobody knew is there.
        assert len(await store.journal.read(OTHER)) == 1
        assert await store.journal.append(OTHER, [noted()], after=1) == 2


@pytest.mark.requirement("E11")
@pytest.mark.parametrize("done", [True, False])
async def test_the_same_holds_for_what_is_sent_from_the_event_loop(
    database: str, postgres: Server, monkeypatch: pytest.MonkeyPatch, *, done: bool
) -> None:
    post, has_answered = Wire.post, Wire.has_answered
    broken: list[bool] = []

    def post_into_the_void(wire: Wire, statements: Statements) -> None:
        if not broken:
            broken.append(True)
            postgres.end_sessions(database)
        post(wire, statements)

    def lose_the_answer(wire: Wire) -> bool:
        answered = has_answered(wire)
        if answered and not broken:
            broken.append(True)
            postgres.end_sessions(database)
            raise psycopg.OperationalError("server closed the connection unexpectedly")
        return answered

    async with opened(database) as store:
        await store.journal.append(RUN, [samples.started(RUN)], after=0)
        if done:
            monkeypatch.setattr(Wire, "has_answered", lose_the_answer)
        else:
            monkeypatch.setattr(Wire, "post", post_into_the_void)
        async with asyncio.TaskGroup() as tasks:
            appends = [
                tasks.create_task(store.journal.append(RUN, [noted("a"), noted("b")], after=1)),
                tasks.create_task(store.journal.append(RUN, [noted("c")], after=3)),
            ]
        assert broken
        assert [append.result() for append in appends] == [3, 4]
        assert len(await store.journal.read(RUN)) == 4
        assert await store.journal.append(RUN, [noted()], after=4) == 5


@pytest.mark.requirement("E11")
async def test_an_entry_that_somebody_put_there_is_not_overwritten(database: str) -> None:
    async with opened(database) as store:
        await store.journal.append(RUN, [samples.started(RUN)], after=0)
        body = encode(noted("theirs")).decode()
        execute(database, f"INSERT INTO journal VALUES ('{RUN}', 2, '{body}')")
        with pytest.raises(StaleWriteError, match="has 2 entries, not 1"):
            await store.journal.append(RUN, [noted("ours"), noted("ours")], after=1)
        assert await store.journal.append(RUN, [noted()], after=2) == 3
        assert [encode(each).decode() for each in await store.journal.read(RUN)][1] == body


@pytest.mark.requirement("E11")
async def test_whoever_is_refused_is_refused_even_if_the_same_entries_are_there(
    database: str, break_once: BreakOnce
) -> None:
    async with opened(database) as store:
        await store.journal.append(RUN, [samples.started(RUN), noted("a")], after=0)
        break_once(False)
        async with asyncio.TaskGroup() as tasks:
            stale = tasks.create_task(refusal(store.journal.append(RUN, [noted("a")], after=1)))
            good = tasks.create_task(store.journal.append(RUN, [noted("b")], after=2))
        assert "has 2 entries, not 1" in stale.result()
        assert good.result() == 3


@pytest.mark.parametrize("done", [True, False])
async def test_a_request_whose_commit_is_unknown_is_one_request(
    database: str, break_once: BreakOnce, *, done: bool
) -> None:
    async with opened(database) as store:
        broken = break_once(done)
        await store.inbox.put(a_request(1))
        assert broken
        assert [each.id for each in await store.inbox.pending()] == ["q1"]


@pytest.mark.slow  # a server of its own is stopped and started again: about 2 s
@pytest.mark.requirement("E11")
async def test_a_server_that_is_restarted_is_waited_for() -> None:
    with started(f"own-{os.getpid()}") as server:
        async with opened(url_of(server), patience=0.3) as store:
            woken = asyncio.Event()
            store.listen(woken.set)
            await store.journal.append(RUN, [samples.started(RUN)], after=0)
            await asyncio.to_thread(server.stop)
            with pytest.raises(StoreError, match=r"cannot be reached\. What was acknowledged is"):
                await store.journal.append(RUN, [noted()], after=1)
            with pytest.raises(StoreError, match="cannot be reached"):
                await store.journal.read(RUN)
            await asyncio.to_thread(server.ensure_postgres_running)
            assert len(await store.journal.read(RUN)) == 1
            assert await store.journal.append(RUN, [noted()], after=1) == 2
            assert store.driving
            await woken.wait()  # it listens again, and somebody may have said something


async def test_there_are_never_more_than_a_few_connections(database: str, postgres: Server) -> None:
    async with opened(database) as store:
        await store.journal.append(RUN, [samples.started(RUN)], after=0)
        async with asyncio.TaskGroup() as tasks:
            reads = [tasks.create_task(store.journal.read(RUN)) for _ in range(50)]
        assert {len(read.result()) for read in reads} == {1}
        name = Address.of(database).params["dbname"]
        found = postgres.execute(f"SELECT 1 FROM pg_stat_activity WHERE datname = '{name}'")
        assert 3 <= len(found) <= CONNECTIONS + 2


async def test_what_postgresql_cannot_store_is_refused_alone(database: str) -> None:
    async with opened(database) as store:
        async with asyncio.TaskGroup() as tasks:
            first = samples.started(RUN, key="k\0")
            bad = tasks.create_task(refusal(store.journal.append(RUN, [first], after=0)))
            good = tasks.create_task(
                store.journal.append(OTHER, [samples.started(OTHER, key="l")], after=0)
            )
        assert "PostgreSQL cannot store this: text cannot contain NUL" in bad.result()
        assert good.result() == 1
        assert [head.run for head in await store.journal.heads()] == [OTHER]


@pytest.mark.requirement("E18")
async def test_of_many_starts_with_one_key_at_the_same_time_one_is_made(database: str) -> None:
    async def start(number: int) -> bool:
        run = run_id(number)
        try:
            await store.journal.append(run, [samples.started(run, key="k"), noted()], after=0)
        except KeyReusedError:
            return False
        return True

    async with opened(database) as store:
        async with asyncio.TaskGroup() as tasks:
            starts = [tasks.create_task(start(number)) for number in range(20)]
        assert sum(started.result() for started in starts) == 1
        assert execute(database, "SELECT count(*) FROM journal") == [(2,)]


async def test_the_same_request_from_two_processes_at_once_is_one(database: str) -> None:
    async with opened(database, drive=False) as one, opened(database, drive=False) as two:
        async with asyncio.TaskGroup() as tasks:
            for number in range(20):
                tasks.create_task(one.inbox.put(a_request(number)))
                tasks.create_task(two.inbox.put(a_request(number)))
        assert len(await one.inbox.pending()) == 20


async def test_versions_of_a_plan_saved_by_two_processes_at_once_are_all_kept(
    database: str,
) -> None:
    async with opened(database, drive=False) as one, opened(database, drive=False) as two:
        async with asyncio.TaskGroup() as tasks:
            for number in range(5):
                for store in (one, two):
                    plan = a_plan(tool=f"tool{number}.of_{'one' if store is one else 'two'}")
                    tasks.create_task(store.plans.save(plan, at(1)))
        assert [saved.version for saved in await one.plans.versions("trip")] == [*range(1, 11)]


async def test_a_refusal_leaves_the_connection_as_it_was(database: str) -> None:
    async with opened(database) as store:
        await store.journal.append(RUN, [samples.started(RUN)], after=0)
        await store.inbox.put(a_request(1))
        with pytest.raises(RequestRefusedError, match="has not ended"):
            await store.journal.delete(RUN)
        assert await store.journal.append(RUN, [noted()], after=1) == 2
        await store.inbox.put(a_request(2))
        assert len(await store.inbox.pending()) == 2


async def test_a_few_entries_are_sent_from_the_event_loop_and_no_thread_is_needed(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(database) as store:
        await store.journal.append(RUN, [samples.started(RUN)], after=0)
        with monkeypatch.context() as patched:
            patched.delattr(PgTransactor, "patiently")
            patched.delattr(Transactor, "patiently")
            assert await store.journal.append(RUN, [noted()], after=1) == 2
        assert len(await store.journal.read(RUN)) == 2


async def test_a_batch_larger_than_any_buffer_is_sent_whole(database: str) -> None:
    async with opened(database) as store:
        entries = [noted("x" * 1000)] * 5000
        await store.journal.append(RUN, [samples.started(RUN), *entries], after=0)
        assert len(await store.journal.read(RUN)) == 5001


# News


async def test_others_are_told_the_moment_something_is_committed(database: str) -> None:
    async with opened(database) as driver, opened(database, drive=False) as onlooker:
        asked, told = asyncio.Event(), asyncio.Event()
        driver.listen(asked.set, requests=True)
        stop = onlooker.listen(told.set)
        await onlooker.inbox.put(a_request(1))
        await asked.wait()
        assert not told.is_set()
        await driver.inbox.settle("q1", Settled())
        await told.wait()
        told.clear()
        await driver.journal.append(RUN, [samples.started(RUN)], after=0)
        await told.wait()
        told.clear()
        stop()
        await driver.journal.append(RUN, [noted()], after=1)
        assert len(await onlooker.journal.read(RUN)) == 2
        assert not told.is_set()


async def test_whoever_was_cut_off_is_woken_when_it_listens_again(
    database: str, postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("callsheet.stores.postgres.news.AGAIN", 0.01)
    async with opened(database, drive=False) as onlooker:
        told = asyncio.Event()
        onlooker.listen(told.set)
        assert postgres.end_sessions(database, only="query LIKE 'LISTEN%'") == 1
        await told.wait()
        told.clear()
        async with opened(database) as driver:
            await driver.journal.append(RUN, [samples.started(RUN)], after=0)
            await told.wait()


async def until(happened: Callable[[], bool]) -> None:
    """Return as soon as it has happened; the test's own time limit is the bound."""
    while not happened():
        await asyncio.to_thread(lambda: None)


async def refusal(append: Coroutine[Any, Any, int]) -> str:
    try:
        await append
    except Exception as exc:  # noqa: BLE001 -- whichever it is, the test looks at what it says
        return str(exc)
    return "it was not refused"
