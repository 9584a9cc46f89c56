"""PDF pages: a template, the content as data, and fonts that come with us."""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from callsheet.errors import InputError
from callsheet_studio.base.fonts import (
    BARLOW,
    INTER,
    font_files,
    is_leftward,
    is_ours,
    packages_for,
    without_emoji,
)
from callsheet_studio.documents.labels import labels

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from typst import Fonts

TEMPLATES = Path(__file__).parent / "templates"

_LONG = re.compile(r"\S{21,}")
_ENDLESS = 40
_BREAK = "\u200b"
_LEFTWARD, _END = "\u2067", "\u2069"


@dataclass(frozen=True, slots=True)
class Document:
    """What a template is filled with."""

    template: str
    content: Mapping[str, object]
    language: str
    pictures: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    """By the names that the content has for them."""


def typeset(document: Document) -> bytes:
    """The pages as a PDF. Signs that no font has become boxes.

    Raises:
        InputError: it cannot be set.
    """
    import typst

    content = breakable(document.content)
    text = json.dumps(content, ensure_ascii=False)
    try:
        with _desk(document) as desk:
            return typst.compile(
                desk / f"{document.template}.typ",
                root=desk,
                font_paths=_fonts((BARLOW, INTER, *packages_for(text)), system=not is_ours(text)),
                format="pdf",
                sys_inputs={
                    "content": text,
                    "language": _language(document.language),
                    "words": json.dumps(dict(labels(document.language).texts)),
                },
            )
    except typst.TypstError as exc:
        raise InputError(f"{document.template}.pdf could not be set: {exc.message}") from exc


@contextmanager
def _desk(document: Document) -> Iterator[Path]:
    """Where template and pictures lie together: what is set may read nothing else."""
    if not document.pictures:
        yield TEMPLATES
        return
    with TemporaryDirectory(prefix="callsheet-pages-") as scratch:
        desk = Path(scratch)
        for template in TEMPLATES.glob("*.typ"):
            (desk / template.name).write_bytes(template.read_bytes())
        for name, data in document.pictures.items():
            (desk / name).write_bytes(data)
        yield desk


@cache
def _fonts(packages: tuple[str, ...], *, system: bool) -> Fonts:
    """What our fonts can write is the same on every machine; else we take what the machine has."""
    import typst

    folders = [font_files(each)[0].parent for each in packages]
    return typst.Fonts(include_system_fonts=system, font_paths=folders)


def _language(code: str) -> str:
    """For hyphenation; `en` if it is no language code."""
    short = code.lower().replace("_", "-").partition("-")[0]
    return short if re.fullmatch(r"[a-z]{2,3}", short) else "en"


def breakable(value: object) -> object:
    """The content, with places to break in words that are wider than a column.

    Emoji are left out: few machines have them in a font that can be printed.
    """
    if isinstance(value, str):
        return _directed(_LONG.sub(lambda word: _broken(word[0]), without_emoji(value)))
    if isinstance(value, dict):
        return {key: breakable(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [breakable(each) for each in value]
    return value


def _directed(text: str) -> str:
    """A text that is read from right to left is so among others, too."""
    return f"{_LEFTWARD}{text}{_END}" if is_leftward(text) else text


def _broken(word: str) -> str:
    if len(word) <= _ENDLESS and word.isalpha() and not word.isupper():
        # A long word of the language is hyphenated; nobody knows how to hyphenate the others.
        return word
    pieces = re.findall(r".{1,8}?(?:[-/._?&=:,@]+|\Z)|.{8}", word)
    return _BREAK.join(pieces)
