"""The end of a command: at once, and nothing that was said or asked for is lost."""

from __future__ import annotations

import subprocess
import sys

import pytest

# Each starts an interpreter of its own: about 0.4 s.
pytestmark = pytest.mark.slow

STARTED = """
import atexit, sys, threading
{before}
sys.argv = ["callsheet", {word!r}]
from callsheet.cli import main
main()
"""
LAST = 'atexit.register(lambda: print("the last word", flush=False))'
ON = """
def go_on():
    threading.main_thread().join()
    print("went on")
threading.Thread(target=go_on).start()
"""
TAKEN_APART = """
class Last:
    def __del__(self):
        print("taken apart")
kept = Last()
"""


def ended(before: str = "", word: str = "--version") -> tuple[int, list[str]]:
    """How a process ends that is one command, and what it has said."""
    code = STARTED.format(before=before, word=word)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.splitlines()[1:]


def test_who_asked_to_be_called_in_the_end_is_called() -> None:
    assert ended(LAST) == (0, ["the last word"])


def test_a_thread_that_goes_on_is_waited_for() -> None:
    assert ended(ON) == (0, ["went on"])


def test_what_was_imported_is_not_taken_apart() -> None:
    assert ended(TAKEN_APART) == (0, [])
    assert ended(TAKEN_APART + ON) == (0, ["went on", "taken apart"])


def test_a_wrong_command_ends_with_its_code() -> None:
    assert ended(LAST, "nothing")[0] == 2
