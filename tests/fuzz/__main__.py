"""`make fuzz MINUTES=5`: every reader in turn, from seeds that nobody has tried yet."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from tests.fuzz.fuzzing import fuzz
from tests.fuzz.targets import all_targets

FINDS = Path(".fuzz")


def main() -> int:
    """Print a line for each target; keep what was found in `.fuzz/`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--seed", type=int, default=int(time.monotonic_ns() % 1_000_000))
    parser.add_argument("--only", default="")
    said = parser.parse_args()
    targets = [each for each in all_targets() if said.only in ("", each.name)]
    found = 0
    sys.stdout.write(f"seed {said.seed}\n")
    for target in targets:
        until = time.monotonic() + said.minutes * 60 / len(targets)
        outcome = fuzz(target, said.seed, until=until)
        found += len(outcome.finds)
        FINDS.mkdir(exist_ok=True)
        for number, (what, text) in enumerate(outcome.finds):
            place = FINDS / f"{target.name}-{said.seed}-{number}.txt"
            place.write_text(f"{what}\n---\n{text}", "utf-8", errors="surrogatepass")
        sys.stdout.write(
            f"{target.name:10} {outcome.accepted:8} accepted {outcome.refused:8} refused "
            f"{len(outcome.finds):4} found, longest {outcome.longest:.2f} s\n"
        )
        sys.stdout.flush()
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
