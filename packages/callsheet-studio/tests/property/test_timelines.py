"""Laws of timelines: what goes out comes back, and a trim is a trim."""

from __future__ import annotations

import contextlib
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs
from tests.unit.documents.films import Film, film

from callsheet.errors import InputError
from callsheet_studio.documents import Cut, Piece, read_timeline, retime, timeline_files
from callsheet_studio.documents.pieces import TRANSITIONS

if TYPE_CHECKING:
    from collections.abc import Iterable

# Laws over many films.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("P12")]

Form = Literal["otio", "edl"]
forms = st.sampled_from(("otio", "edl"))
rates = st.sampled_from(("24", "25", "30", "23.976", "29.97"))
films = st.builds(film, st.integers(1, 5), st.integers(1, 4), fps=rates)
kinds = st.sampled_from(TRANSITIONS)
FEW = settings(max_examples=40)


def sent(made: Film, form: Form) -> Cut:
    files = timeline_files(made.shots, made.script, made.brief)
    return read_timeline(files[f"timeline.{form}"].decode(), form, made.shots.rate)


@given(films, forms, st.data())
@FEW
def test_a_cut_that_nobody_touched_changes_nothing(
    made: Film, form: Form, data: st.DataObject
) -> None:
    count = len(made.shots.shots)
    fades = {count - 1: ("cut", "dissolve", "fade_out"), 0: ("cut", "fade_in", "whip")}
    shots = tuple(
        shot.model_copy(
            update={"transition": data.draw(st.sampled_from(fades.get(at, ("cut", "dissolve"))))}
        )
        for at, shot in enumerate(made.shots.shots)
    )
    made = replace(made, shots=made.shots.model_copy(update={"shots": shots}))
    found = retime(made.script, made.shots, sent(made, form))
    assert found.script == made.script
    assert found.shots == made.shots


@given(films, forms, st.data())
@FEW
def test_trimming_a_shot_shortens_the_film_by_as_much(
    made: Film, form: Form, data: st.DataObject
) -> None:
    cut = sent(made, form)
    at = data.draw(st.integers(0, len(cut.pieces) - 1))
    less = data.draw(st.integers(1, cut.pieces[at].frames - 1))
    pieces = list(cut.pieces)
    pieces[at] = structs.replace(pieces[at], frames=pieces[at].frames - less)
    found = retime(made.script, made.shots, structs.replace(cut, pieces=tuple(pieces)))
    assert found.shots.frames == found.script.frames == made.shots.frames - less
    for place, (old, new) in enumerate(zip(made.shots.shots, found.shots.shots, strict=True)):
        shift = less if place > at else 0
        changed = {"start": old.start - shift, "end": old.end - (less if place >= at else 0)}
        assert new == old.model_copy(update=changed)


@given(films, st.data())
@FEW
def test_whatever_is_left_tiles(made: Film, data: st.DataObject) -> None:
    beats = data.draw(st.permutations([beat.id for beat in made.script.beats]))
    pieces = [
        Piece(shot.id, data.draw(st.integers(1, 400)), data.draw(kinds))
        for beat in beats
        for shot in made.shots.shots
        if shot.beat == beat and data.draw(st.booleans())
    ] or [Piece(made.shots.shots[0].id, 10)]
    found = retime(made.script, made.shots, Cut(made.shots.rate, tuple(pieces)))
    total = sum(piece.frames for piece in pieces)
    for parts in (found.script.beats, found.shots.shots):
        edges = [0, *(part.end for part in parts)]
        assert [part.start for part in parts] == edges[:-1]
        assert edges[-1] == total
    assert found.script.frames == found.shots.frames == total
    for beat in found.script.beats:
        mine = [shot for shot in found.shots.shots if shot.beat == beat.id]
        assert (mine[0].start, mine[-1].end) == (beat.start, beat.end)


@given(films, forms)
@FEW
def test_what_was_retimed_goes_out_and_comes_back(made: Film, form: Form) -> None:
    pieces = tuple(Piece(shot.id, 24 + place) for place, shot in enumerate(made.shots.shots))
    first = retime(made.script, made.shots, Cut(made.shots.rate, pieces))
    again = replace(made, script=first.script, shots=first.shots)
    found = retime(again.script, again.shots, sent(again, form))
    assert (found.script, found.shots) == (first.script, first.shots)


DAMAGE: tuple[object, ...] = (
    *(None, 0, -1, 1e308, float("nan"), "", "x", True, [], {}),
    {"OTIO_SCHEMA": "Clip.1"},
    {"OTIO_SCHEMA": "Gap.1"},
    {"OTIO_SCHEMA": "Foo.3"},
)
SENT = film(2, 2)
FILES = timeline_files(SENT.shots, SENT.script, SENT.brief)


def places(found: object) -> list[tuple[Any, Any]]:
    """Everything that can be damaged in a document: what it is in, and its key there."""
    keys: Iterable[Any] = ()
    if isinstance(found, dict):
        keys = found
    elif isinstance(found, list):
        keys = range(len(found))
    inside: list[tuple[Any, Any]] = [(found, key) for key in keys]
    return inside + [each for where, key in inside for each in places(where[key])]


@given(st.data(), st.sampled_from(DAMAGE))
def test_a_damaged_otio_is_read_or_refused(data: st.DataObject, damage: object) -> None:
    document = json.loads(FILES["timeline.otio"])
    found = places(document)
    where, key = found[data.draw(st.integers(0, len(found) - 1))]
    where[key] = damage
    with contextlib.suppress(InputError):
        cut = read_timeline(json.dumps(document), "otio", SENT.shots.rate)
        retime(SENT.script, SENT.shots, cut)


@given(st.data())
def test_a_damaged_edl_is_read_or_refused(data: st.DataObject) -> None:
    text = FILES["timeline.edl"].decode()
    at = data.draw(st.integers(0, len(text) - 1))
    put = data.draw(st.text(st.sampled_from("0123456789:;.AVCDB* \n\u00e9"), max_size=4))
    with contextlib.suppress(InputError):
        cut = read_timeline(text[:at] + put + text[at + 1 :], "edl", SENT.shots.rate)
        retime(SENT.script, SENT.shots, cut)
