"""A plan that is mended keeps its comments and its layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.corpus.labels import samples, specs

from callsheet.core.check.fix import fix_document
from callsheet.core.problem import Report
from callsheet.core.yaml.keep import kept
from callsheet.core.yaml.read import read_yaml

if TYPE_CHECKING:
    from callsheet.core.plan.toolspec import ToolSpec

pytestmark = pytest.mark.requirement("E28")

WRITTEN = """\
# our release
callsheet: 1
name: release  # its name

# what it needs
inputs:
  ref: str   # a branch

steps:
  # first the tests
  - id: tests
    uses: tests.run   # the whole suite
    with:
      suite: all
    parallel: true   # as they say

  # then the image: größer
  - depends_on: tests
    name: image
    uses: build.image
    with: {ref: "{{ inputs.ref }}", tag: latest}   # flow
    timeout-minutes: 5
    # last
"""

MENDED = """\
# our release
callsheet: 1
name: release  # its name

# what it needs
inputs:
  ref: string   # a branch

steps:
  # first the tests
  - id: tests
    tool: tests.run   # the whole suite
    args:
      suite: all

  # then the image: größer
  - needs: [tests]
    id: image
    tool: build.image
    args: {ref: "${inputs.ref}", tag: latest}   # flow
    timeout: 5m
    # last
"""


class Known:
    def spec(self, name: str) -> ToolSpec | None:
        return specs().get(name)

    def names(self) -> list[str]:
        return sorted(specs())


def test_what_is_mended_keeps_its_comments_and_its_layout() -> None:
    fixed = fix_document(WRITTEN, Known())
    assert fixed.ok
    assert fixed.text() == MENDED
    assert fix_document(MENDED, Known()).text() == MENDED


@pytest.mark.slow  # many plans, each mended
def test_nearly_every_plan_of_the_corpus_is_mended_in_its_own_text() -> None:
    anew = []
    for sample in samples():
        fixed = fix_document(sample.text, Known())
        if fixed.is_json:
            continue
        assert isinstance(fixed.document, dict)
        document = {"callsheet": fixed.document["callsheet"], **fixed.document}
        text = kept(fixed.written, document)
        if text is None:
            anew.append(sample.name)
        assert _read(fixed.text()) == document, sample.name
    # Steps of a job, and a plan inside of another mapping, stand elsewhere then.
    assert anew == ["gh11", "lc11"]


def _read(text: str) -> dict[str, object]:
    found = read_yaml(text, Report())
    assert isinstance(found, dict)
    return dict(found)


@pytest.mark.parametrize(
    ("text", "document", "expected"),
    [
        ("a: 1 # one\n", {"a": 2}, "a: 2 # one\n"),
        ("a: 1\n", {"a": 1, "b": [1, 2]}, "a: 1\nb: [1, 2]\n"),
        ("- a: 1\n  b: 2 # two\n", [{"b": 2}], "- b: 2 # two\n"),
        ("a: {x: 1, y: 2} # z\n", {"a": {"x": 1}}, "a: {x: 1} # z\n"),
        ("a: |\n  # no comment\n  x\nb: 1\n", {"b": 1}, "b: 1\n"),
        ("a: |\n  x\n# c\nb: 1\n", {"b": 1}, "# c\nb: 1\n"),
        ("'a': x\n", {"c": "x"}, "c: x\n"),
        ("a:\n  - 1\n  - 2\n# end\n", {"a": [1]}, "a: [1]\n# end\n"),
        ("a: &x {b: 1}\nc: *x\n", {"a": {"b": 2}, "c": {"b": 1}}, None),
        ("a: 1\n", ["x"], "- x\n"),
        ("", {"a": 1}, None),
        ("a: [", {"a": 1}, None),
    ],
)
def test_only_what_differs_is_written_anew(
    text: str, document: object, expected: str | None
) -> None:
    # Whatever is JSON.
    assert kept(text, document) == expected  # type: ignore[arg-type]
