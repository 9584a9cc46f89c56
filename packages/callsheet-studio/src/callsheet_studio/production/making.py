"""A production that has been started: its run, and what whoever shows it or answers needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.brief import answered, questions
from callsheet_studio.production.plan import question_step
from callsheet_studio.production.result import production_of

if TYPE_CHECKING:
    from callsheet import Run
    from callsheet_studio.model.brief import Brief, BriefQuestion
    from callsheet_studio.production.commission import Commission
    from callsheet_studio.production.result import Production


class Making(msgspec.Struct, frozen=True):
    """The handle of a production that was started."""

    run: Run
    commission: Commission
    brief: Brief
    """As it is made: of what is ordered, with what may be spent."""

    def questions(self) -> dict[str, BriefQuestion]:
        """What is asked in review, by the step that asks."""
        return {question_step(each): each for each in questions(self.brief)}

    def check(self, step: str, answer: str) -> None:
        """Make sure that an answer to a step can be carried out.

        Raises:
            InputError: the brief cannot be so; says why.
        """
        question = self.questions().get(step)
        if question is not None and answer not in question.options:
            answered(self.brief, {question.key: answer})

    async def wait(self) -> Production:
        """What has been made, when it has ended.

        Raises:
            InputError: it has not succeeded; says why.
        """
        return production_of(await self.run.wait())
