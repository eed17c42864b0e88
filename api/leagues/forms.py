"""Forms of a league, converted to acts: of the organiser's desk and of captains."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Callable, Mapping
from typing import Any, Final

import marshmallow as ma
from flask import request

from api.club.name_matches import NameDoubt
from api.html.forms import NUMBER, form_value
from api.http.acts.kinds import AskedAct
from api.http.bodies import Body
from api.http.faults import validation_error
from api.http.problems import Problem
from api.leagues.acts import KINDS
from api.leagues.names import ANSWER, LeagueNames, new_on_list, players_in_form
from api.leagues.schemas import MOST_DIVISIONS
from referee.aggregates.league.calendar import rounds_needed
from referee.aggregates.league.state import LeagueMatch, TeamLeague
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
        raise ma.ValidationError({"divisions": validation_error("not_whole").messages})
    body: Body = {"name": form_value("name"), "rules": rules}
    body["divisions"] = [_division(at, divisions) for at in range(divisions)]
    return {**body, "contact": form_value("contact")} if form_value("contact") else body


def _division(at: int, of: int) -> Body:
    """A division; the top one of several sends nobody up, and the last one nobody down."""
    up, down = number("promoted"), number("relegated")
    is_top, is_last = of > 1 and at == 0, of > 1 and at == of - 1
    return {"promoted": 0 if is_top else up, "relegated": 0 if is_last else down}


def acts_in_form(state: TeamLeague, *, asks: bool = False) -> list[AskedAct]:
    """Acts that a form asks for. ``asks``: it can ask who of several a typed name is.

    :raises ma.ValidationError: a field is wrong
    :raises Problem: there is no such kind of act
    """
    kind = form_value("kind")
    if kind not in KINDS.shapes:
        raise Problem("bad_request")
    if kind == "player_register":
        return _registrations(state, asks=asks)
    values: Body = {
        name: number(name) if name in _NUMBERS else form_value(name)
        for name in request.form
        if name not in _NOT_FIELDS and "_" not in name and not name.startswith(ANSWER)
    }
    values |= _lineup(state, asks=asks) if kind == "lineup" else {}
    values |= _MORE[kind](state) if kind in _MORE else {}
    return [KINDS.of_form(kind, values)]


def _registrations(state: TeamLeague, *, asks: bool) -> list[AskedAct]:
    """A player for each line that is not on the list yet.

    :raises ma.ValidationError: it is not said who of several is meant
    """
    team = form_value("team")
    values, kind = {"team": team, "since": form_value("since")}, "player_register"
    left = new_on_list(players_in_form(), state.teams.get(team))
    found = LeagueNames(state, team, asks=asks).bodies("names", left)
    acts = [KINDS.of_form(kind, {**values, "person": one}) for one in found.values()]
    return acts or [KINDS.of_form(kind, values)]


def _release(_: TeamLeague) -> Body:
    return {"person": {"person": form_value("person")}}


def _calendar(state: TeamLeague) -> Body:
    """Days of all rounds from the first one on."""
    rounds = rounds_needed(state)
    every = number("every")
    try:
        first = dt.date.fromisoformat(form_value("first"))
    except ValueError:
        raise ma.ValidationError({"first": validation_error("not_a_day").messages}) from None
    if not isinstance(every, int) or not 1 <= every <= _EVERY:
        raise ma.ValidationError({"every": validation_error("invalid").messages})
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


def _lineup(state: TeamLeague, *, asks: bool) -> Body:
    """The pairs of a team by the names that were typed.

    :raises ma.ValidationError: a line is empty before one that is not, or it is not said who is
        meant
    """
    lines = pairs_in_form(state)
    while lines and not any(lines[-1]):
        lines.pop()
    for at, line in enumerate(lines, 1):
        if not any(line):
            raise ma.ValidationError({"pairs": validation_error("pair_missing", n=at).messages})
    names = LeagueNames(state, form_value("team"), asks=asks)
    found = names.bodies("pairs", [name for line in lines for name in line])
    return {"pairs": [[found[name] for name in line] for line in lines]}


def pairs_in_form(state: TeamLeague) -> list[list[str]]:
    """The two names of each partida."""
    return [
        [form_value(f"player_{at}_{seat}") for seat in (1, 2)]
        for at in range(1, state.rules.partidas + 1)
    ]


def doubts_in_form(state: TeamLeague) -> list[NameDoubt]:
    """Typed names of a form that may be one of several players."""
    team, typed = form_value("team"), list[str]()
    match form_value("kind"):
        case "player_register":
            typed = new_on_list(players_in_form(), state.teams.get(team))
        case "lineup":
            typed = [name for line in pairs_in_form(state) for name in line]
    return LeagueNames(state, team, asks=True).doubts(typed) if typed else []


_MORE: Final[Mapping[str, Callable[[TeamLeague], Body]]] = {
    "player_release": _release,
    "matches_schedule": _calendar,
    "match_report": _report,
    "match_forfeit": _absent,
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
