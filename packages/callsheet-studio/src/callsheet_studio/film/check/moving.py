"""Whether something moves: a picture, and another one that looks almost like it."""

from __future__ import annotations

from functools import cache, cached_property
from itertools import combinations_with_replacement
from typing import Any


class Held:
    """A picture, and how its brightness would change if the camera moved or came closer.

    A codec improves a picture that stands still, frame by frame, so that pixels change; but they do
    not change as if the camera had moved.
    """

    def __init__(self, bright: Any) -> None:
        self._bright = bright

    def moved(self, bright: Any) -> float:
        """By how many pixels, at the edge, another picture seems to be moved."""
        import numpy as np

        ways, among = self._ways
        differs = np.subtract(self._bright, bright, dtype=np.float32).ravel()
        found = np.linalg.solve(among, [np.dot(way, differs) for way in ways])
        return float(np.abs(found).max())

    @cached_property
    def _ways(self) -> tuple[Any, Any]:
        """How it would change, to the side, up or down, and closer; and each with each."""
        import cv2
        import numpy as np

        high, wide = self._bright.shape
        across, down, closer = ways = np.empty((3, high, wide), np.float32)
        cv2.Sobel(self._bright, cv2.CV_32F, 1, 0, dst=across, scale=1 / 8)
        cv2.Sobel(self._bright, cv2.CV_32F, 0, 1, dst=down, scale=1 / 8)
        x, y = _from_middle(wide, high)
        cv2.multiply(across, x, dst=closer)
        cv2.accumulateProduct(down, y, closer)
        flat = ways.reshape(3, -1)
        # Each with each: a product of matrices that are so long takes ten times as long.
        a, b, c, d, e, f = (np.dot(*pair) for pair in combinations_with_replacement(flat, 2))
        among = np.array([[a, b, c], [b, d, e], [c, e, f]])
        # A picture without anything on it does not move.
        return flat, among + np.eye(3) * self._bright.size * 0.01


@cache
def _from_middle(wide: int, high: int) -> tuple[Any, Any]:
    """How far each pixel is from the middle of a picture, in halves of its width."""
    import numpy as np

    x = (np.arange(wide, dtype=np.float32) - wide / 2) / (wide / 2)
    y = (np.arange(high, dtype=np.float32)[:, None] - high / 2) / (wide / 2)
    whole = np.zeros((high, wide), np.float32)
    return whole + x, whole + y
