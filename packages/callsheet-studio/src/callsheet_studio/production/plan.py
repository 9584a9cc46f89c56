"""The plan of a production: every stage is a step, and so is every document.

Review and auto are the same plan: in review the questions are asked and each stage is approved, in
auto the defaults are taken and nothing waits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import structs

from callsheet import Budget, Plan, Step
from callsheet_studio.base.voices import is_loaded
from callsheet_studio.brief import questions
from callsheet_studio.production.files import FILES, MORE, until
from callsheet_studio.production.stage import PRODUCTION, STAGES, Stage
from callsheet_studio.production.writer import Writer, Written

if TYPE_CHECKING:
    from collections.abc import Collection

    from callsheet_studio.model.brief import Brief, BriefQuestion
    from callsheet_studio.providers.orders import Orders, Want

GO_ON = "go on"
STOP = "stop here"
_ASK = "ask_"

_APPROVALS: dict[Stage, str] = {
    "script": "The script is written: ${length(steps.script.beats)} beats. Go on with the shots?",
    "shots": "The shot list is made: ${length(steps.shots.shots)} shots. Go on with the plan?",
    "plan": "The plan: ${steps.plan.summary.text} Go on with the film?",
}

_CREATIVE = "${steps.brief.creative}"
"""The brief without money and time."""
_WHOLE = "${steps.brief.whole}"


def production_plan(  # noqa: PLR0913 -- each is one thing that a production has or has not
    brief: Brief,
    *,
    stop_after: Stage = "film",
    delivers: bool = True,
    recut: bool = False,
    joins: bool = True,
    bought: Purchase | None = None,
    marks: bool = False,
    rewords: bool = False,
    keeps: bool = False,
    given: Collection[Stage] = (),
    writer: Writer | None = None,
) -> Plan:
    """The plan that makes a film of a brief, up to a stage.

    Args:
        brief: only its questions, its language and what it brings itself are looked at; it is an
            input of the run.
        stop_after: the last stage.
        delivers: whether files are written into `inputs.out`.
        recut: whether `inputs.cut`, an editor's timeline, is taken over.
        joins: whether the plan may put a shot together of several clips.
        bought: which shots are ordered from providers; None: all are drawn.
        rewords: whether `inputs.words`, our screenplay with other words, is taken over.
        marks: whether `inputs.marked` names offers that nobody here can order.
        keeps: whether the files are made and kept as artifacts, also where none is delivered.
        given: the stages that are handed in, as `inputs.script` and `inputs.shots`.
        writer: who writes; None: the offline way.
    """
    writer = writer or Writer()
    written: tuple[Written, ...] = ("script", "shots")
    return _Production(
        asked=tuple(_question(each) for each in questions(brief)),
        stages=until(stop_after),
        delivers=delivers,
        recut=recut,
        joins=joins,
        bought=bought,
        marks=marks,
        rewords=rewords,
        keeps=keeps or delivers,
        given=frozenset(given),
        speaks="studio.voice" if is_loaded(brief.content.language) else "studio.pico",
        writer=writer,
        modelled=tuple(each for each in written if writer.writes(each, brief)),
    ).plan()


def question_step(question: BriefQuestion) -> str:
    """The step that asks it, in review."""
    return f"{_ASK}{question.key}"


def _question(question: BriefQuestion) -> Step:
    hint = f" {question.hint}" if question.hint else ""
    usual = f" In auto it is: {question.default}." if question.default else ""
    return Step(
        id=question_step(question),
        ask=f"{question.text}{hint}{usual}".replace("${", "$${"),
        choices=question.options if question.kind == "choice" else (),
        when="${inputs.review}",
    )


class Purchase(msgspec.Struct, frozen=True):
    """What is ordered from providers, and what it may cost."""

    orders: Orders
    max_cost: float
    """USD: nothing is ordered that could cost more."""
    voices: tuple[Want, ...] = ()
    """Lines that a provider speaks; without any, they are spoken here."""


class _Production(msgspec.Struct, frozen=True):
    """What is to be made."""

    asked: tuple[Step, ...]
    stages: tuple[Stage, ...]
    delivers: bool
    recut: bool
    joins: bool
    bought: Purchase | None
    marks: bool
    rewords: bool
    keeps: bool
    given: frozenset[Stage]
    speaks: str
    """The tool."""
    writer: Writer
    modelled: tuple[Written, ...]
    """What the model of the writer writes."""

    def plan(self) -> Plan:
        steps = [*self.asked, self._settled()]
        for stage in self.stages:
            steps += self._stage(stage)
        steps.append(self._report())
        if self.delivers:
            steps.append(self._delivery("deliver", self.stages, "${steps.report}"))
        cut: dict[str, Any] = {"cut": {"type": "object"}} if self.recut else {}
        cut |= {"marked": {"type": "array"}} if self.marks else {}
        cut |= {"words": {"type": "string"}} if self.rewords else {}
        cut |= {stage: {"type": "object"} for stage in STAGES if stage in self.given}
        return Plan(
            name=PRODUCTION,
            description="From a brief to script, shot list and production plan.",
            inputs={
                "brief": {"type": "object"},
                "stack": {"type": "object"},
                "today": {"type": "string"},
                "review": {"type": "boolean", "default": False},
                "out": {"type": "string", "default": ""},
                "force": {"type": "boolean", "default": False},
                **cut,
            },
            steps=tuple(steps),
            output="${steps.report.summary}",
            # What was paid for is kept when something else fails, and is not ordered again.
            on_failure="continue" if self.bought else "undo",
            on_cancel="undo" if self.bought else None,
            budget=Budget(usd=self.bought.max_cost) if self.bought else None,
        )

    def _source(self, name: str) -> str:
        """Where a stage's result is taken from by what comes after the shots."""
        is_cut = self.recut and name in {"script", "shots", "brief"}
        if name == "brief":
            return "${steps.recut.brief}" if is_cut else _WHOLE
        return f"${{steps.recut.{name}}}" if is_cut else f"${{steps.{name}}}"

    def _settled(self) -> Step:
        answers: dict[str, Any] = {
            step.id.removeprefix(_ASK): f"${{steps.{step.id}}}" for step in self.asked
        }
        return Step(
            id="brief",
            tool="studio.brief",
            args={"brief": "${inputs.brief}", "answers": answers},
            run_if_skipped=True,
        )

    def _stage(self, stage: Stage) -> list[Step]:
        """The steps that make it, those that write it down, and the approval that follows."""
        made = [_given(stage)] if stage in self.given else self._making(stage)
        written = self._written(stage)
        steps = [*made, *(each for name in written for each in self._documents(name))]
        if stage == self.stages[-1]:
            return steps
        is_shown = self.delivers and bool(written)
        shown = [self._delivery(f"show_{stage}", written, {}, when="${inputs.review}")]
        shown = shown if is_shown else []
        approval = Step(
            id=f"ok_{stage}",
            ask=_APPROVALS[stage],
            choices=(GO_ON, STOP),
            when="${inputs.review}",
            needs=tuple(step.id for step in (*shown, made[-1])),
        )
        return [*steps, *shown, approval]

    def _written(self, stage: Stage) -> tuple[Stage, ...]:
        """The stages whose documents are made in this one: what is cut is written down after it."""
        if not self.recut or stage in {"plan", "film"}:
            return (stage,)
        return () if stage == "script" else ("script", "shots")

    def _making(self, stage: Stage) -> list[Step]:
        match stage:
            case "script":
                args: dict[str, Any] = {"brief": _CREATIVE}
                if not self.rewords:
                    return self._written_by("script", _read("script", args))
                words: dict[str, Any] = {"script": "${steps.written}", "text": "${inputs.words}"}
                first = Step(id="written", tool="studio.script", args=args, cache=True)
                return [
                    *self._written_by("script", first),
                    Step(id="script", tool="studio.reword", args=words, cache=True),
                ]
            case "shots":
                args = {"script": "${steps.script}", "brief": _CREATIVE}
                shots = _approved(_read("shots", args), "script")
                return [
                    *self._written_by("shots", shots),
                    *([self._recut()] if self.recut else []),
                ]
            case "plan":
                args = {name: self._source(name) for name in ("shots", "brief")}
                asked = _approved(_read("asked", args), "shots")
                args = {name: f"${{steps.asked.{name}}}" for name in args}
                args |= {"stack": "${inputs.stack}", "today": "${inputs.today}"}
                args |= {} if self.joins else {"joins": False}
                return [asked, _read("plan", args)]
            case "film":
                return self._filming()

    def _written_by(self, what: Written, step: Step) -> list[Step]:
        """The step that writes it, or those with which a model does."""
        if what not in self.modelled:
            return [step]
        return self.writer.steps(what, dict(step.args), step)

    def _filming(self) -> list[Step]:
        """Voices and shots are made while the plan is; the film waits until that is approved."""
        cut: dict[str, Any] = {name: self._source(name) for name in ("shots", "script", "brief")}
        said: dict[str, Any] = {name: f"${{steps.score.{name}}}" for name in ("lines", "fps")}
        seen = "${steps.hard_cuts}" if self.bought else cut["shots"]
        steps = [
            *self._hard_cuts(cut["shots"]),
            _read("lines", {"script": cut["script"], "brief": cut["brief"]}),
            *self._voices(),
            _read("place", {**said, "voices": "${steps.voices}"}),
            _read(
                "captions",
                {"script": cut["script"], "brief": cut["brief"], "placing": "${steps.place}"},
            ),
            _read(
                "takes",
                {
                    "shots": seen,
                    "brief": cut["brief"],
                    "captions": "${steps.captions.burned}",
                },
            ),
            *self._filmed(),
            _read("score", cut),
            _read("mix", {"score": "${steps.score}", "voices": "${steps.voices}"}),
            _read(
                "track",
                {
                    "sound": "${steps.mix.sound}",
                    "frames": _part(cut["shots"], "frames"),
                    "fps": _part(cut["brief"], "delivery.fps"),
                },
            ),
            _read("posted", {"shots": cut["shots"], "brief": cut["brief"]}),
            structs.replace(
                _read("seen", {"shots": cut["shots"], "brief": cut["brief"]}), needs=("filmed",)
            ),
            _read(
                "sheet",
                {"shots": cut["shots"], "language": _part(cut["brief"], "content.language")},
            ),
        ]
        film = _read(
            "film",
            {
                "filmed": "${steps.filmed}",
                "sound": "${steps.mix.sound}",
                "shots": cut["shots"],
                "captions": "${steps.captions.soft}",
                "language": _part(cut["script"], "language"),
            },
        )
        check = _read(
            "check",
            {
                "film": "${steps.film}",
                "filmed": "${steps.filmed}",
                "shots": seen,
                "brief": cut["brief"],
                "captions": "${steps.captions}",
                "placing": "${steps.place}",
                "mixed": "${steps.mix}",
                "track": "${steps.track}",
            },
        )
        return [*steps, _approved(film, "plan"), check]

    def _filmed(self) -> list[Step]:
        """All shots, after the poster: beside it they would need a process more than are there."""
        needs = ("poster_files",) if self.keeps else ()
        if self.bought:
            from callsheet_studio.providers.producing import filming

            return filming(self.bought.orders, needs)
        args: dict[str, Any] = {"take": "${item.take}", "name": "${item.name}"}
        step = _each("filmed", "studio.shoot", args, "${steps.takes}")
        return [structs.replace(step, needs=needs)]

    def _voices(self) -> list[Step]:
        if self.bought and self.bought.voices:
            from callsheet_studio.providers.producing import speaking

            return speaking(self.bought.voices)
        return [_each("voices", self.speaks, {"line": "${item}"}, "${steps.lines}")]

    def _hard_cuts(self, shots: str) -> list[Step]:
        if not self.bought:
            return []
        names: Any = [each.shot for each in self.bought.orders.shots]
        return [_read("hard_cuts", {"shots": shots, "ordered": names})]

    def _recut(self) -> Step:
        args: dict[str, Any] = {"script": "${steps.script}", "shots": "${steps.shots}"}
        args |= {"brief": _WHOLE, "cut": "${inputs.cut}"}
        return _read("recut", args)

    def _documents(self, stage: Stage) -> list[Step]:
        if not self.keeps:
            return []
        brief = self._source("brief") if self.recut or stage == "plan" else _CREATIVE
        steps = [
            _read(name, {each: brief if each == "brief" else self._source(each) for each in needed})
            for name, needed in FILES[stage].items()
        ]
        if self.marks:
            steps = [_marked(step) if step.id == "plan_files" else step for step in steps]
        if "film" in self.stages:
            steps = [_linked(step) if step.id == "timeline_files" else step for step in steps]
        return [*steps, self._page()] if stage == "film" else steps

    def _page(self) -> Step:
        """The page that shows all the rest."""
        args: dict[str, Any] = {name: self._source(name) for name in ("brief", "script", "shots")}
        args |= {"plan": "${steps.plan}", "checks": "${steps.report.checks}"}
        args |= {"files": self._delivered(self.stages, but="page")}
        return _read("page", args)

    def _delivered(self, stages: tuple[Stage, ...], *, but: str = "") -> list[Any]:
        """The files of some stages; where two have one of the same name, the later one counts."""
        names = [name for stage in stages for name in FILES[stage]]
        names += [name for name in MORE if "film" in stages]
        return [f"${{steps.{name}}}" for name in names if name != but]

    def _report(self) -> Step:
        told = [stage for stage in self.stages if stage != "film"]
        args: dict[str, Any] = {name: self._source(name) for name in ("brief", *told)}
        if "film" in self.stages:
            args |= {"film": "${steps.check}", "sound": "${steps.mix.report}"}
            args |= {"pictures": "${steps.seen}"}
        args |= {"writer": self.writer.to_json(self.modelled)}
        return Step(id="report", tool="studio.report", args=args, run_if_skipped=True)

    def _delivery(
        self, name: str, stages: tuple[Stage, ...], report: Any, *, when: str | None = None
    ) -> Step:
        return Step(
            id=name,
            tool="studio.deliver",
            args={
                "out": "${inputs.out}",
                "files": self._delivered(stages),
                "report": report,
                "force": "${inputs.force}",
            },
            when=when,
            run_if_skipped=when is None,
        )


def _read(name: str, args: dict[str, Any]) -> Step:
    """A stage: what was made before from the same is not made again."""
    return Step(id=name, tool=f"studio.{name}", args=args, cache=True)


def _given(stage: Stage) -> Step:
    """A stage that was handed in."""
    script = stage == "script"
    args: dict[str, Any] = {"brief": _CREATIVE} if script else {"script": "${steps.script}"}
    args |= {stage: f"${{inputs.{stage}}}"}
    step = Step(id=stage, tool=f"studio.given_{stage}", args=args)
    return step if script else _approved(step, "script")


def _linked(step: Step) -> Step:
    """With the media that a film comes with."""
    args: dict[str, Any] = {**step.args, "linked": True}
    return structs.replace(step, args=args)


def _marked(step: Step) -> Step:
    """With the offers that nobody here can order."""
    args: dict[str, Any] = {**step.args, "marked": "${inputs.marked}"}
    return structs.replace(step, args=args)


def _part(source: str, path: str) -> str:
    """A part of what a reference stands for."""
    return f"{source[:-1]}.{path}}}"


def _each(name: str, tool: str, args: dict[str, Any], items: str) -> Step:
    return Step(id=name, tool=tool, args=args, for_each=items, cache=True)


def _approved(step: Step, before: Stage) -> Step:
    """Skipped, with all that follows, unless the stage before was approved or nobody asks."""
    said = f"${{inputs.review == `false` || steps.ok_{before} == '{GO_ON}'}}"
    return structs.replace(step, when=said, run_if_skipped=True)
