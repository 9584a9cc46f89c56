"""The command line. Uses the public door of Callsheet only; whatever is heavy is imported late."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from callsheet.cli.early import ends_at_once

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the `callsheet` command, and exit with its code."""
    with ends_at_once():
        from callsheet.cli.app import run_command

    sys.exit(run_command(sys.argv[1:] if arguments is None else arguments))
