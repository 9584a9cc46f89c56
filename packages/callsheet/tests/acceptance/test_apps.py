"""Apps plug in: tools, commands, tables and closings by entry point, without a word to the engine.

The guest book of the documents is one, and the proof that an app needs no more than the studio has.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
import subprocess
import sysconfig
import tomllib
import venv
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest
from mcp import Client
from tests.acceptance.command import SECONDS, Terminal, command, environment, run, write_plan
from tests.mcp.stage import started

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping

    Install = Callable[..., None]

# Each starts processes, which find what is installed.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("S11")]

ROOT = Path(__file__).parents[4]
GUESTBOOK = ROOT / "docs_src" / "write_an_app"
RUN_ID = re.compile(r"\br00[0-9a-z]{21}\b")
ASKS_THEN_GREETS = {
    "name": "visit",
    "steps": [
        {"id": "who", "ask": "Who is there?"},
        {"id": "greet", "tool": "guestbook.greet", "args": {"guest": "${steps.who}"}},
    ],
    "output": "${steps.greet}",
}


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Installs an app for the processes of a test: its name, code, and entry points by group."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.setenv("PYTHONPATH", f"{site}{os.pathsep}{os.environ['PYTHONPATH']}")
    monkeypatch.delenv("CALLSHEET_HOME", raising=False)

    def install(name: str, code: str, points: Mapping[str, Mapping[str, str]]) -> None:
        (site / f"{name.replace('-', '_')}.py").write_text(code, "utf-8")
        info = site / f"{name.replace('-', '_')}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        lines = [
            line
            for group, named in points.items()
            for line in (f"[{group}]", *(f"{key} = {value}" for key, value in named.items()))
        ]
        (info / "entry_points.txt").write_text("\n".join(lines) + "\n")

    return install


@pytest.fixture
def guestbook(install: Install, tmp_path: Path) -> None:
    """The app of the documents, as `pip install` would put it there."""
    project = tomllib.loads((GUESTBOOK / "pyproject.toml").read_text())["project"]
    code = (GUESTBOOK / "guestbook.py").read_text("utf-8")
    install(project["name"], code, project["entry-points"])
    shutil.copy(GUESTBOOK / "guestbook_serving.py", tmp_path / "site")
    shutil.copytree(GUESTBOOK / "guestbook_migrations", tmp_path / "site" / "guestbook_migrations")


@asynccontextmanager
async def service(directory: Path) -> AsyncIterator[tuple[str, str]]:
    """`callsheet serve` as a process: its address, and the key of its home."""
    process = await asyncio.create_subprocess_exec(
        *command("serve", "--port", "0", "--json"),
        cwd=directory,
        env=environment(directory),
        stdout=subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        async with asyncio.timeout(SECONDS):
            url = json.loads(await process.stdout.readline())["url"]
        yield url, (directory / ".callsheet" / "serve.key").read_text().strip()
    finally:
        process.terminate()
        await process.wait()


def a_command(what: str) -> str:
    return f'def greet() -> None:\n    """{what}"""\n    print({what!r})\n'


@pytest.mark.usefixtures("guestbook")
def test_the_help_shows_the_commands_of_an_app_under_its_name(tmp_path: Path) -> None:
    done = run("--help", directory=tmp_path)
    assert done.code == 0
    assert re.search(r"^guestbook:\n  guestbook +Keep a guest book\.$", done.out, re.MULTILINE)
    own = run("guestbook", "--help", directory=tmp_path)
    assert re.search(r"^  sign +Greet a guest, and write the name down\.$", own.out, re.MULTILINE)


@pytest.mark.usefixtures("guestbook")
def test_an_app_has_a_command_a_tool_a_table_and_the_last_word(tmp_path: Path) -> None:
    signed = run("guestbook", "sign", "Ada", directory=tmp_path)
    assert (signed.code, signed.err) == (0, "")
    assert signed.out.endswith("Welcome, Ada! It is in the book.\n")
    told = run("guestbook", "sign", "Bob", "--json", directory=tmp_path)
    assert (told.json["plan"], told.json["output"]) == ("visit", "Welcome, Bob!")
    assert run("guestbook", "list", directory=tmp_path).out == "Ada\nBob\n"
    assert run("guestbook", "list", "--json", directory=tmp_path).json == ["Ada", "Bob"]
    again = run("replay", told.json["run"], directory=tmp_path)
    assert again.code == 0


@pytest.mark.usefixtures("guestbook")
def test_a_home_in_which_the_app_was_never_used_has_an_empty_table(tmp_path: Path) -> None:
    plan = {"steps": [{"id": "a", "tool": "value", "args": {"value": 1}}]}
    assert run("run", write_plan(tmp_path / "plan.json", plan), directory=tmp_path).code == 0
    assert run("guestbook", "list", "--json", directory=tmp_path).json == []


@pytest.mark.usefixtures("guestbook")
def test_after_kill_9_resume_finds_the_tools_of_an_app_by_itself(tmp_path: Path) -> None:
    plan = write_plan(tmp_path / "visit.json", ASKS_THEN_GREETS)
    assert run("check", plan, directory=tmp_path).code == 0
    with Terminal("run", plan, directory=tmp_path) as terminal:
        terminal.see("your answer")
        terminal.process.send_signal(signal.SIGKILL)
        terminal.process.wait(SECONDS)
    (head,) = run("runs", "--json", directory=tmp_path).json
    assert head["interrupted"]
    assert run("answer", head["run"], "who", "Eve", directory=tmp_path).code == 0
    resumed = run("resume", head["run"], directory=tmp_path)
    assert resumed.code == 0
    # The plan has the name of the app's own: the app has the last word.
    assert resumed.out.endswith("Welcome, Eve! It is in the book.\n")


@pytest.mark.usefixtures("guestbook")
async def test_an_app_brings_routes_and_tools_for_agents(tmp_path: Path) -> None:
    async with service(tmp_path) as (url, key):
        async with httpx.AsyncClient(base_url=url, timeout=SECONDS, trust_env=False) as client:
            headers = {"Authorization": f"Bearer {key}", "Idempotency-Key": "ada"}
            signed = await client.post("/api/guestbook", json={"guest": "Ada"}, headers=headers)
            assert signed.status_code == 201, signed.text
            again = await client.post("/api/guestbook", json={"guest": "Ada"}, headers=headers)
            assert again.json()["run"] == signed.json()["run"]
            run = (await client.get(signed.headers["location"], headers=headers)).json()
            assert run["plan"] == "visit"
            assert (await client.get("/api/guestbook", headers=headers)).json() == ["Ada"]
            refused = await client.post("/api/guestbook", json={"name": "Bob"}, headers=headers)
            assert refused.status_code == 409
            wrong = await client.post("/api/guestbook", json={"name": "Bob"})
            assert (wrong.status_code, wrong.json()["code"]) == (422, "request")
            document = (await client.get("/openapi.json")).json()
            assert document["paths"]["/api/guestbook"]["post"]["tags"] == ["guestbook"]
        for words in (("--home", tmp_path / ".callsheet"), ("--server", url)):
            environ = {"CALLSHEET_KEY": key} if "--server" in words else {}
            server = started(*words, directory=tmp_path)
            server.env = {**(server.env or {}), **environ}
            async with Client(server, read_timeout_seconds=SECONDS) as agent:
                names = {each.name for each in (await agent.list_tools()).tools}
                assert {"guestbook_sign", "run_start"} <= names
                told = (
                    await agent.call_tool("guestbook_sign", {"guest": "Bob"})
                ).structured_content
                assert told is not None
                assert told["output"] == "Welcome, Bob!"
                book = await agent.read_resource("guestbook://B")
                assert "Bob" in book.contents[0].text  # type: ignore[union-attr]  # it is text


async def test_what_an_app_brings_to_a_service_or_to_agents_and_does_not_load_is_named(
    install: Install, tmp_path: Path
) -> None:
    points = {"callsheet.routes": {"sour": "sour:routes"}, "callsheet.mcp": {"sour": "sour:tools"}}
    install("sour", "def routes():\n    1 / 0\n\ndef tools():\n    return 7\n", points)
    done = run("serve", "--port", "0", directory=tmp_path)
    assert done.code == 2
    assert "The routes 'sour' of sour do not load: ZeroDivisionError" in done.err
    done = run("mcp", directory=tmp_path)
    assert done.code == 2
    assert "What sour brings to agents ('sour') is no `callsheet.apps.mcp.Brought`" in done.err


def test_two_apps_with_one_command_are_told_and_harm_no_other(
    install: Install, tmp_path: Path
) -> None:
    install("one", a_command("One says hello."), {"callsheet.commands": {"hello": "one:greet"}})
    install("two", a_command("Two says hello."), {"callsheet.commands": {"hello": "two:greet"}})
    told = "one and two both bring a command 'hello'. Remove one of them."
    done = run("hello", directory=tmp_path)
    assert (done.code, done.out, done.err) == (2, "", f"Error: {told}\n")
    as_json = run("hello", "--json", directory=tmp_path)
    assert as_json.json["error"] == {"code": "input", "message": told, "problems": []}
    helped = run("--help", directory=tmp_path)
    assert helped.code == 0
    assert told in " ".join(helped.out.split())
    assert run("tools", directory=tmp_path).code == 0


def test_an_app_that_does_not_load_is_named_with_what_to_do(
    install: Install, tmp_path: Path
) -> None:
    install("sour", "import no_such_module", {"callsheet.commands": {"hello": "sour:greet"}})
    install("sweet", a_command("Hello."), {"callsheet.commands": {"welcome": "sweet:greet"}})
    done = run("hello", directory=tmp_path)
    assert done.code == 2
    assert done.err == (
        "Error: The command 'hello' of sour does not load: ModuleNotFoundError: "
        "No module named 'no_such_module'. Install sour again, or remove it.\n"
    )
    assert run("welcome", directory=tmp_path).out == "Hello.\n"
    helped = run("--help", directory=tmp_path)
    assert helped.code == 0
    assert "The command 'hello' of sour does not load" in " ".join(helped.out.split())


def test_a_closing_that_does_not_load_does_not_hide_how_a_run_has_ended(
    install: Install, tmp_path: Path
) -> None:
    install("sour", "1 / 0", {"callsheet.closings": {"visit": "sour:say"}})
    steps = [{"id": "who", "ask": "Who is there?"}]
    plan = write_plan(tmp_path / "visit.json", {"name": "visit", "steps": steps})
    waiting = run("run", plan, "--json", directory=tmp_path).json["run"]
    run("answer", waiting, "who", "Eve", directory=tmp_path)
    resumed = run("resume", waiting, "--json", directory=tmp_path)
    assert (resumed.code, resumed.json["state"]) == (0, "succeeded")
    assert "What sour says of runs of 'visit' does not load: ZeroDivisionError" in resumed.err


def test_a_command_that_nobody_brings_is_told_as_ever(tmp_path: Path) -> None:
    done = run("no-such-command", directory=tmp_path)
    assert done.code == 2
    assert "No such command 'no-such-command'" in done.err


# The engine alone


@pytest.fixture
def engine_alone(tmp_path: Path) -> Path:
    """The Python of an environment with the engine and what it needs, and no app."""
    place = tmp_path / "environment"
    venv.EnvBuilder(symlinks=True).create(place)
    own = Path(sysconfig.get_path("purelib", vars={"base": str(place)}))
    for each in Path(sysconfig.get_path("purelib")).iterdir():
        # What is installed for development is named by files that end in `.pth`.
        if "callsheet" not in each.name and each.suffix != ".pth":
            (own / each.name).symlink_to(each)
    (own / "engine.pth").write_text(f"{ROOT / 'packages' / 'callsheet' / 'src'}\n")
    return place / "bin" / "python"


def alone(python: Path, *words: object, directory: Path) -> subprocess.CompletedProcess[str]:
    """Run a command there, to its end."""
    known = {**environment(directory), "PYTHONPATH": ""}
    return subprocess.run(
        [str(python), *command(*words)[1:]],
        cwd=directory,
        env=known,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def test_the_engine_alone_runs_the_tutorial_and_says_how_to_resume(
    engine_alone: Path, tmp_path: Path
) -> None:
    asked = [str(engine_alone), "-c", "import callsheet_studio"]
    imported = subprocess.run(asked, env={}, capture_output=True, text=True, check=False)
    assert "No module named 'callsheet_studio'" in imported.stderr
    shutil.copytree(ROOT / "docs_src" / "tutorial", tmp_path, dirs_exist_ok=True)
    helped = alone(engine_alone, "--help", directory=tmp_path)
    assert helped.returncode == 0
    assert "studio" not in helped.stdout
    done = alone(engine_alone, "run", "tea.yaml", "--input", "guest=Ada", directory=tmp_path)
    assert done.returncode == 0, done.stderr
    # Nobody is there to answer: the run is left, and can be resumed.
    order = ("order.yaml", "--tools", "shop.py", "--input", "address=Oslo")
    left = alone(engine_alone, "run", *order, directory=tmp_path)
    (name,) = set(RUN_ID.findall(left.stdout))
    shown = alone(engine_alone, "show", name, directory=tmp_path)
    assert shown.returncode == 0
    assert f"callsheet resume {name}" in shown.stderr
    assert alone(engine_alone, "answer", name, "ok", "send", directory=tmp_path).returncode == 0
    again = alone(engine_alone, "resume", name, "--tools", "shop.py", directory=tmp_path)
    assert again.returncode == 0, again.stderr
