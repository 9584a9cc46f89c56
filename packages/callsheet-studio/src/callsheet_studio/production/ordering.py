"""What is ordered from providers, for how much: a quote, before anybody has said yes to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from callsheet import Artifact
from callsheet.errors import InputError
from callsheet_studio.brief import revised
from callsheet_studio.model.plan import sure_maximum
from callsheet_studio.production.inputs import inputs_for, keep_pictures
from callsheet_studio.production.plan import Purchase, production_plan
from callsheet_studio.production.result import production_of
from callsheet_studio.production.writer import writer_for
from callsheet_studio.providers.catalogue import EXTRA, callable_stack
from callsheet_studio.providers.orders import SCOPE, orders_of
from callsheet_studio.providers.preflight import how_to_enable, preflight, usable

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from callsheet import Engine
    from callsheet.types import Tenant
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.stack import Stack
    from callsheet_studio.production.commission import Commission
    from callsheet_studio.production.result import Production
    from callsheet_studio.providers.orders import Want
    from callsheet_studio.providers.preflight import Preflight


class MaximumMissingError(InputError):
    """Nobody has said what may be spent, and nothing is ordered without knowing."""

    code = "maximum_missing"

    def __init__(self, message: str = "Say what it may cost at most, in USD.") -> None:
        super().__init__(message)


class Quote(msgspec.Struct, frozen=True):
    """What would be ordered, and what was found when it was looked at; ordered is nothing yet."""

    brief: Brief
    """With what may be spent."""
    stack: Stack
    """Of what can be called."""
    joins: bool
    """Whether shots are planned that would have to be put together of several clips."""
    purchase: Purchase
    preflight: Preflight

    @property
    def needs_yes(self) -> bool:
        """Whether somebody has to agree: it costs something, or is less than was planned."""
        return self.preflight.state != "passed" or bool(self.preflight.worst)

    def check(self) -> None:
        """Make sure that it can be ordered.

        Raises:
            InputError: something blocks it; says what.
        """
        if self.preflight.state == "blocked":
            raise InputError("\n".join(["It cannot be produced.", *self.preflight.lines()]))


async def quote(
    engine: Engine | Tenant,
    commission: Commission,
    known: Stack,
    *,
    max_cost: float | None = None,
    again: Collection[str] = (),
    voice: str | None = None,
) -> Quote:
    """Plan with what can be called, and say what it costs.

    Args:
        engine: where it is planned, and where what was bought before is known.
        commission: what is made.
        known: the stack of the day.
        max_cost: USD that may be spent; None: what the brief says.
        again: shots that are ordered again, although they were bought before.
        voice: an offer and what its provider calls the voice; None: lines are spoken here.

    Raises:
        MaximumMissingError: neither the brief nor the caller says what may be spent.
        InputError: it cannot be planned, or nothing can be called; says what to change.
    """
    stack = _callable(known)
    most = commission.brief.constraints.max_cost_usd if max_cost is None else max_cost
    if most is None:
        raise MaximumMissingError
    await keep_pictures(engine, commission.brief, commission.folder)
    joins = False
    try:
        made = await _within(engine, commission, stack, most, joins=joins)
    except InputError:
        # A join is seen, so it is not ordered; but it may be what a plan needs.
        joins = True
        made = await _within(engine, commission, stack, most, joins=joins)
    if made.shots is None or made.plan is None:
        raise InputError("There is no plan to produce.")
    _check_again(again, [shot.id for shot in made.shots.shots])
    kept = {each.name: _artifact(each.value) for each in await engine.context.list(SCOPE)}
    orders = orders_of(made.shots, made.plan, stack, made.brief).with_kept(kept, again)
    voices = _voices(voice, made, known, kept)
    found = preflight(orders, known, commission.today, most, voices)
    return Quote(made.brief, stack, joins, Purchase(orders, most, voices), found)


def _callable(stack: Stack) -> Stack:
    known = [each for each in usable(stack) if each.has_key]
    if not known:
        raise InputError(
            "There is no key for any provider, so nothing can be ordered. Set one of these, or "
            f"leave out --produce:\n{how_to_enable(stack)}"
        )
    names = {each.name for each in known if each.is_installed}
    if not names:
        raise InputError(f"The packages of the providers are not installed. Run: {EXTRA}")
    return callable_stack(stack, names)


async def _within(
    engine: Engine | Tenant, asked: Commission, stack: Stack, most: float, *, joins: bool
) -> Production:
    """A plan whose worst case stays below the maximum, if there is one."""
    brief = revised(asked.brief, {"constraints.max_cost_usd": most}, "what may be spent")
    made = await _planned(engine, replace(asked, brief=brief), stack, joins=joins)
    costs = made.plan.cost_breakdown if made.plan else None
    sure = sure_maximum(costs.expected, costs.worst, most) if costs else None
    if sure is None:
        return made
    sparing = revised(brief, {"constraints.max_cost_usd": sure}, "what may be spent at worst")
    try:
        return await _planned(engine, replace(asked, brief=sparing), stack, joins=joins)
    except InputError:
        # Told as what it is: too dear at worst.
        return made


async def _planned(
    engine: Engine | Tenant, asked: Commission, stack: Stack, *, joins: bool
) -> Production:
    brief, cut = asked.brief, asked.cut
    plan = production_plan(
        brief,
        stop_after="plan",
        delivers=False,
        recut=cut is not None,
        joins=joins,
        rewords=asked.words is not None,
        writer=writer_for(engine, asked.writer, brief),
    )
    given = inputs_for(brief, asked.today, stack) | (cut.inputs() if cut else {})
    given |= {"words": asked.words} if asked.words is not None else {}
    run = await engine.start(plan, given)
    return production_of(await run.wait())


def _voices(
    asked: str | None, made: Production, stack: Stack, kept: Mapping[str, Artifact]
) -> tuple[Want, ...]:
    from callsheet_studio.film.sounds import plan_lines
    from callsheet_studio.providers.voices import voice_wants

    if asked is None:
        return ()
    return voice_wants(asked, plan_lines.function(made.script, made.brief), stack, kept)


def _check_again(again: Collection[str], shots: Collection[str]) -> None:
    unknown = [each for each in again if each not in shots]
    if unknown:
        raise InputError(f"There is no shot {unknown[0]!r}. There are {', '.join(shots)}.")


def _artifact(value: Any) -> Artifact:
    item = value["made"]
    return Artifact(digest=item["$artifact"], media_type=item["media_type"], size=item["size"])
