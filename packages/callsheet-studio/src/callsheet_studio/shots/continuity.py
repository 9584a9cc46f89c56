"""Continuity is checked, not hoped for: the rules of film grammar over any shot list."""

from __future__ import annotations

from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from callsheet_studio.library import sizes
from callsheet_studio.model.base import Violation
from callsheet_studio.shots.cast import MARK
from callsheet_studio.shots.grammar import (
    BEARING_STEP,
    DETAILS,
    ESTABLISHES,
    ON_THE_LINE,
    SIZE_STEPS,
    alike,
    around,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from callsheet_studio.model.shots import Shot, ShotList


def check_continuity(shots: ShotList) -> tuple[Violation, ...]:
    """Everything in which a shot list breaks continuity, each with its shot and a fix."""
    listed = shots.shots
    scenes = [tuple(group) for _, group in groupby(listed, key=lambda shot: shot.scene)]
    found = [*_jumps(listed), *_details(listed), *_characters(shots)]
    for scene in scenes:
        found += [*_line(scene), *_directions(scene), *_constants(scene)]
    places = {shot.id: shot.order for shot in listed}
    return tuple(sorted(found, key=lambda violation: places.get(violation.where, 0)))


def violations_per_100_cuts(shots: ShotList) -> float:
    """How often continuity is broken, for every hundred cuts."""
    cuts = max(len(shots.shots) - 1, 1)
    return 100 * len(check_continuity(shots)) / cuts


def _jumps(shots: Sequence[Shot]) -> Iterator[Violation]:
    for before, shot in pairwise(shots):
        if not alike((before.subject, before.figures), (shot.subject, shot.figures)):
            continue
        steps = abs(sizes()[before.size].step - sizes()[shot.size].step)
        degrees = around(before.bearing, shot.bearing)
        if steps < SIZE_STEPS and degrees < BEARING_STEP:
            yield Violation(
                rule="jump-cut",
                where=shot.id,
                message=(
                    f"{before.id} and {shot.id} show {shot.subject} as {before.size} and "
                    f"{shot.size}, and the camera has moved {degrees}° around it: it will jump."
                ),
                fix=(
                    f"Change the size by {SIZE_STEPS} steps, take the camera {BEARING_STEP}° "
                    "further around, or put an insert between them."
                ),
            )


def _line(scene: Sequence[Shot]) -> Iterator[Violation]:
    side, since = 0, ""
    for shot in scene:
        here = 0 if shot.bearing in ON_THE_LINE else (shot.bearing > 0) - (shot.bearing < 0)
        if here and side and here != side:
            yield Violation(
                rule="180-line",
                where=shot.id,
                message=f"{shot.id} is seen from the other side of the line than {since}.",
                fix=(
                    f"Take the camera to {-shot.bearing}°, or put a shot from the line (0°) "
                    "between them."
                ),
            )
        side, since = here, shot.id


def _directions(scene: Sequence[Shot]) -> Iterator[Violation]:
    way, since = "neutral", ""
    for shot in scene:
        here = shot.composition.screen_direction
        if "neutral" not in (way, here) and way != here:
            yield Violation(
                rule="screen-direction",
                where=shot.id,
                message=(
                    f"{shot.id} goes {here.replace('_', ' ')}, and {since} before it went "
                    f"{way.replace('_', ' ')}: they seem to turn around."
                ),
                fix=f"Let it go {way.replace('_', ' ')}, or put a neutral shot between them.",
            )
        way, since = here, shot.id


def _constants(scene: Sequence[Shot]) -> Iterator[Violation]:
    first = scene[0]
    for before, shot in pairwise(scene):
        told = (
            ("time-of-day", before.lighting.time_of_day, shot.lighting.time_of_day),
            ("place", before.set.place, shot.set.place),
            ("light", before.lighting.preset, shot.lighting.preset),
            ("props", ", ".join(before.set.props), ", ".join(shot.set.props)),
        )
        for rule, was, now in told:
            if was != now:
                yield Violation(
                    rule=rule,
                    where=shot.id,
                    message=f"In scene {first.scene} {shot.id} has {now!r}, {before.id} {was!r}.",
                    fix=f"Write {was!r} as before, or begin another scene with {shot.id}.",
                )
    yield from _wardrobe(scene)


def _wardrobe(scene: Sequence[Shot]) -> Iterator[Violation]:
    worn: dict[str, tuple[str, str]] = {}
    for shot in scene:
        for name, look in _looks(shot):
            was, since = worn.setdefault(name, (look, shot.id))
            if was != look:
                yield Violation(
                    rule="wardrobe",
                    where=shot.id,
                    message=f"{name} looks like {look!r} in {shot.id} and {was!r} in {since}.",
                    fix=f"Give {shot.id} the reference of {since}.",
                )
            worn[name] = (look, shot.id)


_SEATS = frozenset(("car_interior",))


def _details(shots: Sequence[Shot]) -> Iterator[Violation]:
    shown: set[tuple[str, str]] = set()
    for shot in shots:
        where = (shot.set.place.lower(), shot.lighting.time_of_day)
        insert = shot.kind == "INSERT"
        if shot.set.place in _SEATS:
            continue  # whoever is seen in a car is seen with the car around them
        if (insert or shot.size in DETAILS) and where not in shown:
            yield Violation(
                rule="establishing",
                where=shot.id,
                message=f"{shot.id} shows a detail of {shot.set.place} that nobody has seen yet.",
                fix="Put a wide shot before it (EWS, WS, FS or MWS), or take one of these sizes.",
            )
            shown.add(where)  # once for each place is enough
        if shot.size in ESTABLISHES and not insert:
            shown.add(where)


def _characters(shots: ShotList) -> Iterator[Violation]:
    known = {figure.name: figure.look for figure in shots.figures}
    scene_looks: dict[tuple[int, str], str] = {}
    for shot in shots.shots:
        looks = dict(_looks(shot))
        for name in shot.figures:
            look = looks.get(name)
            told = scene_looks.setdefault((shot.scene, name), look or "")
            # Who changes within a scene is told there, as wardrobe.
            if look is None or (look != known.get(name) and told == look):
                has = "has no reference" if look is None else f"is {look!r}"
                yield Violation(
                    rule="character",
                    where=shot.id,
                    message=f"{name} {has} in {shot.id}; the film knows {known.get(name)!r}.",
                    fix=f"Write {MARK}{name} \u2014 {known.get(name)} into its references.",
                )


def _looks(shot: Shot) -> Iterator[tuple[str, str]]:
    for reference in shot.references:
        if reference.startswith(MARK):
            name, _, look = reference.removeprefix(MARK).partition(" \u2014 ")
            yield name, look
