"""What is said between the event loop and a tool that runs in a thread or a process.

A thread is handed the messages themselves; between processes they travel as frames: four bytes of
length, then MessagePack.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

from callsheet.core.plan.artifact import Artifact
from callsheet.core.value import Json

if TYPE_CHECKING:
    from collections.abc import Iterator

HEADER = 4


class Message(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag=True, tag_field="said"
):
    """Something said."""


class Call(Message, frozen=True):
    """To a worker process: call this."""

    tool: str
    module: str
    qualname: str
    file: str | None
    args: dict[str, Json]
    run: str
    step: str
    attempt: int
    key: str
    saved: Json
    grace: float
    emitted: str = ""


class Load(Message, frozen=True):
    """To a worker process: make these ready, for the calls that will come."""

    names: list[str]
    """Modules to import, as `pkg.mod`, and functions to call, as `pkg.mod:function`."""

    @property
    def modules(self) -> Iterator[str]:
        """What is imported for them."""
        return (name.partition(":")[0] for name in self.names)


class Stop(Message, frozen=True):
    """To the tool: you are told to stop."""


class Answer(Message, frozen=True):
    """To the tool: what it asked for is done, unless there is a problem."""

    problem: str | None = None
    kind: str = ""
    """The class of the error, if it is one of ours."""
    cancelled: bool = False
    value: Json = None
    """What it asked for, if that is something."""


class Started(Message, frozen=True):
    """From a worker process: from here on, something may have happened."""


class Progressed(Message, frozen=True):
    """From the tool: how far it is."""

    fraction: float | None = None
    message: str = ""


class Emitted(Message, frozen=True):
    """From the tool: what it says."""

    text: str


class Logged(Message, frozen=True):
    """From the tool: for operators."""

    level: Literal["info", "warning"]
    event: str
    fields: dict[str, Json] = {}


class Checkpoint(Message, frozen=True):
    """From the tool, which waits for the answer: journal this."""

    data: Json


class Charge(Message, frozen=True):
    """From the tool, which waits for the answer: this was spent."""

    usd: float = 0.0
    credits: float = 0.0
    tokens: int = 0


class Keep(Message, frozen=True):
    """From the tool, which waits for the answer: keep this as an artifact."""

    data: bytes | None
    path: str = ""
    """Of a file, where it is no data."""
    is_text: bool = False
    media_type: str = ""
    name: str = ""


class Fetch(Message, frozen=True):
    """From the tool, which waits for the answer: where is a file with these bytes?"""

    artifact: Artifact


class Add(Message, frozen=True):
    """From the tool, which waits for the answer: add these steps."""

    steps: list[dict[str, Json]]
    checkpoint: Json = None


class Then(Message, frozen=True):
    """From the tool, which waits for the answer: have these follow."""

    steps: list[dict[str, Json]]
    seal: bool = False
    output: Json = None


class Halt(Message, frozen=True):
    """From the tool, which waits for the answer: stop a step that it has added."""

    step: str


class TakeBack(Message, frozen=True):
    """From the tool, which waits for the answer: undo a step that it has added."""

    step: str


class HowLong(Message, frozen=True):
    """From the tool, which waits for the answer: how long has the run been running?"""


class Returned(Message, frozen=True):
    """From the tool: its output. Nothing follows."""

    output: Json


class Failed(Message, frozen=True):
    """From a worker process: what was raised. Nothing follows."""

    kind: str
    """The nearest exception class that both sides know."""
    type: str
    message: str
    retry_after: float | None = None
    traceback: str = ""


class Raised(msgspec.Struct, frozen=True):
    """From a thread: what was raised. Nothing follows."""

    error: BaseException


class Gone(msgspec.Struct, frozen=True):
    """The worker process is no more. Nothing follows."""

    code: int | None
    """Its exit code; negative: the signal that killed it."""


Question: TypeAlias = Checkpoint | Charge | Keep | Fetch | Add | Then | Halt | TakeBack | HowLong
ToWorker: TypeAlias = Call | Load | Stop | Answer
FromWorker: TypeAlias = Started | Progressed | Emitted | Logged | Question | Returned | Failed
End: TypeAlias = Returned | Failed | Raised | Gone
Said: TypeAlias = FromWorker | Raised | Gone

_encoder = msgspec.msgpack.Encoder()
to_worker: msgspec.msgpack.Decoder[ToWorker] = msgspec.msgpack.Decoder(ToWorker)
from_worker: msgspec.msgpack.Decoder[FromWorker] = msgspec.msgpack.Decoder(FromWorker)


def frame(message: Message) -> bytes:
    """A message as it travels."""
    body = _encoder.encode(message)
    return len(body).to_bytes(HEADER, "big") + body
