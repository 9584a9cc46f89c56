"""Writing on a picture: our own fonts by file, measured, wrapped and fitted into a box.

Letters are shaped and ordered as their script is. What neither our fonts nor the machine's have
is drawn as neat bars of the words' length, and emoji are left out; `unwritable` says which they
are, so that a caller can warn.
"""

from __future__ import annotations

import math
import os
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from unicodedata import category, east_asian_width

import msgspec

from callsheet.errors import InputError
from callsheet_studio.base.fonts import (
    BARLOW,
    INTER,
    font_files,
    is_leftward,
    packages_for,
    without_emoji,
)

if TYPE_CHECKING:
    from callsheet_studio.draw.brush import Brush, Fill

Align = Literal["left", "center", "right"]

_FONTS = {"Callsheet Condensed": BARLOW, "Callsheet Text": INTER}
_ELSEWHERE = Path(__file__).with_name("fonts.conf")
"""Where the machine has its fonts: for fontconfig, if nobody has told it."""
_EM = 100.0
"""Letters are measured at this size; widths grow with it."""
_NOWHERE = "\U0010fffd"
"""A letter that no font has: what is drawn for it is what is drawn for all that are missing."""
_SILENT = frozenset(("Cc", "Cf", "Mn", "Me", "Zs", "Zl", "Zp"))
"""Kinds of signs that have no picture of their own."""
_ASCII = 128
_WIDE = "WF"
_CLOSING = frozenset(
    "\u3001\u3002\uff0c\uff01\uff1f\uff1b\uff1a\uff09\u300d\u300f\u300b\u201d\u2019\u2026.,;:!?)]"
)
"""What never begins a line."""
_TALL = 0.88
"""How large other scripts are written: their letters are higher than capitals."""
_MARK = "\u2026"
_STEPS = 24


class Block(msgspec.Struct, frozen=True):
    """Lines that fit a box."""

    lines: tuple[str, ...]
    size: float
    weight: int = 600
    leading: float = 1.12
    """From line to line, in sizes."""
    tracking: float = 0.0
    """Room between letters, in sizes."""

    @property
    def width(self) -> float:
        """Of the longest line, in pixels."""
        return max((self.of(line) for line in self.lines), default=0.0)

    @property
    def height(self) -> float:
        """From the top of the first capital to the foot of the last line."""
        return self.size * (_CAPITAL + self.leading * (len(self.lines) - 1))

    def of(self, line: str) -> float:
        """How wide a line is."""
        return (measure(line, self.weight) + self.tracking * len(line)) * self.size


_CAPITAL = 0.7
"""Height of a capital in sizes."""


@cache
def _ready() -> None:
    """Make our fonts known, once per process.

    Raises:
        InputError: a font is not installed, or damaged.
    """
    if "FONTCONFIG_PATH" not in os.environ:
        os.environ.setdefault("FONTCONFIG_FILE", str(_ELSEWHERE))
    for alias, package in _FONTS.items():
        _use(alias, package)


def load_fonts() -> None:
    """Write something small: who writes first in a process waits for the fonts to be read."""
    from callsheet_studio.draw.brush import Brush

    # What is wrong with a font is told where it is needed.
    with suppress(InputError):
        for weight in (600, 700):
            write(Brush(64, 16), line("Aa 1", 12, weight=weight), x=0, y=0, colour="#fff")


def _use(alias: str, package: str) -> None:
    from skia_canvas_pyr import FontLibrary

    upright = [str(file) for file in font_files(package) if "Italic" not in file.name]
    try:
        FontLibrary.use(alias, upright)
    # The canvas raises many kinds.
    except Exception as exc:
        name = package.replace("_", "-")
        raise InputError(
            f"A font of the package {name} cannot be read: {exc}. "
            f"Install it again: pip install --force-reinstall --no-deps {name}"
        ) from exc


@cache
def _also(package: str) -> str:
    """The name of a font for other scripts, made known when it is needed first."""
    _use(package, package)
    return package


@cache
def _desk() -> Brush:
    from callsheet_studio.draw.brush import Brush

    _ready()
    return Brush(8, 8)


def _font(size: float, weight: int, text: str) -> str:
    others = packages_for(text)
    names = ", ".join(f"'{name}'" for name in (*_FONTS, *map(_also, others)))
    return f"{weight} {size * (_TALL if others else 1.0):.2f}px {names}"


# Measuring


@lru_cache(maxsize=8192)
def measure(text: str, weight: int = 600) -> float:
    """How wide a text is, in sizes of its letters."""
    width = 0.0
    for word, is_written in _runs(text):
        if is_written:
            ctx = _desk().ctx
            ctx.font = _font(_EM, weight, word)
            width += ctx.measureText(word).width / _EM
        else:
            width += _bar(word)
    return width


@lru_cache(maxsize=4096)
def _is_missing(letter: str) -> bool:
    if ord(letter) < _ASCII or category(letter) in _SILENT:
        return False
    ctx = _desk().ctx
    ctx.font = _font(_EM, 600, letter)
    return bool(ctx.outlineText(letter).d == ctx.outlineText(_NOWHERE).d)


def unwritable(text: str) -> str:
    """The letters of a text that no font has, each once."""
    return "".join(dict.fromkeys(letter for letter in text if _is_missing(letter)))


def _runs(text: str) -> list[tuple[str, bool]]:
    """The text cut into what can be written and the words that cannot."""
    if text.isascii():
        return [(text, True)]
    runs: list[tuple[str, bool]] = []
    for part in _words(text):
        is_written = not unwritable(part)
        if runs and runs[-1][1] and is_written:
            runs[-1] = (runs[-1][0] + part, True)
        else:
            runs.append((part, is_written))
    return runs


def _words(text: str) -> list[str]:
    """Words and the spaces between them, whose sum is the text."""
    found: list[str] = []
    for letter in text:
        if found and found[-1][-1].isspace() == letter.isspace():
            found[-1] += letter
        else:
            found.append(letter)
    return found


def _bar(word: str) -> float:
    """How long a bar stands for a word, in sizes."""
    wide = sum(1.0 if east_asian_width(letter) in _WIDE else 0.46 for letter in word)
    return max(wide, 0.7)


# Fitting


def wrapped(text: str, width: float, weight: int = 600) -> tuple[str, ...]:
    """Lines not wider than so many sizes; own line breaks stay, a word that is too long is cut."""
    lines: list[str] = []
    for paragraph in text.strip().splitlines() or [""]:
        line = ""
        for word, gap in _pieces(paragraph):
            longer = f"{line}{gap}{word}" if line else word
            if measure(longer, weight) <= width:
                line = longer
                continue
            if line:
                lines.append(line)
            *full, line = _cut(word, width, weight)
            lines += full
        lines.append(line)
    return tuple(lines)


def _pieces(paragraph: str) -> list[tuple[str, str]]:
    """What stays together on a line, each with what is before it on the same line.

    Chinese and Japanese have no blanks: a line may end after any sign, but not before a full stop.
    """
    found: list[tuple[str, str]] = []
    for word in paragraph.split():
        if word.isascii() or not any(east_asian_width(letter) in _WIDE for letter in word):
            found.append((word, " "))
            continue
        gap = " "
        for before, letter in zip(" " + word, word, strict=False):
            breaks = any(east_asian_width(each) in _WIDE for each in (before, letter))
            if gap or (breaks and letter not in _CLOSING):
                found.append((letter, gap))
            else:
                found[-1] = (found[-1][0] + letter, found[-1][1])
            gap = ""
    return found


def _cut(word: str, width: float, weight: int) -> list[str]:
    """A word in pieces that fit."""
    pieces = [""]
    for letter in word:
        if pieces[-1] and measure(pieces[-1] + letter, weight) > width:
            pieces.append("")
        pieces[-1] += letter
    return pieces


def fitted(
    text: str,
    box: tuple[float, float],
    *,
    largest: float,
    smallest: float,
    weight: int = 600,
) -> Block:
    """The text as large as a box (width, height) allows; what does not fit even so is cut off."""
    width, height = box
    text = shown(text)
    longest = max((measure(word, weight) for word, _ in _pieces(text)), default=0.0)
    may_cut = longest * smallest > width
    block = Block((), largest, weight)
    for step in range(_STEPS + 1):
        size = largest * math.pow(smallest / largest, step / _STEPS)
        block = Block(wrapped(text, width / size, weight), size, weight)
        if block.height <= height and (may_cut or longest * size <= width):
            return _balanced(block, text, width)
    return _shortened(block, height, width)


def shown(text: str) -> str:
    """The text without what is not seen: runs of spaces, control signs, emoji of no font."""
    if any(_is_missing(letter) for letter in text) and without_emoji(text) != text:
        text = without_emoji(text)
    lines = (" ".join(line.split()) for line in text.strip().splitlines())
    kept = "\n".join(line for line in lines if line)
    return "".join(each for each in kept if each == "\n" or category(each) != "Cc")


def _balanced(block: Block, text: str, width: float) -> Block:
    """The same number of lines, as equally long as they can be."""
    if len(block.lines) < 2 or "\n" in text:  # noqa: PLR2004 -- one line has nothing to share
        return block
    best = block.lines
    longest = max(measure(word, block.weight) for word, _ in _pieces(text))
    for share in (0.94, 0.88, 0.82, 0.76, 0.7, 0.64, 0.58, 0.52):
        room = width * share / block.size
        lines = wrapped(text, room, block.weight)
        if len(lines) > len(block.lines) or longest > room:
            break
        best = lines
    return Block(best, block.size, block.weight, block.leading)


def _shortened(block: Block, height: float, width: float) -> Block:
    room = max(int((height / block.size - _CAPITAL) / block.leading) + 1, 1)
    kept = list(block.lines[:room])
    if room < len(block.lines):
        last = kept[-1]
        while last and measure(last + _MARK, block.weight) * block.size > width:
            last = last[:-1]
        kept[-1] = last.rstrip() + _MARK
    return Block(tuple(kept), block.size, block.weight, block.leading)


def line(text: str, size: float, *, weight: int = 600, tracking: float = 0.0) -> Block:
    """A text on one line, as it is. Letters that are joined are not set apart."""
    told = shown(text).replace("\n", " ")
    return Block((told,), size, weight, tracking=0.0 if is_leftward(told) else tracking)


# Writing


def write(
    brush: Brush, block: Block, *, x: float, y: float, colour: Fill, align: Align = "left"
) -> None:
    """Write a block: `y` is the top of the capitals of its first line.

    What is read from right to left is flush right in the room that it takes.
    """
    _ready()
    if align == "left" and block.lines and is_leftward(block.lines[0]):
        x, align = x + block.width, "right"
    for number, text in enumerate(block.lines):
        start = x - {"left": 0.0, "center": 0.5, "right": 1.0}[align] * block.of(text)
        base = y + block.size * (_CAPITAL + block.leading * number)
        _write_line(brush, block, text, (start, base), colour)


def _write_line(
    brush: Brush, block: Block, text: str, at: tuple[float, float], colour: Fill
) -> None:
    ctx, (x, base) = brush.ctx, at
    for run, is_written in _runs(text):
        wide = (measure(run, block.weight) + block.tracking * len(run)) * block.size
        if is_written:
            ctx.save()
            ctx.font = _font(block.size, block.weight, run)
            ctx.direction = "rtl" if is_leftward(text) else "ltr"
            ctx.textAlign, ctx.textBaseline = "left", "alphabetic"
            ctx.letterSpacing = f"{block.tracking * block.size:.2f}px"
            ctx.fillStyle = colour
            ctx.fillText(run, x, base)
            ctx.restore()
        else:
            gap, high = block.size * 0.06, block.size * 0.5
            top = base - block.size * (_CAPITAL + 0.5) / 2
            with brush.blended("source-over", 0.6):
                brush.rect(x + gap, top, wide - 2 * gap, high, colour, radius=high * 0.3)
        x += wide
