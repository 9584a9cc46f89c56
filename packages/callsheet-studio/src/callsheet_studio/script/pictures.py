"""What is seen while each line is said: what it asks for, as far as that can be drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from callsheet_studio.base.clauses import clauses
from callsheet_studio.library import sets
from callsheet_studio.library.asking import AROUND, Asked, Film, asked
from callsheet_studio.library.facts import SIDE_BY_SIDE
from callsheet_studio.library.things import called
from callsheet_studio.model.base import Graphic
from callsheet_studio.model.script import Picture
from callsheet_studio.script.line import Line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet_studio.script.line import Clock
    from callsheet_studio.script.people import Person, Roles


class Told(Protocol):
    """What is said in a beat, as far as its pictures need to know."""

    @property
    def lines(self) -> tuple[Line, ...]:
        """To be said."""
        ...

    @property
    def shown(self) -> tuple[Line, ...]:
        """To be read."""
        ...

    @property
    def task(self) -> str:
        """What it is for."""
        ...

    @property
    def said(self) -> str:
        """Its words."""
        ...


class Place(Protocol):
    """Where a beat is."""

    @property
    def place(self) -> str:
        """A set of the library, or somebody's own words."""
        ...

    @property
    def sure(self) -> bool:
        """Whether the brief says that it is there."""
        ...


_TWO = 4.4
"""Seconds from which a line has two pictures."""
_ALONE = 2.6
"""Seconds of silence from which it has a picture of its own."""
_FIRST = 2.4
"""Seconds after which an ad shows its product at the latest."""
_SOLID = frozenset(("thing", "hand", "product", "people"))
_KEPT = frozenset(("process", "list", "price"))
"""What is always drawn as a figure."""
_LOOKS = 2
"""How often a film looks at its place, or its product, without a word."""
_ENDS = (".", "!", "?", "\u2026")
_GOES_ON = ("and ", "but ", "so ", "while ", "und ", "aber ", "w\u00e4hrend ", "sondern ")
"""How a clause begins that stands on its own."""
_SHORTEST = 12
"""Letters of a part of a line that has a picture of its own."""
_WORDS = {
    "en": {
        "thing": "Close: {what}.",
        "hand": "A hand with {what}.",
        "screen": "A hand with a {what}. On its screen: {said}",
        "number": "A figure, drawn large: {what}.",
        "process": "A diagram: {what}.",
        "list": "A list: {what}.",
        "fact": "A card: {said}",
        "product": "{brand}, close: {what}.",
        "brand": "The name, large: {brand}.",
        "card": "End card: {brand}. {cta}",
        "written": "Title card: {text}",
        "speaks": "{name} speaks to the camera.",
        "and": " and ",
    },
    "de": {
        "thing": "Nah: {what}.",
        "hand": "Eine Hand mit {what}.",
        "screen": "Eine Hand mit {what}. Auf dem Bildschirm: {said}",
        "number": "Eine Zahl, groß gezeichnet: {what}.",
        "process": "Ein Schaubild: {what}.",
        "list": "Eine Liste: {what}.",
        "fact": "Eine Tafel: {said}",
        "product": "{brand}, nah: {what}.",
        "brand": "Der Name, groß: {brand}.",
        "card": "Schlusskarte: {brand}. {cta}",
        "written": "Titelkarte: {text}",
        "speaks": "{name} spricht in die Kamera.",
        "and": " und ",
    },
}


class Pictures:
    """Finds the pictures of each beat, and remembers what was shown."""

    def __init__(self, film: Film, roles: Roles, clock: Clock, speaker: Person | None) -> None:
        """One for each film."""
        self._film = film
        self._roles = roles
        self._clock = clock
        self._speaker = speaker
        self._say = _WORDS["de" if film.language[:2].lower() == "de" else "en"]
        self._shown: dict[tuple[str, ...], int] = {}
        self._left: list[Picture] = []
        """People whom words have asked for and who were not seen meanwhile, the last at the end."""
        self._spoke = 0
        self._counted = False
        """Whether the last picture was a number."""
        self.name = film.brand

    def spoken(self, said: Sequence[str], place: Place) -> tuple[Picture, ...]:
        """The pictures of a narration, sentence by sentence."""
        found: list[Picture] = []
        for each in said:
            found += self._line(Line("message", each, each), place)
        return tuple(found)

    def of(
        self, telling: Told, scene: Place, frames: int, *, ad: bool, first: bool
    ) -> tuple[Picture, ...]:
        """The pictures of a beat, in the order of its words."""
        if telling.task == "cta":
            return self._ending(telling, scene)
        found: list[Picture] = []
        for line in telling.lines:
            found += self._line(line, scene)
        if ad and first and self.name and not any(each.kind == "product" for each in found):
            found = self._with_product(found)
        found += [self._written(line) for line in telling.shown if not telling.lines]
        spare = frames - self._clock.frames(telling.said)
        rate = self._clock.rate
        if not found or (rate.seconds(spare) >= _ALONE and self._breathes(scene)):
            found.append(self.breath(scene))
        return tuple(found)

    def _with_product(self, found: list[Picture]) -> list[Picture]:
        """An ad shows early what it is for: after its first words, if they are few."""
        first = found[0] if found else None
        said = self._clock.rate.seconds(self._clock.frames(first.said)) if first else 0.0
        if first is None or said <= _FIRST:
            return [*found[:1], self.product(), *found[1:]]
        if not self._film.product:
            return found  # a name says nothing of what is said meanwhile
        return [self.product().model_copy(update={"said": first.said}), *found[1:]]

    def _breathes(self, scene: Place) -> bool:
        """Whether there is something to look at that was not seen too often: place or product."""
        key = ("breath", scene.place if scene.sure else "")
        if not (scene.sure or self._film.product) or self._shown.get(key, 0) >= _LOOKS:
            return False
        self._shown[key] = self._shown.get(key, 0) + 1
        return True

    # Lines

    def _line(self, line: Line, scene: Place) -> list[Picture]:
        own = line.said.removeprefix(line.lead).strip()
        fair = self._fair(line.about, scene)
        if line.task in ("hook", "problem") and not line.message:
            # What is wrong with others is not shown on what the film is for.
            fair = [each for each in fair if not self._is_product(each)]
        if both := self._in_two(line, own, scene):
            return both
        if self._speaker and self._speaks(line, fair[0]):
            fair.insert(0, self._speaking(line))
        elif line.task in ("reveal", "recall") and fair[0].kind == "fact" and self._film.product:
            fair.insert(0, self.product())
        if line.task == "people" and fair[0].kind == "fact":
            fair.insert(0, self.breath(scene))
        drawn = [each for each in fair[: 3 if self._counted else 2] if each.kind != "fact"]
        # What was seen twice says nothing new: then the fact itself is better.
        often = [each for each in drawn if self._times(each) < _LOOKS + (each.kind != "place")]
        best = min(often, key=self._times, default=fair[-1])
        if self._counted and best.graphic and best.graphic.kind not in _KEPT:
            # One number after the other is no film: what is counted is seen, too.
            best = next((each for each in often if _is_solid(each)), best)
        self._counted = bool(best.graphic and best.graphic.value)
        self._fresh(best)
        self._keep(drawn, best)
        return [best.model_copy(update={"said": line.said})]

    def _is_product(self, picture: Picture) -> bool:
        things = {each.partition(":")[0] for each in picture.things}
        return bool(self._film.product) and self._film.product in things

    def _fair(self, about: str, scene: Place) -> list[Picture]:
        """The pictures that some words ask for, the best first."""
        wanted = [self._picture(each, about, scene) for each in asked(about, self._film)]
        return [picture for picture in wanted if picture is not None]

    def _in_two(self, line: Line, own: str, scene: Place) -> list[Picture]:
        """Two pictures for a long line, if each of its halves has one; else none."""
        seconds = self._clock.rate.seconds(self._clock.frames(own))
        parts = _halves(own)
        speaks = self._speaker is not None and line.own and not self._spoke
        if seconds < _TWO or len(parts) == 1 or speaks or asked(line.about, self._film)[0].steps:
            return []
        wanted = [self._fair(part, scene) for part in parts]
        first, second = (fair[0] for fair in wanted)
        same = first.things == second.things and first.kind == second.kind
        if "fact" in (first.kind, second.kind) or same:
            return []
        self._fresh(first)
        self._fresh(second)
        self._keep(wanted[1], second)
        led = f"{line.lead} {parts[0]}".strip()
        return [
            first.model_copy(update={"said": led}),
            second.model_copy(update={"said": parts[1]}),
        ]

    def _keep(self, drawn: Sequence[Picture], best: Picture) -> None:
        """Remember who does something with a thing, and is not seen while it is said."""
        others = (each for each in drawn if each is not best)
        self._left += [each for each in others if each.kind == "people" and each.things]

    def _times(self, picture: Picture) -> int:
        """How often it was shown."""
        return self._shown.get((picture.kind, picture.action), 0)

    def _fresh(self, picture: Picture) -> None:
        """Remember that it was shown."""
        key = (picture.kind, picture.action)
        self._shown[key] = self._shown.get(key, 0) + 1

    def _speaks(self, line: Line, best: Picture) -> bool:
        """Whoever tells the film is seen first, at its core, and where nothing else is."""
        if not line.own:
            return False
        self._spoke += 1
        return self._spoke == 1 or line.task in ("reveal", "recall") or best.kind == "fact"

    def _speaking(self, line: Line) -> Picture:
        assert self._speaker is not None
        action = self._say["speaks"].format(name=self._speaker.name)
        del line
        return Picture(kind="people", action=action, people=(self._speaker.name,))

    def _picture(self, want: Asked, about: str, scene: Place) -> Picture | None:
        what = self._say["and"].join(called(each, self._film.language) for each in want.things)
        said = about.strip().rstrip(".!?,;:")
        words = self._say
        if want.kind == "number":
            return self._number(want)
        if want.kind == "place":
            return self._view(scene) if scene.place == want.place else None
        if want.kind == "process":
            steps = " → ".join(step.replace(SIDE_BY_SIDE, ", ") for step in want.steps)
            graphic = Graphic(kind="process", steps=want.steps)
            return Picture(
                kind="graphic", action=words["process"].format(what=steps), graphic=graphic
            )
        if want.kind == "list":
            graphic = Graphic(kind="list", steps=want.steps)
            return Picture(kind="graphic", action=words["list"].format(what=said), graphic=graphic)
        if want.things == (self._film.product,) and self._film.brand and want.kind == "thing":
            return self.product()
        if want.kind == "people":
            said = said.partition(": ")[0].partition("; ")[0]  # what others do is not theirs
        action = words.get(want.kind, "{said}").format(what=what, said=f"{_capital(said)}.")
        people = self._roles.of(want.people) if want.kind == "people" else ()
        things = want.things if want.kind != "fact" else ()
        return Picture(kind=want.kind, action=action, people=people, things=things)

    def _number(self, want: Asked) -> Picture:
        figure = want.figure
        assert figure is not None
        graphic = Graphic(
            kind=figure.kind,
            value=figure.value,
            unit=figure.unit,
            amount=figure.amount,
            of=figure.of,
        )
        what = f"{figure.value} {figure.unit}".strip()
        action = self._say["number"].format(what=what)
        return Picture(kind="graphic", action=action, graphic=graphic, things=want.things)

    # Pictures without words

    def product(self) -> Picture:
        """The product, or the name of who makes it."""
        product = self._film.product
        if not product:
            return Picture(kind="card", action=self._say["brand"].format(brand=self.name))
        what = called(product, self._film.language)
        action = self._say["product"].format(brand=self.name or _capital(what), what=what)
        return Picture(kind="product", action=action, things=(product,))

    def breath(self, scene: Place) -> Picture:
        """While nobody speaks: whom the last words named, the place of the film, or its product."""
        if self._left:
            found = self._left.pop()
            self._left.clear()
            self._fresh(found)
            return found
        return self._view(scene) if scene.sure else self.product()

    def _view(self, scene: Place) -> Picture:
        entry = sets().get(scene.place) or sets()["abstract"]
        german = self._film.language[:2].lower() == "de"
        return Picture(kind="place", action=f"{entry.view_de if german else entry.view}.")

    def written(self, text: str, said: str) -> Picture:
        """A card with what a script wants to be read."""
        return Picture(kind="card", action=self._say["written"].format(text=text), said=said)

    def _written(self, line: Line) -> Picture:
        said = line.about.strip().rstrip(".!?")
        return Picture(kind="fact", action=self._say["fact"].format(said=f"{_capital(said)}."))

    def _ending(self, telling: Told, scene: Place) -> tuple[Picture, ...]:
        """What comes before the call, if anything, and the card with the product."""
        found: list[Picture] = []
        *before, call = telling.lines
        for line in before:
            found += self._line(line, scene)
        found.append(self.card(call.said, said=True))
        return tuple(found)

    def card(self, call: str, *, said: bool = False) -> Picture:
        """The end card: the name, the call, and what the film is about."""
        things = (self._film.product,) if self._film.product else ()
        action = self._say["card"].format(brand=self.name, cta=call)
        return Picture(kind="card", action=action, said=call if said else "", things=things)

    def references(self, pictures: Sequence[Picture]) -> tuple[str, ...]:
        """What keeps those who are seen looking the same."""
        names = dict.fromkeys(name for picture in pictures for name in picture.people)
        return self._roles.references(tuple(names))


def _is_solid(picture: Picture) -> bool:
    """Whether it is of something that a sentence is about, and not named with it."""
    return picture.kind in _SOLID and not AROUND.intersection(picture.things)


def _halves(said: str) -> list[str]:
    """A line in two where a sentence ends or another clause begins; whole, if none does."""
    pieces = clauses(said)
    best, nearest = [said], len(said)
    for at in range(1, len(pieces)):
        first, second = " ".join(pieces[:at]), " ".join(pieces[at:])
        if not (first.endswith(_ENDS) or second.lower().startswith(_GOES_ON)):
            continue  # half a sentence hangs in the air
        if min(len(first), len(second)) >= _SHORTEST and abs(len(first) - len(second)) < nearest:
            best, nearest = [first, second], abs(len(first) - len(second))
    return best


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
