"""A small file that becomes gigabytes, and captions that are markup."""

from __future__ import annotations

import struct
import zlib
from fractions import Fraction

import pytest

from callsheet.errors import InputError
from callsheet_studio.base.pictures import MOST_BYTES, examined
from callsheet_studio.base.time import Rate
from callsheet_studio.brief import from_data
from callsheet_studio.documents.captions import Caption, srt, vtt

pytestmark = pytest.mark.requirement("S10")


def head_of_png(width: int, height: int, bits: int) -> bytes:
    inside = struct.pack(">IIBBBBB", width, height, bits, 6, 0, 0, 0)
    data = b"IHDR" + inside
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + data + struct.pack(">I", zlib.crc32(data))


def test_the_bytes_of_a_picture_are_counted_and_not_its_pixels() -> None:
    assert examined(head_of_png(8000, 8000, 8)).decoded_bytes <= MOST_BYTES
    with pytest.raises(InputError, match="16 bits"):
        examined(head_of_png(8000, 8000, 16))
    assert examined(head_of_png(5000, 5000, 16)).deep


@pytest.mark.parametrize("size", ["9" * 5000, "9" * 13, "-1", "1e5"])
def test_a_size_that_is_no_number_is_no_accident(size: str) -> None:
    kept = {"$artifact": "a" * 64, "media_type": "image/png", "size": size, "name": "/dev/zero"}
    brief = from_data({"message": {"core": "A film.", "cta": "Go", "logo": kept}}, "it")
    assert brief.message.logo is not None
    assert brief.message.logo.size == 0


def test_captions_are_words_in_both_forms() -> None:
    said = Caption(0, 48, ("00:00:01,000 --> 00:00:02,000", "<b>bold</b> & {\\an8}"))
    rate = Rate(Fraction(24))
    for text in (srt([said], rate), vtt([said], rate, "16:9")):
        assert text.count("-->") == 1
        assert "<b>" not in text
        assert "&lt;b&gt;bold&lt;/b&gt; &amp;" in text
