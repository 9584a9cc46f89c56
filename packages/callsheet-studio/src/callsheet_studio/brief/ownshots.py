"""The shots that a brief prescribes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, get_args

from callsheet_studio.brief.fields import SHOT_FIELDS, plain
from callsheet_studio.brief.pictures import read_picture
from callsheet_studio.brief.problems import did_you_mean, show
from callsheet_studio.model.brief import OwnShot
from callsheet_studio.model.shots import Angle, Direction, Kind, Move, Size

if TYPE_CHECKING:
    from pathlib import Path

    from callsheet import Artifact
    from callsheet_studio.brief.choices import Words
    from callsheet_studio.brief.problems import Problems
    from callsheet_studio.brief.values import Reader

MOST = 300
SHORTEST, LONGEST = 1, 10
"""Seconds of a shot."""
_KEY = "content.shots"
_MOST_KEYS = 30
"""Keys of a shot that are looked at; there are not as many names for them."""
_ALIASES: Words = {
    "duration": ("seconds", "length"),
    "action": ("description", "shot"),
    "place": ("location", "set"),
    "time_of_day": ("time",),
    "movement": ("camera",),
    "voiceover": ("vo", "voice_over", "narration"),
    "on_screen_text": ("text", "title"),
    "size": ("framing",),
    "picture": ("image", "photo", "still"),
}
_KEYS = {other: name for name, others in _ALIASES.items() for other in others}
_SIZES = (*get_args(Size), *(kind for kind in get_args(Kind) if kind != "standard"))
_SIZE_WORDS: Words = {
    "EWS": ("extreme_wide", "extreme_wide_shot"),
    "WS": ("wide", "wide_shot", "totale"),
    "FS": ("full", "full_shot"),
    "MWS": ("medium_wide", "medium_wide_shot"),
    "MS": ("medium", "medium_shot", "halbnah"),
    "MCU": ("medium_close_up",),
    "CU": ("close", "close_up", "closeup", "nah"),
    "ECU": ("extreme_close_up", "macro", "detail"),
    "OTS": ("over_the_shoulder", "over_shoulder"),
    "POV": ("point_of_view",),
}
_SIZE_OF = {word: size for size, words in _SIZE_WORDS.items() for word in words}
_DIRECTIONS = tuple(each for each in get_args(Direction) if each)


def read_shots(
    found: object, reader: Reader, problems: Problems, folder: Path | None
) -> tuple[OwnShot, ...] | None:
    """The shots in order; None, and problems, if something is wrong."""
    if not isinstance(found, list) or not found:
        problems.add(_KEY, f"{show(found)} is not a list of shots", "Write - action: … for each.")
        return None
    if len(found) > MOST:
        what = f"{len(found):,} shots are too many: at most {MOST} are possible"
        problems.add(_KEY, what, "Make several films.")
        return None
    before = len(problems)
    shots = [
        _shot(each, f"{_KEY}[{number}]", reader, problems, folder)
        for number, each in enumerate(found)
    ]
    return tuple(shot for shot in shots if shot) if len(problems) == before else None


def _shot(
    found: object, place: str, reader: Reader, problems: Problems, folder: Path | None
) -> OwnShot | None:
    if isinstance(found, str):
        found = {"action": found}
    if not isinstance(found, Mapping):
        fix = "Write at least action: what is seen."
        problems.add(place, f"{show(found)} is not a shot", fix)
        return None
    said: dict[str, str] = {}
    for name, value in list(found.items())[:_MOST_KEYS]:
        key = _KEYS.get(plain(str(name)), plain(str(name)))
        if key not in SHOT_FIELDS:
            fix = did_you_mean(key, (*SHOT_FIELDS, *_KEYS))
            fix = fix or f"Its keys are {', '.join(SHOT_FIELDS)}."
            problems.add(f"{place}.{str(name)[:60]}", f"{show(name)} is not a key of a shot", fix)
        elif key != "picture" and (text := reader.line(value, f"{place}.{key}")):
            if key in said:
                problems.add(f"{place}.{key}", "it is said twice", "Remove one of them.")
            said[key] = text
    if "action" not in said and not problems.has(f"{place}.action"):
        problems.add(f"{place}.action", "it is missing", "Say what is seen.")
    picture = _picture(found, place, folder, problems)
    shot = _checked(said, place, reader, problems)
    return shot.model_copy(update={"picture": picture}) if shot and picture else shot


def _picture(
    found: Mapping[object, object], place: str, folder: Path | None, problems: Problems
) -> Artifact | None:
    names = ("picture", *_ALIASES["picture"])
    named = [value for name, value in found.items() if plain(str(name)) in names and value]
    return read_picture(named[-1], folder, f"{place}.picture", problems) if named else None


def _checked(
    said: dict[str, str], place: str, reader: Reader, problems: Problems
) -> OwnShot | None:
    seconds = None
    if "duration" in said:
        seconds = reader.duration(said.pop("duration"), f"{place}.duration")
        if seconds is not None and not SHORTEST <= seconds <= LONGEST:
            what = f"a shot of {seconds:g} s is not possible: {SHORTEST} to {LONGEST} s are"
            fix = "Split it in two." if seconds > LONGEST else "Join it with its neighbour."
            problems.add(f"{place}.duration", what, fix)
    if "size" in said:
        said["size"] = _size(said["size"], f"{place}.size", problems)
    if "angle" in said:
        options = get_args(Angle)
        angle = plain(said["angle"]).removesuffix("_angle").removesuffix("_level")
        _known(angle, options, f"{place}.angle", problems)
        said["angle"] = angle
    if "movement" in said:
        said["movement"] = _movement(said["movement"], f"{place}.movement", problems)
    if problems.has(place):
        return None
    return OwnShot.model_validate({"seconds": seconds, **said})


def _size(word: str, place: str, problems: Problems) -> str:
    size = _SIZE_OF.get(plain(word), plain(word).upper())
    _known(size, _SIZES, place, problems)
    return size


def _movement(words: str, place: str, problems: Problems) -> str:
    first, _, rest = plain(words).partition("_")
    _known(first, get_args(Move), place, problems)
    direction = rest.removeprefix("to_").removeprefix("the_")
    if direction:
        _known(direction, _DIRECTIONS, place, problems)
    return f"{first} {direction}".strip()


def _known(word: str, options: tuple[str, ...], place: str, problems: Problems) -> None:
    if word in options:
        return
    by_name = {option.lower(): option for option in options}
    similar = did_you_mean(word, by_name)
    fix = similar.replace(*_pair(similar, by_name)) if similar else f"Write {', '.join(options)}."
    problems.add(place, f"{show(word)} is none of the known ones", fix)


def _pair(sentence: str, by_name: dict[str, str]) -> tuple[str, str]:
    lower = sentence.split("'")[1]
    return lower, by_name[lower]
