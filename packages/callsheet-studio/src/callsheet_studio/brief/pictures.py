"""The pictures that a brief names: files beside it, looked at when the brief is read."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from callsheet import Artifact
from callsheet.errors import InputError
from callsheet_studio.base.beneath import NotBeneathError, read_beneath
from callsheet_studio.base.pictures import LARGEST_FILE, MEDIA_TYPES, decoded, examined
from callsheet_studio.brief.problems import show
from callsheet_studio.brief.source import FOLDER, explain

if TYPE_CHECKING:
    from callsheet_studio.brief.problems import Problems
    from callsheet_studio.model.brief import Brief

_MARK = "$artifact"
_SIZE = re.compile(r"[0-9]{1,12}")


def read_picture(
    found: object, folder: Path | None, place: str, problems: Problems
) -> Artifact | None:
    """The picture of a name, or of what `callsheet artifact put` prints; None if it is wrong."""
    if isinstance(found, Mapping):
        return _kept(found, place, problems)
    if not isinstance(found, str) or not found.strip():
        problems.add(place, f"{show(found)} is not a picture", "Write the name of its file.")
        return None
    data = _beside(found.strip(), folder, place, problems)
    if data is None:
        return None
    try:
        header = examined(data)
        decoded(data, (1, 1))
    except InputError as error:
        what, _, fix = error.message.partition(". ")
        problems.add(place, f"{show(found)}: {what}", fix)
        return None
    return Artifact(
        digest=hashlib.sha256(data).hexdigest(),
        media_type=MEDIA_TYPES[header.form],
        size=len(data),
        name=Path(found.strip()).as_posix(),
    )


def pictures_of(brief: Brief) -> tuple[Artifact, ...]:
    """All pictures that a brief names, each once."""
    own = [shot.picture for shot in brief.content.shots or () if shot.picture]
    logo = [brief.message.logo] if brief.message.logo else []
    return tuple({each.digest: each for each in (*own, *logo)}.values())


def picture_bytes(picture: Artifact, folder: Path) -> bytes | None:
    """The bytes of a picture that was read from a folder; None if they are not there any more."""
    try:
        data = read_beneath(folder, picture.name, LARGEST_FILE)
    except (OSError, NotBeneathError):
        return None
    return data if hashlib.sha256(data).hexdigest() == picture.digest else None


def _kept(found: Mapping[object, object], place: str, problems: Problems) -> Artifact | None:
    """A picture that is an artifact already. In YAML its size is text."""
    from pydantic import TypeAdapter, ValidationError

    size = str(found.get("size", 0))
    told = {**found, "size": int(size) if _SIZE.fullmatch(size) else 0}
    try:
        return TypeAdapter(Artifact).validate_python(told)
    except ValidationError:
        fix = f"Write the name of its file, or {{{_MARK}: …}} as `callsheet artifact put` prints."
        problems.add(place, f"{show(found)} is not a picture", fix)
        return None


def _beside(named: str, folder: Path | None, place: str, problems: Problems) -> bytes | None:
    if folder is None:
        fix = "Keep it with `callsheet artifact put` and write what that prints."
        problems.add(place, "a brief that is no file has no picture beside it", fix)
        return None
    try:
        return read_beneath(folder, named, LARGEST_FILE, FOLDER)
    except NotBeneathError as error:
        fix = "Put the picture itself beside the brief, and write its name alone."
        problems.add(place, error.message.rstrip("."), fix)
    except OSError as error:
        explain(error, Path(named), place, problems)
    return None
