"""Cotos and the match: what the partidas of an encuentro add up to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from referee.rules.articles import Rule, decides
from referee.rules.profile.options import Options
from referee.rules.seats import SIDES, Side


@dataclass(frozen=True, slots=True)
class CotoMade:
    """A coto, counted from 1, the side that made it and the partida that did."""

    coto: int
    winner: Side
    partida: int


@dataclass(frozen=True, slots=True)
class Standing:
    """How an encuentro stands.

    ``partidas`` and ``camas`` are those of the running coto (all of them with a fixed number);
    ``match_winner`` is ``""`` for a draw and None while the match goes on; ``won_by_nobody``
    counts decided partidas without a winner.
    """

    partidas: dict[Side, int]
    camas: dict[Side, int]
    cotos: dict[Side, int]
    made: tuple[CotoMade, ...] = ()
    match_winner: Side | None = None
    decided_by: int = 0
    beyond: tuple[int, ...] = field(default=())
    won_by_nobody: int = 0


@decides(Rule.COTO, Rule.MATCH)
def standing(outcomes: Iterable[tuple[int, Side, bool]], options: Options) -> Standing:
    """Standing after the decided partidas ``(number, winner, whole match)``, in order.

    A winner ``""`` counts for nobody. Partidas after the one that decided the match are
    ``beyond`` it and count for nothing.

    >>> three = [(1, "A", False), (2, "B", False), (3, "A", False), (4, "A", False)]
    >>> standing(three, Options(cotos_to_win=1)).match_winner
    'A'
    """
    sides = SIDES[options.players]
    partidas, camas, cotos = (dict.fromkeys(sides, 0) for _ in range(3))
    made: list[CotoMade] = []
    winner: Side | None = None
    decided_by, counted, nobody, beyond = 0, 0, 0, []
    for number, side, whole_match in outcomes:
        if winner is not None:
            beyond.append(number)
            continue
        counted += 1
        nobody += not side
        if side:
            partidas[side] += 1
        if whole_match:
            winner = side
        elif options.match_format == "fixed_partidas":
            if counted == options.fixed_partidas:
                winner = leader(partidas)
        elif side and partidas[side] == options.partidas_per_cama:
            partidas = dict.fromkeys(sides, 0)
            camas[side] += 1
            if camas[side] == options.camas_per_coto:
                camas = dict.fromkeys(sides, 0)
                cotos[side] += 1
                made.append(CotoMade(len(made) + 1, side, number))
                winner = side if cotos[side] == options.cotos_to_win else None
        decided_by = number if winner is not None else 0
    return Standing(partidas, camas, cotos, tuple(made), winner, decided_by, tuple(beyond), nobody)


def leader(partidas: Mapping[Side, int]) -> Side:
    """Side with most partidas, ``""`` if several have as many.

    >>> leader({"A": 5, "B": 3}), leader({"A": 4, "B": 4})
    ('A', '')
    """
    most = max(partidas.values())
    leaders = [side for side, won in partidas.items() if won == most]
    return leaders[0] if len(leaders) == 1 else ""
