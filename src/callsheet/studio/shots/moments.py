"""What each shot of a beat shows: which part of its action, or what belongs to it.

An action is cut at its sentences. Where there are more shots than sentences, a director would show
where we are, a detail of it, or what it does to somebody's face: these are added.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
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
    "establish", "action", "face", "over", "detail", "screen", "product", "speaker", "two", "card"
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
    r"\b(?:smil|star(?:es|ing)|frown|nod|sigh|breath|blink|laugh|grin|cri|look|gaz|watches|lächel|"
    r"temple|forehead|brow|head|blick|schaut|starrt|nickt|atmet|seufz|lacht|staunt|kopf|stirn)\w*",
    re.IGNORECASE,
)
_CLOSE_UP = re.compile(
    r"\b(?:details?|close(?: on)?|hands?|fingers?|thumb|in focus|drawn large|nahaufnahme|ganz nah|"
    r"aus der nähe|hände[n]?|finger|groß gezeichnet)\b",
    re.IGNORECASE,
)
_WORKS_AT = re.compile(
    r"\b(?:reads?|scrolls?|types?|taps?|checks|studies|unfolds|liest|scrollt|tippt|prüft|studiert|"
    r"screen|tablet|laptop|bildschirm)\b",
    re.IGNORECASE,
)
"""Somebody and what they have before them: seen over their shoulder."""
_SCREEN_SETS = frozenset(("phone_screen", "laptop_screen"))
_FACES_FIRST = frozenset(
    ("hook", "pain_point", "inciting_event", "trust", "climax", "resolution", "midpoint", "setup")
)
_REMARK = 4
"""Words up to which a sentence without a name belongs to the one before it."""
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
    answers: bool = False
    """Whether somebody looks back at whoever spoke first in the scene."""


@dataclass(slots=True)
class Shown:
    """What the film has shown so far, so that no detail comes twice before all have come once."""

    figures: tuple[str, ...] = ()
    details: dict[str, int] = field(default_factory=dict)

    def tell(self, part: str, details: tuple[str, ...]) -> None:
        """Remember a detail that an action itself shows."""
        for detail in details:
            if part.lower().startswith(detail.lower()):
                self.details[detail] = self.details.get(detail, 0) + 1

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
        for part in parts_of(self._told(beat, count), count):
            found.append(self.moment(part, scene, shown, beat.visual.keywords))
            shown.tell(part, details_of(scene.entry, self.language))
        found = [
            _varied(moment, before) for moment, before in zip(found, [None, *found], strict=False)
        ]
        # What a film ends on is its card, whatever else is seen in the beat.
        found.sort(key=lambda moment: moment.role == "card")
        wide = found[0].role in ("card", "establish") if found else False
        if not found or (opens and len(found) < count and not wide):
            found.insert(0, self._view(scene))
        extras = self._extras(found, beat, scene, count - len(found), shown)
        return _woven(found, extras)

    def _told(self, beat: Beat, count: int) -> list[str]:
        """The sentences of an action; where a card is all there is time for, the card."""
        action = beat.script.action
        for figure in self.cast.figures:
            # Whoever was described once is called by name: their look is in the references.
            if figure.look.startswith(figure.name):
                action = action.replace(figure.look, figure.name)
        sentences = self._glued(
            [part for part in _SENTENCE.split(" ".join(action.split())) if part]
        )
        cards = [part for part in sentences if self._is_card(part)]
        return cards if count == 1 and cards else sentences

    def _glued(self, sentences: list[str]) -> list[str]:
        """`No cut.` is no picture of its own: it stays with the sentence before it, or after."""
        found: list[str] = []
        for number, part in enumerate(sentences):
            joins = number > 0 and (self._remark(part) or self._remark(found[-1]))
            if joins and not self._is_card(part) and not self._is_card(found[-1]):
                found[-1] = f"{found[-1]} {part}"
            else:
                found.append(part)
        return found

    def _remark(self, part: str) -> bool:
        shows = (
            _CLOSE_UP.search(part) or _SCREEN.search(part) or names_any(part, (self._product(),))
        )
        return len(part.split()) <= _REMARK and not shows and not self.cast.named(part)

    def _is_card(self, part: str) -> bool:
        return bool(_CARD.search(part)) or names_any(part, (self.brief.message.cta.rstrip("."),))

    def moment(
        self, part: str, scene: Scene, shown: Shown, keywords: tuple[str, ...] = ()
    ) -> Moment:
        """One part of an action; who is named in it is meant by the pronouns after it."""
        figures = self.cast.seen(part, shown.figures)
        shown.figures = figures or shown.figures
        role = self._role(part, scene, figures)
        if role in ("card", "product"):
            return Moment(role, sentence(part), self._product())
        if role == "screen":
            found = _SCREEN.search(part)
            thing = found[0].lower() if found else "screen"
            return Moment(role, sentence(part), thing)
        if role == "establish":
            return Moment(role, sentence(part), scene.place)
        if role == "detail":
            return Moment(role, sentence(part), self._noun(part, keywords) or part[:40])
        subject = " & ".join(figures) or self._noun(part, keywords) or scene.place
        return Moment(role, sentence(part), subject, figures)

    def _noun(self, part: str, keywords: tuple[str, ...]) -> str:
        """What a part speaks of: a keyword of its beat, or how it begins."""
        named = [word for word in keywords if names_any(part, (word,))]
        thing = next((word for word in named if " " in word), "")
        return thing or leading_noun(part, self.language) or next(iter(named), "")

    def _role(self, part: str, scene: Scene, figures: tuple[str, ...]) -> Role:
        if self._is_card(part) or (scene.entry.id == "abstract" and not figures):
            return "card"
        if _HANDS.search(part) and not self.cast.named(part):
            return "detail"
        if not figures:
            return self._thing(part, scene)
        if len(figures) > 1:
            return "two"
        return "action" if self.cast.many(figures[0]) else _alone(part)

    def _thing(self, part: str, scene: Scene) -> Role:
        told = part.lower()
        if told.startswith(view_of(scene.entry, "", self.language).lower().rstrip(" ,.")):
            return "establish"
        if _SCREEN.search(part):
            return "screen"
        if names_any(part, (self._product(),)) or scene.entry.id == "product_table":
            return "product"
        if scene.entry.id in _SCREEN_SETS:
            return "screen"
        listed = told.startswith(tuple(d.lower() for d in details_of(scene.entry, self.language)))
        return "detail" if listed or _CLOSE_UP.search(part) else "action"

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


def parts_of(sentences: list[str], count: int) -> list[str]:
    """Sentences in at most so many parts, with nothing lost."""
    parts = list(sentences)
    while len(parts) < count:
        cut = next((both for part in parts if (both := _in_two(part))), None)
        if cut is None:
            break
        at = parts.index(cut[0])
        parts[at : at + 1] = cut[1:]
    while len(parts) > count:
        at = min(range(len(parts) - 1), key=lambda i: len(parts[i]) + len(parts[i + 1]))
        parts[at : at + 2] = [f"{sentence(parts[at])} {parts[at + 1]}"]
    return parts


def _varied(moment: Moment, before: Moment | None) -> Moment:
    """One face after the other says nothing new: the second is seen from further away."""
    again = before is not None and moment.role == before.role == "face"
    return replace(moment, role="action") if again else moment


def _alone(part: str) -> Role:
    """What a shot of one person is: their face, what they work at, or what they do."""
    if _FACE.search(part):
        return "face"
    return "over" if _WORKS_AT.search(part) else "action"


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
