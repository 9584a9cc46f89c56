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
    print("it was too much", file=sys.stderr, flush=True)
    raise SystemExit(1)


async def main(scratch: Path, kind: str) -> None:
    print("a library says something to nobody", flush=True)
    sleeper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    (scratch / "sleeper").write_text(str(sleeper.pid), "utf-8")
    names = ("chain", "fan", "many", "start", "sleep")
    cases = dict.fromkeys(names, nothing) | ({"many": die} if kind == "broken" else {})
    await answer(cases, "pytest", settings="stand-in", also={"itself": "1"})


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
