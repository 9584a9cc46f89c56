"""The files speak of the project alone: not of the machine it was written on, nor of an index."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
MACHINE_PATH = re.compile(r"(^|[^\w.])/(work|root|home/\w+|Users/\w+)/")
INDEX = re.compile(
    r"\b(pypi\.(org|python\.org)|pythonhosted\.org)|(?<!no-emit-)\bindex[-_]url\b", re.IGNORECASE
)
GENERATED = {"__pycache__", "build", "dist", "htmlcov"}


def files() -> list[Path]:
    """The files of the project: those git knows or would take, else (in an archive) all."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if listed.returncode == 0:
        names = listed.stdout.decode().split("\0")
        return [ROOT / name for name in names if name and (ROOT / name).is_file()]
    return [path for path in ROOT.rglob("*") if path.is_file() and not is_generated(path)]


def is_generated(path: Path) -> bool:
    parts = path.relative_to(ROOT).parts[:-1]
    return any(part in GENERATED or (part.startswith(".") and part != ".ci") for part in parts)


def lines_with(pattern: re.Pattern[str]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for path in files()
        if b"\0" not in (content := path.read_bytes())
        for number, line in enumerate(content.decode("utf-8", "replace").splitlines(), start=1)
        if pattern.search(line)
    ]


def test_there_are_files_to_look_at() -> None:
    assert ROOT / "pyproject.toml" in files()


def test_no_file_names_a_path_of_somebody_s_machine() -> None:
    assert not lines_with(MACHINE_PATH)


def test_no_file_names_a_package_index() -> None:
    assert not lines_with(INDEX)
