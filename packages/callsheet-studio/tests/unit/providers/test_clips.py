"""What each service that makes clips is asked, and what its answers mean."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from tests.providers.fal import FalService
from tests.providers.luma import LumaService
from tests.providers.replicate import SCHEMAS, ReplicateService
from tests.providers.runway import RunwayService
from tests.providers.service import KEY, Answer, Asked, Service, Work, serving
from tests.providers.veo import VeoService
from tests.unit.providers import case_veo
from tests.unit.providers.pictures import FRAME
from typing_extensions import override

from callsheet.errors import FatalError, InvalidError, NotDoneError, TransientError
from callsheet_studio.providers import catalogue, fal, luma, replicate, runway
from callsheet_studio.providers.port import Order

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from callsheet_studio.providers.port import Progress, Provider

pytestmark = pytest.mark.requirement("P11")


def clip(model: str, seconds: float = 5.0, **more: Any) -> Order:
    given = {"text": "A kite rises.", "width": 1280, "height": 720, **more}
    return Order(kind="clip", model=model, seconds=seconds, **given)


def still(model: str) -> Order:
    return Order(kind="still", model=model, text="A kite.", width=1920, height=1080)


@asynccontextmanager
async def asking(
    service: Service, open_provider: Callable[[str, str], Provider], under: str = ""
) -> AsyncIterator[Provider]:
    async with serving(service):
        provider = open_provider(KEY, f"{service.base_url}{under}")
        try:
            yield provider
        finally:
            await provider.close()


async def end_of(provider: Provider, job: str) -> Progress:
    progress = await provider.look(job)
    while progress.state in {"waiting", "working"}:
        progress = await provider.look(job)
    return progress


def asked_of(service: Service) -> dict[str, Any]:
    (work,) = service.works.values()
    return work.asked


@pytest.mark.parametrize("name", ["fal", "luma", "runway"])
def test_everything_that_the_catalogue_names_can_be_asked_for(name: str) -> None:
    named = list(catalogue.service(name).models.values())
    assert named
    for mode, model in (pair for row in named for pair in row.items()):
        order = still(model) if mode == "t2i" else clip(model, 10.0)
        order = clip(model, 8.0) if model == "veo3.1" else order
        picture = FRAME if mode == "i2v" else None
        if name == "runway":
            kind: runway.Kind = "image_to_video" if picture else "text_to_video"
            asked = runway.arguments(order, runway.models(kind)[model])
        else:
            asked = (fal if name == "fal" else luma).arguments(order, picture)
        assert order.text in asked.values()


async def test_runway_is_asked_with_what_each_model_takes() -> None:
    for order, picture, expected in (
        (clip("gen4.5"), None, {"duration": 5, "ratio": "1280:720"}),
        (clip("gen4_turbo", 7.0, width=720, height=1280), FRAME, {"ratio": "720:1280"}),
        (clip("veo3.1", 8.0, sound=True), FRAME, {"audio": True, "duration": 8}),
        (clip("veo3.1", 4.0, width=1920, height=1080), FRAME, {"audio": False}),
        (still("gen4_image"), None, {"ratio": "1920:1080"}),
    ):
        service = RunwayService()
        async with asking(service, runway.open_provider) as provider:
            await provider.submit(order, picture, "token")
        assert expected.items() <= asked_of(service).items()
        assert ("promptImage" in asked_of(service)) == (picture is not None)


def test_every_model_of_runway_is_asked_as_its_types_want() -> None:
    from pydantic import TypeAdapter
    from runwayml import types

    shown = {"prompt_image": [{"uri": "data:image/png;base64,AA==", "position": "first"}]}
    kinds: tuple[tuple[runway.Kind, Any, dict[str, Any]], ...] = (
        ("image_to_video", types.ImageToVideoCreateParams, shown),
        ("text_to_video", types.TextToVideoCreateParams, {}),
        ("text_to_image", types.TextToImageCreateParams, {}),
    )
    for kind, params, more in kinds:
        known = runway.models(kind)
        adapter: TypeAdapter[Any] = TypeAdapter(params)
        for model, takes in known.items():
            order = clip(model, 8.0) if kind != "text_to_image" else still(model)
            if model == "kling2.5_turbo_pro":
                order = clip(model, 10.0)
            adapter.validate_python({**runway.arguments(order, takes), **more}, strict=True)
        assert len(known) > 10
    assert "gen4_image_turbo" not in runway.models("text_to_image")


async def test_an_order_that_runway_was_told_to_stop_is_not_waited_for() -> None:
    class Stopped(RunwayService):
        @override
        def _task(self, work: Work) -> dict[str, Any]:
            return {**super()._task(work), "status": "CANCELLED", "cost": {"credits": 0}}

    async with asking(Stopped(), runway.open_provider) as provider:
        progress = await provider.look(await provider.submit(clip("gen4.5"), None, "token"))
    assert (progress.state, progress.refused) == ("failed", False)


@pytest.mark.parametrize(
    ("code", "refused"),
    [
        ("SAFETY.OUTPUT.VIDEO", True),
        ("INPUT_PREPROCESSING.SAFETY.TEXT", True),
        ("ASSET.INVALID", True),
        ("INTERNAL.BAD_OUTPUT.CODE01", False),
        (None, False),
    ],
)
async def test_runway_says_whether_the_same_order_would_fail_again(
    code: str | None, refused: bool
) -> None:
    class Failing(RunwayService):
        @override
        def _task(self, work: Work) -> dict[str, Any]:
            failed = {"failure": "It did not work.", "failureCode": code, "cost": {"credits": 0}}
            return {**super()._task(work), "status": "FAILED", **failed}

    async with asking(Failing(), runway.open_provider) as provider:
        progress = await provider.look(await provider.submit(clip("gen4.5"), None, "token"))
    assert (progress.state, progress.refused) == ("failed", refused)
    assert progress.why == "It did not work."


async def test_runway_refuses_a_text_that_is_too_long() -> None:
    service = RunwayService()
    async with asking(service, runway.open_provider) as provider:
        with pytest.raises(InvalidError, match="promptText"):
            await provider.submit(clip("gen4.5", text="x" * 1001), None, "token")
    assert service.orders == []


async def test_runway_does_not_delete_what_is_made() -> None:
    service = RunwayService()
    async with asking(service, runway.open_provider) as provider:
        job = await provider.submit(clip("gen4.5"), None, "token")
        await end_of(provider, job)
        await provider.cancel(job)
        assert service.cancelled == []


async def test_a_state_that_an_sdk_does_not_know_is_asked_about_again() -> None:
    class Paused(RunwayService):
        @override
        def _task(self, work: Work) -> dict[str, Any]:
            return {"id": work.id, "status": "PAUSED", "createdAt": "2026-11-16T09:00:00.000Z"}

    async with asking(Paused(), runway.open_provider) as provider:
        job = await provider.submit(clip("gen4.5"), None, "token")
        with pytest.raises(TransientError):
            await provider.look(job)


async def test_fal_is_asked_with_what_each_endpoint_takes() -> None:
    kling = "fal-ai/kling-video/v2.5-turbo/pro"
    for order, picture, expected in (
        (
            clip("bytedance/seedance-2.0/text-to-video", sound=True),
            None,
            {"duration": "5", "resolution": "720p", "aspect_ratio": "16:9", "generate_audio": True},
        ),
        (clip("bytedance/seedance-2.0/image-to-video"), FRAME, {"generate_audio": False}),
        (clip(f"{kling}/image-to-video", 10.0), FRAME, {"duration": "10"}),
        (clip(f"{kling}/text-to-video"), None, {"aspect_ratio": "16:9"}),
        (clip("minimax/h3/image-to-video"), FRAME, {"duration": 5, "resolution": "768P"}),
        (still("fal-ai/nano-banana-2"), None, {"num_images": 1, "resolution": "1K"}),
    ):
        service = FalService()
        async with asking(service, fal.open_provider) as provider:
            await provider.submit(order, picture, "token")
        assert expected.items() <= asked_of(service).items()


async def test_fal_is_not_asked_for_one_frame_and_given_another_kind_of_endpoint() -> None:
    service = FalService()
    async with asking(service, fal.open_provider) as provider:
        for model, picture in (
            ("bytedance/seedance-2.0/text-to-video", FRAME),
            ("bytedance/seedance-2.0/image-to-video", None),
            ("fal-ai/nano-banana-2", None),
        ):
            with pytest.raises(InvalidError, match="not known here"):
                await provider.submit(clip(model), picture, "token")
    assert service.requests == []


async def test_a_still_of_fal_is_fetched_where_it_says() -> None:
    service = FalService()
    async with asking(service, fal.open_provider) as provider:
        job = await provider.submit(still("fal-ai/nano-banana-2"), None, "token")
        progress = await end_of(provider, job)
        assert await provider.fetch(progress.place) == service.made


async def test_a_runner_of_fal_that_broke_is_a_failure_and_no_refusal() -> None:
    class Broken(FalService):
        @override
        def _status(self, work: Work) -> Answer:
            error = {"error": "The runner went away.", "error_type": "runner_disconnected"}
            return Answer(content={"status": "COMPLETED", "logs": None, **error})

        @override
        def _result(self, work: Work) -> Answer:
            return Answer(status=503, content={"detail": "Runner disconnected"})

    async with asking(Broken(), fal.open_provider) as provider:
        job = await provider.submit(clip("bytedance/seedance-2.0/text-to-video"), None, "token")
        progress = await provider.look(job)
    assert (progress.state, progress.refused) == ("failed", False)
    assert progress.why == "Runner disconnected"


async def test_a_result_of_fal_that_cannot_be_read_now_is_read_later() -> None:
    class Busy(FalService):
        @override
        def _result(self, work: Work) -> Answer:
            return Answer(status=503, content={"detail": "Busy"})

    service = Busy()
    async with asking(service, fal.open_provider) as provider:
        job = await provider.submit(clip("bytedance/seedance-2.0/text-to-video"), None, "token")
        await provider.look(job)
        with pytest.raises(TransientError, match="503: Busy"):
            await provider.look(job)


async def test_luma_is_asked_for_clips_and_stills() -> None:
    for order, picture in ((clip("ray-3.2"), None), (clip("ray-3.2", 10.0), FRAME)):
        service = LumaService()
        async with asking(service, luma.open_provider, "/v1") as provider:
            await provider.submit(order, picture, "token")
        video = asked_of(service)["video"]
        assert (video["duration"], video["resolution"]) == (f"{order.seconds:g}s", "720p")
        assert ("keyframes" in video) == (picture is not None)
    service = LumaService()
    async with asking(service, luma.open_provider, "/v1") as provider:
        await provider.submit(still("uni-1"), None, "token")
        with pytest.raises(InvalidError, match="without a first frame"):
            await provider.submit(still("uni-1"), FRAME, "token")
    assert asked_of(service)["type"] == "image"


@pytest.mark.parametrize(
    ("code", "refused"), [("unsupported_format", True), ("generation_failed", False)]
)
async def test_luma_says_whether_the_same_order_would_fail_again(code: str, refused: bool) -> None:
    class Failing(LumaService):
        @override
        def _generation(self, work: Work) -> dict[str, Any]:
            failed = {"state": "failed", "failure_code": code, "failure_reason": "It did not work."}
            return {**super()._generation(work), **failed}

    async with asking(Failing(), luma.open_provider, "/v1") as provider:
        job = await provider.submit(clip("ray-3.2"), None, "token")
        progress = await provider.look(job)
    assert (progress.state, progress.refused) == ("failed", refused)
    assert progress.why == "It did not work."


async def test_replicate_is_asked_what_a_model_takes_once() -> None:
    service = ReplicateService()
    async with asking(service, replicate.open_provider) as provider:
        for _ in range(2):
            await provider.submit(clip("makers/kite", sound=True), FRAME, "token")
    paths = [each.path for each in service.requests]
    assert paths.count("/v1/models/makers/kite") == 1
    asked = service.works[service.orders[0]].asked
    assert (asked["duration"], asked["resolution"], asked["aspect_ratio"]) == (5, "720p", "16:9")
    assert asked["generate_audio"] is True


async def test_a_large_picture_is_uploaded_to_replicate_first() -> None:
    service = ReplicateService()
    async with asking(service, replicate.open_provider) as provider:
        await provider.submit(clip("makers/kite"), FRAME + bytes(300_000), "token")
    assert asked_of(service)["image"] == f"{service.base_url}/v1/files/uploaded"


async def test_what_fails_before_an_order_to_replicate_ordered_nothing() -> None:
    service = ReplicateService()
    service.break_with("server_error")
    async with asking(service, replicate.open_provider) as provider:
        with pytest.raises(NotDoneError):
            await provider.submit(clip("makers/kite"), None, "token")
        await provider.submit(clip("makers/kite"), None, "token")
        service.break_with("server_error")
        with pytest.raises(TransientError) as caught:
            await provider.submit(clip("makers/kite"), None, "token")
    assert not caught.value.nothing_happened


@pytest.mark.parametrize("lacking", ["prompt", "image"])
async def test_a_model_that_takes_no_prompt_or_no_frame_is_not_ordered_with_one(
    monkeypatch: pytest.MonkeyPatch, lacking: str
) -> None:
    fields = SCHEMAS["Input"]["properties"]
    kept = {name: schema for name, schema in fields.items() if name != lacking}
    monkeypatch.setitem(SCHEMAS["Input"], "properties", kept)
    service = ReplicateService()
    async with asking(service, replicate.open_provider) as provider:
        with pytest.raises(InvalidError, match="takes no"):
            await provider.submit(clip("makers/kite"), FRAME, "token")
    assert service.orders == []


async def test_a_length_is_written_as_the_model_writes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SCHEMAS, "duration", {"type": "string", "enum": ["5", "10"]})
    service = ReplicateService()
    async with asking(service, replicate.open_provider) as provider:
        await provider.submit(clip("makers/kite", 10.0), None, "token")
    assert asked_of(service)["duration"] == "10"


async def test_a_model_of_replicate_that_does_not_say_what_it_takes_is_not_ordered() -> None:
    class Silent(ReplicateService):
        @override
        def _model(self) -> dict[str, Any]:
            return {**super()._model(), "latest_version": None}

    service = Silent()
    async with asking(service, replicate.open_provider) as provider:
        with pytest.raises(InvalidError, match="does not say"):
            await provider.submit(clip("makers/kite"), None, "token")
    assert service.orders == []


async def test_what_replicate_has_deleted_is_gone() -> None:
    class Forgetful(ReplicateService):
        @override
        def _prediction(self, work: Work) -> dict[str, Any]:
            return {**super()._prediction(work), "status": "succeeded", "output": None}

    async with asking(Forgetful(), replicate.open_provider) as provider:
        job = await provider.submit(clip("makers/kite"), None, "token")
        with pytest.raises(FatalError, match="deleted"):
            await provider.look(job)


async def test_what_was_cancelled_is_not_waited_for() -> None:
    async with asking(ReplicateService(), replicate.open_provider) as provider:
        job = await provider.submit(clip("makers/kite"), None, "token")
        await provider.cancel(job)
        progress = await provider.look(job)
    assert (progress.state, progress.refused) == ("failed", False)


@pytest.mark.parametrize(("code", "refused"), [(3, True), (13, False)])
async def test_an_operation_of_veo_that_ends_in_an_error_says_why(code: int, refused: bool) -> None:
    class Failing(VeoService):
        @override
        def _operation(self, resource: str, work: Work) -> dict[str, Any]:
            name = f"{resource}/operations/{work.id}"
            return {"name": name, "done": True, "error": {"code": code, "message": "No."}}

    async with asking(Failing(), lambda _, place: case_veo.opened(place)) as provider:
        order = clip("veo-3.1-lite-generate-001", 4.0, sound=True)
        progress = await provider.look(await provider.submit(order, None, "token"))
    assert (progress.state, progress.why, progress.refused) == ("failed", "No.", refused)


async def test_a_clip_of_veo_that_is_not_there_yet_is_not_fetched() -> None:
    service = VeoService()
    async with asking(service, lambda _, place: case_veo.opened(place)) as provider:
        order = clip("veo-3.1-lite-generate-001", 4.0, sound=True)
        job = await provider.submit(order, None, "token")
        with pytest.raises(NotDoneError, match="Look again"):
            await provider.fetch(job)
        assert await provider.fetch(job) == service.made
    assert asked_of(service)["generateAudio"] is True


def test_servers_that_are_asked_wrongly_say_so() -> None:
    nothing = Asked(method="PATCH", path="/v1/x", query={}, headers={}, body=b"")
    services = (RunwayService(), FalService(), LumaService(), ReplicateService(), VeoService())
    assert [each.answer(nothing).status for each in services] == [401, 401, 401, 401, 400]
