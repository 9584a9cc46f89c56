"""What each shot of a beat shows: which part of its action, or what belongs to it.

An action is cut at its sentences. Where there are more shots than sentences, a director would show
where we are, a detail of it, or what it does to somebody's face: these are added.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from callsheet.studio.shots.chance import pick
from callsheet.studio.shots.scenes import names_any
from callsheet.studio.shots.wording import details_of, face_of, leading_noun, sentence, view_of

if TYPE_CHECKING:
    from callsheet.studio.model.brief import Brief
    from callsheet.studio.model.script import Beat
    from callsheet.studio.shots.cast import Cast
    from callsheet.studio.shots.scenes import Scene

Role = Literal[
    "establish", "action", "face", "detail", "screen", "product", "speaker", "two", "card"
]

_SENTENCE = re.compile(r"(?<=[.!?\u2026])[\"'\u201d\u00bb]?\s+")
_FURTHER = re.compile(
    r";\s+|,?\s+(?:then|while|until|und dann|während|bis|dann)\s+|,\s+(?:as|als)\s+", re.IGNORECASE
)
_SCREEN = re.compile(
    r"\b(?:screens?|apps?|phone|smartphone|laptop|tablet|dashboard|display|monitor|notification|"
    r"cursor|bildschirm\w*|handy\w*|tablet|anzeige|mauszeiger|benachrichtigung)\b",
    re.IGNORECASE,
)
_HANDS = re.compile(
    r"\A(?:\W*(?:a|the|her|his|their|two|ein|eine|der|die|das|ihre?|seine?|zwei)\s+)?"
    r"(?:[\w-]+\s+)?(?:hands?|fingers?|thumbs?|eyes|hände|daumen|augen|close on|detail)\b",
    re.IGNORECASE,
)
_CARD = re.compile(
    r"\b(?:end card|title card|logo|lettering|wordmark|schlusskarte|titelkarte|schriftzug)\b",
    re.IGNORECASE,
)
_FACE = re.compile(
    r"\b(?:smil|star(?:es|ing)|frown|nod|sigh|breath|blink|laugh|grin|cri|looks|gaz|watches|lächel|"
    r"blick|schaut|starrt|nickt|atmet|seufz|lacht|staunt)\w*",
    re.IGNORECASE,
)
_SCREEN_SETS = frozenset(("phone_screen", "laptop_screen"))
_FACES_FIRST = frozenset(
    ("hook", "pain_point", "inciting_event", "trust", "climax", "resolution", "midpoint", "setup")
)
_SHORTEST = 3
"""Words of a part of an action that can stand as a picture of its own."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What one shot shows."""

    role: Role
    text: str
    subject: str
    figures: tuple[str, ...] = ()
    main: bool = True
    """Whether it is part of the beat's own action."""


@dataclass(slots=True)
class Shown:
    """What the film has shown so far, so that no detail comes twice before all have come once."""

    figures: tuple[str, ...] = ()
    details: dict[str, int] = field(default_factory=dict)

    def fewest(self, options: list[str]) -> str:
        """Of the options the first that was shown least, and remember it."""
        best = min(options, key=lambda option: self.details.get(option, 0))
        self.details[best] = self.details.get(best, 0) + 1
        return best


@dataclass(frozen=True, slots=True)
class Director:
    """Decides what is shown."""

    brief: Brief
    cast: Cast
    language: str

    def moments(
        self, beat: Beat, scene: Scene, count: int, shown: Shown, *, opens: bool
    ) -> list[Moment]:
        """As many moments as the beat has shots. One that opens a scene shows where we are."""
        found = []
        for part in parts_of(beat.script.action, count):
            found.append(self.moment(part, scene, shown))
            shown.figures = found[-1].figures or shown.figures
        if opens and len(found) < count and found[0].role != "card":
            found.insert(0, self._view(scene))
        extras = self._extras(found, beat, scene, count - len(found), shown)
        return _woven(found, extras)

    def moment(self, part: str, scene: Scene, shown: Shown) -> Moment:
        """One part of an action."""
        figures = self.cast.seen(part, shown.figures)
        role = self._role(part, scene, figures)
        if role in ("card", "product"):
            return Moment(role, sentence(part), self._product())
        if role == "screen":
            found = _SCREEN.search(part)
            thing = found[0].lower() if found else "screen"
            return Moment(role, sentence(part), thing)
        if role == "detail":
            return Moment(role, sentence(part), leading_noun(part, self.language) or part[:40])
        subject = " & ".join(figures) or leading_noun(part, self.language) or scene.place
        return Moment(role, sentence(part), subject, figures)

    def _role(self, part: str, scene: Scene, figures: tuple[str, ...]) -> Role:
        if _CARD.search(part) or (scene.entry.id == "abstract" and not figures):
            return "card"
        if _HANDS.search(part):
            return "detail"
        if not figures and (_SCREEN.search(part) or scene.entry.id in _SCREEN_SETS):
            return "screen"
        named = names_any(part, (self._product(),))
        if not figures and (named or scene.entry.id == "product_table"):
            return "product"
        if len(figures) == 1 and not self.cast.many(figures[0]) and _FACE.search(part):
            return "face"
        return "two" if len(figures) > 1 else "action"

    def _product(self) -> str:
        return self.brief.message.brand or self.brief.project.title

    def _view(self, scene: Scene) -> Moment:
        text = view_of(scene.entry, scene.time, self.language)
        return Moment("establish", text, scene.place, main=False)

    def _extras(
        self, found: list[Moment], beat: Beat, scene: Scene, count: int, shown: Shown
    ) -> list[Moment]:
        """What belongs to the action and is not in it: a face once, then details."""
        if count <= 0:
            return []
        seen = [name for moment in found for name in moment.figures]
        face = [self._face(seen[0], beat)] if seen and not self.cast.many(seen[0]) else []
        faces_first = beat.function.part in _FACES_FIRST
        details = [self._detail(beat, scene, shown) for _ in range(count - (count > 1) * len(face))]
        ordered = [*face, *details] if faces_first else [*details[:1], *face, *details[1:]]
        return ordered[:count]

    def _face(self, name: str, beat: Beat) -> Moment:
        text = face_of(name, beat.emotion.character, self.language)
        return Moment("face", text, name, (name,), main=False)

    def _detail(self, beat: Beat, scene: Scene, shown: Shown) -> Moment:
        avoid = self.brief.message.must_avoid
        listed = list(details_of(scene.entry, self.language))
        turn = pick(self.brief.digest, scene.place, len(listed))
        options = [*listed[turn:], *listed[:turn], *beat.visual.keywords]
        fair = [option for option in options if not names_any(option, avoid)]
        text = shown.fewest(fair or [scene.place])
        return Moment("detail", sentence(text), text, main=False)


def parts_of(action: str, count: int) -> list[str]:
    """An action in at most so many parts, with nothing lost."""
    parts = [part for part in _SENTENCE.split(" ".join(action.split())) if part]
    while len(parts) < count:
        cut = next((both for part in parts if (both := _in_two(part))), None)
        if cut is None:
            break
        at = parts.index(cut[0])
        parts[at : at + 1] = cut[1:]
    while len(parts) > count:
        at = min(range(len(parts) - 1), key=lambda i: len(parts[i]) + len(parts[i + 1]))
        parts[at : at + 2] = [f"{sentence(parts[at])} {parts[at + 1]}"]
    return parts or [action]


def _in_two(part: str) -> tuple[str, str, str] | None:
    for found in _FURTHER.finditer(part):
        first, second = part[: found.start()], part[found.end() :]
        if min(len(first.split()), len(second.split())) >= _SHORTEST:
            return part, sentence(first), second
    return None


def _woven(found: list[Moment], extras: list[Moment]) -> list[Moment]:
    """Each extra behind the part it belongs to; a card stays the last."""
    woven: list[Moment] = []
    rest = list(extras)
    for moment in found:
        if moment.role == "card":
            woven += rest
            rest = []
        woven.append(moment)
        if rest and moment.main:
            woven.append(rest.pop(0))
    return woven + rest
