"""The studio's door: everything that is made of a brief, as data. Prints nothing, asks nobody.

    async with Engine.open(home, tools=production_tools()) as engine:
        studio = Studio(engine)
        script = await studio.script("brief.yaml")
        making = await studio.make(studio.commission("brief.yaml", out="film"))
        await making.run.wait()

The command line, `execute_full_pipeline` and whatever else makes films all come in here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from callsheet_studio.branch import BRANCH
from callsheet_studio.production.commission import commission, folder_of, read_brief, this_day

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from datetime import date
    from pathlib import Path

    from callsheet import Artifact, Engine, Run
    from callsheet.types import Tenant
    from callsheet_studio.brief.checked import Checked
    from callsheet_studio.brief.handed import Handed
    from callsheet_studio.model.brief import Brief, BriefQuestion
    from callsheet_studio.model.plan import ProductionPlan
    from callsheet_studio.model.script import Script
    from callsheet_studio.model.shots import ShotList
    from callsheet_studio.model.stack import Stack
    from callsheet_studio.production.commission import BriefSource, Commission
    from callsheet_studio.production.made import Made
    from callsheet_studio.production.making import Making
    from callsheet_studio.production.ordering import Quote
    from callsheet_studio.production.result import Production
    from callsheet_studio.production.stage import Stage
    from callsheet_studio.stack import Changes
    from callsheet_studio.stack.known import KnownStack


class Studio:
    """Makes films, and what comes before them, with the runs of an engine."""

    def __init__(self, engine: Engine | Tenant) -> None:
        """A studio on an engine that has the tools of productions, or on one tenant of it.

        It was opened with `production_tools()`, or with `plugins=True`.
        """
        self._engine = engine

    # Briefs: no engine is needed for these.

    @staticmethod
    def check(brief: BriefSource) -> Checked:
        """What was understood of a brief, what is inferred, and what is worth asking.

        Raises:
            InputError: it is wrong; every problem at once.
        """
        from callsheet_studio.brief.checked import Checked

        return Checked(read_brief(brief))

    @staticmethod
    def questions(brief: BriefSource) -> tuple[BriefQuestion, ...]:
        """What is worth asking before a film is made: at most five questions, with defaults.

        Raises:
            InputError: the brief is wrong.
        """
        from callsheet_studio.brief import questions

        return questions(read_brief(brief))

    commission = staticmethod(commission)

    # Up to the plan

    async def script(
        self,
        brief: BriefSource,
        *,
        answers: Mapping[str, str] | None = None,
        writer: str = "auto",
    ) -> Script:
        """The script of a brief; each beat says who has written it."""
        made = await self.production(brief, stop_after="script", answers=answers, writer=writer)
        return made.script

    async def shots(
        self,
        brief: BriefSource,
        *,
        answers: Mapping[str, str] | None = None,
        writer: str = "auto",
    ) -> ShotList:
        """The shot list of a brief; each shot says who has directed it."""
        made = await self.production(brief, stop_after="shots", answers=answers, writer=writer)
        return _there(made.shots)

    async def plan(
        self,
        brief: BriefSource,
        *,
        today: date | None = None,
        stack: Stack | None = None,
        answers: Mapping[str, str] | None = None,
        writer: str = "auto",
    ) -> ProductionPlan:
        """The production plan of a brief: with what each shot is made, for how much."""
        made = await self.production(
            brief, today=today, stack=stack, answers=answers, writer=writer
        )
        return _there(made.plan)

    async def production(
        self,
        brief: BriefSource,
        *,
        stop_after: Stage = "plan",
        today: date | None = None,
        stack: Stack | None = None,
        answers: Mapping[str, str] | None = None,
        writer: str = "auto",
    ) -> Production:
        """All that is made of a brief up to a stage, without files.

        Args:
            brief: as data, as the path of a file, or read.
            stop_after: the last stage.
            today: the day whose prices and tools count; None: this one.
            stack: the tool stack; None: what can be ordered of that of the engine's home.
            answers: to clarifying questions; the others take their defaults.
            writer: `offline`; a model, as everywhere; or `auto`: an agent that is able to, else
                offline. The report says which.

        Raises:
            InputError: the brief is wrong, or cannot be carried out, or there is no such writer;
                says what to change.
        """
        from callsheet_studio.production.result import production_of

        run = await self.begin(
            read_brief(brief, answers=answers),
            stop_after=stop_after,
            today=today,
            stack=stack,
            folder=folder_of(brief),
            writer=writer,
        )
        return production_of(await run.wait())

    async def begin(  # noqa: PLR0913 -- all but the brief have a default that means something
        self,
        brief: Brief,
        *,
        stop_after: Stage = "plan",
        script: Script | None = None,
        shots: ShotList | None = None,
        files: bool = False,
        review: bool = False,
        today: date | None = None,
        stack: Stack | None = None,
        folder: Path | None = None,
        writer: str = "offline",
        key: str | None = None,
    ) -> Run:
        """Start a production that is delivered nowhere; `made` tells what it comes to.

        Args:
            brief: what is to be made; its pictures are artifacts, or lie in `folder`.
            stop_after: the last stage.
            script: one that was handed in; None: it is written.
            shots: a shot list of that script that was handed in; None: it is made.
            files: whether all documents are made, too, and kept as artifacts.
            review: ask the questions, and have each stage approved.
            today: the day whose prices and tools count; None: this one.
            stack: the tool stack; None: what can be ordered of that of the engine's home.
            folder: where the pictures of the brief lie.
            writer: as `production`.
            key: the same key and content is the same run.

        Raises:
            InputError: a picture is not there, or the key was used for something else.
        """
        from callsheet_studio.production.inputs import inputs_for, keep_pictures
        from callsheet_studio.production.plan import production_plan
        from callsheet_studio.production.writer import writer_for
        from callsheet_studio.providers.catalogue import orderable

        who = writer_for(self._engine, writer, brief)
        day = today or this_day()
        stack = stack or orderable(await self._stack_for(day))
        given: dict[Stage, Script | ShotList] = {}
        given |= {"script": script} if script is not None else {}
        given |= {"shots": shots} if shots is not None else {}
        await keep_pictures(self._engine, brief, folder)
        plan = production_plan(
            brief,
            stop_after=stop_after,
            delivers=False,
            keeps=files,
            given=given.keys(),
            writer=who,
        )
        inputs = inputs_for(brief, day, stack) | ({"review": True} if review else {})
        inputs |= {name: each.model_dump(mode="json") for name, each in given.items()}
        return await self._engine.start(plan, inputs, key=key)

    async def made(self, run: str) -> Made:
        """What has been made by a production, as far as it is, by the id of its run.

        Raises:
            UnknownRunError: there is no such run.
            InputError: it is no production.
        """
        from callsheet_studio.production.made import made_of

        return made_of(await (await self._engine.get(run)).status())

    async def read(
        self,
        brief: Handed | Artifact,
        *,
        constraints: Mapping[str, object] | None = None,
        answers: Mapping[str, str] | None = None,
    ) -> Brief:
        """A brief as it is handed in from elsewhere: its text, its data, or an artifact of those.

        No file of this machine is read.

        Raises:
            InputError: it is wrong, or there is no such artifact.
        """
        from callsheet import Artifact
        from callsheet_studio.brief import read_handed
        from callsheet_studio.brief.problems import Problems
        from callsheet_studio.brief.source import decode

        if isinstance(brief, Artifact):
            data = await self._engine.artifacts.get(brief)
            brief = decode(data, brief.name or "the artifact", "brief", Problems("the brief"))
        return read_brief(
            read_handed(brief), constraints=constraints, answers=answers, by="the request"
        )

    # Films

    async def make(self, asked: Commission, order: Quote | None = None) -> Making:
        """Start to make what is asked for; returns as soon as the run has been started.

        Args:
            asked: see `commission`.
            order: the quote that somebody has said yes to; None: all shots are drawn.

        Raises:
            InputError: it cannot be ordered, there is no such writer, or another process delivers
                into that directory.
        """
        from callsheet_studio.production.inputs import inputs_for, keep_pictures
        from callsheet_studio.production.making import Making
        from callsheet_studio.production.plan import production_plan
        from callsheet_studio.production.writer import writer_for
        from callsheet_studio.providers.catalogue import not_orderable, orderable

        if order is not None:
            order.check()
        brief = order.brief if order else asked.brief
        plan = production_plan(
            brief,
            stop_after=asked.stop_after,
            recut=asked.cut is not None,
            joins=order.joins if order else True,
            bought=order.purchase if order else None,
            marks=asked.offers == "all" and order is None,
            rewords=asked.words is not None,
            writer=writer_for(self._engine, asked.writer, brief),
        )
        known = order.stack if order else await self._stack_for(asked.today)
        every = asked.offers == "all" and order is None
        stack = known if order or every else orderable(known)
        given: dict[str, Any] = {"review": asked.review, "out": str(asked.out)}
        given |= {"force": asked.force}
        given |= {"words": asked.words} if asked.words is not None else {}
        given |= {"marked": list(not_orderable(known))} if every else {}
        given |= asked.cut.inputs() if asked.cut else {}
        with asked.reserved():
            await keep_pictures(self._engine, brief, asked.folder)
            run = await self._engine.start(plan, inputs_for(brief, asked.today, stack) | given)
        return Making(run, asked, brief)

    async def order(
        self,
        asked: Commission,
        *,
        max_cost: float | None = None,
        again: Collection[str] = (),
        voice: str | None = None,
    ) -> Quote:
        """What it costs to order the shots from providers; `make` with the quote is the yes.

        Args:
            asked: see `commission`.
            max_cost: USD that may be spent; None: what the brief says.
            again: shots that are ordered again, although they were bought before.
            voice: an offer and what its provider calls the voice; None: lines are spoken here.

        Raises:
            MaximumMissingError: nobody has said what may be spent.
            InputError: it cannot be planned, or no provider can be called.
        """
        from callsheet_studio.production.ordering import quote

        known = await self._stack_for(asked.today)
        return await quote(self._engine, asked, known, max_cost=max_cost, again=again, voice=voice)

    # The tool stack

    async def stack(self, day: date | None = None, *, tool: str | None = None) -> KnownStack:
        """The tool stack of the home, as it is or was known on a day; with one tool's changes.

        Raises:
            InputError: nothing was known on that day.
        """
        from callsheet_studio.stack.known import KnownStack

        return await KnownStack.kept(self._engine.database(BRANCH), day, tool)

    async def replace_stack(self, stack: Stack, *, dry_run: bool = False) -> Changes:
        """Make this the tool stack of the home; or only say what would change."""
        from callsheet_studio.stack import StackTables

        tables = StackTables(self._engine.database(BRANCH))
        return await (tables.compare(stack) if dry_run else tables.replace(stack))

    async def _stack_for(self, today: date) -> Stack:
        """What is known now; the plan says which of its prices were read after the day."""
        from callsheet_studio.stack import current_stack, known_on

        stack = await current_stack(self._engine.database(BRANCH))
        known_on(stack, today)  # refuses a day on which nothing was known at all
        return stack


T = TypeVar("T")


def _there(made: T | None) -> T:
    """What a stage has made: a run that has succeeded has made it."""
    if made is None:
        raise LookupError("The stage has made nothing.")
    return made
