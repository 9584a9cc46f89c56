"""A shot that is ordered: every order is a step, none is given twice, and all are paid for once."""

from __future__ import annotations

import gc
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from tests.acceptance.stage import until
from tests.providers.elevenlabs import VOICE, ElevenLabsService
from tests.providers.media import picture
from tests.providers.openai import OpenAIService
from tests.providers.runway import RunwayService
from tests.providers.service import KEY, Answer, Asked, RefusedError, Work, serving
from typing_extensions import override

from callsheet import Artifact, Context, Engine, RunState, StepState, load_tools, tool
from callsheet.errors import InputError, NotDoneError
from callsheet_studio.brief import from_data
from callsheet_studio.film.check.looking import Looks
from callsheet_studio.film.filming import Filmed
from callsheet_studio.film.speaking import LineData
from callsheet_studio.production.plan import Purchase, production_plan
from callsheet_studio.production.tools import production_tools
from callsheet_studio.providers.catalogue import services
from callsheet_studio.providers.fitting import Fitted
from callsheet_studio.providers.orders import SCOPE, Orders, ShotOrder, Want
from callsheet_studio.providers.port import Order, Progress
from callsheet_studio.providers.producing import line_plan, shot_plan
from callsheet_studio.providers.received import Received
from callsheet_studio.providers.voices import voice_wants
from callsheet_studio.sound.encode import unpacked
from callsheet_studio.stack import starting_stack

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from callsheet import Plan, Result

# Slow: real HTTP through an SDK, and a pause between two looks.
pytestmark = [pytest.mark.slow, pytest.mark.requirement("P11")]

PRICE = 0.6
SECRET = "RUNWAYML_API_SECRET"
SECRETS = {each.secret: KEY for each in services()}
NONE = Looks(frames=1, size=(2, 2), at=(0,), black=(False,), moved=(), change=(), unread=())
INPUTS: dict[str, Any] = {"take": {}}


class Runway(RunwayService):
    """Who asks too often is told to come back at once, so that nobody waits.

    No two orders are made alike, and an address may have expired as soon as it is used.
    """

    expires = 0
    never = False

    @override
    def is_made(self, work: Work) -> bool:
        return not self.never and super().is_made(work)

    @override
    def _file(self, asked: Asked) -> Answer:
        if self.expires:
            self.expires -= 1
            self.break_with("expired")
        answer = super()._file(asked)
        assert isinstance(answer.content, bytes)
        return replace(answer, content=answer.content + asked.path.encode())

    @override
    def take(self, asked: dict[str, Any]) -> Work:
        if self.takes("rate_limited"):
            limited = {"error": "Too many requests"}
            raise RefusedError(Answer(status=429, content=limited, headers={"Retry-After": "0"}))
        return super().take(asked)


def want(kind: Any = "clip", model: str = "gen4.5", most: int = 3) -> Want:
    seconds = 5.0 if kind == "clip" else 0.0
    what = Order(kind=kind, model=model, text="A ${kite}.", seconds=seconds, width=1280, height=720)
    about: dict[str, Any] = {
        "service": "runway",
        "offer": "an offer",
        "usd": PRICE,
        "secret": SECRET,
    }
    return Want(**about, what=what, most=most, name=f"{kind}-1")


def artifact_of(told: Any) -> Artifact:
    return Artifact(digest=told["$artifact"], media_type=told["media_type"], size=told["size"])


CLIP = ShotOrder(shot="1A", clip=want())


async def filmed(ctx: Context, name: str) -> Filmed:
    kept = await ctx.store(b"it")
    artifacts: dict[str, Any] = dict.fromkeys(
        ("segment", "board", "frame", "thumbnail", "clip", "ends"), kept
    )
    return Filmed(name=name, looks=NONE, texts=(), unwritten=(), **artifacts)


def cutting_room(bad: int) -> list[Any]:
    """Tools that take any clip for a shot, but send the first ones back."""
    seen: list[str] = []

    @tool("studio.conform", effect="read")
    async def conform(take: dict[str, Any], name: str, got: Received, ctx: Context) -> Fitted:
        del take
        if got.made is None:
            return Fitted(why=got.why, again=got.again)
        seen.append(name)
        wrong = len(seen) <= bad
        return Fitted(filmed=await filmed(ctx, name), clip=got.made, why="black", again=wrong)

    @tool("studio.shoot", effect="read")
    async def shoot(take: dict[str, Any], name: str, ctx: Context) -> Filmed:
        del take
        return await filmed(ctx, f"{name} drawn")

    return [conform, shoot]


class Stage:
    """An engine beside a provider."""

    def __init__(self, engine: Engine, server: Runway) -> None:
        self.engine, self.server = engine, server

    async def make(self, plan: Plan, inputs: Mapping[str, Any] = INPUTS) -> Result:
        run = await self.engine.start(plan, dict(inputs))
        return await run.wait()

    @property
    def billed(self) -> float:
        """What the provider takes for what it has accepted."""
        return round(PRICE * len(self.server.orders), 6)


@pytest.fixture
def stage(monkeypatch: pytest.MonkeyPatch) -> Any:
    # What other tests have drawn with belongs to this thread, and an SDK is imported in another.
    gc.collect()

    @asynccontextmanager
    async def opened(bad: int = 0) -> AsyncIterator[Stage]:
        ours = load_tools("callsheet_studio.providers.tools")
        kept = [each for each in ours if each.spec.name != "studio.conform"]
        async with serving(Runway()) as server:
            monkeypatch.setenv("CALLSHEET_URL_RUNWAY", server.base_url)
            tools = [*kept, *cutting_room(bad)]
            async with Engine.in_memory(tools, secrets=SECRETS) as engine:
                assert isinstance(server, Runway)
                yield Stage(engine, server)

    return opened


async def test_one_order_makes_one_shot_and_is_paid_once(stage: Any) -> None:
    async with stage() as on:
        result = await on.make(shot_plan(CLIP))
        assert result.state is RunState.SUCCEEDED
        assert result.output["filmed"]["name"] == "1A"
        assert result.output["wrong"] == []
        assert len(on.server.orders) == 1
        assert result.cost.usd == on.billed == PRICE
        # What is asked for is what the shot says, also where it looks like a reference.
        assert on.server.works[on.server.orders[0]].asked["promptText"] == "A ${kite}."


async def test_a_clip_that_is_wrong_is_ordered_again_and_every_order_is_paid(stage: Any) -> None:
    async with stage(bad=1) as on:
        result = await on.make(shot_plan(CLIP))
        assert result.output["filmed"]["name"] == "1A"
        assert len(on.server.orders) == 2
        assert result.cost.usd == on.billed
        assert result.steps["clip_3"].state is StepState.SKIPPED


async def test_after_the_last_attempt_the_last_clip_is_taken(stage: Any) -> None:
    async with stage(bad=9) as on:
        plan = shot_plan(CLIP)
        result = await on.make(plan)
        assert result.output["filmed"]["name"] == "1A"
        assert len(on.server.orders) == CLIP.clip.most
        assert plan.budget is not None
        assert result.cost.usd == on.billed == plan.budget.usd


async def test_too_many_calls_are_made_later_and_nothing_twice(stage: Any) -> None:
    async with stage() as on:
        on.server.break_with("rate_limited")
        result = await on.make(shot_plan(CLIP))
        assert result.steps["clip_1"].attempts == 2
        assert len(on.server.orders) == 1
        assert result.cost.usd == on.billed


async def test_what_is_refused_is_drawn_and_told_and_not_ordered_again(stage: Any) -> None:
    async with stage() as on:
        on.server.break_with("refused")
        result = await on.make(shot_plan(CLIP))
        assert result.state is RunState.SUCCEEDED
        assert result.output["filmed"]["name"] == "1A drawn"
        (wrong,) = result.output["wrong"]
        assert (wrong["rule"], wrong["where"]) == ("shot-drawn", "1A")
        assert "the text was refused" in wrong["message"]
        assert len(on.server.orders) == 1


async def test_a_lost_answer_is_in_doubt_until_somebody_says_what_happened(stage: Any) -> None:
    async with stage() as on:
        on.server.break_with("lost_answer")
        run = await on.engine.start(shot_plan(CLIP), INPUTS)
        await until(run, "QuestionAsked")
        assert [each.step for each in (await run.status()).questions] == ["clip_1"]
        assert len(on.server.orders) == 1
        await run.answer("clip_1", "happened", output={"id": on.server.orders[0]})
        result = await run.wait()
        assert result.output["filmed"]["name"] == "1A"
        assert len(on.server.orders) == 1
        assert result.cost.usd == on.billed


async def test_a_key_that_does_not_do_ends_the_shot_and_orders_nothing(stage: Any) -> None:
    async with stage() as on:
        on.server.break_with("bad_key")
        result = await on.make(shot_plan(CLIP))
        assert result.state is RunState.FAILED
        assert result.steps["clip_1"].error.error_class == "denied"
        assert on.server.orders == []
        assert result.cost.usd == 0


async def test_a_run_that_is_cancelled_recalls_what_is_not_made_yet(stage: Any) -> None:
    async with stage() as on:
        on.server.never = True
        run = await on.engine.start(shot_plan(CLIP), INPUTS)
        await until(run, "AttemptStarted", step="got_1")
        await run.cancel()
        result = await run.wait()
        assert result.state is RunState.UNDONE
        assert on.server.cancelled == on.server.orders
        assert len(on.server.orders) == 1
        # It was ordered, and may be billed.
        assert result.cost.usd == on.billed


async def test_what_is_made_is_not_recalled_and_stays_bought(stage: Any) -> None:
    async with stage() as on:
        run = await on.engine.start(shot_plan(CLIP), INPUTS)
        await run.wait()
        await run.undo()
        result = await run.wait()
        assert result.state is RunState.UNDONE
        assert on.server.cancelled == []
        assert [each.name for each in await on.engine.context.list(SCOPE)] == [CLIP.clip.name]


async def test_what_was_bought_is_remembered_and_not_ordered_by_another_run(stage: Any) -> None:
    async with stage() as on:
        await on.make(shot_plan(CLIP))
        (item,) = await on.engine.context.list(SCOPE)
        assert item.name == CLIP.clip.name
        kept = artifact_of(item.value["made"])
        again = ShotOrder(shot="1A", clip=want().model_copy(update={"kept": kept}))
        result = await on.make(shot_plan(again))
        assert result.output["filmed"]["name"] == "1A"
        assert result.cost.usd == 0
        assert len(on.server.orders) == 1


async def test_a_clip_begins_with_the_still_that_was_bought_for_it(stage: Any) -> None:
    order = ShotOrder(shot="1A", clip=want(), still=want("still", "gen4_image"))
    async with stage() as on:
        on.server.made = picture(1280, 720)
        result = await on.make(shot_plan(order))
        assert result.state is RunState.SUCCEEDED, result.cause
        still, clip = (on.server.works[each].asked for each in on.server.orders)
        assert "promptImage" not in still
        assert clip["promptImage"][0]["uri"].startswith("data:image/png;base64,")
        assert result.cost.usd == on.billed
        names = {each.name for each in await on.engine.context.list(SCOPE)}
        assert names == {"clip-1", "still-1"}


async def test_without_a_still_no_clip_is_ordered(stage: Any) -> None:
    order = ShotOrder(shot="1A", clip=want(), still=want("still", "gen4_image"))
    async with stage() as on:
        on.server.break_with("refused")
        result = await on.make(shot_plan(order))
        assert result.output["filmed"]["name"] == "1A drawn"
        assert len(on.server.orders) == 1
        assert result.steps["clip_1"].state is StepState.SKIPPED


async def test_an_order_survives_that_the_provider_has_forgotten_it(stage: Any) -> None:
    async with stage() as on:
        on.server.break_with("unknown_job")
        result = await on.make(shot_plan(CLIP))
        assert len(on.server.orders) == CLIP.clip.most
        assert result.output["filmed"]["name"] == "1A drawn"
        assert result.cost.usd == on.billed


async def test_an_address_that_expires_is_asked_for_again(stage: Any) -> None:
    async with stage() as on:
        on.server.expires = 2
        result = await on.make(shot_plan(CLIP))
        assert result.output["filmed"]["name"] == "1A"
        assert len(on.server.orders) == 1


async def test_a_still_that_is_the_answer_itself_is_kept_with_its_order(
    stage: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    still = want("still", "gpt-image-2").model_copy(update={"service": "openai"})
    async with stage() as on, serving(OpenAIService()) as pictures:
        monkeypatch.setenv("CALLSHEET_URL_OPENAI", f"{pictures.base_url}/v1")
        result = await on.make(shot_plan(ShotOrder(shot="1A", clip=want(), still=still)))
        assert result.state is RunState.SUCCEEDED, result.cause
        (clip,) = (on.server.works[each].asked for each in on.server.orders)
        assert clip["promptImage"][0]["uri"].startswith("data:image/png;base64,")
        assert result.cost.usd == pytest.approx(PRICE * 2)


class Forgetful:
    """Takes an order, and cannot be asked for it."""

    name = "Forgetful"
    orders = 0

    async def submit(self, order: Order, picture: bytes | None, token: str) -> str:
        del order, picture, token
        self.orders += 1
        return "it"

    async def look(self, job: str) -> Progress:
        raise NotDoneError(f"nobody knows {job} now")

    async def close(self) -> None:
        pass


async def test_what_was_paid_and_not_fetched_is_in_doubt_whatever_its_error_says(
    stage: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider = Forgetful()
    monkeypatch.setattr("callsheet_studio.providers.catalogue.opened", lambda *_: provider)
    clip = want().model_copy(update={"service": "openai"})
    async with stage() as on:
        run = await on.engine.start(shot_plan(ShotOrder(shot="1A", clip=clip)), INPUTS)
        await until(run, "QuestionAsked")
        (question,) = (await run.status()).questions
        assert question.step == "clip_1"
        assert "it was paid for and not fetched" in question.text
        assert provider.orders == 1


def spoken(kept: Mapping[str, Artifact]) -> Want:
    line = LineData(text="Come aboard.", speaker="", language="en", pitch=0, pace=150, hints={})
    (found,) = voice_wants(f"elevenlabs-v3@elevenlabs={VOICE}", [line], starting_stack(), kept)
    return found


async def test_a_line_is_spoken_paid_by_the_letter_and_remembered(
    stage: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = spoken({})
    assert line.usd == pytest.approx(0.18 * len("Come aboard.") / 1000)
    async with stage() as on, serving(ElevenLabsService()) as speaker:
        monkeypatch.setenv("CALLSHEET_URL_ELEVENLABS", speaker.base_url)
        result = await on.make(line_plan(line), {})
        assert result.state is RunState.SUCCEEDED, result.cause
        assert result.cost.usd == line.usd
        heard = unpacked(await on.engine.artifacts.get(artifact_of(result.output)))
        assert (heard.text, heard.voice, heard.engine) == ("Come aboard.", VOICE, "elevenlabs")
        assert len(heard.samples) > 0
        (item,) = await on.engine.context.list(SCOPE)
        again = spoken({item.name: artifact_of(item.value["made"])})
        assert again.worst == 0
        result = await on.make(line_plan(again), {})
        assert result.state is RunState.SUCCEEDED, result.cause
        assert len(speaker.orders) == 1


async def test_a_line_that_is_refused_fails_and_says_why(
    stage: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with stage() as on, serving(ElevenLabsService()) as speaker:
        monkeypatch.setenv("CALLSHEET_URL_ELEVENLABS", speaker.base_url)
        speaker.break_with("refused")
        result = await on.make(line_plan(spoken({})), {})
        assert result.state is RunState.FAILED
        assert "'Come aboard.' was not spoken: " in result.cause.message
        assert speaker.orders == []
        assert result.cost.usd == 0


@pytest.mark.parametrize("asked", ["elevenlabs-v3@elevenlabs", "nobody@nowhere=one", "=one", ""])
def test_a_voice_is_an_offer_and_a_name(asked: str) -> None:
    with pytest.raises(InputError, match=r"is not an offer and a voice.*openai-tts-1@openai"):
        voice_wants(asked, [], starting_stack(), {})


@pytest.mark.parametrize("delivers", [True, False])
@pytest.mark.parametrize("recut", [True, False])
async def test_a_production_with_orders_is_a_plan_that_checks(recut: bool, delivers: bool) -> None:
    still = want("still", "gen4_image")
    orders = Orders(
        shots=(
            CLIP,
            ShotOrder(shot="1B", clip=want(), still=still),
            ShotOrder(shot="1C", clip=want(), drawn=True),
        ),
        drawn=(),
    )
    brief = from_data({"message": {"core": "A kite.", "cta": "Fly"}}, "brief.yaml")
    bought = Purchase(orders, max_cost=10, voices=(spoken({}),) * 2)
    plan = production_plan(brief, delivers=delivers, recut=recut, bought=bought, joins=False)
    tools = production_tools(orders=True)
    async with Engine.in_memory(tools, secrets=SECRETS) as engine:
        found = await engine.check(plan)
    assert [each for each in found if each.severity == "error"] == []
    assert plan.budget is not None
    assert plan.budget.usd == 10
    # A production that orders nothing is what it was.
    assert production_plan(brief).on_failure == "undo"
    assert production_plan(brief).budget is None
