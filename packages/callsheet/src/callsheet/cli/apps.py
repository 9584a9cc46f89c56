"""What apps bring to the command line, by entry points.

`callsheet.commands`: each names one command, and stands for a function or a Typer app. What is
installed is looked up once a command is asked for that is not ours, and loaded when it is that one.

`callsheet.closings`: each has the name of a plan, and stands for a function that says what
became of a run of it, at the end of `resume`; it returns the exit code.
"""

from __future__ import annotations

from functools import cache, partial
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, cast

import msgspec
from msgspec.structs import replace

from callsheet import CallsheetError
from callsheet.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet.cli.attend import Parting
    from callsheet.cli.home import Where
    from callsheet.cli.output import Output

COMMANDS = "callsheet.commands"
CLOSINGS = "callsheet.closings"


class AppCommand(msgspec.Struct, frozen=True):
    """A command of an app."""

    app: str
    """The distribution that brings it."""
    point: EntryPoint
    rival: str = ""
    """Another distribution that brings one of the same name."""

    def load(self) -> object:
        """The function or the Typer app.

        Raises:
            InputError: it does not load, or two apps bring it; says whose it is, and why.
        """
        name = self.point.name
        if self.rival:
            raise InputError(
                f"{self.app} and {self.rival} both bring a command {name!r}. Remove one of them."
            )
        return _loaded(self.point, f"The command {name!r} of {self.app}", self.app)


@cache
def commands_of_apps() -> dict[str, AppCommand]:
    """Every command that an installed app brings, by name."""
    found: dict[str, AppCommand] = {}
    for point in sorted(entry_points(group=COMMANDS), key=lambda each: (each.name, _app_of(each))):
        app = _app_of(point)
        other = found.setdefault(point.name, AppCommand(app, point))
        if other.point.value != point.value:
            found[point.name] = replace(other, rival=app)
    return found


def closing_of(plan: str) -> Callable[[Output, Parting, Where], int] | None:
    """What says how a run of this plan has ended, if an app brings it."""
    for point in entry_points(group=CLOSINGS, name=plan):
        app = _app_of(point)
        try:
            found = _loaded(point, f"What {app} says of runs of {plan!r}", app)
        except CallsheetError as error:
            return partial(_plainly, error.message)
        return cast("Callable[[Output, Parting, Where], int]", found)
    return None


def _plainly(why: str, out: Output, parting: Parting, where: Where) -> int:
    """The run has ended, whether the app can speak of it or not."""
    from callsheet.cli.closing import part

    out.remark(why, "yellow")
    return part(out, parting, where)


def _app_of(point: EntryPoint) -> str:
    return point.dist.name if point.dist else point.value.partition(".")[0]


def _loaded(point: EntryPoint, what: str, app: str) -> object:
    try:
        return point.load()
    except CallsheetError:
        raise
    except (Exception, SystemExit) as exc:
        raise InputError(
            f"{what} does not load: {type(exc).__name__}: {exc}. Install {app} again, or remove it."
        ) from exc
