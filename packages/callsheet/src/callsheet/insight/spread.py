"""How numbers are spread: quantiles of as many as there are, in little room.

Numbers are counted in buckets whose borders grow by a constant factor, so that a quantile is off by
at most 5 %, however many numbers there are and however far apart. Two spreads can be added.
"""

from __future__ import annotations

import math

ACCURACY = 0.05
"""How far off a quantile may be, relative to itself."""
LEAST = 1e-9
"""Whatever is smaller counts as nothing."""

_GROWTH = (1 + ACCURACY) / (1 - ACCURACY)
_LOG = math.log(_GROWTH)


class Spread:
    """Numbers that are not negative, counted. Exact: how many, their sum, the least, the most."""

    __slots__ = ("_buckets", "_nothings", "count", "least", "most", "total")

    def __init__(self) -> None:
        self._buckets: dict[int, int] = {}
        self._nothings = 0
        self.count = 0
        self.total = 0.0
        self.least = math.inf
        self.most = 0.0

    def add(self, number: float) -> None:
        """Count one more."""
        number = max(number, 0.0)
        self.count += 1
        self.total += number
        self.least = min(self.least, number)
        self.most = max(self.most, number)
        if number < LEAST:
            self._nothings += 1
        else:
            bucket = math.ceil(math.log(number) / _LOG)
            self._buckets[bucket] = self._buckets.get(bucket, 0) + 1

    def merge(self, other: Spread) -> None:
        """Count all of another one's too."""
        self.count += other.count
        self.total += other.total
        self.least = min(self.least, other.least)
        self.most = max(self.most, other.most)
        self._nothings += other._nothings
        for bucket, count in other._buckets.items():
            self._buckets[bucket] = self._buckets.get(bucket, 0) + count

    @property
    def mean(self) -> float | None:
        """The average, exactly; None of nothing."""
        return self.total / self.count if self.count else None

    def quantile(self, share: float) -> float | None:
        """The number that so large a share of them does not exceed, within 5 %; None of nothing."""
        if not self.count:
            return None
        left = max(math.ceil(share * self.count), 1) - self._nothings
        if left <= 0:
            return 0.0
        for bucket in sorted(self._buckets):
            left -= self._buckets[bucket]
            if left <= 0:
                middle = 2 * math.exp(bucket * _LOG) / (_GROWTH + 1)
                # What is known exactly is never passed: the quantile of a single number is it.
                return min(max(middle, self.least), self.most)
        return self.most
