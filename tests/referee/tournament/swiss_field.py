"""Tournaments by rounds for tests: pairs P1, P2, … with random results."""

from __future__ import annotations

from hypothesis import strategies as st
from msgspec.structs import replace

from referee.aggregates.tournament.formats.swiss import next_swiss_round
from referee.aggregates.tournament.history import Entrant, History, PlayedPairing
from referee.errors import Refused
from referee.events.tournament import RoundPoints


def field(number: int) -> tuple[Entrant, ...]:
    return tuple(Entrant(f"P{n}") for n in range(1, number + 1))


def played(history: History, winners: str = "", **more) -> History:
    """The history with its next round; who is named in ``winners`` wins, else the first of each."""
    drawn = next_swiss_round(history, **more)
    number = len(history.rounds) + 1
    named = winners.split()
    met = tuple(
        PlayedPairing(number, pairing, pairing[1] if pairing[1] in named else pairing[0])
        for pairing in drawn.pairings
    )
    return replace(history, rounds=(*history.rounds, drawn), met=(*history.met, *met))


@st.composite
def tournaments(draw, most: int = 14) -> History:
    """Rounds with random results, pairs that come late, stay away, withdraw."""
    number = draw(st.integers(4, most))
    history = History(field(number), scoring=RoundPoints(late=draw(st.integers(0, 1))))
    for played_so_far in range(draw(st.integers(1, 7))):
        coming = draw(st.integers(0, 5)) == 0 and played_so_far
        entrants = history.entrants
        if coming:
            entrants = (*entrants, Entrant(f"P{len(entrants) + 1}", since=played_so_far + 1))
        if draw(st.integers(0, 5)) == 0:
            leaving = draw(st.integers(0, len(entrants) - 1))
            one = entrants[leaving]
            if not one.until and one.since <= played_so_far:
                gone = replace(one, until=played_so_far)
                entrants = (*entrants[:leaving], gone, *entrants[leaving + 1 :])
        history = replace(history, entrants=entrants)
        absent = frozenset(draw(st.sets(st.sampled_from(history.pairs), max_size=2)))
        try:
            drawn = next_swiss_round(history, absent)
        except Refused:
            break
        winners = draw(st.lists(st.integers(0, 2), min_size=len(drawn.pairings), max_size=99))
        scores = st.tuples(st.integers(0, 2), st.integers(0, 3))
        met = tuple(
            PlayedPairing(
                played_so_far + 1, pairing, (*pairing, "")[winner], draw(scores), draw(scores)
            )
            for pairing, winner in zip(drawn.pairings, winners, strict=False)
        )
        history = replace(history, rounds=(*history.rounds, drawn), met=(*history.met, *met))
    return history
