"""Plain values to YAML text that `yamltext` reads back as the same values."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import yaml

from callsheet.core.yaml.scalar import is_plain_text

if TYPE_CHECKING:
    from yaml.nodes import ScalarNode

    from callsheet.core.value import Json

_ENDLESS = 2**31 - 1
# Lines of ordinary text that neither begin nor end with a space: a block shows them as they are.
_BLOCK = re.compile(r"(?:[!-~](?:[ -~]*[!-~])?\n)+(?:[!-~](?:[ -~]*[!-~])?)?\Z")
_TEXT = "tag:yaml.org,2002:str"
_Base = yaml.CSafeDumper if yaml.__with_libyaml__ else yaml.SafeDumper


# A class of its own, so that the library's stays as it is; which one it extends is known late.
class _Dumper(_Base):  # type: ignore[misc, valid-type]
    """Quotes whatever our own reader would not take for text."""


def _represent_text(dumper: yaml.SafeDumper, text: str) -> ScalarNode:
    if _BLOCK.match(text):
        return dumper.represent_scalar(_TEXT, text, style="|")
    return dumper.represent_scalar(_TEXT, text, style=None if is_plain_text(text) else '"')


_Dumper.add_representer(str, _represent_text)


def dump(value: Json) -> str:
    """The text of a value, keys in their own order, one line for each text."""
    text: str = yaml.dump(
        value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_ENDLESS
    )
    return text
