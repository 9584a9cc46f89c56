"""A shot in motion: its drawing, the camera's move over it, the words, how it begins and ends."""

from __future__ import annotations

from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING

import msgspec

from callsheet_studio.base.time import Rate
from callsheet_studio.draw.frame import draw_frame
from callsheet_studio.draw.own import Own
from callsheet_studio.film.encode import encode
from callsheet_studio.film.lettering import (
    caption_block,
    caption_foot,
    caption_sheet,
    is_phone,
    title_block,
    title_sheet,
)
from callsheet_studio.film.move import apart, is_steady, view_at
from callsheet_studio.film.planes import blended, dimmed, finish_of, lay, layer_of
from callsheet_studio.film.subject import looked_at
from callsheet_studio.film.takes import FADE, framed
from callsheet_studio.film.window import Window, reach
from callsheet_studio.model.captions import TextBox

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from callsheet import Artifact
    from callsheet_studio.draw.frame import Drawing
    from callsheet_studio.film.lettering import Box
    from callsheet_studio.film.move import View
    from callsheet_studio.film.planes import Picture, Sheet
    from callsheet_studio.film.takes import TakeData
    from callsheet_studio.model.captions import CaptionLine
    from callsheet_studio.model.shots import Shot

DISSOLVE = 12
"""Frames; of the shot that a dissolve leads into."""
_APPEAR = 4
"""Frames before a text of the film comes."""
_EASE = 7
"""Frames that it takes to come, and to go."""
_UNSEEN, _LEAST = 1 / 4000, 0.3
"""Of the longer side, and pixels: until something has moved so far, it is shown where it was."""
_LONG = 3.5
"""Seconds from which a shot has the time for its text to go before it ends."""


class _Words(msgspec.Struct, frozen=True):
    sheet: Sheet
    start: int
    end: int
    ease: int = 0
    leaves: bool = False

    def share(self, frame: int) -> float:
        """How much of them is seen in a frame."""
        if not self.start <= frame < self.end:
            return 0.0
        come = (frame - self.start + 1) / (self.ease + 1)
        go = (self.end - frame) / (self.ease + 1) if self.leaves else 1.0
        part = min(come, go, 1.0)
        return part * part * (3 - 2 * part)


_Views = tuple["View", "View"]
"""Of this frame, and of the next one."""


class _Scene:
    """A shot, drawn and ready to be filmed."""

    def __init__(self, shot: Shot, drawing: Drawing, fps: float) -> None:
        self.shot = shot
        self._size = drawing.width, drawing.height
        self._fps = fps
        self._windows: dict[str, Window] = {}
        self._unseen = min(max(self._size) * _UNSEEN, _LEAST)
        self._last: dict[str, tuple[View, Picture]] = {}
        steady = is_steady(shot.movement)
        for each in drawing.layers():
            if each.name == "finish":
                self._finish = finish_of(each.pixels, each.width, each.height, self._size)
                continue
            layer = layer_of(
                each.painted,
                *each.held,
                opaque=each.name == "back",
                whole=(each.width, each.height),
                place=each.place,
            )
            if layer is not None:
                self._windows[each.name] = Window(layer, self._size, steady=steady)

    def picture(self, frame: int) -> tuple[Picture, bool]:
        """One frame of the shot, and whether it may be worked on: else it is shown again.

        After the end of the shot the camera goes on as it was.
        """
        now, coming = (
            view_at(self.shot.movement, each, self.shot.frames, self._fps)
            for each in (frame, frame + 1)
        )
        everything = tuple(self._windows)
        return self._unless_seen("all", everything, (now, coming), self._composed)

    def _composed(self, views: _Views) -> Picture:
        def seen(_: _Views) -> Picture:
            return self._windows["back"].first(views[0].of("back"))

        picture, is_free = self._unless_seen("back", ("back",), views, seen)
        if not is_free:
            picture = _copied(picture)
        for name in ("middle", "front"):
            if name in self._windows:
                self._windows[name].put_over(picture, views[0].of(name))
        if self._finish is not None:
            lay(picture, self._finish)
        return picture

    def _unless_seen(
        self,
        what: str,
        layers: tuple[str, ...],
        views: _Views,
        made: Callable[[_Views], Picture],
    ) -> tuple[Picture, bool]:
        """The picture before, if nobody sees that these layers have moved; else another.

        One that will be looked at only now is not kept, and may be worked on.
        """
        now, coming = views
        last = self._last.pop(what, None)
        if last is None or self._is_seen(last[0], now, layers):
            last = now, made(views)
            if self._is_seen(now, coming, layers):
                return last[1], True
        self._last[what] = last
        return last[1], False

    def _is_seen(self, one: View, other: View, layers: tuple[str, ...]) -> bool:
        return apart(one, other, layers, self._size) > self._unseen


class Shooting:
    """One shot, drawn once: its segment of film, and its pictures for the board.

    Args:
        take: what it is filmed from.
        pictures: of the user's own, by their digests.
        footage: what is seen in it instead of the drawing, endlessly; written over it is the same.
    """

    def __init__(
        self,
        take: TakeData,
        pictures: Mapping[str, bytes] | None = None,
        footage: Iterator[Picture] | None = None,
    ) -> None:
        self._take = take
        self._pictures = pictures or {}
        self._footage = footage
        self._rate = Rate.of(take.style.fps)

    @cached_property
    def drawing(self) -> Drawing:
        """The frame."""
        return self._drawn(self._take.shot)

    @cached_property
    def title(self) -> str:
        """What is written over the picture; nothing if it is already written in it."""
        text = self._take.shot.on_screen_text or ""
        is_drawn = bool(text) and self._footage is None
        return "" if is_drawn and _is_written(text, self.drawing.written) else text

    @cached_property
    def captions(self) -> tuple[CaptionLine, ...]:
        """What is read in it while it is said, each where it hides no face."""
        return tuple(
            line.model_copy(update={"foot": self._foot(line)}) for line in self._take.captions
        )

    def _foot(self, line: CaptionLine) -> int | None:
        """Where a caption ends, the same in every shot that it is read over."""
        take, size = self._take, self._take.size
        if not line.over:
            seen = [(self._faces, self.title, take.shot)] if _is_kept_clear(take.shot, size) else []
        else:
            # What is said and done in the other shots is not known here, so nowhere.
            told = [(framed(take.shot), self.title)]
            told += [(each, each.on_screen_text or "") for each in line.over]
            told = [each for each in told if _is_kept_clear(each[0], size)]
            seen = [(looked_at(each, size, take.style), text, each) for each, text in told]
        titles = [title_block(text, size, boxes)[1] for boxes, text, _ in seen if text]
        faces = [box for boxes, _, each in seen if each.figures for box in boxes]
        things = [box for boxes, _, each in seen if not each.figures for box in boxes]
        return caption_foot(line.lines, size, faces, titles, things)

    @cached_property
    def _faces(self) -> tuple[Box, ...]:
        """What is looked at in it."""
        take = self._take
        return looked_at(take.shot, take.size, take.style, take.figures)

    @property
    def texts(self) -> tuple[TextBox, ...]:
        """Where words are over the picture."""
        take = self._take
        found = [
            (" ".join(each.lines), caption_block(each.lines, take.size, each.foot)[1])
            for each in self.captions
        ]
        if self.title:
            found.append((self.title, title_block(self.title, take.size, self._faces)[1]))
        return tuple(
            TextBox(
                where=take.shot.id,
                text=text,
                left=box.left,
                top=box.top,
                right=box.right,
                bottom=box.bottom,
            )
            for text, box in found
        )

    def segment(self, seen: Callable[[Iterator[Picture]], Iterator[Picture]] = iter) -> bytes:
        """Exactly its frames, without sound, as MP4; `seen` has them pass by."""
        return encode(seen(self.pictures()), self._take.size, self._rate.fps)

    def pictures(self) -> Iterator[Picture]:
        """All its frames, one after the other."""
        take, fps = self._take, float(self._rate.fps)
        shown = (
            ((picture, True) for picture in self._footage)
            if self._footage
            else map(_Scene(take.shot, self.drawing, fps).picture, count())
        )
        before = _Scene(take.before, self._drawn(take.before), fps) if take.before else None
        words = _Writing(_title(take, self.title, fps), _captions(self.captions, take.size))
        # What it was drawn with is as large as all the rest, and not needed any more.
        self.__dict__.pop("drawing", None)
        for frame in range(take.shot.frames):
            picture, is_free = next(shown)
            if before is not None and frame < DISSOLVE:
                old, _ = before.picture(before.shot.frames + frame)
                picture = blended(old, picture, (frame + 1) / (DISSOLVE + 1))
                is_free = True
            else:
                before = None
            yield words.over(picture, frame, _light(frame, take.shot), is_free=is_free)

    def _drawn(self, shot: Shot) -> Drawing:
        take = self._take
        own = Own(self._brought(shot.picture), self._brought(take.logo))
        fps = float(self._rate.fps)
        seen = (
            view_at(shot.movement, frame, shot.frames, fps)
            for frame in range(shot.frames + DISSOLVE)
        )
        far = reach(take.size, seen)
        return draw_frame(shot, take.figures, take.style, take.size, own, reach=far)

    def _brought(self, picture: Artifact | None) -> bytes | None:
        return self._pictures[picture.digest] if picture else None


def _is_kept_clear(shot: Shot, size: tuple[int, int]) -> bool:
    """Whether captions are moved from what is looked at: faces; on a phone, things as well."""
    thing = shot.graphic is None and (shot.kind == "INSERT" or bool(shot.things))
    return bool(shot.figures) or (thing and is_phone(size) and shot.set.place != "abstract")


class _Writing:
    """What is written over the pictures of a shot."""

    def __init__(self, title: Sequence[_Words], captions: Sequence[_Words]) -> None:
        self._title, self._captions = title, captions
        self._last: tuple[Picture, tuple[float, ...], Picture] | None = None

    def over(self, picture: Picture, frame: int, light: float, *, is_free: bool) -> Picture:
        """A picture with its words, and with so much of its light.

        The same picture as before with the same words is the same object as before.
        """
        title, captions = ([w.share(frame) for w in some] for some in (self._title, self._captions))
        how = light, *title, *captions
        if self._last is not None and self._last[0] is picture and self._last[1] == how:
            return self._last[2]
        done = picture if is_free or not any(how[1:]) else _copied(picture)
        _add(done, self._title, title)
        if light < 1:
            done = dimmed(done, light)
        # Captions are read in the dark, too.
        _add(done, self._captions, captions)
        self._last = picture, how, done
        return done


def _copied(picture: Picture) -> Picture:
    return [plane.copy() for plane in picture]


def _light(frame: int, shot: Shot) -> float:
    """Out of black, and into it: how much of its light a picture has."""
    if shot.transition == "fade_in" and frame < FADE:
        return (frame + 1) / (FADE + 1)
    if shot.transition == "fade_out" and frame >= shot.frames - FADE:
        return (shot.frames - frame) / (FADE + 1)
    return 1.0


def _title(take: TakeData, text: str, fps: float) -> list[_Words]:
    shot = take.shot
    if not text:
        return []
    faces = looked_at(shot, take.size, take.style, take.figures)
    sheet = title_sheet(text, take.style, take.size, faces)
    start = min(_APPEAR, shot.frames - 1)
    leaves = shot.frames >= _LONG * fps
    return [_Words(sheet, start, shot.frames, _EASE, leaves)] if sheet else []


def _captions(captions: Sequence[CaptionLine], size: tuple[int, int]) -> list[_Words]:
    return [
        _Words(sheet, line.start, line.end)
        for line in captions
        if (sheet := caption_sheet(line.lines, size, line.foot))
    ]


def _add(picture: Picture, words: Sequence[_Words], shares: Sequence[float]) -> None:
    for each, share in zip(words, shares, strict=True):
        if share > 0:
            lay(picture, each.sheet, share)


def _is_written(text: str, written: Sequence[str]) -> bool:
    plain = " ".join(text.split()).casefold()
    return any(plain in " ".join(each.split()).casefold() for each in written)
