"""The check against the labels: python compare.py LABELS FOLDER prints a table per brief."""

# ruff: noqa: T201
from __future__ import annotations

import sys
import tomllib
from collections import Counter
from pathlib import Path

from callsheet_studio.brief import load
from callsheet_studio.film.check.meaning import judge_pictures
from callsheet_studio.script import write_script
from callsheet_studio.shots import plan_shots

KINDS = {"s": "shown", "g": "generic", "c": "contradicts", "k": "card"}


def judged(path: Path) -> dict[str, str]:
    """The verdict of the check on each shot; a card is a card, whyever it is one."""
    brief = load(path)
    shots = plan_shots(write_script(brief), brief)
    found = judge_pictures(shots, brief)
    return {each.shot: each.verdict.replace("not_drawable", "card") for each in found}


def brief_in(folder: Path, name: str) -> Path:
    """The brief of a name, whatever its form."""
    return next(
        inside / f"{name}{end}"
        for inside in (folder, folder / "closed")
        for end in (".yaml", ".md", ".txt", ".fountain")
        if (inside / f"{name}{end}").exists()
    )


if __name__ == "__main__":
    labels = tomllib.loads(Path(sys.argv[1]).read_text("utf-8"))
    folder = Path(sys.argv[2])
    total: Counter[str] = Counter()
    agree = count = 0
    for name, given in labels.items():
        verdicts = judged(brief_in(folder, name))
        assert set(verdicts) == set(given), (name, set(verdicts) ^ set(given))
        told = Counter(KINDS[each] for each in given.values())
        same = sum(KINDS[given[shot]] == verdicts[shot] for shot in given)
        agree, count = agree + same, count + len(given)
        total += told
        print(
            f"{name:20} {len(given):3} shots  "
            + "  ".join(f"{k} {told[k]}" for k in KINDS.values()),
            f"  check agrees {same}",
        )
        for shot in given:
            if KINDS[given[shot]] != verdicts[shot]:
                print(f"      {shot}: label {KINDS[given[shot]]}, check {verdicts[shot]}")
    print(dict(total), f"of {count}; the check agrees with {agree / count:.0%}")
