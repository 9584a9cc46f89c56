"""Whatever is to be written is written: inside its box, in any script, or as bars."""

from __future__ import annotations

import os
from xml.etree import ElementTree as ET

import pytest

from callsheet.errors import InputError
from callsheet_studio.draw import text
from callsheet_studio.draw.brush import Brush
from callsheet_studio.draw.text import (
    Block,
    fitted,
    line,
    measure,
    unwritable,
    wrapped,
    write,
)

NOBODYS = "\U000f1234\U000f1235"
"""Letters of nobody: no font has them."""
HARD = (
    "x" * 300,
    "العربية مرحبا",
    "中文测试 日本",
    "Los 😀🚀 geht's",
    NOBODYS,
    "a\nb\nc",
    "",
    "\x00\t",
)


def inked(block: Block) -> tuple[int, int, int]:
    """The left, the right and the number of pixels that are written on."""
    brush = Brush(400, 200)
    write(brush, block, x=20, y=20, colour="#ffffff")
    alpha = brush.pixels()[3::4]
    columns = [place % 400 for place, value in enumerate(alpha) if value]
    return (min(columns), max(columns), len(columns)) if columns else (0, 0, 0)


@pytest.mark.parametrize("told", HARD)
def test_any_text_fits_its_box(told: str) -> None:
    block = fitted(told, (300, 120), largest=60, smallest=9)
    assert block.width <= 300
    assert block.height <= 120
    left, right, _ = inked(block)
    assert right <= 20 + 300 + 3
    assert left >= 0


def test_a_long_word_is_cut_and_no_letter_is_lost() -> None:
    told = "abcdefghij" * 30
    lines = wrapped(told, 12.0)
    assert "".join(lines) == told
    assert len(lines) > 5


def test_words_are_not_cut_where_a_smaller_size_keeps_them_whole() -> None:
    block = fitted("Donaudampfschifffahrt am Abend", (300, 200), largest=90, smallest=12)
    assert "Donaudampfschifffahrt" in block.lines


def test_what_does_not_fit_ends_with_a_mark() -> None:
    block = fitted("word " * 400, (200, 60), largest=40, smallest=18)
    assert block.lines[-1].endswith("\u2026")


def test_lines_are_about_equally_long() -> None:
    block = fitted("Save your seat for the very last ride", (300, 200), largest=48, smallest=12)
    widths = [block.of(each) for each in block.lines]
    assert min(widths) > max(widths) * 0.5


def test_own_line_breaks_stay() -> None:
    assert fitted("Try it\nfor 30 days", (300, 200), largest=40, smallest=9).lines == (
        "Try it",
        "for 30 days",
    )


def test_letters_that_no_font_has_become_a_bar_of_their_length_and_are_named() -> None:
    assert unwritable(f"Now {NOBODYS}!") == NOBODYS
    assert unwritable("Straße, Ελλάδα, Київ: 20 €") == ""
    short, long = line(NOBODYS, 30), line(NOBODYS * 4, 30)
    assert inked(long)[2] > inked(short)[2] > 100


def test_a_text_is_as_wide_as_it_is_measured() -> None:
    block = line("HARBOR", 60, weight=700)
    left, right, _ = inked(block)
    assert right - left == pytest.approx(block.width, rel=0.06)
    assert measure("HARBOR", 700) * 60 == pytest.approx(block.width)


def test_spaced_letters_are_wider() -> None:
    plain, spaced = line("PUSH", 30), line("PUSH", 30, tracking=0.2)
    assert spaced.width == pytest.approx(plain.width + 4 * 0.2 * 30)


@pytest.mark.parametrize("told", [{}, {"FONTCONFIG_FILE": "mine"}, {"FONTCONFIG_PATH": "mine"}])
def test_where_the_fonts_of_the_machine_are_is_said_unless_somebody_has(
    monkeypatch: pytest.MonkeyPatch, told: dict[str, str]
) -> None:
    monkeypatch.setattr(text, "_use", lambda *_: None)
    for name in ("FONTCONFIG_FILE", "FONTCONFIG_PATH"):
        # Put first: what is set then is taken back in the end.
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    for name, value in told.items():
        monkeypatch.setenv(name, value)
    text._ready.__wrapped__()  # noqa: SLF001
    file = os.environ.get("FONTCONFIG_FILE")
    if told:
        assert file == told.get("FONTCONFIG_FILE")
    else:
        assert file is not None
        assert "/usr/share/fonts" in [each.text for each in ET.parse(file).iter("dir")]


def test_a_font_package_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    # In a process of its own fonts are made known once; here they are made known anew.
    monkeypatch.setattr(text, "_ready", text._ready.__wrapped__)  # noqa: SLF001
    monkeypatch.setattr(text, "_FONTS", {"None": "fontpkg_no_such_face"})
    with pytest.raises(InputError, match="pip install fontpkg-no-such-face"):
        write(Brush(8, 8), line("a", 8), x=0, y=0, colour="#000000")


def test_chinese_is_broken_between_signs_but_not_before_a_full_stop() -> None:
    told = "每个泊位一目了然\uff0c不再有纸质清单。立即免费试用三十天\uff01"
    block = fitted(told, (300, 200), largest=60, smallest=12)
    assert "".join(block.lines) == told
    assert len(block.lines) > 1
    assert block.size > 30, "it is not shrunk until it fits one line"
    assert not any(each[0] in "\uff0c。\uff01" for each in block.lines)
    assert wrapped("Try 港湾 today", 100) == ("Try 港湾 today",)


def test_what_is_read_from_the_right_is_flush_right() -> None:
    told = "كل رصيف في مرأى العين\nكل"
    block = fitted(told, (300, 120), largest=40, smallest=9)
    brush = Brush(400, 200)
    write(brush, block, x=20, y=40, colour="#ffffff")
    alpha = brush.pixels()[3::4]
    foot = round(40 + block.size * 1.3) * 400
    below = [place % 400 for place, value in enumerate(alpha[foot:]) if value]
    right = 20 + block.width
    assert max(below) == pytest.approx(right, abs=6)
    assert min(below) > 20 + block.width / 3


def test_letters_that_join_are_not_set_apart() -> None:
    assert line("المرفأ", 30, tracking=0.2).tracking == 0
    assert line("Harbor", 30, tracking=0.2).tracking == 0.2


def test_arabic_and_chinese_are_written_with_our_own_fonts() -> None:
    assert unwritable("جرّبه مجانا لثلاثين يوما — 立即免费试用 こんにちは 안녕하세요") == ""


def test_emoji_that_no_font_has_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "_is_missing", lambda letter: letter in "😀🚀")
    assert fitted("Los 😀🚀 geht's", (300, 90), largest=40, smallest=9).lines == ("Los geht's",)
    monkeypatch.setattr(text, "_is_missing", lambda _letter: False)
    assert line("Los 😀", 30).lines == ("Los 😀",)
