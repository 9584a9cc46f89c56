"""Programs as tools."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.tools.ctx import PATIENCE, FakeContext
from tests.unit.tools.test_process import wait_dead

from callsheet import errors
from callsheet.tools.outside.program import program_tool
from callsheet.tools.registry import Registry

if TYPE_CHECKING:
    from pathlib import Path

    from callsheet.tools.registry import AnyTool

# Prints each of its arguments in brackets, on a line of its own.
SHOW = ["/bin/sh", "-c", 'for word; do echo "[$word]"; done', "show"]


async def call(tool: AnyTool, ctx: FakeContext | None = None, **args: Any) -> Any:
    async with asyncio.timeout(PATIENCE):
        return await Registry([tool]).call(tool.spec.name, args, ctx or FakeContext())


def script(text: str, **terms: Any) -> AnyTool:
    terms.setdefault("effect", "read")
    return program_tool("p", ["/bin/sh", "-c", text], **terms)


# Arguments


@pytest.mark.requirement("E6")
@pytest.mark.parametrize(
    "path", ["a b", "x; rm -rf /", "$(id)", "`id`", "*", "'\"", "${args.path}", "$HOME", "", "a\nb"]
)
async def test_an_argument_stays_one_word_whatever_it_holds(path: str) -> None:
    tool = program_tool("p", [*SHOW, "${args.path}", "in=${args.path}"])
    assert await call(tool, path=path) == f"[{path}]\n[in={path}]\n"


@pytest.mark.parametrize("path", ["-rf", "--output=/etc/passwd", "-"])
async def test_a_text_that_looks_like_an_option_is_refused_where_it_could_be_one(path: str) -> None:
    for form in ("${args.path}", "${args.path}.mp4"):
        with pytest.raises(errors.InvalidError, match="begins with '-'"):
            await call(program_tool("p", [*SHOW, form]), path=path)
    several = program_tool("p", [*SHOW, "${args.path}"], args={"path": "array"})
    with pytest.raises(errors.InvalidError, match="begins with '-'"):
        await call(several, path=["a", path])
    assert await call(program_tool("p", [*SHOW, "--", "${args.path}"]), path=path)
    assert await call(program_tool("p", [*SHOW, "--in=${args.path}"]), path=path)


async def test_numbers_lists_defaults_and_nulls_become_words() -> None:
    tool = program_tool(
        "p",
        [*SHOW, "${args.n}", "${args.files}", "--size=${args.size}", "${args.on}", "${key}"],
        args={
            "files": {"type": "array", "items": {"type": "string"}},
            "size": {"type": ["integer", "null"], "default": None},
            "on": {"type": "boolean", "default": True},
        },
        output="lines",
    )
    found = await call(tool, n=-1.5, files=["a b", "c"])
    assert found == ["[-1.5]", "[a b]", "[c]", "[true]", "[key-1]"]
    assert "[--size=3]" in await call(tool, n=1, files=[], size=3)


async def test_a_blank_may_look_inside_an_argument() -> None:
    tool = program_tool("p", [*SHOW, "${args.output.id}"])
    assert await call(tool, output={"id": 7}) == "[7]\n"
    with pytest.raises(errors.InvalidError, match=r"args\.output\.id is missing"):
        await call(tool, output={})


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        ({}, "args.path: it is missing"),
        ({"path": "a", "pth": "b"}, "args.pth: there is no such argument"),
        ({"path": ["a"]}, "args.path: it has the wrong type"),
        ({"path": "a\0b"}, "NUL"),
    ],
)
async def test_arguments_that_do_not_fit_are_refused_without_their_values(
    args: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(errors.InvalidError) as caught:
        await call(program_tool("p", [*SHOW, "${args.path}"]), **args)
    assert complaint in caught.value.message


# Input and output


async def test_stdin_is_the_arguments_as_json_or_a_text() -> None:
    echo = program_tool("p", ["cat"], stdin="json", output="json", args={"a": "array"})
    assert await call(echo, a=[1, None]) == {"a": [1, None]}
    assert await call(program_tool("p", ["cat"], stdin="<${args.text}>"), text="é") == "<é>"
    # It finds the end of its input at once.
    assert await call(program_tool("p", ["cat"])) == ""


async def test_large_input_is_written_as_fast_as_it_is_read_and_need_not_be() -> None:
    text = "x" * 3_000_000
    count = program_tool("p", ["wc", "-c"], stdin="${args.text}", output="json")
    assert await call(count, text=text) == len(text)
    assert await call(script("echo enough", stdin="${args.text}"), text=text) == "enough\n"


async def test_output_that_is_not_json_is_fatal_and_leaves_a_write_in_doubt() -> None:
    with pytest.raises(errors.FatalError, match="not JSON") as caught:
        await call(script("echo '{'", output="json"))
    assert caught.value.nothing_happened
    with pytest.raises(errors.FatalError, match="not JSON") as caught:
        await call(script("echo '{'", output="json", effect="write"))
    assert not caught.value.nothing_happened


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
async def test_a_program_that_prints_too_much_is_killed(stream: str) -> None:
    endless = [sys.executable, "-c", f"import sys\nwhile True: sys.{stream}.write('x' * 4096)"]
    with pytest.raises(errors.FatalError, match=f"more than 10,000 bytes on {stream}") as caught:
        await call(program_tool("p", endless, max_bytes=10_000, effect="read"))
    assert caught.value.nothing_happened
    with pytest.raises(errors.FatalError) as caught:
        await call(program_tool("p", endless, max_bytes=10_000, effect="write"))
    assert not caught.value.nothing_happened


# Ends


@pytest.mark.requirement("E7")
@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("transient", errors.NotDoneError),
        ("rate_limited", errors.RateLimitedError),
        ("timeout", errors.ToolTimeoutError),
        ("invalid", errors.InvalidError),
        ("denied", errors.DeniedError),
        ("fatal", errors.FatalError),
    ],
)
async def test_an_exit_code_means_what_is_declared(word: str, kind: type[errors.ToolError]) -> None:
    with pytest.raises(errors.ToolError, match="exited with code 75: busy") as caught:
        await call(script("echo busy >&2; exit 75", exits={75: word}, effect="write"))
    assert type(caught.value) is kind


@pytest.mark.requirement("E7", "E10")
async def test_any_other_exit_code_is_fatal_and_leaves_a_write_in_doubt() -> None:
    for text, how in (("exit 3", "exited with code 3"), ("kill -9 $$", "was killed by SIGKILL")):
        with pytest.raises(errors.FatalError, match=how) as caught:
            await call(script(text, exits={75: "transient"}))
        assert caught.value.nothing_happened
        with pytest.raises(errors.FatalError, match=how) as caught:
            await call(script(text, exits={75: "transient"}, effect="write"))
        assert not caught.value.nothing_happened


async def test_only_the_end_of_a_long_complaint_is_shown() -> None:
    with pytest.raises(errors.FatalError) as caught:
        await call(script("yes no | head -n 5000 >&2; echo last >&2; exit 1"))
    assert caught.value.message.endswith("no\nlast.")
    assert len(caught.value.message) < 2100


# Surroundings


async def test_a_program_sees_the_environment_it_is_declared_to_see_and_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MINE", "m")
    monkeypatch.setenv("HIDDEN", "h")
    monkeypatch.setenv("LANG", "C")
    show = "import os, json; print(json.dumps(dict(os.environ)))"
    argv = [sys.executable, "-c", show]
    seen = await call(program_tool("p", argv, env=["MINE", "NOT_SET"], output="json"))
    assert (seen["MINE"], seen["PATH"], seen["LANG"]) == ("m", os.environ["PATH"], "C")
    assert seen.keys().isdisjoint({"HIDDEN", "NOT_SET"})
    env = {"A": "${args.a}!", "B": "${env.HIDDEN}", "C": ""}
    seen = await call(program_tool("p", argv, env=env, output="json"), a="x")
    assert (seen["A"], seen["B"], seen["C"]) == ("x!", "h", "")
    assert "MINE" not in seen


async def test_a_secret_of_the_environment_is_needed_and_not_repeated_in_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tool = script('echo "bad token $TOKEN" >&2; exit 1', env={"TOKEN": "${env.API_TOKEN}"})
    monkeypatch.delenv("API_TOKEN", raising=False)
    with pytest.raises(errors.FatalError, match="API_TOKEN is not set"):
        await call(tool)
    monkeypatch.setenv("API_TOKEN", "hunter22")
    with pytest.raises(errors.FatalError, match=r"bad token \$API_TOKEN"):
        await call(tool)


async def test_a_program_runs_in_its_directory(tmp_path: Path) -> None:
    assert await call(program_tool("p", ["pwd"], cwd=tmp_path)) == f"{tmp_path}\n"
    with pytest.raises(errors.FatalError, match="is not there"):
        await call(program_tool("p", ["pwd"], cwd=tmp_path / "no"))


async def test_a_program_is_looked_for_where_its_own_environment_says(tmp_path: Path) -> None:
    own = tmp_path / "own-program"
    own.write_text("#!/bin/sh\necho mine")
    own.chmod(0o755)
    assert await call(program_tool("p", ["own-program"], env={"PATH": str(tmp_path)})) == "mine\n"
    with pytest.raises(errors.InvalidError, match="There is no program 'ls'"):
        await call(program_tool("p", ["ls"], env={"PATH": str(tmp_path)}))


@pytest.mark.parametrize("program", ["no-such-program", "./no-such-program"])
async def test_a_program_that_is_not_there_is_refused(program: str) -> None:
    with pytest.raises(errors.InvalidError, match="There is no program"):
        await call(program_tool("p", [program]))


# Files


@pytest.mark.requirement("E6", "E14")
async def test_an_artifact_is_handed_over_as_a_file(tmp_path: Path) -> None:
    ctx = FakeContext(directory=tmp_path)
    film, poster = await ctx.store(b"a film"), await ctx.store(b"a poster")
    tool = program_tool(
        "p",
        ["cat", "${args.film}", "${args.others}"],
        args={"film": "artifact", "others": {"type": "array", "items": {"type": "object"}}},
    )
    assert await call(tool, ctx, film=film.to_json(), others=[poster.to_json()]) == "a filma poster"
    with pytest.raises(errors.InvalidError, match=r"args\.film: it has the wrong type"):
        await call(tool, ctx, film="a path", others=[])


@pytest.mark.requirement("E6", "E14")
async def test_files_that_a_program_leaves_become_artifacts() -> None:
    ctx = FakeContext()
    tool = script(
        "mkdir deep; printf film > out.mp4; printf log > deep/log.txt; pwd; ls -A",
        outputs={"film": "out.mp4", "log": "deep/log.txt"},
        output="lines",
    )
    found = await call(tool, ctx)
    directory, *there = found["stdout"]
    assert there == ["deep", "out.mp4"]
    assert not os.access(directory, os.F_OK)
    assert found["film"]["name"] == "out.mp4"
    assert ctx.artifacts[found["film"]["$artifact"]] == b"film"
    assert ctx.artifacts[found["log"]["$artifact"]] == b"log"
    schema = tool.spec.output_schema
    assert schema is not None
    assert schema["required"] == ["film", "log", "stdout"]


@pytest.mark.parametrize("text", ["true", "mkdir out", "ln -s /etc/passwd out"])
async def test_a_file_that_is_not_there_or_not_its_own_is_no_artifact(text: str) -> None:
    ctx = FakeContext()
    with pytest.raises(errors.FatalError, match="did not write 'out'") as caught:
        await call(script(text, outputs={"it": "out"}), ctx)
    assert caught.value.nothing_happened
    with pytest.raises(errors.FatalError) as caught:
        await call(script(text, outputs={"it": "out"}, effect="write"), ctx)
    assert not caught.value.nothing_happened
    assert not ctx.artifacts


# Progress


@pytest.mark.requirement("E6")
@pytest.mark.parametrize(
    ("pattern", "printed", "told"),
    [
        (r"(?P<percent>[\d.]+)%", r"1%\r50.5%\r100%\n", [0.01, 0.505, 1.0]),
        (r"(?P<fraction>0\.\d+)", r"at 0.25\nat 0.75", [0.25, 0.75]),
        (r"(?P<done>\d+)/(?P<total>\d+)", r"1/4\n2/0\n3/4\n", [0.25, None, 0.75]),
        (r"(?P<percent>\d+)", r"500\n", [None]),
    ],
)
@pytest.mark.parametrize("stream", ["1", "2"])
async def test_progress_is_read_from_what_a_program_prints(
    pattern: str, printed: str, told: list[float | None], stream: str
) -> None:
    ctx = FakeContext()
    await call(script(f"printf '{printed.replace('%', '%%')}' >&{stream}", progress=pattern), ctx)
    assert [fraction for fraction, _ in ctx.progressed] == told


async def test_progress_may_have_a_message_and_comes_while_the_program_works() -> None:
    ctx = FakeContext()
    tool = script(
        "echo 'pass 1: 10%'; exec sleep 3600", progress=r"(?P<message>.*): (?P<percent>\d+)%"
    )
    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
        going = group.create_task(Registry([tool]).call("p", {}, ctx))
        assert await ctx.wait_heard() == "pass 1"
        going.cancel()
    assert ctx.progressed == [(0.1, "pass 1")]


# Stopping


async def stopped(text: str, grace: float) -> tuple[asyncio.Task[Any], int]:
    """Run a script that prints its pid, and cancel it then."""
    ctx = FakeContext(grace=grace)
    tool = script(text, progress=r"pid (?P<message>\d+)", effect="write")
    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
        going = group.create_task(Registry([tool]).call("p", {}, ctx))
        pid = int(await ctx.wait_heard())
        going.cancel()
    return going, pid


@pytest.mark.requirement("E8")
async def test_a_program_that_is_told_to_stop_may_clean_up(tmp_path: Path) -> None:
    clean_up = f"touch {tmp_path}/cleaned; exit 0"
    loop = "echo pid $$; while :; do sleep 0.01; done"
    going, pid = await stopped(f"trap '{clean_up}' TERM; {loop}", PATIENCE)
    assert going.cancelled()
    assert (tmp_path / "cleaned").exists()
    wait_dead(pid)


@pytest.mark.requirement("E8")
async def test_a_program_that_does_not_listen_is_killed_with_all_it_has_started() -> None:
    going, pid = await stopped("trap '' TERM; sleep 3600 & echo pid $!; wait; wait", 0.05)
    assert going.cancelled()
    wait_dead(pid)


# Declarations


def test_a_declaration_is_a_tool_like_any_other() -> None:
    tool = program_tool(
        "ffmpeg.probe",
        ["ffprobe", "${args.path}"],
        effect="write",
        idempotent=True,
        undo="x.y",
        limit=2,
        timeout="5s",
        description="Look at a film.",
        output="lines",
    )
    spec = tool.spec
    assert (spec.name, spec.effect, spec.idempotent, spec.undo) == (
        "ffmpeg.probe",
        "write",
        True,
        "x.y",
    )
    assert (spec.timeout, spec.description) == (5.0, "Look at a film.")
    assert spec.limit is not None
    assert json.dumps(spec.output_schema) == '{"type": "array", "items": {"type": "string"}}'
    assert spec.input_schema["required"] == ["path"]


def test_everything_that_is_wrong_is_said_at_once() -> None:
    wrong: dict[str, Any] = {
        "argv": ["${args.program}"],
        "args": {"x": "strin"},
        "stdin": "text",
        "output": "xml",
        "exits": {0: "fatal"},
        "env": ["A=B"],
        "progress": "(?P<done>.)",
        "max_bytes": 0,
        "timeout": "soon",
        "isolated": True,
        "retrys": 3,
    }
    with pytest.raises(errors.ToolDefinitionError) as caught:
        program_tool("no name", **wrong)
    for part in (
        "must begin with a program that is written out",
        "there is no type 'strin'",
        "stdin must be 'json', or a text",
        "output must be json, text or lines",
        "exits has the code 0",
        "names 'A=B', which is no variable",
        "(?P<done>…) and (?P<total>…)",
        "max_bytes must be an integer",
        "timeout must be seconds",
        "always isolated",
        "did you mean 'retry'?",
        "the name 'no name' is not",
    ):
        assert part in caught.value.message


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ({"argv": "ls"}, "must be a list"),
        ({"argv": []}, "must be a list"),
        ({"argv": ["ls", 1]}, "a list of texts"),
        ({"argv": ["ls", "${steps.a}"]}, "write ${args.NAME}, ${env.NAME} or ${key}"),
        ({"argv": ["ls", "${args.a"]}, "never closed"),
        ({"args": ["a"]}, "must be a mapping"),
        ({"args": {"a": "string"}}, "nothing is done with the argument 'a'"),
        ({"args": {"ctx": "string"}, "stdin": "json"}, "cannot be called 'ctx'"),
        ({"exits": {2: "boring"}}, "there are transient"),
        ({"exits": [2]}, "must be a mapping"),
        ({"outputs": ["a"]}, "must be a mapping of names to files"),
        ({"outputs": {"a": "/etc/passwd"}}, "which is no file in the directory"),
        ({"outputs": {"a": "../x"}}, "which is no file in the directory"),
        ({"outputs": {"stdout": "x"}}, "cannot be called 'stdout'"),
        ({"outputs": {"a": "x"}, "cwd": "/"}, "do not go together"),
        ({"progress": "("}, "is not a regular expression"),
        ({"progress": "x"}, "must have a group"),
        ({"env": {"A": 1}}, "must be names of variables"),
    ],
)
def test_what_is_wrong_is_said_with_what_to_write(wrong: dict[str, Any], complaint: str) -> None:
    with pytest.raises(errors.ToolDefinitionError) as caught:
        program_tool("p", **{"argv": ["ls"], **wrong})
    assert complaint in caught.value.message
