"""Shapes of an encuentro: opened, seated, drawn, ruled."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from marshmallow import validate

from api.faults import wrong
from api.schemas.acts import SEAT_NAMES
from api.schemas.fields import MAX_NAME, MAX_NUMBER, Asked, Day, Int, Strict, Text, choice
from referee.rules.options import OPTION_NAMES
from referee.rules.profile import PROFILE_IDS

PROFILE_ID = validate.Regexp(r"\A[a-z0-9][a-z0-9-]{0,39}\Z")
PERSON_ID = validate.Regexp(r"\A[0-9a-f]{32}\Z")
_MOST_CANDIDATES = 16
_MOST_DRAWN = 200


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


class OptionValue(ma.fields.Field[Any]):
    """Value of an option, or values by number of players. The profile says what it may hold."""

    def __init__(self, **more: Any) -> None:
        super().__init__(metadata=OPTION_VALUE, **more)

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
    raise wrong("not_a_value")


class Own(Strict):
    """What a changed profile is called."""

    id = ma.fields.String(required=True, validate=PROFILE_ID)
    edition = Text(MAX_NAME, required=True)


class ProfileIn(Strict):
    """A profile by its id, with changed options and then a name of its own."""

    id = ma.fields.String(required=True, validate=PROFILE_ID)
    changes = ma.fields.Dict(
        keys=choice(*OPTION_NAMES),
        values=OptionValue(),
        load_default=dict,
        metadata={
            "additionalProperties": False,
            "properties": {
                name: {"$ref": "#/components/schemas/OptionValue"} for name in OPTION_NAMES
            },
        },
    )
    own = ma.fields.Nested(Own, data_key="as")


class AtTable(Strict):
    """A profile at a table: for how many players, with which deck."""

    profile = ma.fields.Nested(ProfileIn, required=True)
    players = Int(2, 4, load_default=None)
    deck = Int(40, 48, load_default=None)


class Compared(ma.Schema):
    """Two of the six profiles, at a table for a number of players."""

    class Meta:
        """Other parameters of the address belong to others."""

        unknown = ma.EXCLUDE

    one = choice(*PROFILE_IDS, required=True)
    other = choice(*PROFILE_IDS, required=True)
    players = Asked(2, 4, required=True)


class Who(Strict):
    """A person: somebody new by name, or somebody known by id."""

    name = Text(MAX_NAME)
    person = ma.fields.String(validate=PERSON_ID)

    @ma.validates_schema
    def _one_of_them(self, data: dict[str, Any], **_more: Any) -> None:
        if len(data) != 1:
            raise wrong("name_or_person")


class SeatsIn(Strict):
    """Who sits where."""

    seats = ma.fields.Dict(
        keys=choice(*SEAT_NAMES),
        values=ma.fields.Nested(Who),
        required=True,
        validate=validate.Length(1, len(SEAT_NAMES)),
    )


class EncuentroIn(AtTable):
    """A new encuentro."""

    seats = ma.fields.Dict(
        keys=choice(*SEAT_NAMES), values=ma.fields.Nested(Who), load_default=dict
    )
    place = Text(MAX_NAME)
    date = Day()
    held_in = ma.fields.UUID(metadata={"description": "session or tournament that it belongs to"})


class SubstitutionIn(Strict):
    """Another person takes a seat, after a line of a partida."""

    seat = choice(*SEAT_NAMES, required=True)
    name = Text(MAX_NAME, required=True)
    partida = Int(load_default=0)
    line = Int(load_default=0)
    because = Text(lines=True)


class EncuentroRulingIn(Strict):
    """The arbiter decides the encuentro itself; an empty winner is a draw."""

    winner = choice("A", "B", "C", "", required=True)
    because = Text(lines=True, required=True)


def _fallen(least: int) -> ma.fields.List[Any]:
    """Who got which card, in the order in which they fell."""
    pair = ma.fields.List(
        ma.fields.String(validate=validate.Length(1, MAX_NAME)), validate=validate.Length(equal=2)
    )
    return ma.fields.List(pair, validate=validate.Length(least, _MOST_DRAWN))


class DrawIn(Strict):
    """A draw: the cards as they fell, or a seed (or nothing) to let the program draw."""

    method = choice("a_reyes", "a_la_mas_alta", "por_palo", required=True)
    purpose = choice("players", "partners", "dealer", required=True)
    candidates = ma.fields.List(
        Text(MAX_NAME), required=True, validate=validate.Length(2, _MOST_CANDIDATES)
    )
    cards = _fallen(1)
    seed = ma.fields.String(validate=validate.Regexp(r"\A[!-~]{8,128}\Z"))


class DrawTried(AtTable, DrawIn):
    """A draw at a table that is not open yet, as far as the cards have fallen."""

    cards = _fallen(0)
