"""Expressions of other systems, rewritten as JMESPath.

Works on the words of an expression, not on a grammar: paths are handed to whoever knows what they
lead to, numbers get their backticks, operators their signs. What comes out must parse, or there is
nothing.
"""

from __future__ import annotations

import re
from typing import Protocol, TypeAlias

import msgspec
from jmespath.functions import Functions

from callsheet.core.plan.mend.synonyms import OUTCOME_FIELDS, OUTCOMES

Part: TypeAlias = str | int
Parts: TypeAlias = tuple[Part, ...]


class Meaning(msgspec.Struct, frozen=True):
    """What a path stands for in a plan."""

    text: str
    certain: bool = True


class Resolve(Protocol):
    """Whoever knows the names of a plan."""

    def __call__(self, parts: Parts, /) -> Meaning | None:
        """What a path stands for; None: nothing that is known here."""
        ...

    def spelled(self, text: str) -> str:
        """An expression in which steps have their ids."""
        ...


_NOT = "not"
ALWAYS, SUCCESS, FAILURE = "always()", "success()", "failure()"

_TOKEN = re.compile(
    r"""(?P<space>\s+)
    |(?P<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
    |(?P<literal>`(?:[^`\\]|\\.)*`)
    |(?P<number>-?\d+(?:\.\d+)?(?![\w.]))
    |(?P<call>[A-Za-z_][\w.]*\()
    |(?P<path>\$?[A-Za-z_0-9][\w-]*(?:\.(?:[A-Za-z_][\w-]*|\d+|\*)|\[(?:-?\d+|\*|[A-Za-z_]\w*|'[^']*'|"[^"]*")\])*)
    |(?P<operator>===|!==|==|!=|<=|>=|<|>|&&|\|\||!|\(|\)|,|\|)""",
    re.VERBOSE,
)
_LINK = re.compile(
    r"\.?([A-Za-z_$][\w$-]*|\d+|\*)|\[(-?\d+|\*|[A-Za-z_]\w*)\]|\['([^']*)'\]|\[\"([^\"]*)\"\]"
)
_PULL = re.compile(
    r"(?:ti|task_instance)\s*\.\s*xcom_pull\(\s*(?:task_ids?\s*=\s*)?\[?['\"]([\w.-]+)['\"]\]?"
    r"(?:[^)]*?\bkey\s*=\s*['\"](?!return_value\b)(\w+)['\"])?[^)]*\)"
)
_JOIN = re.compile(r"\bjoin\(\s*([A-Za-z_][\w.*\[\]-]*)\s*,\s*('[^']*'|\"[^\"]*\")\s*\)")
"""What is joined, then with what: ours has it the other way round."""
_VALUE, _LIST = r"('[^']*'|\"[^\"]*\"|[\w.]+)", r"([A-Za-z_$][\w.\[\]$]*)"
_SPELLINGS = tuple(
    (re.compile(pattern, re.IGNORECASE), meant)
    for pattern, meant in (
        (
            r"\$(?:node|items)?\(\s*['\"]([^'\"]+)['\"]\s*\)(?:\.(?:first|last|all)\(\))?(?:\.item)?",
            r'$node["\1"]',
        ),
        (r"\?\.", "."),
        (r"\s*\?\?\s*", " || "),
        (rf"{_VALUE}\s+not\s+in\s+{_LIST}", r"!(contains(\2, \1))"),
        (rf"{_VALUE}\s+in\s+{_LIST}", r"contains(\2, \1)"),
        (r"\bis\s+not\s+(?:defined|none|null)\b", "!= null"),
        (r"\bis\s+(?:undefined|none|null)\b", "== null"),
        (r"\bis\s+defined\b", "!= null"),
        (r"([\w.]+)\s+is\s+(not\s+)?(succeeded|success|failed|skipped)\b", r"\1.state \2== '\3'"),
        (r"not == '", "!= '"),
    )
)
"""What is written otherwise where it means the same."""
_WORDS = {
    "and": "&&", "or": "||", "not": "not", "AND": "&&", "OR": "||", "NOT": "not",
    "true": "`true`", "True": "`true`", "false": "`false`", "False": "`false`",
    "null": "`null`", "None": "`null`", "nil": "`null`", "undefined": "`null`",
    "is": "==",
}  # fmt: skip
_FUNCTIONS = {
    **dict.fromkeys(
        ("tojson", "tojsonstring", "json", "dumps", "str", "string", "jsondumps", "jsonstringify"),
        "to_string",
    ),
    "tostring": "to_string",
    **dict.fromkeys(("len", "size", "count"), "length"),
    "startswith": "starts_with",
    "endswith": "ends_with",
    **{name: name for name in Functions.FUNCTION_TABLE},
}
"""Functions of others, and our own, which stay as they are."""
_STATUS = {
    **dict.fromkeys(("always", "succeededorfailed"), ALWAYS),
    **dict.fromkeys(("success", "succeeded"), SUCCESS),
    **dict.fromkeys(("failure", "failed", "cancelled", "canceled"), FAILURE),
}
_FILTERS = {
    "tojson": "to_string",
    "string": "to_string",
    "length": "length",
    "count": "length",
    "size": "length",
    "int": "to_number",
    "float": "to_number",
    "keys": "keys",
    "values": "values",
    "sum": "sum",
    "max": "max",
    "min": "min",
    "sort": "sort",
    "reverse": "reverse",
}
_POSITIONS = {"first": 0, "last": -1}
_AS_IT_IS = frozenset(("bool", "list", "trim", "safe", "e"))
"""Filters that change nothing here."""
_JOINED = re.compile(r"join\(\s*('[^']*'|\"[^\"]*\")\s*(?:,\s*@\s*)?\)\s*\Z")
_MAPPED = re.compile(r"map\(\s*(?:attribute\s*=\s*)?['\"](\w+)['\"]\s*\)\s*\Z")
_FILTERED = re.compile(
    r"([A-Za-z_$][\w.$\[\]]*)\s*\|\s*(length|count|size|int|float|string|tojson|bool|list|trim)\b(?!\()"
    r"(?=\s*(?:[=!<>&)]|\band\b|\bor\b))"
)
_BECAME = re.compile(
    rf"([A-Za-z_$][\w.$-]*)\.({'|'.join(sorted(OUTCOME_FIELDS))})\s*(==|!=)\s*"
    rf"['\"]({'|'.join(sorted(OUTCOMES))})['\"]",
    re.IGNORECASE,
)
_STEP = re.compile(r"steps\.\w+")
_DEFAULT = re.compile(r"\bdefault\(\s*('[^']*'|\"[^\"]*\"|-?\d+(?:\.\d+)?)\s*\)\s*\Z")


class Rewritten(msgspec.Struct, frozen=True):
    """An expression as a plan writes it."""

    text: str
    certain: bool
    status: frozenset[str] = frozenset()
    """What it asks of the run: `always()` and its like, which are no part of the text."""


def rewrite(text: str, resolve: Resolve) -> Rewritten | None:
    """A foreign expression in our words; None: it cannot be told what it means."""
    text = _PULL.sub(_pulled, resolve.spelled(text.strip()))
    for pattern, meant in _SPELLINGS:
        text = pattern.sub(meant, text)
    text = _JOIN.sub(r"join(\2, \1)", text)
    text = _FILTERED.sub(_called, text)
    text = _BECAME.sub(lambda found: _became(found, resolve), text)
    text = text.replace("===", "==").replace("!==", "!=")
    filtered = _filtered(text, resolve)
    return filtered if filtered is not None else _Writer(resolve).write(text)


def _became(found: re.Match[str], resolve: Resolve) -> str:
    """`steps.a.result == 'success'` asks what became of a step, unless it gives such a field."""
    parts = parts_of(found[1])
    step, own = resolve(parts), resolve((*parts, found[2]))
    if step is None or not _STEP.fullmatch(step.text):
        return found[0]
    if (
        own is not None
        and own.text == f"{step.text}.{found[2]}"
        and own.certain
        and found[2]
        not in (
            "conclusion",
            "outcome",
        )
    ):
        return found[0]
    name = step.text.partition(".")[2]
    return f"outcomes.{name}.state {found[3]} '{OUTCOMES[found[4].lower()]}'"


def _called(found: re.Match[str]) -> str:
    """`x | length` in the middle of something is `length(x)`."""
    function = _FILTERS.get(found[2].lower())
    return f"{function}({found[1]})" if function else found[1]


def _pulled(found: re.Match[str]) -> str:
    return f"steps.{found[1]}.{found[2]}" if found[2] else f"steps.{found[1]}"


def parts_of(path: str) -> Parts:
    """A path as its parts: names, positions, `*`."""
    parts: list[Part] = []
    for found in _LINK.finditer(path.removeprefix("$").removeprefix(".")):
        name, position, quoted, double = found.groups()
        text = name if name is not None else position if position is not None else quoted or double
        parts.append(int(text) if re.fullmatch(r"-?\d+", text) and parts else text)
    return tuple(parts)


def spell_path(parts: Parts) -> str:
    """Parts as JMESPath writes them."""
    text = ""
    for part in parts:
        if isinstance(part, int) or part == "*":
            text += f"[{part}]"
        elif re.fullmatch(r"[A-Za-z_]\w*", part):
            text += f".{part}" if text else part
        else:
            text += f'."{part}"' if text else f'"{part}"'
    return text


def _filtered(text: str, resolve: Resolve) -> Rewritten | None:
    """`x | tojson`, `x | length`, `x | default('y')`."""
    left, bar, name = text.rpartition("|")
    if not bar or left.endswith("|") or not left.strip():
        return None
    inside = rewrite(left, resolve)
    if inside is None:
        return None
    text = _through(inside.text, name.strip())
    return Rewritten(text, inside.certain) if text else None


def _through(text: str, name: str) -> str:
    """An expression behind a filter; "": there is none of that name."""
    if default := _DEFAULT.match(name):
        value = default[1]
        shown = f"'{value[1:-1]}'" if value[0] in "'\"" else f"`{value}`"
        return f"{text} || {shown}"
    if joined := _JOINED.match(name):
        return f"join({quoted(joined[1])}, {text})"
    if mapped := _MAPPED.match(name):
        return f"{text}[*].{mapped[1]}"
    word = name.partition("(")[0].strip().lower()
    if word in _POSITIONS:
        return f"{text}[{_POSITIONS[word]}]"
    function = _FILTERS.get(word)
    return text if word in _AS_IT_IS else f"{function}({text})" if function else ""


def quoted(token: str) -> str:
    """A text in quotes of either kind; one with escapes in it as a literal, which knows them."""
    inside = token[1:-1]
    if "\\" in inside.replace('\\"', "").replace("\\'", ""):
        return f'`"{inside}"`'
    return "'" + inside.replace('\\"', '"').replace("'", "\\'") + "'"


class _Writer:
    """Writes the words of an expression one after the other."""

    def __init__(self, resolve: Resolve) -> None:
        self._resolve = resolve
        self._written: list[str] = []
        self._status: set[str] = set()
        self._certain = True

    def write(self, text: str) -> Rewritten | None:
        position = 0
        while position < len(text):
            found = _TOKEN.match(text, position)
            if found is None:
                return None
            kind, token = str(found.lastgroup), found.group()
            position = found.end()
            if kind == "call":
                end = text.find(")", position)
                if end == position and token[:-1].lower() in _STATUS:
                    self._status.add(_STATUS[token[:-1].lower()])
                    position = end + 1
                    continue
            if not self._token(kind, token):
                return None
        made = _tidy("".join(_negated(self._written)), bool(self._status))
        if made is None:
            return None
        return Rewritten(made, self._certain, frozenset(self._status))

    def _token(self, kind: str, token: str) -> bool:
        match kind:
            case "text":
                self._written.append(quoted(token))
            case "number":
                self._written.append(f"`{token}`")
            case "call":
                name = token[:-1].rpartition(".")[2].lower()
                owner = token[:-1].rpartition(".")[0]
                if name not in _FUNCTIONS or (owner and owner.lower() not in ("json", "str")):
                    return False
                self._written.append(f"{_FUNCTIONS[name]}(")
            case "path":
                return self._path(token)
            case "space":
                self._written.append(" ")
            case _:
                self._written.append(token)
        return True

    def _path(self, token: str) -> bool:
        if token in _WORDS:
            self._written.append(_WORDS[token])
            return True
        meaning = self._resolve(parts_of(token))
        if meaning is None:
            before = next((each for each in reversed(self._written) if each.strip()), "")
            if before not in ("==", "!=") or not token.isidentifier():
                return False
            meaning = Meaning(f"'{token}'")  # a word that something is compared with
        self._certain = self._certain and meaning.certain
        self._written.append(meaning.text)
        return True


def _negated(words: list[str]) -> list[str]:
    """`not` takes all up to the next `and` or `or`; our own `!` takes what follows it at once."""
    made: list[str] = []
    open_ones: list[int] = []
    depth = 0
    for word in words:
        depth += word.count("(") if word != _NOT else 0
        is_end = word in ("&&", "||") or (word == ")" and open_ones and depth == open_ones[-1])
        while open_ones and is_end and depth <= open_ones[-1]:
            open_ones.pop()
            made[-1:] = [")", made[-1]] if made[-1] == " " else [made[-1], ")"]
        depth -= word == ")"
        if word == _NOT:
            open_ones.append(depth)
        if not (word == " " and made[-1:] == ["!("]):
            made.append("!(" if word == _NOT else word)
    return made + [")"] * len(open_ones)


def _tidy(text: str, has_status: bool) -> str | None:
    """Without operators that lost a side to `always()`."""
    if has_status:
        text = re.sub(r"\A\s*!?\s*(?:&&|\|\|)?|(?:&&|\|\|)?\s*!?\s*\Z", "", text)
        text = re.sub(r"(&&|\|\|)\s*(?:&&|\|\|)", r"\1", text).strip()
    # JMESPath reads `!a.b` as `(!a).b`.
    return re.sub(r"!\s*([A-Za-z_][\w.\[\]]*)", r"!(\1)", text.strip())
