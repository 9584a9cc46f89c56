"""Replicate."""

from __future__ import annotations

from tests.providers.replicate import ReplicateService
from tests.providers.service import KEY, serving
from tests.unit.providers.cases import Case
from tests.unit.providers.pictures import FRAME

from callsheet_studio.providers.port import Order
from callsheet_studio.providers.replicate import open_provider

CASES = [
    Case(
        name="replicate",
        start_server=lambda: serving(ReplicateService()),
        open=lambda base_url: open_provider(KEY, base_url),
        order=Order(
            kind="clip",
            model="makers/kite",
            text="A kite rises.",
            seconds=5.0,
            width=1280,
            height=720,
        ),
        picture=FRAME,
    ),
]
