"""Artifacts: bytes put, listed, and read, whole or in part."""

from __future__ import annotations

import asyncio
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import quote

import msgspec
from fastapi import Query
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from callsheet.core.plan.artifact import is_digest
from callsheet.serve.http.route import caller_of, needs, service_of
from callsheet.serve.problems import Refusal
from callsheet.serve.routes.documented import RUN, answers, pages, problem
from callsheet.serve.routes.models import ArtifactTold, ListedArtifactTold
from callsheet.serve.routes.shared import Cursor, Limit, page, routes_of, tenant_of, told, went_on

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from callsheet.core.plan.artifact import Artifact
    from callsheet.engine.artifacts import ListedArtifact
    from callsheet.engine.tenant.tenant import Tenant

routes = routes_of("artifacts")
PLAYED = ("image/", "audio/", "video/")
"""What a browser shows by itself; everything else is saved."""
SCRIPTED = ("image/svg+xml",)
OCTETS = "application/octet-stream"
_NO_NAME = frozenset("/\\")
_TYPE = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]{0,126}/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\Z")
_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})\Z")
MOST = 10_000
ARTIFACT = {
    "$artifact": "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881",
    "media_type": "text/plain",
    "size": 1,
    "name": "a.txt",
}
LISTED = {
    "digest": ARTIFACT["$artifact"],
    "media_type": "text/plain",
    "size": 1,
    "run": RUN,
    "step": "a",
    "tool": "value",
    "used_by": 0,
    "written_at": "2026-11-18T05:05:15.323137Z",
}


class Wanted(msgspec.Struct, frozen=True):
    """The bytes of an artifact that somebody asks for."""

    first: int
    last: int
    """The last of them, and not the one after it."""
    size: int

    @property
    def is_part(self) -> bool:
        """Whether they are not all."""
        return self.last - self.first + 1 != self.size


@routes.post(
    "/artifacts",
    status_code=201,
    responses=answers(ArtifactTold, ARTIFACT, 409, 507, status=201, what="It is kept"),
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {OCTETS: {"schema": {"type": "string", "format": "binary"}, "example": "x"}},
        }
    },
)
@needs("artifacts:write", streams=True)
async def put(
    request: Request,
    name: Annotated[str, Query(max_length=255, description="What the file is called.")] = "",
) -> Response:
    """Keep bytes, and answer with what stands for them in the inputs of a run.

    The body is the bytes, of the type that `Content-Type` says. What nothing refers to is deleted
    by a later collection.
    """
    media_type = request.headers.get("content-type", OCTETS).partition(";")[0].strip().lower()
    if not _TYPE.match(media_type):
        raise Refusal(415, "media_type", "Content-Type is no type, as text/plain is one.")
    if name in (".", "..") or not name.isprintable() or not _NO_NAME.isdisjoint(name):
        raise Refusal(422, "request", "query.name: it is the name of a file, without a path.")
    with tempfile.NamedTemporaryFile(prefix="callsheet-") as draft:
        async for piece in request.stream():
            await asyncio.to_thread(draft.write, piece)
        await asyncio.to_thread(draft.flush)
        artifact = await tenant_of(request).artifacts.put(
            Path(draft.name), media_type=media_type, name=name or "artifact"
        )
    await service_of(request).uploads.note(caller_of(request).tenant, artifact)
    return told(artifact.to_json(), 201, {"Location": f"/api/artifacts/{artifact.digest}"})


@routes.get("/artifacts", responses=pages(ListedArtifactTold, LISTED))
@needs("artifacts:read")
async def listed(
    request: Request,
    run: Annotated[str | None, Query(max_length=100, description="Only those of a run.")] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response:
    """What is kept, newest first; or what occurs in a run, in order."""
    after = went_on(request, f"artifacts/{run or ''}", cursor)
    skipped = int(after) if after is not None else 0
    every = await tenant_of(request).artifacts.list(run=run, limit=min(skipped + limit + 1, MOST))
    found = list(enumerate(await _named(request, every), 1))[skipped:]
    return page(
        request,
        f"artifacts/{run or ''}",
        found,
        limit,
        lambda each: each[1].to_json(),
        lambda each: str(each[0]),
    )


async def _named(request: Request, listed: list[ListedArtifact]) -> list[ListedArtifact]:
    """With the types and names that were given with uploads."""
    tenant = caller_of(request).tenant
    named = await service_of(request).uploads.named(tenant, [each.artifact for each in listed])
    return [
        msgspec.structs.replace(each, artifact=artifact)
        for each, artifact in zip(listed, named, strict=True)
    ]


def _bytes() -> dict[int | str, dict[str, Any]]:
    found = answers(None, None)
    shape = {"schema": {"type": "string", "format": "binary"}}
    for status, what in ((200, "The bytes"), (206, "Some of the bytes")):
        found[status] = {"description": what, "content": {"*/*": shape}}
    return {**found, 304: {"description": "They are what they were"}, 416: problem(416)}


@routes.get("/artifacts/{digest}", response_class=Response, responses=_bytes())
@needs("artifacts:read")
async def get(request: Request, digest: str) -> Response:
    """The bytes of an artifact, or a range of them. `ETag` is the digest."""
    return await _answer(request, digest, with_body=True)


@routes.head("/artifacts/{digest}", response_class=Response, responses=_bytes())
@needs("artifacts:read")
async def head(request: Request, digest: str) -> Response:
    """What `GET` would say of it, without the bytes."""
    return await _answer(request, digest, with_body=False)


async def _answer(request: Request, digest: str, *, with_body: bool) -> Response:
    tenant = tenant_of(request)
    if not is_digest(digest):
        raise Refusal(404, "unknown_artifact", "There is no such artifact.")
    (about,) = await _named(request, [await tenant.artifacts.about(digest)])
    artifact = about.artifact
    headers = _headers(artifact)
    if f'"{digest}"' in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    wanted = _wanted(request.headers.get("range"), artifact.size)
    status = 206 if wanted.is_part else 200
    if wanted.is_part:
        headers["Content-Range"] = f"bytes {wanted.first}-{wanted.last}/{wanted.size}"
    headers["Content-Length"] = str(wanted.last - wanted.first + 1)
    kind = artifact.media_type or OCTETS
    if not with_body:
        return Response(status_code=status, headers=headers, media_type=kind)
    return StreamingResponse(
        _pieces(tenant, digest, wanted), status, headers=headers, media_type=kind
    )


def _headers(artifact: Artifact) -> dict[str, str]:
    kind = artifact.media_type
    is_shown = kind.startswith(PLAYED) and kind not in SCRIPTED
    name = quote(artifact.name or artifact.digest[:12], safe="")
    how = "inline" if is_shown else "attachment"
    return {
        "ETag": f'"{artifact.digest}"',
        "Accept-Ranges": "bytes",
        "Content-Disposition": f"{how}; filename*=UTF-8''{name}",
        # It never changes; but who may read it may.
        "Cache-Control": "private, max-age=0, must-revalidate",
    }


def _wanted(said: str | None, size: int) -> Wanted:
    """The range that is asked for; one that is not understood is all of it.

    Raises:
        Refusal: it begins beyond the end.
    """
    whole = Wanted(0, size - 1, size)
    found = _RANGE.match(said.strip()) if said else None
    if found is None or not (found[1] or found[2]):
        return whole
    if not found[1]:
        first, last = max(0, size - int(found[2])), size - 1
    else:
        first, last = int(found[1]), min(int(found[2] or size - 1), size - 1)
    if first > last:
        raise Refusal(
            416,
            "range",
            f"The artifact has {size} bytes.",
            headers={"Content-Range": f"bytes */{size}"},
        )
    return Wanted(first, last, size)


async def _pieces(tenant: Tenant, digest: str, wanted: Wanted) -> AsyncGenerator[bytes, None]:
    at = 0
    async for piece in tenant.artifacts.read(digest):
        begin, end = max(wanted.first - at, 0), wanted.last + 1 - at
        at += len(piece)
        if begin < len(piece) and end > 0:
            yield bytes(piece[begin : min(end, len(piece))])
        if end <= len(piece):
            return
