"""All stages of a production as tools: a plug-in of `callsheet.tools`, so any run finds them."""

# Imported beside the tools that call them: steps run in threads, at once, and of two modules that
# need each other one may then be found half. A worker process calls one tool at a time.
from callsheet_studio.film.filming import poster_files, sheet_files, shoot
from callsheet_studio.film.seeing import seen
from callsheet_studio.film.sounds import (
    mix_sound,
    place_voices,
    plan_lines,
    plan_score,
    stem_files,
    write_captions,
)
from callsheet_studio.film.speaking import pico, voice
from callsheet_studio.film.stages import (
    board_files,
    check,
    film,
    listen,
    page,
    plan_poster,
    plan_sheet,
    plan_takes,
    take_files,
    teaser_files,
)
from callsheet_studio.production.planning import (
    asked,
    deliver,
    plan_files,
    plan_shots,
    recut,
    report,
    reword,
    script_files,
    settle_brief,
    shot_files,
    solve,
    timeline_files,
    withdraw,
    write_script,
)

__all__ = [
    "asked",
    "board_files",
    "check",
    "deliver",
    "film",
    "listen",
    "mix_sound",
    "page",
    "pico",
    "place_voices",
    "plan_files",
    "plan_lines",
    "plan_poster",
    "plan_score",
    "plan_sheet",
    "plan_shots",
    "plan_takes",
    "poster_files",
    "recut",
    "report",
    "reword",
    "script_files",
    "seen",
    "settle_brief",
    "sheet_files",
    "shoot",
    "shot_files",
    "solve",
    "stem_files",
    "take_files",
    "teaser_files",
    "timeline_files",
    "voice",
    "withdraw",
    "write_captions",
    "write_script",
]
