"""What is fuzzed: everything that reads what somebody else has written.

A target takes a text. It may refuse it in words of ours, or accept it; anything else is a find.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from callsheet.core.check.check import check_plan
from callsheet.core.past.replay import replay
from callsheet.core.plan.read import read_plan
from callsheet.core.run import entries
from callsheet.errors import CallsheetError
from callsheet.tools.builtin.catalog import builtin_tools
from callsheet.tools.outside.body import QUICK, BodyError, TooLongError, Unpacker
from callsheet.tools.outside.exchange import Answer
from callsheet.tools.outside.http import response_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from importlib.resources.abc import Traversable

ROOT = Path(__file__).parents[2]
REFUSALS = (CallsheetError, msgspec.MsgspecError)
"""What a target may say; that a line is no entry of a journal is told by who reads the store."""
RATE = "24"

EVENT = "001  1A       V     C        00:00:00:00 00:00:04:00 01:00:00:00 01:00:04:00"
OTIO = (
    '{"OTIO_SCHEMA": "Timeline.1", "name": "cut", "tracks": {"OTIO_SCHEMA": "Stack.1", "children":'
    ' [{"OTIO_SCHEMA": "Track.1", "kind": "Video", "name": "V1", "children": [{"OTIO_SCHEMA":'
    ' "Clip.2", "name": "1A", "source_range": {"OTIO_SCHEMA": "TimeRange.1", "duration":'
    ' {"OTIO_SCHEMA": "RationalTime.1", "rate": 24, "value": 96}, "start_time": {"OTIO_SCHEMA":'
    ' "RationalTime.1", "rate": 24, "value": 0}}}]}]}}'
)
ANSWER = 'Content-Type: application/json; charset=utf-8\n\n{"a": [1, 2.5, null, "x"]}'


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One reader."""

    name: str
    seeds: tuple[str, ...]
    read: Callable[[str], object]
    refusals: tuple[type[Exception], ...] = REFUSALS


def all_targets() -> list[Target]:
    """Those of the engine, and those of the studio."""
    return [_plan(), _journal(), _http(), *_of_the_studio()]


def _texts(found: Iterable[Traversable]) -> tuple[str, ...]:
    return tuple(file.read_text("utf-8") for file in sorted(found, key=str))


def _plan() -> Target:
    specs = {tool.spec.name: tool.spec for tool in builtin_tools()}

    def read(text: str) -> object:
        return check_plan(read_plan(text), specs.get, lambda: list(specs))

    plans = [*ROOT.glob("docs_src/*/*.yaml"), *ROOT.glob("examples/*.yaml")]
    return Target(name="plan", seeds=_texts(plans), read=read)


def _journal() -> Target:
    def read(text: str) -> object:
        return replay([entries.decode(line.encode()) for line in text.splitlines() if line])

    golden = ROOT / "packages" / "callsheet" / "tests" / "replay" / "golden"
    journals = sorted(golden.rglob("*.jsonl"))[:12]
    return Target(name="journal", seeds=_texts(journals), read=read)


def _http() -> Target:
    """An answer: its headers, an empty line, and its body."""

    def read(text: str) -> object:
        head, _, body = text.partition("\n\n")
        headers = dict(line.partition(": ")[::2] for line in head.lower().splitlines())
        data = body.encode("utf-8", "surrogatepass")
        unpacker = Unpacker(headers.get("content-encoding", ""), QUICK)
        asyncio.run(unpacker.feed(data))
        charset = headers.get("content-type", "").partition("charset=")[2] or None
        found = Answer(status=200, url="x", headers=headers, body=unpacker.end(), charset=charset)
        return response_of(found)

    packed = ANSWER.replace("\n\n", "\nContent-Encoding: gzip\n\n")
    return Target(
        name="http",
        seeds=(ANSWER, packed, ANSWER.replace("utf-8", "latin-1")),
        read=read,
        refusals=(*REFUSALS, BodyError, TooLongError),
    )


def _of_the_studio() -> list[Target]:
    from callsheet_studio.base.time import Rate
    from callsheet_studio.brief.reading import parse
    from callsheet_studio.documents.edl import read_edl
    from callsheet_studio.documents.otio_back import read_otio
    from callsheet_studio.script.own.fountain import read_fountain
    from callsheet_studio.stack.read import read_stack

    briefs = ROOT / "examples" / "briefs"
    rate = Rate.of(RATE)
    stacks = _texts((files("callsheet_studio.stack") / "starting.json",))
    cut = f"TITLE: MY CUT\nFCM: NON-DROP FRAME\n\n{EVENT}\n* FROM CLIP NAME: shots/1A.mp4\n"
    return [
        Target(
            name="brief",
            seeds=_texts(briefs.glob("*.yaml")),
            read=lambda text: parse(text, "yaml", "the brief"),
        ),
        Target(name="fountain", seeds=_texts(briefs.glob("*.fountain")), read=read_fountain),
        Target(name="edl", seeds=(cut,), read=lambda text: read_edl(text, rate)),
        Target(name="otio", seeds=(OTIO,), read=lambda text: read_otio(text, rate)),
        Target(name="stack", seeds=stacks, read=lambda text: read_stack(text, "the stack")),
    ]
