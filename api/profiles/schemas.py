"""Schemas of profiles: chosen, changed, compared."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from marshmallow import validate

from api.http.faults import validation_error
from api.http.fields import MAX_NAME, MAX_NUMBER, Int, QueryInt, RequestSchema, Text, choice
from referee.rules.profile.options import EDITIONS, NEWEST, OPTION_NAMES
from referee.rules.profile.profile import PROFILE_IDS, editions
from referee.rules.profile.values import SPECS

NAMES = tuple(one.name for profile_id in PROFILE_IDS for one in editions(profile_id))
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
            return {players: _plain(one) for players, one in value.items()}
        return _plain(value)


def _plain(value: Any) -> Any:
    if isinstance(value, bool) or (isinstance(value, str) and len(value) <= MAX_NAME):
        return value
    if isinstance(value, int | float):
        return Int().deserialize(value)
    if isinstance(value, list):
        return [_plain(one) for one in value if not isinstance(one, list | dict)]
    raise validation_error("not_a_value")


def _option(name: str) -> dict[str, Any]:
    return {"$ref": "#/components/schemas/OptionValue", "description": SPECS[name].about}


def _changes(**documented: Any) -> ma.fields.Dict:
    """Changed options of a profile by name."""
    return ma.fields.Dict(
        keys=choice(*OPTION_NAMES),
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
    edition = choice(
        *EDITIONS, load_default=NEWEST, metadata={"description": "of one of the six profiles"}
    )
    changes = _changes(
        additionalProperties=False,
        properties={name: _option(name) for name in OPTION_NAMES},
    )
    own = ma.fields.Nested(OwnProfile, data_key="as")


class RulesIn(RequestSchema):
    """Rules of the club: one of the six profiles with changed options, and a name."""

    name = Text(MAX_NAME, required=True)
    base = choice(*PROFILE_IDS, required=True)
    base_edition = choice(*EDITIONS, load_default=NEWEST)
    changes = _changes()


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

    one = choice(*NAMES, required=True, metadata={"description": "Id of a profile."})
    other = choice(*NAMES, required=True, metadata={"description": "Id of another profile."})
    players = QueryInt(2, 4, required=True, metadata={"description": "Players at the table."})
