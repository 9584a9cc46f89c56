"""What a run was started with, for whoever goes on with it and says nothing else."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from callsheet.cli.home import looking

if TYPE_CHECKING:
    from callsheet.cli.home import Where
    from callsheet.cli.output import Output
    from callsheet.types import Provisions, Source


async def provided(out: Output, where: Where, run: str) -> Where:
    """The same, with what the run may use, where nobody has said otherwise.

    Nothing is loaded because a journal names it, unless this user's engine has made the home.
    """
    if where.home.is_service:
        return where  # it has its own
    recorded = await _recorded(where, run)
    if recorded is None:
        return where
    from callsheet.types import Trust

    if not where.home.is_directory or not Trust().is_made_here(where.home.directory):
        return where  # if a tool is missing, whoever misses it says where it came from
    for source in recorded.sources:
        if _is_changed(source) and not where.tools:
            out.remark(f"{source.file} has changed since the run was started.", "yellow")
    references = [source.reference for source in recorded.sources if source.reference]
    configs = [source.file for source in recorded.sources if source.is_configuration]
    return replace(
        where,
        tools=where.tools or tuple(each for each in references if _is_there(each)),
        allow_shell=where.allow_shell or recorded.shell,
        allow_private=where.allow_private or recorded.private == ("*",),
        files=where.files or _directory(recorded.files),
        config=where.config or _named(configs, where),
    )


async def _recorded(where: Where, run: str) -> Provisions | None:
    async with looking(where.home) as engine:
        return await (await engine.find(run)).provisions()


def missing(recorded: Provisions) -> list[str]:
    """What a run was started with and cannot be had again; nothing is loaded to find out."""
    found = [
        f"{', '.join(source.tools)} ({why})"
        for source in recorded.sources
        if (why := _why_missing(source))
    ]
    if recorded.files and _directory(recorded.files) is None:
        found.append(f"the directory {recorded.files}")
    unset = [name for name in recorded.secrets if f"CALLSHEET_SECRET_{name}" not in os.environ]
    if unset:
        found.append(f"secrets that are not set here: {', '.join(unset)}")
    return found


def _why_missing(source: Source) -> str:
    if source.app:
        return ""
    if source.handed_in:
        return f"handed over by a program, {source.module or source.file}, which alone has them"
    gone = source.file and not Path(source.file).is_file()
    return f"{source.file} is gone" if gone else ""


def _is_changed(source: Source) -> bool:
    if not source.digest or source.app:
        return False
    try:
        with Path(source.file).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() != source.digest
    except OSError:
        return False  # if it is missed, that is said


def _is_there(reference: str) -> bool:
    return not reference.endswith(".py") or Path(reference).is_file()


def _directory(recorded: str) -> Path | None:
    return Path(recorded) if recorded and Path(recorded).is_dir() else None


def _named(configs: list[str], where: Where) -> Path | None:
    """A configuration that was named; that of the home is followed anyway."""
    own = (where.home.directory / "callsheet.toml").resolve()
    return next((Path(each) for each in configs if Path(each) != own), None)
