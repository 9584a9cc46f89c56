"""The shot library: what a shot can be made of, as data, each with what it is for.

The names here are the names in scripts, shot lists and drawings. Nothing in it knows a script or a
shot, so that whoever writes either can use it.
"""

from callsheet_studio.library.acting import Person, acting, acts, behind, deed
from callsheet_studio.library.finding import (
    drawn_as,
    find_place,
    find_preset,
    find_set,
    light_of,
    place_at_front,
    place_in,
    stays_at_hour,
    time_of_day,
)
from callsheet_studio.library.persons import form_of, in_group, outfit
from callsheet_studio.library.shelves import (
    AngleEntry,
    Entry,
    LensEntry,
    MoveEntry,
    People,
    Place,
    PresetEntry,
    SetEntry,
    SizeEntry,
    angles,
    animals,
    compositions,
    kinds,
    lenses,
    movements,
    people,
    presets,
    sets,
    sizes,
)
from callsheet_studio.library.things import called, catalog, find_props
from callsheet_studio.library.variants import variant, variants_in

__all__ = [
    "AngleEntry",
    "Entry",
    "LensEntry",
    "MoveEntry",
    "People",
    "Person",
    "Place",
    "PresetEntry",
    "SetEntry",
    "SizeEntry",
    "acting",
    "acts",
    "angles",
    "animals",
    "behind",
    "called",
    "catalog",
    "compositions",
    "deed",
    "drawn_as",
    "find_place",
    "find_preset",
    "find_props",
    "find_set",
    "form_of",
    "in_group",
    "kinds",
    "lenses",
    "light_of",
    "movements",
    "outfit",
    "people",
    "place_at_front",
    "place_in",
    "presets",
    "sets",
    "sizes",
    "stays_at_hour",
    "time_of_day",
    "variant",
    "variants_in",
]
