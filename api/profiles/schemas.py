"""Schemas of profiles: chosen, changed, compared."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from marshmallow import validate

from api.http.answers import TypedField
from api.http.fields import (
    MAX_NAME,
    MAX_NUMBER,
    Int,
    QueryInt,
    RequestSchema,
    ResponseSchema,
    Text,
    choice_field,
    error_with_fault_code,
)
from referee.events import OptionValue, OptionValues
from referee.rules.profile.options import EDITIONS, NEWEST, OPTION_NAMES
from referee.rules.profile.profile import PROFILE_IDS, profiles_of_every_edition
from referee.rules.profile.values import SPECS

_VALUE_OR_BY_PLAYERS = "the value, or an object of them by number of players"


class ProfileRow(ResponseSchema):
    """A profile, in a list."""

    id = ma.fields.String(required=True)
    name = ma.fields.String(required=True, metadata={"description": "what players call it"})
    edition = ma.fields.String(required=True)
    title = ma.fields.String(required=True, metadata={"description": "of its rulebook, or empty"})
    language = ma.fields.String(
        required=True, metadata={"description": "of its rulebook, or empty"}
    )
    players = TypedField(list[int], "how many may play", required=True)
    decks = TypedField(list[int], "cards of the decks that are allowed", required=True)
    pack = TypedField(OptionValue | dict[str, OptionValue], _VALUE_OR_BY_PLAYERS, required=True)
    direction = TypedField(
        OptionValue | dict[str, OptionValue], _VALUE_OR_BY_PLAYERS, required=True
    )
    match = TypedField(
        dict[str, OptionValue | dict[str, OptionValue]], "options of the match", required=True
    )


_OF_CASES = "of a value that is a list: what each of its cases rests on"


class ArticleView(ResponseSchema):
    """Where a value comes from."""

    profile = ma.fields.String(required=True, metadata={"description": "whose rulebook"})
    section = ma.fields.String(required=True, metadata={"description": "its heading, or empty"})
    basis = ma.fields.String(
        required=True, validate=ma.validate.OneOf(["stated", "inferred", "silent"])
    )
    basis_text = ma.fields.String(required=True, metadata={"description": "the basis in words"})
    cases = TypedField(dict[str, str], _OF_CASES, required=True)


class OptionView(ResponseSchema):
    """An option of a profile."""

    value = TypedField(OptionValue | dict[str, OptionValue], _VALUE_OR_BY_PLAYERS, required=True)
    title = ma.fields.String(required=True, metadata={"description": "the option in words"})
    value_text = ma.fields.String(required=True, metadata={"description": "the value in words"})
    about = ma.fields.String(required=True)
    allowed = TypedField(
        list[OptionValue], "every value, or the least and the most of a number", required=True
    )
    basis = ma.fields.String(required=True)
    section = ma.fields.String(required=True)
    cases = TypedField(dict[str, str], _OF_CASES, required=True)
    alternatives = TypedField(
        list[OptionValue], "values that the rulebook allows as well", required=True
    )


class ProfileView(ProfileRow):
    """A profile with the values of its options."""

    options = ma.fields.Dict(
        keys=ma.fields.String(), values=ma.fields.Nested(OptionView), required=True
    )


class DifferingOption(ResponseSchema):
    """An option that two profiles have differently."""

    option = ma.fields.String(required=True)
    title = ma.fields.String(required=True, metadata={"description": "the option in words"})
    value = TypedField(
        bool | int | str | list[str | int], "of one; of deck all allowed", required=True
    )
    value_text = ma.fields.String(required=True)
    article = ma.fields.Nested(ArticleView, required=True)
    other = TypedField(bool | int | str | list[str | int], "of the other", required=True)
    other_text = ma.fields.String(required=True)
    other_article = ma.fields.Nested(ArticleView, required=True)


class ProfileDifference(ResponseSchema):
    """What two profiles have differently, for a number of players."""

    component = "Difference"

    one = ma.fields.String(required=True)
    other = ma.fields.String(required=True)
    players = ma.fields.Integer(required=True)
    options = ma.fields.List(ma.fields.Nested(DifferingOption), required=True)


class FrozenView(ResponseSchema):
    """A profile as an encuentro would freeze it."""

    id = ma.fields.String(required=True)
    edition = ma.fields.String(required=True)
    hash = ma.fields.String(required=True)
    options = TypedField(OptionValues, "value of each option", required=True)
    basis = TypedField(dict[str, str], "what each value rests on", required=True)
    sections = TypedField(dict[str, str], "section of its rulebook, by option", required=True)
    sources = TypedField(dict[str, str], "in whose rulebook it stands, by option", required=True)
    base = ma.fields.String(metadata={"description": "the one of the six that was changed"})


class Profiles(ResponseSchema):
    """All profiles."""

    items = ma.fields.List(ma.fields.Nested(ProfileRow), required=True)
    next = ma.fields.String(required=True, allow_none=True)


NAMES = tuple(
    one.id_at_edition for profile_id in PROFILE_IDS for one in profiles_of_every_edition(profile_id)
)
"""The six profiles by id, and each of their earlier editions: ``club@2026-1``."""
PROFILE_ID = validate.Regexp(r"\A[a-z0-9][a-z0-9-]{0,39}\Z")


_PLAIN: list[dict[str, Any]] = [
    {"type": "boolean"},
    {"type": "integer", "minimum": 0, "maximum": MAX_NUMBER},
    {"type": "string", "maxLength": MAX_NAME},
    {"type": "array", "maxItems": 8, "items": {"type": ["string", "integer"]}},
]


_BY_PLAYERS = {
    "type": "object",
    "minProperties": 1,
    "additionalProperties": False,
    "properties": {players: {"anyOf": _PLAIN} for players in ("2", "3", "4")},
}


OPTION_VALUE: dict[str, Any] = {"anyOf": [*_PLAIN, _BY_PLAYERS]}


class OptionField(ma.fields.Field[Any]):
    """Value of an option, or values by number of players. The profile says what it may hold."""

    def __init__(self, **more: Any) -> None:
        one = {"$ref": "#/components/schemas/OptionValue"}
        super().__init__(metadata={"allOf": [one]}, **more)

    def _deserialize(
        self,
        value: Any,
        attr: str | None,
        data: Any,
        **more: Any,
    ) -> Any:
        if isinstance(value, dict) and value and set(value) <= {"2", "3", "4"}:
            return {players: _deserialize_plain_value(one) for players, one in value.items()}
        return _deserialize_plain_value(value)


def _deserialize_plain_value(value: Any) -> Any:
    if isinstance(value, bool) or (isinstance(value, str) and len(value) <= MAX_NAME):
        return value
    if isinstance(value, int | float):
        return Int().deserialize(value)
    if isinstance(value, list):
        return [_deserialize_plain_value(one) for one in value if not isinstance(one, list | dict)]
    raise error_with_fault_code("not_a_value")


def _option_json_schema(name: str) -> dict[str, Any]:
    return {"$ref": "#/components/schemas/OptionValue", "description": SPECS[name].about}


def _changes_field(**documented: Any) -> ma.fields.Dict:
    """Changed options of a profile by name."""
    return ma.fields.Dict(
        keys=choice_field(*OPTION_NAMES),
        values=OptionField(),
        load_default=dict,
        metadata=documented,
    )


class OwnProfile(RequestSchema):
    """What a changed profile is called."""

    component = "Own"

    id = ma.fields.String(required=True, validate=PROFILE_ID)
    edition = Text(MAX_NAME, required=True)


class ProfileIn(RequestSchema):
    """A profile by its id, or rules of the club by theirs; changed options need another name."""

    id = ma.fields.String(required=True, validate=PROFILE_ID)
    edition = choice_field(
        *EDITIONS, load_default=NEWEST, metadata={"description": "of one of the six profiles"}
    )
    changes = _changes_field(
        additionalProperties=False,
        properties={name: _option_json_schema(name) for name in OPTION_NAMES},
    )
    own = ma.fields.Nested(OwnProfile, data_key="as")


class RulesIn(RequestSchema):
    """Rules of the club: one of the six profiles with changed options, and a name."""

    name = Text(MAX_NAME, required=True)
    base = choice_field(*PROFILE_IDS, required=True)
    base_edition = choice_field(*EDITIONS, load_default=NEWEST)
    changes = _changes_field()


class AtTable(RequestSchema):
    """A profile at a table: for how many players, with which deck."""

    profile = ma.fields.Nested(ProfileIn, required=True)
    players = Int(2, 4, load_default=None)
    deck = Int(40, 48, load_default=None)


class Compared(ma.Schema):
    """Two of the six profiles, at a table for a number of players."""

    class Meta:
        """Other parameters of the address belong to others."""

        unknown = ma.EXCLUDE

    one = choice_field(*NAMES, required=True, metadata={"description": "Id of a profile."})
    other = choice_field(*NAMES, required=True, metadata={"description": "Id of another profile."})
    players = QueryInt(2, 4, required=True, metadata={"description": "Players at the table."})
