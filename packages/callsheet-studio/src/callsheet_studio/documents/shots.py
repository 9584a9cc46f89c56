"""The shot list as JSON, CSV and PDF: in script order, and in the order it is made in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.documents.labels import labels
from callsheet_studio.documents.tables import as_csv
from callsheet_studio.documents.typeset import Document, typeset
from callsheet_studio.documents.words import (
    as_json,
    in_words,
    lines,
    named,
    number,
    one_line,
)
from callsheet_studio.library import place_in
from callsheet_studio.library.slate import size_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from callsheet_studio.base.time import Rate
    from callsheet_studio.documents.labels import Labels
    from callsheet_studio.model.brief import Brief
    from callsheet_studio.model.script import Beat, Script
    from callsheet_studio.model.shots import Shot, ShotList

COLUMNS = (
    "scene",
    "shot",
    "INT/EXT",
    "location",
    "size",
    "angle",
    "movement",
    "lens",
    "subject",
    "action",
    "dialogue/VO",
    "sound",
    "props",
    "VFX",
    "start",
    "duration",
    "setup group",
    "status",
    "notes",
)
"""What film people look for in a shot list. Durations are seconds, starts are timecodes."""

_PLAIN = labels("en")
"""Tables for programs are the same in every language."""


class _Film(msgspec.Struct, frozen=True):
    """What all rows and panels look at."""

    beats: Mapping[str, Beat]
    rate: Rate
    language: str
    say: Labels

    @classmethod
    def of(cls, shots: ShotList, script: Script) -> _Film:
        beats = {beat.id: beat for beat in script.beats}
        return cls(beats, shots.rate, script.language, labels(script.language))


def shot_files(shots: ShotList, script: Script, brief: Brief) -> dict[str, bytes]:
    """The shot list for programs, for spreadsheets (in both orders) and for print."""
    film = _Film.of(shots, script)
    by_setup = [shot for group in _setups(shots) for shot in group]
    return {
        "shots.json": as_json(shots),
        "shots.csv": as_csv(COLUMNS, [_row(shot, film) for shot in shots.shots]),
        "shots-by-setup.csv": as_csv(COLUMNS, [_row(shot, film) for shot in by_setup]),
        "shots.pdf": shots_pdf(shots, script, brief),
    }


def _setups(shots: ShotList) -> list[list[Shot]]:
    """Those that are made together, together; groups and shots as the script has them."""
    groups: dict[str, list[Shot]] = {}
    for shot in shots.shots:
        groups.setdefault(shot.setup, []).append(shot)
    return list(groups.values())


def _row(shot: Shot, film: _Film) -> tuple[str, ...]:
    return (
        str(shot.scene),
        shot.id,
        _side(shot),
        _place(shot, film.language),
        size_name(shot),
        shot.angle,
        _movement(shot),
        f"{shot.lens_mm} mm",
        shot.subject,
        shot.action,
        " / ".join(_spoken(shot, _PLAIN)),
        shot.sound,
        _props(shot, film),
        ", ".join(_effects(shot, film)),
        film.rate.timecode(shot.start),
        number(film.rate.seconds(shot.frames)),
        shot.setup,
        "planned",
        "; ".join(part for part in (shot.notes, _text(shot, _PLAIN)) if part),
    )


def _side(shot: Shot) -> str:
    return "INT" if shot.set.interior else "EXT"


def _place(shot: Shot, language: str) -> str:
    """In the author's words, if the script has any."""
    told = place_in(one_line(shot.set.heading)) if shot.set.heading else ""
    return told or named(shot.set.place, language)


def _movement(shot: Shot) -> str:
    return in_words(f"{shot.movement.kind} {shot.movement.direction}")


def _spoken(shot: Shot, say: Labels) -> list[str]:
    voiceover = one_line(shot.voiceover)
    first = [say("VO: {words}", words=voiceover)] if voiceover else []
    return [*first, *lines(shot.dialogue)]


def _text(shot: Shot, say: Labels) -> str:
    written = " / ".join(lines(shot.on_screen_text))
    return say("Text: {words}", words=written) if written else ""


def _props(shot: Shot, film: _Film) -> str:
    return ", ".join(named(prop, film.language) for prop in shot.set.props)


def _effects(shot: Shot, film: _Film) -> tuple[str, ...]:
    """A beat's effects are in those of its shots that have any to make."""
    beat = film.beats.get(shot.beat)
    return beat.production.vfx if beat and shot.complexity.vfx else ()


def shots_pdf(
    shots: ShotList, script: Script, brief: Brief, pictures: Mapping[str, bytes] | None = None
) -> bytes:
    """The list for print: what a page shows is decided here, how it looks in the template.

    With `pictures`, JPEGs by the ids of the shots, each shot is shown beside its name.
    """
    film = _Film.of(shots, script)
    say, rate = film.say, shots.rate
    groups = _setups(shots)
    facts = (
        (say("Length"), say.seconds(rate.seconds(shots.frames))),
        (say("Shots"), str(len(shots.shots))),
        (say("Setups"), str(len(groups))),
        (say("Picture"), f"{brief.delivery.aspect} · {rate} fps"),
    )
    content = {
        "title": one_line(shots.title),
        "line": one_line(brief.message.core),
        "facts": facts,
        "pictured": brief.delivery.aspect if pictures else "",
        "scenes": [_scene(each, film) for each in _scenes(shots)],
        "setups": [_setup(each, film) for each in groups],
    }
    files = {picture_file(shot): pictures[shot.id] for shot in shots.shots} if pictures else {}
    return typeset(Document("shots", content, script.language, files))


def picture_file(shot: Shot) -> str:
    """What the picture of a shot is called while pages are set."""
    return f"frame-{shot.order}.jpg"


def _scenes(shots: ShotList) -> list[list[Shot]]:
    scenes: list[list[Shot]] = []
    for shot in shots.shots:
        if scenes and scenes[-1][0].scene == shot.scene:
            scenes[-1].append(shot)
        else:
            scenes.append([shot])
    return scenes


def _scene(shots: Sequence[Shot], film: _Film) -> dict[str, object]:
    first = shots[0]
    return {
        "number": str(first.scene),
        "name": slug_line(first, film.language),
        "about": _count(shots, film),
        "shots": [_panel(shot, film) for shot in shots],
    }


def slug_line(shot: Shot, language: str = "en") -> str:
    """Where and when, as screenplays say it; as this one says it, word for word."""
    if shot.set.heading:
        return one_line(shot.set.heading)
    place, time = (named(each, language) for each in (shot.set.place, shot.lighting.time_of_day))
    return f"{labels(language)(_side(shot))}. {place} \u2013 {time}"


def _setup(shots: Sequence[Shot], film: _Film) -> dict[str, object]:
    first = shots[0]
    light = f"{film.say.name(first.lighting.preset)}, {film.say.name(first.lighting.key)}"
    return {
        "number": one_line(first.setup),
        "name": f"{film.say(_side(first))}. {_place(first, film.language)}",
        "light": light,
        "about": _count(shots, film),
        "shots": [_panel(shot, film) for shot in shots],
    }


def _count(shots: Sequence[Shot], film: _Film) -> str:
    length = film.say.seconds(film.rate.seconds(sum(shot.frames for shot in shots)))
    return f"{counted(len(shots), film.say)} · {length}"


def counted(shots: int, say: Labels) -> str:
    """So many shots, in words."""
    return say("1 shot") if shots == 1 else say("{count} shots", count=shots)


def _panel(shot: Shot, film: _Film) -> dict[str, object]:
    return {
        "id": one_line(shot.id),
        "picture": picture_file(shot),
        "place": _place(shot, film.language),
        "size": size_name(shot, film.language),
        "angle": film.say.name(shot.angle),
        "movement": film.say.name(_movement(shot)),
        "lens": f"{shot.lens_mm} mm",
        "subject": one_line(shot.subject),
        "action": one_line(shot.action),
        "said": _spoken(shot, film.say),
        "text": _text(shot, film.say),
        "sound": one_line(shot.sound),
        "props": _props(shot, film),
        "vfx": ", ".join(map(one_line, _effects(shot, film))),
        "transition": "" if shot.transition == "cut" else film.say.name(shot.transition),
        "start": film.rate.timecode(shot.start),
        "duration": film.say.seconds(film.rate.seconds(shot.frames)),
        "setup": one_line(shot.setup),
        "notes": one_line(shot.notes),
    }
