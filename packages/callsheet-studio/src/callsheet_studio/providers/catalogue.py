"""Which services can be called, with which key, and what they call the tools of the stack."""

from __future__ import annotations

import importlib
import os
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from math import ceil, floor
from threading import Lock
from typing import TYPE_CHECKING, Any, cast

import rtoml
from pydantic import Field

from callsheet.errors import InputError
from callsheet_studio.model.base import Data
from callsheet_studio.model.stack import Grid, Latency, Offer, StackTool

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from callsheet_studio.model.stack import Stack
    from callsheet_studio.providers.port import Provider

_IMPORTING = Lock()
EXTRA = "pip install 'callsheet-studio[providers]'"
_VARIABLE = "CALLSHEET_SECRET_"
_PLACE = "CALLSHEET_URL_"
_KNOWN = {"note", "resolutions", "minimum_s", "max_s"}
"""Conditions that an order fulfils as it is: the others would have to be asked for."""
_SEEN = {"t2v", "i2v", "t2i"}
"""The modes in which shots, and the pictures they begin with, are ordered."""
_OURS = "render"
"""The category of what is made here, without a provider."""
BOARD = "storyboard-frame"
"""The tool that stands for the frame of the storyboard, in a stack that is planned with."""


class Service(Data):
    """A provider that there is an adapter for."""

    name: str
    """Of the module beside this one."""
    offered_as: tuple[str, ...]
    """As offers of the stack name it."""
    secret: str
    package: str
    at_once: bool = False
    """Whether what is ordered is there as soon as the order is answered, and only then."""
    models: dict[str, dict[str, str]] = Field(default_factory=dict)
    """Tool of the stack, and mode, to the name that the service has for it."""
    aspects: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """Of tools that are not made there in all the shapes that the stack tells."""

    @property
    def variable(self) -> str:
        """Where its key is looked for."""
        return f"{_VARIABLE}{self.secret}"

    @property
    def has_key(self) -> bool:
        """Whether there is a key."""
        return bool(os.environ.get(self.variable))

    @property
    def is_installed(self) -> bool:
        """Whether its SDK is there; nothing of it is imported."""
        try:
            return find_spec(self.package) is not None
        except ModuleNotFoundError:
            return False

    def model(self, tool: str, mode: str) -> str | None:
        """What it calls a tool of the stack in a mode; None: it is not ordered so."""
        return self.models.get(tool, {}).get(mode)


@cache
def services() -> tuple[Service, ...]:
    """All services that there is an adapter for."""
    text = files("callsheet_studio.providers").joinpath("catalogue.toml").read_text("utf-8")
    found = cast("dict[str, dict[str, object]]", rtoml.loads(text)["services"])
    return tuple(Service.model_validate({"name": name, **each}) for name, each in found.items())


def service(name: str) -> Service:
    """The service of a name.

    Raises:
        InputError: there is none.
    """
    found = next((each for each in services() if each.name == name), None)
    if found is None:
        known = ", ".join(each.name for each in services())
        raise InputError(f"There is no provider {name!r}. There are {known}.")
    return found


def service_of(offer: Offer) -> Service | None:
    """Who is called for an offer; None: nobody can be."""
    return next((each for each in services() if offer.provider in each.offered_as), None)


def is_callable(tool: StackTool, offer: Offer) -> bool:
    """Whether an offer of something that is seen can be ordered as it is priced, in some mode."""
    found = service_of(offer)
    if found is None or not _SEEN & set(found.models.get(tool.id, ())):
        return False
    return offer.unit in {"second", "clip", "image"} and set(offer.conditions) <= _KNOWN


def callable_stack(stack: Stack, names: Collection[str]) -> Stack:
    """What can be made here or ordered from some services, and nothing else.

    Orders carry no pictures of figures: a clip in which somebody is seen again has to begin with a
    picture. If nobody who may be asked makes pictures, it is the drawn frame of the storyboard.

    Args:
        stack: all that there is.
        names: of the services that may be asked.
    """
    tools = []
    for tool in stack.tools:
        offers = tuple(each for each in tool.offers if _is_asked(tool, each, names))
        if offers:
            update: dict[str, Any] = {"offers": offers, "modes": _modes(tool, offers)}
            update |= {"reference_images": None} if tool.category == "video" else {}
            update |= {"grid": _whole(tool.grid)} if tool.grid else {}
            update |= {"aspects": _aspects(tool, offers)}
            tools.append(tool.model_copy(update=update))
    if not any(tool.category == "image" for tool in tools):
        tools.append(_drawn(stack))
    return stack.model_copy(update={"tools": tuple(tools)})


def orderable(stack: Stack) -> Stack:
    """What `--produce` can order, whether there are keys or not, and what is made here."""
    return callable_stack(stack, [each.name for each in services()])


def not_orderable(stack: Stack) -> tuple[str, ...]:
    """The offers of things that are seen that nobody here can order."""
    return tuple(
        offer.id
        for tool in stack.tools
        if tool.category in {"video", "image"}
        for offer in tool.offers
        if not is_callable(tool, offer)
    )


def _aspects(tool: StackTool, offers: Collection[Offer]) -> tuple[str, ...]:
    """Those that all of the offers can be ordered in."""
    known = [found.aspects.get(tool.id) for each in offers if (found := service_of(each))]
    less = [each for each in known if each is not None]
    return tuple(each for each in tool.aspects if all(each in some for some in less))


def _whole(grid: Grid) -> Grid:
    """Where any length is possible, whole seconds are: orders are given in them."""
    if grid.lengths:
        return grid
    lengths = range(ceil(grid.least), floor(grid.most) + 1)
    return grid.model_copy(update={"lengths": tuple(float(each) for each in lengths if each)})


def _drawn(stack: Stack) -> StackTool:
    """The frame of the storyboard: it shows everybody as they look in all shots."""
    about: dict[str, Any] = {"source": "callsheet", "as_of": stack.as_of}
    offer = Offer(id=f"{BOARD}@local-cpu", provider="local CPU", unit="image", usd=0, **about)
    return StackTool(
        id=BOARD,
        name="Storyboard frame, drawn here",
        vendor="Callsheet",
        category="image",
        status="active",
        modes=("t2i", "multi-reference"),
        licence="CC0",
        offers=(offer,),
        latency=(Latency(kind="measured", typical=1, **about),),
        as_of=stack.as_of,
    )


def _is_asked(tool: StackTool, offer: Offer, names: Collection[str]) -> bool:
    if tool.category == _OURS:
        return True
    found = service_of(offer)
    return found is not None and found.name in names and is_callable(tool, offer)


def _modes(tool: StackTool, offers: Collection[Offer]) -> tuple[str, ...]:
    """Those in which all of the offers can be ordered; what an image tool is shown stays."""
    named = [found.models[tool.id] for each in offers if (found := service_of(each))]
    return tuple(
        mode for mode in tool.modes if mode not in _SEEN or all(mode in each for each in named)
    )


def prepare(name: str) -> None:
    """Import what a service needs, which takes a while.

    Raises:
        InputError: its SDK is not installed, or there is no such provider.
    """
    found = service(name)
    if not found.is_installed:
        raise InputError(f"{found.offered_as[0]} needs a package that is not there. Run: {EXTRA}")
    # One at a time: two threads that import modules which need each other may find half of one.
    with _IMPORTING:
        importlib.import_module(found.package)
        importlib.import_module(f"callsheet_studio.providers.{found.name}")


def opened(name: str, key: str) -> Provider:
    """A provider, ready to be asked.

    `CALLSHEET_URL_FAL` and the like say where it is, if that is not where its SDK finds it.

    Raises:
        InputError: its SDK is not installed, there is no such provider, or the key is none.
    """
    prepare(name)
    module = importlib.import_module(f"callsheet_studio.providers.{name}")
    provider: Provider = module.open_provider(key, base_url(service(name), os.environ))
    return provider


def base_url(found: Service, environment: Mapping[str, str]) -> str | None:
    """Where a service is, if the environment says so."""
    return environment.get(f"{_PLACE}{found.name.upper()}") or None
