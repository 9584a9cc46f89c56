"""Entries: one line each, told apart by their kind, read back as they were."""

from __future__ import annotations

import typing
from datetime import UTC, datetime

import msgspec
import pytest
from msgspec import Raw

from callsheet.core.plan.plan import Cost
from callsheet.core.run import entries as e
from callsheet.core.run import fold
from callsheet.core.run.fold import HANDLERS
from callsheet.core.run.unknown import decode_some

AT = datetime(2026, 1, 1, 12, 30, 0, 250, tzinfo=UTC)


def test_an_entry_is_one_line_that_names_its_kind() -> None:
    line = e.encode(e.StepDecided(at=AT, step="a", verdict="skip", reason="when\nis false"))
    assert line == (
        b'{"kind":"StepDecided","step":"a","verdict":"skip","reason":"when\\nis false",'
        b'"at":"2026-01-01T12:30:00.000250Z"}'
    )


def test_values_stand_in_an_entry_as_the_json_they_are() -> None:
    entry = e.AttemptEnded(
        at=AT, step="a", attempt=1, outcome="succeeded", output=Raw(b'{"x":1.50}'), cost=Cost(usd=1)
    )
    assert b'"output":{"x":1.50}' in e.encode(entry)
    assert e.decode(e.encode(entry)) == entry


@pytest.mark.requirement("E22")
def test_what_is_missing_means_the_default() -> None:
    line = (
        b'{"kind":"AttemptEnded","at":"2026-01-01T00:00:00Z","step":"a","attempt":1,'
        b'"outcome":"lost"}'
    )
    entry = e.decode(line)
    assert isinstance(entry, e.AttemptEnded)
    assert entry.output == e.NULL
    assert (entry.error, entry.undo, entry.abandoned) == (None, None, False)


@pytest.mark.requirement("E22")
def test_fields_of_a_newer_version_are_refused_and_left_out_only_where_one_looks() -> None:
    line = '{"kind":"RunPaused","at":"2026-01-01T00:00:00Z","mood":"calm"}'
    with pytest.raises(msgspec.ValidationError, match="mood"):
        e.decode(line.encode())
    found, damage = decode_some([(1, line)])
    assert found == [e.RunPaused(at=datetime(2026, 1, 1, tzinfo=UTC))]
    assert damage is None


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{}",
        b'{"kind":"Unheard","at":"2026-01-01T00:00:00Z"}',
        b'{"kind":"RunPaused"}',
        b'{"kind":"StepExpanded","at":"2026-01-01T00:00:00Z","step":"a","count":"two"}',
    ],
)
def test_what_is_no_entry_is_refused(line: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        e.decode(line)


def test_every_kind_of_entry_is_folded() -> None:
    assert fold.fold is not None, "importing it registers all of them"
    assert set(typing.get_args(e.AnyEntry)) == set(HANDLERS)
