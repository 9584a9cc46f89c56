"""Which studio this is: what a part of it made is made again when its code or data have changed.

A part is what one kind of tool is made of, down to the modules that it stands on. A tool's version
is the edition of its part, so a change in how sets are drawn draws shots again and writes no
script. A test compares this table with what the tools import.
"""

from __future__ import annotations

import hashlib
import os
from functools import cache
from pathlib import Path
from typing import Literal, TypeAlias

Part: TypeAlias = Literal[
    "script", "shots", "writers", "solve", "draw", "voice", "sound", "film", "documents"
]

_SPEECH = ("base/clauses.py", "base/speech.py", "base/voices.py", "base/voices.toml")
_TOOL = ("base/carrying.py", "base/edition.py")
"""What every module that declares tools imports."""
_FIGURES = ("draw/brush.py", "draw/colour.py", "draw/figures")
"""How people are drawn, and so with which voice they speak."""

PARTS: dict[Part, tuple[str, ...]] = {
    "script": (
        *_TOOL,
        *_SPEECH,
        "base/beneath.py",
        "base/pictures.py",
        "base/time.py",
        "brief",
        "library",
        "model",
        "script",
        "sound/moods.toml",
    ),
    "shots": (
        *_TOOL,
        *_SPEECH,
        "base/time.py",
        "library",
        "model",
        "shots",
    ),
    "writers": (
        *_TOOL,
        *_SPEECH,
        "base/beneath.py",
        "base/pictures.py",
        "base/time.py",
        "brief",
        "library",
        "model",
        "script",
        "shots",
        "sound/moods.toml",
        "writers",
    ),
    "solve": (
        *_TOOL,
        "base/time.py",
        "model",
        "solve",
    ),
    "draw": (
        *_TOOL,
        "base/fonts.py",
        "base/memory.py",
        "base/pictures.py",
        "base/time.py",
        "draw",
        "film/check/__init__.py",
        "film/check/agreeing.py",
        "film/check/exchanged.py",
        "film/check/letters.py",
        "film/check/lexicon",
        "film/check/looking.py",
        "film/check/meaning.py",
        "film/check/moving.py",
        "film/check/words.py",
        "film/encode.py",
        "film/filming.py",
        "film/lettering.py",
        "film/move.py",
        "film/packets.py",
        "film/patches.py",
        "film/planes.py",
        "film/poster.py",
        "film/seeing.py",
        "film/shoot.py",
        "film/subject.py",
        "film/takes.py",
        "film/teaser.py",
        "film/window.py",
        "library",
        "model",
    ),
    "voice": (
        *_TOOL,
        *_SPEECH,
        *_FIGURES,
        "base/memory.py",
        "film/speaking.py",
        "library",
        "model/base.py",
        "sound",
    ),
    "sound": (
        *_TOOL,
        *_SPEECH,
        *_FIGURES,
        "base/fonts.py",
        "base/memory.py",
        "base/time.py",
        "documents",
        "film/heard.py",
        "film/sounds.py",
        "film/speaking.py",
        "library",
        "model",
        "script",
        "shots",
        "sound",
    ),
    "film": (
        "base",
        "documents",
        "draw",
        "film",
        "library",
        "model",
        "providers/fitting.py",
        "providers/heard.py",
        "providers/port.py",
        "providers/received.py",
        "script",
        "shots",
        "sound",
    ),
    "documents": (
        *_TOOL,
        *_SPEECH,
        "base/beneath.py",
        "base/fonts.py",
        "base/time.py",
        "documents",
        "library",
        "model",
        "production/delivery.py",
        "production/report.py",
        "production/reserving.py",
        "production/stages.py",
        "script",
        "shots",
    ),
}
"""For each part, the files and folders that it is made of."""

_HERE = str(Path(__file__).parent.parent)
_NOT_OURS = {"__pycache__"}
_FILES = (".py", ".toml")


@cache
def edition(part: Part) -> str:
    """A digest over all files of a part; the version of the tools that are made of it."""
    return digest_of(part, _HERE)


def digest_of(part: Part, root: str) -> str:
    """The digest of a part of a studio that lies in a folder."""
    seen = hashlib.sha256()
    for name in sorted(files_of(part, root)):
        seen.update(name.encode())
        seen.update(_digest(f"{root}/{name}"))
    return seen.hexdigest()[:12]


def files_of(part: Part, root: str = _HERE) -> set[str]:
    """The files of a part, as paths below the studio's folder."""
    found: set[str] = set()
    for entry in PARTS[part]:
        if entry.endswith(_FILES):
            found.add(entry)
            continue
        for folder, inside, names in os.walk(f"{root}/{entry}"):
            inside[:] = set(inside) - _NOT_OURS
            below = folder.removeprefix(f"{root}/")
            found.update(f"{below}/{name}" for name in names)
    return found


@cache
def _digest(path: str) -> bytes:
    # Some hundred small files, in every process that starts: what Python puts around an open one
    # would take half the time.
    opened = os.open(path, os.O_RDONLY)
    try:
        return hashlib.sha256(os.read(opened, os.fstat(opened).st_size)).digest()
    finally:
        os.close(opened)
