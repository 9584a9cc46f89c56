"""Artifacts in a directory: written once, whole or not at all, durable when that is said."""

from __future__ import annotations

import asyncio
import errno
import hashlib
import os
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import obstore
import pytest

from callsheet.errors import InputError, StoreError, StoreFullError, StoreReadOnlyError
from callsheet.stores.artifacts import bucket as bucket_blobs
from callsheet.stores.artifacts import directory as directory_blobs
from callsheet.stores.artifacts import drafts
from callsheet.stores.artifacts.bucket import BucketArtifacts
from callsheet.stores.artifacts.directory import DRAFT, DirectoryArtifacts
from callsheet.stores.artifacts.opening import open_artifacts

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from callsheet.stores.sql.session import Sync

pytestmark = pytest.mark.requirement("E14")

AT = datetime(2026, 1, 1, tzinfo=UTC)
DATA = b"frame" * 20_000
DIGEST = hashlib.sha256(DATA).hexdigest()

STOP_BEFORE_THE_RENAME = """
import asyncio, os, pathlib, sys, time
from datetime import UTC, datetime, timedelta
from callsheet.stores.artifacts.directory import DirectoryArtifacts

def stop(file):
    print("written", flush=True)
    time.sleep(600)

async def main():
    root = pathlib.Path(sys.argv[1])
    store = DirectoryArtifacts(root, sync="full", now=lambda: datetime(2026, 1, 1, tzinfo=UTC))
    await store.put(b"so that the directories are there")
    os.fsync = stop
    await store.put(b"frame" * 20_000)

asyncio.run(main())
"""

WRITE_FOR_EVER = """
import asyncio, pathlib, sys
from datetime import UTC, datetime, timedelta
from callsheet.stores.artifacts.directory import DirectoryArtifacts

async def main():
    store = DirectoryArtifacts(
        pathlib.Path(sys.argv[1]), sync="normal", now=lambda: datetime(2026, 1, 1, tzinfo=UTC)
    )
    for number in range(1_000_000):
        digest, _ = await store.put(str(number).encode() * 50_000)
        print(digest, flush=True)

asyncio.run(main())
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "artifacts"


@pytest.fixture
async def store(root: Path) -> AsyncIterator[DirectoryArtifacts]:
    store = _store(root)
    yield store
    await store.close()


def _store(root: Path, sync: Sync = "full") -> DirectoryArtifacts:
    return DirectoryArtifacts(root, sync=sync, now=lambda: AT)


def _process(command: list[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command, stdout=subprocess.PIPE)


def _drafts(root: Path) -> list[Path]:
    return list(root.glob(f"*/{DRAFT}*"))


async def test_the_same_content_is_written_once_however_often_and_by_how_many_it_is_put(
    store: DirectoryArtifacts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = []
    new = drafts.new_draft

    def counted(draft: Path) -> int:
        written.append(draft)
        return new(draft)

    monkeypatch.setattr(directory_blobs, "new_draft", counted)
    file = tmp_path / "clip.mp4"
    file.write_bytes(DATA)
    async with asyncio.TaskGroup() as tasks:
        for _ in range(10):
            tasks.create_task(store.put(DATA))
            tasks.create_task(store.put(file))
    await store.put(file)
    assert len(written) == 1


async def test_the_same_content_is_uploaded_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    uploads = []
    put = obstore.put_async

    async def counted(*args: object, **kwargs: object) -> object:
        uploads.append(args[1])
        return await put(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(obstore, "put_async", counted)
    file = tmp_path / "clip.mp4"
    file.write_bytes(DATA)
    store = BucketArtifacts(obstore.store.MemoryStore(), "the bucket", now=lambda: AT)
    async with asyncio.TaskGroup() as tasks:
        for _ in range(5):
            tasks.create_task(store.put(DATA))
            tasks.create_task(store.put(file))
    assert uploads == [f"{DIGEST[:2]}/{DIGEST}"]


async def test_a_file_that_changes_while_it_is_kept_is_named_by_what_was_kept(
    store: DirectoryArtifacts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "clip.mp4"
    file.write_bytes(b"first")
    new = drafts.new_draft

    def changing(draft: Path) -> int:
        file.write_bytes(DATA)
        return new(draft)

    monkeypatch.setattr(directory_blobs, "new_draft", changing)
    assert await store.put(file) == (DIGEST, len(DATA))
    assert [each.digest async for each in store.kept()] == [DIGEST]


async def test_an_artifact_lies_in_a_file_that_nobody_is_to_write_to(
    store: DirectoryArtifacts, root: Path
) -> None:
    await store.put(DATA)
    path = store.path(DIGEST)
    assert path == root / DIGEST[:2] / DIGEST
    assert path.read_bytes() == DATA
    assert not path.stat().st_mode & 0o222
    assert _drafts(root) == []


@pytest.mark.parametrize(
    ("number", "error"),
    [
        (errno.ENOSPC, StoreFullError),
        (errno.EDQUOT, StoreFullError),
        (errno.EROFS, StoreReadOnlyError),
        (errno.EIO, StoreError),
    ],
)
async def test_a_disk_that_fails_leaves_nothing_behind(
    store: DirectoryArtifacts,
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
    number: int,
    error: type[StoreError],
) -> None:
    write = os.write

    def failing(file: int, data: memoryview) -> int:
        if write(file, data[:100]) < 100:
            return 0
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", failing)
        with pytest.raises(error, match="artifacts") as raised:
            await store.put(DATA)
    assert type(raised.value) is error
    assert _drafts(root) == []
    assert [each async for each in store.kept()] == []
    assert await store.put(DATA) == (DIGEST, len(DATA))


async def test_a_home_that_is_no_directory_is_said_to_be_unusable(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine", "utf-8")
    store = _store(tmp_path / "file")
    with pytest.raises(StoreError, match="file"):
        await store.put(DATA)
    await store.close()


async def test_with_full_sync_the_bytes_and_then_their_name_are_synced(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    sync, replace = os.fsync, Path.replace

    def synced(file: int) -> None:
        done.append(Path(f"/dev/fd/{file}").resolve().name)
        sync(file)

    def renamed(self: Path, target: Path) -> Path:
        done.append("rename")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", renamed)
    store = _store(root, "full")
    await store.put(b"so that the directories are there")
    done.clear()
    await store.put(DATA)
    draft, *rest = done
    assert draft.startswith(DRAFT)
    assert rest == ["rename", DIGEST[:2]]
    # Whoever finds it there does not know whether it is synced yet.
    done.clear()
    await store.put(DATA)
    assert done == [DIGEST, DIGEST[:2]]
    await store.close()

    quick = _store(root, "normal")
    done.clear()
    await quick.put(b"other")
    assert done == ["rename"]
    await quick.close()


async def test_whoever_is_first_syncs_the_directories_also_if_they_are_there(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = _store(root)
    await first.put(DATA)
    await first.close()
    done: list[str] = []
    sync = os.fsync

    def synced(file: int) -> None:
        done.append(Path(f"/dev/fd/{file}").resolve().name)
        sync(file)

    monkeypatch.setattr(os, "fsync", synced)
    second = _store(root)
    await second.put(DATA)
    assert done[:2] == [root.name, root.parent.name]
    done.clear()
    await second.put(DATA)
    assert root.name not in done
    await second.close()


@pytest.mark.slow  # a process of its own
async def test_a_process_killed_while_it_writes_leaves_nothing_under_the_digest(
    root: Path,
) -> None:
    command = [sys.executable, "-c", STOP_BEFORE_THE_RENAME, str(root)]
    with _process(command) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"written\n"
        store = _store(root)
        (draft,) = _drafts(root)
        assert draft.stat().st_size == len(DATA)
        assert await store.size(DIGEST) is None
        # It is not ours to clear up while somebody writes it.
        assert await store.sweep() == 0
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert await store.size(DIGEST) is None
    assert len([each async for each in store.kept()]) == 1
    assert await store.sweep() == 1
    assert _drafts(root) == []
    assert await store.put(DATA) == (DIGEST, len(DATA))
    await store.close()


@pytest.mark.slow  # three processes of their own
async def test_processes_that_write_the_same_and_are_killed_leave_whole_artifacts_only(
    root: Path,
) -> None:
    command = [sys.executable, "-c", WRITE_FOR_EVER, str(root)]
    processes = [_process(command) for _ in range(3)]
    said = []
    for process in processes:
        assert process.stdout is not None
        said += [process.stdout.readline() for _ in range(5)]
    for process in processes:
        process.kill()
        process.communicate()
    store = _store(root)
    kept = [each.digest async for each in store.kept()]
    assert set(kept) >= {line.decode().strip() for line in said}
    for digest in kept:
        await store.get(digest)  # which checks it
    await store.sweep()
    assert _drafts(root) == []
    await store.close()


@pytest.mark.parametrize("where", ["nonsense://bucket", "s3://"])
def test_what_is_no_place_for_artifacts_is_refused(where: str) -> None:
    with pytest.raises(InputError, match="not a place for artifacts") as refused:
        open_artifacts(where, now=lambda: AT)
    assert "\n" not in str(refused.value), "no dump of what the library thinks"


async def test_a_bucket_that_cannot_be_reached_is_said_to_be_unusable(tmp_path: Path) -> None:
    bucket = obstore.store.LocalStore(tmp_path)
    (tmp_path / DIGEST[:2]).write_text("in the way", "utf-8")
    store = BucketArtifacts(bucket, "s3://films", now=lambda: AT)
    with pytest.raises(StoreError, match="s3://films could not be used"):
        await store.put(DATA)


async def test_the_draft_of_an_upload_that_failed_is_swept_when_it_is_old(tmp_path: Path) -> None:
    bucket = obstore.store.MemoryStore()
    await obstore.put_async(bucket, "drafts/left", b"half")
    (left,) = [each async for page in obstore.list(bucket) for each in page]
    young = BucketArtifacts(bucket, "the bucket", now=lambda: left["last_modified"])
    assert await young.sweep() == 0
    old = BucketArtifacts(
        bucket, "the bucket", now=lambda: left["last_modified"] + 2 * bucket_blobs.ABANDONED
    )
    assert await old.sweep() == 1
    assert [each async for page in obstore.list(bucket) for each in page] == []


async def test_nothing_is_removed_while_a_backup_is_made(
    store: DirectoryArtifacts, tmp_path: Path
) -> None:
    await store.put(DATA)
    copied = asyncio.Event()
    # As another process would open it: a lock of its own.
    other = _store(tmp_path / "artifacts")

    async def copy_the_database() -> None:
        removing = tasks.create_task(other.delete([DIGEST]))
        await store.put(b"meanwhile")
        assert not removing.done()
        copied.set()

    async with asyncio.TaskGroup() as tasks:
        await store.backup(tmp_path / "copy", copy_the_database)
    assert copied.is_set()
    assert await store.size(DIGEST) is None
    copy = _store(tmp_path / "copy")
    assert await copy.get(DIGEST) == DATA
    assert await copy.get(hashlib.sha256(b"meanwhile").hexdigest()) == b"meanwhile"
    for each in (other, copy):
        await each.close()


async def test_what_is_put_while_it_is_being_removed_is_there_afterwards(root: Path) -> None:
    # Two stores, as two processes have them: what keeps them apart is the lock on the directory.
    def at(second: int) -> DirectoryArtifacts:
        return DirectoryArtifacts(root, sync="normal", now=lambda: AT + timedelta(seconds=second))

    before, after, remover = at(0), at(2), at(2)
    for number in range(150):
        data = str(number).encode()
        digest, _ = await before.put(data)
        async with asyncio.TaskGroup() as tasks:
            for act in (
                remover.delete([digest], before=AT + timedelta(seconds=1)),
                after.put(data),
            ):
                tasks.create_task(act)
        assert await after.get(digest) == data
    for store in (before, after, remover):
        await store.close()
