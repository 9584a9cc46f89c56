"""Tenants share an engine and nothing else."""

from __future__ import annotations

import asyncio
import sqlite3
from typing import TYPE_CHECKING, Any

import pytest
from alembic import command
from tests.acceptance.command import call
from tests.unit.stores.test_migrations import a_config

from callsheet import Engine, Plan, Step, tool
from callsheet.errors import TransientError
from callsheet.stores.postgres.address import Address
from callsheet.stores.postgres.lending import engine_of as engine_on
from callsheet.stores.postgres.store import PostgresStore
from callsheet.stores.sqlite.session import engine_of
from callsheet.stores.sqlite.store import DATABASE
from callsheet.testing.contracts.samples import at

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Engine as Database

    from callsheet import Result

pytestmark = pytest.mark.requirement("S10")

PLACE: dict[str, Any] = {"scope": "project:blue", "name": "style"}


async def carried_out(engine: Engine, tenant: str, tool: str, **args: Any) -> Result:
    plan = Plan(steps=(Step(id="a", tool=tool, args={**PLACE, **args}),))
    return await (await engine.start(plan, tenant=tenant)).wait()


async def test_a_tenant_neither_reads_nor_overwrites_the_context_of_another() -> None:
    async with Engine.in_memory() as engine:
        await carried_out(engine, "acme", "context.set", value="acme's")
        read = await carried_out(engine, "beta", "context.get")
        assert read.steps["a"].output == {"value": None, "version": 0}
        written = await carried_out(engine, "beta", "context.set", value="beta's", after=0)
        assert written.state == "succeeded"
        for tenant in ("acme", "beta"):
            read = await carried_out(engine, tenant, "context.get")
            assert read.steps["a"].output == {"value": f"{tenant}'s", "version": 1}
        assert await engine.context.get("project:blue", "style") is None
        found = await engine.context.get("project:blue", "style", tenant="acme")
        assert found is not None
        assert found.value == "acme's"


async def test_an_undo_withdraws_what_its_own_run_has_written() -> None:
    async with Engine.in_memory() as engine:
        plan = Plan(steps=(Step(id="a", tool="context.set", args={**PLACE, "value": 1}),))
        run = await engine.start(plan, tenant="acme")
        await run.wait()
        await run.undo()
        assert (await run.wait()).state == "undone"
        assert await engine.context.get("project:blue", "style", tenant="acme") is None


async def test_sub_plans_are_their_tenant_s_too() -> None:
    inner = Plan(steps=(Step(id="b", tool="context.set", args={**PLACE, "value": 1}),))
    async with Engine.in_memory() as engine:
        run = await engine.start(Plan(steps=(Step(id="a", plan=inner),)), tenant="acme")
        await run.wait()
        assert await engine.context.get("project:blue", "style", tenant="acme") is not None


def test_the_command_line_names_the_tenant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert call("context", "put", "p", "style", "1", "--tenant", "acme").code == 0
    assert call("context", "get", "p", "style").code == 2
    assert call("context", "get", "p", "style", "--tenant", "acme").out == "1\n"
    assert len(call("context", "list", "p", "--tenant", "acme", "--json").json) == 1
    assert call("context", "delete", "p", "--json").json == {"deleted": 0}


async def test_items_of_a_home_of_an_older_version_go_to_the_tenants_of_their_runs(
    tmp_path: Path,
) -> None:
    home = tmp_path / "home"
    async with Engine.open(home) as engine:
        await fill(engine)
    downgrade(engine_of(home / DATABASE))
    db = sqlite3.connect(home / DATABASE)
    assert db.execute("SELECT count(*) FROM context").fetchone() == (4,)
    assert "tenant" not in db.execute("SELECT * FROM context").description.__repr__()
    db.close()
    async with Engine.open(home) as engine:
        await check(engine)


@pytest.mark.slow  # a PostgreSQL server
async def test_so_do_those_of_a_database(database: str, tmp_path: Path) -> None:
    async with Engine.open(database, artifacts=tmp_path / "artifacts") as engine:
        await fill(engine)
    downgrade(engine_on(Address.of(database)))
    async with Engine.open(database, artifacts=tmp_path / "artifacts") as engine:
        await check(engine)
    store = await PostgresStore.open(Address.of(database))
    assert await store.context.get("project:blue", "style", at=at(1), tenant="gamma") is None
    await store.close()


async def fill(engine: Engine) -> None:
    """Two tenants in scopes of their own, somebody's own hand, and a run that is gone."""
    picture = await engine.artifacts.put(b"blue")
    await carried_out(engine, "acme", "context.set", value=[picture.to_json()])
    await carried_out(engine, "beta", "context.set", name="other", value="beta's")
    await engine.context.put("project:blue", "by hand", "mine")
    gone = await carried_out(engine, "gamma", "context.set", name="gone", value="whose?")
    await engine.delete(gone.run)


async def check(engine: Engine) -> None:
    listed = {
        tenant: [item.name for item in await engine.context.list("project:blue", tenant=tenant)]
        for tenant in ("acme", "beta", "default", "gamma")
    }
    assert listed == {
        "acme": ["style"],
        "beta": ["other"],
        "default": ["by hand", "gone"],
        "gamma": [],
    }
    # What an item names is kept as long as the item is.
    assert not (await engine.collect(grace=at(0) - at(0))).digests
    assert await engine.context.delete("project:blue", tenant="acme") == 1


def downgrade(database: Database) -> None:
    """As it was before scopes were tenants'."""
    with database.begin() as connection:
        config = a_config()
        config.attributes["connection"] = connection
        command.downgrade(config, "0002")
    database.dispose()


class Hosts:
    """A tool that fails for one host, as a network does; and how often it was called."""

    def __init__(self) -> None:
        self.called: list[str] = []

    def tool(self) -> Any:
        @tool(effect="read", retry=1)
        async def fetch(host: str) -> str:
            """Fetch something."""
            self.called.append(host)
            if host == "nowhere":
                raise TransientError("There is nobody.")
            return host

        return fetch


async def test_one_tenant_s_failures_do_not_stop_the_calls_of_another() -> None:
    """Five failures in a row stop the calls of a tool for a while: those of who failed."""
    hosts = Hosts()
    async with Engine.in_memory([hosts.tool()]) as engine, asyncio.timeout(60):
        fails = {"steps": [{"id": "a", "tool": "fetch", "args": {"host": "nowhere"}}]}
        works = {"steps": [{"id": "a", "tool": "fetch", "args": {"host": "there"}}]}
        for _ in range(5):
            assert (await engine.run(fails, tenant="beta")).state == "failed"
        assert (await engine.run(works, tenant="acme")).state == "succeeded"
        waits = await engine.start(works, tenant="beta")
        assert (await waits.status()).state == "running"
        assert hosts.called == ["nowhere"] * 5 + ["there"]
        await waits.cancel()
