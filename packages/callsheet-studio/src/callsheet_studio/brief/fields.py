"""Every key that a brief may have: its section, its kind, and the names it also goes by.

The one table that reading, Markdown, the JSON Schema and the reference page all follow.
"""

from __future__ import annotations

import re
from typing import Literal

import msgspec

Kind = Literal[
    "line",  # text of one line
    "text",  # text of any length, lines kept
    "sentences",  # a list of texts
    "words",  # a list of texts that are short: `a, b` is two of them
    "date",
    "duration",
    "span",
    "money",
    "choice",
    "language",
    "region",
    "colours",
    "resolution",
    "fps",
    "shots",
    "picture",  # a file beside the brief
    "sayings",  # names, and how each is said
]


class Field(msgspec.Struct, frozen=True):
    """One key of a brief."""

    section: str
    name: str
    kind: Kind
    what: str
    aliases: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Where it stands: `content.duration`."""
        return f"{self.section}.{self.name}"


FIELDS = (
    Field("project", "title", "line", "what the film is called", ("project_name", "project_title")),
    Field("project", "context", "text", "why it is made now", ("background",)),
    Field("project", "due", "date", "the day on which it must be there", ("completion_date",)),
    Field("purpose", "objective", "text", "what the film shall achieve", ("goal",)),
    Field("purpose", "challenges", "sentences", "what stands in the way"),
    Field("purpose", "kpis", "sentences", "how success is counted"),
    Field("audience", "who", "text", "whom it is made for", ("target_audience",)),
    Field("audience", "role", "line", "what they do"),
    Field("audience", "knowledge", "line", "what they know already"),
    Field("audience", "pain_points", "sentences", "what troubles them"),
    Field("audience", "platforms", "words", "where they will see it"),
    Field("message", "core", "line", "the film in one sentence", ("core_message",)),
    Field(
        "message",
        "supporting",
        "sentences",
        "three to five things that the film must say",
        ("supporting_messages", "key_messages"),
    ),
    Field("message", "cta", "line", "the call to action, word for word", ("call_to_action",)),
    Field("message", "must_include", "words", "words that must occur"),
    Field("message", "must_avoid", "words", "words that must not occur"),
    Field("message", "brand", "line", "the name of the product or brand", ("product",)),
    Field(
        "message",
        "logo",
        "picture",
        "your logo on the end card: PNG, JPEG or WebP beside the brief",
    ),
    Field("content", "type", "choice", "the kind of film", ("video_type", "film_type")),
    Field(
        "content",
        "duration",
        "duration",
        "how long it is, exactly",
        ("estimated_duration", "length"),
    ),
    Field("content", "language", "language", "the language that is spoken"),
    Field("content", "structure", "choice", "how it is built; `auto` chooses by type and length"),
    Field("content", "script", "text", "your own words: Fountain, narration or two columns"),
    Field("content", "script_file", "line", "the same, as a file beside the brief"),
    Field("content", "shots", "shots", "your own shots, in order"),
    Field("content", "pronunciation", "sayings", "how names are said, spelled as they sound"),
    Field("style", "tone", "line", "how it speaks"),
    Field("style", "mood", "line", "how it feels"),
    Field("style", "look", "line", "how it looks"),
    Field(
        "style",
        "setting",
        "line",
        "where it plays, and when",
        ("place", "location", "scene", "schauplatz", "ort"),
    ),
    Field("style", "palette", "colours", "its colours", ("colours", "colors")),
    Field("style", "medium", "choice", "what is seen"),
    Field("delivery", "aspect", "choice", "width to height", ("aspect_ratio",)),
    Field("delivery", "resolution", "resolution", "in pixels"),
    Field("delivery", "fps", "fps", "frames a second", ("frame_rate",)),
    Field("delivery", "platform", "line", "where it is published"),
    Field("delivery", "captions", "choice", "in the picture, to switch on, both, or none"),
    Field("constraints", "max_cost_usd", "money", "what it may cost", ("max_cost", "budget")),
    Field("constraints", "deadline", "span", "how long the production may take"),
    Field("constraints", "quality", "choice", "how good it must be", ("quality_priority",)),
    Field("constraints", "region", "region", "where the tools must be offered"),
    Field("constraints", "licences", "line", "which licences tools may have", ("licenses",)),
    Field("direction", "midpoint_emotion", "choice", "what is felt in the middle"),
    Field("direction", "act2_emphasis", "choice", "what the middle is about"),
    Field("direction", "visual_metaphors", "line", "a picture that stands for the message"),
)

SECTIONS = tuple(dict.fromkeys(field.section for field in FIELDS))
BY_KEY = {field.key: field for field in FIELDS}
MAIN = {
    "project": "project.title",
    "purpose": "purpose.objective",
    "audience": "audience.who",
    "message": "message.core",
}
"""What a section that is plain text stands for."""

SHOT_FIELDS = (
    "action",
    "duration",
    "size",
    "angle",
    "movement",
    "subject",
    "place",
    "time_of_day",
    "voiceover",
    "dialogue",
    "on_screen_text",
    "picture",
)

_NOT_PLAIN = re.compile(r"[\s_-]+")


def plain(name: str) -> str:
    """A name as it is compared: `Pain points` and `pain-points` are `pain_points`."""
    return _NOT_PLAIN.sub("_", name.strip().lower()).strip("_")


BY_NAME = {name: field for field in FIELDS for name in (field.name, *field.aliases)}
"""Names are the same in no two sections, so they can stand alone: the flat form."""
