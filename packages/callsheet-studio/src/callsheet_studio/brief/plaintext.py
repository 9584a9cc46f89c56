"""A brief in plain words: an e-mail, or three lines. What it says in passing is read, and listed.

Its sentences stay as they are; a sentence about the film itself is no message of it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from callsheet_studio.base.speech import MEDIUM, SLACK, spoken_words
from callsheet_studio.brief.tongue import tongue_of
from callsheet_studio.library.facts import figure_in
from callsheet_studio.library.shelves import given_names
from callsheet_studio.library.things import named_things
from callsheet_studio.model.base import Inferred

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
    r"cheers|best|regards|wishes|"
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
    r"(?<=[.!?\u2026])(?<!\d\.)[\"'\u201d\u00bb)]*\s+(?=[\"'\u201e\u00ab(]?[A-ZÄÖÜ0-9])|\n{2,}"
)
_ABOUT_FILM = re.compile(
    r"(?i)\b(?:films?|video|videos|clip|spot|movie|trailer|reel|footage|animation|imagefilm|filmchen|"
    r"on the phone|as discussed|am telefon besprochen|wie besprochen|i'm writing|i am "
    r"writing|ich schreibe|"
    r"let me know|meld(?:en sie|e dich) bei fragen|budget|deadline|"
    r"main feature|whatsapp-gruppe|voice-?over|sprecherin?|soundtrack|drehort|drehtag)\b|"
    r"\A(?:the )?(?:music|musik)\b|\bauf dem bildschirm laufen\b|\b(?:please )?no \w+'s faces\b|"
    r"\b(?:something|was|etwas) (?:\w+ )?(?:with|mit) "
    r"(?:piano|strings|akkordeon|klavier|gitarre|geigen)\b|"
    r"\bare fine\b|\bis fine too\b"
)
_TO_US = re.compile(
    r"(?i)\A(?:sorry|apologies|thanks|thank you|hope you|as (?:you know|promised)|entschuldig\w*|"
    r"sorry|tut mir leid|danke|wie versprochen|ich hoffe)\b|\(?don't ask\)?|\bfrag(?:t)? nicht\b|"
    r"\A(?:i think|i don't|i do not|ich glaube|ich finde)\b|"
    r"\A\w+ (?:wants|would like|möchte|will|hätte gern) (?:something|etwas|was)\b"
)
"""What somebody says to whoever makes the film, about themselves: no message of it."""
_ASKED_OF_US = re.compile(
    r"(?i)\A(?:could|can|would|will) you (?:please )?(?:do|make|cut|draw|produce|create|put)\b|"
    r"\A(?:k\u00f6nn(?:t|tet|en|ten) (?:ihr|sie)|kannst du|k\u00f6nntest du)\b.*"
    r"\b(?:machen|drehen|erstellen|schneiden|zeichnen)\b"
)
"""What is asked of whoever makes the film, and not said in it."""
_MAYBE = re.compile(r"(?i)(?:maybe|perhaps|about|around|vielleicht|etwa|ungef\u00e4hr|so um die)\b")
_UPRIGHT = re.compile(
    r"(?i)\b(?:upright|vertical(?:ly)?|portrait format|hochkant|hochformat|senkrecht)\b"
)
_PASSING = re.compile(r"(?i)\b(?:so it's quite urgent|darauf sind wir|a bit proud|stolz)\b")
_SECONDS = re.compile(
    r"(?i)\b(?:(?P<half>half a minute|(?:eine )?halbe minute)|(?P<one>one minute|a minute|"
    r"eine minute)|"
    r"(?P<number>\d{1,3}|fifteen|twenty|thirty|forty|forty-five|sixty|ninety|fünfzehn|zwanzig|dreißig|vierzig|"
    r"sechzig|neunzig|two|zwei)[ -]?(?P<unit>seconds?|secs?|s|sekunden?|sek|minutes?|min|"
    r"minuten?))\b"
)
_WISHED = re.compile(
    r"(?i)\b(?:would be (?:lovely|great|nice|fine|perfect|grand|good|brilliant|ideal)|"
    r"something like|"
    r"so etwa|so ungef\u00e4hr|is enough|reicht|reichen|"
    r"w\u00e4re (?:sch\u00f6n|toll|gut|prima))\b"
)
"""How somebody wishes for a length."""
_WORDS = {
    "two": 2, "zwei": 2, "fifteen": 15, "fünfzehn": 15, "twenty": 20, "zwanzig": 20, "thirty": 30,
    "dreißig": 30, "forty": 40, "vierzig": 40, "forty-five": 45, "sixty": 60, "sechzig": 60,
    "ninety": 90, "neunzig": 90,
}  # fmt: skip
_PLATFORM = re.compile(
    r"(?i)\b(?:instagram|tiktok|youtube|linkedin|facebook|website|webseite|homepage|kino|tv)\b"
)
_SAY = re.compile(
    r"(?i)\b(?:please say|say at the end|at the end|it should (?:end|say)|call to action|"
    r"end with|am schluss|am ende|"
    r"zum schluss|schlusssatz|"
    r"aufruf)(?:\s+(?:please|bitte|say|soll(?:te)?|stehen|kommen|es|heißen)){0,4}\s*:\s*[\"\u201e\u201c]?(?P<cta>[A-ZÄÖÜ].+?)[\"\u201d\u201c]?\s*\Z",
    re.DOTALL,
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
_INTRO = re.compile(
    r"(?i)\A(?:also|so|well|what happens is this|what matters|the point is|it's about this|"
    r"important|key points?|das "
    r"wichtigste|wichtig(?: ist)?|worum es geht|"
    r"es geht darum)\s*[:,]\s*(?:dass\s+)?"
)
_THAT = re.compile(r"(?i)\Aes geht darum, dass (?P<clause>.+?)[.!]?\Z")
_PREPOSITIONS = frozenset(("bei", "mit", "in", "an", "auf", "von", "für", "zu", "nach"))
_URL = re.compile(r"(?i)\A\s*(?:https?://|www\.)\S+\s*\Z")
_LONGEST, _MOST = 220, 8
_REMARK = 5
"""Words of a sentence that only goes on with what was said before it."""
_SIGNED = 3
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
            signed = [after if after[:1].isupper() else ""] + [
                each.strip() for each in lines[at + 1 :]
            ]
            return "\n".join(lines[:at]).strip(), [each for each in signed if each][:_SIGNED]
    return "\n".join(lines).strip(), []


class _Reading:
    """Reads sentence by sentence, and lists what it takes from where."""

    def __init__(self, body: str, signed: list[str]) -> None:
        self.data: dict[str, object] = {}
        self.inferred: list[Inferred] = []
        self._messages: list[str] = []
        for part in re.split(r"\n\s*\n", body):
            joined = " ".join(part.split())
            aside = False
            for sentence in filter(None, (each.strip() for each in _SENTENCE.split(joined))):
                # What is said shortly behind words about the film is about it, too.
                if aside and len(sentence.split()) <= _REMARK:
                    continue
                before = len(self._messages)
                self._sentence(sentence)
                aside = len(self._messages) == before
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
        if taken or _ABOUT_FILM.search(said) or _TO_US.search(said) or not said:
            return
        if who := _WHO.search(said):
            name = next(filter(None, who.groups()))
            self._note("audience.who", name.strip(), said)
            return
        self._messages.append(_plain_sentence(said))

    def _call(self, said: str) -> bool:
        if found := _SAY.search(said):
            # What is to be said at the end is that, whatever was asked for before.
            self._drop("message.cta")
            self._note("message.cta", found["cta"].strip(), said)
            return True
        if found := _SHOULD.match(said):
            call = found["cta"].strip()
            self._note("message.cta", call[:1].upper() + call[1:], said)
            return True
        return False

    def _aside(self, said: str) -> bool:
        """What is said about the film in passing."""
        taken = False
        wished = bool(_WISHED.search(said) or _ASKED_OF_US.search(said))
        if (found := _SECONDS.search(said)) and (
            _ABOUT_FILM.search(said) or found["half"] or wished
        ):
            self._note("content.duration", _seconds(found), found[0])
            taken = wished or bool(_MAYBE.match(said))
        if found := _UPRIGHT.search(said):
            self._note("delivery.aspect", "9:16", found[0])
        if (found := _PLATFORM.search(said)) and (_ABOUT_FILM.search(said) or wished):
            self._note("audience.platforms", [found[0].lower()], found[0])
        if found := _TONE.search(said):
            self._note("style.tone", found["tone"].strip(" ."), said)
            taken = True
        if found := _MOOD.search(said):
            self._note("style.mood", (found["mood"] or found["mut"]).strip(" ."), said)
            taken = True
        if who := _WHO.search(said) if _ABOUT_FILM.search(said) else None:
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
        firms = [line for line in signed if not _is_person(line)]
        if firms:
            self._note("message.brand", firms[-1], firms[-1])
        elif found := _FOR_WHOM.search(body):
            name = found["name"].strip()
            self._note("project.title", name[:1].upper() + name[1:], found[0])

    def _finish(self) -> None:
        messages = [m for m in self._messages if not _PASSING.fullmatch(m)]
        orders = [m for m in messages if _ORDER.match(m)]
        message = self.data.get("message")
        if orders and not (isinstance(message, dict) and "cta" in message) and len(messages) > 1:
            self._note("message.cta", orders[-1].rstrip("."), orders[-1])
            messages.remove(orders[-1])
        if not messages:
            return
        core, *rest = messages
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
                self.inferred.append(Inferred(key="left out", value=each, why=why))
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
        # What names a number or a thing says more than what does not.
        for each in sorted(
            rest, key=lambda said: not (figure_in(said, language) or named_things(said))
        ):
            words = spoken_words(each, language)
            if words <= room and len(kept) < _MOST:
                kept.append(each)
                room -= words
        return [each for each in rest if each in kept]


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
    bare = _INTRO.sub("", said)
    return bare[:1].upper() + bare[1:]


def _turned(clause: str) -> str:
    """`bei uns abends kein Brot weggeworfen wird`: the verb goes to the second place."""
    words = clause.strip().rstrip(".").split()
    *others, verb = words
    front = 2 if others and others[0].lower() in _PREPOSITIONS else 1
    turned = [*others[:front], verb, *others[front:]]
    text = " ".join(turned)
    return f"{text[:1].upper()}{text[1:]}."
