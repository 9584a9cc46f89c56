"""A brief with some of its values changed: read anew, so that what hangs on them follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.brief.plaintext import HEARD
from callsheet_studio.brief.reading import reread

if TYPE_CHECKING:
    from collections.abc import Mapping

    from callsheet_studio.model.base import Inferred
    from callsheet_studio.model.brief import Brief


def revised(brief: Brief, changes: Mapping[str, object], where: str) -> Brief:
    """The brief with other values, by key: `{"constraints.deadline": "2h"}`.

    They count as given; what was inferred is inferred anew.

    Raises:
        InputError: something does not fit the brief; says everything that does not.
    """
    data = given_data(brief)
    for key, value in changes.items():
        section, _, name = key.partition(".")
        data.setdefault(section, {})[name] = value
    made = reread(data, where, brief.content.language)
    heard = tuple(each for each in _heard(brief) if each.key not in changes)
    return made.model_copy(update={"inferred": (*heard, *made.inferred)})


def _heard(brief: Brief) -> tuple[Inferred, ...]:
    return tuple(each for each in brief.inferred if each.why.startswith(HEARD))


def given_data(brief: Brief) -> dict[str, dict[str, object]]:
    """What the brief said itself, as data that can be read again."""
    # What was read between the lines of a letter is what the letter said.
    inferred = {each.key for each in brief.inferred} - {each.key for each in _heard(brief)}
    dumped: dict[str, dict[str, object]] = brief.model_dump(mode="json", exclude={"inferred"})
    data = {
        section: {
            name: value
            for name, value in fields.items()
            if f"{section}.{name}" not in inferred and value not in (None, "", [])
        }
        for section, fields in dumped.items()
    }
    if "deadline" in data["constraints"]:
        data["constraints"]["deadline"] = f"{brief.constraints.deadline!r}s"
    return {section: fields for section, fields in data.items() if fields}
