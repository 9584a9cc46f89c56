"""`engine.tenant(name)` sees its own, and nothing else: every verb, with another tenant's ids.

The verbs are asked of the class itself. Each is called twice by tenant beta: with what is acme's,
and with what never was; both times the same must come of it. A verb that this walk does not know
how to call fails it.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from callsheet import Artifact, Context, Engine, Plan, Run, Step, tool
from callsheet.core.ids import mint_run
from callsheet.engine.artifacts import Artifacts
from callsheet.engine.context import TenantContext
from callsheet.engine.ledger import OwnAccount
from callsheet.engine.plans import SavedPlans
from callsheet.engine.tenant.tenant import Tenant
from callsheet.engine.tenant.tools import TenantTools
from callsheet.errors import CallsheetError, PlanError, UnknownArtifactError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from pathlib import Path

    from callsheet.core.value import Json

pytestmark = pytest.mark.requirement("S10")

PLAN = Plan(
    name="trip",
    steps=(
        Step(id="a", tool="wait", args={"seconds": 0}),
        Step(id="b", ask="Go on?"),
    ),
)
NOWHERE = "f" * 64


class Things(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody may know the name of."""

    run: str
    begins: str
    digest: str
    plan: str = "trip"
    scope: str = "project:blue"
    name: str = "style"
    key: str = "k"


async def first_of(events: AsyncIterator[Any]) -> Any:
    """What comes first: what is there is told at once, before anything is waited for."""
    return await anext(events, None)


async def heard(tenant: Tenant, _: Things) -> list[str]:
    """What the feed tells, up to the first word of the tenant's own."""
    own = await tenant.start(PLAN)
    runs: list[str] = []
    async for event in tenant.feed():
        if event.run == own.id:
            break
        runs.append(event.run)
    await own.cancel()
    await own.wait()
    await tenant.delete(own.id)
    return runs


async def _now(found: object) -> object:
    return found


async def _renamed(found: Awaitable[object]) -> object:
    with pytest.warns(DeprecationWarning, match="`check` now"):
        return await found


def _read(tenant: Tenant, things: Things) -> Awaitable[object]:
    return first_of(tenant.artifacts.read(things.digest))


async def _once(tenant: Tenant, things: Things) -> object:
    """An item under a key that another has used is a new one: the first of its name."""
    item = await tenant.context.set(things.scope, things.name, "beta's", key=things.key)
    await tenant.context.delete(things.scope)
    return (item.version, item.value)


WALK: dict[str, Callable[[Tenant, Things], Awaitable[object]]] = {
    # Plans, judged
    "read": lambda t, x: _now(len(t.read(PLAN).steps)),
    "check": lambda t, x: t.check({"steps": [{"id": "s", "plan": x.plan}]}),
    "examine": lambda t, x: _renamed(t.examine({"steps": [{"id": "s", "plan": x.plan}]})),
    "problems": lambda t, x: _renamed(t.problems({"steps": [{"id": "s", "plan": x.plan}]})),
    "bind": lambda t, x: _now(t.bind(PLAN, {})),
    "read_inputs": lambda t, x: _now(t.read_inputs("/nowhere")),
    "preflight": lambda t, x: t.preflight({"steps": [{"id": "s", "plan": x.plan}]}),
    "statistics": lambda t, x: t.statistics(),
    "calibration": lambda t, x: t.calibration(),
    # Runs
    "start": lambda t, x: t.start({"steps": [{"id": "s", "plan": x.plan}]}),
    "run": lambda t, x: t.run({"steps": [{"id": "s", "plan": x.plan}]}),
    "fork": lambda t, x: t.fork(x.run, "a"),
    "repeats": lambda t, x: t.repeats(x.run, "a"),
    "get": lambda t, x: t.get(x.run),
    "head": lambda t, x: t.head(x.run),
    "find": lambda t, x: t.find(x.begins),
    "runs": lambda t, x: t.runs(key=x.key),
    "questions": lambda t, x: t.questions(),
    "feed": heard,
    "resume": lambda t, x: t.resume(x.run),
    "turn": lambda t, x: t.turn("hello", model="offline"),  # nobody has given beta a model
    "get_turn": lambda t, x: t.get_turn(x.run),
    "replay": lambda t, x: t.replay(x.run),
    "delete": lambda t, x: t.delete(x.run),
    "lineage": lambda t, x: t.lineage(x.run),
    # Artifacts
    "artifacts.put": lambda t, x: _now(None),  # makes what is its own
    "artifacts.get": lambda t, x: t.artifacts.get(x.digest),
    "artifacts.read": _read,
    "artifacts.save": lambda t, x: t.artifacts.save(x.digest, "/nowhere/else"),
    "artifacts.find": lambda t, x: t.artifacts.find(x.digest[:8]),
    "artifacts.about": lambda t, x: t.artifacts.about(x.digest),
    "artifacts.list": lambda t, x: t.artifacts.list(run=x.run),
    "artifacts.lineage": lambda t, x: t.artifacts.lineage(x.digest),
    "artifacts.draw": lambda t, x: _now(None),  # of what it is given
    # Saved plans
    "plans.save": lambda t, x: _now(None),  # makes what is its own
    "plans.get": lambda t, x: t.plans.get(x.plan),
    "plans.list": lambda t, x: t.plans.list(),
    "plans.versions": lambda t, x: t.plans.versions(x.plan),
    "plans.delete": lambda t, x: t.plans.delete(x.plan),
    "plans.fitting": lambda t, x: t.plans.fitting(x.plan),
    "plan_for": lambda t, x: t.plan_for(x.plan, tools=[f"plan:{x.plan}"]),
    "usual_model": lambda t, x: _now(t.usual_model()),
    "is_older": lambda t, x: _now(None),  # of a head that somebody has
    "database": lambda t, x: _now(None),  # an app's: what is whose stands in its own tables
    # Context
    "context.set": _once,
    "context.put": _once,
    "context.get": lambda t, x: t.context.get(x.scope, x.name),
    "context.list": lambda t, x: t.context.list(x.scope),
    "context.history": lambda t, x: t.context.history(x.scope, x.name),
    "context.delete": lambda t, x: t.context.delete(x.scope, x.name),
    # The account
    "ledger.account": lambda t, x: t.ledger.account(),
    "ledger.statement": lambda t, x: t.ledger.statement(),
    # Tools
    "tools.spec": lambda t, x: _now(t.tools.spec("wait")),
    "tools.names": lambda t, x: _now(t.tools.names()),
    "tools.specs": lambda t, x: _now(t.tools.specs(names=["wait"])),
    "tools.named": lambda t, x: _now(t.tools.named("wait")),
    "tools.call": lambda t, x: _now(None),  # of the engine, not of whoever has a run
    "tools.close": lambda t, x: t.tools.close(),
}


NOUNS: dict[str, type] = {
    "artifacts": Artifacts,
    "plans": SavedPlans,
    "context": TenantContext,
    "ledger": OwnAccount,
    "tools": TenantTools,
}


def verbs_of(kind: type) -> set[str]:
    return {
        name for name, _ in inspect.getmembers(kind, inspect.isfunction) if not name.startswith("_")
    }


def test_the_walk_knows_every_verb_of_a_tenant() -> None:
    verbs = verbs_of(Tenant) | {
        f"{noun}.{verb}" for noun, kind in NOUNS.items() for verb in verbs_of(kind)
    }
    assert verbs == WALK.keys()


async def test_the_walk_knows_every_noun_of_a_tenant() -> None:
    async with Engine.in_memory() as engine:
        tenant = engine.tenant("acme")
        nouns = {name: type(part) for name, part in vars(tenant).items() if name[0] != "_"}
        assert nouns.pop("name") is str
        assert nouns == NOUNS


async def what_acme_has(engine: Engine) -> Things:
    acme = engine.tenant("acme")
    await acme.plans.save(PLAN)
    artifact = await acme.artifacts.put(b"acme's own")
    await acme.context.set("project:blue", "style", artifact.to_json(), key="k")
    await engine.ledger.grant("acme", usd=5)
    budgeted = msgspec.structs.replace(PLAN, budget={"usd": 1})
    run = await acme.start(budgeted.to_json(), key="k")
    await run.step("a").result()
    return Things(run=run.id, begins=run.id[:-2], digest=artifact.digest)


def shown(found: object, things: Things) -> str:
    """What came of a verb, without the names it was called with."""
    text = f"{type(found).__name__}: {found}" if isinstance(found, CallsheetError) else repr(found)
    for name in (things.run, things.begins, things.digest, things.digest[:8], things.plan):
        text = text.replace(name, "…")
    return text


async def what_comes_of(verb: str, tenant: Tenant, things: Things) -> str:
    try:
        found = await WALK[verb](tenant, things)
    except CallsheetError as error:
        found = error
    return shown(found, things)


# A home, and every verb of it twice.
@pytest.mark.slow
async def test_what_is_another_tenant_s_is_as_if_it_never_was(tmp_path: Path) -> None:
    never = mint_run(2**40, 7)
    nobody_s = Things(
        run=never, begins=never[:-2], digest=NOWHERE, plan="nope", scope="s", name="n", key="z"
    )
    async with Engine.open(tmp_path / "home") as engine:
        acme_s = await what_acme_has(engine)
        beta = engine.tenant("beta")
        for verb in WALK:
            of_acme = await what_comes_of(verb, beta, acme_s)
            assert of_acme == await what_comes_of(verb, beta, nobody_s), verb
        acme = engine.tenant("acme")
        run = await acme.get(acme_s.run)
        assert (await run.status()).state == "waiting"
        assert await acme.artifacts.get(acme_s.digest) == b"acme's own"
        assert len(await acme.plans.versions("trip")) == 1
        assert len(await acme.context.history("project:blue", "style")) == 1


async def test_a_tenant_s_own_is_all_there(tmp_path: Path) -> None:
    async with Engine.open(tmp_path / "home") as engine:
        things = await what_acme_has(engine)
        acme = engine.tenant("acme")
        assert [head.run for head in await acme.runs()] == [things.run]
        assert isinstance(await acme.find("last"), Run)
        assert [each.question.step for each in await acme.questions()] == ["b"]
        assert [each.name for each in await acme.plans.list()] == ["trip"]
        assert [each.artifact.digest for each in await acme.artifacts.list()] == [things.digest]
        account = await acme.ledger.account()
        assert account is not None
        assert (account.available.usd, account.reserved.usd) == (4, 1)
        assert (await first_of(acme.feed())).run == things.run
        assert await engine.tenant("beta").runs() == ()
        assert engine.tenant("acme") is acme


@tool("peek", effect="read")
async def peek(file: Artifact, ctx: Context) -> str:
    """What an artifact says."""
    return (await ctx.load(file)).decode()


@tool("forge", effect="read")
async def forge(digest: str) -> dict[str, str]:
    """What a server may answer that somebody has set up."""
    return {"$artifact": digest}


PEEK = {
    "inputs": {"file": {"type": "object"}},
    "steps": [{"id": "a", "tool": "peek", "args": {"file": "${inputs.file}"}}],
}
FORGED = {
    "inputs": {"digest": {"type": "string"}},
    "steps": [
        {"id": "a", "tool": "peek", "args": {"file": {"$artifact": "${inputs.digest}"}}},
    ],
}
ANSWERED = {
    "inputs": {"digest": {"type": "string"}},
    "steps": [
        {"id": "f", "tool": "forge", "args": {"digest": "${inputs.digest}"}},
        {"id": "a", "tool": "peek", "args": {"file": "${steps.f}"}},
    ],
}


async def test_a_digest_that_is_another_s_is_of_no_use() -> None:
    async with Engine.in_memory([peek, forge]) as engine:
        acme, beta = engine.tenant("acme"), engine.tenant("beta")
        artifact = await acme.artifacts.put(b"acme's own")
        assert (await acme.run(PEEK, {"file": artifact.to_json()})).steps["a"].output
        for digest in (artifact.digest, NOWHERE):
            named: Json = {"$artifact": digest}
            with pytest.raises(UnknownArtifactError):
                await beta.start(PEEK, {"file": named})
            with pytest.raises(UnknownArtifactError):
                await beta.start({"steps": [{"id": "a", "tool": "peek", "args": {"file": named}}]})
            with pytest.raises(UnknownArtifactError):
                await beta.context.set("s", "n", named)
            waiting = await beta.start({"steps": [{"id": "q", "ask": "?"}]})
            with pytest.raises(UnknownArtifactError):
                await waiting.answer("q", named)
            for plan in (FORGED, ANSWERED):
                done = await beta.run(plan, {"digest": digest})
                assert done.state == "failed"
                assert done.steps["a"].output is None
            with pytest.raises(UnknownArtifactError):
                await beta.artifacts.get(digest)
        own = await beta.artifacts.put(b"beta's own")
        assert (await beta.run(PEEK, {"file": own.to_json()})).state == "succeeded"


async def test_a_tenant_calls_the_tools_that_it_may_use_and_their_undos(tmp_path: Path) -> None:
    file = tmp_path / "callsheet.toml"
    file.write_text('[tenants.acme]\ntools = ["wait", "context.set"]\n')
    async with Engine.in_memory([peek], config=file) as engine:
        acme = engine.tenant("acme")
        assert acme.tools.names() == ["context.restore", "context.set", "wait"]
        assert "peek" in engine.tenant("beta").tools.names()
        (problem,) = await acme.check(PEEK)
        assert "no tool 'peek'" in problem.what
        with pytest.raises(PlanError):
            await engine.start(PEEK, {"file": {}}, tenant="acme")
        run = await acme.start({"steps": [{"id": "q", "ask": "?"}]}, open=True)
        with pytest.raises(PlanError):
            await run.add([{"id": "x", "tool": "http.get", "args": {"url": "http://x.test"}}])
        await run.add([{"id": "x", "tool": "wait", "args": {"seconds": 0}}])
