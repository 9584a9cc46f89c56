"""The voices of a film: spoken beside the command, in one process, and only what is needed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import psutil
import pytest
from tests.acceptance.command import Process

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.slow, pytest.mark.requirement("P11")]

_MODEL = "onnxruntime"
"""What the English voice runs on; others need nothing of the kind."""
_LINES = {
    "en": ("Harbor is near.", "Come and see."),
    "de": ("Der Hafen ist nah.", "Kommt und schaut."),
}


def brief(folder: Path, language: str) -> Path:
    """A film of two lines, as small as films may be."""
    shot = {"action": "The boat at its berth", "place": "harbour", "size": "WS", "seconds": 3}
    shots = [shot | {"voiceover": line} for line in _LINES[language]]
    content = {"type": "product_demo", "duration": 6, "language": language}
    told = {
        "project": {"title": "Harbor"},
        "message": {"core": _LINES[language][0], "brand": "Harbor"},
        "content": content | {"shots": shots},
        "delivery": {"aspect": "1:1", "resolution": "240x240", "fps": 24},
    }
    path = folder / "brief.json"
    path.write_text(json.dumps(told), "utf-8")
    return path


@pytest.mark.parametrize(("language", "many"), [("en", 1), ("de", 0)])
def test_one_process_beside_the_command_loads_the_voice_and_only_for_english(
    tmp_path: Path, language: str, many: int
) -> None:
    words = ("make", brief(tmp_path, language), "-o", "film", "--today", "2026-11-15")
    with Process(*words, "--home", "home", directory=tmp_path) as process:
        process.hear(r"voices 2/2  succeeded")
        command = psutil.Process(process.popen.pid)
        workers = command.children(recursive=True)
        speaking = [each for each in (command, *workers) if loaded(each)]
        assert command not in speaking
        assert len(speaking) == many
        process.popen.kill()
        process.end()


def loaded(process: psutil.Process) -> bool:
    """Whether it has loaded the voice, or had."""
    try:
        return any(_MODEL in each.path for each in process.memory_maps())
    except psutil.NoSuchProcess:
        return False
