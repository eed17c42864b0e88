"""What the page of a private address shows, from public facts alone: players and result."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple, TypeAlias
from uuid import UUID

from msgspec.structs import replace

from api.encuentros.pages import names_by_side
from api.http.services import current_services
from projections.board.views import public_result_stage
from projections.scores.encuentros import FinalScoresData, possible_final_scores_view
from projections.seasons.pairs import name_id_by_pair
from referee.aggregates import result as results
from referee.aggregates.encuentro import UNDECIDED, Encuentro, options_of, standing_of
from referee.aggregates.session import (
    AddressSubject,
    Session,
    SessionTable,
    latest_table_of_subject,
)
from referee.events import PairId, PrincipalId, SideName
from referee.rules.match_scores import score_of_standing
from referee.rules.seats import SIDES

SideMoment: TypeAlias = Literal[
    "open", "asked", "waiting", "denied_by_us", "denied_by_others", "confirmed", "official"
]
"""What a side can do: tell, agree, wait, tell another score, or nothing any more."""


class AddressPlace(NamedTuple):
    """A table or a pair of an evening, where it plays now, and its principal.

    ``tag``: of the public view of the evening, read before all else that is shown of it.
    """

    session_id: UUID
    subject: AddressSubject
    principal: PrincipalId
    table: SessionTable | None
    tag: str

    @property
    def encuentro_id(self) -> UUID | None:
        """The encuentro at its table; None before the table is opened."""
        return None if self.table is None else UUID(self.table.encuentro)

    @property
    def side(self) -> SideName:
        """The side of a pair; empty for a table, at which both sides have the same address."""
        if not self.subject.pair or self.table is None:
            return ""
        return "ABC"[self.table.pairs.index(self.subject.pair)]


class PlaceView(NamedTuple):
    """What is shown to a side; ``said_by``, ``denied_by``: sides, or empty for nobody.

    ``pairs``: names of the pairs that have one, by side. ``played_last``: number of the latest
    decided partida; 0 if there is none.
    """

    sides: dict[SideName, list[str]]
    pairs: dict[SideName, str]
    score: dict[SideName, int] | None
    final: FinalScoresData
    said_by: SideName
    denied_by: SideName
    moment: SideMoment
    may_agree: bool
    played_last: int


def place_with_principal(
    session_id: UUID, state: Session, subject: AddressSubject, tag: str
) -> AddressPlace:
    """A table or a pair with its principal, which changes when its address is renewed."""
    principal = f"address {subject} {state.renewed.get(subject, 0) + 1}"
    return AddressPlace(
        session_id, subject, principal, latest_table_of_subject(state, subject), tag
    )


def view_for_side(place: AddressPlace, side: SideName, state: Encuentro) -> PlaceView:
    """What the page of an address shows to a side; cases are left out, as on the boards."""
    result = state.result
    stands = results.is_report_current(result, state.outcome_with_partidas)
    reported, denied = (result.reported, result.denied) if stands else (None, None)
    score = score_of_standing(standing_of(state), options_of(state))
    is_of_one = reported is not None and reported.principal == place.principal
    required = current_services().referee.settings.four_eyes_choice() == "required"
    return PlaceView(
        player_names_by_side(state),
        pair_names_by_side(place.table),
        None if state.win is None else score,
        _possible_final_scores(state, side),
        reported.side if reported else "",
        denied.side if denied else "",
        _moment_for_side(state, side),
        may_agree=not (is_of_one and required),
        played_last=max((one.partida for one in state.partidas if one.how != UNDECIDED), default=0),
    )


def _possible_final_scores(state: Encuentro, side: SideName) -> FinalScoresData:
    """Final scores, those that the side wins by most first."""
    final = possible_final_scores_view(state)
    if not side:
        return final

    def margin_of_loss(score: dict[SideName, int]) -> int:
        return max(made for one, made in score.items() if one != side) - score[side]

    return replace(final, scores=sorted(final.scores, key=margin_of_loss))


def player_names_by_side(state: Encuentro) -> dict[SideName, list[str]]:
    """Names of the players of an encuentro, listed by side."""
    named = current_services().persons.names_of(person for _, person in state.seats)
    seats = {seat: named.get(person) for seat, person in state.seats}
    return names_by_side(seats, options_of(state).players)


def pair_names_by_side(table: SessionTable | None) -> dict[SideName, str]:
    """Names of the pairs at a table, by side; a side whose pair has none is left out."""
    pairs = () if table is None else table.pairs
    named = name_by_pair_id(pairs)
    return {side: named[one] for side, one in zip("ABC", pairs, strict=False) if one in named}


def name_by_pair_id(pairs: Iterable[PairId]) -> dict[PairId, str]:
    """Names of some pairs; one without a name is left out."""
    here = current_services()
    with here.reads.reading() as rows:
        found = name_id_by_pair(rows, pairs)
    texts = here.persons.texts_by_id(found.values())
    return {pair: name for pair, text in found.items() if (name := texts[text])}


def _moment_for_side(state: Encuentro, side: SideName) -> SideMoment:
    stage = public_result_stage(state)
    if stage == "official":
        return "official"
    if stage == "confirmed":
        return "confirmed"
    result, sides = state.result, SIDES[options_of(state).players]
    if stage is None or not results.is_report_current(result, state.outcome_with_partidas):
        return "open"
    if result.denied is not None:
        return "denied_by_us" if result.denied.side == side else "denied_by_others"
    return "asked" if side in results.sides_yet_to_agree(result, sides) else "waiting"
