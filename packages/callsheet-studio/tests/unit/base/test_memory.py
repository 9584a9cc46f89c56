"""Memory: what is large is there as long as it is needed, and not longer."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING, Any, NoReturn, cast

import pytest
from tests.unit.film.films import a_take, shots

from callsheet import Artifact
from callsheet_studio.base import memory
from callsheet_studio.base.memory import for_now, let_go, makes_one_film
from callsheet_studio.film.filming import shoot

if TYPE_CHECKING:
    from callsheet import SyncContext

LOGO = Artifact(digest="0" * 64, media_type="image/png", size=1)


def test_what_is_made_for_now_is_made_once_until_it_is_let_go() -> None:
    made: list[object] = []

    @for_now
    def large() -> object:
        made.append(object())
        return made[-1]

    first = large()
    assert large() is first
    let_go()
    assert large() is not first
    assert made == [first, large()]
    let_go()


class GoneError(Exception):
    """The test has seen enough."""


class Empty:
    """A context that has no artifacts."""

    def load(self, _artifact: Artifact) -> NoReturn:
        raise GoneError


@pytest.mark.parametrize(("once", "again"), [(True, 1), (False, 0)])
def test_a_process_that_makes_one_film_lets_go_of_what_it_has_spoken_with_before_it_films(
    once: bool, again: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "_one", Event())
    if once:
        makes_one_film()
    made: list[int] = []

    @for_now
    def voice() -> Any:
        made.append(len(made))
        return made[-1]

    voice()
    context = cast("SyncContext", Empty())
    with pytest.raises(GoneError):
        shoot.function(a_take(shots()[0], logo=LOGO), "1A", context)
    assert voice() == again
    let_go()
