"""Isolated tools: in worker processes, which can be killed."""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import select
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.tools.ctx import PATIENCE, FakeContext

from callsheet import errors
from callsheet.frames import frames_of
from callsheet.tools.calling.failure import ToolRaisedError, WorkerDiedError
from callsheet.tools.calling.process import workers_ahead
from callsheet.tools.output import UnserialisableOutputError
from callsheet.tools.registry import Registry, load_tools

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

# A worker is a whole Python that imports pydantic; each test starts one or two.
pytestmark = pytest.mark.slow

TOOLS = Path(__file__).with_name("isolated_tools.py")


@pytest.fixture
async def registry() -> AsyncIterator[Registry]:
    registry = Registry(load_tools(str(TOOLS)))
    async with asyncio.timeout(PATIENCE):
        yield registry
        await registry.close()


def wait_dead(pid: int) -> None:
    """Return when a process is no more; it need not be our child."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        readable, _, _ = select.select([handle], [], [], PATIENCE)
        assert readable, f"process {pid} is still alive"
    finally:
        os.close(handle)


async def cancelled_call(registry: Registry, name: str, ctx: FakeContext) -> tuple[Any, int]:
    """Call, wait for the pid the tool says, cancel; the ended task, and the pid."""
    async with asyncio.TaskGroup() as group:
        call = group.create_task(registry.call(name, {}, ctx))
        pid = int(await ctx.wait_heard())
        call.cancel()
    return call, pid


async def test_an_isolated_tool_runs_in_the_main_thread_of_a_process_with_a_group_of_its_own(
    registry: Registry,
) -> None:
    output = await registry.call("where", {}, FakeContext())
    assert isinstance(output, dict)
    assert output["pid"] == output["group"] != os.getpid()
    assert output["thread"] == "MainThread"


async def test_a_worker_is_used_again_and_another_is_started_while_it_is_busy(
    registry: Registry,
) -> None:
    first = await registry.call("where", {}, FakeContext())
    second = await registry.call("where", {}, FakeContext())
    assert first == second
    ctx = FakeContext()
    async with asyncio.TaskGroup() as group:
        call = group.create_task(registry.call("naps", {}, ctx))
        await ctx.wait_heard()
        assert await registry.call("where", {}, FakeContext()) != first
        call.cancel()


async def test_arguments_and_outputs_are_converted_on_the_other_side(registry: Registry) -> None:
    args: Any = {"city": "oslo", "at": "2024-05-01T00:00:00Z"}
    output = await registry.call("book", args, FakeContext())
    assert output == {"id": "OSLO", "at": "2024-05-01T00:00:00Z"}


async def test_an_output_of_megabytes_comes_through(registry: Registry) -> None:
    output = await registry.call("measures", {"size": 5_000_000}, FakeContext())
    assert isinstance(output, str)
    assert len(output) == 5_000_000


@pytest.mark.requirement("E18")
async def test_an_isolated_tool_is_told_and_says_what_an_async_one_is_and_does(
    registry: Registry,
) -> None:
    ctx = FakeContext(attempt=2, key="k-17", saved={"job": 16})
    output = await registry.call("told", {}, ctx)
    assert output == {
        "run": "r1",
        "step": "s1",
        "attempt": 2,
        "key": "k-17",
        "saved": {"job": 16},
        "cancelled": False,
    }
    assert ctx.progressed == [(0.5, "half")]
    assert ctx.checkpoints == [{"job": 17}]
    assert ctx.charges == [(0.25, 0.0, 3)]
    assert ctx.log.said == [("info", "tool.spoke", {"number": 7, "thing": "<class 'object'>"})]


async def test_a_checkpoint_that_cannot_be_journalled_raises_in_the_worker(
    registry: Registry,
) -> None:
    ctx = FakeContext(checkpoint_error=OSError("disk full"))
    output = await registry.call("survives_a_refused_checkpoint", {}, ctx)
    assert output == "OSError: disk full"


@pytest.mark.requirement("E7")
@pytest.mark.parametrize(
    ("which", "kind", "message"),
    [
        ("rate", errors.RateLimitedError, "slow down"),
        ("not_done", errors.NotDoneError, "nothing happened"),
        ("subclass", errors.DeniedError, "no seats"),
        ("strange", ToolRaisedError, "StrangeError: odd"),
        ("refused", ConnectionRefusedError, "StaleSocketError: no one there"),
        ("value", ValueError, "bad value"),
        ("unicode", ValueError, "UnicodeDecodeError: 'utf-8' codec can't decode"),
        ("exit", ToolRaisedError, "SystemExit: 3"),
        ("interrupt", ToolRaisedError, "KeyboardInterrupt"),
        ("surrogate", ValueError, "\\ud800"),
    ],
)
async def test_what_is_raised_in_a_worker_is_raised_here_by_the_nearest_class_both_know(
    registry: Registry, which: str, kind: type[Exception], message: str
) -> None:
    ctx = FakeContext()
    with pytest.raises(kind) as caught:
        await registry.call("raises", {"which": which}, ctx)
    assert type(caught.value) is kind
    assert str(caught.value).startswith(message)
    assert ctx.log.events() == []
    if isinstance(caught.value, errors.ToolError):
        assert not hasattr(caught.value, "__notes__"), "a tool's word needs no traceback"
    else:
        assert "isolated_tools.py" in frames_of(caught.value)


@pytest.mark.requirement("E8")
async def test_a_retry_after_survives_the_way_from_a_worker(registry: Registry) -> None:
    with pytest.raises(errors.RateLimitedError) as caught:
        await registry.call("raises", {"which": "rate"}, FakeContext())
    assert caught.value.retry_after == 2.5


async def test_an_output_without_json_is_named_by_the_worker(registry: Registry) -> None:
    with pytest.raises(UnserialisableOutputError, match=r"output\.socket is of type _thread"):
        await registry.call("returns_an_object", {}, FakeContext())


@pytest.mark.parametrize(
    ("how", "end"),
    [
        ("exit", "exited with code 3"),
        ("kill", "was killed by SIGKILL"),
        ("segfault", "was killed by SIGSEGV"),
    ],
)
async def test_a_worker_that_dies_leaves_a_call_of_which_nobody_knows_what_became(
    registry: Registry, how: str, end: str
) -> None:
    with pytest.raises(WorkerDiedError, match=f"The process of 'dies' {end} in the middle"):
        await registry.call("dies", {"how": how}, FakeContext())
    assert not isinstance(WorkerDiedError("dies", 3), errors.ToolError)
    # The next call gets another worker.
    assert await registry.call("prints", {}, FakeContext()) == "printed"


async def test_an_exception_that_cannot_be_put_into_words_ends_the_call(registry: Registry) -> None:
    with pytest.raises(ToolRaisedError, match="UnspeakableError"):
        await registry.call("raises_the_unspeakable", {}, FakeContext())
    assert await registry.call("prints", {}, FakeContext()) == "printed"


async def test_a_worker_that_listens_ends_within_the_grace_and_is_used_again(
    registry: Registry,
) -> None:
    call, pid = await cancelled_call(registry, "listens", FakeContext())
    assert call.result() == "cleaned up"
    where = await registry.call("where", {}, FakeContext())
    assert isinstance(where, dict)
    assert where["pid"] == pid


async def test_a_sleep_in_a_worker_ends_when_the_tool_is_told_to_stop(registry: Registry) -> None:
    call, _ = await cancelled_call(registry, "naps", FakeContext())
    assert call.cancelled()


@pytest.mark.requirement("E8")
async def test_a_worker_that_does_not_listen_is_killed_when_the_grace_is_over(
    registry: Registry,
) -> None:
    ctx = FakeContext(grace=0.01)
    call, pid = await cancelled_call(registry, "ignores_everything", ctx)
    assert call.cancelled()
    assert ctx.log.events() == ["tool.killed"]
    wait_dead(pid)


async def test_a_worker_stuck_in_c_code_is_killed_when_the_grace_is_over(
    registry: Registry,
) -> None:
    call, pid = await cancelled_call(registry, "clutches_the_interpreter", FakeContext(grace=0.1))
    assert call.cancelled()
    wait_dead(pid)


async def test_what_a_killed_worker_has_started_is_killed_with_it(registry: Registry) -> None:
    call, program = await cancelled_call(registry, "starts_a_program", FakeContext(grace=0.01))
    assert call.cancelled()
    wait_dead(program)


async def test_a_second_cancellation_kills_at_once(registry: Registry) -> None:
    ctx = FakeContext(grace=3600)
    async with asyncio.TaskGroup() as group:
        call = group.create_task(registry.call("ignores_everything", {}, ctx))
        pid = int(await ctx.wait_heard())
        call.cancel()
        # Once around the loop, so that the first has been dealt with.
        await asyncio.to_thread(bool)
        call.cancel()
    assert call.cancelled()
    wait_dead(pid)


async def test_a_call_that_is_cancelled_before_the_function_began_says_that_nothing_was_done(
    registry: Registry,
) -> None:
    async def call() -> None:
        with pytest.raises(errors.NotDoneError, match="told to stop before it was called"):
            await registry.call("where", {}, FakeContext())

    async with asyncio.TaskGroup() as group:
        task = group.create_task(call())
        while not registry._workers:  # noqa: SLF001 -- there is no other sign of it
            await asyncio.to_thread(bool)
        # It takes a worker longer than this to come up.
        task.cancel()


async def test_closing_the_registry_kills_what_is_running(registry: Registry) -> None:
    ctx = FakeContext()

    async def call() -> None:
        with pytest.raises(WorkerDiedError, match="was killed by SIGKILL"):
            await registry.call("ignores_everything", {}, ctx)

    async with asyncio.TaskGroup() as group:
        group.create_task(call())
        pid = int(await ctx.wait_heard())
        await registry.close()
    wait_dead(pid)


async def test_a_thread_that_a_call_leaves_behind_does_not_speak_in_the_next_ones_name(
    registry: Registry,
) -> None:
    first, second = FakeContext(), FakeContext()
    await registry.call("leaves_a_thread_behind", {}, first)
    await registry.call("takes_a_moment", {}, second)
    assert second.progressed == []


async def test_what_a_worker_prints_does_not_go_to_our_stdout(
    registry: Registry, capfd: pytest.CaptureFixture[str]
) -> None:
    await registry.call("prints", {}, FakeContext())
    printed = capfd.readouterr()
    assert (printed.out, printed.err) == ("", "said by a tool\n")


async def test_a_function_that_was_declared_by_hand_is_found(registry: Registry) -> None:
    assert await registry.call("by.hand", {"number": 1}, FakeContext()) == 2


async def test_a_read_may_be_isolated_too(registry: Registry) -> None:
    assert await registry.call("isolated_read", {}, FakeContext()) != os.getpid()


async def test_a_function_whose_name_was_taken_by_another_is_not_mixed_up_with_it(
    registry: Registry,
) -> None:
    with pytest.raises(errors.FatalError, match=r"is not 'same\.name\.first' any more"):
        await registry.call("same.name.first", {}, FakeContext())
    assert await registry.call("same.name.second", {}, FakeContext()) == "second"


async def test_a_module_that_a_worker_cannot_load_fails_the_call_before_anything_happens(
    tmp_path: Path,
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "import os\nfrom callsheet.tools.registry import tool\n"
        f"if os.getpid() != {os.getpid()}: raise LookupError('not here')\n"
        "@tool(effect='write')\ndef book(): return 1\n"
    )
    registry = Registry(load_tools(str(file)))
    with pytest.raises(errors.FatalError, match="cannot load 'book': LookupError: not here"):
        await registry.call("book", {}, FakeContext())
    await registry.close()


async def test_when_no_process_can_be_started_nothing_was_done(registry: Registry) -> None:
    usual = resource.getrlimit(resource.RLIMIT_NOFILE)
    next_one = os.dup(0)
    os.close(next_one)
    # There is none left to talk to a process through.
    resource.setrlimit(resource.RLIMIT_NOFILE, (next_one + 1, usual[1]))
    try:
        with pytest.raises(errors.NotDoneError, match="No process can be started for 'where'"):
            await registry.call("where", {}, FakeContext())
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, usual)
    assert await registry.call("prints", {}, FakeContext()) == "printed"


async def test_a_worker_that_was_started_ahead_takes_the_first_call_and_is_like_any_other(
    registry: Registry,
) -> None:
    others = children()
    async with workers_ahead("colorsys", "no.such.module"):
        (ahead,) = children() - others
        where = await registry.call("where", {}, FakeContext())
        assert isinstance(where, dict)
        assert where["pid"] == ahead
        loaded = await registry.call("loaded", {}, FakeContext())
        assert isinstance(loaded, list)
        assert "colorsys" in loaded
    # It is the registry's now, and goes with it.
    assert await registry.call("where", {}, FakeContext()) == where
    await registry.close()
    wait_dead(ahead)


async def test_a_worker_that_was_started_ahead_and_not_needed_is_killed() -> None:
    others = children()
    async with workers_ahead("colorsys", many=2):
        ahead = children() - others
        assert len(ahead) == 2
    for pid in ahead:
        wait_dead(pid)


async def test_workers_ahead_call_functions_too_and_load_more_when_they_are_told(
    registry: Registry,
) -> None:
    async with workers_ahead("mimetypes:init", "mimetypes:no_such_function") as load:
        load("no.such.module:function", "colorsys")
        ready = await registry.call("readiness", {}, FakeContext())
        assert ready == {"knows types": True, "collects": True}
        loaded = await registry.call("loaded", {}, FakeContext())
        assert isinstance(loaded, list)
        assert "colorsys" in loaded


@pytest.mark.parametrize("first", ["plain", "knowing"])
async def test_a_call_goes_to_the_worker_ahead_that_has_loaded_what_it_needs(first: str) -> None:
    registry = Registry(load_tools("tests.unit.tools.isolated_tools"))
    names = {"plain": "colorsys", "knowing": "tests.unit.tools.isolated_tools"}
    others, pids = children(), dict[str, int]()
    async with contextlib.AsyncExitStack() as stack:
        stack.push_async_callback(registry.close)
        for kind in sorted(names, key=lambda each: each != first):
            await stack.enter_async_context(workers_ahead(names[kind]))
            (pids[kind],) = children() - others - set(pids.values())
        assert await registry.call("isolated_read", {}, FakeContext()) == pids["knowing"]
        # And nothing waits for it: while it is busy, the other one will do.
        ctx = FakeContext()
        async with asyncio.TaskGroup() as group:
            call = group.create_task(registry.call("listens", {}, ctx))
            assert int(await ctx.wait_heard()) == pids["knowing"]
            assert await registry.call("isolated_read", {}, FakeContext()) == pids["plain"]
            call.cancel()


async def test_a_call_goes_to_the_worker_that_has_done_one_like_it(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "import os\nfrom callsheet.tools.registry import tool\n"
        "@tool(isolated=True)\ndef elsewhere(): return os.getpid()\n"
    )
    registry = Registry([*load_tools(str(TOOLS)), *load_tools(str(file))])
    ctx = FakeContext()
    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
        call = group.create_task(registry.call("listens", {}, ctx))
        one = int(await ctx.wait_heard())
        other = await registry.call("elsewhere", {}, FakeContext())
        call.cancel()
    for _ in range(2):
        assert await registry.call("isolated_read", {}, FakeContext()) == one
        assert await registry.call("elsewhere", {}, FakeContext()) == other
    assert one != other
    await registry.close()


def children() -> set[int]:
    """The processes that we have started and that still run, for other tests, too."""
    found = Path(f"/proc/self/task/{os.getpid()}/children").read_text("ascii").split()
    return {int(pid) for pid in found}
