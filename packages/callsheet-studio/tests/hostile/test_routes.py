"""What clients edit and hand back: so many parts, and so many problems, and no more."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.script.samples import make_script

from callsheet.errors import InputError
from callsheet_studio.serve.asking import edited_script

pytestmark = pytest.mark.requirement("S10", "P10")


@pytest.mark.parametrize("beats", [500, 30_000])
def test_beats_that_are_all_wrong_are_refused_in_few_words(beats: int) -> None:
    """Thirty thousand were answered with 31 MB, made of 700."""
    script = make_script()
    wrong: list[dict[str, Any]] = [{"x": 1}] * beats
    with pytest.raises(InputError) as refused:
        edited_script(script, wrong)
    assert len(refused.value.problems) <= 100
    assert len(refused.value.message) < 1_000
