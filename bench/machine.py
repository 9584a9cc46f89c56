"""The machine: what it is, how busy it is, what a process holds."""

from __future__ import annotations

import os
import platform
import sqlite3
import subprocess
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

QUIET = 0.10
"""The share of the machine that others may take in a run whose numbers count."""

_TICKS = os.sysconf("SC_CLK_TCK")


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def describe(scratch: Path) -> dict[str, str]:
    """What a reader must know to compare these numbers with others."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "commit": _commit(),
        "cores": f"{cores()} ({_cpu_model()})",
        "memory": _memory(),
        "kernel": f"{platform.system()} {platform.release()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "sqlite": sqlite3.sqlite_version,
        "filesystem": filesystem_of(scratch),
    }


def filesystem_of(path: Path) -> str:
    """The kind of filesystem a path is on."""
    mounts = _text("/proc/mounts").splitlines()
    found, longest = "unknown", -1
    for line in mounts:
        _, point, kind, *_ = line.split()
        if path.resolve().is_relative_to(point) and len(point) > longest:
            found, longest = kind, len(point)
    return f"{found} (in memory: syncs cost nothing here)" if found == "tmpfs" else found


def memory_of_self(what: str) -> float:
    """`VmRSS` (now) or `VmHWM` (the peak) of this process, in MB."""
    for line in _text("/proc/self/status").splitlines():
        if line.startswith(what + ":"):
            return int(line.split()[1]) / 1024
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if platform.system() == "Darwin" else 1024)


def _own() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _busy() -> float | None:
    first, *_ = _text("/proc/stat").splitlines() or [""]
    ticks = [int(part) for part in first.split()[1:9]]
    # user nice system idle iowait irq softirq steal; what another guest stole is not ours either.
    return (sum(ticks) - ticks[3] - ticks[4]) / _TICKS if ticks else None


@dataclass(slots=True)
class Load:
    """How much of the machine other processes take, from when it was made until it is asked."""

    _wall: float = field(default_factory=time.perf_counter)
    _all: float | None = field(default_factory=_busy)
    _mine: float = field(default_factory=_own)

    def others(self) -> float | None:
        """Their share, from 0 to 1; None where the system does not tell."""
        busy = _busy()
        if busy is None or self._all is None:
            return None
        wall = time.perf_counter() - self._wall
        # The ticks of a short time are coarse, hence the bounds.
        taken = (busy - self._all) - (_own() - self._mine)
        return min(max(taken / (wall * cores()), 0.0), 1.0)


def wait_until_quiet(patience: float) -> None:
    """Return when others take little of the machine, or when patience is at its end."""
    end = time.perf_counter() + patience
    while time.perf_counter() < end:
        load = Load()
        time.sleep(0.3)
        if (load.others() or 0.0) < QUIET:
            return


def _commit() -> str:
    root = Path(__file__).parent
    try:
        said = [
            subprocess.run(
                ["git", *words], cwd=root, capture_output=True, text=True, check=True
            ).stdout.strip()
            for words in (["rev-parse", "--short", "HEAD"], ["status", "--porcelain", "../src"])
        ]
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return said[0] + (" with uncommitted changes" if said[1] else "")


def _cpu_model() -> str:
    for line in _text("/proc/cpuinfo").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def _memory() -> str:
    try:
        size = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return "unknown"
    return f"{size / 2**30:.1f} GiB"


def _text(path: str) -> str:
    try:
        return Path(path).read_text("utf-8")
    except OSError:
        return ""
