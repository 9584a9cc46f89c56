"""Runs and the runs that are steps of them: how many go on at once, and how many there are in all.

Each `for_each` is bounded and so is nesting, but their product is not: half a kilobyte of plan can
ask for a million runs. Who is turned away waits, holding nothing. A run waits for its children, so
those deeper down must never wait for those above: of the places, some are kept for every level
below.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.core.plan.plan import DEFAULT_CONCURRENCY
from callsheet.core.plan.subplan import MAX_NESTED
from callsheet.errors import DeniedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet.core.ids import RunId
    from callsheet.core.plan.plan import Plan
    from callsheet.core.run.outcome import End
    from callsheet.ports import Clock

LIVE = 1_000
"""Children, and theirs, of one run that go on at once; more wait."""
IN_ALL = 100_000
"""Those that it may have in all; more are denied."""
OF_TENANT = 10_000
"""Children of all runs of one tenant that go on at once."""
KEPT = 8
"""Places that are kept for each level below."""
AT_ONCE = 20
"""Children that are made in one turn of the event loop, which others need, too."""


class Family:
    """A run that nobody else's step is, and all that are steps of it."""

    __slots__ = ("calls", "live", "most_calls", "total", "waiting")

    def __init__(self, plan: Plan) -> None:
        self.live = 0
        self.total = 0
        self.calls = 0
        # What is not said holds for each run alone.
        said = plan.concurrency != DEFAULT_CONCURRENCY
        self.most_calls = plan.concurrency if said else None
        self.waiting: dict[Member, None] = {}
        """Those that wait for a call of another to end."""


class Member:
    """One run of a family."""

    __slots__ = ("depth", "family", "nudge", "run", "tenant")

    def __init__(
        self, run: RunId, family: Family, depth: int, tenant: str, nudge: Callable[[], None]
    ) -> None:
        self.run = run
        self.family = family
        self.depth = depth
        self.tenant = tenant
        self.nudge = nudge


class ChildPlace:
    """The place of a child that goes on. Whoever has it gives it back, once."""

    __slots__ = ("_families", "_member")

    def __init__(self, families: Families, member: Member) -> None:
        self._families = families
        self._member = member

    def drop(self) -> None:
        """Its parent is no longer driven here."""
        self._families.child_ended(self._member)

    withdraw = drop

    def end(self, _end: End) -> None:
        """It has ended."""
        self.drop()


class Families:
    """All families that are driven here."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._members: dict[RunId, Member] = {}
        self._of_tenant: dict[str, int] = {}
        self._made = 0
        """Children, since the loop has last turned."""
        self._waiting: dict[int, dict[Member, None]] = {}
        """Those that wait to make children, by depth."""
        self._due = False

    def join(
        self, run: RunId, parent: RunId | None, plan: Plan, tenant: str, nudge: Callable[[], None]
    ) -> Member:
        """A run is driven here; one whose parent is not is the first of its family."""
        around = self._members.get(parent) if parent is not None else None
        family, depth = (around.family, around.depth + 1) if around else (Family(plan), 0)
        member = self._members[run] = Member(run, family, depth, tenant, nudge)
        return member

    def leave(self, member: Member) -> None:
        """A run is no longer driven here."""
        if self._members.get(member.run) is member:
            del self._members[member.run]
        member.family.waiting.pop(member, None)
        self._waiting.get(member.depth, {}).pop(member, None)

    # Children

    def admit_child(self, member: Member) -> ChildPlace | None:
        """Let a run have another child; None: not now, and it is nudged.

        Raises:
            DeniedError: its family has had too many.
        """
        family = member.family
        if family.total >= IN_ALL:
            raise DeniedError(
                f"A run may start {IN_ALL:,} sub-plans in all, with those that they start; this "
                "one has. Do more of the work in fewer steps."
            )
        if self._made >= AT_ONCE or not self._has_room(member):
            self._waiting.setdefault(member.depth, {})[member] = None
            return None
        self._turn()
        self._made += 1
        return self.take_child(member)

    def take_child(self, member: Member) -> ChildPlace:
        """A run has a child, whether there is room or not: it was there before."""
        family = member.family
        family.live += 1
        family.total += 1
        self._of_tenant[member.tenant] = self._of_tenant.get(member.tenant, 0) + 1
        return ChildPlace(self, member)

    def child_ended(self, member: Member) -> None:
        """A child goes on no more."""
        member.family.live -= 1
        self._of_tenant[member.tenant] -= 1
        if not self._of_tenant[member.tenant]:
            del self._of_tenant[member.tenant]
        if self._waiting:
            self._turn()

    def _has_room(self, member: Member) -> bool:
        kept = KEPT * max(0, MAX_NESTED - member.depth - 1)
        others = self._of_tenant.get(member.tenant, 0)
        return member.family.live < LIVE - kept and others < OF_TENANT - kept

    def _turn(self) -> None:
        """Look, when the loop has turned, who can go on."""
        if not self._due:
            self._due = True
            self._clock.call_later(0, self._turned)

    def _turned(self) -> None:
        self._due = False
        self._made = 0
        # The deepest first: the others wait for them. One a turn: each may make many.
        for depth in sorted(self._waiting, reverse=True):
            waiting = self._waiting[depth]
            member = next((each for each in waiting if self._has_room(each)), None)
            if member is not None:
                del waiting[member]
                member.nudge()
                self._turn()
            if not waiting:
                del self._waiting[depth]
            if member is not None:
                return

    # Calls

    def admit_call(self, member: Member) -> bool:
        """Let a run make a call, if its family makes fewer than it may; else it is nudged."""
        family = member.family
        if family.most_calls is None:
            return True
        if family.calls >= family.most_calls:
            family.waiting[member] = None
            return False
        family.calls += 1
        return True

    def call_ended(self, member: Member) -> None:
        """A call that was let through has ended, or was not made."""
        family = member.family
        if family.most_calls is None:
            return
        family.calls -= 1
        if family.waiting:
            self._clock.call_later(0, lambda: self._offer(family))

    def _offer(self, family: Family) -> None:
        """Nudge one after the other until somebody has taken the place: not all of them ask."""
        if family.most_calls is not None and family.calls < family.most_calls and family.waiting:
            member = next(iter(family.waiting))
            del family.waiting[member]
            member.nudge()
            self._clock.call_later(0, lambda: self._offer(family))
