"""Callsheet runs AI tool calls as plans.

In parallel, durably, inside a budget, cancellable, undoable and exactly replayable:

    async with Engine.open("home", tools=[book, cancel]) as engine:
        run = await engine.start("trip.yaml", inputs={"city": "Oslo"})
        result = await run.wait()

The doors: `callsheet` (this one); `callsheet.errors`, all that is raised; `callsheet.types`, what
comes back; `callsheet.apps`, for whoever builds an app on the engine; `callsheet.testing`, for
whoever tests tools and stores. Everything else may change from one version to the next.
"""

from callsheet.lazy import door

__version__ = "0.2.0"
__getattr__, __all__ = door(__name__, __file__)


def __dir__() -> list[str]:
    return __all__
