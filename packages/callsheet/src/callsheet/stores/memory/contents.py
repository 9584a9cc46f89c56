"""All that a store in memory keeps, in the form in which it is backed up."""

from __future__ import annotations

from datetime import datetime

import msgspec

from callsheet.core.index.ledger import Line, Reservation, Standing
from callsheet.core.run.start import TENANT
from callsheet.stores import refusals


class PlanVersion(msgspec.Struct):
    """A version of a saved plan."""

    digest: str
    body: str
    saved_at: datetime


class ContextVersion(msgspec.Struct, frozen=True):
    """A version of a context item; its value is JSON, so that nobody can change it."""

    scope: str
    name: str
    version: int
    body: bytes
    saved_at: datetime
    expires_at: datetime | None
    key: str
    tenant: str = TENANT


class Contents(msgspec.Struct):
    """All there is. What follows from the journals is not in it."""

    journals: dict[str, list[bytes]] = {}
    order: list[tuple[str, int]] = []
    """Every entry ever appended: its run, and its place in the run's journal."""
    requests: dict[str, str] = {}
    settled: dict[str, str] = {}
    plans: dict[str, list[PlanVersion]] = {}
    """Of the tenant `default`, by name."""
    shelves: dict[str, dict[str, list[PlanVersion]]] = {}
    """Of the others, by tenant and name."""
    uploads: dict[str, dict[str, datetime]] = {}
    """What tenants have put, and when: by tenant and digest."""
    accounts: dict[str, Standing] = {}
    lines: list[Line] = []
    reservations: dict[str, Reservation] = {}
    context: list[ContextVersion] = []
    writes: dict[str, tuple[str, str]] = {}
    """By scope and key: what was written, and what came of it."""
    closed: bool = False

    def shelf(self, tenant: str) -> dict[str, list[PlanVersion]]:
        """The saved plans of a tenant, by name."""
        return self.plans if tenant == TENANT else self.shelves.setdefault(tenant, {})

    def is_waiting(self, request: str) -> bool:
        """Whether a request is there that nobody has dealt with."""
        return request in self.requests and request not in self.settled

    def writable(self) -> None:
        """Refuse what comes after the close."""
        if self.closed:
            raise refusals.closed()
