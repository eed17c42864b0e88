"""Persons who play for two pairs of a tournament since two entries of the club were merged."""

from __future__ import annotations

from typing import NamedTuple

from api.http.services import current_services
from referee.aggregates.tournament.entries import players_of_pairs
from referee.aggregates.tournament.field import Pair
from referee.aggregates.tournament.state import Tournament


class DoubledPlayer(NamedTuple):
    """Somebody who plays for more than one pair, and those pairs."""

    name: str | None
    pairs: tuple[Pair, ...]


def doubled_players(state: Tournament) -> list[DoubledPlayer]:
    """Everybody who plays for more than one pair; nobody once the tournament is over."""
    if state.is_closed:
        return []
    services = current_services()
    twice = services.referee.players.club().in_several(players_of_pairs(state))
    return [
        DoubledPlayer(services.persons.name(person), tuple(dict.fromkeys(pairs)))
        for person, pairs in twice.items()
    ]
