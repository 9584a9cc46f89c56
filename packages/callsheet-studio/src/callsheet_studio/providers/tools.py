"""Ordering and receiving, as tools; and those that make shots and lines of it.

To order is a write that is not idempotent: the engine notes it before it is done, its output is
the provider's name for the order, and if nobody knows whether it was taken, the step is in doubt.
To receive is a read: it asks until the thing is made, as often as it has to, and orders nothing.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from callsheet import Artifact, Context, Retry, tool
from callsheet.errors import (
    FatalError,
    InputError,
    InvalidError,
    NotDoneError,
    ToolError,
    TransientError,
)
from callsheet_studio.providers.fitting import (
    choose,
    collect,
    conform,
    draw,
    hard_cuts,
    put_in_order,
    utter,
)
from callsheet_studio.providers.port import Order
from callsheet_studio.providers.received import Ordered, Received

if TYPE_CHECKING:
    from callsheet_studio.providers.port import Progress, Provider

__all__ = [
    "choose",
    "collect",
    "conform",
    "draw",
    "give_order",
    "hard_cuts",
    "put_in_order",
    "recall",
    "receive",
    "utter",
]

_FIRST, _LONGEST = 0.25, 10.0
"""Seconds between two looks: at first, and at most."""
_FRESH = 5
"""Times that an address may expire before it is fetched."""
_PATIENT = Retry(attempts=30, backoff=1.0, max_backoff=60.0)
"""A quarter of an hour or so: a whole film is ordered at once, and many take a few at a time."""


@tool("studio.order", version="1", effect="write", retry=_PATIENT, timeout="5m")
async def give_order(
    service: str, what: Order, usd: float, key: str, ctx: Context, picture: Artifact | None = None
) -> Ordered:
    """Order a clip or a picture from a provider, and pay for it.

    Args:
        service: who is asked.
        what: what is ordered.
        usd: what it costs.
        key: for the provider.
        ctx: of the call.
        picture: with which a clip begins.
    """
    from callsheet_studio.providers.catalogue import service as found

    begins = await ctx.load(picture) if picture else None
    provider = await _opened(service, key)
    try:
        try:
            job = await provider.submit(what, begins, ctx.key)
        except InvalidError as refusal:
            ctx.charge(usd=0)
            return Ordered(refused=refusal.message)
        ctx.charge(usd=usd)
        made = await _answered(provider, job, what, ctx) if found(service).at_once else None
        return Ordered(id=job, made=made)
    finally:
        await provider.close()


@tool("studio.recall", version="1", effect="write", idempotent=True, timeout="2m")
async def recall(service: str, key: str, ordered: Ordered) -> bool:
    """Ask a provider not to make what was ordered; what is made already stays."""
    if not ordered.id or ordered.made:
        return False
    provider = await _opened(service, key)
    try:
        progress = await provider.look(ordered.id)
        if progress.state in {"made", "failed"}:
            return False
        await provider.cancel(ordered.id)
    except FatalError:
        return False
    finally:
        await provider.close()
    return True


@tool("studio.receive", version="1", retry=_PATIENT, timeout="1h", effect="read")
async def receive(service: str, kind: str, ordered: Ordered, key: str, ctx: Context) -> Received:
    """Wait until a provider has made what was ordered, and fetch it."""
    if ordered.made or not ordered.id:
        return Received(made=ordered.made, why=ordered.refused)
    provider = await _opened(service, key)
    try:
        progress = await _ended(provider, ordered.id, ctx)
        if progress.state == "failed":
            said = progress.why or f"{provider.name} could not make it"
            return Received(why=said, again=not progress.refused)
        data = await _load(provider, ordered.id, progress, ctx)
    except FatalError as unknown:
        return Received(why=unknown.message, again=True)
    finally:
        await provider.close()
    return Received(made=await ctx.store(data, name=_NAMES[kind]))


_NAMES = {"clip": "clip.mp4", "still": "still.png", "speech": "speech"}


async def _opened(service: str, key: str) -> Provider:
    from callsheet_studio.providers.catalogue import opened, prepare

    try:
        # An SDK takes a second or two to import, and everybody else would have to wait.
        await asyncio.to_thread(prepare, service)
        return opened(service, key)
    except InputError as error:
        # No refusal of what is ordered: nobody was asked.
        raise FatalError(error.message) from error


async def _ended(provider: Provider, job: str, ctx: Context) -> Progress:
    pause = _FIRST
    while True:
        progress = await provider.look(job)
        if progress.state in {"made", "failed"}:
            return progress
        ctx.progress(progress.share, f"{provider.name}: {progress.state}")
        await ctx.sleep(pause)
        pause = min(pause * 2, _LONGEST)


async def _load(provider: Provider, job: str, progress: Progress, ctx: Context) -> bytes:
    for _ in range(_FRESH):
        try:
            return await provider.fetch(progress.place)
        except NotDoneError:
            await ctx.sleep(_FIRST)
            progress = await _ended(provider, job, ctx)
    return await provider.fetch(progress.place)


async def _answered(provider: Provider, job: str, what: Order, ctx: Context) -> Artifact:
    """What the answer to an order was. It is nowhere else: it is kept before anything is said."""
    try:
        progress = await provider.look(job)
        data = await provider.fetch(progress.place)
    except ToolError as error:
        # It was ordered, whatever the error says of itself.
        raise TransientError(f"{job} was paid for and not fetched: {error.message}") from error
    return await ctx.store(data, name=_NAMES[what.kind])
