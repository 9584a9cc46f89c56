"""A real browser, where one is installed: it opens a page, and the page says what it saw."""

from __future__ import annotations

import queue
import shutil
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from tests.serve.stage import SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fastapi import FastAPI
    from starlette.requests import Request

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_RULE = {"Content-Security-Policy": "default-src 'self' 'unsafe-inline'"}


class Pages:
    """Pages of the service's own origin, for tests, and what they say."""

    def __init__(self, script: str) -> None:
        self._script = script
        self._said: queue.Queue[Any] = queue.Queue()

    def mount(self, app: FastAPI) -> None:
        """Add them to a service: `/test/page` has the script."""
        pages = [Route("/page", self._page), Route("/say", self._hear, methods=["POST"])]
        app.mount("/test", Starlette(routes=pages))

    def said(self) -> Any:
        """What the page has said; waits for it."""
        return self._said.get(timeout=SECONDS)

    async def _page(self, request: Request) -> Response:
        del request
        return HTMLResponse(f"<!doctype html><script>{self._script}</script>", headers=_RULE)

    async def _hear(self, request: Request) -> Response:
        self._said.put(msgspec.json.decode(await request.body()))
        return Response(status_code=204)


@contextmanager
def opened(url: str, scratch: Path) -> Iterator[None]:
    """A browser that has a page open, for as long as the block goes on."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip(f"There is no browser here: none of {', '.join(NAMES)} is on PATH")
    # A profile of its own, and no sandbox: that needs rights that a test does not have everywhere.
    words = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run"]
    words += ["--disable-dev-shm-usage", "--no-proxy-server", f"--user-data-dir={scratch}"]
    process = subprocess.Popen(
        [found, *words, url], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield
    finally:
        process.terminate()
        process.wait(SECONDS)
