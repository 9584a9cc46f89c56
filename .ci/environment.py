"""Keep `.venv/` in step with `pyproject.toml`. The Makefile calls it; it needs no package.

    python3 .ci/environment.py demo      the package alone
    python3 .ci/environment.py setup     every extra and the test tools

A stamp in `.venv/` says what was installed and for which tree, so nothing is done twice. The
packages are installed by uv, which is quick, or by pip where uv cannot be had.
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
WANTED = {"demo": "-e.[studio]", "setup": "-e.[all,test]"}
SUPPORTED = "import sys; sys.exit(sys.version_info < (3, 11))"


def main(want: str) -> None:
    """Install what is wanted, unless it is there."""
    # Two makes at once would install over each other.
    with Path(__file__).open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not is_current(want):
            create()
            print(f"Installing into .venv for `make {want}` ...", flush=True)
            install(WANTED[want])
            stamp(want).write_text(fingerprint(), "utf-8")


def is_current(want: str) -> bool:
    """Whether `.venv/` holds what is wanted. Whatever setup installs is enough for the demo."""
    return PYTHON.exists() and any(recorded(name) == fingerprint() for name in (want, "setup"))


def stamp(want: str) -> Path:
    """Where it is written down that this was installed."""
    return VENV / f".installed-for-{want}"


def recorded(want: str) -> str | None:
    """What was installed, if anything was."""
    return stamp(want).read_text("utf-8") if stamp(want).exists() else None


def fingerprint() -> str:
    """The tree and the content of its `pyproject.toml`."""
    return f"{ROOT}\n{hashlib.sha256((ROOT / 'pyproject.toml').read_bytes()).hexdigest()}\n"


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
    homes = {text.splitlines()[0] for name in WANTED if (text := recorded(name))}
    has_pip = quietly("-m", "pip", "--version") or quietly("-m", "ensurepip")
    return has_pip and homes <= {str(ROOT)}


def install(requirement: str) -> None:
    """Install with uv, else with pip, else explain."""
    has_uv = quietly("-m", "uv", "--version") or quietly("-m", "pip", "install", "uv")
    if has_uv and quietly("-m", "uv", "pip", "install", "--python", str(PYTHON), requirement):
        return
    print("uv could not do it; trying pip, which takes longer ...", flush=True)
    pip = [str(PYTHON), "-m", "pip", "install", "--quiet", requirement]
    if subprocess.run(pip, cwd=ROOT, check=False).returncode:
        sys.exit(
            "The packages could not be installed; the reason stands above. The first time, a "
            "package index must be reachable:\ncheck the network and the configuration of pip, "
            "then run the same command again."
        )


def quietly(*arguments: str) -> bool:
    """Run the environment's Python without a word, and say whether it succeeded."""
    done = subprocess.run([str(PYTHON), *arguments], cwd=ROOT, capture_output=True, check=False)
    return done.returncode == 0


if __name__ == "__main__":
    if sys.argv[1:] not in [[name] for name in WANTED]:
        sys.exit(f"Say what is wanted: {' or '.join(WANTED)}.")
    main(sys.argv[1])
