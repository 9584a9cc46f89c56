"""A place is what it is called: an orchard has fruit trees, a library has books."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.unit.draw.shots import SMALL, STYLE, a_shot

from callsheet_studio.brief import load
from callsheet_studio.draw.frame import draw_frame
from callsheet_studio.draw.kinds import kind_of
from callsheet_studio.draw.style import style_of
from callsheet_studio.library import variants_in

pytestmark = pytest.mark.requirement("P6")

BRIEFS = Path(__file__).parents[5] / "examples" / "briefs"


def picture(place: str, kind: str = "", **told: Any) -> Any:
    style = replace(STYLE, kinds=((place, kind),) if kind else ())
    shot = a_shot(place=place, **({"figures": (), "subject": place} | told))
    return np.asarray(draw_frame(shot, (), style, SMALL).picture, int)


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("owners of orchards between 5 and 50 hectares", "field", "orchard"),
        ("Winzer an der Mosel", "field", "vineyard"),
        ("Stadtpark", "field", "park"),
        ("Die Bücherei im Viertel", "classroom", "library"),
        ("Sauerteig aus der Bäckerei", "shop", "bakery"),
        ("the brush in your bathroom", "home", "bathroom"),
        ("the old trams run again", "road", "tram"),
        ("the farmers at the market", "street", "market"),
    ],
)
def test_what_a_film_is_about_says_what_kind_its_places_are(
    text: str, name: str, kind: str
) -> None:
    assert variants_in(text)[name] == kind


def test_a_word_within_another_says_nothing() -> None:
    assert variants_in("A spark in the parking lot of a traming company") == {}


def test_the_place_is_heard_before_the_shot_and_the_shot_before_the_film() -> None:
    film = {"field": "vineyard"}
    assert kind_of(a_shot(place="field"), "field", film) == "vineyard"
    walks = a_shot(place="field", action="Mara walks through the park.")
    assert kind_of(walks, "field", film) == "park"
    named = a_shot(place="orchard", action="Mara walks through the park.")
    assert kind_of(named, "field", film) == "orchard"
    assert kind_of(a_shot(place="field"), "field", {}) == ""


@pytest.mark.parametrize(
    ("place", "kind"),
    [
        ("field", "orchard"),
        ("field", "vineyard"),
        ("field", "park"),
        ("classroom", "library"),
        ("shop", "bakery"),
        ("shop", "books"),
        ("shop", "pharmacy"),
        ("home", "bathroom"),
        ("home", "bedroom"),
        ("workshop", "violin"),
        ("workshop", "bicycle"),
        ("road", "tram"),
        ("street", "market"),
        ("lab", "servers"),
        ("factory", "warehouse"),
    ],
)
def test_every_kind_looks_like_what_it_is(place: str, kind: str) -> None:
    assert np.abs(picture(place, kind) - picture(place)).mean() > 0.5


def test_an_orchard_is_no_field_with_one_tree() -> None:
    def green(kind: str) -> float:
        """How much of the upper half is leaves."""
        seen = picture("field", kind, size="WS")[: SMALL[1] * 6 // 10]
        red, leaf, blue = seen[..., 0], seen[..., 1], seen[..., 2]
        return float(((leaf > red) & (leaf > blue + 10)).mean())

    assert green("orchard") > 1.5 * green("")


def test_the_kinds_of_a_film_hold_in_all_its_shots() -> None:
    styles = {
        name: dict(style_of(load(BRIEFS / name)).kinds) for name in ("orchard.yaml", "harbor.yaml")
    }
    assert styles["orchard.yaml"]["field"] == "orchard"
    assert "field" not in styles["harbor.yaml"]
