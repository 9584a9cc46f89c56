"""The contract of `Cache`."""
# ruff: noqa: D102 - the names are the sentences

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from callsheet.core.run.entries import StepCached, encode
from callsheet.testing.contracts.samples import at, ended, run_id, started, succeeded
from callsheet.testing.contracts.subject import Subject

if TYPE_CHECKING:
    from callsheet.ports import Store

RUN, OTHER = run_id(1), run_id(2)


class CacheContract(Subject):
    """A call that succeeded is found by its key, as long as its run is kept."""

    async def test_a_call_is_found_with_its_run_and_its_entry(self) -> None:
        call = succeeded({"sun": True}, cache_key="k")
        async with self.opened() as store:
            await store.journal.append(RUN, [started(RUN), succeeded(1), call], after=0)
            found = await store.cache.find("k")
            assert found is not None
            assert (found.run, encode(found.entry)) == (RUN, encode(call))

    async def test_a_key_that_no_call_has_finds_nothing(self) -> None:
        async with self.opened() as store:
            await store.journal.append(RUN, [started(RUN), succeeded(1)], after=0)
            await store.journal.append(RUN, [succeeded(2, cache_key="k")], after=2)
            assert await store.cache.find("") is None
            assert await store.cache.find("other") is None

    async def test_the_youngest_call_is_found_whichever_run_is_younger(self) -> None:
        async with self.opened() as store:
            for run, seconds in ((OTHER, 5), (RUN, 7)):
                call = succeeded(seconds, cache_key="k", seconds=seconds)
                await store.journal.append(run, [started(run), call], after=0)
            assert await _answer(store) == b"7"
            again = succeeded(9, cache_key="k", seconds=8.5)
            await store.journal.append(OTHER, [again], after=2)
            assert await _answer(store) == b"9"

    async def test_a_call_that_failed_serves_nobody(self) -> None:
        failed = replace(succeeded(1, cache_key="k"), outcome="failed")
        async with self.opened() as store:
            await store.journal.append(RUN, [started(RUN), failed], after=0)
            assert await store.cache.find("k") is None

    async def test_an_answer_from_the_cache_makes_nothing_younger(self) -> None:
        hit = StepCached(at=at(9), step="flight", key="k", source=RUN, source_step="flight")
        async with self.opened() as store:
            await store.journal.append(RUN, [started(RUN), succeeded(1, cache_key="k")], after=0)
            await store.journal.append(OTHER, [started(OTHER), hit], after=0)
            found = await store.cache.find("k")
            assert found is not None
            assert (found.run, found.entry.at) == (RUN, at(2))

    async def test_a_deleted_run_serves_nobody_and_an_older_one_does_again(self) -> None:
        async with self.opened() as store:
            for run, seconds in ((RUN, 5), (OTHER, 7)):
                call = succeeded(seconds, cache_key="k", seconds=seconds)
                await store.journal.append(run, [started(run), call, ended()], after=0)
            await store.journal.delete(OTHER)
            assert await _answer(store) == b"5"
            await store.journal.delete(RUN)
            assert await store.cache.find("k") is None


async def _answer(store: Store) -> bytes:
    found = await store.cache.find("k")
    assert found is not None
    return bytes(found.entry.output)
