"""Persons as a request tells of them: known by id, or new by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from api.faults import FieldFault
from api.house import Pocket, house
from api.problems import Problem


def persons(field: str, given: Mapping[Any, Mapping[str, str]], put: Pocket) -> dict[Any, str]:
    """Id of each person in a field of the body; those who come by name are new.

    :raises Problem: somebody is not known
    """
    unknown = [
        at
        for at, who in given.items()
        if "person" in who and house().persons.name(who["person"]) is None
    ]
    if unknown:
        faults = {at: [FieldFault("no_such_person")] for at in unknown}
        raise Problem("invalid", errors={"json": {field: faults}})
    return {at: who.get("person") or put.person(who["name"]) for at, who in given.items()}
