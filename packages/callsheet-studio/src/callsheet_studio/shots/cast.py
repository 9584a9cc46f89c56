"""Who is seen in a film, and that they look the same in every shot.

A beat names its people in `production.references`, as `figure:NAME — look` or as a crew writes it
(`Mara Whitfield, harbour master, 41, navy jacket`); dialogue names those who speak, and actions
those who do something.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.library import find_set, form_of, outfit, people
from callsheet_studio.library.things import named_things
from callsheet_studio.model.shots import Figure
from callsheet_studio.shots.chance import pick
from callsheet_studio.shots.spoken import lines

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from callsheet_studio.model.script import Beat, Script

MARK = "figure:"
_REFERENCE = re.compile(
    rf"{MARK}\s*(?P<name>.+?)(?:\s+[\u2014\u2013-]\s+(?P<look>.+))?\Z", re.DOTALL
)
_DESCRIBED = re.compile(r"(?P<look>(?P<name>[^\W\d_]+)(?: [^\W\d_]+)?, (?:.*, )?\d{1,2}(?:,.*)?)\Z")
_WORD = re.compile(r"[^\W\d_]+(?:[-'\u2019][^\W\d_]+)*")
_INTRODUCED = re.compile(
    r"\b((?:(?:MRS?|MS|DR|PROF)\.? )?[^\W\d_]{2,}(?: [^\W\d_]{2,})?)(?:,| \()\s*\d{1,2}\b"
)
"""`INGRID, 50` or `MARA (34)`, as screenplays introduce people."""
_SENTENCE = re.compile(r"(?<=[.!?])(?<!\bMrs\.)(?<!\bM[rs]\.)(?<!\b[DF]r\.)\s+", re.IGNORECASE)
_WORN = re.compile(r" in ((?:an? |einer? |einem )?[\w-]+)\b")
"""`volunteers in orange`, `a child in a blanket`; not `in the street`."""
_IN_FRONT = 4
"""Words of a sentence within which it says who does something."""
_EPITHET = re.compile(
    r"\A(?:(?:the|der|die|das) )?(?:old|young|little|big|poor|alte[rs]?|junge[rs]?|kleine[rs]?"
    r"|gro(?:ss|\u00df)e[rs]?|arme[rs]?) (?=\S)"
)
_HAIR = re.compile(r"hair|haar", re.IGNORECASE)
_PAIR = 2
_TITLES = frozenset(("Frau", "Herr", "Herrn", "Opa", "Oma", "Onkel", "Tante"))
_FORMS = {"he": "man", "she": "woman", "er": "man"}
"""Whom a pronoun means. `sie` may be many, and `es` a thing."""
_TO_WHOM = re.compile(
    r"(?i)(?<!behind )(?<!around )(?<!after )(?<!hinter )(?<!nach )"
    r"\b(?:(?P<him>him|ihm|ihn)|(?:zu|neben|mit) ihr"
    r"|ihr(?= (?:eine[nm]?|ein|den|die|das|zu|hin|etwas)\b)"
    r"|her(?=[.,;!?]|\Z| (?:and|with|to|in|into|across|over)\b))(?!\w)"
)
_LOOKS_LIKE = re.compile(
    r"(?i)\b(?:(?P<his>man|boy|beard\w*|moustache|grandfather|father|son|mann|junge|vollbart|bart"
    r"|schnurrbart|opa)|woman|girl|mother|grandmother|daughter|granddaughter|dress|braids|frau"
    r"|m\u00e4dchen|oma|tochter|enkelin|kleid|z\u00f6pfe)\b"
)
_GENITIVE = re.compile(r"(?:['\u2019]s|['\u2019])\Z")


def reference(figure: Figure) -> str:
    """As it stands in the references of a shot."""
    return f"{MARK}{figure.name} — {figure.look}"


class Cast(msgspec.Struct, frozen=True):
    """Everybody who is seen."""

    figures: tuple[Figure, ...]
    language: str
    aliases: tuple[tuple[str, str], ...] = ()
    """Other names of somebody: `old heinrich`, of Heinrich."""

    def named(self, text: str) -> tuple[str, ...]:
        """Those that a text names, in its order."""
        found = []
        for part in _SENTENCE.split(text):
            spoken = f" {' '.join(_words(part))} "
            for figure in self.figures:
                place = spoken.find(f" {' '.join(_words(figure.name))} ")
                # `for every guest` shows none; `the guest turns` does.
                behind = self._noun(figure.name) and spoken[:place].count(" ") >= _IN_FRONT
                if place >= 0 and not behind:
                    found.append(figure.name)
        return tuple(dict.fromkeys(found))

    def seen(
        self, text: str, before: tuple[str, ...], known: tuple[str, ...] = ()
    ) -> tuple[str, ...]:
        """Those that a text speaks of: by name, or by a pronoun those who were named before.

        Args:
            text: a part of an action.
            before: those who were seen in the last one.
            known: everybody who was seen, the last first: `he` is the last man among them.
        """
        named = self.named(text)
        spoken = _words(text)
        if named:
            first = self._meant_first(spoken, named, known)
            other = self._other(text, named, known)
            return tuple(dict.fromkeys(filter(None, (first, *named, other))))
        pronouns = [n for n, word in enumerate(spoken) if word in people(self.language).pronouns]
        if pronouns and named_things(" ".join(spoken[: pronouns[0]])):
            return ()  # `the taxi waits until she is inside` shows a taxi
        said = next((_FORMS[word] for word in spoken if word in _FORMS), "")
        if "they" in spoken and len(before) < _PAIR:
            return known[:_PAIR]
        meant = next((name for name in known if said and self._form(name) == said), "")
        if meant and len(before) <= 1:
            other = self._other(text, (meant,), known)
            return (meant, other) if other else (meant,)
        return before if pronouns else ()

    def _meant_first(
        self, spoken: list[str], named: tuple[str, ...], known: tuple[str, ...]
    ) -> str:
        """Who acts where a pronoun comes before all names: `She points at it, and Sam laughs`."""
        form = _FORMS.get(spoken[0], "") if spoken else ""
        if not form or (len(named) == 1 and self._form(named[0]) == form):
            return ""
        others = (name for name in known if name not in named and not self.many(name))
        return next((name for name in others if self._form(name) == form), "")

    def _other(self, text: str, named: tuple[str, ...], known: tuple[str, ...]) -> str:
        """To whom somebody who is named does something: `Ida gives them to him`."""
        found = _TO_WHOM.search(text)
        if found is None or len(named) != 1:
            return ""
        form = "man" if found["him"] else "woman"
        others = (
            name
            for name in known
            if name not in named and not self.many(name) and self._form(name) == form
        )
        return next(others, "")

    def _form(self, name: str) -> str:
        """`woman` or `man`, by their name or what is said of their look; else nothing."""
        look = next((figure.look for figure in self.figures if figure.name == name), "")
        told = form_of(name)
        if told or not look:
            return told
        found = _LOOKS_LIKE.search(look)
        return ("man" if found["his"] else "woman") if found else ""

    def references(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """What keeps them looking the same."""
        return tuple(reference(figure) for figure in self.figures if figure.name in names)

    def describes(self, reference: str) -> bool:
        """Whether a reference of a beat is about somebody, and so stands in their shots only."""
        return bool(_REFERENCE.match(reference) or _DESCRIBED.match(reference))

    def called(self, cue: str) -> str:
        """The figure that a name in a dialogue stands for, or nothing."""
        name = dict(self.aliases).get(cue.casefold(), cue.casefold())
        return next((f.name for f in self.figures if f.name.casefold() == name), "")

    def look(self, name: str) -> str:
        """What somebody looks like."""
        return next(figure.look for figure in self.figures if figure.name == name)

    def _noun(self, name: str) -> bool:
        words = people(self.language)
        return name.lower() in words.one | words.many

    def many(self, name: str) -> bool:
        """Whether the name stands for several people."""
        return name.lower() in people(self.language).many


def cast_of(
    script: Script,
    identity: str,
    told: Sequence[tuple[str, str]] = (),
    acted: Collection[int] = (),
) -> Cast:
    """Everybody in a script; whom it does not describe gets an outfit that nobody else has.

    Those who are told, with their looks, are all who act in some of its beats.
    """
    looks: dict[str, str] = dict(told)
    names: dict[str, str] = {name.casefold(): name for name in looks}
    aliases = other_names(script)
    for number, beat in enumerate(script.beats):
        nouns = [] if number in acted else _in_action(beat, script.language, tuple(looks))
        for full, look in (*_in_beat(beat), *nouns):
            name = full[-len(aliases.get(full.casefold(), full)) :]
            known = names.setdefault(name.casefold(), name.title() if name.isupper() else name)
            looks[known] = looks.get(known) or look
    first = pick(identity, "outfits", len(people(script.language).outfits))
    figures = [
        Figure(name=name, look=look or outfit(name, script.language, first + number))
        for number, (name, look) in enumerate(looks.items())
    ]
    said = {bare: full.removesuffix(bare).strip() for full, bare in aliases.items()}
    called = [said.get(figure.name.casefold(), "") or _epithet(figure.name) for figure in figures]
    return Cast(
        tuple(
            _as_called(figure, epithet, described=bool(looks[figure.name]))
            for figure, epithet in zip(figures, called, strict=True)
        ),
        script.language,
        tuple(aliases.items()),
    )


def _epithet(name: str) -> str:
    """Old, of an old man."""
    found = _EPITHET.match(name.casefold())
    return found[0].strip() if found else ""


def _as_called(figure: Figure, epithet: str, *, described: bool) -> Figure:
    """Somebody who is also called old, or little, looks it: their hair, too, if nobody says it."""
    if not epithet or epithet in _words(figure.look):
        return figure
    parts = figure.look.split(", ")
    worn = [part for part in parts if described or not _HAIR.search(part)]
    return figure.model_copy(update={"look": ", ".join((epithet, *worn))})


def other_names(script: Script) -> dict[str, str]:
    """Names with an epithet, in small letters: `old heinrich` is whom it calls Heinrich elsewhere.

    Old Heinrich and young Heinrich are two, and an old man is not any man.
    """
    names = [name.casefold() for beat in script.beats for name, _ in _in_beat(beat)]
    nouns = people(script.language).one | people(script.language).many
    found: dict[str, set[str]] = {}
    for name in names:
        bare = _EPITHET.sub("", name)
        if bare and bare != name and bare not in nouns:
            found.setdefault(bare, set()).add(name)
    told = " ".join(f" {' '.join(_words(beat.script.action))} " for beat in script.beats)
    one = {bare: min(full) for bare, full in found.items() if len(full) == 1}
    return {
        full: bare
        for bare, full in one.items()
        if bare in names or f" {bare} " in told.replace(f" {full} ", "  ")
    }


def _in_beat(beat: Beat) -> list[tuple[str, str]]:
    """Whom it names, with their looks."""
    given = (_REFERENCE.match(r) or _DESCRIBED.match(r) for r in beat.production.references)
    found = [(match["name"].strip(), (match["look"] or "").strip()) for match in given if match]
    found += [(line.name, "") for line in lines(beat.script.dialogue) if line.seen]
    introduced = [name for name in _INTRODUCED.findall(beat.script.action) if name.isupper()]
    # TILDA BRANNIGAN is who speaks as TILDA.
    known = [set(_words(name)) for name, _ in found]
    others = [name for name in introduced if not any(one <= set(_words(name)) for one in known)]
    return [*found, *((name, "") for name in others)]


def _in_action(beat: Beat, language: str, known: tuple[str, ...]) -> list[tuple[str, str]]:
    """Those in its action who have no name."""
    found: list[tuple[str, str]] = []
    named = (name for name, _ in _in_beat(beat))
    names = [" ".join(_words(name)) for name in (*named, *known)]
    for part in _SENTENCE.split(beat.script.action):
        spoken = f" {' '.join(_words(part))} "
        # Who is named is not meant a second time by what they are.
        if not any(f" {name} " in spoken for name in names if name):
            found += _nouns(part, language)
    return found


def _nouns(part: str, language: str) -> list[tuple[str, str]]:
    """Of a sentence that names nobody: the words for people in it, and what they are in."""
    words = people(language)
    known = words.one | words.many
    found = []
    for match in list(_WORD.finditer(part))[:_IN_FRONT]:
        word = _GENITIVE.sub("", match[0])
        # Frau Adler is no woman besides.
        if word in _TITLES and re.match(r"\s+[A-Z\u00c4\u00d6\u00dc]", part[match.end() :]):
            continue
        if word.lower() in known:
            worn = _WORN.match(part, match.end())
            look = f"in {worn[1]}" if worn and not find_set(worn[1], "") else ""
            # German writes them with a capital, English only where a sentence begins.
            found.append((word if language[:2] == "de" else word.lower(), look))
    return found


def _words(text: str) -> list[str]:
    return [_GENITIVE.sub("", word).lower() for word in _WORD.findall(text)]
