"""Briefs are read in every form, and everything that is wrong is said at once."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any, get_args

import pytest
from pydantic import BaseModel

from callsheet.errors import InputError
from callsheet_studio.brief import BriefError, from_data, load, parse
from callsheet_studio.brief.choices import CHOICES
from callsheet_studio.brief.fields import BY_NAME, FIELDS, SECTIONS
from callsheet_studio.model import brief as model

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.requirement("P1")

CORE = "Harbor keeps every berth in view."


def refusal(read: Any, *given: Any) -> BriefError:
    with pytest.raises(InputError) as caught:
        read(*given)
    assert isinstance(caught.value, BriefError)
    return caught.value


def problems(data: dict[str, Any]) -> dict[str, str]:
    """What is wrong at each place."""
    found = refusal(from_data, data, "it").problems
    return {each.place: f"{each.what}. {each.fix}" for each in found}


def with_core(**sections: Any) -> dict[str, Any]:
    return {"message": {"core": CORE}, **sections}


# Files


def test_a_file_is_read_by_its_ending(tmp_path: Path) -> None:
    texts = {
        "a.yaml": f"message: {{core: '{CORE}'}}",
        "a.YML": f"message:\n  core: {CORE}\n",
        "a.json": f'{{"message": {{"core": "{CORE}"}}}}',
        "a.md": f"## Message\n\n- core: {CORE}\n",
        "a.markdown": f"## Core message\n\n{CORE}\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, "utf-8")
    read = [load(tmp_path / name) for name in texts]
    assert read[0].message.core == CORE
    assert all(each == read[0] for each in read)


@pytest.mark.parametrize("name", ["brief.docx", "brief", "brief.toml"])
def test_a_file_of_another_ending_is_refused_with_the_endings_that_there_are(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / name).write_text("message: {core: x}", "utf-8")
    assert ".yaml, .json, .md, .txt or .fountain" in refusal(load, tmp_path / name).message


def test_a_screenplay_is_a_brief_of_its_own(tmp_path: Path) -> None:
    text = "Title: Before Dawn\n\nINT. BAKERY - NIGHT\n\nMARA (40) kneads dough.\n"
    (tmp_path / "film.fountain").write_text(text, "utf-8")
    read = load(tmp_path / "film.fountain")
    assert (read.project.title, read.content.script) == ("Before Dawn", text.strip())


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"message: {core: Sch\xf6n}", "byte 19 (line 1) is 0xf6"),
        (b"\xef\xbb\xbfa: b\nc: \xe9", "byte 11 (line 2) is 0xe9"),
        ("message".encode("utf-16"), "it looks like UTF-16"),
    ],
)
def test_a_file_that_is_not_utf8_is_refused_with_the_byte(
    tmp_path: Path, data: bytes, said: str
) -> None:
    path = tmp_path / "brief.yaml"
    path.write_bytes(data)
    message = refusal(load, path).message
    assert said in message
    assert "as UTF-8" in message


def test_a_mark_at_the_beginning_of_a_file_is_no_part_of_it(tmp_path: Path) -> None:
    path = tmp_path / "brief.yaml"
    path.write_bytes(b"\xef\xbb\xbfmessage: {core: Hello.}")
    assert load(path).message.core == "Hello."


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "d.yaml").mkdir()
    assert "is a directory" in refusal(load, tmp_path / "d.yaml").message
    assert "there is no file" in refusal(load, tmp_path / "e.yaml").message


def test_a_file_that_is_too_large_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "brief.yaml"
    path.write_text("# " + "x" * 300_000 + "\nmessage: {core: x}", "utf-8")
    assert "larger than 256 KB" in refusal(load, path).message


@pytest.mark.parametrize("form", ["yaml", "json", "markdown"])
@pytest.mark.parametrize("text", ["", "  \n\n ", "\ufeff"])
def test_an_empty_brief_says_how_to_begin(form: str, text: str) -> None:
    message = refusal(parse, text, form, "it").message
    assert "it is empty. Begin with message: {core:" in message


# YAML and JSON


def test_a_yaml_bomb_is_refused_at_its_first_alias() -> None:
    text = "a: &a [x, x]\n" + "\n".join(
        f"{new}: &{new} [*{old}, *{old}, *{old}]"
        for old, new in zip("abcdefghi", "bcdefghij", strict=True)
    )
    (problem,) = refusal(parse, text, "yaml", "it").problems
    assert problem.what == "*a is an alias, and a brief has none"
    assert problem.line == 2


@pytest.mark.parametrize("text", ["[" * 100_000, "{a: " * 5_000, "- " * 50_000 + "x"])
def test_deep_yaml_is_refused(text: str) -> None:
    assert "nested more than 8 levels" in refusal(parse, text, "yaml", "it").message


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 40_000])
def test_deep_json_is_refused(text: str) -> None:
    assert "nested too deep" in refusal(parse, text, "json", "it").message


def test_a_key_that_stands_twice_is_refused() -> None:
    yaml = refusal(parse, "message:\n  core: a\n  core: b\n", "yaml", "it").problems
    assert [(each.place, each.line) for each in yaml] == [("message.core", 3)]
    json = refusal(parse, '{"message": {"core": "a", "core": "b"}}', "json", "it")
    assert "stands twice" in json.message


def test_a_tag_is_refused_and_nothing_is_constructed() -> None:
    text = "message: {core: !!python/object/apply:os.getcwd []}"
    assert "!!python/object/apply:os.getcwd" in refusal(parse, text, "yaml", "it").message


def test_two_documents_are_one_too_many() -> None:
    text = "message: {core: a}\n---\nmessage: {core: b}\n"
    assert "more than one document" in refusal(parse, text, "yaml", "it").message


def test_what_is_no_yaml_is_refused_with_its_line() -> None:
    (problem,) = refusal(
        parse, "message: {core: a}\nstyle: {palette: [#fff]}\n", "yaml", "it"
    ).problems
    assert "it is not YAML" in problem.what
    assert "put colours into quotes" in problem.fix


@pytest.mark.parametrize(
    ("text", "said", "fix"),
    [
        ("message: {core: \x00}", "it is not YAML", "Remove the sign."),
        ("message:\n\tcore: x", "it is not YAML", "spaces, not with tabs"),
        ("message: a: b", "it is not YAML", "into quotes"),
        ("[a]: b\ncore: x", "is not text", "Write a name."),
    ],
)
def test_what_yaml_cannot_be_is_told_how_to_mend_it(text: str, said: str, fix: str) -> None:
    found = refusal(parse, text, "yaml", "it").problems
    assert said in found[0].what
    assert fix in found[0].fix


def test_what_is_no_json_is_refused_with_its_line() -> None:
    (problem,) = refusal(parse, '{"message":\n {"core": "a",}}', "json", "it").problems
    assert problem.line == 2


def test_plain_words_of_yaml_are_text() -> None:
    text = """
    project: {title: 007, context: yes}
    message: {core: No., must_include: [on, 1.50, null-safe]}
    content: {duration: 1:30}
    delivery: {aspect: 16:9}
    """
    brief = parse(text, "yaml", "it")
    assert brief.project.title == "007"
    assert brief.project.context == "yes"
    assert brief.message.must_include == ("on", "1.50", "null-safe")
    assert brief.content.duration == 90
    assert brief.delivery.aspect == "16:9"


@pytest.mark.parametrize("data", [["a"], "text", 7])
def test_what_is_no_mapping_is_no_brief(data: Any) -> None:
    assert "not keys and values" in refusal(from_data, data, "it").message


# Keys


def test_every_key_of_the_model_can_be_written_and_no_other() -> None:
    sections = {
        name: field.annotation
        for name, field in model.Brief.model_fields.items()
        if name != "inferred"
    }
    assert tuple(sections) == SECTIONS
    for section, kind in sections.items():
        assert isinstance(kind, type)
        names = {field.name for field in FIELDS if field.section == section}
        assert issubclass(kind, BaseModel)
        assert names - {"script_file"} == set(kind.model_fields), section


def test_no_two_keys_share_a_name() -> None:
    assert len(BY_NAME) == sum(1 + len(field.aliases) for field in FIELDS)
    assert not set(BY_NAME) & set(SECTIONS)


def test_the_closed_sets_are_those_of_the_model() -> None:
    for key, kind in {
        "content.type": model.FilmType,
        "content.structure": model.Structure,
        "style.medium": model.Medium,
        "delivery.aspect": model.Aspect,
        "constraints.quality": model.Quality,
    }.items():
        assert set(CHOICES[key]) == set(get_args(kind))


def test_an_unknown_key_is_an_error_with_a_suggestion() -> None:
    found = problems(
        with_core(mesage={}, content={"lenght": 3, "tone": "warm"}, style={"xyzzy": 1}, qqq=1)
    )
    assert "Did you mean 'message'?" in found["mesage"]
    assert "Did you mean 'length'?" in found["content.lenght"]
    assert "It belongs to style: style.tone." in found["content.tone"]
    assert "Its keys are tone, mood" in found["style.xyzzy"]
    assert "The sections are project" in found["qqq"]


def test_the_flat_form_is_read_and_mixes_with_sections() -> None:
    flat = {
        "project_name": "Harbor",
        "video_type": "product demo",
        "estimated_duration": "45s",
        "target_audience": "harbour masters",
        "tone": "confident",
        "core_message": CORE,
        "supporting_messages": ["one live map"],
        "cta": "Try Harbor",
    }
    brief = from_data(flat, "it")
    sections = {
        "project": "Harbor",
        "audience": "harbour masters",
        "message": {"core": CORE, "supporting": ["one live map"], "cta": "Try Harbor"},
        "content": {"type": "product_demo", "duration": 45},
        "Style": {"Tone": "confident"},
    }
    assert from_data(sections, "it") == brief
    assert brief.content.type == "product_demo"


def test_what_is_said_twice_is_refused() -> None:
    found = problems({"core_message": "a", "message": {"core": "b"}})
    assert "as core_message and as message.core" in found["message.core"]


def test_every_error_is_said_at_once_in_the_order_of_the_text() -> None:
    text = """
    content: {type: documentary, duration: 10-20s, language: klingonisch-wie}
    delivery: {aspect: 3:2, resolution: big, fps: 26}
    constraints: {max_cost_usd: -5, deadline: 0, quality: superb}
    style: {palette: [reddish], medium: clay}
    project: {due: tomorrow}
    """
    found = refusal(parse, text, "yaml", "it").problems
    assert [each.place for each in found] == [
        "message.core",
        "content.type",
        "content.duration",
        "content.language",
        "delivery.aspect",
        "delivery.resolution",
        "delivery.fps",
        "constraints.max_cost_usd",
        "constraints.deadline",
        "constraints.quality",
        "style.palette[0]",
        "style.medium",
        "project.due",
    ]
    assert all(each.fix for each in found), "each says what to write"
    assert [each.line for each in found[1:]] == sorted(each.line or 0 for each in found[1:])


def test_a_hopeless_brief_is_told_the_first_fifty_problems() -> None:
    found = refusal(from_data, {f"k{n}": 1 for n in range(500)}, "it").problems
    assert len(found) == 51
    assert "more problems" in found[-1].what


def test_an_error_of_a_brief_survives_the_way_between_processes() -> None:
    error = refusal(from_data, {"x": 1}, "it")
    again = pickle.loads(pickle.dumps(error))
    assert (again.message, again.problems) == (error.message, error.problems)


# Values


@pytest.mark.parametrize("word", ["Product Demo", "product-demo", "PRODUCT_DEMO", "a product demo"])
def test_closed_sets_are_read_however_they_are_written(word: str) -> None:
    assert from_data(with_core(content={"type": word}), "it").content.type == "product_demo"


@pytest.mark.parametrize("word", ["demography", "download", "spotlight", "addition"])
def test_type_words_match_whole_words_only(word: str) -> None:
    assert "content.type" in problems(with_core(content={"type": word}))
    brief = from_data(with_core(project={"context": f"a film about {word}"}), "it")
    assert brief.content.type == "general"


def test_a_type_is_found_in_free_text_if_it_is_one() -> None:
    brief = from_data(with_core(content={"type": "explainer video on demography"}), "it")
    assert brief.content.type == "explainer"
    found = problems(with_core(content={"type": "explainer or testimonial"}))
    assert "It names several; write one: explainer or testimonial." in found["content.type"]


@pytest.mark.parametrize(
    ("written", "usd"),
    [
        (60, 60),
        ("60", 60),
        ("1,500", 1500),
        ("$1,500.50", 1500.5),
        ("$60", 60),
        ("60.50 USD", 60.5),
        (0, 0),
    ],
)
def test_money_is_us_dollars(written: object, usd: float) -> None:
    brief = from_data(with_core(constraints={"max_cost_usd": written}), "it")
    assert brief.constraints.max_cost_usd == usd


@pytest.mark.parametrize(
    "written", [-1, "-1", "60 EUR", "€60", "cheap", "1,5", 1e12, 1e300, 10**400, float("nan"), True]
)
def test_what_is_no_amount_of_us_dollars_is_refused(written: object) -> None:
    assert "constraints.max_cost_usd" in problems(with_core(constraints={"budget": written}))


@pytest.mark.parametrize(
    ("written", "seconds"),
    [("45m", 2700), ("2h", 7200), ("1d", 86400), ("1d 12h", 129600), ("90 minutes", 5400)],
)
def test_a_deadline_is_minutes_hours_or_days(written: str, seconds: float) -> None:
    brief = from_data(with_core(constraints={"deadline": written}), "it")
    assert brief.constraints.deadline == seconds


@pytest.mark.parametrize("written", [0, "0h", "30", "-2h", "soon", "2 months", "400d", "1h-2h"])
def test_what_is_no_deadline_is_refused_with_the_forms(written: object) -> None:
    found = problems(with_core(constraints={"deadline": written}))
    assert "Write 45m, 2h or 1d" in found["constraints.deadline"]


@pytest.mark.parametrize(
    ("written", "region"),
    [
        ("EU", "EU"),
        ("eu", "EU"),
        ("European Union", "EU"),
        ("Germany", "EU"),
        ("Österreich", "EU"),
        ("fr", "EU"),
        ("UK", "UK"),
        ("Great Britain", "UK"),
        ("U.S.", "US"),
        ("South Korea", "KR"),
        ("jp", "JP"),
        ("worldwide", ""),
    ],
)
def test_a_region_is_a_code_or_the_name_of_a_country(written: str, region: str) -> None:
    brief = from_data(with_core(constraints={"region": written}), "it")
    assert brief.constraints.region == region
    again = from_data(with_core(constraints={"region": region}), "it")
    assert again.constraints.region == region


@pytest.mark.parametrize("written", ["Atlantis", "Europe", "EU, US", "x", 7])
def test_what_is_no_region_is_refused_with_what_to_write(written: object) -> None:
    found = problems(with_core(constraints={"region": written}))
    assert "Write EU, UK, US or KR" in found["constraints.region"]


def test_a_region_that_is_misspelt_is_guessed() -> None:
    found = problems(with_core(constraints={"region": "Germny"}))
    assert "Did you mean 'germany'?" in found["constraints.region"]


def test_colours_are_read_as_hexadecimal() -> None:
    palette = ["#0B3C5D", "fff", "Gold"]
    read = from_data(with_core(style={"palette": palette}), "it").style.palette
    assert read == ("#0b3c5d", "#ffffff", "#ffd700")
    assert from_data(with_core(style={"palette": "#0b3c5d, gold"}), "it").style.palette == read[::2]


@pytest.mark.parametrize(
    ("written", "aspect", "read"),
    [
        ("1080p", "9:16", "1080x1920"),
        ("4K", "16:9", "3840x2160"),
        ("1920 × 1080", "16:9", "1920x1080"),  # noqa: RUF001 -- as people write it
        ("720p", "4:5", "720x900"),
    ],
)
def test_a_resolution_is_read_in_its_usual_forms(written: str, aspect: str, read: str) -> None:
    data = with_core(delivery={"resolution": written, "aspect": aspect})
    assert from_data(data, "it").delivery.resolution == read


@pytest.mark.parametrize("text", ["a\x00b", "a\ud800", "a\x1b[31m"])
def test_signs_that_are_no_text_are_refused(text: str) -> None:
    assert "U+" in problems({"message": {"core": text}})["message.core"]


def test_a_number_is_text_where_text_is_meant_and_true_is_not() -> None:
    assert from_data({"core": 42, "title": 1.5}, "it").project.title == "1.5"
    assert "message.core" in problems({"message": {"core": True}})


def test_a_list_may_be_written_as_text() -> None:
    listed = "- one two, three\n* four; five\n2. six seven\n"
    read = from_data({"core": CORE, "supporting": listed}, "it").message.supporting
    assert read == ("one two, three", "four; five", "six seven")
    one = from_data({"core": CORE, "supporting": "one two\nthree, four"}, "it").message.supporting
    assert one == ("one two three, four",)
    assert from_data({"core": CORE, "platforms": "a, b; c"}, "it").audience.platforms[1:] == (
        "b",
        "c",
    )


def test_texts_have_a_limit() -> None:
    assert "at most 300" in problems({"message": {"core": "x" * 301}})["message.core"]


# Own script and shots


def test_a_script_is_kept_word_for_word() -> None:
    script = "INT. OFFICE - DAY\n\nShe waits.\n\n    MARA\n  Now -- go!"
    assert from_data({"content": {"script": script}}, "it").content.script == script


def test_a_script_that_is_no_text_is_told_how_to_name_a_file() -> None:
    found = problems({"content": {"script": {"file": "film.fountain"}}})
    assert "script_file: NAME" in found["content.script"]


def test_a_script_lies_beside_its_brief(tmp_path: Path) -> None:
    (tmp_path / "film.fountain").write_text("INT. LAB\r\n\r\nIt hums.\r\n", "utf-8")
    path = tmp_path / "brief.yaml"
    path.write_text("content: {script_file: film.fountain}", "utf-8")
    assert load(path).content.script == "INT. LAB\n\nIt hums."


@pytest.mark.parametrize("named", ["../secret.txt", "/etc/hostname", "a/../../secret.txt"])
def test_a_script_from_elsewhere_is_refused(tmp_path: Path, named: str) -> None:
    (tmp_path / "secret.txt").write_text("secret", "utf-8")
    folder = tmp_path / "briefs"
    folder.mkdir()
    path = folder / "brief.yaml"
    path.write_text(f"content: {{script_file: {named}}}", "utf-8")
    (problem,) = refusal(load, path).problems
    assert problem.place == "content.script_file"
    assert "not in the folder" in problem.what


def test_a_script_that_a_link_leads_out_to_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret", "utf-8")
    folder = tmp_path / "briefs"
    folder.mkdir()
    (folder / "film.txt").symlink_to(tmp_path / "secret.txt")
    path = folder / "brief.yaml"
    path.write_text("content: {script_file: film.txt}", "utf-8")
    assert "is a link" in refusal(load, path).message


def test_a_missing_script_does_not_hide_other_problems(tmp_path: Path) -> None:
    path = tmp_path / "brief.yaml"
    path.write_text("content: {script_file: no.txt, type: opera}", "utf-8")
    places = {each.place for each in refusal(load, path).problems}
    assert places == {"content.script_file", "content.type"}


def test_two_scripts_are_one_too_many(tmp_path: Path) -> None:
    (tmp_path / "film.txt").write_text("Look up.", "utf-8")
    path = tmp_path / "brief.yaml"
    path.write_text("content: {script: Look down., script_file: film.txt}", "utf-8")
    (problem,) = refusal(load, path).problems
    assert "not both" in problem.fix


def test_a_brief_that_is_no_file_names_no_script_beside_it() -> None:
    found = problems({"content": {"script_file": "film.txt"}})
    assert "Put its text into content.script." in found["content.script_file"]


def test_own_shots_are_read_with_the_words_of_a_set() -> None:
    shots = [
        "A door opens",
        {"description": "A hand", "seconds": "2.5s", "framing": "close-up", "camera": "Push in"},
        {"action": "From above", "angle": "high angle", "size": "two_shot", "movement": "pan left"},
    ]
    read = from_data({"content": {"shots": shots}}, "it").content.shots
    assert read is not None
    assert [each.action for each in read] == ["A door opens", "A hand", "From above"]
    assert (read[1].seconds, read[1].size, read[1].movement) == (2.5, "CU", "push in")
    assert (read[2].size, read[2].angle, read[2].movement) == ("TWO_SHOT", "high", "pan left")


def test_what_is_wrong_with_own_shots_is_said_for_each() -> None:
    shots = [
        {"action": "a", "size": "MCV", "movment": "pan"},
        {"duration": "30s"},
        {"action": "b", "movement": "push sideways", "angle": "hgih"},
        7,
        {"action": "c", "duration": 0.5},
        {"action": "d", "vo": "one", "voiceover": "two"},
    ]
    found = problems({"content": {"shots": shots}})
    assert "Did you mean 'MCU'?" in found["content.shots[0].size"]
    assert "Did you mean 'movement'?" in found["content.shots[0].movment"]
    assert "Split it" in found["content.shots[1].duration"]
    assert "missing" in found["content.shots[1].action"]
    assert "content.shots[2].movement" in found
    assert "Did you mean 'high'?" in found["content.shots[2].angle"]
    assert "is not a shot" in found["content.shots[3]"]
    assert "said twice" in found["content.shots[5].voiceover"]
    assert "Join it" in found["content.shots[4].duration"]


# Large enough to hurt whoever reads with a quadratic expression.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("markdown", "<!--" * 60_000),
        ("markdown", "#" + " " * 250_000 + "x"),
        ("markdown", "```" + " " * 250_000 + "a b"),
        ("markdown", " " * 120_000 + "|" + " " * 120_000 + "x"),
        ("markdown", "- **" + "**" * 100_000),
        ("markdown", "## Message\n" + "- - " * 60_000 + "x"),
        ("markdown", "## Core\nx y\n## Supporting\n" + "- a\n" * 60_000),
        ("markdown", "x\n" * 120_000),
        ("yaml", "message: {core: x}\n" + "".join(f"k{n}: {n}\n" for n in range(25_000))),
        ("yaml", "shots:\n- " + "  ".join(f"k{n}: {n}\n" for n in range(20_000))),
        ("yaml", "core: x\nshots: [" + "{a: b}, " * 30_000 + "]"),
        ("json", '{"message": {' + ", ".join(f'"k{n}": 1' for n in range(20_000)) + "}}"),
        ("json", '{"core": "x", "shots": [' + ", ".join(["7"] * 80_000) + "]}"),
        ("json", '{"core": "' + "a " * 120_000 + '"}'),
        ("json", '{"script": "' + "Aa, " * 14_000 + '"' + ', "must_avoid": ["aa aa"]}'),
    ],
)
def test_a_hostile_text_is_refused_soon(form: str, text: str) -> None:
    assert refusal(parse, text, form, "it").problems


@pytest.mark.parametrize("written", ["NaN", "Infinity"])
def test_a_number_that_is_none_is_not_called_too_large(written: str) -> None:
    text = f'{{"message": {{"core": "{CORE}"}}, "constraints": {{"max_cost_usd": {written}}}}}'
    assert "not a number" in str(refusal(parse, text, "json", "it"))


@pytest.mark.parametrize(
    ("where", "subject"),
    [("film.yaml", "The brief film.yaml does"), ("the command line", "The command line does")],
)
def test_a_refusal_names_what_was_read(where: str, subject: str) -> None:
    assert str(refusal(from_data, {}, where)).startswith(subject)


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("yaml", "core: x y\npronunciation: {Lotsa: LOHT-sah, Ondo: On-doh}"),
        ("yaml", "core: x y\ncontent:\n  pronunciation:\n  - Lotsa: LOHT-sah\n  - Ondo = On-doh"),
        ("json", '{"core": "x y", "pronunciation": "Lotsa = LOHT-sah, Ondo = On-doh"}'),
        (
            "markdown",
            "## Content\n### Pronunciation\n- Lotsa = LOHT-sah\n- Ondo = On-doh\n## Message\nx y\n",
        ),
    ],
)
def test_how_names_are_said_is_read_in_every_form(form: Any, text: str) -> None:
    found = parse(text, form, "it").content.pronunciation
    assert found == {"Lotsa": "LOHT-sah", "Ondo": "On-doh"}


@pytest.mark.parametrize("written", ["Lotsa", {"Lotsa": None}, {"Lotsa": "…"}, [" = x"]])
def test_a_name_without_its_sound_is_refused(written: object) -> None:
    found = problems(with_core(content={"pronunciation": written}))
    assert "how a name is said" in found["content.pronunciation"]


@pytest.mark.parametrize(
    ("written", "burned", "soft"),
    [
        (None, True, True),
        ("both", True, True),
        ("Burned in", True, False),
        ("closed", False, True),
        ("none", False, False),
    ],
)
def test_captions_are_where_the_brief_wants_them(written: str, burned: bool, soft: bool) -> None:
    delivery = from_data(with_core(delivery={"captions": written}), "it").delivery
    assert (delivery.burns_captions, delivery.has_soft_captions) == (burned, soft)


def test_another_way_of_captions_is_refused_with_those_there_are() -> None:
    found = problems(with_core(delivery={"captions": "karaoke"}))
    assert "burned, soft, both or none" in found["delivery.captions"]
