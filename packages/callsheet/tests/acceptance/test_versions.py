"""Versions: a run says what it was started with, old journals go on, newer ones are refused."""

from __future__ import annotations

import sqlite3
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest
from tests.acceptance.stage import a_plan, carry_out, finish, opened, records, until

from callsheet import Engine, Step
from callsheet.core.ids import RunId
from callsheet.core.run import entries
from callsheet.errors import (
    InputError,
    ReplayImpossibleError,
    RequestRefusedError,
    StoreError,
)
from callsheet.stores.sqlite.store import DATABASE, SqlStore
from callsheet.testing import World, hangs, simulated

if TYPE_CHECKING:
    from pathlib import Path

OLD = """
{"kind":"RunStarted","run":"r0old","plan":{"steps":[{"id":"a","tool":"book","args":{"to":"Oslo"}},
{"id":"b","tool":"ok","needs":["a"]}],"output":"${steps.a.id}"},"inputs":{},
"tools":{"book":{"name":"book","effect":"write","undo":"cancel"},
"cancel":{"name":"cancel","effect":"write","idempotent":true},"ok":{"name":"ok"}},
"seed":"r0old","format":1,"core":1,"flags":[],"at":"2026-11-15T12:00:00Z"}

{"kind":"AttemptStarted","step":"a","attempt":1,"args":{"to":"Oslo"},
"undo":{"tool":"cancel","args":{"args":{"to":"Oslo"},"key":"k"}},"at":"2026-11-15T12:00:00Z"}

{"kind":"AttemptEnded","step":"a","attempt":1,"outcome":"succeeded","output":{"id":"b-1"},
"undo":{"tool":"cancel","args":{"args":{"to":"Oslo"},"output":{"id":"b-1"},"key":"k"},
"resolved":true},"at":"2026-11-15T12:00:01Z"}

{"kind":"AttemptStarted","step":"b","attempt":1,"args":{},"at":"2026-11-15T12:00:01Z"}

{"kind":"AttemptEnded","step":"b","attempt":1,"outcome":"succeeded","output":{},
"at":"2026-11-15T12:00:02Z"}

{"kind":"RunEnded","state":"succeeded","output":"b-1","at":"2026-11-15T12:00:02Z"}
"""
"""A journal as the first version wrote it; an empty line ends an entry."""


def a_world() -> World:
    world = World()
    world.pair("book", "cancel")
    world.tool("ok")
    return world


async def put(home: Path, journal: str, *, length: int | None = None) -> None:
    """Write a journal into a store, as far as a length."""
    texts = [text.replace("\n", "") for text in journal.strip().split("\n\n")][:length]
    store = await SqlStore.open(home, sync="normal", drive=True, create=True)
    try:
        found = [entries.decode(text.encode()) for text in texts]
        await store.journal.append(RunId("r0old"), found, after=0)
    finally:
        await store.close()


@pytest.mark.requirement("versions:old-journals-replay", "E22")
@simulated
async def test_a_journal_of_an_old_version_replays_and_can_be_undone(tmp_path: Path) -> None:
    world = a_world()
    await put(tmp_path / "home", OLD)
    async with opened(world, tmp_path / "home") as engine:
        report = await engine.replay("r0old")
        assert report.same, report.difference
        run = await engine.get("r0old")
        assert (await run.wait()).output == "b-1"
        await run.undo()
        result = await run.wait()
    assert result.state == "undone"
    assert [call.args["output"] for call in world.of("cancel")] == [{"id": "b-1"}]


@pytest.mark.parametrize("length", range(1, 6))
@pytest.mark.requirement("versions:old-journals-replay", "E22")
@simulated
async def test_a_run_of_an_old_version_goes_on(length: int, tmp_path: Path) -> None:
    world = a_world()
    await put(tmp_path / "home", OLD, length=length)
    async with opened(world, tmp_path / "home") as engine:
        run = await engine.get("r0old")
        if length == 2:
            await until(run, "QuestionAsked")
            await run.answer("a", "happened", output={"id": "b-1"})
        result = await finish(engine, run)
    assert result.state == "succeeded"
    assert result.output == ("book-a" if length == 1 else "b-1")
    assert world.count("book") == (1 if length == 1 else 0)


@pytest.mark.requirement("versions:flags-are-recorded", "E22")
@simulated
async def test_a_run_records_and_keeps_the_versions_and_flags_it_was_started_with(
    tmp_path: Path,
) -> None:
    world = a_world()
    world.tool("hangs", hangs(), version="7")
    plan = a_plan(Step(id="a", tool="hangs"), Step(id="b", tool="book", for_each=[1, 2]))
    async with opened(world, tmp_path / "home") as engine:
        run = await engine.start(plan)
        (before,) = await records(run, "RunStarted")
    async with opened(world, tmp_path / "home") as engine:
        run = await engine.get(run.id)
        await run.cancel()
        await finish(engine, run)
        (after,) = await records(run, "RunStarted")
    assert (before.format, before.core, before.flags) == (1, entries.CORE_VERSION, entries.FLAGS)
    assert before.plan.callsheet == 1
    assert before.plan.digest == plan.digest
    assert before.tools["hangs"].version == "7"
    assert after == before


@pytest.mark.requirement("versions:flags-are-recorded", "E22")
@simulated
async def test_a_flag_that_is_switched_loses_no_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = a_world()
    world.tool("hangs", hangs())
    async with opened(world, tmp_path / "home") as engine:
        monkeypatch.setattr("callsheet.core.run.start.FLAGS", ("greener",))
        monkeypatch.setattr("callsheet.core.run.entries.KNOWN_FLAGS", frozenset({"greener"}))
        run = await engine.start(a_plan(Step(id="a", tool="hangs")))
    monkeypatch.setattr("callsheet.core.run.start.FLAGS", ())
    async with opened(world, tmp_path / "home") as engine:
        run = await engine.get(run.id)
        await run.cancel()
        result = await finish(engine, run)
        (started,) = await records(run, "RunStarted")
    assert result.state == "cancelled"
    assert started.flags == ("greener",)


@pytest.mark.parametrize("field", ["format", "core"])
@pytest.mark.requirement("versions:newer-store-is-refused", "E22")
@simulated
async def test_a_run_of_a_newer_version_is_left_alone_and_the_others_go_on(
    field: str, tmp_path: Path
) -> None:
    world = a_world()
    newer = OLD.replace(f'"{field}":1', f'"{field}":99')
    await put(tmp_path / "home", newer, length=2)
    async with opened(world, tmp_path / "home") as engine:
        other = await carry_out(engine, a_plan(Step(id="a", tool="book")))
        run = await engine.get("r0old")
        with pytest.raises(InputError, match="99"):
            await engine.replay("r0old")
        with pytest.raises(InputError, match="Upgrade"):
            await engine.resume("r0old")
        with pytest.raises(InputError, match="Upgrade"):
            await run.cancel()
        assert len(await run.journal()) == 2
    assert other.state == "succeeded"
    assert [call.run for call in world.calls] == [other.run]


NEWER = {
    "a flag": ('"flags":[]', '"flags":["faster"]', "'faster'"),
    "a field of a run": ('"flags":[]', '"flags":[],"mood":"blue"', "'mood'"),
    "a field of a step": ('"id":"b",', '"id":"b","mood":"blue",', "'mood'"),
    "a field of a tool": ('"name":"ok"', '"name":"ok","mood":1', "'mood'"),
    "a field of an entry": ('"args":{},', '"args":{},"mood":"blue",', "'mood'"),
    "a kind": ('"kind":"AttemptStarted","step":"b"', '"kind":"Painted","step":"b"', "'Painted'"),
}


async def put_lines(home: Path, journal: str) -> None:
    """Write a journal into a store as it stands, whether it can be read or not."""
    await put(home, OLD)
    lines = [text.replace("\n", "") for text in journal.strip().split("\n\n")]
    with sqlite3.connect(home / DATABASE) as connection:
        for seq, line in enumerate(lines, 1):
            connection.execute("update journal set body = ? where seq = ?", (line, seq))
        connection.execute("delete from journal where seq > 4")
        connection.execute("update runs set ended = null, ended_at = null")
    connection.close()


@pytest.mark.parametrize("case", NEWER)
@pytest.mark.requirement("versions:newer-store-is-refused", "E22")
@simulated
async def test_what_a_newer_version_added_is_refused_by_name_and_shown_as_far_as_it_is_known(
    case: str, tmp_path: Path
) -> None:
    old, new, named = NEWER[case]
    await put_lines(tmp_path / "home", OLD.replace(old, new))
    world = a_world()
    async with opened(world, tmp_path / "home") as engine:
        for refused in (engine.resume("r0old"), engine.replay("r0old")):
            with pytest.raises(ReplayImpossibleError, match=named) as told:
                await refused
            assert "core 1" in told.value.message
            assert "pgrade callsheet" in told.value.message
        with pytest.raises(RequestRefusedError, match="not ended"):
            await engine.delete("r0old")
        status = await (await engine.get("r0old")).status()
        assert status.steps["a"].state == "succeeded"
        assert status.steps["b"].state == ("ready" if case == "a kind" else "running")
    assert not world.calls


@pytest.mark.requirement("versions:newer-store-is-refused", "E22")
@simulated
async def test_a_store_of_a_newer_version_is_refused_unchanged(tmp_path: Path) -> None:
    world, home = a_world(), tmp_path / "home"
    async with opened(world, home) as engine:
        await carry_out(engine, a_plan(Step(id="a", tool="ok")))
    (database,) = home.glob("*.db")
    with sqlite3.connect(database) as connection:
        connection.execute("update alembic_version set version_num = '9999'")
    connection.close()
    before = sha256(database.read_bytes()).hexdigest()
    with pytest.raises(StoreError, match="newer") as refused:
        async with Engine.open(home):
            pass
    assert refused.value.code == "store_version"
    assert sha256(database.read_bytes()).hexdigest() == before


@pytest.mark.requirement("E22", "E2")
@simulated
async def test_a_plan_of_a_newer_format_is_refused() -> None:
    async with opened(a_world()) as engine:
        with pytest.raises(InputError, match="callsheet"):
            await engine.start({"callsheet": 2, "steps": [{"id": "a", "tool": "ok"}]})
        assert not await engine.runs()
