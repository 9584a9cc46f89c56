"""Where the camera stands and what it does: size, angle, side, movement and lens, with intent.

Sizes follow what a shot is for and how intense its beat is, and never repeat the last one without a
reason. The side of a scene's line is kept throughout; what is too like the shot before it is moved
around its subject by 30° or more.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, get_args

import msgspec

from callsheet_studio.library import catalog, sizes
from callsheet_studio.model.shots import Angle, Kind, Move, Movement, Size
from callsheet_studio.shots.chance import pick
from callsheet_studio.shots.grammar import BEARING_STEP, SIZE_STEPS, alike
from callsheet_studio.shots.moves import (
    directed,
    moves,
    needs,
    read_movement,
    reads,
    walks,
)
from callsheet_studio.shots.scenes import AGAINST, TENSE

if TYPE_CHECKING:
    from callsheet_studio.model.script import Beat
    from callsheet_studio.shots.moments import Moment, Role
    from callsheet_studio.shots.scenes import Scene

SIZES: tuple[Size, ...] = get_args(Size)

_FLAT = re.compile(
    r"\b(?:table|paper|papers|list|lists|map|desk|board|plan|letters|tisch|papier|liste|listen|"
    r"karte|briefe|tabelle|zettel)\b",
    re.IGNORECASE,
)
_TRIUMPH = frozenset(("midpoint", "product_reveal", "climax", "resolution", "call_to_action"))
_STRONG, _EXTREME = 8, 9
"""Intensities from which a beat carries and overwhelms."""

_ALLOWED: dict[Role, tuple[int, ...]] = {
    "establish": (0, 1, 2),
    "action": (1, 2, 3, 4, 5, 6),
    "face": (5, 6),
    "over": (4, 5),
    "detail": (6, 7),
    "screen": (4, 5, 6, 7),
    "product": (3, 4, 5, 6),
    "speaker": (4, 5, 6),
    "two": (3, 4),
    "card": (3, 4, 5),
    "graphic": (3, 4, 5),
}
"""Steps of size that a role can have."""
_WITH_FEET = (1, 2)
"""Steps at which somebody is seen with what is as large as they are."""
_OPENING = (0, 1, 2, 3)
"""Steps that show where we are."""
_TABLES = frozenset(("product_table", "phone_screen", "laptop_screen"))
"""Sets that have no far end."""
_SEATS = frozenset(("car_interior",))
_SITS = {False: (5, 6), True: (4,)}
"""Steps at which somebody is seen who sits there, and has no room to stand: alone, with others."""
_CLOSE = frozenset(("product", "screen", "card", "detail", "graphic"))
"""Roles whose place is a table or a screen: to open wide would lose them."""
_BEARING: dict[Role, int] = {
    "establish": 45,
    "action": 30,
    "face": 15,
    "over": 135,
    "detail": 60,
    "screen": 0,
    "product": 30,
    "speaker": 20,
    "two": 75,
    "card": 0,
    "graphic": 0,
}
_RHYTHM = (0.0, 0.9, -1.6, 0.5, -0.7, 1.5)
"""By how many steps the shots of a scene swing nearer and further, one after the other."""
_RARE = 4
"""Shots after which a special angle may come again."""
_AROUND = (15, 45, 75, 105, 135, 0)
_TO_SEE_A_FACE = (15, 45, 75)
_LARGE = 0.9
"""Metres of a thing that nobody holds."""
_PEOPLE = 1
"""Step of size from which one sees who it is."""


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody has prescribed. It is kept, whatever follows from it."""

    size: Size | None = None
    kind: Kind | None = None
    angle: Angle | None = None
    movement: Movement | None = None
    nearest: Size | None = None
    """Somebody is to be recognised by what they do: not nearer than this, nor from behind."""


class Frame(msgspec.Struct, frozen=True):
    """How one moment is filmed."""

    moment: Moment
    scene: int
    size: Size
    kind: Kind
    angle: Angle
    bearing: int
    movement: Movement
    lens_mm: int

    @property
    def step(self) -> int:
        """How near it is."""
        return SIZES.index(self.size)


@dataclass(slots=True)
class Operator:
    """Films moment after moment, and remembers how."""

    identity: str
    """Of the film."""
    frames: list[Frame] = field(default_factory=list)
    _about: str = ""
    """What is chosen by chance now: for which view of whom, and where.

    Not for which shot of the film: a shot more, or a word less, leaves the others as they were.
    """
    _views: Counter[str] = field(default_factory=Counter)

    def film(
        self, moment: Moment, beat: Beat, scene: Scene, seconds: float, opens: bool, wish: Wish
    ) -> Frame:
        """Decide how a moment is filmed."""
        view = f"{scene.place}/{beat.function.part}/{moment.subject}"
        self._views[view] += 1
        self._about = f"{view}/{self._views[view]}"
        chosen = self._step(moment, beat, scene, wish, opens=opens)
        step = SIZES.index(wish.size) if wish.size else chosen
        kind = wish.kind or ("standard" if opens else _kind(moment, step))
        frame = Frame(
            moment=moment,
            scene=scene.number,
            size=SIZES[step],
            kind=kind,
            angle=wish.angle or self._angle(moment, beat),
            bearing=self._bearing(moment, step, scene, wish),
            movement=wish.movement or self._movement(moment, beat, scene, seconds, step),
            lens_mm=self._lens(SIZES[step]),
        )
        self.frames.append(frame)
        return frame

    @property
    def last(self) -> Frame | None:
        """The frame before."""
        return self.frames[-1] if self.frames else None

    def _in_scene(self, scene: Scene) -> int:
        return sum(1 for frame in self.frames if frame.scene == scene.number)

    # Size

    def _step(self, moment: Moment, beat: Beat, scene: Scene, wish: Wish, *, opens: bool) -> int:
        intensity = beat.emotion.intensity
        allowed = _allowed(moment, scene, intensity, opens=opens)
        if wish.nearest:
            nearest = SIZES.index(wish.nearest)
            allowed = tuple(s for s in allowed if _PEOPLE <= s <= nearest) or (nearest,)
        if scene.entry.id in _SEATS and moment.figures:
            sits = _SITS[len(moment.figures) > 1]
            allowed = tuple(step for step in allowed if step in sits) or sits
        if scene.is_bare and moment.figures:
            # What has no drawing is not seen around a face.
            allowed = (SIZES.index("MS" if len(moment.figures) > 1 else "MCU"),)
        wanted = _wanted(moment, intensity, opens=opens)
        if opens:
            swing = pick(self.identity, f"opening/{self._about}", 4) * 0.5
            wanted += swing * bool(moment.figures)
        if moment.role == "action" and not opens:
            wanted += _RHYTHM[self._in_scene(scene) % len(_RHYTHM)]
        asked = beat.visual.size if moment.main else ""
        return min(allowed, key=lambda step: (self._cost(step, wanted, moment, asked), step))

    def _cost(self, step: int, wanted: float, moment: Moment, asked: str) -> float:
        cost = abs(step - wanted) - 1.2 * (SIZES[step] == asked)
        cost += pick(self.identity, f"{step}/{self._about}", 30) / 100
        for back, weight in ((1, 2.2), (2, 1.3), (3, 0.4)):
            if len(self.frames) >= back and self.frames[-back].step == step:
                cost += weight
        if self.last and _same_subject(self.last.moment, moment):
            cost += 1.0 * (abs(self.last.step - step) < SIZE_STEPS)
        return cost

    # Side and angle

    def _bearing(self, moment: Moment, step: int, scene: Scene, wish: Wish) -> int:
        usual = _BEARING[moment.role]
        if usual:
            usual += 5 * pick(self.identity, f"bearing/{self._about}", 4)
        last = self.last
        if last is None or not _same_subject(last.moment, moment):
            return usual * scene.side
        if abs(last.step - step) >= SIZE_STEPS:
            return usual * scene.side
        faces = wish.nearest or moment.role in ("face", "speaker")
        around = _TO_SEE_A_FACE if faces else _AROUND
        far = [b for b in (usual, *around) if abs(b * scene.side - last.bearing) >= BEARING_STEP]
        nearest: int = min(far, key=lambda b: abs(b - usual))
        return nearest * scene.side

    def _angle(self, moment: Moment, beat: Beat) -> Angle:
        chosen = self._angle_for(moment, beat)
        if chosen == "high" and pick(self.identity, f"angle/{self._about}", 2):
            return "eye"
        repeated = any(frame.angle == chosen for frame in self.frames[-_RARE:])
        return "eye" if repeated else chosen

    def _angle_for(self, moment: Moment, beat: Beat) -> Angle:
        part, intensity = beat.function.part, beat.emotion.intensity
        if moment.role == "detail":
            return "overhead" if _FLAT.search(moment.text) else "eye"
        if moment.role not in ("action", "establish", "product", "two"):
            return "eye"
        if part in AGAINST and intensity >= _EXTREME and moment.figures:
            dutch = any(frame.angle == "dutch" for frame in self.frames)
            return "high" if dutch else "dutch"
        if part in AGAINST and intensity >= TENSE and (moment.figures or not moment.main):
            return "high"
        hero = moment.role == "product" or bool(moment.figures)
        strong = part in _TRIUMPH and intensity >= _STRONG and hero
        return "low" if strong else "eye"

    # Movement and lens

    def _movement(
        self, moment: Moment, beat: Beat, scene: Scene, seconds: float, step: int
    ) -> Movement:
        asked = read_movement(beat.visual.movement) if moment.main else None
        options = [*moves(moment, beat, scene)]
        if self.last is None and asked is not None and asked.kind == "whip":
            asked = None  # there is nothing yet to whip away from
        if asked is not None and asked.kind != "static" and moment.role not in ("card", "speaker"):
            options.insert(0, directed(asked, scene))
        fair = [m for m in options if seconds >= needs(m) and reads(m, step)] or [
            Movement(kind="static")
        ]
        costs = {m.kind: place + self._stale(m.kind) for place, m in reversed([*enumerate(fair)])}
        return min(fair, key=lambda m: costs[m.kind])

    def _stale(self, kind: Move) -> int:
        last = [frame.movement.kind for frame in self.frames[-2:]]
        weight = 1 if kind == "static" else 3
        return weight * last.count(kind)

    def _lens(self, size: Size) -> int:
        first, *others = sizes()[size].lens
        last = self.last
        again = last is not None and last.size == size and last.lens_mm == first
        return others[0] if again and others else first


def _allowed(moment: Moment, scene: Scene, intensity: int, *, opens: bool) -> tuple[int, ...]:
    """The steps of size that a moment can have."""
    allowed = _OPENING if opens else _ALLOWED[moment.role]
    if moment.figures and any(_is_large(each) for each in moment.things):
        return _WITH_FEET
    if opens and moment.role in ("speaker", "two", "detail"):
        return _OPENING[3:]
    if opens and scene.entry.id in _TABLES:
        return _OPENING[2:]
    if moment.role == "action" and walks(moment.text):
        return tuple(step for step in allowed if step <= SIZES.index("MS"))
    if moment.role == "face" and intensity >= _EXTREME and not opens:
        return (*allowed, SIZES.index("ECU"))
    return allowed


def _is_large(thing: str) -> bool:
    return catalog()[thing.partition(":")[0]].metres >= _LARGE


def _wanted(moment: Moment, intensity: int, *, opens: bool) -> float:
    """The step that a moment asks for: nearer as it grows more intense."""
    if opens:
        empty = moment.role == "establish" or not (moment.figures or moment.role in _CLOSE)
        return 0.7 if empty else 1.0 + intensity * 0.1
    return {
        "establish": 1.0,
        "action": 2.4 + intensity * 0.3,
        "over": 4.5,
        "face": 5.0 + max(intensity - 5, 0) * 0.3,
        "detail": 6.2,
        "screen": 5.6,
        "product": 3.6 + intensity * 0.15,
        "speaker": 4.6 + max(intensity - 6, 0) * 0.3,
        "two": 3.4,
        "card": 4.0,
        "graphic": 4.0,
    }[moment.role]


def _kind(moment: Moment, step: int) -> Kind:
    match moment.role:
        case "detail":
            return "INSERT"
        case "screen" | "product" if step >= SIZES.index("MCU"):
            return "INSERT"
        case "two":
            return "TWO_SHOT"
        case "over":
            return "OTS"
        case _:
            return "standard"


def _same_subject(one: Moment, other: Moment) -> bool:
    return alike((one.subject, one.figures), (other.subject, other.figures))
