"""The SQL store does whatever the store in memory does, whatever is asked of them."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, ClassVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from msgspec import structs
from typing_extensions import override

from callsheet.core import value
from callsheet.core.index.context import ContextItem
from callsheet.core.index.heads import Filter
from callsheet.core.plan.artifact import Artifact
from callsheet.core.plan.plan import Cost
from callsheet.core.run.entries import AnyEntry, encode
from callsheet.core.run.request import Settled
from callsheet.errors import CallsheetError
from callsheet.stores.memory.store import MemoryStore
from callsheet.stores.postgres.store import PostgresStore
from callsheet.stores.sqlite.store import SqlStore
from callsheet.testing.contracts import samples

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from datetime import datetime

    from tests.postgres import Server

    from callsheet.core.ids import RunId
    from callsheet.core.index.heads import RunHead
    from callsheet.core.plan.plan import Plan
    from callsheet.core.run.request import Request
    from callsheet.ports import Store

# Slow, about 8 s: each example opens databases of its own.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("E5", "E11", "E14", "E16", "S7")]

RUNS = [samples.run_id(number) for number in range(4)]
KEYS = ["k", "l"]
TENANTS = ["default", "t"]
PLANS = [samples.a_plan(name, tool=tool) for name in ("p", "q") for tool in ("a", "b")]
REQUESTS = [samples.a_request(number, run=RUNS[number % 4]) for number in range(5)]

DIGESTS = ["a" * 64, "b" * 64]
COSTS = st.builds(Cost, usd=st.sampled_from([0, 0.1, 2]), tokens=st.sampled_from([0, 3]))
ARTIFACTS = st.lists(st.builds(Artifact, digest=st.sampled_from(DIGESTS)), max_size=2).map(tuple)

ENTRIES = st.one_of(
    st.builds(samples.noted, st.text(max_size=3)),
    st.builds(samples.ended, st.sampled_from(["succeeded", "stuck"]), spent=COSTS),
    st.builds(samples.undo_requested),
    st.builds(
        samples.succeeded,
        st.integers(0, 9),
        artifacts=ARTIFACTS,
        cache_key=st.sampled_from(["", "c", "d"]),
        seconds=st.integers(0, 5),
    ),
)
ITEMS = st.builds(
    lambda name, data, saved, lasts, key: ContextItem(
        scope="p",
        name=name,
        version=1,
        value=data,
        size=len(value.encode(data)),
        saved_at=samples.at(saved),
        expires_at=None if lasts is None else samples.at(saved + lasts),
        key=key,
    ),
    st.sampled_from(["x", "y"]),
    st.sampled_from([1, "four", {"$artifact": DIGESTS[0]}]),
    st.integers(0, 5),
    st.sampled_from([None, 1, 3]),
    st.sampled_from(["", "", "k", "l"]),
)
TIMES = st.integers(0, 9).map(samples.at)


@st.composite
def appends(draw: st.DrawFn) -> tuple[RunId, list[AnyEntry], int]:
    """Entries for a run, and how far the writer is off (mostly not at all)."""
    run = draw(st.sampled_from(RUNS))
    entries: list[AnyEntry] = list(draw(st.lists(ENTRIES, max_size=3)))
    if draw(st.booleans()):
        plan, key = draw(st.sampled_from(PLANS)), draw(st.sampled_from([None, *KEYS]))
        tenant = draw(st.sampled_from(TENANTS))
        reserves = draw(st.one_of(st.just(Cost()), COSTS))
        consumed = draw(st.sampled_from([(), (DIGESTS[1],)]))
        begun = samples.started(
            run, plan=plan, key=key, tenant=tenant, reserves=reserves, consumed=consumed
        )
        entries.insert(0, begun)
    return run, entries, draw(st.sampled_from([0, 0, 0, 0, 1, -1]))


class Twins(RuleBasedStateMachine):
    """Asks both stores the same and compares what they say."""

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.directory = TemporaryDirectory()
        self.model = MemoryStore()
        self.sql = self.runner.run(self._open())

    async def _open(self) -> Store:
        return await SqlStore.open(Path(self.directory.name), sync="normal")

    @override
    def teardown(self) -> None:
        self.runner.run(self.sql.close())
        self.runner.close()
        self.directory.cleanup()

    def ask(self, question: Callable[[Store], Awaitable[object]]) -> None:
        async def answer(store: Store) -> object:
            return await _answer(question(store))

        expected = self.runner.run(answer(self.model))
        assert self.runner.run(answer(self.sql)) == expected

    @rule(wanted=st.lists(appends(), min_size=1, max_size=4))
    def append_in_one_turn(self, wanted: list[tuple[RunId, list[AnyEntry], int]]) -> None:
        async def question(store: Store) -> object:
            lengths = {run: len(await store.journal.read(run)) for run in RUNS}
            async with asyncio.TaskGroup() as tasks:
                answers = []
                for run, entries, off in wanted:
                    after = max(0, lengths[run] + off)
                    append = store.journal.append(run, entries, after=after)
                    answers.append(tasks.create_task(_answer(append)))
                    lengths[run] += len(entries)
            return [answer.result() for answer in answers]

        self.ask(question)

    @rule(run=st.sampled_from(RUNS))
    def delete_run(self, run: RunId) -> None:
        self.ask(lambda store: store.journal.delete(run))

    @rule(request=st.sampled_from(REQUESTS))
    def put(self, request: Request) -> None:
        self.ask(lambda store: store.inbox.put(request))

    @rule(request=st.sampled_from(REQUESTS), refusal=st.sampled_from([None, "no"]))
    def settle(self, request: Request, refusal: str | None) -> None:
        self.ask(lambda store: store.inbox.settle(request.id, Settled(refusal=refusal)))

    @rule(plan=st.sampled_from(PLANS))
    def save(self, plan: Plan) -> None:
        self.ask(lambda store: store.plans.save(plan, samples.NOON))

    @rule(plan=st.sampled_from(PLANS))
    def delete_plan(self, plan: Plan) -> None:
        self.ask(lambda store: store.plans.delete(plan.name))

    @rule(tenant=st.sampled_from(TENANTS), amount=COSTS, at=TIMES)
    def grant(self, tenant: str, amount: Cost, at: datetime) -> None:
        self.ask(lambda store: store.ledger.grant(tenant, amount, at=at, note="n"))

    @rule(item=ITEMS, after=st.sampled_from([None, None, 0, 1, 2]))
    def put_item(self, item: ContextItem, after: int | None) -> None:
        self.ask(lambda store: store.context.put(item, after=after, most=90))

    @rule(key=st.sampled_from(["k", "l"]), at=TIMES)
    def withdraw(self, key: str, at: datetime) -> None:
        self.ask(lambda store: store.context.withdraw(key, at=at))

    @rule(at=TIMES)
    def prune(self, at: datetime) -> None:
        self.ask(lambda store: store.context.prune(at=at))

    @rule(name=st.sampled_from(["x", None]))
    def delete_item(self, name: str | None) -> None:
        self.ask(lambda store: store.context.delete("p", name))

    @rule()
    def reopen(self) -> None:
        self.runner.run(self.sql.close())
        self.sql = self.runner.run(self._open())

    @invariant()
    def both_say_the_same(self) -> None:
        self.ask(_everything)


async def _answer(question: Awaitable[object]) -> object:
    try:
        return await question
    except (CallsheetError, ValueError) as exc:
        return type(exc)


async def _everything(store: Store) -> object:
    journal, inbox, plans = store.journal, store.inbox, store.plans
    return [
        [_spelled(await journal.read(run)) for run in RUNS],
        [_spelled(await journal.read(run, after=1, limit=2)) for run in RUNS],
        _unowned([await journal.find(tenant, key) for tenant in TENANTS for key in KEYS]),
        _unowned(await journal.heads()),
        _unowned(await journal.heads(Filter(open_only=True), limit=2)),
        _unowned(await journal.heads(before=RUNS[2], limit=1)),
        list(await inbox.pending()),
        [await inbox.settled(request.id) for request in REQUESTS],
        list(await plans.list()),
        [list(await plans.versions(name)) for name in ("p", "q")],
        await plans.get("p", 2),
        *(await _indexes(store)),
    ]


async def _indexes(store: Store) -> list[object]:
    found = [await store.cache.find(key) for key in ("c", "d")]
    return [
        list(await store.lineage.uses(DIGESTS[0])),
        list(await store.lineage.of_run(RUNS[0])),
        await store.lineage.referenced(DIGESTS),
        [call and (call.run, encode(call.entry)) for call in found],
        list(await store.ledger.accounts()),
        [list(await store.ledger.postings(tenant)) for tenant in TENANTS],
        list(await store.context.list("p", at=samples.at(3))),
        [await store.context.get("p", "x", at=samples.at(2), version=n) for n in (1, None)],
    ]


def _unowned(heads: Sequence[RunHead | None]) -> list[RunHead | None]:
    """Heads without their drivers: numbers of them are each store's own."""
    return [head and structs.replace(head, owner=None) for head in heads]


def _spelled(entries: Sequence[AnyEntry]) -> list[bytes]:
    return [encode(entry) for entry in entries]


TestTwins = Twins.TestCase
TestTwins.settings = settings(max_examples=settings().max_examples // 2, stateful_step_count=25)


class TwinsOnServer(Twins):
    """The same, with PostgreSQL."""

    server: ClassVar[Server]

    def __init__(self) -> None:
        self.lent = ExitStack()
        self.url = self.lent.enter_context(self.server.database())
        super().__init__()

    @override
    async def _open(self) -> Store:
        return await PostgresStore.open(self.url, sync="normal")

    @override
    def teardown(self) -> None:
        super().teardown()
        self.lent.close()


@pytest.fixture(scope="module", autouse=True)
def _server(postgres: Server) -> None:
    TwinsOnServer.server = postgres


TestTwinsOnServer = pytest.mark.requirement("store:postgresql")(TwinsOnServer.TestCase)
TestTwinsOnServer.settings = settings(
    max_examples=settings().max_examples // 20, stateful_step_count=25
)
