"""Players and pairs of the club with their names, for reading."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from api.club.schemas import MergedTablesData
from api.http.languages import language, say
from api.http.names import words_of_folded_name
from api.http.services import current_services
from projections import players as player_rows
from projections.seasons import projection as seasons
from projections.tournaments.projection import pair_by_tournament_of_person
from projections.views import view_as
from referee.aggregates.club import Listed
from referee.errors import NotFound
from referee.events import PairId, PersonId, TextId

UNLISTED = Listed("", "")
"""Data of a person who only sat at a table."""


class PlayerTextsData(msgspec.Struct, frozen=True):
    """A player with their texts; nickname and club are empty where nothing was said.

    ``plays``: not if the club put them aside, because they play no more.
    """

    player: PersonId
    name: str
    nickname: str
    club: str
    plays: bool


class PlayerData(PlayerTextsData, frozen=True):
    """A player, the version of the club, and other ids under which they were known."""

    version: int
    also: Sequence[PersonId]


class PartnersData(msgspec.Struct, frozen=True):
    """A pair of two players. ``title``: its name, or the names of its players."""

    pair: PairId
    players: list[PersonId]
    names: list[str]
    name: str
    title: str


class MergePreviewData(msgspec.Struct, frozen=True):
    """Effect of a merge. ``met``: tables where both sat.

    ``encuentros``, ``tournaments``: how many of each.
    """

    version: int
    kept: PlayerTextsData
    gone: PlayerTextsData
    encuentros: MergedTablesData
    tournaments: MergedTablesData
    pairs: list[PartnersData]
    met: int


class KnownPlayer(NamedTuple):
    """A player with their texts. ``is_listed``: on the list of players, not only at a table.

    ``plays``: not if they play no more.
    """

    player: PersonId
    name: str
    nickname: str
    club: str
    is_listed: bool = True
    plays: bool = True

    def view(self) -> PlayerTextsData:
        """The player and their texts as the API sends them."""
        return PlayerTextsData(
            player=self.player,
            name=self.name,
            nickname=self.nickname,
            club=self.club,
            plays=self.plays,
        )


def players(sought: str = "") -> list[KnownPlayer]:
    """Players by name: everybody who is listed or sat at an encuentro, without erased ones.

    ``sought``: beginnings of words of name, nickname and club.
    """
    persons, beginnings = current_services().persons, words_of_folded_name(sought)
    with current_services().reads.reading() as cursor:
        listed = {one.person: one for one in player_rows.player_rows(cursor)}
        seated = seasons.players_ever_seated(cursor)
    names, texts = dict(persons.ids_and_names()), _texts_of_players_by_id(listed.values())
    found = []
    for person in dict.fromkeys([*listed, *seated]):
        name, one = names.get(person), listed.get(person)
        if name is None or (one is not None and one.kept != person):
            continue
        nickname, club = (texts[one.nickname], texts[one.club]) if one else ("", "")
        plays = one is None or one.plays
        words = words_of_folded_name(f"{name} {nickname} {club}")
        if all(any(word.startswith(part) for word in words) for part in beginnings):
            found.append((words, KnownPlayer(person, name, nickname, club, one is not None, plays)))
    return [known for _, known in sorted(found)]


def players_offered() -> list[KnownPlayer]:
    """Players by name, without those who have retired: the choices for anything new."""
    return [one for one in players() if one.plays]


def player(person: PersonId) -> PlayerData:
    """A player, the version of the club, and under which other ids they were known.

    :raises NotFound: there is none, or they were erased or merged into another
    """
    club, name = current_services().referee.players.club(), current_services().persons.name(person)
    if name is None or person in club.merged:
        raise NotFound(person)
    listed = club.players.get(person, UNLISTED)
    texts, plays = _texts_of_players_by_id([listed]), person not in club.retired
    return view_as(
        PlayerData,
        KnownPlayer(person, name, texts[listed.nickname], texts[listed.club], plays=plays).view(),
        version=club.version,
        also=club.ids_of_player(person)[1:],
    )


def pairs(sought: str = "") -> list[PartnersData]:
    """Pairs by their names. ``sought``: beginnings of words of these and of their players."""
    with current_services().reads.reading() as cursor:
        found = player_rows.pair_rows(cursor)
    beginnings = words_of_folded_name(sought)
    keyed = [
        (words_of_folded_name(" ".join([one.name, *one.names])), one)
        for one in _pairs_with_names(found)
    ]
    fitting = [
        one
        for words, one in keyed
        if all(any(word.startswith(part) for word in words) for part in beginnings)
    ]
    return sorted(fitting, key=lambda one: words_of_folded_name(one.title))


def pairs_offered() -> list[PartnersData]:
    """Pairs by name whose players have not retired: the choices for anything new."""
    with current_services().reads.reading() as cursor:
        retired = player_rows.retirees(cursor)
    return [one for one in pairs() if retired.isdisjoint(one.players)]


def pairs_by_id(ids: Iterable[PairId]) -> dict[PairId, PartnersData]:
    """Some of the pairs that stand, by id."""
    wanted = set(ids)
    with current_services().reads.reading() as cursor:
        found = [one for one in player_rows.pair_rows(cursor) if one.pair in wanted]
    return {one.pair: one for one in _pairs_with_names(found)}


def _pairs_with_names(found: Sequence[player_rows.PairOfPlayers]) -> list[PartnersData]:
    persons = current_services().persons
    names = persons.names_of(who for one in found for who in (one.one, one.other))
    texts = persons.texts_by_id(one.name for one in found if one.name)
    return [_pair_view(one, names, texts) for one in found]


def _pair_view(
    one: player_rows.PairOfPlayers,
    persons: Mapping[PersonId, str | None],
    texts: Mapping[TextId, str | None],
) -> PartnersData:
    """A pair with its names; ``title``: its name, or the names of its players."""
    nobody = say("grammar.nameless", language())
    both = sorted((persons.get(each) or nobody, each) for each in (one.one, one.other))
    said = texts.get(one.name) or ""
    names = [each for each, _ in both]
    return PartnersData(
        pair=one.pair,
        players=[each for _, each in both],
        names=names,
        name=said,
        title=said or " · ".join(names),
    )


def merge_preview(kept: PersonId, gone: PersonId) -> MergePreviewData:
    """Effect of a merge: tables of each, tables where both sat, pairs of the merged one.

    :raises NotFound: one of them is no player
    """
    stays, goes = player(kept), player(gone)
    with current_services().reads.reading() as cursor:
        at_kept, at_gone = (
            seasons.encuentro_ids_of_persons(cursor, [one.player, *one.also])
            for one in (stays, goes)
        )
        of_kept, of_gone = (
            len(pair_by_tournament_of_person(cursor, [one.player, *one.also]))
            for one in (stays, goes)
        )
    return MergePreviewData(
        version=stays.version,
        kept=_texts_data_of_view(stays),
        gone=_texts_data_of_view(goes),
        encuentros=MergedTablesData(kept=len(at_kept), gone=len(at_gone)),
        tournaments=MergedTablesData(kept=of_kept, gone=of_gone),
        pairs=[one for one in pairs() if gone in one.players],
        met=len(at_kept & at_gone) if kept != gone else 0,
    )


def _texts_data_of_view(view: PlayerData) -> PlayerTextsData:
    return PlayerTextsData(
        player=view.player, name=view.name, nickname=view.nickname, club=view.club, plays=view.plays
    )


def _texts_of_players_by_id(listed: Iterable[player_rows.Player | Listed]) -> dict[str, str]:
    """Nicknames and clubs of players by their ids; empty if erased or missing."""
    ids = [text for one in listed for text in (one.nickname, one.club) if text]
    return {
        "": "",
        **{one: text or "" for one, text in current_services().persons.texts_by_id(ids).items()},
    }
