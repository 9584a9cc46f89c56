"""Fifty briefs of many trades, in two languages, as the offline writer gets them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from callsheet_studio.brief import from_data, load

if TYPE_CHECKING:
    from callsheet_studio.model.brief import Brief

EXAMPLES = Path(__file__).parents[5] / "examples" / "briefs"

TRADES = Path(__file__).with_name("trades.txt")
"""Language, brand, audience, pains, core, messages and call to action, a line each."""
TYPES = ("explainer", "product_demo", "social_ad", "testimonial", "brand_story", "general")
LENGTHS = (15, 30, 45, 60, 75, 90, 120, 180, 300)
TONES = {
    "en": ("confident", "warm and honest", "playful", "urgent", "calm", "matter-of-fact"),
    "de": ("selbstbewusst", "herzlich", "verspielt", "dringend", "ruhig", "sachlich"),
}
RATES = ("24", "25", "30", "23.976", "29.97")
EMOTIONS = ("relief", "pride", "confidence", "joy", "wonder", "belonging")
EMPHASES = ("solution", "problem", "proof", "people")


@cache
def generated(count: int = 50) -> tuple[Brief, ...]:
    """So many briefs: trades, types, lengths, tones and rates in ever new company."""
    rows = TRADES.read_text(encoding="utf-8").splitlines()
    return tuple(_brief(number, rows[number % len(rows)]) for number in range(count))


def _brief(number: int, row: str) -> Brief:
    language, *told = (cell.strip() for cell in row.split("|"))
    brand, who, pains, core, messages, cta = told
    kind = TYPES[(number * 5 + number // 7) % len(TYPES)]
    return from_data(
        {
            "project": {"title": f"{brand} {number}"},
            "audience": {"who": who, "pain_points": pains.split("; ")},
            "message": {
                "core": core,
                "supporting": messages.split("; ")[: 2 + number % 3],
                "cta": cta,
                "brand": brand,
                "must_include": [brand],
                "must_avoid": ["cheap", "revolutionary", "billig"],
            },
            "content": {
                "type": kind,
                "duration": LENGTHS[(number * 2 + number // 9) % len(LENGTHS)],
                "language": language,
            },
            "style": {"tone": TONES[language][number % 6]},
            "delivery": {"fps": RATES[number % len(RATES)]},
            "direction": {
                "midpoint_emotion": EMOTIONS[number % 6],
                "act2_emphasis": EMPHASES[number % 4],
            },
        },
        f"brief {number}",
    )


@cache
def examples() -> tuple[Brief, ...]:
    """The example briefs for which a script has to be written."""
    files = sorted(p for p in EXAMPLES.iterdir() if p.suffix in {".yaml", ".json", ".md"})
    found = [load(path) for path in files]
    return tuple(b for b in found if b.content.script is None and b.content.shots is None)


def harbor() -> Brief:
    """The best known of them."""
    return load(EXAMPLES / "harbor.yaml")
