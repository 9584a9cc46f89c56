"""What is asked and said before anything is ordered."""

from __future__ import annotations

import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.studio.solve.films import offer, renderer, stack, tool

from callsheet import Engine, InputError, load_tools
from callsheet.cli.output import Output
from callsheet.cli.produce import Settled, Shopping, settle
from callsheet.studio.brief import from_data
from callsheet.studio.production import tools_for

if TYPE_CHECKING:
    from collections.abc import Sequence

# Slow: a plan is made, and proved.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("P11")]

DAY = date(2026, 11, 16)
KEY = "CALLSHEET_SECRET_RUNWAYML_API_SECRET"
BRIEF: dict[str, Any] = {
    "project": {"title": "Kite"},
    "message": {"core": "The kite rises over the sea.", "cta": "Fly a kite"},
    "content": {
        "type": "general",
        "duration": "9s",
        "script": "The wind comes over the water.\n\nThe red kite rises.\n\nFly a kite",
    },
    "delivery": {"resolution": "480x270"},
}


async def settled(lengths: Sequence[float], most: float | None = 50, **more: Any) -> Settled:
    """With one model, which makes clips of these lengths."""
    price = offer("runway-gen4.5@Runway API", 0.1, resolution=None)
    model = tool("runway-gen4.5", price, share=0.6, lengths=lengths, resolutions=("720p",))
    asked: dict[str, Any] = {"yes": True, "again": (), **more}
    limits = {} if most is None else {"constraints": {"max_cost_usd": most}}
    brief = from_data(BRIEF | limits, "brief.yaml")
    shopping = Shopping(brief=brief, folder=Path(), today=DAY, cut={}, **asked)
    async with Engine.open(tools=load_tools(tools_for("plan"))) as engine:
        return await settle(Output(as_json=False), engine, stack(model, renderer()), shopping)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY, "one")


async def test_a_shot_is_ordered_as_one_clip_where_that_can_be(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = await settled(range(2, 11))
    assert not found.joins
    assert [each.clip.what.seconds for each in found.purchase.orders.shots] == [6.0, 4.0]
    assert "preflight passed: $1.00 if every clip is right at once" in capsys.readouterr().out


async def test_a_plan_that_needs_joins_is_degraded_and_needs_a_yes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = await settled((4,))
    assert found.joins
    assert [each.shot for each in found.purchase.orders.shots] == ["1B"]
    said = capsys.readouterr().out
    assert "preflight degraded" in said
    assert "! 1A is drawn: planned as 2 clips" in said
    with pytest.raises(InputError, match=r"nobody here to ask. Look at it, then say --yes."):
        await settled((4,), yes=False)


async def test_the_worst_stays_below_the_maximum_or_it_is_blocked() -> None:
    found = await settled(range(2, 11), 5.0)
    assert found.purchase.orders.worst == 5.0
    with pytest.raises(InputError, match=r"at worst it costs \$5.00, and \$4.99 may be spent"):
        await settled(range(2, 11), 4.99)


async def test_a_maximum_that_nobody_has_said_is_asked_for() -> None:
    with pytest.raises(InputError, match=r"Say it: --max-cost 20."):
        await settled(range(2, 11), None)


def test_who_orders_nothing_imports_nothing_of_providers() -> None:
    names = "callsheet.cli.make, callsheet.studio.production, callsheet.studio.stages"
    told = "[name for name in sys.modules if name.startswith('callsheet.studio.providers')]"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys, {names}; print({told})"],
        capture_output=True,
        check=True,
        text=True,
    )
    assert done.stdout.strip() == "[]"


async def test_a_key_without_its_package_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("callsheet.studio.providers.catalogue.find_spec", lambda _: None)
    with pytest.raises(InputError, match=r"Run: pip install 'callsheet\[providers\]'"):
        await settled(range(2, 11))
