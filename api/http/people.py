"""Persons in a request: known ones by id, new ones by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import marshmallow as ma
from marshmallow import validate

from api.http.fields import MAX_NAME, FieldFault, RequestSchema, Text, error_with_fault_code
from api.http.problems import Problem
from api.http.services import PendingTexts, current_services


def ids_of_persons(
    field: str, given: Mapping[Any, Mapping[str, str]], put: PendingTexts
) -> dict[Any, str]:
    """Id of each person in a field of the body; those given by name are added to ``put``.

    :raises Problem: a person is unknown
    """
    unknown = [
        at
        for at, who in given.items()
        if "person" in who and not current_services().persons.is_named(who["person"])
    ]
    if unknown:
        faults = {at: [FieldFault("no_such_person")] for at in unknown}
        raise Problem("invalid", errors={"json": {field: faults}})
    return {at: who.get("person") or put.add_person(who["name"]) for at, who in given.items()}


PERSON_ID = validate.Regexp(r"\A[0-9a-f]{32}\Z")


class PersonIn(RequestSchema):
    """A person: somebody new by name, or somebody known by id."""

    component = "Who"

    name = Text(MAX_NAME)
    person = ma.fields.String(validate=PERSON_ID)

    @ma.validates_schema
    def _require_exactly_one(self, data: dict[str, Any], **_more: Any) -> None:
        if len(data) != 1:
            raise error_with_fault_code("name_or_person")
