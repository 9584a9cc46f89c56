"""A home is its owner's alone, and so is whoever may say what is run from it."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from callsheet import Engine, Plan, Step
from callsheet.errors import ConfigurationError, StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.requirement("S10")

LARGE = Plan(
    steps=(
        Step(id="a", tool="value", args={"value": "x" * 40_000}),
        Step(id="b", tool="file.write", args={"path": "b.txt", "text": "x"}),
    )
)


@pytest.fixture(params=[0o000, 0o022, 0o077])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def modes(home: Path) -> dict[str, int]:
    return {str(each): each.stat().st_mode & 0o077 for each in (home, *home.rglob("*"))}


@pytest.mark.slow  # whole engines on a disk
async def test_nobody_else_may_read_anything_in_a_home_whatever_the_umask(
    tmp_path: Path, umask: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    home = tmp_path / "home"
    async with Engine.open(home) as engine:
        await (await engine.start(LARGE)).wait()
        await engine.backup(tmp_path / "copy")
        assert set(modes(home).values()) == {0}
    assert set(modes(home).values()) == {0}
    assert set(modes(tmp_path / "copy").values()) == {0}
    assert home.stat().st_mode & 0o777 == 0o700


@pytest.mark.slow  # the same
async def test_a_home_that_others_could_read_is_closed_and_that_is_told_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "home"
    async with Engine.open(home):
        pass
    home.chmod(0o755)
    (home / "callsheet.db").chmod(0o644)
    async with Engine.open(home):
        pass
    assert "home.closed" in capsys.readouterr().err
    assert set(modes(home).values()) == {0}
    async with Engine.open(home):
        pass
    assert "home.closed" not in capsys.readouterr().err


@pytest.mark.parametrize("drive", [True, False])
async def test_a_home_that_everybody_may_write_is_refused(tmp_path: Path, drive: bool) -> None:
    home = tmp_path / "home"
    async with Engine.open(home):
        pass
    home.chmod(0o777)
    with pytest.raises(StoreError, match=r"Anyone can write to the home .* chmod -R go-rwx"):
        async with Engine.open(home, drive=drive):
            pass


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
async def test_a_home_of_somebody_else_is_refused(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    os.chown(home, 12_345, 12_345)
    with pytest.raises(StoreError, match="belongs to another user"):
        async with Engine.open(home):
            pass


@pytest.mark.parametrize("mode", [0o666, 0o646, 0o602])
async def test_a_configuration_that_everybody_may_write_is_refused(
    tmp_path: Path, mode: int
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("")
    file.chmod(mode)
    with pytest.raises(ConfigurationError, match=r"may be written by everybody.*chmod go-w"):
        async with Engine.in_memory(config=file):
            pass


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
async def test_a_configuration_that_another_group_may_write_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("")
    file.chmod(0o664)
    async with Engine.in_memory(config=file):
        pass
    os.chown(file, -1, 12_345)
    with pytest.raises(ConfigurationError, match="may be written by the group 12345"):
        async with Engine.in_memory(config=file):
            pass


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
@pytest.mark.slow  # a process
async def test_another_user_of_the_machine_can_read_nothing(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        async with Engine.open(tmp_path / "home") as engine:
            await (await engine.start(LARGE.__class__(steps=LARGE.steps[:1]))).wait()
    finally:
        os.umask(before)
    for above in (tmp_path, *tmp_path.parents):
        if above.stat().st_uid == os.geteuid() and not above.stat().st_mode & 0o001:
            above.chmod(above.stat().st_mode | 0o011)
    look = f"import os; os.setuid(12345); open({str(tmp_path / 'home' / 'callsheet.db')!r})"
    done = subprocess.run(  # noqa: ASYNC221 -- a test
        [sys.executable, "-c", look], capture_output=True, text=True, check=False
    )
    assert "PermissionError" in done.stderr
