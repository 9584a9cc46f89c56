"""What is to be made: read and checked before anything is opened, made or written."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from time import localtime
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

from callsheet.errors import InputError
from callsheet_studio.brief import answered, from_data, load, load_answers, revised
from callsheet_studio.documents.pieces import LARGEST
from callsheet_studio.model.brief import Brief
from callsheet_studio.production import delivery
from callsheet_studio.production.reserving import reserved

if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextlib import AbstractContextManager

    from callsheet_studio.production.stage import Stage

Offers: TypeAlias = Literal["orderable", "all"]
"""Those that can be ordered here, or all that the tool stack knows."""
BriefSource: TypeAlias = "Brief | Mapping[str, object] | str | Path"
"""A brief: as data, as the path of a file, or read."""


class Cut(msgspec.Struct, frozen=True):
    """Our timeline as an editor has cut it."""

    form: Literal["otio", "edl"]
    text: str

    def inputs(self) -> dict[str, Any]:
        """It as an input of a run."""
        return {"cut": {"form": self.form, "text": self.text}}


class Commission(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be made, of what, and where it goes. `commission` checks one."""

    brief: Brief
    out: Path
    """Absolute: the directory that the files are written into."""
    today: date
    """Whose prices and tools count."""
    folder: Path | None = None
    """Where the pictures of the brief lie, unless they are kept as artifacts."""
    stop_after: Stage = "film"
    review: bool = False
    """Ask the questions, and have each stage approved."""
    force: bool = False
    """Replace files that are not ours, too."""
    cut: Cut | None = None
    offers: Offers = "orderable"
    """With which the production is planned."""
    words: str | None = None
    """Our screenplay as somebody has changed it."""
    writer: str = "auto"
    """Who writes: `auto`, `offline`, or a model."""

    def reserved(self) -> AbstractContextManager[None]:
        """Let no other process deliver there, until this is left.

        Raises:
            InputError: another process is making something for it.
        """
        return reserved(self.out)


def commission(  # noqa: PLR0913 -- all but the first two have a default that means something
    brief: BriefSource,
    *,
    out: str | Path,
    today: date | None = None,
    folder: Path | None = None,
    stop_after: Stage = "film",
    review: bool = False,
    force: bool = False,
    cut: Cut | Path | None = None,
    offers: Offers = "orderable",
    script: Path | None = None,
    writer: str = "auto",
) -> Commission:
    """Check what is to be made. Nothing is written.

    Raises:
        InputError: the brief is wrong, a font or the cut is missing, or the directory cannot take
            the files.
    """
    from callsheet_studio.base.fonts import check_fonts
    from callsheet_studio.production.files import file_names

    read = read_brief(brief)
    check_fonts()
    target = Path(out).absolute()
    delivery.check_place(target, file_names(stop_after), force=force)
    return Commission(
        brief=read,
        out=target,
        today=today or this_day(),
        folder=folder or folder_of(brief),
        stop_after=stop_after,
        review=review,
        force=force,
        cut=read_cut(cut, stop_after) if isinstance(cut, Path) else cut,
        offers=offers,
        words=read_words(script) if script else None,
        writer=writer,
    )


def read_brief(
    brief: BriefSource,
    *,
    constraints: Mapping[str, object] | None = None,
    answers: Mapping[str, str] | Path | None = None,
    by: str = "the command line",
) -> Brief:
    """A brief with what overrides it.

    Args:
        brief: wherever it stands.
        constraints: what replaces its constraints: `max_cost_usd`, `deadline`, `quality`; what is
            None stays as it is.
        answers: to clarifying questions, or the file that has them.
        by: who overrides it, in words.

    Raises:
        InputError: it is wrong, or would be.
    """
    read = _read(brief)
    given = (constraints or {}).items()
    changes = {f"constraints.{key}": value for key, value in given if value is not None}
    if changes:
        read = revised(read, changes, by)
    if answers is None:
        return read
    return answered(read, load_answers(answers) if isinstance(answers, Path) else answers)


def _read(brief: BriefSource) -> Brief:
    if isinstance(brief, Brief):
        return brief
    if isinstance(brief, (str, Path)):
        return load(brief)
    return from_data(brief, "the brief")


def folder_of(brief: BriefSource) -> Path | None:
    """Where the pictures of a brief lie: beside its file, if it has one."""
    return Path(brief).parent if isinstance(brief, (str, Path)) else None


def read_cut(path: Path, stop_after: Stage = "film") -> Cut:
    """The timeline that came back.

    Raises:
        InputError: it is none that can be read, or no shots are made.
    """
    form = path.suffix.lower().removeprefix(".")
    if form not in {"otio", "edl"}:
        raise InputError(f"--cut {path}: a cut comes back as .otio or .edl.")
    if stop_after == "script":
        raise InputError("--cut is about shots. Leave out --stop-after script.")
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
        text = data.decode("utf-8")
    except OSError as error:
        raise InputError(f"--cut {path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise InputError(f"--cut {path} is not UTF-8. Export it again as text.") from error
    if len(data) > LARGEST:
        raise InputError(f"--cut {path} has more than {LARGEST:,} bytes: it is no cut of ours.")
    return Cut("otio" if form == "otio" else "edl", text)


def read_words(path: Path) -> str:
    """Our screenplay, as it came back.

    Raises:
        InputError: it cannot be read, or is none of ours.
    """
    from callsheet_studio.brief.problems import Problems
    from callsheet_studio.brief.source import read_text
    from callsheet_studio.documents.rewording import is_ours

    problems = Problems(f"the script {path.name}")
    text = read_text(path, "--script", problems)
    if not is_ours(text):
        raise InputError(
            f"--script {path} has no beats of ours. It takes the script.fountain of an earlier "
            "make with other words; name one of your own in the brief: content.script_file."
        )
    return text


def this_day() -> date:
    """The day it is here."""
    return date(*localtime()[:3])
