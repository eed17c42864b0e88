"""Forms of a league, converted to acts: of the organiser's desk and of captains."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Callable, Mapping
from typing import Any, Final

import marshmallow as ma
from flask import request

from api.html.forms import NUMBER, form_value
from api.http.acts.kinds import AskedAct
from api.http.bodies import Body
from api.http.faults import wrong
from api.http.names import fold_name
from api.http.problems import Problem
from api.http.services import current_services
from api.leagues.acts import KINDS
from api.leagues.schemas import MOST_DIVISIONS
from referee.aggregates.league.calendar import rounds_needed
from referee.aggregates.league.state import LeagueMatch, LeagueTeam, TeamLeague
from referee.events.league import LeagueRules, TeamId, TieBreak

OFFERED_TIES: Final = 3
"""Tie-breaks that the form of a new league asks for."""
_NOT_FIELDS: Final = frozenset({"key", "version", "back", "sure", "seen", "kind"})
_NUMBERS: Final = frozenset({"points", "division"})
_RULES: Final = ("partidas", "won", "level", "lost", "legs", "cards_cap", "kept_from")
TRIES: Final = 5
"""Writes of others, at other tables, that a write about a match comes after."""
_EVERY: Final = 60
"""Most days between two rounds."""


def number(name: str) -> int | str:
    """A typed number, 0 if empty; other text is returned, so that the schema reports it."""
    text = form_value(name)
    return int(text) if NUMBER.fullmatch(text) else text or 0


def opening() -> Body:
    """A league to be opened."""
    ties = [form_value(f"tie_{at}") for at in range(1, OFFERED_TIES + 1)]
    rules: Body = {name: number(name) for name in _RULES if form_value(name)}
    rules["tie_breaks"] = [*dict.fromkeys(filter(None, ties))]
    rules |= {name: form_value(name) for name in ("withdrawal", "signatures") if form_value(name)}
    divisions = number("divisions") or 1
    if not isinstance(divisions, int) or divisions > MOST_DIVISIONS:
        raise ma.ValidationError({"divisions": wrong("not_whole").messages})
    body: Body = {"name": form_value("name"), "rules": rules}
    body["divisions"] = [_division(at, divisions) for at in range(divisions)]
    return {**body, "contact": form_value("contact")} if form_value("contact") else body


def _division(at: int, of: int) -> Body:
    """A division; the top one of several sends nobody up, and the last one nobody down."""
    up, down = number("promoted"), number("relegated")
    is_top, is_last = of > 1 and at == 0, of > 1 and at == of - 1
    return {"promoted": 0 if is_top else up, "relegated": 0 if is_last else down}


def acts_in_form(state: TeamLeague) -> list[AskedAct]:
    """Acts that a form asks for.

    :raises ma.ValidationError: a field is wrong
    :raises Problem: there is no such kind of act
    """
    kind = form_value("kind")
    if kind not in KINDS.shapes:
        raise Problem("bad_request")
    if kind == "player_register":
        return _registrations()
    values: Body = {
        name: number(name) if name in _NUMBERS else form_value(name)
        for name in request.form
        if name not in _NOT_FIELDS and "_" not in name
    }
    values |= _MORE[kind](state) if kind in _MORE else {}
    return [KINDS.of_form(kind, values)]


def _registrations() -> list[AskedAct]:
    """A player for each line."""
    names = [line.strip() for line in form_value("names").splitlines()]
    values = {"team": form_value("team"), "since": form_value("since")}
    kind = "player_register"
    found = [KINDS.of_form(kind, {**values, "person": {"name": one}}) for one in names if one]
    return found or [KINDS.of_form(kind, values)]


def _release(_: TeamLeague) -> Body:
    return {"person": {"person": form_value("person")}}


def _calendar(state: TeamLeague) -> Body:
    """Days of all rounds from the first one on."""
    rounds = rounds_needed(state)
    every = number("every")
    try:
        first = dt.date.fromisoformat(form_value("first"))
    except ValueError:
        raise ma.ValidationError({"first": wrong("not_a_day").messages}) from None
    if not isinstance(every, int) or not 1 <= every <= _EVERY:
        raise ma.ValidationError({"every": wrong("invalid").messages})
    days = [(first + dt.timedelta(days=every * at)).isoformat() for at in range(rounds)]
    return {"days": days, "first": "", "every": ""}


def _report(state: TeamLeague) -> Body:
    """Every partida: who won it, and cotos and points of cards where they are keyed."""
    told = [
        {
            "winner": form_value(f"winner_{at}"),
            "cotos": [number(f"cotos_{side}_{at}") for side in ("home", "away")],
            "cards": [number(f"cards_{side}_{at}") for side in ("home", "away")],
        }
        for at in range(1, state.rules.partidas + 1)
    ]
    return {"partidas": told}


def fingerprint(match: LeagueMatch, team: TeamId = "") -> str:
    """What stands of the result of a match, and of the pairs of a team, as a short hash."""
    pairs = match.lineups.get(team, ())
    stands = (match.stage, match.partidas, match.by, match.signed, pairs)
    return hashlib.sha256(repr(stands).encode()).hexdigest()[:16]


def is_as_seen(match: LeagueMatch) -> bool:
    """Whether what a form is about still stands as its page showed it."""
    team = form_value("team") if form_value("kind") == "lineup" else ""
    return form_value("seen") == fingerprint(match, team)


def _absent(_: TeamLeague) -> Body:
    return {"absent": request.form.getlist("absent")}


def _lineup(state: TeamLeague) -> Body:
    """The pairs of a team by the names that were typed; who is on its list is known by that.

    :raises ma.ValidationError: a line is empty before one that is not
    """
    team = state.teams.get(form_value("team"))
    named = _persons_by_name(team) if team else {}
    lines = [
        [form_value(f"player_{at}_{seat}") for seat in (1, 2)]
        for at in range(1, state.rules.partidas + 1)
    ]
    while lines and not any(lines[-1]):
        lines.pop()
    for at, line in enumerate(lines, 1):
        if not any(line):
            raise ma.ValidationError({"pairs": wrong("pair_missing", n=at).messages})
    return {
        "pairs": [[named.get(fold_name(one)) or {"name": one} for one in each] for each in lines]
    }


def _persons_by_name(team: LeagueTeam) -> Mapping[str, Body]:
    """Players of a list by their names, compared without accents and case."""
    names = current_services().persons.names_of(one.person for one in team.players)
    return {fold_name(name): {"person": who} for who, name in names.items() if name}


_MORE: Final[Mapping[str, Callable[[TeamLeague], Body]]] = {
    "player_release": _release,
    "matches_schedule": _calendar,
    "match_report": _report,
    "match_forfeit": _absent,
    "lineup": _lineup,
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
