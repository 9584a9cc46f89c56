"""When there is no plan: what to relax, and what is possible then."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.solve import films

from callsheet.errors import InputError
from callsheet_studio.solve import InfeasibleError, solve

if TYPE_CHECKING:
    from callsheet_studio.model.shots import ShotList
    from callsheet_studio.model.stack import StackTool

TWO = films.film([120, 120])


def _good(**more: Any) -> StackTool:
    return films.tool("good", films.offer("good@north", 0.2), share=0.8, seconds=100, **more)


def _poor(**more: Any) -> StackTool:
    return films.tool("poor", films.offer("poor@south", 0.05), share=0.3, seconds=20, **more)


def _refused(*tools: StackTool, shots: ShotList = TWO, **asked: Any) -> InfeasibleError:
    with pytest.raises(InfeasibleError) as refused:
        solve(shots, films.brief(**asked), films.stack(*tools), films.TODAY)
    return refused.value


def _told(error: InfeasibleError) -> list[tuple[str, str, str]]:
    return [(each.constraint, each.given, each.needed) for each in error.infeasibility.relax]


@pytest.mark.requirement("P7")
def test_too_little_money_says_how_much_it_takes() -> None:
    error = _refused(_good(), max_cost=1)
    assert _told(error) == [("max_cost", "$1.00", "$6.00")]
    assert "Relax max_cost from $1.00 to $6.00." in str(error)
    assert "Cheapest feasible plan without that limit: $6.00, ready in 5 min 10 s" in str(error)
    assert "Fastest feasible plan without that limit: $6.00" in str(error)
    assert isinstance(error, InputError)


@pytest.mark.requirement("P7")
def test_too_little_time_says_how_much_it_takes() -> None:
    error = _refused(_good(), deadline=60)
    assert _told(error) == [("deadline", "1m", "6m")]
    solve(TWO, films.brief(deadline=360), films.stack(_good()), films.TODAY)


@pytest.mark.requirement("P7")
def test_a_deadline_shorter_than_putting_it_together_is_told() -> None:
    assert _told(_refused(_good(), films.renderer(), deadline=5)) == [("deadline", "5s", "6m")]


@pytest.mark.requirement("P7")
def test_too_little_of_both_names_both_if_nothing_else_helps() -> None:
    error = _refused(_good(), max_cost=1, deadline=60)
    assert _told(error) == [("max_cost", "$1.00", "$6.00"), ("deadline", "1m", "6m")]


@pytest.mark.requirement("P7")
def test_one_thing_is_relaxed_before_two() -> None:
    # A lower quality is cheap and quick enough, so neither money nor time need to give.
    error = _refused(_good(), _poor(), quality="high", max_cost=2, deadline=100)
    assert _told(error) == [("quality", "high", "balanced")]
    assert error.infeasibility.cheapest is not None
    assert error.infeasibility.cheapest.usd == 1.5


@pytest.mark.requirement("P7")
@pytest.mark.parametrize(
    ("said", "asked", "told"),
    [
        ({"regions": ("US",)}, {"region": "EU"}, ("region", "EU", "any")),
        ({"licence": None}, {"licences": "open"}, ("licences", "open", "any")),
        ({}, {"resolution": "3840x2160"}, ("resolution", "2160p", "1080p")),
    ],
)
def test_what_forbids_every_offer_is_named(
    said: dict[str, Any], asked: dict[str, Any], told: tuple[str, str, str]
) -> None:
    error = _refused(_good(**said), **asked)
    assert _told(error) == [told]
    # And why no offer serves.
    assert error.infeasibility.blocked[0].startswith("1A: good@north ")


@pytest.mark.requirement("P7")
def test_a_shot_that_nobody_can_make_is_named_with_the_reason() -> None:
    speaking = films.film([120], lip_sync=True)
    error = _refused(_good(), shots=speaking)
    assert _told(error) == []
    assert error.infeasibility.blocked == ("1A: good@north does not move lips to words",)
    assert "There is nothing to relax" in str(error)


@pytest.mark.requirement("P7")
def test_a_stack_with_nothing_in_it_is_told() -> None:
    error = _refused()
    assert error.infeasibility.cheapest is None
    assert error.infeasibility.blocked[0] == "1A: the tool stack has no video offer"


@pytest.mark.requirement("P7")
def test_a_shot_longer_than_all_its_clips_is_told() -> None:
    long = films.film([24 * 45])
    error = _refused(_good(), shots=long)
    assert "1A: good@north has no clips for that length" in error.infeasibility.blocked[0]


@pytest.mark.requirement("P7")
def test_the_error_survives_a_process_boundary() -> None:
    error = _refused(_good(), max_cost=1)
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error)
    assert again.infeasibility == error.infeasibility
