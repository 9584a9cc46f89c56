"""Where the camera stands and what it does: size, angle, side, movement and lens, with intent.

Sizes follow what a shot is for and how intense its beat is, and never repeat the last one without a
reason. The side of a scene's line is kept throughout; what is too like the shot before it is moved
around its subject by 30° or more.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, get_args

from callsheet.studio.library import sizes
from callsheet.studio.model.shots import Angle, Kind, Move, Movement, Size
from callsheet.studio.shots.chance import pick
from callsheet.studio.shots.grammar import BEARING_STEP, SIZE_STEPS, alike
from callsheet.studio.shots.moves import directed, moves, needs, read_movement
from callsheet.studio.shots.scenes import AGAINST, TENSE

if TYPE_CHECKING:
    from callsheet.studio.model.script import Beat
    from callsheet.studio.shots.moments import Moment, Role
    from callsheet.studio.shots.scenes import Scene

SIZES: tuple[Size, ...] = get_args(Size)

_FLAT = re.compile(
    r"\b(?:table|paper|papers|list|lists|map|desk|board|plan|letters|tisch|papier|liste|listen|"
    r"karte|plan|briefe|tabelle|zettel)\b",
    re.IGNORECASE,
)
_TRIUMPH = frozenset(("midpoint", "product_reveal", "climax", "resolution", "call_to_action"))
_STRONG, _EXTREME = 8, 9
"""Intensities from which a beat carries and overwhelms."""

_ALLOWED: dict[Role, tuple[int, ...]] = {
    "establish": (0, 1, 2),
    "action": (2, 3, 4, 5),
    "face": (5, 6, 7),
    "detail": (6, 7),
    "screen": (4, 5, 6, 7),
    "product": (3, 4, 5, 6),
    "speaker": (4, 5, 6),
    "two": (2, 3, 4),
    "card": (3, 4, 5),
}
"""Steps of size that a role can have."""
_OPENING = (0, 1, 2, 3)
"""Steps that show where we are."""
_CLOSE = frozenset(("product", "screen", "card", "detail"))
"""Roles whose place is a table or a screen: to open wide would lose them."""
_BEARING: dict[Role, int] = {
    "establish": 45,
    "action": 30,
    "face": 15,
    "detail": 60,
    "screen": 0,
    "product": 30,
    "speaker": 20,
    "two": 75,
    "card": 0,
}
_AROUND = (15, 45, 75, 105, 135, 0)
_TO_SEE_A_FACE = (15, 45, 75)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What somebody has prescribed. It is kept, whatever follows from it."""

    size: Size | None = None
    kind: Kind | None = None
    angle: Angle | None = None
    movement: Movement | None = None


@dataclass(frozen=True, slots=True)
class Frame:
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

    digest: str
    frames: list[Frame] = field(default_factory=list)

    def film(
        self, moment: Moment, beat: Beat, scene: Scene, seconds: float, opens: bool, wish: Wish
    ) -> Frame:
        """Decide how a moment is filmed."""
        step = SIZES.index(wish.size) if wish.size else self._step(moment, beat, opens=opens)
        kind = wish.kind or ("standard" if opens else _kind(moment, step))
        frame = Frame(
            moment=moment,
            scene=scene.number,
            size=SIZES[step],
            kind=kind,
            angle=wish.angle or self._angle(moment, beat),
            bearing=self._bearing(moment, step, scene),
            movement=wish.movement or self._movement(moment, beat, scene, seconds),
            lens_mm=self._lens(SIZES[step]),
        )
        self.frames.append(frame)
        return frame

    @property
    def last(self) -> Frame | None:
        """The frame before."""
        return self.frames[-1] if self.frames else None

    # Size

    def _step(self, moment: Moment, beat: Beat, *, opens: bool) -> int:
        allowed = _OPENING if opens else _ALLOWED[moment.role]
        wanted = _wanted(moment, beat.emotion.intensity, opens=opens)
        asked = beat.visual.size if moment.main else ""
        return min(allowed, key=lambda step: (self._cost(step, wanted, moment, asked), step))

    def _cost(self, step: int, wanted: float, moment: Moment, asked: str) -> float:
        cost = abs(step - wanted) - 1.2 * (SIZES[step] == asked)
        place = f"{len(self.frames)}/{step}"
        cost += pick(self.digest, place, 30) / 100
        for back, weight in ((1, 1.5), (2, 0.6)):
            if len(self.frames) >= back and self.frames[-back].step == step:
                cost += weight
        if self.last and _same_subject(self.last.moment, moment):
            cost += 2.0 * (abs(self.last.step - step) < SIZE_STEPS)
        return cost

    # Side and angle

    def _bearing(self, moment: Moment, step: int, scene: Scene) -> int:
        usual = _BEARING[moment.role]
        last = self.last
        if last is None or not _same_subject(last.moment, moment):
            return usual * scene.side
        if abs(last.step - step) >= SIZE_STEPS:
            return usual * scene.side
        around = _TO_SEE_A_FACE if moment.role in ("face", "speaker") else _AROUND
        far = [b for b in (usual, *around) if abs(b * scene.side - last.bearing) >= BEARING_STEP]
        nearest: int = min(far, key=lambda b: abs(b - usual))
        return nearest * scene.side

    def _angle(self, moment: Moment, beat: Beat) -> Angle:
        chosen = self._angle_for(moment, beat)
        repeated = self.last is not None and self.last.angle == chosen
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
        strong = part in _TRIUMPH and intensity >= _STRONG and moment.role != "establish"
        return "low" if strong else "eye"

    # Movement and lens

    def _movement(self, moment: Moment, beat: Beat, scene: Scene, seconds: float) -> Movement:
        asked = read_movement(beat.visual.movement) if moment.main else None
        options = [*moves(moment, beat, scene)]
        if asked is not None and asked.kind != "static" and moment.role not in ("card", "speaker"):
            options.insert(0, directed(asked, scene))
        fair = [m for m in options if seconds >= needs(m)] or [Movement(kind="static")]
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


def _wanted(moment: Moment, intensity: int, *, opens: bool) -> float:
    """The step that a moment asks for: nearer as it grows more intense."""
    if opens:
        empty = moment.role == "establish" or not (moment.figures or moment.role in _CLOSE)
        return 0.7 if empty else 1.2 + intensity * 0.15
    return {
        "establish": 1.0,
        "action": 2.4 + intensity * 0.3,
        "face": 5.0 + max(intensity - 5, 0) * 0.3,
        "detail": 6.2,
        "screen": 5.6,
        "product": 3.6 + intensity * 0.15,
        "speaker": 4.6 + max(intensity - 6, 0) * 0.3,
        "two": 3.4,
        "card": 4.0,
    }[moment.role]


def _kind(moment: Moment, step: int) -> Kind:
    match moment.role:
        case "detail":
            return "INSERT"
        case "screen" | "product" if step >= SIZES.index("MCU"):
            return "INSERT"
        case "two":
            return "TWO_SHOT"
        case _:
            return "standard"


def _same_subject(one: Moment, other: Moment) -> bool:
    return alike((one.subject, one.figures), (other.subject, other.figures))
