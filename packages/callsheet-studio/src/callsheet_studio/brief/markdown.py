"""A brief in Markdown: the same keys as headings, bullets and tables. No line is just dropped.

    # Harbor
    Why it is made now, in a paragraph.

    ## Message
    - core: Harbor keeps every berth in view.
    - supporting:
      - one live map for all berths
      - payments before arrival

A line that cannot be understood is a problem with its number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from callsheet_studio.brief.fields import BY_KEY, MAIN, SECTIONS, plain
from callsheet_studio.brief.problems import did_you_mean, show
from callsheet_studio.brief.shape import field_named

if TYPE_CHECKING:
    from callsheet_studio.brief.fields import Field
    from callsheet_studio.brief.problems import Problems

_HEADING = re.compile(r"(#{2,6}|#(?=\s|\Z))\s*(.*)\Z")
"""A single # needs its space: it may begin a colour or a tag."""
_BOLD = re.compile(r"(\*\*|__)([^*_]+)\1:?\Z")
_BULLET = re.compile(r"(\s*)(?:[-*+]|\d{1,3}[.)])\s+(.*)\Z")
_PAIR = re.compile(r"[*_`]{0,3}([^\W\d][^:*`|]{0,40}?)[*_`]{0,3}:[*_`]{0,3}(?:\s+(.*))?\Z")
_FENCE = re.compile(r"(```+|~~~+)[^`~]*\Z")
_RULE = re.compile(r"\s*(?:[-*_]\s*){3,}\Z")
_DIVIDER = re.compile(r"\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*\Z")
_EMPHASIS = re.compile(r"(\*\*|__|`)(.+)\1\Z")
_MARKS = 3
"""Marks around a text, one in another, that are taken off."""
_NO_BULLET = -1
"""Where the bullet of a key stands that has none."""
_LISTS = frozenset({"sentences", "words", "colours", "sayings"})
_CONTEXT = BY_KEY["project.context"]
_SUPPORTING = BY_KEY["message.supporting"]


def read_markdown(text: str, problems: Problems) -> object:
    """The values by section, as the other forms give them."""
    page = _Page(problems)
    for number, line in enumerate(_without_comments(text).splitlines(), 1):
        page.take(number, line.expandtabs(4))
    return page.closed()


@dataclass(slots=True)
class _Entry:
    """A field that is being written."""

    of: Field
    line: int
    paragraphs: list[str] = field(default_factory=list)
    items: list[str] = field(default_factory=list)
    rows: list[dict[str, str]] = field(default_factory=list)


class _Page:
    """What has been read so far, line by line."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems
        self._entries: dict[str, _Entry] = {}
        self._section: str | None = None
        self._open: _Entry | None = None
        """The field that further lines belong to."""
        self._by_bullet: int | None = None
        """How far the open field's own bullet is indented; None if it is a heading's."""
        self._fence: str | None = None
        self._header: list[str] | None = None
        self._gap = False
        """Whether an empty line came before this one."""

    def take(self, number: int, line: str) -> None:
        """Read one line."""
        if self._fence is not None:
            self._inside_fence(line)
        elif not line.strip():
            self._gap, self._header = True, None
        else:
            self._content(number, line)
            self._gap = False

    def _content(self, number: int, line: str) -> None:
        if line.lstrip().startswith("|"):
            self._row(number, line)
        elif heading := _HEADING.match(line.rstrip("# ")) if line.startswith("#") else None:
            self._heading(number, len(heading[1]), _bare(heading[2] or ""))
        elif (bold := _BOLD.match(line.strip())) and plain(bold[2].rstrip(":")) in SECTIONS:
            self._heading(number, 2, bold[2])
        elif fence := _FENCE.match(line.strip()):
            self._begin_fence(number, fence[1])
        elif not _RULE.match(line):
            bullet = _BULLET.match(line)
            if bullet:
                self._bullet(number, len(bullet[1]), bullet[2].strip())
            else:
                self._prose(number, line)

    # Headings

    def _heading(self, number: int, level: int, name: str) -> None:
        self._open, self._by_bullet = None, None
        key = plain(name.rstrip(":"))
        if level == 1:
            self._section = "project"
            self._begin(number, BY_KEY["project.title"], name)
            self._open = None
        elif key in SECTIONS:
            self._section = key
        elif found := field_named(name.rstrip(":"), self._section) or field_named(name, None):
            self._section = found.section
            self._begin(number, found)
        else:
            options = (*SECTIONS, *(each.name for each in BY_KEY.values()))
            fix = did_you_mean(key, options) or f"The sections are {', '.join(SECTIONS)}."
            self._problems.add(
                "brief", f"{show(name)} is not a heading of a brief", fix, line=number
            )
            self._section = None

    def _begin(self, number: int, found: Field, value: str = "") -> None:
        if found.key in self._entries:
            what = "it is said twice"
            self._problems.add(found.key, what, "Remove one of them.", line=number)
        entry = self._entries.setdefault(found.key, _Entry(found, number))
        if value:
            entry.paragraphs.append(value)
        self._open = entry

    # Lines

    def _bullet(self, number: int, indent: int, text: str) -> None:
        is_nested = self._by_bullet is None or indent > self._by_bullet
        if self._open is not None and is_nested and not self._starts_field(text, indent):
            self._add(self._open, number, _bare(text))
            return
        if self._pair(number, text, indent):
            return
        if self._section == "message" and not _PAIR.match(text):
            self._join(number, _SUPPORTING, _bare(text))
        else:
            self._not_understood(number, text)

    def _starts_field(self, text: str, indent: int) -> bool:
        """Whether a bullet below a heading of its own begins another field of the section."""
        found = _PAIR.match(text)
        is_known = found is not None and field_named(_bare(found[1]), self._section) is not None
        return is_known and indent == 0 and self._by_bullet in (None, _NO_BULLET)

    def _pair(self, number: int, text: str, indent: int) -> bool:
        found = _PAIR.match(text)
        named = field_named(_bare(found[1]), self._section) if found else None
        if found is None or named is None:
            return False
        self._begin(number, named, _value(found[2] or ""))
        self._by_bullet = indent
        return True

    def _prose(self, number: int, line: str) -> None:
        text = line.strip()
        indented = len(line) - len(line.lstrip()) > max(self._by_bullet or 0, 0)
        goes_on = self._open is not None and (self._by_bullet is None or not self._gap or indented)
        if not (goes_on and self._open and indented) and self._pair(number, text, _NO_BULLET):
            return
        if self._by_bullet is not None and not indented and _PAIR.match(text):
            self._not_understood(number, text)  # a key that is not known, right below another
        elif goes_on and self._open is not None:
            self._more(self._open, text)
        elif self._section is None:
            self._not_understood(number, text)
        else:
            main = (
                _CONTEXT if self._section == "project" else BY_KEY.get(MAIN.get(self._section, ""))
            )
            if main is None or _PAIR.match(text):
                self._not_understood(number, text)
            else:
                self._join(number, main, text)
                self._open, self._by_bullet = self._entries[main.key], None

    def _more(self, entry: _Entry, text: str) -> None:
        if entry.items and not self._gap:
            entry.items[-1] += f" {text}"
        elif entry.paragraphs and not self._gap:
            entry.paragraphs[-1] += f"\n{text}"
        else:
            entry.paragraphs.append(text)

    def _join(self, number: int, found: Field, text: str) -> None:
        """Add to a field that need not be named."""
        entry = self._entries.setdefault(found.key, _Entry(found, number))
        if found.kind in _LISTS:
            entry.items.append(text)
        else:
            self._more(entry, text)

    def _add(self, entry: _Entry, number: int, text: str) -> None:
        if entry.of.kind in _LISTS or entry.of.kind == "shots":
            entry.items.append(text)
        elif entry.of.kind == "text":
            entry.paragraphs.append(f"- {text}" if entry.of.name == "script" else text)
        elif not entry.paragraphs:
            entry.paragraphs.append(text)
        else:
            self._not_understood(number, text)

    def _not_understood(self, number: int, text: str) -> None:
        section = self._section or "brief"
        found = _PAIR.match(text)
        if found and self._section:
            options = [each.name for each in BY_KEY.values() if each.section == self._section]
            name = _bare(found[1])
            fix = did_you_mean(plain(name), options) or f"Its keys are {', '.join(options)}."
            place = f"{section}.{plain(name)}"
            self._problems.add(place, f"{show(name)} is not a key of {section}", fix, line=number)
            return
        fix = "Write - key: value below a heading, as in ## Message and - core: …"
        self._problems.add(section, f"{show(text)} says nothing that is known", fix, line=number)

    # Blocks

    def _begin_fence(self, number: int, fence: str) -> None:
        self._fence = fence
        if self._open is None or self._open.of.kind != "text":
            what = "a block of code belongs below ### Script"
            self._problems.add("brief", what, "Move it, or remove it.", line=number)
            self._open = None
        else:
            self._open.paragraphs.append("")

    def _inside_fence(self, line: str) -> None:
        assert self._fence is not None
        if line.strip().startswith(self._fence) and not line.strip().strip("`~"):
            self._fence, self._gap = None, True
        elif self._open is not None:
            self._open.paragraphs[-1] += f"{line}\n"

    # Tables

    def _row(self, number: int, line: str) -> None:
        if self._open is not None and self._open.of.name == "script":
            self._more(self._open, line.strip())
            return
        cells = [_bare(cell) for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
        if _DIVIDER.match(line.strip()):
            return
        is_shots = self._open is not None and self._open.of.kind == "shots"
        if self._header is None and (is_shots or not field_named(cells[0], self._section)):
            self._header = cells
        elif is_shots and self._open is not None and self._header is not None:
            named = zip(map(plain, self._header), cells, strict=False)
            self._open.rows.append({name: cell for name, cell in named if cell})
            if len(cells) > len(self._header):
                what = f"the row has {len(cells)} cells, and {len(self._header)} headings"
                self._problems.add("content.shots", what, "Name every column.", line=number)
        else:
            self._header = self._header or cells
            name, _, value = f"{cells[0]}\0{', '.join(filter(None, cells[1:]))}".partition("\0")
            if not self._pair(number, f"{name}: {value}", 0):
                self._not_understood(number, f"{name}: {value}")
            self._open, self._by_bullet = None, None

    def closed(self) -> object:
        """Everything that was said, by section."""
        if self._fence is not None:
            fix = f"End it with {self._fence}."
            self._problems.add("brief", "a block of code does not end", fix)
        self._problems.know_lines({key: entry.line for key, entry in self._entries.items()})
        data: dict[str, dict[str, object]] = {}
        for entry in self._entries.values():
            data.setdefault(entry.of.section, {})[entry.of.name] = _said(entry)
        return data


def _without_comments(text: str) -> str:
    kept, place = [], 0
    while (start := text.find("<!--", place)) >= 0 and (end := text.find("-->", start)) >= 0:
        # Its lines stay, so that those behind it keep their numbers.
        kept += [text[place:start], "\n" * text.count("\n", start, end)]
        place = end + len("-->")
    return "".join([*kept, text[place:]])


def _said(entry: _Entry) -> object:
    if entry.rows:
        return [*entry.rows, *entry.items]
    if entry.items:
        return [*entry.paragraphs, *entry.items]
    joined = "\n\n".join(each.strip("\n") for each in entry.paragraphs).strip()
    return joined or None


def _bare(text: str) -> str:
    """Text without the marks around all of it."""
    text = text.strip()
    for _ in range(_MARKS):
        if found := _EMPHASIS.match(text):
            text = found[2].strip()
    return text.replace("\\|", "|")


def _value(text: str) -> str:
    text = _bare(text)
    quoted = len(text) > 1 and text[0] == text[-1] == '"' and '"' not in text[1:-1]
    return text[1:-1] if quoted else text
