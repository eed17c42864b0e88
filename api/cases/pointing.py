"""What a person pointed at, for the form that opens a case: the acts, their tricks, who and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict
from uuid import UUID

from api.audit import trail
from api.cases import acta_words, proposals
from api.cases.acta_types import LineWordsData
from api.cases.exhibits import ExhibitTrickData, exhibits_of, with_denunciations
from api.encuentros.act_names import act_names_in
from projections.legality.evidence import VerdictData
from referee.errors import NotFound
from referee.events import SeatName
from referee.kinds import partida_id


class PointedData(TypedDict):
    """Acts that are disputed, with their tricks and verdicts, and how the form is filled in.

    ``who``: seats that may complain, the likeliest first; ``is_known``: whether the first one did.
    """

    partida: int
    lines: list[int]
    acts: list[LineWordsData]
    tricks: list[ExhibitTrickData]
    verdicts: dict[int, VerdictData]
    who: list[SeatName]
    is_known: bool
    because: str


def pointed_at(
    encuentro_id: UUID, number: int, lines: Sequence[int], names: Mapping[SeatName, str]
) -> PointedData | None:
    """What the form that opens a case says of these lines; None if the partida has none of them."""
    try:
        found = exhibits_of(encuentro_id, number, lines)
        found = exhibits_of(encuentro_id, number, with_denunciations(found))
    except NotFound:
        return None
    if not found.lines:
        return None
    entries = [one for one in trail.log(partida_id(encuentro_id, number)) if acta_words.is_act(one)]
    named = {seat: name for seat, name in names.items() if name}
    who = proposals.complainers(found, named)
    said, called = found.denunciation, act_names_in(encuentro_id, number)
    return {
        "partida": number,
        "lines": list(found.lines),
        "acts": [
            acta_words.line_words(one, called) for one in entries if one["line"] in found.lines
        ],
        "tricks": found.tricks,
        "verdicts": found.verdicts,
        "who": who,
        "is_known": said is not None and who[:1] == [said.by],
        "because": proposals.reason_to_open(found),
    }
