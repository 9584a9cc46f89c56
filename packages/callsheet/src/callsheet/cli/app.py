"""All commands, and what happens around each of them: parsing, and errors of parsing."""

from __future__ import annotations

import os
import sys
from collections import UserDict
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

import typer
from typer.core import TyperGroup
from typer.main import get_command
from typing_extensions import override

from callsheet import CallsheetError, __version__
from callsheet.cli.interrupt import ends_at_once
from callsheet.cli.output import BAD_INPUT, Output
from callsheet.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

_GROUPS = {
    "Talk": ("chat",),
    "Run plans": (
        *("run", "resume", "pause", "cancel", "answer", "undo", "retry"),
        *("fork", "add", "seal"),
    ),
    "Look at runs": (
        *("runs", "show", "watch", "journal", "replay", "stats", "artifacts", "lineage"),
    ),
    "Write plans": ("init", "check", "preflight", "plan", "tools", "agents"),
    "Serve others": ("serve", "mcp", "key"),
    "Manage a home": ("context", "artifact", "ledger", "gc", "backup", "trust"),
}
"""The help's sections; a command that stands in none is listed at the end."""
_WHERE = {
    "chat": "chat",
    "init": "init",
    "check": "plan",
    "preflight": "preflight",
    "run": "run",
    "resume": "run",
    "undo": "run",
    "retry": "run",
    "pause": "control",
    "cancel": "control",
    "answer": "control",
    "fork": "fork",
    "add": "fork",
    "seal": "fork",
    "runs": "runs",
    "show": "runs",
    "journal": "runs",
    "watch": "runs",
    "replay": "runs",
    "artifacts": "artifact",
    "lineage": "artifact",
    "tools": "plan",
    "agents": "agents",
    "stats": "preflight",
    "trust": "trust",
    "gc": "maintenance",
    "backup": "maintenance",
    "serve": "serve",
    "mcp": "mcp",
}
"""Every command, in the order of the help, and the module that its function is in."""
_SHELVES = {
    "plan": ("plan", "shelf"),
    "ledger": ("ledger", "accounts"),
    "context": ("context", "context"),
    "artifact": ("artifact", "shelf"),
    "key": ("key", "keys"),
}
"""Commands that have commands of their own, and the functions that put them together."""

_OF_THE_STUDIO = frozenset({"brief", "make", "schema", "stack"})
"""Commands that people look for where the studio is not installed."""
_EXIT_CODES = (
    "Exit codes: 0 succeeded, 1 failed, undone or stuck, 2 the input is wrong, "
    "3 waiting and nobody to ask, 130 cancelled."
)


def _version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"callsheet {__version__}\n")
        raise typer.Exit


def _callsheet(
    log_format: Annotated[
        Literal["text", "json"] | None,
        typer.Option(help="The format of the log on stderr. [env: CALLSHEET_LOG]"),
    ] = None,
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"] | None,
        typer.Option(help="The lowest level that is logged. [env: CALLSHEET_LOG_LEVEL]"),
    ] = None,
    _: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Run tool calls as plans: in parallel, durably, cancellable, undoable, replayable."""
    # Said to the environment: worker processes hear of it too.
    for name, wanted in (("CALLSHEET_LOG", log_format), ("CALLSHEET_LOG_LEVEL", log_level)):
        if wanted is not None:
            os.environ[name] = wanted


class _Commands(UserDict[str, Any]):
    """The commands. Each is imported, and its parameters are read, when it is asked for.

    To do that with all of them takes as long as many a command.
    """

    @override
    def __getitem__(self, name: str) -> Any:
        if self.data[name] is None:
            with ends_at_once():
                if name in _SHELVES:
                    module, function = _SHELVES[name]
                    found = getattr(import_module(f"callsheet.cli.{module}"), function)()
                else:
                    found = getattr(import_module(f"callsheet.cli.{_WHERE[name]}"), name)
            self.data[name] = _command_of(name, found)
        return self.data[name]


def _command_of(name: str, found: Any) -> Any:
    """A function or a Typer app as a command of that name."""
    # In a group of its own: there it is put together as it would be among the others.
    app = _typer()
    if isinstance(found, typer.Typer):
        app.add_typer(found, name=name)
    else:
        app.command(name)(found)
    return cast("TyperGroup", get_command(app)).commands[name]


class _Group(TyperGroup):
    """Our own commands first; what apps bring is looked for when it is asked for."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = _Commands(dict.fromkeys((*_WHERE, *_SHELVES)))

    @override
    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name in self.commands:
            return self.commands[cmd_name]
        from callsheet.cli.apps import commands_of_apps

        found = commands_of_apps().get(cmd_name)
        if found is None:
            if cmd_name in _OF_THE_STUDIO:
                ctx.fail(f"`{cmd_name}` comes with the studio: pip install callsheet-studio")
            return None
        with ends_at_once():
            return _command_of(cmd_name, found.load())

    @override
    def list_commands(self, ctx: Any) -> list[str]:
        from callsheet.cli.apps import commands_of_apps

        return [*self.commands, *commands_of_apps()]

    @override
    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Our own commands, then those of each app under its name."""
        from callsheet.cli.apps import commands_of_apps

        sections = {title: [*names] for title, names in _GROUPS.items()}
        placed = {name for names in _GROUPS.values() for name in names}
        if others := [name for name in self.commands if name not in placed]:
            sections["Commands"] = others
        for name, found in commands_of_apps().items():
            sections.setdefault(found.app, []).append(name)
        width = max(len(name) for names in sections.values() for name in names)
        for title, names in sections.items():
            limit = formatter.width - 6 - width
            rows = [(name, self._about(ctx, name, limit)) for name in names]
            with formatter.section(title):
                formatter.write_dl(rows)

    def _about(self, ctx: Any, name: str, limit: int) -> str:
        try:
            about: str = self.get_command(ctx, name).get_short_help_str(limit)
        except CallsheetError as error:  # of an app; the help is about the others, too
            return error.message
        return about


def _app() -> typer.Typer:
    return _typer(cls=_Group, add_completion=True)


def _typer(cls: type[TyperGroup] = TyperGroup, *, add_completion: bool = False) -> typer.Typer:
    app = typer.Typer(
        name="callsheet",
        cls=cls,
        help=_callsheet.__doc__,
        epilog=_EXIT_CODES,
        no_args_is_help=True,
        add_completion=add_completion,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,  # its help takes a quarter of a second to import
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_callsheet)
    return app


def run_command(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A terminal that cannot show a character shows a question mark; it is no reason to end.
            stream.reconfigure(errors="replace")
    if (wrong := _wrong_service(arguments)) is not None:
        Output(as_json="--json" in arguments).complain(wrong)
        return BAD_INPUT
    try:
        # What the commands return is None: they end with a code by raising `typer.Exit`.
        code = get_command(_app()).main(
            args=list(arguments), prog_name="callsheet", standalone_mode=False
        )
    except typer.TyperException as error:
        return _explain(error, as_json="--json" in arguments)
    except CallsheetError as error:  # an app that does not load
        Output(as_json="--json" in arguments).complain(error)
        return BAD_INPUT
    except typer.Abort:
        return 130
    return code if isinstance(code, int) else 0


def _wrong_service(arguments: Sequence[str]) -> InputError | None:
    """What is wrong with `--server`, which means the same as `--home` to every command."""
    for word, said in zip(arguments, [*arguments, ""][1:], strict=True):
        name, equals, text = word.partition("=")
        given = text if equals else said
        if name == "--server" and not given.startswith(("http://", "https://")):
            return InputError(f"--server {given!r} is no address. Write http://127.0.0.1:8400.")
    return None


def _explain(error: typer.TyperException, *, as_json: bool) -> int:
    """Say what is wrong with the command line itself."""
    context = getattr(error, "ctx", None)
    message = error.format_message()
    if type(error).__name__ == "NoArgsIsHelpError":
        sys.stdout.write(f"{message}\n")  # which is the help
        return BAD_INPUT
    if as_json:
        Output(as_json=True).data({"error": {"code": "usage", "message": message, "problems": []}})
        return BAD_INPUT
    path = context.command_path if context else "callsheet"
    sys.stderr.write(f"Error: {message}\nTry: {path} --help\n")
    return BAD_INPUT
