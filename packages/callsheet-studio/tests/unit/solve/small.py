"""Random small films, with grids, prices by the clip, minimum charges, budgets and deadlines."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from tests.unit.solve import exhaustive, films

from callsheet_studio.model.stack import Grid
from callsheet_studio.solve import Terms

if TYPE_CHECKING:
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.shots import ShotList
    from callsheet_studio.model.stack import Offer, Stack, StackTool

GRIDS = ((4, 6, 8), (5, 10), (5,), (2, 3, 4, 5, 6, 7, 8, 9, 10), (6, 10), (3, 7))
PLANS = 5000
"""At most so many are tried in a case."""


def _offer(draw: Random, tool: str, number: int, lengths: tuple[int, ...]) -> Offer:
    provider = draw.choice(("north", "south", "east"))
    name = f"{tool}@{provider}:{number}"
    usd = draw.choice((0, 0.05, 0.07, 0.1, 0.125, 0.3))
    sharp = draw.choice(("1080p", "720p", "720p", "480p"))
    least = draw.choice((0, 0, 0, 0.25, 0.6))
    if lengths and draw.random() < 0.3:
        length = draw.choice(lengths)
        return films.offer(
            name,
            round(usd * length, 3),
            unit="clip",
            unit_seconds=length,
            resolution=sharp,
            minimum_usd=least,
        )
    return films.offer(name, usd, resolution=sharp, minimum_usd=least)


def _tool(draw: Random, number: int, modes: tuple[str, ...]) -> StackTool:
    name = f"t{number}"
    lengths = draw.choice((*GRIDS, ()))
    grid = Grid(lengths=lengths, least=3, most=max(lengths, default=10))
    return films.tool(
        name,
        _offer(draw, name, 1, lengths),
        share=draw.choice((None, 0.23, 0.5, 0.517, 0.7, 0.8)),
        seconds=draw.choice((None, 20, 60, 60, 90.5)),
        status=draw.choice(("active",) * 5 + ("retired", "legacy")),
        grid=grid,
        modes=modes,
    )


def _stack(draw: Random) -> Stack:
    pictures = draw.random() < 0.3
    count = draw.randint(1, 3 if pictures else 5)
    kinds = ("t2v",), ("t2v", "i2v"), ("i2v",)
    tools = [
        _tool(draw, number, draw.choice(kinds) if pictures else ("t2v",)) for number in range(count)
    ]
    for number in range(draw.randint(1, 2) if pictures else 0):
        usd = draw.choice((0.02, 0.04, 0.1))
        provider = draw.choice(("north", "west"))
        shown = films.offer(f"p{number}@{provider}", usd, unit="image")
        tools.append(
            films.tool(
                f"p{number}",
                shown,
                category="image",
                modes=("t2i",),
                seconds=draw.choice((None, 10)),
                grid=None,
            )
        )
    return films.stack(*tools, *([films.renderer()] if draw.random() < 0.8 else []))


@dataclass(frozen=True)
class Small:
    """A film that every plan can be tried for."""

    shots: ShotList
    brief: Brief
    stack: Stack
    terms: Terms
    best: exhaustive.Outcome | None
    """What trying every plan has found."""


def small(seed: int) -> Small:
    """The film of a seed."""
    draw = Random(seed)
    stack, lanes = _stack(draw), draw.randint(1, 3)
    level = draw.choice(("high", "balanced", "budget"))
    # Seldom the same length twice, and never a plan too many to try.
    count = draw.randint(1, 6)
    lengths = [draw.choice((22, 48, 96, 120, 131, 168, 200, 240)) for _ in range(count)]
    wanted = films.brief(quality=level)
    while _plans(lengths, wanted, stack) > PLANS:
        lengths.pop()
    shots = films.film(lengths)
    plans = exhaustive.everything(shots, wanted, stack, lanes)
    max_cost = deadline = None
    if plans and draw.random() < 0.6:
        max_cost = (draw.choice(sorted({p.micros for p in plans})) - draw.choice((0, 1))) / 1e6
    if plans and draw.random() < 0.6:
        ends = sorted({p.seconds for p in plans})
        deadline = draw.choice(ends) + -(-shots.frames // 24) + draw.choice((0, -1))
    wanted = films.brief(
        quality=level,
        max_cost=None if max_cost is None else max(max_cost, 0),
        deadline=deadline,
    )
    best = exhaustive.best(plans, shots, wanted)
    return Small(shots, wanted, stack, Terms(lanes=lanes), best)


def _plans(lengths: list[int], wanted: Brief, stack: Stack) -> int:
    total = 1
    for frames in lengths:
        total *= max(len(exhaustive.options(frames, wanted, stack)), 1)
    return total
