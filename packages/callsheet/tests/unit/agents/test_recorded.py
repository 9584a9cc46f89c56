"""Tapes: what was recorded is told again; what was not is compared with what was."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING

import pytest

from callsheet.agents.message import UserMessage
from callsheet.agents.model import Request, Response
from callsheet.agents.recorded import RecordedModel, RecordingModel
from callsheet.errors import InputError, InvalidError
from callsheet.testing.models import Say, ScriptedModel, Think, calls

if TYPE_CHECKING:
    from pathlib import Path

    from callsheet.agents.model import Model, Streamed


def asking(text: str = "Weather?", **settings: int) -> Request:
    return Request(
        model="writer", messages=(UserMessage(text=text),), settings={"seed": 1, **settings}
    )


async def told(model: Model, request: Request) -> list[Streamed]:
    async with aclosing(model.stream(request)) as stream:
        return [piece async for piece in stream]


@pytest.fixture
async def tape(tmp_path: Path) -> Path:
    path = tmp_path / "tape.jsonl"
    script = ScriptedModel(
        [Think("Hm."), Say("Looking. ", split=3), *calls("c1", "w", {"city": "Oslo"}, split=4)]
    )
    await told(RecordingModel(script, path), asking())
    return path


@pytest.mark.requirement("E13")
async def test_a_tape_tells_the_same_in_the_same_pieces(tape: Path) -> None:
    script = ScriptedModel(
        [Think("Hm."), Say("Looking. ", split=3), *calls("c1", "w", {"city": "Oslo"}, split=4)]
    )
    first = await told(script, asking())
    again = await told(RecordedModel(tape), asking(seed=99))
    assert again[:-1] == first[:-1]
    assert isinstance(again[-1], Response)
    assert again[-1].parts == first[-1].parts  # type: ignore[union-attr]


async def test_what_was_never_recorded_shows_the_nearest(tape: Path) -> None:
    with pytest.raises(InvalidError) as found:
        await told(RecordedModel(tape), asking("Weather in Rome?"))
    assert '-            "text": "Weather?"' in found.value.message.replace("  ", "  ") or (
        "Weather?" in found.value.message
    )
    assert "Weather in Rome?" in found.value.message


async def test_what_is_no_tape_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Cannot read the recording"):
        RecordedModel(tmp_path / "none.jsonl")
    (tmp_path / "bad.jsonl").write_text("nonsense\n")
    with pytest.raises(InputError, match="is no recording"):
        RecordedModel(tmp_path / "bad.jsonl")
    (tmp_path / "empty.jsonl").write_text("\n")
    with pytest.raises(InvalidError, match="has no answers on it"):
        await told(RecordedModel(tmp_path / "empty.jsonl"), asking())
