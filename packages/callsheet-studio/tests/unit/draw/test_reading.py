"""A shot is read as its director meant it, in English and German."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.unit.draw.shots import STYLE, a_card, a_shot
from tests.unit.shots.scripts import brief

from callsheet_studio.draw.reading import phrase, subject_of
from callsheet_studio.draw.style import style_of

if TYPE_CHECKING:
    from callsheet_studio.model.brief import Brief


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({}, "people"),
        ({"kind": "OTS"}, "over"),
        ({"kind": "POV"}, "pov"),
        ({"kind": "TWO_SHOT", "figures": ("Mara", "Teo")}, "people"),
        ({"size": "ECU"}, "eyes"),
        ({"figures": (), "subject": "coast"}, "view"),
        ({"figures": (), "subject": "Harbor", "size": "MS"}, "wordmark"),
        (
            {
                "figures": (),
                "subject": "earth",
                "action": "Earth runs through fingers.",
                "size": "CU",
            },
            "hands",
        ),
        ({"figures": (), "subject": "row", "action": "A row turns green on the screen."}, "screen"),
        ({"figures": (), "subject": "row", "place": "laptop_screen"}, "view"),
        ({"figures": (), "subject": "half", "action": "Half a gnomon.", "size": "CU"}, "words"),
    ],
)
def test_a_shot_is_a_picture_of(changes: dict[str, object], kind: str) -> None:
    assert subject_of(a_shot(**changes), STYLE).kind == kind


def test_a_thing_that_has_a_drawing_is_shown_and_not_written() -> None:
    told = a_shot(figures=(), subject="kettle", action="Steam over the kettle.", size="CU")
    found = subject_of(told, STYLE)
    assert (found.kind, found.props[0], found.text) == ("thing", "kettle", "")


def test_hands_are_drawn_with_what_they_hold() -> None:
    told = a_shot(figures=(), subject="hands", action="Two hands hold a cup.", size="CU")
    found = subject_of(told, STYLE)
    assert (found.kind, found.props) == ("hands", ("cup",))


def test_who_enters_wishes_carries_nothing() -> None:
    assert subject_of(a_shot(action="Wünsche trägt Mara selbst ein."), STYLE).pose == "standing"


def test_a_film_ends_on_its_card() -> None:
    end = subject_of(a_card(), STYLE)
    assert (end.kind, end.text, end.under) == ("card", "Harbor", "Try Harbor free\nfor 30 days")


def test_a_name_is_not_written_twice_on_a_card() -> None:
    assert subject_of(a_card(on_screen_text="Harbor"), STYLE).under == ""


@pytest.mark.parametrize(
    ("action", "pose"),
    [
        ("Mara walks along the pier.", "walking"),
        ("Mara geht den Pier entlang.", "walking"),
        ("Mara pockets the phone and leaves.", "holding_phone"),
        ("Mara points at the boat and walks on.", "pointing"),
        ("Mara setzt sich, noch im Mantel.", "sitting"),
        ("Mara hebt eine Kiste.", "carrying"),
        ("Mara steht am Fenster.", "standing"),
    ],
)
def test_the_first_thing_somebody_does_is_their_pose(action: str, pose: str) -> None:
    assert subject_of(a_shot(action=action), STYLE).pose == pose


@pytest.mark.parametrize(
    ("action", "expression"),
    [
        ("Mara almost smiles.", "smile"),
        ("Mara seufzt und reibt sich die Augen.", "worried"),
        ("Mara bends to the microscope.", "focused"),
        ("Mara looks at the sea.", "neutral"),
    ],
)
def test_what_somebody_does_is_seen_in_their_face(action: str, expression: str) -> None:
    assert subject_of(a_shot(action=action), STYLE).expression == expression


def test_a_word_for_many_is_several_people_who_look_different() -> None:
    assert subject_of(a_shot(figures=("volunteers",)), STYLE).names == (
        "volunteers 1",
        "volunteers 2",
        "volunteers 3",
    )


@pytest.mark.parametrize(
    ("action", "said"),
    [
        ("Payments before arrival, drawn large.", "Payments before arrival"),
        ("Far out, a single light blinks.", "Far out, a single light blinks"),
        ("Nebeneinander: Fichte aus 1.400 Metern Höhe.", "Fichte aus 1.400 Metern Höhe"),
        ("w" * 90, "Mara"),
    ],
)
def test_a_card_says_the_first_clause_of_an_action(action: str, said: str) -> None:
    assert phrase(a_shot(action=action)) == said


def with_palette(*colours: str) -> Brief:
    told = brief()
    return told.model_copy(update={"style": told.style.model_copy(update={"palette": colours})})


def test_a_film_has_the_colours_of_its_brief_and_the_one_that_stands_out_as_accent() -> None:
    style = style_of(with_palette("#0b3c5d", "#F2A65A", "sea blue", "#fff"))
    assert style.palette == ("#0b3c5d", "#f2a65a", "#ffffff")
    assert style.accent == "#f2a65a"


def test_a_film_without_colours_gets_some_and_always_the_same() -> None:
    style = style_of(with_palette())
    assert style == style_of(with_palette())
    assert style.accent in style.palette
