"""The documents are true: examples are files that run, outputs are real, names are complete."""

from __future__ import annotations

import inspect
import queue
import re
import shlex
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast, get_args

import msgspec
import pytest
from tests.acceptance import pages
from tests.acceptance.pages import ROOT, Command, names_in, tables
from tests.acceptance.terminal import Shell, Typed
from tests.every import every
from typer.main import get_command

import callsheet
from callsheet import apps, errors, testing, types
from callsheet.apps import command as for_commands
from callsheet.apps import mcp as for_agents
from callsheet.apps import routes as for_routes
from callsheet.cli.app import _app
from callsheet.core.plan import plan
from callsheet.core.run import entries
from callsheet.tools import agenttables, configuration, modeltables
from callsheet.tools.builtin.access import ContextAccess
from callsheet.tools.builtin.catalog import builtin_tools
from callsheet.tools.builtin.context import context_tools
from callsheet.tools.function.declare import Terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

SOURCES = ROOT / "docs_src"
PAGES = pages.pages()
BLOCKS = [block for page in PAGES for block in pages.blocks(page)]
PLAYED = [page for page in PAGES if any(map(pages.is_run, pages.blocks(page)))]
TAKE_LONG = ("docs/how-to/make-a-film.md", "docs/how-to/simulate-your-plan.md")
"""Pages on which film after film is made, or story after story is lived: typed in the long tests.
The film of a tutorial is typed for each change; the page on simulation is not."""
READERS = 3
"""Pages that are followed at the same time."""
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
    return (
        path.suffix in {".ini", ".json", ".py", ".toml", ".yaml"}
        and "__pycache__" not in path.parts
    )


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
OVERLOADED = re.compile(r"loop\.blocked|^task=")
"""What the engine remarks on a machine that has too much to do."""
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
        printed = [line for line in actual if line.strip() and not OVERLOADED.search(line)]
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


# It takes seconds because a reader's commands are really typed, and some of them wait.
@pytest.mark.slow
def test_whoever_types_what_a_page_says_sees_what_it_says(tmp_path: Path) -> None:
    assert set(TAKE_LONG) < set(PLAYED)
    read(tmp_path, [page for page in PLAYED if page not in TAKE_LONG])


@pytest.mark.long
def test_whoever_types_what_takes_long_sees_what_it_says(tmp_path: Path) -> None:
    read(tmp_path, TAKE_LONG)


def read(tmp_path: Path, listed: Iterable[str]) -> None:
    """Follow these pages, several at a time, and tell all that is not as it is said."""
    longest_first = sorted(listed, key=lambda page: len(pages.text_of(page)), reverse=True)
    left = queue.SimpleQueue[str]()
    for page in longest_first:
        left.put(page)
    with ThreadPoolExecutor(READERS) as readers:
        found = [readers.submit(read_pages, left, tmp_path) for _ in range(READERS)]
    told = [line for each in found for line in each.result()]
    assert not told, "\n\n".join(told)


def read_pages(left: queue.SimpleQueue[str], directory: Path) -> list[str]:
    """Follow pages until none is left; returns what is not as it is said."""
    told: list[str] = []
    with Shell() as shell:
        while True:
            try:
                page = left.get_nowait()
            except queue.Empty:
                return told
            told += play(page, shell, directory / page.replace("/", "-"))


def play(page: str, shell: Shell, directory: Path) -> list[str]:
    """Follow a page to its end; returns what is not as it is said, which ends it."""
    directory.mkdir()
    for file in pages.files(page):
        (directory / file.name).write_bytes(file.read_bytes())
    reader = Reader()
    going_on: list[tuple[Command, Typed, int]] = []
    for block in filter(pages.is_run, pages.blocks(page)):
        listed = pages.commands(block)
        for command in listed:
            typed = shell.type(reader.translate(command.line), directory, answers_in(command))
            code = int(block.said("exits", "0")) if command is listed[-1] else 0
            if "meanwhile" in block.words:
                shell.wait_for(block.said("until", ""), typed)
                going_on.append((command, typed, code))
            elif told := complaint_about(reader, command, typed, shell.wait(typed), code):
                return [told]
    for command, typed, code in going_on:
        if told := complaint_about(reader, command, typed, shell.wait(typed), code):
            return [told]
    return []


def complaint_about(
    reader: Reader, command: Command, typed: Typed, code: int, expected: int
) -> str | None:
    difference = reader.compare(command.expected, typed.screen.lines)
    if difference is None and code != expected:
        difference = f"it exits with {code}, not {expected}"
    if difference is None:
        return None
    return "\n".join([f"{command.place}: {difference}", f"$ {typed.line}", *typed.screen.lines])


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


# The references are complete, and name nothing that is not there


def test_every_field_of_a_plan_is_documented_with_its_default() -> None:
    said = tables("docs/reference/plan.md")
    kinds: dict[str, type[msgspec.Struct]] = {
        "Plan": plan.Plan,
        "Step": plan.Step,
        "Retry": plan.Retry,
        "Undo": plan.Undo,
        "Budget": plan.Budget,
        "Amount": plan.Cost,
    }
    for heading, kind in kinds.items():
        documented = {names_in(row[0])[0]: row[2] for row in said[heading]}
        declared = {each.name: spelled(each) for each in msgspec.structs.fields(kind)}
        assert documented == declared, heading


def spelled(each: msgspec.structs.FieldInfo) -> str:
    """A default, as the tables write it."""
    if each.required:
        return "required"
    if each.default is None:
        return "none"
    if each.default is msgspec.NODEFAULT or each.default in ((), ""):
        return "empty"
    return f"`{str(each.default).lower()}`"


def test_every_public_name_is_documented() -> None:
    said = tables("docs/reference/python.md")
    for door in (callsheet, types, apps, for_commands, for_routes, for_agents, testing):
        assert first_names(said[door.__name__]) == list_of(door.__all__), door.__name__


def first_names(rows: list[list[str]]) -> list[str]:
    """All names in the first column, sorted; one that stands there twice is there twice."""
    return sorted(name for row in rows for name in names_in(row[0]))


def list_of(names: Iterable[str]) -> list[str]:
    return sorted(names)


@pytest.mark.parametrize(
    "kind", [callsheet.Run, callsheet.Result, types.StepResult, callsheet.Context]
)
def test_every_member_of_the_public_classes_is_documented(kind: type) -> None:
    said = tables("docs/reference/python.md")[kind.__name__]
    assert first_names(said) == list_of(members_of(kind))


def test_every_member_and_parameter_of_an_engine_is_documented() -> None:
    said = first_names(tables("docs/reference/python.md")["Engine"])
    doors = {"artifacts", "context", "ledger", "plans", "runtime", "tools"}
    members = members_of(callsheet.Engine) - {"open"} | doors
    parameters = set(inspect.signature(callsheet.Engine.open).parameters)
    assert said == sorted([*members, *parameters])


def members_of(kind: type) -> set[str]:
    """What a class offers: methods, properties, and fields."""
    own = {"id"} if kind is callsheet.Run else set()
    for base in kind.__mro__:
        if base.__module__.startswith("callsheet"):
            own |= {*vars(base), *getattr(base, "__annotations__", {})}
    return {name for name in own if not name.startswith("_")}


def test_a_sync_context_has_the_methods_of_a_context() -> None:
    methods = {name for name, _ in inspect.getmembers(callsheet.Context, inspect.isfunction)}
    assert {name for name in methods if name[0] != "_"} <= set(dir(callsheet.SyncContext))


def test_every_term_of_a_tool_is_documented() -> None:
    said = tables("docs/reference/python.md")["tool"]
    assert first_names(said) == list_of(Terms.__annotations__)


def test_every_command_and_option_is_documented() -> None:
    said = tables("docs/reference/cli.md")
    headings = re.findall(
        r"^## (callsheet .*)$", pages.text_of("docs/reference/cli.md"), re.MULTILINE
    )
    found = dict(commands_of(get_command(_app()), "callsheet"))
    assert sorted(headings) == sorted(found)
    common = set(first_names(said["Everywhere"])) & {"--home", "--json"}
    for name, options in found.items():
        assert set(first_names(said.get(name, []))) == options - common, name


def commands_of(command: object, path: str) -> Iterator[tuple[str, set[str]]]:
    """Every command that does something, with its options."""
    group = cast("Any", command)
    for name in group.list_commands(None):
        each = group.get_command(None, name)
        if getattr(each, "commands", None):
            yield from commands_of(each, f"{path} {name}")
        else:
            options = {option.opts[0] for option in each.params if option.opts[0].startswith("-")}
            yield f"{path} {name}", options


def test_every_exit_code_is_documented() -> None:
    codes = {row[0] for row in tables("docs/reference/cli.md")["Everywhere"] if row[0].isdigit()}
    assert codes == {"0", "1", "2", "3", "130"}


def test_every_entry_and_field_of_a_journal_is_documented() -> None:
    said = tables("docs/reference/journal.md")
    headings = re.findall(r"^### (\w+)$", pages.text_of("docs/reference/journal.md"), re.MULTILINE)
    kinds = {kind.__name__: kind for kind in get_args(entries.AnyEntry)}
    assert sorted(headings) == sorted(kinds)
    for name, kind in kinds.items():
        every = ("at", "stored")  # any entry has these
        fields = [each for each in msgspec.structs.fields(kind) if each.name not in every]
        documented = {names_in(row[0])[0]: row[2] == "" for row in said.get(name, [])}
        assert documented == {each.encode_name: each.required for each in fields}, name


def test_every_error_is_documented_with_its_code() -> None:
    said = [row for rows in tables("docs/reference/errors.md").values() for row in rows]
    documented = {names_in(row[0])[0]: (names_in(row[1])[0], row[2]) for row in said}
    kinds = {
        kind.__name__: (kind.code, "yes" if kind.retryable else "no")
        for kind in vars(errors).values()
        if isinstance(kind, type) and issubclass(kind, errors.CallsheetError)
    }
    assert documented == kinds
    tools = {
        names_in(row[0])[0]: row for row in tables("docs/reference/errors.md")["What tools raise"]
    }
    for name, row in tools.items():
        kind = getattr(errors, name)
        assert names_in(row[3]) == [kind.error_class]
        assert (row[4] == "yes") == kind.nothing_happened


def test_the_tree_of_errors_is_the_tree_of_classes() -> None:
    drawn = next(
        block.text for block in pages.blocks("docs/reference/errors.md") if not block.language
    )
    above: list[str] = []
    for line in drawn.splitlines():
        found = re.search(r"\w+", line)
        assert found
        depth, name = found.start() // 3, found[0]
        above[depth:] = [name]
        if depth:
            assert getattr(errors, name).__base__.__name__ == above[depth - 1]


RULE = re.compile(r'"((?:film|sound|speech|voice|caption|text|clip|shot)-[a-z-]+)"')


def test_every_rule_of_a_film_is_documented() -> None:
    studio = ROOT / "packages" / "callsheet-studio" / "src" / "callsheet_studio"
    sources = [
        *(studio / "film" / "check").glob("*.py"),
        *(studio / "sound").glob("*.py"),
        studio / "documents" / "captions.py",
        studio / "providers" / "fitting.py",
    ]
    rules = {rule for path in sources for rule in RULE.findall(path.read_text("utf-8"))}
    said = re.findall(r"`([a-z]+-[a-z-]+)`", pages.text_of("docs/reference/film-checks.md"))
    assert sorted(said) == sorted(rules)


async def test_every_built_in_tool_is_documented_with_its_arguments() -> None:
    said = tables("docs/reference/tools.md")
    found = [*builtin_tools(allow_shell=True), *context_tools(ContextAccess())]
    specs = {tool.spec.name: tool.spec for tool in found}
    async with callsheet.Engine.in_memory() as engine:
        asks = engine.tools.spec("model.ask")
        assert asks is not None
        specs[asks.name] = asks
    assert sorted(said) == sorted(specs)
    for name, spec in specs.items():
        properties = spec.input_schema["properties"]
        required = spec.input_schema.get("required", [])
        assert isinstance(properties, dict)
        assert isinstance(required, list)
        declared = {
            argument: "required" if argument in required else default_of(schema)
            for argument, schema in properties.items()
        }
        assert {names_in(row[0])[0]: row[2] for row in said[name]} == declared, name


def test_every_field_of_the_configuration_is_documented_with_its_default() -> None:
    said = tables("docs/reference/configuration.md")
    assert first_names(said["tools.NAME"]) == list_of(configuration.TERMS)
    assert first_names(said["network"]) == ["allow_private"]
    assert first_names(said["models.NAME"]) == list_of(modeltables.MODEL)
    assert first_names(said["turns"]) == list_of([*modeltables.TURNS, "tools"])
    assert first_names(said["agents.NAME"]) == list_of([*agenttables.AGENT, *agenttables.LISTS])
    for heading, names, declare in (
        ("programs.NAME", configuration.PROGRAM, callsheet.program_tool),
        ("http.NAME", configuration.HTTP, callsheet.http_tool),
    ):
        assert sorted(n for row in said[heading] for n in names_in(row[0])) == sorted(names)
        parameters = inspect.signature(declare).parameters
        given = {name for name, each in parameters.items() if each.kind is not each.VAR_KEYWORD}
        assert given - {"name"} == set(names) - set(Terms.__annotations__)
        for row in said[heading]:
            parameter = parameters.get(names_in(row[0])[0])
            if parameter is not None and parameter.default:
                default = parameter.default
                wanted = "required" if default is parameter.empty else f"`{default!r}`"
                assert row[2].split("`: ")[0] == wanted.replace("'", '"'), row


def default_of(schema: object) -> str:
    default = schema.get("default") if isinstance(schema, dict) else None
    return "none" if default is None else f"`{str(default).lower()}`".replace("_", "")


# Pages hold together


@every(page=PAGES)
def test_links_lead_somewhere(page: str) -> None:
    text = re.sub(r"```.*?```", "", pages.text_of(page), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, anchor = target.partition("#")
        if "://" in path:
            continue
        place = (ROOT / page).parent / path if path else ROOT / page
        assert place.exists(), f"{page}: {target}"
        if anchor:
            assert anchor in pages.anchors(place.resolve().relative_to(ROOT).as_posix()), target


def test_every_page_is_on_the_map() -> None:
    on_map = set(re.findall(r"\]\(([^)#]+\.md)\)", pages.text_of("docs/README.md")))
    written = {
        page.removeprefix("docs/")
        for page in PAGES
        if page.startswith("docs/") and not page.startswith("docs/decisions/")
    }
    assert on_map == written - {"README.md"}


FORBIDDEN = re.compile(
    r"\b(workflows?|jobs?|tasks?|nodes?|executions?|rollbacks?)\b", re.IGNORECASE
)
OF_OTHERS = (
    *("docs/glossary.md", "CONTRIBUTING.md", "docs/decisions/", "docs/explanation/"),
    "docs/how-to/come-from-another-engine.md",
    *("docs/how-to/use-it-from-an-agent.md", "docs/reference/mcp.md"),
    "docs/how-to/write-an-agent.md",
)
"""Pages that name the words in order to say that they are not ours, or speak of asyncio's tasks, of
those of MCP, or of what an agent is given that has no schema."""


@every(page=[page for page in PAGES if not page.startswith(OF_OTHERS)])
def test_pages_use_the_words_of_the_glossary(page: str) -> None:
    assert not FORBIDDEN.findall(pages.text_of(page))
