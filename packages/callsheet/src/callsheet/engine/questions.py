"""What waits for a person, over all runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from callsheet.core.ids import RunId
from callsheet.core.run.step import Question

if TYPE_CHECKING:
    from callsheet.core.value import Json


class OpenQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A question, an approval or a doubt that nobody has answered yet."""

    run: RunId
    plan: str
    """The name of the run's plan."""
    tenant: str
    question: Question

    @property
    def command(self) -> str:
        """What to type, with an answer in the place of VALUE."""
        return f"callsheet answer {self.run} {self.question.step} VALUE"

    def to_json(self) -> dict[str, Json]:
        """As plain data: the question, whose it is, and the command that answers it."""
        return {
            "run": self.run,
            "plan": self.plan,
            "tenant": self.tenant,
            **self.question.to_json(),
            "answer_with": self.command,
        }
