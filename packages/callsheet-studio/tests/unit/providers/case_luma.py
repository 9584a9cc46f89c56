"""Luma."""

from __future__ import annotations

from tests.providers.luma import LumaService
from tests.providers.service import KEY, serving
from tests.unit.providers.cases import Case
from tests.unit.providers.pictures import FRAME

from callsheet_studio.providers.luma import open_provider
from callsheet_studio.providers.port import Order

CASES = [
    Case(
        name="luma",
        start_server=lambda: serving(LumaService()),
        open=lambda base_url: open_provider(KEY, f"{base_url}/v1"),
        order=Order(
            kind="clip", model="ray-3.2", text="A kite rises.", seconds=10.0, width=1280, height=720
        ),
        picture=FRAME,
        cancels=False,
    ),
]
