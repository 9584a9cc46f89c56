"""Names of things: what they look like, and that they depend on their arguments alone."""

from __future__ import annotations

import pytest

from callsheet.core.ids import (
    PLAN_NAME,
    STEP_ID,
    RunId,
    StepKey,
    chance_of,
    idempotency_key,
    index_of,
    item_key,
    mint_run,
    step_of,
)


def test_run_ids_sort_by_the_time_they_were_minted() -> None:
    times = [0, 1, 2**20, 1_767_225_600_000, 2**47]
    ids = [mint_run(time, chance) for time in times for chance in (0, 2**64 - 1)]
    assert ids == sorted(ids)
    assert len(set(ids)) == len(ids)
    assert all(len(run) == 24 and run.startswith("r") for run in ids)


def test_only_64_bits_of_chance_enter_a_run_id() -> None:
    assert mint_run(5, 2**64 + 7) == mint_run(5, 7)


def test_an_item_s_key_names_its_step_and_its_index() -> None:
    key = item_key("rooms", 12)
    assert key == "rooms[12]"
    assert step_of(key) == "rooms"
    assert index_of(key) == 12
    assert step_of("rooms") == "rooms"
    assert index_of("rooms") is None


@pytest.mark.requirement("idempotency:one-key-per-step")
def test_a_step_has_one_key_and_its_undo_another() -> None:
    run, step = RunId("r1"), StepKey("a")
    key = idempotency_key(run, step)
    assert key == idempotency_key(run, step)
    assert idempotency_key(run, step, undo=True) == f"{key}:undo"
    others = [
        idempotency_key(RunId("r2"), step),
        idempotency_key(run, StepKey("a[0]")),
        idempotency_key(run, StepKey("b")),
    ]
    assert len({key, *others}) == 4


def test_chance_depends_on_its_arguments_alone_and_lies_below_one() -> None:
    found = [chance_of("seed", "a", n) for n in range(200)]
    assert found == [chance_of("seed", "a", n) for n in range(200)]
    assert all(0 <= chance < 1 for chance in found)
    assert len(set(found)) == 200
    assert 0.3 < sum(found) / len(found) < 0.7
    assert chance_of("other", "a", 1) != found[1]


@pytest.mark.parametrize("name", ["a", "a1", "flight_2", "z_"])
def test_step_ids_are_identifiers(name: str) -> None:
    assert STEP_ID.match(name)


@pytest.mark.parametrize("name", ["", "A", "1a", "a-b", "a/b", "a\n", "a[0]", "ä"])
def test_anything_else_is_no_step_id(name: str) -> None:
    assert not STEP_ID.match(name)


def test_plan_names_are_one_word() -> None:
    assert PLAN_NAME.match("Trip-2.v1_x")
    assert not PLAN_NAME.match("trip\n")
    assert not PLAN_NAME.match("-trip")
    assert not PLAN_NAME.match("a" * 101)
