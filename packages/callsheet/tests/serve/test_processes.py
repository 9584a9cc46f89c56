"""The service as a process: started, killed, told to end, and two of them on one database."""

from __future__ import annotations

import asyncio
import json
import signal
import sqlite3
import subprocess
import sys
from contextlib import ExitStack, closing, contextmanager
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from tests.acceptance.command import command, environment, run
from tests.serve import small_disk
from tests.serve.stage import ASKS, HELLO, SECONDS, heard, started

from callsheet import Event
from callsheet.client import Client
from callsheet.stores.sqlite.store import DATABASE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# Each starts processes.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("S1", "E3")]

PAUSES = {
    "name": "pauses",
    "steps": [
        {"id": f"s{number}", "tool": "wait", "args": {"seconds": 0.02}, "needs": needs}
        for number, needs in enumerate([[], *([f"s{before}"] for before in range(9))])
    ],
}


class Serving:
    """A process that serves."""

    def __init__(self, directory: Path, *words: object) -> None:
        self.process = subprocess.Popen(
            command("serve", "--json", *words),
            cwd=directory,
            env=environment(directory),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            process_group=0,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.process.communicate()[1].decode()
        self.url: str = json.loads(line)["url"]

    @property
    def port(self) -> str:
        return self.url.rpartition(":")[2]

    def end(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """End it; its exit code, and what it said."""
        self.process.send_signal(number)
        err = self.process.communicate(timeout=SECONDS)[1]
        return self.process.returncode, err.decode()


@contextmanager
def serving(directory: Path, *words: object) -> Iterator[Serving]:
    found = Serving(directory, *words)
    try:
        yield found
    finally:
        found.process.kill()
        found.process.communicate()


def key_of(directory: Path) -> str:
    return (directory / ".callsheet" / "serve.key").read_text().strip()


def test_the_first_start_makes_a_home_and_a_key(tmp_path: Path) -> None:
    with serving(tmp_path, "--port", 0) as served:
        assert httpx.get(f"{served.url}/ready", trust_env=False).json() == {"ready": True}
        assert (tmp_path / ".callsheet" / "serve.key").stat().st_mode & 0o777 == 0o600
        done = run("runs", "--json", "--server", served.url, directory=tmp_path)
        assert (done.code, done.json) == (0, [])
        assert served.end() == (0, "")


def test_what_is_wrong_is_said_in_a_sentence_with_2(tmp_path: Path) -> None:
    with serving(tmp_path, "--port", 0) as served:
        for words, said in (
            (("--port", served.port), "Address already in use"),
            (("--host", "0.0.0.0", "--port", "0"), "there is no key yet"),
            (("--host", "0.0.0.0", "--port", "0", "--no-key"), "for loopback alone"),
            (("--home", "x", "--database", "postgresql://h/d"), "not both"),
        ):
            done = run("serve", *words, directory=tmp_path)
            assert (done.code, len(done.err.splitlines())) == (2, 1), done.err
            assert said in done.err


def test_a_home_of_a_newer_version_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    assert run("key", "list", directory=tmp_path).code in (0, 2)
    with serving(tmp_path, "--port", 0) as served:
        served.end()
    database = tmp_path / ".callsheet" / DATABASE
    with closing(sqlite3.connect(database)) as db, db:
        db.execute("UPDATE alembic_version SET version_num = '9999'")
    before = database.read_bytes()
    done = run("serve", "--port", "0", directory=tmp_path)
    assert (done.code, len(done.err.splitlines())) == (2, 1), done.err
    assert "newer version" in done.err
    assert database.read_bytes() == before


@pytest.mark.parametrize("package", ["fastapi", "httptools"])
def test_without_the_extra_it_is_said_what_to_install(tmp_path: Path, package: str) -> None:
    code = f"import sys; sys.modules['{package}'] = None; from callsheet.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "serve", "--port", "0"],
        cwd=tmp_path,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), done.stderr
    assert "pip install 'callsheet[serve]'" in done.stderr
    assert not (tmp_path / ".callsheet").exists(), "nothing was made"


def test_a_full_disk_is_told_damages_nothing_and_is_outlived(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.serve.small_disk", tmp_path / "home"],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=SECONDS * 3,
        check=False,
    )
    if done.returncode == small_disk.CANNOT:
        pytest.skip("This machine does not let us mount a disk")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    full = [507, "store_full"]
    assert told["statuses"] in ([507], [201, 507])
    assert (told["context"], told["upload"], told["plan"]) == (full, full, full)
    assert (told["read"][0], told["list"][0]) == (200, 200)
    assert told["again"] == [200, "succeeded"]
    assert (told["waited"], told["lost"], told["same"]) == ("succeeded", 0, True)


def test_with_a_key_it_serves_everywhere_and_nobody_without(tmp_path: Path) -> None:
    made = run(
        *("key", "new", "--tenant", "acme", "--name", "ci", "--scopes", "runs:write", "--json"),
        directory=tmp_path,
    )
    assert made.code == 0, made.err
    with serving(tmp_path, "--host", "0.0.0.0", "--port", 0) as served:
        url = f"{served.url}/api/runs"
        assert httpx.get(url, trust_env=False).status_code == 401
        headers = {"Authorization": f"Bearer {made.json['key']}"}
        assert httpx.get(url, headers=headers, trust_env=False).status_code == 200
        listed = run("key", "list", "--json", directory=tmp_path).json
        assert [each["name"] for each in listed] == ["ci"]
        assert run("key", "revoke", listed[0]["id"], directory=tmp_path).code == 0
        assert run("key", "revoke", "nope", directory=tmp_path).code == 2


async def followed(url: str, key: str, run_id: str, seen: list[int]) -> None:
    """Read a run to its end, whatever becomes of the service: a client goes on by itself."""
    async with Client(url, key) as client:
        handle = await client.get(run_id)
        async for told in handle.events():
            seen += [told.seq] if isinstance(told, Event) else []


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_killed_under_load_nothing_is_lost_and_nothing_told_twice(
    tmp_path: Path, number: int
) -> None:
    with ExitStack() as stack, serving(tmp_path, "--port", 0) as served:
        key, port = key_of(tmp_path), served.port
        async with httpx.AsyncClient(
            base_url=served.url,
            headers={"Authorization": f"Bearer {key}"},
            timeout=SECONDS,
            trust_env=False,
        ) as client:
            runs = [await started(client, PAUSES) for _ in range(10)]
        told: dict[str, list[int]] = {each: [] for each in runs}
        async with asyncio.timeout(SECONDS), asyncio.TaskGroup() as group:
            for each in runs:
                group.create_task(followed(served.url, key, each, told[each]))
            while not all(told.values()):
                await asyncio.to_thread(lambda: None)
            await asyncio.to_thread(served.end, number)
            again = await asyncio.to_thread(Serving, tmp_path, "--port", port)
            stack.callback(again.end, signal.SIGKILL)
        for each in runs:
            assert told[each] == list(range(1, len(told[each]) + 1))
            async with Client(again.url, key) as client:
                assert (await (await client.get(each)).status()).state == "succeeded"
            assert len(told[each]) >= 2 + 2 * len(PAUSES["steps"])


async def test_started_here_watched_and_cancelled_there(tmp_path: Path) -> None:
    with (
        serving(tmp_path, "--port", 0) as one,
        serving(tmp_path, "--port", 0) as two,
    ):
        headers = {"Authorization": f"Bearer {key_of(tmp_path)}"}
        options: Any = {"headers": headers, "timeout": SECONDS, "trust_env": False}
        async with (
            httpx.AsyncClient(base_url=one.url, **options) as here,
            httpx.AsyncClient(base_url=two.url, **options) as there,
        ):
            run_id = await started(here, ASKS)
            async with there.stream("GET", f"/api/runs/{run_id}/events") as stream:
                found = heard(stream.aiter_lines())
                assert [(await anext(found)).id, (await anext(found)).id] == [1, 2]
                cancelled = await there.post(f"/api/runs/{run_id}/cancel", json={})
                assert cancelled.json()["served"] is True
                kinds = [each.data["kind"] async for each in found]
            assert kinds[-1] == "RunEnded"
            state = (await here.get(f"/api/runs/{run_id}")).json()["state"]
            assert state in ("cancelled", "undone")
            # The same request to both is one.
            once = {"Idempotency-Key": "both"}
            async with asyncio.TaskGroup() as group:
                tasks = [
                    group.create_task(
                        client.post("/api/runs?wait=30", json={"plan": HELLO}, headers=once)
                    )
                    for client in (here, there)
                ]
            assert len({task.result().json()["run"] for task in tasks}) == 1
