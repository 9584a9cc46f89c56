"""The command `init`: a plan with its tools and its test, to begin with."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from callsheet.cli.options import AsJson
from callsheet.cli.output import Output
from callsheet.errors import InputError

_FILES = ("plan.yaml", "tools.py", "test_plan.py", "README.md")
"""What lies in `start/`, beside this module."""


def init(
    directory: Annotated[
        Path, typer.Argument(metavar="DIR", help="Where to write it; made if it is not there.")
    ],
    as_json: AsJson = False,
) -> None:
    """Create a directory with a plan, tools and a test.

    What is there already is never overwritten: then nothing is written.
    """
    with Output(as_json=as_json) as out:
        _write(directory)
        if as_json:
            out.data({"directory": str(directory), "files": list(_FILES)})
            return
        out.show(f"Wrote {', '.join(_FILES)} into {directory}. Now type:")
        if directory.resolve() != Path.cwd():
            out.show(f"  cd {directory}")
        out.show("  callsheet run plan.yaml --tools tools.py")


def _write(directory: Path) -> None:
    there = [name for name in _FILES if (directory / name).exists()]
    if there:
        raise InputError(
            f"{directory} has {', '.join(there)} already, so nothing was written. Name another "
            "directory: callsheet init DIR"
        )
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for name in _FILES:
            text = (files("callsheet.cli") / "start" / name).read_text("utf-8")
            (directory / name).write_text(text, "utf-8")
    except OSError as exc:
        raise InputError(f"{directory} cannot be written: {exc.strerror or exc}.") from exc
