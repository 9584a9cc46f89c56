"""Artifacts, whatever their bytes are and in whichever order they come and go."""

from __future__ import annotations

import asyncio
import hashlib
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from callsheet.core.plan.artifact import Artifact, artifact_of, artifacts_in, is_digest
from callsheet.errors import UnknownArtifactError
from callsheet.stores.artifacts.opening import open_artifacts

pytestmark = pytest.mark.requirement("E14")

CONTENT = st.one_of(st.binary(max_size=50), st.binary(max_size=3).map(lambda part: part * 40_000))
ACTS = st.lists(st.tuples(st.sampled_from(["put", "delete"]), st.integers(0, 4)), max_size=20)


# A third of the usual examples: each is played on three stores.
@settings(max_examples=max(settings().max_examples // 3, 1))
@given(contents=st.lists(CONTENT, min_size=5, max_size=5), acts=ACTS)
def test_what_is_kept_is_what_was_put_and_not_deleted(
    contents: list[bytes], acts: list[tuple[str, int]]
) -> None:
    with TemporaryDirectory() as directory:
        for where in (None, Path(directory) / "artifacts", "memory:///"):
            asyncio.run(_act(where, contents, acts))


async def _act(
    where: str | Path | None, contents: list[bytes], acts: list[tuple[str, int]]
) -> None:
    store = open_artifacts(where, sync="normal", now=lambda: datetime(2026, 1, 1, tzinfo=UTC))
    model: dict[str, bytes] = {}
    for act, which in acts:
        data = contents[which]
        digest = hashlib.sha256(data).hexdigest()
        if act == "put":
            assert await store.put(data) == (digest, len(data))
            model[digest] = data
        else:
            gone = await store.delete([digest])
            assert gone == ({digest} if model.pop(digest, None) is not None else set())
    assert {each.digest: each.size async for each in store.kept()} == {
        digest: len(data) for digest, data in model.items()
    }
    for digest, data in model.items():
        assert await store.get(digest) == data
        assert b"".join([piece async for piece in store.read(digest)]) == data
    for data in contents:
        digest = hashlib.sha256(data).hexdigest()
        if digest not in model:
            with pytest.raises(UnknownArtifactError):
                await store.get(digest)
    await store.close()


ARTIFACT = st.builds(
    Artifact,
    digest=st.binary(max_size=9).map(lambda data: hashlib.sha256(data).hexdigest()),
    media_type=st.text(max_size=9),
    size=st.integers(0, 2**53),
    name=st.text(max_size=9),
)


@given(artifact=ARTIFACT)
def test_an_artifact_stands_in_json_as_what_it_is(artifact: Artifact) -> None:
    assert artifact_of(artifact.to_json()) == artifact
    assert is_digest(artifact.digest)


@given(
    artifacts=st.lists(ARTIFACT, unique_by=lambda each: each.digest),
    shape=st.integers(0, 3),
)
def test_every_artifact_in_a_value_is_found_once_and_in_order(
    artifacts: list[Artifact], shape: int
) -> None:
    parts = [each.to_json() for each in artifacts]
    value: object = {
        0: parts,
        1: {"deep": [{"er": part} for part in parts]},
        2: {str(number): [part, part] for number, part in enumerate(parts)},
        3: [parts, "text", None, parts],
    }[shape]
    assert artifacts_in(value) == tuple(artifacts)  # type: ignore[arg-type]
