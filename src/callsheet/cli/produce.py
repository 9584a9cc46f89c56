"""`make --produce`: what is ordered from providers, for how much, and whether somebody wants it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from callsheet import InputError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from datetime import date
    from pathlib import Path

    from callsheet import Artifact, Engine
    from callsheet.cli.output import Output
    from callsheet.studio.model.brief import Brief
    from callsheet.studio.model.stack import Stack
    from callsheet.studio.pipeline import Production
    from callsheet.studio.production import Purchase
    from callsheet.studio.providers.orders import Want
    from callsheet.studio.providers.preflight import Preflight


@dataclass(frozen=True, slots=True, kw_only=True)
class Shopping:
    """What was asked for."""

    brief: Brief
    folder: Path
    """Where the brief lies."""
    today: date
    cut: Mapping[str, Any]
    """An editor's timeline, as input of a run."""
    yes: bool
    again: tuple[str, ...]
    """Shots that are ordered again, although they were bought before."""
    voice: str | None = None
    """An offer and what its provider calls the voice; None: lines are spoken here."""


@dataclass(frozen=True, slots=True)
class Settled:
    """What is made, once somebody has said yes."""

    brief: Brief
    stack: Stack
    joins: bool
    """Whether shots are planned that would have to be put together of several clips."""
    purchase: Purchase


async def settle(out: Output, engine: Engine, stack: Stack, shopping: Shopping) -> Settled:
    """Plan with what can be called, say what it costs, and ask.

    Raises:
        InputError: it cannot be produced, or nobody wants it.
    """
    from callsheet.studio.pipeline import keep_pictures
    from callsheet.studio.production import Purchase
    from callsheet.studio.providers.orders import SCOPE, orders_of
    from callsheet.studio.providers.preflight import preflight

    known, stack = stack, _callable(stack)
    most = _most(out, shopping.brief)
    await keep_pictures(engine, shopping.brief, shopping.folder)
    joins = False
    try:
        made = await _within(engine, shopping, stack, most, joins=joins)
    except InputError:
        # A join is seen, so it is not ordered; but it may be what a plan needs.
        joins = True
        made = await _within(engine, shopping, stack, most, joins=joins)
    if made.shots is None or made.plan is None:
        raise InputError("There is no plan to produce.")
    _check_again(shopping.again, [shot.id for shot in made.shots.shots])
    kept = {each.name: _artifact(each.value) for each in await engine.context.list(SCOPE)}
    orders = orders_of(made.shots, made.plan, stack, made.brief).with_kept(kept, shopping.again)
    voices = _voices(shopping.voice, made, known, kept)
    found = preflight(orders, known, shopping.today, most, voices)
    _agree(out, found, most, shopping)
    return Settled(made.brief, stack, joins, Purchase(orders, most, voices))


def _callable(stack: Stack) -> Stack:
    from callsheet.studio.providers.catalogue import EXTRA, callable_stack
    from callsheet.studio.providers.preflight import how_to_enable, usable

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


def _most(out: Output, brief: Brief) -> float:
    """What may be spent: nothing is ordered without knowing."""
    given = brief.constraints.max_cost_usd
    if given is not None:
        return given
    typed = _answer(out, "What may it cost at most, in USD?", "Say it: --max-cost 20.")
    try:
        return max(float(typed.removeprefix("$")), 0.0)
    except ValueError:
        raise InputError(f"{typed!r} is not an amount. Write it as in 20 or 12.50.") from None


async def _within(
    engine: Engine, shopping: Shopping, stack: Stack, most: float, *, joins: bool
) -> Production:
    """A plan whose worst case stays below the maximum, if there is one."""
    from callsheet.studio.brief import revised
    from callsheet.studio.model.plan import sure_maximum

    asked = revised(shopping.brief, {"constraints.max_cost_usd": most}, "what may be spent")
    made = await _planned(engine, replace(shopping, brief=asked), stack, joins=joins)
    costs = made.plan.cost_breakdown if made.plan else None
    sure = sure_maximum(costs.expected, costs.worst, most) if costs else None
    if sure is None:
        return made
    sparing = revised(asked, {"constraints.max_cost_usd": sure}, "what may be spent at worst")
    try:
        return await _planned(engine, replace(shopping, brief=sparing), stack, joins=joins)
    except InputError:
        # Told as what it is: too dear at worst.
        return made


async def _planned(engine: Engine, shopping: Shopping, stack: Stack, *, joins: bool) -> Production:
    from callsheet.studio.pipeline import inputs_for, production_of
    from callsheet.studio.production import production_plan

    cut, brief = dict(shopping.cut), shopping.brief
    plan = production_plan(brief, stop_after="plan", delivers=False, recut=bool(cut), joins=joins)
    run = await engine.start(plan, inputs_for(brief, shopping.today, stack) | cut)
    return production_of(await run.wait())


def _voices(
    asked: str | None, made: Production, stack: Stack, kept: Mapping[str, Artifact]
) -> tuple[Want, ...]:
    from callsheet.studio.film.sounds import plan_lines
    from callsheet.studio.providers.voices import voice_wants

    if asked is None:
        return ()
    return voice_wants(asked, plan_lines.function(made.script, made.brief), stack, kept)


def _check_again(again: Collection[str], shots: Collection[str]) -> None:
    unknown = [each for each in again if each not in shots]
    if unknown:
        raise InputError(f"There is no shot {unknown[0]!r}. There are {', '.join(shots)}.")


def _artifact(value: Any) -> Artifact:
    from callsheet import Artifact

    item = value["made"]
    return Artifact(digest=item["$artifact"], media_type=item["media_type"], size=item["size"])


def _agree(out: Output, found: Preflight, most: float, shopping: Shopping) -> None:
    """Say what was found; nothing begins that is blocked, or that nobody has said yes to."""
    lines = list(found.lines())
    if found.state == "blocked":
        raise InputError("\n".join(["It cannot be produced.", *lines]))
    out.show(*lines)
    if shopping.yes or (found.state == "passed" and not found.worst):
        return
    asked = f"Order it, for ${found.worst:.2f} at worst and ${most:.2f} at most? yes / no"
    if _answer(out, asked, "Look at it, then say --yes.").casefold() not in {"y", "yes"}:
        raise InputError("Nothing was ordered.")


def _answer(out: Output, question: str, otherwise: str) -> str:
    """What the person at this terminal types."""
    import sys

    if out.as_json or not sys.stdin or not sys.stdin.isatty():
        raise InputError(f"{question} There is nobody here to ask. {otherwise}")
    out.show(question)
    return sys.stdin.readline().strip()
