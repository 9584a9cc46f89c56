"""The way to a service: once, to its address, and with what became of it."""

from __future__ import annotations

import contextlib
import gzip
import socket
from typing import TYPE_CHECKING

import httpx
import pytest
from tests.providers.service import KEY, Answer, Asked, Service, serving
from typing_extensions import override

from callsheet.errors import (
    DeniedError,
    FatalError,
    InputError,
    InvalidError,
    NotDoneError,
    RateLimitedError,
    TransientError,
)
from callsheet_studio.providers import http
from callsheet_studio.providers.http import AnsweredError, Doing, Wire, needed, told

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

pytestmark = pytest.mark.requirement("P11")


class Anything(Service):
    """Answers what it is told to."""

    def __init__(self, answer: Callable[[Asked], Answer]) -> None:
        super().__init__()
        self._answers = answer

    @override
    def answer(self, asked: Asked) -> Answer:
        self.requests.append(asked)
        return self._answers(asked)


@contextlib.asynccontextmanager
async def wired(answer: Callable[[Asked], Answer]) -> AsyncIterator[tuple[Anything, Wire]]:
    service = Anything(answer)
    async with serving(service):
        wire = Wire("A service", service.base_url)
        try:
            yield service, wire
        finally:
            await wire.aclose()


async def asked(wire: Wire, doing: Doing) -> None:
    client = wire.client(Authorization=f"Bearer {KEY}")
    with told("A service", doing):
        await client.post(wire.base.join("/things"), json={})


DONE: tuple[Doing, ...] = ("submit", "look", "fetch", "cancel")
ERRORS: list[tuple[int, dict[Doing, type[Exception]]]] = [
    (400, {"submit": InvalidError, "look": FatalError, "fetch": NotDoneError}),
    (401, {"submit": DeniedError, "look": DeniedError, "cancel": DeniedError}),
    (402, {"submit": DeniedError, "look": DeniedError, "fetch": NotDoneError}),
    (403, {"submit": DeniedError, "fetch": NotDoneError}),
    (404, {"submit": InvalidError, "look": FatalError, "fetch": NotDoneError}),
    (408, {"submit": TransientError, "look": TransientError}),
    (410, {"look": FatalError}),
    (422, {"submit": InvalidError}),
    (429, {"submit": RateLimitedError, "look": TransientError, "cancel": TransientError}),
    (500, {"submit": TransientError, "look": TransientError, "cancel": TransientError}),
    (503, {"submit": TransientError, "look": TransientError, "fetch": NotDoneError}),
    (302, {"submit": DeniedError}),
]


@pytest.mark.parametrize(
    ("status", "doing", "error"),
    [(status, doing, error) for status, row in ERRORS for doing, error in row.items()],
)
async def test_each_status_has_one_meaning_for_each_thing_that_is_done(
    status: int, doing: Doing, error: type[Exception]
) -> None:
    def answer(_: Asked) -> Answer:
        headers = {"Retry-After": "7", "Location": "/elsewhere"}
        return Answer(
            status=status, content={"error": {"message": "It says why."}}, headers=headers
        )

    async with wired(answer) as (service, wire):
        with pytest.raises(error, match=rf"A service answered {status}: It says why") as caught:
            await asked(wire, doing)
        assert type(caught.value) is error
        assert len(service.requests) == 1


@pytest.mark.parametrize("status", [400, 404, 409, 410, 422])
async def test_a_cancellation_that_comes_too_late_is_no_error(status: int) -> None:
    async with wired(lambda _: Answer(status=status, content={})) as (service, wire):
        await asked(wire, "cancel")
        assert len(service.requests) == 1


async def test_when_to_come_back_is_passed_on() -> None:
    limited = Answer(status=429, content={}, headers={"Retry-After": "7"})
    async with wired(lambda _: limited) as (_, wire):
        for doing in DONE:
            with pytest.raises((RateLimitedError, TransientError)) as caught:
                await asked(wire, doing)
            assert caught.value.retry_after == 7.0


@pytest.mark.parametrize(
    "said",
    [
        "You do not have enough credits to run this task.",
        "Insufficient credits",
        "User is locked. Reason: Exhausted balance.",
    ],
)
async def test_an_empty_account_is_no_wrong_order_even_if_it_is_answered_with_400(
    said: str,
) -> None:
    async with wired(lambda _: Answer(status=400, content={"error": said})) as (_, wire):
        with pytest.raises(DeniedError, match=said.rstrip(".")):
            await asked(wire, "submit")


async def test_credits_that_roll_are_no_empty_account() -> None:
    said = {"error": "promptText: The credits roll over a balance of light."}
    async with wired(lambda _: Answer(status=400, content=said)) as (_, wire):
        with pytest.raises(InvalidError):
            await asked(wire, "submit")


async def test_a_wrong_key_is_denied_even_if_it_is_answered_with_400() -> None:
    said = {"error": {"message": "It is wrong.", "details": [{"reason": "API_KEY_INVALID"}]}}
    async with wired(lambda _: Answer(status=400, content=said)) as (_, wire):
        with pytest.raises(DeniedError):
            await asked(wire, "submit")


async def test_a_key_that_an_error_repeats_is_not_shown() -> None:
    said = {"detail": [{"msg": f"There is no account for {KEY}."}]}
    async with wired(lambda _: Answer(status=401, content=said)) as (_, wire):
        with pytest.raises(DeniedError, match=r"no account for \[key\]") as caught:
            await asked(wire, "submit")
    assert KEY not in str(caught.value)


async def test_an_error_without_words_still_says_its_status() -> None:
    page = Answer(status=502, content=b"<html>", headers={"Content-Type": "text/html"})
    async with wired(lambda _: page) as (_, wire):
        with pytest.raises(TransientError, match=r"A service answered 502\."):
            await asked(wire, "submit")


async def test_an_error_in_plain_text_is_passed_on() -> None:
    plain = Answer(status=400, content=b"No such thing.", headers={"Content-Type": "text/plain"})
    async with wired(lambda _: plain) as (_, wire):
        with pytest.raises(InvalidError, match=r"answered 400: No such thing\."):
            await asked(wire, "submit")


async def test_a_request_that_went_out_may_have_been_served() -> None:
    async with wired(lambda _: Answer(lost=True)) as (service, wire):
        with pytest.raises(TransientError, match="did not answer") as caught:
            await asked(wire, "submit")
        assert not caught.value.nothing_happened
        assert len(service.requests) == 1


async def test_a_service_that_takes_too_long_may_have_served_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(http, "TIMEOUT", httpx.Timeout(5.0, read=0.05))
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        wire = Wire("A service", f"http://127.0.0.1:{deaf.getsockname()[1]}")
        with pytest.raises(TransientError, match="ReadTimeout") as caught:
            await asked(wire, "submit")
        await wire.aclose()
    assert not caught.value.nothing_happened


async def test_nobody_there_means_that_nothing_happened() -> None:
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]
    wire = Wire("A service", f"http://127.0.0.1:{port}")
    for doing in DONE:
        with pytest.raises(NotDoneError, match="cannot be reached"):
            await asked(wire, doing)
    await wire.aclose()


async def test_the_key_goes_nowhere_else() -> None:
    async with wired(lambda _: Answer(content={})) as (service, wire):
        client = wire.client(Authorization=KEY)
        for place in ("https://elsewhere.example/x", f"{wire.base}".replace("http:", "https:")):
            with pytest.raises(DeniedError, match="stays where it belongs"), told("A", "look"):
                await client.get(place)
        assert service.requests == []


async def test_a_host_that_an_sdk_insists_on_is_replaced() -> None:
    async with wired(lambda _: Answer(content={})) as (service, wire):
        other = Wire("A service", f"{wire.base}/under/", instead_of="queue.example")
        await other.client().get("https://queue.example/a/b?c=d")
        await other.aclose()
    assert [(each.path, each.query) for each in service.requests] == [("/under/a/b", {"c": ["d"]})]
    assert service.requests[0].headers["host"] == service.base_url.removeprefix("http://")


@pytest.mark.parametrize("place", ["ftp://a.example", "nonsense", ""])
def test_what_is_no_web_address_is_no_service(place: str) -> None:
    with pytest.raises(InputError, match="not a web address"):
        Wire("A service", place)


async def test_a_file_is_fetched_over_redirects_and_without_the_key() -> None:
    def answer(asked: Asked) -> Answer:
        if asked.path == "/file":
            return Answer(status=302, content={}, headers={"Location": "/there"})
        return Answer(content=b"a clip")

    async with wired(answer) as (service, wire):
        wire.client(Authorization=KEY)
        assert await wire.download(f"{service.base_url}/file") == b"a clip"
        assert all("authorization" not in each.headers for each in service.requests)


@pytest.mark.parametrize("status", [403, 404, 500])
async def test_a_file_that_is_not_handed_out_is_asked_for_later(status: int) -> None:
    async with wired(lambda _: Answer(status=status, content=b"no")) as (service, wire):
        with pytest.raises(NotDoneError, match=f"answered {status}"):
            await wire.download(f"{service.base_url}/file")


async def test_a_file_that_breaks_off_or_is_empty_is_none() -> None:
    answers = [Answer(lost=True), Answer(content=b"")]
    async with wired(lambda _: answers.pop(0)) as (service, wire):
        for _ in range(2):
            with pytest.raises(NotDoneError):
                await wire.download(f"{service.base_url}/file")


@pytest.mark.parametrize(
    "place",
    ["http://elsewhere.example/file", "file:///etc/passwd", "nothing", "https://", "http://[::"],
)
async def test_only_addresses_that_are_safe_are_fetched(place: str) -> None:
    moved = Answer(status=302, content={}, headers={"Location": place})
    async with wired(lambda _: moved) as (service, wire):
        with pytest.raises(FatalError):
            await wire.download(place)
        if place != "nothing":
            with pytest.raises(FatalError):
                await wire.download(f"{service.base_url}/file")


async def test_redirects_in_circles_end() -> None:
    again = Answer(status=302, content={}, headers={"Location": "/file"})
    async with wired(lambda _: again) as (service, wire):
        with pytest.raises(FatalError, match="in circles"):
            await wire.download(f"{service.base_url}/file")
        assert len(service.requests) == http.MOST_REDIRECTS


async def test_what_was_packed_is_unpacked_and_counted_so(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = gzip.compress(b"x" * 1000)
    zipped = Answer(content=packed, headers={"Content-Encoding": "gzip"})
    async with wired(lambda _: zipped) as (service, wire):
        assert await wire.download(f"{service.base_url}/file") == b"x" * 1000
        monkeypatch.setattr(http, "LARGEST", 999)
        with pytest.raises(FatalError, match="more than 999 bytes"):
            await wire.download(f"{service.base_url}/file")


async def test_more_than_a_memory_holds_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "LARGEST", 10)
    async with wired(lambda _: Answer(content=b"x" * 11)) as (service, wire):
        with pytest.raises(FatalError, match="more than 10 bytes"):
            await wire.download(f"{service.base_url}/file")


def test_what_an_sdk_wraps_is_found() -> None:
    inner = NotDoneError("It was not sent.")
    with pytest.raises(NotDoneError) as caught, told("A service", "submit"):
        raise RuntimeError("Connection error.") from inner
    assert caught.value is inner


def test_what_nobody_knows_may_have_been_ordered() -> None:
    with (
        pytest.raises(TransientError, match="A service: KeyError: 'id'") as caught,
        told("A service", "submit"),
    ):
        raise KeyError("id")
    assert not caught.value.nothing_happened


def test_a_package_that_is_missing_says_how_it_is_installed() -> None:
    assert "pip install 'callsheet-studio[providers]'" in needed("runwayml", "Runway API").message


def test_an_answer_keeps_the_words_that_say_why() -> None:
    request = httpx.Request("GET", "http://a.example")
    content = {"detail": [{"type": "content_policy_violation", "msg": "Flagged."}]}
    complaint = http._complaint(httpx.Response(422, json=content, request=request))  # noqa: SLF001 -- its only user raises it
    assert "content_policy_violation" in complaint.words
    assert str(AnsweredError(complaint)) == "422: Flagged."
