"""The bill of materials: what `requirements.lock` names, as CycloneDX 1.6 in JSON.

    .venv/bin/python .ci/materials.py    writes materials.cdx.json

Names, versions and digests are those of the lock; licences, and who needs whom, are what the
installed packages say of themselves. The same lock makes the same file: it has no date and no
random number in it.
"""

from __future__ import annotations

import json
import re
import uuid
from importlib import metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements.lock"
MATERIALS = ROOT / "materials.cdx.json"
OURS = ("callsheet", "callsheet-studio")
_PINNED = re.compile(r"(?m)^([A-Za-z0-9][A-Za-z0-9._-]*)==([^\s;\\]+)")
_DIGEST = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_NEEDED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_LONGEST = 80
"""A licence that says more than this is its text, and no name."""


def main() -> None:
    """Write the file."""
    MATERIALS.write_text(_spelled(bill(LOCK.read_text("utf-8"))), "utf-8")
    print(f"Wrote {MATERIALS.name}.")


def bill(lock: str) -> dict[str, Any]:
    """The bill of what a lock names."""
    pinned = locked(lock)
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, lock)}",
        "version": 1,
        "metadata": {"component": _own("callsheet-studio")},
        "components": [_own("callsheet"), *(_component(*each) for each in pinned)],
        "dependencies": _dependencies(pinned),
    }


def locked(lock: str) -> list[tuple[str, str, list[str]]]:
    """Every package of a lock: its name, its version, and the digests of its files."""
    found = list(_PINNED.finditer(lock))
    ends = [each.start() for each in found[1:]] + [len(lock)]
    return [
        (_plain(each[1]), each[2], _DIGEST.findall(lock, each.end(), end))
        for each, end in zip(found, ends, strict=True)
    ]


def _component(name: str, version: str, digests: list[str]) -> dict[str, Any]:
    component: dict[str, Any] = {
        "type": "library",
        "bom-ref": f"{name}@{version}",
        "name": name,
        "version": version,
        "purl": f"pkg:pypi/{name}@{version}",
        "hashes": [{"alg": "SHA-256", "content": digest} for digest in digests],
    }
    if licence := _licence(name):
        component["licenses"] = [licence]
    return component


def _own(name: str) -> dict[str, Any]:
    return {
        "type": "application" if name == OURS[1] else "library",
        "bom-ref": name,
        "name": name,
        "version": metadata.version(name),
        "licenses": [{"license": {"id": "Apache-2.0"}}],
    }


def _licence(name: str) -> dict[str, Any] | None:
    """What a package says of its licence: an expression of SPDX, or a name; None: nothing here."""
    try:
        said = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return None  # of another system
    if expression := said.get("License-Expression"):
        return {"expression": expression}
    classifiers = [each for each in said.get_all("Classifier") or () if "License ::" in each]
    named = [each.rpartition(" :: ")[2] for each in classifiers]
    plain = (said.get("License") or "").strip()
    if plain and len(plain) <= _LONGEST and "\n" not in plain:
        named = [plain]
    return {"license": {"name": named[0]}} if named else None


def _dependencies(pinned: list[tuple[str, str, list[str]]]) -> list[dict[str, Any]]:
    """Who needs whom. One that is locked in two versions, for two Pythons, is needed in both."""
    refs: dict[str, list[str]] = {name: [name] for name in OURS}
    for name, version, _ in pinned:
        refs.setdefault(name, []).append(f"{name}@{version}")
    found = []
    for name, own in refs.items():
        needed = {_plain(begun[0]) for each in _requires(name) if (begun := _NEEDED.match(each))}
        listed = [ref for each in sorted(needed) for ref in refs.get(each, ())]
        found += [{"ref": ref, "dependsOn": listed} for ref in own]
    return found


def _requires(name: str) -> list[str]:
    try:
        return metadata.requires(name) or []
    except metadata.PackageNotFoundError:
        return []


def _spelled(made: dict[str, Any]) -> str:
    """As JSON with a line for each part: what a new version changes is one line of a change."""
    fields = []
    for name, said in made.items():
        text = json.dumps(said)
        if isinstance(said, list):
            text = "[\n" + ",\n".join(f"  {json.dumps(each)}" for each in said) + "\n]"
        fields.append(f"{json.dumps(name)}: {text}")
    return "{\n" + ",\n".join(fields) + "\n}\n"


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    main()
