"""What a sentence asks to be shown: its process, number, screen, thing, people or place; or a card.

Things come first: somebody who talks about a thing is no picture of it.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Literal

import msgspec

from callsheet_studio.library.facts import Figure, listed_in
from callsheet_studio.library.mentions import Text, grammar, read
from callsheet_studio.library.naming import Named, named, place_named
from callsheet_studio.library.senses import other_meaning
from callsheet_studio.library.shelves import given_names, people
from callsheet_studio.library.things import catalog, named_things, states_in, with_state

Kind = Literal["process", "number", "screen", "thing", "hand", "people", "list", "place", "fact"]

_FEWEST_STEPS = 2
_MOST_THINGS = 3
_PRODUCT = re.compile(
    r"(?i)\A\W*(?:(?:it|its|they|er|es)\b)(?! (?:is|was|gibt|ist|war|rain\w*|regnet|has been|takes|"
    r"took|dauert|geht|kam|heißt|are|were)\b)"
)
"""How a sentence begins that speaks of the product: `it rings`, but not `it is Sunday`."""
_HELD = frozenset(("phone", "cup", "drill", "wrench", "hammer", "screwdriver", "laptop"))
_HELD_SIZE = 0.5
_UNITS = {
    "price": "coins",
    "clock": "clock",
    "date": "calendar",
}
_TIME = re.compile(r"(?i)\A(?:second|minute|hour|stunde|sekunde)")
_DEGREES = re.compile(r"(?i)\A(?:\u00b0|degree|grad\b)")
_DAYS = re.compile(r"(?i)\A(?:day|week|month|year|tag|woche|monat|jahr)")


class Asked(msgspec.Struct, frozen=True):
    """A picture that words ask for."""

    kind: Kind
    things: tuple[str, ...] = ()
    """Of the catalogue, with their states: `phone:broken`."""
    people: tuple[str, ...] = ()
    place: str = ""
    figure: Figure | None = None
    steps: tuple[str, ...] = ()


class Film(msgspec.Struct, frozen=True):
    """What holds for all pictures of a film."""

    language: str
    product: str = ""
    """The thing that it is about, if that has a drawing."""
    noun: str = ""
    """The last word of what the product is called: `light` of `rear light`."""
    brand: str = ""
    instead: str = ""
    """A thing that the product would be by its noun alone: a flask is no bottle of wine."""
    meant: tuple[tuple[str, str], ...] = ()
    """What a thing is in a film that speaks of something else besides; nothing: has no drawing."""
    about: str = ""
    """All that the brief says: it tells which meaning of a word is meant."""

    def means(self, text: str) -> bool:
        """Whether a sentence speaks of the product: by its name, its noun, or as `it`."""
        if not self.product:
            return False
        plain = text.lower()
        said = [word for word in (self.noun, self.brand.lower()) if word]
        by_name = any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", plain) for word in said)
        return by_name or bool(_PRODUCT.match(text))


def asked(text: str, film: Film) -> tuple[Asked, ...]:
    """The pictures that a sentence asks for, the best first; the last is a card with the fact."""
    told = named(text, film.language, film.about)
    things = _things(text, told, film)
    found: list[Asked] = []
    if len(told.steps) >= _FEWEST_STEPS:
        found.append(Asked("process", steps=told.steps))
    if told.figure:
        beside = things[:1] or _beside(told.figure)
        found.append(Asked("number", beside, figure=told.figure))
    others = set(named_things(text)) - _DEVICES
    if told.online and not (others or _COLOURS.search(text)):
        device = next(
            (each for each in told.things if each in ("laptop", "tablet", "phone")), "phone"
        )
        # A tablet is seen as a thing: only phones and laptops have screens that are drawn.
        found.append(Asked("thing" if device == "tablet" else "screen", (device,)))
    if things and not (told.online and things == ("phone",)):
        first = things[0].partition(":")[0]
        small = first in _HELD and told.handled
        found.append(Asked("hand" if small else "thing", things))
    if seen := _seen(text, told.people, film.language) or _at_work(text, film.language):
        ridden = film.product in _RIDDEN and _RIDE.search(text)
        found.append(Asked("people", things[:1] or (film.product,) * bool(ridden), people=seen))
    if items := listed_in(text):
        found.append(Asked("list", steps=items))
    if told.place and told.place != "open_air" and place_named(text, stays=True) == told.place:
        found.append(Asked("place", place=told.place))
    return (*found, Asked("fact"))


_DEVICES = frozenset(("phone", "laptop", "tablet", "screen"))
_COLOURS = re.compile(
    r"(?i)\b(?:red|green|amber|yellow|blue|rot\w*|gr\u00fcn\w*|gelb\w*|blau\w*|swipe\w*|"
    r"wisch\w*|traffic light|ampel)\b"
)
"""What a screen is said to show that no drawn screen does."""
_RIDDEN = frozenset(("bicycle", "cargo_bike"))
_RIDE = re.compile(r"(?i)\b(?:ride|rides|riding|fahren|f\u00e4hrt)\b")
"""Whoever rides, in a film about bicycles, rides one."""


def _seen(text: str, words: tuple[str, ...], language: str) -> tuple[str, ...]:
    """Those whom one knows, and who is named beside them: a teacher and a baker are two people."""
    told = read(text)
    known = tuple(each for each in _recognised(text, words, language) if _leads(told, each))
    if not known:
        return ()
    found = list(known)
    for first, second in pairwise(words):
        listed = rf"\b{re.escape(first)}{_AND}{re.escape(second)}\b"
        if {first, second} & set(found) and re.search(listed, text):
            found += [first, second]
    return tuple(sorted(dict.fromkeys(found), key=words.index))[:_MOST_PEOPLE]


def _leads(told: Text, word: str) -> bool:
    """Whether a sentence is about somebody: they begin it, or it is for them."""
    at = told.words.index(word)
    before = told.lower[max(at - 3, 0) : at]
    if before and before[-1] in _OTHERS:
        return False  # the press of somebody is no picture of them
    is_for = any(each in ("for", "für") for each in before)
    if word.lower() in _ANYBODY:
        return is_for
    return is_for or told.first(at) <= _FRONT


_OTHERS = frozenset(("of", "vom", "von", "by", "from", "bei", "beim", "with", "mit", "to", "than"))
_ANYBODY = frozenset(("people", "leute", "menschen", "audience", "crowd"))
"""Words for people whom nobody would know by their look."""
_FRONT = 5
"""Words of a clause before whoever it is about."""
_AND = (
    r"(?:,? (?:and|und|or|oder)|,) "
    r"(?:(?:an?|the|two|three|our|eine?|der|die|das|zwei|drei|unsere?) )?"
)
_MOST_PEOPLE = 3
"""People who are seen at once."""


def is_aged(text: str, name: str) -> bool:
    """Whether a text tells how old somebody is: then the word is a name."""
    return bool(
        re.search(rf"\b{re.escape(name)}(?: [A-Z][\w-]+)?(?:, | \()(?:aged? )?\d\d\b", text)
    )


def _recognised(text: str, words: tuple[str, ...], language: str) -> tuple[str, ...]:
    """Those whom one knows when one sees them: a nurse, a child, a family; not a home owner."""
    trades = tuple(trade for worn in people(language).workwear.values() for trade in worn)
    found = []
    for word in words:
        plain = word.lower()
        single = plain.removesuffix("s").removesuffix("innen")
        by_look = plain in _LOOKS or single in _LOOKS or plain.endswith(_LOOKS_DE)
        by_name = word != plain and (plain in given_names() or is_aged(text, word))
        if by_look or by_name or single.endswith(trades):
            found.append(word)
    return tuple(found)


def _at_work(text: str, language: str) -> tuple[str, ...]:
    """Who does a work that a text speaks of: whoever speaks of nursing means a nurse."""
    german = language[:2].lower() == "de"
    for words, (english, deutsch) in _WORK.items():
        if re.search(rf"(?i)\b(?:{words})\b", text):
            return (deutsch if german else english,)
    return ()


_WORK = {
    r"pflege|pflegen|altenpflege|nursing|elderly care|care work": ("nurse", "Pflegerin"),
    r"cooking|we cook|wir kochen|gekocht": ("cook", "Köchin"),
    r"baking|we bake|wir backen|gebacken": ("baker", "Bäcker"),
}
_LOOKS = frozenset((
    "child", "children", "kids", "kid", "boy", "girl", "family", "families",
    "couple", "grandmother", "grandfather", "grandma", "grandpa", "pensioner", "crowd", "team",
    "choir", "band", "friends", "friend", "volunteers", "volunteer", "cyclist", "runner", "hiker",
    "people", "parents", "mother", "father", "crew", "neighbours", "neighbors", "pupils",
    "students", "teenagers", "teenager", "audience", "kind", "kinder", "junge", "mädchen",
    "familie", "familien", "paar", "oma", "opa", "großmutter", "großvater", "freunde",
    "freiwillige", "eltern", "mutter", "vater", "chor", "menschen", "leute", "nachbarn",
    "jugendliche", "schüler", "kollegen", "kolleginnen",
))  # fmt: skip
_LOOKS_DE = ("chor", "kinder", "familie", "familien")


def _things(text: str, told: Named, film: Film) -> tuple[str, ...]:
    """What is named, and the product where it is meant, each in its state."""
    meant = dict(film.meant)
    names = [film.product if each == film.instead else each for each in told.things]
    names = list(dict.fromkeys(each for name in names if (each := meant.get(name, name))))
    names.sort(key=lambda each: each in AROUND)
    if film.means(text) and film.product not in names:
        names.insert(0, film.product)
    stated = [with_state(name, _around(text, name, film)) for name in names[:_MOST_THINGS]]
    rain = told.weather in ("rain", "storm") and not _DRY.search(text)
    if stated and stated[0] == film.product and rain:
        stated[0] = f"{film.product}:wet"
    return tuple(stated)


_DRY = re.compile(
    r"(?i)\b(?:dry|waterproof|trocken\w*|wasserdicht\w*|wasserfest\w*|not|nicht|no|kein\w*)\b"
)


def _around(text: str, name: str, film: Film) -> str:
    """The clause of a sentence that a thing stands in: whose state is meant."""
    if name == film.product and name not in named_things(text):
        return text.partition(" when ")[0].partition(", wenn ")[0]
    clauses = re.split(r"(?<=[,;:])\s+|\s+(?:and|when|while|but|und|wenn|aber)\s+", text)
    return next((part for part in clauses if name in named_things(part)), text)


def _beside(figure: Figure) -> tuple[str, ...]:
    """What goes with a number that has no thing of its own."""
    if figure.kind in _UNITS:
        return (_UNITS[figure.kind],)
    if _TIME.match(figure.unit):
        return ("clock",)
    if _DEGREES.match(figure.unit):
        return ("thermometer",)
    return ("calendar",) if _DAYS.match(figure.unit) else ()


def film_of(told: tuple[str, ...], language: str, brand: str) -> Film:
    """What a film is about, from its title, its core and what it says, the most telling first."""
    whole = ". ".join(told)
    meant = tuple(
        (name, special)
        for name, (special, words) in _SPECIAL.items()
        if re.search(rf"(?i)\b(?:{words})\b", whole)
    )
    meant += tuple((name, "") for name in catalog() if other_meaning(name, whole))
    title, core, *others = told if len(told) > 1 else (*told, *told)
    for text, again in (
        (core, ()),
        (title, (core, *others)),
        *((each, (core,)) for each in others),
    ):
        front = " ".join(text.split()[:_SUBJECT])
        for name in named_things(front, whole):
            # A title may be a figure of speech: what it names is named again, or it is none.
            told_again = any(name in named_things(each) for each in again)
            told_again = told_again or (text is core and _is_subject(front, name))
            if name in _MEANS or not (told_again or (text is title and _is_label(title, name))):
                continue
            special = dict(meant).get(name, name)
            noun = _noun(front, name) if special else ""
            instead = name if special != name else ""
            return Film(language, special, noun, brand, instead=instead, meant=meant, about=whole)
    return Film(language, brand=brand, meant=meant, about=whole)


def _is_subject(text: str, name: str) -> bool:
    """Whether a sentence is about a thing: it begins with it, or says that something is one."""
    told = read(text)
    for at in range(len(told.words)):
        begun = " ".join(told.words[: at + 1])
        if name in named_things(begun):
            before = " ".join(told.lower[:at])
            return bool(_BEFORE_SUBJECT.fullmatch(before))
    return name in named_things(text) and bool(_BEFORE_SUBJECT.match(text.lower()))


_ARTICLE = (
    r"(?:the|an?|our|your|my|this|every|der|die|das|den|eine?[mnr]?|unser\w*|jede[rs]?|dein\w*|"
    r"mein\w*)"
)
_BEFORE_SUBJECT = re.compile(
    rf"(?:(?:.*\b(?:is|are|ist|sind)|with|mit)\s+)?(?:{_ARTICLE}\s*(?:[\w-]+\s*){{0,2}})?"
)
"""What stands before the thing that a core message is about."""


def _is_label(title: str, name: str) -> bool:
    """Whether a title is what the product is called, and no sentence: `rear light`."""
    told = read(title)
    spoken = [word for word in told.words if word[:1].isalpha()]
    if len(spoken) != len(told.words) or not spoken:
        return False
    doing = any(word in grammar(each).verbs for each in told.languages for word in told.lower)
    return not doing and named_things(" ".join(spoken[-2:])) == (name,)


_SPECIAL = {
    "bottle": (
        "drinking_bottle",
        (
            r"\w*water|drink\w*|steel|insulat\w+|vacuum|sports?|hik\w+|\w*wasser\w*|trink\w*|"
            r"edelstahl|isolier\w*"
        ),
    ),
    "helmet": (
        "",
        (
            r"fire ?fighters?|fire (?:brigade|service|department)|feuerwehr\w*|building sites?|"
            r"construction|baustellen?|motorcycl\w+|motorbikes?|motorrad\w*|min(?:e|ers?|ing)"
        ),
    ),
    "running_shoe": (
        "boot",
        r"hik\w+|trek\w*|mountain boots?|wander\w*|trekking\w*|bergschuhe?\w*|bergstiefel\w*",
    ),
    "pump": (
        "",
        r"bicycl\w*|bikes?|cycl\w+|tyres?|tires?|fahrr\w+|reifen\w*|luftpumpe\w*|footballs?",
    ),
    "lamp": ("", r"street ?(?:lights?|lamps?)|stra\u00dfen(?:lampe|laterne)\w*"),
}
"""What a thing is when the film speaks of something else besides; nothing: it has no drawing."""
AROUND = frozenset(("sun", "cloud", "tree", "door", "window", "house", "table", "chair"))
"""What is named with something else, and says less than that."""
_SUBJECT = 6
"""Words within which a title or a core message says what it is about."""


_MEANS = frozenset(
    (
        "phone", "screen", "laptop", "tablet", "coins", "clock", "calendar", "receipt", "list",
        "shelf", "door", "window", "table", "chair", "house", "heart", "sun", "cloud", "gear",
        "shield", "speech_bubble", "water_drop", "key", "megaphone", "trophy",
    )
)  # fmt: skip
"""Things that films speak of and are seldom about."""


def _noun(text: str, name: str) -> str:
    """The word of a text that names a thing."""
    words: list[str] = re.findall(r"[^\W\d_]+", text.lower())
    for size in (1, 2, 3):
        for at in range(len(words) - size + 1):
            if named_things(" ".join(words[at : at + size])) == (name,):
                return words[at + size - 1]
    return ""


__all__ = ["AROUND", "Asked", "Film", "asked", "catalog", "film_of", "states_in"]
