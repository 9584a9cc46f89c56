"""The pages of the documentation, and what stands in them between fences.

```python docs_src/tutorial/shop.py     the file, byte for byte
```console                              commands after `$ `, and what they print
```console meanwhile until=waiting      the same, in a terminal of its own; the page goes on when
                                        that word is seen there
```console exits=1                      the last of them exits with this code
```console sketch                       not run: what it needs is not here
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^```(?P<language>\S*) *(?P<rest>.*)$")
NAMED = re.compile(r"<!-- files: (.*?) -->")
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

    def said(self, name: str, default: str) -> str:
        """What is said of it, as in `exits=1`."""
        found = (word.partition("=") for word in self.words)
        return next((value for key, _, value in found if key == name), default)


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One command of a console block, and what it is said to print."""

    place: str
    line: str
    expected: tuple[str, ...] = ()


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
    assert opened is None, f"{page}: a block is not closed"
    return found


def commands(block: Block) -> list[Command]:
    """The commands of a console block; a backslash at the end of a line continues it."""
    found: list[Command] = []
    for line in re.sub(r"\\\n *", "", block.text).splitlines():
        if line.startswith(PROMPT):
            found.append(Command(place=block.place, line=line.removeprefix(PROMPT).strip()))
        else:
            assert found, f"{block.place}: begins without a command"
            found[-1] = replace(found[-1], expected=(*found[-1].expected, line.rstrip()))
    return found


def files(page: str) -> list[Path]:
    """The files that a reader of a page has: those it shows, and those it names in a comment."""
    named = [name for names in NAMED.findall(text_of(page)) for name in names.split()]
    shown = [block.file for block in blocks(page) if block.file]
    return [ROOT / name for name in [*named, *shown]]


def is_run(block: Block) -> bool:
    """Whether a block's commands are carried out by the tests."""
    return block.language == "console" and "sketch" not in block.words


def tables(page: str) -> dict[str, list[list[str]]]:
    """By heading, the rows of the tables below it, without their heads."""
    found: dict[str, list[list[str]]] = {}
    heading, in_body, is_code = "", False, False
    for line in text_of(page).splitlines():
        is_code ^= bool(FENCE.match(line))
        if is_code:
            continue
        if line.startswith("#"):
            heading = line.lstrip("# ")
        if not line.startswith("|"):
            in_body = False
        elif line.startswith("|---"):
            in_body = True
        elif in_body:
            cells = re.split(r"(?<!\\)\|", line.strip("|"))
            found.setdefault(heading, []).append([cell.strip() for cell in cells])
    return found


def names_in(cell: str) -> list[str]:
    """The names in a cell: what stands between backticks, without what follows a name."""
    return [re.sub(r"^await |[(\s].*$", "", code) for code in re.findall(r"`([^`]+)`", cell)]


def anchors(page: str) -> set[str]:
    """What a link may point to on a page, as hosting sites make it from the headings."""
    headings = re.findall(r"^#+ (.*)$", text_of(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
