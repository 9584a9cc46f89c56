"""What is asked and said before anything is ordered."""

from __future__ import annotations

import subprocess
import sys
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.solve.films import offer, renderer, stack, tool

from callsheet import Engine
from callsheet.apps.command import Output
from callsheet.errors import InputError
from callsheet_studio.brief import from_data
from callsheet_studio.cli.produce import Shopping, agreed
from callsheet_studio.production.commission import Commission
from callsheet_studio.production.ordering import MaximumMissingError, Quote
from callsheet_studio.production.tools import production_tools
from callsheet_studio.studio import Studio

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

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


@asynccontextmanager
async def studio(lengths: Sequence[float]) -> AsyncIterator[Studio]:
    """One whose home knows one model, which makes clips of these lengths."""
    price = offer("runway-gen4.5@Runway API", 0.1, resolution=None)
    model = tool("runway-gen4.5", price, share=0.6, lengths=lengths, resolutions=("720p",))
    async with Engine.in_memory(production_tools("plan")) as engine:
        opened = Studio(engine)
        await opened.replace_stack(stack(model, renderer()))
        yield opened


def asked(most: float | None = 50) -> Commission:
    limits = {} if most is None else {"constraints": {"max_cost_usd": most}}
    return Commission(brief=from_data(BRIEF | limits, "brief.yaml"), out=Path("film"), today=DAY)


async def settled(lengths: Sequence[float], most: float | None = 50, **more: Any) -> Quote:
    shopping = Shopping(**{"yes": True, **more})
    async with studio(lengths) as opened:
        return await agreed(Output(as_json=False), opened, asked(most), shopping)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY, "one")


async def test_a_shot_is_ordered_as_one_clip_where_that_can_be(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = await settled(range(2, 11))
    assert not found.joins
    assert [each.clip.what.seconds for each in found.purchase.orders.shots] == [3.0, 2.0, 5.0]
    assert "preflight passed: $1.00 if every clip is right at once" in capsys.readouterr().out


async def test_a_plan_that_needs_joins_is_degraded_and_needs_a_yes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = await settled((4,))
    assert found.joins
    assert [each.shot for each in found.purchase.orders.shots] == ["1A", "1B"]
    said = capsys.readouterr().out
    assert "preflight degraded" in said
    assert "is drawn: planned as 2 clips" in said
    with pytest.raises(InputError, match=r"nobody here to ask. Look at it, then add --yes."):
        await settled((4,), yes=False)


async def test_the_worst_stays_below_the_maximum_or_it_is_blocked() -> None:
    found = await settled(range(2, 11), 5.0)
    assert found.purchase.orders.worst == 5.0
    with pytest.raises(InputError, match=r"at worst it costs \$5.00, and \$4.99 may be spent"):
        await settled(range(2, 11), 4.99)


async def test_who_calls_from_python_gets_the_quote_and_is_asked_nothing() -> None:
    async with studio(range(2, 11)) as opened:
        with pytest.raises(MaximumMissingError):
            await opened.order(asked(None))
        quote = await opened.order(asked(None), max_cost=4.99)
    assert (quote.preflight.state, quote.needs_yes) == ("blocked", True)
    assert quote.brief.constraints.max_cost_usd == 4.99
    with pytest.raises(InputError, match=r"at worst it costs \$5.00, and \$4.99 may be spent"):
        quote.check()


async def test_a_maximum_that_nobody_has_said_is_asked_for() -> None:
    with pytest.raises(InputError, match=r"Give --max-cost 20."):
        await settled(range(2, 11), None)


def test_who_orders_nothing_imports_nothing_of_providers() -> None:
    names = "callsheet_studio.cli.make, callsheet_studio.production.plan, callsheet_studio.stages"
    told = "[name for name in sys.modules if name.startswith('callsheet_studio.providers')]"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys, {names}; print({told})"],
        capture_output=True,
        check=True,
        text=True,
    )
    assert done.stdout.strip() == "[]"


async def test_a_key_without_its_package_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("callsheet_studio.providers.catalogue.find_spec", lambda _: None)
    with pytest.raises(InputError, match=r"Run: pip install 'callsheet-studio\[providers\]'"):
        await settled(range(2, 11))
