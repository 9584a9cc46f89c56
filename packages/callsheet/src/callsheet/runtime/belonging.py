"""Whose artifacts are: the calls of a tenant are given, and give, what is its own.

A digest is a name that anybody can write down. What a run was started with, what its plan names and
what its calls have stored is its tenant's; a reference that was put together from text is not. The
tenant `default` is whoever runs the engine, and may name everything.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from callsheet.core import value
from callsheet.core.plan.artifact import MARK, artifacts_in
from callsheet.core.run.start import TENANT
from callsheet.errors import InvalidError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from callsheet.core.past.outputs import Outputs
    from callsheet.core.run.graph import Graph
    from callsheet.core.value import Json
    from callsheet.ports import Lineage

_NAMED = re.compile(rb'"' + re.escape(MARK).encode() + rb'"\s*:\s*"([0-9a-f]{64})"')


def digests_named(text: bytes) -> set[str]:
    """The artifacts that stand in a JSON document."""
    return {found.decode() for found in _NAMED.findall(text)}


class Belongings:
    """The artifacts that the calls of one run may be given."""

    def __init__(self, graph: Graph, outputs: Outputs) -> None:
        self._graph = graph
        self._outputs = outputs
        self._met: set[str] = set()

    def check(self, consumed: Iterable[str]) -> None:
        """See that nobody has made a reference out of text.

        Raises:
            InvalidError: one of them has nowhere come from.
        """
        if self._outputs.tenant == TENANT:
            return
        strange = set(consumed) - self._met
        if strange:
            self._met |= self._come_by(strange)
        for digest in sorted(strange - self._met):
            raise InvalidError(f"There is no artifact {digest}.")

    def _come_by(self, strange: set[str]) -> set[str]:
        """Those of them that the run has come by: with its plan, its inputs, or an output."""
        plans = [self._graph.plan, *self._graph.children.values()]
        added = [each.step for each in self._graph.steps.values()]
        first = value.encode([plans, added, self._outputs.inputs])
        found = strange & digests_named(first)
        for raw in self._outputs.raw.values():
            if found == strange:
                break
            found |= strange & digests_named(bytes(raw))
        return found


async def must_be_own(lineage: Lineage, tenant: str, output: Json, given: Collection[str]) -> None:
    """See that a call gives its tenant nothing that is another's; `given` is what it may name.

    Raises:
        ValueError: its output names an artifact that is not there for the tenant. Deliberately no
            `ToolError`: what the call was to do has been done.
    """
    for artifact in artifacts_in(output):
        digest = artifact.digest
        if digest not in given and not await lineage.of_tenant(tenant, begins=digest):
            raise ValueError(f"The output names an artifact that is not there: {digest}.")
