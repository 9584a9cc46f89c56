"""What is said and read in each beat, by a narrator or by the one whose story it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from callsheet.studio import speech
from callsheet.studio.script import words
from callsheet.studio.script.smith_lines import LONGEST_RUN, Teller, fill
from callsheet.studio.script.smith_material import figure, halves, rest_of, slots_of, split
from callsheet.studio.script.smith_plan import LONGEST_TEXT, spoken

if TYPE_CHECKING:
    from callsheet.studio.script.smith_material import Material
    from callsheet.studio.script.smith_phrases import Phrase
    from callsheet.studio.script.smith_plan import Telling
    from callsheet.studio.script.smith_stage import Scene

_LINE = 9
"""Words of a line on screen."""
_FULL = 0.92
"""The share of the time that speech likes to take."""
_SAID = {
    "hook": "said_pain",
    "problem": "said_pain",
    "message": "said_message",
    "bridge": "said_bridge",
    "doubt": "said_doubt",
    "close": "said_close",
    "memory": "said_pain",
    "people": "said_plain",
}


_MOST_WHO = 3
"""How often the audience is named in a film."""
_APART = 3
"""Beats between."""
_MANNERS = ("list", "ask", "contrast", "you", "message")
"""How a film sets out its messages: one manner, from its first to its last."""


@dataclass(frozen=True, slots=True)
class Said:
    """The words of one beat."""

    voiceover: str | None = None
    dialogue: str | None = None
    text: str | None = None


class Voice:
    """Says what the tellings ask for, one after the other."""

    def __init__(self, given: Material, teller: Teller, speaker: str | None) -> None:
        """A voice of its own for each film."""
        self._given = given
        self._teller = teller
        self._speaker = speaker
        """The name of whoever tells their own story; None if only a narrator speaks."""
        self._place = 0
        self._things_said: list[str] = []
        self._last_tail = ""
        self._seen: set[str] = set()
        """Things that a view has begun with."""
        self._silent = False
        """Whether nothing was said in the beat before."""
        self._answered: set[str] = set()
        """Pains that a message has been set against."""
        self._introduced = False
        """Whether the brand has been named in a beat of its own."""
        self._revealed = False
        """Whether the core has been said."""
        self._scene = ("", "")
        self._named = -_APART
        """Where the audience was named last."""
        self._names_seen = 0
        self._manner = teller.dice.pick("manner", _MANNERS)

    def say(self, telling: Telling, scene: Scene, following: Telling | None) -> Said:
        """The words of a beat."""
        self._place += 1
        self._scene = (scene.place, scene.time)
        if self._silent and telling.task != "scene":
            self._teller.run = 0
        line = self._line(telling, following)
        self._silent = line is None
        text = self._text(telling)
        own = self._speaker and telling.task not in {"reveal", "recall", "cta"}
        if line and own:
            return Said(dialogue=f"{self._speaker}: {line}", text=text)
        return Said(voiceover=line, text=text)

    # Spoken

    def _line(self, telling: Telling, following: Telling | None) -> str | None:
        if telling.half:
            self._things_said += [t for said in telling.messages for t in said.things]
            return self._teller.given(_sentence(telling.half))
        makers = {
            "cta": self._call,
            "reveal": lambda telling: self._messages(telling) or self._name(telling),
            "message": self._messages,
            "recall": self._recall,
            "scene": self._view,
            "recap": self._recap,
            "silent": self._messages,
        }
        make = makers.get(telling.task)
        return make(telling) if make else self._support(telling, following)

    def _call(self, telling: Telling) -> str | None:
        lines = []
        left = telling.most - speech.spoken_words(self._given.cta, self._given.language)
        if telling.messages:
            for said in telling.messages:
                lines.append(self._teller.given(f"{said.big}."))
                left -= spoken(said, self._given.language)
        if left < 0:
            return " ".join(lines) or None
        slots = {"cta": self._given.cta.rstrip(".")}
        call = self._teller.say("cta", slots, telling.most - self._counted(lines))
        return " ".join([*lines, call or self._teller.given(f"{self._given.cta.rstrip('.')}.")])

    def _messages(self, telling: Telling) -> str | None:
        """The core, or messages: each in a move, with what is left of the time for it."""
        lines: list[str] = []
        waiting = list(telling.messages)
        if telling.core:
            reserved = sum(spoken(said, self._given.language) for said in waiting)
            lines.append(self._core(telling.most - reserved))
        while waiting:
            said = waiting.pop(0)
            reserved = sum(spoken(other, self._given.language) for other in waiting)
            most = telling.most - self._counted(lines) - reserved
            lines.append(self._message(said, most, more=bool(waiting)))
        return " ".join(lines) or None

    def _recall(self, telling: Telling) -> str | None:
        fits = spoken(self._given.core, self._given.language) <= telling.most
        return self._core(telling.most, "recall") if fits else None

    def _view(self, telling: Telling) -> str | None:
        """The place or the hour in a few words; after words of ours, with a thing before them."""
        place, hour = self._scene
        kinds = [f"scene_{place}", f"scene_{hour}"]
        kinds = kinds if self._place % 2 else kinds[::-1]
        run, before = self._teller.run, ""
        things = [thing for thing in self._things_said if thing not in self._seen]
        if 0 < run < LONGEST_RUN and things:
            line = words.table(f"{self._given.language}_scenes")["seen_thing"]
            slots = {"thing": things[0], "Thing": _capital(things[0])}
            before = self._teller.given(fill(line, slots))
        for kind in kinds:
            if line := self._teller.say(kind, {}, telling.most):
                self._seen.update(things[:1] if before else ())
                return f"{before} {line}".strip()
        self._teller.run = run
        return None

    def _recap(self, telling: Telling) -> str | None:
        """Messages once more, each as short as it can be said."""
        lines = []
        for said in telling.again:
            parts = split(said, self._given.language)
            lines.append(_sentence(parts[0] if parts else said.text))
        line = self._teller.given(" ".join(lines))
        return line if self._counted([line]) <= telling.most else lines[0]

    def _name(self, telling: Telling) -> str | None:
        self._introduced = True
        return self._teller.say("name", {"brand": self._given.product}, telling.most)

    def _core(self, most: int, kind: str = "reveal") -> str:
        self._revealed = True
        slots = self._slots() | slots_of(self._given.core, "core", self._given.language)
        if self._introduced:
            slots.pop("brand", None)
            slots.pop("Brand", None)
        line = self._teller.say(kind, slots, most, int(most * _FULL))
        return line or self._teller.given(f"{self._given.core.big}.")

    def _message(self, said: Phrase, most: int, *, more: bool) -> str:
        """A message in a move, and if time is left, what follows from it."""
        slots = self._slots(said) | slots_of(said, "msg", self._given.language)
        lines = []
        for kind in self._message_kinds(said):
            line = self._teller.say(kind, slots, most, 0 if more else most // 2)
            if line:
                lines.append(line)
                break
        lines = lines or [self._teller.given(f"{said.big}.")]
        self._things_said += [thing for thing in said.things if thing not in self._things_said]
        left = int(most * _FULL) - self._counted(lines)
        if not more and left > 1 and (tail := self._tail(said, slots, left, lines[0])):
            lines.append(tail)
        return " ".join(lines)

    def _message_kinds(self, said: Phrase) -> list[str]:
        """The film's own manner first; a list counts from its first to its last."""
        if self._speaker:
            return ["said_message", "message"]
        manner = self._manner if self._revealed else "message"
        if manner == "list" or (manner == "contrast" and not self._against(said)):
            first, last = self._given.messages[0], self._given.messages[-1]
            manner = "first" if said is first else "last" if said is last else "next"
        if len(self._given.messages) == 1:
            manner = "message"
        return [manner, "message"]

    def _tail(self, said: Phrase, slots: dict[str, str], left: int, line: str) -> str | None:
        """A short second sentence, of another kind than the last one was."""
        kinds = ["tail_who", "tail_own", "tail_brand"]
        turned = self._place % len(kinds)
        against = "tail_pain" if self._against(said) else "tail_against"
        kinds = [against, *kinds[turned:], *kinds[:turned]]
        named = self._given.brand and self._given.brand in line
        kinds = [k for k in kinds if k != self._last_tail and not (k == "tail_brand" and named)]
        pain = self._opposed(said, line)
        if pain is None:
            kinds = [kind for kind in kinds if kind != against]
        else:
            slots = slots | slots_of(pain, "pain", self._given.language)
        for kind in ["said_tail"] if self._speaker else kinds:
            if tail := self._teller.say(kind, slots, left, left):
                self._last_tail = kind
                if kind == against and pain:
                    self._answered.add(pain.text)
                return tail
        return None

    def _opposed(self, said: Phrase, line: str) -> Phrase | None:
        """A pain that a message answers: one that shares a word with it, or the next one."""
        near = self._against(said)
        pains = [near] if near else [] if self._answered else list(self._given.pains)
        fresh = (p for p in pains if p.text not in self._answered)
        return next((p for p in fresh if p.text.lower() not in line.lower()), None)

    def _support(self, telling: Telling, following: Telling | None) -> str | None:
        slots = self._slots() | self._support_slots(telling, following)
        wished = int(telling.most * _FULL)
        said: list[str] = []
        for kind in self._kinds(telling):
            if not said and (line := self._one(kind, slots, telling.most, wished)):
                said.append(line)
        if telling.task == "problem" and said and not self._speaker:
            left = wished - self._counted(said)
            bare = {key: text for key, text in slots.items() if key not in {"who", "Who"}}
            said += filter(None, [self._one("problem_tail", bare, left, left)])
        needed = sum(spoken(message, self._given.language) for message in telling.messages)
        if needed > telling.most - self._counted(said):
            said = []
        said += [self._teller.given(f"{message.big}.") for message in telling.messages]
        return " ".join(said) or None

    def _support_slots(self, telling: Telling, following: Telling | None) -> dict[str, str]:
        """Pains, a number worth repeating, and what comes next."""
        pains = [pain for pain in (telling.pain, telling.second) if pain]
        if not pains and telling.task in {"doubt", "close", "memory"}:
            open_ = [p for p in self._given.pains if p.text not in self._answered]
            turned = self._place % max(len(open_), 1)
            pains = [*open_[turned:], *open_[:turned]]
        slots: dict[str, str] = {}
        for name, pain in zip(("pain", "pain2"), pains, strict=False):
            slots |= slots_of(pain, name, self._given.language)
        if telling.counted:
            slots |= {"figure": telling.counted, "Figure": _capital(telling.counted)}
        if following and following.messages and following.messages[0].things:
            thing = following.messages[0].things[0]
            slots |= {"next": thing, "Next": _capital(thing)}
        return slots

    def _one(self, kind: str, slots: dict[str, str], most: int, wished: int) -> str | None:
        return self._teller.say(kind, slots, most, wished)

    def _kinds(self, telling: Telling) -> list[str]:
        """The kinds of moves for a task, first choice first."""
        task = telling.task
        if task in {"hook", "problem"}:
            plain = ["said_plain"] if self._speaker else [f"{task}_plain"]
            if task == "problem" and not self._speaker:
                plain = [*plain, "problem_tail"] if self._given.pains else ["setup"]
            return [self._mine(task), *plain] if telling.pain else plain
        if task == "feel":
            return [f"{'said_' if self._speaker else ''}feel_{self._given.emotion}"]
        return [] if self._speaker and task == "echo" else [self._mine(task)]

    def _mine(self, task: str) -> str:
        return _SAID.get(task, task) if self._speaker else task

    def _slots(self, said: Phrase | None = None) -> dict[str, str]:
        given = self._given
        slots: dict[str, str] = {}
        if given.who and self._may_name():
            slots |= slots_of(given.who, "who", given.language)
        if given.brand:
            slots |= {"brand": given.brand, "Brand": given.brand}
        if rest := rest_of(given.core, given.language):
            slots |= {"rest": rest, "Rest": rest[0].upper() + rest[1:]}
        slots |= self._thing_slots(said) | self._figure_slots(said)
        if said is None:
            return slots
        if parts := halves(said, given.language):
            subject, predicate = parts
            slots |= {"subj": subject[0].lower() + subject[1:]}
            slots |= {"Subj": subject[0].upper() + subject[1:]}
            slots |= {"Pred": predicate[0].upper() + predicate[1:]}
        if parts := split(said, given.language):
            first, second = parts
            slots |= {"Half": first[0].upper() + first[1:], "half2": second}
            slots |= {"Half2": second[0].upper() + second[1:]}
        if pain := self._against(said):
            slots |= slots_of(pain, "pain", given.language)
        return slots

    def _may_name(self) -> bool:
        """Whether the audience may be named: not often, and not twice in a row."""
        count = self._teller.count("{who}", "{Who}")
        if count > self._names_seen:
            self._names_seen, self._named = count, self._place - 1
        return count < _MOST_WHO and self._place - self._named >= _APART

    def _against(self, said: Phrase) -> Phrase | None:
        """The pain that a message speaks to: one that shares a word with it."""
        own = {word.lower() for thing in said.things for word in thing.split()}
        for pain in self._given.pains:
            if own & {word.lower() for thing in pain.things for word in thing.split()}:
                return pain
        return None

    def _figure_slots(self, said: Phrase | None) -> dict[str, str]:
        """A number with what it counts: of the phrase, or the first of the brief."""
        given = self._given
        texts = [said.text] if said else [given.core.text, *(m.text for m in given.messages)]
        counted = next(filter(None, (figure(text, given.language) for text in texts)), "")
        return {"figure": counted, "Figure": counted[0].upper() + counted[1:]} if counted else {}

    def _thing_slots(self, said: Phrase | None) -> dict[str, str]:
        """Two things: of the phrase itself, or such as have been spoken of."""
        things = list(said.things) if said else (self._things_said or list(self._given.things))
        if not things:
            return {}
        start = self._place % len(things)
        slots = {"thing": things[start], "Thing": things[start][0].upper() + things[start][1:]}
        if len(things) > 1:
            other = things[(start + 1) % len(things)]
            slots |= {"thing2": other, "Thing2": other[0].upper() + other[1:]}
        return slots

    def _counted(self, lines: list[str]) -> int:
        return speech.spoken_words(" ".join(lines), self._given.language)

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


def _sentence(text: str) -> str:
    return f"{_capital(text)}."


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
