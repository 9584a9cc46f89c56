"""How hard Hypothesis tries, and the PostgreSQL server that tests share.

50 examples for each change, twenty times that in `make test-long`.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

# First, before pytest makes packages of the folders at the root alone: `tests` is in three places.
import tests.acceptance
import tests.unit  # noqa: F401
from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.postgres import Server

ROOT = Path(__file__).parent
PACKAGES = (ROOT / "packages" / "callsheet", ROOT / "packages" / "callsheet-studio")
if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
    # Hundreds of processes would compile the same modules: they share what one has compiled,
    # in pytest's cache and not beside the sources, as was asked for.
    sys.dont_write_bytecode = False
    sys.pycache_prefix = str(ROOT / ".pytest_cache" / "bytecode")
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix
# Processes that tests start use this tree, and find the tests' own modules, too.
os.environ["PYTHONPATH"] = os.pathsep.join(
    map(str, (*(package / "src" for package in PACKAGES), ROOT, *PACKAGES))
)

# What tests trust is no business of whoever runs them.
_STATE = tempfile.TemporaryDirectory(prefix="callsheet-state-")
os.environ["XDG_STATE_HOME"] = _STATE.name

# What `callsheet init` writes has a test of its own: it is run where it was written.
collect_ignore_glob = ["packages/*/src/*"]

settings.register_profile("dev", max_examples=50, deadline=None, print_blob=True)
settings.register_profile("long", parent=settings.get_profile("dev"), max_examples=500)
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


# pytest configures logging, and our log would go there: what tests read is stderr.
os.environ.setdefault("CALLSHEET_LOG", "text")
