"""Tools that run in worker processes. Loaded by file path there: this is no installed package."""

from __future__ import annotations

import ctypes
import gc
import mimetypes
import os
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from typing_extensions import override

from callsheet import errors
from callsheet.core.value import Json
from callsheet.tools.blocking import SyncContext
from callsheet.tools.registry import tool


@dataclass
class Booking:
    """Something that is not plain JSON."""

    id: str
    at: datetime


class NoSeatsError(errors.DeniedError):
    """A class that only this module knows."""


class StrangeError(Exception):
    """A class that only this module knows, and that is nobody's subclass."""


class StaleSocketError(ConnectionRefusedError):
    """A class that only this module knows, of a kind that everybody knows."""


@tool(effect="write")
def book(city: str, at: datetime) -> Booking:
    return Booking(id=city.upper(), at=at)


@tool(effect="write")
def where() -> dict[str, Json]:
    return {"pid": os.getpid(), "group": os.getpgrp(), "thread": threading.current_thread().name}


@tool(effect="write")
def told(ctx: SyncContext) -> dict[str, Json]:
    """Returns what the context tells it, and says everything that can be said."""
    ctx.progress(0.5, "half")
    ctx.log.info("tool.spoke", number=7, thing=object)
    ctx.checkpoint({"job": 17})
    ctx.charge(usd=0.25, tokens=3)
    return {
        "run": ctx.run,
        "step": ctx.step,
        "attempt": ctx.attempt,
        "key": ctx.key,
        "saved": ctx.saved,
        "cancelled": ctx.cancelled,
    }


@tool(effect="write")
def survives_a_refused_checkpoint(ctx: SyncContext) -> str:
    try:
        ctx.checkpoint("x")
    except RuntimeError as exc:
        return str(exc)
    return "it was not refused"


RAISED: dict[str, BaseException] = {
    "rate": errors.RateLimitedError("slow down", retry_after=2.5),
    "not_done": errors.NotDoneError("nothing happened"),
    "subclass": NoSeatsError("no seats"),
    "strange": StrangeError("odd"),
    "refused": StaleSocketError("no one there"),
    "value": ValueError("bad value"),
    "unicode": UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad"),
    "exit": SystemExit(3),
    "interrupt": KeyboardInterrupt(),
    "surrogate": ValueError("\ud800"),
}


@tool(effect="write")
def raises(which: str) -> None:
    raise RAISED[which]


@tool(effect="write")
def returns_an_object() -> Any:
    return {"socket": threading.Lock()}


@tool(effect="write")
def dies(how: str) -> None:
    if how == "exit":
        os._exit(3)
    if how == "segfault":
        ctypes.string_at(0)
    os.kill(os.getpid(), signal.SIGKILL)


@tool(effect="write")
def listens(ctx: SyncContext) -> str:
    """Stops when it is told to, and says that it has cleaned up."""
    ctx.progress(message=str(os.getpid()))
    while not ctx.cancelled:
        threading.Event().wait(0.005)
    return "cleaned up"


@tool(effect="write")
def naps(ctx: SyncContext) -> None:
    ctx.progress(message=str(os.getpid()))
    ctx.sleep(3600)


@tool(effect="write")
def ignores_everything(ctx: SyncContext) -> None:
    ctx.progress(message=str(os.getpid()))
    threading.Event().wait()


@tool(effect="write")
def starts_a_program(ctx: SyncContext) -> None:
    """Waits for a program it has started; neither listens."""
    with subprocess.Popen(["/bin/sh", "-c", "trap '' TERM; sleep 3600 & wait"]) as program:
        ctx.progress(message=str(program.pid))
        program.wait()


@tool(effect="write")
def clutches_the_interpreter(ctx: SyncContext) -> None:
    """Blocks in C without letting any other thread of its process run."""
    ctx.progress(message=str(os.getpid()))
    # Let the words out before nothing moves any more.
    threading.Event().wait(0.05)
    ctypes.PyDLL(None).pause()


@tool(effect="write")
def leaves_a_thread_behind(ctx: SyncContext) -> str:
    """The thread goes on speaking when the call is long over."""

    def chatter() -> None:
        while True:
            ctx.progress(message="from the first call")
            threading.Event().wait(0.001)

    threading.Thread(target=chatter, daemon=True).start()
    return "done"


@tool(effect="write")
def takes_a_moment(ctx: SyncContext) -> str:
    ctx.sleep(0.1)
    return "done"


@tool(effect="write")
def prints() -> str:
    print("said by a tool")  # noqa: T201 -- that is what it is for
    return "printed"


@tool(effect="write")
def measures(size: int) -> str:
    return "x" * size


@tool("same.name.first", effect="write")
def twin() -> str:
    return "first"


first_twin = twin


# Two functions of one name, on purpose.
@tool("same.name.second", effect="write")  # type: ignore[no-redef]
def twin() -> str:
    return "second"


def plain(number: int) -> int:
    return number + 1


by_hand = tool("by.hand", effect="write")(plain)


@tool(isolated=True, effect="read")
def isolated_read() -> int:
    return os.getpid()


@tool("loaded", isolated=True, effect="read")
def loaded() -> list[str]:
    """The modules there are."""
    return sorted(sys.modules)


@tool(isolated=True, effect="read")
def readiness() -> dict[str, bool]:
    """Whether somebody has made a module ready, and garbage is collected."""
    return {"knows types": mimetypes.inited, "collects": gc.isenabled()}


class UnspeakableError(Exception):
    """Its words are worse than what happened."""

    @override
    def __str__(self) -> str:
        raise SystemExit(7)


@tool(effect="write")
def raises_the_unspeakable() -> None:
    raise UnspeakableError
