"""The graph of lineage, and its picture."""

from __future__ import annotations

import hashlib
import re
from datetime import UTC, datetime
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callsheet.core.plan.artifact import Artifact
from callsheet.insight.lineage import LineageCall, LineageGraph, LineageLink
from callsheet.insight.picture import picture_of

pytestmark = pytest.mark.requirement("E14")

AT = datetime(2026, 1, 1, tzinfo=UTC)


def digest(number: int) -> str:
    return hashlib.sha256(str(number).encode()).hexdigest()


def call(number: int) -> LineageCall:
    return LineageCall(
        run="r1", plan="film", step=f"s{number}", how="call", at=AT, attempt=1, tool="cut"
    )


def graph_of(links: set[tuple[int, int, bool]], roots: tuple[str, ...] = ()) -> LineageGraph:
    """Artifacts and calls by number; whether the call made it."""
    return LineageGraph(
        roots=roots,
        artifacts=tuple(
            Artifact(digest=digest(number), name=f"a{number}", size=1234567)
            for number in sorted({artifact for artifact, _, _ in links})
        ),
        calls=tuple(call(number) for number in sorted({number for _, number, _ in links})),
        links=tuple(
            LineageLink(
                call=call(number).id,
                artifact=digest(artifact),
                role="produced" if made else "consumed",
            )
            for artifact, number, made in sorted(links)
        ),
    )


def test_a_graph_knows_who_made_and_who_used_what() -> None:
    graph = graph_of({(1, 1, True), (1, 2, False), (2, 2, True), (1, 3, False)})
    assert [each.step for each in graph.producers(digest(1))] == ["s1"]
    assert [each.step for each in graph.consumers(digest(1))] == ["s2", "s3"]
    assert [each.name for each in graph.made_from(call(2))] == ["a1"]
    assert [each.name for each in graph.made(call(2))] == ["a2"]
    assert graph.producers(digest(3)) == ()


LINKS = st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6), st.booleans()), max_size=20)


@given(links=LINKS)
def test_whatever_is_linked_with_whatever_is_drawn_once_and_whole(
    links: set[tuple[int, int, bool]],
) -> None:
    graph = graph_of(links)
    root = ET.fromstring(picture_of(graph))
    titles = [node.text for node in root.iter() if node.get("class") == "title t"]
    assert sorted(map(str, titles)) == sorted(
        [each.name for each in graph.artifacts] + [each.step for each in graph.calls]
    )
    arrows = [node for node in root.iter() if node.get("class") == "link"]
    assert len(arrows) == len(graph.links)


@given(links=LINKS)
def test_nothing_is_drawn_over_another(links: set[tuple[int, int, bool]]) -> None:
    picture = picture_of(graph_of(links))
    corners = re.findall(r'<text class="title t" x="(\d+)" y="([\d.]+)"', picture)
    assert len(set(corners)) == len(corners)
    columns: dict[str, list[float]] = {}
    for x, y in corners:
        columns.setdefault(x, []).append(float(y))
    for column in columns.values():
        column.sort()
        assert all(lower - upper >= 58 for upper, lower in pairwise(column))


def test_arrows_point_to_the_right() -> None:
    # A chain, and a link that passes two columns.
    picture = picture_of(
        graph_of({(1, 1, True), (1, 2, False), (2, 2, True), (2, 3, False)} | {(1, 3, False)})
    )
    ends = re.findall(r'class="link" d="M(\d+) .*? (\d+) [\d.]+"', picture)
    assert len(ends) == 5
    assert all(int(begin) < int(end) for begin, end in ends)


def test_what_was_asked_about_stands_out_and_names_are_escaped() -> None:
    artifact = Artifact(digest=digest(1), name="<film> & more, with a very long name indeed.mp4")
    graph = LineageGraph(roots=(digest(1),), artifacts=(artifact,), calls=(), links=())
    picture = picture_of(graph)
    assert 'class="root"' in picture
    assert "&lt;film&gt; &amp; more" in picture
    assert "…" in picture
    ET.fromstring(picture)


def test_nothing_is_a_picture_too() -> None:
    ET.fromstring(picture_of(LineageGraph(roots=(), artifacts=(), calls=(), links=())))
