"""A brief's file: its bytes as text, and which form the text is in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from callsheet.errors import InputError
from callsheet_studio.base.beneath import NotBeneathError, read_beneath

if TYPE_CHECKING:
    from callsheet_studio.brief.problems import Problems

Form = Literal["yaml", "json", "markdown", "text", "fountain"]

LARGEST = 256 * 1024
"""Bytes of a brief, and of a script beside it."""
FOLDER = "the folder of the brief"
_FORMS: dict[str, Form] = {
    ".yaml": "yaml",
    ".yml": "yaml",
    ".json": "json",
    ".md": "markdown",
    ".markdown": "markdown",
    ".txt": "text",
    ".eml": "text",
    ".fountain": "fountain",
}
_MARK = b"\xef\xbb\xbf"
_OTHER_MARKS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}


def form_of(path: Path, problems: Problems) -> Form:
    """The form that a file's name says.

    Raises:
        InputError: it says none.
    """
    form = _FORMS.get(path.suffix.lower())
    if form is None:
        ending = f"{path.suffix!r} is no ending of a brief" if path.suffix else "it has no ending"
        fix = "Name it .yaml, .json, .md, .txt or .fountain, by the form it is in."
        problems.add("brief", ending, fix)
        raise problems.refusal()
    return form


def read_text(path: Path, place: str, problems: Problems) -> str:
    """The text of a file.

    Raises:
        InputError: it cannot be read, is too large, or is not UTF-8.
    """
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        explain(error, path, place, problems)
        raise problems.refusal() from error
    return _text(data, path, place, problems)


def _text(data: bytes, path: Path, place: str, problems: Problems) -> str:
    if len(data) > LARGEST:
        what = f"{path.name} is larger than {LARGEST // 1024} KB"
        problems.add(place, what, "A brief is a page or two; leave out what is not about the film.")
        raise problems.refusal()
    return decode(data, path.name, place, problems)


def decode(data: bytes, name: str, place: str, problems: Problems) -> str:
    """Bytes as text. A mark at the beginning is no part of it.

    Raises:
        InputError: they are not UTF-8.
    """
    try:
        return data.removeprefix(_MARK).decode("utf-8")
    except UnicodeDecodeError as error:
        begins = len(_MARK) if data.startswith(_MARK) else 0
        position = error.start + begins
        other = _OTHER_MARKS.get(data[:2])
        seems = f"; it looks like {other}" if other else ""
        line = data[:position].count(b"\n") + 1
        what = (
            f"{name} is not UTF-8: byte {position} (line {line}) is 0x{data[position]:02x}{seems}"
        )
        problems.add(place, what, "Save it again as UTF-8.")
        raise problems.refusal() from error


def script_beside(named: str, folder: Path | None, problems: Problems) -> str | None:
    """The text of the script that a brief names, if it lies beside it or below."""
    place = "content.script_file"
    if folder is None:
        fix = "Put its text into content.script."
        problems.add(place, "a brief that is no file has no file beside it", fix)
        return None
    try:
        return _text(read_beneath(folder, named, LARGEST, FOLDER), Path(named), place, problems)
    except NotBeneathError as error:
        fix = "Put the script itself beside the brief, and write its name alone."
        problems.add(place, error.message.rstrip("."), fix)
    except OSError as error:
        explain(error, Path(named), place, problems)
    except InputError:
        pass  # noted; there may be more to say about the brief
    return None


def explain(error: OSError, path: Path, place: str, problems: Problems) -> None:
    """Note why a file cannot be read."""
    match error:
        case FileNotFoundError():
            what, fix = f"there is no file {str(path)!r}", "Look at its name and folder."
        case IsADirectoryError():
            what, fix = f"{str(path)!r} is a directory", "Name the file in it."
        case PermissionError():
            what, fix = f"{str(path)!r} may not be read", "Change its permissions."
        case _:
            what, fix = f"{str(path)!r} cannot be read: {error.strerror}", ""
    problems.add(place, what, fix)
