"""What the plan promises: run with `pytest`."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import tools

from callsheet import RunState
from callsheet.sync import SyncEngine, open_engine

PLAN = Path(__file__).with_name("plan.yaml")
TOOLS = [tools.find, tools.place, tools.cancel]


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SyncEngine]:
    monkeypatch.chdir(tmp_path)
    with open_engine(tmp_path / "home", TOOLS) as opened:
        yield opened


def test_an_order_leaves_a_receipt(engine: SyncEngine) -> None:
    result = engine.run(PLAN, {"item": "cups", "count": 3})
    assert result.state is RunState.SUCCEEDED
    assert Path("receipt.txt").read_text("utf-8").startswith("3 x cups at 12.0")


def test_an_order_can_be_undone(engine: SyncEngine) -> None:
    run = engine.start(PLAN)
    assert run.wait().state is RunState.SUCCEEDED
    run.undo()
    assert run.wait().state is RunState.UNDONE
    assert Path("orders.txt").read_text("utf-8") == ""
    assert not Path("receipt.txt").exists()


def test_nothing_is_ordered_that_has_no_price(engine: SyncEngine) -> None:
    result = engine.run(PLAN, {"item": "unicorn"})
    assert result.state is not RunState.SUCCEEDED
    assert not Path("orders.txt").exists()
