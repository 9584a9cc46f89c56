"""`index.html`: shows all of it, plays the film, asks nobody for anything, and runs no content."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import get_args
from urllib.parse import unquote

import pytest
from tests.unit.documents.films import Film, brief_of, film
from typing_extensions import override

from callsheet_studio.documents.page import Shown, index_page
from callsheet_studio.model.base import Inferred, Violation
from callsheet_studio.model.brief import Aspect

pytestmark = pytest.mark.requirement("P6")

FILES = ("film.mp4", "storyboard.pdf", "storyboard/1A.png", "script.md", "report.json")
VOID = {"meta", "link", "img", "br"}
NASTY = '</title><script>alert("x")</script><img src=x onerror=alert(1)>" onload="alert(2)'


class Page(HTMLParser):
    """A page as a browser sees it: elements with their attributes, and texts by element."""

    def __init__(self, data: bytes) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.open: list[str] = []
        self.texts: dict[str, str] = {}
        self.source = data.decode()
        self.feed(self.source)
        self.close()

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    @override
    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag, f"</{tag}> closes something else"

    @override
    def handle_data(self, data: str) -> None:
        where = self.open[-1] if self.open else ""
        self.texts[where] = self.texts.get(where, "") + data

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def text(self) -> str:
        shown = (text for tag, text in self.texts.items() if tag not in {"style", "script"})
        return " ".join(" ".join(shown).split())


def page(
    made: Film,
    *,
    found: list[Violation] | None = None,
    accent: str = "#e9806e",
    files: tuple[str, ...] = FILES,
) -> Page:
    shown = Shown(made.brief, made.script, made.shots, made.plan)
    return Page(index_page(shown, accent=accent, files=files, found=found))


def test_every_element_is_closed_and_ids_are_there_once() -> None:
    made = page(film(4, 2))
    assert made.open == []
    ids = [attributes["id"] for _, attributes in made.elements if "id" in attributes]
    assert len(ids) == len(set(ids))


def test_the_page_plays_the_film_that_lies_beside_it() -> None:
    (player,) = page(film(2, 2), files=("film.mp4", "poster.png")).all("video")
    assert (player["src"], player["poster"]) == ("film.mp4", "poster.png")
    assert "controls" in player


def test_a_poster_that_was_not_made_is_not_asked_for() -> None:
    assert "poster.png" not in page(film(1, 1)).source


def test_a_frame_is_a_link_to_its_time_in_the_film_and_says_what_it_shows() -> None:
    made = film(4, 2, fps="25")
    shown = page(made)
    links = [each for each in shown.all("a") if "data-at" in each]
    starts = [made.shots.rate.seconds(shot.start) for shot in made.shots.shots]
    assert [float(each["data-at"]) for each in links] == pytest.approx(starts, abs=0.001)
    assert all(each["href"] == f"film.mp4#t={each['data-at']}" for each in links)
    frames = [each for each in shown.all("img") if each["src"].startswith("storyboard/")]
    assert [each["src"] for each in frames] == [
        f"storyboard/{shot.id}.png" for shot in made.shots.shots
    ]
    assert all(each["alt"] for each in shown.all("img"))


def test_the_page_asks_no_server_for_anything() -> None:
    shown = page(film(3, 2))
    for _, attributes in shown.elements:
        for name in ("src", "href", "poster"):
            address = attributes.get(name, "")
            assert "//" not in address
            assert not address.startswith("/")
    assert "http" not in re.sub(r"base64,[A-Za-z0-9+/=]+", "", shown.source)
    assert not re.search(r"@import|fetch\(|XMLHttpRequest", shown.source)


def test_it_says_what_is_said_shown_and_planned() -> None:
    made = film(4, 2)
    text = page(made).text
    for beat in made.script.beats:
        assert beat.script.action in text
        assert (beat.script.voiceover or "") in text
    for each in made.plan.shot_plans:
        assert each.steps[0].tool in text
    assert made.plan.summary.text in text
    assert "proved optimal" in text or "feasible" in text


def test_without_a_plan_there_is_no_word_of_one() -> None:
    made = film(1, 1)
    shown = Page(
        index_page(Shown(made.brief, made.script, made.shots), accent="#123456", files=FILES)
    )
    assert "Production plan" not in shown.text
    assert "Ready in" not in shown.text


# What was found, what was decided, what was written


def test_what_the_checks_found_is_told_with_what_mends_it() -> None:
    found = Violation(rule="speech", where="2B", message="The line is late.", fix="Say less.")
    text = page(film(1, 1), found=[found]).text
    assert "One thing to look at" in text
    for part in ("2B", "The line is late.", "Say less."):
        assert part in text


def test_checks_that_passed_are_said_to_have_and_those_that_did_not_run_are_not() -> None:
    assert "The film passed every check." in page(film(1, 1), found=[]).text
    assert "every check" not in page(film(1, 1), found=None).text


def test_what_nobody_has_decided_is_listed() -> None:
    made = film(1, 1)
    guess = Inferred(key="content.duration", value=30.0, why="usual for an ad")
    brief = made.brief.model_copy(update={"inferred": (guess,)})
    text = page(Film(brief, made.script, made.shots, made.plan)).text
    for part in ("One thing that the brief leaves open", "content.duration", "usual for an ad"):
        assert part in text


def test_every_file_has_a_link_that_leads_to_it() -> None:
    odd = ("a file #1?.txt", "storyboard/1A & <b>.png")
    links = [unquote(each["href"]) for each in page(film(1, 1), files=(*FILES, *odd)).all("a")]
    assert set(links) >= {*FILES, *odd}
    assert all(links.count(name) == 1 for name in (*FILES, *odd))


# Content is content


def test_nothing_that_somebody_wrote_is_run() -> None:
    made = film(1, 2)
    words = {"action": NASTY, "voiceover": NASTY, "dialogue": NASTY, "on_screen_text": NASTY}
    shots = tuple(
        shot.model_copy(
            update=words | {"storyboard": shot.storyboard.model_copy(update={"description": NASTY})}
        )
        for shot in made.shots.shots
    )
    beats = tuple(
        beat.model_copy(update={"script": beat.script.model_copy(update=words)})
        for beat in made.script.beats
    )
    message = made.brief.message.model_copy(update={"core": NASTY})
    nasty = Film(
        made.brief.model_copy(update={"message": message}),
        made.script.model_copy(update={"beats": beats, "language": '"><script>'}),
        made.shots.model_copy(update={"shots": shots, "title": NASTY}),
        made.plan,
    )
    found = [Violation(rule=NASTY, where=NASTY, message=NASTY, fix=NASTY)]
    shown = page(nasty, found=found, accent='red;}</style><script>alert("x")')
    assert len(shown.all("script")) == 1, "our own"
    assert "alert" not in shown.texts["script"]
    assert "red;" not in shown.texts["style"]
    assert not [name for _, each in shown.elements for name in each if name.startswith("on")]
    assert shown.open == []
    assert NASTY in shown.texts["h1"]


@pytest.mark.parametrize("title", ["", "W" * 300, "مرحبا بالعالم", "你好 😀", "100 $ & ${title}"])
def test_any_title_can_be_shown(title: str) -> None:
    made = film(1, 1)
    shots = made.shots.model_copy(update={"title": title})
    shown = page(Film(made.brief, made.script, shots, made.plan))
    assert shown.texts.get("h1", "") == title


@pytest.mark.parametrize("aspect", get_args(Aspect))
def test_the_player_has_the_shape_of_the_film(aspect: Aspect) -> None:
    made = film(1, 1)
    brief = brief_of(8, language="en", fps="24", aspect=aspect)
    shown = page(Film(brief, made.script, made.shots, made.plan))
    assert f"--ratio: {aspect.replace(':', ' / ')};" in shown.texts["style"]


def test_the_same_production_is_the_same_page() -> None:
    assert page(film(3, 2)).source == page(film(3, 2)).source
