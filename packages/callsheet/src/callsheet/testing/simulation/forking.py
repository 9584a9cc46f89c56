"""Once more: somebody wants a run again, from a step on, as it is then, or from the beginning."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Protocol

from callsheet.core.run import entries as e
from callsheet.errors import CallsheetError, InputError
from callsheet.testing.simulation.faults import happens
from callsheet.testing.simulation.people import Door

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

    from callsheet.core.plan.plan import Plan, Step
    from callsheet.core.value import Json
    from callsheet.testing.simulation.faults import Faults

AGAIN = 0.3
"""Seconds after which somebody who was not heard tries again."""
SPAN = 12.0
"""Runs are forked while they go on, and after they have ended."""
TENANTS = ("default", "default", "other")
MORE = 70
"""What a fork may want added to the numbers among the arguments."""


class Host(Door, Protocol):
    """A process in which runs can be made of others."""

    @property
    def journals(self) -> dict[str, list[bytes]]:
        """Everything that is on the disk."""
        ...

    @property
    def request(self) -> tuple[Plan, Mapping[str, Json]]:
        """What the story is about: the plan, and its inputs."""
        ...

    def take_on(self, run: str) -> None:
        """Look after another run."""
        ...


@dataclass(slots=True, eq=False)
class Fork:
    """A fork that somebody wants, until it is there."""

    at: float
    key: str
    source: str = ""
    step: str = ""
    args: dict[str, Json] | None = None
    seen: list[int] = field(default_factory=list)
    """How long the source's journal was, each time it was asked for."""
    done: bool = False


@dataclass(slots=True, eq=False)
class Repeat:
    """Another run of the same plan, until it is there."""

    at: float
    tenant: str
    key: str = "repeat"
    done: bool = False


@dataclass(eq=False)
class Forks:
    """The other runs of a story. Whoever wants one goes on wanting it when the process dies."""

    random: Random
    wanted: list[Fork] = field(default_factory=list)
    repeats: list[Repeat] = field(default_factory=list)

    def plan(self, faults: Faults) -> None:
        """Draw when runs are forked, and whether it is all done once more."""
        if happens(self.random, faults.repeats):
            tenant = self.random.choice(TENANTS)
            self.repeats.append(Repeat(round(self.random.random() * SPAN, 3), tenant))
        if happens(self.random, faults.forks):
            self.wanted += [
                Fork(round(self.random.random() * SPAN, 3), f"fork-{number}")
                for number in range(self.random.choice((1, 1, 2)))
            ]

    def plan_with_newer_tools(self) -> None:
        """Whoever has newer tools wants to see what they make of it."""
        self.repeats.append(Repeat(SPAN, "default", key="newer"))

    @property
    def busy(self) -> bool:
        """Whether somebody still waits for one."""
        wanted: list[Fork | Repeat] = [*self.wanted, *self.repeats]
        return any(not each.done for each in wanted)

    def act(self, life: Host) -> None:
        """Have made what is not there yet, each at its time."""
        for fork in self.wanted:
            if not fork.done:
                life.later(fork.at - life.loop.now, partial(self._make, life, fork))
        for repeat in self.repeats:
            if not repeat.done:
                life.later(repeat.at - life.loop.now, partial(self._repeat, life, repeat))

    async def _repeat(self, life: Host, repeat: Repeat) -> None:
        life.tell(f"ann: the same again, for {repeat.tenant}")
        while not repeat.done:
            try:
                run = await life.engine.start(*life.request, key=repeat.key, tenant=repeat.tenant)
            except CallsheetError:
                await life.clock.sleep(AGAIN)
            else:
                life.take_on(run.id)
                repeat.done = True

    async def _make(self, life: Host, fork: Fork) -> None:
        if not fork.source:
            self._choose(life, fork)
        life.tell(f"ann: fork {fork.source} at {fork.step} {fork.args or ''}".rstrip())
        while True:
            fork.seen.append(len(life.journals[fork.source]))
            try:
                run = await life.engine.fork(
                    fork.source, fork.step, fork.args, key=fork.key, repeat_writes=True
                )
            except InputError as exc:
                life.tell(f"ann: the fork is refused: {exc.message}")
                break
            except CallsheetError:
                await life.clock.sleep(AGAIN)
            else:
                life.take_on(run.id)
                break
        fork.done = True

    def _choose(self, life: Host, fork: Fork) -> None:
        """Any run that there is, at any step that it has; the arguments are not always the same."""
        run = self.random.choice(sorted(life.journals))
        steps: dict[str, Step | None] = {}
        for body in life.journals[run]:
            entry = e.decode(body)
            if isinstance(entry, e.RunStarted):
                steps |= {step.id: step for step in entry.plan.steps}
            elif isinstance(entry, e.StepsAdded):
                steps |= {step.id: step for step in entry.steps}
            elif isinstance(entry, e.StepExpanded) and entry.count:
                steps[f"{entry.step}[{self.random.randrange(entry.count)}]"] = None
        fork.source, fork.step = run, self.random.choice(list(steps))
        step = steps[fork.step]
        if step is not None and happens(self.random, 0.4):
            numbers = {name: n for name, n in step.args.items() if type(n) is int}
            fork.args = {name: n + MORE for name, n in numbers.items()} or None
