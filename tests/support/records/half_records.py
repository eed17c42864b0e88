"""Random half records: partidas of the oracle, with the tricks before arrastre by their takers alone."""

from __future__ import annotations

from tests.oracle.habits import Habits
from tests.oracle.partidas import partida
from tests.oracle.reading import Deal, read
from tests.oracle.texts import Written

WHOLE = Habits(
    breaches=0.15,
    kinds=(),
    hands_at_deal=1.0,
    draws_noted=(1.0,),
    draws_seen=1.0,
    cantes=0.15,
    sings_again=True,
    swaps=0.2,
    cut=0.3,
    changes=0.5,
)


def half_of(
    written: Written, deal: Deal, secret: tuple[str, ...], more: frozenset[int] = frozenset()
) -> tuple[Written, dict[int, int]]:
    """The half record of a partida, and the line in it of each act that it keeps.

    ``more``: numbers of other closed tricks that are noted by their takers, from 0.
    """
    taken, left_out = {}, set()
    for number, trick in enumerate(deal.tricks):
        if number >= deal.gaps and (number not in more or number >= len(deal.takers)):
            continue
        left_out |= {play.line for play in trick}
        if number < len(deal.takers):
            taken[trick[-1].line] = f"baza {deal.takers[number]}"
    left_out |= {act.line for act in deal.acts if act.word in secret}
    lines, kept = [], {}
    for line, text in enumerate(written.lines, 1):
        if line in taken:
            lines.append(taken[line])
        elif line not in left_out:
            lines.append(text)
            kept[line] = len(lines)
    return Written(written.header, lines), kept


def half_record(seed: int) -> str:
    """The text of a random half record."""
    written = partida(seed, WHOLE)
    (deal,) = read(written.text).deals
    return half_of(written, deal, ("cartas", "draw"))[0].text
