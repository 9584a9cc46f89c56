"""Who watches an engine from inside: telemetry and alerts. Nobody, unless they are asked for."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from callsheet.observe.alerts import Alert
    from callsheet.observe.telemetry import Telemetry
    from callsheet.ports import Clock, Toolbox
    from callsheet.runtime.runtime import Runtime


class Observers:
    """Those of one engine. What nobody asked for is not even imported."""

    def __init__(
        self, telemetry: Telemetry | bool, on_alert: Callable[[Alert], object] | None
    ) -> None:
        self._telemetry = _telemetry() if isinstance(telemetry, bool) and telemetry else telemetry
        self._on_alert = on_alert

    def around(self, toolbox: Toolbox) -> Toolbox:
        """The same tools, seen by whoever looks at single calls."""
        return self._telemetry.around(toolbox) if self._telemetry else toolbox

    @contextmanager
    def watching(self, runtime: Runtime, clock: Clock) -> Iterator[None]:
        """Watch from before the first run is driven until after the last one is."""
        if self._on_alert is not None:
            from callsheet.observe.alerts import Alerts

            runtime.feed.listen(Alerts(self._on_alert))
        if not self._telemetry:
            yield
            return
        self._telemetry.attach(runtime, clock)
        try:
            yield
        finally:
            self._telemetry.close()


def _telemetry() -> Telemetry:
    from callsheet.observe.telemetry import Telemetry

    return Telemetry()
