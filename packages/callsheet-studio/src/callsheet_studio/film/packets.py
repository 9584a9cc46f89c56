"""Films as they lie in their files: what their index says, and their packets, byte for byte."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any


def opened(film: Path | bytes) -> Any:
    """A film to read from, as a context manager.

    Of its pictures nothing is decoded before somebody asks: to open a film, FFmpeg would decode the
    first ones, and their index has said already what they are.
    """
    import av

    source = film if isinstance(film, Path) else io.BytesIO(film)
    return av.open(source, "r", options={"skip_frame": "all"})


def packets_of(stream: Any) -> list[bytes]:
    """What a film holds of its pictures or its sound, in the order in which it is decoded."""
    return [bytes(packet) for packet in stream.container.demux(stream) if packet.size]
