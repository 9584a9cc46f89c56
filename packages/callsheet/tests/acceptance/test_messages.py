"""Every message of the error reference that a command can end in, as a reader sees it.

`messages.txt` is what they read. Whoever changes a message changes it there, and reads it again.
"""

from __future__ import annotations

import os
import re
import shlex
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.acceptance.command import call

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [
    pytest.mark.requirement("S5", "E28"),
    pytest.mark.slow,  # forty commands, one after the other
]

TOLD = Path(__file__).with_name("messages.txt")
HEAD = "callsheet: 1\nname: plan\n"
WAITS = "  - {id: %s, tool: wait, args: {seconds: %s}}\n"
PLANS = {
    "good.yaml": f"{HEAD}steps:\n{WAITS % ('a', 0)}",
    "other.yaml": f"{HEAD}steps:\n{WAITS % ('b', 0)}",
    "fails.yaml": f"{HEAD}steps:\n  - {{id: a, tool: file.read, args: {{path: no.txt}}}}\n",
    "typo.yaml": f"{HEAD}steps:\n  - {{id: a, tool: wiat, arg: {{seconds: 0}}}}\n",
    "syntax.yaml": HEAD + "steps:\n" + WAITS % ("a", '"${inputs.}"'),
    "cycle.yaml": f"""{HEAD}steps:
  - {{id: a, tool: wait, needs: [b], args: {{seconds: 0}}}}
  - {{id: b, tool: wait, needs: [a], args: {{seconds: 0}}}}
""",
    "inputs.yaml": f"""{HEAD}inputs:
  city: {{type: string}}
  days: {{type: integer}}
steps:
"""
    + WAITS % ("a", '"${inputs.days}"'),
    "secret.yaml": HEAD
    + """steps:
  - id: a
    tool: http.get
    args: {url: "https://example.com", headers: {authorization: "Bearer ${secrets.TOKEN}"}}
""",
    "null.yaml": f"{HEAD}inputs:\n  order: {{type: object}}\nsteps:\n"
    + WAITS % ("a", '"${inputs.order.seconds}"'),
    "wrong.toml": "[tools]\nwait = 3\n[nonsense]\nx = 1\n",
    "broken.yaml": "callsheet: 1\nname: [\n",
}
COMMANDS = """
run nowhere.yaml
run broken.yaml
run typo.yaml
run cycle.yaml
run syntax.yaml
run inputs.yaml
run inputs.yaml --input city=Oslo --input days=soon --input color=red
run inputs.yaml --input city
run good.yaml --tools nowhere
run good.yaml --config wrong.toml
run good.yaml --key k1
run other.yaml --key k1
run secret.yaml
run null.yaml --input order={}
run fails.yaml
run good.yaml --budget lots
show r00000000000000000000000
show last nothing
cancel last
pause last
resume last
answer last a yes
undo last --only b
retry last a
fork last nothing
seal last
add last good.yaml
plan show nothing
plan delete nothing
run nothing@3
artifact get 0000000000000000000000000000000000000000000000000000000000000000
context get project nothing
ledger show nobody
gc --older-than soon
runs --state sleeping
runs --since soon
backup .callsheet
key revoke nothing
chat --once "" --model nobody:nothing
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with a few plans, and nothing of the machine's own settings."""
    for name, text in PLANS.items():
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("COLUMNS", "100")
    for name in [each for each in os.environ if each.startswith("CALLSHEET_")]:
        monkeypatch.delenv(name)
    return tmp_path


def told(command: str, place: Path) -> str:
    """What a command says, with what differs from day to day left out."""
    found = call(*shlex.split(command))
    said = (found.out + found.err).replace(str(place), "DIR")
    said = re.sub(r"\br00[0-9a-z]{21,22}\b", "RUN", said)
    said = re.sub(r"\d+\.\d s\b", "0.0 s", said)
    lines = [line.rstrip() for line in said.splitlines() if line.strip() and found.code]
    if found.code == 1:
        lines = [line for line in lines if line.startswith("✗")]  # how it came to that takes time
    return "\n".join((f"$ callsheet {command}", *lines, f"[exit {found.code}]"))


def test_every_message_reads_as_it_was_last_read(place: Path) -> None:
    said = [told(command, place) for command in COMMANDS.strip().splitlines()]
    said += _of_damaged_homes(place)
    assert "\n\n".join(said) + "\n" == TOLD.read_text("utf-8")


def test_no_message_shows_a_traceback_a_class_or_a_path_of_this_machine() -> None:
    text = TOLD.read_text("utf-8")
    assert "Traceback" not in text
    assert not re.search(r"\b[A-Z]\w+Error\b", text), "names of classes are for programs"
    assert not re.search(r"\b1 \w+s\b(?! left)", text.replace("1 s", "")), "1 warning, 2 warnings"


def _of_damaged_homes(place: Path) -> Iterator[str]:
    """Homes of newer versions, damaged ones, and ones that are no home."""
    yield told("run good.yaml --home newer", place)
    with sqlite3.connect(place / "newer" / "callsheet.db") as database:
        database.execute("update alembic_version set version_num = '9999'")
    yield told("runs --home newer", place)
    yield told("run good.yaml --home damaged", place)
    (place / "damaged" / "callsheet.db").write_bytes(b"this is no database at all" * 400)
    yield told("runs --home damaged", place)
    yield told("run good.yaml --home good.yaml", place)
