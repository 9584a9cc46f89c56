"""Numbers that a sentence tells, as they are drawn."""

from __future__ import annotations

import pytest

from callsheet_studio.library.facts import figure_in

pytestmark = pytest.mark.requirement("P15")


@pytest.mark.parametrize(
    ("text", "language", "shown"),
    [
        ("A third still has to be burned.", "en", "⅓"),
        ("Der Staat zahlt ein Drittel dazu.", "de", "⅓"),
        ("Two thousand samples a year go to our laboratory.", "en", "2,000 samples a year"),
        ("Zwei tausend Proben im Jahr.", "de", "2.000 Proben im Jahr"),
        ("We are forty people between 19 and 83.", "en", "40 people"),
        ("Auf dem Dach stehen zwölf Stöcke.", "de", "12 Stöcke"),
        ("Dentists in nine countries recommend it.", "en", "9 countries"),
    ],
)
def test_a_number_is_read_however_it_is_written(text: str, language: str, shown: str) -> None:
    found = figure_in(text, language)
    assert found is not None
    assert f"{found.value} {found.unit}".strip() == shown


@pytest.mark.parametrize(
    "text", ["A litre costs a fifth of a cent.", "Two hands hold one map.", "Three friends meet."]
)
def test_what_is_seen_at_a_glance_or_cannot_be_drawn_is_no_figure(text: str) -> None:
    assert figure_in(text, "en") is None
