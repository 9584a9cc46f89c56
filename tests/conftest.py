"""How hard Hypothesis tries, and the PostgreSQL server that tests share.

100 examples for each change, ten times that in `make test-long`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.postgres import Server

settings.register_profile("dev", max_examples=100, deadline=None, print_blob=True)
settings.register_profile("long", parent=settings.get_profile("dev"), max_examples=1000)
settings.load_profile("long" if os.environ.get("CALLSHEET_LONG") else "dev")


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A PostgreSQL server; begun by the first test that wants it."""
    from tests.postgres import running

    with running() as server:
        yield server


@pytest.fixture
def database(postgres: Server) -> Iterator[str]:
    """The URL of a database with our tables and nothing in them."""
    with postgres.database() as url:
        yield url
