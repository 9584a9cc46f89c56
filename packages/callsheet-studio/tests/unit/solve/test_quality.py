"""Quality is an interval from public boards; unknown is unknown."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from tests.unit.solve import films

from callsheet_studio.model.stack import Benchmark, StackTool
from callsheet_studio.solve.quality import Interval, Scale, measured


def _row(board: str, share: float | None, **more: Any) -> Benchmark:
    said: dict[str, Any] = {"as_of": films.TODAY, "score": 1200, **more}
    return Benchmark(board=board, share=share, source="list", **said)


def _tool(*rows: Benchmark) -> StackTool:
    return films.tool("a", films.offer("a@north", 0.1), benchmarks=rows)


def tool_with(name: str, share: float | None) -> StackTool:
    return films.tool(name, films.offer(f"{name}@north", 0.1), share=share)


@pytest.mark.requirement("P7")
def test_an_interval_is_as_wide_as_the_board_says() -> None:
    # 400 points are odds of ten to one: from even odds to 10/11 and 1/11.
    assert measured(_tool(_row("house", 0.5, interval=400)), "t2v") == Interval(9, 91)
    assert measured(_tool(_row("house", 0.5)), "t2v") == Interval(50, 50)


@pytest.mark.requirement("P7")
def test_a_board_counts_for_the_mode_it_names() -> None:
    tool = _tool(_row("arena text-to-video", 0.7), _row("arena image-to-video", 0.4))
    assert measured(tool, "t2v") == Interval(70, 70)
    assert measured(tool, "i2v") == Interval(40, 40)
    assert measured(_tool(_row("arena text-to-image", 0.4)), "t2v") is None


@pytest.mark.requirement("P7")
def test_a_score_without_a_share_says_nothing() -> None:
    assert measured(_tool(_row("house", None)), "t2v") is None


@pytest.mark.requirement("P7")
def test_only_the_newest_rows_count_and_those_that_disagree_widen_it() -> None:
    old = _row("house", 0.9, as_of=films.TODAY - timedelta(days=1))
    tool = _tool(old, _row("house", 0.3), _row("other", 0.6))
    assert measured(tool, "t2v") == Interval(30, 60)


@pytest.mark.requirement("P7")
def test_levels_are_thirds_of_what_is_known() -> None:
    tools = [tool_with(f"t{n}", share) for n, share in enumerate((0.1, 0.2, 0.3, 0.4, 0.5, 0.6))]
    scale = Scale.over([*tools, tool_with("unknown", None)], "t2v")
    assert [scale.floor(level) for level in ("budget", "balanced", "high")] == [0, 30, 50]
    assert scale.lowest == Interval(10, 10)


@pytest.mark.requirement("P7")
def test_where_nothing_is_known_there_is_no_floor() -> None:
    scale = Scale.over([tool_with("a", None)], "t2v")
    assert [scale.floor(level) for level in ("budget", "balanced", "high")] == [0, 0, 0]
    assert scale.lowest == Interval(1, 100)
