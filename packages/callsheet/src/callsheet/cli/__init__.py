"""The command line. Uses the public door of Callsheet only; whatever is heavy is imported late."""

from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING

from callsheet.cli.interrupt import ends_at_once

if TYPE_CHECKING:
    from collections.abc import Sequence


_SELDOM = 100_000
"""Objects made, on balance, before Python looks for garbage among the young ones."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the `callsheet` command, and exit with its code."""
    with ends_at_once():
        from callsheet.cli.app import run_command

    if arguments is not None:
        sys.exit(run_command(arguments))
    # Nearly all that a command imports and makes stays until its end. To look for garbage in it
    # often, and in all of it when Python ends, takes a seventh of the time of `callsheet run`.
    gc.set_threshold(_SELDOM)
    try:
        sys.exit(run_command(sys.argv[1:]))
    finally:
        gc.freeze()
