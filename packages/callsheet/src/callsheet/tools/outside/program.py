"""Programs as tools: a command with blanks, run without a shell, within bounds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack, cast

import msgspec

from callsheet.core import value
from callsheet.core.refs.filling import text_of
from callsheet.errors import (
    DeniedError,
    FatalError,
    InvalidError,
    NotDoneError,
    RateLimitedError,
    ToolError,
    ToolTimeoutError,
)
from callsheet.tools.calling.failure import ProgramKilledError, broken_off
from callsheet.tools.function.declare import Problems, Terms, Tool, spec_of
from callsheet.tools.outside.arguments import ARTIFACT, declared_arguments, parameters_for
from callsheet.tools.outside.blanks import Blank, Filling, blanks_in, blanks_of, parts_of
from callsheet.tools.outside.percent import Percent, percent_of
from callsheet.tools.outside.running import Start, clean, without_secrets
from callsheet.tools.outside.scratch import STDOUT, kept, outputs_of, scratch, with_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from callsheet.core.plan.toolspec import ToolSpec
    from callsheet.core.value import Json
    from callsheet.ports import Context
    from callsheet.tools.function.declare import AnyTool
    from callsheet.tools.outside.running import Running

Output = Literal["json", "text", "lines"]

LARGEST = 10_000_000
_SCHEMAS: dict[str, dict[str, Json] | None] = {
    "json": None,
    "text": {"type": "string"},
    "lines": {"type": "array", "items": {"type": "string"}},
}
_CLASSES: dict[str, type[ToolError]] = {
    "transient": NotDoneError,
    "rate_limited": RateLimitedError,
    "timeout": ToolTimeoutError,
    "invalid": InvalidError,
    "denied": DeniedError,
    "fatal": FatalError,
}
_HIGHEST_CODE = 255
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


def program_tool(  # noqa: PLR0913 -- every one but two is optional
    name: str,
    argv: Sequence[str],
    *,
    args: Mapping[str, object] | None = None,
    stdin: str | None = None,
    output: Output = "text",
    returns: dict[str, Json] | None = None,
    exits: Mapping[int, str] | None = None,
    env: Sequence[str] | Mapping[str, str] = (),
    cwd: str | Path | None = None,
    outputs: Mapping[str, str] | None = None,
    progress: str | None = None,
    max_bytes: int = LARGEST,
    **terms: Unpack[Terms],
) -> AnyTool:
    """Declare a program as a tool.

    Args:
        name: the tool's.
        argv: the program and its arguments. `${args.NAME}`, `${env.NAME}` and `${key}` in them are
            filled in; whatever a value holds, it stays within its one word. A list becomes one
            word for each item; a word with a null in it is left out. An artifact is the path of a
            file with its bytes.
        args: the arguments: name to JSON Schema, or to a type (also `artifact`). Those that are
            only named in a blank are text, a number or a boolean. One with a `default` may be left
            out.
        stdin: `json`: the arguments, as JSON; else a text with blanks; None: nothing.
        output: what stdout is: one JSON value, text, or a list of lines.
        returns: the JSON Schema of the output.
        exits: what an exit code means: code to error class. It is taken as the program's word that
            nothing was done. Any other code but 0 is fatal, and leaves a write in doubt.
        env: variables, by name or as a mapping to texts with blanks; the program sees these, PATH,
            HOME, LANG and TMPDIR, and no others.
        cwd: the directory it runs in; None: the current one.
        outputs: files that it leaves and that become artifacts: name to path. It then runs in an
            empty directory of its own, and returns these names, and `stdout`.
        progress: a regular expression for lines of stdout and stderr with a group `percent`,
            `fraction`, or `done` and `total`, and perhaps `message`.
        max_bytes: a program that prints more on one stream is killed.
        terms: as in `@tool`.

    Raises:
        ToolDefinitionError: it cannot be a tool; says everything at once.
    """
    problems = Problems()
    words = problems.when("argv", lambda: _argv(argv)) or ()
    variables = problems.when("env", lambda: _env(env)) or {}
    problems.when("stdin", lambda: _stdin(stdin))
    codes = problems.when("exits", lambda: _exits(exits)) or {}
    percent = problems.when("progress", lambda: percent_of(progress))
    files = problems.when("outputs", lambda: outputs_of(outputs)) or {}
    if files and cwd is not None:
        problems.add("cwd and outputs do not go together: it runs in a directory of its own")
    if output not in _SCHEMAS:
        problems.add(f"output must be json, text or lines, not {output!r}")
    problems.when("max_bytes", lambda: _bytes(max_bytes))
    if terms.get("isolated") is not None:
        problems.add("a program is always isolated; leave isolated out")
    blanks = blanks_of(words, variables, stdin)
    schemas = problems.when("args", lambda: declared_arguments(args, blanks)) or {}
    if stdin != "json":
        used = {blank.path[0] for blank in blanks if blank.root == "args"}
        for unused in schemas.keys() - used:
            problems.add(f"nothing is done with the argument {unused!r}; name it in argv")
    taken = parameters_for(schemas)
    returned = returns or _schema(output, files)
    spec = spec_of(name, terms, problems, taken=taken, output=returned)
    if problems.found:
        raise problems.error(name)
    program = Program(
        spec=spec,
        argv=words,
        stdin=stdin,
        output=output,
        exits=codes,
        env=variables,
        cwd=Path(cwd) if cwd is not None else None,
        outputs=files,
        percent=percent,
        max_bytes=max_bytes,
    )
    return Tool(spec=spec, function=program.function(), parameters=taken, way="loop", place=None)


class Program(msgspec.Struct, frozen=True, kw_only=True):
    """A program that is a tool."""

    spec: ToolSpec
    argv: tuple[str, ...]
    stdin: str | None
    output: Output
    exits: Mapping[int, type[ToolError]]
    env: Mapping[str, str | None]
    """Texts with blanks; None passes ours on, if there is one."""
    cwd: Path | None
    outputs: Mapping[str, str]
    percent: Percent | None
    max_bytes: int

    def function(self) -> Callable[..., Any]:
        """What the tool calls."""

        async def call(ctx: Context, **args: Json) -> Json:
            return await self.run(ctx, args)

        call.__name__ = self.spec.name
        return call

    async def run(self, ctx: Context, args: Mapping[str, Json]) -> Json:
        """Run it and give its output."""
        if not self.outputs:
            directory = (self.cwd or Path()).expanduser().resolve()
            if not directory.is_dir():
                raise FatalError(f"Its directory {str(self.cwd)!r} is not there.")
            return await self._run(ctx, args, directory)
        async with scratch() as directory:
            printed = await self._run(ctx, args, directory)
            try:
                return {**await kept(directory, self.outputs, ctx), STDOUT: printed}
            except FileNotFoundError as exc:
                what = f"The program did not write {str(exc)!r}."
                raise broken_off(what, writes=self.spec.effect == "write") from exc

    async def _run(self, ctx: Context, args: Mapping[str, Json], directory: Path) -> Json:
        files = cast("dict[str, Json]", await with_files(dict(args), ctx))
        filling = Filling(files, ctx.key)
        running = self._start(filling, ctx, directory).run()
        try:
            code = await running.wait(ctx.grace)
        finally:
            running.let_go()
        self._check(running, code, filling)
        return self._output(running)

    def _start(self, filling: Filling, ctx: Context, directory: Path) -> Start:
        percent = self.percent
        return Start(
            words=without_secrets(list(self._words(filling)), ctx, "argv"),
            directory=directory,
            largest=self.max_bytes,
            env=self._environment(filling),
            stdin=self._input(filling),
            strict=True,
            heard=(lambda line: percent.tell(line, ctx)) if percent else None,
        )

    def _words(self, filling: Filling) -> Iterator[str]:
        options_are_over = False
        for form in self.argv:
            first = parts_of(form)[:1]
            given = first != () and isinstance(first[0], Blank) and first[0].root == "args"
            for word, is_text in _filled(form, filling):
                if "\0" in word:
                    raise InvalidError("Wrong arguments: there is a NUL character in them.")
                if given and is_text and not options_are_over and word.startswith("-"):
                    msg = f"Wrong arguments: what fills {form} begins with '-', like an option."
                    raise InvalidError(msg)
                yield word
            options_are_over = options_are_over or form == "--"

    def _environment(self, filling: Filling) -> dict[str, str]:
        found = clean(name for name, form in self.env.items() if form is None)
        for name, form in self.env.items():
            text = filling.text(form) if form is not None else None
            if text is not None and "\0" in text:
                raise InvalidError("Wrong arguments: there is a NUL character in them.")
            if text is not None:
                found[name] = text
        return found

    def _input(self, filling: Filling) -> bytes | None:
        if self.stdin is None:
            return None
        if self.stdin == "json":
            return value.encode(dict(filling.args))
        return (filling.text(self.stdin) or "").encode()

    def _check(self, running: Running, code: int, filling: Filling) -> None:
        writes = self.spec.effect == "write"
        for stream, name in ((running.stdout, "stdout"), (running.stderr, "stderr")):
            if stream.truncated:
                what = f"The program printed more than {self.max_bytes:,} bytes on {name}"
                raise broken_off(f"{what} and was killed.", writes=writes)
        if code == 0:
            return
        said = filling.redact(f"The program {running.ending()}.")
        known = self.exits.get(code)
        if known is None and code < 0 and writes:
            raise ProgramKilledError(said)
        raise known(said) if known else broken_off(said, writes=writes)

    def _output(self, running: Running) -> Json:
        if self.output == "json":
            return self._json(running.stdout.content())
        text = running.stdout.text()
        return cast("Json", text.splitlines()) if self.output == "lines" else text

    def _json(self, printed: bytes) -> Json:
        try:
            found = value.decode(printed)
            problem = value.problem_of(found)
        except ValueError as exc:
            problem = str(exc)
        else:
            if problem is None:
                return found
        what = f"The program printed what is not JSON ({problem})."
        raise broken_off(what, writes=self.spec.effect == "write")


def _schema(output: str, files: Mapping[str, str]) -> dict[str, Json] | None:
    printed = _SCHEMAS.get(output)
    if not files:
        return printed
    properties: dict[str, Json] = {name: dict(ARTIFACT) for name in files}
    return {
        "type": "object",
        "properties": {**properties, STDOUT: printed or {}},
        "required": [*files, STDOUT],
    }


def _filled(form: str, filling: Filling) -> Iterator[tuple[str, bool]]:
    """The words that a form becomes, and whether each is a text that was given."""
    parts = parts_of(form)
    if len(parts) != 1 or isinstance(parts[0], str):
        word = filling.text(form)
        if word is not None:
            yield word, True
        return
    found = filling.json(form)
    for item in found if isinstance(found, list) else [found]:
        if item is not None:
            yield text_of(item), isinstance(item, str)


def _argv(argv: object) -> tuple[str, ...]:
    if isinstance(argv, str) or not isinstance(argv, (list, tuple)) or not argv:
        raise ValueError("must be a list: the program and its arguments, a text each")
    if not all(isinstance(word, str) and "\0" not in word for word in argv):
        raise ValueError("must be a list of texts")
    program = parts_of(argv[0])
    if not (len(program) == 1 and isinstance(program[0], str)):
        raise ValueError("must begin with a program that is written out, without blanks")
    for word in argv:
        parts_of(word)
    return tuple(argv)


def _env(env: object) -> dict[str, str | None]:
    texts: dict[str, str | None] = {}
    if isinstance(env, Mapping) and all(isinstance(text, str) for text in env.values()):
        texts = dict(env)
    elif isinstance(env, (list, tuple)):
        texts = {str(name): None for name in env}
    else:
        raise ValueError("must be names of variables, or a mapping of names to texts")
    for name in texts:
        if not _VARIABLE.match(name):
            raise ValueError(f"names {name!r}, which is no variable")
    list(blanks_in(texts))
    return texts


def _stdin(stdin: object) -> None:
    if stdin is None or stdin == "json":
        return
    if not isinstance(stdin, str) or not list(blanks_in(stdin)):
        raise ValueError("must be 'json', or a text like '${args.text}'")


def _bytes(number: object) -> None:
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        raise ValueError(f"must be an integer, 1 or more, not {number!r}")


def _exits(exits: object) -> dict[int, type[ToolError]]:
    if exits is None:
        return {}
    if not isinstance(exits, Mapping):
        raise ValueError("must be a mapping of exit codes to error classes")  # noqa: TRY004
    found: dict[int, type[ToolError]] = {}
    for code, word in exits.items():
        # In a configuration file every key is text.
        if not str(code).isdecimal() or not 1 <= int(code) <= _HIGHEST_CODE:
            raise ValueError(f"has the code {code!r}; a code is from 1 to {_HIGHEST_CODE}")
        if word not in _CLASSES:
            raise ValueError(f"has {word!r} for {code}; there are {', '.join(_CLASSES)}")
        found[int(code)] = _CLASSES[word]
    return found
