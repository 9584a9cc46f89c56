"""Whether the picture shows what is said: what the illustrator drew against what the words name.

`says` is read from line, text, action and slug line; `depicts` from the illustrator's own record.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from callsheet_studio.draw.frame import draw_frame
from callsheet_studio.draw.style import style_of
from callsheet_studio.library import acting, drawn_as, presets, time_of_day
from callsheet_studio.library.asking import Film, asked, film_of
from callsheet_studio.library.naming import Named, named
from callsheet_studio.library.things import called, catalog, contrary, find_props
from callsheet_studio.model.seen import Judged, Seen

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from callsheet_studio.draw.depicting import Record
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.seen import Verdict
    from callsheet_studio.model.shots import Figure, Shot, ShotList

_SHORT = 72
"""Pixels of the short side: enough for painters to paint everything, and fast."""
_CLOCK = ("dawn", "morning", "day", "afternoon", "dusk", "evening", "night")
_APART = 2
"""Hours of the list that light may be off by: dusk is almost evening."""
_FORMS = frozenset((
    "product_table", "abstract", "phone_screen", "laptop_screen", "plain_room", "open_air", "",
))  # fmt: skip
_PARTS = frozenset(("door", "window", "lamp", "sun", "cloud", "snowflake", "tree"))
"""Things that belong to a place: they are seen in it, or nobody misses them."""
_LIKE = {"holding_phone": "phone", "at_laptop": "laptop"}


def judge_pictures(shots: ShotList, brief: Brief) -> tuple[Judged, ...]:
    """Every shot: what it says, what was drawn, and whether that is the same."""
    style, film = style_of(brief), film_about(brief)
    told = described(shots, film.language)
    wide, high = map(int, brief.delivery.aspect.split(":"))
    size = (_SHORT * wide // min(wide, high), _SHORT * high // min(wide, high))
    found = []
    heard = ""
    for each in shots.shots:
        # A picture without words goes with those that were just heard.
        silent = each.chosen and not spoken(each) and each.figures
        shot = each.model_copy(update={"voiceover": heard}) if silent else each
        heard = spoken(each) or heard
        if shot.picture is not None:
            says = says_of(shot, film)
            found.append(Judged(shot=shot.id, verdict="shown", says=says, depicts=Seen()))
            continue
        drawn = draw_frame(shot, shots.figures, style, size).depicts
        assert drawn is not None
        found.append(judge(shot, drawn, shots.figures, film, told))
    return _once(found)


def described(shots: ShotList, language: str) -> dict[str, str]:
    """What the script says of somebody's look, by their name."""
    found: dict[str, str] = {}
    for shot in shots.shots:
        if not shot.chosen:
            for person in acting(shot.action, language):
                if person.look:
                    found.setdefault(person.name.casefold(), person.look)
    return found


def _once(found: list[Judged]) -> tuple[Judged, ...]:
    """A place without words shows where we are once; after that it would fit any film."""
    seen: set[str] = set()
    result = []
    for each in found:
        depicts = each.depicts
        update: dict[str, str] = {}
        empty = not (depicts.things or depicts.people or each.says.written or depicts.written)
        if each.verdict == "shown" and empty and depicts.place:
            if depicts.place in seen:
                told = f"{each.shot} would fit any film: {depicts.place} again, without a word."
                fix = "Say something over it, show something else, or make the film shorter."
                update = {"verdict": "generic", "message": told, "fix": fix}
            seen.add(depicts.place)
        result.append(each.model_copy(update=update))
    return tuple(result)


def film_about(brief: Brief) -> Film:
    """What the film is about."""
    message = brief.message
    texts = (brief.project.title, message.core, brief.project.context)
    about = tuple(text.replace(message.brand, " ") if message.brand else text for text in texts)
    return film_of(about, brief.content.language, message.brand)


def spoken(shot: Shot) -> str:
    """What is heard and read in a shot."""
    lines = (re.sub(r"(?m)^[^:\n]{1,40}:\s*", "", shot.dialogue or ""), shot.voiceover or "")
    text = (shot.on_screen_text or "").replace("\n", " ")
    return " ".join(part.strip() for part in (*lines, text) if part.strip())


def says_of(shot: Shot, film: Film) -> Seen:
    """What the words of a shot name."""
    words = spoken(shot)
    told = words if shot.chosen else f"{shot.action} {words}"
    found = named(told, film.language)
    wanted = asked(told, film)
    things = next((each.things for each in wanted if each.things), found.things)
    people = next((each.people for each in wanted if each.people), found.people)
    return Seen(
        things=things,
        people=tuple(shot.figures) if not shot.chosen else people,
        place=found.place,
        light=found.hour,
        weather=found.weather,
        state=next(iter(found.states), ""),
        number=f"{found.figure.value} {found.figure.unit}".strip() if found.figure else "",
        steps=found.steps,
        screen=found.online,
        written=words,
    )


def depicted(record: Record) -> Seen:
    """What was drawn, in the same terms."""
    times = presets()[record.light].times if record.light in presets() else ()
    return Seen(
        things=tuple(record.things),
        people=tuple(record.people),
        act=record.act,
        place=record.place,
        light=", ".join(times),
        weather=record.weather,
        state="empty" if record.bare else "",
        number=record.number,
        steps=record.steps,
        screen=record.screen,
        written=record.written,
    )


def judge(
    shot: Shot,
    record: Record,
    figures: Sequence[Figure],
    film: Film,
    told: Mapping[str, str] | None = None,
) -> Judged:
    """One shot. `told`: what the script says of the looks of its people."""
    says, depicts = says_of(shot, film), depicted(record)
    wrong = tuple(dict.fromkeys(_contradictions(shot, says, record, figures)))
    if "person" not in wrong and _otherwise(record, told or {}):
        wrong = (*wrong, "person")
    verdict: Verdict = "contradicts" if wrong else _verdict(shot, says, depicts, film)
    message, fix = _told(shot, verdict, wrong, says, depicts, film)
    return Judged(
        shot=shot.id,
        verdict=verdict,
        says=says,
        depicts=depicts,
        wrong=wrong,
        message=message,
        fix=fix,
    )


# Contradictions


def _contradictions(shot: Shot, says: Seen, record: Record, figures: Sequence[Figure]) -> list[str]:
    """What is drawn otherwise than the words, the action or the slug line say."""
    found = []
    if _other_place(shot, says, record):
        found.append("place")
    if _other_thing(shot, record):
        found.append("thing")
    if _other_people(shot, record, figures):
        found.append("person")
    if _other_state(shot, says, record):
        found.append("state")
    if _other_light(shot, says, record):
        found.append("light")
    return found


def _otherwise(record: Record, told: Mapping[str, str]) -> bool:
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


def _other_place(shot: Shot, says: Seen, record: Record) -> bool:
    if _is_flat(record):
        return False
    wanted = drawn_as(shot.set.place, shot.set.heading)
    rooms = {"phone_screen": "home", "laptop_screen": "office", "product_table": "plain_room"}
    if wanted:
        return record.place not in {wanted, rooms.get(wanted)}
    whole = not record.things and (
        record.people or shot.subject == shot.set.place or not says.things
    )
    named_else = says.place not in _FORMS and says.place != record.place
    return bool(whole and named_else and record.place not in _FORMS and not shot.chosen)


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


def _other_state(shot: Shot, says: Seen, record: Record) -> bool:
    states = {_plain(each): each.partition(":")[2] for each in record.things}
    for each in shot.things:
        name, _, state = each.partition(":")
        if name in states and states[name] != state:
            return True
    if says.state == "empty" and record.place == "shop" and not record.bare and _shelves(says):
        return True
    if shot.chosen or not says.state:
        return False
    against = contrary(says.state)
    return bool(against) and against in states.values()


def _shelves(says: Seen) -> bool:
    return bool(re.search(r"(?i)\b(?:shel\w+|regal\w*|counter|theke)\b", says.written)) or any(
        _plain(each) == "shelf" for each in says.things
    )


def _other_light(shot: Shot, says: Seen, record: Record) -> bool:
    """Whether it is drawn at another hour than the slug line, or what is said of what is seen."""
    if _is_flat(record) or record.place in _FORMS or record.light not in presets():
        return False
    times = presets()[record.light].times
    slug = time_of_day(shot.lighting.time_of_day) or shot.lighting.time_of_day
    if slug in _CLOCK and not any(_near(slug, each) for each in times):
        return True
    seen = says.light if not shot.chosen else ""
    if seen in _CLOCK and not any(_near(seen, each) for each in times):
        return True
    return says.weather == "sun" and record.weather in ("rain", "snow")


def _near(one: str, other: str) -> bool:
    night = {"dusk", "evening", "night"}
    same_side = (one in night) == (other in night)
    return same_side and abs(_CLOCK.index(one) - _CLOCK.index(other)) <= _APART


# Verdicts


def _verdict(shot: Shot, says: Seen, depicts: Seen, film: Film) -> Verdict:
    if _shows(shot, says, depicts, film):
        return "shown"
    if depicts.written:
        return (
            "card"
            if shot.chosen or depicts.place or _is_title(shot, depicts, film)
            else "not_drawable"
        )
    return "generic"


def _is_title(shot: Shot, depicts: Seen, film: Film) -> bool:
    name = film.brand or shot.subject
    on = shot.on_screen_text or ""
    return bool(name and name in depicts.written) or bool(
        on and on.split("\n")[0] in depicts.written
    )


def _shows(shot: Shot, says: Seen, depicts: Seen, film: Film) -> bool:
    """Whether the main thing, act, place, number or process of the words is in the picture."""
    drawn = {_plain(each) for each in depicts.things}
    words = spoken(shot)
    about = film.product in drawn and (film.means(words) or words in ("", film.brand))
    return any((
        depicts.number and says.number and depicts.number.split()[0] in says.number,
        depicts.steps and says.steps,
        depicts.screen and says.screen,
        drawn & {_plain(each) for each in says.things},
        about,
        # An end card with what the film is about on it.
        drawn and depicts.written and not depicts.place,
        depicts.people and _people_said(shot, says, depicts),
        drawn & set(find_props(words)),
        _place_said(shot, says, depicts),
    ))  # fmt: skip


def _people_said(shot: Shot, says: Seen, depicts: Seen) -> bool:
    """Whether who is seen is who is spoken of, or who speaks."""
    if shot.lip_sync or (shot.dialogue and shot.figures):
        return True
    if not shot.chosen:
        return _acts(shot, says, depicts)
    said = {word.lower() for word in says.people}
    seen = {each.partition(" — ")[0].lower() for each in depicts.people}
    seen |= {re.sub(r" \d+\Z", "", each) for each in seen}
    return any(_same(one, other) for one in said for other in seen)


def _acts(shot: Shot, says: Seen, depicts: Seen) -> bool:
    """Whether somebody does what the action says: with its things, in a pose or with a face."""
    named_ = (_plain(each) for each in find_props(shot.action))
    wanted = {each for each in named_ if catalog()[each].group != "wear"} - _PARTS
    if wanted:
        return bool(wanted & {_plain(each) for each in depicts.things})
    del says
    return depicts.act not in ("", "standing", "neutral")


def _same(one: str, other: str) -> bool:
    return one == other or one.removesuffix("s") == other.removesuffix("s") or one.startswith(other)


def _place_said(shot: Shot, says: Seen, depicts: Seen) -> bool:
    """Whether it is a view of the place that is spoken of, or one without words of its scene."""
    if depicts.things or depicts.people or not depicts.place or depicts.place in _FORMS:
        return False
    if says.place == depicts.place:
        return True
    return not spoken(shot) and shot.kind == "standard"


# What to do about it


_WRONG = {
    "place": "it is {seen}, not {said}",
    "thing": "another thing is seen: {seen}, not {said}",
    "person": "somebody else is seen: {seen}, not {said}",
    "state": "the state is wrong: {seen}, not {said}",
    "light": "the light is wrong: {seen}, not {said}",
}


def _told(
    shot: Shot, verdict: Verdict, wrong: Sequence[str], says: Seen, depicts: Seen, film: Film
) -> tuple[str, str]:
    if verdict == "shown":
        return "", ""
    words = spoken(shot) or shot.action
    if verdict == "contradicts":
        parts = [_WRONG[each].format(**_both(each, shot, says, depicts)) for each in wrong]
        fix = "Say it otherwise in the brief or the shot, or bring your own picture for it."
        return f"{shot.id}: {'; '.join(parts)}.", fix
    if verdict == "card":
        named_ = ", ".join(called(each, film.language) for each in says.things)
        has = f" {named_} has a drawing: let the line name it first." if named_ else ""
        fix = f"Name a thing, a number or a place that can be seen, or bring your own picture.{has}"
        return f"{shot.id} is a card: “{words}” names nothing that has a drawing.", fix
    if verdict == "not_drawable":
        fix = "Bring your own picture for it, or say it with a thing of the catalogue."
        return f"{shot.id} is a card: “{shot.action}” has no drawing.", fix
    seen = _list(depicts)
    fix = "Let the line name what is seen, bring your own picture, or leave the shot out."
    return f"{shot.id} would fit any film: “{words}” is said over {seen}.", fix


def _both(kind: str, shot: Shot, says: Seen, depicts: Seen) -> dict[str, str]:
    if kind == "place":
        return {"seen": depicts.place or "a card", "said": says.place or shot.set.place}
    if kind == "light":
        return {"seen": depicts.light, "said": says.light or shot.lighting.time_of_day}
    if kind == "person":
        seen = ", ".join(each.partition(" — ")[0] for each in depicts.people) or "nobody"
        return {"seen": seen, "said": ", ".join(shot.figures) or "nobody"}
    said = ", ".join(shot.things) or shot.subject
    if shot.graphic is not None:
        said = f"{shot.graphic.value} {shot.graphic.unit}".strip()
    return {"seen": ", ".join(depicts.things) or depicts.number or "nothing", "said": said}


def _list(depicts: Seen) -> str:
    parts = [*depicts.people, *depicts.things, depicts.place, depicts.number]
    return ", ".join(part.partition(" — ")[0] for part in parts if part) or "a card"


def share(judged: Sequence[Judged]) -> dict[str, int]:
    """How many shots have which verdict."""
    kinds = ("shown", "generic", "contradicts", "card", "not_drawable")
    return {kind: sum(each.verdict == kind for each in judged) for kind in kinds}


__all__ = ["Named", "film_about", "judge", "judge_pictures", "says_of", "share", "spoken"]
