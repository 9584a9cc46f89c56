"""The fonts that come with us: the same on every machine, and which of them a text needs.

Latin, Greek and Cyrillic are always there, and so is Arabic. Chinese, Japanese and Korean are an
extra, because their font is large. For all others we take what the machine has.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Final
from unicodedata import bidirectional

from callsheet.errors import InputError

BARLOW: Final = "fontpkg_barlow_condensed"
INTER: Final = "fontpkg_inter"
ARABIC: Final = "fontpkg_noto_sans_arabic"
ASIAN: Final = "noto_cjk_sans_otc"
OURS: Final = (BARLOW, INTER, ARABIC)
"""Packages that the studio cannot do without."""

_ENDINGS = frozenset((".ttf", ".otf", ".ttc"))
_ARABIC = "\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufefe"
_ASIAN = (
    "\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef"
    "\U00020000-\U0003ffff"
)
_EMOJI = "\U0001f000-\U0001faff"
_WITH_EMOJI = f"{_EMOJI}\U000e0020-\U000e007f\u200d\ufe0f"
"""What may follow in the same picture."""
_LATIN_AND_SIGNS = "\u0000-\u058f\u1e00-\u1fff\u2000-\u22ff\u2500-\u25ff\ufeff\ufffd"


_SCRIPTS = {ARABIC: _ARABIC, ASIAN: _ASIAN}
"""Letters that have a font of their own, by its package. So many are slow to compile: not here."""


def packages_for(text: str) -> tuple[str, ...]:
    """The packages beyond Barlow and Inter that a text needs, as far as they are installed."""
    if text.isascii():
        return ()
    return tuple(
        package
        for package, letters in _SCRIPTS.items()
        if re.search(f"[{letters}]", text) and find_spec(package) is not None
    )


def is_ours(text: str) -> bool:
    """Whether our own fonts have every letter of a text, so that it is the same everywhere."""
    known = _LATIN_AND_SIGNS + _ARABIC
    known += _ASIAN if find_spec(ASIAN) is not None else ""
    return re.fullmatch(f"[{known}]*", text) is not None


def is_leftward(text: str) -> bool:
    """Whether it is read from right to left: its first letter decides."""
    if text.isascii():
        return False
    kinds = (bidirectional(letter) for letter in text)
    return next((kind for kind in kinds if kind in {"L", "R", "AL"}), "L") != "L"


def without_emoji(text: str) -> str:
    """The text without emoji and the blanks before them."""
    return text if text.isascii() else re.sub(rf"\s*[{_EMOJI}][{_WITH_EMOJI}]*", "", text)


def font_to_install(letters: str) -> str:
    """What to do about letters that no font has."""
    advice = []
    if re.search(f"[{_ASIAN}]", letters):
        advice.append("install the font: pip install 'callsheet-studio[cjk]'")
    if re.search(f"[{_EMOJI}]", letters):
        advice.append("leave the emoji out, or install a font that has them, as Noto Color Emoji")
    if re.search(f"[^{_ASIAN}{_EMOJI}]", letters):
        advice.append("install a font of the system that has them, as Noto Sans")
    told = "; ".join(advice)
    return f"{told[:1].upper()}{told[1:]}."


@cache
def font_files(package: str) -> tuple[Path, ...]:
    """The files of a font package, all of them.

    Raises:
        InputError: it is not installed, or some of its files are gone.
    """
    spec, name = find_spec(package), package.replace("_", "-")
    if spec is None or spec.origin is None:
        raise InputError(f"The font package {name} is missing: pip install {name}")
    folder = Path(spec.origin).parent
    files = tuple(sorted(each for each in folder.rglob("*") if each.suffix in _ENDINGS))
    lost = sorted(_recorded(name) - {each.name for each in files})
    if lost or not files:
        what = f"The font {lost[0]} is missing" if lost else "The fonts are missing"
        raise InputError(
            f"{what}: the package {name} is damaged. "
            f"Install it again: pip install --force-reinstall --no-deps {name}"
        )
    return files


def check_fonts() -> None:
    """See that all fonts are there that films and documents are made with.

    Raises:
        InputError: one is missing; says how to get it.
    """
    for package in OURS:
        font_files(package)


def _recorded(name: str) -> frozenset[str]:
    """What was installed with a package; nothing if nobody wrote it down."""
    try:
        listed = distribution(name).files or []
    except PackageNotFoundError:
        return frozenset()
    return frozenset(each.name for each in listed if each.suffix in _ENDINGS)
