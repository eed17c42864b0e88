"""The correction of a day, as the API and the pages ask for it."""

from __future__ import annotations

from uuid import UUID

from api.http.faults import FieldFault
from api.http.fields import Day, RequestSchema
from api.http.problems import Problem
from api.http.services import current_services
from referee.errors import NotFound
from referee.log.streams import Answer, WriteMetadata


class DayIn(RequestSchema):
    """The day on which it really was."""

    date = Day(required=True)


def evening_of(encuentro_id: UUID) -> str:
    """Id of the evening whose table an encuentro is; empty if it is of none.

    :raises NotFound: there is no such encuentro
    """
    here = current_services().referee
    opened = here.encuentros.encuentro(encuentro_id).opened
    assert opened is not None
    try:
        return str(here.seasons.session(UUID(opened.held_in)) and opened.held_in)
    except (NotFound, ValueError):  # of a tournament, or of nothing
        return ""


def correct_encuentro(
    encuentro_id: UUID, day: str, made: WriteMetadata, expected: int | None
) -> Answer:
    """Correct the day of an encuentro that is of no evening.

    :raises Problem: it is a table of an evening, whose day is that of all its tables
    """
    if evening_of(encuentro_id):
        raise Problem("invalid", errors={"json": {"date": [FieldFault("day_of_evening")]}})
    return current_services().referee.encuentros.correct_day(encuentro_id, day, made, expected)
