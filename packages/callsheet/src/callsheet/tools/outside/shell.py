"""The tool `sh`: a program in a process group of its own, which ends with the call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from typing_extensions import TypedDict

from callsheet.errors import FatalError, InvalidError
from callsheet.ports import Context
from callsheet.tools.outside.running import Start, clean, without_secrets
from callsheet.tools.registry import tool

if TYPE_CHECKING:
    from pathlib import Path

    from callsheet.tools.registry import AnyTool

LARGEST = 1_000_000
"""Bytes that are kept of each stream."""


class Ended(TypedDict):
    """What `sh` returns."""

    code: int
    """Negative: the signal that killed it."""
    stdout: str
    stderr: str
    truncated: bool


def shell_tools(root: Path) -> list[AnyTool]:
    """The tools. Programs run in the root, unless told otherwise."""
    from pydantic import Field

    @tool("sh", effect="write")
    async def sh(
        ctx: Context,
        command: Annotated[
            str | list[str], Field(description="text for /bin/sh, or a program and its arguments")
        ],
        cwd: str | None = None,
        check: Annotated[bool, Field(description="fail when the exit code is not 0")] = True,
        env: Annotated[
            dict[str, str] | None, Field(description="variables, beside PATH, HOME, LANG, TMPDIR")
        ] = None,
        stdin: Annotated[str | None, Field(description="what it reads")] = None,
    ) -> Ended:
        """Run a program: `code`, `stdout`, `stderr`, and whether they were `truncated`."""
        directory = root / (cwd or "")
        if not directory.is_dir():
            raise InvalidError(f"Wrong arguments: args.cwd {cwd!r} is not a directory.")
        running = Start(
            words=without_secrets(_words(command), ctx, "args.command"),
            directory=directory,
            largest=LARGEST,
            env=_environment(env or {}),
            stdin=stdin.encode() if stdin is not None else None,
        ).run()
        try:
            code = await running.wait(ctx.grace)
        finally:
            running.let_go()
        if check and code != 0:
            raise FatalError(f"The program {running.ending()}.")
        stdout, stderr = running.stdout, running.stderr
        truncated = stdout.truncated or stderr.truncated
        return Ended(code=code, stdout=stdout.text(), stderr=stderr.text(), truncated=truncated)

    return [sh]


def _environment(env: dict[str, str]) -> dict[str, str]:
    for name, text in env.items():
        if not name or "=" in name or "\0" in name + text:
            raise InvalidError(f"Wrong arguments: args.env cannot have {name!r}.")
    return {**clean(), **env}


def _words(command: str | list[str]) -> list[str]:
    words = ["/bin/sh", "-c", command] if isinstance(command, str) else command
    if not words or not words[0] or any("\0" in word for word in words):
        raise InvalidError("Wrong arguments: args.command is not a program and its arguments.")
    return words
