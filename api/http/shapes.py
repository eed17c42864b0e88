"""Schemas of answers, for the OpenAPI document. Views have more members than are named here."""

from __future__ import annotations

from typing import Any

import marshmallow as ma

from api.http.fields import ResponseSchema
from api.http.rest import page_of


class Free(ResponseSchema):
    """An object whose members the page on HTTP describes."""


def obj(about: str, **more: Any) -> ma.fields.Dict:
    """An object, in the words of its description."""
    return ma.fields.Dict(metadata={"description": about}, **more)


def listed(about: str, **more: Any) -> ma.fields.List[Any]:
    """A list of objects."""
    return ma.fields.List(ma.fields.Dict(), metadata={"description": about}, **more)


class Written(ResponseSchema):
    """What a write recorded."""

    id = ma.fields.UUID(required=True)
    version = ma.fields.Integer(required=True, metadata={"description": "count of acts now"})
    position = ma.fields.Integer(required=True, metadata={"description": "to wait for in a read"})
    lines = ma.fields.List(ma.fields.Integer(), required=True)
    conclusions = listed("official conclusions that followed", required=True)
    findings = listed("what was noticed by these acts", required=True)
    decided = ma.fields.Dict(required=True, allow_none=True)


class AuditEntry(ResponseSchema):
    """One event, with who, when and on which device."""

    line = ma.fields.Integer(required=True)
    at = ma.fields.String(required=True)
    by = ma.fields.String(required=True)
    device = ma.fields.String(required=True)


AuditPage = page_of(AuditEntry, "AuditPage")
