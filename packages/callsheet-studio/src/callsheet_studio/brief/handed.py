"""A brief as somebody hands it in who is not at this machine: a text or data, never a path."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

from callsheet_studio.brief.fields import SECTIONS
from callsheet_studio.brief.reading import from_data, parse

if TYPE_CHECKING:
    from callsheet_studio.brief.source import Form
    from callsheet_studio.model.brief import Brief

Handed: TypeAlias = "str | Mapping[str, object]"
"""The text of a brief in any form, or its data."""
_WHERE = "the brief"
_KEYED = re.compile(rf"(?m)^(?:{'|'.join(SECTIONS)}):(?:\s|$)")
_HEADING = re.compile(r"(?m)^#{1,6} ")


def read_handed(handed: Handed) -> Brief:
    """The brief in a text, whichever form it is in, or in data.

    Raises:
        InputError: something in it is wrong; says everything that is.
    """
    if isinstance(handed, Mapping):
        return from_data(handed, _WHERE)
    return parse(handed, form_in(handed), _WHERE)


def form_in(text: str) -> Form:
    """The form of a text: an object, sections as keys, or else a page or a letter."""
    begins = text.removeprefix("\ufeff").lstrip()
    if begins.startswith("{"):
        return "json"
    if _KEYED.search(begins):
        return "yaml"
    return "markdown" if _HEADING.search(begins) else "text"
