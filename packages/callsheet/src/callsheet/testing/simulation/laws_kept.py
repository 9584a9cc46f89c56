"""The laws of what is kept for later: reads that serve other runs, and large values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.core import value
from callsheet.core.run import entries as e
from callsheet.testing.simulation.disk import digests_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from callsheet.core.value import Json
    from callsheet.testing.simulation.tale import Tale, Try


DUST = 1e-6


def a_cached_read_is_a_read_that_was_made(tale: Tale) -> Iterator[str]:
    """By the same tenant, with the same tool, version and arguments; and its output is the same."""
    for seq, entry in enumerate(tale.entries, 1):
        if not isinstance(entry, e.StepCached):
            continue
        source = tale.others.get(entry.source)
        book = source.tries.get(entry.source_step, []) if source else []
        made = next((each for each in book if each.went_well), None)
        if source is None or made is None:
            yield f"{entry.step} is answered for by a call that was not made, at {seq}"
            continue
        if why := _unlike(tale, entry, seq, source, made):
            yield f"{entry.step} is answered for at {seq} by {made.step} of {source.run}: {why}"


def _unlike(tale: Tale, entry: e.StepCached, seq: int, source: Tale, made: Try) -> str:
    assert made.end is not None, "it went well"
    step, other = tale.step(entry.step), source.step(made.step)
    visit = next(v for v in source.visits if v.step == made.step and v.attempt == made.attempt)
    upgraded = tale.story.outside.is_upgraded(tale.story.disk.wrote[tale.run, seq])
    age = (entry.at - made.end.at).total_seconds()
    output = (made.end.stored or {}).get("output") or value.digest(value.decode(made.end.output))
    mine = (entry.stored or {}).get("output") or value.digest(value.decode(entry.output))
    wrong = {
        "it is another tool": step.tool != other.tool,
        "it had other arguments": not _is_made_of(tale, entry, visit.args),
        "it is of another tenant": tale.started.tenant != source.started.tenant,
        "it is of another version": tale.story.outside.version_in(upgraded) != visit.version,
        "it is too old": not isinstance(step.cache, bool) and age > step.cache + DUST,
        "nobody may keep it": not (step.cache and other.cache),
        "its output is another": output != mine,
    }
    return next((why for why, found in wrong.items() if found), "")


def _is_made_of(tale: Tale, entry: e.StepCached, args: dict[str, Json]) -> bool:
    """Whether plain arguments are the same; what refers to others is not looked into."""
    mine = tale.step(entry.step).args
    return all(args.get(name) == given for name, given in mine.items() if type(given) is int)


def a_large_value_is_there_before_its_entry(tale: Tale) -> Iterator[str]:
    """What an entry names lies on the disk when it is written, and for ever."""
    if tale.run == tale.story.run:
        yield from tale.story.disk.missing
    for seq, entry in enumerate(tale.entries, 1):
        for digest in digests_of(entry):
            if not tale.story.artifacts.has(digest):
                yield f"entry {seq} names {digest}, which is gone"


LAWS_OF_KEEPING: tuple[Callable[[Tale], Iterator[str]], ...] = (
    a_cached_read_is_a_read_that_was_made,
    a_large_value_is_there_before_its_entry,
)
