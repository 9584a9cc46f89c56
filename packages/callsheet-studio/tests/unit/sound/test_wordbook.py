"""Words are said as hibari says them, though only what is asked for is decoded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import hibari
from hibari.g2p import G2P

from callsheet_studio.sound.measuring import readings
from callsheet_studio.sound.wordbook import KNOWN, reader

if TYPE_CHECKING:
    import pytest

HARD = (
    "None of them read the record, and I have read it.",
    "On the 3rd of March 2024, 1,250 people paid $9.99 each.",
    'A VERB is no NOUN, he said: "Dr. Ozkaya lives in Wroclaw."',
    "Zyxglorb and its callsheets; e-mail me at 7:30 pm!",
    "Ünïcödé \ud83d\ude42 naïve café.",
)


def test_every_line_is_said_as_hibari_reads_it_itself() -> None:
    own, ours = G2P(), reader()
    for line in (*readings("en"), *HARD):
        assert ours(line) == own(line)


def test_the_files_of_the_voice_that_is_installed_are_known() -> None:
    # If it is another one: look whether its lexicon and tagger are as they were, then add it.
    assert hibari.__version__ in KNOWN


def test_a_voice_with_other_files_reads_them_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hibari, "__version__", "9.9.9")
    assert reader() is None
