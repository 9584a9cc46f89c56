"""References of other systems in texts: found, and rewritten where it is known what they mean.

`{{ a.x }}`, `${{ a.x }}`, `${a.x}`, `$a.x`, `#E2`, `<a.x>`, `{a.x}`, `[[a.x]]`, `%a.x%`, and
`steps.a.x` alone: each is a reference only if the first name in it is one of this plan. Anything
else is honest text. So are `$(a.x)`, `$.a.x`, `={{ a.x }}`, `#{a.x}`, `<a>` and `a.x` alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from callsheet.core.plan.mend.expression import Resolve, Rewritten, rewrite
from callsheet.core.refs.expression import parse
from callsheet.core.refs.template import Slot, take_apart
from callsheet.core.refs.traps import Fault

if TYPE_CHECKING:
    from callsheet.core.refs.expression import Expression

_PLAIN = re.compile(r"\$\{\s*[A-Za-z_][\w.]*\s*\}\Z", re.ASCII)
_NAME = r"[A-Za-z_][\w-]*"
_REST = rf"(?:\.(?:{_NAME}|\d+|\*)|\[(?:-?\d+|\*|{_NAME}|'[^']*'|\"[^\"]*\")\])"
_TOLD = (
    r"(?i:(?:the\s+)?(?:observation|result|output|response|answer)s?\s+(?:of\s+|from\s+)?"
    r"(?:step\s+|call\s+|task\s+|tool\s+)?\#?(?P<in_told>\d+|[a-z_][\w-]*)"
    r"(?:\s*[:.]\s*(?P<field>[a-z_]\w*))?)"
)
"""`<result of step 1>`, `<Observation 2: name>`: what a model means to fill in later."""
_FOREIGN = re.compile(
    rf"""(?P<context>\$\$(?P<in_context>(?:\.{_NAME})+{_REST}*))
    |(?P<github>\$\{{\{{(?P<in_github>.*?)\}}\}})
    |(?P<mustache>(?:(?:\A|(?<=\s))=)?\{{\{{\{{?\#?(?P<in_mustache>.*?)\#?\}}?\}}\}})
    |(?P<escaped>\$\$\{{)
    |(?P<ours>\$\{{)
    |(?P<braces>(?<![\w$}}])\{{(?P<in_braces>{_NAME}{_REST}*)\}})
    |(?P<dollar>(?<![\w$\\])\$(?P<in_dollar>(?:{_NAME}|\d+(?=\.{_NAME})){_REST}*))
    |(?P<json>(?:(?<=\A)|(?<=\s))\$(?P<in_json>{_REST}+)(?=\Z|[\s,;!?]))
    |(?P<paren>\$\(\s*(?P<in_paren>{_NAME}{_REST}*)\s*\))
    |(?P<ruby>\#\{{\s*(?P<in_ruby>{_NAME}{_REST}*)\s*\}})
    |(?P<evidence>(?<![\w&])\#(?P<in_evidence>[A-Za-z]{{1,4}}\d+{_REST}*)\b)
    |(?P<angle><<?(?P<in_angle>{_NAME}{_REST}+)>>?)
    |(?P<tag>\A<<?(?P<in_tag>{_NAME})>>?\Z)
    |(?P<square>\[\[\s*(?P<in_square>{_NAME}{_REST}+)\s*\]\])
    |(?P<percent>%(?P<in_percent>{_NAME}{_REST}+)%)
    |(?P<told>[<\[]\s*{_TOLD}\s*[>\]])
    |(?P<bare>\A(?P<in_bare>{_NAME}{_REST}+)\Z)""",
    re.VERBOSE | re.DOTALL,
)
_FORMAT = re.compile(
    r"\s*format\(\s*'([^'{}]*(?:\{\d+\}[^'{}]*)*)'((?:\s*,\s*[\w.\[\]-]+)*)\s*\)\s*\Z"
)
_STATES = re.compile(r"\s*States\.Format\(\s*'([^']*)'((?:\s*,\s*\$[\w.\[\]$-]+)*)\s*\)\s*\Z")
_CALLED = re.compile(r"\s*States\.[A-Z]\w*\(")
"""Functions of a state machine, which stand as text in the values of others."""
_ITEM = ".Map.Item.Value"
_DEFAULTED = re.compile(r"([A-Za-z_]\w*):?-(?![\s>])([^{}]*)\Z")
"""`${NAME:-default}`, as shells have it."""
_PLACE = re.compile(r"\{(\d+)\}")
_NAMES = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\Z", re.ASCII)
_WHOLE_NUMBER = re.compile(r"\$\d+\Z")

Exists: TypeAlias = Callable[["Expression"], bool]


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """A text with foreign references in it, or with references that lead nowhere."""

    text: str
    """As it should be, as far as it is known."""
    first: str
    """The first piece that is wrong."""
    certain: bool
    status: frozenset[str] = frozenset()
    unknown: tuple[str, ...] = ()
    """Pieces of which nothing is known: they are left as they are."""
    defaults: dict[str, str] = {}
    """Inputs that nobody declares, to the defaults that they have where they are used."""


def look_at(
    text: str, resolve: Resolve, exists: Exists, surely: Exists | None = None
) -> Found | None:
    """What is foreign in a text; None: nothing is. `surely`: whether somebody declares it all."""
    if _PLAIN.match(text):
        # Nearly all of them.
        parsed = parse(text[2:-1].strip())
        if not isinstance(parsed, tuple) and exists(parsed):
            return None
    return _Reading(text, resolve, exists, surely or (lambda _: False)).read()


class _Reading:
    def __init__(self, text: str, resolve: Resolve, exists: Exists, surely: Exists) -> None:
        self._text = text
        self._resolve = resolve
        self._exists = exists
        self._surely = surely
        self._written: list[str] = []
        self._first = ""
        self._certain = True
        self._status: frozenset[str] = frozenset()
        self._unknown: list[str] = []
        self._defaults: dict[str, str] = {}

    def read(self) -> Found | None:
        # With a sign of its own, a whole text is an expression elsewhere.
        text, position = self._text, int(self._text[:1] == "=" and "{{" in self._text)
        if _WHOLE_NUMBER.match(text):
            return self._numbered(text)
        if _CALLED.match(text):
            return self._function(text)
        while found := _FOREIGN.search(text, position):
            self._written.append(text[position : found.start()])
            position = self._next(found)
        self._written.append(text[position:])
        if not self._first and not self._unknown:
            return None
        return Found(
            text="".join(self._written),
            first=self._first or self._unknown[0],
            certain=self._certain,
            status=self._status,
            unknown=tuple(self._unknown),
            defaults=self._defaults,
        )

    def _function(self, text: str) -> Found:
        """`States.Format('{} of {}', $.a.x, $.b)` is a text with references in it."""
        found = _STATES.match(text)
        given = (
            [each.strip().lstrip("$").lstrip(".") for each in found[2].split(",")[1:]]
            if found
            else []
        )
        made = [rewrite(each, self._resolve) for each in given]
        pieces = found[1].split("{}") if found else []
        if len(pieces) != len(made) + 1 or not all(each and _is_fine(each.text) for each in made):
            return Found(text=text, first=text, certain=False, unknown=(text,))
        whole = pieces[0]
        for each, after in zip(made, pieces[1:], strict=True):
            assert each is not None
            whole += f"${{{each.text}}}{after}"
        return Found(text=whole, first=text, certain=all(each and each.certain for each in made))

    def _numbered(self, text: str) -> Found | None:
        """`$2` is the second step where they have numbers, and money elsewhere."""
        meant = self._resolve((text[1:],))
        if meant is None:
            return None
        return Found(text=f"${{{meant.text}}}", first=text, certain=meant.certain)

    def _next(self, found: re.Match[str]) -> int:
        """Take a piece; where it ends."""
        kind = str(next(name for name in _KINDS if found.group(name) is not None))
        if kind == "escaped":
            self._written.append(found.group())
        elif kind == "ours":
            return self._own(found.start(), found.end())
        elif kind == "told":
            self._told(found.group(), found["in_told"], found["field"])
        elif kind == "bare":
            self._alone(found.group())
        elif kind == "context":
            self._context(found.group(), found["in_context"])
        elif (
            kind == "json" and found.group() == self._text and self._from_outside(found["in_json"])
        ):
            pass
        else:
            strict = kind not in ("github", "mustache")
            self._piece(found.group(), found.group(f"in_{kind}"), strict=strict)
        return found.end()

    def _own(self, start: int, inside: int) -> int:
        """`${…}`: ours, if it can be understood and leads somewhere."""
        apart = take_apart(self._text[start:])
        slot = apart[0] if not isinstance(apart, Fault) else None
        if not isinstance(slot, Slot):
            self._written.append("${")
            return inside
        end = _end_of(self._text, start, slot)
        piece = self._text[start:end]
        parsed = parse(slot.text)
        if not isinstance(parsed, tuple) and self._exists(parsed):
            self._written.append(piece)
            return end
        if (shell := _DEFAULTED.match(slot.text)) and self._defaulted(piece, shell[1], shell[2]):
            return end
        made = rewrite(slot.text, self._resolve)
        if made is None or not _is_fine(made.text) or f"${{{made.text}}}" == piece:
            self._written.append(piece)
            return end
        self._take(piece, made)
        return end

    def _piece(self, piece: str, inside: str, *, strict: bool) -> None:
        """What is written in the way of others; `strict`: only if its first name is one of ours."""
        if (formatted := _FORMAT.match(inside)) and self._formatted(piece, formatted):
            return
        made = rewrite(inside.removeprefix("."), self._resolve)
        if made is None or not (_is_fine(made.text) or (made.status and not made.text)):
            if not strict:
                self._unknown.append(piece)
            self._written.append(piece)
            return
        self._take(piece, made)

    def _from_outside(self, path: str) -> bool:
        """`$.city` as a whole: where it is nothing of the plan, it is what a run is given."""
        inside = path.removeprefix(".")
        if rewrite(inside, self._resolve) is not None or not _NAMES.match(inside):
            return False
        self._take(self._text, Rewritten(f"inputs.{inside}", certain=False))
        return True

    def _alone(self, piece: str) -> None:
        """A path with nothing around it: one of ours, or what a step surely gives."""
        root = piece.partition(".")[0].partition("[")[0]
        made = rewrite(piece, self._resolve)
        if made is None or not _is_fine(made.text):
            self._written.append(piece)
            return
        parsed = parse(made.text)
        is_meant = root in ("steps", "inputs", "item") or (
            not isinstance(parsed, tuple) and self._surely(parsed)
        )
        if is_meant:
            self._take(piece, made)
        else:
            self._written.append(piece)

    def _defaulted(self, piece: str, name: str, default: str) -> bool:
        """An input that has a default: told with it, and rewritten once it is declared."""
        meant = self._resolve((name,))
        if meant is None:
            self._defaults[name] = default
            self._take(piece, Rewritten(f"inputs.{name}", certain=False))
            return True
        self._take(piece, Rewritten(meant.text, meant.certain))
        return True

    def _context(self, piece: str, path: str) -> None:
        """`$$.Map.Item.Value` is the item; what else is known around a state is not known here."""
        item, _, rest = path.partition(_ITEM)
        made = rewrite(f"item{rest}", self._resolve) if not item and path != rest else None
        if made is None:
            self._unknown.append(piece)
            self._written.append(piece)
        else:
            self._take(piece, made)

    def _told(self, piece: str, name: str, field: str | None) -> None:
        """People count from one."""
        step: tuple[str | int, ...] = ("steps", int(name) - 1) if name.isdigit() else (name,)
        meant = self._resolve((*step, *([field] if field else [])))
        if meant is None:
            self._written.append(piece)
        else:
            self._take(piece, Rewritten(meant.text, certain=False))

    def _formatted(self, piece: str, found: re.Match[str]) -> bool:
        """`format('{0}-{1}', a, b)` is a text with references in it."""
        given = [rewrite(each, self._resolve) for each in found[2].split(",")[1:]]
        if not all(each is not None and _is_fine(each.text) for each in given):
            return False
        made = [each for each in given if each is not None]
        places = {int(number) for number in _PLACE.findall(found[1])}
        if not places <= set(range(len(made))):
            return False
        self._first = self._first or piece
        self._certain = self._certain and all(each.certain for each in made)
        self._written.append(_PLACE.sub(lambda each: f"${{{made[int(each[1])].text}}}", found[1]))
        return True

    def _take(self, piece: str, made: Rewritten) -> None:
        self._first = self._first or piece
        self._certain = self._certain and made.certain
        self._status |= made.status
        self._written.append(f"${{{made.text}}}" if made.text else "")


_KINDS = (
    "context",
    "github",
    "mustache",
    "escaped",
    "ours",
    "braces",
    "dollar",
    "json",
    "paren",
    "ruby",
    "evidence",
    "angle",
    "tag",
    "square",
    "percent",
    "told",
    "bare",
)


def _end_of(text: str, start: int, slot: Slot) -> int:
    # The slot was stripped: its brace is the first one behind it.
    at = text.index(slot.text, start + 2) + len(slot.text)
    return text.index("}", at) + 1


def _is_fine(text: str) -> bool:
    return bool(text) and not isinstance(parse(text), tuple)


def condition(text: str, resolve: Resolve) -> Rewritten | None:
    """A condition in whatever way it is written, as one expression."""
    bared = _BRACES.sub(lambda found: f" {found[1] or found[2] or found[3] or ''} ", text.strip())
    made = rewrite(bared, resolve)
    if made is None or not (_is_fine(made.text) or made.status):
        return None
    return made


_BRACES = re.compile(r"\$\{\{(.*?)\}\}|\{\{(.*?)\}\}|\$\{(.*?)\}", re.DOTALL)
