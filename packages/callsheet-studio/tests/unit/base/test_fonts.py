"""The fonts are there, whole, or it is said which is not; and each script has one."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from callsheet.errors import InputError
from callsheet_studio.base import fonts
from callsheet_studio.base.fonts import (
    ARABIC,
    ASIAN,
    OURS,
    check_fonts,
    font_files,
    font_to_install,
    is_leftward,
    is_ours,
    packages_for,
    without_emoji,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.requirement("P6", "P11")

PACKAGE = "fontpkg_of_this_test"


@pytest.fixture(autouse=True)
def _found_anew() -> Iterator[None]:
    font_files.cache_clear()
    yield
    font_files.cache_clear()
    sys.modules.pop(PACKAGE, None)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed package with two fonts; returns where these are."""
    folder = tmp_path / PACKAGE / "files"
    folder.mkdir(parents=True)
    (tmp_path / PACKAGE / "__init__.py").touch()
    names = ("Face-Bold.ttf", "Face-Regular.ttf")
    for name in names:
        (folder / name).write_bytes(b"font")
    about = tmp_path / f"{PACKAGE}-1.0.dist-info"
    about.mkdir()
    about.joinpath("METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {PACKAGE.replace('_', '-')}\nVersion: 1.0\n", "utf-8"
    )
    rows = [f"{PACKAGE}/files/{name},,\n" for name in names]
    about.joinpath("RECORD").write_text("".join(rows), "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    return folder


def test_all_our_fonts_are_there() -> None:
    check_fonts()
    assert all(file.is_file() for package in OURS for file in font_files(package))


def test_a_whole_package_gives_its_files(package: Path) -> None:
    assert font_files(PACKAGE) == (package / "Face-Bold.ttf", package / "Face-Regular.ttf")


def test_a_font_that_was_deleted_is_named_with_its_package(package: Path) -> None:
    (package / "Face-Bold.ttf").unlink()
    told = (
        r"The font Face-Bold\.ttf is missing: the package fontpkg-of-this-test is damaged\. "
        r"Install it again: pip install --force-reinstall --no-deps fontpkg-of-this-test"
    )
    with pytest.raises(InputError, match=told):
        font_files(PACKAGE)


def test_a_package_without_any_font_is_damaged(package: Path) -> None:
    for file in package.iterdir():
        file.unlink()
    for record in package.parents[1].glob("*.dist-info/*"):
        record.unlink()
    with pytest.raises(InputError, match="The fonts are missing"):
        font_files(PACKAGE)


def test_a_package_that_is_not_installed_is_named() -> None:
    with pytest.raises(InputError, match="fontpkg-no-such-face is missing: pip install"):
        font_files("fontpkg_no_such_face")


def test_a_text_takes_the_fonts_that_it_needs() -> None:
    assert packages_for("Harbor, Ελλάδα, Київ") == ()
    assert packages_for("Try المرفأ today") == (ARABIC,)
    assert packages_for("港湾 المرفأ") == (ARABIC, ASIAN)
    assert all(packages_for(each) == (ASIAN,) for each in ("港", "こんにちは", "안녕"))


def test_what_only_the_machine_can_write_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    assert is_ours("Harbor: Ελλάδα, Київ, المرفأ, 港湾")
    assert not is_ours("ไทย")
    monkeypatch.setattr(fonts, "ASIAN", "no_such_package")
    assert not is_ours("港湾")
    assert is_ours("المرفأ")


def test_the_first_letter_says_in_which_direction_a_text_is_read() -> None:
    assert is_leftward("المرفأ 24")
    assert is_leftward("24 المرفأ Harbor")
    assert is_leftward("שלום")
    assert not is_leftward("Harbor المرفأ")
    assert not is_leftward("港湾 24")
    assert not is_leftward("")


def test_emoji_go_and_what_joins_other_letters_stays() -> None:
    assert without_emoji("Los 😀🚀 geht's 👩\u200d💻!") == "Los geht's!"
    assert without_emoji("\u0646\u200d\u0647") == "\u0646\u200d\u0647"
    assert without_emoji("I ❤ it") == "I ❤ it"


def test_what_to_install_follows_from_the_letters() -> None:
    assert font_to_install("港") == "Install the font: pip install 'callsheet-studio[cjk]'."
    assert "Noto Color Emoji" in font_to_install("🚤")
    assert font_to_install("ไ") == "Install a font of the system that has them, as Noto Sans."
    both = font_to_install("港🚤")
    assert "callsheet-studio[cjk]" in both
    assert "emoji" in both
