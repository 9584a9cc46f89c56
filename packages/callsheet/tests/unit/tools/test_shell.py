"""`sh`: programs that end with their call."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.tools.ctx import PATIENCE, FakeContext
from tests.unit.tools.test_process import wait_dead

from callsheet.errors import FatalError, InvalidError, ToolError
from callsheet.tools.builtin.catalog import builtin_tools
from callsheet.tools.registry import Registry

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    return Registry(builtin_tools(allow_shell=True, root=tmp_path))


async def sh(registry: Registry, command: Any, **args: Any) -> Any:
    async with asyncio.timeout(PATIENCE):
        return await registry.call("sh", {"command": command, **args}, FakeContext())


async def test_text_is_for_the_shell_and_a_list_is_a_program_with_its_arguments(
    registry: Registry,
) -> None:
    ended = {"code": 0, "stdout": "a b\n", "stderr": "", "truncated": False}
    assert await sh(registry, "x='a b'; echo \"$x\"") == ended
    assert await sh(registry, ["echo", "a b"]) == ended
    assert (await sh(registry, ["echo", "$HOME"]))["stdout"] == "$HOME\n"


async def test_a_program_runs_in_the_root_or_below_it(registry: Registry, tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    assert (await sh(registry, "pwd"))["stdout"] == f"{tmp_path}\n"
    assert (await sh(registry, "pwd", cwd="below"))["stdout"] == f"{tmp_path}/below\n"
    with pytest.raises(InvalidError, match="'nowhere' is not a directory"):
        await sh(registry, "pwd", cwd="nowhere")


@pytest.mark.requirement("E7")
async def test_an_exit_code_other_than_0_is_fatal_with_the_end_of_stderr(
    registry: Registry,
) -> None:
    with pytest.raises(FatalError, match="exited with code 3: no such luck") as caught:
        await sh(registry, "echo no such luck >&2; exit 3")
    assert type(caught.value) is FatalError
    with pytest.raises(FatalError, match="was killed by SIGKILL"):
        await sh(registry, "kill -9 $$")


async def test_an_exit_code_may_be_expected(registry: Registry) -> None:
    ended = await sh(registry, "echo out; echo err >&2; exit 3", check=False)
    assert ended == {"code": 3, "stdout": "out\n", "stderr": "err\n", "truncated": False}


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ([], "is not a program"),
        ([""], "is not a program"),
        (["a\0b"], "is not a program"),
        (["/no/such/program"], "There is no program '/no/such/program'"),
        (7, "args.command"),
    ],
)
async def test_what_is_no_program_is_refused(
    registry: Registry, command: Any, complaint: str
) -> None:
    with pytest.raises(ToolError) as caught:
        await sh(registry, command)
    assert complaint in caught.value.message
    assert caught.value.nothing_happened


async def test_output_is_kept_up_to_a_limit_and_it_says_so(registry: Registry) -> None:
    script = "import sys; sys.stdout.write('x' * 3_000_000); sys.stderr.write('done')"
    ended = await sh(registry, [sys.executable, "-c", script])
    assert len(ended["stdout"]) == 1_000_000
    assert (ended["stderr"], ended["truncated"]) == ("done", True)


async def test_output_that_is_not_text_is_shown_as_far_as_it_goes(registry: Registry) -> None:
    assert (await sh(registry, r"printf 'a\377b'"))["stdout"] == "a\N{REPLACEMENT CHARACTER}b"


async def test_what_a_command_leaves_running_ends_with_it(registry: Registry) -> None:
    # The background process holds stdout open; waiting for its end would be waiting for ever.
    ended = await sh(registry, "sleep 3600 & echo $!")
    wait_dead(int(ended["stdout"]))


async def cancelled(
    registry: Registry, tmp_path: Path, script: str, *, grace: float
) -> tuple[asyncio.Task[Any], int]:
    """Run a script that tells its pid through a pipe, and cancel it then."""
    pipe = tmp_path / "pid"
    os.mkfifo(pipe)
    args: Any = {"command": script.replace("PIPE", str(pipe))}
    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
        call = group.create_task(registry.call("sh", args, FakeContext(grace=grace)))
        pid = int(await asyncio.to_thread(pipe.read_text))
        call.cancel()
    return call, pid


async def test_a_cancelled_program_is_told_and_may_clean_up(
    registry: Registry, tmp_path: Path
) -> None:
    clean_up = f"touch {tmp_path}/cleaned; exit 0"
    script = f"trap '{clean_up}' TERM; echo $$ > PIPE; while :; do sleep 0.01; done"
    call, pid = await cancelled(registry, tmp_path, script, grace=PATIENCE)
    assert call.cancelled()
    assert (tmp_path / "cleaned").exists()
    wait_dead(pid)


@pytest.mark.requirement("E8")
async def test_a_program_that_does_not_listen_is_killed_with_all_it_has_started(
    registry: Registry, tmp_path: Path
) -> None:
    child = "import signal; signal.pause()"
    script = f"trap '' TERM; {sys.executable} -c '{child}' & echo $! > PIPE; wait; wait"
    call, pid = await cancelled(registry, tmp_path, script, grace=0.05)
    assert call.cancelled()
    wait_dead(pid)
