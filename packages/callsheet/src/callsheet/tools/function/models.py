"""JSON schemas as pydantic makes them; each model is described once, wherever it is found.

Many tools take and return the same large models. Pydantic would describe them again for each, and
look for names that nothing else has for them again, which takes longer than all else a declaration
does.
"""

from __future__ import annotations

import warnings
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

import msgspec
from pydantic import TypeAdapter
from pydantic.json_schema import DefsRef, GenerateJsonSchema
from typing_extensions import override

from callsheet.tools.output import is_plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pydantic import BaseModel
    from pydantic.json_schema import CoreModeRef, CoreRef, JsonRef, JsonSchemaMode

    from callsheet.core.value import Json

_MOST = 1000
"""Models that are kept: whoever makes ever new ones is not to be remembered for ever."""
_AROUND = frozenset({"function-before", "function-after", "function-wrap"})
"""What validators put around a model."""
_OWN = frozenset({"model", "enum"})
_ASKING = frozenset({"serialization", "cls"})
"""What a type says for itself; its metadata, too, but most are empty."""


def schema_of(adapter: TypeAdapter[Any], mode: JsonSchemaMode) -> dict[str, Json]:
    """The JSON schema of a type. Parts of it are those of others, too: not to be changed.

    Raises:
        Exception: it has none; pydantic and the types raise many kinds.
    """
    with _quietly():
        try:
            return adapter.json_schema(schema_generator=_Once, mode=mode)
        except Exception:  # noqa: BLE001 -- also of a pydantic that is otherwise inside
            # What has no schema is told by pydantic itself.
            return adapter.json_schema(schema_generator=_Untitled, mode=mode)


def reference_to(model: type[BaseModel]) -> dict[str, Json] | None:
    """The JSON schema of a key whose value is a model, with `$defs`; None: ask pydantic itself.

    Says what a mapping with such a key would, but nothing is made besides the model's own schema.
    """
    with _quietly():
        try:
            found = TypeAdapter(model).json_schema(schema_generator=_Referring, mode="validation")
        except Exception:  # noqa: BLE001 -- also of a pydantic that is otherwise inside
            return None
    return found if "$ref" in found else None


@contextmanager
def _quietly() -> Iterator[None]:
    if len(_known) > _MOST:
        _known.clear()
    with warnings.catch_warnings():
        # A default that has no JSON is merely not shown.
        warnings.simplefilter("ignore")
        yield


class _Untitled(GenerateJsonSchema):
    """Without the titles that only repeat a field's name."""

    @override
    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    @override
    def model_schema(self, schema: Any) -> dict[str, Any]:
        return self._closed(super().model_schema(schema))

    @override
    def dataclass_schema(self, schema: Any) -> dict[str, Any]:
        return self._closed(super().dataclass_schema(schema))

    def _closed(self, found: dict[str, Any]) -> dict[str, Any]:
        """What is made of a class has its fields and no others, unless it says so."""
        if self.mode == "serialization" and found.get("type") == "object":
            found.setdefault("additionalProperties", False)
        return found

    @override
    def encode_default(self, dft: Any) -> Any:
        # It would say the same, but make a validator and a serialiser for each.
        if type(dft) is tuple and not dft:
            return []
        if is_plain(dft) and not isinstance(dft, (dict, list)):
            return dft
        return super().encode_default(dft)


class _SpecialError(Exception):
    """Types that pydantic itself is asked about: two of one name, generic ones, of another mode."""


class _Model(msgspec.Struct, frozen=True, kw_only=True):
    """A model as it stands in `$defs`."""

    source: object
    """Kept with it: a reference has the address of the class in it, which is another's later."""
    name: DefsRef
    schema: dict[str, Any]
    refs: tuple[JsonRef, ...]
    """All that stand in it, as often as they do."""
    inner: tuple[CoreRef, ...]
    """What they refer to."""


_known: dict[CoreModeRef, _Model] = {}


class _Ways(dict[str, "Callable[[Any], dict[str, Any]]"]):
    """The method for each kind of type, looked up when there is one: there are a hundred kinds."""

    def __init__(self, source: GenerateJsonSchema) -> None:
        super().__init__()
        self._source = source

    def __missing__(self, kind: str) -> Callable[[Any], dict[str, Any]]:
        found: Callable[[Any], dict[str, Any]]
        found = self[kind] = getattr(self._source, f"{kind.replace('-', '_')}_schema")
        return found


class _Once(_Untitled):
    """Takes what was said of a model before, and names it by its name alone."""

    inlines = True
    """Whether what nothing else refers to stands for itself."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._asked: JsonSchemaMode = "validation"
        self._sources: dict[CoreRef, Any] = {}
        self._taken: dict[DefsRef, _Model] = {}

    @override
    def generate(self, schema: Any, mode: JsonSchemaMode = "validation") -> dict[str, Any]:
        self._asked = mode
        found = self.generate_inner(schema)
        reached = self._reached(found)
        named = [self.json_to_defs_refs[ref] for ref in reached if ref in self.json_to_defs_refs]
        defs = {name: self._sorted(name) for name in named}
        ref = cast("JsonRef", found.get("$ref"))
        is_only = len(found) == 1 and reached[ref] == 1 and ref in self.json_to_defs_refs
        is_alone = self.inlines and is_only
        self._remember(defs, self.json_to_defs_refs[ref] if is_alone else None)
        found = defs.pop(self.json_to_defs_refs[ref]) if is_alone else self.sort(found)
        inner = {"$defs": dict(sorted(defs.items()))} if defs else {}
        return dict(sorted({**found, **inner}.items()))

    @override
    def build_schema_type_to_method(self) -> dict[Any, Any]:
        self._ways = _Ways(self)
        return self._ways

    @property
    @override
    def mode(self) -> JsonSchemaMode:
        return self._asked

    @override
    def generate_inner(self, schema: Any) -> dict[str, Any]:
        ref: CoreRef | None = schema.get("ref")
        if ref is None and not schema.get("metadata") and _ASKING.isdisjoint(schema):
            # Nearly all of them, and there is nothing else to ask for.
            return self._ways[schema["type"]](schema)
        if ref is not None and (ref, self.mode) in _known:
            return self._take(ref)
        if ref is not None:
            self._sources[ref] = schema
        if "cls" in schema and _has_its_own_mode(schema["cls"]):
            raise _SpecialError
        return super().generate_inner(schema)

    @override
    def get_defs_ref(self, core_mode_ref: CoreModeRef) -> DefsRef:
        known = _known.get(core_mode_ref)
        name = known.name if known else self._short(core_mode_ref[0])
        if self.defs_to_core_refs.get(name, core_mode_ref) != core_mode_ref:
            raise _SpecialError
        return name

    def _short(self, core_ref: CoreRef) -> DefsRef:
        """The name of the class, as pydantic takes it from where it stands and its address."""
        if "[" in core_ref:
            raise _SpecialError
        return DefsRef(self.normalize_name(core_ref.rsplit(":", 1)[0].rsplit(".", 1)[-1]))

    def _take(self, core_ref: CoreRef) -> dict[str, Any]:
        """Take over a model that is known, and all that it refers to."""
        name, ref = self.get_cache_defs_ref_schema(core_ref)
        if name not in self.definitions:
            known = self._taken[name] = _known[core_ref, self.mode]
            # A copy: what pydantic adds to it here is not the others'.
            self.definitions[name] = dict(known.schema)
            for each in known.inner:
                self._take(each)
        return ref

    def _reached(self, found: object) -> Counter[JsonRef]:
        """How often something is referred to, by what is referred to itself."""
        counted: Counter[JsonRef] = Counter()
        refs = _refs_in(found)
        while refs:
            ref = refs.pop()
            counted[ref] += 1
            if counted[ref] == 1:
                refs += self._refs_of(ref)
        return counted

    def _refs_of(self, ref: JsonRef) -> list[JsonRef]:
        schema = self.get_schema_from_definitions(ref)
        if schema is None:  # an address
            return []
        known = self._unchanged(self.json_to_defs_refs[ref])
        return list(known.refs) if known else _refs_in(schema)

    def _unchanged(self, name: DefsRef) -> _Model | None:
        known = self._taken.get(name)
        return known if known and self.definitions[name] == known.schema else None

    def _sorted(self, name: DefsRef) -> dict[str, Any]:
        known = self._unchanged(name)
        return known.schema if known else self.sort(self.definitions[name])

    def _remember(self, defs: dict[DefsRef, dict[str, Any]], root: DefsRef | None) -> None:
        """Keep what is new, if nothing of it depends on what it was found in."""
        new = {name: each for name, each in defs.items() if not self._unchanged(name)}
        if root in new and not self._is_model(root):
            del new[root]
        if not all(self._is_model(name) for name in new):
            return
        for name, schema in new.items():
            refs = tuple(_refs_in(schema))
            inner = {self.defs_to_core_refs[self.json_to_defs_refs[ref]][0]: None for ref in refs}
            _known[self.defs_to_core_refs[name]] = _Model(
                source=self._sources[self.defs_to_core_refs[name][0]],
                name=name,
                schema=schema,
                refs=refs,
                inner=tuple(inner),
            )

    def _is_model(self, name: DefsRef) -> bool:
        """Whether it is described the same everywhere: a model brings its own configuration."""
        core_ref, _ = self.defs_to_core_refs[name]
        schema = self._sources.get(core_ref, {})
        while schema.get("type") in _AROUND:
            schema = schema["schema"]
        if schema.get("type") not in _OWN or name in self._taken:
            return False
        return core_ref.endswith(f":{id(schema['cls'])}")


class _Referring(_Once):
    """Refers to the model, too, that is asked about."""

    inlines = False


def _has_its_own_mode(kind: type) -> bool:
    config = getattr(kind, "model_config", None) or getattr(kind, "__pydantic_config__", None)
    return isinstance(config, dict) and config.get("json_schema_mode_override") is not None


def _refs_in(schema: object) -> list[JsonRef]:
    """All references, as often as they stand there. Examples may have anything in them."""
    found: list[JsonRef] = []
    inside = [schema]
    while inside:
        each = inside.pop()
        if isinstance(each, dict):
            ref = each.get("$ref")
            found += [cast("JsonRef", ref)] if isinstance(ref, str) else []
            inside += [
                value
                for key, value in each.items()
                if key != "examples" or not isinstance(value, list)
            ]
        elif isinstance(each, list):
            inside += each
    return found
