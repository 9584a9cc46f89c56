"""How a secret may stand in what a tool says back: as it is, or in one of the usual spellings.

What is encrypted, hashed, compressed, cut into pieces or spelled in a way of somebody's own cannot
be found. `docs/how-to/keep-secrets.md` says so.
"""

from __future__ import annotations

import base64
import html
import json
from typing import TYPE_CHECKING
from urllib.parse import quote, quote_plus

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

SHORTEST = 4
"""A secret shorter than this is not looked for in what a tool says: it would be everywhere."""
SHORTEST_LINE = 8
"""The same for a line of a secret that has several, as a key does, and for a piece in base64."""


def looks_of(secrets: Mapping[str, str]) -> list[tuple[str, str]]:
    """Every look of every secret with the name of the secret, the longest first."""
    looks = {(look, name) for name, secret in secrets.items() for look in _looks(secret)}
    return sorted(looks, key=lambda pair: (-len(pair[0]), pair))


def _looks(secret: str) -> Iterator[str]:
    if len(secret) < SHORTEST:
        return
    yield from _spelled(secret)
    lines = secret.splitlines()
    if len(lines) > 1:
        for line in lines:
            if len(line) >= SHORTEST_LINE:
                yield from _spelled(line)


def _spelled(secret: str) -> Iterator[str]:
    yield secret
    yield from _quoted(secret)
    try:
        data = secret.encode()
    except UnicodeEncodeError:
        return
    yield data.hex()
    yield data.hex().upper()
    yield repr(data)[2:-1]
    if len(data) >= SHORTEST_LINE:
        yield from _in_base64(data)


def _quoted(secret: str) -> Iterable[str]:
    """As in the repr of an error, in JSON inside a text (once and twice), in URLs, in HTML."""
    in_json = [json.dumps(secret, ensure_ascii=is_ascii)[1:-1] for is_ascii in (True, False)]
    in_urls = [quote(secret, safe=""), quote(secret, safe="/"), quote_plus(secret)]
    escaped = html.escape(secret)
    return (
        repr(secret)[1:-1],
        *in_json,
        *(text.replace("/", "\\/") for text in in_json),
        *(json.dumps(text)[1:-1] for text in in_json),
        *in_urls,
        *map(_small, in_urls),
        escaped,
        html.escape(secret, quote=False),
        escaped.replace("&#x27;", "&#39;"),
        escaped.replace("&#x27;", "&apos;"),
    )


def _small(text: str) -> str:
    """Percent signs with small digits, as many a program writes them."""
    pieces = text.split("%")
    return "%".join([pieces[0], *(each[:2].lower() + each[2:] for each in pieces[1:])])


def _in_base64(data: bytes) -> Iterator[str]:
    """In base64, wherever it begins in what was encoded: `user:secret`, as in Basic, too.

    Three bytes become four characters; those that also depend on neighbours are left off.
    """
    for before in range(3):
        padded = b"\0" * before + data
        first = (before * 8 + 5) // 6
        whole = len(padded) * 8 // 6
        plain = base64.b64encode(padded).decode()[first:whole]
        if len(plain) >= SHORTEST_LINE:
            yield plain
            yield plain.replace("+", "-").replace("/", "_")
