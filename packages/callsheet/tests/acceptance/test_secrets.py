"""Secrets: a tool is given them, and nobody else ever sees them."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from tests.acceptance.stage import a_plan, carry_out, finish, opened, places, records, states, until

from callsheet import Step, Undo
from callsheet.errors import FatalError, MissingSecretsError, PlanError, TransientError
from callsheet.testing import World, hangs, raises, returns, simulated

if TYPE_CHECKING:
    from pathlib import Path

    from callsheet.testing import Act, Call

pytestmark = pytest.mark.requirement("secrets:never-written")

KEY = "sk-7f3a9-do-not-tell"
OTHER = 'pa$$ "w\\rd" ünï'
SECRETS = {"API_KEY": KEY, "DB": OTHER}
LARGE = "x" * 40_000


def tells(**also: Any) -> Act:
    """Gives back all that it was given, in every way that a tool can."""

    async def act(call: Call, ctx: Any) -> Any:
        secret = str(call.args["key"])
        ctx.progress(0.5, f"with {secret}")
        await ctx.checkpoint({"key": secret, secret: [secret]})
        return {"echo": call.args, "text": f"<{secret}>", "list": [[secret]], secret: 1, **also}

    return act


def step(name: str, tool: str, *needs: str, **fields: Any) -> Step:
    return Step(id=name, tool=tool, needs=needs, **fields)


def bytes_under(path: Path) -> bytes:
    return b"\n".join(file.read_bytes() for file in sorted(path.rglob("*")) if file.is_file())


def assert_hidden(content: bytes | str) -> None:
    """No secret stands there, not even as JSON writes it."""
    text = content if isinstance(content, str) else content.decode("utf-8", "replace")
    assert KEY not in text
    assert "w\\rd" not in text
    assert "do-not-tell" not in text


@pytest.mark.slow  # a database and a backup of it
@simulated
async def test_a_secret_is_given_to_the_tool_and_written_nowhere(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    world = World()
    world.tool("call", tells(large=LARGE))
    world.tool("fail", raises(FatalError(f"401 for {KEY}: {KEY!r}")))
    world.tool("flaky", [raises(TransientError(f"not yet, {OTHER}")), tells()])
    world.tool("next")
    args = {"key": "${secrets.API_KEY}", "auth": "Bearer ${secrets.API_KEY}, ${secrets.DB}"}
    plan = a_plan(
        step("a", "call", args=args),
        step("b", "fail", args=args, on_failure="ignore"),
        step("c", "flaky", args={"key": "${secrets.DB}"}),
        step("d", "next", "b", args={"from": "${steps.a.echo}"}),
        output="${steps.a}",
    )
    heard: list[str] = []
    caplog.set_level(logging.DEBUG)
    async with opened(world, tmp_path / "home", secrets=SECRETS) as engine:
        engine.listen(lambda told: heard.append(repr(told)))
        run = await engine.start(plan)
        result = await finish(engine, run)
        await engine.backup(tmp_path / "copy")
        (error,) = [
            entry.error for entry in await records(run, "AttemptEnded") if entry.step == "b"
        ]
        started = {entry.step: bytes(entry.args) for entry in await records(run, "AttemptStarted")}
    auth = f"Bearer {KEY}, {OTHER}"
    assert world.of("call")[0].args == {"key": KEY, "auth": auth}
    assert world.of("flaky")[1].args == {"key": OTHER}
    assert b'"key":"${secrets.API_KEY}"' in started["a"]
    assert "${secrets.API_KEY}" in error.message
    output: Any = result.output
    assert output["text"] == "<${secrets.API_KEY}>"
    assert output["${secrets.API_KEY}"] == 1
    assert output["large"] == LARGE
    assert world.of("next")[0].args["from"] == args, "what looks like a reference is text"
    for place in (tmp_path / "home", tmp_path / "copy"):
        assert_hidden(bytes_under(place))
    assert_hidden("".join(heard))
    assert_hidden(repr(result) + str(result.to_json()))
    assert_hidden(caplog.text)


@simulated
async def test_a_checkpoint_comes_back_with_the_name_of_the_secret() -> None:
    world = World()

    async def remembers(call: Call, ctx: Any) -> Any:
        if ctx.saved is None:
            await ctx.checkpoint({"job": f"7 {call.args['key']}"})
            raise TransientError("lost sight")
        return ctx.saved

    world.tool("call", remembers)
    async with opened(world, secrets=SECRETS) as engine:
        result = await carry_out(
            engine, a_plan(step("a", "call", args={"key": "${secrets.API_KEY}"}))
        )
    assert result.steps["a"].output == {"job": "7 ${secrets.API_KEY}"}


@simulated
async def test_a_missing_secret_is_found_before_anything_is_written() -> None:
    world = World()
    world.tool("call")
    inner = a_plan(step("x", "call", args={"k": "${secrets.INNER}"}))
    plan = a_plan(
        step("a", "call", args={"k": "${secrets.API_KEY}", "n": "${secrets.NOBODY}"}),
        Step(id="sub", plan=inner),
    )
    async with opened(world, secrets=SECRETS) as engine:
        with pytest.raises(MissingSecretsError) as refused:
            await engine.start(plan)
        await engine.plans.save(a_plan(*inner.steps, name="kept"))
        with pytest.raises(MissingSecretsError, match="INNER"):
            await engine.start(a_plan(Step(id="s", plan="kept")))
        assert not await engine.runs()
    assert not world.calls
    assert "NOBODY, INNER" in str(refused.value)
    assert "CALLSHEET_SECRET_NOBODY" in str(refused.value)
    assert "API_KEY" not in str(refused.value)


@simulated
async def test_secrets_come_from_the_environment_and_are_looked_for_at_every_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = World()
    world.tool("call")
    plan = a_plan(step("a", "call", args={"k": "${secrets.TOKEN}"}))
    async with opened(world) as engine:
        with pytest.raises(MissingSecretsError):
            await engine.start(plan)
        monkeypatch.setenv("CALLSHEET_SECRET_TOKEN", "from-outside")
        result = await carry_out(engine, plan)
        read = engine.read(plan)
        await carry_out(engine, read)
        monkeypatch.delenv("CALLSHEET_SECRET_TOKEN")
        with pytest.raises(MissingSecretsError):
            await engine.start(read)
        assert len(await engine.runs()) == 2
    assert world.calls[0].args == {"k": "from-outside"}
    assert result.steps["a"].output == {"k": "${secrets.TOKEN}"}


@simulated
async def test_text_of_another_tool_that_looks_like_a_secret_is_not_one() -> None:
    world = World()
    world.tool("evil", returns({"text": "${secrets.API_KEY}"}))
    world.tool("post")
    plan = a_plan(
        step("evil", "evil"),
        step("plain", "post", args={"t": "${steps.evil.text}"}),
        step("mixed", "post", args={"t": "${steps.evil.text}", "k": "${secrets.DB}"}),
        step("each", "post", for_each="${[steps.evil.text]}", args={"t": "${item}"}),
    )
    async with opened(world, secrets=SECRETS) as engine:
        await carry_out(engine, plan)
        await carry_out(
            engine,
            a_plan(
                step("i", "post", args={"t": "${inputs.t}", "k": "${secrets.DB}"}),
                inputs={"t": {"type": "string"}},
            ),
            {"t": "${secrets.API_KEY}"},
        )
    for call in world.of("post"):
        assert call.args["t"] == "${secrets.API_KEY}", call.step
    assert world.step("mixed")[0].args["k"] == OTHER


UNDO = Undo(tool="undo", args={"key": "${secrets.API_KEY}", "id": "${output.id}"})


@pytest.mark.parametrize("good", [True, False], ids=["undone", "stuck"])
@pytest.mark.slow  # a database
@simulated
async def test_an_undo_is_given_its_secrets_and_tells_nobody(tmp_path: Path, *, good: bool) -> None:
    world = World()
    world.tool("make", returns({"id": 7}), effect="write")
    script = tells() if good else raises(FatalError(f"no {KEY}"))
    world.tool("undo", script, effect="write", idempotent=True)
    world.tool("boom", raises(FatalError("boom")))
    plan = a_plan(step("a", "make", undo=UNDO), step("b", "boom", "a"))
    async with opened(world, tmp_path, secrets=SECRETS) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        (started,) = await records(run, "UndoStarted")
        (ended,) = await records(run, "UndoEnded")
    assert world.of("undo")[0].args == {"key": KEY, "id": 7}
    assert bytes(started.args) == b'{"key":"${secrets.API_KEY}","id":7}'
    assert result.state == ("undone" if good else "stuck")
    assert "${secrets.API_KEY}" in (str(bytes(ended.output)) if good else ended.error.message)
    assert_hidden(bytes_under(tmp_path))
    assert_hidden(repr(result))


@simulated
async def test_an_undo_that_the_tool_names_is_given_the_secrets_of_its_call() -> None:
    world = World()
    world.pair("make", "unmake")
    world.tool("take", effect="write", idempotent=True)
    world.tool("boom", raises(FatalError("boom")))
    args = {"key": "${secrets.API_KEY}"}
    plan = a_plan(
        step("a", "make", args=args),
        step("b", "make", "a", args=args, undo=Undo(tool="take", args={"k": "${args.key}"})),
        step("z", "boom", "a", "b"),
    )
    async with opened(world, secrets=SECRETS) as engine:
        run = await engine.start(plan)
        result = await finish(engine, run)
        journal = [bytes(entry.args) for entry in await records(run, "UndoStarted")]
    assert result.state == "undone"
    unmade: Any = world.of("unmake")[0].args
    assert unmade["args"] == {"key": KEY}
    assert world.of("take")[0].args == {"k": KEY}
    assert_hidden(b"".join(journal))


@simulated
async def test_an_approval_shows_the_name_and_holds() -> None:
    world = World()
    world.tool("call")
    plan = a_plan(step("a", "call", args={"key": "${secrets.API_KEY}"}, approval="required"))
    async with opened(world, secrets=SECRETS) as engine:
        run = await engine.start(plan)
        await until(run, "QuestionAsked")
        (question,) = (await run.status()).questions
        await run.answer("a", "approve")
        result = await finish(engine, run)
    assert "${secrets.API_KEY}" in question.text
    assert_hidden(repr(question))
    assert (result.state, world.calls[0].args) == ("succeeded", {"key": KEY})


@pytest.mark.requirement("E11")
@pytest.mark.slow  # a database
@simulated
async def test_a_secret_that_is_gone_after_a_crash_denies_the_step_and_says_what_to_do(
    tmp_path: Path,
) -> None:
    world = World()
    forever = asyncio.Event()
    world.tool("call", hangs(forever))
    plan = a_plan(step("a", "call", args={"key": "${secrets.API_KEY}"}))
    async with opened(world, tmp_path, secrets=SECRETS) as engine:
        run = await engine.start(plan)
        await until(run, "AttemptStarted")
    async with opened(world, tmp_path, secrets={}) as engine:
        result = await finish(engine, await engine.get(run.id))
    error = result.steps["a"].error
    assert error is not None
    assert error.error_class == "denied"
    assert "API_KEY" in error.message
    assert "Set CALLSHEET_SECRET_API_KEY" in error.message
    assert len(world.calls) <= 1
    assert result.state == "failed"


@pytest.mark.requirement("E11", "durability:finished-never-runs-again")
@pytest.mark.slow  # a database
@simulated
async def test_a_secret_that_has_changed_after_a_crash_is_the_new_one(tmp_path: Path) -> None:
    world = World()
    once = asyncio.Event()
    world.tool("call", [hangs(once), tells()])
    plan = a_plan(step("a", "call", args={"key": "${secrets.API_KEY}"}))
    async with opened(world, tmp_path, secrets=SECRETS) as engine:
        run = await engine.start(plan)
        await until(run, "AttemptStarted")
    async with opened(world, tmp_path, secrets={"API_KEY": "rotated-key"}) as engine:
        result = await finish(engine, await engine.get(run.id))
    assert result.state == "succeeded"
    assert world.calls[-1].args == {"key": "rotated-key"}
    assert b"rotated-key" not in bytes_under(tmp_path)


@pytest.mark.requirement("children:one-run-per-step")
@pytest.mark.slow  # a database
@simulated
async def test_children_and_added_steps_have_secrets_too(tmp_path: Path) -> None:
    world = World()
    world.tool("call", tells())
    args = {"key": "${secrets.API_KEY}"}
    inner = a_plan(step("x", "call", args=args), output="${steps.x.text}")
    async with opened(world, tmp_path, secrets=SECRETS) as engine:
        run = await engine.start(a_plan(Step(id="sub", plan=inner)), open=True)
        await run.add([step("more", "call", args=args)])
        await run.seal()
        result = await finish(engine, run)
    assert [call.args["key"] for call in world.calls] == [KEY, KEY]
    assert result.steps["sub"].output == "<${secrets.API_KEY}>"
    assert_hidden(bytes_under(tmp_path))


@pytest.mark.requirement("E2")
@simulated
async def test_secrets_stand_in_arguments_of_calls_and_nowhere_else() -> None:
    world = World()
    world.tool("call")
    world.pair("make", "unmake")
    inner = a_plan(step("x", "call"), inputs={"k": {"type": "string"}})
    cases = {
        "steps[0].when": a_plan(step("a", "call", when="${secrets.DB == 'x'}")),
        "steps[0].ask": a_plan(Step(id="a", ask="Is it ${secrets.DB}?")),
        "steps[0].for_each": a_plan(step("a", "call", for_each="${[secrets.DB]}")),
        "steps[0].touches[0]": a_plan(step("a", "call", touches=("${secrets.DB}",))),
        "steps[0].args.k": a_plan(Step(id="a", plan=inner, args={"k": "${secrets.DB}"})),
        "steps[0].cache": a_plan(step("a", "call", args={"k": "${secrets.DB}"}, cache=True)),
        "output": a_plan(step("a", "call"), output="${secrets.DB}"),
        "output.x": a_plan(step("a", "call"), output={"x": "<${secrets.DB}>"}),
    }
    async with opened(world, secrets=SECRETS) as engine:
        for place, plan in cases.items():
            with pytest.raises(PlanError) as refused:
                await engine.start(plan)
            assert place in places(refused.value), place
        for odd in ("${secrets}", "${secrets.*}", "${length(secrets.DB)}", "${secrets.DB || 'x'}"):
            with pytest.raises(PlanError):
                await engine.start(a_plan(step("a", "call", args={"k": odd})))
        assert not await engine.runs()


@simulated
async def test_a_short_secret_is_not_looked_for_in_what_tools_say() -> None:
    world = World()
    world.tool("call", returns("a1b"))
    async with opened(world, secrets={"PIN": "1"}) as engine:
        result = await carry_out(engine, a_plan(step("a", "call", args={"k": "${secrets.PIN}"})))
    assert result.steps["a"].output == "a1b", "it would be everywhere"
    assert states(result) == {"a": "succeeded"}


@simulated
@pytest.mark.parametrize(
    "said",
    [
        "it was {}!".format,
        lambda secret: f"no {secret!r}",
        lambda secret: json.dumps({"sent": secret}),
        lambda secret: f"https://example.org/{quote(secret, safe='')}",
        lambda secret: " ".join(secret.splitlines()),
        lambda secret: {"deep": [secret.splitlines()[1]]},
    ],
)
async def test_a_secret_of_several_lines_is_found_quoted_and_in_parts(said: Any) -> None:
    key = '-- "begin" key/1 --\nMIIEvQIBADANBg\\kqhkiG9w0\n-- end --'
    world = World()
    world.tool("call", returns(said(key)))
    async with opened(world, secrets={"KEY": key}) as engine:
        result = await carry_out(engine, a_plan(step("a", "call", args={"k": "${secrets.KEY}"})))
    output = json.dumps(result.steps["a"].output)
    assert "${secrets.KEY}" in output
    assert "MIIEvQIBADANBg" not in output
