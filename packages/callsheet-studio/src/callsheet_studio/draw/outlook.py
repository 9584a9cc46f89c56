"""What is seen through the windows of a room: a sky, and roofs, trees, towers or the sea."""

from __future__ import annotations

from typing import TYPE_CHECKING

from callsheet_studio.draw.colour import clear, mix

if TYPE_CHECKING:
    from collections.abc import Sequence

    from callsheet_studio.draw.brush import Point
    from callsheet_studio.draw.light import Light
    from callsheet_studio.draw.stage import Stage

_WORDS = {
    "sea": ("the sea", "seaside", "ocean", "coast", "beach", "ferry", "küste", "strand", "fähre"),
    "city": ("skyline", "downtown", "high-rise", "hochhaus", "innenstadt"),
    "garden": ("garden", "garten"),
}
"""What a shot speaks of when something is seen from the window."""

_NIGHTS = {
    "warm_lamps": ("#16223f", "#51608f"),
    "neon_night": ("#120d33", "#8a2a78"),
    "blue_hour": ("#0e1f45", "#5f83b8"),
    "moonlight": ("#071226", "#2f5075"),
    "screen_glow": ("#050914", "#1d3452"),
    "stage_beam": ("#0a0714", "#33234f"),
}
"""Presets under which it is night behind the windows: the sky above and at the horizon."""


def is_night(light: Light) -> bool:
    """Whether it is dark behind the windows."""
    return light.name in _NIGHTS


def night_sky(light: Light) -> tuple[str, str] | None:
    """The sky behind the windows above and at the horizon, when it is night there."""
    return _NIGHTS.get(light.name)


def paint_outlook(stage: Stage, whole: Sequence[Point], view: str) -> None:
    """Paint what is outside, only within these corners.

    Args:
        stage: painted on its back.
        whole: the corners of a window.
        view: "town", "garden", "city", "sea" or "sky".
    """
    brush = stage.back
    left, right = min(x for x, _ in whole), max(x for x, _ in whole)
    top, bottom = min(y for _, y in whole), max(y for _, y in whole)
    upper, lower = sky_of(stage)
    far = mix(lower, upper, 0.62)
    with brush.inside(whole):
        sky = brush.linear((0, top), (0, bottom), [(0.0, upper), (0.7, lower), (1.0, lower)])
        brush.rect(left - 1, top - 1, right - left + 2, bottom - top + 2, sky)
        painter = _VIEWS.get(view)
        if painter is not None:
            painter(stage, (left, top, right - left, bottom - top), far)


def sky_of(stage: Stage) -> tuple[str, str]:
    """The sky behind the windows, above and at the horizon: bright by day, whatever the room is."""
    light = stage.light
    night = night_sky(light)
    if night is not None:
        return night
    bright = mix(light.low, light.glow, 0.62)
    return mix(mix(light.top, "#5aa6dc", 0.7), bright, 0.12 + 0.6 * light.dark), bright


def outlook_of(stage: Stage, *usual: str) -> str:
    """The view of a place: the sea or towers if the shot speaks of them, else one of the usual."""
    for view, words in _WORDS.items():
        if stage.mentions(*words):
            return view
    return stage.chance("outlook").choice(usual)


def _ink(stage: Stage, share: float, far: str) -> str:
    """A plane outside: the nearer, the less of the sky is in it."""
    light = stage.light
    near = mix(light.midground, light.near, 0.6)
    return mix(far, near, share)


Frame = tuple[float, float, float, float]


def _town(stage: Stage, frame: Frame, far: str) -> None:
    """Roofs behind roofs, a church, chimneys."""
    brush, chance = stage.back, stage.chance("town")
    x, y, wide, high = frame
    size = high * 0.3
    tower = x + wide * 0.68
    stone = _ink(stage, 0.22, far)
    brush.rect(tower, y + high * 0.4, size * 0.26, high, stone)
    roof = [(tower - size * 0.05, y + high * 0.41), (tower + size * 0.13, y + high * 0.2)]
    brush.poly([*roof, (tower + size * 0.31, y + high * 0.41)], stone)
    for share, level in ((0.2, 0.6), (0.42, 0.73), (0.7, 0.86)):
        across = x - size * chance.random()
        colour = _ink(stage, share, far)
        while across < x + wide:
            broad = size * chance.uniform(0.8, 1.3)
            eaves = y + high * level + size * chance.uniform(-0.12, 0.14)
            ridge = eaves - size * chance.uniform(0.24, 0.42)
            house = [(across, y + high), (across, eaves), (across + broad * 0.5, ridge)]
            brush.poly([*house, (across + broad, eaves), (across + broad, y + high)], colour)
            chimney = across + broad * 0.64
            brush.rect(chimney, ridge - size * 0.02, size * 0.1, size * 0.2, colour)
            _panes(stage, (across, eaves, broad, size * 0.3), share)
            across += broad * 0.94


def _panes(stage: Stage, frame: Frame, share: float) -> None:
    """Lit windows of houses, when it is night outside."""
    if not is_night(stage.light):
        return
    x, y, wide, high = frame
    chance = stage.chance(f"panes {x:.0f} {y:.0f}")
    for place in (0.2, 0.45, 0.7):
        if chance.choice((True, False)):
            colour = mix("#ffca7a", stage.light.glow, 0.4)
            glass = clear(colour, 0.45 + 0.5 * share)
            stage.back.rect(x + wide * place, y + high * 0.2, wide * 0.1, high * 0.45, glass)


def _garden(stage: Stage, frame: Frame, far: str) -> None:
    """Round trees, a hedge."""
    brush, chance = stage.back, stage.chance("garden")
    x, y, wide, high = frame
    for share, level, round_by in ((0.16, 0.58, 0.26), (0.4, 0.72, 0.24), (0.7, 0.94, 0.2)):
        green = mix(_ink(stage, share, far), "#5d9a6b", 0.3 * (1 - stage.light.dark))
        across = x - high * 0.2 * chance.random()
        brush.rect(x, y + high * level, wide, high, green)
        while across < x + wide + high * 0.2:
            size = high * round_by * chance.uniform(0.7, 1.2)
            top = y + high * level + size * chance.uniform(-0.2, 0.3)
            brush.circle(across, top, size, green)
            across += size * 1.3


def _city(stage: Stage, frame: Frame, far: str) -> None:
    """Towers, layer behind layer."""
    brush, chance = stage.back, stage.chance("city")
    x, y, wide, high = frame
    lit = clear(mix("#ffd592", stage.light.glow, 0.5), 0.8)
    for share, level in ((0.14, 0.3), (0.32, 0.46), (0.6, 0.64)):
        colour = _ink(stage, share, far)
        across = x - high * 0.1 * chance.random()
        while across < x + wide:
            broad = high * chance.uniform(0.12, 0.24)
            top = y + high * (level + chance.uniform(-0.14, 0.16))
            brush.rect(across, top, broad, y + high - top, colour)
            if is_night(stage.light):
                for _ in range(7):
                    place = across + broad * chance.uniform(0.1, 0.8)
                    story = top + high * chance.uniform(0.03, 0.5)
                    brush.rect(place, story, broad * 0.12, high * 0.018, lit)
            across += broad * chance.uniform(0.96, 1.3)


def _sea(stage: Stage, frame: Frame, far: str) -> None:
    """Water to the horizon, a headland."""
    brush, chance, light = stage.back, stage.chance("sea"), stage.light
    x, y, wide, high = frame
    line = y + high * 0.62
    hill = [
        (x + wide * 0.45, line),
        (x + wide * 0.75, line - high * 0.12),
        (x + wide * 1.05, line - high * 0.16),
    ]
    brush.shape([*hill, (x + wide * 1.05, line)], _ink(stage, 0.3, far), corners=(0, 2, 3))
    water = brush.linear((0, line), (0, y + high), [(0.0, far), (1.0, _ink(stage, 0.55, far))])
    brush.rect(x, line, wide, high, water)
    for _ in range(16):
        row = line + high * 0.38 * chance.random()
        across = x + wide * chance.random()
        brush.rect(
            across, row, wide * chance.uniform(0.04, 0.14), high * 0.006, clear(light.glow, 0.5)
        )


_VIEWS = {"town": _town, "garden": _garden, "city": _city, "sea": _sea}
