"""A brief in plain words: an e-mail, or three lines. What it says in passing is read, and listed.

Its sentences stay as they are; a sentence about the film itself is no message of it.
"""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING

from callsheet_studio.base.speech import MEDIUM, SLACK, spoken_words
from callsheet_studio.brief.letter.talk import bare, call_in, first_of, is_aside, refers_back
from callsheet_studio.brief.tongue import dots_ordinals, tongue_of
from callsheet_studio.library.facts import figure_in
from callsheet_studio.library.shelves import given_names
from callsheet_studio.library.things import named_things
from callsheet_studio.model.base import LEFT_OUT, Inferred

if TYPE_CHECKING:
    from callsheet_studio.brief.problems import Problems

_GREETING = re.compile(
    r"(?i)\A(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|hallo|liebe[rs]?|guten "
    r"(?:tag|morgen|abend)"
    r"|moin|servus|sehr geehrte[rs]?|grüezi)\b[^.!?]{0,60}[,!.]?\Z"
)
_HEADER = re.compile(
    r"(?i)\A(?:subject|betreff|from|von|to|an|cc|date|datum|sent|gesendet|re|aw|fwd?|wg)\s*:\s"
)
"""What an e-mail begins with when it is pasted whole."""
_FOR_WHOM = re.compile(
    r"(?i)\b(?:i'm writing for|i am writing for|i run|we run|ich schreibe f\u00fcr|ich leite|"
    r"wir leiten|wir betreiben)\s+"
    r"(?P<name>(?:the|our|an?|den|die|das|unser\w*|eine?n?)\s[^.,()!?]{3,48})"
)
_PARTING = re.compile(
    r"(?i)\A(?:(?:many |best |kind |warm )?(?:thanks(?: a million)?|thank you|"
    r"cheers|best|warmly|fondly|ciao|regards|wishes|"
    r"best wishes|yours|sincerely|"
    r"all the best|greetings)|(?:viele|liebe|beste|herzliche|schöne|mit freundlichen|"
    r"freundliche)n? "
    r"(?:grüße|grüßen|gruß)|vielen dank|danke|gruß|lg|mfg|vg)\b(.{0,40})\Z"
)
_OF_FIRM = re.compile(
    r"\A[A-Z\u00c4\u00d6\u00dc]\w+(?: [A-Z\u00c4\u00d6\u00dc]\w+)? "
    r"(?:vom|von der|von|from|of)(?: the)? (?:Verein )?(?P<brand>[A-Z\u00c4\u00d6\u00dc].{2,40})\Z"
)
"""`Miriam vom Verein Altes Eisen`, `Carol from Bright Bikes`."""
_TAIL = re.compile(
    r"\s+[-\u2013\u2014]+\s*(?P<name>[A-Z\u00c4\u00d6\u00dc][\w.]*(?:(?:,|\s+(?:&|and|und))?\s+"
    r"[A-Z\u00c4\u00d6\u00dc0-9][\w.']*){1,7})\Z"
)
"""Who has signed, behind a dash at the very end: `- Farah & Joe, Arch 9 Pottery`."""
_SENTENCE = re.compile(
    r"(?<=[.!?\u2026])[\"'\u201d\u00bb)]*\s+(?=[\"'\u201e\u00ab(]?[A-ZÄÖÜ0-9£€$])|\n{2,}"
)
_NUMBER = re.compile(r"\d{3}|@|\.\w{2,}\b|(?i:\b(?:tel|fax|phone|mobil|mobile)\b\s*[.:])")
"""How one is reached: no name of anybody."""
_MONEY = re.compile(
    r"(?i)[£€$]|\b(?:pounds?|euros?|dollars?|cents?|pence|franken|free|gratis|kostenlos)\b"
)
_ORDINAL = re.compile(r"\d\.\Z")
_WORDS = {
    "two": 2, "zwei": 2, "fifteen": 15, "fünfzehn": 15, "twenty": 20, "zwanzig": 20, "thirty": 30,
    "dreißig": 30, "forty": 40, "vierzig": 40, "forty-five": 45, "sixty": 60, "sechzig": 60,
    "ninety": 90, "neunzig": 90,
}  # fmt: skip
_UPRIGHT = re.compile(
    r"(?i)\b(?:upright|vertical(?:ly)?|portrait format|hochkant|hochformat|senkrecht)\b"
)
_SECONDS = re.compile(
    r"(?i)\b(?:(?P<half>half a minute|(?:eine )?halbe minute)|(?P<one>one minute|a minute|"
    r"eine minute)|"
    r"(?P<number>\d{1,3}|fifteen|twenty|thirty|forty|forty-five|sixty|ninety|fünfzehn|zwanzig|dreißig|vierzig|"
    r"sechzig|neunzig|two|zwei)[ -]?(?P<unit>seconds?|secs?|s|sekunden?|sek|minutes?|min|"
    r"minuten?))\b"
)
_PLATFORM = re.compile(
    r"(?i)\b(?:instagram|tiktok|youtube|linkedin|facebook|website|webseite|homepage|kino|tv)\b"
)
_SHOULD = re.compile(
    r"(?i)\A(?:people|they|customers|viewers|everyone|die leute|alle|kunden) (?:should|can|"
    r"sollen|können) (?:just |please |einfach |bitte )?(?P<cta>.+?)[.!]*\Z"
)
_ORDER = re.compile(
    r"(?:Come|Call|Book|Visit|Join|Get|Try|Order|Give|Ask|Find|Drop|Stop|Bring|Sign|Write|Apply|See|Meet|Buy|Start|"
    r"Komm|Kommt|Kommen|Ruf|Ruft|Rufen|Hol|Holt|Holen|Bestell|Bestellt|Bestellen|Besuch|Besucht|Besuchen|Meld|Melde|"
    r"Meldet|Schau|Schaut|Bewirb|Bewerbt|Mach|Macht|Probier|Probiert|Testen|Teste|Spende|Spendet|Spenden|Buch|Bucht)\b"
)
_CALL_US = re.compile(
    r"(?i)\b(?:call us|ring us|give us a call|ruft? (?:uns )?an|rufen sie (?:uns )?an)\b"
)
_TONE = re.compile(
    r"(?i)\b(?:nothing|not|nichts|nicht) (?:too )?[\w-]+,? (?:but |rather |more |lieber |"
    r"eher |sondern )+(?P<tone>[\w -]{3,30})"
)
_MOOD = re.compile(
    r"(?i)\bmake it (?P<mood>an? [\w -]{4,40})|\bbitte (?:bei|an einem|am) (?P<mut>[\w -]{4,40})"
)
_WHO = re.compile(
    r"(?i)\A(?P<a>[\w -]{3,40}?) (?:are|sind) (?:our|unsere) (?:main |most important |"
    r"wichtigsten )?(?:customers|guests|kunden|gäste)"
    r"|\b(?:our|unsere) (?:customers|guests|kunden|gäste) (?:are|sind) (?P<b>[\w -]{3,40})"
    r"|\b(?:makes|get|macht|bringt) (?:the |die )?(?P<c>[\w -]{3,30}?) (?:want to|to join|dazu)"
)
_WE_ARE = re.compile(
    r"\b(?:we're|we are|wir sind|I'm from|our \w+ is called|unser\w* \w+ heißt) "
    r"[^.()]{0,60}\((?P<brand>[A-ZÄÖÜ][^)]{1,40})\)"
)
_WHAT_WE_ARE = re.compile(
    r"(?i)\b(?:we're|we are|wir sind|i'm writing for|ich schreibe für) [^.,(]{4,80}"
)
_THAT = re.compile(r"(?i)\Aes geht darum, dass (?P<clause>.+?)[.!]?\Z")
_PREPOSITIONS = frozenset(("bei", "mit", "in", "an", "auf", "von", "für", "zu", "nach"))
_URL = re.compile(r"(?i)\A\s*(?:https?://|www\.)\S+\s*\Z")
_LONGEST, _MOST = 220, 8
_REMARK = 5
"""Words of a sentence that only goes on with what was said before it."""
_SIGNED = 3
_LEAST = 4
"""Words of a sentence that says something by itself."""
_TALK = 3
HEARD = "from your words: "
"""How the reason begins why a value was taken that somebody has said, if not in so many words."""


def is_plain(text: str) -> bool:
    """Whether a text in Markdown has no heading, no key and no list: then it is plain words."""
    keyed = re.compile(r"(?m)^\s*(?:#|[-*+] |\||```|[A-Za-zÄÖÜäöü_ ]{2,24}:(?:\s|$))")
    return not keyed.search(text)


def read_plain(text: str, problems: Problems) -> tuple[dict[str, object], tuple[Inferred, ...]]:
    """The brief in a text of plain words, and what of it was read between the lines."""
    body, signed = _parts(text)
    if not body or all(_URL.match(line) for line in body.splitlines() if line.strip()):
        fix = "Say in a sentence or two what the film says; an address alone says nothing."
        problems.add("brief", "there is only an address in it" if body else "it is empty", fix)
        raise problems.refusal()
    reading = _Reading(body, signed)
    return reading.data, tuple(reading.inferred)


def _parts(text: str) -> tuple[str, list[str]]:
    """What is said, and who has signed it."""
    lines = [line.rstrip() for line in text.strip().splitlines()]
    while lines and (_HEADER.match(lines[0]) or not lines[0].strip()):
        lines = lines[1:]
    if lines and _GREETING.match(lines[0].strip()):
        lines = lines[1:]
    if lines and (tail := _TAIL.search(lines[-1])):
        # A letter of few lines is signed where its last one ends.
        said = lines[-1][: tail.start()].rstrip()
        signed = [each.strip() for each in tail["name"].split(",") if each.strip()]
        return "\n".join((*lines[:-1], said)).strip(), signed[:_SIGNED]
    for at, line in enumerate(lines):
        parting = _PARTING.match(line.strip().rstrip(",!."))
        if parting and at > 0:
            after = parting[1].strip(" ,")
            below = "\n".join(lines[at + 1 :]).strip().splitlines()
            # A postscript stands apart.
            names = [each.strip() for each in takewhile(str.strip, below)]
            signed = [after if after[:1].isupper() else "", *names]
            return "\n".join(lines[:at]).strip(), [each for each in signed if each][:_SIGNED]
    return "\n".join(lines).strip(), []


class _Reading:
    """Reads sentence by sentence, and lists what it takes from where."""

    def __init__(self, body: str, signed: list[str]) -> None:
        self.data: dict[str, object] = {}
        self.inferred: list[Inferred] = []
        self._messages: list[str] = []
        call = ""
        for part in re.split(r"\n\s*\n", body):
            joined = " ".join(part.split())
            if asked := call_in(joined):
                joined, call = asked
            aside = False
            for sentence in _sentences(joined):
                # What is said shortly behind words about the film is about it, too.
                if aside and len(sentence.split()) <= _REMARK:
                    continue
                before = len(self._messages)
                self._sentence(sentence)
                aside = len(self._messages) == before
        if call:
            # What is to be said at the end is that, whatever was asked for before.
            self._drop("message.cta")
            self._note("message.cta", call, call)
        self._brand(body, signed)
        self._finish()

    def _note(self, key: str, value: object, heard: str) -> None:
        section, _, name = key.partition(".")
        held = self.data.setdefault(section, {})
        assert isinstance(held, dict)
        if name in held:
            return
        held[name] = value
        short = heard if len(heard) <= _LONGEST else f"{heard[:_LONGEST]}…"
        self.inferred.append(Inferred(key=key, value=value, why=f"{HEARD}“{short}”"))

    def _drop(self, key: str) -> None:
        section, _, name = key.partition(".")
        held = self.data.get(section)
        if isinstance(held, dict) and name in held:
            self._messages.append(_plain_sentence(str(held.pop(name))))
            self.inferred = [each for each in self.inferred if each.key != key]

    def _sentence(self, said: str) -> None:
        said = re.sub(r"\s*(?::-?\)|;-?\)|\U0001f642)\s*", "", said).strip()
        taken = self._call(said) | self._aside(said)
        if found := _WHAT_WE_ARE.search(said):
            self._note("project.context", found[0].strip(), said)
        if taken or not said:
            return
        if is_aside(said):
            if refers_back(said) and self._messages:
                self._messages.pop()  # what they would like to have, too, is no message of theirs
            return
        if who := _WHO.search(said):
            name = next(filter(None, who.groups()))
            self._note("audience.who", name.strip(), said)
            return
        self._messages.append(_plain_sentence(said))

    def _call(self, said: str) -> bool:
        if found := _SHOULD.match(said):
            call = found["cta"].strip()
            self._note("message.cta", call[:1].upper() + call[1:], said)
            return True
        return False

    def _aside(self, said: str) -> bool:
        """What is said about the film in passing."""
        taken = False
        about = is_aside(said)
        if about and (found := _SECONDS.search(said)):
            self._note("content.duration", _seconds(found), found[0])
        if found := _UPRIGHT.search(said):
            self._note("delivery.aspect", "9:16", found[0])
        if about and (found := _PLATFORM.search(said)):
            self._note("audience.platforms", [found[0].lower()], found[0])
        if found := _TONE.search(said):
            self._note("style.tone", found["tone"].strip(" ."), said)
            taken = True
        if found := _MOOD.search(said):
            self._note("style.mood", (found["mood"] or found["mut"]).strip(" ."), said)
            taken = True
        if about and (who := _WHO.search(said)):
            self._note("audience.who", next(filter(None, who.groups())).strip(), said)
        return taken

    def _brand(self, body: str, signed: list[str]) -> None:
        """Who it is from, where they say so: in brackets, or below their name."""
        if found := _WE_ARE.search(body):
            self._note("message.brand", found["brand"], found[0])
            return
        if found := next(filter(None, map(_OF_FIRM.search, signed)), None):
            self._note("message.brand", found["brand"].strip(), found[0])
            return
        named = [line for line in signed if not _NUMBER.search(line)]
        # Whoever signs comes first; what stands below is whom they sign for, also in one word.
        firms = [line for at, line in enumerate(named) if at or not _is_person(line)]
        if firms:
            self._note("message.brand", firms[-1], firms[-1])
        elif found := _FOR_WHOM.search(body):
            name = found["name"].strip()
            self._note("project.title", name[:1].upper() + name[1:], found[0])

    def _finish(self) -> None:
        messages = self._messages
        orders = [m for m in messages if _ORDER.match(m)]
        message = self.data.get("message")
        if orders and not (isinstance(message, dict) and "cta" in message) and len(messages) > 1:
            self._note("message.cta", orders[-1].rstrip("."), orders[-1])
            messages.remove(orders[-1])
        if not messages:
            return
        every = list(dict.fromkeys(messages))  # what is said twice is said once
        core = every.pop(first_of(every))
        rest = every
        self._note("message.core", core, core)
        words = len(" ".join((core, *rest[:_MOST])).split())
        seconds = max(15, -(-words * 2 // 5 // 5) * 5 + 10)
        self._note("content.duration", f"{min(seconds, 60)}s", f"{words} words")
        if kept := self._fitting(core, rest):
            self._note("message.supporting", kept, "; ".join(kept))
        for each in rest:
            if each not in kept:
                # An e-mail says more than a film can: what is left out is told.
                why = "there is no time for it; make the film longer, or say it in a brief"
                self.inferred.append(Inferred(key=LEFT_OUT, value=each, why=why))
        message = self.data["message"]
        assert isinstance(message, dict)
        if isinstance(brand := message.get("brand"), str):
            self._note("project.title", brand, brand)

    def _fitting(self, core: str, rest: list[str]) -> list[str]:
        """As many sentences as can be said: those that fit, in their order."""
        content, message = self.data["content"], self.data["message"]
        assert isinstance(content, dict)
        assert isinstance(message, dict)
        language = tongue_of(" ".join((core, *rest)))
        room = float(str(content["duration"]).removesuffix("s")) * MEDIUM / 60 / float(SLACK)
        room -= spoken_words(f"{core} {message.get('cta', '')}", language)
        kept: list[str] = []
        for each in sorted(rest, key=lambda said: _weight(said, language)):
            words = spoken_words(each, language)
            if words < _LEAST and _weight(each, language) == _TALK:
                continue  # `She cried.`: it hangs on what is said before it
            if words <= room and len(kept) < _MOST:
                kept.append(each)
                room -= words
        return [each for each in rest if each in kept]


def _weight(said: str, language: str) -> int:
    """How early a sentence has its turn: money, then numbers, then things, then everything else."""
    if figure_in(said, language):
        return 0 if _MONEY.search(said) else 1
    return 2 if named_things(said) else _TALK


def _sentences(text: str) -> list[str]:
    """The sentences of a text. `am 12. Oktober` ends none; `home for 12. We bake` does."""
    found: list[str] = []
    dotted = dots_ordinals(text)
    for each in filter(None, (part.strip() for part in _SENTENCE.split(text))):
        if dotted and found and _ORDINAL.search(found[-1]):
            found[-1] = f"{found[-1]} {each}"
        else:
            found.append(each)
    return found


def _seconds(found: re.Match[str]) -> str:
    if found["half"]:
        return "30s"
    if found["one"]:
        return "60s"
    number = _WORDS.get(found["number"].lower()) or int(found["number"])
    minutes = found["unit"].lower().startswith("m")
    return f"{number * 60 if minutes else number}s"


def _is_person(line: str) -> bool:
    words = line.split()
    # A single word below a letter is somebody's name.
    known = len(words) <= 1 or words[0].lower().strip(",") in given_names()
    return known or len(line) > 50  # noqa: PLR2004


def _plain_sentence(said: str) -> str:
    """Without what only leads to it; a German clause with `dass` becomes the sentence it is."""
    if found := _THAT.match(said):
        return _turned(found["clause"])
    return bare(said)


def _turned(clause: str) -> str:
    """`bei uns abends kein Brot weggeworfen wird`: the verb goes to the second place."""
    words = clause.strip().rstrip(".").split()
    *others, verb = words
    front = 2 if others and others[0].lower() in _PREPOSITIONS else 1
    turned = [*others[:front], verb, *others[front:]]
    text = " ".join(turned)
    return f"{text[:1].upper()}{text[1:]}."
