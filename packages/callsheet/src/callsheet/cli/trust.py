"""The command `trust`: configurations of homes that may be followed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from callsheet.cli.home import CONFIGURATION
from callsheet.cli.options import DEFAULT_HOME, AsJson, Home
from callsheet.cli.output import Output
from callsheet.errors import InputError
from callsheet.types import Trust


def trust(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="A configuration file; by default that of the home."),
    ] = None,
    show: Annotated[bool, typer.Option("--list", help="Only list what is trusted.")] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Stop trusting it.")] = False,
    home: Home = DEFAULT_HOME,
    as_json: AsJson = False,
) -> None:
    """Trust the configuration file in a home.

    Only what came with somebody's files has to be trusted: homes that were made here are. Look at
    it first: it names programs that are run as you. Once it has changed, it is to be trusted again.
    """
    with Output(as_json=as_json) as out:
        kept = Trust()
        if show:
            _list(kept, out, as_json=as_json)
            return
        named = file or home.directory / CONFIGURATION
        if remove:
            if not kept.remove(named):
                raise InputError(f"{named} was not trusted.")
            out.data({"removed": str(named)}) if as_json else out.show(f"Removed {named}.")
            return
        seen = kept.add(named)
        if as_json:
            out.data(seen.to_json())
        else:
            out.show(f"Trusted {seen.path} as it is now ({seen.digest[:12]}).")


def _list(kept: Trust, out: Output, *, as_json: bool) -> None:
    found = kept.list()
    if as_json:
        out.data({"trusted": [each.to_json() for each in found]})
        return
    for each in found:
        out.show(f"{each.digest[:12]}  {each.path}")
