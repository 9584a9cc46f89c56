"""Whether a picture is the one that its shot asks for, or another place, thing, person or light.

What was drawn is compared with the shot's own fields, word for word.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from callsheet_studio.library import drawn_as, presets, time_of_day
from callsheet_studio.library.things import find_props

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from callsheet_studio.draw.depicting import Record
    from callsheet_studio.model.shots import Figure, Shot

_CLOCK = ("dawn", "morning", "day", "afternoon", "dusk", "evening", "night")
_APART = 2
"""Hours of the list that light may be off by: dusk is almost evening."""
_FORMS = frozenset((
    "product_table", "abstract", "phone_screen", "laptop_screen", "plain_room", "open_air", "",
))  # fmt: skip
_PARTS = frozenset(("door", "window", "lamp", "sun", "cloud", "snowflake", "tree", "water_drop"))
"""Things that belong to a place: they are seen in it, or nobody misses them."""


def exchanged(shot: Shot, record: Record, figures: Sequence[Figure]) -> list[str]:
    """What is drawn otherwise than the shot asks for."""
    found = []
    if _other_place(shot, record):
        found.append("place")
    if _other_thing(shot, record):
        found.append("thing")
    if _other_people(shot, record, figures):
        found.append("person")
    if _other_state(shot, record):
        found.append("state")
    if _other_light(shot, record):
        found.append("light")
    return found


def dressed_otherwise(record: Record, told: Mapping[str, str]) -> bool:
    """Whether somebody is drawn without what the script says of their look."""
    for each in record.people:
        name, _, look = each.partition(" — ")
        said = set(_LOOKS.findall(told.get(name.casefold(), "").lower()))
        if said and look and not said <= set(_LOOKS.findall(look.lower())):
            return True
    return False


_LOOKS = re.compile(
    r"beard|cap|hat|raincoat|parka|scrubs|coat|apron|glasses|suit|uniform|sweater|jumper|braids|curls|bald|"
    r"bart|mütze|hut|regenmantel|kittel|kasack|mantel|schürze|brille|anzug|pullover|zöpfe|locken|glatze|latzhose"
)
"""What one sees of somebody at once."""


def _is_flat(record: Record) -> bool:
    """A card or a figure is nowhere and at no hour."""
    return not record.place


def _other_place(shot: Shot, record: Record) -> bool:
    if _is_flat(record):
        return False
    wanted = drawn_as(shot.set.place, shot.set.heading)
    rooms = {"phone_screen": "home", "laptop_screen": "office", "product_table": "plain_room"}
    return bool(wanted) and record.place not in {wanted, rooms.get(wanted)}


def _plain(name: str) -> str:
    return name.partition(":")[0]


def _other_thing(shot: Shot, record: Record) -> bool:
    """Whether other things are seen than are asked for."""
    wanted = {_plain(each) for each in shot.things}
    is_view = shot.subject == shot.set.place
    if not wanted and not shot.chosen and not shot.figures and not is_view:
        wanted = {_plain(each) for each in find_props(shot.subject)} - _PARTS
    drawn = {_plain(each) for each in record.things}
    if shot.graphic is not None:
        told = f"{shot.graphic.value} {shot.graphic.unit}".strip()
        return record.number != told or record.steps != shot.graphic.steps
    if not wanted or not (drawn or record.place) or record.written:
        return False
    return not wanted & drawn


def _other_people(shot: Shot, record: Record, figures: Sequence[Figure]) -> bool:
    """Whether others are seen, or the same look otherwise; over things nobody needs to be."""
    if _is_flat(record):
        return False
    drawn = {each.partition(" — ")[0] for each in record.people}
    drawn = {re.sub(r" \d+\Z", "", each) for each in drawn}
    if shot.kind == "INSERT" or not shot.figures:
        return bool(drawn)
    if record.act == "hands":
        return False
    looks = {figure.name: figure.look for figure in figures}
    if not drawn or not drawn <= set(shot.figures):
        return True
    worn = dict(each.partition(" — ")[::2] for each in record.people)
    return any(
        look and looks.get(name, look) != look for name, look in worn.items() if name in looks
    )


def _other_state(shot: Shot, record: Record) -> bool:
    states = {_plain(each): each.partition(":")[2] for each in record.things}
    asked = (each.partition(":")[::2] for each in shot.things)
    return any(name in states and states[name] != state for name, state in asked)


def _other_light(shot: Shot, record: Record) -> bool:
    """Whether it is drawn at another hour than the shot is at."""
    if _is_flat(record) or record.place in _FORMS or record.light not in presets():
        return False
    times = presets()[record.light].times
    hour = time_of_day(shot.lighting.time_of_day) or shot.lighting.time_of_day
    return hour in _CLOCK and not any(_near(hour, each) for each in times)


def _near(one: str, other: str) -> bool:
    night = {"dusk", "evening", "night"}
    same_side = (one in night) == (other in night)
    return same_side and abs(_CLOCK.index(one) - _CLOCK.index(other)) <= _APART
