"""The contract of `Lineage`."""
# ruff: noqa: D102 - the names are the sentences

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Raw

from callsheet.core import value
from callsheet.core.index.context import ContextItem
from callsheet.core.index.derived import ArtifactUse
from callsheet.core.plan.artifact import Artifact
from callsheet.core.run.entries import (
    AttemptEnded,
    AttemptStarted,
    CheckpointSaved,
    StepCached,
    StepCopied,
    UndoCall,
)
from callsheet.errors import StaleWriteError
from callsheet.testing.contracts.samples import at, ended, noted, run_id, started, succeeded
from callsheet.testing.contracts.subject import Subject, refused

if TYPE_CHECKING:
    from callsheet.core.ids import RunId
    from callsheet.core.index.derived import UseRole
    from callsheet.core.run.entries import AnyEntry
    from callsheet.ports import Store

RUN, LATER = run_id(1), run_id(2)
CLIP, STILL, SCRIPT = "c" * 64, "5" * 64, "a" * 64


class LineageContract(Subject):
    """Which entries name which artifacts is known without reading a journal."""

    async def test_what_a_call_makes_and_what_the_next_one_takes_is_known_both_ways(self) -> None:
        async with self.opened() as store:
            await _append(store, started(RUN), _start("draw"), _end("draw", CLIP))
            await store.journal.append(RUN, [_start("cut", CLIP, STILL)], after=3)
            made, taken = _use(CLIP, 3, "draw", "produced"), _use(CLIP, 4, "cut", "consumed")
            assert list(await store.lineage.uses(CLIP)) == [made, taken]
            still = _use(STILL, 4, "cut", "consumed")
            assert list(await store.lineage.uses(STILL)) == [still]
            assert list(await store.lineage.of_run(RUN)) == [made, still, taken]

    async def test_an_artifact_is_the_tenant_s_whose_run_or_item_names_it_or_who_has_put_it(
        self,
    ) -> None:
        item = ContextItem(
            scope="p",
            name="n",
            version=1,
            value=Artifact(digest=STILL).to_json(),
            size=1,
            saved_at=at(1),
            tenant="acme",
        )
        async with self.opened() as store:
            await _append(store, started(RUN, consumed=(CLIP,), tenant="acme"))
            await store.context.put(item, after=None, most=1_000)
            await store.lineage.note_upload("acme", SCRIPT, at=at(1))
            await store.lineage.note_upload("acme", SCRIPT, at=at(2))
            assert list(await store.lineage.of_tenant("acme")) == sorted((CLIP, STILL, SCRIPT))
            assert list(await store.lineage.of_tenant("acme", begins="cc")) == [CLIP]
            assert list(await store.lineage.of_tenant("acme", begins=CLIP)) == [CLIP]
            assert list(await store.lineage.of_tenant("beta")) == []
            assert len(await store.lineage.uses(CLIP, tenant="acme")) == 1
            assert list(await store.lineage.uses(CLIP, tenant="beta")) == []
            await store.lineage.forget_uploads([SCRIPT, CLIP])
            assert list(await store.lineage.of_tenant("acme")) == sorted((CLIP, STILL))

    async def test_what_was_put_is_kept_by_nobody(self) -> None:
        async with self.opened() as store:
            await store.lineage.note_upload("acme", SCRIPT, at=at(1))
            assert await store.lineage.referenced([SCRIPT]) == set()

    async def test_the_inputs_of_a_run_are_consumed_by_no_step(self) -> None:
        async with self.opened() as store:
            await _append(store, started(RUN, consumed=(CLIP,)))
            assert list(await store.lineage.uses(CLIP)) == [_use(CLIP, 1, "", "consumed")]

    async def test_what_another_run_has_made_is_consumed_not_produced(self) -> None:
        cached = StepCached(
            at=at(1),
            step="a",
            key="k",
            source=LATER,
            source_step="x",
            artifacts=(Artifact(digest=CLIP),),
        )
        copied = StepCopied(
            at=at(1), step="b", outcome="succeeded", artifacts=(Artifact(digest=CLIP),)
        )
        async with self.opened() as store:
            await _append(store, started(RUN), cached, copied)
            assert list(await store.lineage.uses(CLIP)) == [
                _use(CLIP, 2, "a", "consumed"),
                _use(CLIP, 3, "b", "consumed"),
            ]

    async def test_values_too_large_for_their_entry_are_kept_by_it(self) -> None:
        begun = AttemptStarted(
            at=at(1),
            step="a",
            attempt=1,
            args=Raw(b"null"),
            stored={"args": CLIP},
            undo=UndoCall(tool="u", args=Raw(b"null"), stored=STILL),
        )
        saved = CheckpointSaved(
            at=at(2), step="a", attempt=1, data=Raw(b"null"), stored={"data": SCRIPT}
        )
        done = AttemptEnded(
            at=at(3),
            step="a",
            attempt=1,
            outcome="succeeded",
            undo=UndoCall(tool="u", args=Raw(b"null"), stored=SCRIPT),
        )
        async with self.opened() as store:
            await _append(store, started(RUN), begun, saved, done)
            assert list(await store.lineage.of_run(RUN)) == [
                _use(STILL, 2, "a", "stored"),
                _use(CLIP, 2, "a", "stored"),
                _use(SCRIPT, 3, "a", "stored"),
                _use(SCRIPT, 4, "a", "stored"),
            ]

    async def test_an_entry_names_an_artifact_once_in_each_role(self) -> None:
        twice = AttemptEnded(
            at=at(1),
            step="a",
            attempt=1,
            outcome="succeeded",
            stored={"output": CLIP, "other": CLIP},
            artifacts=(Artifact(digest=CLIP), Artifact(digest=CLIP, name="clip.mp4")),
        )
        async with self.opened() as store:
            await _append(store, started(RUN), twice)
            roles = [(use.seq, use.role) for use in await store.lineage.uses(CLIP)]
            assert roles == [(2, "produced"), (2, "stored")]

    async def test_the_oldest_run_is_first(self) -> None:
        async with self.opened() as store:
            await _append(store, started(LATER), _start("a", CLIP), run=LATER)
            await _append(store, started(RUN), _start("a", CLIP))
            assert [use.run for use in await store.lineage.uses(CLIP)] == [RUN, LATER]

    async def test_an_append_that_is_refused_names_nothing(self) -> None:
        async with self.opened() as store:
            await _append(store, started(RUN))
            with refused(StaleWriteError):
                await store.journal.append(RUN, [_start("a", CLIP)], after=3)
            assert list(await store.lineage.uses(CLIP)) == []

    async def test_a_deleted_run_names_nothing_any_more(self) -> None:
        async with self.opened() as store:
            await _append(store, started(RUN), _start("a", CLIP), ended())
            await _append(store, started(LATER), _start("a", CLIP), run=LATER)
            await store.journal.delete(RUN)
            assert [use.run for use in await store.lineage.uses(CLIP)] == [LATER]
            assert list(await store.lineage.of_run(RUN)) == []

    async def test_what_nobody_names_is_not_referenced(self) -> None:
        many = [f"{number:064x}" for number in range(250)]
        async with self.opened() as store:
            await _append(store, started(RUN), _start("a", *many[::2]), ended())
            assert await store.lineage.referenced(many) == set(many[::2])
            assert await store.lineage.referenced([]) == set()
            await store.journal.delete(RUN)
            assert await store.lineage.referenced(many) == set()

    async def test_a_context_item_refers_to_artifacts_until_it_is_gone(self) -> None:
        data: value.Json = {"shots": [{"$artifact": CLIP}, "other"]}
        item = ContextItem(
            scope="p",
            name="n",
            version=1,
            value=data,
            size=len(value.encode(data)),
            saved_at=at(0),
            expires_at=at(9),
        )
        async with self.opened() as store:
            await store.context.put(item, after=None, most=1000)
            assert await store.lineage.referenced([CLIP, STILL]) == {CLIP}
            await store.context.prune(at=at(8))
            assert await store.lineage.referenced([CLIP]) == {CLIP}
            await store.context.prune(at=at(9))
            assert await store.lineage.referenced([CLIP]) == set()
            await store.context.put(item, after=None, most=1000)
            assert await store.lineage.referenced([CLIP]) == {CLIP}
            await store.context.delete("p", "n")
            assert await store.lineage.referenced([CLIP]) == set()

    async def test_most_entries_name_nothing(self) -> None:
        async with self.opened() as store:
            await _append(store, started(RUN), noted(), succeeded(1), ended())
            assert list(await store.lineage.of_run(RUN)) == []


async def _append(store: Store, *entries: AnyEntry, run: RunId = RUN) -> None:
    await store.journal.append(run, entries, after=0)


def _start(step: str, *consumed: str) -> AttemptStarted:
    return AttemptStarted(at=at(1), step=step, attempt=1, args=Raw(b"{}"), consumed=consumed)


def _end(step: str, *produced: str) -> AttemptEnded:
    artifacts = tuple(Artifact(digest=digest) for digest in produced)
    return AttemptEnded(at=at(2), step=step, attempt=1, outcome="succeeded", artifacts=artifacts)


def _use(digest: str, seq: int, step: str, role: UseRole) -> ArtifactUse:
    return ArtifactUse(digest=digest, run=RUN, seq=seq, step=step, role=role)
