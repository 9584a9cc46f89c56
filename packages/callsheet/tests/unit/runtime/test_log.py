"""The log: names that are listed, fields that say which call, and nobody's secrets."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest
import structlog
from tests.acceptance.pages import names_in, tables
from tests.acceptance.stage import a_plan, carry_out

from callsheet import Context, Engine, Step, tool
from callsheet.core.value import Json
from callsheet.runtime import log as module
from callsheet.runtime.log import LazyLog

pytestmark = pytest.mark.requirement("E20")

SOURCE = Path(module.__file__).parents[1]


def said_in(path: Path) -> set[str]:
    """The events that a module says: the first argument of every call on something called log."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Call(
                func=ast.Attribute(
                    value=ast.Name(id="log") | ast.Attribute(attr="log"),
                    attr="debug" | "info" | "warning" | "error",
                ),
                args=[ast.Constant(value=str(name)), *_],
            ):
                found.add(name)
            case _:
                pass
    return found


# Every module is parsed.
@pytest.mark.slow
def test_every_event_is_on_the_page_and_nothing_else() -> None:
    said = set().union(*(said_in(path) for path in SOURCE.rglob("*.py")))
    rows = tables("docs/reference/observability.md")["Log"]
    assert sorted(names_in(row[0])[0] for row in rows) == sorted(said)
    assert {"alert.raised", "run.left"} <= said


def test_a_line_of_json_says_when_how_bad_what_and_which_call(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(module.FORMAT, "json")
    LazyLog(run="r1", step="a", attempt=2).warning("tool.killed", grace=10.0)
    said = json.loads(capsys.readouterr().err)
    assert said.pop("timestamp").endswith("Z")
    assert said == {
        "event": "tool.killed",
        "level": "warning",
        "run": "r1",
        "step": "a",
        "attempt": 2,
        "grace": 10.0,
    }


def test_text_is_for_people_and_goes_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    LazyLog(run="r1").info("something.happened", more=1)
    out, err = capsys.readouterr()
    assert not out
    assert "something.happened" in err
    assert "run=r1" in err
    assert "\x1b[" not in err


@pytest.mark.parametrize(
    ("level", "heard"),
    [("debug", 2), ("info", 2), ("warning", 1), ("error", 0), ("", 2), ("loud", 2)],
)
def test_what_is_below_the_level_is_not_said(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, level: str, heard: int
) -> None:
    monkeypatch.setenv(module.LEVEL, level)
    log = LazyLog()
    log.info("one")
    log.warning("two")
    assert len(capsys.readouterr().err.splitlines()) == heard


def breaks(password: str) -> None:
    length = len(password)
    raise RuntimeError("broken" if length else password)


@pytest.mark.parametrize("form", module.FORMATS)
def test_a_traceback_shows_no_values(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    monkeypatch.setenv(module.FORMAT, form)
    try:
        breaks("s3" + "cret")
    except RuntimeError:
        LazyLog().warning("run.broken", exc_info=True)
    err = capsys.readouterr().err
    assert "RuntimeError: broken" in err
    assert "s3cret" not in err


def test_a_program_that_has_configured_structlog_gets_the_events_its_own_way(
    capsys: pytest.CaptureFixture[str],
) -> None:
    heard: list[structlog.typing.EventDict] = []

    def keep(
        _logger: object, _method: str, event: structlog.typing.EventDict
    ) -> structlog.typing.EventDict:
        heard.append(dict(event))
        raise structlog.DropEvent

    structlog.configure(processors=[keep])
    try:
        LazyLog(run="r1").warning("x.y", more=1)
    finally:
        structlog.reset_defaults()
    assert heard == [{"event": "x.y", "run": "r1", "more": 1}]
    assert not capsys.readouterr().err


async def test_what_a_tool_says_names_its_run_step_and_attempt_and_not_its_arguments(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(module.FORMAT, "json")

    @tool(effect="read")
    async def speak(word: str, ctx: Context) -> Json:
        ctx.log.info("spoken", length=len(word))
        return None

    async with Engine.in_memory([speak]) as engine:
        result = await carry_out(
            engine, a_plan(Step(id="a", tool="speak", args={"word": "s3cret"}))
        )
    (line,) = capsys.readouterr().err.splitlines()
    said = json.loads(line)
    assert (said["run"], said["step"], said["attempt"]) == (result.run, "a", 1)
    assert (said["event"], said["length"]) == ("spoken", 6)
    assert "s3cret" not in line


async def test_a_secret_that_a_tool_logs_is_said_by_its_name(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(module.FORMAT, "json")

    @tool(effect="read")
    async def leak(key: str, ctx: Context) -> Json:
        ctx.log.warning("leaked", text=f"with {key}", list=[1, key], other=[1, 2])
        return None

    async with Engine.in_memory([leak], secrets={"TOKEN": "tok-s3cret"}) as engine:
        step = Step(id="a", tool="leak", args={"key": "${secrets.TOKEN}"})
        await carry_out(engine, a_plan(step))
    err = capsys.readouterr().err
    said = json.loads(err)
    assert said["text"] == "with ${secrets.TOKEN}"
    assert said["list"] == "[1, '${secrets.TOKEN}']"
    assert said["other"] == [1, 2]
    assert "s3cret" not in err
