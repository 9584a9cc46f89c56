"""Facts as designed pictures: a number with what it counts, a share, a change, a way of steps."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from callsheet_studio.draw.card import SAFE, ground_of, scene_tones
from callsheet_studio.draw.colour import clear, mix
from callsheet_studio.draw.props import paint_prop
from callsheet_studio.draw.text import fitted, write
from callsheet_studio.library.facts import SIDE_BY_SIDE
from callsheet_studio.library.things import named_things

if TYPE_CHECKING:
    from callsheet_studio.draw.brush import Brush
    from callsheet_studio.draw.motifs import Tones
    from callsheet_studio.draw.stage import Stage
    from callsheet_studio.draw.style import FilmStyle
    from callsheet_studio.model.base import Graphic

_MOST_HEADS = 10
_PHONE = 1.5
"""Heights per width of a frame for phones."""
_LOW = 0.68
"""Where a picture for a phone ends: below it are captions and buttons."""


def paint_graphic(
    stage: Stage, style: FilmStyle, graphic: Graphic, things: tuple[str, ...]
) -> tuple[str, ...]:
    """Paint a fact; returns the things that were drawn with it."""
    tones = scene_tones(style, stage.light)
    ground_of(stage, tones)
    if graphic.kind == "list":
        _list(stage, tones, graphic.steps)
        return ()
    if graphic.kind == "process":
        return _process(stage, tones, graphic.steps, style)
    return _number(stage, tones, graphic, (things, ""))


def _is_tall(stage: Stage) -> bool:
    return stage.height > stage.width


def _number(
    stage: Stage, tones: Tones, graphic: Graphic, of: tuple[tuple[str, ...], str]
) -> tuple[str, ...]:
    """The number large, what it counts below it, beside it what it is about."""
    things, brand = of
    tall = _is_tall(stage)
    room = stage.width * (1 - 2 * SAFE) if tall else stage.width * 0.46
    x = stage.x(SAFE)
    value = fitted(
        graphic.value,
        (room, stage.height * (0.2 if tall else 0.42)),
        largest=stage.height * (0.17 if tall else 0.34),
        smallest=4 * stage.unit,
        weight=700,
    )
    unit = fitted(
        graphic.unit,
        (room, stage.height * 0.16),
        largest=min(stage.height * (0.05 if tall else 0.09), value.size * 0.5),
        smallest=2.4 * stage.unit,
        weight=600,
    )
    gap = value.size * 0.12 if graphic.unit else 0.0
    high = value.height + gap + (unit.height if graphic.unit else 0.0)
    top = stage.height * (0.17 if tall else 0.46) - (0 if tall else high / 2)
    with stage.in_frame() as brush:
        brush.rect(x, top - 4.5 * stage.unit, 11 * stage.unit, 1.1 * stage.unit, tones.accent)
        write(brush, value, x=x, y=top, colour=tones.accent)
        if graphic.unit:
            write(brush, unit, x=x, y=top + value.height + gap, colour=tones.ink)
    at, radius = _drawn_at(stage)
    with stage.in_frame() as brush:
        match graphic.kind:
            case "share":
                _ring(brush, tones, at, radius, graphic.amount / 100)
            case "ratio":
                _heads(brush, tones, at, radius, graphic)
            case "change":
                _bars(brush, tones, at, radius, graphic)
            case _ if things:
                _disc(brush, tones, at, radius)
                _thing(stage, brush, things[0], at, radius, brand)
                return things[:1]
            case _:
                _dots(brush, tones, at, radius, graphic.amount)
    return ()


def _drawn_at(stage: Stage) -> tuple[tuple[float, float], float]:
    """Where what a number is about is drawn, and how large: above where captions are read."""
    if stage.height >= stage.width * _PHONE:
        return (stage.x(0.5), stage.y(0.47)), stage.width * 0.19
    if _is_tall(stage):
        return (stage.x(0.5), stage.y(0.52)), min(stage.width, stage.height) * 0.3
    return (stage.x(0.765), stage.y(0.5)), min(stage.width * 0.18, stage.height * 0.3)


def _disc(brush: Brush, tones: Tones, at: tuple[float, float], radius: float) -> None:
    brush.circle(*at, radius * 1.12, clear(tones.ink, 0.1))
    brush.circle(*at, radius, clear(tones.ink, 0.14))


def _thing(
    stage: Stage, brush: Brush, name: str, at: tuple[float, float], radius: float, brand: str
) -> None:
    from callsheet_studio.library.things import catalog

    size = radius * 1.3 / max(catalog()[name.partition(":")[0]].grow, 1.0)
    paint_prop(
        brush,
        name,
        stage.light,
        x=at[0],
        y=at[1] + size * 0.5,
        size=size,
        accent=stage.accent,
        brand=brand,
        shadow=False,
    )


def _ring(brush: Brush, tones: Tones, at: tuple[float, float], radius: float, share: float) -> None:
    ctx = brush.ctx
    ctx.save()
    ctx.lineWidth, ctx.lineCap = radius * 0.34, "butt"
    for start, end, colour in (
        (0.0, 1.0, clear(tones.ink, 0.16)),
        (0.0, max(min(share, 1.0), 0.0), tones.accent),
    ):
        ctx.strokeStyle = colour
        ctx.beginPath()
        turn = -math.pi / 2
        ctx.arc(*at, radius * 0.8, turn + start * math.tau, turn + end * math.tau)
        ctx.stroke()
    ctx.restore()


def _heads(
    brush: Brush, tones: Tones, at: tuple[float, float], radius: float, graphic: Graphic
) -> None:
    """So many people in rows, those who are meant in the film's colour."""
    count = max(min(round(graphic.of), _MOST_HEADS), 2)
    across = count if count <= 3 else math.ceil(count / 2)  # noqa: PLR2004 -- one row of three
    rows = math.ceil(count / across)
    step = min(2 * radius / across, 2 * radius / rows / 1.5) * 1.05
    for index in range(count):
        row, column = divmod(index, across)
        wide = min(across, count - row * across)
        x = at[0] + (column - (wide - 1) / 2) * step
        y = at[1] + (row - (rows - 1) / 2) * step * 1.6
        colour = tones.accent if index < graphic.amount else clear(tones.ink, 0.34)
        brush.circle(x, y - step * 0.36, step * 0.2, colour)
        body = [
            (x - step * 0.34, y + step * 0.62),
            (x - step * 0.32, y + step * 0.06),
            (x, y - step * 0.1),
            (x + step * 0.32, y + step * 0.06),
            (x + step * 0.34, y + step * 0.62),
        ]
        brush.shape(body, colour, corners=(0, 4))


def _bars(
    brush: Brush, tones: Tones, at: tuple[float, float], radius: float, graphic: Graphic
) -> None:
    """Before and after, as high as they are."""
    top = max(graphic.of, graphic.amount, 1e-6)
    foot = at[1] + radius
    for side, amount, colour in (
        (-1, graphic.of, clear(tones.ink, 0.34)),
        (1, graphic.amount, tones.accent),
    ):
        high = max(2 * radius * amount / top, radius * 0.06)
        wide = radius * 0.62
        brush.rect(at[0] + side * radius * 0.48 - wide / 2, foot - high, wide, high, colour)
    line = [(at[0] - radius, foot), (at[0] + radius, foot)]
    brush.line(line, clear(tones.ink, 0.5), radius * 0.03)


def _dots(
    brush: Brush, tones: Tones, at: tuple[float, float], radius: float, amount: float
) -> None:
    """A field of dots: so many that they can be counted, or a full one."""
    if amount % 1:
        _disc(brush, tones, at, radius)  # two dots are not 2.5 of anything
        return
    full = amount <= 0 or amount > 100  # noqa: PLR2004 -- as many as there are
    count = 100 if full else max(round(amount), 1)
    across = min(math.ceil(math.sqrt(count)), 10)
    step = 2 * radius / max(across, 3)
    rows = math.ceil(count / across)
    for index in range(count):
        row, column = divmod(index, across)
        x = at[0] + (column - (across - 1) / 2) * step
        y = at[1] + (row - (rows - 1) / 2) * step
        brush.circle(x, y, step * 0.32, tones.accent)


# Ways


def _process(
    stage: Stage, tones: Tones, steps: tuple[str, ...], style: FilmStyle
) -> tuple[str, ...]:
    """Boxes with labels, arrows between them; what is reached at once stands side by side."""
    tall = _is_tall(stage)
    columns = [step.split(SIDE_BY_SIDE) for step in steps]
    high = stage.height * ((_LOW - 0.1) if tall else 0.74)
    wide = stage.width * 0.86
    count = len(columns)
    drawn: list[str] = []
    along = (high if tall else wide) / count
    across = wide if tall else high
    with stage.in_frame() as brush:
        for number, labels in enumerate(columns):
            for place, label in enumerate(labels):
                share = (place + 0.5) / len(labels)
                main = (number + 0.5) * along
                side = across * share
                box = min(along * 0.66, across / len(labels) * 0.82, stage.height * 0.36)
                if tall:
                    x, y = stage.width * 0.07 + side, stage.height * 0.1 + main
                else:
                    x, y = stage.width * 0.07 + main, stage.height * 0.1 + side
                if number:
                    _arrow(brush, tones, (x, y), box, along, tall=tall)
                found = _box(stage, brush, tones, (x, y, box), label, style)
                drawn += [found] if found else []
    return tuple(dict.fromkeys(drawn))


def _arrow(
    brush: Brush,
    tones: Tones,
    at: tuple[float, float],
    box: float,
    along: float,
    *,
    tall: bool,
) -> None:
    x, y = at
    long = max(along - box, along * 0.18) * 0.62
    start = box / 2 + (along - box) * 0.19
    thick = box * 0.07
    if tall:
        tip = y - start
        tail = tip - long
        brush.line([(x, tail), (x, tip - thick)], tones.accent, thick)
        head = [(x - thick * 1.7, tip - thick * 2), (x + thick * 1.7, tip - thick * 2), (x, tip)]
    else:
        tip = x - start
        tail = tip - long
        brush.line([(tail, y), (tip - thick, y)], tones.accent, thick)
        head = [(tip - thick * 2, y - thick * 1.7), (tip - thick * 2, y + thick * 1.7), (tip, y)]
    brush.poly(head, tones.accent)


def _box(
    stage: Stage,
    brush: Brush,
    tones: Tones,
    at: tuple[float, float, float],
    label: str,
    style: FilmStyle,
) -> str:
    """A step: what it is, if that has a drawing, above its name."""
    x, y, box = at
    brush.rect(x - box / 2, y - box / 2, box, box, clear(tones.ink, 0.13), radius=box * 0.12)
    name = next(iter(named_things(label)), "")
    if name:
        _thing(stage, brush, name, (x, y - box * 0.12), box * 0.4, style.brand)
    text = fitted(
        label[:1].upper() + label[1:],
        (box * 0.92, box * (0.26 if name else 0.5)),
        largest=box * (0.13 if name else 0.2),
        smallest=1.6 * stage.unit,
        weight=600,
    )
    top = y + box * 0.26 if name else y - text.height / 2
    colour = tones.ink if name else mix(tones.ink, tones.accent, 0.1)
    write(brush, text, x=x, y=top, colour=colour, align="center")
    return name


# Lists


def _list(stage: Stage, tones: Tones, items: tuple[str, ...]) -> None:
    """Each on its row, behind a mark: a cross for what is not there."""
    tall = _is_tall(stage)
    high = stage.height * ((_LOW - 0.14) if tall else 0.7)
    top = stage.height * (0.14 if tall else 0.12)
    row = min(high / len(items), stage.height * 0.2)
    top += (high - row * len(items)) / 2
    mark = row * 0.24
    x = stage.x(SAFE) + mark
    room = stage.width * (1 - 2 * SAFE) - mark * 3
    # All rows in one size: that of the longest.
    texts = [item.removeprefix("- ").removeprefix("+ ") for item in items]
    largest = min(
        fitted(
            text,
            (room, row * 0.72),
            largest=row * 0.44,
            smallest=2.4 * stage.unit,
            weight=600,
        ).size
        for text in texts
    )
    with stage.in_frame() as brush:
        for number, (item, said) in enumerate(zip(items, texts, strict=True)):
            y = top + (number + 0.5) * row
            _mark(brush, tones, (x, y), mark, item[:2])
            text = fitted(
                said[:1].upper() + said[1:],
                (room, row * 0.72),
                largest=largest,
                smallest=2.4 * stage.unit,
                weight=600,
            )
            faint = item.startswith("- ")
            colour = clear(tones.ink, 0.62) if faint else tones.ink
            write(brush, text, x=x + mark * 2.2, y=y - text.height / 2, colour=colour)


def _mark(brush: Brush, tones: Tones, at: tuple[float, float], size: float, sign: str) -> None:
    (x, y), thick = at, size * 0.26
    if sign == "- ":
        for way in (-1, 1):
            line = [(x - size * 0.7, y - way * size * 0.7), (x + size * 0.7, y + way * size * 0.7)]
            brush.line(line, tones.accent, thick)
    elif sign == "+ ":
        tick = [
            (x - size * 0.8, y),
            (x - size * 0.2, y + size * 0.6),
            (x + size * 0.8, y - size * 0.7),
        ]
        brush.line(tick, tones.accent, thick)
    else:
        brush.circle(x, y, size * 0.5, tones.accent)
