"""`RESULTS.md`: two parts, ours and the peers', each kept as it is unless it was measured anew."""

from __future__ import annotations

from pathlib import Path

from bench import machine
from bench.peers.report import HEADING

RESULTS = Path(__file__).parent / "RESULTS.md"


def write(part: str, busiest: float, *, anyway: bool, path: Path = RESULTS) -> None:
    """Put a part in its place, if the machine was quiet enough for its numbers to count."""
    if busiest > machine.QUIET and not anyway:
        print(
            f"{path.name} is left as it is: others took up to {busiest:.0%} of the machine, and "
            f"{machine.QUIET:.0%} is the most that counts as quiet (--write: anyway)."
        )
        return
    old = path.read_text("utf-8") if path.exists() else ""
    path.write_text(merged(old, part), "utf-8")
    print(f"Written to {path}.")


def merged(old: str, part: str) -> str:
    """The file with one of its parts replaced; which one, its heading says."""
    ours, heading, peers = old.partition(HEADING)
    if part.startswith(HEADING):
        return f"{ours.rstrip()}\n\n{part.rstrip()}\n".lstrip()
    return f"{part.rstrip()}\n\n{heading}{peers}".rstrip() + "\n"
