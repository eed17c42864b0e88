"""Schemas of a file of results and of what it would write."""

from __future__ import annotations

from typing import TypedDict

import marshmallow as ma

from api.club.schemas import FileIn
from api.http.answers import TypedField
from api.http.fields import ResponseSchema
from api.profiles.schemas import ProfileIn
from api.results.files.plan import LineState


class ResultsIn(FileIn):
    """Results of evenings as a table in a text; season and rules of evenings that are new."""

    season = ma.fields.UUID(metadata={"description": "season that they count for"})
    profile = ma.fields.Nested(ProfileIn)


class PlannedResultData(TypedDict):
    """A result of a file: its sides by the names of their players, and what it would do.

    ``encuentro``: the table where it belongs, empty for a new one; ``stands``: what is written
    there otherwise.
    """

    line: int
    day: str
    table: int
    sides: list[list[str]]
    score: list[int]
    state: LineState
    encuentro: str
    stands: str


class ResultCountsData(TypedDict):
    """How many results of a file are of each state."""

    new: int
    open: int
    known: int
    differs: int


class ResultsPreview(ResponseSchema):
    """What a file would write: each result, names that nobody has, columns nobody asks for."""

    lines = TypedField(list[PlannedResultData], required=True)
    counts = TypedField(ResultCountsData, required=True)
    names = ma.fields.List(ma.fields.String(), required=True)
    ignored = ma.fields.List(ma.fields.String(), required=True)


class ResultsWritten(ResponseSchema):
    """What a write came to: the position to wait for in a read."""

    position = ma.fields.Integer(required=True)
