"""Answers that are the thing itself are held until they are fetched, and are never too many."""

from __future__ import annotations

import pytest

from callsheet.errors import NotDoneError
from callsheet_studio.providers import held as module
from callsheet_studio.providers.held import Held, mark_of
from callsheet_studio.providers.port import Order

pytestmark = pytest.mark.requirement("P11")

LINE = Order(kind="speech", model="m", text="Come aboard.", voice="v")


def test_what_is_held_is_made_and_can_be_fetched_again() -> None:
    held = Held("Service")
    held.keep("job", "mark", b"said")

    progress = held.look("job")
    assert progress is not None
    assert progress.state == "made"
    assert [held.fetch(progress.place), held.fetch(progress.place)] == [b"said", b"said"]
    assert (held.look("other"), held.fetch("other")) == (None, None)


def test_what_was_not_fetched_is_never_dropped_and_keeps_more_from_being_ordered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MOST", 8)
    held = Held("Service")
    held.keep("first", "1", b"four")
    held.make_room()
    held.keep("second", "2", b"more")

    with pytest.raises(NotDoneError, match="2 answers"):
        held.make_room()
    assert (held.look("first"), held.look("second")) != (None, None)
    assert held.fetch("first") == b"four"
    held.make_room()
    assert held.look("first") is None
    assert held.look("second") is not None


def test_what_is_not_wanted_any_more_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 4)
    held = Held("Service")
    held.keep("job", "mark", b"said")
    held.release("job")
    assert held.look("job") is not None
    held.make_room()
    assert held.look("job") is None
    assert held.job_of("mark") is None


def test_the_same_order_of_the_same_step_is_known_by_its_mark() -> None:
    held = Held("Service")
    held.keep("job", mark_of(LINE, None, "run:step"), b"said")

    assert held.job_of(mark_of(LINE, None, "run:step")) == "job"
    others = [
        mark_of(LINE, None, "run:other"),
        mark_of(LINE, b"picture", "run:step"),
        mark_of(LINE.model_copy(update={"text": "Come back."}), None, "run:step"),
    ]
    assert [held.job_of(each) for each in others] == [None, None, None]
