"""PDF pages: a template, the content as data, and fonts that come with us."""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from callsheet import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

TEMPLATES = Path(__file__).parent / "templates"
FONTS = ("fontpkg_barlow_condensed", "fontpkg_inter")

_LONG = re.compile(r"\S{21,}")
_ENDLESS = 40
_BREAK = "\u200b"
_EMOJI = re.compile(r"\s*[\U0001f000-\U0001faff\u200d\ufe0f]+")
_LATIN_AND_SIGNS = re.compile(
    r"[\u0000-\u058f\u1e00-\u1fff\u2000-\u22ff\u2500-\u25ff\ufeff\ufffd]*\Z"
)


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
                font_paths=[font_folder(package) for package in FONTS],
                # Our fonts write Latin, Greek and Cyrillic, the same on every machine. For other
                # scripts we take what the machine has.
                ignore_system_fonts=_LATIN_AND_SIGNS.match(text) is not None,
                format="pdf",
                sys_inputs={"content": text, "language": _language(document.language)},
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


def font_folder(package: str) -> Path:
    """Where a font package has its files.

    Raises:
        InputError: it is not installed.
    """
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise InputError(f"The font package {package} is missing: pip install 'callsheet[studio]'")
    return Path(spec.origin).parent / "files"


def _language(code: str) -> str:
    """For hyphenation; `en` if it is no language code."""
    short = code.lower().replace("_", "-").partition("-")[0]
    return short if re.fullmatch(r"[a-z]{2,3}", short) else "en"


def breakable(value: object) -> object:
    """The content, with places to break in words that are wider than a column.

    Emoji are left out: few machines have them in a font that can be printed.
    """
    if isinstance(value, str):
        return _LONG.sub(lambda word: _broken(word[0]), _EMOJI.sub("", value))
    if isinstance(value, dict):
        return {key: breakable(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [breakable(each) for each in value]
    return value


def _broken(word: str) -> str:
    if len(word) <= _ENDLESS and word.isalpha() and not word.isupper():
        # A long word of the language is hyphenated; nobody knows how to hyphenate the others.
        return word
    pieces = re.findall(r".{1,8}?(?:[-/._?&=:,@]+|\Z)|.{8}", word)
    return _BREAK.join(pieces)
