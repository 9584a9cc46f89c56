"""Context: named data that runs share, versioned, bounded and expiring."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.stage import a_plan, carry_out, finish, opened, pass_time, states

from callsheet import Engine, Step
from callsheet.errors import FatalError, InputError, StaleContextError
from callsheet.testing import World, raises, simulated

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.requirement("E5")

P, STYLE = "project:blue", {"scope": "project:blue", "name": "style"}


async def value_of(engine: Engine, name: str = "style") -> Any:
    item = await engine.context.get(P, name)
    return item.value if item else None


@simulated
async def test_what_is_put_is_there_for_every_run() -> None:
    async with opened(World()) as engine:
        kept = await engine.context.put(P, "style", {"colour": "blue"})
        assert (kept.version, kept.size) == (1, 17)
        plan = a_plan(
            Step(id="style", tool="context.get", args={**STYLE}),
            Step(id="use", tool="value", args={"value": "${steps.style.value.colour}"}),
            output="${steps.use}",
        )
        assert (await carry_out(engine, plan)).output == "blue"


@simulated
async def test_one_run_writes_and_another_reads() -> None:
    async with opened(World()) as engine:
        write = a_plan(Step(id="w", tool="context.set", args={**STYLE, "value": [1, 2]}))
        written = await carry_out(engine, write)
        assert written.steps["w"].output == {"version": 1, "bytes": 5}
        read = a_plan(Step(id="r", tool="context.get", args={**STYLE}))
        assert (await carry_out(engine, read)).steps["r"].output == {"value": [1, 2], "version": 1}


@simulated
async def test_what_is_not_there_is_null_and_version_0() -> None:
    async with opened(World()) as engine:
        read = a_plan(Step(id="r", tool="context.get", args={**STYLE}))
        assert (await carry_out(engine, read)).steps["r"].output == {"value": None, "version": 0}


@pytest.mark.requirement("E9")
@simulated
async def test_undoing_brings_the_versions_before_back_in_reverse() -> None:
    async with opened(World()) as engine:
        await engine.context.put(P, "style", "old")
        plan = a_plan(
            Step(id="a", tool="context.set", args={**STYLE, "value": "a"}),
            Step(id="b", tool="context.set", args={**STYLE, "value": "b"}, needs=("a",)),
            Step(id="c", tool="context.set", args={**STYLE, "name": "new", "value": 1}),
        )
        run = await engine.start(plan)
        await finish(engine, run)
        assert (await value_of(engine), await value_of(engine, "new")) == ("b", 1)
        await run.undo(by="ada")
        assert (await run.wait()).state == "undone"
        assert (await value_of(engine), await value_of(engine, "new")) == ("old", None)
        # A number that was given is not given again: nobody can mistake another value for it.
        assert (await engine.context.put(P, "style", "next", after=1)).version == 4


@pytest.mark.requirement("E9")
@simulated
async def test_a_run_that_fails_leaves_what_others_wrote_meanwhile() -> None:
    world = World()
    world.tool("boom", raises(FatalError("boom")))
    async with opened(world) as engine:
        plan = a_plan(
            Step(id="a", tool="context.set", args={**STYLE, "value": "mine"}),
            Step(id="ok", ask="Go on?", choices=("yes",), needs=("a",)),
            Step(id="boom", tool="boom", needs=("ok",)),
        )
        run = await engine.start(plan)
        await pass_time(1)
        await engine.context.put(P, "style", "theirs")
        await run.answer("ok", "yes", by="ada")
        assert (await run.wait()).state == "undone"
        assert await value_of(engine) == "theirs"


@simulated
async def test_of_two_runs_that_follow_the_same_version_the_second_is_refused() -> None:
    async with opened(World()) as engine:
        await engine.context.put(P, "count", 1)
        plan = a_plan(
            Step(
                id="w",
                tool="context.set",
                args={"scope": P, "name": "count", "value": 2, "after": 1},
            )
        )
        assert (await carry_out(engine, plan)).state == "succeeded"
        result = await carry_out(engine, plan)
        assert states(result) == {"w": "failed"}
        assert result.steps["w"].error is not None
        assert "at version 2, not at version 1" in result.steps["w"].error.message


@simulated
async def test_an_item_expires() -> None:
    async with opened(World()) as engine:
        await engine.context.put(P, "style", 1, ttl=60)
        await engine.context.put(P, "other", 2, ttl=timedelta(minutes=2))
        await pass_time(59)
        assert [item.name for item in await engine.context.list(P)] == ["other", "style"]
        await pass_time(1)
        assert [item.name for item in await engine.context.list(P)] == ["other"]
        assert await engine.context.prune() == 1
        await pass_time(61)
        assert await value_of(engine, "other") is None


# Slow, about a second: the first to keep bytes imports what keeps them.
@pytest.mark.slow
@pytest.mark.requirement("E14")
@simulated
async def test_an_artifact_is_kept_for_as_long_as_an_item_names_it() -> None:
    async with opened(World()) as engine:
        picture = await engine.artifacts.put(b"a picture", name="a.png")
        await engine.context.put(P, "picture", [picture.to_json()], ttl=60)
        await pass_time(59)
        assert (await engine.collect(grace=timedelta(seconds=1))).digests == ()
        await pass_time(1)
        assert (await engine.collect(grace=timedelta(seconds=1), dry_run=True)).digests == ()
        collected = await engine.collect(grace=timedelta(seconds=1))
        assert list(collected.digests) == [picture.digest]


@simulated
async def test_whoever_read_an_old_version_is_told() -> None:
    async with opened(World()) as engine:
        first = await engine.context.put(P, "style", 1, after=0)
        await engine.context.put(P, "style", 2, after=first.version)
        with pytest.raises(StaleContextError, match="at version 2, not at version 1"):
            await engine.context.put(P, "style", 3, after=first.version)
        older = await engine.context.get(P, "style", version=1)
        assert older == first


@pytest.mark.parametrize(
    ("scope", "name", "value", "ttl", "said"),
    [
        ("", "n", 1, None, "cannot be a scope"),
        ("p", " ", 1, None, "cannot be a name"),
        ("p", "x" * 201, 1, None, "cannot be a name"),
        ("p", "n\0", 1, None, "cannot be a name"),
        ("p", "n", float("nan"), None, "cannot be kept"),
        ("p", "n", 1, 0, "cannot live 0 seconds"),
        ("p", "n", 1, float("inf"), "cannot live inf seconds"),
        ("p", "n", "x" * (16 * 1024 * 1024), None, "16,777,216 is the most"),
    ],
)
@simulated
async def test_what_cannot_be_kept_is_refused(
    scope: str, name: str, value: Any, ttl: float | None, said: str
) -> None:
    async with opened(World()) as engine:
        with pytest.raises(InputError, match=said):
            await engine.context.put(scope, name, value, ttl=ttl)
        assert list(await engine.context.list(scope)) == []


@simulated
async def test_a_tool_that_cannot_write_says_why_and_is_not_in_doubt() -> None:
    async with opened(World()) as engine:
        plan = a_plan(
            Step(id="w", tool="context.set", args={"scope": " ", "name": "n", "value": 1})
        )
        result = await carry_out(engine, plan)
        assert states(result) == {"w": "failed"}


@pytest.mark.requirement("E11")
@simulated
async def test_context_is_there_again_in_the_next_engine(tmp_path: Path) -> None:
    async with opened(World(), tmp_path) as engine:
        await engine.context.put(P, "style", {"large": "x" * 100_000})
    async with opened(World(), tmp_path, drive=False) as engine:
        assert await value_of(engine) == {"large": "x" * 100_000}
        # Whoever does not drive may write it, too.
        assert (await engine.context.put(P, "style", 2)).version == 2
        assert await engine.context.delete(P) == 2
