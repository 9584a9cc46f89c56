"""An environment for each peer, under a directory git ignores; made once for each set of pins."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.peers.catalog import Peer

CACHE = Path(__file__).parents[2] / ".bench"
PATIENCE = 300.0
"""Seconds for one command of an installation."""


class NotMeasuredError(Exception):
    """There are no numbers of a peer; says why, for its line in the table."""


@dataclass(frozen=True, slots=True)
class Environments:
    """The environments below a directory."""

    cache: Path = CACHE

    def python(self, peer: Peer) -> Path:
        """The Python of a peer's environment, which is made if it is not there.

        Raises:
            NotMeasuredError: It could not be made.
        """
        place = self.cache / peer.name
        python, stamp = place / "bin" / "python", place / "installed-for"
        wanted = _fingerprint(peer)
        if python.exists() and stamp.exists() and stamp.read_text("utf-8") == wanted:
            return python
        print(f"installing {peer.title} …", file=sys.stderr, flush=True)
        shutil.rmtree(place, ignore_errors=True)
        uv = [sys.executable, "-m", "uv"]
        _run([*uv, "venv", "--quiet", "--python", sys.executable, str(place)])
        install = [*uv, "pip", "install", "--quiet", "--python", str(python)]
        _run([*install, "--requirements", str(peer.requirements)])
        if peer.npm:
            # No scripts of packages: one of them reports the installation to its makers.
            npm = [str(place / "bin" / "npm"), "install", "--ignore-scripts", "--no-audit"]
            _run([*npm, "--no-fund", "--prefix", str(place / "npm"), peer.npm])
        stamp.write_text(wanted, "utf-8")
        return python


def _fingerprint(peer: Peer) -> str:
    text = f"{sys.version}\n{peer.npm}\n{peer.requirements.read_text('utf-8')}"
    return hashlib.sha256(text.encode()).hexdigest()


def _run(command: Sequence[str]) -> None:
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotMeasuredError(f"could not be installed: {error}") from error
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines() or ["it said nothing"]
        raise NotMeasuredError(f"could not be installed: {said[-1].strip()}")
