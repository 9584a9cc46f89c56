"""The documents say what is so: examples are files that run, outputs are real, names are complete."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import msgspec
import pytest
import typer
from typer.main import get_command

import callsheet
from callsheet import errors
from callsheet.cli.app import _app
from callsheet.core import entries, plan
from callsheet.tools.declare import Terms
from callsheet.tools.builtin import builtin_tools
from tests.acceptance import pages
from tests.acceptance.pages import ROOT, Block, Command
from tests.acceptance.terminal import Shell

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCES = ROOT / "docs_src"
PAGES = pages.pages()
BLOCKS = [block for page in PAGES for block in pages.blocks(page)]
PLAYED = [page for page in PAGES if any(map(pages.is_run, pages.blocks(page)))]
ELLIPSIS = "…"


# Examples are files, and the files run


def test_an_example_is_its_file_byte_for_byte() -> None:
    differing = [
        f"{block.place} is not {block.file}"
        for block in BLOCKS
        if block.file and (ROOT / block.file).read_text("utf-8") != block.text
    ]
    assert not differing


def test_every_example_file_stands_on_a_page() -> None:
    shown = {block.file for block in BLOCKS}
    files = {path.relative_to(ROOT).as_posix() for path in SOURCES.rglob("*") if is_example(path)}
    assert files <= shown


def is_example(path: Path) -> bool:
    return path.suffix in {".py", ".yaml", ".json"} and "__pycache__" not in path.parts


def test_every_example_is_code_that_is_checked_somewhere() -> None:
    loose = [
        block.place for block in BLOCKS if block.language in {"python", "yaml"} and not block.file
    ]
    assert not loose, f"Give these a file in docs_src: {loose}"


# What is typed is what is printed

RUN_ID = re.compile(r"\br00[0-9a-z]{21}\b")
VARYING = re.compile(
    r"(?P<run>\br00[0-9a-z]{21}\b)"
    r"|(?P<ellipsis>…)"
    r"|(?P<at>\d{4}-\d\d-\d\d[ T])?(?P<time>\d\d:\d\d:\d\d(?:\.\d+)?Z?)"
    r"|(?P<seconds>\d+\.\d+ s\b)"
    r"|(?P<hex>\b(?=[0-9a-f]*\d)[0-9a-f]{6,64}\b)"
    r"|(?P<space> +)"
)
PROMPT = re.compile(r"^  (?P<prompt>[^:]+:) (?P<answer>\S.*)$")
ANSWERED = re.compile(r" / |answer|JSON")


@dataclass(slots=True)
class Reader:
    """Somebody who follows a page, with run ids of their own."""

    ids: dict[str, str] = field(default_factory=dict)
    """From the page's to theirs."""

    def translate(self, line: str) -> str:
        return RUN_ID.sub(lambda match: self.ids.get(match[0], match[0]), line)

    def sees(self, expected: str, actual: str) -> bool:
        """Whether a line of a page stands for a line that was printed; binds ids that are new."""
        found = re.fullmatch(self._pattern(expected), actual.strip())
        if found is None:
            return False
        seen = [name for name in RUN_ID.findall(expected) if name not in self.ids]
        for name, own in zip(dict.fromkeys(seen), found.groups(), strict=False):
            self.ids[name] = own
        return True

    def _pattern(self, expected: str) -> str:
        made, done = "", 0
        text = expected.strip()
        new: set[str] = set()
        for match in VARYING.finditer(text):
            made += re.escape(text[done : match.start()]) + self._part(match, new)
            done = match.end()
        return made + re.escape(text[done:])

    def _part(self, match: re.Match[str], new: set[str]) -> str:
        if match["run"]:
            if match["run"] in self.ids:
                return re.escape(self.ids[match["run"]])
            known = match["run"] in new
            new.add(match["run"])
            return r"r00[0-9a-z]{21}" if known else r"(r00[0-9a-z]{21})"
        if match["hex"]:
            return rf"[0-9a-f]{{{len(match['hex'])}}}"
        if match["seconds"]:
            return r"\d+\.\d+ s"
        if match["time"]:
            return r"[\d:. TZ-]+"
        return ".*" if match["ellipsis"] else r"\s+"

    def compare(self, expected: tuple[str, ...], actual: list[str]) -> str | None:
        """Why what was printed is not what the page says; None if it is."""
        wanted = [line for line in expected if line.strip()]
        printed = [line for line in actual if line.strip()]
        skipping = False
        while wanted:
            line = wanted.pop(0)
            if line.strip() == ELLIPSIS:
                skipping = True
                continue
            while printed and not self.sees(line, printed[0]):
                if not skipping:
                    return f"{line!r} is not {printed[0]!r}"
                printed.pop(0)
            if not printed:
                return f"{line!r} was not printed"
            printed.pop(0)
            skipping = False
        return None if skipping or not printed else f"{printed[0]!r} is not on the page"


def answers_in(command: Command) -> list[tuple[str, str]]:
    found = filter(None, map(PROMPT.match, command.expected))
    return [(each["prompt"], each["answer"]) for each in found if ANSWERED.search(each["prompt"])]


# It is long because a reader's commands are really typed, and some of them wait.
@pytest.mark.slow
@pytest.mark.parametrize("page", PLAYED)
def test_whoever_types_what_a_page_says_sees_what_it_says(page: str, tmp_path: Path) -> None:
    for file in pages.files(page):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    reader = Reader()
    going_on = []
    with Shell(tmp_path) as shell:
        for block in filter(pages.is_run, pages.blocks(page)):
            listed = pages.commands(block)
            for command in listed:
                typed = shell.type(reader.translate(command.line), answers_in(command))
                code = int(block.said("exits", "0")) if command is listed[-1] else 0
                if "meanwhile" in block.words:
                    shell.wait_for(block.said("until", ""), typed)
                    going_on.append((command, typed, code))
                    continue
                assert_as_said(reader, command, shell.wait(typed), typed.screen.lines, code)
        for command, typed, code in going_on:
            assert_as_said(reader, command, shell.wait(typed), typed.screen.lines, code)


def assert_as_said(
    reader: Reader, command: Command, code: int, lines: list[str], expected: int
) -> None:
    difference = reader.compare(command.expected, lines)
    told = "\n".join([f"{command.place}: $ {command.line}", *lines])
    assert difference is None, f"{difference}\n{told}"
    assert code == expected, f"It exits with {code}, not {expected}.\n{told}"


def test_every_command_on_a_page_is_one_that_there_is() -> None:
    root = get_command(_app())
    for block in BLOCKS:
        if block.language == "console":
            for command in pages.commands(block):
                for words in callsheet_words(command.line):
                    with root.make_context("callsheet", words, resilient_parsing=False):
                        pass


def callsheet_words(line: str) -> Iterator[list[str]]:
    """The arguments of each `callsheet` in a line for a shell."""
    for part in re.split(r"[&|;<>]", line):
        words = shlex.split(part)
        if words[:1] == ["callsheet"]:
            yield words[1:]
