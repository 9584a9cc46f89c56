"""Runway."""

from __future__ import annotations

from tests.providers.runway import RunwayService
from tests.providers.service import KEY, serving
from tests.unit.providers.cases import Case
from tests.unit.providers.pictures import FRAME

from callsheet_studio.providers.port import Order
from callsheet_studio.providers.runway import open_provider

CASES = [
    Case(
        name="runway",
        start_server=lambda: serving(RunwayService()),
        open=lambda base_url: open_provider(KEY, base_url),
        order=Order(
            kind="clip", model="gen4.5", text="A kite rises.", seconds=5.0, width=1280, height=720
        ),
        picture=FRAME,
    ),
]
