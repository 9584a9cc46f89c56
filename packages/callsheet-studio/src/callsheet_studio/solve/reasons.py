"""Why a shot is made as it is: what the way has over the others, and what nobody knows about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.model.plan import ShotAlternative
from callsheet_studio.solve.telling import lengths, mark, money
from callsheet_studio.solve.terms import HUNDRED, seconds, usd

if TYPE_CHECKING:
    from callsheet_studio.solve.case import Decision
    from callsheet_studio.solve.lanes import Made
    from callsheet_studio.solve.model import Problem
    from callsheet_studio.solve.ways import Way


_PAIR = 2


class Rival(msgspec.Struct, frozen=True):
    """A way as it would be for this shot alone, with the cheapest picture that it needs."""

    way: Way
    micros: int
    ms: int

    @property
    def low(self) -> int:
        """The quality that is certain."""
        return self.way.quality.low

    @property
    def name(self) -> str:
        """Its offer."""
        return self.way.call.offer.id


def rivals(made: Made, problem: Problem) -> list[Rival]:
    """All other ways of the shot, the cheapest first."""
    found = [_alone(way, problem) for way in made.group.ways if way is not made.way]
    return sorted(found, key=lambda each: (each.micros, -each.low, each.ms, each.way.key))


def _alone(way: Way, problem: Problem) -> Rival:
    pictures = problem.stills[way.still] if way.still else ()
    picture = min(pictures, key=lambda call: (call.expected, call.ms, call.name), default=None)
    more = (picture.expected, picture.ms) if picture else (0, 0)
    return Rival(way, way.call.expected + more[0], way.call.ms + more[1])


def reasons(made: Made, decision: Decision, others: list[Rival]) -> tuple[str, ...]:
    """Why this way."""
    return tuple(text for text in (_order(made), _place(made, decision, others)) if text)


def _order(made: Made) -> str:
    way, call = made.way, made.way.call
    match way.recipe:
        case "footage":
            return "The brief has material of its own for it."
        case "animatic":
            return "Our own animatic: drawn and rendered here, at no cost."
        case "still_and_move":
            return "It is calm enough for a still that the camera moves over."
        case "text_to_video" | "image_to_video":
            paid = f"{money(call.expected)} for {call.attempts} attempts"
            split = f", in {len(way.clips)} clips" if len(way.clips) > 1 else ""
            return f"{lengths(way.clips)} of {call.offer.id}{split}: {paid}."


def _place(made: Made, decision: Decision, others: list[Rival]) -> str:
    if made.way.recipe in {"footage", "animatic"} or not others:
        return (
            ""
            if others or made.way.recipe in {"footage", "animatic"}
            else "The only way to make it."
        )
    serious = [each for each in others if each.way.recipe != "animatic"]
    cheaper = [each for each in serious if each.micros < made.micros]
    least = f"its quality is at least {mark(made.way.quality.low)}"
    if not cheaper:
        follow = next((each for each in serious if each.micros > made.micros), None)
        beaten = (
            f"; {follow.name} would be {money(follow.micros - made.micros)} more" if follow else ""
        )
        return f"The cheapest of {len(serious) + 1} ways ({least}){beaten}."
    first = cheaper[0]
    more = f"{money(made.micros - first.micros)} more than {first.name}"
    if first.low < made.way.quality.low and decision.goal == "best":
        return f"{more}, for quality {mark(made.way.quality.low)} instead of {mark(first.low)}."
    return f"{more}, to be ready in time: lanes are shared by all shots ({least})."


def shot_alternatives(made: Made, others: list[Rival]) -> tuple[ShotAlternative, ...]:
    """At most three: the cheapest, the fastest and the best that beat it in something."""
    keen = [each for each in others if _beats_in_something(each, made)]
    picks = [
        min(keen, key=lambda each: (each.micros, -each.low, each.ms, each.way.key), default=None),
        min(keen, key=lambda each: (each.ms, each.micros, -each.low, each.way.key), default=None),
        min(keen, key=lambda each: (-each.low, each.micros, each.ms, each.way.key), default=None),
    ]
    chosen = {id(each): each for each in picks if each is not None}
    return tuple(
        ShotAlternative(
            offer=each.name,
            recipe=each.way.recipe,
            usd=usd(each.micros),
            seconds=seconds(each.ms),
            quality=(each.low / HUNDRED, each.way.quality.high / HUNDRED),
        )
        for each in chosen.values()
    )


def _beats_in_something(rival: Rival, made: Made) -> bool:
    return rival.micros < made.micros or rival.ms < made.ms or rival.low > made.way.quality.low


def notes(made: Made, decision: Decision) -> tuple[str, ...]:
    """What to look out for."""
    way, tool, wish = made.way, made.way.call.tool, decision.wish
    generated = way.recipe in {"text_to_video", "image_to_video"}
    found = []
    if len(way.clips) > 1 and generated:
        joins = "One join" if len(way.clips) == _PAIR else f"{len(way.clips) - 1} joins"
        found.append(f"{joins} inside the shot: a clip begins where the one before it ends.")
    if generated and wish.aspect not in tool.aspects:
        found.append(
            f"Made in another aspect ({', '.join(tool.aspects)}) and cut to {wish.aspect}."
        )
    if generated and not way.known:
        found.append(f"Nobody has measured {tool.id}: it counts as the lowest of its class.")
    if generated and wish.region and not tool.regions:
        found.append(f"Whether {tool.id} is offered in {wish.region} is not known.")
    if made.group.need.references and generated:
        found.append("Give it the reference pictures: its figures are seen in other shots too.")
    return tuple(found)
