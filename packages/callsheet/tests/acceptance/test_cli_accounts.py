"""The command line about accounts and context."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.acceptance.command import call

if TYPE_CHECKING:
    from pathlib import Path

# Slow, up to a second each: every command opens a home of its own.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("S5", "E16", "E5")]


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CALLSHEET_HOME", str(tmp_path / "home"))


def test_a_grant_is_said_shown_and_listed() -> None:
    done = call("ledger", "grant", "acme", "--usd", "2.50", "--tokens", 100, "--note", "May")
    assert (done.code, done.out) == (
        0,
        "Granted 2.5 USD, 100 tokens to acme; 2.5 USD, 100 tokens is available.\n",
    )
    shown = call("ledger", "show").out.splitlines()
    assert shown[0].split() == ["tenant", "granted", "available", "reserved", "spent"]
    assert shown[1].split("  ")[0] == "acme"
    lines = call("ledger", "statement", "acme").out.splitlines()
    assert ["opening" in line for line in lines] == [False, True, False, False]
    assert "+2.5 USD, 100 tokens" in lines[2]
    assert "May" in lines[2]
    assert "closing" in lines[3]


def test_programs_get_accounts_as_json() -> None:
    granted = call("ledger", "grant", "acme", "--credits", 3, "--json").json
    assert granted["posting"]["kind"] == "grant"
    assert granted["posting"]["amount"] == {"usd": 0, "credits": 3, "tokens": 0}
    assert granted["account"]["available"]["credits"] == 3
    assert [each["tenant"] for each in call("ledger", "show", "--json").json] == ["acme"]
    (account,) = call("ledger", "show", "acme", "--json").json
    assert account["spent"] == {"usd": 0, "credits": 0, "tokens": 0}
    statement = call("ledger", "statement", "acme", "--since", "2001-01-01", "--json").json
    assert len(statement["postings"]) == 1
    assert statement["closing"] == granted["account"]
    before = call("ledger", "statement", "acme", "--until", "2001-01-01", "--json").json
    assert (before["postings"], before["closing"]) == ([], statement["opening"])


def test_a_grant_of_nothing_opens_no_account() -> None:
    refused = call("ledger", "grant", "acme")
    assert (refused.code, "--usd, --credits or --tokens" in refused.err) == (2, True)
    assert call("ledger", "show").code == 2, "there is not even a home"


def test_what_there_is_not_is_said() -> None:
    assert call("ledger", "show").code == 2
    call("context", "put", "p", "n", "1")
    assert "no accounts yet" in call("ledger", "show").err
    assert call("ledger", "show", "acme").code == 2
    assert "'acme' has no account" in call("ledger", "statement", "acme").err
    assert "is not a date" in call("ledger", "statement", "acme", "--since", "monday").err


def test_context_is_put_read_listed_and_deleted(tmp_path: Path) -> None:
    done = call("context", "put", "p", "style", '{"colour": "blå"}')
    assert (done.code, done.out) == (0, "Kept style in p as version 1.\n")
    assert call("context", "get", "p", "style").out == '{\n  "colour": "blå"\n}\n'
    (tmp_path / "text.txt").write_text("not JSON", "utf-8")
    put = call("context", "put", "p", "style", "--file", tmp_path / "text.txt", "--json")
    assert (put.json["version"], put.json["size"]) == (2, 10)
    assert call("context", "get", "p", "style", "--json").json["value"] == "not JSON"
    old = call("context", "get", "p", "style", "--version", 1, "--json").json
    assert (old["version"], old["value"]) == (1, {"colour": "blå"})
    call("context", "put", "p", "brief", "1", "--ttl", "1h")
    assert [line.split()[0] for line in call("context", "list", "p").out.splitlines()] == [
        "item",
        "brief",
        "style",
    ]
    listed = call("context", "list", "p", "--json").json
    assert [bool(each["expires_at"]) for each in listed] == [True, False]
    assert call("context", "delete", "p", "style").out == "Deleted 2 versions.\n"
    assert call("context", "delete", "p", "--json").json == {"deleted": 1}
    assert "nothing in 'p'" in call("context", "list", "p").err


def test_a_version_that_is_not_the_newest_is_not_followed() -> None:
    assert call("context", "put", "p", "n", "1", "--after", 0).code == 0
    done = call("context", "put", "p", "n", "2", "--after", 0, "--json")
    assert (done.code, done.json["error"]["code"]) == (2, "stale_context")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["put", "p", "n"], "either a VALUE or --file"),
        (["put", "p", "n", "1", "--file", "x"], "either a VALUE or --file"),
        (["put", "p", "n", "--file", "nowhere.json"], "Cannot read 'nowhere.json'"),
        (["put", "p", "n", "1", "--ttl", "soon"], "--ttl"),
        (["put", "p", " ", "1"], "cannot be a name"),
    ],
)
def test_what_is_wrong_is_said(words: list[str], said: str) -> None:
    done = call("context", *words)
    assert done.code == 2
    assert said in done.err


def test_an_item_that_is_not_there_is_named() -> None:
    call("context", "put", "p", "n", "1")
    assert "There is no 'm' in 'p'" in call("context", "get", "p", "m").err
    assert "There is no version 2 of 'n'" in call("context", "get", "p", "n", "--version", 2).err
