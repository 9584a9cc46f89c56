"""Words are said as hibari says them, though only what is asked for is read."""

from __future__ import annotations

import json

import hibari
import pytest
from hibari.g2p import G2P

from callsheet.studio.sound.measuring import readings
from callsheet.studio.sound.wordbook import KNOWN, Pages, reader

HARD = (
    "None of them read the record, and I have read it.",
    "On the 3rd of March 2024, 1,250 people paid $9.99 each.",
    'A VERB is no NOUN, he said: "Dr. Ozkaya lives in Wroclaw."',
    "Zyxglorb and its callsheets; e-mail me at 7:30 pm!",
    "Ünïcödé \ud83d\ude42 naïve café.",
)


def object_of(words: dict[str, object]) -> bytes:
    return json.dumps(words, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()


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


def test_every_word_is_found_and_nothing_else() -> None:
    words: dict[str, object] = {f"w{number:05}": "eks" * 3 for number in range(4000)}
    # Wherever a page ends, there is a word that is said in several ways.
    words |= {word: {"DEFAULT": "a", "NOUN": "b", "VERB": "c"} for word in list(words)[::2]}
    pages = Pages(object_of(words))
    assert {word: pages.get(word) for word in words} == words
    for other in ("", "NOUN", "VERB", "DEFAULT", "a", "w", "w00000x", "zz", "é", "\ud800"):
        assert pages.get(other) is None


def test_a_few_words_are_one_page() -> None:
    pages = Pages(object_of({"only": "Onli"}))
    assert pages.get("only") == "Onli"
    assert pages.get("never") is None


@pytest.mark.parametrize("change", [(b"w00000", b"zzz"), (b'"w00001":"a"', b'"w\\"":"a"')])
def test_what_cannot_be_looked_up_is_refused(change: tuple[bytes, bytes]) -> None:
    text = object_of({f"w{number:05}": "a" for number in range(2000)})
    with pytest.raises(ValueError, match="no order"):
        Pages(text.replace(*change))
