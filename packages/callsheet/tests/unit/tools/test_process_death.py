"""What is left when we are killed: nothing. Real programs, killed for real."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.unit.tools.test_process import TOOLS, wait_dead

if TYPE_CHECKING:
    from collections.abc import Iterator

# Whole Pythons start, and worker processes below them.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the kernel does it on Linux only"),
]

ROOT = Path(__file__).parents[5]

CALLS = f"""
import asyncio, sys
from pathlib import Path
from callsheet.tools.builtin.catalog import builtin_tools
from callsheet.tools.registry import Registry, load_tools
from tests.unit.tools.ctx import FakeContext

async def main():
    ctx = FakeContext()
    registry = Registry([*load_tools({str(TOOLS)!r}), *builtin_tools(allow_shell=True)])
    async with asyncio.TaskGroup() as group:
        group.create_task(registry.call(sys.argv[1], eval(sys.argv[2]), ctx))
        print(await ctx.wait_heard(), flush=True)

asyncio.run(main())
"""


def killed(name: str, args: str = "{}") -> Iterator[int]:
    """Start a program that makes this call, give the pid the tool says, and kill the program."""
    command = [sys.executable, "-c", CALLS, name, args]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as program:
        assert program.stdout is not None
        yield int(program.stdout.readline())
        program.kill()


@pytest.mark.parametrize(
    "name", ["ignores_everything", "clutches_the_interpreter", "starts_a_program"]
)
def test_a_worker_and_what_it_has_started_die_with_us_even_when_we_are_killed(name: str) -> None:
    for pid in killed(name):
        assert os.getpgid(pid) != os.getpgid(0)
    wait_dead(pid)


def test_a_shell_command_dies_with_us_even_when_we_are_killed(tmp_path: Path) -> None:
    pipe = tmp_path / "pid"
    os.mkfifo(pipe)
    script = "import signal; signal.pause()"
    args = {"command": f"trap '' TERM; {sys.executable} -c '{script}' & echo $! > {pipe}; wait"}
    code = CALLS.replace("print(await ctx.wait_heard(), flush=True)", "")
    command = [sys.executable, "-c", code, "sh", repr(args)]
    with subprocess.Popen(command, cwd=ROOT) as program:
        pid = int(pipe.read_text())
        program.send_signal(signal.SIGKILL)
    wait_dead(pid)


def run(file: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments] if arguments else [sys.executable, str(file)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        cwd=file.parent,
    )


SCRIPT = """
import asyncio, os
from callsheet.tools.registry import Registry, tool
from tests.unit.tools.ctx import FakeContext

@tool(effect="write")
def book(city: str):
    return [city, __name__]

async def main():
    registry = Registry([book])
    print(await registry.call("book", {"city": "Oslo"}, FakeContext()))
    await registry.close()

"""


def test_a_tool_in_the_program_itself_is_found_by_its_worker(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(SCRIPT + 'if __name__ == "__main__":\n    asyncio.run(main())\n')
    done = run(file)
    assert (done.stdout, done.stderr) == ("['Oslo', '__mp_main__']\n", "")


def test_a_tool_in_a_module_that_is_run_is_found_by_its_worker(tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    file = tmp_path / "package" / "program.py"
    file.write_text(SCRIPT + 'if __name__ == "__main__":\n    asyncio.run(main())\n')
    done = run(tmp_path / "x", "-m", "package.program")
    assert (done.stdout, done.stderr) == ("['Oslo', 'package.program']\n", "")


def test_a_program_that_opens_an_engine_when_it_is_imported_is_told_what_to_write(
    tmp_path: Path,
) -> None:
    file = tmp_path / "program.py"
    file.write_text(SCRIPT + "asyncio.run(main())\n")
    done = run(file)
    assert done.returncode == 1
    assert "opens an engine while it is imported" in done.stderr
    assert "if __name__ == '__main__':" in done.stderr


def test_a_module_beside_the_program_cannot_shadow_what_a_worker_needs(tmp_path: Path) -> None:
    (tmp_path / "json.py").write_text("raise RuntimeError('the wrong json')")
    file = tmp_path / "program.py"
    # As with `python -m`: the current directory is importable, and comes first; the program itself
    # has what it needs by then.
    late = textwrap.dedent("""
        import json, sys
        if __name__ == "__main__":
            sys.path.insert(0, "")
            asyncio.run(main())
    """)
    file.write_text(SCRIPT + late)
    done = run(file, "-P", str(file))
    assert done.stdout == "['Oslo', '__mp_main__']\n", done.stderr


BURIED = f"""
import asyncio, signal, sys
from callsheet.tools.builtin.catalog import builtin_tools
from callsheet.tools.registry import Registry, load_tools
from tests.unit.tools.ctx import FakeContext

signal.signal(signal.SIGCHLD, signal.SIG_IGN)

async def main():
    registry = Registry([*load_tools({str(TOOLS)!r}), *builtin_tools(allow_shell=True)])
    try:
        print(await registry.call(sys.argv[1], eval(sys.argv[2]), FakeContext()))
    except Exception as exc:
        print(type(exc).__name__, exc)
    await registry.close()

asyncio.run(main())
"""


@pytest.mark.parametrize(
    ("name", "args", "said"),
    [
        ("dies", "{'how': 'kill'}", "WorkerDiedError The process of 'dies' was lost in the middle"),
        ("prints", "{}", "printed"),
        ("sh", "{'command': 'exit 0'}", "its exit code is unknown"),
    ],
)
def test_a_process_that_ignores_sigchld_still_notices_that_a_worker_has_died(
    name: str, args: str, said: str
) -> None:
    command = [sys.executable, "-c", BURIED, name, args]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=ROOT, timeout=60, check=False
    )
    assert said in done.stdout, done.stderr
