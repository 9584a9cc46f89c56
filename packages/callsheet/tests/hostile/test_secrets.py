"""A secret is given to whom it is granted, and is to be read nowhere else."""

from __future__ import annotations

import base64
import html
import json
import os
import sys
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, quote_plus

import pytest
from tests.unit.tools.web import serving

from callsheet import Engine, Plan, Step, program_tool, tool
from callsheet.errors import ConfigurationError
from callsheet.runtime.secrets import hide
from callsheet.testing import SimulatedClock, simulated

if TYPE_CHECKING:
    from pathlib import Path

    from callsheet import Result

pytestmark = pytest.mark.requirement("S10", "E17")

SECRET = "pa/ss+wörd \"quoted\" & 'single' <tag>\\n"
DATA = SECRET.encode()
SPELLINGS = {
    "plain": SECRET,
    "repr": repr(SECRET),
    "repr of bytes": repr(DATA),
    "JSON": json.dumps(SECRET),
    "JSON in UTF-8": json.dumps(SECRET, ensure_ascii=False),
    "JSON in JSON": json.dumps(json.dumps(SECRET)),
    "JSON with escaped slashes": json.dumps(SECRET).replace("/", "\\/"),
    "percent": quote(SECRET, safe=""),
    "percent but for slashes": quote(SECRET),
    "percent in small digits": "pa%2fss%2bw%c3%b6rd"
    + quote(SECRET[10:], safe="").replace("%3C", "%3c").replace("%3E", "%3e").replace("%5C", "%5c"),
    "form": quote_plus(SECRET),
    "base64": base64.b64encode(DATA).decode(),
    "base64 for URLs": base64.urlsafe_b64encode(DATA).decode(),
    "base64 without its end": base64.b64encode(DATA).decode().rstrip("="),
    "Basic": "Basic " + base64.b64encode(b"user:" + DATA).decode(),
    "Basic of another": "Basic " + base64.b64encode(b"user1:" + DATA).decode(),
    "Basic of a third": "Basic " + base64.b64encode(b"us:" + DATA).decode(),
    "base64 of JSON": base64.b64encode(b'{"k": 1}' + DATA + b"!").decode(),
    "hex": DATA.hex(),
    "HEX": DATA.hex().upper(),
    "HTML": html.escape(SECRET),
    "HTML without quotes": html.escape(SECRET, quote=False),
    "HTML of another kind": html.escape(SECRET).replace("&#x27;", "&#39;"),
}


@pytest.mark.parametrize("spelled", SPELLINGS.values(), ids=SPELLINGS.keys())
def test_a_secret_is_hidden_in_the_usual_spellings(spelled: str) -> None:
    shown = hide(f"<<{spelled}>>", {"KEY": SECRET})
    assert "${secrets.KEY}" in shown
    pieces = shown.replace("${secrets.KEY}", "\n").split("\n")
    # What is left is what stood around it, and of base64 the characters it shares with that.
    assert sum(map(len, pieces)) <= len("<<Basic >>") + len("JSON in JSON") + 8 + 8


def test_every_line_of_a_key_is_hidden_in_base64_too() -> None:
    key = "-----BEGIN KEY-----\nabcdefghijklmnop\nqrstuvwxyz012345\n-----END KEY-----"
    for line in key.splitlines():
        told = base64.b64encode(line.encode()).decode()
        assert "${secrets.KEY}" in hide(told, {"KEY": key})


def test_a_short_word_is_not_taken_for_a_secret() -> None:
    assert hide("the cat sat", {"KEY": "cat"}) == "the cat sat"
    assert hide("5 times 5", {"KEY": "5"}) == "5 times 5"


@tool
async def take(key: str) -> str:
    """Say how long it is, and nothing of it."""
    return str(len(key))


@tool
async def other(key: str) -> str:
    """The same."""
    return str(len(key))


async def carried_out(engine: Engine, step: Step, tenant: str = "default") -> Result:
    run = await engine.start(Plan(steps=(step,)), tenant=tenant)
    return await run.wait()


def denied(result: Result) -> str:
    (step,) = result.steps.values()
    assert step.error is not None
    assert step.error.error_class == "denied"
    return step.error.message


KEY = {"KEY": "hunter2hunter2"}
TAKE = Step(id="a", tool="take", args={"key": "${secrets.KEY}"})


async def test_a_secret_that_nobody_speaks_of_is_the_default_tenant_s() -> None:
    async with Engine.in_memory(tools=[take], secrets=KEY) as engine:
        assert (await carried_out(engine, TAKE)).state == "succeeded"
        message = denied(await carried_out(engine, TAKE, "beta"))
        assert "KEY is not granted to the tenant 'beta'" in message
        assert "[secrets.KEY] tenants" in message


async def test_a_secret_is_given_to_the_tenants_and_tools_it_is_granted_to(tmp_path: Path) -> None:
    config = tmp_path / "engine.toml"
    config.write_text('[secrets.KEY]\ntenants = ["acme", "b*"]\ntools = ["ta*"]')
    async with Engine.in_memory(tools=[take, other], secrets=KEY, config=config) as engine:
        for tenant in ("acme", "beta"):
            assert (await carried_out(engine, TAKE, tenant)).state == "succeeded"
        for tenant in ("default", "gamma", "acme2"):
            assert "not granted to the tenant" in denied(await carried_out(engine, TAKE, tenant))
        step = Step(id="a", tool="other", args={"key": "${secrets.KEY}"})
        assert "not granted to the tool other" in denied(await carried_out(engine, step, "acme"))


async def test_a_secret_for_some_hosts_is_given_to_tools_that_keep_to_them(tmp_path: Path) -> None:
    config = tmp_path / "engine.toml"
    config.write_text('[secrets.KEY]\nhosts = ["api.example.com"]')
    headers: dict[str, Any] = {"Authorization": "Bearer ${secrets.KEY}"}
    get = Step(id="a", tool="http.get", args={"url": "http://127.0.0.1:9/", "headers": headers})
    async with Engine.in_memory(
        tools=[take], secrets=KEY, config=config, allow_private=True
    ) as engine:
        assert "no tool that keeps to them" in denied(await carried_out(engine, TAKE))
        assert "not granted for the host 127.0.0.1" in denied(await carried_out(engine, get))


@pytest.mark.parametrize(
    "text",
    [
        "[secrets.KEY]\ntenants = 'acme'",
        "[secrets.KEY]\ntools = [1]",
        "[secrets.KEY]\nhost = ['x']",
        "[secrets]\nKEY = 1",
    ],
)
async def test_a_grant_that_is_not_understood_is_refused(tmp_path: Path, text: str) -> None:
    config = tmp_path / "engine.toml"
    config.write_text(text)
    with pytest.raises(ConfigurationError, match="secrets"):
        async with Engine.in_memory(config=config):
            pass


LISTING = "import sys; print(open('/proc/self/cmdline').read())"


@pytest.mark.slow  # processes
@pytest.mark.parametrize(
    "command", ["echo ${secrets.KEY}", [sys.executable, "-c", LISTING, "x${secrets.KEY}"]]
)
async def test_a_secret_never_stands_on_the_command_line_of_sh(command: Any) -> None:
    async with Engine.in_memory(secrets=KEY, allow_shell=True) as engine:
        step = Step(id="a", tool="sh", args={"command": command})
        assert "Give it in env or stdin" in denied(await carried_out(engine, step))


@pytest.mark.slow  # processes
async def test_nor_on_that_of_a_program_but_in_its_environment_and_input() -> None:
    on_the_line = program_tool("one", ["echo", "${args.key}"])
    inside = program_tool(
        "two",
        [sys.executable, "-c", "import os, sys; print(len(os.environ['K']), len(input()))"],
        env={"K": "${args.key}"},
        stdin="${args.key}",
    )
    args: dict[str, Any] = {"key": "${secrets.KEY}"}
    async with Engine.in_memory(tools=[on_the_line, inside], secrets=KEY) as engine:
        message = denied(await carried_out(engine, Step(id="a", tool="one", args=args)))
        assert "KEY cannot stand in argv" in message
        result = await carried_out(engine, Step(id="a", tool="two", args=args))
        assert result.steps["a"].output == "14 14\n"


@pytest.mark.slow  # processes
async def test_sh_sees_nothing_of_our_environment_and_what_it_is_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CALLSHEET_SECRET_Z", "not for everybody")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "nor this")
    args: dict[str, Any] = {
        "command": "env; cat",
        "env": {"MINE": "${secrets.KEY}"},
        "stdin": "read ${secrets.KEY}",
    }
    async with Engine.in_memory(secrets=KEY, allow_shell=True) as engine:
        result = await carried_out(engine, Step(id="a", tool="sh", args=args))
        said = result.steps["a"].output
        assert isinstance(said, dict)
        shown = str(said["stdout"])
    assert "not for everybody" not in shown
    assert "nor this" not in shown
    assert "MINE=${secrets.KEY}" in shown
    assert "read ${secrets.KEY}" in shown
    assert os.environ["PATH"] in shown


@simulated
async def test_approval_that_is_demanded_cannot_be_switched_off(tmp_path: Path) -> None:
    config = tmp_path / "engine.toml"
    config.write_text('[tools."ta*"]\napproval = "required"')
    inner = Plan(steps=(Step(id="c", tool="take", args={"key": "x"}),))
    plan = Plan(
        steps=(
            Step(id="a", tool="take", args={"key": "x"}, destructive=False),
            Step(id="b", tool="other", args={"key": "x"}),
            Step(id="d", plan=inner),
        )
    )
    async with Engine.in_memory(
        tools=[take, other], config=config, clock=SimulatedClock()
    ) as engine:
        run = await engine.start(plan)
        async for status in run.watch():
            if status.state == "waiting":
                break
        asked = [(each.step, each.ask) for each in status.questions]
        assert asked == [("a", "approval"), ("d/c", "approval")]
        assert str(status.steps["b"].state) == "succeeded"
        await run.answer("a", "deny")
        assert (await run.wait()).state == "failed"
        assert (await engine.replay(run.id)).same


async def test_only_the_word_required_demands_it(tmp_path: Path) -> None:
    config = tmp_path / "engine.toml"
    config.write_text('[tools.take]\napproval = "never"')
    with pytest.raises(ConfigurationError, match="approval can only be demanded"):
        async with Engine.in_memory(tools=[take], config=config):
            pass


TOKEN = "tok/en+1234567890"


@pytest.mark.parametrize("header", ["Authorization", "X-Api-Key", "Cookie", "x-access-token"])
async def test_a_credential_of_the_configuration_that_a_server_repeats_is_hidden(
    header: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From an output it would go into the journal, and from there to a model."""
    monkeypatch.setenv("TRACKER", TOKEN)
    config = tmp_path / "callsheet.toml"
    with serving() as server:
        config.write_text(
            f'[http."tracker.look"]\nurl = "{server}/echo"\nmethod = "POST"\n'
            f'effect = "read"\nallow_private = true\nargs = {{text = "string"}}\n'
            f'headers = {{"{header}" = "Bearer ${{env.TRACKER}}", "X-Plain" = "as it is"}}\n'
        )
        config.chmod(0o600)
        async with Engine.in_memory(config=config) as engine:
            spelled = base64.b64encode(f"x:{TOKEN}".encode()).decode()
            step = Step(id="a", tool="tracker.look", args={"text": f"{TOKEN} {spelled}"})
            result = await engine.run(Plan(steps=(step,)))
    said = json.dumps(result.steps["a"].output)
    assert "Bearer ${env.TRACKER}" in said
    assert "as it is" in said
    assert not [look for look in (TOKEN, spelled[4:20]) if look in said]
