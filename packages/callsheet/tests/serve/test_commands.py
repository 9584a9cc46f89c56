"""The commands, asked of a service: they say what they say of a home.

The tests are those of the commands themselves; each runs here once more, over HTTP. Left out are
those that are about a home: what no process drives, what lies in its files, and which tools are
given to a command.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance import command, test_cli
from tests.acceptance.command import TOOLS
from tests.serve.threaded import KEY, threaded

from callsheet import load_tools

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# Each starts a service.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("S1", "S5")]

NOBODY_DRIVES = "a service drives what it has"
HOME = "about the files of a home"
OWN_TOOLS = "a service has its own tools"
LEFT_OUT = {
    "test_an_answer_for_a_run_that_nobody_drives_takes_effect_with_resume": NOBODY_DRIVES,
    "test_a_recorded_answer_cannot_be_given_twice_nor_be_a_wrong_one": NOBODY_DRIVES,
    "test_a_recorded_cancel_is_carried_out_by_resume_before_anything_starts": NOBODY_DRIVES,
    "test_a_run_that_nobody_drives_is_interrupted_everywhere_and_does_not_age": NOBODY_DRIVES,
    "test_runs_are_listed_newest_first": NOBODY_DRIVES,
    "test_watching_a_run_that_nobody_drives_ends_and_says_how_to_go_on": NOBODY_DRIVES,
    "test_replay_of_a_tampered_journal_exits_with_1_and_shows_the_difference": HOME,
    "test_gc_deletes_what_ended_long_ago_and_nothing_else": HOME,
    "test_a_backup_opens_as_a_home": HOME,
    "test_the_home_is_dot_callsheet_unless_said_otherwise": HOME,
    "test_the_shell_is_offered_only_when_it_is_allowed": OWN_TOOLS,
    "test_a_written_file_is_put_back_from_any_directory": OWN_TOOLS,
    "test_undo_needs_the_tools_and_says_so": OWN_TOOLS,
    "test_undo_has_the_tools_that_the_run_was_started_with": OWN_TOOLS,
    "test_a_step_is_shown_with_its_attempts_and_where_it_failed": OWN_TOOLS,
    "test_the_examples_check": OWN_TOOLS,
}
globals().update(
    {
        name: found
        for name, found in vars(test_cli).items()
        if name.startswith("test_") and name not in LEFT_OUT
    }
)


@pytest.fixture(autouse=True)
def _served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CLI_TEST_DIR", str(tmp_path))
    monkeypatch.setenv("CALLSHEET_HOME", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("CALLSHEET_KEY", KEY)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr(test_cli, "call", call)
    with threaded(tmp_path / "home", tools=load_tools(TOOLS)) as served:
        monkeypatch.setenv("CALLSHEET_SERVER", served.url)
        yield


def call(*words: Any) -> command.Done:
    """A command; its tools are the service's."""
    said = list(words)
    while "--tools" in said:
        at = said.index("--tools")
        del said[at : at + 2]
    return command.call(*said)
