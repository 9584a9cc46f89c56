"""From a file, a text or data to a brief with nothing left open."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from callsheet_studio.brief.conflicts import check_conflicts
from callsheet_studio.brief.fields import BY_KEY, SECTIONS
from callsheet_studio.brief.infer import complete
from callsheet_studio.brief.ownshots import read_shots
from callsheet_studio.brief.pictures import read_picture
from callsheet_studio.brief.plaintext import is_plain, read_plain
from callsheet_studio.brief.problems import Problems
from callsheet_studio.brief.shape import raw_values
from callsheet_studio.brief.source import LARGEST, form_of, read_text, script_beside
from callsheet_studio.brief.values import LONGEST_SCRIPT, Reader
from callsheet_studio.model.brief import Brief

if TYPE_CHECKING:
    from collections.abc import Mapping

    from callsheet_studio.brief.infer import Values
    from callsheet_studio.brief.source import Form
    from callsheet_studio.model.base import Inferred


_WORDS = {"message.core", "content.script", "content.script_file", "content.shots"}
"""One of these must be there: something to say."""
_LONGEST_RUN = 40
_BLANKS = re.compile(rf"[^\S\n]{{{_LONGEST_RUN},}}")
_EMPTY_LINES = re.compile(rf"(?:[^\S\n]*\n){{{_LONGEST_RUN},}}")


def load(path: str | Path) -> Brief:
    """The brief in a file: YAML, JSON, Markdown or plain words, by its ending.

    Raises:
        InputError: it cannot be read, or something in it is wrong; says everything that is.
    """
    file = Path(path)
    problems = Problems(file.name)
    text = read_text(file, "brief", problems)
    return _parsed(text, form_of(file, problems), problems, file.parent)


def parse(text: str, form: Form, where: str) -> Brief:
    """The brief in a text. `where` is its name in messages.

    Raises:
        InputError: something in it is wrong; says everything that is.
    """
    return _parsed(text, form, Problems(where), None)


def from_data(data: Mapping[str, object], where: str) -> Brief:
    """The brief in plain data, as YAML and JSON give it.

    Raises:
        InputError: something in it is wrong; says everything that is.
    """
    return _built(data, Problems(where), None)


def reread(data: Mapping[str, object], where: str, language: str) -> Brief:
    """The brief in plain data of one that was read before, in that language.

    Raises:
        InputError: something in it is wrong; says everything that is.
    """
    return _built(data, Problems(where), None, language)


def _parsed(text: str, form: Form, problems: Problems, folder: Path | None) -> Brief:
    if len(text) > LARGEST:
        problems.add("brief", f"it is longer than {LARGEST // 1024} KB", "Write a page or two.")
        raise problems.refusal()
    text = text.removeprefix("\ufeff")
    if form in ("text", "markdown"):
        text = _squeezed(text)
    if text.strip() and (form == "text" or (form == "markdown" and is_plain(text))):
        data, read = read_plain(text, problems)
        return _built(data, problems, folder, read=read)
    return _built(_data(text, form, problems), problems, folder)


def _squeezed(text: str) -> str:
    """A text without the runs of blanks and empty lines that nobody writes.

    Sentences are found in it by dozens of patterns, each of which tries a run from every place in
    it: a hundred thousand blanks took minutes.
    """
    return _EMPTY_LINES.sub("\n" * _LONGEST_RUN, _BLANKS.sub(" " * _LONGEST_RUN, text))


def _data(text: str, form: Form, problems: Problems) -> object:
    if not text.strip():
        return None
    match form:
        case "yaml":
            from callsheet_studio.brief.yamlform import read_yaml

            return read_yaml(text, problems)
        case "json":
            from callsheet_studio.brief.jsonform import read_json

            return read_json(text, problems)
        case "markdown":
            from callsheet_studio.brief.markdown import read_markdown

            return read_markdown(text, problems)
        case "fountain":
            from callsheet_studio.script.own.page import title_in

            title = title_in(text)
            return {"content": {"script": text}} | ({"project": {"title": title}} if title else {})
        case "text":
            return None


def _built(
    data: object,
    problems: Problems,
    folder: Path | None,
    language: str | None = None,
    read: tuple[Inferred, ...] = (),
) -> Brief:
    given = _given(raw_values(data, problems), problems, folder)
    has_words = _WORDS & given.keys()
    if not has_words and not any(map(problems.has, _WORDS)):
        fix = "Say in one sentence what the film says: message: {core: …}, or give your own script."
        problems.add("message.core", "it is missing", fix)
    if not has_words:
        raise problems.refusal()
    values, inferred = complete(given, language)
    check_conflicts(values, problems)
    problems.check()
    sections: dict[str, dict[str, object]] = {section: {} for section in SECTIONS}
    for key, value in values.items():
        section, _, name = key.partition(".")
        sections[section][name] = value
    return Brief.model_validate({**sections, "inferred": (*read, *inferred)})


def _given(raw: dict[str, object], problems: Problems, folder: Path | None) -> Values:
    reader = Reader(problems)
    given: Values = {}
    for key, found in raw.items():
        field = BY_KEY[key]
        read: object | None
        match field.kind:
            case "shots":
                read = read_shots(found, reader, problems, folder)
            case "picture":
                read = read_picture(found, folder, key, problems)
            case _:
                read = reader.read(field, found)
        if read is not None:
            given[key] = read
    named = given.pop("content.script_file", None)
    if named is not None:
        if "content.script" in given:
            fix = "Keep content.script or content.script_file, not both."
            problems.add("content.script_file", "there are two scripts", fix)
        elif text := script_beside(str(named), folder, problems):
            script = reader.text(text, "content.script_file", LONGEST_SCRIPT)
            given |= {"content.script": script} if script else {}
    return given
