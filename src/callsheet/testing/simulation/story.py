"""One whole story: a plan, its run, everything that goes wrong with it, and its end."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

import structlog
from msgspec import structs

from callsheet.stores.blobs import open_artifacts
from callsheet.testing.simulated import BEGIN
from callsheet.testing.simulation.disk import SimulatedDisk
from callsheet.testing.simulation.faults import happens, weather
from callsheet.testing.simulation.life import Life
from callsheet.testing.simulation.loop import HungError
from callsheet.testing.simulation.outside import Outside
from callsheet.testing.simulation.people import People

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, MutableMapping
    from random import Random
    from typing import Any

    from callsheet.core.entries import AnyEntry
    from callsheet.core.plan import Plan, Step
    from callsheet.core.toolspec import ToolSpec
    from callsheet.core.value import Json
    from callsheet.runtime.result import Result
    from callsheet.testing.simulation.faults import Faults
    from callsheet.tools.registry import AnyTool

BATCHES = 2
"""How often steps are added to an open run."""
LIVES = 4
"""Processes of one story, at most."""
SHORT, LONG = 60, 600
"""A process that dies does so within so many callbacks: early, or at any time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
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
        self.told: list[tuple[float, str]] = []
        self.faulty: list[str] = []
        """Mistakes of the engine that it noticed itself."""
        self.hung = ""
        self.lives = 0
        self.run = ""
        """Its id, once somebody was told."""
        self.result: Result | None = None
        self.afterwards = 2
        """How often somebody may still want an ended run taken back."""
        self.disk = SimulatedDisk(random, self.faults, self.tell)
        self.outside = Outside(random, self.faults, self.disk, setting.answers)
        self.people = People(random, self.faults, self.outside)
        self.artifacts = open_artifacts(None, now=lambda: BEGIN + timedelta(seconds=self.now))
        self._life: Life | None = None

    @property
    def now(self) -> float:
        """Simulated seconds."""
        return self._life.loop.now if self._life else 0.0

    def tell(self, what: str) -> None:
        """Write down what happens, for whoever reads the story."""
        self.told.append((self.now, what))

    def happen(self) -> None:
        """Let it happen, process after process."""
        self.people.plan_deeds([step.id for step in self.plan.steps])
        if happens(self.random, self.faults.openness):
            self._split()
            self.people.plan_additions(self.batches)
        with hushed(self._overhear):
            while self.result is None and not self.hung:
                self._live()
            self.disk.lose_power()

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

    def _live(self) -> None:
        self.lives += 1
        life = self._life = Life(self, self.now, self._death())
        try:
            self.result = life.live()
        except HungError as exc:
            self.hung = str(exc)
        self.faulty += life.loop.complaints
        if self.result is None and not self.hung:
            self.tell("the process dies")
            self.disk.lose_power()
            self.outside.crash()

    def _death(self) -> int | None:
        if self.lives >= LIVES or not happens(self.random, self.faults.crashes):
            return None
        return self.random.randrange(1, SHORT if happens(self.random, 0.3) else LONG)

    def _overhear(self, event: str) -> None:
        if event == "run.broken":
            self.faulty.append(f"the engine has made a mistake: {sys.exc_info()[1]!r}")
        self.tell(f"log: {event}")

    @property
    def journals(self) -> dict[str, list[bytes]]:
        """Everything that is on the disk."""
        return self.disk.kept._contents.journals  # noqa: SLF001 -- as it lies there, undecoded

    def entries(self, decode: Callable[[bytes], AnyEntry]) -> list[AnyEntry]:
        """The journal of the run."""
        return [decode(body) for journal in self.journals.values() for body in journal]


@contextmanager
def hushed(hear: Callable[[str], None]) -> Iterator[None]:
    """Say nothing to the operators of this process: what is logged belongs to the story."""

    def take(_logger: object, _method: str, event: MutableMapping[str, Any]) -> str:
        hear(str(event["event"]))
        raise structlog.DropEvent

    before = structlog.get_config() if structlog.is_configured() else None
    structlog.configure(processors=[take])
    try:
        yield
    finally:
        structlog.reset_defaults()
        if before is not None:
            structlog.configure(**before)
