"""What each shot of a beat shows: which part of its action, or what belongs to it.

An action is cut at its sentences. Where there are more shots than sentences, a director would show
where we are, a detail of it, or what it does to somebody's face: these are added.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec.structs import replace

from callsheet_studio.library import slug_card, weather_in
from callsheet_studio.library.things import called, catalog, named_things
from callsheet_studio.shots.chance import pick
from callsheet_studio.shots.cues import (
    CARD,
    CLOSE_UP,
    DEVICE,
    FACE,
    HANDS,
    SCREEN,
    UNDRAWN,
    WORKS_AT,
)
from callsheet_studio.shots.scenes import names_any
from callsheet_studio.shots.wording import (
    card_with,
    close_on,
    details_of,
    faces_of,
    leading_noun,
    sentence,
    view_of,
)

if TYPE_CHECKING:
    from callsheet_studio.model.base import Graphic
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.script import Beat
    from callsheet_studio.shots.cast import Cast
    from callsheet_studio.shots.scenes import Scene

Role = Literal[
    "establish",
    "action",
    "face",
    "over",
    "detail",
    "screen",
    "product",
    "speaker",
    "two",
    "card",
    "graphic",
]

_SENTENCE = re.compile(
    r"(?<=[.!?\u2026])(?<!\bMrs\.)(?<!\bM[rs]\.)(?<!\b[DF]r\.)[\"'\u201d\u00bb]?\s+",
    re.IGNORECASE,
)
"""Between two sentences; `MRS. PELL` is in one."""
_FURTHER = re.compile(
    r";\s+|,?\s+(?:then|while|until|und dann|während|bis|dann)\s+|,\s+(?:as|als)\s+", re.IGNORECASE
)
_SCREEN_SETS = frozenset(("phone_screen", "laptop_screen"))
_FACES_FIRST = frozenset(
    ("hook", "pain_point", "inciting_event", "trust", "climax", "resolution", "midpoint", "setup")
)
_FIXED = frozenset(("door", "window"))
"""Things that are seen where they are built in."""
_OUT_THERE = frozenset(("lamp", "sun", "cloud", "snowflake", "tree"))
"""Things that are seen in their place, out of doors."""
_PAIR = 2
_LARGE = 1.5
"""Metres of a thing that is seen in its place, and not from near."""
_ALIVE = frozenset(("dog", "dog_sitting", "cat", "sheep", "bird", "hedgehog", "fish", "bee"))
_REMARK = 4
"""Words up to which a sentence without a name belongs to the one before it."""
_SHORTEST = 3
"""Words of a part of an action that can stand as a picture of its own."""


class Moment(msgspec.Struct, frozen=True):
    """What one shot shows."""

    role: Role
    text: str
    subject: str
    figures: tuple[str, ...] = ()
    main: bool = True
    """Whether it is part of the beat's own action."""
    answers: bool = False
    """Whether somebody looks back at whoever spoke first in the scene."""
    things: tuple[str, ...] = ()
    """What it is a picture of, where that is known."""
    graphic: Graphic | None = None
    fact: bool = False
    """Whether it is a card with a fact, and not one that names the film."""
    said: str = ""
    """The words that it goes with, where that is known."""


@dataclass(slots=True)
class Shown:
    """What the film has shown so far, so that no detail comes twice before all have come once."""

    figures: tuple[str, ...] = ()
    details: dict[str, int] = field(default_factory=dict)
    texts: set[str] = field(default_factory=set)
    known: tuple[str, ...] = ()
    """Everybody who was seen, the last first."""
    device: str = ""
    """The device that was spoken of last, if one was."""

    def meet(self, figures: tuple[str, ...]) -> None:
        """Remember who is seen now."""
        self.known = tuple(dict.fromkeys((*figures, *self.known)))

    def again(self, text: str) -> bool:
        """Whether the film has shown it."""
        return text in self.texts

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


class Director(msgspec.Struct, frozen=True):
    """Decides what is shown."""

    brief: Brief
    cast: Cast
    language: str
    own: bool = False
    """Whether somebody has written what is seen: then nothing is seen that they have not."""

    def moments(
        self, beat: Beat, scene: Scene, counts: tuple[int, int], shown: Shown, *, opens: bool
    ) -> list[Moment]:
        """As many moments as the beat has shots. One that opens a scene shows where we are.

        Args:
            beat: its action is cut into parts.
            scene: where it is.
            counts: the fewest shots that it can have, and how many would be good.
            shown: what the film has shown; changed.
            opens: whether the scene begins with it.
        """
        fewest, count = counts
        found: list[Moment] = []
        for part in parts_of(self._told(beat, count), count):
            moment = self.moment(part, scene, shown, beat.visual.keywords)
            again = found and not beat.script.dialogue and shown.again(moment.text)
            if again and not self.own:
                moment = self._instead(moment, scene, shown)
            shown.tell(part, details_of(scene.entry, self.language))
            shown.texts.add(moment.text)
            found.append(moment)
        found = [
            _varied(moment, before) for moment, before in zip(found, [None, *found], strict=False)
        ]
        # What a film ends on is its card, whatever else is seen in the beat.
        found.sort(key=lambda moment: moment.role == "card")
        if opens and found and found[0].role == "face" and UNDRAWN.search(found[0].text):
            # From so far as a scene opens they would stand there: the place alone is no lie.
            found[0] = replace(found[0], role="establish", figures=(), subject=scene.place)
        wide = found[0].role in ("card", "establish") if found else False
        if not found or (opens and len(found) < count and not wide and not self.own):
            found.insert(0, self._view(scene))
        if self.own:
            found = self._in_sight(found, scene, beat, shown)
            found += self._held(found, beat, scene, fewest - len(found), shown)
            return found
        extras = self._extras(found, beat, scene, count - len(found), shown)
        return _woven(found, extras)

    def _in_sight(
        self, found: list[Moment], scene: Scene, beat: Beat, shown: Shown
    ) -> list[Moment]:
        """In a place that has no drawing: faces, things from near, or a card; no bare walls."""
        if not scene.is_bare:
            return [self._at_hand(moment) for moment in found]
        near = [self._near(moment, scene) for moment in found]
        seen = [moment for moment in near if moment.role != "card"]
        cards = [moment for moment in near if moment.role == "card"][:1]
        again = bool(cards) and shown.again(cards[0].text)
        # One card says where we are; where somebody is seen and heard, none is needed.
        if seen and (again or beat.script.dialogue):
            return seen
        if again and shown.figures and not self.cast.many(shown.figures[0]):
            return [self._face(shown.figures[0], beat, shown)]
        shown.texts.update(card.text for card in cards)
        return [*seen, *cards]

    def _at_hand(self, moment: Moment) -> Moment:
        """Small things are seen from near; of several, the one that is large enough for a view."""
        named = tuple(each for each in named_things(moment.text) if each not in _OUT_THERE)
        if moment.role != "action" or moment.figures or not named:
            return moment
        large = [each for each in named if catalog()[each].metres >= _LARGE]
        if large:
            return moment if large[0] == named[0] else replace(moment, things=tuple(large[:1]))
        alive = any(each in _ALIVE for each in named)
        if alive:
            return moment
        what = called(named[0], self.language)
        return replace(moment, role="detail", things=named[:1], subject=what)

    def _near(self, moment: Moment, scene: Scene) -> Moment:
        if moment.role in ("card", "graphic", "screen", "product", "detail"):
            return moment
        alone = tuple(name for name in moment.figures if not self.cast.many(name))
        if len(alone) == _PAIR and not UNDRAWN.search(moment.text):
            return moment
        if alone:
            return replace(moment, role="face", figures=alone[:1], subject=alone[0])
        named = [each for each in named_things(moment.text) if each not in _OUT_THERE]
        small = [each for each in named if catalog()[each].metres < _LARGE]
        if not moment.figures and small and not weather_in(scene.heading):
            what = called(small[0], self.language)
            return replace(moment, role="detail", things=tuple(small[:1]), subject=what)
        return self._card(moment, scene)

    def _card(self, moment: Moment, scene: Scene) -> Moment:
        """Where we are, as a card."""
        name = slug_card(scene.heading) or scene.place
        return replace(
            moment,
            role="card",
            text=card_with(name, self.language),
            subject=name,
            figures=(),
            fact=True,
        )

    def _held(
        self, found: list[Moment], beat: Beat, scene: Scene, count: int, shown: Shown
    ) -> list[Moment]:
        """What somebody has written in a shot too long: those who are there, then the place."""
        here = [name for moment in found for name in moment.figures] or [*shown.figures]
        alone = [name for name in dict.fromkeys(here) if not self.cast.many(name)]
        faces = [self._face(name, beat, shown) for name in alone]
        if scene.is_bare:
            return faces[: max(count, 0)]
        views = [self._view(scene)] * max(count - len(faces), 0)
        return [*faces, *views][: max(count, 0)]

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
        shows = CLOSE_UP.search(part) or SCREEN.search(part) or names_any(part, (self._product(),))
        return len(part.split()) <= _REMARK and not shows and not self.cast.named(part)

    def _is_card(self, part: str) -> bool:
        return bool(CARD.search(part)) or names_any(part, (self.brief.message.cta.rstrip("."),))

    def moment(
        self,
        part: str,
        scene: Scene,
        shown: Shown,
        keywords: tuple[str, ...] = (),
        who: tuple[str, ...] | None = None,
    ) -> Moment:
        """One part of an action; who is named in it is meant by the pronouns after it.

        Where it is known who is seen, it is told.
        """
        figures = self.cast.seen(part, shown.figures, shown.known) if who is None else who
        shown.figures = figures or shown.figures
        shown.meet(figures)
        if device := DEVICE.search(part):
            shown.device = device[0].lower()
        role = self._role(part, scene, figures)
        if role in ("card", "product"):
            return Moment(role, sentence(part), self._product())
        if role == "screen":
            found = SCREEN.search(part)
            thing = found[0].lower() if found else "screen"
            # A display that is read after somebody has looked at a phone is the phone's.
            return Moment(role, sentence(part), f"{shown.device} {thing}".strip())
        if role == "establish":
            return Moment(role, sentence(part), scene.place)
        if role == "detail":
            return Moment(role, sentence(part), self._noun(part, keywords) or part[:40])
        # What somebody has written is the subject, even if it has no drawing: then it is a card.
        other = part.rstrip(".") if self.own and role == "action" else scene.place
        subject = " & ".join(figures) or self._noun(part, keywords) or other
        return Moment(role, sentence(part), subject, figures)

    def _noun(self, part: str, keywords: tuple[str, ...]) -> str:
        """What a part speaks of: a keyword of its beat, or how it begins."""
        named = [word for word in keywords if names_any(part, (word,))]
        thing = next((word for word in named if " " in word), "")
        return thing or leading_noun(part, self.language) or next(iter(named), "")

    def _role(self, part: str, scene: Scene, figures: tuple[str, ...]) -> Role:
        if self._is_card(part) or (scene.entry.id == "abstract" and not figures):
            return "card"
        if HANDS.search(part) and not self.cast.named(part):
            return "detail"
        if not figures:
            return self._thing(part, scene)
        if len(figures) > 1:
            return "two"
        if self.own:
            return _done(part)
        return "action" if self.cast.many(figures[0]) else _alone(part)

    def _thing(self, part: str, scene: Scene) -> Role:
        told = part.lower()
        if told.startswith(view_of(scene.entry, "", self.language).lower().rstrip(" ,.")):
            return "establish"
        if self.own and _built_in(part, scene):
            return "establish"
        if SCREEN.search(part):
            return "screen"
        if names_any(part, (self._product(),)) or scene.entry.id == "product_table":
            return "product"
        if scene.entry.id in _SCREEN_SETS:
            return "screen"
        listed = told.startswith(tuple(d.lower() for d in details_of(scene.entry, self.language)))
        return "detail" if listed or CLOSE_UP.search(part) else "action"

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
        face = [self._face(seen[0], beat, shown)] if seen and not self.cast.many(seen[0]) else []
        faces_first = beat.function.part in _FACES_FIRST
        details = [self._detail(beat, scene, shown) for _ in range(count - (count > 1) * len(face))]
        ordered = [*face, *details] if faces_first else [*details[:1], *face, *details[1:]]
        return ordered[:count]

    def _instead(self, moment: Moment, scene: Scene, shown: Shown) -> Moment:
        """For what was seen before: a detail of the place that was not, if there is one."""
        new = [d for d in self._details(scene) if not shown.details.get(d)]
        if not new or moment.role == "card":
            return moment
        text = shown.fewest(new)
        return Moment("detail", sentence(text), text, main=False)

    def _face(self, name: str, beat: Beat, shown: Shown) -> Moment:
        text = shown.fewest(faces_of(name, beat.emotion.character, self.language))
        return Moment("face", text, name, (name,), main=False)

    def _detail(self, beat: Beat, scene: Scene, shown: Shown) -> Moment:
        avoid = (*self.brief.message.must_avoid, self.brief.style.look)
        words = [word for word in beat.visual.keywords if " " in word]
        things = [close_on(w, self.language) for w in words if not names_any(w, avoid)]
        text = shown.fewest([*self._details(scene), *things] or [scene.place])
        return Moment("detail", sentence(text), text.rstrip("."), main=False)

    def _details(self, scene: Scene) -> list[str]:
        """The details of a set that may be named, begun at another one in each film."""
        listed = details_of(scene.entry, self.language)
        turn = pick(self.brief.identity, scene.place, len(listed))
        avoid = self.brief.message.must_avoid
        return [d for d in (*listed[turn:], *listed[:turn]) if not names_any(d, avoid)]


def _built_in(part: str, scene: Scene) -> bool:
    """Whether a part speaks of nothing but what belongs to the place: its door, its lamp."""
    things = named_things(part)
    fixed = _FIXED if scene.entry.interior else _FIXED | _OUT_THERE
    return bool(things) and fixed.issuperset(things)


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


def _done(part: str) -> Role:
    """What its author has somebody do is seen, and who does it.

    Of whoever does what no figure is drawn in, the face: they do not stand there instead.
    """
    return "face" if UNDRAWN.search(part) or FACE.search(part) else "action"


def _alone(part: str) -> Role:
    """What a shot of one person is: their face, what they work at, or what they do."""
    if FACE.search(part):
        return "face"
    return "over" if WORKS_AT.search(part) else "action"


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
