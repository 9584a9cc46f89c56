"""Stages that somebody has done by hand, as tools: a script or a shot list as it was handed in.

What comes after them counts on their times and names; whatever else the rules ask for is said in
the report, as of a script of ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet import tool
from callsheet.errors import InvalidError
from callsheet_studio.model.brief import Brief
from callsheet_studio.model.script import Script
from callsheet_studio.model.shots import ShotList
from callsheet_studio.script.rules.checking import check_script
from callsheet_studio.shots.checking import check_shots

if TYPE_CHECKING:
    from collections.abc import Iterable

    from callsheet_studio.model.base import Violation

_SCRIPT = frozenset(
    {
        *("no-beats", "same-rate", "total-length", "gap", "overlap", "no-length"),
        *("id-unique", "id-order"),
    }
)
_SHOTS = frozenset({"length", "tiling", "numbering"})
_MOST = 20


@tool("studio.given_script", version="1", effect="read")
def given_script(script: Script, brief: Brief) -> Script:
    """Take a script that was handed in: its beats must tile the film."""
    _must_hold("script", check_script(script, brief), _SCRIPT)
    return script


@tool("studio.given_shots", version="1", effect="read")
def given_shots(shots: ShotList, script: Script) -> ShotList:
    """Take a shot list that was handed in: its shots must tile their beats."""
    _must_hold("shot list", check_shots(shots, script), _SHOTS)
    return shots


def _must_hold(what: str, found: Iterable[Violation], rules: frozenset[str]) -> None:
    broken = [f"{each.where}  {each.message} {each.fix}" for each in found if each.rule in rules]
    if broken:
        more = len(broken) - _MOST
        rest = [f"and {more} more"] if more > 0 else []
        lines = "\n  ".join([*broken[:_MOST], *rest])
        raise InvalidError(f"The {what} cannot be taken as it is:\n  {lines}")
