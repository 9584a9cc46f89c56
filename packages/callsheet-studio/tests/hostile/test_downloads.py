"""What a provider answers: where it sends us, and what comes packed."""

from __future__ import annotations

import contextlib
import gzip
import tracemalloc
from typing import TYPE_CHECKING

import pytest
from tests.providers.service import Answer, Asked, Service, serving
from typing_extensions import override

from callsheet.errors import DeniedError, FatalError
from callsheet_studio.providers import http
from callsheet_studio.providers.http import Wire

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

pytestmark = pytest.mark.requirement("S10")


class Hostile(Service):
    """Answers everything with one thing."""

    def __init__(self, answer: Answer) -> None:
        super().__init__()
        self._answer = answer

    @override
    def answer(self, asked: Asked) -> Answer:
        self.requests.append(asked)
        return self._answer


@contextlib.asynccontextmanager
async def wired(answer: Answer) -> AsyncIterator[tuple[Hostile, Wire]]:
    service = Hostile(answer)
    async with serving(service):
        wire = Wire("A service", service.base_url)
        try:
            yield service, wire
        finally:
            await wire.aclose()


@pytest.mark.parametrize(
    "place",
    [
        "https://127.0.0.1/clip.mp4",
        "https://localhost/clip.mp4",
        "https://169.254.169.254/latest/meta-data",
        "https://10.0.0.1/clip.mp4",
        "https://[::1]/clip.mp4",
        "https://[::ffff:127.0.0.1]/clip.mp4",
    ],
)
async def test_a_download_goes_to_public_addresses_only(place: str) -> None:
    async with wired(Answer(content=b"x")) as (service, wire):
        with pytest.raises(DeniedError, match="not a public address"):
            await wire.download(place)
        assert service.requests == []


async def test_a_redirect_is_looked_at_as_well() -> None:
    away = Answer(status=302, headers={"Location": "https://169.254.169.254/"})
    async with wired(away) as (service, wire):
        with pytest.raises(DeniedError, match="not a public address"):
            await wire.download(f"{service.base_url}/file")


@pytest.mark.parametrize("coding", ["gzip, gzip", "gzip, gzip, gzip", "br", "deflate", "zstd"])
@pytest.mark.parametrize("status", [200, 500])
async def test_one_layer_is_unpacked_and_no_more(coding: str, status: int) -> None:
    packed = gzip.compress(gzip.compress(b"x" * 100_000))
    answer = Answer(status=status, content=packed, headers={"Content-Encoding": coding})
    async with wired(answer) as (service, wire):
        with pytest.raises(FatalError, match="not asked for"):
            await wire.download(f"{service.base_url}/file")


# About 0.4 s: fifty megabytes are packed first.
@pytest.mark.slow
async def test_a_layer_is_unpacked_up_to_its_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "LARGEST", 100_000)
    packed = gzip.compress(b"x" * 50_000_000)
    headers = {"Content-Encoding": "gzip"}
    tracemalloc.start()
    try:
        for status in (200, 500):
            answer = Answer(status=status, content=packed, headers=headers)
            async with wired(answer) as (service, wire):
                with pytest.raises(FatalError, match="more than 100,000 bytes"):
                    await wire.download(f"{service.base_url}/file")
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()
