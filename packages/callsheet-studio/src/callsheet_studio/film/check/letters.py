"""Checks of what is written in a film: that there is a font for it, and that all of it is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.base.fonts import font_to_install
from callsheet_studio.draw.reading import subject_of
from callsheet_studio.draw.text import shown, unwritable
from callsheet_studio.film.lettering import caption_block, title_block
from callsheet_studio.model.base import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from callsheet_studio.draw.text import Block
    from callsheet_studio.film.takes import TakeData

_CARDS = frozenset(("card", "words"))
_NAMED = 8
"""Letters that are named."""


def check_letters(take: TakeData, name: str) -> tuple[Violation, ...]:
    """What no font has, and what is not written to its end, in a shot of this name."""
    shot, size = take.shot, take.size
    text = shot.on_screen_text or ""
    spoken = "".join(line for each in take.captions for line in each.lines)
    told = (
        ("title", take.style.title + take.style.brand),
        (name, text),
        ("captions", spoken),
        ("poster", take.posted),
    )
    missing = [_unwritable(where, found) for where, said in told if (found := unwritable(said))]
    blocks = [
        ("captions", " ".join(each.lines), caption_block(each.lines, size)[0])
        for each in take.captions
    ]
    # A card has room for its words in itself.
    if text and (shot.picture or subject_of(shot, take.style).kind not in _CARDS):
        blocks.append((name, text, title_block(text, size)[0]))
    return (*missing, *_cut(blocks))


def _unwritable(where: str, letters: str) -> Violation:
    named = " ".join(f"{each} (U+{ord(each):04X})" for each in letters[:_NAMED])
    more = f" and {len(letters) - _NAMED} more" if len(letters) > _NAMED else ""
    return Violation(
        rule="text-without-glyphs",
        where=where,
        message=f"No font has {named}{more}: bars stand for their words, or they are left out.",
        fix=font_to_install(letters),
    )


def _cut(blocks: Sequence[tuple[str, str, Block]]) -> Iterator[Violation]:
    for where, text, block in blocks:
        written = "".join("".join(block.lines).split())
        if len(written) < len("".join(shown(text).split())):
            yield Violation(
                rule="text-whole",
                where=where,
                message=f"Only {written[:40]!r} of a text of {len(text)} signs is written.",
                fix="Say it in fewer words.",
            )
