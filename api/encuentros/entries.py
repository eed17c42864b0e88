"""The record of an encuentro line by line, with which tablets synchronise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, repeat
from typing import Any
from uuid import UUID

import marshmallow as ma
import msgspec
from flask import Response

from api.http.access import guard
from api.http.answers import register_answer_schema
from api.http.bodies import Body
from api.http.rest import Noun, answer_header_schemas, reply, tag_of_view, takes_headers_and_query
from api.http.services import current_services
from projections.facts import PartidaActData
from referee.aggregates.partida import Partida, RecordedAct
from referee.events import SeatName
from referee.kinds import partida_id

blp = Noun("entries", __name__, url_prefix="/api/v1/encuentros/<uuid:encuentro_id>/entries")
_LONGEST = 500
_TEXT = "text"


class RecordedLineData(msgspec.Struct, frozen=True):
    """A line as it was recorded."""

    line: int
    act: PartidaActData


class EntriesOfPartidaData(msgspec.Struct, frozen=True):
    """The lines of a partida that the reader has not; ``dealer_due``: a seat, or empty."""

    number: int
    version: int
    dealer_due: SeatName
    entries: list[RecordedLineData]


class EntriesData(msgspec.Struct, frozen=True):
    """The partidas of an encuentro, line by line, and the version of the encuentro."""

    version: int
    partidas: list[EntriesOfPartidaData]


class After(ma.Schema):
    """Versions of the partidas that the reader has, in order; of those not named, none."""

    class Meta:
        """Unknown query parameters are ignored: other schemas read them."""

        unknown = ma.EXCLUDE

    after = ma.fields.String(
        load_default="",
        validate=[
            ma.validate.Length(max=_LONGEST),
            ma.validate.Regexp(r"^([0-9]{1,6}(,[0-9]{1,6})*)?\Z"),
        ],
        metadata={"description": "versions that the reader has, by partida: 212,57"},
    )


@blp.route("")
@guard.requires("read")
@takes_headers_and_query(tag=True)
@blp.arguments(After, location="query")
@blp.response(200, register_answer_schema(EntriesData), headers=answer_header_schemas(tag=True))
@blp.alt_response(304, description="Not modified")
def show_entries(query: Body, encuentro_id: UUID) -> Response:
    """Every recorded line of every partida, corrections too, after those that the client has"""
    referee = current_services().referee
    encuentro = referee.encuentros.encuentro(encuentro_id)
    seen = chain(map(int, filter(None, query["after"].split(","))), repeat(0))
    numbers = range(1, len(encuentro.partidas) + 1)
    view = EntriesData(
        version=encuentro.version,
        partidas=[
            _partida_entries(
                number, referee.encuentros.partida_by_id(partida_id(encuentro_id, number)), after
            )
            for number, after in zip(numbers, seen, strict=False)
        ],
    )
    return reply(view, tag=tag_of_view(view))


def _partida_entries(number: int, state: Partida, after: int) -> EntriesOfPartidaData:
    return EntriesOfPartidaData(
        number=number,
        version=state.version,
        dealer_due=state.dealer_due,
        entries=list(_lines_with_texts(state.log[after:])),
    )


def _lines_with_texts(log: Iterable[RecordedAct]) -> Iterator[RecordedLineData]:
    """Lines with the words of their texts; an erased text is empty."""
    persons = current_services().persons
    for one in log:
        yield RecordedLineData(
            line=one.line, act=_act_with_texts(msgspec.to_builtins(one.act), persons.text_by_id)
        )


def _act_with_texts(value: Any, text_of: Any) -> Any:
    """An act, as builtins, with texts in place of their ids, also in nested acts."""
    if isinstance(value, list | tuple):
        return [_act_with_texts(one, text_of) for one in value]
    if not isinstance(value, dict):
        return value
    return {
        name: text_of(one) or "" if name == _TEXT else _act_with_texts(one, text_of)
        for name, one in value.items()
    }
