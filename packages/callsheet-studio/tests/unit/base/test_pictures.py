"""Own pictures are looked at before they are decoded, and decoded as they are meant."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.own_pictures import (
    BLUE,
    CMYK,
    CMYK_COLOUR,
    GREEN,
    RED,
    halves,
    moving,
    packed,
    plain,
    said_to_be,
    turned_by_exif,
)

from callsheet.errors import InputError
from callsheet_studio.base import pictures
from callsheet_studio.base.pictures import (
    LARGEST,
    MOST,
    SMALLEST,
    Header,
    decoded,
    examined,
)

pytestmark = pytest.mark.requirement("P11")

FORMS = ("png", "jpeg", "webp")


@pytest.mark.parametrize("form", FORMS)
def test_size_and_form_are_told_by_the_first_bytes(form: str) -> None:
    data = packed(halves(200, 120), form)
    assert examined(data[:2000]) == Header(form, 200, 120)  # type: ignore[arg-type]


def test_a_webp_says_its_size_in_three_ways() -> None:
    lossy, clear = packed(halves(200, 120), "webp"), packed(plain(90, 70, (*RED, 90)), "webp")
    assert (examined(lossy).width, examined(clear).height) == (200, 70)
    lossless = b"RIFF\x00\x00\x00\x00WEBPVP8L\x00\x00\x00\x00/" + (
        (99 | 199 << 14).to_bytes(4, "little") + bytes(8)
    )
    assert examined(lossless) == Header("webp", 100, 200)
    large = b"RIFF\x00\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x10\x00\x00\x00"
    large += (299).to_bytes(3, "little") + (399).to_bytes(3, "little")
    assert examined(large) == Header("webp", 300, 400, clear=True)


@pytest.mark.parametrize("form", FORMS)
def test_colours_come_back(form: str) -> None:
    picture = decoded(packed(halves(), form))
    assert picture.shape == (90, 160, 3)
    assert np.allclose(picture[45, 20], RED, atol=6)
    assert np.allclose(picture[45, 140], BLUE, atol=6)


@pytest.mark.parametrize(
    ("size", "told"),
    [
        ((1, 1), "1 x 1 pixels, too few. Each side needs 64"),
        ((SMALLEST - 1, 500), "63 x 500 pixels, too few"),
        ((20_000, 400), "20,000 x 400 pixels, too many. Scale it down"),
        ((LARGEST, MOST // LARGEST + 1), "too many"),
    ],
)
def test_a_picture_of_the_wrong_size_is_not_decoded(size: tuple[int, int], told: str) -> None:
    # There are no pixels in it: whoever decoded it would say that it is damaged.
    with pytest.raises(InputError, match=told):
        decoded(said_to_be(*size))


def test_the_largest_that_is_allowed_is() -> None:
    examined(said_to_be(LARGEST, MOST // LARGEST))
    examined(said_to_be(SMALLEST, SMALLEST))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kept", [0.5, 0.97])
def test_a_torn_picture_is_damaged(form: str, kept: float) -> None:
    chance = np.random.default_rng(1)
    data = packed(chance.integers(0, 255, (120, 160, 3), np.uint8), form)
    with pytest.raises(InputError, match="damaged"):
        decoded(data[: int(len(data) * kept)])


@pytest.mark.parametrize("form", ["png", "webp"])
def test_an_animation_is_no_picture(form: str) -> None:
    with pytest.raises(InputError, match=r"an animation\. Save one picture"):
        examined(moving(form))


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "the file is empty"),
        (b"GIF89a" + bytes(90), "it is a GIF"),
        (b"\x00\x00\x00\x18ftypheic" + bytes(90), "it is a HEIC"),
        (b"  <svg xmlns='x'>", "it is an SVG"),
        (b"II*\x00" + bytes(90), "it is a TIFF"),
        (b"message: {core: x}", "it is no picture that can be read"),
        (b"\x89PNG\r\n\x1a\n", "it is no picture"),
        (b"\xff\xd8\xff", "it is no picture"),
        (b"\xff\xd8\xff\xe0\x00\x04ab??", "it is no picture"),
        (b"RIFF\x00\x00\x00\x00WEBPVP8X", "it is no picture"),
        (b"RIFF\x00\x00\x00\x00WEBPnope", "it is no picture"),
    ],
)
def test_other_files_are_named(data: bytes, told: str) -> None:
    with pytest.raises(InputError, match=f"{told}.*Save it as PNG, JPEG or WebP"):
        examined(data)


def test_a_file_that_is_too_large_is_not_looked_into(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "LARGEST_FILE", 2 << 20)
    with pytest.raises(InputError, match="more than 2 MB"):
        examined(bytes((2 << 20) + 1))


def test_a_picture_is_upright_as_its_camera_says() -> None:
    plain_jpeg = packed(halves(), "jpeg")
    picture = decoded(turned_by_exif(plain_jpeg, 6))
    assert picture.shape == (160, 90, 3)
    assert np.allclose(picture[10, 45], RED, atol=6)
    assert np.allclose(picture[150, 45], BLUE, atol=6)


def test_printers_colours_deep_colours_and_greys_are_what_people_see() -> None:
    assert np.allclose(decoded(CMYK)[30, 30], CMYK_COLOUR, atol=4)
    deep = plain(80, 70).astype(np.uint16) * 257
    assert np.array_equal(decoded(packed(deep))[0, 0], RED)
    grey = np.full((70, 80), 99, np.uint8)
    assert decoded(packed(grey)).tolist() == plain(80, 70, (99, 99, 99)).tolist()


def test_what_shines_through_is_kept() -> None:
    clear = plain(80, 70, (*GREEN, 90))
    assert np.array_equal(decoded(packed(clear)), clear)
    deep = clear.astype(np.uint16) * 257
    assert np.array_equal(decoded(packed(deep)), clear)


@pytest.mark.parametrize("form", ["png", "webp"])
def test_what_may_shine_through_is_told_by_the_first_bytes(form: str) -> None:
    assert examined(packed(plain(80, 70, (*GREEN, 90)), form)).clear
    assert not examined(packed(plain(80, 70), form)).clear


def test_a_far_too_large_jpeg_is_read_with_fewer_pixels() -> None:
    data = packed(halves(1600, 1200), "jpeg")
    assert decoded(data).shape == (1200, 1600, 3)
    assert decoded(data, (500, 280)).shape == (600, 800, 3)
    assert decoded(data, (150, 84)).shape == (150, 200, 3)
    assert decoded(data, (1400, 800)).shape == (1200, 1600, 3)
