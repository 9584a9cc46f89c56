"""The command line. Uses the public door of Callsheet only; whatever is heavy is imported late."""

from __future__ import annotations

import atexit
import os
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from callsheet.cli.early import collects_later, ends_at_once

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the `callsheet` command, and exit with its code."""
    with collects_later():
        with ends_at_once():
            from callsheet.cli.app import run_command

        code = run_command(sys.argv[1:] if arguments is None else arguments)
    if arguments is None:
        _leave(code)
    sys.exit(code)


def _leave(code: int) -> None:
    """End the process, if nothing in it goes on.

    All is said, closed and on the disk. To take apart what was imported, piece by piece, would take
    longer than many a command.
    """
    here = threading.current_thread()
    if any(each is not here and not each.daemon for each in threading.enumerate()):
        return
    # Who has gone away and hears nothing any more is for an orderly end to deal with.
    with suppress(OSError, ValueError):
        # The orderly end of an interpreter calls them, and nobody else can.
        atexit._run_exitfuncs()  # noqa: SLF001
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
