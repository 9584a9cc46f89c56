"""What is in the picture besides the subject: composition, light, set, sound and how hard it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from callsheet_studio.library import Entry, angles, movements, presets, sizes
from callsheet_studio.model.shots import Complexity, Composition, Lighting, Setting
from callsheet_studio.shots.wording import german

if TYPE_CHECKING:
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.script import Beat
    from callsheet_studio.shots.camera import Frame
    from callsheet_studio.shots.scenes import Scene

_THINGS = frozenset(("detail", "screen", "product", "card", "graphic"))
_NONE = frozenset(("none", "no", "keine", "-"))
_TALL = "9:16"
_NEAR = 3
"""Step of size from which a figure fills a tall picture."""


def composition(frame: Frame, scene: Scene, brief: Brief, *, text: bool) -> Composition:
    """The subject on a third, with room where it looks or goes; things and words in the middle."""
    way = _screen_direction(frame, scene)
    entry = sizes()[frame.size]
    insert = frame.kind == "INSERT"
    return Composition(
        thirds=_thirds(frame, scene, brief, text=text),
        focal_point=_focal_point(frame, brief.content.language),
        depth_of_field="shallow" if insert else entry.depth_of_field,
        headroom="none" if insert else entry.headroom,
        lead_room=_lead_room(frame, way, scene),
        screen_direction=way,
    )


def _screen_direction(
    frame: Frame, scene: Scene
) -> Literal["left_to_right", "right_to_left", "neutral"]:
    moment = frame.moment
    still = moment.role in ("speaker", "two") or not moment.figures
    return "neutral" if still or frame.bearing == 0 else scene.direction


def _thirds(frame: Frame, scene: Scene, brief: Brief, *, text: bool) -> str:
    if text and frame.moment.role == "card" and not frame.moment.fact:
        return "lower_centre"
    narrow = brief.delivery.aspect == _TALL and frame.step >= _NEAR
    if (
        frame.kind == "INSERT"
        or frame.moment.role in _THINGS
        or frame.moment.role == "two"
        or narrow
    ):
        return "centre"
    side = "left" if (scene.direction == "left_to_right") != frame.moment.answers else "right"
    return f"lower_{side}" if frame.step == 0 else side


def _focal_point(frame: Frame, language: str) -> str:
    moment = frame.moment
    if moment.role in ("face", "speaker"):
        return f"die Augen von {moment.subject}" if german(language) else f"{moment.subject}'s eyes"
    if moment.role == "establish":
        return "der Horizont" if german(language) else "the horizon line"
    return moment.subject


def _lead_room(frame: Frame, way: str, scene: Scene) -> str:
    if not frame.moment.figures or frame.bearing == 0:
        return "even"
    if frame.moment.role == "two":
        return "between them"
    goes = (scene.direction if way == "neutral" else way) == "left_to_right"
    ahead = "right" if goes != frame.moment.answers else "left"
    return f"two thirds to the {ahead}"


def lighting(scene: Scene) -> Lighting:
    """The light of a scene: the same in all its shots."""
    preset = presets()[scene.preset]
    return Lighting(
        preset=scene.preset,
        time_of_day=scene.time,
        mood=preset.mood,
        key=preset.key,
        practicals=scene.entry.practicals,
    )


def setting(scene: Scene, language: str) -> Setting:
    """The set of a scene: the same in all its shots."""
    entry = scene.entry
    return Setting(
        place=scene.place,
        interior=scene.interior,
        props=scene.props,
        dressing=entry.dressing_de if german(language) else entry.dressing,
        heading=scene.heading,
    )


def sound(beat: Beat, number: int, count: int, language: str) -> str:
    """What is heard besides words: the place, the beat's effects one after the other, music."""
    audio = beat.audio
    shared = len(audio.effects)
    effects = [e for place, e in enumerate(audio.effects) if place * count // shared == number]
    parts = [audio.ambience.strip(), *effects]
    if number == 0:
        parts.append(f"{'Musik' if german(language) else 'music'}: {audio.music_mood}")
    return "; ".join(part for part in parts if part) or "room tone"


def intent(frame: Frame, language: str) -> str:
    """Why it is filmed so, where that is not plain: of a special angle, a movement, a kind."""
    told: list[Entry] = []
    if frame.angle != "eye":
        told.append(angles()[frame.angle])
    if frame.movement.kind not in ("static", "pan", "dolly", "zoom"):
        told.append(movements()[frame.movement.kind])
    if german(language):
        return "; ".join(f"{entry.name_de}: {entry.purpose_de}" for entry in told)
    return "; ".join(f"{entry.name}: {entry.purpose}" for entry in told)


def complexity(frame: Frame, beat: Beat, *, text: bool, lip_sync: bool) -> Complexity:
    """How hard it is to make: camera, people, effects and layers."""
    people = len(frame.moment.figures)
    motion = min(movements()[frame.movement.kind].motion + people + lip_sync, 10)
    effects = [effect for effect in beat.production.vfx if effect.lower() not in _NONE]
    vfx = min(2 * len(effects), 10)
    layers = 2 * text + 3 * (frame.moment.role == "screen") + 2 * (frame.moment.role == "card")
    compositing = min(layers + bool(effects), 10)
    score = 1 + (4 * motion + 3 * vfx + 2 * compositing + 2 * people) / 8
    return Complexity(
        score=max(1, min(round(score), 10)), motion=motion, vfx=vfx, compositing=compositing
    )
