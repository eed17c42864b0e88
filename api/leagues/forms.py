"""Forms of a league, converted to acts: of the organiser's desk and of captains."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

import marshmallow as ma
from flask import request

from api.club import views as club_views
from api.club.name_matches import KnownNames, NameDoubt, are_name_doubts_answered, name_lines
from api.club.views import KnownPlayer
from api.html.forms import form_value, number_or_text_in_form
from api.http.acts import AskedAct
from api.http.bodies import Body
from api.http.fields import error_with_fault_code
from api.http.names import fold_name
from api.http.problems import Problem
from api.http.services import current_services
from api.leagues.acts import KINDS, MOST_DIVISIONS
from referee.aggregates.league.calendar import round_count_of_largest_division
from referee.aggregates.league.state import LeagueMatch, LeagueTeam, TeamLeague
from referee.events import PersonId
from referee.events.league import LeagueRules, TeamId, TieBreak

ANSWER: Final = "is "
"""Beginning of the names of fields that say who a typed name is."""


class LeagueNames:
    """Who is meant by the names that somebody types about a team.

    ``asks``: whether the form can ask who of several is meant; else they are somebody new.
    """

    def __init__(self, state: TeamLeague, team: TeamId, *, asks: bool) -> None:
        self._own = _person_ids_by_name(state, team)
        self._known, self._asks = _names_in_league(state), asks

    def doubts_about_names(self, typed: Iterable[str]) -> list[NameDoubt]:
        """Typed names that fit several players: each with those, and the answer in the form."""
        strange = [name for name in typed if name and fold_name(name) not in self._own]
        return self._known.doubts_about_names(strange, request.form) if self._asks else []

    def person_bodies_by_name(self, field: str, typed: Iterable[str]) -> dict[str, Body]:
        """Each typed name as a request gives a person: by id if known, else as a new name.

        :raises ma.ValidationError: it is not said who of several is meant
        """
        names = [*typed]
        if not are_name_doubts_answered(self.doubts_about_names(names)):
            raise ma.ValidationError({field: error_with_fault_code("name_in_doubt").messages})
        return {name: self._person_body(name) for name in names}

    def _person_body(self, name: str) -> Body:
        if own := self._own.get(fold_name(name)):
            return {"person": own}
        meant = self._known.player_meant(name, request.form if self._asks else {})
        return {"name": name} if meant is None else {"person": meant.player}


def player_names_in_form() -> list[str]:
    """Names of a list, one a line, each once."""
    found: dict[str, str] = {}
    for name in name_lines(form_value("names")):
        found.setdefault(fold_name(name), name)
    return [*found.values()]


def names_not_on_list_or_all(typed: list[str], team: LeagueTeam | None) -> list[str]:
    """Names that are not on the list of a team yet; all of them if there is nobody new."""
    names = current_services().persons.names_of(
        one.person for one in (team.players if team else ()) if not one.until
    )
    listed = {fold_name(name) for name in names.values() if name}
    return [one for one in typed if fold_name(one) not in listed] or typed


def _person_ids_by_name(state: TeamLeague, team: TeamId) -> Mapping[str, PersonId]:
    """Ids of persons by folded name: who are or were on a team's list, or in one of its lineups."""
    known = state.teams.get(team)
    named = [
        who
        for one in state.matches.values()
        for who in _members_of_pairs(one.lineups.get(team, ()))
    ]
    listed = [one.person for one in known.players] if known else []
    names = current_services().persons.names_of(dict.fromkeys([*named, *listed]))
    return {fold_name(name): who for who, name in names.items() if name}


def _names_in_league(state: TeamLeague) -> KnownNames:
    """Names to match typed ones with: of the club's players, and of all others of a league."""
    players = club_views.players()
    there = {one.player for one in players}
    others = dict.fromkeys(one for one in _persons_in_league(state) if one not in there)
    names = current_services().persons.names_of(others)
    strangers = [KnownPlayer(who, name, "", "") for who, name in names.items() if name]
    return KnownNames([*players, *strangers])


def _persons_in_league(state: TeamLeague) -> Iterator[PersonId]:
    """Everybody on a list or in a lineup."""
    for team in state.teams.values():
        yield from (one.person for one in team.players)
    for match in state.matches.values():
        for pairs in match.lineups.values():
            yield from _members_of_pairs(pairs)


def _members_of_pairs(pairs: Iterable[tuple[PersonId, ...]]) -> Iterator[PersonId]:
    for pair in pairs:
        yield from pair


OFFERED_TIES: Final = 3
"""Tie-breaks that the form of a new league asks for."""
_NOT_FIELDS: Final = frozenset({"key", "version", "back", "sure", "seen", "kind"})
_NUMBERS: Final = frozenset({"points", "division"})
_RULES: Final = ("partidas", "won", "level", "lost", "legs", "cards_cap", "kept_from")
TRIES: Final = 5
"""Writes of others, at other tables, that a write about a match comes after."""
_EVERY: Final = 60
"""Most days between two rounds."""


def opening_in_form() -> Body:
    """Body of a request that opens a league, made from the form."""
    ties = [form_value(f"tie_{at}") for at in range(1, OFFERED_TIES + 1)]
    rules: Body = {name: number_or_text_in_form(name) for name in _RULES if form_value(name)}
    rules["tie_breaks"] = [*dict.fromkeys(filter(None, ties))]
    rules |= {name: form_value(name) for name in ("withdrawal", "signatures") if form_value(name)}
    divisions = number_or_text_in_form("divisions") or 1
    if not isinstance(divisions, int) or divisions > MOST_DIVISIONS:
        raise ma.ValidationError({"divisions": error_with_fault_code("not_whole").messages})
    body: Body = {"name": form_value("name"), "rules": rules}
    body["divisions"] = [_division_in_form(at, divisions) for at in range(divisions)]
    return {**body, "contact": form_value("contact")} if form_value("contact") else body


def _division_in_form(at: int, of: int) -> Body:
    """Body of a division in the form; of several the top sends nobody up, the last none down."""
    up, down = number_or_text_in_form("promoted"), number_or_text_in_form("relegated")
    is_top, is_last = of > 1 and at == 0, of > 1 and at == of - 1
    return {"promoted": 0 if is_top else up, "relegated": 0 if is_last else down}


def acts_in_form(state: TeamLeague, *, asks: bool = False) -> list[AskedAct]:
    """Acts that a form asks for. ``asks``: it can ask who of several a typed name is.

    :raises ma.ValidationError: a field is wrong
    :raises Problem: there is no such kind of act
    """
    kind = form_value("kind")
    if kind not in KINDS.schemas_by_kind:
        raise Problem("bad_request")
    if kind == "player_register":
        return _player_registrations(state, asks=asks)
    values: Body = {
        name: number_or_text_in_form(name) if name in _NUMBERS else form_value(name)
        for name in request.form
        if name not in _NOT_FIELDS and "_" not in name and not name.startswith(ANSWER)
    }
    values |= _lineup_values(state, asks=asks) if kind == "lineup" else {}
    values |= _MORE[kind](state) if kind in _MORE else {}
    return [KINDS.act_of_form_values(kind, values)]


def _player_registrations(state: TeamLeague, *, asks: bool) -> list[AskedAct]:
    """Acts that register each typed player who is not on the team's list yet.

    :raises ma.ValidationError: it is not said who of several is meant
    """
    team = form_value("team")
    values, kind = {"team": team, "since": form_value("since")}, "player_register"
    left = names_not_on_list_or_all(player_names_in_form(), state.teams.get(team))
    found = LeagueNames(state, team, asks=asks).person_bodies_by_name("names", left)
    acts = [KINDS.act_of_form_values(kind, {**values, "person": one}) for one in found.values()]
    return acts or [KINDS.act_of_form_values(kind, values)]


def _release_values(_: TeamLeague) -> Body:
    return {"person": {"person": form_value("person")}}


def _round_days_values(state: TeamLeague) -> Body:
    """Days of all rounds, from the first day and the days between rounds in the form."""
    rounds = round_count_of_largest_division(state)
    every = number_or_text_in_form("every")
    try:
        first = dt.date.fromisoformat(form_value("first"))
    except ValueError:
        raise ma.ValidationError({"first": error_with_fault_code("not_a_day").messages}) from None
    if not isinstance(every, int) or not 1 <= every <= _EVERY:
        raise ma.ValidationError({"every": error_with_fault_code("invalid").messages})
    days = [(first + dt.timedelta(days=every * at)).isoformat() for at in range(rounds)]
    return {"days": days, "first": "", "every": ""}


def _report_values(state: TeamLeague) -> Body:
    """Every partida: who won it, and cotos and points of cards where they are keyed."""
    told = [
        {
            "winner": form_value(f"winner_{at}"),
            "cotos": [number_or_text_in_form(f"cotos_{side}_{at}") for side in ("home", "away")],
            "cards": [number_or_text_in_form(f"cards_{side}_{at}") for side in ("home", "away")],
        }
        for at in range(1, state.rules.partidas + 1)
    ]
    return {"partidas": told}


def match_fingerprint(match: LeagueMatch, team: TeamId = "") -> str:
    """Short hash of a match's current result, and of the pairs of a team."""
    pairs = match.lineups.get(team, ())
    stands = (match.stage, match.partidas, match.by, match.signed, pairs)
    return hashlib.sha256(repr(stands).encode()).hexdigest()[:16]


def is_match_as_seen(match: LeagueMatch) -> bool:
    """Whether the match of a form is unchanged since its page was shown."""
    team = form_value("team") if form_value("kind") == "lineup" else ""
    return form_value("seen") == match_fingerprint(match, team)


def _forfeit_values(_: TeamLeague) -> Body:
    return {"absent": request.form.getlist("absent")}


def _lineup_values(state: TeamLeague, *, asks: bool) -> Body:
    """The pairs of a team by the names that were typed.

    :raises ma.ValidationError: a line is empty before one that is not, or it is not said who is
        meant
    """
    lines = pair_names_in_form(state)
    while lines and not any(lines[-1]):
        lines.pop()
    for at, line in enumerate(lines, 1):
        if not any(line):
            raise ma.ValidationError(
                {"pairs": error_with_fault_code("pair_missing", n=at).messages}
            )
    names = LeagueNames(state, form_value("team"), asks=asks)
    found = names.person_bodies_by_name("pairs", [name for line in lines for name in line])
    return {"pairs": [[found[name] for name in line] for line in lines]}


def pair_names_in_form(state: TeamLeague) -> list[list[str]]:
    """The two names typed for each partida, in the form; empty ones too."""
    return [
        [form_value(f"player_{at}_{seat}") for seat in (1, 2)]
        for at in range(1, state.rules.partidas + 1)
    ]


def name_doubts_in_form(state: TeamLeague) -> list[NameDoubt]:
    """Typed names of a form that may be one of several players."""
    team, typed = form_value("team"), list[str]()
    match form_value("kind"):
        case "player_register":
            typed = names_not_on_list_or_all(player_names_in_form(), state.teams.get(team))
        case "lineup":
            typed = [name for line in pair_names_in_form(state) for name in line]
    return LeagueNames(state, team, asks=True).doubts_about_names(typed) if typed else []


_MORE: Final[Mapping[str, Callable[[TeamLeague], Body]]] = {
    "player_release": _release_values,
    "matches_schedule": _round_days_values,
    "match_report": _report_values,
    "match_forfeit": _forfeit_values,
}
"""Values of the kinds of acts whose forms have more than plain fields."""
USUAL: Final[Any] = LeagueRules()
TIES: Final[tuple[TieBreak, ...]] = (
    "direct",
    "difference",
    "partidas",
    "cotos",
    "cards",
    "quotient",
)
