"""Before anything is ordered: whether it can be, what it costs, and what will be missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from callsheet_studio.model.base import Data
from callsheet_studio.providers.catalogue import EXTRA, is_callable, service, service_of, services
from callsheet_studio.solve.fitting import on_the_day
from callsheet_studio.solve.terms import Terms

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from callsheet_studio.model.stack import Stack
    from callsheet_studio.providers.catalogue import Service
    from callsheet_studio.providers.orders import Orders, Want

State = Literal["passed", "degraded", "blocked"]


class Preflight(Data):
    """What was found."""

    blocked: tuple[str, ...]
    """Why it cannot begin."""
    degraded: tuple[str, ...]
    """What will be less than planned: it needs a yes."""
    notes: tuple[str, ...]
    least: float
    """USD, if all is right at once."""
    worst: float

    @property
    def state(self) -> State:
        """What it comes to."""
        if self.blocked:
            return "blocked"
        return "degraded" if self.degraded else "passed"

    def lines(self) -> Iterator[str]:
        """For people."""
        costs = f"${self.least:.2f} if every clip is right at once, ${self.worst:.2f} at worst"
        yield f"preflight {self.state}: {costs}"
        for mark, texts in (("✗", self.blocked), ("!", self.degraded), ("·", self.notes)):
            yield from (f"  {mark} {text}" for text in texts)


def preflight(
    orders: Orders, stack: Stack, today: date, max_cost: float, voices: Sequence[Want] = ()
) -> Preflight:
    """Look at all that is to be ordered.

    Args:
        orders: what is ordered for shots, without what is there already.
        stack: what there is on the day.
        today: the day.
        max_cost: USD that may be spent.
        voices: the lines that a provider speaks.
    """
    wants = [want for each in orders.shots for want in each.wants]
    wants += [each for each in voices if not each.kept]
    worst = round(sum(each.worst for each in wants), 6)
    blocked = [*_against(orders), *(_missing_of(wants)), *_gone_of(wants, stack, today)]
    return Preflight(
        blocked=tuple(dict.fromkeys((*blocked, *_too_dear(worst, max_cost)))),
        degraded=tuple(
            f"{each.shot} is drawn: {each.why}" for each in orders.drawn if not each.planned
        ),
        notes=(*_notes(orders), *_spoken(voices)),
        least=round(sum(each.usd for each in wants), 6),
        worst=worst,
    )


def _against(orders: Orders) -> Iterator[str]:
    if not orders.shots:
        yield "no shot of this plan can be ordered, so there is nothing to produce"


def _too_dear(worst: float, max_cost: float) -> Iterator[str]:
    if worst > max_cost:
        yield (
            f"at worst it costs ${worst:.2f}, and ${max_cost:.2f} may be spent: all of it "
            f"is set aside before the first order. Allow --max-cost {worst:.2f}"
        )


def _missing_of(wants: Sequence[Want]) -> Iterator[str]:
    for each in wants:
        yield from _missing(service(each.service))


def _gone_of(wants: Sequence[Want], stack: Stack, today: date) -> Iterator[str]:
    for each in wants:
        yield from _gone(each, stack, today)


def _missing(found: Service) -> Iterator[str]:
    if not found.has_key:
        yield f"{found.offered_as[0]} has no key: set {found.variable}"
    if not found.is_installed:
        yield f"{found.offered_as[0]} needs a package that is not there: {EXTRA}"


def _gone(want: Want, stack: Stack, today: date) -> Iterator[str]:
    for tool in stack.tools:
        for offer in tool.offers:
            if offer.id == want.offer:
                why = on_the_day(tool, offer, today, Terms())
                yield from [f"{offer.id} {why}"] if why else []
                return
    yield f"{want.offer} is not in the tool stack any more"


def _notes(orders: Orders) -> Iterator[str]:
    kept = [each.shot for each in orders.shots if each.clip.kept]
    if kept:
        yield f"{', '.join(kept)}: bought before, and used again"
    begun = [each.shot for each in orders.shots if each.drawn and each.wants]
    if begun:
        yield f"{', '.join(begun)}: the clip begins with the drawn frame of the storyboard"
    yield from (f"{each.shot} is drawn: {each.why}" for each in orders.drawn if each.planned)
    for each in orders.shots:
        for want in each.wants:
            what = f"{want.what.seconds:g} s" if want.what.kind == "clip" else "still"
            yield f"{each.shot}: {what} of {want.offer}, ${want.usd:.2f} a time"


def _spoken(voices: Sequence[Want]) -> Iterator[str]:
    new = [each for each in voices if not each.kept]
    if voices:
        who = f"{voices[0].what.voice} of {voices[0].offer}"
        cost = f"${sum(each.usd for each in new):.2f}"
        many = "1 line" if len(voices) == 1 else f"{len(voices)} lines"
        yield f"{many} spoken by {who}, {len(new)} of them new: {cost}"


def usable(stack: Stack) -> tuple[Service, ...]:
    """The services that offer anything in a stack that can be ordered."""
    offering = {
        found.name
        for tool in stack.tools
        for offer in tool.offers
        if is_callable(tool, offer) and (found := service_of(offer))
    }
    return tuple(each for each in services() if each.name in offering)


def how_to_enable(stack: Stack) -> str:
    """Which variable enables which provider."""
    lines = [f"  {each.variable:<36} {each.offered_as[0]}" for each in usable(stack)]
    return "\n".join(lines)
