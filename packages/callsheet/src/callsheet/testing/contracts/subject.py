"""What a contract is run on, and how it says that something must be refused."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from callsheet.ports import Store

PATIENCE = 20.0
"""Seconds after which a test has failed: it waits for something that does not come."""


class Subject(ABC):
    """A store under test. Each test has an instance of its own."""

    @abstractmethod
    async def open(self) -> Store:
        """Open the store of this test: empty the first time, and the same one ever after."""

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Store]:
        """The store, open, for as long as the block takes."""
        async with asyncio.timeout(PATIENCE):
            store = await self.open()
            try:
                yield store
            finally:
                await store.close()


@contextmanager
def refused(*errors: type[Exception]) -> Iterator[None]:
    """Insist that the block raises one of these."""
    try:
        yield
    except errors as exc:
        assert str(exc), "An error says what is wrong."  # noqa: PT017 - pytest is not imported here
    else:
        names = " or ".join(error.__name__ for error in errors)
        raise AssertionError(f"{names} was to be raised, and nothing was.")
