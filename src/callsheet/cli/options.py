"""The options that several commands have in common."""

from __future__ import annotations

import getpass
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

DEFAULT_HOME = Path(".callsheet")

Home: TypeAlias = Annotated[
    Path,
    typer.Option(
        "--home",
        envvar="CALLSHEET_HOME",
        metavar="DIR",
        help="Where runs are kept.",
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
RunName: TypeAlias = Annotated[str, typer.Argument(metavar="RUN", help="The id of a run.")]
PlanName: TypeAlias = Annotated[
    str, typer.Argument(metavar="PLAN", help="A YAML or JSON file, or the name of a saved plan.")
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
