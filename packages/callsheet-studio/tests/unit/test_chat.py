"""Films that are asked for in conversations: by a file, or by telling."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from callsheet.errors import InputError
from callsheet_studio.chat import PHRASES, _told

if TYPE_CHECKING:
    from pathlib import Path

    from callsheet_studio.model.brief import Brief

pytestmark = pytest.mark.requirement("M6")


UMBRELLAS = """\
I need a 30 second spot: Brolly & Sons mends umbrellas while you wait, five pounds each, on Quay \
Street since 1961. End with: Bring us your broken ones."""
HONEY = """\
Bitte ein Video, 20 Sekunden: Die Imkerei Lohmann schleudert ihren Honig selbst, drei Sorten, ab \
Hof. Am Ende: Komm vorbei und koste."""


@pytest.mark.parametrize(
    ("told", "core", "cta"),
    [
        (UMBRELLAS, "Brolly & Sons mends", "Bring us your broken ones."),
        (HONEY, "Die Imkerei Lohmann schleudert", "Komm vorbei und koste."),
    ],
)
def test_a_brief_may_be_told_in_the_conversation(told: str, core: str, cta: str) -> None:
    brief = cast("Brief", _told(told))
    assert brief.message.core.startswith(core)
    assert brief.message.cta == cta


def test_what_is_short_is_the_name_of_a_file_and_so_is_a_long_one_that_is_there(
    tmp_path: Path,
) -> None:
    assert _told("brief.yaml") == "brief.yaml"
    long = tmp_path / "a b c d e f g h i j.yaml"
    long.touch()
    assert _told(str(long)) == str(long)


def test_a_brief_of_a_page_is_no_name() -> None:
    brief = cast(
        "Brief", _told(f"A spot of 30 seconds: {'We mend umbrellas on Quay Street. ' * 20}")
    )
    assert brief.message.core == "We mend umbrellas on Quay Street."


def test_a_brief_that_says_nothing_is_refused() -> None:
    with pytest.raises(InputError, match=r"message\.core"):
        _told("Could you please make us a film of thirty seconds, and make it soon?")


def test_every_film_command_names_a_tool_that_is_there() -> None:
    assert "film.make" in PHRASES
