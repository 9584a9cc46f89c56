"""Props are found by what they are called, and painted where they are put."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from tests.every import every

from callsheet.errors import InputError
from callsheet_studio.draw.brush import Brush
from callsheet_studio.draw.light import light_of
from callsheet_studio.draw.props import catalog, find_props, paint_prop

if TYPE_CHECKING:
    from numpy.typing import NDArray

SIZE = 120
SIDE = 300
FOOT = 220
ACCENT = "#e2703a"
NAMES = sorted(catalog())
FAINT = 48
"""What glows around a thing is not the thing."""
OVER = 0.04
"""A hair's breadth over the box: the tip of a handlebar."""

pytestmark = pytest.mark.requirement("P6")


def painted(name: str, preset: str = "soft_day", **told: Any) -> NDArray[Any]:
    brush = Brush(SIDE, SIDE)
    settings: dict[str, Any] = {"x": SIDE / 2, "y": FOOT, "size": SIZE, "accent": ACCENT} | told
    paint_prop(brush, name, light_of(preset), **settings)
    return np.frombuffer(brush.pixels(), np.uint8).reshape(SIDE, SIDE, 4)


@every(name=NAMES)
def test_a_prop_fills_its_box_and_stays_inside_it(name: str) -> None:
    grow = catalog()[name].grow
    alpha = painted(name, shadow=False)[..., 3]
    rows, columns = np.nonzero(alpha > FAINT)
    half, high = SIZE * grow * (0.5 + OVER), SIZE * grow * (1 + OVER)
    assert columns.min() >= SIDE / 2 - half
    assert columns.max() <= SIDE / 2 + half
    assert rows.min() >= FOOT - high
    assert rows.max() <= FOOT + SIZE * OVER
    assert rows.max() >= FOOT - SIZE * 0.35
    longest = max(np.ptp(rows), np.ptp(columns))
    assert longest >= SIZE * grow * 0.6


@every(name=NAMES)
def test_a_prop_is_the_same_bytes_twice_and_another_in_another_light(name: str) -> None:
    day, night = painted(name), painted(name, "neon_night")
    assert np.array_equal(day, painted(name))
    seen = (day[..., 3] > FAINT) & (night[..., 3] > FAINT)
    apart = np.abs(day[seen][:, :3].astype(int) - night[seen][:, :3].astype(int)).sum(axis=1)
    assert np.mean(apart) > 30


def test_light_from_the_other_side_falls_on_the_other_side() -> None:
    def lean(preset: str) -> float:
        picture = painted("cup", preset, shadow=False)[170:200, 120:160, :3].astype(float)
        return float(picture[:, :20].mean() - picture[:, 20:].mean())

    assert light_of("soft_day").side < 0 < light_of("golden_hour").side
    assert lean("soft_day") > 5
    assert lean("golden_hour") < -5


def test_the_colour_of_the_film_is_on_products_and_its_name_is_lettered_on_them() -> None:
    plain = painted("box")
    assert not np.array_equal(plain, painted("box", accent="#2a6f6b"))
    assert not np.array_equal(plain, painted("box", brand="Harbor"))
    for brand in ("A" * 300, "海港の灯", "🙂", "مرفأ", " "):
        painted("box", brand=brand)


def test_a_shadow_falls_on_the_ground_only_if_it_is_asked_for() -> None:
    with_it, without = painted("parcel")[..., 3], painted("parcel", shadow=False)[..., 3]
    assert (with_it > 0).sum() > (without > 0).sum() * 1.05


def test_a_thing_that_is_not_in_the_catalog_is_refused() -> None:
    with pytest.raises(InputError, match="there is no prop 'submarine'"):
        painted("submarine")


def test_the_catalog_and_the_painters_name_the_same_things() -> None:
    assert len(NAMES) >= 50
    for group in {entry.group for entry in catalog().values()}:
        painters = import_module(f"callsheet_studio.draw.props.{group}").PAINTERS
        listed = {name for name, entry in catalog().items() if entry.group == group}
        assert set(painters) == listed


@every(name=NAMES)
def test_a_prop_is_found_by_every_name_it_has_in_both_languages(name: str) -> None:
    entry = catalog()[name]
    for word in entry.en:
        assert find_props(f"Close: {word}, held still.") == (name,)
    for word in entry.de:
        text = f"Rogg{word[1:]}" if word.startswith("*") else word
        assert find_props(f"Nah: {text}, wie er da ist.") == (name,)
    for word in entry.weak:
        assert find_props(f"then {word}") != ()


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("A cargo bike glides past", ("cargo_bike",)),
        ("Ein Lastenrad gleitet an der Schlange vorbei.", ("cargo_bike",)),
        ("Paper lists that get wet, unmistakable.", ("wet_list",)),
        ("a pen that taps on a list", ("pen", "list")),
        ("Dampf über dem Wasserkocher", ("kettle",)),
        ("Das Lieblingsbrot ist ausverkauft", ("bread",)),
        ("two loaves and three pastries", ("bread", "croissant")),
        ("zwei Tassen, drei Schlüssel, viele Bienen", ("cup", "key", "bee")),
        ("Briefe neben der Lampe", ("envelope", "lamp")),
        ("Steam rises from a cup beside the grinder", ("cup", "coffee_grinder")),
        ("300 Stunden Arbeit an einer Geige", ("violin",)),
        ("1 Euro Pfand auf jeden Pfandbecher", ("deposit_cup",)),
    ],
)
def test_things_are_found_in_the_order_they_are_named(words: str, found: tuple[str, ...]) -> None:
    assert find_props(words) == found


def test_a_word_that_only_hints_counts_when_nothing_is_named() -> None:
    assert find_props("Payments before arrival") == ("card",)
    assert find_props("Payments on the phone") == ("phone",)


@pytest.mark.parametrize(
    "words",
    [
        "",
        "...",
        "Harbor slides into the light.",
        "The quick qwertz of nothing",
        "End card: Bench School, Book your bench test",
        "She takes care of the scarf and the carpet",
        "Bis 20 Uhr am Vorabend bestellen",
        "Drei Generationen an derselben Bank",
        "the glass wall of the post office",
        "Earth that runs through fingers",
    ],
)
def test_what_names_no_thing_finds_none(words: str) -> None:
    assert find_props(words) == ()
