"""How English words are said, decoded only where it is asked: a film has a few dozen of them.

The voice comes with two lexicons and with what decides between a noun and a verb. To decode all of
it takes as long as to speak for half a minute. Here an entry is decoded when its word is said.
"""

from __future__ import annotations

import json
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import asdict

KNOWN: Final = frozenset({"0.2.1"})
"""Versions of hibari whose files are known to be as they are read here."""
_GZIP = 31
"""What zlib calls the format, and whoever does the same in less time."""


class _Entries:
    """A large JSON object as a mapping: what stands under a key is decoded when it is asked for."""

    def __init__(self, written: dict[str, msgspec.Raw]) -> None:
        self._written = written

    def get(self, key: str) -> Any:
        found = self._written.get(key)
        return None if found is None else msgspec.json.decode(found)


class _Signs(msgspec.Struct, frozen=True):
    """As the file has them."""

    tags: list[str]
    tagdict: dict[str, str]
    vocab: list[str]
    weights: dict[str, msgspec.Raw]


_words = msgspec.json.Decoder(dict[str, msgspec.Raw])


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
                _Entries(_words.decode(read("lexicon_us_gold.json.gz"))),
                _Entries(_words.decode(read("lexicon_us_silver.json.gz"))),
            )

        @cached_property
        def tokenizer(self) -> Any:
            return Tokenizer(json.loads(read("tokenizer_exceptions.json")))

        @cached_property
        def tagger(self) -> Any:
            signs = msgspec.json.decode(read("tagger.json.gz"), type=_Signs)
            return Tagger({**asdict(signs), "weights": _Entries(signs.weights)})

    return Reader()


def _unpacked(home: Path, name: str) -> bytes:
    from isal import isal_zlib

    data = home.joinpath(name).read_bytes()
    return isal_zlib.decompress(data, _GZIP) if name.endswith(".gz") else data
