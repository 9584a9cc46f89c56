"""The studio for agents: briefs checked, scripts, shots, plans, and a film that is a task."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from callsheet.apps.mcp import (
    LONGEST_WAIT,
    Brought,
    Prompt,
    Resource,
    Row,
    Told,
    gives,
    link_of,
    takes,
    told_of,
    waited,
)
from callsheet.errors import InputError
from callsheet_studio.production.stage import PRODUCTION, STAGES

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet import Result, Run
    from callsheet.apps.mcp import Call, Door
    from callsheet.types import Tenant
    from callsheet_studio.studio import Studio

_TEXT: dict[str, Any] = {"type": "string", "minLength": 1}
_BRIEF: dict[str, Any] = {
    "type": ["object", "string"],
    "description": "A brief: plain words, YAML, JSON or Markdown as text, or an object.",
}
_ANSWERS: dict[str, Any] = {
    "type": "object",
    "additionalProperties": {"type": "string"},
    "description": "To questions of the brief, by key.",
}
_LIMITS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "max_cost_usd": {"type": "number", "minimum": 0},
        "max_time_minutes": {"type": "number", "exclusiveMinimum": 0},
        "quality_priority": {"enum": ["high", "balanced", "budget"]},
    },
    "additionalProperties": False,
}
_LIST: dict[str, Any] = {"type": "array", "items": {"type": "object"}}
_SHOWN = (
    "film.mp4",
    "poster.png",
    "storyboard.pdf",
    "index.html",
    "timeline.otio",
    "callsheet.pdf",
)
"""The files that are linked; all are named."""


# Briefs


async def check_brief(call: Call) -> Told:
    """What was understood of a brief, or every problem."""
    from callsheet_studio.brief.checked import Checked
    from callsheet_studio.serve import asking

    try:
        brief = await asking.brief_in(_studio(call), call.args["brief"], call.args.get("answers"))
    except InputError as error:
        problems: Any = error.to_json()["problems"]
        said = error.message.partition("\n")[0]
        return Told(data={"ok": False, "problems": problems or [{"what": said}]})
    told = Checked(brief).to_json()
    questions = asking.questions_told(brief)
    return Told(data={**told, "problems": [], "questions": questions})


# Stages


async def write_script(call: Call) -> Told:
    """A script, beat by beat."""
    from callsheet_studio.serve import asking

    studio = _studio(call)
    brief = await asking.brief_in(
        studio, call.args["brief"], call.args.get("answers"), call.args.get("constraints")
    )
    run = await call.begin(lambda key: studio.begin(brief, stop_after="script", key=key))
    return await _told(call, run, _script)


async def plan_shots(call: Call) -> Told:
    """A shot list, shot by shot."""
    from callsheet_studio.serve import asking

    studio = _studio(call)
    before = (await studio.made(call.args["script_id"])).whole()
    script = asking.edited_script(before.script, call.args.get("beats"))
    run = await call.begin(
        lambda key: studio.begin(before.brief, stop_after="shots", script=script, key=key)
    )
    return await _told(call, run, _shots)


async def make_plan(call: Call) -> Told:
    """A production plan in numbers."""
    from callsheet_studio.serve import asking

    studio = _studio(call)
    before = (await studio.made(call.args["shot_list_id"])).whole()
    if before.shots is None:
        raise InputError(f"{before.run!r} is a script. production_shots is next.")
    shots = asking.edited_shots(before.shots, call.args.get("shots"))
    brief = asking.with_limits(before.brief, call.args.get("constraints"))
    run = await call.begin(
        lambda key: studio.begin(
            brief, stop_after="plan", script=before.script, shots=shots, key=key
        )
    )
    return await _told(call, run, _plan)


# The film


async def begin_film(call: Call) -> Run:
    """Start to make a film; durable when this returns."""
    from callsheet_studio.serve import asking

    studio = _studio(call)
    brief = await asking.brief_in(
        studio, call.args["brief"], call.args.get("answers"), call.args.get("constraints")
    )
    return await call.begin(
        lambda key: studio.begin(
            brief, stop_after=call.args.get("stop_after", "film"), files=True, key=key
        )
    )


async def make_film(call: Call) -> Told:
    """The same, and stay with it for as long as a client has patience."""
    run = await begin_film(call)
    return await film_ended(call.door, run, await waited(call, run, LONGEST_WAIT))


async def film_ended(door: Door, run: Run, result: Result) -> Told:
    """What was made: numbers, and links to files; of one that goes on or has failed, the run."""
    from callsheet import Artifact
    from callsheet_studio.production.made import made_of

    view = await told_of(door, run, result)
    files = made_of(result).files
    if not files:
        return view
    named = {
        name: f"artifact://{each['$artifact']}" for name, each in files.items() if name in _SHOWN
    }
    links = tuple(
        link_of(
            Artifact(
                digest=files[name]["$artifact"],
                media_type=files[name]["media_type"],
                size=files[name]["size"],
                name=name,
            )
        )
        for name in named
    )
    more = {"files": named, "read": _address(run.id)}
    return Told(data={**view.data, **more}, links=links, is_error=view.is_error)


# How stages are told: as much as a model needs to go on; the resource has all of it.


async def _told(call: Call, run: Run, tell: Callable[[Result], dict[str, Any]]) -> Told:
    result = await waited(call, run, LONGEST_WAIT)
    if not result.state.ended:
        return await told_of(call.door, run, result)
    return Told(data={**tell(result), "read": _address(run.id)})


def _script(result: Result) -> dict[str, Any]:
    from callsheet_studio.serve import asking

    told = asking.script_told(result)
    beats = [
        {
            "id": beat["id"],
            "frames": [beat["start"], beat["end"]],
            **{name: text for name, text in beat["script"].items() if text},
        }
        for beat in told["beats"]
    ]
    about = told["metadata"]
    names = ("title", "language", "structure", "fps", "frames")
    return {
        "script_id": told["script_id"],
        "metadata": {name: about[name] for name in names},
        "beats": beats,
        "questions": told["questions"],
    }


def _shots(result: Result) -> dict[str, Any]:
    from callsheet_studio.serve import asking

    told = asking.shots_told(result)
    shots = [
        {
            "id": shot["id"],
            "beat": shot["beat"],
            "frames": [shot["start"], shot["end"]],
            "size": shot["size"],
            "action": shot["action"],
            "complexity": shot["complexity"]["score"],
        }
        for shot in told["shots"]
    ]
    return {**told, "shots": shots}


def _plan(result: Result) -> dict[str, Any]:
    from callsheet_studio.serve import asking

    told = asking.plan_told(result)
    shots = [
        {
            "shot": each["shot"],
            "recipe": each["recipe"],
            "offers": [step["offer"] for step in each["steps"]],
            "usd": round(sum(step["usd"] for step in each["steps"]), 4),
        }
        for each in told["shot_plans"]
    ]
    times = told["timeline_estimate"]
    return {
        "production_plan_id": told["production_plan_id"],
        "summary": told["summary"],
        "shot_plans": shots,
        "cost_breakdown": told["cost_breakdown"],
        "timeline_estimate": {name: times[name] for name in ("sequential", "makespan", "post")},
        "alternatives": [
            {name: each[name] for name in ("name", "usd", "seconds", "what")}
            for each in told["alternatives"]
        ],
        "assumptions": told["assumptions"],
    }


# What is read


async def read_production(tenant: Tenant, name: str) -> str:
    """All that a production has made, as JSON."""
    from callsheet_studio.studio import Studio

    return json.dumps((await Studio(tenant).made(name)).to_json(), ensure_ascii=False)


async def read_schema(tenant: Tenant, name: str) -> str:
    """The JSON Schema of a brief as people write it."""
    from callsheet_studio.brief.schema import input_schema

    del tenant
    if name != "brief":
        raise InputError("There is the schema of `brief`.")
    return json.dumps(input_schema(), ensure_ascii=False)


async def guide_film(tenant: Tenant, goal: str) -> str:
    """How a film is made well."""
    del tenant
    return _GUIDE.format(goal=goal)


_GUIDE = """\
Make a film with the studio:

{goal}

- Write a brief: what the film says in one sentence, what people shall do after it, how long it \
is, for whom. The person's own words are enough; invent no facts, no numbers and no names.
- brief_check it. Mend its problems. Tell the person what was inferred, and ask what `questions` \
ask; give what they say as `answers`. Do not answer for the person.
- production_script, and show it. Change beats only if you are asked to: read production://ID, and \
give production_shots all `beats`, which must tile the film.
- production_shots, then production_plan with the money and time there is; tell what it costs. \
Nothing is ordered or paid for: the film is drawn here.
- production_film makes it, as a task where you have tasks. It goes on when you leave; run_wait \
and run_status tell how far it is, production://ID what has been made, artifact://… the files."""


def _address(run: str) -> str:
    return f"production://{run}"


def _studio(call: Call) -> Studio:
    from callsheet_studio.studio import Studio

    return Studio(call.door.tenant)


_KEY: dict[str, Any] = {**_TEXT, "description": "The same key is the same run."}
_ASKED = {"brief": _BRIEF, "answers": _ANSWERS, "constraints": _LIMITS, "key": _KEY}


def brought() -> Brought:
    """What the entry point names."""
    return Brought(
        tools=(
            Row(
                name="brief_check",
                about="Check a video brief: what was understood and inferred, what is worth "
                "asking, or every problem.",
                takes=takes("brief", brief=_BRIEF, answers=_ANSWERS),
                gives=gives(ok="flag", problems="list", brief="object", questions="list"),
                noun="plans",
                do=check_brief,
                reads=True,
            ),
            Row(
                name="production_script",
                about="Write the script of a video brief: beats that tile the film.",
                takes=takes("brief", **_ASKED),
                gives=gives(script_id="text", beats="list", metadata="object", questions="list"),
                do=write_script,
            ),
            Row(
                name="production_shots",
                about="Break a script into shots. `beats` (all of them, as production://ID has "
                "them) replace those of the script.",
                takes=takes("script_id", script_id=_TEXT, beats=_LIST, key=_KEY),
                gives=gives(shot_list_id="text", shots="list", asset_summary="object"),
                do=plan_shots,
            ),
            Row(
                name="production_plan",
                about="Plan with which models each shot would be made, for how much and how long. "
                "Orders nothing.",
                takes=takes(
                    "shot_list_id",
                    shot_list_id=_TEXT,
                    shots=_LIST,
                    constraints=_LIMITS,
                    key=_KEY,
                ),
                gives=gives(
                    production_plan_id="text",
                    summary="object",
                    shot_plans="list",
                    cost_breakdown="object",
                ),
                do=make_plan,
            ),
            Row(
                name="production_film",
                about="Make a film of a brief, drawn here, with storyboard, timeline and all "
                "documents: a task where the client has tasks, else it waits at most 50 s and "
                "answers with the run. Losing the call does not stop it.",
                takes=takes("brief", **_ASKED, stop_after={"enum": list(STAGES)}),
                gives=gives(run="text", state="text", output="any", files="object"),
                do=make_film,
                begins=begin_film,
                plan=PRODUCTION,
                ends=film_ended,
            ),
        ),
        resources=(
            Resource(
                uri="production://{name}",
                about="What a production has made so far, whole: script, shots, plan, files.",
                read=read_production,
            ),
            Resource(
                uri="studio-schema://{name}",
                about="The JSON Schema of `brief`.",
                read=read_schema,
                media_type="application/schema+json",
                needs="plans:read",
            ),
        ),
        prompts=(
            Prompt(
                name="make_film",
                about="Make a film with the studio, from what a person wants.",
                write=guide_film,
            ),
        ),
    )
