"""A peer that needs no installation: it answers in no time, and keeps no promise. Run by tests."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

from bench.peers.programs.answering import answer


async def nothing(*args: float) -> float:
    return 10.0 if len(args) == 2 else 0.000_000_1


async def die(*args: float) -> None:
    raise SystemExit("it was too much")


async def main(kind: str) -> None:
    sys.stdout.write("a library says something to nobody\n")
    names = ("chain", "fan", "many", "start", "sleep")
    cases = dict.fromkeys(names, nothing) | ({"many": die} if kind == "broken" else {})
    await answer(cases, "pytest", settings="stand-in", also={"itself": "1"})


if __name__ == "__main__":
    sleeper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    Path(sys.argv[1], "sleeper").write_text(str(sleeper.pid), "utf-8")
    asyncio.run(main(sys.argv[2]))
