"""What a shot is a picture of: read from its kind, its people and its words, English or German."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Literal

import msgspec
import rtoml

from callsheet_studio.draw.deeds import CALLS, HANDING, between, handed, on_the_phone, own_deed
from callsheet_studio.draw.holding import is_small, is_worn
from callsheet_studio.library import animals, deed, drawn_as, find_set, people, sets
from callsheet_studio.library.persons import is_person
from callsheet_studio.library.things import find_props, with_state

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from callsheet_studio.draw.style import FilmStyle
    from callsheet_studio.model.shots import Shot

Kind = Literal[
    "view",
    "people",
    "over",
    "pov",
    "eyes",
    "hands",
    "thing",
    "screen",
    "wordmark",
    "card",
    "words",
    "graphic",
]

# As text: they are compiled when they are looked for, and many processes that draw never do.
_CARD = (
    r"(?i)\b(?:end ?card|title ?card|logo|lettering|wordmark|schlusskarte|titelkarte|schriftzug)\b"
)
_HANDS = (
    r"(?i)\b(?:hands?|fingers?|thumbs?|palm|gloves?|h\u00e4nden?|hand|daumen|finger\w*|"
    r"handschuhe?)\b"
)
_SCREEN = (
    r"(?i)\b(?:screens?|apps?|dashboard|display|notification|cursor|live map|website|bildschirm\w*|"
    r"anzeige|mauszeiger|benachrichtigung)\b"
)
_SCREENS = frozenset(("phone_screen", "laptop_screen"))
_OPEN = (
    r"(?i)\b(?:earth|soil|sand|water|grain|palm|open\w*|empty|reach\w*|rais\w*|wav\w*|sky|light|"
    r"erde|wasser|offene?|leere?|streckt|winkt|licht)\b"
)
"""What an open hand can be shown with."""
_EARTH = r"(?i)\b(?:earth|soil|seeds?|erde|samen|saat)\b"
_VEHICLES = frozenset(("car", "taxi", "van", "truck"))
_USED = {"phone": "holding_phone", "laptop": "at_laptop"}
"""How somebody is who uses one of these."""
_ON_SCREEN = (
    r"(?i)\b(?:on (?:her|his|their|the|a) (?:\w+ )?(?:phone|smartphone|laptop)|"
    r"auf (?:ihrem|seinem|dem|einem) (?:\w+ )?(?:handy|smartphone|telefon|laptop))\b"
)
_DRINKS = r"(?i)\bdrinks\b"
"""Who drinks coffee has a cup, and no drinks."""
_CARRIED = frozenset(("box", "parcel", "apple_crate"))
_CRATES = r"(?i)\b(?:loads|crates?|box(?:es)?|parcels?|schleppt|kiste\w*|karton\w*|paket\w*)\b"
"""What is carried in both arms."""
_WITH_THINGS = frozenset(("holding", "showing"))
_KEEP = _WITH_THINGS | {HANDING}
_GIVEN = frozenset(("phone", "laptop", "headphones", "pen"))
"""What is handed over, but not held before somebody as a thing."""
_UNSEEN = (
    r"(?i)\b(?:sleep\w*|asleep|jump\w*|leap\w*|swim\w*|eat\w*|drink\w*|knock\w*|chas\w*|climb\w*|"
    r"bit(?:es|ing)|digs?|digging|play\w*|catch\w*|schl\u00e4ft|schlafen\w*|spring\w*|schwimm\w*|"
    r"frisst|trink\w*|jag\w*|klettert|spiel\w*|gr\u00e4bt|f\u00e4ngt|wirft)\b"
)
"""What animals do that stand, sit or go in every drawing."""
RIDING = {"bicycle": "cycling", "cargo_bike": "cargo_cycling"}
"""How somebody sits on what they ride."""
_SITTING = "dog_sitting"
"""Who sits is meant, where a dog is named, too."""
_PAIRED = {"shaking": "standing"}
"""What needs two, and what one does alone."""
_SHARED = frozenset(("phone", "laptop", "tablet", "screen"))
"""What two look at together."""
_SHARES = (
    r"(?i)\b(?:show\w*|look\w*|stud\w*|read\w*|watch\w*|point\w*|lean\w*|zeig\w*|schau\w*|blick\w*|les\w*|"
    r"liest|beugen)\b"
)
_FREE = frozenset(
    ("standing", "pockets", "looking", "thinking", "arms_crossed", "handing", *_WITH_THINGS)
)
"""Poses in which something can be held."""
HOLDS = {
    "phone": "phone",
    "laptop": "laptop",
    "cup": "cup",
    "mug": "cup",
    "deposit_cup": "cup",
    "drill": "tool",
    "wrench": "tool",
    "hammer": "tool",
    "screwdriver": "tool",
    "earth": "earth",
}
"""Things that hands are drawn with, and how."""
_SEVERAL = 3
_TWO = r"(?i)\b(?:two|both|couple|zwei|beide)\b"
_HELD_SCREENS = frozenset(("phone", "laptop"))
_WIDE = frozenset(("EWS", "WS"))
_WEATHER = (
    r"(?i)\b(?:rain(?:s|y)?|fog(?:gy)?|mist|snow(?:s|y)?|sun(?:ny|light|rise|set|shine)?|winds?|clouds?|"
    r"sky|storms?|light|dawn|dusk|morning|evening|night|noon|regen|regnet|nebel|schnee|schneit|"
    r"sonne\w*|wind|wolken?|himmel|sturm|licht|morgen\w*|abend\w*|nacht)\b"
)
"""What changes the look of a place, and is no thing in it."""
_STAGED = (
    r"(?i)^(?:half the frame|cut against it|in the background|close|nebeneinander|im hintergrund|"
    r"halbes bild|nah|detail|end card|schlusskarte|ruhiger grund|signed)\s*[:,]\s*"
)
_CLAUSE = r"(?s).+?(?:[,;:.!?\u2013\u2014]+(?:\s+|\Z)|\Z)"
_FACT = r"(?is)(?:a card|eine tafel):\s*(.+)"
_LONGEST, _SHORTEST = 64, 3
"""Letters, and words, of what is written on a card."""


_FIXED = frozenset(("door", "window"))
"""Things that are parts of a building."""
_BUILT = frozenset(("building_front", "street"))
_AT_PHONE = (
    r"(?i)\b(?:looks?|stares?|glances?|blickt|schaut|starrt) (?:down )?(?:at|on|auf) "
    r"(?:[\w]+ )?(?:phone|smartphone|handy|display)\b"
)
_SKY = frozenset(("sun", "cloud", "snowflake", "water_drop"))
_INDOORS = _FIXED | {"lamp"} | _SKY


ROOM = "plain_room"
"""The set of rooms that have no drawing of their own."""
_SEATLESS = frozenset((ROOM, "open_air", "building_front"))
_RIDE = r"(?i)\b(?:rides?|riding|fahren|f\u00e4hrt)\b"
_READS = r"(?i)\b(?:reads?|holds?|liest|hält)\b"


class Subject(msgspec.Struct, frozen=True):
    """What is seen."""

    kind: Kind
    names: tuple[str, ...] = ()
    """Who is seen."""
    props: tuple[str, ...] = ()
    """Things that have a drawing, the most important first."""
    pose: str = "standing"
    expression: str = "neutral"
    text: str = ""
    """What is written, if something is."""
    under: str = ""
    """What is written smaller, below it."""
    held: str = ""
    """The thing that somebody has in their hands."""
    between: tuple[int, int] = (0, 1)
    """Which of them does it, and who answers; others look on."""


def subject_of(shot: Shot, style: FilmStyle) -> Subject:
    """What a shot is a picture of."""
    if shot.graphic is not None:
        written = (shot.graphic.value, shot.graphic.unit)
        return Subject("graphic", props=shot.things, text=written[0], under=written[1])
    if shot.figures and shot.kind != "INSERT":
        return _of_people(shot)
    if shot.subject.casefold() in {
        _set_of(shot),
        shot.set.place.casefold(),
    }:
        return Subject("view")
    return _card(shot, style) or _thing(shot, style)


def _set_of(shot: Shot) -> str:
    return drawn_as(shot.set.place, shot.set.heading)


def _of_people(shot: Shot) -> Subject:
    kind: Kind = "people"
    if shot.kind in ("OTS", "POV"):
        kind = "over" if shot.kind == "OTS" else "pov"
    elif shot.size == "ECU":
        kind = "eyes"
    told = own_deed(deed(shot.action), shot.figures)
    names = _each(shot.figures, shot.action)
    spoken = _without_people(told) if len(names) > 1 else told
    # In somebody's hands is what goes with the deed, too: who drinks coffee has a cup.
    handled = find_props(re.sub(_DRINKS, "", spoken))
    named = (each for each in handled if not is_worn(each, told))
    props = tuple(dict.fromkeys((*map(_plain, shot.things), *named)))
    posed = _posed(told, names, props)
    if not posed and len(names) == 1 and any(is_small(each) for each in props):
        posed = "standing"  # whoever has something in their hands does not talk with them
    if posed == "sitting" and _set_of(shot) in _SEATLESS and re.search(_READS, told):
        posed = "holding"  # there is nothing to sit on, but something to read
    pose = _paired(posed or _usual_pose(shot), names)
    rides = re.search(_RIDE, told) and any(_plain(each) in RIDING for each in shot.things)
    if rides or any(name == "cycling" for _, name in _found("poses", told)):
        return _riding(shot, kind, names, props)
    together = "" if pose in CALLS or pose == HANDING else _together(names, props, told)
    pose, held = _acted(shot, pose, props, together)
    if pose == HANDING and held in _CARRIED and len(names) == 1:
        # What is large is held out in both arms.
        pose, held = "carrying", ""
    return Subject(
        kind=kind,
        names=names,
        props=props,
        pose=pose,
        expression=_first("expressions", shot.action) or "neutral",
        held=held,
        between=between(told, names) if pose == HANDING else (0, 1),
    )


def _without_people(told: str) -> str:
    """Without what people are: of several, a baker's bread would be in anybody's hands."""
    words = re.split(r"(\W+)", told)
    return "".join(each for each in words if not (is_person(each, "en") or is_person(each, "de")))


def _posed(told: str, names: Sequence[str], props: Sequence[str]) -> str:
    """What somebody does first, or nothing that has a pose; a phone call goes on meanwhile."""
    found = handed(
        told,
        names,
        _found("poses", told),
        lambda: any(each in _GIVEN or is_small(each) for each in props),
    )
    if re.search(_AT_PHONE, told):
        # Whoever goes and looks at a phone is seen with it.
        found = tuple(each for each in found if each[1] not in ("walking", "looking"))
    return on_the_phone(told, found) or (min(found)[1] if found else "")


def _acted(shot: Shot, pose: str, props: Sequence[str], together: str) -> tuple[str, str]:
    """How somebody is, and what they have in their hands."""
    told = own_deed(deed(shot.action), shot.figures)
    if pose == "carrying" and not _CARRIED.intersection(props) and not re.search(_CRATES, told):
        # What has no drawing is not carried as if it were a box.
        pose = "holding" if any(map(is_small, props)) else "walking"
    used = together or _used(pose, props, told)
    if used:
        return used, ""
    held = _in_hand(pose, props)
    if held in _CARRIED and pose != "handing":
        return "carrying", ""
    if pose in _WITH_THINGS or held:
        pose = (pose if pose in _KEEP else "holding") if held else _usual_pose(shot)
    return pose, held


def _together(names: Sequence[str], props: Sequence[str], told: str) -> str:
    """What two do who look at one screen."""
    shares = len(names) > 1 and _SHARED.intersection(props[:1]) and re.search(_SHARES, told)
    return "sharing" if shares else ""


def _paired(pose: str, names: Sequence[str]) -> str:
    """Nobody hands something to nobody."""
    return pose if len(names) > 1 else _PAIRED.get(pose, pose)


def _riding(shot: Shot, kind: Kind, names: tuple[str, ...], props: tuple[str, ...]) -> Subject:
    """Somebody on a bicycle; inside, they stand beside it."""
    bike = next((each for each in props if each in RIDING), "bicycle")
    pose = _usual_pose(shot) if shot.set.interior else RIDING[bike]
    mood = _first("expressions", shot.action) or "neutral"
    return Subject(kind, names, (bike, *props), pose, mood)


def _used(pose: str, props: Sequence[str], told: str) -> str:
    """How somebody is who looks at a phone, or at something on it."""
    if pose not in _FREE or pose == HANDING or not props:
        return ""
    shows = props[0] in _USED or re.search(_ON_SCREEN, told)
    return next((_USED[each] for each in props if each in _USED), "") if shows else ""


def _in_hand(pose: str, props: Sequence[str]) -> str:
    """The first thing that is small enough to be held, where the hands are free for it."""
    if pose not in _FREE:
        return ""
    given = _GIVEN if pose == HANDING else frozenset()
    return next((each for each in props if each in given or is_small(each)), "")


def _usual_pose(shot: Shot) -> str:
    """Of somebody whose action says nothing about it."""
    used = {"phone_screen": "holding_phone", "laptop_screen": "at_laptop"}
    at_screen = used.get(_set_of(shot))
    return at_screen or ("talking" if shot.lip_sync else "standing")


def _each(figures: Sequence[str], action: str) -> tuple[str, ...]:
    """The people behind names: `volunteers` are three, if they are not said to be two."""
    many = people("de").many | people("en").many
    if len(figures) == 1 and figures[0].lower() in many:
        count = _SEVERAL - 1 if re.search(_TWO, action) else _SEVERAL
        return tuple(f"{figures[0]} {number + 1}" for number in range(count))
    return tuple(figures)


def _first(table: str, text: str) -> str:
    """What the words of a text that come first say, or nothing."""
    found = _found(table, text)
    return min(found)[1] if found else ""


def _found(table: str, text: str) -> list[tuple[int, str]]:
    """What words of a text say, each with where they begin."""
    # Only what may be said is looked for: to compile a pattern takes longer than all the rest.
    plain = text.lower()
    likely = (
        name
        for name, words in _words(table).items()
        if any(word.rstrip("*").lower() in plain for word in words)
    )
    return [(match.start(), name) for name in likely if (match := _said(table, name).search(text))]


@cache
def _said(table: str, name: str) -> re.Pattern[str]:
    words = "|".join(map(_pattern, _words(table)[name]))
    return re.compile(rf"\b(?:{words})(?!\w)", re.IGNORECASE)


@cache
def _words(table: str) -> Mapping[str, Sequence[str]]:
    path = files("callsheet_studio.draw").joinpath("reading.toml")
    found: Mapping[str, Sequence[str]] = rtoml.loads(path.read_text("utf-8"))[table]
    return found


def _pattern(word: str) -> str:
    return re.escape(word).replace(r"\*", r"\w*")


def _card(shot: Shot, style: FilmStyle) -> Subject | None:
    """A card that ends or names the film, or its name in the picture; or neither."""
    if fact_on(shot):
        return None
    names = {style.brand.casefold(), style.title.casefold()} - {""}
    is_named = shot.subject.casefold() in names
    ends = shot.composition.thirds == "lower_centre" or _set_of(shot) == "abstract"
    told = shot.on_screen_text or ""
    name = style.brand or style.title
    if ends or re.search(_CARD, shot.action):
        said = "" if told.casefold() == name.casefold() else told
        props = shot.things or _props(shot.subject)
        return Subject("card", props=props, text=name, under=said)
    if is_named:
        return Subject("wordmark", text=shot.subject)
    return None


def _thing(shot: Shot, style: FilmStyle) -> Subject:
    """A thing, if it has a drawing; the place itself; or its words on a card."""
    if fact := fact_on(shot):
        return Subject("words", text=fact)
    card = Subject("words", text=shot.on_screen_text or phrase(shot))
    if _undrawn(shot) and not shot.things:
        return card
    props = _in_picture(shot)
    if props and not shot.things and _is_there(shot, props):
        return Subject("view")
    if _set_of(shot) in _SCREENS:
        return Subject("view", props=props)
    held = _handled(shot, style, props)
    if held is not None or props:
        return held or Subject("thing", props=props)
    return Subject("view") if _is_view(shot) else card


def _is_there(shot: Shot, props: Sequence[str]) -> bool:
    """Whether things are seen with their place: a door or a window, or what stands in a room."""
    names = set(map(_plain, props))
    built = _FIXED if _has_walls(shot) else frozenset[str]()
    return names <= {*built, *(furniture_of(shot) if shot.size in _WIDE else ())}


def furniture_of(shot: Shot) -> tuple[str, ...]:
    """What stands in the room of a shot that has no drawing, as its setting says."""
    from callsheet_studio.draw.props import find_props

    if _set_of(shot) != ROOM:
        return ()
    return tuple(dict.fromkeys(each for prop in shot.set.props for each in find_props(prop)))


def _has_walls(shot: Shot) -> bool:
    """Whether a place is a building, a room or a car: it has doors and windows of its own."""
    place = _set_of(shot)
    return place in sets() and (sets()[place].interior or place in _BUILT)


def _in_picture(shot: Shot) -> tuple[str, ...]:
    """The things of a shot; who is in a car does not see it."""
    props = shot.things or _stated(shot)
    if _set_of(shot) == "car_interior":
        props = tuple(each for each in props if _plain(each) not in _VEHICLES)
    if not shot.things and not shot.set.interior:
        # The lamp of a lighthouse stands on no desk.
        outdoors = tuple(each for each in props if _plain(each) not in _INDOORS)
        props = outdoors or props
    return (_SITTING, *props) if _SITTING in props else props


def fact_on(shot: Shot) -> str:
    """What stands on a card with a fact; nothing, if it is none."""
    found = re.match(_FACT, shot.action)
    return found[1].strip().rstrip(".") if found else ""


def _stated(shot: Shot) -> tuple[str, ...]:
    """Things in the words of a shot, each in the state that they speak of."""
    props = tuple(dict.fromkeys((*_props(shot.subject), *_props(shot.action))))
    # What shines or falls outside is light and weather, and no thing that lies there.
    props = tuple(each for each in props if each not in _SKY)
    told = f"{shot.subject}. {shot.action}"
    return tuple(with_state(name, told) for name in props)


def _plain(name: str) -> str:
    return name.partition(":")[0]


def _is_view(shot: Shot) -> bool:
    """Whether a shot is of its place or the weather there, and not of what has no drawing."""
    here, told = _set_of(shot), f"{shot.subject}. {shot.action}"
    if shot.size in _WIDE:
        place = set(re.findall(r"\w{4,}", shot.set.place.lower()))
        spoken = set(re.findall(r"\w{4,}", told.lower()))
        return bool(find_set(told, "") or place & spoken or re.search(_WEATHER, told))
    return shot.kind != "INSERT" and bool(here) and find_set(shot.subject, "") == here


def _undrawn(shot: Shot) -> bool:
    """Whether a picture is of an animal that has no drawing, or does what is not drawn of it."""
    words = re.findall(r"\w+", shot.subject.lower())
    named = [word for word in words if word in animals() or word[:-1] in animals()]
    if not named:
        return False
    return any(not _props(word) for word in named) or bool(re.search(_UNSEEN, shot.action))


def _handled(shot: Shot, style: FilmStyle, props: tuple[str, ...]) -> Subject | None:
    """A screen, hands, or hands that hold a screen; or none of them."""
    told = f"{shot.subject}. {shot.action}"
    hands = (f"{style.seed}/hands",)
    if re.search(_SCREEN, told):
        held = tuple(each for each in map(_plain, props) if each in _HELD_SCREENS)
        if held and re.search(_HANDS, told):
            return Subject("hands", hands, held, text=style.brand)
        return Subject("screen", props=props, text=style.brand)
    said = f"{shot.subject}. {phrase(shot)}"
    if re.search(_HANDS, said) and shot.size not in _WIDE:
        held = tuple(each for each in map(_plain, props) if each in HOLDS)
        if not props and re.search(_EARTH, said):
            held = ("earth",)
        if held or (not props and re.search(_OPEN, said)):
            return Subject("hands", hands, held)
    return None


def phrase(shot: Shot) -> str:
    """What a picture without a drawing says: the first clause of its action, or its subject."""
    told = re.sub(_STAGED, "", shot.action.strip())
    clauses = [found.group() for found in re.finditer(_CLAUSE, told)]
    first = clauses[0] if clauses else ""
    if len(first.split()) < _SHORTEST:
        first = "".join(clauses[:2])
    clause = first.strip().rstrip(".!?,;:")
    said = clause if 0 < len(clause) <= _LONGEST else shot.subject
    return said[:1].upper() + said[1:]


def _props(words: str) -> tuple[str, ...]:
    """What some words name; what they only hint at is not drawn."""
    from callsheet_studio.library.things import named_things

    return named_things(words)
