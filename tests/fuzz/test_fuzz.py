"""Spoiled input is refused in words of ours, or accepted; never a traceback, and soon.

A part of `make fuzz`, from seeds that stay the same. What was ever found has a test of its own,
beside the tests of what had failed.
"""

from __future__ import annotations

import pytest
from tests.fuzz.fuzzing import fuzz
from tests.fuzz.mutate import spoiled
from tests.fuzz.targets import all_targets

from callsheet.core.run import entries

pytestmark = [
    pytest.mark.requirement("S10"),
    pytest.mark.slow,  # hundreds of inputs each
]

INPUTS = {
    "plan": 250,
    "mended": 60,
    "answer": 300,
    "draft": 300,
    "sentence": 60,
    "body": 500,
    "mcp": 300,
    "resumed": 300,
    "journal": 1_000,
    "http": 500,
    "brief": 120,
    "fountain": 25,
    "edl": 250,
    "otio": 800,
    "stack": 50,
}


@pytest.mark.parametrize("name", INPUTS)
def test_a_reader_refuses_or_accepts(name: str) -> None:
    (target,) = (each for each in all_targets() if each.name == name)
    outcome = fuzz(target, seed=7, inputs=INPUTS[name])
    assert outcome.finds == []
    assert outcome.accepted + outcome.refused == INPUTS[name]


def test_every_target_is_tried() -> None:
    assert {each.name for each in all_targets()} == set(INPUTS)


def test_the_same_seed_spoils_in_the_same_way() -> None:
    from random import Random

    texts = [spoiled("a: 1\nb: 2\n", Random(5), ("c",)) for _ in range(2)]
    assert texts[0] == texts[1]


@pytest.mark.parametrize("body", ['{"kind":' + '{"a":' * 5_000, "[" * 100_000])
def test_an_entry_that_is_nested_too_deeply_is_none(body: str) -> None:
    import msgspec

    with pytest.raises(msgspec.MsgspecError):
        entries.decode(body.encode())
