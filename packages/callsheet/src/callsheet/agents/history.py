"""Messages and the links between them, as artifacts: each is stored once.

A link names the messages that it adds and the link before it, so that a conversation grows by what
is said and by nothing else.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Protocol, TypeVar

import msgspec

from callsheet.agents.message import MESSAGE_TYPE, Message, decode, encode
from callsheet.core.plan.artifact import Artifact, artifact_of
from callsheet.errors import FatalError

if TYPE_CHECKING:
    from pathlib import Path

    from callsheet.core.value import Json

T = TypeVar("T")

LINK_TYPE = "application/vnd.callsheet.link+json"
REMEMBERED = 2000
"""Messages that are kept at hand."""


class Link(msgspec.Struct, frozen=True, kw_only=True):
    """What has been said, up to some point."""

    previous: str | None
    messages: tuple[str, ...]


_encoder = msgspec.json.Encoder(order="deterministic")
_decoder = msgspec.json.Decoder(Link)


class Store(Protocol):
    """Where they lie: a tool's context, or the artifacts of an engine."""

    async def store(
        self, data: bytes | str | Path, *, media_type: str = "", name: str = ""
    ) -> Artifact:
        """Keep bytes."""
        ...

    async def load(self, artifact: Artifact) -> bytes:
        """The bytes of an artifact."""
        ...


class History:
    """Reads conversations; what was read once is at hand."""

    def __init__(self) -> None:
        self._messages: OrderedDict[str, Message] = OrderedDict()
        self._links: OrderedDict[str, Link] = OrderedDict()

    async def messages(self, store: Store, link: Artifact | None) -> tuple[Message, ...]:
        """All that was said up to a link, oldest first."""
        chain: list[Link] = []
        digest = link.digest if link else None
        while digest is not None:
            found = await self._link(store, digest)
            chain.append(found)
            digest = found.previous
        return tuple(
            [await self._message(store, each) for part in reversed(chain) for each in part.messages]
        )

    async def extend(
        self, store: Store, link: Artifact | None, *messages: Message
    ) -> tuple[Artifact | None, list[Artifact]]:
        """A link with more messages; and all that was stored for it."""
        if not messages:
            return link, []
        kept = [await self.keep(store, message) for message in messages]
        made = Link(
            previous=link.digest if link else None,
            messages=tuple(artifact.digest for artifact in kept),
        )
        artifact = await store.store(_encoder.encode(made), media_type=LINK_TYPE)
        _remember(self._links, artifact.digest, made)
        return artifact, [*kept, artifact]

    async def keep(self, store: Store, message: Message) -> Artifact:
        """Store a message."""
        artifact = await store.store(encode(message), media_type=MESSAGE_TYPE)
        _remember(self._messages, artifact.digest, message)
        return artifact

    async def message(self, store: Store, artifact: Artifact) -> Message:
        """A message that was stored."""
        return await self._message(store, artifact.digest)

    async def _link(self, store: Store, digest: str) -> Link:
        found = self._links.get(digest)
        if found is None:
            found = _decoder.decode(await store.load(Artifact(digest=digest)))
            _remember(self._links, digest, found)
        return found

    async def _message(self, store: Store, digest: str) -> Message:
        found = self._messages.get(digest)
        if found is None:
            found = decode(await store.load(Artifact(digest=digest)))
            _remember(self._messages, digest, found)
        return found


def _remember(shelf: OrderedDict[str, T], digest: str, found: T) -> None:
    shelf[digest] = found
    if len(shelf) > REMEMBERED:
        shelf.popitem(last=False)


def link_in(said: Json) -> Artifact | None:
    """The link that stands in a value; None: nothing was said yet."""
    if said is None:
        return None
    found = artifact_of(said)
    if found is None:
        raise FatalError("What was said before cannot be found: it is no artifact.")
    return found
