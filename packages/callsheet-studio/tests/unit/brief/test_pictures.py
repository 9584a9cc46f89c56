"""A brief names own pictures: files beside it, looked at when it is read, carried by content."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.own_pictures import halves, packed, plain, said_to_be

from callsheet import Artifact
from callsheet.errors import InputError
from callsheet_studio.brief import BriefError, from_data, load, revised
from callsheet_studio.brief.pictures import picture_bytes, pictures_of

if TYPE_CHECKING:
    from pathlib import Path

    from callsheet_studio.model.brief import Brief

pytestmark = pytest.mark.requirement("P1", "P11")

BOAT, LOGO = packed(halves()), packed(plain(90, 80, (20, 60, 220, 120)))


def written(folder: Path, *pictures: Any, **message: Any) -> Path:
    """A brief with a shot for each picture, and the good pictures beside it."""
    (folder / "boat.png").write_bytes(BOAT)
    (folder / "art").mkdir(exist_ok=True)
    (folder / "art" / "logo.png").write_bytes(LOGO)
    shots = [{"action": f"Shot {place}", "picture": each} for place, each in enumerate(pictures)]
    told = {
        "message": {"core": "Harbor keeps every berth in view.", **message},
        "content": {"duration": "10s", "shots": shots},
    }
    path = folder / "brief.json"
    path.write_text(json.dumps(told), "utf-8")
    return path


def problems(path: Path) -> dict[str, str]:
    with pytest.raises(BriefError) as caught:
        load(path)
    return {each.place: f"{each.what}. {each.fix}" for each in caught.value.problems}


def own(brief: Brief) -> Artifact:
    assert brief.content.shots is not None
    picture = brief.content.shots[0].picture
    assert picture is not None
    return picture


def test_a_picture_is_known_by_its_content(tmp_path: Path) -> None:
    brief = load(written(tmp_path, "boat.png", logo="art/logo.png"))
    digest = hashlib.sha256(BOAT).hexdigest()
    picture = Artifact(digest=digest, media_type="image/png", size=len(BOAT), name="boat.png")
    assert own(brief) == picture
    assert [each.name for each in pictures_of(brief)] == ["boat.png", "art/logo.png"]


def test_another_content_is_another_input_but_not_another_film_around_it(tmp_path: Path) -> None:
    path = written(tmp_path, "boat.png", logo="art/logo.png")
    first = load(path)
    (tmp_path / "boat.png").write_bytes(packed(halves(320, 200)))
    (tmp_path / "art" / "logo.png").write_bytes(BOAT)
    second = load(path)
    assert own(first).digest != own(second).digest
    assert first.message.logo != second.message.logo
    assert first.model_dump_json() != second.model_dump_json()
    # All chance follows from the identity: the other shots stay as they were.
    assert first.identity == second.identity
    assert first.identity == load(written(tmp_path, None)).identity


def test_everything_that_is_wrong_with_pictures_is_said_at_once(tmp_path: Path) -> None:
    (tmp_path / "torn.png").write_bytes(BOAT[: len(BOAT) // 2])
    (tmp_path / "dot.png").write_bytes(said_to_be(1, 1))
    (tmp_path / "vast.png").write_bytes(said_to_be(20_000, 20_000))
    (tmp_path / "note.png").write_text("no picture", "utf-8")
    names = ["torn.png", "dot.png", "vast.png", "note.png", "gone.png", "art", "/etc/hosts"]
    names += ["../boat.png"]
    found = problems(written(tmp_path, *names, ["x"], logo="nowhere.png"))
    told = [found.pop(f"content.shots[{place}].picture") for place in range(len(names) + 1)]
    expected = [
        "damaged",
        "1 x 1 pixels",
        "20,000 x 20,000 pixels",
        "no picture that can be read",
        "no file 'gone.png'",
        "'art' is a directory",
        "'/etc/hosts' is not in the folder of the brief",
        "'../boat.png' is not in the folder of the brief",
        "a list of 1 is not a picture. Write the name of its file",
    ]
    assert [each for each, part in zip(told, expected, strict=True) if part not in each] == []
    assert found.keys() == {"message.logo"}
    assert all(each.rstrip(".").count(". ") >= 1 for each in told), "each says what to do"


def test_a_brief_that_is_no_file_has_pictures_that_are_kept_already() -> None:
    kept = Artifact(digest="a" * 64, media_type="image/png", size=7, name="boat.png")
    shots = [{"action": "The boat", "picture": kept.to_json()}]
    data = {"message": "Harbor keeps every berth in view.", "content": {"shots": shots}}
    assert own(from_data(data, "it")) == kept
    shots[0]["picture"] = "boat.png"
    with pytest.raises(InputError, match="callsheet artifact put"):
        from_data(data, "it")
    shots[0]["picture"] = {"$artifact": "short"}
    with pytest.raises(InputError, match="is not a picture"):
        from_data(data, "it")


def test_a_kept_picture_may_stand_in_yaml(tmp_path: Path) -> None:
    path = tmp_path / "brief.yaml"
    told = f"{{$artifact: {'b' * 64}, media_type: image/png, size: 12, name: x.png}}"
    path.write_text(f"message: {{core: Harbor is near., logo: {told}}}\n", "utf-8")
    logo = load(path).message.logo
    assert logo == Artifact(digest="b" * 64, media_type="image/png", size=12, name="x.png")


def test_a_changed_brief_keeps_its_pictures(tmp_path: Path) -> None:
    brief = load(written(tmp_path, "boat.png", logo="art/logo.png"))
    cheaper = revised(brief, {"constraints.max_cost_usd": 5}, "the command line")
    assert pictures_of(cheaper) == pictures_of(brief)


def test_bytes_that_changed_since_are_not_taken(tmp_path: Path) -> None:
    picture = own(load(written(tmp_path, "boat.png")))
    assert picture_bytes(picture, tmp_path) == BOAT
    (tmp_path / "boat.png").write_bytes(LOGO)
    assert picture_bytes(picture, tmp_path) is None
    (tmp_path / "boat.png").unlink()
    assert picture_bytes(picture, tmp_path) is None


@pytest.mark.parametrize("key", ["image", "Photo", "still", "picture"])
def test_a_picture_goes_by_several_names(tmp_path: Path, key: str) -> None:
    (tmp_path / "boat.png").write_bytes(BOAT)
    path = tmp_path / "brief.yaml"
    text = f"message: Harbor is near.\ncontent:\n  shots:\n  - {{action: Boat, {key}: boat.png}}\n"
    path.write_text(text, "utf-8")
    assert own(load(path)).name == "boat.png"
