"""What is said and read in each beat, by a narrator or by the one whose story it is.

Nothing is said for its own sake: a sentence of ours carries words of the brief, or it is a picture
of the place. Where there is nothing to say, nothing is said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.base import speech
from callsheet_studio.script import words
from callsheet_studio.script.smith.lines import LONGEST_RUN, Teller
from callsheet_studio.script.smith.material import (
    brand_slots,
    figure,
    kin,
    priced,
    rest_of,
    slots_of,
)
from callsheet_studio.script.smith.plan import LONGEST_TEXT, spoken

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet_studio.script.smith.material import Material
    from callsheet_studio.script.smith.phrases import Phrase
    from callsheet_studio.script.smith.plan import Telling
    from callsheet_studio.script.smith.stage import Scene

_LINE = 9
"""Words of a line on screen."""
_FULL = 0.92
"""The share of the time that speech likes to take."""
_SHORTEST_EFFECT = 5
"""Words: less time is a pause."""
_APART = 3
"""Beats between two times that the audience is named, or a pain."""
_EVERY = 8
"""Beats for which the audience or a pain may come up once more."""
_SHORT = 9
"""Beats of a film that has no time to look around."""
_MIDDLE, _LONG = 20, 30
"""Beats of films that have time for it more often."""
_APART_FROM_THINGS = frozenset({"order", "state"})
"""Shapes that are not about their things: `picked up anywhere in town`."""
_SCENES_APART = 3
"""Beats between two looks at the place."""


class Said(msgspec.Struct, frozen=True):
    """The words of one beat."""

    voiceover: str | None = None
    dialogue: str | None = None
    text: str | None = None


class Voice:
    """Says what the tellings ask for, one after the other."""

    def __init__(
        self,
        given: Material,
        teller: Teller,
        speaker: str | None,
        *,
        told: Sequence[Phrase] = (),
        of: int = 0,
        pictures: bool = False,
    ) -> None:
        """A voice of its own for each film."""
        self._given = given
        self._teller = teller
        self._told = tuple(told) or given.messages
        """The messages that are said in their order, and not only read or left to the end."""
        self._speaker = speaker
        """The name of whoever tells their own story; None if only a narrator speaks."""
        self._place = 0
        self._silent = False
        """Whether nothing was said in the beat before."""
        self._introduced = False
        """Whether the brand has been named in a beat of its own."""
        self._scene = ("", "")
        self._looked = -_SCENES_APART
        """Where the place was looked at last."""
        self._named: dict[str, list[int]] = {}
        """Where the audience and each pain came up."""
        self._cores = 0
        self._pictures = pictures
        """Whether it is a story, with an eye for the place."""
        self._of = of
        """How many beats there are."""
        self._apart = _SCENES_APART - (of > _MIDDLE) - (of > _LONG)
        self._viewed: list[str] = []
        """Stages of the place that have been seen."""

    def say(self, telling: Telling, scene: Scene, following: Telling | None) -> Said:
        """The words of a beat."""
        self._place += 1
        self._teller.about = telling.about
        self._scene = (scene.place, scene.time)
        if self._silent:
            self._teller.run = 0
        line = self._line(telling, following)
        self._silent = line is None
        self._count(line)
        text = self._text(telling)
        narrated = telling.task in {"reveal", "recall", "cta"} or self._looked == self._place
        own = self._speaker and not narrated
        if line and own:
            return Said(dialogue=f"{self._speaker}: {line}", text=text)
        return Said(voiceover=line, text=text)

    def _line(self, telling: Telling, following: Telling | None) -> str | None:
        if telling.task == "cta":
            return self._call(telling)
        if telling.task == "reveal" and not (telling.core or telling.messages):
            self._introduced = True
            kind = "name" if self._given.pains else "name_plain"
            return self._teller.say(kind, {"brand": self._given.product}, telling.most)
        if telling.task in {"reveal", "message", "silent"}:
            return self._messages(telling)
        return self._support(telling, following)

    # What must be said

    def _call(self, telling: Telling) -> str | None:
        """The call to action as a sentence of its own, and one before it that prepares it."""
        cta = speech.load(self._given.cta, self._given.language)
        lines = self._bare(telling.messages, telling.most - cta)
        most = telling.most - self._counted(lines)
        slots = self._slots(pain=self._open_pain()) | {"cta": self._given.cta.rstrip(".")}
        if self._given.brand.lower() in self._given.cta.lower():
            slots = {
                key: text for key, text in slots.items() if not key.lower().startswith("brand")
            }
        if cta > most:
            return " ".join(lines) or None
        call = self._teller.say("cta", slots, most)
        return " ".join([*lines, call or self._teller.given(f"{self._given.cta.rstrip('.')}.")])

    def _messages(self, telling: Telling) -> str | None:
        """The core, or messages: each in a move, with what is left of the time for it."""
        lines: list[str] = []
        waiting = list(telling.messages)
        if telling.core:
            reserved = self._reserved(waiting)
            lines.append(self._core(telling.most - reserved))
        while waiting:
            said = waiting.pop(0)
            reserved = self._reserved(waiting)
            most = telling.most - self._counted(lines) - reserved
            line = self._message(said, most, more=bool(waiting))
            if lines and line.split()[0] == lines[-1].split()[0]:
                line = self._teller.given(f"{said.big}.")
            lines.append(line)
        return " ".join(lines) or None

    def _core(self, most: int) -> str:
        self._cores += 1
        slots = self._slots(pain=self._open_pain())
        if self._introduced or self._given.brand.lower() in self._given.core.text.lower():
            slots = {key: text for key, text in slots.items() if key.lower() != "brand"}
        kind = "reveal" if self._given.pains else "reveal_plain"
        line = self._teller.say(kind, slots, most, int(most * _FULL))
        return line or self._teller.given(f"{self._given.core.big}.")

    def _message(self, said: Phrase, most: int, *, more: bool) -> str:
        """A message in a move, and if time is left, what follows from it."""
        self._teller.about = f"message/{self._given.messages.index(said)}"
        pain = self._against(said)
        slots = self._slots(pain=pain, msg=said)
        wished = 0 if more else most if self._speaker else most // 2
        line = self._first_of(self._manners(said, pain), slots, most, wished)
        line = line or self._teller.given(f"{said.big}.")
        self._count(line)
        left = int(most * _FULL) - self._counted([line])
        if more or left < _SHORTEST_EFFECT:
            return line
        effect = self._effect(said, left) or self._glance(left)
        again = effect is not None and effect.split()[0] == line.split()[0]
        return f"{line} {effect}" if effect and not again else line

    def _manners(self, said: Phrase, pain: Phrase | None) -> list[str]:
        """The kinds of moves for a message: against its pain, or by its place among them."""
        if self._speaker:
            return ["said_message"]
        messages = self._told
        place = "first" if said is messages[0] else "last" if said is messages[-1] else "next"
        kinds = [place, "message"] if len(messages) > 1 else ["message"]
        return ["contrast", *kinds] if pain else kinds

    # What follows, leads on, or stands between

    def _effect(self, said: Phrase, most: int) -> str | None:
        """What a message means then: the end of a pain, the core, or something for somebody."""
        pain = self._open_pain()
        if said.shape == "order":
            # Whoever skips a step risks what the film began with.
            first = self._given.pains[:1]
            pain = first[0] if first and self._may(first[0].text, _APART) else None
        slots = self._slots(pain=pain)
        if self._speaker:
            return self._first_of(["said_effect", "said_lead"], slots, most, most)
        kinds = ["effect", "effect_who"]
        if said.shape == "order":
            kinds = ["effect_order", "effect_habit"]
        turned = self._place % len(kinds)
        kinds = [*kinds[turned:], *kinds[:turned]]
        if self._cores <= 1 and said is not self._given.messages[0]:
            kinds.insert(1, "effect_core")
        line = self._first_of(kinds, slots, most, most)
        self._cores += bool(line and self._given.core.small in line)
        return line

    def _support(self, telling: Telling, following: Telling | None) -> str | None:
        most, wished = telling.most, int(telling.most * _FULL)
        if telling.task == "echo" and telling.after:
            line = self._effect(telling.after, most)
        elif telling.task == "scene":
            line = None
        else:
            line = self._first_of(
                self._kinds(telling), self._support_slots(telling, following), most, wished
            )
        if line is None and telling.task not in {"hook", "recall", "close"}:
            troubled = telling.task in {"problem", "doubt", "memory"}
            line = self._view(most, troubled=troubled)
        left = most - self._counted([line] if line else [])
        if telling.messages and self._reserved(telling.messages) > left:
            line = None
        lines = [line] if line else []
        lines += self._bare(telling.messages, left)
        return " ".join(lines) or None

    def _bare(self, messages: list[Phrase], most: int) -> list[str]:
        """Messages without a move; a verb gets its subject, if there is time."""
        lines = [f"{said.big}." for said in messages]
        who = "It" if self._given.language == "en" else self._given.brand
        for place, said in enumerate(messages):
            whole = [*lines[:place], f"{who} {said.small}.", *lines[place + 1 :]]
            if who and said.shape == "verb" and self._counted(whole) <= most:
                lines = whole
        return [self._teller.given(line) for line in lines]

    def _kinds(self, telling: Telling) -> list[str]:
        """The kinds of moves for a task, first choice first."""
        task = telling.task
        if task == "feel":
            return [f"{'said_' if self._speaker else ''}feel_{self._given.emotion}"]
        if task in {"hook", "problem"}:
            return self._opening(task, told=telling.pain is not None)
        if self._speaker:
            return [_SAID[task], "said_effect", "said_lead"] if task in _SAID else []
        if task == "people" and not self._given.who:
            return ["people_any"]
        if task == "bridge":
            steps = telling.after is not None and telling.after.shape == "order"
            return ["lead_pain", "lead_step" if steps else "lead"]
        return [task]

    def _opening(self, task: str, *, told: bool) -> list[str]:
        """With a pain if there is one, or with the people, or with a number."""
        if self._speaker:
            return ["said_pain", "said_plain"] if told else ["said_plain"]
        plain = "hook_plain"
        if task == "problem":
            plain = "problem_known" if self._given.pains else "problem_open"
        if told:
            return [task, "hook_bare", plain]
        return [plain, "hook_name"] if task == "hook" else [plain]

    def _support_slots(self, telling: Telling, following: Telling | None) -> dict[str, str]:
        """Pains, messages again, and what comes next."""
        pain, second = telling.pain, telling.second
        if telling.task == "bridge":
            coming = following.messages[0] if following and following.messages else None
            slots = self._slots(pain=self._against(coming) if coming else None)
            if coming and coming.things and coming.shape not in _APART_FROM_THINGS:
                slots["next"] = coming.things[0]
            after = telling.after
            if after and after.things and after.shape not in _APART_FROM_THINGS:
                slots["prev"] = after.things[0]
            return slots
        if telling.task in {"doubt", "close", "memory", "feel"}:
            pain = self._open_pain(bookend=telling.task == "close")
            others = [other for other in self._given.pains if other is not pain]
            second = others[0] if others and telling.task == "close" else None
        slots = self._slots(pain=pain, pain2=second)
        for name, said in zip(("msg", "msg2"), telling.again, strict=False):
            slots |= slots_of(said, name, self._given.language)
        return slots

    def _view(self, most: int, *, troubled: bool) -> str | None:
        """The place or the hour in a sentence, not too often, and further on each time."""
        if (
            (self._speaker and self._of <= _LONG)
            or self._of <= _SHORT
            or self._place - self._looked < self._apart
        ):
            return None
        place, hour = self._scene
        arc = words.moves(self._given.language, f"scene_{place}")
        start = (self._place - 1) * len(arc) // self._of
        stages = [arc[len(arc) // 2] if troubled else arc[start]]
        if self._of > _LONG and not troubled:
            stages += words.moves(self._given.language, f"scene_{hour}")
        often = 1 + (self._of > _LONG)
        for move in stages:
            if self._viewed.count(move.text) < often and (line := self._see(move, most)):
                self._looked = self._place
                return line
        return None

    def _glance(self, most: int) -> str | None:
        """Beside a message of a story: something of the place, in a few words."""
        if not self._pictures or self._of <= _SHORT:
            return None
        arc = words.moves(self._given.language, f"scene_{self._scene[0]}")
        move = arc[(self._place - 1) * len(arc) // self._of]
        short = words.Move(f"{move.text.partition(']')[0]}].", move.marks)
        if move.text in self._viewed or move is arc[len(arc) // 2]:
            return None
        line = self._see(short, most)
        self._viewed += [move.text] if line else []
        return line

    def _see(self, move: words.Move, most: int) -> str | None:
        if line := self._teller.try_(move, most):
            self._viewed.append(move.text)
        return line

    def _first_of(
        self, kinds: list[str], slots: dict[str, str], most: int, wished: int
    ) -> str | None:
        for kind in kinds:
            if line := self._teller.say(kind, slots, most, wished):
                return line
        return None

    # The brief's words

    def _slots(
        self,
        pain: Phrase | None = None,
        pain2: Phrase | None = None,
        msg: Phrase | None = None,
    ) -> dict[str, str]:
        given = self._given
        slots: dict[str, str] = {}
        if given.who and self._may("", _APART):
            slots |= slots_of(given.who, "who", given.language)
        slots |= brand_slots(given)
        if rest := rest_of(given.core, given.language):
            slots |= {"rest": rest, "Rest": _capital(rest)}
        for name, said in (("pain", pain), ("pain2", pain2), ("msg", msg), ("core", given.core)):
            if said:
                slots |= slots_of(said, name, given.language)
        if given.metaphor:
            slots |= {"metaphor": given.metaphor, "Metaphor": _capital(given.metaphor)}
        return slots | (self._figure_slots() if self._place == 1 else {})

    def _figure_slots(self) -> dict[str, str]:
        """The first number of the brief with what it counts."""
        given = self._given
        texts = [given.core.text, *(message.text for message in given.messages)]
        figures = filter(None, (figure(text, given.language) for text in texts))
        counted = next((f for f in figures if not priced(f, given.language)), "")
        return {"figure": counted, "Figure": _capital(counted)} if counted else {}

    def _open_pain(self, *, bookend: bool = False) -> Phrase | None:
        """A pain that may come up again: the one that did least; at the end, the first."""
        pains = list(self._given.pains)
        if bookend:
            return pains[0] if pains else None
        open_ = [pain for pain in pains if self._may(pain.text, _APART)]
        return min(open_, key=lambda pain: len(self._named.get(pain.text, []))) if open_ else None

    def _against(self, said: Phrase) -> Phrase | None:
        """The pain that a message answers, if it may come up again."""
        found = kin(said, self._given.pains, self._given.language)
        return found if found and self._may(found.text, 1) else None

    def _may(self, what: str, apart: int) -> bool:
        """Whether the audience or a pain may come up: not often, and not in a row."""
        places = self._named.get(what, [])
        often = 2 + self._place // _EVERY
        return len(places) < often and (not places or self._place - places[-1] >= apart)

    def _count(self, line: str | None) -> None:
        """Remembers what has come up."""
        told = (line or "").lower()
        known = [(pain.text, pain.text) for pain in self._given.pains]
        known += [("", self._given.who.text)] if self._given.who else []
        for key, text in known:
            places = self._named.setdefault(key, [])
            if text.lower() in told and (not places or places[-1] != self._place):
                places.append(self._place)

    def _counted(self, lines: list[str]) -> int:
        """What lines weigh that another one follows."""
        return speech.load(" ".join(lines), self._given.language, goes_on=True)

    def _reserved(self, messages: list[Phrase]) -> int:
        """What messages weigh that another line comes before."""
        return sum(spoken(said, self._given.language, goes_on=True) for said in messages)

    # Read

    def _text(self, telling: Telling) -> str | None:
        if not telling.reads:
            return None
        text = {
            "cta": self._given.cta,
            "hook": self._given.product,
            "reveal": self._given.brand,
            "message": self._super(telling),
        }.get(telling.task, "")
        if telling.shown:
            text = " \u00b7 ".join(said.big for said in telling.shown)
        return lines_of(text) if text else None

    def _super(self, telling: Telling) -> str:
        """Of the messages, those with numbers and every other one are read as well."""
        if not telling.messages:
            return ""
        said = telling.messages[0]
        counts = figure(said.text, self._given.language) or telling.number % 2 == 0
        return said.big if counts and len(said.text.split()) <= _LINE else ""


_SAID = {
    "bridge": "said_lead",
    "doubt": "said_doubt",
    "close": "said_close",
    "memory": "said_pain",
    "people": "said_plain",
}


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def lines_of(text: str) -> str:
    """A text for the screen: at most two lines, about equally long."""
    found = text.split()
    if len(found) > LONGEST_TEXT:
        found = found[:LONGEST_TEXT]
    if len(found) <= LONGEST_RUN:
        return " ".join(found)
    half = -(-len(found) // 2)
    return " ".join(found[:half]) + "\n" + " ".join(found[half:])
