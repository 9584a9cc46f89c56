"""How a story is told: process after process, until the run has ended for good."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import structlog

from callsheet.testing.simulation.faults import happens
from callsheet.testing.simulation.life import Life
from callsheet.testing.simulation.loop import HungError
from callsheet.testing.simulation.story import Setting, Story

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, MutableMapping
    from random import Random

    from callsheet.testing.simulation.faults import Faults

LIVES = 4
"""Processes of one story, at most."""
SOON = 5.0
"""Seconds within which a process that is told to end is told."""
SHORT, LONG = 60, 600
"""A process that dies does so within so many callbacks: early, or at any time."""


def tell(random: Random, faults: Faults, setting: Setting) -> Story:
    """Let a story happen, from its beginning to its end."""
    story = Story(random, faults, setting)
    story.begin()
    with hushed(story.overhear):
        while story.result is None and not story.hung:
            _live(story)
        story.disk.lose_power()
    return story


def _live(story: Story) -> None:
    story.lives += 1
    life = Life(story, _death(story), _closing(story))
    try:
        story.result = life.live()
    except HungError as exc:
        story.hung = str(exc)
    story.faulty += life.loop.complaints
    if story.result is None and not story.hung:
        story.tell("the process ends" if story.lives in story.closed else "the process dies")
        story.disk.lose_power()
        story.outside.crash()


def _death(story: Story) -> int | None:
    """After how many callbacks this process dies; None: it does not."""
    random = story.random
    # Newer tools come with another process.
    chance = 1.0 if story.outside.upgraded_in > story.lives else story.faults.crashes
    if story.lives >= LIVES or not happens(random, chance):
        return None
    return random.randrange(1, SHORT if happens(random, 0.3) else LONG)


def _closing(story: Story) -> float | None:
    """After how many seconds this process is told to end; None: it is not."""
    random = story.random
    if story.lives >= LIVES or not happens(random, story.faults.closings):
        return None
    # Often at the very beginning, when nothing that was written down has begun.
    return 0.0 if happens(random, 0.2) else round(random.random() ** 2 * SOON, 3)


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
