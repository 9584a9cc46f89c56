"""What a service has answered with, held until it is fetched.

Some services make what is ordered while one waits: their answer is the thing. It is held here, in
this process, under the id of the order, so that such a service is looked at and fetched from as
any other. That means:

- An answer that was lost, or that came and was not yet checkpointed when the process died, is
  nowhere. The step is in doubt: the service may have been paid, and a person says whether to
  order again. Nothing is ordered twice silently.
- The same step ordering the same again, in the same process, gets what is already there.
- What nobody has fetched is never dropped. When too much waits, nothing more is ordered.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Final, NamedTuple

from callsheet.errors import NotDoneError
from callsheet_studio.providers.port import Progress

if TYPE_CHECKING:
    from callsheet_studio.providers.port import Order

MOST: Final = 128_000_000
"""Bytes that wait before nothing more is ordered; a minute of speech is one million, or a picture
ten."""


class _Answer(NamedTuple):
    mark: str
    made: bytes


class Held:
    """Answers by the id of their order.

    Args:
        service: for messages.
    """

    def __init__(self, service: str) -> None:
        self._service = service
        self._waiting: dict[str, _Answer] = {}
        self._fetched: dict[str, _Answer] = {}
        """Kept while there is room: who could not store it fetches it again."""

    def job_of(self, mark: str) -> str | None:
        """The id under which the answer to this order is held, if it is."""
        held = (*self._waiting.items(), *self._fetched.items())
        return next((job for job, answer in held if answer.mark == mark), None)

    def make_room(self) -> None:
        """Drop what was fetched if it is much.

        Raises:
            NotDoneError: there is no room, so nothing must be ordered.
        """
        while self._fetched and self._size >= MOST:
            del self._fetched[next(iter(self._fetched))]
        if self._size >= MOST:
            count = len(self._waiting)
            raise NotDoneError(
                f"Nothing was ordered of {self._service}: {count} answers are not fetched yet."
            )

    def keep(self, job: str, mark: str, made: bytes) -> None:
        """Hold what was made."""
        self._waiting[job] = _Answer(mark, made)

    def look(self, job: str) -> Progress | None:
        """That it is made; None: it is not here."""
        is_here = job in self._waiting or job in self._fetched
        return Progress(state="made", share=1.0, place=job) if is_here else None

    def fetch(self, place: str) -> bytes | None:
        """What was made; None: it is not here."""
        self.release(place)
        found = self._fetched.get(place)
        return found.made if found else None

    def release(self, job: str) -> None:
        """It may be dropped when room is needed."""
        if job in self._waiting:
            self._fetched[job] = self._waiting.pop(job)

    @property
    def _size(self) -> int:
        return sum(len(each.made) for each in (*self._waiting.values(), *self._fetched.values()))


def mark_of(order: Order, picture: bytes | None, token: str) -> str:
    """By what an order is known before it is given: the step, and what it asks for."""
    digest = sha256(token.encode() + b"\0" + order.model_dump_json().encode() + b"\0")
    digest.update(picture or b"")
    return digest.hexdigest()[:32]
