"""What a server sends, unpacked within bounds.

A few hundred bytes can be packed so that they become gigabytes. So one layer of packing is taken
off and no more, never further than the bound, and not on the event loop once there is much of it.
"""

from __future__ import annotations

import asyncio
import codecs
import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx

ACCEPTED = "gzip, deflate"
"""What servers are told that we can unpack."""
QUICK = 1_000_000
"""Bytes that are unpacked, or read as JSON, on the event loop; more is done in a thread."""
_AS_IT_IS = frozenset({"", "identity"})
_GZIP = frozenset({"gzip", "x-gzip"})
_UNFIT = frozenset({"idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape"})
"""Character sets that no page has: to read them takes very long, or fails in ways of its own."""


class BodyError(Exception):
    """What a server sends cannot be unpacked, or is packed in a way that nobody asked for."""


class TooLongError(Exception):
    """It is longer than it may be."""


async def read_body(response: httpx.Response, largest: int) -> bytes:
    """The whole body.

    Raises:
        TooLongError: it is longer than that.
        BodyError: it cannot be unpacked.
    """
    unpacker = Unpacker(response.headers.get("content-encoding", ""), largest)
    async for chunk in response.aiter_raw():
        await unpacker.feed(chunk)
    return unpacker.end()


class Unpacker:
    """Takes the packing off, as the bytes come."""

    def __init__(self, encoding: str, largest: int) -> None:
        self._largest = largest
        self._name = encoding.strip().lower()
        self._unpack: zlib._Decompress | None = None
        self.body = bytearray()
        """What has come so far."""

    async def feed(self, chunk: bytes) -> None:
        """Take more of it in."""
        if self._name in _AS_IT_IS:
            self._take(chunk)
            return
        rest = chunk
        while rest:
            # Each time so much that the loop does not wait for it.
            room = min(self._largest + 1, QUICK) - len(self.body)
            if room > 0:
                rest = self._some(rest, room)
            else:
                rest = await asyncio.to_thread(self._some, rest, QUICK)

    def end(self) -> bytes:
        """All of it.

        Raises:
            BodyError: the end is missing.
        """
        if self._unpack is not None and not self._unpack.eof:
            # The last bytes may not have had room.
            self._some(b"", QUICK)
            if not self._unpack.eof:
                raise BodyError("its end is missing")
        return bytes(self.body)

    def _some(self, packed: bytes, room: int) -> bytes:
        """Unpack so many bytes, and give what is not unpacked yet."""
        if self._unpack is None:
            if self._name not in _GZIP and self._name != "deflate":
                raise BodyError(f"it is packed as {self._name[:60]!r}, which nobody asked for")
            self._unpack = zlib.decompressobj(_window(self._name, packed))
        try:
            found = self._unpack.decompress(packed, room)
        except zlib.error as exc:
            raise BodyError(f"it cannot be unpacked ({exc})") from exc
        self._take(found)
        # What follows the end of the packing is nobody's.
        return b"" if self._unpack.eof else self._unpack.unconsumed_tail

    def _take(self, found: bytes) -> None:
        self.body += found
        if len(self.body) > self._largest:
            raise TooLongError


def _window(name: str, packed: bytes) -> int:
    if name in _GZIP:
        return 16 + zlib.MAX_WBITS
    # Servers say "deflate" with and without the two bytes of zlib's own.
    is_zlib = len(packed) > 1 and packed[0] & 0x0F == zlib.DEFLATED
    return zlib.MAX_WBITS if is_zlib and (packed[0] << 8 | packed[1]) % 31 == 0 else -zlib.MAX_WBITS


def text_of(body: bytes, charset: str | None) -> str | None:
    """The body as text; None: it is none, or nobody can say how it is written."""
    try:
        codec = codecs.lookup(charset or "utf-8")
        if codec.name in _UNFIT or codec.name.startswith("x-"):
            return None
        return body.decode(codec.name)
    except (LookupError, ValueError):
        return None
