"""`callsheet mcp` as hosts start it: a process, with nothing but the protocol on its stdout."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from mcp import Client
from tests.acceptance.command import SECONDS, TOOLS, command, effects, environment
from tests.acceptance.command import until as wait_until
from tests.mcp.service import serving
from tests.mcp.stage import ERAS, Outside, a_plan, at_home, refused, said, started, step
from tests.mcp.tasking import TasksClient, begin
from tests.mcp.tasking import until as task_until

if TYPE_CHECKING:
    from pathlib import Path

# Each of these starts a process, which takes its time to import the protocol.
pytestmark = pytest.mark.slow

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def calls(tool: str, number: int = 2, **args: Any) -> dict[str, Any]:
    params = {"name": tool, "arguments": args}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def lines(*messages: Any) -> bytes:
    return b"".join(
        each if isinstance(each, bytes) else json.dumps(each).encode() + b"\n" for each in messages
    )


def converse(
    directory: Path, data: bytes, *words: object, until: int | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Say all of it, hear the answer `until` which is waited for, close stdin, hear the rest."""
    log = directory / "stderr"
    with log.open("wb") as stderr:
        process = subprocess.Popen(
            command("mcp", "--home", directory / "home", *words),
            cwd=directory,
            env=environment(directory),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
        )
    try:
        assert process.stdin
        assert process.stdout
        process.stdin.write(data)
        process.stdin.flush()
        heard = b""
        while until is not None and f'"id":{until},'.encode() not in heard:
            heard += process.stdout.readline()
        rest, _ = process.communicate(timeout=SECONDS)
    finally:
        process.kill()
        process.wait()
    return subprocess.CompletedProcess((), process.returncode, heard + rest, log.read_bytes())


def answers(done: subprocess.CompletedProcess[bytes]) -> list[dict[str, Any]]:
    """What was on stdout: every line of it is a message of the protocol."""
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert all(each["jsonrpc"] == "2.0" for each in found)
    return found


@pytest.mark.requirement("S3")
@pytest.mark.parametrize("era", ERAS)
async def test_the_official_client_runs_a_plan(tmp_path: Path, era: str) -> None:
    async with Client(at_home(tmp_path), mode=era, read_timeout_seconds=SECONDS) as client:
        plan = a_plan(step("one", "stamp"), step("two", "stamp"), output="${steps.two}")
        view = await said(client, "run_start", plan=plan, key="k", wait_seconds=50)
        assert (view["state"], view["output"], view["driven_by"]) == ("succeeded", "two", None)
    assert sorted(effects(tmp_path)) == ["one", "two"]


@pytest.mark.requirement("S3")
async def test_nothing_but_the_protocol_is_on_stdout(tmp_path: Path) -> None:
    plan = a_plan(
        {"id": "here", "tool": "chatter"},
        {"id": "child", "tool": "chatty"},
        output=["${steps.here}", "${steps.child}"],
    )
    done = converse(
        tmp_path,
        lines(HELLO, READY, calls("run_start", plan=plan, wait_seconds=50)),
        "--tools",
        TOOLS,
        until=2,
    )
    assert done.returncode == 0, done.stderr
    told = answers(done)[-1]["result"]
    assert told["structuredContent"]["output"] == ["said", "said"], told
    for printed in (b"while the tools are loaded", b"by a worker process", b"written by a tool"):
        assert printed in done.stderr, printed


@pytest.mark.requirement("S3")
def test_tools_that_do_not_load_are_an_error_on_stderr(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("print('hello')\nimport warnings\nraise SystemExit(3)\n")
    done = converse(tmp_path, lines(HELLO), "--tools", tmp_path / "broken.py")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"broken.py" in done.stderr


@pytest.mark.requirement("S3")
def test_a_warning_is_not_on_stdout(tmp_path: Path) -> None:
    (tmp_path / "old.py").write_text(
        "import sys, warnings\nfrom callsheet import tool\nwarnings.warn('old', stacklevel=1)\n"
        "sys.stdout.write('hello')\n@tool(effect='read')\ndef old() -> int:\n    return 1\n"
    )
    done = converse(tmp_path, lines(HELLO), "--tools", tmp_path / "old.py", until=1)
    assert done.returncode == 0
    assert [each["id"] for each in answers(done)] == [1]


@pytest.mark.requirement("S3")
def test_what_is_no_message_is_answered_and_the_next_one_too(tmp_path: Path) -> None:
    done = converse(
        tmp_path,
        lines(HELLO, READY, b'{"jsonrpc": "2.0", "id": \n', calls("run_list"), b'{"half'),
        until=2,
    )
    assert done.returncode == 0, done.stderr
    assert any(each.get("id") == 2 and "result" in each for each in answers(done))


@pytest.mark.requirement("S3")
async def test_when_the_client_goes_the_calls_end_and_the_run_goes_on_with_the_next(
    tmp_path: Path,
) -> None:
    server = at_home(tmp_path)
    async with Client(server, read_timeout_seconds=SECONDS) as client:
        plan = a_plan(step("first", "gate"), step("last", "stamp", needs=["first"]))
        view = await said(client, "run_start", plan=plan)
        assert "next process" in view["driven_by"]
        await asyncio.to_thread(wait_until, (tmp_path / "first.begun").exists, "the step to begin")
    (tmp_path / "first.open").touch()
    async with Client(server, read_timeout_seconds=SECONDS) as client:
        view = await said(client, "run_wait", run=view["run"], seconds=50)
        assert view["state"] == "succeeded"
    assert effects(tmp_path) == ["last"]


@pytest.mark.requirement("S3")
async def test_two_clients_on_one_home_see_and_control_each_others_runs(tmp_path: Path) -> None:
    server = at_home(tmp_path)
    async with (
        Client(server, read_timeout_seconds=SECONDS) as mine,
        Client(server, read_timeout_seconds=SECONDS) as theirs,
    ):
        plan = a_plan(step("a", "stamp"), step("first", "gate", needs=["a"]))
        run = (await said(mine, "run_start", plan=plan))["run"]
        await asyncio.to_thread(wait_until, (tmp_path / "first.begun").exists, "the step to begin")
        assert (await said(theirs, "run_status", run=run))["driven_by"] == "another process"
        await said(theirs, "run_cancel", run=run)
        assert (await said(theirs, "run_wait", run=run, seconds=50))["state"] == "undone"
        assert (await said(mine, "run_status", run=run))["state"] == "undone"
    assert effects(tmp_path) == ["a", "una"]


@pytest.mark.requirement("S3")
def test_a_host_that_never_reads_stdout_does_not_keep_the_process_alive(tmp_path: Path) -> None:
    many = [calls("tool_list", number) for number in range(2, 400)]
    process = subprocess.Popen(
        command("mcp", "--home", tmp_path / "home"),
        cwd=tmp_path,
        env=environment(tmp_path),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdin
    assert process.stdout
    try:
        os.write(process.stdin.fileno(), lines(HELLO, READY))
        os.set_blocking(process.stdin.fileno(), False)
        for each in many:
            try:
                os.write(process.stdin.fileno(), lines(each))
            except BlockingIOError:
                break
        process.stdin.close()
        assert process.wait(SECONDS) == 0
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


@pytest.mark.requirement("S3")
async def test_only_what_was_offered_can_be_called(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    (home / "callsheet.toml").write_text(
        '[programs.list]\nargv = ["ls"]\neffect = "read"\n[mcp]\nsecrets = ["TOKEN"]\n'
    )
    config = ("--config", home / "callsheet.toml")
    for options, offered in (
        ((), {"file.read": False, "sh": False, "list": False}),
        (
            ("--files", tmp_path, "--allow-shell"),
            {"file.read": True, "sh": True, "list": True},
        ),
    ):
        server = started("--home", home, *config, *options, directory=tmp_path)
        async with Client(server, read_timeout_seconds=SECONDS) as client:
            items = (await said(client, "tool_list"))["items"]
            names = {each["name"] for each in items}
            assert {name: name in names for name in offered} == offered
            plan = a_plan({"id": "a", "tool": "file.read", "args": {"path": "x"}})
            checked = await said(client, "plan_check", plan=plan)
            assert checked["ok"] == offered["file.read"]
            if not checked["ok"]:
                assert "--files DIR" in checked["problems"][0]["fix"]


@pytest.mark.requirement("S3")
async def test_a_tool_that_reaches_the_machine_is_offered_where_a_shell_is(tmp_path: Path) -> None:
    module = tmp_path / "app.py"
    module.write_text(
        "from callsheet import tool\n"
        '@tool("app.deliver", effect="write", machine=True)\n'
        "async def deliver(out: str) -> str:\n"
        '    """Write a file wherever somebody wants it."""\n'
        "    return out\n"
    )
    for options, is_offered in (((), False), (("--allow-shell",), True)):
        words = ("--tools", module, "--home", tmp_path / "home", *options)
        server = started(*words, directory=tmp_path)
        async with Client(server, read_timeout_seconds=SECONDS) as client:
            names = {each["name"] for each in (await said(client, "tool_list"))["items"]}
            assert ("app.deliver" in names) is is_offered


@pytest.mark.requirement("S3")
async def test_a_server_that_only_reads_offers_nothing_else(tmp_path: Path) -> None:
    async with Client(at_home(tmp_path), read_timeout_seconds=SECONDS) as client:
        run = (await said(client, "run_plan", plan=a_plan(step("a", "stamp"))))["run"]
    server = at_home(tmp_path, "--read-only")
    async with Client(server, read_timeout_seconds=SECONDS) as client:
        names = {each.name for each in (await client.list_tools()).tools}
        assert "run_status" in names
        assert names.isdisjoint({"run_start", "run_plan", "run_cancel", "run_answer"})
        assert (await said(client, "run_status", run=run))["state"] == "succeeded"


def test_without_its_extra_the_command_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "run.py").write_text(
        "import sys\n"
        "from importlib import util\n"
        "find = util.find_spec\n"
        "util.find_spec = lambda name, *rest: None if name == 'mcp' else find(name, *rest)\n"
        "from callsheet.cli.app import run_command\n"
        "sys.exit(run_command(['mcp']))\n"
    )
    done = subprocess.run(
        [command()[0], tmp_path / "run.py"],
        env=environment(tmp_path),
        cwd=tmp_path,
        capture_output=True,
        timeout=SECONDS,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"pip install 'callsheet[mcp]'" in done.stderr


@pytest.mark.requirement("S3")
@pytest.mark.parametrize("era", ERAS)
async def test_with_a_server_everything_is_passed_on_to_it(tmp_path: Path, era: str) -> None:
    async with serving(Outside()) as served:
        key = tmp_path / "key"
        key.write_text(await served.key("acme") + "\n", "utf-8")
        relay = started("--server", served.url, "--key-file", key, directory=tmp_path)
        settings: dict[str, Any] = {"read_timeout_seconds": SECONDS, "mode": era}
        if era != "legacy":
            settings["extensions"] = [TasksClient()]
        async with Client(relay, **settings) as client:
            assert len((await client.list_tools()).tools) > 20
            plan = a_plan(step("a"), output="${steps.a}")
            if era == "legacy":
                assert (await said(client, "run_plan", plan=plan))["output"] == "a"
            else:
                task = await begin(client, "run_plan", plan=plan)
                await task_until(client, task, "completed")
        assert len(await served.engine.tenant("acme").runs()) == 1
        assert not await served.engine.tenant("default").runs()


@pytest.mark.requirement("S3")
def test_a_server_that_is_not_there_or_an_option_that_is_its_own_is_an_error(
    tmp_path: Path,
) -> None:
    for words, told in (
        (("--server", "http://127.0.0.1:9"), b"There is no service"),
        (
            ("--server", "http://127.0.0.1:9", "--allow-shell"),
            b"--allow-shell is decided by the service",
        ),
    ):
        done = subprocess.run(
            command("mcp", *words),
            cwd=tmp_path,
            env=environment(tmp_path),
            input=b"",
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
        assert (done.returncode, done.stdout) == (2, b"")
        assert told in done.stderr


@pytest.mark.requirement("S3")
async def test_a_run_is_taken_over_only_by_a_server_that_may_do_what_it_may(
    tmp_path: Path,
) -> None:
    (tmp_path / "word").write_text("found", "utf-8")
    plan = a_plan(
        step("g", "gate"),
        {"id": "r", "tool": "file.read", "args": {"path": "word"}, "needs": ["g"]},
        output="${steps.r}",
    )
    with_files = at_home(tmp_path, "--files", tmp_path)
    settings: dict[str, Any] = {"read_timeout_seconds": SECONDS}
    before = {child.pid for child in psutil.Process().children()}
    dying = Client(with_files, **settings)
    run = (await said(await dying.__aenter__(), "run_start", plan=plan))["run"]
    await asyncio.to_thread(wait_until, (tmp_path / "g.begun").exists, "the step to begin")
    (child,) = [each for each in psutil.Process().children() if each.pid not in before]
    child.kill()
    await asyncio.to_thread(child.wait, SECONDS)
    (tmp_path / "g.open").touch()
    async with Client(at_home(tmp_path), **settings) as client:
        view = await said(client, "run_wait", run=run, seconds=3)
        assert view["driven_by"] == "nobody; run_resume drives it here"
        error = await refused(client, "run_resume", run=run)
        assert error["code"] == "missing_tools"
    async with Client(with_files, **settings) as client:
        view = await said(client, "run_wait", run=run, seconds=50)
        assert (view["state"], "found" in str(view["output"])) == ("succeeded", True)
    with suppress(BaseException):  # whatever the client makes of its server's end
        await dying.__aexit__(None, None, None)
