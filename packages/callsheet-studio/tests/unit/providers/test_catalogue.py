"""What can be called: every offer that is planned with is one that its provider takes."""

from __future__ import annotations

import importlib
import warnings
from typing import TYPE_CHECKING

import pytest
from tests.unit.providers.pictures import FRAME

from callsheet.errors import InputError, NotDoneError
from callsheet_studio.providers.catalogue import (
    BOARD,
    callable_stack,
    opened,
    prepare,
    service,
    service_of,
    services,
)
from callsheet_studio.providers.port import Order
from callsheet_studio.solve.terms import short_side
from callsheet_studio.stack import starting_stack

if TYPE_CHECKING:
    from collections.abc import Iterator

    from callsheet_studio.model.stack import Offer, StackTool
    from callsheet_studio.providers.port import Provider

pytestmark = pytest.mark.requirement("P11")

STACK = starting_stack()
NAMES = {each.name for each in services()}
NOBODY = "http://127.0.0.1:9"
"""Where nobody listens: what gets that far would have been sent."""
SHAPES = {"16:9": (16, 9), "9:16": (9, 16), "1:1": (1, 1)}


def orders(tool: StackTool, offer: Offer, mode: str, model: str) -> Iterator[Order]:
    """The shortest and the longest that can be planned, in every shape and size."""
    grid = [each for each in (tool.grid.lengths if tool.grid else ()) if each <= 10]
    lengths = {offer.unit_seconds} if offer.unit_seconds else {grid[0], grid[-1]} if grid else {0.0}
    # A clip whose shape is not told is not planned with.
    shapes = tool.aspects or (("16:9",) if mode == "t2i" else ())
    told = [offer.resolution] if offer.resolution else tool.resolutions
    for seconds in sorted(lengths):
        for wide, high in (SHAPES[each] for each in shapes if each in SHAPES):
            for side in map(short_side, told):
                yield Order(
                    kind="still" if mode == "t2i" else "clip",
                    model=model,
                    text="A kite rises.",
                    seconds=seconds,
                    width=round(wide * side / min(wide, high) / 2) * 2,
                    height=round(high * side / min(wide, high) / 2) * 2,
                    sound=offer.audio is True,
                )


# Slow: the SDKs are imported, and there is an order for everything.
@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(each.name for each in services() if each.models))
async def test_all_that_can_be_planned_with_is_taken_by_its_provider(name: str) -> None:
    tools = callable_stack(STACK, {name}).tools
    module = importlib.import_module(f"callsheet_studio.providers.{name}")
    with warnings.catch_warnings(action="ignore"):  # as an SDK is compiled for the first time
        provider: Provider = module.open_provider("key-for-tests", NOBODY)
    tried = 0
    try:
        for tool, offer in ((each, offer) for each in tools for offer in each.offers):
            found = service_of(offer)
            for mode, model in found.models[tool.id].items() if found else ():
                for order in orders(tool, offer, mode, model):
                    tried += 1
                    with pytest.raises(NotDoneError):
                        await provider.submit(order, FRAME if mode == "i2v" else None, "a step")
    finally:
        await provider.close()
    # What these offer in the stack is speech, which is not planned with.
    assert bool(tried) != (name in {"elevenlabs", "openai"})


def test_a_service_is_named_as_the_offers_of_the_stack_name_it() -> None:
    offered = {offer.provider for tool in STACK.tools for offer in tool.offers}
    unknown = {name for each in services() for name in each.offered_as} - offered
    assert unknown == {"Replicate"}
    tools = {tool.id for tool in STACK.tools}
    assert {tool for each in services() for tool in each.models} <= tools


def test_only_who_may_be_asked_is_planned_with() -> None:
    providers = {
        offer.provider
        for tool in callable_stack(STACK, {"fal"}).tools
        for offer in tool.offers
        if tool.category != "render"
    }
    assert providers == {"fal.ai"}
    # Of OpenAI the stack has voices only, which are not planned with.
    speaking = callable_stack(STACK, {"openai"}).tools
    assert {tool.category for tool in speaking} == {"image", "render"}
    assert [tool.id for tool in speaking if tool.category == "image"] == [BOARD]


def test_what_an_order_cannot_say_is_not_ordered() -> None:
    ids = {offer.id for tool in callable_stack(STACK, NAMES).tools for offer in tool.offers}
    assert "luma-ray-3.2@luma-agents-api:clip-5s+720p" in ids
    assert "luma-ray-3.2@luma-agents-api:clip-5s+720p+hdr" not in ids
    assert "runway-aleph2@runway-api" not in ids


def test_who_is_seen_again_begins_with_a_picture() -> None:
    with_stills, without = (callable_stack(STACK, {name}).tools for name in ("fal", "runway"))
    assert not any(each.reference_images for each in with_stills if each.category == "video")
    assert BOARD not in {each.id for each in with_stills}
    assert [each.id for each in without if each.category == "image"] == [BOARD]


def test_orders_are_in_whole_seconds() -> None:
    grids = [each.grid for each in callable_stack(STACK, NAMES).tools if each.category == "video"]
    assert grids
    assert all(grid and all(each % 1 == 0 for each in grid.lengths) for grid in grids)
    assert all(grid and grid.lengths for grid in grids)


def test_a_place_can_be_given_for_tests_and_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    from callsheet_studio.providers.catalogue import base_url

    runway = service("runway")
    assert base_url(runway, {}) is None
    assert base_url(runway, {"CALLSHEET_URL_RUNWAY": NOBODY}) == NOBODY
    monkeypatch.setenv("CALLSHEET_SECRET_RUNWAYML_API_SECRET", "")
    assert not runway.has_key
    monkeypatch.setenv("CALLSHEET_SECRET_RUNWAYML_API_SECRET", "one")
    assert runway.has_key


def test_a_provider_that_is_not_known_or_not_installed_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(InputError, match=r"There is no provider 'rnway'. There are runway, luma"):
        opened("rnway", "key")
    monkeypatch.setattr("callsheet_studio.providers.catalogue.find_spec", lambda _: None)
    with pytest.raises(InputError, match=r"Run: pip install 'callsheet-studio\[providers\]'"):
        prepare("runway")
