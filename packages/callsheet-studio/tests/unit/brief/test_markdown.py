"""Markdown is read as people write it, and no line is dropped in silence."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.brief.test_reading import refusal

from callsheet_studio.brief import parse

pytestmark = pytest.mark.requirement("P1")


def read(text: str) -> Any:
    return parse(text, "markdown", "it")


def wrong(text: str) -> dict[str, tuple[int | None, str]]:
    found = refusal(parse, text, "markdown", "it").problems
    return {each.place: (each.line, f"{each.what}. {each.fix}") for each in found}


WHOLE = """
# The Library of Things

A neighbourhood lends drills
and tents.

It began with a waffle iron.

<!-- for the
     town hall -->

## Audience

Households in flats
without a cellar.

**Pain points:**

- full cupboards
- a drill that is used
  for thirteen minutes

---

## MESSAGE

* **core**: You need a hole, not a drill.
* one long shelf
* two pounds: a week
* `cta`: "Borrow your first thing"
* must avoid: rental, cheap

### Brand

Library of Things

## Style

| what | how |
|:---|---:|
| tone | playful |
| palette | `#ef476f` | gold |

## Constraints

1. max cost: 50 USD
2. Deadline: 3h
"""


def test_headings_bullets_numbers_tables_and_paragraphs_are_read() -> None:
    text = WHOLE.replace("* two pounds: a week\n", "")
    brief = read(text)
    assert brief.project.title == "The Library of Things"
    began = "It began with a waffle iron."
    assert brief.project.context == f"A neighbourhood lends drills\nand tents.\n\n{began}"
    assert brief.audience.who == "Households in flats\nwithout a cellar."
    pains = ("full cupboards", "a drill that is used for thirteen minutes")
    assert brief.audience.pain_points == pains
    assert brief.message.core == "You need a hole, not a drill."
    assert brief.message.supporting == ("one long shelf",)
    assert brief.message.cta == "Borrow your first thing"
    assert brief.message.must_avoid == ("rental", "cheap")
    assert brief.message.brand == "Library of Things"
    assert brief.style.tone == "playful"
    assert brief.style.palette == ("#ef476f", "#ffd700")
    assert brief.constraints.max_cost_usd == 50
    assert brief.constraints.deadline == 10800


def test_a_bullet_that_looks_like_a_key_and_is_none_is_refused() -> None:
    ((place, (line, said)),) = wrong(WHOLE).items()
    assert place == "message.two_pounds"
    assert WHOLE.splitlines()[(line or 0) - 1] == "* two pounds: a week"
    assert "Its keys are core, supporting" in said


def test_below_a_key_of_a_list_every_bullet_is_an_item() -> None:
    text = "## Message\n- core: A b c.\n- supporting:\n  - note: it is live\n  - cta: no\n- cta: Go"
    brief = read(text)
    assert brief.message.supporting == ("note: it is live", "cta: no")
    assert brief.message.cta == "Go"


def test_a_heading_may_be_a_key_at_any_level() -> None:
    brief = read(
        "## Core message\nA b c.\n\n## Supporting\n- one two\n- three four\n\n#### CTA\nGo\n"
    )
    assert brief.message.core == "A b c."
    assert brief.message.supporting == ("one two", "three four")
    assert brief.message.cta == "Go"


def test_a_script_stands_in_a_block_or_as_it_is() -> None:
    script = "INT. LAB - DAY\n\n- It hums.\n\n# MARA\n| Now! |"
    block = read(
        f"## Content\n\n### Script\n\n```fountain\n{script}\n```\n\n## Style\n- tone: warm\n"
    )
    assert block.content.script == script
    assert block.style.tone == "warm"
    plain = read("## Script\n\nLook up.\nThere.\n\nA second idea.\n")
    assert plain.content.script == "Look up.\nThere.\n\nA second idea."


def test_a_table_of_two_columns_may_be_a_script() -> None:
    rows = "| Picture | Sound |\n|---|---|\n| A door | MARA: Hello. |"
    assert read(f"## Script\n\n{rows}\n").content.script == rows


def test_shots_are_a_table_or_a_list() -> None:
    table = "| action | seconds | size |\n|---|---|---|\n| A door | 3s | WS |\n| A hand | | CU |\n"
    shots = read(f"## Shots\n\n{table}").content.shots
    assert [(each.action, each.seconds, each.size) for each in shots] == [
        ("A door", 3, "WS"),
        ("A hand", None, "CU"),
    ]
    listed = read("## Shots\n1. A door\n2. A hand\n").content.shots
    assert [each.action for each in listed] == ["A door", "A hand"]


@pytest.mark.parametrize(
    ("text", "place", "line"),
    [
        ("loose words\n\n## Message\n- core: x y", "brief", 1),
        ("## Mesage\n\n## Message\n- core: x y", "brief", 1),
        ("## Message\n- core: x y\n\n## Content\nwarm words", "content", 5),
        ("## Message\n- core: x y\n\n## Content\n- just a bullet", "content", 5),
        ("## Message\n- core: x y\n\n## Content\n- typ: ad", "content.typ", 5),
        ("## Message\n- core: x y\n- core: z", "message.core", 3),
        ("# A\n# B\n## Message\n- core: x y", "project.title", 2),
        ("## Message\n- core: x y\n```\ncode\n```", "brief", 3),
        ("## Style\n| k | v |\n|---|---|\n| tine | x |\n\n## Core\nx y", "style.tine", 4),
        ("## Core\nx y\n\n## Shots\n|action|\n|---|\n|a|b|", "content.shots", 7),
        ("## Core\nx y\n## Duration\n- 30s\n- 40s", "content", 5),
        ("core: x y\nctaa: Go", "brief", 2),
        ("## Message\ncore: x y\nctaa: Go", "message.ctaa", 3),
    ],
)
def test_a_line_that_says_nothing_known_is_refused_with_its_number(
    text: str, place: str, line: int
) -> None:
    assert wrong(text)[place][0] == line


def test_a_block_that_does_not_end_is_refused() -> None:
    assert "does not end" in wrong("## Core\nx y\n## Script\n```\nLook up.")["brief"][1]


def test_a_problem_with_a_value_has_the_line_of_its_key() -> None:
    text = "## Message\n- core: x y\n\n## Content\n- type: opera\n- duration: soon\n"
    found = wrong(text)
    assert {place: line for place, (line, _) in found.items()} == {
        "content.type": 5,
        "content.duration": 6,
    }


def test_a_heading_needs_no_space_and_a_bold_section_is_one() -> None:
    brief = read("# Glut\n##Message\ncore: Glut is warm.\n\n**Style:**\n- tone: cosy\n")
    assert (brief.message.core, brief.style.tone) == ("Glut is warm.", "cosy")
    assert brief.project.context == ""


def test_a_tag_or_a_colour_is_no_heading() -> None:
    brief = read("# Glut\n\n#sauna\n\n## Message\n- core: Glut is warm.\n")
    assert brief.project.context == "#sauna"


def test_what_was_hardly_meant_is_not_proposed() -> None:
    found = wrong("# Glut\n## Message\n- core: Glut is warm.\n## Notes\n")
    assert "shots" not in found["brief"][1].split("The sections are")[0]
