"""An answer that is no success says whether anything was ordered, and never claims to know more."""

from __future__ import annotations

import pytest

from callsheet.errors import (
    DeniedError,
    InputError,
    InvalidError,
    NotDoneError,
    RateLimitedError,
    ToolError,
    TransientError,
)
from callsheet_studio.providers.answers import Complaint, error_for, lost
from callsheet_studio.providers.opening import checked_key

pytestmark = pytest.mark.requirement("P11")

MEANS: list[tuple[int, str, type[ToolError]]] = [
    (400, "", InvalidError),
    (404, "model_not_found", InvalidError),
    (422, "", InvalidError),
    (400, "billing_hard_limit_reached", DeniedError),
    (401, "invalid_api_key", DeniedError),
    (401, "quota_exceeded", DeniedError),
    (402, "", DeniedError),
    (403, "", DeniedError),
    (403, "content_against_policy", InvalidError),
    (307, "", DeniedError),
    (429, "", RateLimitedError),
    (429, "insufficient_quota", DeniedError),
    (503, "server_is_overloaded", NotDoneError),
    (408, "", TransientError),
    (500, "", TransientError),
    (503, "", TransientError),
    (504, "", TransientError),
]


@pytest.mark.parametrize(("status", "word", "kind"), MEANS)
def test_a_status_and_a_word_mean_one_error(status: int, word: str, kind: type[ToolError]) -> None:
    found = error_for("Service", Complaint(status=status, words=frozenset({word}), text="Why."))
    assert type(found) is kind
    assert found.message == f"Service answered {status}: Why."


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "9", "retry-after-ms": "1500"}, 1.5),
        (
            {
                "retry-after": "Wed, 01 May 2024 10:01:30 GMT",
                "date": "Wed, 01 May 2024 10:00:00 GMT",
            },
            90.0,
        ),
        ({"retry-after": "Wed, 01 May 2024 10:01:30 GMT"}, None),
        ({"retry-after": "soon"}, None),
        ({}, None),
    ],
)
def test_when_to_come_back_is_read_as_it_is_said(
    headers: dict[str, str], seconds: float | None
) -> None:
    found = error_for("Service", Complaint(status=429, headers=headers))
    assert found.retry_after == seconds


def test_a_long_complaint_is_cut() -> None:
    found = error_for("Service", Complaint(status=400, text="word\n" * 1000))
    assert len(found.message) < 350
    assert "\n" not in found.message


def test_what_an_sdk_does_not_say_is_in_doubt() -> None:
    assert not lost("Service", None).nothing_happened
    assert not lost("Service", RuntimeError("odd")).nothing_happened


@pytest.mark.parametrize("key", ["", "  ", "two words", "schlüssel", "a\nb"])
def test_a_key_that_cannot_be_sent_is_found_before_anything_is(key: str) -> None:
    with pytest.raises(InputError, match="key for Service"):
        checked_key("Service", key)


def test_a_key_is_taken_without_the_line_end_it_was_copied_with() -> None:
    assert checked_key("Service", "sk-1\n") == "sk-1"
