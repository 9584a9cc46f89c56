from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callsheet.core.plan.order import find_cycle, ranks

LENGTH = 10_000


def test_everything_stands_after_what_it_needs_and_ties_go_by_plan_order() -> None:
    edges = {"d": ["b"], "c": [], "b": ["a"], "a": []}
    assert list(ranks(edges)) == ["c", "a", "b", "d"]
    assert ranks(edges) == {"c": 0, "a": 1, "b": 2, "d": 3}


def test_what_is_no_step_is_no_need() -> None:
    assert ranks({"a": ["nobody", "nobody"]}) == {"a": 0}
    assert find_cycle({"a": ["nobody"]}) is None


def test_nothing_has_no_order_and_no_cycle() -> None:
    assert ranks({}) == {}
    assert find_cycle({}) is None


@pytest.mark.requirement("E2")
@pytest.mark.parametrize(
    ("edges", "cycle"),
    [
        ({"a": ["b"], "b": ["a"]}, ["a", "b", "a"]),
        ({"a": ["a"]}, ["a", "a"]),
        ({"x": ["b"], "a": ["c"], "b": ["a"], "c": ["b"]}, ["a", "c", "b", "a"]),
        ({"a": [], "b": ["a", "c"], "c": ["a", "zz", "b"]}, ["b", "c", "b"]),
    ],
)
def test_a_cycle_is_told_from_its_first_step_back_to_itself(
    edges: dict[str, list[str]], cycle: list[str]
) -> None:
    assert find_cycle(edges) == cycle


def test_a_chain_of_any_length_is_put_in_order() -> None:
    edges = {f"s{n}": [f"s{n + 1}"] for n in range(LENGTH)}
    assert ranks(edges)["s0"] == LENGTH - 1
    edges[f"s{LENGTH - 1}"] = ["s0"]
    cycle = find_cycle(edges)
    assert cycle is not None
    assert len(cycle) == LENGTH + 1


@given(st.dictionaries(st.sampled_from("abcdefg"), st.lists(st.sampled_from("abcdefg"))))
def test_there_is_an_order_or_a_cycle(edges: dict[str, list[str]]) -> None:
    order, cycle = ranks(edges), find_cycle(edges)
    assert (len(order) == len(edges)) is (cycle is None)
    for step, needs in edges.items():
        for need in needs:
            if step in order and need in edges:
                assert order[need] < order[step]
    if cycle:
        assert cycle[0] == cycle[-1]
        assert all(after in edges[before] for before, after in pairwise(cycle))
