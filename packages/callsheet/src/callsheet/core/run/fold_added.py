"""How entries change a snapshot that make a run grow: steps, text, and what agents do.

Part of `fold`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.core.ids import StepKey
from callsheet.core.run.folding import remember
from callsheet.core.run.step import StepRun

if TYPE_CHECKING:
    from callsheet.core.run import agents
    from callsheet.core.run import entries as e
    from callsheet.core.run.snapshot import Snapshot


def steps_added(s: Snapshot, entry: e.StepsAdded) -> None:
    """An open run has more steps than before."""
    remember(s, entry.request)
    s.graph.tools.update(entry.tools)
    s.graph.children.update(entry.children)
    added = s.graph.extend(entry.steps, entry.refers)
    if entry.step is not None:
        s.adders.update((planned.id, StepKey(entry.step)) for planned in added)
    steps = [StepRun(planned, StepKey(planned.id), len(planned.needs)) for planned in added]
    s.add(steps)
    for step in steps:
        if not step.unmet:
            s.needs_met(step)


def run_sealed(s: Snapshot, entry: e.RunSealed) -> None:
    """An open run takes no more steps."""
    remember(s, entry.request)
    s.open = False
    s.output = entry.output


def text_emitted(s: Snapshot, entry: e.TextEmitted) -> None:
    """The text itself is kept by the driver; nothing is decided by it."""
    s.texts[StepKey(entry.step)] = entry.offset + len(entry.text)


def agent_chosen(s: Snapshot, entry: agents.AgentChosen) -> None:
    """Who answers in a step."""
    s.chosen[StepKey(entry.step)] = f"{entry.agent} ({entry.model})"


def agent_said(s: Snapshot, entry: agents.AgentSaid) -> None:
    """What was said is kept by the driver; nothing is decided by it."""
    s.said = entry.seq
    s.spoken.add((entry.step, entry.sender, entry.to, entry.content))
