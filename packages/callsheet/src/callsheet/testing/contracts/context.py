"""The contract of `ContextShelf`."""
# ruff: noqa: D102, PLR2004 - the names are the sentences, the numbers are counted

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from msgspec.structs import replace

from callsheet.core import value
from callsheet.core.index.context import ContextItem
from callsheet.errors import InputError, StaleContextError
from callsheet.testing.contracts.samples import at
from callsheet.testing.contracts.subject import Subject, refused

if TYPE_CHECKING:
    from callsheet.core.value import Json
    from callsheet.ports import Store

PLENTY = 1_000_000


class ContextContract(Subject):
    """Named data is versioned, bounded and expires."""

    async def test_an_item_comes_back_as_it_was_put(self) -> None:
        item = _item({"colour": "blå", "sizes": [1, 2.5, None]}, expires=60)
        async with self.opened() as store:
            kept = await store.context.put(item, after=None, most=PLENTY)
            assert kept == item
            assert await store.context.get("p", "style", at=at(1)) == item

    async def test_what_is_not_there_is_none(self) -> None:
        async with self.opened() as store:
            await _put(store, 1)
            assert await store.context.get("p", "other", at=at(1)) is None
            assert await store.context.get("other", "style", at=at(1)) is None
            assert await store.context.get("p", "style", at=at(1), version=2) is None
            assert list(await store.context.list("other", at=at(1))) == []

    async def test_a_scope_is_a_tenant_s_own(self) -> None:
        async with self.opened() as store:
            await _put(store, "mine")
            theirs = replace(_item("theirs"), tenant="beta")
            assert (await store.context.put(theirs, after=0, most=PLENTY)).version == 1
            assert await _value(store) == "mine"
            assert await store.context.get("p", "style", at=at(1), tenant="beta") == theirs
            assert await store.context.get("p", "style", at=at(1), tenant="gamma") is None
            assert list(await store.context.list("p", at=at(1), tenant="beta")) == [theirs]
            assert await store.context.delete("p", tenant="gamma") == 0
            assert await store.context.delete("p", "style", tenant="beta") == 1
            assert await _value(store) == "mine"

    async def test_every_version_is_kept_and_numbered(self) -> None:
        async with self.opened() as store:
            for number in (1, 2, 3):
                assert (await _put(store, number)).version == number
            history = await store.context.history("p", "style", at=at(1))
            assert [(each.version, each.value) for each in history] == [(1, 1), (2, 2), (3, 3)]
            assert list(await store.context.history("p", "style", at=at(1), tenant="beta")) == []
            assert await _value(store) == 3
            assert await _value(store, version=1) == 1
            assert await _value(store, version=3) == 3

    async def test_the_list_has_the_newest_of_each_by_name(self) -> None:
        async with self.opened() as store:
            for name, data in (("b", 1), ("a", 1), ("b", 2), ("c", 1)):
                await _put(store, data, name=name)
            await _put(store, 1, scope="q")
            listed = [(item.name, item.value) for item in await store.context.list("p", at=at(1))]
            assert listed == [("a", 1), ("b", 2), ("c", 1)]

    async def test_whoever_says_what_he_follows_overwrites_nothing_else(self) -> None:
        async with self.opened() as store:
            with refused(StaleContextError):
                await _put(store, 1, after=1)
            assert (await _put(store, 1, after=0)).version == 1
            with refused(StaleContextError):
                await _put(store, 2, after=0)
            assert (await _put(store, 2, after=1)).version == 2
            with refused(StaleContextError):
                await _put(store, 3, after=1)
            assert await _value(store) == 2

    async def test_of_many_who_follow_the_same_version_one_succeeds(self) -> None:
        async with self.opened() as store:
            await _put(store, 0)
            async with asyncio.TaskGroup() as tasks:
                tries = [tasks.create_task(_tried(store, number)) for number in range(20)]
            assert sorted(each.result() for each in tries) == [False] * 19 + [True]
            assert await store.context.get("p", "style", at=at(1), version=3) is None

    async def test_what_has_expired_is_not_there(self) -> None:
        async with self.opened() as store:
            await store.context.put(_item("x", expires=10), after=None, most=PLENTY)
            assert await store.context.get("p", "style", at=at(9.999)) is not None
            assert await store.context.get("p", "style", at=at(10)) is None
            assert await store.context.get("p", "style", at=at(10), version=1) is None
            assert list(await store.context.list("p", at=at(10))) == []

    async def test_behind_an_expired_version_the_one_before_is_the_newest(self) -> None:
        async with self.opened() as store:
            await _put(store, "always")
            await store.context.put(_item("today", expires=10), after=1, most=PLENTY)
            assert await _value(store, at_=9) == "today"
            assert await _value(store, at_=10) == "always"
            later = _item("next", saved=10)
            # Its number is the next all the same: whoever has seen version 2 has seen another.
            assert (await store.context.put(later, after=1, most=PLENTY)).version == 3

    async def test_an_expired_item_is_followed_by_a_first_one(self) -> None:
        async with self.opened() as store:
            await store.context.put(_item("x", expires=10), after=None, most=PLENTY)
            with refused(StaleContextError):
                await store.context.put(_item("y", saved=10), after=1, most=PLENTY)
            await store.context.put(_item("y", saved=10), after=0, most=PLENTY)
            assert await _value(store, at_=11) == "y"

    async def test_a_scope_has_a_size_and_newest_versions_count(self) -> None:
        text = "x" * 40
        async with self.opened() as store:
            for name in ("a", "b", "a"):
                await store.context.put(_item(text, name=name), after=None, most=84)
            with refused(InputError):
                await store.context.put(_item("", name="c"), after=None, most=84)
            with refused(InputError):
                await store.context.put(_item(text + "x", name="a"), after=None, most=84)
            await store.context.put(_item("", name="c", scope="q"), after=None, most=84)
            await store.context.put(_item(1, name="a"), after=None, most=84)
            await store.context.put(_item("", name="c"), after=None, most=84)
            assert [item.size for item in await store.context.list("p", at=at(1))] == [1, 42, 2]

    async def test_what_has_expired_takes_no_room(self) -> None:
        async with self.opened() as store:
            await store.context.put(_item("x" * 40, name="a", expires=5), after=None, most=50)
            with refused(InputError):
                await store.context.put(_item("x" * 40, name="b", saved=4), after=None, most=50)
            await store.context.put(_item("x" * 40, name="b", saved=5), after=None, most=50)

    async def test_the_same_call_writes_one_version(self) -> None:
        async with self.opened() as store:
            first = await store.context.put(_item(1, key="call"), after=0, most=PLENTY)
            again = await store.context.put(_item(2, key="call"), after=0, most=PLENTY)
            assert again == first
            assert await _value(store) == 1
            assert (await _put(store, 3)).version == 2

    async def test_a_call_can_be_taken_back_and_the_version_before_is_there_again(self) -> None:
        async with self.opened() as store:
            await _put(store, "old")
            written = await store.context.put(_item("new", key="call"), after=1, most=PLENTY)
            taken = await store.context.withdraw("call", at=at(1))
            assert taken is not None
            assert (taken.version, taken.value) == (written.version, "new")
            assert await _value(store) == "old"
            assert await store.context.get("p", "style", at=at(1), version=2) is None
            # A second time changes nothing.
            await store.context.withdraw("call", at=at(2))
            newer = _item("newer", saved=2)
            assert (await store.context.put(newer, after=1, most=PLENTY)).version == 3

    async def test_taking_back_leaves_what_others_have_put_since(self) -> None:
        async with self.opened() as store:
            await store.context.put(_item("mine", key="call"), after=None, most=PLENTY)
            await _put(store, "theirs")
            await store.context.withdraw("call", at=at(1))
            assert await _value(store) == "theirs"

    async def test_a_call_that_wrote_nothing_has_nothing_to_take_back(self) -> None:
        async with self.opened() as store:
            await _put(store, 1)
            assert await store.context.withdraw("call", at=at(1)) is None
            assert await store.context.withdraw("", at=at(1)) is None
            assert await _value(store) == 1

    async def test_deleting_removes_all_versions_of_a_name_or_a_whole_scope(self) -> None:
        async with self.opened() as store:
            for name in ("a", "a", "b", "c"):
                await _put(store, 1, name=name)
            await _put(store, 1, scope="q")
            assert await store.context.delete("p", "a") == 2
            assert await store.context.delete("p", "a") == 0
            assert await store.context.delete("p") == 2
            assert list(await store.context.list("p", at=at(1))) == []
            assert len(await store.context.list("q", at=at(1))) == 1

    async def test_pruning_removes_what_has_expired_and_nothing_else(self) -> None:
        async with self.opened() as store:
            await store.context.put(_item(1, name="a", expires=5), after=None, most=PLENTY)
            await store.context.put(_item(2, name="b", expires=6), after=None, most=PLENTY)
            await _put(store, 3, name="c")
            assert await store.context.prune(at=at(4)) == 0
            assert await store.context.prune(at=at(5)) == 1
            assert [item.name for item in await store.context.list("p", at=at(1))] == ["b", "c"]

    async def test_pruning_does_not_give_a_number_out_again(self) -> None:
        async with self.opened() as store:
            await _put(store, "always")
            await store.context.put(_item("a", expires=5), after=None, most=PLENTY)
            await store.context.put(_item("b", expires=5), after=None, most=PLENTY)
            assert await store.context.prune(at=at(5)) == 1
            assert (await store.context.put(_item("c", saved=5), after=1, most=PLENTY)).version == 4

    async def test_large_values_are_no_trouble(self) -> None:
        text = "x" * 300_000
        async with self.opened() as store:
            await _put(store, text)
            await _put(store, text, name="other")
            assert await _value(store) == text
            assert [item.value for item in await store.context.list("p", at=at(1))] == [text] * 2


def _item(
    data: Json,
    *,
    scope: str = "p",
    name: str = "style",
    saved: float = 0,
    expires: float | None = None,
    key: str = "",
) -> ContextItem:
    return ContextItem(
        scope=scope,
        name=name,
        version=1,
        value=data,
        size=len(value.encode(data)),
        saved_at=at(saved),
        expires_at=None if expires is None else at(expires),
        key=key,
    )


async def _put(
    store: Store, data: Json, *, scope: str = "p", name: str = "style", after: int | None = None
) -> ContextItem:
    return await store.context.put(_item(data, scope=scope, name=name), after=after, most=PLENTY)


async def _tried(store: Store, number: int) -> bool:
    try:
        await _put(store, number, after=1)
    except StaleContextError:
        return False
    return True


async def _value(store: Store, *, at_: float = 1, version: int | None = None) -> Json:
    item = await store.context.get("p", "style", at=at(at_), version=version)
    assert item is not None
    return item.value
