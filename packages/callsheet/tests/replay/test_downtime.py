"""The time in which nobody drives a run is not time that it spends running."""

from __future__ import annotations

import pytest
from tests.replay.carry_out import DOWN, carry_out
from tests.replay.generate import summary_of
from tests.replay.recordings import Recording, after, asked, shops

from callsheet.core.run import entries as e

SLOW = {"id": "first", "tool": "slow"}
RECORDING = Recording(
    name="downtime",
    steps=[SLOW, {"id": "second", "tool": "slow", "needs": ["first"]}],
    tools=shops,
    plan={"budget": {"seconds": 70}},
)


@pytest.mark.requirement("budget:seconds-count-running", "E11")
def test_the_time_between_a_death_and_a_recovery_is_not_counted() -> None:
    entries, _ = carry_out(RECORDING, [])
    assert summary_of(entries)["seconds"] == 60
    cut = next(n for n, x in enumerate(entries, 1) if after(e.AttemptEnded, "first")(x))
    again, _ = carry_out(RECORDING, entries[:cut])
    assert again[cut].at - entries[cut - 1].at >= DOWN
    assert isinstance(again[cut], e.RunRecovered)
    summary = summary_of(again)
    assert (summary["state"], summary["seconds"]) == ("succeeded", 60)


@pytest.mark.requirement("E11")
def test_a_run_that_waits_for_a_person_needs_no_word_about_its_recovery() -> None:
    recording = Recording(
        name="waiting",
        steps=[{"id": "ok", "ask": "Well?"}],
        tools=shops,
        reactions=(asked("ok", "fine"),),
    )
    entries, _ = carry_out(recording, [])
    again, _ = carry_out(recording, entries[:2])
    assert [type(x) for x in again] == [type(x) for x in entries]
