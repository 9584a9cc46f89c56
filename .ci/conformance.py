"""Install the conformance suite of MCP into `.conformance/`, once, where npm can be reached.

    python3 .ci/conformance.py

`make test` calls it. From then on the tests run it without a network; where it could not be
installed they say loudly that they were skipped. The suite needs Node 22, which npm has, too.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

PLACE = Path(__file__).resolve().parent.parent / ".conformance"
SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
"""Pinned: what npm calls the latest does not know the newest protocol."""
NODE = "node@22"
STAMP = PLACE / ".installed"
SECONDS = 600


def main() -> None:
    """Install it, unless it is there; a machine without npm or a network is none the worse."""
    wanted = f"{SUITE} {NODE}\n"
    if STAMP.exists() and STAMP.read_text("utf-8") == wanted:
        return
    npm = shutil.which("npm")
    if npm is None:
        complain("there is no npm")
        return
    print("Installing the conformance suite of MCP into .conformance ...", flush=True)
    PLACE.mkdir(exist_ok=True)
    command = [npm, "install", "--no-audit", "--no-fund", "--prefix", str(PLACE), SUITE, NODE]
    try:
        done = subprocess.run(
            command, cwd=PLACE, capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        complain(f"npm took longer than {SECONDS} s")
        return
    if done.returncode:
        complain(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "npm failed")
        return
    STAMP.write_text(wanted, "utf-8")


def complain(why: str) -> None:
    """Say that the tests will leave it out."""
    print(f"The conformance suite of MCP is NOT installed, and NOT run: {why}.", file=sys.stderr)


if __name__ == "__main__":
    main()
