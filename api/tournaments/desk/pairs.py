"""The director's pages of entries: pairs entered, changed, withdrawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

import msgspec
from flask import Blueprint, Response, redirect, request
from markupsafe import Markup
from msgspec.structs import asdict
from werkzeug.wrappers import Response as AnyResponse

from api.club import acts as club_acts
from api.club import views as club_views
from api.club.messages import parse_pasted_list
from api.club.name_matches import NO_ANSWERS, KnownNames, NameDoubt, are_name_doubts_answered
from api.club.pairs.drafts import draft_acts_for_pairs
from api.club.pairs.lines import (
    NamedPlayer,
    PairLine,
    SplitLine,
    pairs_and_faults_of_lines,
    split_lines_into_names,
)
from api.club.phones.numbers import chat_address, readable_number
from api.club.players_csv import CellFault, faults_for_left_out_text
from api.club.views import KnownPlayer, PartnersData
from api.html import forms, qr_codes
from api.html.forms import FieldErrors, attempt_write, new_form_key
from api.html.pages import page
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.fields import faults_in_words
from api.http.languages import LANGUAGES, language, say
from api.http.rows import parse_cursor
from api.http.services import (
    PendingTexts,
    await_end_of_log,
    await_position_in_request,
    current_services,
    pending_texts,
)
from api.http.spreadsheets import BadTable, parse_numbered_rows
from api.tournaments import views as tournament_views
from api.tournaments.acts import state_of
from api.tournaments.desk.pages import DESK, players_in_several_pairs
from api.tournaments.display import TournamentDisplay
from api.tournaments.entries import (
    WaitingPair,
    address_of_entries,
    bars_by_pair,
    phones_of_pairs,
    waiting_pairs,
)
from api.tournaments.views import LinkedTournamentData
from referee.aggregates.tournament.decider import is_possible
from referee.aggregates.tournament.entries import opponent_of_next_late_pair
from referee.aggregates.tournament.field import Pair
from referee.aggregates.tournament.state import Tournament
from referee.errors import NotFound
from referee.events import ClubAct, PlayerListed
from referee.events.tournament import (
    AbsenceNoted,
    AbsenceWithdrawn,
    EntriesOpened,
    PairEntered,
    PairReturned,
    PairSubstituted,
    TournamentAct,
)
from referee.log.streams import Answer

blp = Blueprint("tournament_pairs", __name__)
_ALL = f"{DESK}/parejas"
_ONE = f"{_ALL}/<pair>"
_SUGGESTED = 300
_SHOWN = 100


@blp.get(_ALL)
@guard.requires("tournaments:run")
def show_pairs(tournament_id: UUID) -> Response:
    """Who takes part, and where more pairs enter"""
    await_position_in_request()
    return _pairs_page(tournament_id, "")


@blp.post(_ALL)
@guard.requires("tournaments:run")
def preview_or_enter_pairs(tournament_id: UUID) -> AnyResponse:
    """Show the pairs read from a form, with faults and doubts; enter them if that is asked"""
    await_end_of_log()
    text, of_pair = _pairs_text_in_form(), _players_per_pair(tournament_id)
    known = club_views.players()
    found, faults = read_pairs_and_faults(text, of_pair, known, club_views.pairs(), request.form)
    if faults:
        return _pairs_page(
            tournament_id, text, [_field_error_of_fault(one) for one in faults], status=422
        )
    doubts = _doubts_about_new_names(found, known)
    if request.form.get("do") != "enter" or not found or not are_name_doubts_answered(doubts):
        return _pairs_page(tournament_id, text, found=found, doubts=doubts)

    def entry_acts(players: Sequence[tuple[str, ...]]) -> Sequence[TournamentAct]:
        pairs = zip(players, found, strict=True)
        return [PairEntered("", who, one.strength) for who, one in pairs]

    answer, wrong, status = attempt_write(
        lambda: _record_acts_about_pairs(tournament_id, found, entry_acts)
    )
    if answer is None:
        return _pairs_page(tournament_id, text, wrong, found=found, status=status)
    position = _list_players_in_club(answer, found)
    return redirect(f"{prefix()}/torneos/{tournament_id}/direccion/parejas?wait={position}", 303)


@blp.get(_ONE)
@guard.requires("tournaments:run")
def show_pair(tournament_id: UUID, pair: str) -> Response:
    """A pair: whether it is there, who plays for it, whether it goes on"""
    await_position_in_request()
    return _pair_page(tournament_id, pair, [], 200)


@blp.post(_ONE)
@guard.requires("tournaments:run")
def substitute_players_from_form(tournament_id: UUID, pair: str) -> AnyResponse:
    """Others play for a pair from now on"""
    await_end_of_log()
    known = club_views.players()
    found, faults = read_pairs_and_faults(
        _pairs_text_in_form(), _players_per_pair(tournament_id), known, (), request.form
    )
    if faults or len(found) != 1:
        return _pair_page(tournament_id, pair, [_field_error_of_fault(one) for one in faults], 422)
    doubts = _doubts_about_new_names(found, known)
    if not are_name_doubts_answered(doubts):
        return _pair_page(tournament_id, pair, [], 422, doubts)

    def substitution_acts(players: Sequence[tuple[str, ...]]) -> Sequence[TournamentAct]:
        return [PairSubstituted(pair, players[0])]

    answer, wrong, status = attempt_write(
        lambda: _record_acts_about_pairs(tournament_id, found, substitution_acts)
    )
    if answer is None:
        return _pair_page(tournament_id, pair, wrong, status)
    position = _list_players_in_club(answer, found)
    return redirect(f"{prefix()}/torneos/{tournament_id}/direccion/parejas?wait={position}", 303)


def _record_acts_about_pairs(
    tournament_id: UUID,
    found: Sequence[PairLine],
    made: Callable[[Sequence[tuple[str, ...]]], Sequence[TournamentAct]],
) -> Answer:
    """Record acts about pairs; new players become persons."""
    meta, version = forms.meta_of_form(), forms.version_of_form("version")
    with pending_texts() as put:
        acts = made(_store_new_names(found, put))
        return put.erase_if_replayed(
            current_services().referee.tournaments.record(tournament_id, acts, meta, version)
        )


# --- players -----------------------------------------------------------------------------------


def _pairs_text_in_form() -> str:
    """Text of the pasted lines, or one line made of the fields of a pair."""
    fields = [*filter(None, request.form.getlist("player"))]
    return request.form.get("text", "") or " / ".join([*fields, forms.form_value("strength")])


def _doubts_about_new_names(
    found: Sequence[PairLine], known: Sequence[KnownPlayer]
) -> list[NameDoubt]:
    """New names that may be a player of nearly that name, with the answers so far."""
    new = [who.name for one in found for who in one.players if not who.person]
    return KnownNames(known).doubts_about_names(new, request.form)


def _players_per_pair(tournament_id: UUID) -> int:
    """Number of players of a pair in the tournament."""
    return state_of(tournament_id).players_per_pair


def _may_withdraw_by_absence_round(state: Tournament, pair: Pair) -> dict[int, bool]:
    """Rounds for which a pair's absence is noted, and whether each note can be withdrawn."""
    rounds = sorted(number for number, absent in state.absences if absent == pair)
    return {n: is_possible(AbsenceWithdrawn(pair, n), state) for n in rounds}


def _rounds_for_absence(state: Tournament, pair: Pair) -> list[int]:
    """Rounds for which a pair's absence may be noted; the one that it plays next is first."""
    found = [
        number
        for number in range(1, state.last_round_number + 2)
        if is_possible(AbsenceNoted(pair, number), state)
    ]
    meetings = (one for one in state.meetings.values() if one.is_open and pair in one.pairs)
    now = min((one.round for one in meetings), default=state.last_round_number + 1)
    return sorted(found, key=lambda number: (number != now, -number))


class LeftPairData(msgspec.Struct, frozen=True):
    """A pair that left, with the names of its players."""

    pair: Pair
    names: list[str | None]


def _pairs_that_may_return(state: Tournament) -> list[LeftPairData]:
    """Pairs that left before the draw, with their names, and can come back."""
    return [
        LeftPairData(
            pair=pair, names=[current_services().persons.name(who) for who in entry.players]
        )
        for pair, entry in state.withdrawn.items()
        if is_possible(PairReturned(pair), state)
    ]


def _store_new_names(found: Sequence[PairLine], put: PendingTexts) -> list[tuple[str, ...]]:
    """Add new names as persons, each once; returns the ids of the players of each pair."""
    names = [who.name for one in found for who in one.players if not who.person]
    unknown = list(dict.fromkeys(names))
    new = dict(zip(unknown, put.add_persons(unknown), strict=True))
    return [tuple(who.person or new[who.name] for who in one.players) for one in found]


def _list_players_in_club(answer: Answer, found: Sequence[PairLine]) -> int:
    """List the players of a tournament as players of the club, and name pairs whose line does.

    Returns the position to wait for.
    """
    acts = [one.event for one in answer.events]
    pairs = [act.players for act in acts if isinstance(act, PairEntered | PairSubstituted)]
    named = [
        PairLine(one.line, tuple(NamedPlayer("", who) for who in players), 0, one.name)
        for one, players in zip(found, pairs, strict=True)
        if one.name
    ]
    known = current_services().referee.players.club().players
    unlisted = [PlayerListed(one) for players in pairs for one in players if one not in known]
    if not unlisted and not named:
        return answer.position

    def draft_club_acts(put: PendingTexts) -> Sequence[ClubAct]:
        drafted = draft_acts_for_pairs(named, put).acts
        return [*(one for one in unlisted if one not in drafted), *drafted]

    return club_acts.record_club_acts(draft_club_acts, forms.meta_of_form("listed")).position


def _field_error_of_fault(one: CellFault) -> tuple[str, str]:
    where = say("players.at_line", language(), line=one.line)
    return "", f"{where}: {faults_in_words([one.fault], language())[0]}"


def _pairs_page(
    tournament_id: UUID,
    text: str,
    wrong: FieldErrors | None = None,
    *,
    found: Sequence[PairLine] = (),
    doubts: Sequence[NameDoubt] = (),
    status: int = 200,
) -> Response:
    state = state_of(tournament_id)
    return page(
        "tournaments/desk/pairs.html",
        **asdict(_desk_values(tournament_id)),
        **asdict(_self_entry_data(tournament_id, state)),
        text=text,
        left_out=[
            _field_error_of_fault(one)[1]
            for one in faults_for_left_out_text(parse_pasted_list(text))
        ],
        doubts=doubts,
        found=sorted(found, key=lambda one: all(who.person for who in one.players)),
        start=parse_cursor(request.args.get("cursor", "")) or 0,
        most=_SHOWN,
        wrong=wrong or [],
        left=_pairs_that_may_return(state),
        doubled=players_in_several_pairs(state),
        late_opponent=opponent_of_next_late_pair(state),
        suggested=[one.name for one in club_views.players_offered()][:_SUGGESTED],
        status=status,
    )


class PairPhone(NamedTuple):
    """A telephone that a pair left: to ring, to be read, and where a chat begins."""

    number: str
    shown: str
    chat: str


class OwnEntriesData(msgspec.Struct, frozen=True):
    """What the page of entries shows of pairs that enter by themselves."""

    terms: EntriesOpened | None
    may_open: bool
    is_open: bool
    address: str
    qr: Markup
    waiting: list[WaitingPair]
    bars: dict[Pair, str]
    paid: frozenset[Pair]
    phones: dict[Pair, PairPhone]


def _self_entry_data(tournament_id: UUID, state: Tournament) -> OwnEntriesData:
    address = address_of_entries(tournament_id, state)
    return OwnEntriesData(
        terms=state.terms,
        may_open=state.stage == "entering",
        is_open=state.may_pairs_enter,
        address=address,
        qr=qr_codes.qr_inline(address, omitsize=True, light="#fff"),
        waiting=waiting_pairs(state),
        bars=bars_by_pair(state),
        paid=state.paid,
        phones={
            pair: PairPhone(number, readable_number(number), chat_address(number))
            for pair, number in phones_of_pairs(state).items()
        },
    )


def _pair_page(
    tournament_id: UUID,
    pair: str,
    wrong: FieldErrors,
    status: int,
    doubts: Sequence[NameDoubt] = (),
) -> Response:
    about = _desk_values(tournament_id)
    row = next((one for one in about.run.pairs if one.pair == pair), None)
    if row is None:
        raise NotFound(pair)
    players = request.form.getlist("player") or row.players
    state = state_of(tournament_id)
    return page(
        "tournaments/desk/pair.html",
        **asdict(about),
        row=row,
        players=players,
        wrong=wrong,
        doubts=doubts,
        absences=_may_withdraw_by_absence_round(state, pair),
        rounds=_rounds_for_absence(state, pair),
        may_return=is_possible(PairReturned(pair), state),
        status=status,
    )


class DeskPairsData(msgspec.Struct, frozen=True):
    """What both pages of entries need of a tournament.

    ``of_pair``: how many play for a pair; ``key``: idempotency key of the form.
    """

    run: LinkedTournamentData
    display: TournamentDisplay
    of_pair: int
    key: str


def _desk_values(tournament_id: UUID) -> DeskPairsData:
    view = tournament_views.tournament_view(tournament_id)
    return DeskPairsData(
        run=view,
        display=TournamentDisplay(view, language()),
        of_pair=_players_per_pair(tournament_id),
        key=new_form_key(),
    )


def read_pairs_and_faults(
    text: str,
    of_pair: int,
    known: Sequence[KnownPlayer],
    pairs: Sequence[PartnersData] = (),
    answers: Mapping[str, str] = NO_ANSWERS,
) -> tuple[list[PairLine], list[CellFault]]:
    """Pairs read from lines or from the exported table of pairs, and the faults of the text."""
    exported = _rows_of_pasted_csv_or_none(text)
    lines = split_lines_into_names(text) if exported is None else exported
    return pairs_and_faults_of_lines(lines, of_pair, known, pairs, answers)


def _rows_of_pasted_csv_or_none(text: str) -> list[SplitLine] | None:
    """Rows of a pasted table under our headings, less the first column; None if it is no such."""
    try:
        head, *rows = parse_numbered_rows(text)
    except (BadTable, ValueError):
        return None
    headings = {say("tournament_page.pair", lang) for lang in LANGUAGES}
    if not head.cells or head.cells[0] not in headings:
        return None
    parted = [(line, tuple(cell.strip() for cell in cells[1:])) for line, cells in rows]
    kept = [(line, tuple(cell for cell in cells if cell)) for line, cells in parted]
    return [SplitLine(line, (), (cells,)) for line, cells in kept if cells]
