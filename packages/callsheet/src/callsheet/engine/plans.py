"""Saved plans: kept by name, in versions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.core import given
from callsheet.core.plan.read import read_plan
from callsheet.core.run.start import TENANT
from callsheet.errors import UnknownPlanError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet.agents.drafting.fitting import Fitting
    from callsheet.core.plan.plan import Plan
    from callsheet.core.plan.saved import SavedPlan
    from callsheet.ports import Clock, PlanShelf


class SavedPlans:
    """A tenant's plans by name; every version is kept until the plan is deleted."""

    def __init__(self, shelf: PlanShelf, clock: Clock, tenant: str = TENANT) -> None:
        self._shelf = shelf
        self._clock = clock
        self._tenant = tenant

    async def save(self, plan: Plan, *, key: str | None = None) -> SavedPlan:
        """Save a plan under its name, as a new version if its content is new.

        The same `key` is the same save, also if the plan was saved with other content since.

        Raises:
            KeyReusedError: another plan was saved with the key.
        """
        return await self._shelf.save(
            read_plan(plan), self._clock.now(), key=key, tenant=self._tenant
        )

    async def get(self, name: str, version: int | None = None) -> SavedPlan:
        """A version, or the newest.

        Raises:
            UnknownPlanError: there is no such plan or version.
        """
        name, version = given.sought("name", name), given.whole_or_none("version", version, least=1)
        found = await self._shelf.get(name, version, tenant=self._tenant)
        if found is None:
            which = f"version {version} of plan {name!r}" if version else f"saved plan {name!r}"
            raise UnknownPlanError(f"There is no {which}. `callsheet plan list` lists them.")
        return found

    async def list(self) -> Sequence[SavedPlan]:
        """The newest version of each."""
        return await self._shelf.list(tenant=self._tenant)

    async def fitting(self, goal: str) -> Sequence[Fitting]:
        """Saved plans, and those that apps ship, by how well their words fit a goal, best first.

        Asks no model. At most the first is `clear`; a saved plan stands before one that an app
        ships under the same name.
        """
        # Imported here: who has a model, or a plan, needs none of it.
        from callsheet.agents.drafting.fitting import fitting
        from callsheet.agents.drafting.shipped import shipped_plans

        plans = {plan.name: plan for plan in shipped_plans()}
        plans |= {saved.name: saved.plan for saved in await self.list()}
        return fitting(given.text("goal", goal), plans.values())

    async def versions(self, name: str) -> Sequence[SavedPlan]:
        """All versions of one, oldest first."""
        return await self._shelf.versions(given.sought("name", name), tenant=self._tenant)

    async def delete(self, name: str) -> None:
        """Remove a plan with all its versions.

        Raises:
            UnknownPlanError: there is no such plan.
            RequestRefusedError: an open run is of one of its versions.
        """
        if not await self._shelf.delete(given.sought("name", name), tenant=self._tenant):
            raise UnknownPlanError(f"There is no saved plan {name!r}.")
