"""The configuration: what whoever runs the engine says of its tools, in a TOML file.

Terms of tools that there are, programs and HTTP services as further tools, and what of the network
may be reached. Everything that is wrong with a file is said at once, each with its place.
"""

from __future__ import annotations

import os
import stat
from dataclasses import replace
from difflib import get_close_matches
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

import msgspec
from msgspec import structs

from callsheet.core import value
from callsheet.core.grants import Grant
from callsheet.core.plan import fields
from callsheet.core.problem import Report, listed
from callsheet.errors import ConfigurationError, ToolDefinitionError
from callsheet.tools.agenttables import AGENT, LISTS, AgentTable
from callsheet.tools.function.declare import Terms, over_ceiling
from callsheet.tools.function.terms import breaker_of, cost_of, limit_of, retry_of, seconds_of
from callsheet.tools.modeltables import MODEL, TURNS, ModelTable, TurnsTable
from callsheet.tools.outside.network import Network, network_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from callsheet.core.plan.fields import Reader
    from callsheet.core.problem import Place
    from callsheet.core.value import Json
    from callsheet.tools.function.declare import AnyTool

FILE = "callsheet.toml"
"""Its name in a home."""
LARGEST = 1_000_000
_A_SLIP = 0.85
"""How similar a name must be to that of a tool to be taken for a slip."""


def _approval_of(found: object) -> object:
    if found != "required":
        raise ValueError(f"can only be demanded, not {found!r}")
    return found


TERMS: dict[str, tuple[Callable[[object], object], str]] = {
    "limit": (
        limit_of,
        'limit = 4, limit = "10/s" or limit = {at_once = 4, rate = 10, per = "1s"}',
    ),
    "breaker": (breaker_of, 'breaker = {failures = 5, seconds = "10s"} or breaker = false'),
    "timeout": (seconds_of, 'timeout = "30s"'),
    "retry": (retry_of, 'retry = 3 or retry = {attempts = 3, backoff = "1s"}'),
    "cost": (cost_of, "cost = 0.05 (USD) or cost = {tokens = 500}"),
    "approval": (_approval_of, 'approval = "required"'),
    "ceiling": (cost_of, "ceiling = 0.50 (USD) or ceiling = {tokens = 5000}"),
}
_DECLARED = tuple(term for term in Terms.__annotations__ if term not in ("isolated", "machine"))
PROGRAM = (
    "argv",
    "args",
    "stdin",
    "output",
    "returns",
    "exits",
    "env",
    "cwd",
    "outputs",
    "progress",
    "max_bytes",
    *_DECLARED,
)
HTTP = (
    "url",
    "method",
    "args",
    "query",
    "headers",
    "json",
    "output",
    "returns",
    "allow_private",
    "max_bytes",
    *_DECLARED,
)


class Configuration(msgspec.Struct, frozen=True, kw_only=True):
    """What a file says. It may be wrong: `applied` says so, when all that it needs is there."""

    path: Path | None
    report: Report
    terms: dict[str, dict[str, object]]
    """Tools by name, or by a pattern like `mail.*`, and what is said of them."""
    programs: dict[str, dict[str, Any]]
    services: dict[str, dict[str, Any]]
    network: Network
    secrets: dict[str, Grant] = {}
    """To whom each is given."""
    tenants: dict[str, tuple[str, ...]] = {}
    """The tools that each may use; who is not here may use all."""
    files: Path | None = None
    """The directory that `file.…` may use."""
    models: dict[str, ModelTable] = {}
    """By the names that they are asked for with."""
    turns: TurnsTable = TurnsTable()
    tenant_models: dict[str, tuple[str, ...]] = {}
    """The models that tenants have, by name or by a pattern like `openai:*`."""
    mcp_secrets: tuple[str, ...] = ()
    """Those that plans of MCP clients may name."""
    origins: tuple[str, ...] = ()
    """The origins whose pages may ask the service, with a key."""
    keyless: bool = True
    """Whether the service answers requests without a key, where it listens on loopback."""
    agents: dict[str, AgentTable] = {}
    """By name."""
    keep: float | None = None
    """Seconds that ended runs are kept; None: until somebody deletes them."""

    def applied(self, tools: Iterable[AnyTool], network: Network) -> list[AnyTool]:
        """The tools, with further ones, and as the configuration wants them.

        Terms of a tool that is not there are nobody's, unless the name looks like a mistake.

        Raises:
            ConfigurationError: every problem there is.
        """
        found = {id(tool): tool for tool in tools}
        named = {tool.spec.name for tool in found.values()}
        for place, declared in self._declared(network):
            if declared.spec.name in named:
                what = f"there is already a tool {declared.spec.name!r}"
                self.report.error(place, what, "Choose another name.")
            named.add(declared.spec.name)
            found[id(declared)] = declared
        for name in sorted(self.terms.keys() - named):
            if "*" in name:
                continue  # it is about whatever fits, now or later
            if similar := get_close_matches(name, named, n=1, cutoff=_A_SLIP):
                fix = f"Did you mean {similar[0]!r}?"
                self.report.error(("tools", name), f"no tool is called {name!r}", fix)
        changed = [self._changed(tool) for tool in found.values()]
        self._refuse()
        return changed

    def changed(self, tool: AnyTool) -> AnyTool:
        """A tool that comes later, as the configuration wants it.

        Raises:
            ConfigurationError: it cannot be that way.
        """
        changed = self._changed(tool)
        self._refuse()
        return changed

    def _changed(self, tool: AnyTool) -> AnyTool:
        name = tool.spec.name
        terms: dict[str, object] = {}
        for pattern, said in self.terms.items():
            if "*" in pattern and fnmatchcase(name, pattern):
                terms |= said
        # What is said of one tool goes before what is said of many.
        terms |= self.terms.get(name, {})
        if not terms:
            return tool
        spec = structs.replace(tool.spec, **terms)
        if over := over_ceiling(spec):
            self.report.error(("tools", spec.name), over, "Change one of them.")
        return replace(tool, spec=spec)

    def _refuse(self) -> None:
        if self.report.failed:
            problems = self.report.ordered
            raise ConfigurationError(listed(f"{self.path} does not check:", problems), problems)

    def _declared(self, network: Network) -> Iterable[tuple[Place, AnyTool]]:
        if not self.programs and not self.services:
            return
        # Imported here: most engines have neither.
        from callsheet.tools.outside.endpoint import http_tool
        from callsheet.tools.outside.program import program_tool

        for name, said in self.programs.items():
            yield from self._declare(("programs", name), program_tool, said)
        for name, said in self.services.items():
            own: Network = said.get("allow_private", Network())
            reach = {"allow_private": own.plus(network)}
            yield from self._declare(("http", name), http_tool, {**said, **reach})

    def _declare(
        self, place: Place, declare: Callable[..., AnyTool], said: dict[str, Any]
    ) -> Iterable[tuple[Place, AnyTool]]:
        try:
            yield place, declare(place[-1], **said)
        except ToolDefinitionError as exc:
            self.report.error(place, exc.message.partition(" cannot be declared: ")[2].rstrip("."))


def read_configuration(path: Path) -> Configuration:
    """What a file says.

    Raises:
        ConfigurationError: it cannot be read, or is not TOML.
    """
    # Imported here: most engines have no file.
    import tomllib

    try:
        with path.open("rb") as file:
            _refuse_if_open(path, os.fstat(file.fileno()))
            text = file.read(LARGEST + 1)
        if len(text) > LARGEST:
            raise ConfigurationError(f"{path} is larger than {LARGEST:,} bytes.")
        said = tomllib.loads(text.decode())
    except OSError as exc:
        raise ConfigurationError(f"Cannot read {path}: {exc.strerror}.") from exc
    except ValueError as exc:
        raise ConfigurationError(f"{path} is not TOML: {exc}.") from exc
    problem = value.problem_of(said)
    if problem is not None:
        raise ConfigurationError(f"{path} has a value that is {problem}. Put it into quotes.")
    return configuration_of(cast("Json", said), path)


def _refuse_if_open(path: Path, found: os.stat_result) -> None:
    """Whoever may write the configuration may run programs as us."""
    by_group = found.st_mode & stat.S_IWGRP and found.st_gid != os.getegid()
    if found.st_mode & stat.S_IWOTH or by_group:
        who = "everybody" if found.st_mode & stat.S_IWOTH else f"the group {found.st_gid}"
        raise ConfigurationError(
            f"{path} may be written by {who}, who could have it run programs as you. Look at it, "
            f"and then: chmod go-w {path}"
        )


def configuration_of(said: Json, path: Path | None = None) -> Configuration:
    """What a document says."""
    report = Report()
    read = cast("dict[str, Any]", _document(report, (), said))
    network = read.get("network", {}).get("allow_private", Network())
    return Configuration(
        path=path,
        report=report,
        terms=read.get("tools", {}),
        programs=read.get("programs", {}),
        services=read.get("http", {}),
        network=network if isinstance(network, Network) else Network(),
        secrets={name: Grant(**said) for name, said in read.get("secrets", {}).items()},
        tenants={
            name: said["tools"]
            for name, said in read.get("tenants", {}).items()
            if said.get("tools") is not None
        },
        files=read.get("files", {}).get("root"),
        models=_models(report, read.get("models", {})),
        turns=_turns(report, read.get("turns", {})),
        tenant_models={
            name: tuple(said["models"])
            for name, said in read.get("tenants", {}).items()
            if said.get("models") is not None
        },
        mcp_secrets=read.get("mcp", {}).get("secrets") or (),
        origins=read.get("serve", {}).get("origins") or (),
        keyless=read.get("serve", {}).get("keyless") is not False,
        agents={name: AgentTable(**said) for name, said in read.get("agents", {}).items()},
        keep=read.get("runs", {}).get("keep"),
    )


def _models(report: Report, read: dict[str, Any]) -> dict[str, ModelTable]:
    for name in [name for name in read if ":" in name]:
        fix = "Choose a name without a colon: with one it is a provider's own."
        report.error(("models", name), "it looks like the name of a provider's model", fix)
    return {} if report.failed else {name: ModelTable(**said) for name, said in read.items()}


def _turns(report: Report, read: dict[str, Any]) -> TurnsTable:
    return TurnsTable() if report.failed else TurnsTable(**read)


_AGES = {"h": 3600.0, "d": 86_400.0, "w": 604_800.0}


def _age_of(said: object) -> float:
    number, unit = (said[:-1], said[-1:]) if isinstance(said, str) else ("", "")
    if not number.isascii() or not number.isdecimal() or int(number) == 0 or unit not in _AGES:
        raise ValueError("is not an age, such as 12h, 30d or 4w")
    return int(number) * _AGES[unit]


def _term(read: Callable[[object], object], example: str) -> Reader:
    """A reader for what is written in the same way in `@tool`."""

    def reader(report: Report, place: Place, found: Json) -> Json:
        try:
            return cast("Json", read(found))
        except ValueError as exc:
            report.error(place, f"{place[-1]} {exc}", f"Write {example}.")
            return None

    return reader


def _names_of(found: object) -> object:
    if not isinstance(found, list) or not all(isinstance(each, str) and each for each in found):
        raise ValueError(f"must be a list of names, not {found!r}")
    return tuple(found)


def _origins_of(found: object) -> object:
    names = cast("tuple[str, ...]", _names_of(found))
    for each in names:
        parts = urlsplit(each)
        whole = f"{parts.scheme}://{parts.netloc}"
        if parts.scheme not in ("http", "https") or not parts.netloc or each != whole.lower():
            raise ValueError(
                f"has {each!r}, which is not an origin (a scheme, a host, perhaps a port)"
            )
    return names


def _truth_of(found: object) -> object:
    if found is not True and found is not False:
        raise ValueError(f"must be true or false, not {found!r}")
    return found


def _root_of(found: object) -> object:
    if not isinstance(found, str) or not found or "\0" in found:
        raise ValueError(f"must be the path of a directory, not {found!r}")
    return Path(found)


def _each(reader: Reader) -> Reader:
    """A table of tables, by the names of tools."""

    def read(report: Report, place: Place, found: Json) -> Json:
        if not isinstance(found, dict):
            fields.wrong(report, place, found, "a table", f'Write [{place[-1]}."NAME"].')
            return {}
        built: dict[str, Json] = {}
        for name, each in found.items():
            problems = len(report.problems)
            said = reader(report, (*place, name), each)
            # Of what is known to be wrong, the rest is not tried.
            if len(report.problems) == problems:
                built[name] = said
        return built

    return read


def _table(names: Iterable[str], *, required: str, **readers: Reader) -> Reader:
    """The fields of a declaration, which looks at most of their values itself."""
    table = {**dict.fromkeys(names, fields.anything), **readers}
    return fields.record(table, required=(required,))


_ALLOWED = 'allow_private = ["10.0.0.0/8", "localhost"] or allow_private = true'
_network = _term(network_of, _ALLOWED)
_document = fields.record(
    {
        "tools": _each(fields.record({name: _term(*term) for name, term in TERMS.items()})),
        "programs": _each(_table(PROGRAM, required="argv")),
        "http": _each(_table(HTTP, required="url", allow_private=_network)),
        "network": fields.record({"allow_private": _network}),
        "secrets": _each(
            fields.record(
                {
                    name: _term(_names_of, f'{name} = ["…"]')
                    for name in ("tenants", "tools", "hosts")
                }
            )
        ),
        "models": _each(
            fields.record({name: _term(*term) for name, term in MODEL.items()}, required=("model",))
        ),
        "turns": fields.record(
            {
                **{name: _term(*term) for name, term in TURNS.items()},
                "tools": _term(_names_of, 'tools = ["weather", "mail.*"]'),
            }
        ),
        "tenants": _each(
            fields.record(
                {
                    "models": _term(_names_of, 'models = ["writer", "openai:*"]'),
                    "tools": _term(_names_of, 'tools = ["wait", "http.*"]'),
                }
            )
        ),
        "agents": _each(
            fields.record(
                {
                    **{name: _term(*term) for name, term in AGENT.items()},
                    **{name: _term(_names_of, example) for name, example in LISTS.items()},
                },
                required=("capabilities", "models"),
            )
        ),
        "files": fields.record({"root": _term(_root_of, 'root = "plans/files"')}),
        "serve": fields.record(
            {
                "keyless": _term(_truth_of, "keyless = false"),
                "origins": _term(_origins_of, 'origins = ["https://app.example.com"]'),
            }
        ),
        "runs": fields.record({"keep": _term(_age_of, 'keep = "30d"')}),
        "mcp": fields.record({"secrets": _term(_names_of, 'secrets = ["NAME"]')}),
    }
)
