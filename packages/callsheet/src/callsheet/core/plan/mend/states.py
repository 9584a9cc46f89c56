"""States by name, each saying what is next: those that only choose or end are left out.

What a state chooses by becomes the condition of those it chooses from; whoever led to it leads to
them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.core.plan.mend.conditions import condition_in
from callsheet.core.plan.mend.conversions import tool_of
from callsheet.core.plan.mend.desk import says
from callsheet.core.plan.mend.names import bare
from callsheet.core.plan.mend.synonyms import CHOOSING, NEXT, NOTHING

if TYPE_CHECKING:
    from callsheet.core.plan.mend.desk import Mapping
    from callsheet.core.value import Json

_OTHERWISE = ("default", "else", "otherwise")


def choice_in(step: Mapping) -> str | None:
    """The field of a step that says which one is next, if that is all it does."""
    if tool_of(step) is not None or step.get("ask") is not None or step.get("plan") is not None:
        return None
    return next(
        (
            key
            for key, each in step.items()
            if bare(key) in CHOOSING
            and isinstance(each, list)
            and each
            and all(isinstance(rule, dict) and any(bare(k) in NEXT for k in rule) for rule in each)
        ),
        None,
    )


def without_branches(states: dict[str, Mapping]) -> tuple[dict[str, Mapping], list[str]]:
    """The states that do something, and the names of the others."""
    machine = _Machine(states)
    if not machine.idle:
        return states, []
    return machine.states(), sorted(machine.idle, key=list(states).index)


class _Machine:
    def __init__(self, states: dict[str, Mapping]) -> None:
        self._states = states
        self.idle = {name for name, each in states.items() if choice_in(each) or is_idle(each)}
        self._met: dict[str, str] = {}
        for name in self.idle:
            self._choose(name)

    def states(self) -> dict[str, Mapping]:
        made: dict[str, Mapping] = {}
        for name, state in self._states.items():
            if name in self.idle:
                continue
            key = _next_key(state)
            own: Mapping = dict(state)
            if key is not None and self.idle & set(_names(state[key])):
                own[key] = list(self._behind(_names(state[key]), frozenset()))
            if name in self._met and not says(state, "when"):
                own["when"] = self._met[name]
            made[name] = own
        return made

    def _choose(self, name: str) -> None:
        state = self._states[name]
        key = choice_in(state)
        rules = state[key] if key else None
        met: list[str] = []
        for rule in rules if isinstance(rules, list) else []:
            assert isinstance(rule, dict)
            text = condition_in({k: each for k, each in rule.items() if bare(k) not in NEXT})
            if text is not None:
                met.append(text)
                self._meet(_names(rule[_next_key(rule) or ""]), text)
        others = [_names(state[key]) for key in state if bare(key) in _OTHERWISE]
        for each in others if met else ():
            self._meet(each, f"!({' || '.join(f'({one})' for one in met)})")

    def _meet(self, names: list[str], text: str) -> None:
        for name in self._behind(names, frozenset()):
            if not self._is_led_to(name):
                self._met.setdefault(name, text)

    def _is_led_to(self, name: str) -> bool:
        """Whether a state that does something leads there by itself."""
        return any(
            other not in self.idle and (key := _next_key(each)) and name in _names(each[key])
            for other, each in self._states.items()
        )

    def _behind(self, names: list[str], passed: frozenset[str]) -> dict[str, None]:
        """The states that do something, from these on."""
        found: dict[str, None] = {}
        for name in names:
            if name not in self.idle:
                found |= dict.fromkeys([name] if name in self._states else [])
            elif name not in passed:
                found |= self._behind(self._after(name), passed | {name})
        return found

    def _after(self, name: str) -> list[str]:
        state = self._states[name]
        key = choice_in(state)
        rules = state[key] if key else []
        holders = [state, *(rules if isinstance(rules, list) else [])]
        said = [each for each in holders if isinstance(each, dict)]
        nexts = [name for each in said if (at := _next_key(each)) for name in _names(each[at])]
        return nexts + [n for k in state if bare(k) in _OTHERWISE for n in _names(state[k])]


def is_idle(state: Mapping) -> bool:
    """Whether a state calls nothing, and says so."""
    kind = next((each for name, each in state.items() if bare(name) in ("type", "kind")), None)
    calls = tool_of(state) is not None or state.get("ask") is not None or "plan" in state
    return not calls and isinstance(kind, str) and bare(kind) in NOTHING


def _next_key(state: Mapping) -> str | None:
    return next((name for name in state if bare(name) in NEXT), None)


def _names(said: Json) -> list[str]:
    listed = said if isinstance(said, list) else [said]
    return [each for each in listed if isinstance(each, str)]
