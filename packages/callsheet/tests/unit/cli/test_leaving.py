"""The end of a command: orderly, and nothing that was said or asked for is lost."""

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
try:
    main()
finally:
    print("unwound")
"""
LAST = 'atexit.register(lambda: print("the last word", flush=False))'
ON = """
def go_on():
    threading.main_thread().join()
    print("went on")
threading.Thread(target=go_on).start()
"""


def ended(before: str = "", word: str = "--version") -> tuple[int, list[str]]:
    """How a process ends that is one command, and what it has said."""
    code = STARTED.format(before=before, word=word)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.splitlines()[1:]


def test_whoever_called_the_command_is_unwound() -> None:
    assert ended() == (0, ["unwound"])


def test_who_asked_to_be_called_in_the_end_is_called() -> None:
    assert ended(LAST) == (0, ["unwound", "the last word"])


def test_a_thread_that_goes_on_is_waited_for() -> None:
    assert ended(ON) == (0, ["unwound", "went on"])


def test_a_wrong_command_ends_with_its_code() -> None:
    assert ended(LAST, "nothing")[0] == 2
