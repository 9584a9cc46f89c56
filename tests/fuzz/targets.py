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
from mcp.types import jsonrpc_message_adapter

from callsheet.agents.assembler import Assembler
from callsheet.agents.checks import checked
from callsheet.agents.drafting.reader import Document
from callsheet.agents.language.phrases import all_phrases
from callsheet.agents.model import CallDelta, Offered
from callsheet.agents.offline.understanding import understand
from callsheet.core.check.check import check_plan
from callsheet.core.check.fix import fix_document
from callsheet.core.past.replay import replay
from callsheet.core.plan.read import read_plan
from callsheet.core.run import entries
from callsheet.errors import CallsheetError
from callsheet.serve.http import strict
from callsheet.serve.problems import Refusal
from callsheet.serve.routes.events import resumed
from callsheet.tools.builtin.catalog import builtin_tools
from callsheet.tools.outside.body import QUICK, BodyError, TooLongError, Unpacker
from callsheet.tools.outside.exchange import Answer
from callsheet.tools.outside.http import response_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from importlib.resources.abc import Traversable

    from callsheet.agents.drafting.reader import Closed
    from callsheet.core.plan.toolspec import ToolSpec

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
FOREIGN = (
    "jobs:\n  a: {runs-on: x, needs: b, steps: [{run: 'echo'}]}\n  b: {steps: [{uses: value}]}\n",
    "nodes: [{id: a, type: wait}, {id: b, type: wait}]\nedges: [{from: a, to: b}]\n",
    "```yaml\nworkflow:\n  - name: Step 1\n    action: wait\n    params: {seconds: 1}\n```\n",
)
DRAFT = (
    '{"steps": [{"id": "a", "tool": "value", "args": {"value": "x\\n\\"y\\""}}, '
    '{"id": "b", "tool": "wait", "args": {"seconds": 1}, "needs": ["a"]}], "output": "${steps.a}"}'
)
SENTENCES = (
    "wait 2 seconds",
    'write "Buy cups, too." to notes.txt',
    "http.get url=https://example.com, max_bytes=10",
    'value {"value": [1, 2]}',
    "zeig mir die letzten Läufe",
    "why did it fail?",
)
MESSAGE = (
    '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "plan_check", '
    '"arguments": {"plan": {"steps": []}}}}'
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
    engine = [_plan(), _mended(), _journal(), _http()]
    return [*engine, *_of_models(), *_of_doors(), *_of_the_studio()]


def _texts(found: Iterable[Traversable]) -> tuple[str, ...]:
    return tuple(file.read_text("utf-8") for file in sorted(found, key=str))


def _plan() -> Target:
    specs = {tool.spec.name: tool.spec for tool in builtin_tools()}

    def read(text: str) -> object:
        return check_plan(read_plan(text), specs.get, lambda: list(specs))

    plans = [*ROOT.glob("docs_src/*/*.yaml"), *ROOT.glob("examples/*.yaml")]
    return Target(name="plan", seeds=_texts(plans), read=read)


def _mended() -> Target:
    """`check --fix`: what foreign habits have made of a plan, mended and written again."""
    specs = {tool.spec.name: tool.spec for tool in builtin_tools()}

    def read(text: str) -> object:
        fixed = fix_document(text, _Known(specs))
        return fixed.text() if fixed.document is not None else None

    corpus = ROOT / "packages" / "callsheet" / "tests" / "corpus" / "plans"
    plans = [*corpus.rglob("*.yaml"), *corpus.rglob("*.json"), *corpus.rglob("*.md")]
    return Target(name="mended", seeds=(*_texts(plans), *FOREIGN), read=read)


def _of_models() -> list[Target]:
    """What models say: their arguments piece by piece, drafts, and sentences without a model."""
    offered = tuple(
        Offered(name=tool.spec.name, version="1", description="", schema=tool.spec.input_schema)
        for tool in builtin_tools()
    )
    phrases = all_phrases()

    def answer(text: str) -> object:
        assembler = Assembler(lambda name: name)
        for at in range(0, min(len(text), 4_000), 7):
            assembler.feed(CallDelta(0, "c1" if at == 0 else "", "value", text[at : at + 7]))
        assembler.feed(CallDelta(0, "", "", text[4_000:]))
        call = assembler.call(assembler.calls[0])
        specs = {tool.spec.name: tool.spec for tool in builtin_tools()}
        return checked(call, _Known(specs), list(specs))

    def draft(text: str) -> object:
        document = Document()
        closed = [
            one for at in range(0, len(text), 50) for one in document.feed(text[at : at + 50])
        ]
        return [_read(each) for each in closed], document.whole

    return [
        Target(
            name="answer", seeds=('{"value": {"a": [1, "x\\u00e9"]}}', "{}", "{}{}"), read=answer
        ),
        Target(name="draft", seeds=(DRAFT,), read=draft),
        Target(
            name="sentence", seeds=SENTENCES, read=lambda text: understand(text, offered, phrases)
        ),
    ]


class _Known:
    """Tools, as far as they are declared."""

    def __init__(self, specs: dict[str, ToolSpec]) -> None:
        self.spec = specs.get
        self.names = lambda: list(specs)


def _read(closed: Closed) -> object:
    try:
        return closed.read()
    except ValueError:
        return None  # a refusal: whoever drafts is told what it says


def _of_doors() -> list[Target]:
    """What clients send: bodies, messages of MCP, and where a stream goes on."""

    def message(text: str) -> object:
        return jsonrpc_message_adapter.validate_json(text)

    return [
        Target(
            name="body",
            seeds=('{"plan": {"steps": []}, "key": "a"}',),
            read=lambda text: strict.read(text.encode("utf-8", "surrogatepass")),
            refusals=(*REFUSALS, Refusal),
        ),
        Target(name="mcp", seeds=(MESSAGE,), read=message, refusals=(*REFUSALS, ValueError)),
        Target(
            name="resumed",
            seeds=("12", "0", "9223372036854775807"),
            read=lambda text: resumed(0, text),
            refusals=(*REFUSALS, Refusal),
        ),
    ]


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
