"""Who a shot is about, painted into its set: by one, two or many, near or far, and their hands."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from callsheet.studio.draw.place import HEADS, Place, place_of
from callsheet.studio.draw.reading import HOLDS, Subject
from callsheet.studio.draw.things import Scene, paint_screen_of, paint_thing, put_on_table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from callsheet.studio.draw.brush import Brush
    from callsheet.studio.draw.screens import Device

_SITS, _LOWER = frozenset(("sitting", "at_laptop")), 0.22
"""Poses of those who sit, and how much lower than standing their heads are."""
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
    from callsheet.studio.draw.figures import paint_body

    pose, seat = subject.pose, None
    if scene.place.view == "back":
        pose = "back"
    if pose in _SITS and not scene.framing.has_feet:
        raised = replace(scene.place, crown=scene.place.crown - scene.place.height * _LOWER)
        # Where the floor is not seen, nobody's chair stands on it.
        hidden = raised.foot > scene.framing.height * 1.02
        pose, scene = (pose, replace(scene, place=raised)) if hidden else ("standing", scene)
    elif pose == "sitting":
        scene, seat = _seated(scene)
    with scene.stage.in_frame() as brush:
        for name, place in _stood(scene, subject.names):
            paint_body(
                brush,
                scene.look(name),
                scene.stage.light,
                pose=pose,
                x=place.x,
                foot=place.foot,
                height=place.height,
                facing=0 if place.view == "front" else place.facing,
                expression=subject.expression,
                seat=seat,
                depth=_FAR if scene.framing.size == "EWS" and not scene.interior else 1.0,
            )


def _seated(scene: Scene) -> tuple[Scene, float | None]:
    """On the seat of the set, if it has one; and how high that is."""
    seat = scene.painting.seat if scene.painting else None
    if seat is None or scene.framing.size == "EWS":
        return scene, None
    stage, place = scene.stage, scene.place
    x, foot = stage.seen(stage.x(seat[0]), stage.y(seat[1]))
    height = place.height * seat[2]
    moved = replace(place, x=x, crown=foot - height, height=height)
    return replace(scene, place=moved), height * _SEAT


def _stood(scene: Scene, names: Sequence[str]) -> list[tuple[str, Place]]:
    """Who stands where, those behind first."""
    place, width = scene.place, scene.framing.width
    if len(names) == 1:
        return [(names[0], place)]
    apart = _APART[scene.framing.size]
    away = (-0.5, 0.5) if len(names) == 2 else (0.0, -1.0, 1.0, -1.9, 1.9)  # noqa: PLR2004
    span = (apart * (max(away) - min(away)) + _SHOULDERS) * place.head
    centre = replace(place, x=(place.x + width / 2) / 2 if span < width / 2 else width / 2)
    if span > width:
        centre = _smaller(centre, width / span, feet=scene.framing.has_feet)
    stood = [
        (
            name,
            replace(
                centre.beside(apart * each, scale=0.96 if index else 1.0), facing=_towards(each)
            ),
        )
        for index, (name, each) in enumerate(zip(names, away, strict=False))
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
        _bust(scene, subject.names[0], place, subject.expression)
        return
    share = min(0.76, width / (place.head * 3.4))
    pair = _smaller(place, share, feet=False)
    for name, x, facing in ((subject.names[1], 0.71, -1), (subject.names[0], 0.29, 1)):
        beside = replace(pair, x=x * width, facing=facing, view="three_quarter")
        _bust(scene, name, beside, subject.expression, gaze=_GAZE)


def _bust(
    scene: Scene, name: str, place: Place, expression: str = "neutral", gaze: float = 0.0
) -> None:
    from callsheet.studio.draw.figures import paint_bust

    if place.crown + _WAIST * place.head < scene.framing.height:
        # A bust ends at the waist: who is seen further down has a whole body.
        alone = replace(scene, place=place)
        _bodies(alone, Subject("people", (name,), expression=expression))
        return
    with scene.stage.in_frame() as brush:
        paint_bust(
            brush,
            scene.look(name),
            scene.stage.light,
            view=place.view,
            x=place.x,
            crown=place.crown,
            head=place.head,
            facing=place.facing,
            expression=expression,
            gaze=gaze,
        )


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
    elif subject.props:
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
            y=framing.height * 0.46,
            width=min(framing.width * 0.74, framing.height * 0.9),
            facing=framing.facing,
            expression=subject.expression,
        )


def _pov(scene: Scene, subject: Subject) -> None:
    """What somebody sees: the place, and their own hands."""
    _held(scene, subject, y=0.62, size=0.6)


def _hands(scene: Scene, subject: Subject) -> None:
    _held(scene, subject, y=0.48, size=0.58)


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
