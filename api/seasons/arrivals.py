"""Who came to an evening: persons, or pairs with their players, known ones or new."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from api.club.pairs.drafts import draft_acts_for_pairs
from api.club.pairs.lines import NamedPlayer, PairLine
from api.http import people
from api.http.bodies import Body
from api.http.fields import FieldFault
from api.http.problems import Problem
from api.http.services import PendingTexts, current_services
from referee.aggregates.club import Club
from referee.events import ClubAct, PairCame, PlayerCame, PlayerListed


class Arrivals(NamedTuple):
    """Who came to an evening, and acts of the club that come with them: new players and pairs."""

    acts: list[PlayerCame | PairCame]
    enrolled: list[ClubAct]


def build_arrivals_of_body(body: Body, put: PendingTexts, field: str = "players") -> Arrivals:
    """Arrivals of everybody in a body, each once; who is new is put on the list of players.

    ``field``: the one that has the persons.

    :raises Problem: a person or a pair is unknown
    """
    found = people.ids_of_persons(field, dict(enumerate(body[field])), put)
    persons, club = list(dict.fromkeys(found.values())), current_services().referee.players.club()
    came: list[PlayerCame | PairCame] = [PlayerCame(one) for one in persons]
    new = [one for one in persons if one not in club.players and one not in club.merged]
    drafted = draft_acts_for_pairs(_pair_lines_in_body(body["pairs"]), put)
    came += [PairCame(pair, players) for pair, players in drafted.pairs.items()]
    return Arrivals(came, [*map(PlayerListed, new), *drafted.acts])


def _pair_lines_in_body(pairs: Sequence[dict[str, Any]]) -> list[PairLine]:
    """Pairs of a body as lines of a list."""
    club = current_services().referee.players.club()
    read = [_pair_line_or_faults(at, one, club) for at, one in enumerate(pairs)]
    faults = {at: one for at, one in enumerate(read) if isinstance(one, dict)}
    if faults:
        raise Problem("invalid", errors={"json": {"pairs": faults}})
    return [one for one in read if isinstance(one, PairLine)]


def _pair_line_or_faults(
    at: int, body: dict[str, Any], club: Club
) -> PairLine | dict[str, list[FieldFault]]:
    """A pair of a body, or its faults by field."""
    if "pair" in body:
        pair = club.pair_ids_after_merges().get(body["pair"], "")
        standing = club.pairs_after_merges().get(pair)
        if standing is None:
            return {"pair": [FieldFault("no_such_pair")]}
        return PairLine(
            at, tuple(NamedPlayer("", one) for one in sorted(standing.players)), 0, "", pair
        )
    persons = current_services().persons
    if any("person" in one and not persons.is_named(one["person"]) for one in body["players"]):
        return {"players": [FieldFault("no_such_person")]}
    players = tuple(
        NamedPlayer(
            one.get("name", ""), club.id_after_merges(one["person"]) if "person" in one else ""
        )
        for one in body["players"]
    )
    if len({one.identity for one in players}) < len(players):
        return {"players": [FieldFault("pair_of_one")]}
    return PairLine(at, players, 0, body.get("name", ""))
