"""The pages of the documentation, and what stands in them between fences.

    ```python docs_src/tutorial/shop.py     the file, byte for byte
    ```console                              commands after `$ `, and what they print
    ```console meanwhile                    the same, in a terminal of its own, while the page goes on
    ```console exits=1                      the last of them exits with this code
    ```console sketch                       not run: what it needs is not here
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^```(?P<language>\S*) *(?P<rest>.*)$")
PROMPT = "$ "


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """What stands between two fences."""

    page: str
    line: int
    """Of the opening fence."""
    language: str
    words: tuple[str, ...]
    """What stands behind the language."""
    text: str

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"

    @property
    def file(self) -> str | None:
        """The file it repeats."""
        return next((word for word in self.words if "/" in word), None)

    @property
    def exits(self) -> int:
        """The exit code of its last command."""
        said = (word.partition("=") for word in self.words)
        return next((int(value) for name, _, value in said if name == "exits"), 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One command of a console block, and what it is said to print."""

    place: str
    line: str
    expected: tuple[str, ...]
    meanwhile: bool


def pages() -> list[str]:
    """Every page, relative to the root."""
    found = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    return sorted(path.relative_to(ROOT).as_posix() for path in found)


def text_of(page: str) -> str:
    return (ROOT / page).read_text("utf-8")


def blocks(page: str) -> list[Block]:
    """The fenced blocks of a page."""
    found: list[Block] = []
    opened: tuple[int, re.Match[str]] | None = None
    lines: list[str] = []
    for number, line in enumerate(text_of(page).splitlines(), start=1):
        fence = FENCE.match(line)
        if fence is None:
            lines.append(line)
        elif opened is None:
            opened, lines = (number, fence), []
        else:
            begin, first = opened
            found.append(
                Block(
                    page=page,
                    line=begin,
                    language=first["language"],
                    words=tuple(first["rest"].split()),
                    text="".join(f"{each}\n" for each in lines),
                )
            )
            opened = None
    assert opened is None, f"{page}:{opened and opened[0]}: the block is not closed"
    return found


def commands(block: Block) -> list[Command]:
    """The commands of a console block; a backslash at the end of a line continues it."""
    found: list[Command] = []
    lines = re.sub(r"\\\n *", "", block.text).splitlines()
    for line in lines:
        if line.startswith(PROMPT):
            found.append(
                Command(
                    place=block.place,
                    line=line.removeprefix(PROMPT).strip(),
                    expected=(),
                    meanwhile="meanwhile" in block.words,
                )
            )
        else:
            assert found, f"{block.place}: begins without a command"
            last = found.pop()
            found.append(
                Command(
                    place=last.place,
                    line=last.line,
                    expected=(*last.expected, line.rstrip()),
                    meanwhile=last.meanwhile,
                )
            )
    return found


def is_run(block: Block) -> bool:
    """Whether a block's commands are carried out by the tests."""
    return block.language == "console" and "sketch" not in block.words
