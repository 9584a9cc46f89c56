"""Laws of the offline writer: any structure, length and rate tiles, and says only what fits."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.script.smith_briefs import generated

from callsheet_studio.base.time import Rate
from callsheet_studio.script import check_script
from callsheet_studio.script.smith.writing import OfflineWriter
from callsheet_studio.script.structure import LEAST, MOST, lay_out

if TYPE_CHECKING:
    from callsheet_studio.model.brief import Brief, Structure

pytestmark = pytest.mark.requirement("P3")

STRUCTURES: tuple[Structure, ...] = ("three_part", "three_act", "eight_part", "ad")
PARTS = {
    "three_part": {"hook", "solution", "call_to_action"},
    "three_act": {"hook", "setup", "confrontation", "resolution", "call_to_action"},
    "eight_part": {
        "hook",
        "inciting_event",
        "first_plot_point",
        "first_pinch_point",
        "midpoint",
        "second_pinch_point",
        "third_plot_point",
        "climax",
    },
    "ad": {
        "hook",
        "pain_point",
        "product_reveal",
        "selling_point",
        "demo",
        "offer",
        "call_to_action",
    },
}
rates = st.sampled_from(["24", "25", "30", "23.976", "29.97"]).map(Rate.of)
lengths = st.integers(150, 3000).map(lambda tenths: tenths / 10)


@given(structure=st.sampled_from(STRUCTURES), seconds=lengths, rate=rates)
def test_beats_tile_the_film_and_serve_every_part(
    structure: Structure, seconds: float, rate: Rate
) -> None:
    total = rate.frames(seconds)
    slots = lay_out(structure, total, rate)
    assert slots[0].start == 0
    assert slots[-1].end == total
    assert all(a.end == b.start for a, b in itertools.pairwise(slots))
    assert {part for slot in slots for part in slot.parts} >= PARTS[structure]
    assert all(slot.part in slot.parts for slot in slots)


@given(structure=st.sampled_from(STRUCTURES), seconds=lengths, rate=rates)
def test_beats_have_five_to_ten_seconds_but_hooks_and_sections_of_ads(
    structure: Structure, seconds: float, rate: Rate
) -> None:
    slots = lay_out(structure, rate.frames(seconds), rate)
    assert all(slot.frames <= math.floor(MOST * rate.fps) for slot in slots)
    if structure == "ad":
        assert all(slot.frames >= rate.frames(1.9) for slot in slots)
        return
    assert slots[0].frames >= rate.frames(3)
    assert all(slot.frames >= math.ceil(LEAST * rate.fps) for slot in slots[1:])


def _changed(brief: Brief, structure: Structure, seconds: float, fps: str) -> Brief:
    content = brief.content.model_copy(update={"structure": structure, "duration": seconds})
    delivery = brief.delivery.model_copy(update={"fps": fps})
    return brief.model_copy(update={"content": content, "delivery": delivery})


@given(
    brief=st.sampled_from(range(50)),
    structure=st.sampled_from(STRUCTURES),
    seconds=lengths,
    fps=st.sampled_from(["24", "25", "30", "23.976", "29.97"]),
)
def test_a_script_of_any_structure_length_and_rate_is_right(
    brief: int, structure: Structure, seconds: float, fps: str
) -> None:
    asked = _changed(generated()[brief], structure, seconds, fps)
    found = check_script(OfflineWriter().write(asked), asked)
    # Where there is time for nothing else, a message may be left out; nothing else may be wrong.
    short = seconds < 30
    assert [v for v in found if not (short and v.rule == "message")] == []
