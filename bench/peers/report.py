"""The section of `RESULTS.md` about other engines: their numbers beside ours, and what they do."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from textwrap import shorten
from typing import TYPE_CHECKING

from bench.peers.asking import ABILITIES, OURS
from bench.peers.contest import CASES
from bench.sampling import number
from bench.table import NOTHING, SCALE, aligned

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bench.peers.asking import Answer
    from bench.peers.contest import Case, Contest, Duel
    from bench.sampling import Series

HEADING = "## Beside other engines"
UNITS = {"start": "ms", "sleep": "s"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """Everything there is to say about the peers."""

    contests: Sequence[Contest]
    answers: Sequence[Answer]
    facts: Mapping[str, str]
    seconds: float

    @property
    def busiest(self) -> float:
        return max((contest.load for contest in self.contests), default=0.0)


def section(findings: Findings) -> str:
    """All of it, as Markdown."""
    contests = findings.contests
    loads = ", ".join(f"{contest.variant.title} {contest.load:.0%}" for contest in contests)
    return "\n".join(
        [
            HEADING,
            "",
            *(f"- {name}: {said}" for name, said in findings.facts.items()),
            f"- took {findings.seconds:.0f} s; share of the machine that others took: {loads}",
            "",
            verdict(contests),
            "",
            numbers(contests),
            "",
            _LEGEND,
            *(_about(contest) for contest in contests),
            "",
            "### What each does, and does not",
            "",
            abilities(findings.answers),
            "",
            _ABOUT_ABILITIES,
            *_evidence(findings.answers),
        ]
    )


def verdict(contests: Sequence[Contest]) -> str:
    """How many comparisons there are, and every one that ours loses."""
    duels = [(c.variant.title, duel) for c in contests for duel in c.duels.values()]
    lost = [
        f"{duel.case.heading} against {title} ({number(duel.lead)} x)"
        for title, duel in duels
        if duel.lead < 1.0
    ]
    said = f"**Ours is faster in {len(duels) - len(lost)} of {len(duels)} comparisons.** "
    return said + (f"Slower: {'; '.join(lost)}." if lost else "It is slower in none.")


def numbers(contests: Sequence[Contest]) -> str:
    """The table of rates and times, ours in its first line."""
    headings = (
        "engine",
        *(case.heading for case in CASES),
        "CPU ms/step of the chain",
        "syncs/step",
    )
    return aligned([headings, _ours(contests), *(_theirs(contest) for contest in contests)])


def _ours(contests: Sequence[Contest]) -> list[str]:
    found = [[c.duels[case.name] for c in contests if case.name in c.duels] for case in CASES]
    cells = [_typical(duels) if duels else NOTHING for duels in found]
    spent = [cpu for duel in found[0] if (cpu := _cpu(duel, duel.ours)) is not None]
    return [
        f"{OURS}, SQLite",
        *cells,
        number(statistics.median(spent)) if spent else NOTHING,
        NOTHING,
    ]


def _typical(duels: Sequence[Duel]) -> str:
    """Ours over all contests: in each it was measured anew."""
    middle = statistics.median(duel.ours.median for duel in duels)
    return _amount(duels[0].case, duels[0].steps, middle)


def _theirs(contest: Contest) -> list[str]:
    cells = [_cell(contest.duels.get(case.name)) for case in CASES]
    if contest.failure and NOTHING in cells:
        cells[cells.index(NOTHING)] = f"not measured: {shorten(contest.failure, 80)}".replace(
            "|", "/"
        )
    chain = contest.duels.get("chain")
    cpu = _cpu(chain, chain.theirs) if chain else None
    rest = (NOTHING if value is None else number(value) for value in (cpu, contest.syncs))
    return [contest.variant.title, *cells, *rest]


def _cell(duel: Duel | None) -> str:
    if duel is None:
        return NOTHING
    return f"{_amount(duel.case, duel.steps, duel.theirs.median)}: {number(duel.lead)} x"


def _amount(case: Case, steps: int | None, seconds: float) -> str:
    if steps is not None:
        return f"{number(steps / seconds)}/s"
    unit = UNITS[case.name]
    return f"{number(seconds * SCALE[unit])} {unit}"


def _cpu(duel: Duel, side: Series) -> float | None:
    if side.median_cpu is None or not duel.steps:
        return None
    return side.median_cpu * 1e3 / duel.steps


def _about(contest: Contest) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in contest.versions.items())
    samples = ", ".join(f"{name} {len(d.theirs.seconds)}" for name, d in contest.duels.items())
    said = [versions, contest.settings, f"samples: {samples}" if samples else ""]
    said += [f"not measured: {contest.failure}" if contest.failure else ""]
    return f"- {contest.variant.title}: " + "; ".join(part for part in said if part)


def abilities(answers: Sequence[Answer]) -> str:
    """Which engine does what: the table without its evidence."""
    engines = list(dict.fromkeys(answer.engine for answer in answers))
    has = {(answer.engine, answer.ability): answer.has for answer in answers}
    lines = [
        [f"{ability}: {said}", *(has.get((engine, ability), NOTHING) for engine in engines)]
        for ability, said in ABILITIES.items()
    ]
    return aligned([["", *engines], *lines])


def _evidence(answers: Sequence[Answer]) -> list[str]:
    lines = []
    for ability in ABILITIES:
        lines += [f"**{ability}**", ""]
        lines += [f"- {a.engine}: {a.evidence}." for a in answers if a.ability == ability]
        lines += [""]
    return lines


_LEGEND = """\
Theirs, then how many times as fast ours is: below 1, ours is slower. Each was measured in turns
with ours, in an environment and a process of its own; a factor is the median over pairs of
neighbouring samples. Ours in the first line is the median over all these contests. Every step's
result is to be on the disk before what depends on it begins: the syncs are counted with strace, of
the engine and its servers (ours: above). The settings, and how many samples there are:
"""

_ABOUT_ABILITIES = """\
Shown by programs (`bench/peers/programs/ask_*.py`, `bench/peers/ask_ours.py`) that do it and look.
*By hand*: the author of each program can write it with what the engine has. *Partly*: see below.
"""
