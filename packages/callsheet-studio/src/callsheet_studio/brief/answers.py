"""Answers to clarifying questions, from a file: `{tone: warm, cta: Book a visit}`."""

from __future__ import annotations

from pathlib import Path

from callsheet_studio.brief.problems import Problems
from callsheet_studio.brief.source import read_text


def load_answers(path: str | Path) -> dict[str, str]:
    """The answers in a YAML or JSON file, by the keys of the questions. An empty file has none.

    Raises:
        InputError: it cannot be read, or is not a mapping of texts; says everything that is wrong.
    """
    from callsheet_studio.brief.yamlform import read_yaml

    file = Path(path)
    problems = Problems(f"the file {file.name}")
    # JSON is YAML, too: one reader for both.
    found = read_yaml(read_text(file, "answers", problems), problems)
    problems.check()
    if found is None:
        return {}
    if not isinstance(found, dict):
        problems.add("answers", "it is not a mapping", "Write one line for each, as in: tone: warm")
        raise problems.refusal()
    for key, answer in found.items():
        if isinstance(answer, (dict, list)):
            problems.add(f"answers.{key}", "it is not a text", "Write the answer in words.")
    problems.check()
    return {str(key): "" if answer is None else str(answer) for key, answer in found.items()}
