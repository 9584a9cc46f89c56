"""The contract of `PlanShelf`."""
# ruff: noqa: D102, PLR2004 - the names are the sentences, the numbers are counted

from __future__ import annotations

from callsheet.errors import KeyReusedError, RequestRefusedError
from callsheet.testing.contracts.samples import (
    a_plan,
    at,
    ended,
    run_id,
    started,
    undo_requested,
)
from callsheet.testing.contracts.subject import Subject, refused

RUN = run_id(1)


class PlanShelfContract(Subject):
    """Every version of a saved plan is kept, until the plan is deleted."""

    async def test_a_saved_plan_comes_back_with_its_version_and_time(self) -> None:
        plan = a_plan("trip")
        async with self.opened() as store:
            saved = await store.plans.save(plan, at(1))
            assert (saved.name, saved.version, saved.saved_at) == ("trip", 1, at(1))
            assert saved.plan == plan
            assert await store.plans.get("trip") == saved

    async def test_the_same_key_is_the_same_save(self) -> None:
        old, new = a_plan(tool="a.book"), a_plan(tool="b.book")
        async with self.opened() as store:
            saved = await store.plans.save(old, at(1), key="k")
            await store.plans.save(new, at(2), key="l")
            assert await store.plans.save(old, at(3), key="k") == saved
            with refused(KeyReusedError):
                await store.plans.save(new, at(4), key="k")
            assert len(await store.plans.versions("trip")) == 2

    async def test_other_content_is_a_new_version_and_the_old_one_is_kept(self) -> None:
        old, new = a_plan(tool="a.book"), a_plan(tool="b.book")
        async with self.opened() as store:
            await store.plans.save(old, at(1))
            saved = await store.plans.save(new, at(2))
            assert (saved.version, saved.plan) == (2, new)
            assert await store.plans.get("trip") == saved
            first = await store.plans.get("trip", 1)
            assert first is not None
            assert (first.plan, first.saved_at) == (old, at(1))

    async def test_the_same_content_is_the_same_version(self) -> None:
        async with self.opened() as store:
            first = await store.plans.save(a_plan(), at(1))
            assert await store.plans.save(a_plan(), at(2)) == first
            assert len(await store.plans.versions("trip")) == 1

    async def test_going_back_to_old_content_is_a_new_version(self) -> None:
        async with self.opened() as store:
            for second, tool in enumerate(("a.book", "b.book", "a.book")):
                await store.plans.save(a_plan(tool=tool), at(second))
            versions = await store.plans.versions("trip")
            assert [saved.version for saved in versions] == [1, 2, 3]
            assert versions[0].plan == versions[2].plan != versions[1].plan

    async def test_what_is_not_there_is_none(self) -> None:
        async with self.opened() as store:
            await store.plans.save(a_plan(), at(1))
            assert await store.plans.get("other") is None
            assert await store.plans.get("trip", 2) is None
            assert await store.plans.get("trip", 0) is None
            assert list(await store.plans.versions("other")) == []

    async def test_the_list_has_the_newest_of_each_by_name(self) -> None:
        async with self.opened() as store:
            assert list(await store.plans.list()) == []
            for name, tool in (("b", "x"), ("a", "x"), ("c", "x"), ("b", "y")):
                await store.plans.save(a_plan(name, tool=tool), at(1))
            listed = [(saved.name, saved.version) for saved in await store.plans.list()]
            assert listed == [("a", 1), ("b", 2), ("c", 1)]

    async def test_a_deleted_plan_is_gone_with_all_its_versions(self) -> None:
        async with self.opened() as store:
            await store.plans.save(a_plan("trip", tool="a"), at(1))
            await store.plans.save(a_plan("trip", tool="b"), at(2))
            await store.plans.save(a_plan("other"), at(3))
            assert await store.plans.delete("trip") is True
            assert await store.plans.get("trip") is None
            assert list(await store.plans.versions("trip")) == []
            assert [saved.name for saved in await store.plans.list()] == ["other"]

    async def test_deleting_what_is_not_there_says_so(self) -> None:
        async with self.opened() as store:
            assert await store.plans.delete("trip") is False

    async def test_a_plan_is_kept_while_an_open_run_is_of_any_version(self) -> None:
        old, new = a_plan(tool="a.book"), a_plan(tool="b.book")
        async with self.opened() as store:
            await store.plans.save(old, at(1))
            await store.plans.save(new, at(2))
            await store.journal.append(RUN, [started(RUN, plan=old)], after=0)
            with refused(RequestRefusedError):
                await store.plans.delete("trip")
            assert len(await store.plans.versions("trip")) == 2
            await store.journal.append(RUN, [ended()], after=1)
            assert await store.plans.delete("trip") is True

    async def test_a_plan_is_kept_while_a_run_of_it_is_being_undone(self) -> None:
        async with self.opened() as store:
            await store.plans.save(a_plan(), at(1))
            await store.journal.append(
                RUN, [started(RUN, plan=a_plan()), ended(), undo_requested()], after=0
            )
            with refused(RequestRefusedError):
                await store.plans.delete("trip")

    async def test_runs_of_other_plans_keep_nothing(self) -> None:
        async with self.opened() as store:
            await store.plans.save(a_plan("trip"), at(1))
            await store.journal.append(RUN, [started(RUN, plan=a_plan("other"))], after=0)
            assert await store.plans.delete("trip") is True

    async def test_plans_of_one_name_are_each_tenant_s_own(self) -> None:
        async with self.opened() as store:
            await store.plans.save(a_plan(tool="a"), at(1), key="k", tenant="acme")
            await store.plans.save(a_plan(tool="b"), at(2), key="k", tenant="beta")
            acme = await store.plans.get("trip", tenant="acme")
            beta = await store.plans.get("trip", tenant="beta")
            assert acme is not None
            assert beta is not None
            assert (acme.version, acme.plan, acme.tenant) == (1, a_plan(tool="a"), "acme")
            assert (beta.version, beta.plan, beta.tenant) == (1, a_plan(tool="b"), "beta")
            assert await store.plans.get("trip") is None
            assert list(await store.plans.list()) == []
            every = [(each.tenant, each.name) for each in await store.plans.list(tenant=None)]
            assert every == [("acme", "trip"), ("beta", "trip")]
            assert await store.plans.delete("trip", tenant="acme") is True
            assert await store.plans.get("trip", tenant="beta") == beta

    async def test_a_run_of_another_tenant_keeps_no_plan(self) -> None:
        async with self.opened() as store:
            await store.plans.save(a_plan(), at(1), tenant="acme")
            await store.journal.append(RUN, [started(RUN, plan=a_plan())], after=0)
            assert await store.plans.delete("trip", tenant="acme") is True
