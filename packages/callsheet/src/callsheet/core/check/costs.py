"""Checking costs: what is estimated must fit the budget, what may be spent must be declared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet.core.plan.order import ranks
from callsheet.core.plan.plan import NOTHING, Budget, Cost

if TYPE_CHECKING:
    from callsheet.core.check.survey import Subject, Survey
    from callsheet.core.problem import Report

_CURRENCIES = ("usd", "credits", "tokens")


def check_costs(survey: Survey, report: Report) -> None:
    """Report ceilings that are missing, too low or over a cap, and estimates over a cap."""
    budget = survey.plan.budget or Budget()
    for subject in survey.subjects:
        if subject.spec is not None:
            _check_ceiling(subject, budget, report)
    certain, possible = _estimates(survey)
    for currency in (*_CURRENCIES, "calls"):
        cap: float | None = getattr(budget, currency)
        least: float = getattr(certain, currency)
        most: float = getattr(possible, currency)
        place = ("budget", currency)
        if cap is None or most <= cap:
            continue
        if least > cap:
            what = f"the steps are estimated at {least:g} {currency}, the budget is {cap:g}"
            report.error(place, what, f"Raise it to {least:g} or more, or leave out steps.")
        else:
            what = f"if all steps run, they are estimated at {most:g} {currency} of {cap:g}"
            report.warn(place, what, "The last of them would be refused.")


def _check_ceiling(subject: Subject, budget: Budget, report: Report) -> None:
    cost, ceiling = cost_of(subject), ceiling_of(subject)
    for currency in _CURRENCIES:
        cap: float | None = getattr(budget, currency)
        estimate: float = getattr(cost, currency)
        most: float | None = getattr(ceiling, currency) if ceiling else None
        if most is None:
            if cap is not None and estimate > 0:
                what = f"the call costs {currency} and has no ceiling, in a run with a cap on it"
                fix = f"declare a ceiling: `ceiling: {{{currency}: {estimate:g}}}`."
                report.error(subject.place, what, fix[0].upper() + fix[1:])
        elif estimate > most:
            what = f"the estimate of {estimate:g} {currency} is over the ceiling of {most:g}"
            report.error((*subject.place, "ceiling"), what, "Raise the ceiling.")
        elif cap is not None and most > cap:
            what = f"one call may cost {most:g} {currency}, the budget is {cap:g}"
            report.error((*subject.place, "ceiling"), what, "Raise the budget.")


def cost_of(subject: Subject) -> Cost:
    """What one call of the step is expected to cost."""
    own = subject.step.cost
    return own if own is not None else (subject.spec and subject.spec.cost) or NOTHING


def ceiling_of(subject: Subject) -> Cost | None:
    """What one call of the step can cost at most, if anybody says."""
    own = subject.step.ceiling
    return own if own is not None else (subject.spec and subject.spec.ceiling) or None


def _estimates(survey: Survey) -> tuple[Cost, Cost]:
    """The estimate of the steps that run in any case, and that of all."""
    certain = possible = NOTHING
    depends = _conditional(survey)
    for subject in survey.subjects:
        if subject.spec is None:
            continue
        count = len(subject.step.for_each) if isinstance(subject.step.for_each, list) else 1
        one = cost_of(subject)
        total = Cost(
            usd=one.usd * count, credits=one.credits * count, tokens=one.tokens * count, calls=count
        )
        possible = possible.plus(total)
        if subject.step.id not in depends:
            certain = certain.plus(total)
    return certain, possible


def _conditional(survey: Survey) -> set[str]:
    """The steps that may be skipped: by their own `when`, or with something they need."""
    order = ranks({subject.step.id: subject.needs for subject in survey.subjects})
    found: set[str] = set()
    for name in order:
        subject = survey.by_id[name]
        if subject.step.when is not None or (
            not subject.step.run_if_skipped and not found.isdisjoint(subject.needs)
        ):
            found.add(name)
    return found
