"""Writes the golden journals that are missing: `python -m tests.replay.generate`.

A golden journal is what a release wrote. It is never changed and never written again; a release
that writes journals differently adds a directory of its own.
"""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import structs
from tests.replay.carry_out import record
from tests.replay.deeper import RECORDINGS
from tests.replay.journals import EXPECTED, GOLDEN, JOURNAL
from tests.replay.turning import TURNS, record_turn

from callsheet import __version__
from callsheet.core.past.result import result_from
from callsheet.core.run import entries as e
from callsheet.core.run.fold import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def summary_of(entries: Sequence[e.AnyEntry]) -> dict[str, Any]:
    """How a run ended, as a person would tell it."""
    result = result_from(entries, entries[-1].at)
    return {
        "state": str(result.state),
        "cause": msgspec.to_builtins(result.cause),
        "output": result.output,
        "steps": {key: str(step.state) for key, step in result.steps.items()},
        "attempts": {key: step.attempts for key, step in result.steps.items()},
        "problems": [[problem.step, problem.message] for problem in result.problems],
        # The calls as the budget counts them: the result counts those of undos, too.
        "cost": msgspec.to_builtins(structs.replace(result.cost, calls=fold(entries).pot.calls)),
        "seconds": round(result.seconds, 6),
        "entries": len(entries),
    }


def version() -> str:
    """The release that this code is (or is to become), without its fixes."""
    return ".".join(__version__.split(".")[:2])


def main() -> None:
    """Write what is missing of this release's."""
    directory = GOLDEN / version()
    directory.mkdir(parents=True, exist_ok=True)
    recorded: dict[str, Callable[[], list[e.AnyEntry]]] = {
        **{recording.name: partial(record, recording) for recording in RECORDINGS},
        **{name: partial(record_turn, name) for name in TURNS},
    }
    for name, make in recorded.items():
        path = directory / (name + JOURNAL)
        if path.exists():
            continue
        entries = make()
        path.write_bytes(b"".join(e.encode(entry) + b"\n" for entry in entries))
        expected = msgspec.json.format(msgspec.json.encode(summary_of(entries)), indent=2)
        path.with_name(name + EXPECTED).write_bytes(expected + b"\n")
        sys.stdout.write(f"{path.relative_to(GOLDEN)}: {len(entries)} entries\n")


if __name__ == "__main__":
    main()
