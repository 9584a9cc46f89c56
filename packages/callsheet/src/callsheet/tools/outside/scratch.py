"""Files of one call of a program: artifacts it is given, and files it leaves, which become some."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import asynccontextmanager
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from callsheet.core.plan.artifact import artifact_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from callsheet.core.value import Json
    from callsheet.ports import Context

STDOUT = "stdout"
"""Where what was printed stands beside the artifacts."""


@asynccontextmanager
async def scratch() -> AsyncIterator[Path]:
    """A directory that is there for one call."""
    directory = await asyncio.to_thread(_made)
    try:
        yield directory
    finally:
        await asyncio.to_thread(shutil.rmtree, directory, ignore_errors=True)


def _made() -> Path:
    return Path(tempfile.mkdtemp(prefix="callsheet-")).resolve()


async def with_files(value: Json, ctx: Context) -> Json:
    """The value, with the path of a file where an artifact stands."""
    if isinstance(value, list):
        return [await with_files(each, ctx) for each in value]
    if not isinstance(value, dict):
        return value
    artifact = artifact_of(value)
    if artifact is not None:
        return str(await ctx.file(artifact))
    return {name: await with_files(each, ctx) for name, each in value.items()}


def outputs_of(term: object) -> dict[str, str]:
    """Names of artifacts, and the files in the directory that become them.

    Raises:
        ValueError: it is not that, or a file is somewhere else.
    """
    if term is None:
        return {}
    if not isinstance(term, Mapping) or not term:
        raise ValueError("must be a mapping of names to files")
    for name, file in term.items():
        if not isinstance(name, str) or name == STDOUT:
            raise ValueError(f"cannot be called {name!r}")
        path = PurePath(file) if isinstance(file, str) else PurePath("/")
        if path.is_absolute() or ".." in path.parts or not path.parts:
            raise ValueError(f"has {file!r} for {name!r}, which is no file in the directory")
    return dict(term)


async def kept(directory: Path, outputs: Mapping[str, str], ctx: Context) -> dict[str, Json]:
    """The files, as artifacts.

    Raises:
        FileNotFoundError: the name of one that is not there, or leads out of the directory.
    """
    found: dict[str, Json] = {}
    for name, file in outputs.items():
        path = (directory / file).resolve()
        if not path.is_file() or not path.is_relative_to(directory):
            raise FileNotFoundError(file)
        artifact = await ctx.store(path, name=path.name)
        found[name] = artifact.to_json()
    return found
