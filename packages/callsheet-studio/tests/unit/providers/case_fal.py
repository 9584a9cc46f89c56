"""fal.ai."""

from __future__ import annotations

from tests.providers.fal import FalService
from tests.providers.service import KEY, serving
from tests.unit.providers.cases import Case
from tests.unit.providers.pictures import FRAME

from callsheet_studio.providers.fal import open_provider
from callsheet_studio.providers.port import Order

CASES = [
    Case(
        name="fal",
        start_server=lambda: serving(FalService()),
        open=lambda base_url: open_provider(KEY, base_url),
        order=Order(
            kind="clip",
            model="bytedance/seedance-2.0/image-to-video",
            text="A kite rises.",
            seconds=5.0,
            width=1280,
            height=720,
        ),
        picture=FRAME,
    ),
]
