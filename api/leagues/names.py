"""Typed names in a league: who of it is meant, who of the club, and who is new."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import marshmallow as ma
from flask import request

from api.club import views as club_views
from api.club.name_matches import KnownNames, NameDoubt, are_answered, name_lines
from api.club.views import KnownPlayer
from api.html.forms import form_value
from api.http.bodies import Body
from api.http.faults import validation_error
from api.http.names import fold_name
from api.http.services import current_services
from referee.aggregates.league.state import LeagueTeam, TeamLeague
from referee.events import PersonId
from referee.events.league import TeamId

ANSWER: Final = "is "
"""Beginning of the names of fields that say who a typed name is."""


class LeagueNames:
    """Who is meant by the names that somebody types about a team.

    ``asks``: whether the form can ask who of several is meant; else they are somebody new.
    """

    def __init__(self, state: TeamLeague, team: TeamId, *, asks: bool) -> None:
        self._own = _own_persons(state, team)
        self._known, self._asks = _names_of_all(state), asks

    def doubts(self, typed: Iterable[str]) -> list[NameDoubt]:
        """Typed names that fit several players: each with these, and with whom the form chose."""
        strange = [name for name in typed if name and fold_name(name) not in self._own]
        return self._known.doubts(strange, request.form) if self._asks else []

    def bodies(self, field: str, typed: Iterable[str]) -> dict[str, Body]:
        """Each name with the person whom it means, or as a new one.

        :raises ma.ValidationError: it is not said who of several is meant
        """
        names = [*typed]
        if not are_answered(self.doubts(names)):
            raise ma.ValidationError({field: validation_error("name_in_doubt").messages})
        return {name: self._body(name) for name in names}

    def _body(self, name: str) -> Body:
        if own := self._own.get(fold_name(name)):
            return {"person": own}
        meant = self._known.meant(name, request.form if self._asks else {})
        return {"name": name} if meant is None else {"person": meant.player}


def players_in_form() -> list[str]:
    """Names of a list, one a line, each once."""
    found: dict[str, str] = {}
    for name in name_lines(form_value("names")):
        found.setdefault(fold_name(name), name)
    return [*found.values()]


def new_on_list(typed: list[str], team: LeagueTeam | None) -> list[str]:
    """Names that are not on the list of a team yet; all of them if there is nobody new."""
    names = current_services().persons.names_of(
        one.person for one in (team.players if team else ()) if not one.until
    )
    listed = {fold_name(name) for name in names.values() if name}
    return [one for one in typed if fold_name(one) not in listed] or typed


def _own_persons(state: TeamLeague, team: TeamId) -> Mapping[str, PersonId]:
    """Everybody whom a team has had on its list or has named, by name."""
    known = state.teams.get(team)
    named = [who for one in state.matches.values() for who in _players(one.lineups.get(team, ()))]
    listed = [one.person for one in known.players] if known else []
    names = current_services().persons.names_of(dict.fromkeys([*named, *listed]))
    return {fold_name(name): who for who, name in names.items() if name}


def _names_of_all(state: TeamLeague) -> KnownNames:
    """Players of the club, and everybody else of a league."""
    players = club_views.players()
    there = {one.player for one in players}
    others = dict.fromkeys(one for one in _persons_of(state) if one not in there)
    names = current_services().persons.names_of(others)
    strangers = [KnownPlayer(who, name, "", "") for who, name in names.items() if name]
    return KnownNames([*players, *strangers])


def _persons_of(state: TeamLeague) -> Iterator[PersonId]:
    """Everybody on a list or in a lineup."""
    for team in state.teams.values():
        yield from (one.person for one in team.players)
    for match in state.matches.values():
        for pairs in match.lineups.values():
            yield from _players(pairs)


def _players(pairs: Iterable[tuple[PersonId, ...]]) -> Iterator[PersonId]:
    for pair in pairs:
        yield from pair
