"""Puts the questions to each engine, and gathers what their probes show."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.peers.environments import Environments, NotMeasuredError
from bench.peers.talk import running

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from bench.peers.catalog import Peer

OURS = "Callsheet"
TOTAL_SECONDS = 75.0
"""For all of them, installations apart."""

ABILITIES = {
    "in doubt": "a write that may have happened is not repeated unasked",
    "own results": "after a crash each of two steps at once has its own result",
    "undo": "what was written is taken back when a run fails",
    "budget": "a cap on money that is checked before a call",
    "replay": "a finished run is gone through again, with no calls",
    "lineage": "who made what a step was given",
    "approval": "a person is asked before one call",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What an engine was seen to do."""

    engine: str
    ability: str
    has: str
    evidence: str


def answers(
    peers: Iterable[Peer], scratch: Path, environments: Environments, seconds: float = TOTAL_SECONDS
) -> list[Answer]:
    """Ask ours, then each peer. One that cannot be asked has that said of it, and nothing else."""
    found: list[Answer] = []
    commands = {OURS: [sys.executable, "-m", "bench.peers.ask_ours"]}
    for peer in peers:
        try:
            commands[peer.title] = [str(environments.python(peer)), "-m", peer.probe]
        except NotMeasuredError as error:
            found += _unanswered(peer.title, set(), str(error))
    end = time.monotonic() + seconds
    for engine, command in commands.items():
        found += _asked(engine, command, scratch / engine, end)
    return found


def _asked(engine: str, command: Sequence[str], scratch: Path, end: float) -> list[Answer]:
    print(f"asking {engine} …", file=sys.stderr, flush=True)
    scratch.mkdir(parents=True)
    found: list[Answer] = []
    try:
        with running([*command, str(scratch)], scratch) as talk:
            while len(found) < len(ABILITIES):
                said = talk.hear("ability", max(end - time.monotonic(), 0.0))
                found.append(Answer(engine, said["ability"], said["has"], said["evidence"]))
    except NotMeasuredError as error:
        found += _unanswered(engine, {answer.ability for answer in found}, str(error))
    return found


def _unanswered(engine: str, known: set[str], why: str) -> list[Answer]:
    left = [ability for ability in ABILITIES if ability not in known]
    return [Answer(engine, ability, "not known", why) for ability in left]
