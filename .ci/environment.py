"""Keep `.venv/` in step with `requirements.lock`. The Makefile calls it; it needs no package.

    python3 .ci/environment.py install    both packages, every extra and the test tools
    python3 .ci/environment.py upgrade    move the lock to the newest versions that fit

A stamp in `.venv/` says what was installed and for which tree, so nothing is done twice. The
packages are installed by uv, which is quick, or by pip where uv cannot be had; either way the
hashes of the lock must fit.
"""

from __future__ import annotations

import fcntl
import hashlib
import importlib.util
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / ".installed"
LOCK = ROOT / "requirements.lock"
PACKAGES = ("packages/callsheet", "packages/callsheet-studio")
PROJECTS = tuple(f"{package}/pyproject.toml" for package in PACKAGES)
SUPPORTED = "import sys; sys.exit(sys.version_info < (3, 11))"


def main(command: str) -> None:
    """Install what is locked, unless it is there; or move the lock."""
    # Two makes at once would install over each other.
    with Path(__file__).open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if command == "upgrade":
            create()
            upgrade()
        if not is_current():
            create()
            print("Installing into .venv ...", flush=True)
            install()
            STAMP.write_text(fingerprint(), "utf-8")


def is_current() -> bool:
    """Whether `.venv/` holds what is wanted."""
    return PYTHON.exists() and recorded() == fingerprint()


def recorded() -> str | None:
    """What was installed, if anything was."""
    return STAMP.read_text("utf-8") if STAMP.exists() else None


def fingerprint() -> str:
    """The tree, what is locked, and what the packages say of themselves."""
    seen = hashlib.sha256(LOCK.read_bytes())
    for name in PROJECTS:
        seen.update((ROOT / name).read_bytes())
    return f"{ROOT}\n{seen.hexdigest()}\n"


def create() -> None:
    """Make a virtual environment, unless there is one that can be used."""
    if is_usable():
        return
    if importlib.util.find_spec("venv") is None or importlib.util.find_spec("ensurepip") is None:
        sys.exit(
            f"{sys.executable} cannot make virtual environments: venv or ensurepip is missing.\n"
            "On Debian and Ubuntu `apt install python3-venv` brings both; or name another Python, "
            "as in `make PYTHON=/path/to/python3 ...`."
        )
    print("Creating .venv ...", flush=True)
    if subprocess.run([sys.executable, "-m", "venv", "--clear", str(VENV)], check=False).returncode:
        sys.exit("The virtual environment could not be made; the reason stands above.")


def is_usable() -> bool:
    """Whether there is a working environment that was made for this very tree."""
    if not PYTHON.exists() or not quietly("-c", SUPPORTED):
        return False
    # The scripts of an environment hold its path: one that was moved or copied runs elsewhere.
    text = recorded()
    has_pip = quietly("-m", "pip", "--version") or quietly("-m", "ensurepip")
    return has_pip and (text is None or text.splitlines()[0] == str(ROOT))


def install() -> None:
    """Install with uv, else with pip, else explain."""
    locked = ("--require-hashes", "-r", str(LOCK))
    # What builds the two packages is locked as well.
    ours = ("--no-deps", "--no-build-isolation", *(f"-e{package}" for package in PACKAGES))
    uv = ("-m", "uv", "pip", "install", "--python", str(PYTHON))
    if has_uv() and all(quietly(*uv, *each) for each in (locked, ours)):
        return
    print("uv could not do it; trying pip, which takes longer ...", flush=True)
    pip = (str(PYTHON), "-m", "pip", "install", "--quiet")
    if any(
        subprocess.run([*pip, *each], cwd=ROOT, check=False).returncode for each in (locked, ours)
    ):
        sys.exit(
            "The packages could not be installed; the reason stands above. The first time, a "
            "package index must be reachable:\ncheck the network and the configuration of pip, "
            "then run the same command again."
        )


def upgrade() -> None:
    """Write the lock anew: the newest versions within the ranges, for every platform and Python."""
    if not has_uv():
        sys.exit("The lock is written by uv, and uv could not be installed into .venv.")
    command = [
        *(str(PYTHON), "-m", "uv", "pip", "compile", "--quiet", "--upgrade", "--universal"),
        *("--generate-hashes", "--no-emit-index-url", "--no-annotate", "--all-extras"),
        *("--python-version", "3.11", "--custom-compile-command", "make upgrade"),
        *("--no-emit-package", "callsheet", "--no-emit-package", "callsheet-studio"),
        *("--group", "pyproject.toml:test", "--output-file", LOCK.name, *PROJECTS),
    ]
    if subprocess.run(command, cwd=ROOT, check=False).returncode:
        sys.exit("The lock was not moved; the reason stands above.")


def has_uv() -> bool:
    """Whether uv is in the environment, or can be had."""
    return quietly("-m", "uv", "--version") or quietly("-m", "pip", "install", "uv")


def quietly(*arguments: str) -> bool:
    """Run the environment's Python without a word, and say whether it succeeded."""
    done = subprocess.run([str(PYTHON), *arguments], cwd=ROOT, capture_output=True, check=False)
    return done.returncode == 0


if __name__ == "__main__":
    if sys.argv[1:] not in [["install"], ["upgrade"]]:
        sys.exit("Say what is wanted: install or upgrade.")
    main(sys.argv[1])
