"""Who is in a picture, where and how: decided before anybody is painted."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from callsheet_studio.draw import staging
from callsheet_studio.draw.deeds import HANDING
from callsheet_studio.draw.figures.pose import SEATED
from callsheet_studio.draw.overhead import seen_from_above
from callsheet_studio.draw.place import HEADS, Place, place_of
from callsheet_studio.draw.reading import RIDING
from callsheet_studio.draw.seats import seat_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from callsheet_studio.draw.brush import Point
    from callsheet_studio.draw.figures import Look
    from callsheet_studio.draw.figures.cut import Frame
    from callsheet_studio.draw.figures.mane import Mane
    from callsheet_studio.draw.reading import Subject
    from callsheet_studio.draw.things import Scene

_NOD = 0.07
"""Radians that a head may be tilted by."""
_APART = {"EWS": 3.0, "WS": 2.2, "FS": 2.1, "MWS": 2.3, "MS": 2.3}
"""How many heads apart two people stand."""
_SHOULDERS = 2.3
"""How many heads wide somebody is."""
_BEHIND = 0.96
"""How large those are who stand a step behind the first."""
_GAZE = 0.8
"""How far the eyes of two go to each other."""
_WAIST = 3.5
"""How many heads down a bust goes."""
_HANDS = 2.2
"""How many heads down hands are that meet."""
_SEAT = 0.26
"""How high a seat is, against somebody who stands beside it."""
_LONG_SEATS = frozenset(("home", "forest"))
"""Sets in which several have room on one seat: a sofa, a log."""
_BESIDE, _EDGE = 0.5, 0.03
"""Heads from the middle of one to its side, and how much of the width is free beside it."""
_BENT = {"MWS": 0.05, "MS": -0.04}
"""How much lower somebody is who bends down, where the ground is not seen; of their height."""
_CHEST, _CLOSE_CHEST, _GIVES, _TAKES = 0.67, 0.7, 0.42, 0.46
"""Where hands meet: how high, of a height; heads that each wrist is away from what is given."""
_ARM, _HELD_OUT = 1.6, 0.8
"""Heads from somebody to their wrist, and from there to the edge of the frame."""
RIDERS = frozenset(RIDING.values())
_SADDLE = 0.45
"""How many heads higher than standing somebody is on a bicycle."""
_EYES, _EYES_HIGH = (0.74, 1.16), 0.04
"""Eyes that fill the frame: how wide they are, of its width and its height; how far up."""


class Player(msgspec.Struct, frozen=True):
    """Somebody in a picture."""

    look: Look
    place: Place
    pose: str = "standing"
    expression: str = "neutral"
    held: str = ""
    seat: float | None = None
    """How high over the ground they sit, in pixels; without it they bring a stool."""
    reach: Point | None = None
    """Where the hand is that they hold out to somebody."""
    is_bust: bool = False
    """Whether only head and shoulders are seen."""
    gaze: float = 0.0
    tilt: float = 0.0

    @property
    def facing(self) -> int:
        """1 is turned to the right, -1 to the left; a body may be turned to the camera, 0."""
        return 0 if self.place.view == "front" and not self.is_bust else self.place.facing

    @property
    def view(self) -> str:
        """The side of a chest that is seen, where it is not as the pose says."""
        return staging.view_for(self.pose, self.place)

    @property
    def mane(self) -> Mane:
        """How far hair and hat reach around their head."""
        from callsheet_studio.draw.figures.mane import mane_of
        from callsheet_studio.draw.figures.pose import pose_of

        if self.is_bust:
            return mane_of(self.look, self.place.view)
        return mane_of(self.look, self.view or pose_of(self.pose).head)

    @property
    def head(self) -> Frame:
        """Where their head is painted: its crown at (0, 0), its chin at (0, 1)."""
        from callsheet_studio.draw.figures import head_in_body, head_in_bust

        place = self.place
        if self.is_bust:
            return head_in_bust(
                x=place.x, crown=place.crown, head=place.head, facing=self.facing, tilt=self.tilt
            )
        return head_in_body(
            self.look,
            pose=self.pose,
            x=place.x,
            foot=place.foot,
            height=place.height,
            facing=self.facing,
            seat=self.seat,
            view=self.view,
        )


def cast_of(scene: Scene, subject: Subject) -> tuple[Player, ...]:
    """Everybody in a picture, those behind first."""
    if subject.kind == "over":
        return tuple(_over(scene, subject))
    if subject.kind == "eyes":
        return (_eyes(scene, subject),)
    if subject.kind != "people" or seen_from_above(scene, subject):
        return ()
    if scene.framing.is_close:
        return tuple(_close(scene, subject))
    cast = tuple(_whole(scene, subject))
    return _met(scene, cast, subject) if subject.pose == HANDING else cast


def faces_in(scene: Scene, subject: Subject) -> tuple[Player, ...]:
    """Those whose heads a picture shows; not somebody over whom we see a face."""
    cast = cast_of(scene, subject)
    return cast[:1] if subject.kind == "over" else cast


# From head to foot


def _whole(scene: Scene, subject: Subject) -> Iterator[Player]:
    stood = _stood(scene, subject)
    small = all(scene.look(name).age == "child" for name in subject.names)
    alone, feet = len(stood) == 1 or small, scene.framing.has_feet
    for number, place in stood:
        look = scene.look(subject.names[number])
        pose = staging.pose_for(scene, subject, number, look)
        tall = staging.grown(place, look, alone=alone, feet=feet)
        if staging.goes_on(pose):
            tall = replace(tall, facing=scene.place.facing)
        if pose in RIDERS and not feet:
            # A head is higher on a saddle.
            tall = replace(tall, crown=tall.crown + _SADDLE * tall.head)
        held = subject.held if number == subject.between[0] else ""
        beside = place.x - stood[-1][1].x if len(stood) > 1 else None
        who = _settled(scene, Player(look, tall, pose, subject.expression, held), beside)
        yield _kept(scene, who)


def _met(scene: Scene, cast: Sequence[Player], subject: Subject) -> tuple[Player, ...]:
    """Two of a group who look at each other, with their hands at what one gives the other."""
    if scene.place.view == "back":
        return tuple(cast)
    chest = _CLOSE_CHEST if scene.framing.is_close else _CHEST
    if len(cast) == 1:
        return (_offering(scene, cast[0], chest),)
    found, (lead, other) = list(cast), subject.between
    one, two = cast[-1 - lead], cast[-1 - other]
    way = 1 if two.place.x > one.place.x else -1
    x = (one.place.x + two.place.x) / 2
    y = sum(each.place.foot - chest * each.place.height for each in (one, two)) / 2
    for at, who, side, before in ((lead, one, way, _GIVES), (other, two, -way, _TAKES)):
        place = replace(_aside(who.place), facing=side)
        hand = x - side * before * place.head, y
        found[-1 - at] = replace(who, place=place, reach=hand)
    return tuple(found)


def _offering(scene: Scene, who: Player, chest: float) -> Player:
    """Somebody alone who holds something out; what they hold stays in the frame."""
    place = _aside(who.place)
    room = _HELD_OUT * place.head
    out = place.x + place.facing * _ARM * place.head
    x = min(max(out, room), scene.framing.width - room)
    return replace(who, place=place, reach=(x, place.foot - chest * place.height))


def _aside(place: Place) -> Place:
    """Turned to a side, where the camera would see a front."""
    return replace(place, view="three_quarter") if place.view == "front" else place


def _kept(scene: Scene, who: Player) -> Player:
    """With the whole head in the frame, however far somebody leans out of it."""
    head, width = who.head, scene.framing.width
    room = _BESIDE * head.size + _EDGE * width
    x, _ = head(0.0, 0.5)
    inside = min(max(x, room), width - room) if 2 * room < width else x
    return replace(who, place=replace(who.place, x=who.place.x + inside - x))


def _settled(scene: Scene, who: Player, beside: float | None = None) -> Player:
    """How and where somebody is who is not simply upright, and how high their seat is.

    Args:
        scene: where.
        who: as they would stand.
        beside: pixels from the first of a group to them; None: they are alone.
    """
    pose, place = who.pose, who.place
    if pose == "working" and not scene.interior:
        pose = "bending"
        who = replace(who, pose=pose)
    if scene.framing.has_feet:
        return _seated(scene, who, beside) if pose in SEATED else who
    if pose in ("crouching", "bending"):
        return replace(who, place=_bent(scene, place), pose="bending")
    low = staging.lowered(pose)
    raised = replace(place, crown=place.crown - place.height * low)
    # Where the floor is not seen, nobody's chair stands on it.
    if low and raised.foot <= scene.framing.height * 1.02:
        return replace(who, pose=staging.upright(pose))
    seat = seat_in(scene.framing, scene.painting)
    if pose in SEATED and seat and beside is None:
        # Close to a set with seats, theirs is one of those behind them.
        at = scene.stage.seen(scene.stage.x(seat[0]), 0)[0]
        raised = replace(raised, x=(place.x + at) / 2)
        if scene.painting and scene.painting.faces:
            raised = _aside(raised)
        return replace(who, place=raised, seat=place.height * _SEAT)
    return replace(who, place=raised)


def _bent(scene: Scene, place: Place) -> Place:
    """So low that hands which reach for the ground are not seen in the air."""
    lower = _BENT.get(scene.framing.size, 0.0) * place.height
    return replace(place, crown=place.crown + lower)


def _seated(scene: Scene, who: Player, beside: float | None) -> Player:
    """On the seat of the set, if it has one; others beside the first, on stools or a long seat.

    Whoever sits at the table of the set looks at it: a group is turned as a whole.
    """
    seat = seat_in(scene.framing, scene.painting)
    if seat is None or scene.framing.size == "EWS":
        return who
    stage, way = scene.stage, scene.painting.faces if scene.painting else 0
    turned = _aside(who.place) if way else who.place
    if way:
        facing = way if beside is None else turned.facing * way
        turned = replace(turned, facing=facing)
    away = (beside or 0.0) * (way or 1)
    x, foot = stage.seen(stage.x(seat[0]), stage.y(seat[1]))
    height = who.place.height * seat[2]
    # A seat is as high as it is: the feet of a child do not reach the floor.
    high = scene.place.height * seat[2] * _SEAT
    crown = foot - height - max(high - height * _SEAT, 0.0)
    place = replace(turned, x=x + away * seat[2], crown=crown, height=height)
    is_theirs = not away or (scene.painting and scene.painting.name in _LONG_SEATS)
    return replace(who, place=place, seat=height * _SEAT if is_theirs else None)


def _stood(scene: Scene, subject: Subject) -> list[tuple[int, Place]]:
    """Who of them stands where, those behind first."""
    place, width, names = scene.place, scene.framing.width, subject.names
    if len(names) == 1:
        return [(0, place)]
    apart = staging.apart(subject.pose, _APART[scene.framing.size])
    away = (-0.5, 0.5) if len(names) == 2 else (0.0, -1.0, 1.0, -1.9, 1.9)  # noqa: PLR2004
    span = (apart * (max(away) - min(away)) + _SHOULDERS) * place.head
    centre = replace(place, x=(place.x + width / 2) / 2 if span < width / 2 else width / 2)
    if scene.framing.has_feet and scene.painting and scene.painting.is_narrow:
        centre = _on_floor(scene, centre, [apart * each * centre.head for each in away])
    if span > width:
        centre = _smaller(centre, width / span, feet=scene.framing.has_feet)
    # Where no floor is seen, who is smaller is not further away, but a child.
    behind = _BEHIND if scene.framing.has_feet else 1.0
    stood = [
        (
            index,
            replace(
                centre.beside(apart * each, scale=behind if index else 1.0), facing=_towards(each)
            ),
        )
        for index, (_, each) in enumerate(zip(names, away, strict=False))
    ]
    return stood[::-1]


def _on_floor(scene: Scene, centre: Place, away: Sequence[float]) -> Place:
    """Where the middle of a group is that stands between the spots of its set."""
    stage, spots = scene.stage, scene.painting.spots if scene.painting else ()
    if not spots:
        return centre
    seen = sorted(stage.seen(stage.x(spot[0]), 0)[0] for spot in spots)
    left, right = seen[0] - min(away), seen[-1] - max(away)
    return replace(centre, x=min(max(centre.x, left), right))


def _smaller(place: Place, share: float, *, feet: bool) -> Place:
    """So that all fit: on the same floor, or with the eyes where they were."""
    height = place.height * share
    crown = place.foot - height if feet else place.crown + (place.head - height / HEADS) / 2
    return replace(place, crown=crown, height=height)


def _towards(away: float) -> int:
    """To the middle."""
    return -1 if away > 0 else 1


# Close


def _close(scene: Scene, subject: Subject) -> Iterator[Player]:
    place, width = scene.place, scene.framing.width
    if len(subject.names) == 1:
        yield _alone(scene, subject)
        return
    share = min(0.76, width / (place.head * 3.4))
    pair = _smaller(place, share, feet=False)
    if subject.pose == HANDING and pair.crown + _HANDS * pair.head < scene.framing.height:
        yield from _met(scene, tuple(_near(scene, subject, pair)), subject)
        return
    for name, x, facing in ((subject.names[1], 0.71, -1), (subject.names[0], 0.29, 1)):
        beside = replace(pair, x=x * width, facing=facing, view="three_quarter")
        yield _bust(scene, name, beside, subject.expression, gaze=_GAZE)


def _near(scene: Scene, subject: Subject, pair: Place) -> Iterator[Player]:
    """Two so near that their hands are seen just below their faces."""
    from callsheet_studio.draw.figures import heads_of

    framing = scene.framing
    middle = 0.24 if framing.width > framing.height else 0.31
    for number, side in ((1, 1), (0, -1)):
        look = scene.look(subject.names[number])
        height = pair.head * heads_of(look)
        x = (0.5 + side * middle) * framing.width
        place = replace(pair, x=x, height=height, facing=-side)
        held = subject.held if number == subject.between[0] else ""
        pose = staging.pose_for(scene, subject, number, look)
        yield Player(look, place, pose, subject.expression, held)


def _alone(scene: Scene, subject: Subject) -> Player:
    look = scene.look(subject.names[0])
    pose = staging.close_pose(staging.pose_for(scene, subject, 0, look), scene.framing)
    if not staging.shows_hands(pose, scene.framing):
        seen, gaze = staging.seen_close(scene, scene.place)
        return _bust(scene, subject.names[0], seen, subject.expression, gaze)
    from callsheet_studio.draw.figures import heads_of

    # Their hands are seen; their head is as large as that of a bust.
    place = scene.place
    view = "three_quarter" if place.view == "profile" else place.view
    whole = replace(place, height=place.head * heads_of(look), view=view)
    return _settled(scene, Player(look, whole, pose, subject.expression, subject.held))


def _bust(
    scene: Scene, name: str, place: Place, expression: str = "neutral", gaze: float = 0.0
) -> Player:
    look = scene.look(name)
    if place.crown + _WAIST * place.head < scene.framing.height:
        # A bust ends at the waist: who is seen further down has a whole body.
        return Player(look, place, "standing", expression)
    tilt = _tilt(scene, place)
    return Player(look, place, "", expression, is_bust=True, gaze=gaze, tilt=tilt)


def _tilt(scene: Scene, place: Place) -> float:
    """Nobody holds their head quite straight."""
    if place.view == "back":
        return 0.0
    return random.Random(f"{scene.stage.words}/{place.x:.0f}").uniform(-_NOD, _NOD)  # noqa: S311 -- a picture


def over_side(scene: Scene) -> int:
    """The side of the frame where the one stands over whose shoulder we look."""
    return -1 if scene.place.x < scene.framing.width / 2 else 1


def _over(scene: Scene, subject: Subject) -> Iterator[Player]:
    """Over a shoulder: somebody else's face, if there is one, and the shoulder before it."""
    framing, width, side = scene.framing, scene.framing.width, over_side(scene)
    is_wide = width > framing.height
    head = (0.58 if is_wide else 0.4) * framing.base
    shoulder = Place(
        x=width * (0.5 + side * (0.29 if is_wide else 0.3)),
        crown=framing.height * (0.22 if is_wide else 0.46),
        height=head * HEADS,
        facing=-side,
        view="back",
    )
    if len(subject.names) > 1:
        other = replace(framing, size="MCU", view="three_quarter", facing=side)
        place = replace(place_of(other, None), x=width * (0.5 - side * 0.17))
        yield _bust(scene, subject.names[1], place, subject.expression, gaze=_GAZE)
    yield _bust(scene, subject.names[0], shoulder)


def _eyes(scene: Scene, subject: Subject) -> Player:
    """A face of which only the eyes are left."""
    from callsheet_studio.draw.figures import place_of_eyes

    framing = scene.framing
    crown, head = place_of_eyes(
        framing.height * (framing.middle - _EYES_HIGH),
        min(framing.width * _EYES[0], framing.height * _EYES[1]),
    )
    place = Place(framing.width / 2, crown, head * HEADS, framing.facing, "front")
    look = scene.look(subject.names[0])
    return Player(look, place, "", subject.expression, is_bust=True)
