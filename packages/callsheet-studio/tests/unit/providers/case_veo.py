"""Google Veo."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from tests.providers.service import KEY, serving
from tests.providers.veo import VeoService
from tests.unit.providers.cases import Case
from tests.unit.providers.pictures import FRAME

from callsheet_studio.providers.port import Order
from callsheet_studio.providers.veo import open_provider

if TYPE_CHECKING:
    from callsheet_studio.providers.port import Provider


def opened(base_url: str) -> Provider:
    # The SDK has an escape in a text that Python warns of when it is compiled for the first time.
    with warnings.catch_warnings(action="ignore"):
        return open_provider(KEY, base_url)


CASES = [
    Case(
        name="veo",
        start_server=lambda: serving(VeoService()),
        open=opened,
        order=Order(
            kind="clip",
            model="veo-3.1-lite-generate-001",
            text="A kite rises.",
            seconds=6.0,
            width=1280,
            height=720,
        ),
        picture=FRAME,
        # A finished operation carries the clip itself.
        lacks=frozenset({"expired"}),
        cancels=False,
    ),
]
