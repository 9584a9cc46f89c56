"""JSON schemas of types: each model is described once, and as pydantic would."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta  # noqa: TC003 -- pydantic reads it
from enum import Enum
from typing import Annotated, Any, Generic, Literal, TypeVar

import pytest
from pydantic import BaseModel, ConfigDict, Field, RootModel, TypeAdapter, model_validator
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode
from typing_extensions import TypedDict, override

from callsheet.tools.function import models
from callsheet.tools.function.models import reference_to, schema_of

T = TypeVar("T")


class Mood(Enum):
    CALM = "calm"
    WILD = "wild"


class Lamp(BaseModel):
    watts: int = 40
    mood: Mood = Mood.CALM


class Desk(BaseModel):
    """Where somebody works."""

    kind: Literal["desk"]
    lamp: Lamp
    spare: Lamp | None = None
    papers: tuple[str, ...] = ()


class Shelf(BaseModel):
    kind: Literal["shelf"]
    above: Shelf | None = None
    lamps: list[Lamp] = Field(default_factory=list, description="From left to right.")

    @model_validator(mode="after")
    def is_fine(self) -> Shelf:
        return self


@dataclass
class Pause:
    length: timedelta


class Hurry(BaseModel):
    model_config = ConfigDict(ser_json_timedelta="float", val_json_bytes="base64")

    pause: Pause


class Patience(BaseModel):
    pause: Pause


class Told(BaseModel):
    model_config = ConfigDict(json_schema_mode_override="serialization")

    lamp: Lamp


class Pair(BaseModel, Generic[T]):
    one: T
    other: T


class Args(TypedDict):
    desk: Desk
    lamp: Annotated[Lamp, Field(description="To read by.", examples=[{"$ref": "#/nowhere"}])]


class Bright:
    """Another `Lamp`."""

    class Lamp(BaseModel):
        lumens: int


TYPES: tuple[Any, ...] = (
    int,
    Lamp,
    Desk,
    Shelf,
    Mood,
    list[Lamp],
    dict[str, Desk | None],
    Annotated[Desk | Shelf, Field(discriminator="kind")],
    Annotated[Lamp, Field(title="Light", description="It burns.")],
    Hurry,
    Patience,
    tuple[Hurry, Patience],
    Told,
    tuple[Told, Lamp],
    Pair[Lamp],
    Pair[Desk],
    Args,
    tuple[Lamp, Bright.Lamp],
    Bright.Lamp,
)


class Untitled(GenerateJsonSchema):
    @override
    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    @override
    def model_schema(self, schema: Any) -> dict[str, Any]:
        return self.closed(super().model_schema(schema))

    @override
    def dataclass_schema(self, schema: Any) -> dict[str, Any]:
        return self.closed(super().dataclass_schema(schema))

    def closed(self, found: dict[str, Any]) -> dict[str, Any]:
        if self.mode == "serialization" and found.get("type") == "object":
            found.setdefault("additionalProperties", False)
        return found


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> dict[object, object]:
    """What was described: nothing yet."""
    found: dict[object, object] = {}
    monkeypatch.setattr(models, "_known", found)
    return found


@pytest.mark.parametrize("order", [1, -1], ids=["forwards", "backwards"])
@pytest.mark.parametrize("mode", ["validation", "serialization"])
def test_a_type_is_described_as_by_pydantic_whatever_was_described_before(
    mode: JsonSchemaMode, order: int
) -> None:
    for kind in (*TYPES, *TYPES)[::order]:
        adapter: TypeAdapter[Any] = TypeAdapter(kind)
        expected = adapter.json_schema(schema_generator=Untitled, mode=mode)
        found = schema_of(adapter, mode)
        assert found == expected, kind
        assert list(found) == list(expected)
        assert list(found.get("$defs", {})) == list(expected.get("$defs", {}))  # type: ignore[arg-type]


class Odd(BaseModel):
    what: object = Field(default=print)


class Renamed(BaseModel):
    model_config = ConfigDict(title="Another name", json_schema_extra={"examples": [{}]})


class Numbers(RootModel[list[int]]):
    pass


@pytest.mark.parametrize("order", [1, -1], ids=["forwards", "backwards"])
def test_a_key_that_is_a_model_is_described_as_in_a_mapping(order: int) -> None:
    kinds: list[type[BaseModel]]
    kinds = [Lamp, Desk, Shelf, Hurry, Told, Pair[Lamp], Bright.Lamp, Odd, Renamed, Numbers]
    make_mapping: Any = TypedDict
    referred = []
    for kind in (*kinds, *kinds)[::order]:
        mapping: Any = make_mapping("mapping", {"it": kind})
        expected = schema_of(TypeAdapter(mapping), "validation")
        found: Any = reference_to(kind)
        if found is not None:
            referred.append(kind)
            assert found.pop("$defs") == expected["$defs"]
            assert found == expected["properties"]["it"]  # type: ignore[index, call-overload]
    assert {Lamp, Desk, Shelf, Odd, Renamed} <= set(referred)


def test_nothing_is_said_of_a_default_that_has_no_json(
    recwarn: pytest.WarningsRecorder,
) -> None:
    assert reference_to(Odd) is not None
    assert not recwarn.list


def test_a_model_is_described_once() -> None:
    first: Any = schema_of(TypeAdapter(list[Desk]), "validation")
    second: Any = schema_of(TypeAdapter(tuple[Desk, Mood]), "validation")
    assert second["$defs"]["Desk"] is first["$defs"]["Desk"]
    assert second["$defs"]["Lamp"] is first["$defs"]["Lamp"]


def test_what_a_configuration_around_it_may_change_is_described_each_time(
    known: dict[object, object],
) -> None:
    schema_of(TypeAdapter(Hurry), "serialization")
    assert not known


def test_whoever_makes_ever_new_models_is_not_remembered_for_ever(
    monkeypatch: pytest.MonkeyPatch, known: dict[object, object]
) -> None:
    monkeypatch.setattr(models, "_MOST", 3)
    for number in range(12):

        class Passing(BaseModel):
            seen: int = number

        found: Any = schema_of(TypeAdapter(list[Passing]), "validation")
        assert found["$defs"]["Passing"]["properties"]["seen"]["default"] == number
        found = reference_to(Passing)
        assert found["$defs"]["Passing"]["properties"]["seen"]["default"] == number
        assert len(known) <= 4
