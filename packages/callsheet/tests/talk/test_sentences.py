"""What is understood without a model: as it was meant, or not at all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from callsheet.agents.language.phrases import own_phrases, read
from callsheet.agents.model import Offered
from callsheet.agents.offline.named import Meant
from callsheet.agents.offline.understanding import (
    MOST,
    Asked,
    Said,
    Series,
    Unclear,
    understand,
)

pytestmark = pytest.mark.requirement("M6")

HERE = Path(__file__).parent
FILM = r"""
[words]
FILM = "film films movie video videos ad advert spot clip storyboard animatic trailer drehbuch"
FILMING = "make produce shoot film verfilm* produzier* dreh*"
BRIEF = "brief briefs briefing file datei one into after from made nach aus based_on out_of"

[[command]]
example = "make a film from brief.yaml"
tool = "film.make"
needs = ["FILM", "PATH"]
may = ["MAKE", "BRIEF", "FROM", "FILE", "TO", "HAVE", "IT", "DEADLINE"]
args = {brief = "{path}"}
document = "brief"
asks = "What is it about?"

[[command]]
example = "make brief.yaml"
tool = "film.make"
needs = ["FILMING", "PATH"]
may = ["BRIEF", "FROM", "FILE"]
args = {brief = "{path}"}
"""


def tool(name: str, required: str = "", **properties: str) -> Offered:
    """A tool, as a model is offered it."""
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {each: {"type": kind} for each, kind in properties.items()},
        "required": required.split(),
    }
    return Offered(name=name, schema=schema)


TOOLS = (
    tool("wait", "seconds", seconds="number"),
    tool("value", "value", value="object"),
    tool("file.read", "path", path="string"),
    tool("file.write", "path text", path="string", text="string"),
    tool("http.get", "url", url="string"),
    tool("film.make", "brief", brief="string", out="string"),
    tool("runs.list", state="string", since="string"),
    tool("runs.retry", run="string", step="string"),
    tool("runs.questions"),
    tool("runs.cost", run="string", since="string"),
    *(
        tool(f"runs.{each}", run="string")
        for each in ("show", "why", "cancel", "pause", "undo", "resume")
    ),
)
WORDS = ("refused", "greeting", "parting", "smalltalk", "asked")
"""What does nothing: where a table has `words`, any of them will do."""
PHRASES = (*read(FILM), *own_phrases())


def meaning(said: str) -> str:
    """In the words of the tables."""
    found = understand(said, TOOLS, PHRASES)
    if isinstance(found, Meant):
        return _called(found)
    if isinstance(found, Series):
        return " then ".join(_called(each) for each in found.calls)
    if isinstance(found, Asked):
        return "asked"
    return found.about if isinstance(found, Said) else "refused"


def _called(meant: Meant) -> str:
    return f"{meant.tool} {json.dumps(meant.args, ensure_ascii=False, sort_keys=True)}"


def sentences(name: str) -> list[tuple[str, str]]:
    """What is meant, and how somebody said it."""
    lines = (HERE / name).read_text("utf-8").splitlines()
    told = [(meant, said) for meant, _, said in (line.partition("\t") for line in lines)]
    return [(_ordered(meant), said) for meant, said in told]


def _ordered(meant: str) -> str:
    name, _, args = meant.partition(" ")
    return (
        f"{name} {json.dumps(json.loads(args), ensure_ascii=False, sort_keys=True)}"
        if args
        else name
    )


@pytest.mark.parametrize(
    "who", ["open", "of-others", "habits", "idioms", "of-strangers", "of-visitors", "talk"]
)
def test_nearly_every_sentence_is_understood_and_none_is_misunderstood(who: str) -> None:
    found = [(meant, said, meaning(said)) for meant, said in sentences(f"sentences-{who}.tsv")]
    differing = [
        each
        for each in found
        if each[0] != each[2] and not (each[0] == "words" and each[2] in WORDS)
    ]
    assert len(differing) <= 0.05 * len(found), differing
    misunderstood = [each for each in differing if each[2] != "refused"]
    assert not misunderstood, "what is not understood is refused"


def test_what_only_looks_never_stands_for_another_topic_or_for_an_act() -> None:
    found = [(said, meaning(said)) for _, said in sentences("sentences-elsewhere.tsv")]
    assert [each for each in found if each[1] not in WORDS] == []


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Halt den Lauf mal kurz an", "runs.pause"),
        ("put it on hold for a bit", "runs.pause"),
        ("pause", "runs.pause"),
        ("stop", "runs.cancel"),
        ("Stopp den Lauf", "runs.cancel"),
        ("pause 2 seconds", "wait"),
        ("stop it for a moment", "refused"),
        ("stopp das mal kurz", "refused"),
        ("pause it and cancel it", "refused"),
    ],
)
def test_stopping_is_never_taken_for_pausing(said: str, meant: str) -> None:
    assert meaning(said).split()[0] == meant


def test_a_question_mark_alone_asks_for_help() -> None:
    assert meaning("?") == meaning("??") == "help"


def test_what_one_call_brings_is_not_handed_to_another() -> None:
    found = understand("fetch https://example.net and save it as page.html", TOOLS, PHRASES)
    assert isinstance(found, Unclear)
    assert "two sentences" in found.why


@pytest.mark.parametrize(
    "said",
    ["yes", "approve", "approve it", "deny", "answer yes", "ja", "say yes to pay", "ok do it"],
)
def test_nobody_is_answered_for(said: str) -> None:
    assert not isinstance(understand(said, TOOLS, PHRASES), Meant)


@pytest.mark.parametrize(
    "said",
    [
        "do not undo r00t3v878",
        "please don't cancel the last run",
        "should I undo r00t3v878?",
        "can I resume the last run?",
        "undo r00t3v878 and cancel r00t3v879",
        "cancel or resume r00t3v878, whatever is better",
        "bitte r00t3v878 nicht abbrechen",
        "soll ich den letzten lauf rückgängig machen?",
        "stop the music in the last scene",
        "undo the last colour change of the title",
    ],
)
def test_what_is_said_of_a_run_is_done_only_if_it_is_clear(said: str) -> None:
    assert not isinstance(understand(said, TOOLS, PHRASES), Meant)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("oh no, that was a mistake, please undo the last run", 'runs.undo {"run": "last"}'),
        ("my laptop died, pick r00t3v878 up where it was", 'runs.resume {"run": "r00t3v878"}'),
        ("r00t3v878 details please", 'runs.show {"run": "r00t3v878"}'),
        ("Warum ist r00t3v878 schiefgegangen?", 'runs.why {"run": "r00t3v878"}'),
    ],
)
def test_a_run_and_one_verb_are_enough(said: str, meant: str) -> None:
    assert meaning(said) == meant


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        (
            "wait 5 seconds and then read a.txt",
            'wait {"seconds": 5} then file.read {"path": "a.txt"}',
        ),
        ("lies a.txt und dann warte 2 s", 'file.read {"path": "a.txt"} then wait {"seconds": 2}'),
        ("undo that and then have a party", "refused"),
        ("read a.txt and then delete it", "refused"),
    ],
)
def test_one_thing_after_the_other_is_done_only_if_every_one_is_understood(
    said: str, meant: str
) -> None:
    assert meaning(said) == meant


@pytest.mark.parametrize(
    ("said", "run"),
    [
        ("show the second one", "2"),
        ("zeig mir den dritten Lauf", "3"),
        ("show r0a1", "r0a1"),
        ("show the run trip", "trip"),
        ('show the run "my trip"', "my trip"),
        ("show the failed one", "failed"),
        ("show that", "last"),
    ],
)
def test_a_run_is_meant_by_its_place_its_id_its_plan_or_its_state(said: str, run: str) -> None:
    assert meaning(said) == f'runs.show {{"run": "{run}"}}'


WEATHER = (
    tool("weather", "city", city="string", days="integer"),
    tool("orders.place", "item count", item="string", count="integer"),
    tool("lamps.toggle", on="boolean"),
)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("weather city=Oslo days=3", Meant("weather", {"city": "Oslo", "days": 3})),
        ("what's the weather in Oslo?", Meant("weather", {"city": "Oslo"})),
        ("call weather with city Oslo", Meant("weather", {"city": "Oslo"})),
        ("weather --city Oslo", Meant("weather", {"city": "Oslo"})),
        ('weather "New York"', Meant("weather", {"city": "New York"})),
        ("orders.place tea 3", Meant("orders.place", {"item": "tea", "count": 3})),
        (
            'orders.place item "green tea", count 3',
            Meant("orders.place", {"item": "green tea", "count": 3}),
        ),
        ("orders.place(item=tea, count=two)", Meant("orders.place", {"item": "tea", "count": 2})),
        ("lamps.toggle on=off", Meant("lamps.toggle", {"on": False})),
    ],
)
def test_any_tool_is_called_by_its_name_as_its_schema_wants_it(said: str, meant: Meant) -> None:
    assert understand(said, WEATHER, ()) == meant


def test_what_is_not_understood_is_said_with_the_three_nearest_things() -> None:
    found = understand("show me the ruins", TOOLS, PHRASES)
    assert isinstance(found, Unclear)
    assert len(found.nearest) == 3
    assert "show the failed runs" in found.nearest


def test_a_tool_that_is_not_offered_is_not_called() -> None:
    assert isinstance(understand("read notes.txt", TOOLS[:1], PHRASES), Unclear)


def test_a_tool_with_arguments_that_do_not_fit_says_what_it_takes() -> None:
    found = understand("wait seconds=soon", TOOLS, PHRASES)
    assert isinstance(found, Unclear)
    assert "seconds" in found.why


@pytest.mark.parametrize(
    "said",
    ["", "   ", "x" * (MOST + 1), "\x1b[2J", "a\x00b", "/" * MOST, "a, " * 1333, '"' * MOST],
)
def test_bad_input_is_not_understood(said: str) -> None:
    assert isinstance(understand(said, TOOLS, PHRASES), Unclear)
