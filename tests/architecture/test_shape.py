"""The shape of the source: small modules, rooms with a name on the door, nothing unfinished.

Which module may import which is held by the contracts in `pyproject.toml` (`make lint`).
"""

from __future__ import annotations

import re
from pathlib import Path

SRC = Path(__file__).parents[2] / "packages"
CEILING = 500
NAMELESS = re.compile(r"^_?(utils?|helpers?|common|misc)|manager")
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|NotImplementedError)\b")


def modules() -> list[Path]:
    found = sorted(SRC.glob("*/src/**/*.py"))
    assert found, f"No modules under {SRC}"
    return found


def test_no_module_outgrows_a_sitting() -> None:
    lengths = {path: len(path.read_text("utf-8").splitlines()) for path in modules()}
    too_long = {str(p.relative_to(SRC)): n for p, n in lengths.items() if n > CEILING}
    assert not too_long, f"Split these, or argue for them in a decision record: {too_long}"


def test_every_room_has_a_name_on_the_door() -> None:
    nameless = [
        str(path.relative_to(SRC))
        for path in modules()
        if any(NAMELESS.search(part) for part in path.relative_to(SRC).with_suffix("").parts)
    ]
    assert not nameless, f"Say what is in these: {nameless}"


def test_nothing_is_left_unfinished() -> None:
    unfinished = [
        f"{path.relative_to(SRC)}:{number}: {line.strip()}"
        for path in modules()
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
        if UNFINISHED.search(line)
    ]
    assert not unfinished, "\n".join(unfinished)
