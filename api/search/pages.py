"""The search: what is found by beginnings of words, without accents or case, and its page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final, Literal, NamedTuple, TypeAlias
from urllib.parse import quote
from uuid import UUID

from flask import Blueprint, Response, g, request

from api.club import views as club_views
from api.help.pages import every_page
from api.html.pages import may, page
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.access.roles import Actor
from api.http.languages import language, say, texts_of_language
from api.http.moments import day_words_with_weekday
from api.http.names import words_of_folded_name
from api.http.services import are_seasons_public, are_team_leagues_public
from api.leagues import views as league_views
from api.seasons import views as season_views
from api.seasons.views import ListedSeasonData
from api.tournaments import views as tournament_views
from api.tournaments.display import TournamentDisplay
from api.tournaments.views import ListedTournamentData

blp = Blueprint("search", __name__)
_LONGEST: Final = 80
MOST: Final = 20
"""Most that is shown of a group."""
_TOURNAMENTS: Final = 200
_WITH_PAIRS: Final = 2
"""Tournaments under way whose pairs are looked through: that of today, and the one before."""
Group: TypeAlias = Literal[
    "people", "pairs", "tournaments", "leagues", "evenings", "seasons", "help"
]


@blp.get("/buscar")
@guard.open_to_all
def search() -> Response:
    """People, pairs, tournaments, leagues, evenings and seasons of which the reader may know"""
    sought, actor = request.args.get("q", "")[:_LONGEST].replace("\0", ""), g.actor
    is_bound = isinstance(actor, Actor) and bool(actor.encuentro)
    groups = results_by_group(
        sought, reads=may("read") and not is_bound, is_public=are_seasons_public()
    )
    return page("search/search.html", sought=sought, groups=groups, most=MOST)


class SearchResult(NamedTuple):
    """A page that was found: its name, its address, a word of context; who, if it is a person's."""

    name: str
    path: str
    about: str = ""
    person: str = ""


def results_by_group(
    sought: str, *, reads: bool, is_public: bool
) -> dict[Group, list[SearchResult]]:
    """Results of a search by group, without empty groups.

    One more than is shown where there are more.

    ``reads``: the reader may see the list of the club; ``is_public``: everybody sees its league.
    """
    if not words_of_folded_name(sought):
        return {}
    sees_league = reads or is_public
    league = season_views.every_season() if sees_league else []
    people = _find_players(sought) if reads else _find_in_latest_standings(sought, league)
    tournaments = tournament_views.tournament_list_page("", _TOURNAMENTS).items
    pairs = [*(_find_pairs(sought) if reads else ()), *_find_tournament_pairs(sought, tournaments)]
    groups: dict[Group, Iterable[SearchResult]] = {
        "people": people,
        "pairs": pairs,
        "tournaments": _find_tournaments(sought, tournaments),
        "leagues": _find_leagues(sought) if reads or are_team_leagues_public() else (),
        "evenings": _find_evenings(sought, league) if sees_league else (),
        "seasons": (
            _season_search_result(one)
            for one in league
            if is_found_in_texts(sought, one.name or "")
        ),
        "help": _find_manual_pages(sought),
    }
    cut = {group: [*islice(one, MOST + 1)] for group, one in groups.items()}
    return {group: one for group, one in cut.items() if one}


def is_found_in_texts(sought: str, *said: str) -> bool:
    """Whether each word of a search begins a word of some texts.

    >>> asked = (("pil gra", "Pilar Gracia"), ("inigo", "Íñigo"), ("ana", "Juana"))
    >>> [is_found_in_texts(words, text) for words, text in asked]
    [True, True, False]
    """
    words = [word for text in said for word in words_of_folded_name(text)]
    return all(any(word.startswith(one) for word in words) for one in words_of_folded_name(sought))


def _find_players(sought: str) -> Iterator[SearchResult]:
    for one in club_views.players(sought):
        about = " · ".join(filter(None, (one.nickname, one.club)))
        yield SearchResult(one.name, f"{prefix()}/jugador/{one.player}", about, one.player)


def _find_in_latest_standings(
    sought: str, league: Sequence[ListedSeasonData]
) -> Iterator[SearchResult]:
    """Players and pairs that match, in the public table of the latest season."""
    for season in league[:1]:
        path = f"{prefix()}/temporadas/{season.id}"
        for row in season_views.complete_season_view(UUID(season.id)).standings:
            name, who = row.name or "", row.person
            page = f"{prefix()}/jugador/{who}" if who else f"{path}/pareja/{row.pair}"
            players = [one.name or "" for one in row.players]
            if is_found_in_texts(sought, name, *players):
                yield SearchResult(name, page, season.name or "", who or "")


def _find_pairs(sought: str) -> Iterator[SearchResult]:
    for one in club_views.pairs(sought):
        players = " · ".join(one.names) if one.name else ""
        yield SearchResult(one.title, f"{prefix()}/jugador/{one.players[0]}", players)


def _find_tournament_pairs(
    sought: str, listed: Sequence[ListedTournamentData]
) -> Iterator[SearchResult]:
    """Pairs of tournaments under way that match a search; everybody may see them."""
    under_way = [one for one in listed if one.stage not in ("over", "cancelled")][:_WITH_PAIRS]
    for one in under_way:
        display = TournamentDisplay(tournament_views.tournament_view(UUID(one.id)), language())
        for pair in display.find_pairs(sought):
            yield SearchResult(
                pair.name,
                f"{prefix()}/torneos/{one.id}/pareja/{quote(pair.number)}",
                display.name,
            )


def _find_tournaments(
    sought: str, listed: Sequence[ListedTournamentData]
) -> Iterator[SearchResult]:
    words = texts_of_language(language())
    for one in listed:
        day = day_words_with_weekday(one.date, words) if one.date else ""
        if is_found_in_texts(sought, one.name or "", one.place or "", day):
            about = " · ".join(filter(None, (day, one.place)))
            yield SearchResult(one.name or "", f"{prefix()}/torneos/{one.id}", about)


def _find_leagues(sought: str) -> Iterator[SearchResult]:
    for one in league_views.league_list_page("", _TOURNAMENTS).items:
        if is_found_in_texts(sought, one.name):
            about = say("league.teams_n", language(), n=one.teams)
            yield SearchResult(one.name, f"{prefix()}/ligas/{one.id}", about)


def _find_evenings(sought: str, league: Sequence[ListedSeasonData]) -> Iterator[SearchResult]:
    words, names = texts_of_language(language()), {one.id: one.name or "" for one in league}
    for one in season_views.every_session():
        day = day_words_with_weekday(one.date, words)
        season = names.get(one.season, "")
        if is_found_in_texts(sought, day, one.name or "", one.place or ""):
            about = " · ".join(filter(None, (one.name, one.place, season)))
            yield SearchResult(day, f"{prefix()}/jornadas/{one.id}", about)


def _season_search_result(one: ListedSeasonData) -> SearchResult:
    state = say("season.closed" if one.closed else "season.open", language())
    return SearchResult(one.name or "", f"{prefix()}/temporadas/{one.id}", state)


def _find_manual_pages(sought: str) -> Iterator[SearchResult]:
    """Pages of the manual: first those with the words in their titles."""
    pages = [one for one in every_page(language()) if is_found_in_texts(sought, one.words)]
    for one in sorted(pages, key=lambda page: not is_found_in_texts(sought, page.title)):
        yield SearchResult(one.title, one.path, one.purpose)
