"""The options that several commands have in common."""

from __future__ import annotations

import getpass
import re
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from callsheet.cli.place import Place
from callsheet.errors import InputError

DEFAULT_HOME = Place.of(".callsheet")
_AGE = re.compile(r"(\d+)\s*([smhdw])")
_UNIT = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_LONGEST = timedelta(weeks=5200)

Home: TypeAlias = Annotated[
    Place,
    typer.Option(
        "--home",
        "--server",
        envvar=["CALLSHEET_SERVER", "CALLSHEET_HOME"],
        metavar="DIR|URL",
        help="Where runs are kept: a directory, postgresql://user@host/database, or a service.",
        parser=Place.of,
    ),
]
AsJson: TypeAlias = Annotated[
    bool, typer.Option("--json", help="Print JSON on stdout, and nothing else.")
]
Tools: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--tools", metavar="MODULE|FILE.py", help="Tools that plans may call; repeatable."
    ),
]
AllowShell: TypeAlias = Annotated[
    bool, typer.Option("--allow-shell", help="Offer the built-in tool `sh`.")
]
AllowPrivate: TypeAlias = Annotated[
    bool,
    typer.Option("--allow-private", help="Let tools reach addresses that are not public."),
]
FilesRoot: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--files",
        metavar="DIR",
        help="The directory that file.read and file.write may use; by default the current one.",
    ),
]
NoPlugins: TypeAlias = Annotated[
    bool, typer.Option("--no-plugins", help="Leave out the tools of installed plug-ins.")
]
Config: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--config",
        envvar="CALLSHEET_CONFIG",
        metavar="FILE",
        help="The configuration file; by default callsheet.toml in the home.",
    ),
]
TENANT = "default"
"""Whose things are, if nobody says."""
RunName: TypeAlias = Annotated[
    str,
    typer.Argument(metavar="RUN", help="The id of a run, the beginning of one, or `last`."),
]
PlanName: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="PLAN",
        help="A YAML or JSON file, - for stdin, FILE.py:NAME, or the name of a saved plan.",
    ),
]
Inputs: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--input", metavar="NAME=VALUE", help="An input of the plan; repeatable."),
]
InputsFile: TypeAlias = Annotated[
    Path | None, typer.Option("--inputs", metavar="FILE", help="Inputs as YAML or JSON.")
]
Yes: TypeAlias = Annotated[
    bool,
    typer.Option("--yes", help="Approve all approvals. Questions and doubts are still asked."),
]


def who() -> str:
    """The person at this terminal, as answers and requests name them."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # no name for this user id
        return "somebody"


def now() -> datetime:
    """The time at this terminal."""
    # A command begins here: there is no clock yet that somebody could have set.
    return datetime.now().astimezone()  # noqa: TID251 -- see above


def age_of(option: str, text: str) -> timedelta:
    """How long ago, as in `30d`.

    Raises:
        InputError: it is not an age; names the option.
    """
    found = _AGE.fullmatch(text.strip())
    if found is None:
        raise InputError(f"{option} {text!r} is not an age. Write it as in 30d, 12h or 90m.")
    try:
        age = timedelta(**{_UNIT[found[2]]: int(found[1])})
    except OverflowError:
        return _LONGEST
    return min(age, _LONGEST)
