"""Artifacts: where they come from and where they go, and what becomes of their bytes."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from typing_extensions import override

from callsheet import Artifact, Context, Engine, Result, Run, tool
from callsheet.core.run.entries import AttemptEnded
from callsheet.engine.home import drafted
from callsheet.errors import (
    InputError,
    StoreBusyError,
    StoreError,
    UnknownArtifactError,
    UnknownRunError,
)
from callsheet.runtime.clock import SystemClock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from datetime import datetime
    from pathlib import Path

    from callsheet.core.ids import RunId
    from callsheet.core.run.entries import AnyEntry

pytestmark = pytest.mark.requirement("E14")

HOUR = timedelta(hours=1)
ALIKE = (1076, 4202)


class Ahead(SystemClock):
    """A clock that can be put forward."""

    by = timedelta()

    @override
    def now(self) -> datetime:
        return super().now() + self.by


@tool(version="7", effect="read")
async def draw(ctx: Context, prompt: str) -> dict[str, Any]:
    """Draw a picture."""
    picture = await ctx.store(f"picture of {prompt}".encode(), name=f"{prompt}.png")
    return {"picture": picture.to_json()}


@tool(effect="read")
async def cut(ctx: Context, pictures: list[dict[str, Any]]) -> dict[str, Any]:
    """Make a film of pictures."""
    name = "+".join(picture["name"] for picture in pictures)
    return {"film": (await ctx.store(f"film of {name}", name="film.mp4")).to_json()}


@tool(effect="read")
async def measure(film: dict[str, Any]) -> int:
    """Look at a film."""
    return int(film["size"])


@tool(effect="read")
async def talk() -> str:
    """Say more than a journal takes."""
    return "x" * 100_000


TOOLS: list[Any] = [draw, cut, measure, talk]


def film_of(*prompts: str, name: str = "film", cache: bool = False) -> dict[str, Any]:
    cached = {"cache": True} if cache else {}
    return {
        "callsheet": 1,
        "name": name,
        "steps": [
            *({"id": p, "tool": "draw", "args": {"prompt": p}, **cached} for p in prompts),
            {
                "id": "cut",
                "tool": "cut",
                "args": {"pictures": [f"${{steps.{p}.picture}}" for p in prompts]},
            },
        ],
        "output": "${steps.cut.film}",
    }


MEASURED = {
    "callsheet": 1,
    "name": "measured",
    "inputs": {"film": {"type": "object"}},
    "steps": [{"id": "measure", "tool": "measure", "args": {"film": "${inputs.film}"}}],
}


@asynccontextmanager
async def opened(home: Path | None = None, **options: Any) -> AsyncIterator[Engine]:
    async with Engine.open(home, TOOLS, sync="normal", **options) as engine:
        yield engine


async def done(engine: Engine, plan: dict[str, Any], **inputs: Any) -> tuple[Run, Result]:
    run = await engine.start(plan, inputs)
    result = await run.wait()
    assert str(result.state) == "succeeded", result
    assert (await engine.replay(run.id)).same
    return run, result


def digest_of(output: Any) -> str:
    return str(output["$artifact"])


def _files_in(directory: Path) -> list[str]:
    return [path.name for path in directory.iterdir()]


def names(graph: Any) -> set[str]:
    return {artifact.name for artifact in graph.artifacts}


def steps(graph: Any) -> set[str]:
    return {f"{call.plan}/{call.step}:{call.how}" for call in graph.calls}


# Lineage


async def test_an_artifact_is_followed_up_to_what_it_was_made_from() -> None:
    async with opened() as engine:
        run, result = await done(engine, film_of("cat", "dog"))
        await done(engine, MEASURED, film=result.output)
        graph = await engine.lineage(digest_of(result.output), direction="up")
        assert names(graph) == {"film.mp4", "cat.png", "dog.png"}
        assert steps(graph) == {"film/cut:call", "film/cat:call", "film/dog:call"}
        (maker,) = graph.producers(digest_of(result.output))
        assert (maker.run, maker.step, maker.attempt, maker.tool) == (run.id, "cut", 1, "cut")
        (cat,) = [call for call in graph.calls if call.step == "cat"]
        assert (cat.tool, cat.version, len(cat.output_schema)) == ("draw", "7", 64)
        assert {artifact.name for artifact in graph.made_from(maker)} == {"cat.png", "dog.png"}
        assert [artifact.name for artifact in graph.made(maker)] == ["film.mp4"]
        assert not graph.cut


async def test_an_artifact_is_followed_down_to_what_was_made_of_it_in_other_runs_too() -> None:
    async with opened() as engine:
        _, first = await done(engine, film_of("cat"))
        await done(engine, MEASURED, film=first.output)
        cat = (await engine.lineage(digest_of(first.output))).artifacts[-1]
        assert cat.name == "cat.png"
        graph = await engine.lineage(cat.digest, direction="down")
        assert names(graph) == {"cat.png", "film.mp4"}
        assert steps(graph) == {"film/cut:call", "measured/measure:call", "measured/:inputs"}
        assert {call.step for call in graph.consumers(digest_of(first.output))} == {"", "measure"}


async def test_what_was_taken_from_the_cache_is_followed_to_the_run_that_made_it() -> None:
    async with opened() as engine:
        source, _ = await done(engine, film_of("cat", cache=True))
        taker, result = await done(engine, film_of("cat", name="again", cache=True))
        graph = await engine.lineage(taker.id, direction="up")
        assert steps(graph) == {"again/cat:cached", "again/cut:call", "film/cat:call"} | {
            # The same pictures give the same film: both have made it.
            "film/cut:call"
        }
        (cached,) = [call for call in graph.calls if call.how == "cached"]
        assert cached.source == f"{source.id}/cat"
        # What remains known when the source is gone.
        await engine.delete(source.id)
        graph = await engine.lineage(digest_of(result.output), direction="up")
        assert "again/cat:cached" in steps(graph)


async def test_what_a_fork_has_copied_is_followed_to_the_run_it_comes_from() -> None:
    async with opened() as engine:
        origin, _ = await done(engine, film_of("cat", "dog"))
        fork = await engine.fork(origin.id, "dog", {"prompt": "cow"})
        result = await fork.wait()
        graph = await engine.lineage(digest_of(result.output), direction="up")
        assert names(graph) == {"film.mp4", "cat.png", "cow.png"}
        (maker,) = [call for call in graph.calls if call.step == "cat"]
        assert (maker.run, maker.how) == (origin.id, "call")
        whole = await engine.lineage(fork.id, direction="up")
        (copied,) = [call for call in whole.calls if call.how == "copied"]
        assert (copied.run, copied.source) == (fork.id, f"{origin.id}/cat")


async def test_what_a_child_run_made_is_followed_into_it() -> None:
    parent = {
        "callsheet": 1,
        "name": "parent",
        "steps": [
            {"id": "film", "plan": film_of("cat", name="child")},
            {"id": "measure", "tool": "measure", "args": {"film": "${steps.film}"}},
        ],
        "output": "${steps.film}",
    }
    async with opened() as engine:
        run, result = await done(engine, parent)
        graph = await engine.lineage(digest_of(result.output))
        assert steps(graph) == {
            "child/cut:call",
            "child/cat:call",
            "parent/film:child",
            "parent/measure:call",
        }
        (maker,) = graph.producers(digest_of(result.output))
        assert maker.run != run.id


async def test_a_large_output_is_an_artifact_of_the_call_that_gave_it() -> None:
    plan = {"callsheet": 1, "name": "talk", "steps": [{"id": "talk", "tool": "talk"}]}
    async with opened() as engine:
        run, _ = await done(engine, plan)
        graph = await engine.lineage(run.id)
        (artifact,) = graph.artifacts
        assert (artifact.name, artifact.media_type) == ("talk.output", "application/json")
        assert [call.step for call in graph.producers(artifact.digest)] == ["talk"]
        assert json.loads(await engine.artifacts.get(artifact)) == "x" * 100_000


async def test_a_graph_that_would_be_too_large_is_cut_and_says_so() -> None:
    async with opened() as engine:
        _, result = await done(engine, film_of("a", "b", "c", "d"))
        graph = await engine.artifacts.lineage(digest_of(result.output), most=5)
        assert graph.cut
        assert len(graph.artifacts) + len(graph.calls) <= 5
        whole = await engine.artifacts.lineage(digest_of(result.output), most=10)
        assert not whole.cut
        assert len(whole.artifacts) + len(whole.calls) == 10


async def test_lineage_takes_the_beginning_of_a_digest_if_only_one_begins_so() -> None:
    async with opened() as engine:
        _, result = await done(engine, film_of("cat"))
        digest = digest_of(result.output)
        assert (await engine.lineage(digest[:6])).roots == (digest,)
        for wrong in (digest[:5], "000000", "nonsense", "f" * 64):
            with pytest.raises(UnknownArtifactError):
                await engine.lineage(wrong)
        with pytest.raises(UnknownRunError):
            await engine.artifacts.list(run="r0")


async def test_several_digests_that_begin_alike_are_refused() -> None:
    async with opened() as engine:
        # Found by trying: both begin with the same six characters.
        one, two = [await engine.artifacts.put(f"note {number}") for number in ALIKE]
        assert one.digest[:6] == two.digest[:6]
        with pytest.raises(UnknownArtifactError, match="Several"):
            await engine.artifacts.find(one.digest[:6])
        assert await engine.artifacts.find(one.digest[:12]) == one.digest


async def test_artifacts_are_listed_with_who_made_them() -> None:
    async with opened() as engine:
        run, _ = await done(engine, film_of("cat"))
        listed = await engine.artifacts.list()
        assert {each.artifact.name: (each.run, each.step) for each in listed} == {
            "film.mp4": (run.id, "cut"),
            "cat.png": (run.id, "cat"),
        }
        assert [each.artifact.name for each in await engine.artifacts.list(run=run.id)] == [
            "cat.png",
            "film.mp4",
        ]
        assert listed[0].written_at is not None
        assert (await engine.artifacts.list(limit=1)) == listed[:1]


async def test_an_artifact_is_saved_whole_and_overwrites_nothing(tmp_path: Path) -> None:
    async with opened() as engine:
        artifact = await engine.artifacts.put("text", name="note.txt")
        assert artifact.media_type == "text/plain"
        await engine.artifacts.save(artifact, tmp_path / "note.txt")
        assert (tmp_path / "note.txt").read_text("utf-8") == "text"
        other = await engine.artifacts.put("other")
        with pytest.raises(InputError, match="not overwritten"):
            await engine.artifacts.save(other, tmp_path / "note.txt")
        with pytest.raises(UnknownArtifactError):
            await engine.artifacts.save("f" * 64, tmp_path / "missing.txt")
        with pytest.raises(InputError, match="Cannot write"):
            await engine.artifacts.save(other, tmp_path / "nowhere" / "note.txt")
        assert (tmp_path / "note.txt").read_text("utf-8") == "text"
    assert _files_in(tmp_path) == ["note.txt"]


# Collection


@pytest.mark.parametrize("durable", [False, True])
async def test_what_nothing_refers_to_is_collected_after_the_grace(
    tmp_path: Path, durable: bool
) -> None:
    clock = Ahead()
    async with opened(tmp_path / "home" if durable else None, clock=clock) as engine:
        _, result = await done(engine, film_of("cat"))
        stray = await engine.artifacts.put("nobody wants this")
        assert (await engine.collect()).digests == ()
        clock.by += 2 * HOUR
        would = await engine.collect(dry_run=True)
        assert would.digests == (stray.digest,)
        assert would.size == stray.size
        assert would.dry_run
        assert await engine.artifacts.get(stray)
        collected = await engine.collect()
        assert (collected.digests, collected.size) == (would.digests, would.size)
        with pytest.raises(UnknownArtifactError):
            await engine.artifacts.get(stray)
        assert await engine.artifacts.get(digest_of(result.output)) == b"film of cat.png"
        assert (await engine.collect()).digests == ()


async def test_what_is_put_again_is_not_collected() -> None:
    clock = Ahead()
    async with opened(clock=clock) as engine:
        stray = await engine.artifacts.put("once more")
        clock.by += 2 * HOUR
        await engine.artifacts.put("once more")
        assert (await engine.collect()).digests == ()
        assert await engine.artifacts.get(stray) == b"once more"


async def test_what_a_running_call_has_stored_is_not_collected_however_long_it_takes() -> None:
    stored, go_on = asyncio.Event(), asyncio.Event()

    @tool(effect="read")
    async def slow(ctx: Context) -> dict[str, Any]:
        artifact = await ctx.store("a long time ago", name="slow.txt")
        stored.set()
        await go_on.wait()
        return artifact.to_json()

    clock = Ahead()
    plan = {"callsheet": 1, "name": "slow", "steps": [{"id": "slow", "tool": "slow"}]}
    async with Engine.in_memory([slow], clock=clock) as engine:
        run = await engine.start({**plan, "output": "${steps.slow}"})
        await stored.wait()
        clock.by += 24 * HOUR
        assert (await engine.collect()).digests == ()
        go_on.set()
        result = await run.wait()
        assert (await engine.collect()).digests == ()
        assert await engine.artifacts.get(digest_of(result.output)) == b"a long time ago"


async def test_what_a_call_has_stored_is_not_collected_while_its_end_is_being_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = Ahead()
    async with opened(clock=clock) as engine:
        append = engine.runtime.journal.append
        gone: list[tuple[str, ...]] = []

        async def appended(run: RunId, entries: list[AnyEntry], *, after: int) -> int:
            if any(isinstance(entry, AttemptEnded) for entry in entries):
                clock.by += 2 * HOUR
                gone.append((await engine.collect()).digests)
            return await append(run, entries, after=after)

        monkeypatch.setattr(engine.runtime.journal, "append", appended)
        _, result = await done(engine, film_of("cat"))
        assert gone == [(), ()]
        assert await engine.artifacts.get(digest_of(result.output))


async def test_a_deleted_run_takes_along_what_it_alone_held(tmp_path: Path) -> None:
    clock = Ahead()
    async with opened(tmp_path / "home", clock=clock) as engine:
        first, one = await done(engine, film_of("cat", "dog"))
        second, two = await done(engine, film_of("cat", "cow"))
        clock.by += HOUR
        await engine.delete(first.id)
        kept = {each.artifact.name for each in await engine.artifacts.list()}
        assert kept == {"cat.png", "cow.png", "film.mp4"}
        with pytest.raises(UnknownArtifactError):
            await engine.artifacts.get(digest_of(one.output))
        assert await engine.artifacts.get(digest_of(two.output))
        assert (await engine.replay(second.id)).same
        pruned = await engine.prune(timedelta(0))
        assert [head.run for head in pruned] == [second.id]
        assert await engine.artifacts.list() == []


async def test_a_copied_or_cached_reference_keeps_the_bytes(tmp_path: Path) -> None:
    clock = Ahead()
    async with opened(tmp_path / "home", clock=clock) as engine:
        origin, _ = await done(engine, film_of("cat", "dog", cache=True))
        fork = await engine.fork(origin.id, "dog", {"prompt": "cow"})
        await fork.wait()
        taker, _ = await done(engine, film_of("dog", name="taker", cache=True))
        clock.by += 2 * HOUR
        await engine.delete(origin.id)
        await engine.collect()
        kept = {each.artifact.name for each in await engine.artifacts.list()}
        assert {"cat.png", "dog.png", "cow.png"} <= kept
        for run in (fork, taker):
            assert (await engine.replay(run.id)).same


async def test_what_only_a_plan_or_a_checkpoint_names_is_not_collected() -> None:
    saved, go_on = asyncio.Event(), asyncio.Event()

    @tool(effect="read")
    async def careful(ctx: Context) -> str:
        artifact = await ctx.store("half a film")
        await ctx.checkpoint({"so far": artifact.to_json()})
        ctx.pins = frozenset()  # type: ignore[attr-defined]  # as after a crash: nobody remembers
        saved.set()
        await go_on.wait()
        return "done"

    clock = Ahead()
    async with Engine.in_memory([careful, *TOOLS], clock=clock) as engine:
        film = await engine.artifacts.put("a film")
        later = {"id": "later", "tool": "measure", "args": {"film": film.to_json()}}
        steps = [{"id": "first", "tool": "careful"}, {**later, "needs": ["first"]}]
        run = await engine.start({"callsheet": 1, "name": "waiting", "steps": steps})
        async with asyncio.timeout(30):
            await saved.wait()
        kept = await engine.artifacts.put("for later")
        later = {"id": "a", "tool": "measure", "args": {"film": kept.to_json()}}
        await engine.plans.save(engine.read({"callsheet": 1, "name": "kept", "steps": [later]}))
        stray = await engine.artifacts.put("stray")
        clock.by += 2 * HOUR
        assert (await engine.collect()).digests == (stray.digest,)
        go_on.set()
        assert str((await run.wait()).state) == "succeeded"
        await engine.plans.delete("kept")
        gone = (await engine.collect()).digests
        assert len(gone) == 2
        assert kept.digest in gone
        assert film.digest not in gone


async def test_only_the_driver_collects(tmp_path: Path) -> None:
    async with opened(tmp_path / "home"), opened(tmp_path / "home", drive=False) as looker:
        with pytest.raises(StoreBusyError):
            await looker.collect()


async def test_a_backup_is_a_home_when_all_of_it_is_there(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    async with opened(tmp_path / "home") as engine:
        await done(engine, film_of("cat"))
        with suppress(InterruptedError):
            async with drafted(copy) as draft:
                await engine.backup(draft)
                with pytest.raises(StoreError, match="no Callsheet store"):
                    await opened(copy, drive=False).__aenter__()
                raise InterruptedError
        assert not copy.exists()
        await engine.backup(copy)
        with pytest.raises(StoreError, match="not overwritten"):
            await engine.backup(copy)
    assert {path.name for path in copy.iterdir()} == {"artifacts", "callsheet.db", "home.id"}


async def test_a_backup_has_the_bytes_of_all_that_it_names(tmp_path: Path) -> None:
    clock = Ahead()
    async with opened(tmp_path / "home", clock=clock) as engine:
        run, result = await done(engine, film_of("cat"))
        await engine.backup(tmp_path / "copy")
        # From here on they are apart.
        clock.by += 2 * HOUR
        await engine.delete(run.id)
        await engine.collect()
        assert await engine.artifacts.list() == []
    async with opened(tmp_path / "copy") as copy:
        assert await copy.artifacts.get(digest_of(result.output)) == b"film of cat.png"
        assert (await copy.replay(run.id)).same
        assert names(await copy.lineage(run.id)) == {"cat.png", "film.mp4"}


async def test_a_tool_gets_a_file_of_what_lies_in_a_bucket() -> None:
    paths: list[Path] = []

    @tool(effect="read")
    async def read(ctx: Context, film: Artifact) -> str:
        paths.append(await ctx.file(film))
        return paths[0].read_text("utf-8")

    steps = [{"id": "read", "tool": "read", "args": {"film": "${inputs.film}"}}]
    plan = {**MEASURED, "steps": steps, "output": "${steps.read}"}
    async with Engine.in_memory([read], artifacts="memory:///") as engine:
        film = await engine.artifacts.put("a film in a bucket")
        _, result = await done(engine, plan, film=film.to_json())
        assert result.output == "a film in a bucket"
    assert not paths[0].exists(), "what was laid out for the call is cleared away"


async def test_artifacts_may_lie_elsewhere(tmp_path: Path) -> None:
    for where in (tmp_path / "elsewhere", (tmp_path / "address").as_uri()):
        async with opened(tmp_path / "home", artifacts=where) as engine:
            _, result = await done(engine, film_of("cat", name="elsewhere"))
            assert await engine.artifacts.get(digest_of(result.output))
    assert not (tmp_path / "home" / "artifacts").exists()
    assert list((tmp_path / "elsewhere").glob("??/*"))
    assert list((tmp_path / "address").glob("??/*"))
