"""Pictures that users bring: looked at before they are decoded, and decoded as they are meant.

What a file says of itself is read from its first bytes. Only what is small enough is decoded, so
that a few kilobytes cannot become gigabytes of memory.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from callsheet.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

Form = Literal["png", "jpeg", "webp"]

MEDIA_TYPES: dict[Form, str] = {"png": "image/png", "jpeg": "image/jpeg", "webp": "image/webp"}
LARGEST_FILE = 40 * 1024 * 1024
"""Bytes."""
SMALLEST, LARGEST = 64, 12_000
"""Pixels of a side."""
MOST = 64_000_000
"""Pixels of a picture: what the large cameras make."""
MOST_BYTES = 4 * MOST
"""Of its pixels, when they are decoded: each has four, and eight with 16 bits a colour."""

_PNG = b"\x89PNG\r\n\x1a\n"
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Markers of a JPEG that say how large it is."""
_ALONE = frozenset((0x01, *range(0xD0, 0xD9)))
"""Markers that nothing belongs to."""
_ANIMATED, _ALPHA = 0x02, 0x10
"""Bits of a large WebP."""
_CLEAR = frozenset((4, 6))
"""Kinds of a PNG that have an alpha channel."""
_OTHERS = (
    (b"GIF8", "a GIF"),
    (b"BM", "a BMP"),
    (b"II*\x00", "a TIFF"),
    (b"MM\x00*", "a TIFF"),
    (b"%PDF", "a PDF"),
    (b"<svg", "an SVG"),
    (b"<?xml", "an SVG"),
    (b"8BPS", "a Photoshop file"),
)
_REDUCED = (8, 4, 2)
_BITS, _DEEP = 8, 257
"""Of a colour; and steps of 16 bits for one of 8."""


class Header(msgspec.Struct, frozen=True):
    """What a file says of itself."""

    form: Form
    width: int
    height: int
    moves: bool = False
    clear: bool = False
    """Whether something may shine through."""
    deep: bool = False
    """Whether a colour has 16 bits."""

    @property
    def decoded_bytes(self) -> int:
        """What its pixels take."""
        return self.width * self.height * (8 if self.deep else 4)


def examined(data: bytes) -> Header:
    """What a picture is, without decoding it.

    Raises:
        InputError: it is none, or one that cannot be used; says what to do.
    """
    if len(data) > LARGEST_FILE:
        raise InputError(
            f"the file has more than {LARGEST_FILE >> 20} MB. Save it smaller or as JPEG."
        )
    try:
        header = _header(data)
    except (struct.error, IndexError):
        header = None
    if header is None:
        raise InputError(f"{_other(data)}. Save it as PNG, JPEG or WebP.")
    said = f"it has {header.width:,} x {header.height:,} pixels"
    if header.moves:
        raise InputError("it is an animation. Save one picture of it.")
    if min(header.width, header.height) < SMALLEST:
        raise InputError(f"{said}, too few. Each side needs {SMALLEST} or more.")
    if max(header.width, header.height) > LARGEST or header.width * header.height > MOST:
        raise InputError(
            f"{said}, too many. Scale it down: at most {LARGEST:,} on a side and "
            f"{MOST // 1_000_000} million in all."
        )
    if header.decoded_bytes > MOST_BYTES:
        raise InputError(f"{said} of 16 bits a colour, too many. Save it with 8, or scale it down.")
    return header


def decoded(data: bytes, enough: tuple[int, int] | None = None) -> NDArray[Any]:
    """The pixels, upright: height, width, RGB or RGBA.

    Args:
        data: a file of a picture.
        enough: width and height that it will be shown with; a far larger one is read coarser.

    Raises:
        InputError: it is no picture that can be used, or it is damaged.
    """
    import cv2
    import numpy as np

    header = examined(data)
    flags = cv2.IMREAD_UNCHANGED if header.clear else cv2.IMREAD_COLOR
    if header.form == "jpeg" and enough is not None:
        flags = _coarse(header, max(enough))
    packed = np.frombuffer(data, np.uint8)
    picture: Any = _decode(packed, flags)
    if picture is None:
        raise InputError("it is damaged: it cannot be decoded to its end. Save it again.")
    if picture.dtype == np.uint16:
        # In place: a picture of 16 bits is large enough once.
        picture = np.floor_divide(picture, _DEEP, out=picture).astype(np.uint8)
    code = cv2.COLOR_BGRA2RGBA if _has_alpha(picture) else cv2.COLOR_BGR2RGB
    turned: NDArray[Any] = cv2.cvtColor(picture, code)
    return turned


def _decode(packed: NDArray[Any], flags: int) -> Any:
    import cv2
    from cv2.utils import logging

    # What is wrong with a file is said by us, and once.
    level = logging.setLogLevel(logging.LOG_LEVEL_SILENT)
    try:
        return cv2.imdecode(packed, flags)
    except cv2.error:
        return None
    finally:
        logging.setLogLevel(level)


def _has_alpha(picture: NDArray[Any]) -> bool:
    return picture.ndim == 3 and picture.shape[2] == 4  # noqa: PLR2004 -- height, width, RGBA


def _coarse(header: Header, enough: int) -> int:
    """A JPEG can be read with half, a quarter or an eighth of its pixels, much faster."""
    import cv2

    flags = {
        2: cv2.IMREAD_REDUCED_COLOR_2,
        4: cv2.IMREAD_REDUCED_COLOR_4,
        8: cv2.IMREAD_REDUCED_COLOR_8,
    }
    spare = min(header.width, header.height) / enough
    return next((flags[part] for part in _REDUCED if spare >= part), cv2.IMREAD_COLOR)


# Headers


def _header(data: bytes) -> Header | None:
    if data.startswith(_PNG):
        return _png(data)
    if data.startswith(b"\xff\xd8\xff"):
        return _jpeg(data)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return _webp(data)
    return None


def _png(data: bytes) -> Header:
    """From the first chunk, and which others there are before the pixels."""
    width, height, bits, kind = struct.unpack(">IIBB", data[16:26])
    chunks, at = set[bytes](), len(_PNG)
    while at + 8 <= len(data) and b"IDAT" not in chunks:
        chunks.add(data[at + 4 : at + 8])
        at += int.from_bytes(data[at : at + 4], "big") + 12
    clear = kind in _CLEAR or b"tRNS" in chunks
    return Header("png", width, height, moves=b"acTL" in chunks, clear=clear, deep=bits > _BITS)


def _jpeg(data: bytes) -> Header | None:
    at = 2
    while at + 9 <= len(data):
        if data[at] != 0xFF:  # noqa: PLR2004 -- every marker begins so
            return None
        marker = data[at + 1]
        if marker in _FRAMES:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return Header("jpeg", width, height)
        if marker == 0xFF:  # noqa: PLR2004 -- a filling byte
            at += 1
        elif marker in _ALONE:
            at += 2
        else:
            at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None


def _webp(data: bytes) -> Header | None:
    kind = data[12:16]
    if kind == b"VP8X":
        width = int.from_bytes(data[24:27], "little") + 1
        height = int.from_bytes(data[27:30], "little") + 1
        moves, clear = bool(data[20] & _ANIMATED), bool(data[20] & _ALPHA)
        return Header("webp", width, height, moves=moves, clear=clear)
    if kind == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        clear = bool(bits >> 28 & 1)
        return Header("webp", (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1, clear=clear)
    if kind == b"VP8 ":
        width, height = struct.unpack("<HH", data[26:30])
        return Header("webp", width & 0x3FFF, height & 0x3FFF)
    return None


def _other(data: bytes) -> str:
    """What a file is instead, in words."""
    if not data:
        return "the file is empty"
    if data[4:8] == b"ftyp":
        return "it is a HEIC, an AVIF or a film"
    begins = data[:64].lstrip()
    found = next((what for mark, what in _OTHERS if begins.startswith(mark)), "")
    return f"it is {found}" if found else "it is no picture that can be read"
