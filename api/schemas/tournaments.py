"""Shapes of a tournament."""

from __future__ import annotations

import marshmallow as ma

from api.base import page_of
from api.schemas.answers import listed, obj
from api.schemas.fields import Shown


class TournamentRow(Shown):
    """A tournament in a list."""

    id = ma.fields.UUID(required=True)
    name = ma.fields.String(required=True, allow_none=True)
    place = ma.fields.String(required=True, allow_none=True)
    date = ma.fields.String(required=True)
    stage = ma.fields.String(
        required=True, metadata={"description": "entering, committed, running or over"}
    )
    format = ma.fields.String(
        metadata={"description": "knock_out, groups, round_robin or swiss"}, required=True
    )


class TournamentView(TournamentRow):
    """Everything of a tournament; docs/tournaments.md says what each member is."""

    version = ma.fields.Integer(required=True)
    plan = obj("how it is played", required=True)
    pairs = listed("who takes part", required=True)
    draw = obj("the commitment, and once it was drawn its seed", required=True, allow_none=True)
    rounds = listed("rounds as drawn, with their meetings", required=True)
    groups = listed("groups, each with its table", required=True)
    standings = listed("the table, each row with what explains it", required=True)
    bracket = listed("ties of the knock-out", required=True)
    pending = listed("results that changed too late, to be settled", required=True)
    champion = ma.fields.String(required=True, allow_none=True)


class DrawFile(Shown):
    """A draw as ``guinote draw verify`` reads it; before it is made, the commitment to it."""

    version = ma.fields.String(required=True)
    draw = obj("what is drawn", required=True)
    commitment = ma.fields.String(required=True)


TournamentPage = page_of(TournamentRow, "TournamentPage")
