"""A storyboard frame from a shot: set, people and things, light, in three layers and a finish."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from msgspec.structs import replace

from callsheet.errors import InputError
from callsheet_studio.draw.annotate import annotation
from callsheet_studio.draw.card import paint_card, paint_wordmark, paint_words, tones_of
from callsheet_studio.draw.figures.pose import SEATED
from callsheet_studio.draw.finish import paint_finish
from callsheet_studio.draw.graphics import paint_graphic
from callsheet_studio.draw.kinds import kind_of
from callsheet_studio.draw.light import light_of, tinted
from callsheet_studio.draw.overhead import paint_above, seen_from_above
from callsheet_studio.draw.own import Own, picture_layers
from callsheet_studio.draw.place import framing_of, look_at, place_of, towards
from callsheet_studio.draw.reading import furniture_of, subject_of
from callsheet_studio.draw.seats import sat_at, seat_in, way_at
from callsheet_studio.draw.sets import painting
from callsheet_studio.draw.sides import side_of, turned
from callsheet_studio.draw.stage import BLEED, LAYERS, MAIN, Stage, closeness_of
from callsheet_studio.draw.staging import lowered
from callsheet_studio.draw.style import FilmStyle, style_of
from callsheet_studio.draw.subjects import paint_subject
from callsheet_studio.draw.text import unwritable
from callsheet_studio.draw.things import PLINTH, Scene
from callsheet_studio.library import drawn_as, weather_in

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from callsheet_studio.draw.brush import Brush
    from callsheet_studio.draw.depicting import Record
    from callsheet_studio.draw.place import Framing, Place
    from callsheet_studio.draw.reading import Subject
    from callsheet_studio.draw.sets import Painting
    from callsheet_studio.draw.stage import Side
    from callsheet_studio.model.shots import Figure, Shot

__all__ = ["Drawing", "FilmStyle", "Layer", "draw_frame", "style_of"]

Form = Literal["jpeg", "webp", "png"]

SMALLEST, LARGEST = 64, 8192
"""Pixels of a side."""
_CARDS = frozenset(("card", "words", "graphic"))
_ROOMS = {"phone_screen": "home", "laptop_screen": "office"}
_AMONG = _ROOMS | {"product_table": "plain_room"}
"""Where people are seen in sets that are made for things."""
_SEEN_IN_ROOMS = frozenset(("people", "over", "eyes", "pov", "hands"))
_TINT = 0.08
_NEARER = 1.4
"""How much more than the back the front is out of focus."""
_NEAR = 1.3
"""How close a shot is from which its set is one plane behind the subject."""


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer."""

    name: str
    width: int
    height: int
    painted: memoryview = field(repr=False)
    """As it was painted, perhaps with fewer pixels: height, width, RGBA."""
    place: tuple[int, int] | None = None
    """Left and top of what was painted, if all around it is empty."""

    @property
    def held(self) -> tuple[int, int]:
        """Width and height of what was painted."""
        high, wide, _ = self.painted.shape or (0, 0, 0)
        return wide, high

    @property
    def pixels(self) -> memoryview:
        """RGBA, row by row, alpha not multiplied in."""
        import numpy as np

        from callsheet_studio.draw.raster import Part, enlarged, whole

        size = self.width, self.height
        full: Any = np.asarray(self.painted)
        if self.place is not None:
            full = whole(Part(full, *self.place), size)
        full = enlarged(full, size)
        return memoryview(full).cast("B")


_NOTHING = Own()


def draw_frame(
    shot: Shot,
    figures: Sequence[Figure],
    style: FilmStyle,
    size: tuple[int, int] = (1280, 720),
    own: Own = _NOTHING,
    *,
    reach: tuple[int, int] | None = None,
) -> Drawing:
    """Draw a shot.

    Args:
        shot: what is seen, how near, from where, in which light.
        figures: the people of the film; a shot names those it shows.
        style: the same for all frames of a film.
        size: pixels of the frame; the layers are larger by their bleed.
        own: pictures that the user has brought for it.
        reach: pixels that the camera sees beyond the frame while it moves, to the sides and up and
            down; None: as far as any camera does.

    Raises:
        InputError: a size that cannot be drawn, a font that is not installed, or an own picture
            that cannot be decoded.
    """
    if not all(SMALLEST <= side <= LARGEST for side in size):
        raise InputError(
            f"a frame of {size[0]}x{size[1]} cannot be drawn: "
            f"each side must be {SMALLEST} to {LARGEST} pixels"
        )
    if own.picture is not None:
        return _shown(own.picture, shot, style, size)
    scene, subject = staged(shot, figures, style, size, reach=reach)
    _paint(scene, shot, subject, style, own.logo)
    calm = subject.kind in _CARDS
    finish, scene.record.weather = paint_finish(scene.stage, interior=shot.set.interior, calm=calm)
    written = (
        tuple(each for each in (subject.text, subject.under) if each) if _writes(subject) else ()
    )
    stage = scene.stage
    return Drawing(
        shot, style, size, stage.edges, lambda: _layers(stage, finish), written, scene.record
    )


def staged(
    shot: Shot,
    figures: Sequence[Figure],
    style: FilmStyle,
    size: tuple[int, int],
    *,
    reach: tuple[int, int] | None = None,
) -> tuple[Scene, Subject]:
    """A shot as it will be painted: where the camera is and who is before it; not yet painted."""
    subject = subject_of(shot, style)
    place = _place(shot, subject)
    if place is None and subject.kind not in _CARDS:
        subject = _instead(shot, subject)
    looks = {each.name: each.look for each in figures}
    return _scene(shot, style, (size, reach), place, subject, looks), subject


def _shown(picture: bytes, shot: Shot, style: FilmStyle, size: tuple[int, int]) -> Drawing:
    """The user's own picture instead of a drawing."""
    bleed = round(max(size) * BLEED)
    ground = tones_of(style, light_of(shot.lighting.preset)).ground
    layers = picture_layers(picture, size, bleed, shot.movement, ground)
    return Drawing(shot, style, size, (bleed, bleed), lambda: layers, ())


def _layers(stage: Stage, finish: Brush) -> tuple[Any, ...]:
    """What was painted, as arrays; the back as far out of focus as the stage says.

    What is out of focus at the back stays as small as it was painted.
    """
    from callsheet_studio.draw.raster import Part, blurred, enlarged, part, raster

    back = blurred(raster(stage.back), stage.blur * stage.fineness("back"))
    front, soft = part(stage.front), stage.blur * _NEARER * stage.fineness("front")
    if stage.blur and front.pixels.size:
        front = Part(enlarged(blurred(raster(stage.front), soft), stage.canvas))
    return back, part(stage.middle), front, raster(finish)


def _place(shot: Shot, subject: Subject) -> Painting | None:
    """The set. Who uses a screen is seen in a room; what is on it, on the screen."""
    place = painting(drawn_as(shot.set.place, shot.set.heading))
    if place is not None and subject.kind in _SEEN_IN_ROOMS:
        return painting(_AMONG.get(place.name, place.name))
    return place


def _whole(subject: Subject) -> bool:
    """Whether a picture is of a place as such, or of what is only at home in its main view."""
    from callsheet_studio.draw.props import catalog

    # Not all that hands hold is in the catalog.
    first = catalog().get(subject.props[0].partition(":")[0]) if subject.props else None
    afloat = first is not None and first.group == "boats"
    return afloat or subject.kind in _CARDS or subject.kind in ("view", "wordmark")


def _writes(subject: Subject) -> bool:
    return subject.kind in _CARDS or subject.kind == "wordmark"


def _instead(shot: Shot, subject: Subject) -> Subject:
    """The card for a place that has no drawing."""
    from callsheet_studio.draw.reading import Subject, phrase

    said = subject.text if _writes(subject) else shot.on_screen_text or phrase(shot)
    return Subject("words", text=said)


def _scene(
    shot: Shot,
    style: FilmStyle,
    sizes: tuple[tuple[int, int], tuple[int, int] | None],
    place: Painting | None,
    subject: Subject,
    looks: dict[str, str],
) -> Scene:
    size, reach = sizes
    framing = framing_of(shot, size)
    kind = kind_of(shot, place.name, dict(style.kinds)) if place else ""
    side = _side(shot, framing, subject, place, kind)
    place = turned(place, side) if place else None
    stood = place_of(framing, place)
    near, at = _looked_at(framing, subject, place, stood)
    stage = Stage(
        width=size[0],
        height=size[1],
        light=tinted(light_of(shot.lighting.preset), style.accent, _TINT),
        size=shot.size,
        # Right from above a place is a floor: it is seen from as high as still shows it.
        angle="high" if shot.angle == "overhead" else shot.angle,
        lens=shot.lens_mm,
        focus="far" if near else _focus(shot, place),
        seed=f"{style.seed}/{place.name if place else shot.set.place}",
        words=(
            shot.subject,
            shot.action,
            *shot.set.props,
            weather_in(shot.set.heading),
            shot.lighting.time_of_day,
            style.look,
            *((kind,) if kind else ()),
        ),
        accent=style.accent,
        brand=style.brand,
        at=at,
        near=near,
        side=side,
        kind=kind,
        furniture=furniture_of(shot),
        reach=reach,
    )
    return Scene(
        stage, framing, place, stood, looks, shot.set.interior, named_on(shot, style.brand, subject)
    )


def named_on(shot: Shot, brand: str, subject: Subject) -> str:
    """The brand where it may stand on a thing: on the product, not on whatever else is named."""
    if subject.kind != "thing":
        return brand
    told = f"{shot.subject} {shot.action}".casefold()
    return brand if brand.casefold() in told else ""


_ONE_SIDED = frozenset(("bedroom", "bathroom"))
"""Kinds of places whose other sides are those of another room."""


def _side(
    shot: Shot, framing: Framing, subject: Subject, place: Painting | None, kind: str
) -> Side:
    """The side of its place that a picture shows."""
    if _whole(subject):
        return MAIN
    if kind in _ONE_SIDED:
        return MAIN
    side = side_of(shot, place)
    if place is None or subject.pose not in SEATED or not place.seat:
        return side
    # Seats are in the main view; it may be the other way round, so that nobody turns their back
    # to the table that they sit at.
    way = way_at(framing, subject, place)
    return replace(side, number=0, mirrored=place.faces != way if way else side.mirrored)


def _looked_at(
    framing: Framing, subject: Subject, place: Painting | None, stood: Place
) -> tuple[float, tuple[float, float]]:
    """How close the set is, if not as the size says, and what the camera looks at in it."""
    if place is None:
        return 0.0, (0.5, 0.5)
    alone = subject.pose in SEATED and len(subject.names) == 1
    seat = seat_in(framing, place)
    if alone and seat and not (framing.has_feet or framing.is_close):
        raised = replace(stood, crown=stood.crown - stood.height * lowered(subject.pose))
        return sat_at(framing, seat, raised)
    near = closeness_of(framing.size)
    x, y = look_at(framing, place, near, stood)
    if subject.pose in SEATED and seat and framing.size == "FS":
        x = towards(stood.x / framing.width, seat, near)
    return 0.0, (x, y)


def _focus(shot: Shot, place: Painting | None) -> str:
    """Of somebody alone, seen from behind, what they look at; a screen or plinth is the subject."""
    is_subject = place is not None and (place.name in _ROOMS or place.name == PLINTH)
    if (shot.kind == "OTS" and len(shot.figures) == 1) or is_subject:
        return "far"
    return shot.composition.depth_of_field


def _paint(
    scene: Scene, shot: Shot, subject: Subject, style: FilmStyle, logo: bytes | None
) -> None:
    stage, record = scene.stage, scene.record
    record.light = stage.light.name
    if subject.kind == "card":
        thing = subject.props[0] if subject.props and not logo else ""
        record.written = f"{subject.text} {subject.under}".strip()
        if thing:
            record.thing(thing)
        paint_card(stage, style, subject.text, subject.under, logo, thing)
        return
    if subject.kind == "graphic" and shot.graphic is not None:
        for thing in paint_graphic(stage, style, shot.graphic, subject.props):
            record.thing(thing)
        record.number = f"{shot.graphic.value} {shot.graphic.unit}".strip()
        record.steps = shot.graphic.steps
        return
    if subject.kind == "words" or scene.painting is None:
        record.written = subject.text
        paint_words(stage, style, subject.text)
        return
    _note_place(scene, scene.painting.name)
    if seen_from_above(scene, subject):
        paint_above(scene, subject)
        return
    with stage.flattened() if stage.closeness >= _NEAR else nullcontext(), stage.turned():
        scene.painting.paint(stage)
    if subject.kind == "wordmark":
        record.written = subject.text
        above = 0.28 if scene.painting.name == PLINTH else 0.47
        paint_wordmark(stage, style, subject.text, at=above)
        return
    paint_subject(scene, subject)


def _note_place(scene: Scene, name: str) -> None:
    """Where it is, and what stands there that is more than a shape behind a face."""
    stage, record = scene.stage, scene.record
    record.place, record.kind, record.bare = name, stage.kind, stage.is_bare
    for each in () if scene.framing.is_close else stage.furniture:
        record.thing(each)


class Drawing:
    """A drawn shot. Everything is made of one scene: layers, clean and annotated picture."""

    def __init__(  # noqa: PLR0913, PLR0917 -- all that a picture is made of
        self,
        shot: Shot,
        style: FilmStyle,
        size: tuple[int, int],
        edges: tuple[int, int],
        layers: Callable[[], tuple[Any, ...]],
        written: tuple[str, ...],
        record: Record | None = None,
    ) -> None:
        self.width, self.height = size
        self.edges = edges
        """Pixels by which layers are larger than the frame, to each side, and up and down."""
        self.written = written
        """What is written in the picture: it need not be written over it again."""
        self.depicts = record
        """What was painted; nothing is known of a picture that the user has brought."""
        self.missing = unwritable("".join((*written, shot.id)))
        """Letters that no font has; bars stand for their words."""
        self._shot, self._style, self._layers = shot, style, layers

    # For the film

    def layers(self) -> tuple[Layer, ...]:
        """Back, middle, front, finish.

        The first three are larger than the frame by `edges` on each side: the camera moves over
        them. The finish lies on the whole frame, and stays where it is; it may have fewer pixels.
        """
        back, *others, finish = self._rasters
        first, *names = LAYERS
        return (
            Layer(first, *self._whole, memoryview(back)),
            *(
                Layer(name, *self._whole, memoryview(each.pixels), (each.left, each.top))
                for name, each in zip(names, others, strict=True)
            ),
            Layer("finish", finish.shape[1], finish.shape[0], memoryview(finish)),
        )

    # For the board

    def clean(self) -> bytes:
        """The picture as PNG."""
        return self._encoded(self.picture, "png")

    def annotated(self) -> bytes:
        """The picture with slate, thirds and movement as PNG."""
        return self._encoded(self._with_notes(), "png")

    def thumbnail(self, width: int = 480, form: Form = "jpeg", *, annotated: bool = False) -> bytes:
        """A small picture, so many pixels wide, for pages."""
        import cv2

        picture = self._with_notes() if annotated else self.picture
        height = max(round(width * self.height / self.width), 1)
        small = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
        return self._encoded(small, form)

    # Inner

    @property
    def _whole(self) -> tuple[int, int]:
        """Pixels of a layer."""
        return self.width + 2 * self.edges[0], self.height + 2 * self.edges[1]

    @cached_property
    def _rasters(self) -> tuple[Any, ...]:
        """The layers as arrays, and what lies over them."""
        return self._layers()

    @cached_property
    def picture(self) -> Any:
        """As pixels: height, width, RGB."""
        from callsheet_studio.draw.raster import cropped, enlarged, lay, opaque

        back, *others, finish = self._rasters
        picture = opaque(cropped(enlarged(back, self._whole), self.edges))
        for each in others:
            lay(picture, each.pixels, (each.left - self.edges[0], each.top - self.edges[1]))
        lay(picture, enlarged(finish, (self.width, self.height)))
        return picture

    def _with_notes(self) -> Any:
        from callsheet_studio.draw.raster import laid, raster

        style, size = self._style, (self.width, self.height)
        notes = annotation(self._shot, size, style.fps, style.language)
        return laid(self.picture, raster(notes))

    def _encoded(self, picture: Any, form: Form) -> bytes:
        from callsheet_studio.draw.raster import encoded

        return encoded(picture, form)
