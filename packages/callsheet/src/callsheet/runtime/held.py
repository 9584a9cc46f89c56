"""The tools of a run that came in by a door: those that were offered there, whoever drives it.

A process that goes on with it may have more: other tools, another directory, other addresses. What
is added to the run does not get at them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec import structs

from callsheet.core.grants import Grants
from callsheet.core.run.entries import RunStarted
from callsheet.ports import Toolbox
from callsheet.runtime.permitted import PermittedTools

if TYPE_CHECKING:
    from callsheet.core.run.entries import AnyEntry
    from callsheet.core.run.provisions import Offered, Provisions
    from callsheet.ports import Provisioner


def offered_to(started: AnyEntry) -> Offered | None:
    """What was offered where a run came in; None: it came in by no door."""
    recorded = started.provisions if isinstance(started, RunStarted) else None
    return recorded.offered if recorded is not None else None


def passed_on(started: AnyEntry) -> Provisions | None:
    """What is recorded with the runs that are steps of a run: that they are held to the same."""
    if offered_to(started) is None or not isinstance(started, RunStarted):
        return None
    recorded = started.provisions
    return None if recorded is None else structs.replace(recorded, sources=(), secrets=())


class Reach(msgspec.Struct, frozen=True):
    """What the calls of a run may use."""

    tools: Toolbox
    secrets: tuple[str, ...] | None = None
    """None: all that are granted."""


def reach_of(
    started: AnyEntry, tools: Toolbox, provisioner: Provisioner | None, tenant: str
) -> Reach:
    """These tools, as far as they were offered to a run, and reach what they reached there."""
    offered = offered_to(started)
    if offered is None or not isinstance(started, RunStarted) or started.provisions is None:
        return Reach(tools)
    there = started.provisions
    names = tuple(name for name in offered.tools if _reaches_as(name, there, provisioner))
    # What the plan itself calls was accepted; a tool that takes something back is there with it.
    own = Grants(tools={tenant: (*names, *started.tools)})
    return Reach(PermittedTools(tools, own, tenant), offered.secrets)


def _reaches_as(name: str, there: Provisions, provisioner: Provisioner | None) -> bool:
    if provisioner is None:
        return True
    here = provisioner.provisions((name,), ())
    return (
        here.files in ("", there.files)
        and here.private in ((), there.private)
        and (there.shell or not here.shell)
    )
