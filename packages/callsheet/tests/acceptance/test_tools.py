"""Programs, HTTP services, plug-ins and the configuration, on a whole engine."""

from __future__ import annotations

import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.command import call, write_plan
from tests.acceptance.stage import a_plan, carry_out, finish, records, states, until
from typing_extensions import override

from callsheet import Engine, Retry, Step, Undo, http_tool, program_tool, tool
from callsheet.errors import InputError, NotDoneError, TransientError
from callsheet.testing import SimulatedClock, simulated

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from callsheet import Run


class Shop(BaseHTTPRequestHandler):
    """Takes orders: busy at first, then open; and takes them back."""

    busy: int
    seen: list[tuple[str, str, str | None]]

    def do_POST(self) -> None:
        self.seen.append((self.command, self.path, self.headers.get("Idempotency-Key")))
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        status = 200
        if self.path == "/broken":
            status = 500
        elif Shop.busy:
            Shop.busy -= 1
            status = 429
        body = b'{"id": 7}' if status == 200 else b""
        self.send_response_only(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_DELETE(self) -> None:
        self.do_POST()

    @override
    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def shop() -> Iterator[str]:
    Shop.busy, Shop.seen = 0, []
    with ThreadingHTTPServer(("127.0.0.1", 0), Shop) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def order(shop: str, **fields: Any) -> Step:
    return Step(
        id="order", tool="http.request", args={"method": "POST", "url": f"{shop}/orders"}, **fields
    )


async def question(run: Run) -> str:
    """What is asked about the doubt."""
    await until(run, "QuestionAsked")
    (asked,) = (await run.status()).questions
    await run.answer(asked.step, "happened", by="me")
    return asked.text


@pytest.mark.requirement("E6", "E8", "E18")
async def test_a_write_that_was_turned_away_is_sent_again_with_the_same_key(shop: str) -> None:
    Shop.busy = 2
    retry = Retry(attempts=3, backoff=0.001)
    async with Engine.in_memory(allow_private=["127.0.0.1"]) as engine:
        result = await carry_out(engine, a_plan(order(shop, retry=retry)))
    assert states(result) == {"order": "succeeded"}
    assert len(Shop.seen) == 3
    assert len({key for _, _, key in Shop.seen}) == 1
    assert Shop.seen[0][2]


@pytest.mark.requirement("E6", "E10")
async def test_a_write_that_broke_the_server_is_in_doubt(shop: str) -> None:
    args: Any = {"method": "POST", "url": f"{shop}/broken"}
    async with Engine.in_memory(allow_private=True) as engine:
        run = await engine.start(a_plan(Step(id="a", tool="http.request", args=args)))
        assert "500" in await question(run)
        await finish(engine, run)
    assert len(Shop.seen) == 1


@pytest.mark.requirement("E8")
async def test_a_step_may_say_that_a_request_is_idempotent(shop: str) -> None:
    args: Any = {"method": "POST", "url": f"{shop}/broken"}
    step = Step(id="a", tool="http.request", args=args, idempotent=True, retry=Retry(backoff=0.001))
    async with Engine.in_memory(allow_private=True) as engine:
        result = await carry_out(engine, a_plan(step))
    assert states(result) == {"a": "failed"}
    assert len(Shop.seen) == 3


@pytest.mark.requirement("E6", "E9")
async def test_a_service_is_undone_by_another_one(shop: str) -> None:
    private: Any = {"allow_private": ["127.0.0.1"]}
    make = http_tool(
        "orders.make",
        f"{shop}/orders",
        method="POST",
        args={"what": "string"},
        undo="orders.drop",
        **private,
    )
    drop = http_tool(
        "orders.drop",
        f"{shop}/orders/${{args.output.id}}",
        method="DELETE",
        idempotent=True,
        **private,
    )
    fail = program_tool("fail", ["false"], effect="read")
    steps = (
        Step(id="order", tool="orders.make", args={"what": "tea"}),
        Step(id="fail", tool="fail", needs=("order",)),
    )
    async with Engine.in_memory([make, drop, fail]) as engine:
        result = await carry_out(engine, a_plan(*steps))
    assert states(result) == {"order": "undone", "fail": "failed"}
    assert [(method, path) for method, path, _ in Shop.seen] == [
        ("POST", "/orders"),
        ("DELETE", "/orders/7"),
    ]
    assert (Shop.seen[1][2] or "").endswith(":undo")


@pytest.mark.requirement("E6", "E10")
async def test_a_program_that_fails_in_a_write_is_in_doubt_unless_it_says_what_it_means() -> None:
    steps = (Step(id="a", tool="half"), Step(id="b", tool="known", on_failure="skip"))
    half = program_tool("half", ["sh", "-c", "exit 3"], effect="write")
    known = program_tool("known", ["sh", "-c", "exit 2"], effect="write", exits={2: "invalid"})
    async with Engine.in_memory([half, known]) as engine:
        run = await engine.start(a_plan(*steps, on_failure="continue"))
        assert "exited with code 3" in await question(run)
        result = await finish(engine, run)
    assert states(result)["b"] == "failed"
    error = result.steps["b"].error
    assert error is not None
    assert error.error_class == "invalid"


@pytest.mark.requirement("E8")
async def test_a_program_that_takes_too_long_is_killed(tmp_path: Path) -> None:
    argv = ["sh", "-c", "sleep 3600; touch late"]
    slow = program_tool("slow", argv, cwd=tmp_path, effect="read")
    step = Step(id="a", tool="slow", timeout=0.05, retry=Retry(attempts=1))
    async with Engine.in_memory([slow]) as engine:
        result = await carry_out(engine, a_plan(step))
    error = result.steps["a"].error
    assert error is not None
    assert error.error_class == "timeout"


@pytest.mark.requirement("E6", "E14")
async def test_a_file_goes_from_one_program_to_the_next_as_an_artifact(tmp_path: Path) -> None:
    write = program_tool(
        "write",
        ["sh", "-c", 'printf "%s" "$1" > out.txt', "sh", "${args.text}"],
        outputs={"file": "out.txt"},
    )
    show = ["cat", "${args.file}"]
    read = program_tool("read", show, args={"file": "artifact"}, effect="read")
    steps = (
        Step(id="write", tool="write", args={"text": "a film"}),
        Step(id="read", tool="read", args={"file": "${steps.write.file}"}),
    )
    async with Engine.open(tmp_path / "home", tools=[write, read]) as engine:
        result = await carry_out(engine, a_plan(*steps, output="${steps.read}"))
    assert result.output == "a film"


async def test_an_undo_may_be_a_program(tmp_path: Path) -> None:
    make = program_tool("make", ["touch", "${args.path}"], effect="write", cwd=tmp_path)
    drop = program_tool("drop", ["rm", "-f", "${args.path}"], effect="write", cwd=tmp_path)
    steps = (
        Step(
            id="make", tool="make", args={"path": "x"}, undo=Undo(tool="drop", args={"path": "x"})
        ),
        Step(id="fail", tool="fail", needs=("make",)),
    )
    tools = [make, drop, program_tool("fail", ["false"], effect="read")]
    async with Engine.in_memory(tools) as engine:
        result = await carry_out(engine, a_plan(*steps))
    assert states(result)["make"] == "undone"
    assert not (tmp_path / "x").exists()


# The configuration


@pytest.mark.requirement("E8")
@pytest.mark.parametrize(
    ("own", "configured", "step", "calls"),
    [(None, None, None, 3), (5, None, None, 5), (5, 2, None, 2), (5, 2, 4, 4)],
)
async def test_a_step_goes_before_the_configuration_and_that_before_the_tool(
    tmp_path: Path, own: int | None, configured: int | None, step: int | None, calls: int
) -> None:
    made: list[int] = []

    @tool("flaky", retry={"attempts": own, "backoff": 0} if own else {"backoff": 0}, effect="read")
    async def flaky() -> None:
        made.append(1)
        raise NotDoneError("no")

    file = tmp_path / "any.toml"
    terms = f"[tools.flaky]\nretry = {{attempts = {configured}, backoff = 0}}\n"
    file.write_text((terms if configured else "") + "[tools.else]\nlimit = 1")
    retry = Retry(attempts=step, backoff=0) if step else None
    async with Engine.in_memory([flaky], config=file) as engine:
        await carry_out(engine, a_plan(Step(id="a", tool="flaky", retry=retry)))
    assert len(made) == calls


@pytest.mark.requirement("E8")
@simulated
async def test_the_breaker_is_the_one_of_the_configuration(tmp_path: Path) -> None:
    @tool("flaky", retry=1, effect="read")
    async def flaky() -> None:
        raise TransientError("no")

    file = tmp_path / "any.toml"
    file.write_text('[tools.flaky]\nbreaker = {failures = 1, seconds = "1m"}')
    steps = (
        Step(id="a", tool="flaky", on_failure="ignore"),
        Step(id="b", tool="flaky", needs=("a",), on_failure="ignore"),
    )
    async with Engine.in_memory([flaky], config=file, clock=SimulatedClock()) as engine:
        run = await engine.start(a_plan(*steps))
        result = await finish(engine, run)
        (delay,) = await records(run, "StepDelayed")
    assert "open after 1 failures" in delay.reason
    assert result.seconds >= 60


async def test_an_engine_that_drives_reads_the_file_of_its_home_and_one_that_looks_does_not(
    tmp_path: Path,
) -> None:
    async with Engine.open(tmp_path / "home"):
        pass
    (tmp_path / "home" / "callsheet.toml").write_text('[programs.hi]\nargv = ["echo", "hi"]')
    async with Engine.open(tmp_path / "home") as engine:
        result = await carry_out(engine, a_plan(Step(id="a", tool="hi"), output="${steps.a}"))
        assert result.output == "hi\n"
    (tmp_path / "home" / "callsheet.toml").write_text("[programs")
    async with Engine.open(tmp_path / "home", drive=False) as engine:
        assert "hi" not in engine.tools.names()
    with pytest.raises(InputError, match="is not TOML"):
        async with Engine.open(tmp_path / "home"):
            pass


# The command line


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    step = {"id": "a", "tool": "greet", "args": {"who": "Ada"}}
    return write_plan(
        tmp_path / "plan.json", {"name": "p", "steps": [step], "output": "${steps.a}"}
    )


CONFIGURED = '[programs.greet]\nargv = ["echo", "Hello", "${args.who}"]\n'


def test_a_plan_runs_with_the_tools_of_the_configuration(
    plan: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.toml").write_text(CONFIGURED)
    assert call("check", plan).code == 2
    assert call("check", plan, "--config", "mine.toml").code == 0
    done = call("run", plan, "--config", "mine.toml", "--json")
    assert (done.code, done.json["output"]) == (0, "Hello Ada\n")
    monkeypatch.setenv("CALLSHEET_CONFIG", "mine.toml")
    assert call("run", plan).code == 0
    monkeypatch.delenv("CALLSHEET_CONFIG")
    (tmp_path / ".callsheet" / "callsheet.toml").write_text(CONFIGURED)
    assert call("run", plan).code == 0
    assert "greet" in [spec["name"] for spec in call("tools", "--json").json]


def test_a_configuration_that_is_wrong_is_named_with_all_its_problems(
    plan: Path, tmp_path: Path
) -> None:
    (tmp_path / "bad.toml").write_text("[tools.wait]\nlimt = 1\nretry = 0\n")
    for words in (("run", plan), ("check", plan), ("tools",)):
        done = call(*words, "--config", "bad.toml")
        assert done.code == 2
        for part in ("bad.toml", "tools.wait.limt", "Did you mean 'limit'?", "retry attempts"):
            assert part in done.err
    assert not (tmp_path / ".callsheet").exists()


def test_a_private_address_is_allowed_on_the_command_line(
    plan: Path, tmp_path: Path, shop: str
) -> None:
    step = {"id": "a", "tool": "http.request", "args": {"method": "POST", "url": shop}}
    wanted = write_plan(tmp_path / "ask.json", {"name": "ask", "steps": [step]})
    assert call("run", wanted).code == 1
    assert Shop.seen == []
    assert call("run", wanted, "--allow-private").code == 0


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A plug-in with the tool `greet`; its module may be changed."""
    monkeypatch.syspath_prepend(tmp_path / "site")
    info = tmp_path / "site" / "greetings-2.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: greetings\nVersion: 2.0\n")
    (info / "entry_points.txt").write_text("[callsheet.tools]\ngreetings = greetings\n")
    module = tmp_path / "site" / "greetings.py"
    module.write_text(
        "from callsheet import tool\n\n"
        "@tool(effect='read')\nasync def greet(who: str) -> str:\n    return f'Hi {who}'\n"
    )
    yield module
    sys.modules.pop("greetings", None)


@pytest.mark.requirement("E6")
def test_the_command_line_loads_plug_ins_unless_it_is_told_not_to(
    plan: Path, installed: Path
) -> None:
    done = call("run", plan, "--json")
    assert (done.code, done.json["output"]) == (0, "Hi Ada")
    assert call("check", plan, "--no-plugins").code == 2
    sys.modules.pop("greetings")
    installed.write_text("1 / 0")
    for words in (("run", plan), ("tools",)):
        done = call(*words)
        assert done.code == 2
        assert "Plug-in 'greetings' of greetings 2.0 does not load: ZeroDivisionError" in done.err
        assert "--no-plugins" in done.err
    assert call("tools", "--no-plugins").code == 0


@pytest.mark.requirement("E6")
async def test_a_library_loads_plug_ins_only_when_it_is_asked_to(installed: Path) -> None:
    for plugins, there in ((False, False), (True, True), (["greetings"], True), ([], False)):
        async with Engine.in_memory(plugins=plugins) as engine:
            assert ("greet" in engine.tools.names()) is there
