"""Views of tournaments with the names of those who play."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import asdict

from api.http.problems import Problem
from api.http.rows import await_row_or_not_found, parse_cursor
from api.http.services import Services, current_services
from projections.players import pair_names_by_players, player_merges
from projections.tournaments.projection import find_tournament_view, tournaments_opened_before
from projections.tournaments.rounds import RoundData
from projections.tournaments.view import (
    AwardData,
    EntryData,
    FormerLotsData,
    GroupData,
    LotsData,
    NamedEntryData,
    PendingData,
    PlaceData,
    TournamentBodyData,
    TournamentFactsData,
    TournamentShortData,
)
from projections.views import view_as
from referee.aggregates.tournament.field import Pair
from referee.aggregates.tournament.lots import LotsCommitment, LotsKind, RevealedLots, reveal_lots
from referee.aggregates.tournament.repechage import repechage_commitment_or_none
from referee.aggregates.tournament.state import Tournament, lots_to_draw
from referee.events import PersonId, TextId
from referee.events.tournament import DrawCommitted, LotsDrawn

_WITH_IDS: Final = (
    *("id", "name", "place", "contact", "pairs"),
    *("draw", "repechage", "former_draws", "prizes", "table_names", "pending"),
)
"""Members of a view with ids to replace by names and addresses; the rest is sent unchanged."""

ERASED: Final = "…"
"""In place of the source of a word that was erased: there is a word all the same."""
_OF_TABLE: Final = ("id", "stage", "version", "standings", "groups", "champion")


class StoredNamesData(msgspec.Struct, frozen=True):
    """The members of a stored view that have ids of persons and texts."""

    id: str
    name: TextId
    place: TextId
    contact: TextId
    pairs: list[EntryData]
    draw: LotsData | None
    repechage: LotsData | None
    former_draws: list[FormerLotsData]
    prizes: list[AwardData]
    table_names: list[TextId]
    pending: list[PendingData]


class LinkedLotsData(LotsData, frozen=True):
    """A draw with the address of its file."""

    file: str


class ToldLotsData(LinkedLotsData, frozen=True):
    """A draw that was taken back, with the reason in words."""

    reason: str | None


class ToldAwardData(msgspec.Struct, frozen=True):
    """A prize of a place in words or money, and the pairs that get it."""

    place: int
    amount: int
    words: str | None
    pairs: list[Pair]


class LinkedPendingData(PendingData, frozen=True):
    """A meeting to settle with the address of the choices."""

    choices: str


class NamesData(msgspec.Struct, frozen=True):
    """The members of a view with names in place of ids, and with addresses."""

    id: str
    name: str | None
    place: str | None
    contact: str | None
    pairs: list[NamedEntryData]
    draw: LinkedLotsData | None
    repechage: LinkedLotsData | None
    former_draws: list[ToldLotsData]
    prizes: list[ToldAwardData]
    table_names: list[str | None]
    pending: list[LinkedPendingData]


class LinkedTournamentData(TournamentBodyData, frozen=True):
    """The view of a tournament as it is sent, with names and addresses."""

    name: str | None
    place: str | None
    contact: str | None
    pairs: list[NamedEntryData]
    draw: LinkedLotsData | None
    repechage: LinkedLotsData | None
    former_draws: list[ToldLotsData]
    prizes: list[ToldAwardData]
    table_names: list[str | None]
    rounds: list[RoundData]
    pending: list[LinkedPendingData]


class TournamentTableData(msgspec.Struct, frozen=True):
    """The standings of a tournament; pairs by their numbers."""

    id: str
    stage: str
    version: int
    standings: list[PlaceData]
    groups: list[GroupData]
    champion: Pair | None


class LotsSourceData(msgspec.Struct, frozen=True, kw_only=True):
    """What is drawn; the first ``heads`` pairs keep their places. ``apart``: pairs of one bar."""

    tournament: str
    kind: LotsKind
    pairs: list[Pair]
    heads: int
    groups: int
    word_from: str
    apart: list[list[Pair]] | UnsetType = UNSET


class LotsOutcomeData(msgspec.Struct, frozen=True):
    """The order drawn, and the ties or the groups that follow from it."""

    order: list[Pair]
    ties: list[tuple[Pair, Pair]]
    groups: list[list[Pair]]


class DrawFileData(msgspec.Struct, frozen=True, kw_only=True):
    """A draw as ``guinote draw verify`` reads it; before it is made, the commitment to it."""

    version: str
    draw: LotsSourceData
    commitment: str
    seed: str | UnsetType = UNSET
    word: str | UnsetType = UNSET
    outcome: LotsOutcomeData | UnsetType = UNSET
    seal: str | UnsetType = UNSET


class ListedTournamentData(TournamentFactsData, frozen=True):
    """A tournament in a list, with its name and place."""

    name: str | None
    place: str | None
    pairs: int


class TournamentPageData(msgspec.Struct, frozen=True):
    """A page of the list of tournaments; ``next``: the cursor of the page after it."""

    items: list[ListedTournamentData]
    next: str | None


def tournament_view_raw_json(tournament_id: UUID) -> msgspec.Raw:
    """The view of a tournament as JSON.

    :raises NotFound: there is none
    """
    row = await_row_or_not_found(
        lambda rows: find_tournament_view(rows, tournament_id), tournament_id
    )
    return raw_json_of_row_with_names(current_services(), row)


def raw_json_of_row_with_names(here: Services, row: Mapping[str, msgspec.Raw]) -> msgspec.Raw:
    """A public row with names, as JSON."""
    stored = msgspec.convert(
        {name: msgspec.json.decode(row[name]) for name in _WITH_IDS}, StoredNamesData
    )
    named = asdict(tournament_with_names(here, stored))
    return msgspec.Raw(msgspec.json.encode({**row, **named}))


def standings_raw_json(tournament_id: UUID) -> msgspec.Raw:
    """The standings as JSON; pairs are given by their numbers.

    :raises NotFound: there is none
    """
    row = await_row_or_not_found(
        lambda rows: find_tournament_view(rows, tournament_id), tournament_id
    )
    return msgspec.Raw(msgspec.json.encode({name: row[name] for name in _OF_TABLE}))


def tournament_view(tournament_id: UUID) -> LinkedTournamentData:
    """The view of a tournament.

    :raises NotFound: there is none
    """
    return msgspec.json.decode(tournament_view_raw_json(tournament_id), type=LinkedTournamentData)


def tournament_list_page(cursor: str, limit: int) -> TournamentPageData:
    """One page of the list of tournaments, the latest first."""
    before, here = parse_cursor(cursor), current_services()
    with here.reads.reading() as rows:
        found = tournaments_opened_before(rows, before, limit + 1)
    more = str(found[limit - 1][0]) if len(found) > limit else None
    return TournamentPageData(
        items=[_list_entry(here, view) for _, view in found[:limit]], next=more
    )


def tournament_with_names(here: Services, view: StoredNamesData) -> NamesData:
    """A view with names in place of ids, none for erased persons, and with addresses."""
    path = api_path_of_tournament(view.id)
    names = here.persons.names_of(who for one in view.pairs for who in one.players)
    titles = club_pair_names_by_players(here, (one.players for one in view.pairs))
    return view_as(
        NamesData,
        view,
        name=_text_or_none(here, view.name),
        place=_text_or_none(here, view.place),
        contact=_text_or_none(here, view.contact),
        pairs=[
            view_as(
                NamedEntryData,
                one,
                players=[names[who] for who in one.players],
                name=titles.get(tuple(one.players), ""),
            )
            for one in view.pairs
        ],
        draw=_link_draw_or_none(here, view.draw, f"{path}/draw"),
        repechage=_link_draw_or_none(here, view.repechage, f"{path}/repechage"),
        former_draws=[
            view_as(
                ToldLotsData,
                _link_draw(here, one, f"{path}/former-draws/{n}"),
                reason=_text_or_none(here, one.reason),
            )
            for n, one in enumerate(view.former_draws, 1)
        ],
        table_names=[_text_or_none(here, one) for one in view.table_names],
        prizes=[
            view_as(ToldAwardData, one, words=_text_or_none(here, one.words)) for one in view.prizes
        ],
        pending=[
            view_as(LinkedPendingData, one, choices=f"{path}/meetings/{one.meeting}/choices")
            for one in view.pending
        ],
    )


def _link_draw_or_none(here: Services, draw: LotsData | None, file: str) -> LinkedLotsData | None:
    """A draw with the source of its word in words, and the address of its file."""
    return None if draw is None else _link_draw(here, draw, file)


def _link_draw(here: Services, draw: LotsData, file: str) -> LinkedLotsData:
    said = _text_or_none(here, draw.word_source) or (ERASED if draw.word_source else "")
    return view_as(LinkedLotsData, draw, word_from=draw.word_from or said, file=file)


def club_pair_names_by_players(
    here: Services, players: Iterable[Sequence[PersonId]]
) -> dict[tuple[PersonId, ...], str]:
    """Names of the club's pairs by the ids of their players; pairs without a name are left out."""
    with here.reads.reading() as rows:
        kept, known = player_merges(rows), pair_names_by_players(rows)
    found = {
        tuple(who): name
        for who in players
        if (name := known.get(frozenset(kept.get(one, one) for one in who)))
    }
    texts = here.persons.texts_by_id(found.values())
    return {who: text for who, name in found.items() if (text := texts[name])}


def _list_entry(here: Services, view: TournamentShortData) -> ListedTournamentData:
    return view_as(
        ListedTournamentData,
        view,
        name=_text_or_none(here, view.name),
        place=_text_or_none(here, view.place),
    )


def _text_or_none(here: Services, text: TextId) -> str | None:
    return here.persons.text_by_id(text) if text else None


def api_path_of_tournament(tournament_id: UUID | str) -> str:
    """Address of a tournament, as the document of the API has it: a view is the same everywhere."""
    return f"/api/v1/tournaments/{tournament_id}"


def draw_file_view(tournament_id: UUID) -> DrawFileData:
    """The file of the draw, or before the draw its commitment.

    :raises NotFound: there is no such tournament
    :raises Problem: nothing is committed to yet
    """
    return _convert_draw_file(
        _first_draw_file(current_services().referee.tournaments.tournament(tournament_id))
    )


def _convert_draw_file(file: object) -> DrawFileData:
    return msgspec.convert(msgspec.to_builtins(file), DrawFileData)


def repechage_draw_file_view(tournament_id: UUID) -> DrawFileData:
    """The file of the draw of the repechage, or before it is made its commitment.

    :raises NotFound: there is no such tournament
    :raises Problem: nothing is committed to yet
    """
    state = current_services().referee.tournaments.tournament(tournament_id)
    before, drawn = repechage_commitment_or_none(state), state.repechage_drawn
    if before is None:
        raise Problem("not_found")
    file = before if drawn is None else reveal_lots(before, drawn.seed, drawn.word)
    return _convert_draw_file(file)


def former_draw_file_view(tournament_id: UUID, number: int) -> DrawFileData:
    """The file of a draw that was taken back, by its number from 1.

    :raises NotFound: there is no such tournament
    :raises Problem: there is no such draw
    """
    state = current_services().referee.tournaments.tournament(tournament_id)
    if not 1 <= number <= len(state.former_draws):
        raise Problem("not_found")
    one = state.former_draws[number - 1]
    return _convert_draw_file(_commitment_or_lots(state, one.committed, one.drawn))


def _first_draw_file(state: Tournament) -> LotsCommitment | RevealedLots:
    if state.committed is None:
        raise Problem("not_found")
    return _commitment_or_lots(state, state.committed, state.drawn)


def _commitment_or_lots(
    state: Tournament, committed: DrawCommitted, drawn: LotsDrawn | None
) -> LotsCommitment | RevealedLots:
    lots = lots_to_draw(state, committed)
    before = LotsCommitment(lots.draw_version, lots, committed.commitment)
    return before if drawn is None else reveal_lots(before, drawn.seed, drawn.word)
