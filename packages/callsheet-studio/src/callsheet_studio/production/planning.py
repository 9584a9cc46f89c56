"""The tools of all stages up to the plan: pure functions of their arguments, but for delivery.

A production without a film needs no others, and they are quicker to import than `stages`.
"""

# All at once and here: steps are run in threads, and two that begin to import modules which need
# each other may find one that is not whole.
from callsheet_studio.brief.stages import settle_brief
from callsheet_studio.documents.stages import (
    plan_files,
    recut,
    reword,
    script_files,
    shot_files,
    timeline_files,
)
from callsheet_studio.production.given import given_script, given_shots
from callsheet_studio.production.stages import deliver, report, withdraw
from callsheet_studio.script.stages import write_script
from callsheet_studio.shots.stages import plan_shots
from callsheet_studio.solve.stages import asked, solve
from callsheet_studio.writers.stages import (
    ask_script,
    ask_shots,
    mend_script,
    mend_shots,
    read_script,
    read_shots,
)

__all__ = [
    "ask_script",
    "ask_shots",
    "asked",
    "deliver",
    "given_script",
    "given_shots",
    "mend_script",
    "mend_shots",
    "plan_files",
    "plan_shots",
    "read_script",
    "read_shots",
    "recut",
    "report",
    "reword",
    "script_files",
    "settle_brief",
    "shot_files",
    "solve",
    "timeline_files",
    "withdraw",
    "write_script",
]
