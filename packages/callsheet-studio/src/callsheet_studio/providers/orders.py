"""What a production plan orders, shot by shot: at which price, and what is there already."""

from __future__ import annotations

import json
from collections import Counter
from hashlib import sha256
from math import log
from typing import TYPE_CHECKING, Literal

import msgspec

from callsheet import Artifact
from callsheet_studio.model.base import Data
from callsheet_studio.providers.catalogue import BOARD, service_of
from callsheet_studio.providers.port import Order
from callsheet_studio.solve.terms import short_side

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.plan import ProductionPlan, ProductionStep, ShotPlan
    from callsheet_studio.model.shots import Shot, ShotList
    from callsheet_studio.model.stack import Offer, Stack, StackTool

SCOPE = "studio:bought"
"""Where what was bought is remembered, in the context of the home."""


class Want(Data):
    """One thing that is ordered, and how often at most."""

    service: str
    offer: str
    what: Order
    usd: float
    """Of one order."""
    most: int
    secret: str
    name: str
    """Under which it is remembered: the same order, with the same first frame."""
    kept: Artifact | None = None
    """It was bought before."""

    @property
    def worst(self) -> float:
        """What it costs if the last attempt is the one that is taken."""
        return 0.0 if self.kept else round(self.usd * self.most, 6)


class ShotOrder(Data):
    """All that is ordered for a shot."""

    shot: str
    clip: Want
    """What the shot is made of: a clip, or a still that the camera moves over."""
    still: Want | None = None
    """Bought: the picture that the clip begins with."""
    drawn: bool = False
    """Whether the clip begins with the frame of the storyboard."""

    @property
    def wants(self) -> tuple[Want, ...]:
        """What has to be bought for it."""
        if self.clip.kept:
            return ()
        both = (self.still, self.clip) if self.still else (self.clip,)
        return tuple(each for each in both if not each.kept)

    @property
    def worst(self) -> float:
        """USD, at most."""
        return round(sum(each.worst for each in self.wants), 6)


class Unordered(Data):
    """A shot that is drawn here, and why."""

    shot: str
    why: str
    planned: bool
    """Whether the plan says so too."""


class Orders(Data):
    """All that is ordered for a film, and what is drawn."""

    shots: tuple[ShotOrder, ...]
    drawn: tuple[Unordered, ...]

    @property
    def worst(self) -> float:
        """USD, at most."""
        return round(sum(each.worst for each in self.shots), 6)

    @property
    def least(self) -> float:
        """USD, if everything is right at the first attempt."""
        return round(sum(want.usd for each in self.shots for want in each.wants), 6)

    def with_kept(self, kept: Mapping[str, Artifact], again: Collection[str]) -> Orders:
        """The same, without what is there already; but for shots that are to be made again."""

        def known(want: Want) -> Want:
            return want.model_copy(update={"kept": kept.get(want.name)})

        def made(each: ShotOrder) -> ShotOrder:
            if each.shot in again:
                return each
            still = known(each.still) if each.still else None
            return each.model_copy(update={"still": still, "clip": known(each.clip)})

        return self.model_copy(update={"shots": tuple(made(each) for each in self.shots)})


def orders_of(shots: ShotList, plan: ProductionPlan, stack: Stack, brief: Brief) -> Orders:
    """What a plan orders; what it cannot order is drawn."""
    by_name = {shot.id: shot for shot in shots.shots}
    offers = {offer.id: (tool, offer) for tool in stack.tools for offer in tool.offers}
    ordered, drawn = [], []
    seen: Counter[str] = Counter()
    for each in plan.shot_plans:
        reason = _why_drawn(each, by_name[each.shot], brief)
        if reason:
            drawn.append(reason)
            continue
        ordered.append(_shot_order(each, by_name[each.shot], offers, brief, seen))
    return Orders(shots=tuple(ordered), drawn=tuple(drawn))


_OURS = {"footage": "own material", "animatic": "planned as an animatic"}


def _why_drawn(plan: ShotPlan, shot: Shot, brief: Brief) -> Unordered | None:
    from callsheet_studio.draw.reading import subject_of
    from callsheet_studio.draw.style import style_of

    if plan.recipe in _OURS:
        return Unordered(shot=shot.id, why=_OURS[plan.recipe], planned=True)
    if subject_of(shot, style_of(brief)).kind == "card":
        return Unordered(shot=shot.id, why="a card with words, which no model writes", planned=True)
    if len(plan.steps[-1].clips) > 1:
        many = len(plan.steps[-1].clips)
        why = f"planned as {many} clips, and only shots of one are ordered"
        return Unordered(shot=shot.id, why=why, planned=False)
    return None


def _shot_order(
    plan: ShotPlan,
    shot: Shot,
    offers: Mapping[str, tuple[StackTool, Offer]],
    brief: Brief,
    seen: Counter[str],
) -> ShotOrder:
    *first, last = plan.steps
    if plan.recipe == "still_and_move":
        film = _Film(brief, offers, _shape(offers[first[0].offer][0], brief), seen)
        return ShotOrder(shot=shot.id, clip=film.want("still", first[0], shot, ""))
    drawn = bool(first) and first[0].tool == BOARD
    film = _Film(brief, offers, _shape(offers[last.offer][0], brief), seen)
    still = film.want("still", first[0], shot, "") if first and not drawn else None
    begins = still.name if still else _frame_name(shot, brief) if drawn else ""
    clip = film.want("clip", last, shot, begins)
    return ShotOrder(shot=shot.id, still=still, clip=clip, drawn=drawn)


class _Film(msgspec.Struct, frozen=True):
    """What all orders for a shot have in common."""

    brief: Brief
    offers: Mapping[str, tuple[StackTool, Offer]]
    shape: tuple[int, int]
    seen: Counter[str]
    """Names that were given: two shots that are alike are still two."""

    def want(
        self, kind: Literal["clip", "still"], step: ProductionStep, shot: Shot, begins: str
    ) -> Want:
        """One of them."""
        tool, offer = self.offers[step.offer]
        service = service_of(offer)
        if service is None or (model := service.model(tool.id, step.mode)) is None:
            # The stack that is planned with has only what can be called.
            raise LookupError(f"{offer.id} cannot be ordered as {step.mode}")
        width, height = self._size(tool, offer)
        what = Order(
            kind=kind,
            model=model,
            text=shot.storyboard.prompt,
            seconds=step.clips[0] if step.clips else 0.0,
            width=width,
            height=height,
            sound=offer.audio is True,
        )
        return Want(
            service=service.name,
            offer=offer.id,
            what=what,
            usd=round(step.worst_usd / step.max_attempts, 6),
            most=step.max_attempts,
            secret=service.secret,
            name=self._named(service.name, what, begins),
        )

    def _named(self, service: str, what: Order, begins: str) -> str:
        told = json.dumps([service, what.model_dump(mode="json"), begins], sort_keys=True)
        name = f"{what.kind}-{sha256(told.encode()).hexdigest()[:32]}"
        self.seen[name] += 1
        return name if self.seen[name] == 1 else f"{name}-{self.seen[name]}"

    def _size(self, tool: StackTool, offer: Offer) -> tuple[int, int]:
        """As fine as the price is for, or as is enough."""
        least = short_side(self.brief.delivery.resolution)
        sides = sorted(short_side(each) for each in tool.resolutions)
        enough = next((side for side in sides if side >= least), sides[-1] if sides else least)
        side = short_side(offer.resolution) if offer.resolution else enough
        share = side / min(self.shape)
        width, height = (round(each * share / 2) * 2 for each in self.shape)
        return width, height


def _shape(tool: StackTool, brief: Brief) -> tuple[int, int]:
    """The film's, if it is made in that; else the one from which least is cut off."""
    width, height = _sides(brief.delivery.aspect)
    if brief.delivery.aspect in tool.aspects:
        return width, height
    longer = [
        (wide, high)
        for wide, high in map(_sides, tool.aspects)
        if (wide * height >= width * high if width > height else wide * height <= width * high)
    ]
    return min(longer, default=(width, height), key=lambda each: abs(log(each[0] / each[1])))


def _sides(aspect: str) -> tuple[int, int]:
    wide, _, high = aspect.partition(":")
    return int(wide), int(high)


_SEEN = {"size", "kind", "subject", "figures", "action", "angle", "bearing", "movement"}
_SEEN |= {"lens_mm", "composition", "lighting", "set", "storyboard"}


def _frame_name(shot: Shot, brief: Brief) -> str:
    """By what the drawn frame of a shot is known before it is drawn."""
    told = [shot.model_dump(mode="json", include=_SEEN), brief.style.model_dump(mode="json")]
    return sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()
