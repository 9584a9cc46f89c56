"""Proof that a peer's steps reach the disk: its syncs, counted from outside during a chain."""

from __future__ import annotations

import asyncio
import shutil
import signal
import subprocess
from typing import TYPE_CHECKING

from bench.peers.programs.answering import descendants
from bench.syncs import SYNCS, calls

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bench.peers.talk import Talk

LENGTH = 20
STOP_SECONDS = 10.0


async def syncs_per_step(talk: Talk, scratch: Path, patience: float) -> float | None:
    """How often the program and its servers sync for each step; None where nobody can count."""
    if shutil.which("strace") is None:
        return None
    out = scratch / "strace.txt"
    traced = [talk.pid, *descendants(talk.pid)]
    tracer = _attach(traced, out)
    try:
        if not await asyncio.to_thread(_attached, tracer, len(traced)):
            return None
        await talk.ask("chain", LENGTH, patience=patience)
    finally:
        _detach(tracer)
    return calls(out.read_text("utf-8")) / LENGTH


def _attach(pids: Sequence[int], out: Path) -> subprocess.Popen[bytes]:
    command = ["strace", "-f", "-c", "-e", f"trace={','.join(SYNCS)}", "-o", str(out)]
    return subprocess.Popen(
        [*command, *(f"--attach={pid}" for pid in pids)],
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )


def _attached(tracer: subprocess.Popen[bytes], wanted: int) -> bool:
    """Whether it has hold of all of them; it says so of each."""
    assert tracer.stderr is not None
    for line in tracer.stderr:
        wanted -= b"attached" in line
        if not wanted:
            return True
    return False


def _detach(tracer: subprocess.Popen[bytes]) -> None:
    assert tracer.stderr is not None
    tracer.send_signal(signal.SIGINT)  # it lets go of them, and writes what it has counted
    try:
        tracer.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        tracer.kill()
        tracer.wait()
    tracer.stderr.close()
