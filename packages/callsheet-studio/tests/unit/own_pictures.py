"""Pictures as people have them on their disks, good ones and bad ones."""

from __future__ import annotations

import struct
import zlib
from base64 import b85decode
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

RED, GREEN, BLUE = (220, 30, 40), (30, 200, 60), (20, 60, 220)
CMYK_COLOUR = (235, 52, 145)
CMYK = zlib.decompress(
    b85decode(
        "c-s4a<NrGbKF5^&q*R6!1`zmvo57iZmy?T|i-VV&i<^&+mtR;xR9HwzSY1X=TtQFM&_GX9SI5}O%g)%$&0I&<A>7f;$1"
        "f;2$jB}#F)ARzD=^6a{{aRO4h9DX2Nq{R246vjNI?c~L5BZF7~~lk7+D#?fB^~^nV4Bv+1NRNRst1l6<}auWM*b!VP<7z"
        "VFAk40_7Q41X+a?4ISBp0~6Vm3Pp?>CobercG`GQH0a_772~9$CQdFfaS2H&RW)@DO)V2sGjj_|D`yv1H+K(Dui%i-u<("
        "e;sN|H?wDgS3tm2Z=vhs?`s^*r~w)T$Bu1S-pOr17;#>`oZ7B5-4Z25|nt2S-kvUS_`9Xod&I(+2lvEwIBp1O4T%GGPvZ"
        "`{1~@X_NZPoF)1@$%KjPoKYh{r3IG&tLy<G4QcCGx#z@GI%pE*fV^2^<=f%Ual^UMMD?u|9=wzL?+5("
    )
)
"""A JPEG as printers have it, in cyan, magenta, yellow and black: 64 x 64 pixels of one colour."""


def packed(picture: NDArray[Any], form: str = "png") -> bytes:
    """A picture in RGB, RGBA or grey as a file."""
    turned = picture
    if picture.ndim == 3:
        turned = cv2.cvtColor(
            picture, cv2.COLOR_RGB2BGR if picture.shape[2] == 3 else cv2.COLOR_RGBA2BGRA
        )
    _, data = cv2.imencode(f".{form}", turned)
    return bytes(data)


def plain(width: int, height: int, colour: tuple[int, ...] = RED) -> NDArray[Any]:
    """One colour."""
    return np.full((height, width, len(colour)), colour, np.uint8)


def halves(width: int = 160, height: int = 90) -> NDArray[Any]:
    """Red on the left, blue on the right."""
    picture = plain(width, height)
    picture[:, width // 2 :] = BLUE
    return picture


def said_to_be(width: int, height: int) -> bytes:
    """A PNG of a few bytes that says it is very large."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(b"")), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )


def turned_by_exif(jpeg: bytes, orientation: int) -> bytes:
    """A JPEG whose camera was held otherwise, as its Exif says."""
    entry = struct.pack(">HHIHH", 0x0112, 3, 1, orientation, 0)
    told = b"Exif\x00\x00MM\x00*" + struct.pack(">IH", 8, 1) + entry + struct.pack(">I", 0)
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(told) + 2) + told + jpeg[2:]


def moving(form: str) -> bytes:
    """An animation of two pictures."""
    shown = cv2.Animation()
    shown.frames = [plain(80, 80, RED), plain(80, 80, BLUE)]
    shown.durations = [100, 100]
    _, data = cv2.imencodeanimation(f".{form}", shown)
    return bytes(data)
