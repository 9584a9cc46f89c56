"""What free text is about, before anything is started."""

from __future__ import annotations

from pathlib import Path

import pytest

from callsheet.agents.intent import classify

pytestmark = pytest.mark.requirement("M6")

HERE = Path(__file__).parent


def sentences(name: str) -> list[tuple[str, str]]:
    """What is meant, and how somebody said it."""
    lines = (HERE / name).read_text("utf-8").splitlines()
    return [(kind, said) for kind, _, said in (line.partition("\t") for line in lines)]


@pytest.mark.parametrize("who", ["open", "of-others", "habits", "of-strangers", "of-visitors"])
def test_nearly_every_sentence_is_taken_as_it_was_meant(who: str) -> None:
    found = [(kind, said, classify(said)) for kind, said in sentences(f"intents-{who}.tsv")]
    wrong = [
        (kind, said, intent)
        for kind, said, intent in found
        if (intent.intent if intent.is_clear else "unknown") != kind
    ]
    assert len(wrong) <= 0.05 * len(found), wrong


@pytest.mark.parametrize(
    "said",
    ["", " ", "?!", "\x00\x1b[2J", "a" * 1_000_000, "¿Qué tal?", "Ça va bien, merci", "你好"],
)
def test_what_is_no_sentence_of_ours_is_asked_about(said: str) -> None:
    assert not classify(said).is_clear


def test_every_intent_says_why() -> None:
    assert all(classify(said).why for _, said in sentences("intents-open.tsv"))
