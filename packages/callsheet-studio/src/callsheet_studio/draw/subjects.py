"""Who a shot is about, painted into its set: by one, two or many, near or far, and their hands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.cast import RIDERS, cast_of, over_side
from callsheet_studio.draw.companions import ANIMALS, paint_beside, paint_bike, paint_companion
from callsheet_studio.draw.reading import HOLDS, Subject
from callsheet_studio.draw.things import Scene, paint_screen_of, paint_thing, put_before

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet_studio.draw.brush import Brush
    from callsheet_studio.draw.cast import Player
    from callsheet_studio.draw.screens import Device

_A_HEAD = 0.23
"""Metres."""
_WITH = {
    "holding_phone": "phone",
    "at_laptop": "laptop",
    "carrying": "parcel",
    "cycling": "bicycle",
    "cargo_cycling": "cargo_bike",
}
"""What somebody has with them in a pose."""
_BUSY = frozenset(("carrying", "holding_phone", "at_laptop", "sitting", "crouching", "running"))
"""Poses of somebody who needs the room before them, or has something in it."""
_HAVE_SCREENS = frozenset(("phone", "laptop", "tablet"))
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
    *_, first = cast = cast_of(scene, subject)
    _noted(scene, subject, len(cast), seen=not first.is_bust)
    with scene.stage.in_frame() as brush:
        for each in cast:
            if each.pose in RIDERS:
                paint_bike(scene, brush, subject.props[0], each.place)
            _painted(scene, brush, each)
        if not first.is_bust and first.pose not in RIDERS and not scene.framing.is_close:
            paint_companion(scene, brush, subject.props, first.place, first.pose)
            if not subject.held and first.pose not in _BUSY and first.seat is None:
                paint_beside(scene, brush, _around(subject), first.place)


def _around(subject: Subject) -> tuple[str, ...]:
    """What may stand beside somebody: not what they carry, nor an animal."""
    return tuple(each for each in subject.props if each not in ANIMALS)


def _noted(scene: Scene, subject: Subject, count: int, *, seen: bool = False) -> None:
    """Who is painted, and what they do; of head and shoulders, only what their face does."""
    names = subject.names[:count]
    act = subject.pose if seen else subject.expression
    scene.record.cast(names, [scene.worn(name) for name in names], act)
    if subject.held and seen:
        scene.record.thing(subject.held)
    if subject.pose in _WITH and seen:
        scene.record.thing(_WITH[subject.pose])


def _painted(scene: Scene, brush: Brush, who: Player) -> None:
    from callsheet_studio.draw.figures import paint_body, paint_bust

    place = who.place
    if who.is_bust:
        paint_bust(
            brush,
            who.look,
            scene.stage.light,
            view=place.view,
            x=place.x,
            crown=place.crown,
            head=place.head,
            facing=who.facing,
            expression=who.expression,
            gaze=who.gaze,
            tilt=who.tilt,
        )
        return
    paint_body(
        brush,
        who.look,
        scene.stage.light,
        pose=who.pose,
        x=place.x,
        foot=place.foot,
        height=place.height,
        facing=who.facing,
        expression=who.expression,
        seat=who.seat,
        depth=_FAR if scene.framing.size == "EWS" and not scene.interior else 1.0,
        view=who.view,
        thing=_in_hands(scene, brush, who.held) if who.held else None,
        reach=who.reach,
    )


def _in_hands(scene: Scene, brush: Brush, name: str) -> Callable[[float, float, float], None]:
    """Paints a thing as large as it is beside the head of who holds it."""
    from callsheet_studio.draw.props import catalog, paint_prop

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


def _over(scene: Scene, subject: Subject) -> None:
    """Over a shoulder: somebody else's face, or what they have before them."""
    *others, shoulder = cast_of(scene, subject)
    _noted(scene, subject, len(others) + 1)
    stage = scene.stage
    if not others and subject.props and scene.painting and scene.painting.is_place:
        # A screen that is named with a phone is the phone's.
        name = next((each for each in subject.props if each in _HAVE_SCREENS), subject.props[0])
        put_before(scene, name, x=0.5 - over_side(scene) * 0.2)
    with stage.in_frame() as brush:
        for each in (*others, shoulder):
            _painted(scene, brush, each)


def _eyes(scene: Scene, subject: Subject) -> None:
    _noted(scene, subject, 1)
    with scene.stage.in_frame() as brush:
        for each in cast_of(scene, subject):
            _painted(scene, brush, each)


def _pov(scene: Scene, subject: Subject) -> None:
    """What somebody sees: the place, and their own hands."""
    _held(scene, subject, y=scene.framing.middle + 0.12, size=0.6)


def _hands(scene: Scene, subject: Subject) -> None:
    # On a phone captions are above what hands hold.
    lower = 0.06 if scene.framing.is_tall else -0.02
    _held(scene, subject, y=scene.framing.middle + lower, size=0.58)


def _held(scene: Scene, subject: Subject, *, y: float, size: float) -> None:
    from callsheet_studio.draw.figures import paint_hands

    framing = scene.framing
    for each in subject.props:
        if each in HOLDS:
            scene.record.thing(each)
            scene.record.screen = scene.record.screen or each in _HAVE_SCREENS
    scene.record.act = "hands"
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
    from callsheet_studio.draw.screens import paint_display, screen_of

    stage = scene.stage

    def paint(brush: Brush, wide: float, high: float) -> None:
        device: Device = "phone" if high > wide else "laptop"
        screen = screen_of(
            stage.words, device, stage.light, accent=stage.accent, brand=subject.text
        )
        paint_display(brush, screen, (0, 0, wide, high), seed=stage.seed)

    return paint
