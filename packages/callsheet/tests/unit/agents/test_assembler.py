"""Calls put together from pieces: what providers send, and what it means."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.tools.ctx import FakeContext

from callsheet.agents.asking import Asking
from callsheet.agents.assembler import Assembler, read_arguments
from callsheet.agents.message import Call, Text, Thinking
from callsheet.agents.model import CallDelta, TextDelta
from callsheet.agents.naming import Names
from callsheet.agents.scanner import Scanner
from callsheet.agents.terms import Limits
from callsheet.tools.registry import Registry

if TYPE_CHECKING:
    from callsheet.core.value import Json

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


def same(name: str) -> str:
    return name


@given(st.dictionaries(st.text(), JSON), st.lists(st.integers(1, 7), min_size=1), st.booleans())
@pytest.mark.requirement("T1")
def test_the_end_of_an_object_is_found_however_it_is_cut(
    said: dict[str, object], sizes: list[int], ascii_only: bool
) -> None:
    text = " \n" + json.dumps(said, ensure_ascii=ascii_only)
    scanner, at, turn = Scanner(), 0, 0
    while at < len(text):
        assert scanner.end is None
        size = sizes[turn % len(sizes)]
        scanner.feed(text[at : at + size])
        at, turn = at + size, turn + 1
    assert scanner.end == len(text)
    scanner.feed("} trailing")
    assert scanner.end == len(text)


def test_what_begins_otherwise_never_ends() -> None:
    for text in ("[]", '"{}"', "12", "null{}"):
        scanner = Scanner()
        scanner.feed(text)
        assert scanner.end is None
        assert scanner.broken


# Five megabytes, each character once: the pieces are as small as providers make them.
@pytest.mark.slow
def test_five_megabytes_in_pieces_of_six_bytes_are_read_once() -> None:
    sentence = 'A plain and simple text, with a quote " and a bracket { in it. '
    text = json.dumps({"text": sentence * 80_000})
    scanner = Scanner()
    for at in range(0, len(text), 6):
        scanner.feed(text[at : at + 6])
    assert scanner.end == len(text) > 5_000_000
    assert json.loads(scanner.text)["text"].startswith(sentence)


def gathered(*pieces: CallDelta | TextDelta) -> tuple[Assembler, list[tuple[int, str | None]]]:
    assembler, ended = Assembler(same), []
    for piece in pieces:
        call = assembler.feed(piece)
        if call is not None:
            ended.append((call.number, call.first))
    return assembler, ended


@pytest.mark.requirement("T1")
def test_calls_that_interleave_each_end_when_their_own_arguments_do() -> None:
    assembler, ended = gathered(
        TextDelta(0, "Hm. "),
        CallDelta(1, "call_A", "w", '{"ci'),
        CallDelta(2, "call_B", "w", ""),
        CallDelta(1, "", "", 'ty":1}'),
        CallDelta(2, "", "", '{"x":2}'),
    )
    assert ended == [(1, '{"city":1}'), (2, '{"x":2}')]
    assert assembler.parts() == (
        Text(text="Hm. "),
        Call(id="call_A", name="w", arguments='{"city":1}'),
        Call(id="call_B", name="w", arguments='{"x":2}'),
    )


@pytest.mark.requirement("T1")
def test_one_index_many_calls() -> None:
    # huggingface/smolagents#1958
    assembler, ended = gathered(
        CallDelta(1, "call_A", "w", '{"a":1}'),
        CallDelta(1, "call_B", "v", '{"b"'),
        CallDelta(1, "call_B", "", ":2}"),
        CallDelta(1, "call_A", "", ""),
    )
    assert [each.id for each in assembler.calls] == ["call_A", "call_B"]
    assert [each.arguments for each in assembler.calls] == ['{"a":1}', '{"b":2}']
    assert len(ended) == 2


def test_an_empty_object_first_is_not_what_is_meant() -> None:
    assembler, _ = gathered(CallDelta(1, "c", "w", "{}"), CallDelta(1, "", "", '{"a": 1}'))
    assert assembler.calls[0].first == "{}"
    assert assembler.calls[0].arguments == '{"a": 1}'


def test_arguments_that_come_twice_are_the_same_arguments() -> None:
    assembler, _ = gathered(CallDelta(1, "c", "w", '{"a":1}'), CallDelta(1, "", "", '{"a":1}'))
    assert assembler.calls[0].arguments == '{"a":1}'


def test_what_follows_the_object_and_is_none_makes_it_wrong() -> None:
    assembler, _ = gathered(CallDelta(1, "c", "w", '{"a":1}'), CallDelta(1, "", "", "]"))
    assert assembler.calls[0].arguments == '{"a":1}]'
    assert read_arguments(assembler.calls[0].arguments) is None


def test_a_call_without_an_id_gets_one_and_keeps_a_late_one() -> None:
    assembler, _ = gathered(
        CallDelta(1, "pyd_ai_123", "w", ""),
        CallDelta(2, "", "v", '{"a":'),
        CallDelta(2, "late", "", "1}"),
        CallDelta(3, "", "u", "{}"),
        CallDelta(3, "", "u", '{"b":1}'),
    )
    assert [each.id for each in assembler.calls] == ["call_1", "late", "call_3", "call_4"]


def test_nothing_at_all_is_no_arguments_and_a_torn_text_is_none() -> None:
    assert read_arguments("") == {}
    for text in ('{"a":', "[]", "nonsense", "{" * 100_000):
        assert read_arguments(text) is None


def test_names_come_back_from_the_wire() -> None:
    long = "a." * 49 + "zz"
    tools = ["flights.book", "flights__book", "mail", long, long + "z", "a-b", "ü.x"]
    names = Names(tools)
    written = [names.written(tool) for tool in tools]
    assert len(set(written)) == len(tools)
    assert [names.meant(each) for each in written] == tools
    for each in written:
        assert len(each) <= 64
        assert each.replace("_", "").replace("-", "").isalnum()
        assert each.isascii()
    assert names.meant("never_offered") == "never_offered"
    assert names.to_json()["flights__book"] == "flights.book"


async def test_an_attempt_that_died_is_put_together_from_what_it_had_saved() -> None:
    ctx = FakeContext()
    asking = Asking(ctx, Registry(), [], Limits(), 1)
    call: Json = {
        "id": "c",
        "name": "w",
        "arguments": "{}",
        "step": "a1_c1",
        "digest": "d",
        "at": 4,
    }
    thought: Json = {"kind": "thinking", "text": "hm", "signature": "s", "provider": "p"}
    saved: Json = {"from": 3, "calls": [call], "thoughts": [thought]}
    assert await asking.restore(saved, "oldOne Two") == (
        Thinking(text="hm", signature="s", provider="p"),
        Text(text="One "),
        Call(id="c", name="w", arguments="{}"),
        Text(text="Two"),
    )
    assert [each.step for each in asking.asked] == ["a1_c1"]
