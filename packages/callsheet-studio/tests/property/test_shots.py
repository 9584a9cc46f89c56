"""Laws of shot lists: whatever the script, ours tile it, say it, and keep continuity."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.every import every
from tests.unit.shots.scripts import Asked, B, brief, script

from callsheet_studio.brief import from_data, load
from callsheet_studio.library import sets
from callsheet_studio.script import write_script
from callsheet_studio.shots import check_continuity, check_shots, plan_shots

if TYPE_CHECKING:
    from callsheet_studio.model.script import Script

# Some hundred films for each law.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("P5")]

BRIEFS = Path(__file__).parents[4] / "examples" / "briefs"
PARTS = ("hook", "setup", "pain_point", "product_reveal", "demo", "midpoint", "climax", "own")
SENTENCES = (
    "Mara walks along the pier.",
    "She reads a paper list.",
    "Tomas waves from the boat.",
    "Mara and Tomas shake hands.",
    "On the screen every berth has its colour.",
    "Her hands tie a knot, then the rope is tight.",
    "Rain.",
    "Harbor stands on the table.",
    "The end card with the logo.",
    "Two volunteers in orange run along the planks.",
    "Mara smiles while the boats come in; the light changes.",
    "A child looks up.",
    "",
)
LINES = (
    "MARA: Berth nine again?\nTOMAS: Twice, on two different lists, since Monday.",
    "MARA (V.O.): There is no pay for this.",
    "TOMAS: (softly) Nobody would blame us, and nobody would know.",
)


def beats() -> st.SearchStrategy[list[B]]:
    one = st.builds(
        B,
        seconds=st.sampled_from([1, 2, 2.5, 3, 4, 5, 6.25, 7, 8, 9.5, 10, 17]),
        action=st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=4).map(" ".join),
        voiceover=st.sampled_from([None, "One map, for all of us. It works.", "Yes."]),
        dialogue=st.sampled_from([None, None, *LINES]),
        text=st.sampled_from([None, None, "One live map"]),
        scene=st.just(1),
        place=st.sampled_from([*sets(), "the old mill"]),
        time=st.sampled_from(["morning", "day", "dusk", "night", "magic hour", ""]),
        part=st.sampled_from(PARTS),
        intensity=st.integers(1, 10),
        size=st.sampled_from(["EWS", "MS", "CU", "ECU", "whatever"]),
        movement=st.sampled_from(["static", "crane", "whip", "arc left", "rack", "nonsense"]),
        lighting=st.sampled_from(["soft_day", "low_key", "moody", ""]),
        references=st.sampled_from([(), ("figure:Mara — yellow oilskin",), ("#0b3c5d",)]),
    )
    return st.lists(one, min_size=1, max_size=9)


def numbered(found: list[B], moves: list[bool]) -> list[B]:
    """Scenes with a place, an hour and a light of their own, as scripts have them."""
    result: list[B] = []
    for number, beat in enumerate(found):
        new = number == 0 or moves[number % len(moves)]
        before = result[-1] if result else beat
        same = before if not new else beat
        result.append(
            B(
                **vars(beat)
                | {
                    "scene": before.scene + new if result else 1,
                    "place": same.place,
                    "time": same.time,
                    "lighting": same.lighting,
                }
            )
        )
    return result


def films() -> st.SearchStrategy[Script]:
    return st.builds(
        lambda found, moves, fps, kind, language: script(
            *numbered(found, moves), fps=fps, kind=kind, language=language
        ),
        beats(),
        st.lists(st.booleans(), min_size=1, max_size=9),
        st.sampled_from(["23.976", "24", "25", "29.97", "30"]),
        st.sampled_from(["explainer", "social_ad", "testimonial", "brand_story", "product_demo"]),
        st.sampled_from(["en", "de"]),
    )


@given(films(), st.integers(0, 99), st.sampled_from(["16:9", "9:16"]))
def test_every_list_is_whole_and_keeps_continuity(told: Script, salt: int, aspect: str) -> None:
    asked = Asked(title=f"Film {salt}", aspect=aspect, language=told.language)
    shots = plan_shots(told, brief(asked))
    assert check_shots(shots, told) == ()
    assert check_continuity(shots) == ()


@given(films())
@settings(max_examples=25)
def test_the_same_film_twice_is_the_same(told: Script) -> None:
    one, two = (plan_shots(told, brief()).model_dump_json() for _ in range(2))
    assert one == two


@pytest.mark.parametrize(
    "path",
    sorted(p for p in BRIEFS.iterdir() if p.suffix in (".yaml", ".json", ".md")),
    ids=lambda path: path.stem,
)
def test_the_shots_of_every_example_are_good(path: Path) -> None:
    asked = load(path)
    told = write_script(asked)
    shots = plan_shots(told, asked)
    assert check_shots(shots, told) == ()
    if asked.content.shots is None:
        assert check_continuity(shots) == ()


@every(
    kind=["explainer", "product_demo", "social_ad", "testimonial"],
    seconds=[15, 30, 60, 90, 180],
    language=["en", "de"],
)
def test_the_shots_of_our_own_scripts_are_good(kind: str, seconds: int, language: str) -> None:
    core = {
        "en": "Harbor keeps every berth of the marina in view.",
        "de": "Harbor behält jeden Liegeplatz im Hafen im Blick.",
    }[language]
    asked = from_data(
        {
            "message": {"core": core, "brand": "Harbor"},
            "content": {"type": kind, "duration": seconds, "language": language},
        },
        "test",
    )
    told = write_script(asked)
    shots = plan_shots(told, asked)
    assert check_shots(shots, told) == ()
    assert check_continuity(shots) == ()
    # As many as its words ask for, none of them too long.
    asked_for = sum(len(beat.visual.pictures) for beat in told.beats)
    assert len(told.beats) <= len(shots.shots) <= asked_for
