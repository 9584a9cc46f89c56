"""What the probes share: a diary of effects, a death at the worst moment, a look at an interface.

A probe prints a line for each ability:

    {"ability": "undo", "has": "no", "evidence": "two writes stand after a failure; ..."}
"""

from __future__ import annotations

import inspect
import os
import re
import signal
import subprocess
import sys
from collections import Counter
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from bench.peers.programs.answering import say

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

UNDO = re.compile(r"undo|compensat|rollback|roll_back|revert|saga", re.IGNORECASE)
BUDGET = re.compile(r"budget|_cost|cost_|usd|(?<!su)spend|ledger", re.IGNORECASE)
APPROVAL = re.compile(r"approv|interrupt", re.IGNORECASE)
PATIENCE = 60.0


class Diary:
    """What happened outside, as a file that survives any death. Each line is an effect."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def write(self, effect: str) -> int:
        """Let it happen; how often it has by now."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(f"{effect}\n")
            file.flush()
            os.fsync(file.fileno())
        return self.count(effect)

    def count(self, effect: str) -> int:
        return Counter(self.lines())[effect]

    def lines(self) -> list[str]:
        return self._path.read_text("utf-8").splitlines() if self._path.exists() else []


def die() -> None:
    """As a process dies that nobody asks: no handler runs, nothing is flushed."""
    os.kill(os.getpid(), signal.SIGKILL)


def again(*arguments: str) -> subprocess.Popen[bytes]:
    """This program once more, in a process that may die."""
    spec = sys.modules["__main__"].__spec__
    assert spec is not None
    return subprocess.Popen([sys.executable, "-m", spec.name, *arguments])


def until_dead(*arguments: str) -> None:
    """This program once more, which is expected to kill itself."""
    code = again(*arguments).wait(PATIENCE)
    assert code == -signal.SIGKILL, f"it was to die, and ended with {code}"


def report(ability: str, has: str, evidence: str) -> None:
    """One line of the table: `has` is yes, no, partly or by hand."""
    say(ability=ability, has=has, evidence=evidence)


def doubted(times: int, rest: str = "") -> None:
    """What became of a write whose process died after the effect and before its record."""
    done = f"was done {times} times, and nobody was asked" if times > 1 else "was not repeated"
    report(
        "in doubt",
        "no" if times > 1 else "yes",
        f"killed after a write and before its record, the write {done}{rest}",
    )


def searched(ability: str, pattern: re.Pattern[str], *packages: str, otherwise: str = "") -> None:
    """Not there, if no public name speaks of it; one that does is shown, for a reader to judge."""
    found = sorted(set(public_names(pattern, *packages)))
    shown = f"names that speak of it: {', '.join(found[:4])}" if found else "no name speaks of it"
    looked = " and ".join(packages)
    has = "by hand" if otherwise else "no"
    report(ability, has, f"{otherwise}in the interface of {looked} {shown}")


def public_names(pattern: re.Pattern[str], *packages: str) -> Iterator[str]:
    """Public functions, methods and parameters of packages whose name matches."""
    for module in _modules(packages):
        for name, thing in vars(module).items():
            if name.startswith("_") or not getattr(thing, "__module__", "").startswith(packages):
                continue
            members = [(name, thing)]
            if inspect.isclass(thing):
                members += [(f"{name}.{key}", value) for key, value in vars(thing).items()]
            for path, member in members:
                last = path.rpartition(".")[2]
                if not last.startswith("_") or last == "__init__":
                    yield from _matching(pattern, path, member)


def _matching(pattern: re.Pattern[str], path: str, thing: object) -> Iterator[str]:
    if pattern.search(path):
        yield path
    try:
        parameters = inspect.signature(thing).parameters if callable(thing) else {}
    except (ValueError, TypeError, NameError):  # made of C, or with types for type checkers alone
        return
    yield from (f"{path}({name}=)" for name in parameters if pattern.search(name))


def _modules(packages: tuple[str, ...]) -> Iterator[object]:
    for package in packages:
        module = import_module(package)
        yield module
        for child in iter_modules(getattr(module, "__path__", [])):
            if not child.name.startswith("_"):
                try:
                    yield import_module(f"{package}.{child.name}")
                except ImportError:  # a part whose own extra is not installed
                    continue
