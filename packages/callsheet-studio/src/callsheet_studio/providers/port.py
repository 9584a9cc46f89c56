"""What every provider must offer: submit, look, fetch, cancel, and errors that say what happened.

A provider is paid for what it begins, so each way of failing has to say whether anything was
ordered:

- `NotDoneError`, `RateLimitedError`: nothing was ordered, and it may work later;
- `DeniedError`: nothing was ordered, and the key, the balance or the licence must change first;
- `InvalidError`: nothing was ordered, and it never will be as it is written: refused content, too
  long, too large;
- any other exception from `submit`: nobody knows. The step is in doubt.
"""

from __future__ import annotations

from typing import Literal, Protocol

from callsheet_studio.model.base import Data


class Order(Data):
    """What is ordered: one clip, one picture or one spoken line."""

    kind: Literal["clip", "still", "speech"]
    model: str
    """As the provider calls it."""
    text: str
    """The prompt, or what is said."""
    seconds: float = 0.0
    """Of a clip: one of the lengths that the offer has."""
    width: int = 0
    height: int = 0
    """Pixels: as near as the model comes to them, in the same shape."""
    sound: bool = False
    """Whether a clip is ordered, and paid for, with sound."""
    voice: str = ""
    """Of speech: as the provider calls it."""
    language: str = ""


class Progress(Data):
    """How far an order is."""

    state: Literal["waiting", "working", "made", "failed"]
    share: float | None = None
    """From 0 to 1, if it is told."""
    place: str = ""
    """What `fetch` is given when it is made: an address, which may expire, or a name."""
    why: str = ""
    """Why it failed, in the provider's words."""
    refused: bool = False
    """Whether it failed because of what was asked for: the same order fails again."""


class Provider(Protocol):
    """A service that makes clips, pictures or speech. All calls are asynchronous."""

    @property
    def name(self) -> str:
        """As the offers of the tool stack call it: `Runway API`."""

    async def submit(self, order: Order, picture: bytes | None, token: str) -> str:
        """Order it, and return the id under which it is known from now on.

        Args:
            order: what.
            picture: PNG or JPEG: the first frame of a clip.
            token: the same for every attempt of one step; sent along where the service knows
                idempotency.

        Raises:
            NotDoneError, RateLimitedError, DeniedError, InvalidError: nothing was ordered.
        """

    async def look(self, job: str) -> Progress:
        """How far it is.

        Raises:
            TransientError: the service cannot be asked now.
            FatalError: it does not know the job (any more).
        """

    async def fetch(self, place: str) -> bytes:
        """What was made.

        Raises:
            NotDoneError: it cannot be fetched now, or its address has expired: look again.
        """

    async def cancel(self, job: str) -> None:
        """Ask for it not to be made; what was made stays, and costs."""

    async def close(self) -> None:
        """Close connections."""
