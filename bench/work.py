"""The work that is measured: how much of it, and what a tool returns."""

from __future__ import annotations

from dataclasses import dataclass

PAYLOAD = "x" * 200


def result(i: int) -> dict[str, object]:
    """What every tool returns: 200 bytes and a number."""
    return {"i": i, "payload": PAYLOAD}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """How much work there is, and how often it is measured."""

    samples: int = 11
    """Of each side of each case."""
    shortest: float = 0.1
    """Seconds that a sample takes at least: short work is done several times."""
    chain: int = 200
    fan: int = 500
    runs: int = 100
    run_length: int = 10
    starts: int = 100
    sleepers: int = 100
    pause: float = 0.1
    """How long each of them sleeps, in seconds."""
    cancelled: int = 100
    small_plan: int = 100
    large_plan: int = 10_000
    large_samples: int = 7
    entries: int = 1_000_000
    entry_samples: int = 60
    fresh: int = 9
    """How many fresh processes."""
    artifacts: int = 1024
    """Of 1 MB each."""
    artifact_samples: int = 5
    films: int = 1000
    """Example films that are looked at, at most."""
    makes: int = 3
    """How often each `callsheet make` is timed."""
    adds: int = 600
    """Steps that are added to one run from inside."""
    speakers: int = 50
    texts: int = 800
    takeovers: int = 50
    """Processes that are killed, each with a run."""
    waiting: int = 10_000
    """Runs that wait when an engine is opened."""
    commits: int = 10_000
    """Of four processes together."""
    streams: int = 2_000
    """Open at once; ten for each run."""
    streaming: float = 10.0
    """Seconds for which they are read."""


FULL = Sizes()
QUICK = Sizes(
    samples=7,
    texts=300,
    shortest=0.03,
    starts=30,
    large_plan=3_000,
    large_samples=3,
    entries=100_000,
    entry_samples=20,
    fresh=5,
    artifacts=128,
    artifact_samples=3,
    takeovers=5,
    waiting=1_000,
    commits=1_000,
    streams=500,
    streaming=4.0,
)
TINY = Sizes(
    samples=2,
    adds=4,
    speakers=2,
    texts=4,
    shortest=0.0,
    chain=5,
    fan=5,
    runs=3,
    run_length=2,
    starts=3,
    sleepers=3,
    pause=0.001,
    cancelled=3,
    small_plan=20,
    large_plan=40,
    large_samples=1,
    entries=200,
    entry_samples=2,
    fresh=1,
    artifacts=3,
    artifact_samples=1,
    films=2,
    makes=1,
    waiting=100,
    streams=20,
    streaming=1.0,
)
"""For the test that the harness works; its numbers mean nothing."""
