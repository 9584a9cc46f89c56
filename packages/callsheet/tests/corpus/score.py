"""How well the checker deals with plans as they are written. `python -m tests.corpus.score`.

A mistake is **named** when a problem stands at exactly its place: a problem counts for one mistake,
or for several if its `fix` has the right way to write each of them. It is **right** when such a
problem's `fix` has the right way to write it, letter by letter but for spaces.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from typing import TYPE_CHECKING

import msgspec
from tests.corpus.checking import check, mend
from tests.corpus.labels import Mistake, Sample, samples, specs
from tests.corpus.reader import obey

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from callsheet.core.plan.plan import Plan
    from callsheet.core.problem import Problem


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one plan."""

    sample: Sample
    unnamed: tuple[Mistake, ...]
    wrong: tuple[Mistake, ...]
    """Without the right way to write them."""
    left: tuple[Problem, ...]
    """Errors after `check --fix` and one further round."""
    plan: Plan | None
    """What it has become, if it is clean."""


def score(sample: Sample) -> Score:
    """Check a plan, mend it, obey what is left once, check again."""
    known = specs()
    first, _ = check(sample.text, known)
    mended, remaining = mend(sample.text, known)
    obeyed = obey(mended, remaining)
    # What is no document even then is left as it is.
    left, plan = check(obeyed, known) if isinstance(obeyed, dict) else (remaining, None)
    errors = tuple(each for each in left if each.severity == "error")
    return Score(
        sample=sample,
        unnamed=_unnamed(sample.mistakes, first),
        wrong=tuple(each for each in sample.mistakes if not _is_right(each, first)),
        left=errors,
        plan=None if errors else plan,
    )


def _at(mistake: Mistake, problems: Iterable[Problem]) -> list[Problem]:
    return [each for each in problems if each.place == mistake.place]


def _is_right(mistake: Mistake, problems: Iterable[Problem]) -> bool:
    found = _at(mistake, problems)
    if not mistake.right:
        return bool(found)
    return any(_holds(each, mistake) for each in found)


def _holds(problem: Problem, mistake: Mistake) -> bool:
    fix = _squeezed(problem.fix)
    return any(_squeezed(right) in fix for right in mistake.right)


def _squeezed(text: str) -> str:
    return "".join(text.lower().split())


def _unnamed(mistakes: Sequence[Mistake], problems: Sequence[Problem]) -> tuple[Mistake, ...]:
    used: set[int] = set()
    open_ones: list[Mistake] = []
    for mistake in mistakes:
        holding = [
            each for each in _at(mistake, problems) if mistake.right and _holds(each, mistake)
        ]
        if holding:
            used.add(id(holding[0]))
        else:
            open_ones.append(mistake)
    unnamed: list[Mistake] = []
    for mistake in open_ones:
        free = [each for each in _at(mistake, problems) if id(each) not in used]
        if free:
            used.add(id(free[0]))
        else:
            unnamed.append(mistake)
    return tuple(unnamed)


def table(scores: Sequence[Score]) -> str:
    """The table per habit, the plans kept aside apart."""
    groups: dict[str, list[Score]] = defaultdict(list)
    for each in scores:
        groups[group_of(each.sample)].append(each)
    rows = [
        _row(name, groups[name]) for name in sorted(groups, key=lambda name: (" " in name, name))
    ]
    head = f"{'':12} plans  mistakes  named        right        clean"
    return "\n".join((head, *rows, _row("all", scores)))


def group_of(sample: Sample) -> str:
    """The habit, or that it is kept apart."""
    if sample.second:
        return "second set"
    return "kept aside" if sample.aside else sample.habit


def _row(name: str, scores: Sequence[Score]) -> str:
    mistakes = sum(len(each.sample.mistakes) for each in scores)
    named = mistakes - sum(len(each.unnamed) for each in scores)
    right = mistakes - sum(len(each.wrong) for each in scores)
    clean = sum(not each.left for each in scores)
    return (
        f"{name:12} {len(scores):5}  {mistakes:8}  {named:4} {share(named, mistakes):5.1f} %  "
        f"{right:4} {share(right, mistakes):5.1f} %  {clean:3} {share(clean, len(scores)):5.1f} %"
    )


def share(part: int, whole: int) -> float:
    """In percent."""
    return 100 * part / whole


def main() -> None:
    """Print the table; with `-v`, what is missing in the plans that are not kept aside."""
    scores = [score(each) for each in samples()]
    out = sys.stdout.write
    out(table(scores) + "\n")
    for each in scores if "-v" in sys.argv else ():
        if each.sample.aside and "--aside" not in sys.argv:
            continue
        for mistake in each.unnamed:
            out(f"{each.sample.name} not named: {mistake}\n")
        for mistake in each.wrong:
            if mistake not in each.unnamed:
                out(f"{each.sample.name} not right: {mistake}\n")
        for problem in each.left:
            out(f"{each.sample.name} left: {problem}\n")


if __name__ == "__main__":
    main()
