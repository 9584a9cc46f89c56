"""The bill of materials says what the lock says."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.requirement("S10")


def materials() -> Any:
    """The script that writes it; it lies beside the project, not in it."""
    spec = importlib.util.spec_from_file_location("materials", ROOT / ".ci" / "materials.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_has_every_package_of_the_lock_with_its_version_and_digests() -> None:
    written = json.loads((ROOT / "materials.cdx.json").read_text("utf-8"))
    assert (written["bomFormat"], written["specVersion"]) == ("CycloneDX", "1.6")
    found = [
        (each["name"], each["version"], [digest["content"] for digest in each["hashes"]])
        for each in written["components"]
        if each["name"] != "callsheet"
    ]
    lock = (ROOT / "requirements.lock").read_text("utf-8")
    assert found == materials().locked(lock), "Run `make materials`."
    assert len(found) == sum(line[:1] not in ("#", " ", "") for line in lock.splitlines())


def test_it_says_who_needs_whom_and_under_which_licence() -> None:
    written = json.loads((ROOT / "materials.cdx.json").read_text("utf-8"))
    every = [each["bom-ref"] for each in (*written["components"], written["metadata"]["component"])]
    names = set(every)
    assert len(every) == len(names)
    assert {each["ref"] for each in written["dependencies"]} == names
    assert all(set(each["dependsOn"]) <= names for each in written["dependencies"])
    licensed = [each for each in written["components"] if each.get("licenses")]
    assert len(licensed) >= 0.9 * len(written["components"])


def test_the_same_lock_makes_the_same_bill() -> None:
    lock = "some_thing==1.0 \\\n    --hash=sha256:" + "a" * 64 + "\nother==2.0\n"
    made = materials()
    assert made.locked(lock) == [("some-thing", "1.0", ["a" * 64]), ("other", "2.0", [])]
    assert made.bill(lock) == made.bill(lock)
    assert made.bill(lock)["serialNumber"] != made.bill(lock + " ")["serialNumber"]
