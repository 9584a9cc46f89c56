"""Every store of artifacts keeps every promise of the port."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Literal

import obstore
import pytest
from typing_extensions import override

from callsheet.stores.artifacts.bucket import BucketArtifacts
from callsheet.stores.artifacts.opening import open_artifacts
from callsheet.testing.contracts import (
    ArtifactStoreContract,
    DamagedArtifactContract,
    DurableArtifactContract,
)

if TYPE_CHECKING:
    from pathlib import Path

    from callsheet.ports import ArtifactStore


class Ticking(ArtifactStoreContract):
    """A store that is told the time."""

    time = datetime(2026, 1, 1, tzinfo=UTC)

    @override
    async def later(self) -> None:
        self.time += timedelta(seconds=1)

    def now(self) -> datetime:
        return self.time


@pytest.mark.requirement("E14")
class TestInMemory(Ticking):
    @override
    async def open_artifacts(self) -> ArtifactStore:
        return open_artifacts(None, now=self.now)


class InADirectory(Ticking, DamagedArtifactContract, DurableArtifactContract):
    sync: Literal["full", "normal"] = "full"

    @pytest.fixture(autouse=True)
    def _root(self, tmp_path: Path) -> None:
        self.root = tmp_path / "home" / "artifacts"

    @override
    async def open_artifacts(self) -> ArtifactStore:
        return open_artifacts(self.root, sync=self.sync, now=self.now)

    @override
    async def damage(self, digest: str, data: bytes) -> None:
        place = self.root / digest[:2] / digest
        place.chmod(0o644)
        place.write_bytes(data)


@pytest.mark.requirement("E14", "S7")
class TestInADirectoryFull(InADirectory):
    sync = "full"


@pytest.mark.requirement("E14", "S7")
class TestInADirectoryNormal(InADirectory):
    sync = "normal"


@pytest.mark.requirement("E14", "S7")
class TestAtTheAddressOfADirectory(InADirectory):
    @override
    async def open_artifacts(self) -> ArtifactStore:
        return open_artifacts(self.root.as_uri(), now=self.now)


class InABucket(DamagedArtifactContract):
    """The dates of what is in it are its own."""

    bucket: obstore.store.ObjectStore

    @override
    async def open_artifacts(self) -> ArtifactStore:
        return BucketArtifacts(self.bucket, "the bucket", now=self.now)

    @override
    async def later(self) -> None:
        pass  # it has a real clock, and that of its user is ahead

    def now(self) -> datetime:
        return datetime.now(UTC) + timedelta(minutes=1)  # noqa: TID251 -- as the bucket has it

    @override
    async def damage(self, digest: str, data: bytes) -> None:
        await obstore.put_async(self.bucket, f"{digest[:2]}/{digest}", data)


@pytest.mark.requirement("E14")
class TestInABucketInMemory(InABucket):
    @pytest.fixture(autouse=True)
    def _bucket(self) -> None:
        self.bucket = obstore.store.MemoryStore()


@pytest.mark.requirement("E14")
class TestInABucketOfFiles(InABucket, DurableArtifactContract):
    @pytest.fixture(autouse=True)
    def _bucket(self, tmp_path: Path) -> None:
        self.bucket = obstore.store.LocalStore(tmp_path)


@pytest.mark.requirement("E14")
class TestAtAnAddress(ArtifactStoreContract):
    @override
    async def open_artifacts(self) -> ArtifactStore:
        return open_artifacts("memory:///", now=self.now)

    @override
    async def later(self) -> None:
        pass

    def now(self) -> datetime:
        return datetime.now(UTC) + timedelta(minutes=1)  # noqa: TID251 -- as the bucket has it
