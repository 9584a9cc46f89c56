"""What a plan takes for granted, each with where it comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.solve.terms import local

if TYPE_CHECKING:
    from callsheet_studio.model.plan import PlanAlternative
    from callsheet_studio.model.stack import Offer
    from callsheet_studio.solve.case import Case, Decision
    from callsheet_studio.solve.lanes import Made
    from callsheet_studio.solve.market import Call
    from callsheet_studio.solve.terms import Terms

_ENOUGH = 2


def assumptions(
    case: Case,
    decision: Decision,
    made: tuple[Made, ...],
    alternatives: tuple[PlanAlternative, ...],
) -> tuple[str, ...]:
    """Prices with their dates first, then what holds for the whole plan."""
    calls = {call.offer.id: call for each in made for call in _calls(each)}
    used = [calls[name] for name in sorted(calls)]
    return (
        *(_price(case, call) for call in used),
        *_later(case, used),
        *_working(case.terms),
        *_unknown(case, decision, made, used),
        "Voice, music and sound are made locally, at no cost.",
        *_no_others(alternatives),
    )


def _calls(made: Made) -> tuple[Call, ...]:
    return (made.way.call,) if made.still is None else (made.still, made.way.call)


def _price(case: Case, call: Call) -> str:
    offer = call.offer
    titles = {source.id: source.title for source in case.stack.sources}
    source = titles.get(offer.source, offer.source)
    least = f", at least {_dollars(offer.minimum_usd)} a call" if offer.minimum_usd else ""
    return f"{offer.id}: {_unit_price(offer)}{least}, as of {offer.as_of} ({source})."


def _later(case: Case, used: list[Call]) -> tuple[str, ...]:
    """Prices that nobody knew on the day that is planned for."""
    told = [call.offer for call in used if call.offer.as_of > case.today and not _own(call)]
    if not told:
        return ()
    offers = ", ".join(offer.id for offer in told)
    late = f"The plan is for {case.today}, and these prices were read later: {offers}."
    return (f"{late} They are assumed to have held on that day.",)


def _dollars(usd: float) -> str:
    """All digits of a price, and at least cents."""
    digits = f"{usd:.6f}".rstrip("0")
    whole, _, cents = digits.partition(".")
    return f"${whole}.{cents:0<2}" if usd else "$0"


def _unit_price(offer: Offer) -> str:
    if offer.unit == "clip":
        return f"{_dollars(offer.usd)} for a clip of {offer.unit_seconds:g} s"
    return f"{_dollars(offer.usd)} per {offer.unit}"


def _working(terms: Terms) -> tuple[str, ...]:
    attempts = (
        f"A generated picture or clip is taken after {terms.attempts} attempts on average and "
        f"{terms.max_attempts} at worst, a local one after the first; all attempts are paid."
    )
    lanes = (
        f"A provider runs {terms.lanes} calls at once, this machine {terms.local_lanes}; attempts "
        "and clips of a shot follow each other."
    )
    rendering = (
        "Rendering a shot locally takes as long as the shot, putting the film together as long as "
        "the film."
    )
    cards = "" if terms.gpu else ", nor those that need a graphics card of one's own"
    return (
        attempts,
        lanes,
        "All pictures are made and looked at before the first clip is ordered.",
        rendering,
        f"Tools that are legacy are not planned with{cards}.",
    )


def _unknown(
    case: Case, decision: Decision, made: tuple[Made, ...], used: list[Call]
) -> tuple[str, ...]:
    found = []
    wish = decision.wish
    open_region = sorted({c.tool.id for c in used if not c.tool.regions and not _own(c)})
    if wish.region and open_region:
        where = f"That {', '.join(open_region)} may be used in {wish.region} is assumed"
        found.append(f"{where}: no source tells its regions.")
    untold = sorted({call.tool.id for call in used if not call.tool.latency and not _own(call)})
    if untold:
        prior = case.stack.latency_prior
        found.append(
            f"Times of {', '.join(untold)} are not known: {prior.typical:g} s for a clip and "
            f"{prior.least or prior.typical:g} s for a picture are assumed ({prior.source}, "
            f"{prior.as_of})."
        )
    dates = sorted({b.as_of for c in used for b in c.tool.benchmarks if b.share is not None})
    if dates:
        since = "" if dates[0] == dates[-1] else f"{dates[0]} to "
        found.append(f"Quality is as the boards of {since}{dates[-1]} have it.")
    if any(wish.aspect not in m.way.call.tool.aspects for m in made if not _own(m.way.call)):
        found.append(f"No tool makes {wish.aspect}: longer pictures are cut to it.")
    return tuple(found)


def _own(call: Call) -> bool:
    return local(call.offer.provider)


def _no_others(alternatives: tuple[PlanAlternative, ...]) -> tuple[str, ...]:
    if len(alternatives) >= _ENOUGH:
        return ()
    names = {each.name for each in alternatives}
    missing = [name for name in ("cheaper", "faster", "better") if name not in names]
    return (f"No plan that is {', '.join(missing)} exists, whatever else were given up.",)
