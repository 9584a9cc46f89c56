"""The commands about artifacts: `artifacts`, `artifact get|put`, `lineage`."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from callsheet.cli.home import Where, driving, looking
from callsheet.cli.options import DEFAULT_HOME, AsJson, Home
from callsheet.cli.output import Output
from callsheet.cli.place import Place
from callsheet.errors import InputError

if TYPE_CHECKING:
    from callsheet import Artifact
    from callsheet.types import LineageGraph

_DIGEST = Annotated[
    str, typer.Argument(metavar="DIGEST", help="The digest of an artifact, or how it begins.")
]


def artifacts(
    run: Annotated[
        str | None, typer.Argument(metavar="[RUN]", help="Only those of this run.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="How many, at most.")] = 50,
    home: Home = DEFAULT_HOME,
    as_json: AsJson = False,
) -> None:
    """List artifacts, newest first, and who made them."""
    with Output(as_json=as_json) as out:
        listed = asyncio.run(_list(home, run, limit))
        if as_json:
            out.data(listed)
        elif not listed:
            where = f"run {run}" if run else repr(str(home))
            out.remark(f"There are no artifacts in {where}.")
        else:
            from callsheet.cli.show.artifacts import artifacts_table

            out.show(artifacts_table(listed))


async def _list(home: Place, run: str | None, limit: int) -> list[dict[str, Any]]:
    async with looking(home) as engine:
        name = (await engine.find(run)).id if run else None
        found = await engine.artifacts.list(run=name, limit=limit)
        return [each.to_json() for each in found]


def lineage(
    name: Annotated[
        str, typer.Argument(metavar="DIGEST|RUN", help="An artifact (or how it begins), or a run.")
    ],
    up: Annotated[bool, typer.Option("--up", help="Only what it was made from.")] = False,
    down: Annotated[bool, typer.Option("--down", help="Only what was made of it.")] = False,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw it to a new SVG file.")
    ] = None,
    home: Home = DEFAULT_HOME,
    as_json: AsJson = False,
) -> None:
    """Show where an artifact comes from, and what uses it.

    Across runs. Of a run, show everything that occurs in it.
    """
    with Output(as_json=as_json) as out:
        graph, picture = asyncio.run(_lineage(home, name, _direction(up=up, down=down)))
        if svg is not None:
            _write_new(svg, picture)
        if as_json:
            out.data(graph.to_json())
            return
        from callsheet.cli.show.artifacts import lineage_trees

        out.show(*lineage_trees(graph))
        if not graph.artifacts:
            out.remark("It has no artifacts.")
        if graph.cut:
            out.remark("There is more: ask about one of the artifacts at the edge.")
        if svg is not None:
            out.remark(f"Drawn to {svg}.")


def _direction(*, up: bool, down: bool) -> Literal["up", "down", "both"]:
    if up == down:
        return "both"
    return "up" if up else "down"


async def _lineage(
    home: Place, name: str, direction: Literal["up", "down", "both"]
) -> tuple[LineageGraph, str]:
    async with looking(home) as engine:
        graph = await engine.lineage(name, direction=direction)
        return graph, engine.artifacts.draw(graph)


def _write_new(path: Path, text: str) -> None:
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as exc:
        raise InputError(f"{str(path)!r} exists and is not overwritten. Name another.") from exc
    except OSError as exc:
        raise InputError(f"Cannot write {str(path)!r}: {exc.strerror}.") from exc


def shelf() -> typer.Typer:
    """The commands of `callsheet artifact`."""
    app = typer.Typer(no_args_is_help=True, help="Download artifacts, or store files.")
    for command in (get, put):
        app.command()(command)
    return app


def get(
    digest: _DIGEST,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="A new file; by default stdout."),
    ] = None,
    home: Home = DEFAULT_HOME,
    as_json: AsJson = False,
) -> None:
    """Write the bytes of an artifact to a new file, whole or not at all."""
    with Output(as_json=as_json) as out:
        if output is None and as_json:
            raise InputError("With --json, name a file for the bytes with --output.")
        if output is None and sys.stdout.isatty():
            raise InputError("Bytes are not printed to a terminal. Name a file with --output.")
        whole = asyncio.run(_get(home, digest, output))
        if as_json:
            out.data({"digest": whole, "file": str(output)})
        elif output is not None:
            out.remark(f"Written to {output}.")


async def _get(home: Place, name: str, output: Path | None) -> str:
    async with looking(home) as engine:
        digest = await engine.artifacts.find(name)
        if output is not None:
            await engine.artifacts.save(digest, output)
            return digest
        # What has been written to a pipe cannot be taken back: look at all of it first.
        async for _ in engine.artifacts.read(digest):
            pass
        async for piece in engine.artifacts.read(digest):
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
        return digest


def put(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to keep.")],
    media_type: Annotated[
        str,
        typer.Option(metavar="TYPE", help="Such as video/mp4; by default guessed from the name."),
    ] = "",
    home: Home = DEFAULT_HOME,
    as_json: AsJson = False,
) -> None:
    """Store a file, and print the JSON that passes it as an input.

    What no run refers to is deleted by `gc`, an hour later at the earliest.
    """
    with Output(as_json=as_json) as out:
        is_first = not home.may_exist() and file.exists()
        artifact = asyncio.run(_put(home, file, media_type, create=is_first))
        if as_json:
            out.data(artifact.to_json())
        else:
            import json

            out.console.print(json.dumps(artifact.to_json()), soft_wrap=True, markup=False)


async def _put(home: Place, file: Path, media_type: str, *, create: bool) -> Artifact:
    if create:
        # It is the first thing in this home. Nobody is kept waiting while the file is read.
        async with driving(Where(home=home), create=True):
            pass
    async with looking(home) as engine:
        return await engine.artifacts.put(file, media_type=media_type)
