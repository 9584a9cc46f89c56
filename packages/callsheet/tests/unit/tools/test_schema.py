"""What a signature says about the arguments and the output."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired, TypedDict

import pytest
from pydantic import BaseModel, Field
from typing_extensions import override

from callsheet import ports
from callsheet.errors import InvalidError, ToolDefinitionError
from callsheet.ports import Context
from callsheet.tools.blocking import SyncContext
from callsheet.tools.registry import tool

if TYPE_CHECKING:
    from collections.abc import Callable

    from callsheet.ports import Journal
    from callsheet.tools.registry import AnyTool


class Seat(Enum):
    WINDOW = "window"
    AISLE = "aisle"


class Guest(BaseModel):
    name: str
    age: int = 0


@dataclass
class Room:
    number: int


class Stay(TypedDict, total=False):
    """As a standard library has it, with what it inherits."""

    nights: int


class Booking(Stay):
    id: str
    note: NotRequired[str]


def schema_of(function: Callable[..., object]) -> dict[str, Any]:
    return dict(tool("t", effect="read")(function).spec.input_schema)


def bound(function: Callable[..., object], **args: Any) -> dict[str, Any]:
    return tool("t", effect="read")(function).parameters.bind(args)


def test_parameters_become_properties_with_types_defaults_and_descriptions() -> None:
    def book(
        city: str,
        nights: Annotated[int, Field(description="how many", ge=1)] = 2,
        seat: Literal["window", "aisle"] = "aisle",
        note: Any = None,
    ) -> None:
        """Book.

        Args:
            city (str): where to go,
                and to stay.
            nights: not this, the field says it.
            nobody: not a parameter.

        Returns:
            city: not this either.
        """

    assert schema_of(book) == {
        "type": "object",
        "additionalProperties": False,
        "required": ["city"],
        "properties": {
            "city": {"type": "string", "description": "where to go, and to stay."},
            "nights": {"type": "integer", "minimum": 1, "description": "how many", "default": 2},
            "seat": {"type": "string", "enum": ["window", "aisle"], "default": "aisle"},
            "note": {"default": None},
        },
    }


def test_an_unannotated_parameter_takes_anything() -> None:
    def take(thing):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 -- on purpose
        return thing

    assert schema_of(take)["properties"] == {"thing": {}}
    assert bound(take, thing=[1, {"a": None}]) == {"thing": [1, {"a": None}]}


def test_any_name_can_be_a_parameter() -> None:
    def take(json: int, copy: int, _private: int, model_config: int) -> None: ...

    assert list(schema_of(take)["properties"]) == ["json", "copy", "_private", "model_config"]


def test_arguments_are_converted_to_the_annotated_types() -> None:
    @tool(effect="read")
    def book(
        at: datetime, path: Path, seat: Seat, guest: Guest, room: Room, tags: set[str]
    ) -> None: ...

    arguments = book.parameters.bind(
        {
            "at": "2024-05-01T10:00:00+00:00",
            "path": "a/b",
            "seat": "window",
            "guest": {"name": "Ann"},
            "room": {"number": 7},
            "tags": ["x", "x"],
        }
    )
    assert arguments["at"].year == 2024
    assert arguments["path"] == Path("a/b")
    assert arguments["seat"] is Seat.WINDOW
    assert arguments["guest"] == Guest(name="Ann")
    assert arguments["room"] == Room(7)
    assert arguments["tags"] == {"x"}


def test_a_default_that_is_left_out_is_the_functions_own() -> None:
    def take(a: int = 5, b: Annotated[int, Field(ge=0)] = 6, c: int = Field(7, ge=0)) -> None: ...

    # A Field as the default is no value, so the validator fills it in.
    assert bound(take) == {"c": 7}
    assert schema_of(take)["properties"]["c"] == {"type": "integer", "minimum": 0, "default": 7}


@pytest.mark.requirement("E7")
def test_wrong_arguments_are_invalid_and_every_problem_is_said_with_its_place() -> None:
    def book(city: str, nights: int, guests: list[Guest]) -> None: ...

    with pytest.raises(InvalidError) as caught:
        bound(book, nights="many", guests=[{"name": "Ann"}, {"age": "x"}], citi="Oslo")
    message = caught.value.message
    assert "args.city is missing" in message
    assert "args.nights: Input should be a valid integer" in message
    assert "args.guests[1].name is missing" in message
    assert "args.guests[1].age: Input should be a valid integer" in message
    assert "args.citi is unknown (did you mean 'city'?)" in message


def test_a_message_about_wrong_arguments_never_shows_their_values() -> None:
    def take(number: int) -> None: ...

    with pytest.raises(InvalidError) as caught:
        bound(take, number="hunter2")
    assert "hunter2" not in str(caught.value)
    # Nor does what a log would print of its causes.
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


def test_a_tool_without_parameters_refuses_arguments() -> None:
    with pytest.raises(InvalidError, match=r"args.x is unknown \(it takes none\)"):
        bound(lambda: None, x=1)


def test_a_validator_that_breaks_means_that_the_arguments_are_wrong() -> None:
    class Odd(BaseModel):
        number: int

        @override
        def model_post_init(self, context: object, /) -> None:
            raise KeyError(self.number)

    @tool(effect="read")
    def take(odd: Odd) -> None: ...

    with pytest.raises(InvalidError, match="KeyError"):
        take.parameters.bind({"odd": {"number": 1}})


@tool(effect="read")
def by_type(city: str, it: Context) -> None: ...


@tool(effect="read")
def by_sync_type(city: str, it: SyncContext) -> None: ...


@tool(effect="read")
def by_optional_type(city: str, it: Context | None = None) -> None: ...


@tool(effect="read")
def by_module(city: str, it: ports.Context) -> None: ...


@tool(effect="read")
def by_name(city: str, ctx) -> None: ...  # type: ignore[no-untyped-def]  # noqa: ANN001 -- the point


@pytest.mark.parametrize("declared", [by_type, by_sync_type, by_optional_type, by_module, by_name])
def test_the_context_is_not_an_argument(declared: AnyTool) -> None:
    assert declared.parameters.names == ("city",)
    assert declared.spec.input_schema["required"] == ["city"]
    assert declared.parameters.context in ("ctx", "it")


@pytest.mark.parametrize("name", ["Context", "callsheet.Context", "SyncContext", "Context | None"])
def test_a_context_that_is_only_imported_for_type_checkers_is_known_by_its_name(name: str) -> None:
    names: dict[str, Any] = {}
    exec(f"def take(city: str, it: '{name}'): ...", names)
    assert tool("t", effect="read")(names["take"]).parameters.context == "it"


def test_the_types_around_a_function_within_a_function_are_found() -> None:
    class Local(BaseModel):
        number: int

    @tool(effect="read")
    def take(local: Local) -> None: ...

    assert take.parameters.bind({"local": {"number": 1}}) == {"local": Local(number=1)}


def two_contexts(ctx: Context, context: Context) -> None: ...
def var_positional(*cities: str) -> None: ...
def var_keyword(**options: str) -> None: ...
def positional_only(city: str, /) -> None: ...
def unknown_type(city: Journal) -> None: ...


@pytest.mark.parametrize(
    ("function", "complaint"),
    [
        (two_contexts, "takes more than one context: ctx, context"),
        (var_positional, "takes '*cities'; name every parameter"),
        (var_keyword, "takes '**options'; name every parameter"),
        (positional_only, "takes 'city' by position only"),
        (unknown_type, "the type of 'city' cannot be found (name 'Journal' is not defined)"),
    ],
)
def test_a_signature_that_json_cannot_fill_is_refused(
    function: Callable[..., object], complaint: str
) -> None:
    with pytest.raises(ToolDefinitionError) as caught:
        tool("t", effect="read")(function)
    assert complaint in caught.value.message


def test_every_parameter_of_an_impossible_type_is_named() -> None:
    class Strange: ...

    def take(one: Strange, two: int, three: list[Strange]) -> None: ...

    with pytest.raises(ToolDefinitionError) as caught:
        tool("t", effect="read")(take)
    assert "the type of 'one' cannot be read from JSON" in caught.value.message
    assert "the type of 'three' cannot be read from JSON" in caught.value.message
    assert "'two'" not in caught.value.message


def returns_a_model() -> Guest: ...  # type: ignore[empty-body]
def returns_a_list() -> list[int]: ...  # type: ignore[empty-body]
def returns_nothing() -> None: ...
def returns_anything() -> Any: ...
def returns_a_stranger() -> threading_lock: ...  # type: ignore[name-defined]  # noqa: F821 -- the point
def says_nothing(): ...  # type: ignore[no-untyped-def]  # noqa: ANN201 -- the point


@pytest.mark.parametrize(
    ("function", "schema"),
    [
        (returns_a_list, {"type": "array", "items": {"type": "integer"}}),
        (returns_nothing, {"type": "null"}),
        (returns_anything, None),
        (returns_a_stranger, None),
        (says_nothing, None),
    ],
)
def test_the_output_schema_comes_from_the_return_annotation_if_it_says_something(
    function: Callable[..., object], schema: object
) -> None:
    assert tool("t", effect="read")(function).spec.output_schema == schema


def test_a_model_gives_an_output_schema_with_its_fields() -> None:
    schema = tool("t", effect="read")(returns_a_model).spec.output_schema
    assert schema is not None
    assert schema["required"] == ["name"]


def _guests_of_another_kind() -> type[BaseModel]:
    class Guest(BaseModel):
        nickname: str

    return Guest


def _defs(declared: AnyTool) -> dict[str, Any]:
    found: Any = declared.spec.input_schema["$defs"]
    return dict(found)


def test_types_of_one_name_are_told_apart_whichever_tool_was_declared_first() -> None:
    other = _guests_of_another_kind()

    @tool(effect="read")
    def welcome(guest: Guest) -> None: ...

    @tool(effect="read")
    def seat(guest: Guest, beside: other) -> None: ...  # type: ignore[valid-type]

    assert list(_defs(welcome)) == ["Guest"]
    defs = _defs(seat)
    assert len(defs) == 2
    assert {tuple(found["properties"]) for found in defs.values()} == {
        ("name", "age"),
        ("nickname",),
    }


def test_a_union_is_described_in_the_order_it_was_written() -> None:
    def one(it: int | str) -> None: ...
    def other(it: str | int) -> None: ...

    kinds = [
        [kind["type"] for kind in schema_of(function)["properties"]["it"]["anyOf"]]
        for function in (one, other)
    ]
    assert kinds == [["integer", "string"], ["string", "integer"]]


class Table(BaseModel):
    name: str = "é"
    seats: int = 4
    height: float = 0.75
    is_free: bool = True
    guest: Guest | None = None
    dishes: tuple[str, ...] = ()
    drinks: tuple[str, ...] = ("water",)
    orders: list[int] = [1]
    notes: dict[str, int] = {"late": 1}
    side: Seat = Seat.WINDOW
    far: float = float("inf")
    first: Guest = Guest(name="Ann")


def test_the_defaults_of_a_model_are_described_as_pydantic_does() -> None:
    def lay(table: Table) -> None: ...

    described = {
        name: found["default"] for name, found in Table.model_json_schema()["properties"].items()
    }
    ours = _defs(tool(lay))["Table"]["properties"]
    assert {name: found["default"] for name, found in ours.items()} == described
    assert (ours["name"]["default"], ours["dishes"]["default"]) == ("é", [])


@pytest.mark.requirement("E28")
def test_a_typed_dict_of_the_standard_library_is_read_wherever_it_stands() -> None:
    def book(stay: Stay, more: list[Booking] | None = None) -> dict[str, Booking]:
        del stay, more
        return {}

    made = tool("t", effect="read")(book).spec
    wanted = {
        "nights": {"type": "integer"},
        "id": {"type": "string"},
        "note": {"type": "string"},
    }
    assert made.output_schema is not None
    found = made.output_schema["$defs"]
    assert isinstance(found, dict)
    (booking,) = found.values()
    assert isinstance(booking, dict)
    assert booking["properties"] == wanted
    assert booking["required"] == ["id"]
    assert bound(book, stay={"nights": 2}, more=[{"id": "a"}])["more"] == [{"id": "a"}]
    with pytest.raises(InvalidError, match=r"args\.more"):
        bound(book, stay={}, more=[{"note": "x"}])
