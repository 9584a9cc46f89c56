"""How English words are said, read only where it is asked: a film has a few dozen of them.

The voice comes with two lexicons and with what decides between a noun and a verb. To read all of it
takes as long as to speak for half a minute, and to keep it takes seventy megabytes. Here they stay
as they were written, and a page is read when one of its words is said.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import asdict

from callsheet.frozen import Frozen

KNOWN: Final = frozenset({"0.2.1"})
"""Versions of hibari whose files are known to be as they are read here."""
_PAGE = 1 << 13
"""Bytes, about: some three hundred words."""
_BETWEEN = b'","'
_GZIP = 31
"""What zlib calls the format, and whoever does the same in less time."""


class Pages:
    """A large JSON object with its keys in order, as a mapping; pages are read when asked for."""

    def __init__(self, text: bytes) -> None:
        """Find where the pages begin: the object is whole, without spaces, and nothing is escaped.

        Raises:
            ValueError: it is not, or its keys are in no order.
        """
        edges, whole = [2], len(text) - 1
        while edges[-1] + _PAGE < whole:
            edges.append(_edge(text, edges[-1], whole))
        self._text = text
        ends = [edge - len(_BETWEEN) + 1 for edge in edges[1:]]
        self._spans = list(zip(edges, [*ends, whole], strict=True))
        self._first = [text[start : text.index(b'"', start)] for start in edges]
        self._read: dict[int, dict[str, Any]] = {}
        if b"\\" in text or self._first != sorted(self._first):
            raise ValueError("The words are in no order.")

    def get(self, word: str) -> Any:
        """What is written about a word; None if it is not there."""
        number = max(bisect_right(self._first, word.encode("utf-8", "replace")) - 1, 0)
        page = self._read.get(number)
        if page is None:
            start, end = self._spans[number]
            page = self._read[number] = json.loads(b'{"' + self._text[start:end] + b"}")
        return page.get(word)


def _edge(text: bytes, start: int, whole: int) -> int:
    """Where the page after the one at `start` begins: between two words, and in none of them."""
    at = start + _PAGE
    while True:
        at = text.find(_BETWEEN, at)
        if at < 0:
            return whole
        at += len(_BETWEEN)
        if text.count(b"{", start, at) == text.count(b"}", start, at):
            return at


class _Weights:
    """How much each sign of a word speaks for what: decoded when it is seen."""

    def __init__(self, written: dict[str, msgspec.Raw]) -> None:
        self._written = written

    def get(self, sign: str) -> Any:
        found = self._written.get(sign)
        return None if found is None else msgspec.json.decode(found)


class _Signs(Frozen):
    """As the file has them."""

    tags: list[str]
    tagdict: dict[str, str]
    vocab: list[str]
    weights: dict[str, msgspec.Raw]


def reader() -> Any:
    """What turns English text into sounds for hibari; None if its files may be others than these.

    It says every word as hibari's own does, which is made of the same parts.
    """
    import hibari

    if hibari.__version__ not in KNOWN:
        return None
    from hibari.g2p import ASSETS, G2P
    from hibari.g2p.lexicon import Lexicon
    from hibari.g2p.tagger import Tagger
    from hibari.g2p.tokenize import Tokenizer

    read = partial(_unpacked, Path(ASSETS))

    class Reader(G2P):  # type: ignore[misc]
        """The same with its data as they are here, read with the first line."""

        def __init__(self) -> None:
            # Words that are in no lexicon are read by a small net, which is loaded with the first.
            self._oov = None
            self.unk = ""
            self.british = False

        @cached_property
        def lexicon(self) -> Any:
            return Lexicon(
                Pages(read("lexicon_us_gold.json.gz")), Pages(read("lexicon_us_silver.json.gz"))
            )

        @cached_property
        def tokenizer(self) -> Any:
            return Tokenizer(json.loads(read("tokenizer_exceptions.json")))

        @cached_property
        def tagger(self) -> Any:
            signs = msgspec.json.decode(read("tagger.json.gz"), type=_Signs)
            return Tagger({**asdict(signs), "weights": _Weights(signs.weights)})

    return Reader()


def _unpacked(home: Path, name: str) -> bytes:
    from isal import isal_zlib

    data = home.joinpath(name).read_bytes()
    return isal_zlib.decompress(data, _GZIP) if name.endswith(".gz") else data
