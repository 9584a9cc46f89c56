"""Who a shot is about, painted into its set: by one, two or many, near or far, and their hands."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from callsheet.studio.draw import staging
from callsheet.studio.draw.companions import paint_bike, paint_companion
from callsheet.studio.draw.place import HEADS, Place, place_of
from callsheet.studio.draw.reading import HOLDS, RIDING, Subject
from callsheet.studio.draw.things import Scene, paint_screen_of, paint_thing, put_on_table

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet.studio.draw.brush import Brush
    from callsheet.studio.draw.figures import Look
    from callsheet.studio.draw.screens import Device

_A_HEAD = 0.23
"""Metres."""
_NOD = 0.07
"""Radians that a head may be tilted by."""
_APART = {"EWS": 3.0, "WS": 2.2, "FS": 2.1, "MWS": 2.3, "MS": 2.3}
"""How many heads apart two people stand."""
_SHOULDERS = 2.3
"""How many heads wide somebody is."""
_GAZE = 0.8
"""How far the eyes of two go to each other."""
_WAIST = 3.5
"""How many heads down a bust goes."""
_SEAT = 0.26
"""How high a seat is, against somebody who stands beside it."""
_RIDERS = frozenset(RIDING.values())
_SADDLE = 0.45
"""How many heads higher than standing somebody is on a bicycle."""
_FAR = 0.86
"""How near somebody in a great view is: 1 is at the camera."""


def paint_subject(scene: Scene, subject: Subject) -> None:
    """Paint what the shot is about. A view is of the place alone."""
    painter = {
        "people": _people,
        "over": _over,
        "pov": _pov,
        "eyes": _eyes,
        "hands": _hands,
        "thing": paint_thing,
        "screen": paint_screen_of,
    }.get(subject.kind)
    if painter is not None:
        painter(scene, subject)


def _people(scene: Scene, subject: Subject) -> None:
    if scene.framing.is_close:
        _busts(scene, subject)
    else:
        _bodies(scene, subject)


def _bodies(scene: Scene, subject: Subject) -> None:
    stood = _stood(scene, subject)
    small = all(scene.look(name).age == "child" for name in subject.names)
    alone = len(stood) == 1 or small
    with scene.stage.in_frame() as brush:
        for number, place in stood:
            name = subject.names[number]
            look = scene.look(name)
            pose = staging.pose_for(scene, subject, number, look)
            tall = staging.grown(place, look, alone=alone, feet=scene.framing.has_feet)
            if staging.goes_on(pose):
                tall = replace(tall, facing=scene.place.facing)
            held = subject.held if number == 0 else ""
            tall = _mounted(scene, brush, subject, pose, tall)
            _body(scene, brush, look, _Acting(pose, subject.expression, held), tall)
            if number == 0 and pose not in _RIDERS:
                paint_companion(scene, brush, subject.props, tall, pose)


def _mounted(scene: Scene, brush: Brush, subject: Subject, pose: str, place: Place) -> Place:
    """Where somebody sits who rides, what they ride being painted; others stay where they are."""
    if pose not in _RIDERS:
        return place
    if not scene.framing.has_feet:
        # A head is higher on a saddle.
        place = replace(place, crown=place.crown + _SADDLE * place.head)
    paint_bike(scene, brush, subject.props[0], place)
    return place


@dataclass(frozen=True, slots=True)
class _Acting:
    """What somebody does."""

    pose: str
    expression: str = "neutral"
    held: str = ""


def _body(scene: Scene, brush: Brush, look: Look, acting: _Acting, place: Place) -> None:
    from callsheet.studio.draw.figures import paint_body

    pose, place, seat = _settled(scene, acting.pose, place)
    paint_body(
        brush,
        look,
        scene.stage.light,
        pose=pose,
        x=place.x,
        foot=place.foot,
        height=place.height,
        facing=0 if place.view == "front" else place.facing,
        expression=acting.expression,
        seat=seat,
        depth=_FAR if scene.framing.size == "EWS" and not scene.interior else 1.0,
        view=staging.view_for(pose, place),
        thing=_in_hands(scene, brush, acting.held) if acting.held else None,
    )


def _settled(scene: Scene, pose: str, place: Place) -> tuple[str, Place, float | None]:
    """How and where somebody is who is not simply upright, and how high their seat is."""
    if pose == "working" and not scene.interior:
        return "bending", place, None
    if scene.framing.has_feet:
        return (pose, *_seated(scene, place)) if pose == "sitting" else (pose, place, None)
    if pose == "crouching":
        return "bending", place, None
    low = staging.lowered(pose)
    raised = replace(place, crown=place.crown - place.height * low)
    # Where the floor is not seen, nobody's chair stands on it.
    if low and raised.foot <= scene.framing.height * 1.02:
        return "standing", place, None
    if pose == "sitting" and scene.painting and scene.painting.seat:
        # Close to a set with seats, theirs is one of those behind them.
        beside = scene.stage.seen(scene.stage.x(scene.painting.seat[0]), 0)[0]
        return pose, replace(raised, x=(place.x + beside) / 2), place.height * _SEAT
    return pose, raised, None


def _in_hands(scene: Scene, brush: Brush, name: str) -> Callable[[float, float, float], None]:
    """Paints a thing as large as it is beside the head of who holds it."""
    from callsheet.studio.draw.props import catalog, paint_prop

    def paint(x: float, y: float, head: float) -> None:
        size = min(max(catalog()[name].metres / _A_HEAD, 0.42), 1.05) * head
        paint_prop(
            brush,
            name,
            scene.stage.light,
            x=x,
            y=y + size * 0.46,
            size=size,
            accent=scene.stage.accent,
            brand=scene.brand,
            shadow=False,
        )

    return paint


def _seated(scene: Scene, place: Place) -> tuple[Place, float | None]:
    """On the seat of the set, if it has one; and how high that is."""
    seat = scene.painting.seat if scene.painting else None
    if seat is None or scene.framing.size == "EWS":
        return place, None
    stage = scene.stage
    x, foot = stage.seen(stage.x(seat[0]), stage.y(seat[1]))
    height = place.height * seat[2]
    return replace(place, x=x, crown=foot - height, height=height), height * _SEAT


def _stood(scene: Scene, subject: Subject) -> list[tuple[int, Place]]:
    """Who of them stands where, those behind first."""
    place, width, names = scene.place, scene.framing.width, subject.names
    if len(names) == 1:
        return [(0, place)]
    apart = staging.apart(subject.pose, _APART[scene.framing.size])
    away = (-0.5, 0.5) if len(names) == 2 else (0.0, -1.0, 1.0, -1.9, 1.9)  # noqa: PLR2004
    span = (apart * (max(away) - min(away)) + _SHOULDERS) * place.head
    centre = replace(place, x=(place.x + width / 2) / 2 if span < width / 2 else width / 2)
    if span > width:
        centre = _smaller(centre, width / span, feet=scene.framing.has_feet)
    stood = [
        (
            index,
            replace(
                centre.beside(apart * each, scale=0.96 if index else 1.0), facing=_towards(each)
            ),
        )
        for index, (_, each) in enumerate(zip(names, away, strict=False))
    ]
    return stood[::-1]


def _smaller(place: Place, share: float, *, feet: bool) -> Place:
    """So that all fit: on the same floor, or with the eyes where they were."""
    height = place.height * share
    crown = place.foot - height if feet else place.crown + (place.head - height / HEADS) / 2
    return replace(place, crown=crown, height=height)


def _towards(away: float) -> int:
    """To the middle."""
    return -1 if away > 0 else 1


def _busts(scene: Scene, subject: Subject) -> None:
    place, width = scene.place, scene.framing.width
    if len(subject.names) == 1:
        look = scene.look(subject.names[0])
        pose = staging.pose_for(scene, subject, 0, look)
        if staging.shows_hands(pose, scene.framing):
            _close_body(scene, look, _Acting(pose, subject.expression, subject.held))
        else:
            seen, gaze = staging.seen_close(scene, place)
            _bust(scene, subject.names[0], seen, subject.expression, gaze)
        return
    share = min(0.76, width / (place.head * 3.4))
    pair = _smaller(place, share, feet=False)
    for name, x, facing in ((subject.names[1], 0.71, -1), (subject.names[0], 0.29, 1)):
        beside = replace(pair, x=x * width, facing=facing, view="three_quarter")
        _bust(scene, name, beside, subject.expression, gaze=_GAZE)


def _close_body(scene: Scene, look: Look, acting: _Acting) -> None:
    """Somebody close whose hands are seen: their head is as large as that of a bust."""
    from callsheet.studio.draw.figures import heads_of

    place = scene.place
    height = place.head * heads_of(look)
    view = "three_quarter" if place.view == "profile" else place.view
    with scene.stage.in_frame() as brush:
        _body(scene, brush, look, acting, replace(place, height=height, view=view))


def _bust(
    scene: Scene, name: str, place: Place, expression: str = "neutral", gaze: float = 0.0
) -> None:
    from callsheet.studio.draw.figures import paint_bust

    look = scene.look(name)
    with scene.stage.in_frame() as brush:
        if place.crown + _WAIST * place.head < scene.framing.height:
            # A bust ends at the waist: who is seen further down has a whole body.
            _body(scene, brush, look, _Acting("standing", expression), place)
            return
        paint_bust(
            brush,
            look,
            scene.stage.light,
            view=place.view,
            x=place.x,
            crown=place.crown,
            head=place.head,
            facing=place.facing,
            expression=expression,
            gaze=gaze,
            tilt=_tilt(scene, place),
        )


def _tilt(scene: Scene, place: Place) -> float:
    """Nobody holds their head quite straight."""
    if place.view == "back":
        return 0.0
    return random.Random(f"{scene.stage.words}/{place.x:.0f}").uniform(-_NOD, _NOD)  # noqa: S311 -- a picture


def _over(scene: Scene, subject: Subject) -> None:
    """Over a shoulder: somebody else's face, or what they have before them."""
    framing, width = scene.framing, scene.framing.width
    side = -1 if scene.place.x < width / 2 else 1
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
        _bust(scene, subject.names[1], place, subject.expression, gaze=_GAZE)
    elif subject.props and scene.painting and scene.painting.is_place:
        put_on_table(scene, subject.props[0], x=0.5 - side * 0.2, size=0.44)
    _bust(scene, subject.names[0], shoulder)


def _eyes(scene: Scene, subject: Subject) -> None:
    from callsheet.studio.draw.figures import paint_eyes

    framing = scene.framing
    with scene.stage.in_frame() as brush:
        paint_eyes(
            brush,
            scene.look(subject.names[0]),
            scene.stage.light,
            x=framing.width / 2,
            y=framing.height * (framing.middle - 0.04),
            width=min(framing.width * 0.74, framing.height * 1.16),
            facing=framing.facing,
            expression=subject.expression,
        )


def _pov(scene: Scene, subject: Subject) -> None:
    """What somebody sees: the place, and their own hands."""
    _held(scene, subject, y=scene.framing.middle + 0.12, size=0.6)


def _hands(scene: Scene, subject: Subject) -> None:
    _held(scene, subject, y=scene.framing.middle - 0.02, size=0.58)


def _held(scene: Scene, subject: Subject, *, y: float, size: float) -> None:
    from callsheet.studio.draw.figures import paint_hands

    framing = scene.framing
    with scene.stage.in_frame() as brush:
        paint_hands(
            brush,
            scene.look(subject.names[0]),
            scene.stage.light,
            holding=next((HOLDS[each] for each in subject.props if each in HOLDS), "nothing"),
            x=framing.width / 2,
            y=framing.height * y,
            size=framing.base * size,
            facing=framing.facing,
            accent=scene.stage.accent,
            screen=_shown(scene, subject),
        )


def _shown(scene: Scene, subject: Subject) -> Callable[[Brush, float, float], None]:
    """What is on the screen of what is held."""
    from callsheet.studio.draw.screens import paint_display, screen_of

    stage = scene.stage

    def paint(brush: Brush, wide: float, high: float) -> None:
        device: Device = "phone" if high > wide else "laptop"
        screen = screen_of(
            stage.words, device, stage.light, accent=stage.accent, brand=subject.text
        )
        paint_display(brush, screen, (0, 0, wide, high), seed=stage.seed)

    return paint
