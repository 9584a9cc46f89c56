"""The golden journals: what releases wrote, read from their files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from typing_extensions import override

from callsheet.core.ids import RunId
from callsheet.core.run import entries as e

GOLDEN = Path(__file__).parent / "golden"
JOURNAL, EXPECTED = ".jsonl", ".expected.json"


@dataclass(frozen=True, slots=True)
class Golden:
    """One of them, with what is expected of it beside it."""

    path: Path

    @override
    def __str__(self) -> str:
        return f"{self.version}/{self.name}"

    @property
    def version(self) -> str:
        return self.path.parent.name

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def lines(self) -> list[bytes]:
        return self.path.read_bytes().splitlines()

    @property
    def entries(self) -> list[e.AnyEntry]:
        return [e.decode(line) for line in self.lines]

    @property
    def run(self) -> RunId:
        started = self.entries[0]
        assert isinstance(started, e.RunStarted)
        return RunId(started.run)

    @property
    def expected(self) -> dict[str, Any]:
        text = self.path.with_name(self.name + EXPECTED).read_bytes()
        found: dict[str, Any] = msgspec.json.decode(text)
        return found


def every() -> list[Golden]:
    """All of all releases."""
    return [Golden(path) for path in sorted(GOLDEN.glob(f"*/*{JOURNAL}"))]


def named(name: str) -> Golden:
    """The newest of a name."""
    return [golden for golden in every() if golden.name == name][-1]
