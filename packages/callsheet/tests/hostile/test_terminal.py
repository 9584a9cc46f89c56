"""What a terminal shows is what is there: nobody's text moves it, or reads backwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.acceptance.command import call, write_plan

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.requirement("S10")

TURNED = "\u202egpj.exe"
"""Shown as `exe.jpg` by whoever obeys it."""


def test_text_that_reads_backwards_is_shown_as_it_is_written(tmp_path: Path) -> None:
    plan = {"callsheet": 1, "name": "sly", "description": TURNED + "\u2066\u009b31m", "steps": []}
    home = tmp_path / "home"
    assert call("plan", "save", write_plan(tmp_path / "p.json", plan), "--home", home).code == 0
    told = call("plan", "list", "--home", home).out
    assert "gpj.exe" in told
    assert not {"\u202e", "\u2066", "\u009b", "\u001b"} & set(told)
