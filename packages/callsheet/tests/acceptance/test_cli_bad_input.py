"""Wrong input: a clear error with all problems at once, exit code 2, and nothing left behind."""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING

import pytest
from tests.acceptance.command import TOOLS, call, write_plan

from callsheet.cli import runs

if TYPE_CHECKING:
    from pathlib import Path

    from tests.acceptance.command import Done

# Some of the input is large, and some needs a home on the disk.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("S5")]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CLI_TEST_DIR", str(tmp_path))
    monkeypatch.setenv("CALLSHEET_HOME", str(tmp_path / "home"))


def step(**fields: object) -> dict[str, object]:
    return {"id": "a", "tool": "value", "args": {"value": 1}, **fields}


def plan(*steps: object, **fields: object) -> bytes:
    return json.dumps({"callsheet": 1, "steps": list(steps), **fields}).encode()


LAUGHS = "\n".join(
    ["a0: &a0 [ha, ha]", *(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 40))]
).encode()

WRONG = {
    "a cycle": (
        plan(step(args={"value": "${steps.b}"}), step(id="b", args={"value": "${steps.a}"})),
        "cycle",
    ),
    "a step that needs itself": (plan(step(args={"value": "${steps.a}"})), "itself"),
    "an unknown field": (plan(step(retires=3)), "retires"),
    "two steps of one id": (plan(step(), step()), "already used"),
    "an unknown tool": (plan(step(tool="valeu")), "`tool: value`"),
    "an unknown reference": (plan(step(args={"value": "${steps.nobody}"})), "nobody"),
    "a missing argument": (plan(step(args={})), "value"),
    "an id with a slash": (plan(step(id="a/b")), "steps[0].id"),
    "an id with a newline": (plan(step(id="a\nb")), "steps[0].id"),
    "NaN": (
        b'{"callsheet": 1, "steps": [{"id": "a", "tool": "wait", "args": {"seconds": NaN}}]}',
        "",
    ),
    "an integer over 2^63": (plan(step(args={"value": 2**63})), "2^63"),
    "text that is not UTF-8": (b"callsheet: 1\nname: \xff\xfe\n", "UTF-8"),
    "text that is not YAML": (b"steps: [", "line"),
    "nothing": (b"", ""),
    "a list": (b"[1, 2]", ""),
    "billion laughs": (LAUGHS, ""),
    "a hundred megabytes": (b"# much ado\n" * 9_100_000, "16 MB"),
    "far too deep": (b"[" * 100_000, ""),
    "comments without an end": (b'{"a": ' + b"/*" * 45_000, ""),
}


def complaint(done: Done) -> str:
    """What the one JSON object on stdout says is wrong."""
    assert done.code == 2
    assert set(done.json) >= {"error"}
    assert "Traceback" not in done.err
    return str(done.json["error"]["message"])


@pytest.mark.requirement("E2")
@pytest.mark.parametrize("name", WRONG)
def test_a_plan_that_is_wrong_is_refused_and_leaves_nothing_behind(
    tmp_path: Path, name: str
) -> None:
    content, said = WRONG[name]
    path = tmp_path / "plan.yaml"
    path.write_bytes(content)
    for verb in ("check", "run"):
        done = call(verb, path, "--json")
        assert said in complaint(done)
        assert done.json["error"]["problems"]
    assert not (tmp_path / "home").exists()
    if len(content) < 1_000_000:
        text = call("check", path)
        assert (text.code, text.out) == (2, "")
        assert text.err.startswith("Error: ")


@pytest.mark.requirement("E2")
def test_everything_that_is_wrong_is_said_at_once(tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_bytes(
        plan(
            step(args={"value": "${steps.nobody}"}),
            step(id="b", needs=["c"]),
            step(id="c", needs=["b"]),
            inputs={"city": {"type": "string"}, "nights": {"type": "integer"}},
        )
    )
    done = call(
        "run",
        tmp_path / "plan.json",
        "--input",
        "nights=many",
        "--input",
        "ctiy=Oslo",
        "--input",
        "nonsense",
        "--json",
    )
    said = complaint(done)
    for word in ("nobody", "cycle", "inputs.city", "inputs.nights", "ctiy", "nonsense"):
        assert word in said, word
    assert not (tmp_path / "home").exists()


def test_tools_that_do_not_load_are_all_named(tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_bytes(plan(step()))
    (tmp_path / "broken.py").write_text("def half(:\n")
    (tmp_path / "none.py").write_text("x = 1\n")
    tools = ("missing.py", "broken.py", "none.py", "no.such.module")
    words = [word for name in tools for word in ("--tools", name)]
    said = complaint(call("run", tmp_path / "plan.json", *words, "--json"))
    for name in tools:
        assert name in said
    assert "line 1" in said
    assert complaint(call("tools", *words, "--json"))


def test_two_tools_of_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from callsheet import tool\n@tool('wait')\nasync def wait() -> None: ...\n"
    )
    (tmp_path / "plan.json").write_bytes(plan(step()))
    assert "'wait'" in complaint(call("run", "plan.json", "--tools", "mine.py", "--json"))


@pytest.mark.parametrize(
    "content", [b"- a\n- b\n", b"\xff\xfe", b"x: .nan\n", b"x: [", b"x: &a [*a]\n"]
)
def test_a_file_of_inputs_that_is_wrong_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "plan.json").write_bytes(plan(step(), inputs={"x": {}}))
    (tmp_path / "in.yaml").write_bytes(content)
    assert complaint(call("run", "plan.json", "--inputs", "in.yaml", "--json"))
    assert complaint(call("run", "plan.json", "--inputs", "nowhere.yaml", "--json"))


@pytest.mark.parametrize("name", ["nowhere.yaml", "nowhere", ".", "no/where.json"])
def test_a_plan_that_is_not_there_is_named(name: str) -> None:
    assert repr(name) in complaint(call("run", name, "--json"))
    assert "Error: " in call("check", name).err


@pytest.mark.parametrize(
    "words",
    [
        ("run",),
        ("run", "plan.json", "--sync", "sometimes"),
        ("run", "plan.json", "--concurrency", "many"),
        ("journal", "r1", "--after", "-1"),
        ("rnu", "plan.json"),
        ("plan", "shwo"),
    ],
)
def test_a_command_line_that_is_wrong_exits_with_2(words: tuple[str, ...]) -> None:
    done = call(*words, "--json")
    assert complaint(done)
    assert done.json["error"]["code"] == "usage"
    assert "--help" in call(*words).err


# Homes


def used_home(tmp_path: Path) -> Path:
    write_plan(tmp_path / "plan.json", {"steps": [step()]})
    assert call("run", tmp_path / "plan.json").code == 0
    return tmp_path / "home" / "callsheet.db"


def code_of(done: Done) -> str:
    assert complaint(done)
    return str(done.json["error"]["code"])


ON_A_RUN = ("show", "journal", "watch", "replay", "pause", "cancel", "resume", "undo")


@pytest.mark.parametrize("verb", ON_A_RUN)
def test_a_run_that_is_not_there_is_named(tmp_path: Path, verb: str) -> None:
    used_home(tmp_path)
    done = call(verb, "r0000", "--json")
    assert code_of(done) == "unknown_run"
    assert "'r0000'" in done.json["error"]["message"]


@pytest.mark.parametrize("verb", [*ON_A_RUN, "gc", "plan list", "backup copy"])
def test_a_home_that_is_not_there_is_not_made(tmp_path: Path, verb: str) -> None:
    words = [*verb.split(), *(["r0000"] if verb in ON_A_RUN else [])]
    assert code_of(call(*words, "--json")) == "store"
    assert not (tmp_path / "home").exists()


def test_a_home_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("not a directory")
    write_plan(tmp_path / "plan.json", {"steps": [step()]})
    assert code_of(call("run", "plan.json", "--json")).startswith("store")
    assert code_of(call("runs", "--json")).startswith("store")
    assert (tmp_path / "home").read_text() == "not a directory"


@pytest.mark.parametrize("damage", [b"", b"SQLite format 3\0" + b"\0" * 84, b"no database at all"])
def test_a_damaged_database_is_refused_and_left_as_it_is(tmp_path: Path, damage: bytes) -> None:
    database = used_home(tmp_path)
    database.write_bytes(damage)
    for words in (("run", "plan.json"), ("runs",), ("gc",)):
        assert code_of(call(*words, "--json")).startswith("store")
    assert database.read_bytes() == damage


@pytest.mark.requirement("versions:newer-store-is-refused")
def test_a_database_of_a_newer_version_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    database = used_home(tmp_path)
    db = sqlite3.connect(database)
    with db:
        db.execute("UPDATE alembic_version SET version_num = '9999'")
    db.close()
    before = database.read_bytes()
    assert code_of(call("run", "plan.json", "--json")) == "store_version"
    assert code_of(call("runs", "--json")) == "store_version"
    assert database.read_bytes() == before


# Ourselves


def test_a_mistake_of_ours_is_one_line_and_a_hint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    used_home(tmp_path)

    async def mistake(*_: object) -> None:
        raise ZeroDivisionError("one too many")

    monkeypatch.setattr(runs, "_runs", mistake)
    done = call("runs")
    assert (done.code, done.out) == (1, "")
    assert "ZeroDivisionError: one too many" in done.err
    assert "Traceback" not in done.err
    assert call("runs", "--json").json["error"]["code"] == "internal"
    monkeypatch.setenv("CALLSHEET_DEBUG", "1")
    assert "Traceback" in call("runs").err


def test_what_is_wrong_is_said_for_people_on_stderr() -> None:
    done = call("run", "nowhere.yaml", "--tools", TOOLS)
    assert (done.code, done.err.splitlines()[0]) == (2, "Error: The input is wrong:")
    assert "nowhere.yaml" in done.err
