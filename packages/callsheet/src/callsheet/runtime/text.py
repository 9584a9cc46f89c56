"""What steps say while they work: told at once, and written down at a pace.

Watchers in this process hear every text as it comes. The journal has all of it, in entries of what
is new: at most so many a second for each step, and always before anything that the text
introduces: a step that it adds, and the end of its attempt.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from callsheet.core.ids import StepKey
from callsheet.core.run import entries as e
from callsheet.errors import InvalidError
from callsheet.runtime import crash
from callsheet.runtime.feed import Event, Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from datetime import datetime

    from callsheet.core.past.outputs import Outputs
    from callsheet.core.run.snapshot import Snapshot
    from callsheet.ports import Timer
    from callsheet.runtime.environment import Environment
    from callsheet.runtime.feed import Told

PACE = 0.05
"""Seconds between two entries of one step, at least."""
MOST = 10_000_000
"""Bytes that a step may say in all."""


class Texts:
    """The texts of one run's steps."""

    def __init__(
        self,
        snapshot: Snapshot,
        outputs: Outputs,
        shared: Environment,
        post: Callable[[Callable[[], None]], None],
        note: Callable[[e.AnyEntry], None],
    ) -> None:
        """`post` has something happen in the next turn of the loop; `note` writes an entry."""
        self._snapshot = snapshot
        self._outputs = outputs
        self._clock = shared.clock
        self._feed = shared.feed
        self._post = post
        self._note = note
        self._said: dict[StepKey, _Said] = {}
        self._is_new = False
        """A text is noted, and not written yet."""

    def emitted(self, step: StepKey) -> str:
        """What earlier attempts of a step have said, as far as it is written down."""
        return self._outputs.emitted(step)

    def say(self, step: StepKey, attempt: int, text: str) -> None:
        """Add to what a step says.

        Raises:
            InvalidError: it says too much.
        """
        said = self._said.get(step)
        if said is None:
            before = self.emitted(step)
            said = self._said[step] = _Said(self._snapshot.texts.get(step, 0), before)
        size = len(text) if text.isascii() else len(text.encode())
        if said.size + size > MOST:
            raise InvalidError(f"A step says at most {MOST:,} bytes, and {step!r} says more.")
        offset = said.length
        said.attempt = attempt
        said.size += size
        said.length += len(text)
        said.pending.append(text)
        told = Text(run=self._snapshot.run, step=step, attempt=attempt, offset=offset, text=text)
        self._feed.text(told)
        if said.timer is None and not said.is_due:
            self._set_pace(step, said)

    def _set_pace(self, step: StepKey, said: _Said) -> None:
        left = PACE
        if said.written_at is None:
            left = 0.0
        else:
            left -= (self._clock.now() - said.written_at) / timedelta(seconds=1)
        if left > 0:
            said.timer = self._clock.call_later(left, lambda: self._is_due(step, said))
        else:
            self._is_due(step, said)

    def _is_due(self, step: StepKey, said: _Said) -> None:
        said.timer = None
        said.is_due = True
        self._post(lambda: self._write(step))

    def _write(self, step: StepKey) -> None:
        for entry in self.new(step):
            self._note(entry)

    def new(self, step: StepKey) -> Iterator[e.TextEmitted]:
        """The entry of what a step has said since the last one; none, if that is nothing."""
        said = self._said.get(step)
        if said is None or not said.pending:
            return
        if said.timer is not None:
            said.timer.cancel()
        said.timer, said.is_due = None, False
        text, said.pending = "".join(said.pending), []
        said.written_at = self._clock.now()
        crash.reach("text.before")
        self._is_new = True
        yield e.TextEmitted(
            at=said.written_at,
            step=step,
            attempt=said.attempt,
            offset=self._snapshot.texts.get(step, 0),
            text=text,
        )

    def note_written(self) -> None:
        """What was noted is durable."""
        if self._is_new:
            self._is_new = False
            crash.reach("text.after")

    def close(self) -> None:
        """The run is no longer driven here."""
        for said in self._said.values():
            if said.timer is not None:
                said.timer.cancel()
        self._said.clear()


class _Said:
    """What one step has said."""

    __slots__ = ("attempt", "is_due", "length", "pending", "size", "timer", "written_at")

    def __init__(self, length: int, before: str) -> None:
        self.attempt = 0
        self.length = length
        self.size = len(before.encode())
        self.pending: list[str] = []
        """What is not in the journal yet."""
        self.timer: Timer | None = None
        self.is_due = False
        """The next turn of the loop writes it."""
        self.written_at: datetime | None = None


class Veil:
    """Hides secrets in a text that comes in pieces: what may be the beginning of one is held back.

    No more than the longest of them is.
    """

    def __init__(self, looks: list[tuple[str, str]]) -> None:
        """`looks` are how secrets may stand in a text, and their names, the longest first."""
        self._names: Mapping[str, str] = dict(reversed(looks))
        self._looks = [look for look, _ in looks]
        self._longest = len(self._looks[0]) if looks else 0
        self._held = ""

    def shown(self, text: str) -> str:
        """What can be shown of all that has come, and was not shown before."""
        text, self._held = self._held + text, ""
        shown: list[str] = []
        at = 0
        while True:
            found = self._first(text, at)
            until = found[0] if found else len(text)
            held = self._begun(text, at, until, found)
            if held is not None:
                shown.append(text[at:held])
                self._held = text[held:]
                return "".join(shown)
            shown.append(text[at:until])
            if found is None:
                return "".join(shown)
            shown.append(f"${{secrets.{self._names[found[1]]}}}")
            at = until + len(found[1])

    def rest(self) -> str:
        """What was held back: nothing follows, so it is no secret."""
        held, self._held = self._held, ""
        return held

    def _first(self, text: str, at: int) -> tuple[int, str] | None:
        """The first look in a text from somewhere on; of several, the longest."""
        best: tuple[int, str] | None = None
        for look in self._looks:
            place = text.find(look, at)
            if place >= 0 and (best is None or place < best[0]):
                best = place, look
        return best

    def _begun(self, text: str, at: int, until: int, found: tuple[int, str] | None) -> int | None:
        """Where a look begins, before or with the one that was found, of which the end is missing.

        One that was found is hidden as it is, unless it may turn out to be a longer one.
        """
        last = until + 1 if found else until
        for place in range(max(at, len(text) - self._longest + 1), last):
            tail = text[place:]
            if any(len(look) > len(tail) and look.startswith(tail) for look in self._looks):
                return place
        return None


class Transcript:
    """What the steps of a run have said, put together from what a watcher is told.

    A watcher hears a text as it comes, and again when it is journalled; one that came late hears
    the end of something before its beginning. Here every character comes once, in order.
    """

    def __init__(self) -> None:
        self._lengths: dict[str, int] = {}

    def new(self, told: Told) -> Text | None:
        """What is new in something that was told; None: nothing is."""
        said = told.entry if isinstance(told, Event) else told
        if not isinstance(said, (Text, e.TextEmitted)):
            return None
        known = self._lengths.get(said.step, 0)
        end = said.offset + len(said.text)
        if end <= known or said.offset > known:
            # Known; or after a gap, which the journal fills with all that it has in one entry.
            return None
        self._lengths[said.step] = end
        if isinstance(said, Text) and said.offset == known:
            return said
        return Text(
            run=told.run,
            step=StepKey(said.step),
            attempt=said.attempt,
            offset=known,
            text=said.text[known - said.offset :],
        )
