"""Schemas of answers to writes, for the OpenAPI document."""

from __future__ import annotations

import marshmallow as ma

from api.http.answers import TypedField
from api.http.fields import ResponseSchema
from projections.facts import ConclusionData, PartidaWonData
from projections.legality.findings import WordedFindingData


class Written(ResponseSchema):
    """What a write recorded."""

    id = ma.fields.UUID(required=True)
    version = ma.fields.Integer(required=True, metadata={"description": "count of acts now"})
    position = ma.fields.Integer(required=True, metadata={"description": "to wait for in a read"})
    lines = ma.fields.List(ma.fields.Integer(), required=True)
    conclusions = TypedField(
        list[ConclusionData], "official conclusions that followed", required=True
    )
    findings = TypedField(list[WordedFindingData], "what was noticed by these acts", required=True)
    decided = TypedField(PartidaWonData | None, "how the partida was decided", required=True)
