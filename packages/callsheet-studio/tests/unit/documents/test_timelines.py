"""The planned cut for editors: read by others, exact to the frame, and back."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import opentimelineio as otio
import pytest
from tests.unit.documents.films import Film, film

from callsheet.errors import InputError
from callsheet_studio.base.time import Rate
from callsheet_studio.documents import read_timeline, retime, timeline_files
from callsheet_studio.documents.pieces import planned

if TYPE_CHECKING:
    from callsheet_studio.model.shots import ShotList

pytestmark = pytest.mark.requirement("P12")

RATES = ("24", "25", "30", "23.976", "29.97")
EVEN = ("24", "25", "30")


def with_fade_out(made: Film) -> ShotList:
    last = made.shots.shots[-1].model_copy(update={"transition": "fade_out"})
    return made.shots.model_copy(update={"shots": (*made.shots.shots[:-1], last)})


def files_of(made: Film) -> dict[str, str]:
    found = timeline_files(with_fade_out(made), made.script, made.brief)
    return {name: data.decode() for name, data in found.items()}


def clips_of(timeline: Any) -> list[tuple[str, int, int]]:
    track = timeline.video_tracks()[0]
    return [
        (
            clip.name,
            round(track.trimmed_range_of_child(clip).start_time.value),
            round(clip.duration().value),
        )
        for clip in track
        if isinstance(clip, otio.schema.Clip)
    ]


def wanted(made: Film) -> list[tuple[str, int, int]]:
    return [(shot.id, shot.start, shot.frames) for shot in made.shots.shots]


# Out


@pytest.mark.parametrize("fps", RATES)
def test_otio_is_exact_to_the_frame(fps: str) -> None:
    made = film(4, 3, fps=fps)
    timeline: Any = otio.adapters.read_from_string(files_of(made)["timeline.otio"], "otio_json")
    assert clips_of(timeline) == wanted(made)
    assert timeline.duration().value == made.brief.frames
    assert timeline.duration().rate == pytest.approx(float(made.shots.rate.fps), abs=1e-9)
    assert [track.kind for track in timeline.tracks] == ["Video", "Audio"]
    assert [marker.name for marker in timeline.tracks[0].markers] == ["1.1", "1.2", "2.1", "2.2"]
    first = timeline.video_tracks()[0].find_clips()[0]
    assert first.metadata["callsheet"]["beat"] == "1.1"
    assert first.media_reference.is_missing_reference


@pytest.mark.parametrize("fps", RATES)
def test_others_read_the_same_cut_from_the_edl(fps: str) -> None:
    made = film(4, 3, fps=fps)
    text = files_of(made)["timeline.edl"]
    rate = float(made.shots.rate.fps)
    timeline: Any = otio.adapters.read_from_string(text, "cmx_3600", rate=rate)
    assert clips_of(timeline) == wanted(made)


def test_a_dissolve_in_the_edl_comes_from_somewhere() -> None:
    made = film(4, 3)
    lines = files_of(made)["timeline.edl"].splitlines()
    cut = made.shots.rate.timecode(made.shots.shots[6].start)
    assert [line for line in lines if line.startswith("007")] == [
        f"007  1F       V     C        00:00:02:16 00:00:02:16 {cut} {cut}",
        f"007  2A       V     D    012 00:00:00:00 00:00:02:16 {cut} 00:00:18:16",
    ]


def test_no_transition_is_longer_than_half_a_shot() -> None:
    made = film(2, 24)
    new = made.shots.shots[24].model_copy(update={"transition": "dissolve"})
    shots = (*made.shots.shots[:24], new, *made.shots.shots[25:])
    edit = planned(made.shots.model_copy(update={"shots": shots}), made.script, made.brief)
    assert [clip.over for clip in edit.clips if clip.transition != "cut"] == [4, 4]


def test_only_29_97_has_drop_frame_timecode() -> None:
    dropped = files_of(film(9, 1, fps="29.97"))["timeline.edl"]
    assert "FCM: DROP FRAME" in dropped
    # 72 s are 2158 frames; the two numbers that begin the second minute are left out.
    assert "00:01:04;00 00:01:12;00" in dropped
    for fps in ("23.976", "30"):
        text = files_of(film(2, 1, fps=fps))["timeline.edl"]
        assert "FCM: NON-DROP FRAME" in text
        assert ";" not in text


@pytest.mark.parametrize("fps", RATES)
def test_others_read_the_same_cut_from_the_xml(fps: str) -> None:
    made = film(4, 3, fps=fps)
    timeline: Any = otio.adapters.read_from_string(files_of(made)["timeline.xml"], "fcp_xml")
    assert clips_of(timeline) == wanted(made)
    assert len(timeline.audio_tracks()) == 1
    kinds = [type(each).__name__ for each in timeline.video_tracks()[0]]
    assert timeline.duration().rate == pytest.approx(float(made.shots.rate.fps), abs=1e-9)
    assert kinds[0] == kinds[-1] == "Transition"
    assert kinds.count("Transition") == 3


def test_a_shot_goes_on_under_the_dissolve_that_follows_it() -> None:
    made = film(4, 3)
    root = ET.fromstring(files_of(made)["timeline.xml"])
    outs = {
        item.findtext("name"): int(item.findtext("out", "0"))
        for item in root.findall(".//video/track/clipitem")
    }
    assert (outs["1E"], outs["1F"], outs["2A"]) == (64, 64 + 12, 64)


@pytest.mark.parametrize("fps", EVEN)
def test_others_read_the_same_cut_from_the_fcpxml(fps: str) -> None:
    made = film(4, 3, fps=fps)
    timeline: Any = otio.adapters.read_from_string(files_of(made)["timeline.fcpxml"], "fcpx_xml")
    assert clips_of(timeline) == wanted(made)
    assert len(timeline.audio_tracks()) == 1


@pytest.mark.parametrize("fps", RATES)
def test_times_in_the_fcpxml_are_whole_frames(fps: str) -> None:
    made = film(4, 3, fps=fps)
    root = ET.fromstring(files_of(made)["timeline.fcpxml"])
    frame = root.find("./resources/format")
    assert frame is not None
    assert _seconds(frame.get("frameDuration")) == 1 / made.shots.rate.fps
    found = [
        (clip.get("name"), _frames(clip, "offset", made), _frames(clip, "duration", made))
        for clip in root.findall(".//spine/asset-clip")
    ]
    assert found == wanted(made)
    spoken = root.findall(".//spine/asset-clip/asset-clip")
    assert [clip.get("lane") for clip in spoken] == ["-1"] * 4
    starts = [
        _frames(shot, "offset", made) + _frames(voice, "offset", made)
        for shot in root.findall(".//spine/asset-clip")
        for voice in shot.findall("asset-clip")
    ]
    assert starts == [beat.start for beat in made.script.beats]
    assert len(root.findall(".//spine/transition")) == 3
    assert len(root.findall(".//marker")) == 4


def _seconds(text: str | None) -> Fraction:
    assert text is not None
    return Fraction(text.removesuffix("s"))


def _frames(element: ET.Element, name: str, made: Film) -> int:
    frames = _seconds(element.get(name)) * made.shots.rate.fps
    assert frames.denominator == 1
    return int(frames)


def test_media_are_linked_relatively_where_there_are_any() -> None:
    made = film(1, 2)
    media = {"1A": "shots/1A take 2.mp4"}
    found = timeline_files(made.shots, made.script, made.brief, media=media)
    for data in found.values():
        assert "shots/1A%20take%202.mp4" in data.decode()
    assert "pathurl" in found["timeline.xml"].decode()
    assert found["timeline.xml"].decode().count("<pathurl>") == 1


ODD = 'Ä "B" & <C>\n* FROM CLIP NAME: 9Z 海 \x0b]]>'


def test_odd_names_and_words_survive_in_every_form() -> None:
    made = film(1, 2)
    first = made.shots.shots[0].model_copy(update={"action": ODD, "subject": ODD})
    shots = made.shots.model_copy(update={"title": ODD, "shots": (first, *made.shots.shots[1:])})
    found = timeline_files(shots, made.script, made.brief)
    flat = " ".join(ODD.replace("\x0b", " ").split())
    for name in ("timeline.xml", "timeline.fcpxml"):
        root = ET.fromstring(found[name])
        assert any(flat in (text or "") for text in root.itertext()) or flat in str(
            [each.attrib for each in root.iter()]
        )
    for form in ("otio", "edl"):
        cut = read_timeline(found[f"timeline.{form}"].decode(), form, shots.rate)
        assert [piece.shot for piece in cut.pieces] == ["1A", "1B"]
        assert retime(made.script, shots, cut).shots == shots


# Back


def broken_otio(change: Any) -> str:
    made = film(2, 2)
    timeline: Any = otio.adapters.read_from_string(files_of(made)["timeline.otio"], "otio_json")
    change(timeline.video_tracks()[0])
    return str(timeline.to_json_string())


def seconds(frames: float, rate: float = 24) -> Any:
    zero = otio.opentime.RationalTime(0, rate)
    return otio.opentime.TimeRange(zero, otio.opentime.RationalTime(frames, rate))


def speed_up(track: Any) -> None:
    track.find_clips()[1].effects.append(otio.schema.LinearTimeWarp(time_scalar=2.0))


def wipe(track: Any) -> None:
    next(
        each for each in track if isinstance(each, otio.schema.Transition)
    ).transition_type = "Wipe"


def rename(track: Any, rate: float) -> None:
    track.find_clips()[1].source_range = seconds(48, rate)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda t: t.insert(2, otio.schema.Gap(source_range=seconds(10))), "item 3 .*gap"),
        (lambda t: rename(t, 25), "25 frames a second, the project has 24"),
        (lambda t: rename(t, 23.976), "frames a second"),
        (speed_up, "another speed"),
        (wipe, "'Wipe' is a transition"),
        (lambda t: setattr(t.find_clips()[1], "enabled", False), "gap"),
        (lambda t: t.append(otio.schema.Stack("nest")), "'nest' is a compound"),
        (lambda t: setattr(t, "source_range", seconds(10)), "trimmed"),
        (lambda t: setattr(t.find_clips()[1], "source_range", None), "no length"),
        (lambda t: t.clear(), "0 video tracks"),
        (lambda t: setattr(t.find_clips()[1], "source_range", seconds(10.5)), "whole number"),
        (lambda t: setattr(t.find_clips()[1], "source_range", seconds(0)), "no frames"),
        (lambda t: setattr(t.find_clips()[1], "source_range", seconds(float("nan"))), "whole"),
        (lambda t: setattr(t.find_clips()[1], "source_range", seconds(-5)), "whole number"),
    ],
)
def test_an_otio_that_is_no_cut_of_ours_is_refused_with_the_place(change: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read_timeline(broken_otio(change), "otio", Rate.of(24))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "garbage",
        "{}",
        "[1, 2]",
        '{"OTIO_SCHEMA": "Clip.1", "name": "x"}',
        '{"OTIO_SCHEMA": "Nothing.99"}',
        "[" * 100_000,
        "\x00\x01",
        "null",
    ],
)
def test_garbage_is_no_otio(text: str) -> None:
    with pytest.raises(InputError):
        read_timeline(text, "otio", Rate.of(24))


EVENT = "001  1A       V     C        00:00:00:00 00:00:04:00 01:00:00:00 01:00:04:00"
NEXT = "002  1B       V     C        00:00:00:00 00:00:02:00 01:00:04:00 01:00:06:00"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no event"),
        ("garbage\n", "no event"),
        ("TITLE: x\nFCM: DROP FRAME\n", "line 2: drop frame"),
        (f"{EVENT}\n{NEXT.replace('01:00:04:00', '01:00:05:00')}", "line 2: there is a gap"),
        (f"{EVENT}\n{NEXT.replace('01:00:04:00', '01:00:03:00')}", "line 2: there is an overlap"),
        (f"{EVENT}\nM2   1A       048.0                00:00:00:00", "line 2: .*another speed"),
        (EVENT.replace("C  ", "W001"), "line 1: 'W001' is a transition"),
        (EVENT.replace("01:00:04:00", "01:00:04:30"), "line 1: .*00 to 23"),
        (EVENT.replace("01:00:04:00", "01:00:04;00"), "line 1: drop frame"),
        (EVENT.replace("01:00:04:00", "00:59:00:00"), "line 1: it ends before"),
        ("001  1A  V  C  00:00:00:00 00:00:04:00", "line 1 is not an event"),
        (EVENT.replace("1A ", "BL "), "line 1: black is a gap"),
    ],
)
def test_an_edl_that_is_no_cut_of_ours_is_refused_with_the_line(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read_timeline(text, "edl", Rate.of(24))


def test_an_edl_as_editors_write_it_is_understood() -> None:
    text = f"""TITLE: MY CUT
FCM: NON-DROP FRAME

{EVENT}
* FROM CLIP NAME: shots/2A.mp4
* SOURCE FILE: 2A
002  AX       A     C        00:00:00:00 00:00:10:00 01:00:00:00 01:00:10:00
* FROM CLIP NAME: music.wav
003  AX       V     C        00:00:04:00 00:00:04:00 01:00:04:00 01:00:04:00
003  AX       V     D    012 00:00:00:00 00:00:02:00 01:00:04:00 01:00:06:00
* FROM CLIP NAME: 2A.mp4
* TO CLIP NAME: 1B.MOV
004  AX       AA/V  C        00:00:00:00 00:00:01:12 01:00:06:00 01:00:07:12
* FROM CLIP NAME: 1A
005  1A       V     C        00:00:01:12 00:00:01:12 01:00:07:12 01:00:07:12
005  BL       V     D    012 00:00:00:00 00:00:00:12 01:00:07:12 01:00:08:00
* FROM CLIP NAME: 1A
"""
    cut = read_timeline(text, "edl", Rate.of(24))
    assert [(each.shot, each.frames, each.transition) for each in cut.pieces] == [
        ("2A", 96, None),
        ("1B", 48, "dissolve"),
        ("1A", 48, "fade_out"),
    ]


def test_non_drop_timecode_at_29_97_counts_every_frame() -> None:
    text = "001  1A  V  C  00:00:00:00 00:01:00:00 00:00:00:00 00:01:00:00"
    assert read_timeline(text, "edl", Rate.of("29.97")).frames == 1800
    assert (
        read_timeline(text.replace("01:00:00", "01:00;02"), "edl", Rate.of("29.97")).frames == 1800
    )


def test_a_renamed_clip_is_known_by_what_we_noted() -> None:
    text = broken_otio(lambda t: setattr(t.find_clips()[1], "name", "best take"))
    assert [each.shot for each in read_timeline(text, "otio", Rate.of(24)).pieces][1] == "1B"


def test_a_timeline_in_a_collection_of_one_is_found() -> None:
    text = files_of(film(1, 2))["timeline.otio"]
    bin_ = json.dumps(
        {"OTIO_SCHEMA": "SerializableCollection.1", "name": "bin", "children": [json.loads(text)]}
    )
    assert len(read_timeline(bin_, "otio", Rate.of(24)).pieces) == 2


def test_what_is_larger_than_any_timeline_is_not_even_read() -> None:
    with pytest.raises(InputError, match="not one of ours"):
        read_timeline("x" * 50_000_001, "edl", Rate.of(24))
