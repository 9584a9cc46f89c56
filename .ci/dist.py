"""Build both distributions for a release, into `dist/`. The Makefile calls it.

    python3 .ci/dist.py https://example.org/callsheet

What a package index shows has no tree around it: so the addresses of the project are put into the
metadata, and links that are relative in the repository are made absolute, to the version's tag.
The repository itself names no host, so that a clone of it elsewhere is no less right.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
PYTHON = ROOT / ".venv" / "bin" / "python"
BUILD, DIST = ROOT / "build" / "dist", ROOT / "dist"
READMES = {"callsheet": "README.md", "callsheet-studio": "packages/callsheet-studio/README.md"}
"""What each distribution shows of itself; the engine shows the page of the whole."""
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")


def version_of(package: str) -> str:
    """The version that a distribution has, and its tag is called after."""
    project = tomllib.loads((ROOT / "packages" / package / "pyproject.toml").read_text("utf-8"))
    return str(project["project"]["version"])


def absolute(text: str, repository: str, version: str, page: str = "README.md") -> str:
    """A page with its links as they are from anywhere: to the files of this version."""

    def resolved(found: re.Match[str]) -> str:
        mark, shown, target = found.groups()
        if urlsplit(target).scheme or target.startswith("#"):
            return found[0]
        path, hash_, anchor = target.partition("#")
        place = ((ROOT / page).parent / path).resolve().relative_to(ROOT)
        kind = "raw" if mark else "tree" if (ROOT / place).is_dir() else "blob"
        return f"{mark}[{shown}]({repository}/{kind}/v{version}/{place}{hash_}{anchor})"

    return LINK.sub(resolved, text)


def urls(repository: str, version: str) -> str:
    """The addresses, as the metadata has them."""
    tree = f"{repository}/blob/v{version}"
    return (
        "\n[project.urls]\n"
        f'Homepage = "{repository}"\n'
        f'Documentation = "{tree}/docs/README.md"\n'
        f'Changelog = "{tree}/CHANGELOG.md"\n'
        f'Source = "{repository}"\n'
    )


def prepare(package: str, repository: str) -> Path:
    """A copy of a distribution's tree, with addresses."""
    version, target = version_of(package), BUILD / package
    leave = shutil.ignore_patterns("tests", "__pycache__", "*.pyc")
    shutil.copytree(ROOT / "packages" / package, target, ignore=leave)
    page = READMES[package]
    shown = absolute((ROOT / page).read_text("utf-8"), repository, version, page)
    (target / "README.md").write_text(shown, "utf-8")
    metadata = target / "pyproject.toml"
    metadata.write_text(metadata.read_text("utf-8") + urls(repository, version), "utf-8")
    return target


def main(repository: str) -> None:
    """Build them."""
    if urlsplit(repository).scheme != "https":
        sys.exit("Give the address of the repository: make dist REPOSITORY=https://…")
    if len({version_of(package) for package in READMES}) != 1:
        sys.exit("The two distributions have different versions. Set both to the same.")
    shutil.rmtree(BUILD, ignore_errors=True)
    for package in READMES:
        tree = prepare(package, repository.rstrip("/"))
        command = [str(PYTHON), "-m", "hatchling", "build", "-d", str(DIST)]
        if subprocess.run(command, cwd=tree, check=False).returncode:
            sys.exit(f"{package} was not built; the reason stands above.")


if __name__ == "__main__":
    main(sys.argv[1] if sys.argv[1:] else "")
