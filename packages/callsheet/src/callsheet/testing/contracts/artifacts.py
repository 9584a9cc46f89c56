"""The contract of `ArtifactStore`: immutable bytes by their digest."""
# ruff: noqa: D102 - the names are the sentences

from __future__ import annotations

import asyncio
import hashlib
from abc import ABC, abstractmethod
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from callsheet.errors import (
    EngineClosedError,
    InputError,
    StoreCorruptError,
    UnknownArtifactError,
)
from callsheet.testing.contracts.subject import PATIENCE, refused

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from callsheet.ports import ArtifactStore

LARGE = 20 * 1024 * 1024 + 7
"""Bytes of a file that no store takes in one piece."""


class ArtifactStoreContract(ABC):
    """Bytes are there whole or not at all, once, under the digest of their content."""

    @abstractmethod
    async def open_artifacts(self) -> ArtifactStore:
        """Open the store of this test: empty the first time, and the same one ever after."""

    @asynccontextmanager
    async def artifacts(self) -> AsyncIterator[ArtifactStore]:
        """The store, open, for as long as the block takes."""
        async with asyncio.timeout(PATIENCE):
            store = await self.open_artifacts()
            try:
                yield store
            finally:
                await store.close()

    async def test_what_was_put_is_what_one_gets(self) -> None:
        async with self.artifacts() as store:
            for data in (b"", b"clip", bytes(range(256)) * 5000):
                digest, size = await store.put(data)
                assert (digest, size) == (_digest(data), len(data))
                assert await store.get(digest) == data
                assert await _read(store, digest) == data
                assert await store.size(digest) == len(data)

    async def test_a_file_is_kept_as_its_bytes_are(self) -> None:
        data = b"frame" * 1000
        with TemporaryDirectory() as directory:
            file = Path(directory) / "clip.mp4"
            file.write_bytes(data)
            async with self.artifacts() as store:
                assert await store.put(file) == (_digest(data), len(data))
                file.write_bytes(b"something else")
                assert await store.get(_digest(data)) == data

    async def test_a_large_file_is_kept_in_pieces(self) -> None:
        data = bytes(1000) + b"x" * (LARGE - 1000)
        with TemporaryDirectory() as directory:
            file = Path(directory) / "film.mp4"
            file.write_bytes(data)
            async with self.artifacts() as store:
                digest, size = await store.put(file)
                assert (digest, size) == (_digest(data), LARGE)
                check = hashlib.sha256()
                async for piece in store.read(digest):
                    check.update(piece)
                assert check.hexdigest() == digest
                assert [each.digest async for each in store.kept()] == [digest]

    async def test_a_file_that_cannot_be_read_is_the_callers_mistake(self) -> None:
        with TemporaryDirectory() as directory:
            async with self.artifacts() as store:
                with refused(InputError):
                    await store.put(Path(directory) / "missing")
                with refused(InputError):
                    await store.put(Path(directory))
                assert [each async for each in store.kept()] == []

    async def test_what_is_not_there_is_said_to_be_unknown(self) -> None:
        async with self.artifacts() as store:
            for digest in (_digest(b"nothing"), "../../etc/passwd", "", "ABC", "z" * 64):
                with refused(UnknownArtifactError):
                    await store.get(digest)
                with refused(UnknownArtifactError):
                    await _read(store, digest)
                assert await store.size(digest) is None
                assert store.path(digest) is None
                assert await store.delete([digest]) == set()

    async def test_the_same_content_twice_is_one_artifact(self) -> None:
        async with self.artifacts() as store:
            first = await store.put(b"same")
            assert await store.put(b"same") == first
            assert [each.digest async for each in store.kept()] == [first[0]]

    async def test_everybody_may_put_the_same_and_other_content_at_once(self) -> None:
        contents = [bytes([number % 10]) * 70_000 for number in range(60)]
        async with self.artifacts() as store:
            async with asyncio.TaskGroup() as tasks:
                puts = [tasks.create_task(store.put(data)) for data in contents]
            assert [put.result()[0] for put in puts] == [_digest(data) for data in contents]
            kept = {each.digest: each.size async for each in store.kept()}
            assert kept == {_digest(data): 70_000 for data in contents[:10]}
            for data in contents[:10]:
                assert await store.get(_digest(data)) == data

    async def test_all_there_is_is_listed_with_its_size_and_age(self) -> None:
        async with self.artifacts() as store:
            sizes = {(await store.put(bytes(size)))[0]: size for size in (1, 10, 1000)}
            kept = [each async for each in store.kept()]
            assert {each.digest: each.size for each in kept} == sizes
            assert all(each.written_at.tzinfo is not None for each in kept)

    async def test_what_is_deleted_is_gone_and_nothing_else_is(self) -> None:
        async with self.artifacts() as store:
            gone, _ = await store.put(b"gone")
            stays, _ = await store.put(b"stays")
            never = _digest(b"never there")
            assert await store.delete([gone, never]) == {gone}
            assert [each.digest async for each in store.kept()] == [stays]
            with refused(UnknownArtifactError):
                await store.get(gone)
            assert (await store.put(b"gone"))[0] == gone
            assert await store.get(gone) == b"gone"

    async def test_only_what_nobody_has_put_since_is_deleted(self) -> None:
        async with self.artifacts() as store:
            digest, _ = await store.put(b"wanted")
            (first,) = [each async for each in store.kept()]
            now = first.written_at
            assert await store.delete([digest], before=now - timedelta(seconds=1)) == set()
            assert await store.delete([digest], before=now) == set()
            assert await store.get(digest) == b"wanted"
            assert await store.delete([digest], before=now + timedelta(hours=1)) == {digest}

    async def test_content_that_is_put_again_is_young_again(self) -> None:
        async with self.artifacts() as store:
            digest, _ = await store.put(b"wanted")
            (first,) = [each async for each in store.kept()]
            # Whatever the clock of the store is, this is later than the first and not than the
            # second.
            await self.later()
            await store.put(b"wanted")
            before = first.written_at + timedelta(microseconds=1)
            assert await store.delete([digest], before=before) == set()
            assert await store.get(digest) == b"wanted"

    @abstractmethod
    async def later(self) -> None:
        """Return when the clock of the store shows a later time."""

    async def test_there_is_nothing_to_sweep_where_nobody_died(self) -> None:
        async with self.artifacts() as store:
            digest, _ = await store.put(b"kept")
            assert await store.sweep() == 0
            assert await store.get(digest) == b"kept"

    async def test_a_closed_store_takes_nothing_more(self) -> None:
        async with self.artifacts() as store:
            digest, _ = await store.put(b"data")
            await store.close()
            await store.close()
            with refused(EngineClosedError):
                await store.put(b"more")
            with refused(EngineClosedError):
                await store.get(digest)


class DamagedArtifactContract(ArtifactStoreContract):
    """For stores whose bytes can be damaged from outside."""

    @abstractmethod
    async def damage(self, digest: str, data: bytes) -> None:
        """Put other bytes where an artifact lies."""

    async def test_damaged_bytes_are_never_given_out_as_what_they_were(self) -> None:
        data = b"precious" * 1000
        async with self.artifacts() as store:
            digest, _ = await store.put(data)
            for other in (b"", data[:-1], b"X" + data[1:], data + b"!"):
                await self.damage(digest, other)
                with refused(StoreCorruptError):
                    await store.get(digest)
                with refused(StoreCorruptError):
                    await _read(store, digest)

    async def test_bytes_that_were_cut_off_are_made_whole_by_whoever_puts_them_again(self) -> None:
        data = b"precious" * 1000
        async with self.artifacts() as store:
            digest, _ = await store.put(data)
            await self.damage(digest, data[:100])
            assert await store.put(data) == (digest, len(data))
            assert await store.get(digest) == data


class DurableArtifactContract(ArtifactStoreContract):
    """For stores that outlive the process."""

    async def test_artifacts_are_there_again(self) -> None:
        async with self.artifacts() as store:
            digest, _ = await store.put(b"kept")
            kept = [each async for each in store.kept()]
        async with self.artifacts() as store:
            assert await store.get(digest) == b"kept"
            assert [each async for each in store.kept()] == kept


async def _read(store: ArtifactStore, digest: str) -> bytes:
    return b"".join([piece async for piece in store.read(digest)])


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
