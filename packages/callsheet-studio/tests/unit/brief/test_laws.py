"""Laws of reading briefs: whatever is handed in is read or refused, and forms mean the same."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from callsheet.errors import InputError
from callsheet_studio.brief import answered, from_data, parse, questions
from callsheet_studio.brief.choices import CHOICES
from callsheet_studio.brief.fields import FIELDS, SECTIONS, SHOT_FIELDS

if TYPE_CHECKING:
    from callsheet_studio.model.brief import Brief

pytestmark = [pytest.mark.slow, pytest.mark.requirement("P1")]  # hundreds of examples each

# Anything at all

junk = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(["30s", "16:9", "#fff", "1h", "-1", "de", "fr", "ad", "1080p", "2026-02-30"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=8,
)
names = [name for field in FIELDS for name in (field.name, *field.aliases)]
shot = st.dictionaries(st.sampled_from([*SHOT_FIELDS, "zoom"]), junk, max_size=3)
some = junk | st.lists(shot, max_size=2)
section = st.dictionaries(st.sampled_from(names) | st.text(max_size=6), some, max_size=3)
anything = st.dictionaries(
    st.sampled_from([*SECTIONS, *names]) | st.text(max_size=6), section | some, max_size=4
)


def outcome(read: Any, *given_: Any) -> Brief | None:
    refused: InputError | None = None
    found: Brief | None = None
    try:
        found = read(*given_)
    except InputError as error:
        refused = error
    if found is None:
        assert refused is not None
        assert refused.message.startswith("The brief it")
        assert getattr(refused, "problems", ()), "an error names what is wrong"
        return None
    assert found.frames > 0
    assert len(questions(found)) <= 5
    assert found.digest
    return found


@given(anything)
@settings(deadline=None, max_examples=50)
def test_whatever_data_is_handed_in_is_read_or_refused(data: dict[str, Any]) -> None:
    outcome(from_data, data, "it")


@given(anything)
@settings(deadline=None, max_examples=50)
def test_whatever_is_beside_a_core_message_is_read_or_refused(data: dict[str, Any]) -> None:
    found = outcome(from_data, {**data, "message": {"core": "Say it plainly."}}, "it")
    assert found is None or found.message.core == "Say it plainly."


@given(st.text() | st.binary().map(lambda some: some.decode("latin-1")), st.data())
@settings(deadline=None, max_examples=50)
def test_whatever_text_is_handed_in_is_read_or_refused(text: str, data: st.DataObject) -> None:
    form = data.draw(st.sampled_from(["yaml", "json", "markdown"]))
    outcome(parse, text, form, "it")


pieces = st.sampled_from(
    [
        "# Title",
        "## Message",
        "## Content",
        "## Shots",
        "### script",
        "- core: x y z",
        "  - a",
        "| a | b |",
        "|---|---|",
        "| tone | warm |",
        "```",
        "text",
        "core: 1",
        "**cta:** Go",
        "",
        "- supporting:",
        "## Style",
        "- - -",
        "<!--",
        "-->",
        "- duration: 1:30",
        "\t- deep",
    ]
)


@given(st.lists(pieces, max_size=14).map("\n".join))
@settings(deadline=None, max_examples=50)
def test_whatever_markdown_is_handed_in_is_read_or_refused(text: str) -> None:
    outcome(parse, text, "markdown", "it")


# The same brief in three forms

words = st.text("abcdefgh ÄöüßéÇ-'", min_size=2, max_size=24).map(
    lambda text: " ".join(f"w{text}".split()).rstrip("-' ")
)
lists = st.lists(words, min_size=1, max_size=4, unique_by=str.casefold)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "line": words,
    "text": words,
    "sentences": lists,
    "words": lists,
    "date": st.dates().map(str),
    "duration": st.sampled_from(["60s", "1:30", "2m", 75, "100 seconds"]),
    "span": st.sampled_from(["45m", "2h", "1d"]),
    "money": st.sampled_from([0, 60, 99.5, "$20"]),
    "language": st.sampled_from(["en", "de", "German"]),
    "colours": st.lists(st.sampled_from(["#0b3c5d", "#fff", "gold"]), min_size=1, unique=True),
    "fps": st.sampled_from([24, 25, 30, 23.976, "29.97"]),
}
READ = [
    field
    for field in FIELDS
    if field.kind in {*VALUES, "choice"} and field.name not in {"script", "script_file"}
]


def value_of(field: Any) -> st.SearchStrategy[Any]:
    return (
        st.sampled_from(list(CHOICES[field.key])) if field.kind == "choice" else VALUES[field.kind]
    )


@st.composite
def briefs(draw: st.DrawFn) -> dict[str, dict[str, Any]]:
    data: dict[str, dict[str, Any]] = {"message": {"core": draw(words)}}
    for field in draw(st.lists(st.sampled_from(READ), unique=True)):
        data.setdefault(field.section, {})[field.name] = draw(value_of(field))
    return data


def as_markdown(data: dict[str, dict[str, Any]]) -> str:
    lines = []
    for name, fields in data.items():
        lines += ["", f"## {name.title()}", ""]
        for key, value in fields.items():
            if isinstance(value, list):
                lines += [f"- {key.replace('_', ' ')}:", *(f"  - {each}" for each in value)]
            else:
                lines.append(f"- **{key}**: {value}")
    return "\n".join(lines)


@given(briefs())
@settings(deadline=None, max_examples=50)
def test_the_same_brief_in_three_forms_is_the_same(data: dict[str, dict[str, Any]]) -> None:
    found = outcome(from_data, data, "it")
    assert outcome(parse, json.dumps(data), "json", "it") == found
    assert outcome(parse, yaml.safe_dump(data, allow_unicode=True), "yaml", "it") == found
    assert outcome(parse, as_markdown(data), "markdown", "it") == found


@given(briefs())
@settings(deadline=None, max_examples=50)
def test_the_flat_form_means_the_same(data: dict[str, dict[str, Any]]) -> None:
    flat = {key: value for fields in data.values() for key, value in fields.items()}
    assert outcome(from_data, flat, "it") == outcome(from_data, data, "it")


@given(briefs())
@settings(deadline=None, max_examples=50)
def test_what_a_brief_says_is_never_called_inferred_and_the_rest_always_is(
    data: dict[str, dict[str, Any]],
) -> None:
    found = outcome(from_data, data, "it")
    if found is not None:
        inferred = {each.key for each in found.inferred}
        said = {f"{name}.{key}" for name, fields in data.items() for key in fields}
        assert not inferred & said
        dumped = found.model_dump(exclude={"inferred"})
        filled = {
            f"{name}.{key}"
            for name, fields in dumped.items()
            for key, value in fields.items()
            if value not in (None, "", ())
        }
        assert filled - said - {"constraints.licences"} == inferred


@given(briefs())
@settings(deadline=None, max_examples=50)
@pytest.mark.requirement("P2")
def test_the_defaults_as_answers_change_nothing_but_that_they_were_given(
    data: dict[str, dict[str, Any]],
) -> None:
    found = outcome(from_data, data, "it")
    if found is not None:
        asked = questions(found)
        after = answered(found, {each.key: each.default for each in asked})
        keep = found.model_dump(exclude={"inferred"})
        assert after.model_dump(exclude={"inferred"}) == keep
        assert not {each.key for each in questions(after)} & {
            each.key for each in asked if each.default
        }
