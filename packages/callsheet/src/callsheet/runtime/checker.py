"""Plans on their way in: read, checked against the tools, remembered."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, cast

import msgspec
from msgspec import structs

from callsheet.core import value
from callsheet.core.check.check import check_document, check_plan
from callsheet.core.check.fix import Fixed, fix_document
from callsheet.core.ids import PLAN_NAME
from callsheet.core.plan.document import MAX_BYTES, locate, plain, read_text
from callsheet.core.plan.plan import FORMAT, Plan, tool_names
from callsheet.core.plan.read import read_plan
from callsheet.core.plan.subplan import saved_names
from callsheet.core.problem import Problem, Report, first_of, refusal_of
from callsheet.core.refs.references import prepare
from callsheet.core.run.start import specs_of
from callsheet.errors import CallsheetError, InputError, MissingSecretsError, PlanError
from callsheet.ports import Toolbox
from callsheet.runtime.content import content_of
from callsheet.runtime.needs import every_tool
from callsheet.runtime.secrets import PREFIX
from callsheet.runtime.subplans import gather_children

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from callsheet.core.plan.toolspec import ToolSpec
    from callsheet.core.run.provisions import Offered, Provisions
    from callsheet.core.value import Json
    from callsheet.ports import PlanShelf, Provisioner, Secrets

PlanLike: TypeAlias = "Plan | Mapping[str, object] | str | Path"
"""A plan, or what one is read from: a mapping, or the path of a YAML or JSON file."""

MAX_CHECKED = 64


class CheckedPlan(msgspec.Struct, frozen=True):
    """A plan, and all that was found when it was checked against some tools."""

    plan: Plan
    problems: tuple[Problem, ...]
    """Errors first; without any, it can be started."""
    toolbox: Toolbox
    """What it was checked against."""
    children: dict[str, Plan] | None
    """The saved plans that it names; None: they were not looked up, and not checked."""

    @property
    def errors(self) -> list[Problem]:
        """Why it cannot be started."""
        return [problem for problem in self.problems if problem.severity == "error"]

    def to_json(self) -> dict[str, Json]:
        """As plain data: `{ok, plan, digest, steps, problems}`."""
        return {
            "ok": not self.errors,
            "plan": self.plan.name,
            "digest": self.plan.digest,
            "steps": len(self.plan.steps),
            "problems": [problem.to_json() for problem in self.problems],
        }


class Accepted(msgspec.Struct, frozen=True):
    """A plan that can be started."""

    plan: Plan
    problems: tuple[Problem, ...]
    """Warnings."""
    tools: dict[str, ToolSpec]
    children: dict[str, Plan]
    """The saved plans that it names."""
    secrets: tuple[str, ...] = ()
    """The secrets that it and those name."""
    declared: dict[str, ToolSpec | None] = {}
    """The tools as they were declared when it was checked."""
    provisions: Provisions | None = None
    """What a run of it may use."""


class Written(msgspec.Struct, frozen=True):
    """A plan in a file, as it was when it was read."""

    path: Path
    data: bytes


@contextmanager
def at_the_door(done: str) -> Iterator[None]:
    """Whatever a plan does to us, whoever handed it in gets an answer: this one at the worst.

    Raises:
        PlanError: something was raised that nobody has foreseen.
    """
    try:
        yield
    except CallsheetError:
        raise
    except RecursionError as exc:
        raise PlanError(f"The plan cannot be {done}: it is nested too deeply.") from exc
    except Exception as exc:
        raise PlanError(
            f"The plan cannot be {done}, and that is a bug in Callsheet: {exc!r}. Please "
            "report it, with the plan."
        ) from exc


class Checker:
    """Reads plans and checks them against tools. It needs nothing else, and writes nothing."""

    def __init__(self, toolbox: Toolbox) -> None:
        self.toolbox = toolbox

    def read(self, plan: PlanLike | Written) -> Plan:
        """A plan from a Plan, a mapping, or the path of a YAML or JSON file.

        Raises:
            PlanError: it is not a plan; every problem, with its place.
        """
        with at_the_door("read"):
            if isinstance(plan, (str, Path)):
                plan = Written(Path(plan), bytes_of(Path(plan)))
            if isinstance(plan, Written):
                return read_plan(plan.data, name=_name_of(plan.path))
            return read_plan(_dated(plan))

    def read_text(self, data: bytes, name: str = "plan") -> Plan:
        """A plan from its text; one without a name is called so.

        Raises:
            PlanError: it is not a plan; every problem, with its place.
        """
        return self.read(Written(Path(name), data))

    def plan(self, plan: PlanLike) -> Plan:
        """The same; a `Plan` is taken as it is."""
        return plan if isinstance(plan, Plan) else self.read(plan)

    def check(
        self,
        plan: Plan,
        source: str | Path | Written | None = None,
        children: dict[str, Plan] | None = None,
    ) -> CheckedPlan:
        """A plan with every problem; with the file it was read from, also the lines."""
        with at_the_door("checked"):
            found = check_plan(plan, self.toolbox.spec, self.toolbox.names, children)
            if source is not None:
                found = self.located(found, source)
            return CheckedPlan(plan, first_of(found), self.toolbox, children)

    def located(
        self, problems: tuple[Problem, ...], source: str | Path | Written
    ) -> tuple[Problem, ...]:
        """The same problems, with the lines of the file that the plan was read from."""
        if not problems:
            return problems
        text = source.data if isinstance(source, Written) else bytes_of(Path(source))
        return locate(problems, text.decode())

    def examine(
        self,
        plan: PlanLike | Written | bytes,
        children: dict[str, Plan] | None = None,
        *,
        name: str | None = None,
        lenient: bool = False,
        advise: bool = False,
    ) -> CheckedPlan:
        """A plan read and checked in one pass: what is wrong in one place hides nothing elsewhere.

        Bytes are the text of a plan. `lenient`: a fence and prose around it are read past.
        `advise`: also tell of tools that do not say whether they read or write.

        Raises:
            PlanError: it is so wrong that there is nothing to check; every problem.
        """
        source: bytes | Mapping[str, object] | Plan
        if isinstance(plan, (str, Path)):
            plan = Written(Path(plan), bytes_of(Path(plan)))
        if isinstance(plan, Written):
            source, name = plan.data, name or _name_of(plan.path)
        else:
            source = _dated(plan)
        with at_the_door("checked"):
            found = check_document(
                source, self.toolbox, children, name=name, lenient=lenient, advise=advise
            )
            if found.plan is None:
                raise refusal_of(found.problems)
            return CheckedPlan(found.plan, first_of(found.problems), self.toolbox, children)

    def fix(self, plan: str | Path | bytes) -> Fixed:
        """The document of a plan with all mended that is certain, and what is left to do.

        A path is that of a YAML or JSON file; bytes are the text of a plan.
        """
        with at_the_door("mended"):
            if isinstance(plan, bytes):
                return fix_document(plan, self.toolbox)
            return fix_document(bytes_of(Path(plan)), self.toolbox, name=_name_of(Path(plan)))


def _dated(plan: Plan | Mapping[str, object] | bytes) -> Plan | Mapping[str, object] | bytes:
    """A mapping says of which format it is: in Python there is no file of another version."""
    return {"callsheet": FORMAT, **plan} if isinstance(plan, Mapping) else plan


def found_in(error: PlanError) -> tuple[Problem, ...]:
    """The problems that an error tells."""
    found = tuple(each for each in error.problems if isinstance(each, Problem))
    return found or (Problem(place="", what=error.message),)


class Acceptance:
    """Accepts plans for one engine: with the saved plans they name, and the secrets."""

    def __init__(
        self,
        checker: Checker,
        shelf: PlanShelf,
        secrets: Secrets,
        provisioner: Provisioner | None = None,
        offered: Offered | None = None,
    ) -> None:
        """`offered`: by a door; what is added to runs that come in by it is held to that."""
        self._checker = checker
        self._offered = offered
        self._provisioner = provisioner
        self._shelf = shelf
        self._secrets = secrets
        self._accepted: dict[str, Accepted] = {}

    async def check(
        self, plan: PlanLike | Written, source: str | Path | None = None
    ) -> tuple[Problem, ...]:
        """Every problem of a plan, and of the saved plans that it names.

        Raises:
            PlanError: it is so wrong that there is nothing to check; every problem.
        """
        checker = self._checker
        # A large one takes its time, and others are served meanwhile.
        checked = await asyncio.to_thread(checker.examine, plan, advise=True)
        names = list(saved_names(checked.plan))
        if names:
            children = await gather_children(names, self._shelf, checker.toolbox)
            checked = await asyncio.to_thread(checker.examine, plan, children, advise=True)
        return checked.problems if source is None else checker.located(checked.problems, source)

    async def accept(
        self, plan: CheckedPlan | PlanLike, settled: Mapping[str, Plan] | None = None
    ) -> Accepted:
        """A plan that can be started; `settled` are saved plans that a run has recorded.

        Raises:
            PlanError: it does not check; every problem.
            MissingSecretsError: it names secrets that are not set.
        """
        handed_in: CheckedPlan | PlanLike | Written = plan
        if isinstance(plan, (str, Path)):
            # Read once: what is remembered is what was there, whatever the file becomes.
            handed_in = Written(Path(plan), bytes_of(Path(plan)))
        name = name_of(handed_in)
        if name is not None and (known := self._known(name)):
            self._must_have(known.secrets)
            return known
        checked = await self._checked(handed_in, settled)
        if checked.errors:
            raise refusal_of(checked.errors)
        children = checked.children or {}
        names = _secrets_of(checked.plan, *children.values())
        self.must_offer(names)
        self._must_have(names)
        tools = specs_of(checked.plan, self._checker.toolbox)
        declared = {name: self._checker.toolbox.spec(name) for name in tools}
        every = every_tool(tools, children)
        provisions = None
        if self._provisioner is not None:
            provisions = self._provisioner.provisions(every, names)
        accepted = Accepted(
            checked.plan, checked.problems, tools, children, names, declared, provisions
        )
        if not children:
            # What a name stands for may be another plan the next time.
            self._remember(name, accepted)
        return accepted

    async def for_others(self, plan: CheckedPlan | PlanLike) -> Plan:
        """A plan that another process is to start, with tools that need not be here.

        Raises:
            PlanError: it is no plan; or all of its tools are here, and it does not check.
        """
        found = plan.plan if isinstance(plan, CheckedPlan) else self._checker.plan(plan)
        if not await self.lacks(found, self._checker.toolbox):
            refused = (await self._checked(found, None)).errors
            if refused:
                raise refusal_of(refused)
        return found

    async def lacks(self, plan: Plan, toolbox: Toolbox) -> list[str]:
        """The tools of a plan, and of those that are steps of it, which are not in a toolbox."""
        children = await gather_children(saved_names(plan), self._shelf, toolbox)
        return [name for name in _tools_in(plan, *children.values()) if toolbox.spec(name) is None]

    def held(self, accepted: Accepted) -> Provisions | None:
        """What an open run of it may use: whatever is added later, no more than is offered here."""
        told = accepted.provisions
        if self._offered is None or self._provisioner is None or told is None:
            return told
        names = tuple(self._checker.toolbox.names())
        every = {*names, *every_tool(accepted.tools, accepted.children)}
        reach = self._provisioner.provisions(every, ())
        return structs.replace(
            told,
            files=reach.files,
            private=reach.private,
            shell=reach.shell,
            offered=structs.replace(self._offered, tools=names),
        )

    def _known(self, name: str) -> Accepted | None:
        """A plan of this content that was accepted, if its tools are still the same."""
        known = self._accepted.get(name)
        if known is None:
            return None
        spec = self._checker.toolbox.spec
        if all(spec(tool) is declared for tool, declared in known.declared.items()):
            return known
        del self._accepted[name]
        return None

    async def _checked(
        self, plan: CheckedPlan | PlanLike | Written, settled: Mapping[str, Plan] | None
    ) -> CheckedPlan:
        if isinstance(plan, CheckedPlan):
            fresh = plan.plan
            names = list(saved_names(fresh))
            if plan.toolbox is self._checker.toolbox and not names:
                return plan
        else:
            checked = self._checker.examine(plan)
            names = list(saved_names(checked.plan))
            if not names:
                return checked
            children = await gather_children(names, self._shelf, self._checker.toolbox, settled)
            return self._checker.examine(plan, children)
        children = await gather_children(names, self._shelf, self._checker.toolbox, settled)
        return self._checker.check(fresh, None, children)

    def _remember(self, name: str | None, accepted: Accepted) -> None:
        for known in {name or accepted.plan.digest, accepted.plan.digest}:
            if len(self._accepted) >= MAX_CHECKED:
                self._accepted.pop(next(iter(self._accepted)))
            self._accepted[known] = accepted

    def must_offer(self, names: Iterable[str], place: str = "plan") -> None:
        """See that secrets are for plans that come in by this door.

        Raises:
            PlanError: some are not.
        """
        only = self._offered.secrets if self._offered is not None else None
        withheld = [] if only is None else [name for name in names if name not in only]
        if withheld:
            fix = "Come in by another door: with a key, where this is a service."
            what = "the secret {} is not for plans that come this way"
            raise refusal_of([Problem(place=place, what=what.format(withheld[0]), fix=fix)])

    def _must_have(self, names: Iterable[str]) -> None:
        missing = [name for name in names if self._secrets.get(name) is None]
        if missing:
            variables = ", ".join(PREFIX + name for name in missing)
            raise MissingSecretsError(
                f"The plan names secrets that are not set: {', '.join(missing)}. Set {variables}, "
                "or give them to Engine.open."
            )


def name_of(plan: object) -> str | None:
    """What a plan is found by, if it was accepted before; None: it has to be read first.

    By its content: whoever changes a mapping or a file after it was started has another plan.
    """
    if isinstance(plan, CheckedPlan):
        plan = plan.plan
    if isinstance(plan, Plan):
        return plan.digest
    if isinstance(plan, Written):
        return sha256(_name_of(plan.path).encode() + b"\0" + plan.data).hexdigest()
    return content_of(plan) if type(plan) is dict else None


def _tools_in(*plans: Plan) -> list[str]:
    found: dict[str, None] = {}
    waiting = list(plans)
    while waiting:
        plan = waiting.pop()
        found |= dict.fromkeys(sorted(tool_names(plan)))
        waiting += [step.plan for step in plan.steps if isinstance(step.plan, Plan)]
    return list(found)


def _secrets_of(*plans: Plan) -> tuple[str, ...]:
    # Nearly no plan names any: look before preparing every argument once more.
    suspects = [plan for plan in plans if b"secrets." in value.encode(plan)]
    return tuple(dict.fromkeys(name for plan in suspects for name in secrets_in(plan)))


def secrets_in(plan: Plan) -> Iterator[str]:
    """The secrets that a plan names, in its own steps and in the plans written into them."""
    for step in plan.steps:
        if step.literal:
            continue
        yield from prepare(step.args).secrets
        if step.undo is not None and step.undo != "none":
            yield from prepare(step.undo.args).secrets
        if isinstance(step.plan, Plan):
            yield from secrets_in(step.plan)


def steps_in(path: Path) -> list[dict[str, Json]]:
    """The steps in a YAML or JSON file: a list of them, or a mapping with `steps`.

    Raises:
        PlanError: it cannot be read, or has no steps.
    """
    report = Report()
    _, found = read_text(bytes_of(path, "steps"), report)
    document = plain(found, report)
    steps = document.get("steps") if isinstance(document, dict) else document
    if not isinstance(steps, list):
        report.error(("steps",), "there is no list of steps", "Write `- id: …` for each step.")
    if report.failed:
        raise report.refusal()
    # What is no mapping is refused where steps are read, with its place.
    return cast("list[dict[str, Json]]", steps)


def bytes_of(path: Path, what: str = "plan") -> bytes:
    """The bytes of a file that somebody hands in, as far as they will be looked at."""
    try:
        with path.open("rb") as file:
            # No more is asked for than is there: room for it would be made each time. A pipe has
            # no size.
            size = os.fstat(file.fileno()).st_size or MAX_BYTES
            return file.read(min(size, MAX_BYTES) + 1)
    except OSError as exc:
        raise InputError(f"Cannot read the {what} {str(path)!r}: {exc.strerror}.") from exc


def _name_of(path: Path) -> str:
    stem = path.name.split(".")[0]
    return stem if PLAN_NAME.match(stem) else "plan"
