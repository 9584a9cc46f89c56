"""Ours and a peer in turns, on the same work: ours here, the peer in its program."""

from __future__ import annotations

import asyncio
import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bench import machine
from bench import ours as o
from bench.peers.environments import Environments, NotMeasuredError
from bench.peers.talk import running
from bench.peers.traced import syncs_per_step
from bench.sampling import Series

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from pathlib import Path

    from bench.peers.catalog import Variant
    from bench.peers.talk import Talk
    from bench.work import Sizes
    from callsheet import Plan

SAMPLES = 5
TOTAL_SECONDS = 165.0
"""For all of them, installations apart: what does not fit in is not measured, and that is said."""
CASE_SECONDS = 8.0
"""When a case has taken so long, no further sample of it is begun."""


@dataclass(frozen=True, slots=True)
class Case:
    """Work that both do."""

    name: str
    heading: str
    args: Callable[[Sizes], tuple[float, ...]]
    plan: Callable[[Sizes], Plan]
    steps: Callable[[Sizes], int] | None = None
    """None: it is a time, not a rate."""
    samples: Callable[[Sizes], int] = lambda sizes: min(sizes.samples, SAMPLES)


CASES = (
    Case("chain", "chain", lambda s: (s.chain,), lambda s: o.chain(s.chain), lambda s: s.chain),
    Case("fan", "fan-out", lambda s: (s.fan,), lambda s: o.fan(s.fan), lambda s: s.fan + 2),
    Case(
        "many",
        "many runs",
        lambda s: (s.runs, s.run_length),
        lambda s: o.chain(s.run_length, name="many"),
        lambda s: s.runs * s.run_length,
    ),
    Case(
        "start",
        "start to first tool",
        lambda _: (),
        lambda _: o.chain(1, name="known", tool="mark"),
        samples=lambda s: min(s.starts, 20),
    ),
    Case(
        "sleep",
        "sleepers at once",
        lambda s: (s.sleepers, s.pause),
        lambda s: o.at_once(s.sleepers, "rest", seconds=s.pause),
    ),
)


@dataclass(frozen=True, slots=True)
class Duel:
    """One case, by both."""

    case: Case
    steps: int | None
    ours: Series
    theirs: Series

    @property
    def lead(self) -> float:
        """How many times as fast as theirs ours is; below 1, ours is slower."""
        return self.theirs.times(self.ours).median


@dataclass(slots=True)
class Contest:
    """What came of measuring a variant."""

    variant: Variant
    duels: dict[str, Duel] = field(default_factory=dict)
    settings: str = ""
    versions: dict[str, str] = field(default_factory=dict)
    failure: str = ""
    """Why there are no further duels, if so."""
    syncs: float | None = None
    """Per step of a chain, where they could be counted."""
    load: float = 0.0


class Allowance:
    """The time there is, shared out: whoever is quick leaves more to those who come after."""

    def __init__(self, seconds: float, sharers: int) -> None:
        self._end = time.monotonic() + seconds
        self._sharers = sharers
        self.case_seconds = 0.0

    def next(self) -> None:
        """The next one has its turn."""
        share = self.left / max(self._sharers, 1)
        self._sharers -= 1
        self.case_seconds = min(CASE_SECONDS, share / len(CASES))

    def pause(self, seconds: float) -> None:
        """What has passed does not count."""
        self._end += seconds

    @property
    def left(self) -> float:
        return max(self._end - time.monotonic(), 0.0)


def contests(
    variants: Sequence[Variant],
    sizes: Sizes,
    scratch: Path,
    environments: Environments,
    seconds: float = TOTAL_SECONDS,
) -> list[Contest]:
    """Measure each. Whatever is the matter with one is its line, and the next one has its turn."""
    found = []
    allowance = Allowance(seconds, len(variants))
    for variant in variants:
        print(f"{variant.title} …", file=sys.stderr, flush=True)
        contest = Contest(variant)
        load = machine.Load()
        try:
            began = time.monotonic()
            python = environments.python(variant.peer)
            allowance.pause(time.monotonic() - began)
            allowance.next()
            place = scratch / variant.slug
            place.mkdir(parents=True)
            command = [str(python), "-m", variant.program, str(place), *variant.arguments]
            asyncio.run(_measure(contest, command, sizes, place, allowance))
        except NotMeasuredError as error:
            contest.failure = str(error)
        contest.load = load.others() or 0.0
        found.append(contest)
    return found


async def _measure(
    contest: Contest, command: list[str], sizes: Sizes, scratch: Path, allowance: Allowance
) -> None:
    async with o.ours(scratch / "home") as ours:
        with running(command, scratch) as talk:
            ready = await talk.ready(patience=allowance.left)
            contest.settings, contest.versions = ready["settings"], ready["versions"]
            for case in CASES:
                contest.duels[case.name] = await _duel(case, ours, talk, sizes, allowance)
            contest.syncs = await syncs_per_step(talk, scratch, allowance.left)


async def _duel(case: Case, ours: o.Ours, talk: Talk, sizes: Sizes, allowance: Allowance) -> Duel:
    plan, args, wanted = case.plan(sizes), case.args(sizes), case.samples(sizes) + 1
    work = _work(case, ours, plan, sizes)
    mine: list[tuple[float, float]] = []
    theirs: list[tuple[float, float]] = []
    began = time.perf_counter()
    while not mine or (len(mine) < wanted and time.perf_counter() - began < allowance.case_seconds):
        since, cpu = time.perf_counter(), time.process_time()
        said = await work()
        took = said if isinstance(said, float) else time.perf_counter() - since
        mine.append((took, time.process_time() - cpu))
        theirs.append(await talk.ask(case.name, *args, patience=allowance.left))
    return Duel(case, case.steps(sizes) if case.steps else None, _series(mine), _series(theirs))


def _series(samples: Sequence[tuple[float, float]]) -> Series:
    """The samples without the first, which warmed up, unless there are too few to be choosy."""
    seconds, cpu = zip(*(samples[1:] if len(samples) > 2 else samples), strict=True)
    return Series(seconds, cpu)


def _work(case: Case, ours: o.Ours, plan: Plan, sizes: Sizes) -> Callable[[], Awaitable[Any]]:
    if case.name == "many":
        return lambda: ours.many(plan, sizes.runs)
    if case.name == "start":
        return lambda: ours.start(plan)
    return lambda: ours.run(plan)
