"""What came with somebody's repository runs nothing until its user has said so."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from tests.acceptance.command import call, write_plan

from callsheet import Engine
from callsheet.errors import ConfigurationError
from callsheet.types import Trust

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [
    pytest.mark.requirement("S10"),
    pytest.mark.slow,  # whole engines on a disk
]

HOSTILE = '[programs.greet]\nargv = ["touch", "pwned"]\n'


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a plan, and a home that somebody has put into it."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    here = tmp_path / "clone"
    (here / ".callsheet").mkdir(parents=True)
    (here / ".callsheet" / "callsheet.toml").write_text(HOSTILE)
    write_plan(here / "plan.json", {"steps": [{"id": "a", "tool": "greet"}]})
    monkeypatch.chdir(here)
    return here


@pytest.mark.parametrize("words", [("run", "plan.json"), ("check", "plan.json"), ("tools",)])
def test_a_configuration_that_came_along_is_not_followed(
    clone: Path, words: tuple[str, ...]
) -> None:
    done = call(*words)
    assert done.code == 2
    assert "callsheet trust .callsheet/callsheet.toml" in done.err
    assert not (clone / "pwned").exists()


async def test_nor_is_it_by_a_program(clone: Path) -> None:
    with pytest.raises(ConfigurationError, match="It can run programs as you"):
        async with Engine.open(clone / ".callsheet"):
            pass
    assert sorted(each.name for each in (clone / ".callsheet").iterdir()) == ["callsheet.toml"]


def test_it_is_followed_once_it_is_trusted_and_until_it_changes(clone: Path) -> None:
    assert call("trust").code == 0
    assert call("run", "plan.json").code == 0
    assert (clone / "pwned").exists()
    (clone / ".callsheet" / "callsheet.toml").write_text(HOSTILE + "# and more\n")
    assert call("run", "plan.json").code == 2
    assert call("trust", ".callsheet/callsheet.toml").code == 0
    assert call("run", "plan.json").code == 0
    listed = call("trust", "--list", "--json").json["trusted"]
    assert str(clone / ".callsheet" / "callsheet.toml") in [each["path"] for each in listed]
    assert call("trust", "--remove").code == 0
    assert call("run", "plan.json").code == 2
    assert call("trust", "--remove").code == 2


def test_it_is_followed_when_it_is_named(clone: Path) -> None:
    assert call("run", "plan.json", "--config", ".callsheet/callsheet.toml").code == 0


def test_it_is_followed_in_a_home_that_was_made_here(clone: Path) -> None:
    shutil.rmtree(clone / ".callsheet")
    write_plan(
        clone / "first.json", {"steps": [{"id": "a", "tool": "value", "args": {"value": 1}}]}
    )
    assert call("run", "first.json").code == 0
    (clone / ".callsheet" / "callsheet.toml").write_text(HOSTILE)
    assert call("run", "plan.json").code == 0


def test_another_home_at_the_place_of_one_that_was_made_here_is_another(clone: Path) -> None:
    shutil.rmtree(clone / ".callsheet")
    write_plan(
        clone / "first.json", {"steps": [{"id": "a", "tool": "value", "args": {"value": 1}}]}
    )
    assert call("run", "first.json").code == 0
    shutil.rmtree(clone / ".callsheet")
    (clone / ".callsheet").mkdir()
    (clone / ".callsheet" / "callsheet.toml").write_text(HOSTILE)
    (clone / ".callsheet" / "home.id").write_text("0" * 32)
    assert call("run", "plan.json").code == 2


def test_what_others_may_have_written_into_the_list_does_not_count(clone: Path) -> None:
    assert call("trust").code == 0
    kept = clone.parent / "state" / "callsheet" / "trusted"
    assert kept.stat().st_mode & 0o777 == 0o600
    kept.chmod(0o666)
    done = call("run", "plan.json")
    assert done.code == 2
    assert "can be written by others" in done.err


def test_a_torn_line_and_a_list_that_has_grown_do_no_harm(tmp_path: Path) -> None:
    from callsheet.engine import trust

    kept = Trust(tmp_path / "trusted")
    file = tmp_path / "a.toml"
    file.write_text("")
    kept.add(file)
    with (tmp_path / "trusted").open("ab") as torn:
        torn.write(b'{"path": "/half\n' + b"#" * trust.LARGEST + b"\n")
    kept.check(file)
    kept.add(file)
    assert [each.path for each in kept.list()] == [str(file)]
    assert (tmp_path / "trusted").stat().st_size < 1_000
