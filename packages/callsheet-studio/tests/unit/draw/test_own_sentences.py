"""What is seen in a shot that somebody has written: who it is, what they hold, what it is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from callsheet_studio.brief import from_data
from callsheet_studio.draw.figures import look_of
from callsheet_studio.draw.reading import subject_of
from callsheet_studio.draw.style import style_of
from callsheet_studio.script import write_script
from callsheet_studio.shots import check_continuity, plan_shots

if TYPE_CHECKING:
    from callsheet_studio.draw.figures import Look
    from callsheet_studio.draw.reading import Subject
    from callsheet_studio.model.shots import ShotList

pytestmark = pytest.mark.requirement("P5")

SECONDS = 5


def filmed(*told: str | dict[str, str], language: str = "en") -> tuple[ShotList, list[Subject]]:
    """A film of these shots and an end card, and what is seen in each of them."""
    rows = [{"action": each} if isinstance(each, str) else each for each in told]
    card = {"action": "End card", "place": "abstract"}
    shots = [row | {"duration": f"{SECONDS}s"} for row in (*rows, card)]
    core = "Der Hafen ist nah." if language == "de" else "The harbour is near."
    data = {
        "message": {"core": core, "brand": "Berth"},
        "content": {"duration": f"{SECONDS * len(shots)}s", "language": language, "shots": shots},
    }
    brief = from_data(data, "it")
    planned = plan_shots(write_script(brief), brief)
    return planned, [subject_of(shot, style_of(brief)) for shot in planned.shots[: len(rows)]]


def look(shots: ShotList, name: str) -> Look:
    return look_of(name, next(figure.look for figure in shots.figures if figure.name == name))


PEOPLE = [
    # Names
    ("en", "Mara reads a map on her phone", ("Mara",), "holding_phone", ""),
    ("en", "Mara smiles", ("Mara",), "standing", ""),
    ("en", "Mara drinks a cup of coffee", ("Mara",), "holding", "cup"),
    ("en", "Lena opens a book", ("Lena",), "holding", "book"),
    ("en", "Kenji, 28, blue hoodie, types on a laptop", ("Kenji",), "at_laptop", ""),
    ("en", "Dr. Okafor explains the chart", ("Dr. Okafor",), "explaining", ""),
    ("en", "Xanthippe reads a list", ("Xanthippe",), "holding", "list"),
    ("en", "Grace smiles", ("Grace",), "standing", ""),
    ("en", "Max, the baker, holds a loaf of bread", ("Max",), "holding", "bread"),
    ("en", "At the window, Mara reads a list", ("Mara",), "holding", "list"),
    ("en", "Close on Mara's face", ("Mara",), "standing", ""),
    ("de", "Mara liest eine Karte", ("Mara",), "holding", "map"),
    ("de", "Mara liest eine Karte auf ihrem Handy", ("Mara",), "holding_phone", ""),
    ("de", "Jonas hält ein Buch", ("Jonas",), "holding", "book"),
    ("de", "Herr Petersen winkt", ("Herr Petersen",), "waving", ""),
    ("de", "Frau Albers hält ein Tablet", ("Frau Albers",), "holding", "tablet"),
    ("de", "Im Hafen winkt Mara", ("Mara",), "waving", ""),
    # What they are
    ("en", "A woman looks at her phone", ("woman",), "holding_phone", ""),
    ("en", "A harbour master, 50, grey beard", ("harbour master",), "standing", ""),
    ("en", "An old man holds a kettle", ("man",), "holding", "kettle"),
    ("en", "The baker, 60, white beard, holds a loaf of bread", ("baker",), "holding", "bread"),
    ("en", "A nurse checks a clipboard", ("nurse",), "holding", "list"),
    ("en", "A glassblower, 45, leather apron, waves", ("glassblower",), "waving", ""),
    ("en", "A lighthouse keeper carries a lantern", ("lighthouse keeper",), "walking", ""),
    ("en", "A courier carries a parcel", ("courier",), "carrying", ""),
    ("en", "The CEO, in a grey suit, explains the plan", ("CEO",), "explaining", ""),
    ("en", "A waitress brings two cups of coffee", ("waitress",), "holding", "cup"),
    ("en", "On the pier stands a woman in a red coat", ("woman",), "standing", ""),
    ("de", "Sarah, eine junge Architektin, hält ein Buch", ("Sarah",), "holding", "book"),
    ("de", "Eine Kundin bezahlt mit Karte", ("Kundin",), "holding", "card"),
    ("de", "Eine Frau schaut auf ihr Handy", ("Frau",), "holding_phone", ""),
    ("de", "Der Hafenmeister, 50, grauer Bart, lacht", ("Hafenmeister",), "talking", ""),
    ("de", "Ein Mann trinkt Kaffee", ("Mann",), "holding", "cup"),
    ("de", "Die Köchin, 40, schwarze Locken, hält ein Brot", ("Köchin",), "holding", "bread"),
    ("de", "Am Tisch sitzt eine Lehrerin", ("Lehrerin",), "sitting", ""),
    # Several
    ("en", "Tomas and Ines shake hands", ("Tomas", "Ines"), "shaking", ""),
    ("en", "An engineer and a farmer look at a list", ("engineer", "farmer"), "holding", "list"),
    ("en", "Two women talk over coffee", ("women 1", "women 2"), "talking", ""),
    ("en", "A crowd waits", ("crowd 1", "crowd 2", "crowd 3"), "arms_crossed", ""),
    ("de", "Jonas und Lena trinken Kaffee", ("Jonas", "Lena"), "holding", "cup"),
    ("de", "Zwei Männer in Warnwesten tragen Kisten", ("Männer 1", "Männer 2"), "carrying", ""),
    ("de", "Kinder rennen über den Strand", ("Kinder 1", "Kinder 2", "Kinder 3"), "running", ""),
]


@pytest.mark.parametrize(("language", "action", "who", "pose", "held"), PEOPLE)
def test_somebody_who_acts_is_seen_with_what_they_hold(
    language: str, action: str, who: tuple[str, ...], pose: str, held: str
) -> None:
    shots, (seen,) = filmed(action, language=language)
    assert (seen.kind, seen.names, seen.pose, seen.held) == ("people", who, pose, held)
    assert shots.shots[0].action == action


@pytest.mark.parametrize(
    ("language", "action", "kind", "what"),
    [
        ("en", "The harbour at dawn", "view", ""),
        ("en", "Fog over the harbour", "view", ""),
        ("en", "A ferry leaves the harbour", "thing", "ferry"),
        ("en", "A red kettle on the stove", "thing", "kettle"),
        ("en", "Mara's phone rings", "view", "phone"),
        ("en", "The fisherman's boat rocks", "thing", "boat"),
        ("en", "A student card lies on a list", "thing", "list"),
        ("en", "Her hands hold a cup", "hands", "cup"),
        ("en", "Product shot of the bottle", "thing", "bottle"),
        ("de", "Der Hafen im Morgenlicht", "view", ""),
        ("de", "Nebel liegt über dem Hafen", "view", ""),
        ("de", "Die Fähre legt ab", "thing", "ferry"),
    ],
)
def test_a_place_or_a_thing_has_nobody_in_it(
    language: str, action: str, kind: str, what: str
) -> None:
    shots, (seen,) = filmed(action, language=language)
    assert (seen.kind, shots.shots[0].figures) == (kind, ())
    assert what in (*seen.props, "")


@pytest.mark.parametrize(
    ("language", "action"),
    [
        ("en", "A dog sleeps in the sun"),
        ("en", "A cat knocks a kettle over"),
        ("en", "Trust"),
        ("en", "An empty cradle in the attic"),
        ("en", "Hope grows"),
        ("en", "Time is running out"),
        ("en", "London wakes up"),
        ("de", "Ein Hund schläft in der Sonne"),
        ("de", "Vertrauen"),
        ("de", "Die Zeit läuft davon"),
    ],
)
def test_what_has_no_drawing_is_written_on_a_card(language: str, action: str) -> None:
    _, (seen,) = filmed(action, language=language)
    assert (seen.kind, seen.text) == ("words", action)


@pytest.mark.parametrize(
    ("subject", "action", "name", "top", "colour"),
    [
        ("Mara", "At the end of the pier", "Mara", "", ""),
        ("Nora, 30, yellow coat, red hair", "Waits by the water", "Nora", "coat", "#f0c93f"),
        ("harbour master, 50, navy jacket", "At the rail", "harbour master", "jacket", "#22355c"),
        ("Xanthippe", "Reads a list", "Xanthippe", "", ""),
    ],
)
def test_a_subject_with_a_name_an_age_and_clothes_is_somebody_with_this_look(
    subject: str, action: str, name: str, top: str, colour: str
) -> None:
    shots, (seen,) = filmed({"subject": subject, "action": action})
    assert (seen.kind, seen.names, shots.shots[0].subject) == ("people", (name,), name)
    found = look(shots, name)
    assert top in (found.top, "")
    assert colour in (found.cloth, "")


@pytest.mark.parametrize(
    ("action", "form", "age"),
    [
        ("A woman waits", "woman", "adult"),
        ("A man waits", "man", "adult"),
        ("A girl waits", "woman", "child"),
        ("A boy in a red cap waits", "man", "child"),
        ("An old man waits", "man", "old"),
        ("Captain Anders, 61, waits", "man", "old"),
    ],
)
def test_a_word_for_somebody_says_what_they_look_like(action: str, form: str, age: str) -> None:
    shots, (seen,) = filmed(action)
    found = look(shots, seen.names[0])
    assert (found.form, found.age) == (form, age)
    assert form == "man" or not found.has("beard", "stubble")


def test_a_name_is_the_same_person_in_every_shot_and_a_pronoun_means_whom_it_fits() -> None:
    shots, seen = filmed(
        "Mara reads a list",
        "The harbour master, 50, grey beard, waves",
        "She smiles",
        "The master nods",
        {"subject": "Mara", "action": "By the boat"},
        "Mara and the harbour master shake hands",
    )
    master = "harbour master"
    assert [each.names for each in seen] == [
        ("Mara",), (master,), ("Mara",), (master,), ("Mara",), ("Mara", master),
    ]  # fmt: skip
    assert [figure.name for figure in shots.figures] == ["Mara", master]
    assert shots.figures[1].look == "50, grey beard"


def test_two_who_are_described_differently_are_two() -> None:
    shots, seen = filmed("A woman in a red coat waves", "A woman in a blue dress laughs")
    assert [each.names for each in seen] == [("woman",), ("woman 2",)]
    assert [look(shots, name).top for name in ("woman", "woman 2")] == ["coat", "dress"]


def test_whom_nobody_described_wears_what_suits_them() -> None:
    shots, _ = filmed("Mara waits", "A man waits", "A nurse waits", "Ines waits", "Tomas waits")
    for figure in shots.figures:
        found = look(shots, figure.name)
        assert found.form == "man" or not found.has("beard", "stubble"), figure
    assert look(shots, "nurse").top == "scrubs"


def test_whoever_acts_is_seen_from_the_front_and_not_too_near_for_their_hands() -> None:
    acts = ["Mara reads a list", "Mara checks her phone", "Mara types on a laptop", "Mara waves"]
    shots, _ = filmed("The harbour at dawn", *acts, *acts)
    seen = [shot for shot in shots.shots if shot.figures]
    assert len(seen) == 2 * len(acts)
    assert all(abs(shot.bearing) <= 90 for shot in seen), [shot.bearing for shot in seen]
    assert {shot.size for shot in seen} <= {"WS", "FS", "MWS", "MS"}
    assert check_continuity(shots) == ()


def test_a_size_that_is_told_is_kept_however_near_it_is() -> None:
    shots, _ = filmed({"action": "Mara reads a list", "size": "CU"})
    assert shots.shots[0].size == "CU"


@pytest.mark.parametrize(
    ("shot", "name"),
    [
        ({"subject": "Nora, 30, yellow coat", "action": "By the water"}, "Nora"),
        ({"action": "The harbour master, 50, grey beard, waves"}, "harbour master"),
    ],
)
def test_a_line_without_a_name_is_said_by_whoever_acts(shot: dict[str, str], name: str) -> None:
    shots, (seen,) = filmed(shot | {"dialogue": "The tide is early."})
    assert (seen.names, shots.shots[0].lip_sync) == ((name,), True)
    assert [figure.name for figure in shots.figures] == [name]


def test_a_film_does_not_stay_on_a_screen_that_it_has_shown() -> None:
    shots, _ = filmed("A laptop on the desk of an office", "The app on a phone", "London wakes up")
    assert shots.shots[1].set.place == "phone_screen"
    assert shots.shots[2].set.place == shots.shots[0].set.place


@pytest.mark.parametrize(
    ("language", "subject", "action"),
    [("en", "Ferry", "Carries people across"), ("de", "Fähre", "Fährt aus dem Hafen")],
)
def test_a_thing_with_a_capital_is_nobody(language: str, subject: str, action: str) -> None:
    _, (seen,) = filmed({"subject": subject, "action": action}, language=language)
    assert (seen.kind, seen.props[0], seen.names) == ("thing", "ferry", ())
