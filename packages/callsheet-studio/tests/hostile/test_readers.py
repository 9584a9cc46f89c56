"""Readers that are handed something hostile: refused or read, and read through once.

What once took seconds is counted, not timed: a reader that looks at a text again for every part of
it calls the functions below a multiple of times for twice the text.
"""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.script.samples import make_brief

from callsheet.errors import InputError
from callsheet_studio.base.time import Rate
from callsheet_studio.brief.reading import parse
from callsheet_studio.documents.timelines import read_timeline
from callsheet_studio.script.own.page import MOST_LINES
from callsheet_studio.script.own.reading import own_script
from callsheet_studio.stack.read import read_stack

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

pytestmark = pytest.mark.requirement("S10")

RATE = Rate.of(24)
SECONDS = 5.0
"""Of CPU, where patterns are at work whose steps cannot be counted; they took minutes."""
MOST = 3.0
"""How much more work twice the text may be."""


def work(act: Callable[[], object]) -> int:
    """Steps that the interpreter takes: lines that it runs."""
    steps = 0

    def count(_frame: FrameType, event: str, _arg: object) -> Any:
        nonlocal steps
        steps += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        act()
    except InputError:
        pass
    finally:
        sys.settrace(before)
    return steps


SCRIPTS: dict[str, Callable[[int], str]] = {
    "blanks": lambda n: "INT. A - DAY\n\nNA" + " " * (20 * n) + "a\nx",
    "short paragraphs": lambda n: "INT. A - DAY\n\n" + "\n\n".join(["Hm, so it is."] * n),
    "opened notes": lambda n: "INT. A - DAY\n\n" + "[[ " * n,
    "opened comments": lambda n: "INT. A - DAY\n\n" + "/* " * n,
    "abbreviations": lambda n: "INT. A - DAY\n\n" + "1. " * n,
    "supers": lambda n: "INT. A - DAY\n\n" + 'SUPER: "a" ' * n,
    "names": lambda n: "INT. A - DAY\n\n" + "AA BB, " * n,
    "lines of one speech": lambda n: "INT. A - DAY\n\nBOB\n" + "\n".join(["Hm."] * n),
}


# Up to 1 s each: every line that is run is counted.
@pytest.mark.slow
@pytest.mark.parametrize("kind", SCRIPTS)
def test_twice_the_script_is_twice_the_work(kind: str) -> None:
    def read(count: int) -> int:
        brief = make_brief(script=SCRIPTS[kind](count), seconds=60)
        return work(lambda: own_script(brief))

    read(10)
    assert read(240) <= MOST * read(120)


@pytest.mark.parametrize(
    "text", ["\n" * (MOST_LINES + 1), "INT. A - DAY\n\n" + "x" * 30_000], ids=["lines", "a line"]
)
def test_a_script_longer_than_any_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="At most"):
        own_script(make_brief(script=f"INT. A - DAY\n{text}"))


EVENT = "001  AX       V     C        00:00:00:00 00:00:01:00 00:00:00:00 00:00:01:00"


@pytest.mark.parametrize(
    "line", ["1" * 30_000, f"1 A V D{'0' * 30_000} x", EVENT + " " * 2000], ids=["digits", "D", "b"]
)
def test_a_line_of_an_edl_has_its_limit(line: str) -> None:
    with pytest.raises(InputError, match="line 1"):
        read_timeline(line, "edl", RATE)


def test_a_cut_has_its_limit_of_events() -> None:
    with pytest.raises(InputError, match="10,000"):
        read_timeline("\n".join([EVENT] * 10_003), "edl", RATE)
    clip = {"OTIO_SCHEMA": "Clip.2", "name": "1A"}
    track = {"OTIO_SCHEMA": "Track.1", "kind": "Video", "children": [clip] * 10_001}
    timeline = {"OTIO_SCHEMA": "Timeline.1", "tracks": {"children": [track]}}
    with pytest.raises(InputError, match="10,000"):
        read_timeline(json.dumps(timeline), "otio", RATE)


def otio(count: int) -> str:
    length = {"value": 24.0, "rate": 24.0}
    clip = {"OTIO_SCHEMA": "Clip.2", "name": "1A", "source_range": {"duration": length}}
    track = {"OTIO_SCHEMA": "Track.1", "kind": "Video", "children": [clip] * count}
    return json.dumps({"OTIO_SCHEMA": "Timeline.1", "tracks": {"children": [track]}})


CUTS: dict[str, tuple[str, Callable[[int], str]]] = {
    "names": ("edl", lambda n: "\n".join([EVENT, *["* FROM CLIP NAME: 1A"] * n])),
    "events and names": (
        "edl",
        lambda n: "\n".join([EVENT] * n + ["* FROM CLIP NAME: 1A"] * n),
    ),
    "clips": ("otio", otio),
}


# About 0.5 s: every line that is run is counted.
@pytest.mark.slow
@pytest.mark.parametrize("kind", CUTS)
def test_twice_the_cut_is_twice_the_work(kind: str) -> None:
    form, text = CUTS[kind]

    def read(count: int) -> int:
        told = text(count)
        return work(lambda: read_timeline(told, "edl" if form == "edl" else "otio", RATE))

    assert read(600) <= MOST * read(300)


def test_a_stack_whose_last_key_stands_twice_is_refused() -> None:
    pairs = ",".join(f'"k{n}": 1' for n in range(50_000))
    with pytest.raises(InputError, match="stands twice"):
        read_stack(f'{{{pairs}, "k49999": 2}}', "it")


@pytest.mark.parametrize("number", ["1" * 400, "1" * 5000, "1e999"])
def test_a_number_with_too_many_digits_is_a_fault_and_no_accident(number: str) -> None:
    text = f'{{"sources": {{}}, "tools": [], "latency_prior": {{"range_s": [1, {number}]}}}}'
    with pytest.raises(InputError):
        read_stack(text, "it")


@pytest.mark.parametrize("form", ["text", "markdown"])
@pytest.mark.parametrize(
    "letter",
    [
        "We bake." + " " * 200_000 + "Come in.",
        "We bake.\n" + "\t" * 200_000 + "x\n",
        "We bake." + "\n" * 200_000 + "Come in.",
        "We bake.\n" + " \n" * 100_000 + "Come in.",
        "We bake." + "\u00a0" * 100_000 + "Come in.",
    ],
    ids=["blanks", "tabs", "lines", "both", "hard"],
)
def test_a_run_of_blanks_in_a_letter_is_read_past(letter: str, form: Any) -> None:
    """Each took minutes: dozens of patterns tried it from every place in it."""
    begun = time.process_time()
    assert "We bake" in parse(letter, form, "the brief").message.core
    assert time.process_time() - begun < SECONDS
