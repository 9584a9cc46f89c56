"""The comparison with other engines, without them: nothing is installed, no time is looked at."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest
from bench import results
from bench.peers import asking, catalog, contest, report
from bench.peers.environments import Environments, NotMeasuredError
from bench.peers.programs import probing
from bench.peers.talk import parse, running
from bench.sampling import Series
from bench.work import TINY
from typing_extensions import override

if TYPE_CHECKING:
    from bench.peers.catalog import Peer


class StandIn(catalog.Variant):
    """A variant whose program is the one beside this test."""

    @property
    @override
    def program(self) -> str:
        return "tests.unit.stand_in_peer"


class Here(Environments):
    """Every peer is at home in the environment of the tests."""

    @override
    def python(self, peer: Peer) -> Path:
        return Path(sys.executable)


class Nowhere(Environments):
    """Nothing can be installed."""

    @override
    def python(self, peer: Peer) -> Path:
        raise NotMeasuredError("could not be installed: no such package")


def variant(kind: str) -> StandIn:
    peer = catalog.Peer(name=kind, title=f"A {kind} one")
    return StandIn(peer=peer, title=peer.title, arguments=(kind,))


def findings(
    *contests: contest.Contest, answers: tuple[asking.Answer, ...] = ()
) -> report.Findings:
    return report.Findings(contests=contests, answers=answers, facts={}, seconds=0.0)


def duel(name: str, *, ours: float, theirs: float) -> contest.Duel:
    (case,) = (case for case in contest.CASES if case.name == name)
    steps = case.steps(TINY) if case.steps else None
    return contest.Duel(case, steps, Series((ours,), (ours,)), Series((theirs,), (theirs,)))


# Measuring


@pytest.mark.slow  # it opens an engine and starts two programs
def test_ours_and_a_peer_do_every_case_in_turns_and_a_peer_that_breaks_keeps_what_it_had(
    tmp_path: Path,
) -> None:
    whole, broken = contest.contests([variant("whole"), variant("broken")], TINY, tmp_path, Here())
    assert list(whole.duels) == [case.name for case in contest.CASES]
    assert whole.failure == ""
    assert whole.settings == "stand-in"
    assert whole.versions.keys() == {"pytest", "itself"}
    assert whole.duels["many"].lead > 1 > whole.duels["fan"].lead
    assert list(broken.duels) == ["chain", "fan"]
    assert broken.failure == "its program ended: it was too much"
    for name in ("whole-whole", "broken-broken"):
        with suppress(psutil.NoSuchProcess):  # what a program started is stopped with it
            psutil.Process(int((tmp_path / name / "sleeper").read_text("utf-8"))).wait(30)


def test_a_peer_that_cannot_be_installed_is_a_line_and_the_next_one_has_its_turn(
    tmp_path: Path,
) -> None:
    found = contest.contests([variant("lost"), variant("other")], TINY, tmp_path, Nowhere())
    assert [line.failure for line in found] == ["could not be installed: no such package"] * 2
    said = report.section(findings(*found))
    assert "| A lost one " in said
    assert said.count("| not measured: could not be installed: no such package |") == 2
    assert "0 of 0 comparisons" in said


def test_the_time_that_the_quick_ones_leave_is_shared_by_the_others() -> None:
    allowance = contest.Allowance(1000.0, 2)
    allowance.next()
    assert allowance.case_seconds == contest.CASE_SECONDS
    nothing_left = contest.Allowance(0.0, 1)
    nothing_left.next()
    assert nothing_left.case_seconds == nothing_left.left == 0.0


# Speaking with a program


def test_what_a_library_prints_is_not_an_answer() -> None:
    assert parse(b"WARNING: all is well") == {}
    assert parse(b"[1, 2]") == {}
    assert parse(b'{"case": "chain", "seconds": 0.5}') == {"case": "chain", "seconds": 0.5}


async def test_a_program_that_says_nothing_is_not_waited_for_for_ever(tmp_path: Path) -> None:
    silent = [sys.executable, "-c", "import sys; sys.stdin.read()"]
    with (
        pytest.raises(NotMeasuredError, match="longer than the benchmark waits"),
        running(silent, tmp_path) as talk,
    ):
        await talk.ready(patience=0.0)


async def test_a_program_that_ends_has_its_last_words_repeated(tmp_path: Path) -> None:
    ending = [sys.executable, "-c", "raise SystemExit('no disk')"]
    with (
        pytest.raises(NotMeasuredError, match="its program ended: no disk"),
        running(ending, tmp_path) as talk,
    ):
        await talk.ready(patience=30.0)


# The tables


def test_a_loss_is_printed_as_readily_as_a_win() -> None:
    held = contest.Contest(variant("quick"), settings="RAM")
    held.duels["chain"] = duel("chain", ours=2.0, theirs=1.0)
    held.duels["sleep"] = duel("sleep", ours=0.1, theirs=0.3)
    said = report.section(findings(held))
    assert "faster in 1 of 2 comparisons" in said
    assert "Slower: chain against A quick one (0.500 x)." in said
    (row,) = (line for line in said.splitlines() if line.startswith("| A quick one"))
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells == ["A quick one", "5.00/s: 0.500 x", "-", "-", "-", "0.300 s: 3.00 x", "200", "-"]
    (ours,) = (line for line in said.splitlines() if line.startswith("| Callsheet"))
    assert "2.50/s" in ours


def test_an_engine_that_could_not_be_asked_has_that_said_of_it(tmp_path: Path) -> None:
    found = asking.answers([catalog.DBOS], tmp_path, Nowhere(), seconds=0.0)
    of_peer = [answer for answer in found if answer.engine == "DBOS"]
    assert [answer.ability for answer in of_peer] == list(asking.ABILITIES)
    assert {answer.has for answer in found} == {"not known"}
    said = report.section(findings(answers=tuple(found)))
    assert "- DBOS: could not be installed: no such package." in said


def test_an_answer_stands_in_the_table_and_its_evidence_below() -> None:
    answer = asking.Answer("Some", "undo", "by hand", "two writes stand")
    said = report.section(findings(answers=(answer,)))
    (row,) = (line for line in said.splitlines() if line.startswith("| undo:"))
    assert row.rstrip("| ").endswith("by hand")
    assert "- Some: two writes stand." in said


# The file


OURS = "# What the engine costs\n\nours\n"
PEERS = f"{report.HEADING}\n\npeers\n"


def test_each_part_of_the_results_is_replaced_alone() -> None:
    both = results.merged(results.merged("", OURS), PEERS)
    assert both == f"{OURS}\n{PEERS}"
    assert results.merged(both, OURS.replace("ours", "new")) == both.replace("ours", "new")
    assert results.merged(both, PEERS.replace("peers", "new")) == both.replace("peers", "new")
    assert results.merged("", PEERS) == PEERS


def test_numbers_of_a_busy_machine_are_not_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "RESULTS.md"
    results.write(PEERS, 0.5, anyway=False, path=path)
    assert not path.exists()
    assert "left as it is: others took up to 50%" in capsys.readouterr().out
    results.write(PEERS, 0.5, anyway=True, path=path)
    assert path.read_text("utf-8") == PEERS


# The peers


@pytest.mark.parametrize("peer", catalog.PEERS, ids=lambda peer: peer.name)
def test_everything_a_peer_needs_is_pinned(peer: Peer) -> None:
    lines = peer.requirements.read_text("utf-8").splitlines()
    wanted = [line for line in lines if line and not line.startswith("#")]
    assert wanted
    assert [line for line in wanted if "==" not in line] == []
    assert peer.npm.count("@") in {0, 2}
    programs = Path(contest.__file__).parent / "programs"
    assert (programs / f"on_{peer.name}.py").exists()
    assert (programs / f"ask_{peer.name}.py").exists()


def test_a_diary_counts_what_happened(tmp_path: Path) -> None:
    diary = probing.Diary(tmp_path / "diary.txt")
    assert diary.lines() == []
    assert [diary.write("paid"), diary.write("sent"), diary.write("paid")] == [1, 1, 2]
    assert diary.count("paid") == 2


def test_an_interface_is_searched_by_its_public_names_and_parameters() -> None:
    found = set(probing.public_names(probing.BUDGET, "callsheet.core.plan"))
    assert "Plan(budget=)" in found
    assert not any(name.startswith("_") for name in found)
