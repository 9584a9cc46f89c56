"""Which texts may hold a reference of any kind: the others need not be looked at."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from callsheet.core.value import Json

_FOREIGN = re.compile(
    r"(?<!\$)\{[A-Za-z_{]|\$\{\{|\$[A-Za-z0-9_]|#[A-Za-z]{1,4}\d|<[A-Za-z_][\w-]*[.\[]"
    r"|\[\[\s*[A-Za-z_]|%[A-Za-z_][\w-]*[.\[]|\Asteps\.[A-Za-z_]"
    r"|\$[.\[(]|#\{|\A<<?[A-Za-z_][\w-]*>"
    r"|\$\$\.[A-Za-z]|\A\s*States\.[A-Z]|\$\{[A-Za-z_]\w*:?-"
    r"|[<\[](?i:\s*(?:the )?(?:observation|result|output|response|answer))"
)

_ALONE = re.compile(r"[A-Za-z_][\w-]*[.\[][\w.\[\]*-]+\Z", re.ASCII)
"""A path with nothing around it; also the names of tools, files and machines."""


def is_foreign(value: Json) -> bool:
    """Whether something in a value may be a reference as others write them."""
    if isinstance(value, str):
        return _is_marked(value) or _ALONE.match(value) is not None
    if isinstance(value, dict):
        return any(map(is_foreign, value.values()))
    return isinstance(value, list) and any(map(is_foreign, value))


def _is_marked(text: str) -> bool:
    return _FOREIGN.search(text) is not None


def is_suspicious(value: Json) -> bool:
    """Whether something in a value may be a reference, ours or another's."""
    if isinstance(value, str):
        return "${" in value or _is_marked(value)
    if isinstance(value, dict):
        return any(map(is_suspicious, value.values()))
    return isinstance(value, list) and any(map(is_suspicious, value))
