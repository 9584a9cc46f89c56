"""Paths in briefs and deliveries that lead somewhere else: none is followed."""

from __future__ import annotations

import hashlib
import json
import os
from typing import TYPE_CHECKING

import pytest
from tests.unit.own_pictures import packed, plain

from callsheet import Artifact
from callsheet.errors import InputError
from callsheet_studio.base.beneath import NotBeneathError, is_beneath, read_beneath
from callsheet_studio.brief import load
from callsheet_studio.brief.pictures import picture_bytes
from callsheet_studio.production import delivery

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.requirement("S10")

NAMES = (
    "/dev/zero",
    "/etc/passwd",
    "../x",
    "a/../../x",
    "..",
    "",
    ".",
    "a//b",
    "a\0b",
    "a\nb",
    "x" * 300,
    "/".join("abcdefghijklmnopqrs"),
)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_leads_out_is_none(name: str, tmp_path: Path) -> None:
    assert not is_beneath(name)
    with pytest.raises(NotBeneathError):
        read_beneath(tmp_path, name, 10)
    with pytest.raises(InputError):
        delivery.put(tmp_path / "film", {name: b"x"})
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_file_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zero").symlink_to("/dev/zero")
    (tmp_path / "up").symlink_to("/etc")
    (tmp_path / "inside").mkdir()
    for name in ("pipe", "zero", "up/passwd"):
        with pytest.raises(NotBeneathError):
            read_beneath(tmp_path, name, 10)
    with pytest.raises(IsADirectoryError):
        read_beneath(tmp_path, "inside", 10)


def test_no_more_is_read_than_was_said(tmp_path: Path) -> None:
    (tmp_path / "long").write_bytes(b"x" * 100)
    assert read_beneath(tmp_path, "long", 10) == b"x" * 11


@pytest.mark.parametrize("name", ["/dev/zero", "../secret.png", "link.png"])
def test_the_picture_of_a_brief_is_beside_it_or_not_read(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "briefs"
    folder.mkdir()
    data = packed(plain(80, 80))
    (tmp_path / "secret.png").write_bytes(data)
    (folder / "link.png").symlink_to(tmp_path / "secret.png")
    known = Artifact(hashlib.sha256(data).hexdigest(), "image/png", len(data), name=name)
    assert picture_bytes(known, folder) is None
    (folder / "brief.yaml").write_text(
        f"message: {{core: A film., cta: Go, logo: {json.dumps(name)}}}", "utf-8"
    )
    with pytest.raises(InputError, match=r"message\.logo"):
        load(folder / "brief.yaml")


def test_a_script_that_is_a_pipe_or_a_device_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "script.txt")
    (tmp_path / "brief.yaml").write_text("content: {script_file: script.txt}", "utf-8")
    with pytest.raises(InputError, match="no regular file"):
        load(tmp_path / "brief.yaml")


def test_a_delivery_follows_no_link(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    out = tmp_path / "film"
    out.mkdir()
    (out / "storyboard").symlink_to(outside)
    with pytest.raises(InputError, match="is a link"):
        delivery.put(out, {"storyboard/1A.png": b"x"}, force=True)
    assert list(outside.iterdir()) == []
    victim = tmp_path / "victim"
    victim.write_bytes(b"kept")
    (out / ".film.mp4.part").symlink_to(victim)
    (out / "film.mp4").symlink_to(victim)
    delivery.put(out, {"film.mp4": b"new"}, force=True)
    assert victim.read_bytes() == b"kept"
    assert (out / "film.mp4").read_bytes() == b"new"
    assert not (out / "film.mp4").is_symlink()


def test_a_forged_report_claims_nothing_outside(tmp_path: Path) -> None:
    claimed = {"../victim": "0" * 64, "ours.txt": "1" * 64}
    (tmp_path / "report.json").write_text(
        json.dumps({"made_by": delivery.MAKER, "files": claimed}), "utf-8"
    )
    assert list(delivery.earlier(tmp_path)) == ["ours.txt"]
