"""Schemas of the club: players, merges, pairs."""

from __future__ import annotations

from typing import Any, Literal

import marshmallow as ma
import msgspec

from api.http.answers import TypedField
from api.http.fields import (
    MAX_NAME,
    Bool,
    RequestSchema,
    ResponseSchema,
    Text,
    error_with_fault_code,
)
from api.http.people import PERSON_ID
from api.http.rest import Page, list_page_schema
from referee.events import PersonId

_LONGEST_FILE = 200_000


class OptionalText(ma.fields.String):
    """A nickname or a club in a request; an empty text removes it."""

    def __init__(self, **more: Any) -> None:
        super().__init__(validate=ma.validate.Length(0, MAX_NAME), **more)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> str:
        return "" if value == "" else Text(MAX_NAME).deserialize(value, attr, data, **more)


class PlayerIn(RequestSchema):
    """A new player; only the name is required."""

    name = Text(MAX_NAME, required=True)
    nickname = OptionalText()
    club = OptionalText()


class PlayerEditIn(RequestSchema):
    """Changes of a player; a field that is left out stays."""

    name = Text(MAX_NAME)
    nickname = OptionalText()
    club = OptionalText()


class PlaysIn(RequestSchema):
    """Whether a player still plays; who does not is put aside, and comes back with ``true``."""

    plays = Bool(required=True)


class MergeIn(RequestSchema):
    """Two persons who are one."""

    kept = ma.fields.String(required=True, validate=PERSON_ID)
    gone = ma.fields.String(required=True, validate=PERSON_ID)


class PartnersIn(RequestSchema):
    """Two players, and the name of their pair."""

    players = ma.fields.List(
        ma.fields.String(validate=PERSON_ID), required=True, validate=ma.validate.Length(2, 2)
    )
    name = OptionalText(load_default="")


class PairNameIn(RequestSchema):
    """Another name for a pair; empty: none."""

    name = OptionalText(required=True)


class FileIn(RequestSchema):
    """Players as a table in a text: a line each, with or without headings."""

    text = ma.fields.String(required=True, validate=ma.validate.Length(1, _LONGEST_FILE))

    @ma.validates("text")
    def _refuse_null_character(self, value: str, **_: Any) -> None:
        if "\0" in value:
            raise error_with_fault_code("not_visible")


class PlayerRow(ResponseSchema):
    """A player; nickname and club are empty where nothing was said."""

    player = ma.fields.String(required=True)
    name = ma.fields.String(required=True)
    nickname = ma.fields.String(required=True)
    club = ma.fields.String(required=True)
    plays = ma.fields.Boolean(
        required=True, metadata={"description": "false: they play no more, and are not offered"}
    )


class PlayerView(PlayerRow):
    """A player, and under which other ids they were known."""

    version = ma.fields.Integer(required=True, metadata={"description": "of the club"})
    also = ma.fields.List(ma.fields.String(), required=True)


class PartnersRow(ResponseSchema):
    """A pair of two players."""

    pair = ma.fields.String(required=True)
    players = ma.fields.List(ma.fields.String(), required=True)
    names = ma.fields.List(ma.fields.String(), required=True)
    name = ma.fields.String(required=True)
    title = ma.fields.String(
        required=True, metadata={"description": "its name, or the names of its players"}
    )


class Enrolled(ResponseSchema):
    """The answer to a write: ids of the players and pairs that it added or named."""

    version = ma.fields.Integer(required=True, metadata={"description": "of the club"})
    position = ma.fields.Integer(required=True, metadata={"description": "to wait for in a read"})
    players = ma.fields.List(ma.fields.String(), required=True)
    pairs = ma.fields.List(ma.fields.String(), required=True)


class MergedTablesData(msgspec.Struct, frozen=True):
    """How many tables each of two players sat at, or tournaments each of them entered."""

    kept: int
    gone: int


class ImportLineData(msgspec.Struct, frozen=True):
    """A line of a file and its effect; ``before``: nickname and club that it would change."""

    line: int
    name: str
    nickname: str
    club: str
    state: Literal["new", "edited", "known", "repeated"]
    player: PersonId
    before: tuple[str, str]


class ImportCountsData(msgspec.Struct, frozen=True):
    """How many lines of a file are of each state."""

    new: int
    edited: int
    known: int
    repeated: int


class MergePreview(ResponseSchema):
    """What a merge would join; ``met``: tables where both sat, who then are not one."""

    version = ma.fields.Integer(required=True)
    kept = ma.fields.Nested(PlayerRow, required=True)
    gone = ma.fields.Nested(PlayerRow, required=True)
    encuentros = TypedField(MergedTablesData, required=True)
    tournaments = TypedField(MergedTablesData, required=True)
    pairs = ma.fields.List(ma.fields.Nested(PartnersRow), required=True)
    met = ma.fields.Integer(required=True)


class ImportPreview(ResponseSchema):
    """What the import of a file would do: each line with its state, and the unknown columns."""

    version = ma.fields.Integer(required=True)
    lines = TypedField(list[ImportLineData], required=True)
    counts = TypedField(ImportCountsData, required=True)
    ignored = ma.fields.List(ma.fields.String(), required=True)


class PlayerQuery(Page):
    """A part of a name, nickname or club, and a place in the list."""

    q = Text(MAX_NAME, metadata={"description": "A part of the name, the nickname or the club."})


PlayerPage = list_page_schema(PlayerRow, "PlayerPage")
PartnersPage = list_page_schema(PartnersRow, "PartnersPage")
