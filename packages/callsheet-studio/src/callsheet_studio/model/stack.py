"""The tool stack: what films can be made with, at which price, with source and date."""

from __future__ import annotations

from datetime import date
from typing import Literal

from pydantic import Field

from callsheet_studio.model.base import Data

Status = Literal["active", "legacy", "retired"]
Category = Literal["video", "image", "voice", "music", "sfx", "render"]
Mode = Literal["t2v", "i2v", "v2v"]


class Source(Data):
    """Where a fact was read."""

    id: str
    title: str
    url: str
    as_of: date
    kind: str = ""


class Grid(Data):
    """Which lengths a clip can have, in seconds."""

    lengths: tuple[float, ...] = ()
    """Ascending; empty if any length from `least` to `most` is possible."""
    least: float = 0
    most: float


class Offer(Data):
    """A stack tool at a provider, in one resolution and with or without sound, with its price."""

    id: str
    """`runway-gen4.5@runway-api`, with conditions behind it where one provider has several."""
    provider: str
    unit: str
    """`second`, `clip`, `image`, `1k_characters`, `track`, `minute`, `month`, `credit`."""
    unit_seconds: float | None = None
    """For `clip`: how long the clip is that the price is for."""
    usd: float = Field(ge=0)
    minimum_usd: float = Field(default=0, ge=0)
    """Charged at least, for each call."""
    resolution: str | None = None
    """Of the short side, as `720p`; None if it is not told."""
    audio: bool | None = None
    conditions: dict[str, object] = Field(default_factory=dict)
    until: date | None = None
    """The last day on which it is offered."""
    source: str
    as_of: date
    key: str = ""
    """What the source calls it."""
    page: str = ""
    """Where the source itself read it."""


class Benchmark(Data):
    """A measured quality, comparable inside one board and date only."""

    board: str
    score: float
    interval: float | None = None
    share: float | None = Field(default=None, ge=0, le=1)
    """Chance to be preferred to the board's median."""
    votes: int | None = None
    source: str
    as_of: date


class Latency(Data):
    """How long a call takes, in seconds."""

    kind: str
    least: float | None = None
    typical: float | None = None
    most: float | None = None
    source: str
    as_of: date


class StackTool(Data):
    """A row of the tool stack: a model or program, with its offers."""

    id: str
    name: str
    vendor: str
    category: Category
    status: Status
    retires: date | None = None
    """The first day on which it is not there any more."""
    modes: tuple[str, ...]
    grid: Grid | None = None
    resolutions: tuple[str, ...] = ()
    """Of the short side, as `720p`; empty if it is not told."""
    aspects: tuple[str, ...] = ()
    native_audio: bool | None = None
    lip_sync: bool | None = None
    reference_images: int | None = None
    licence: str | None = None
    regions: tuple[str, ...] = ()
    """Where it may be used; `!EU`: everywhere but there; empty if it is not told."""
    strengths: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """What was said beyond the fields: of sound, lip sync, hardware, its end, its benchmarks."""
    api: str = ""
    offers: tuple[Offer, ...]
    benchmarks: tuple[Benchmark, ...] = ()
    latency: tuple[Latency, ...] = ()
    sources: tuple[str, ...] = ()
    as_of: date


class Stack(Data):
    """The tool stack as of a day."""

    as_of: date
    tools: tuple[StackTool, ...]
    sources: tuple[Source, ...]
    latency_prior: Latency
