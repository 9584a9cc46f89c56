"""Words that cannot be written, or not to their end, are found."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.draw.shots import STYLE, a_shot
from tests.unit.film.films import a_take

from callsheet_studio.film.check.letters import check_letters
from callsheet_studio.model.captions import CaptionLine

if TYPE_CHECKING:
    from callsheet_studio.model.base import Violation

pytestmark = pytest.mark.requirement("P11")

NOBODYS = "\U000f1234"


def wrong(
    text: str | None = None, caption: str = "", size: tuple[int, int] = (480, 270), brand: str = ""
) -> tuple[Violation, ...]:
    captions = (CaptionLine(start=0, end=48, lines=(caption,)),) if caption else ()
    style = replace(STYLE, brand=brand)
    take = a_take(a_shot(on_screen_text=text), size, style=style, captions=captions)
    return check_letters(take, "1A")


def found(*args: Any, **told: Any) -> list[tuple[str, str]]:
    """The rules that are broken, and where."""
    return [(each.rule, each.where) for each in wrong(*args, **told)]


def test_words_in_our_scripts_are_fine() -> None:
    told = "جرّبه 立即免费试用 Straße Київ"
    assert found(told, told, brand="港湾") == []


def test_letters_of_no_font_are_named_where_they_are() -> None:
    rule = "text-without-glyphs"
    assert found(f"Now {NOBODYS}", f"So {NOBODYS}", brand=f"Har{NOBODYS}") == [
        (rule, "title"),
        (rule, "1A"),
        (rule, "captions"),
    ]


def test_the_line_of_the_poster_is_looked_at_too() -> None:
    fine, strange = "Harbor keeps every berth in view. Straße 港湾", f"Harbor {NOBODYS} is near."
    assert check_letters(a_take(a_shot(), posted=fine), "1A") == ()
    (each,) = check_letters(a_take(a_shot(), posted=strange), "1A")
    assert (each.rule, each.where) == ("text-without-glyphs", "poster")
    assert "U+F1234" in each.message


def test_the_message_names_letters_and_what_to_do() -> None:
    (each,) = wrong(f"Harbor {NOBODYS} is near.")
    assert "U+F1234" in each.message
    assert "Install a font" in each.fix


@pytest.mark.parametrize("size", [(480, 270), (270, 480), (270, 270)])
def test_three_hundred_signs_without_a_blank_are_written_or_it_is_said(
    size: tuple[int, int],
) -> None:
    short, endless = "x" * 60, "x" * 300
    assert found(short, size=size) == []
    assert found(endless, size=size) in ([], [("text-whole", "1A")])


def test_what_is_cut_off_is_said() -> None:
    assert found("word " * 200) == [("text-whole", "1A")]
    assert found(None, "word " * 200) == [("text-whole", "captions")]
