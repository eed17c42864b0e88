"""The account of an evening or of a season: who has paid, the pot, who gets what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, TypeAlias
from uuid import UUID

import msgspec

from api.club import views as club_views
from api.http.access.prefix import prefix
from api.http.bodies import Body
from api.http.fields import FieldFault
from api.http.names import words_of_folded_name
from api.http.problems import Problem
from api.http.services import PendingTexts, current_services
from api.seasons import views
from api.seasons.fees.prizes import PrizeData, prizes_by_place
from api.seasons.points import StandingLineData, competitors_by_id, merge_target_by_id
from projections.views import view_as
from referee import events as ev
from referee.aggregates.season import Season
from referee.aggregates.session import Session
from referee.log.streams import Answer, WriteMetadata

PaidSpan: TypeAlias = Literal["session", "season"]
_LATEST = 10
"""Evenings that are looked through for the fees of the last one."""


class Payable(NamedTuple):
    """What is paid for: an evening or a season."""

    span: PaidSpan
    id: UUID

    @property
    def page_path(self) -> str:
        """Address of the page of the evening or season."""
        return f"{prefix()}/{'jornadas' if self.span == 'session' else 'temporadas'}/{self.id}"


class PrizeWinnerData(msgspec.Struct, frozen=True):
    """Who gets a prize: ``person`` is empty for a pair, ``pair`` for a person."""

    person: ev.PersonId
    pair: ev.PairId
    name: str | None


class PayerData(PrizeWinnerData, frozen=True):
    """A person or a pair of the list: whether they have paid, their place once they have one."""

    paid: bool
    place: int | None


class PlacedPrizeData(PrizeData, frozen=True):
    """A prize with those who get it by the table of points; several share it."""

    place: int
    winners: list[PrizeWinnerData]


class FeeAccountData(msgspec.Struct, frozen=True):
    """Fee, prizes, who has paid, and the money that follows, in cents.

    ``kept``: what of each fee is the club's. ``received``: of all who paid; ``for_club`` and
    ``pot`` are its parts. ``in_prizes``: all prizes that are money; ``left``: of the pot.
    """

    id: str
    version: int
    of: ev.Competitors
    fee: int
    kept: int
    prizes: list[PlacedPrizeData]
    payers: list[PayerData]
    paid: int
    unpaid: int
    received: int
    for_club: int
    pot: int
    in_prizes: int
    left: int


class _Known(NamedTuple):
    """The state of an evening or a season, its table of points, and who came to it."""

    state: Session | Season
    standings: Sequence[StandingLineData]
    prizes: Sequence[PrizeData]
    came: Iterable[str]


def fee_account(of_what: Payable) -> FeeAccountData:
    """Fee, payers, pot and prizes of an evening or a season, as they are now.

    :raises NotFound: there is no such evening or season
    """
    known = _read_fees_and_standings(of_what)
    state, terms, of = known.state, terms_of(known.state), competitor_kind(known.state)
    payers = _payers(known, of)
    paid = sum(one.paid for one in payers)
    in_prizes = sum(one.amount for one in terms.prizes)
    pot = (terms.fee - terms.kept) * paid
    return FeeAccountData(
        id=str(of_what.id),
        version=state.version,
        of=of,
        fee=terms.fee,
        kept=terms.kept,
        prizes=_prizes(known),
        payers=payers,
        paid=paid,
        unpaid=len(payers) - paid,
        received=terms.fee * paid,
        for_club=terms.kept * paid,
        pot=pot,
        in_prizes=in_prizes,
        left=pot - in_prizes,
    )


def _read_fees_and_standings(of_what: Payable) -> _Known:
    state = load_session_or_season(of_what)
    if isinstance(state, Season):
        season = views.complete_season_view(of_what.id)
        return _Known(state, season.standings, season.prizes, ())
    evening = views.complete_session_view(of_what.id)
    seated = (pair for table in state.tables for pair in table.pairs)
    came = (
        (*state.pairs, *seated)
        if competitor_kind(state) == "pairs"
        else state.persons_who_played_or_are_there
    )
    return _Known(state, evening.standings, evening.prizes, came)


def _payers(known: _Known, of: ev.Competitors) -> list[PayerData]:
    """Persons or pairs who came or have paid, by name; merged ones as the one that is kept."""
    with current_services().reads.reading() as rows:
        merged = merge_target_by_id(rows, of)
    places = {one.pair or one.person: one.place for one in known.standings}
    paid = {merged.get(one, one) for one in known.state.fees.paid}
    every = {merged.get(one, one) for one in known.came} | places.keys() | paid
    named = competitors_by_id(of, every)
    names = {one: named[one].name if one in named else None for one in every}
    return [
        PayerData(
            person=one if of == "persons" else "",
            pair=one if of == "pairs" else "",
            name=names[one],
            paid=one in paid,
            place=places.get(one),
        )
        for one in sorted(
            every, key=lambda one: (not names[one], words_of_folded_name(names[one] or ""), one)
        )
    ]


def _prizes(known: _Known) -> list[PlacedPrizeData]:
    placed = prizes_by_place(known.prizes, known.standings)
    return [
        view_as(
            PlacedPrizeData,
            prize,
            place=one.place,
            winners=[_prize_winner_data(line) for line in one.lines],
        )
        for prize, one in zip(known.prizes, placed, strict=True)
    ]


def _prize_winner_data(line: StandingLineData) -> PrizeWinnerData:
    return PrizeWinnerData(person=line.person, pair=line.pair, name=line.name)


def load_session_or_season(of_what: Payable) -> Session | Season:
    """Current state of the evening or season that is paid for.

    :raises NotFound: there is none
    """
    handler = current_services().referee.seasons
    if of_what.span == "session":
        return handler.session(of_what.id)
    return handler.season(of_what.id)


def competitor_kind(state: Session | Season) -> ev.Competitors:
    """Whether persons pay or pairs."""
    assert state.opened is not None
    return state.opened.of


def terms_of(state: Session | Season) -> ev.FeesSet:
    """Fee and prizes as they were set; nothing if they were not."""
    return state.fees.terms or ev.FeesSet()


def preset_terms(of_what: Payable) -> ev.FeesSet:
    """Fee and prizes that a form begins with: those of the latest evening of the season."""
    state = load_session_or_season(of_what)
    if isinstance(state, Season) or state.opened is None:
        return ev.FeesSet()
    season, of = state.opened.season, state.opened.of
    others = (
        load_session_or_season(Payable("session", UUID(one.id)))
        for one in views.latest_sessions(_LATEST)
        if one.id != str(of_what.id) and (one.season, one.of) == (season, of)
    )
    return next((one.fees.terms for one in others if one.fees.terms), ev.FeesSet())


def other_payers_of_club(payers: Sequence[PayerData], of: ev.Competitors) -> list[tuple[str, str]]:
    """Persons or pairs of the club who are not on the list, and may pay: ids and names."""
    listed = {one.pair or one.person for one in payers}
    found = (
        [(one.pair, one.title) for one in club_views.pairs_offered()]
        if of == "pairs"
        else [(one.player, one.name) for one in club_views.players_offered()]
    )
    return [one for one in found if one[0] not in listed]


def payment_act(of_what: Payable, body: Body) -> ev.FeePaid | ev.PaymentTakenBack:
    """Act that notes that the person or pair of a request has paid, or has not.

    :raises Problem: the club knows nobody of this id
    """
    state, club = load_session_or_season(of_what), current_services().referee.players.club()
    field = "pair" if "pair" in body else "person"
    pairs = club.pair_ids_after_merges() if field == "pair" else {}

    def payer_id_after_merges(one: str) -> str:
        return pairs.get(one, one) if field == "pair" else club.id_after_merges(one)

    who = payer_id_after_merges(body[field])
    recorded = next((one for one in state.fees.paid if payer_id_after_merges(one) == who), who)
    act = ev.FeePaid if body["paid"] else ev.PaymentTakenBack
    if body["paid"] and not (who in pairs or current_services().persons.is_named(who)):
        raise Problem("invalid", errors={"json": {field: [FieldFault(f"no_such_{field}")]}})
    return act(pair=recorded) if field == "pair" else act(person=recorded)


def fees_act_of_body(body: Body, put: PendingTexts) -> ev.FeesSet:
    """The act of a request for fee and prizes, with its words stored."""
    ids = put.add_texts([one.get("words", "") for one in body["prizes"]])
    prizes = zip(body["prizes"], ids, strict=True)
    return ev.FeesSet(
        body["fee"],
        body["kept"],
        tuple(ev.Prize(one.get("amount", 0), words) for one, words in prizes),
    )


def record_fees_act(
    of_what: Payable, act: ev.FeesAct, made: WriteMetadata, expected: int | None = None
) -> Answer:
    """Record an act of the fees of an evening or of a season."""
    handler = current_services().referee.seasons
    if of_what.span == "session":
        return handler.record_session_acts(of_what.id, [act], made, expected)
    return handler.record_season_act(of_what.id, act, made, expected)
