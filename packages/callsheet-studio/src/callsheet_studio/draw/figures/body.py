"""Somebody from head to foot."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias

import msgspec
from msgspec.structs import replace

from callsheet_studio.draw.colour import clear
from callsheet_studio.draw.figures import belongings, garments, hair, limbs, torso
from callsheet_studio.draw.figures.bust import bowed, paint_head
from callsheet_studio.draw.figures.calling import CALL, paint_call, wrist_of
from callsheet_studio.draw.figures.cut import Cut, Frame
from callsheet_studio.draw.figures.mood import mood_of
from callsheet_studio.draw.figures.outlines import traced
from callsheet_studio.draw.figures.paints import paints_of
from callsheet_studio.draw.figures.pose import (
    HIPS,
    SEAT,
    SEATED,
    TABLE,
    arm,
    leg,
    pose_of,
    seated,
    sideways,
)
from callsheet_studio.draw.figures.shape import shape_of, turn_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from callsheet_studio.draw.brush import Brush, Point
    from callsheet_studio.draw.figures.look import Look
    from callsheet_studio.draw.figures.mood import Mood
    from callsheet_studio.draw.figures.paints import Paints
    from callsheet_studio.draw.figures.pose import Pose
    from callsheet_studio.draw.light import Light

_BENT = 0.2
_SITS = SEATED | {"at_laptop"}
_TABLES = frozenset({"at_laptop", "working"})


Thing: TypeAlias = "Callable[[float, float, float], None]"


class _Standing(msgspec.Struct, frozen=True):
    """Somebody in a pose, with the joints where they are."""

    who: Paints
    pose: Pose
    mood: Mood
    near_arm: tuple[Point, Point, Point]
    far_arm: tuple[Point, Point, Point]
    sits: bool
    table: float
    """How high the table is, in heads; 0 without one."""
    own: bool
    """Whether seat and table are their own, and not those of the set."""
    thing: Thing | None = None

    @property
    def turn(self) -> float:
        return 1.0 if self.pose.view == "three_quarter" else 0.0

    @property
    def head_turn(self) -> float:
        return turn_of(self.pose.head)


def paint_body(  # noqa: PLR0913 -- a call reads as a direction to an actor
    brush: Brush,
    look: Look,
    light: Light,
    *,
    pose: str,
    x: float,
    foot: float,
    height: float,
    facing: int = 1,
    expression: str = "neutral",
    seat: float | None = None,
    table: float | None = None,
    depth: float = 1.0,
    view: str = "",
    thing: Thing | None = None,
    reach: Point | None = None,
) -> None:
    """A whole body, with its shadow on the ground.

    Args:
        brush: painted with.
        look: who.
        light: the light they stand in.
        pose: one of `POSES`.
        x: the middle of the body.
        foot: the ground.
        height: of somebody who stands upright, also where they sit.
        facing: 1 is turned to the right, -1 to the left, 0 to the camera where a pose allows it.
        expression: as of a bust.
        seat: how high over the ground they sit; without it they bring a stool.
        table: how high the table or bench is that they sit or work at; without it they bring one.
        depth: 1 is at the camera, 0 at the horizon.
        view: `profile` shows the side of somebody whose pose allows it.
        thing: paints what is held, around a point, beside a head of so many pixels.
        reach: where the hand is that a pose holds out, if not as it says.
    """
    who = paints_of(look, light, depth)
    head = height / _units(look)
    cut = Cut(brush, light, at=(x, foot), head=head, flip=facing < 0)
    posed = _posed(pose, look, (seat or height * SEAT) / head, facing, view)
    if reach is not None:
        posed = _reaching(
            posed, look, ((reach[0] - x) * (facing or 1) / head, (reach[1] - foot) / head)
        )
    high = (table or height * TABLE) / head if pose in _TABLES else 0.0
    own = (table if pose in _TABLES else seat) is None
    body = _place(who, posed, mood_of(expression), pose in _SITS, high, own=own)
    body = replace(body, thing=thing)
    _shadow(cut, body)
    with cut.around(posed.hips[0], 0.0):
        _paint(cut, body)
    cut.paint()


def heads_of(look: Look) -> float:
    """How many of their own heads high somebody is: a child fewer."""
    return _units(look) / torso.head_of(look)


def head_in_body(  # noqa: PLR0913 -- as somebody is painted
    look: Look,
    *,
    pose: str,
    x: float,
    foot: float,
    height: float,
    facing: int = 1,
    seat: float | None = None,
    view: str = "",
) -> Frame:
    """Where the head of a body is, as `paint_body` paints it: crown (0, 0), chin (0, 1)."""
    head = height / _units(look)
    posed = _posed(pose, look, (seat or height * SEAT) / head, facing, view)
    at, turn, size = _headed(posed, look)
    frame = Frame(-head if facing < 0 else head, 0.0, 0.0, head, x, foot)
    upright = frame.moved(*at, turn=turn, scale=size).moved(0.0, -1.0)
    return bowed(upright, _bow(posed))


def _units(look: Look) -> float:
    return HIPS - torso.CROWN - 1 + torso.head_of(look)


def _posed(name: str, look: Look, seat: float, facing: int, view: str) -> Pose:
    pose = pose_of(name)
    if view == "profile":
        pose = sideways(pose)
    if name in _SITS:
        pose = seated(pose, seat)
    if not facing and pose.view == "three_quarter":
        pose = replace(pose, view="front")
    if look.age == "old":
        pose = replace(pose, lean=pose.lean + 0.06, bow=pose.bow + 0.09)
    return pose


def _reaching(pose: Pose, look: Look, hand: Point) -> Pose:
    """With the wrist of the hand that is held out at a point."""
    near, far = _shoulders(pose, look)
    x, y = near if pose.reaches == "near" else far
    way = hand[0] - x, hand[1] - y
    if pose.reaches == "near":
        return replace(pose, near_hand=way)
    return replace(pose, far_hand=way) if pose.reaches else pose


def _shoulders(pose: Pose, look: Look) -> tuple[Point, Point]:
    """The near one, and the far one."""
    wide = 0.06 if pose.view == "profile" else torso.measures_of(look).shoulder - 0.17
    turn = 1.0 if pose.view == "three_quarter" else 0.0
    near, far = (_on_chest(pose, *torso.bend(turn, side * wide, -1.84)) for side in (-1, 1))
    return near, far


def _place(
    who: Paints, pose: Pose, mood: Mood, sits: bool, table: float, *, own: bool
) -> _Standing:
    near, far = _shoulders(pose, who.look)
    hands = [pose.near_hand, pose.far_hand]
    if table:
        hands = [
            (hand[0], -table - 0.1 - shoulder[1])
            for hand, shoulder in zip(hands, (near, far), strict=True)
        ]
    elbows = pose.near_elbow, pose.far_elbow
    if pose.view == "profile":
        elbows = (pose.near_elbow if pose.holding == CALL else 1), 1
    if pose.holding == CALL:
        hands[0] = _to_ear(pose, who.look, near)
    return _Standing(
        who=who,
        pose=pose,
        mood=mood,
        near_arm=arm(near, hands[0], elbows[0], pose.near_length, pose.near_upper),
        far_arm=arm(far, hands[1], elbows[1], pose.far_length),
        sits=sits,
        table=table,
        own=own,
    )


def _to_ear(pose: Pose, look: Look, shoulder: Point) -> Point:
    """From a shoulder to the wrist of a hand with a phone at the ear, wherever the head is."""
    (x, y), turn, size = _headed(pose, look)
    across, down = wrist_of(pose.head, size)
    cos, sin = math.cos(turn) * size, math.sin(turn) * size
    x += across * cos - (down - 1) * sin
    y += across * sin + (down - 1) * cos
    return x - shoulder[0], y - shoulder[1]


def _on_chest(pose: Pose, x: float, y: float) -> Point:
    cos, sin = math.cos(pose.lean), math.sin(pose.lean)
    return pose.hips[0] + x * cos - y * sin, pose.hips[1] + x * sin + y * cos


def _shadow(cut: Cut, body: _Standing) -> None:
    feet = [body.pose.near_foot[0], body.pose.far_foot[0]]
    x, wide = sum(feet) / 2 + 0.12, abs(feet[0] - feet[1]) / 2 + 0.85
    cut.ground(x, wide, 0.17, clear(cut.light.ink, 0.42))


def _paint(cut: Cut, body: _Standing) -> None:
    pose, who = body.pose, body.who
    _behind(cut, body)
    crossed = pose.holding == "crossed"
    if not pose.far_over and not crossed:
        _arm(cut, body, body.far_arm, far=True)
    if pose.arms_behind:
        _arm(cut, body, body.near_arm, far=False)
    legs = _legs(cut, body)
    belongings.paint_before(cut, who, pose, body.near_arm, body.table, own=body.own)
    _chest(cut, body)
    if who.look.top == "dress" and not body.sits:
        belongings.paint_skirt(cut, who, legs, sits=False)
    if pose.far_over:
        _arm(cut, body, body.far_arm, far=True)
    if crossed:
        _crossed(cut, body)
        return
    _near_arm(cut, body)


def _near_arm(cut: Cut, body: _Standing) -> None:
    """The arm before everything, and what it or both hold."""
    pose, who = body.pose, body.who
    if pose.holding == "laptop":
        belongings.paint_laptop(cut, who, body.near_arm[2], body.table)
    if body.thing:
        _held(cut, body, body.thing)
    if pose.holding == CALL:
        with _head(cut, body):
            paint_call(cut, who, pose.head, torso.head_of(who.look))
    if not pose.arms_behind:
        _arm(cut, body, body.near_arm, far=False)
    if pose.holding in belongings.PHONES:
        belongings.paint_phone(cut, who, body.near_arm, pose.holding)


def _behind(cut: Cut, body: _Standing) -> None:
    """What somebody sits on, and hair that falls behind the shoulders."""
    if body.sits and body.own:
        belongings.paint_stool(cut, body.who, body.pose.hips)
    if body.pose.head in {"front", "three_quarter"}:
        with _head(cut, body), cut.bent(shape_of(body.who, body.head_turn).bend):
            hair.paint_behind(cut, body.who)


def _head(cut: Cut, body: _Standing) -> AbstractContextManager[None]:
    at, turn, size = _headed(body.pose, body.who.look)
    return cut.placed(at, turn=turn, scale=size, back=(0.0, -1.0))


def _headed(pose: Pose, look: Look) -> tuple[Point, float, float]:
    """Where the chin is, how the head is turned, and how large it is."""
    neck = {"three_quarter": 0.09, "profile": 0.06}.get(pose.view, 0.0)
    at = _on_chest(pose, neck, torso.CROWN + 1)
    return (
        at,
        pose.lean * 0.6 + pose.tilt + pose.bow * (pose.head == "profile"),
        torso.head_of(look),
    )


def _bow(pose: Pose) -> float:
    """How far a face is bowed that is not seen from the side."""
    return 0.0 if pose.head == "profile" else pose.bow * 0.6


def _turned(cut: Cut, body: _Standing) -> AbstractContextManager[None]:
    return cut.bent(lambda x, y: torso.bend(body.turn, x, y))


def _chest(cut: Cut, body: _Standing) -> None:
    pose, who = body.pose, body.who
    with cut.moved(*pose.hips, turn=pose.lean):
        hem = torso.hem_of(who.look)
        hem = min(hem, 0.18) if body.sits else min(hem, 0.5) if pose.lean > _BENT else hem
        garments.paint_top(cut, who, pose.view, body.turn, hem)
    before, cut.axis = cut.axis, None
    with _head(cut, body):
        gaze = 0.25 if body.head_turn else 0.0
        paint_head(cut, who, body.mood, pose.head, gaze, _bow(pose))
    cut.axis = before


def _arm(cut: Cut, body: _Standing, joints: tuple[Point, Point, Point], *, far: bool) -> None:
    who, pose = body.who, body.pose
    points = far and pose.holding == "point"
    closed = 0.85 if points else pose.grip
    thumb = -1 if pose.view == "profile" or points else (1 if far else -1)
    calls = pose.holding == CALL and not far
    if not calls and not pose.hidden("far" if far else "near"):
        limbs.paint_hand(cut, who, joints, grip=closed, thumb=thumb, points=points)
    tone = torso.sleeve_of(who)
    limbs.paint_sleeve(cut, who, tone, joints, short=who.look.top in torso.SHORT)
    if far and pose.view == "profile":
        wide = [0.22, 0.21, 0.19, 0.18, 0.13]
        cut.flat(limbs.outline(joints, wide, wide), clear(tone.deep, 0.3))


def _held(cut: Cut, body: _Standing, paint: Thing) -> None:
    """A thing in both hands, or in the one that is raised."""
    (fx, fy), (nx, ny) = body.far_arm[2], body.near_arm[2]
    x, y = (fx + 0.02, fy - 0.34) if body.pose.holding == "raised" else ((fx + nx) / 2, ny - 0.2)
    if body.pose.reaches:
        x, y = fx + 0.36, fy - 0.12
    px, py = cut.frame(x, y)
    cut.draw(lambda: paint(px, py, cut.head))


def _crossed(cut: Cut, body: _Standing) -> None:
    """Forearms one over the other before the chest."""
    who = body.who
    tone, short = torso.sleeve_of(who), who.look.top in torso.SHORT
    (nx, ny), (fx, fy) = body.near_arm[0], body.far_arm[0]
    far = (fx, fy), (fx + 0.2, fy + 1.08), (nx + 0.42, ny + 0.82)
    near = (nx, ny), (nx - 0.2, ny + 1.1), (fx - 0.3, fy + 0.86)
    limbs.paint_sleeve(cut, who, tone, far, short=short)
    limbs.paint_hand(cut, who, far, grip=0.4, thumb=-1)
    limbs.paint_sleeve(cut, who, tone, near, short=short)
    limbs.paint_hand(cut, who, near, grip=0.55, thumb=-1)


def _legs(cut: Cut, body: _Standing) -> list[tuple[Point, Point, Point]]:
    pose, who = body.pose, body.who
    apart = 0.04 if pose.view == "profile" else torso.measures_of(who.look).hip - 0.29
    x, y = pose.hips
    bare = who.look.top == "dress" or who.look.bottom in {"skirt", "shorts"}
    side = 1.0 if pose.view == "profile" else 0.25
    shapes = []
    for sign, foot, turn in (
        (1, pose.far_foot, pose.far_turn),
        (-1, pose.near_foot, pose.near_turn),
    ):
        knee = pose.far_knee if sign > 0 else -1
        joints = leg((x + torso.bend(body.turn, apart * sign, 0.0)[0], y), foot, knee)
        out = (
            side
            if pose.view == "profile" or sign > 0
            else -side * (pose.view != "three_quarter") + 0.1
        )
        limbs.paint_shoe(cut, who, joints[2], turn=turn, side=out)
        dim = 0.34 if sign > 0 and pose.view == "profile" else 0.0
        limbs.paint_leg(cut, who, joints, bare=bare, dim=dim)
        shapes.append(joints)
    if not bare:
        wide = torso.measures_of(who.look).hip - 0.01
        pelvis: Sequence[Point] = [
            (-0.34, -0.3),
            (0.34, -0.3),
            (wide, 0.05),
            (0.1, 0.42),
            (-0.1, 0.42),
            (-wide, 0.05),
        ]
        if pose.view == "profile":
            pelvis = traced("-0.2,-0.4 0.2,-0.4 0.3,0.05 0,0.4 -0.36,0.1")
        with cut.moved(x, y, turn=pose.lean * 0.5), _turned(cut, body):
            cut.part(pelvis, who.legs, core=0.0)
        return shapes
    if who.look.top != "dress" or body.sits:
        belongings.paint_skirt(cut, who, shapes, sits=body.sits)
    return shapes
