"""One whole story: a plan, its run, and everything that is known about what became of it."""

from __future__ import annotations

import sys
from datetime import timedelta
from typing import TYPE_CHECKING

import msgspec
from msgspec import structs

from callsheet.core.run import entries as e
from callsheet.testing.simulated import BEGIN
from callsheet.testing.simulation.artifacts import SimulatedArtifacts
from callsheet.testing.simulation.disk import SimulatedDisk
from callsheet.testing.simulation.faults import happens, weather
from callsheet.testing.simulation.forking import Forks
from callsheet.testing.simulation.outside import Outside
from callsheet.testing.simulation.people import People

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from random import Random

    from callsheet.core.past.result import Result
    from callsheet.core.plan.plan import Plan, Step
    from callsheet.core.plan.toolspec import ToolSpec
    from callsheet.core.value import Json
    from callsheet.testing.simulation.faults import Faults
    from callsheet.testing.simulation.loop import MortalLoop
    from callsheet.tools.registry import AnyTool

BATCHES = 2
"""How often steps are added to an open run."""


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """What a story is about, before anything is drawn."""

    plan: Plan
    tools: tuple[AnyTool, ...]
    inputs: Mapping[str, Json]
    answers: Callable[[ToolSpec, dict[str, Json]], Json]
    """What a call returns."""
    horizon: float
    """Simulated seconds in which it must end."""


class Story:
    """What happens, and everything that is known about it."""

    def __init__(self, random: Random, faults: Faults, setting: Setting) -> None:
        self.random = random
        self.faults = weather(faults, random)
        self.setting = setting
        self.plan = setting.plan
        """All of it; an open run is started with the first of its steps."""
        self.batches: list[tuple[Step, ...]] = []
        """An open run's further steps, as they are added."""
        self.interfered = False
        """Somebody means to do something to the run that it is about."""
        self.told: list[tuple[float, str | Callable[[], str]]] = []
        self.loop: MortalLoop | None = None
        """Of the process that lives."""
        self.faulty: list[str] = []
        """Mistakes of the engine that it noticed itself."""
        self.hung, self.lives = "", 0
        self.closed: set[int] = set()
        """The lives whose engine was closed, and had done closing when they ended."""
        self.result: Result | None = None
        self.results: dict[str, Result] = {}
        """Of every run that is nobody's step, once it has ended for good."""
        self.roots: list[str] = []
        """Those runs, in the order in which they are known; the first is what it is about."""
        self.afterwards: dict[str, int] = {}
        """How often somebody has wanted an ended run taken back."""
        self.disk = SimulatedDisk(random, self.faults, self.tell)
        self.outside = Outside(random, self.faults, self.disk, setting.answers)
        self.people = People(random, self.faults, self.outside)
        self.forks = Forks(random)
        self.artifacts = SimulatedArtifacts(self.disk, lambda: BEGIN + timedelta(seconds=self.now))
        self.disk.is_kept = self.artifacts.has

    @property
    def now(self) -> float:
        """Simulated seconds."""
        return self.loop.now if self.loop else 0.0

    def tell(self, what: str | Callable[[], str]) -> None:
        """Write down what happens; most stories are read by nobody, so the words may come later."""
        self.told.append((self.now, what))

    @property
    def run(self) -> str:
        """The id of the run that it is about, once somebody was told."""
        return self.roots[0] if self.roots else ""

    def begin(self) -> None:
        """Draw what people will do."""
        self.people.plan_deeds([step.id for step in self.plan.steps])
        if happens(self.random, self.faults.openness):
            self._split()
            self.people.plan_additions(self.batches)
        self.interfered = bool(self.people.deeds)
        self.forks.plan(self.faults)
        if happens(self.random, self.faults.upgrades):
            self.outside.upgraded_in = 2
            self.forks.plan_with_newer_tools()

    def _split(self) -> None:
        steps = list(self.plan.steps)
        while len(steps) > 1 and len(self.batches) < BATCHES:
            cut = self.random.randrange(1, len(steps) + 1)
            self.batches.insert(0, tuple(steps[cut:]))
            steps = steps[:cut]

    @property
    def beginning(self) -> Plan:
        """What the run is started with."""
        if not self.batches:
            return self.plan
        later = sum(map(len, self.batches))
        steps = self.plan.steps[: len(self.plan.steps) - later]
        return structs.replace(self.plan, steps=steps, output=None)

    def family(self, run: str) -> list[str]:
        """A run, and those that are steps of it, and of those."""
        found = [run]
        for other, bodies in self.journals.items():
            started = e.decode(bodies[0])
            if isinstance(started, e.RunStarted) and started.parent:
                found += [other] * (started.parent.run in found)
        return found

    def overhear(self, event: str) -> None:
        """Take what the engine says to operators: a mistake of its own breaks a law."""
        if event == "run.broken":
            self.faulty.append(f"the engine has made a mistake: {sys.exc_info()[1]!r}")
        self.tell(f"log: {event}")

    def kept(self, digest: str) -> bytes:
        """The bytes of an artifact."""
        return self.artifacts.bytes_of(digest)

    @property
    def journals(self) -> dict[str, list[bytes]]:
        """Everything that is on the disk."""
        return self.disk.kept._contents.journals  # noqa: SLF001 -- as it lies there, undecoded
