"""What was received becomes shots and lines of the film, as tools: reads of what they are given."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from callsheet import Artifact, SyncContext, tool
from callsheet.errors import InputError, InvalidError
from callsheet_studio.base.edition import edition
from callsheet_studio.film.filming import Filmed
from callsheet_studio.film.takes import TakeData
from callsheet_studio.model.base import Data, Violation
from callsheet_studio.model.shots import ShotList
from callsheet_studio.providers.port import Order
from callsheet_studio.providers.received import Received

if TYPE_CHECKING:
    from collections.abc import Iterator

    from callsheet_studio.film.shoot import Shooting

_VERSION = edition("film")
_CORES = os.cpu_count() or 1


class Fitted(Data):
    """A clip that was made to be a shot of the film."""

    filmed: Filmed | None = None
    clip: Artifact | None = None
    why: str = ""
    """Why there is nothing, or what is wrong with it."""
    wrong: tuple[Violation, ...] = ()
    """What the checks of the film will not find."""
    again: bool = False


class Produced(Data):
    """A shot for which something was ordered."""

    filmed: Filmed
    wrong: tuple[Violation, ...] = ()


class Chosen(Data):
    """The best that came; nothing, if the shot has to be drawn after all."""

    filmed: Filmed | None = None
    clip: Artifact | None = None
    wrong: tuple[Violation, ...] = ()


@tool("studio.utter", version=_VERSION, effect="read")
def utter(service: str, what: Order, got: Received, ctx: SyncContext) -> Artifact:
    """Make a line of the film of what a provider has spoken."""
    from callsheet_studio.base.carrying import or_invalid
    from callsheet_studio.providers.heard import line_of
    from callsheet_studio.sound.encode import packed

    if got.made is None:
        raise InvalidError(f"{what.text!r} was not spoken: {got.why}")
    return ctx.store(packed(or_invalid(line_of, what, ctx.load(got.made), service)), name="line")


@tool("studio.voiced", version=_VERSION, effect="read")
def collect(lines: tuple[Artifact, ...]) -> tuple[Artifact, ...]:
    """All lines, in order."""
    return lines


@tool("studio.hard_cuts", version=_VERSION, effect="read")
def hard_cuts(shots: ShotList, ordered: list[str]) -> ShotList:
    """Cut where a dissolve was planned into or out of a shot that is ordered, not drawn."""
    found, before = [], ""
    for shot in shots.shots:
        is_hard = shot.transition == "dissolve" and bool({shot.id, before} & set(ordered))
        found.append(shot.model_copy(update={"transition": "cut"}) if is_hard else shot)
        before = shot.id
    return shots.model_copy(update={"shots": tuple(found)})


@tool("studio.frame", version=_VERSION, isolated=True, limit=_CORES, effect="read")
def draw(take: TakeData, ctx: SyncContext) -> Artifact:
    """Draw the frame of the storyboard, with nothing written on it: a clip begins with it."""
    from callsheet_studio.base.carrying import or_invalid
    from callsheet_studio.base.fonts import check_fonts
    from callsheet_studio.base.memory import drawing_here
    from callsheet_studio.film.shoot import Shooting

    or_invalid(check_fonts)
    pictures = {each.digest: ctx.load(each) for each in take.pictures}
    with drawing_here():
        return ctx.store(Shooting(take, pictures).drawing.clean(), name="frame.png")


@tool("studio.conform", version=_VERSION, isolated=True, limit=_CORES, timeout="10m", effect="read")
def conform(
    take: TakeData, name: str, got: Received, ctx: SyncContext, moves: bool = False
) -> Fitted:
    """Make a clip exactly a shot of the film, with its words, and look at it.

    Args:
        take: what the shot would be drawn from.
        name: of the shot.
        got: the clip, or why there is none.
        ctx: of the call.
        moves: whether it is a still, that the camera moves over.
    """
    import cv2

    from callsheet_studio.base.carrying import or_invalid
    from callsheet_studio.base.fonts import check_fonts
    from callsheet_studio.base.memory import drawing_here
    from callsheet_studio.film.filming import filmed_of

    if got.made is None:
        return Fitted(why=got.why, again=got.again)
    cv2.setNumThreads(1)
    seen: dict[str, object] = {"id": name} | ({"picture": got.made} if moves else {})
    take = take.model_copy(update={"shot": take.shot.model_copy(update=seen)})
    or_invalid(check_fonts)
    try:
        with drawing_here():
            shooting, missing = _shooting(take, None if moves else ctx.load(got.made), ctx)
            filmed = filmed_of(shooting, take, ctx)
    except (InputError, InvalidError) as damaged:
        return Fitted(why=damaged.message, again=True)
    wrong = tuple(_too_short(name, missing))
    found = [*wrong, *_seen(filmed, take)]
    why = " ".join(each.message for each in found)
    return Fitted(filmed=filmed, clip=got.made, why=why, wrong=wrong, again=bool(found))


def _shooting(take: TakeData, clip: bytes | None, ctx: SyncContext) -> tuple[Shooting, float]:
    """The shot, of a clip or of its picture; and how many seconds are missing."""
    from callsheet_studio.base.time import Rate
    from callsheet_studio.film.footage import Footage
    from callsheet_studio.film.shoot import Shooting

    own = {each.digest: ctx.load(each) for each in take.pictures}
    if clip is None:
        return Shooting(take, own), 0.0
    footage, rate = Footage(clip), Rate.of(take.style.fps).fps
    missing = footage.lacks(take.shot.frames, rate)
    return Shooting(take, own, footage.pictures(take.size, rate)), missing


def _too_short(name: str, missing: float) -> Iterator[Violation]:
    if missing:
        yield Violation(
            rule="clip-short",
            where=name,
            message=f"The clip ends {missing:.1f} s too early; its last picture stands still.",
            fix=f"Order it again: --again {name}.",
        )


def _seen(filmed: Filmed, take: TakeData) -> Iterator[Violation]:
    """What the checks of the film would find in it: a clip is sent back for that."""
    from callsheet_studio.film.check.expected import Expected, ExpectedShot
    from callsheet_studio.film.check.pictures import judge

    shot = take.shot
    alone = ExpectedShot(id=shot.id, start=0, end=shot.frames, transition=shot.transition)
    expected = Expected(size=take.size, fps=take.style.fps, shots=(alone,))
    return (each for each in judge(filmed.looks, expected) if each.rule.startswith("film-"))


@tool("studio.chosen", version=_VERSION, effect="read")
def choose(name: str, fits: list[Fitted | None], stills: list[Received | None]) -> Chosen:
    """Take the clip with nothing wrong, else the last; say why there is none."""
    there = [each for each in fits if each and each.filmed]
    best = next((each for each in there if not each.again), there[-1] if there else None)
    if best:
        return Chosen(filmed=best.filmed, clip=best.clip, wrong=best.wrong)
    said = [each.why for each in (*stills, *fits) if each and each.why]
    return Chosen(
        wrong=(
            Violation(
                rule="shot-drawn",
                where=name,
                message=f"It is drawn, because no clip could be had: {said[-1] if said else '?'}",
                fix=f"Write the shot otherwise, or order it again: --again {name}.",
            ),
        )
    )


@tool("studio.reel", version=_VERSION, effect="read")
def put_in_order(
    names: list[str], drawn: list[Filmed], produced: list[Produced]
) -> tuple[Filmed, ...]:
    """All shots in the order of the film, whether they were drawn or ordered."""
    found = {each.name: each for each in drawn}
    for each in produced:
        wrong = (*each.filmed.wrong, *each.wrong)
        found[each.filmed.name] = each.filmed.model_copy(update={"wrong": wrong})
    return tuple(found[name] for name in names)
