"""What a sentence means: something to say, a call, or nothing that is known here."""

from __future__ import annotations

import json
import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

from callsheet.agents.intent import classify
from callsheet.agents.offline import amount
from callsheet.agents.offline.gist import gist
from callsheet.agents.offline.phrase import unquoted
from callsheet.core.value import Json

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from callsheet.agents.model import Offered
    from callsheet.agents.offline.phrase import Phrase

MOST = 4_000
"""Characters of a sentence; what is longer is a document, and no sentence."""
NEAREST = 3
"""How many things that can be done are named when a sentence is not understood."""

_BEFORE = re.compile(
    r"(?:(?:please|bitte|hey|ok|okay|now|so|and|then|just|callsheet|can\s+you|could\s+you|would\s+you|"
    r"will\s+you|i\s+want\s+(?:you\s+)?to|i'd\s+like\s+(?:you\s+)?to|let's|kannst\s+du|könntest\s+du)"
    r"(?![\w'])[\s,:]*)+",
    re.IGNORECASE,
)
_WITHIN = re.compile(
    r"(?<=\w) (?:bitte|please|mal|doch|doch mal|mal eben|eben|kurz|jetzt|right now)(?= \w)",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"[\s,]*(?:(?:please|bitte|for\s+me|right\s+now|now|at\s+the\s+moment|thanks|thank\s+you|danke)"
    r"[\s.!?]*|[.!?]+)\Z",
    re.IGNORECASE,
)
_HELP = re.compile(
    r"/?help|/\?|h|commands|hilfe|what\s+can\s+(?:you\s+do|i\s+(?:say|do|type))(?:\s+here)?|"
    r"how\s+(?:does\s+(?:this|it)\s+work|do\s+i\s+use\s+(?:this|it))|was\s+kannst\s+du(?:\s+alles)?|"
    r"was\s+kann\s+ich\s+(?:hier\s+)?(?:sagen|tun|machen)|wie\s+(?:funktioniert|geht)\s+das",
    re.IGNORECASE,
)
_TOOLS = re.compile(
    r"(?:(?:list|show|show\s+me|give\s+me|zeig|zeig\s+mir)\s+)?(?:all\s+)?(?:the\s+|alle\s+|die\s+)?(?:tools|werkzeuge)(?:\s+(?:there\s+are|you\s+have|auf))?|"
    r"(?:which|what)\s+tools\s+(?:are\s+there|do\s+you\s+have|can\s+(?:i|you)\s+use|exist)|"
    r"(?:welche|was\s+für)\s+(?:werkzeuge|tools)\s+(?:gibt\s+es|hast\s+du|kennst\s+du|sind\s+da)(?:\s+hier)?",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"(?:(?:call|run|use|invoke|start|execute|rufe?|benutze)\s+(?:the\s+tool\s+|das\s+werkzeug\s+)?)?"
    r"(?P<tool>[a-z][\w-]*(?:\.[\w-]+)*)(?P<rest>[\s,:({].*)?",
    re.IGNORECASE | re.DOTALL,
)
_PAIR = re.compile(
    r"""(?P<name>[a-z_]\w*)\s*(?:=|:)\s*(?P<value>"[^"]*"|'[^']*'|[^,;\s]+)(?:\s*(?:,|;|and\b|\Z)\s*|\s+)""",
    re.IGNORECASE,
)


_FLAGS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


class Said(msgspec.Struct, frozen=True):
    """Something that is answered in words alone."""

    about: Literal["help", "tools", "greeting", "smalltalk"]


class Meant(msgspec.Struct, frozen=True):
    """A tool that is to be called, with these arguments."""

    tool: str
    args: dict[str, Json]


class Unclear(msgspec.Struct, frozen=True):
    """Nothing that is known here, why, and what comes nearest to it."""

    nearest: tuple[str, ...]
    why: str = ""


Meaning: TypeAlias = Said | Meant | Unclear


def understand(text: str, tools: Sequence[Offered], phrases: Sequence[Phrase]) -> Meaning:
    """What a sentence means to whoever may call these tools. Guesses nothing."""
    said = _bare(text[: MOST + 1]) or text.strip()[:MOST]
    if len(text) > MOST or not said:
        return Unclear((), f"it has over {MOST:,} characters" if said else "there is nothing in it")
    offered = {tool.name: tool for tool in tools}
    return (
        _spoken(said)
        or _named(said, offered)
        or _phrased(said, offered, phrases)
        or _told_of_runs(said, offered)
        or _met(text, said, [phrase.example for phrase in phrases if phrase.tool in offered])
    )


def _spoken(said: str) -> Meaning | None:
    """What is answered in words."""
    if _HELP.fullmatch(said):
        return Said("help")
    return Said("tools") if _TOOLS.fullmatch(said) else None


def _phrased(said: str, offered: dict[str, Offered], phrases: Iterable[Phrase]) -> Meaning | None:
    """The call that the first fitting phrase stands for."""
    for phrase in phrases:
        found = phrase.match(said) if phrase.tool in offered else None
        if found is not None and (meant := _fitted(offered[phrase.tool], found)) is not None:
            return meant
    return None


def _told_of_runs(said: str, offered: dict[str, Offered]) -> Meaning | None:
    """What is said of a run in words that nobody has written down."""
    found = gist(said)
    return _fitted(offered[found[0]], found[1]) if found and found[0] in offered else None


def _met(text: str, said: str, known: list[str]) -> Meaning:
    """A greeting, or nothing that is known here."""
    intent = classify(text)
    if intent.is_clear and intent.intent in ("greeting", "smalltalk"):
        return Said("greeting" if intent.intent == "greeting" else "smalltalk")
    return Unclear(_nearest(said, [*dict.fromkeys(known), "help", "which tools are there?"]))


def _bare(text: str) -> str:
    """A sentence without courtesies around and in it, and without the mark at its end."""
    said, shorter = "", _WITHIN.sub("", " ".join(text.split()))
    while shorter != said:
        said = shorter
        polite = _BEFORE.match(said)
        shorter = _AFTER.sub("", said[polite.end() :] if polite else said)
    return said


# A tool by its name


def _named(said: str, offered: dict[str, Offered]) -> Meaning | None:
    """`wait {"seconds": 4}`, `call wait with seconds=1`, `wait 2 s`."""
    found = _NAMED.fullmatch(said)
    if found is None or found["tool"] not in offered:
        return None
    tool = offered[found["tool"]]
    rest = re.sub(r"\A[\s,:]*(?:with|mit)?\s*", "", found["rest"] or "", flags=re.IGNORECASE)
    given = _arguments(rest.strip(), tool)
    if given is None:
        return None
    meant = _fitted(tool, given)
    return meant or Unclear((), f"{tool.name} takes {_takes(tool)}")


def _arguments(rest: str, tool: Offered) -> dict[str, Json] | None:
    """What follows a tool's name, as arguments; None: it is something else."""
    if not rest:
        return {}
    if rest[:1] == "{":
        try:
            read: Json = json.loads(rest)
        except ValueError:
            return None
        return read if isinstance(read, dict) else None
    inner = rest[1:-1] if rest[:1] == "(" and rest[-1:] == ")" else rest
    pairs = list(_PAIR.finditer(f"{inner}"))
    if pairs and "".join(pair[0] for pair in pairs).replace(" ", "") == inner.replace(" ", ""):
        return {pair["name"]: unquoted(pair["value"]) for pair in pairs}
    required = _required(tool)
    return {required[0]: inner} if len(required) == 1 else None


def _fitted(tool: Offered, given: dict[str, Json]) -> Meant | None:
    """Arguments as the tool's schema wants them; None: they do not fit."""
    properties = tool.schema.get("properties")
    known: dict[str, Json] = properties if isinstance(properties, dict) else {}
    args: dict[str, Json] = {}
    for name, value in given.items():
        if name not in known:
            return None
        fitting = _as(known[name], name, value)
        if fitting is None:
            return None
        args[name] = fitting
    return Meant(tool.name, args) if set(_required(tool)) <= args.keys() else None


def _as(schema: Json, name: str, value: Json) -> Json:
    kind = schema.get("type") if isinstance(schema, dict) else None
    if not isinstance(value, str) or kind == "string" or not isinstance(kind, str):
        return value
    if kind in ("number", "integer"):
        found = amount.seconds(value) if "second" in name else amount.number(value)
        return None if found is None or (kind == "integer" and found != int(found)) else found
    if kind == "boolean":
        return {
            "true": True,
            "yes": True,
            "on": True,
            "false": False,
            "no": False,
            "off": False,
        }.get(value.lower())
    try:
        read: Json = json.loads(value)
    except ValueError:
        return None
    return read


def _required(tool: Offered) -> list[str]:
    wanted = tool.schema.get("required")
    return [str(each) for each in wanted] if isinstance(wanted, list) else []


def _takes(tool: Offered) -> str:
    properties = tool.schema.get("properties")
    names = list(properties) if isinstance(properties, dict) else []
    needed = set(_required(tool))
    shown = [name if name in needed else f"{name} (optional)" for name in names]
    return ", ".join(shown) or "no arguments"


def _nearest(said: str, known: list[str]) -> tuple[str, ...]:
    def likeness(example: str) -> float:
        words, other = set(said.lower().split()), set(example.lower().strip("?").split())
        return len(words & other) + SequenceMatcher(None, said.lower(), example.lower()).ratio()

    return tuple(sorted(known, key=lambda each: (-likeness(each), each))[:NEAREST])
