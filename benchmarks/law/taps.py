"""Taps that the record of a deal takes on the tablet, over partidas of other engines.

``PYTHONPATH=. python -m benchmarks.law.taps`` counts by the table of taps in
``docs/operating/pages.md``: as it was before cards recorded themselves; with what records itself
and with the rest given to a leader as soon as best play cannot take it from their side; and the
same with tricks before arrastre by their takers alone.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from referee import events as ev
from referee.analysis.claims import judge_rest_claim
from referee.record.samples import parse_sample
from referee.rules.profile.options import Options
from referee.table.readings import empty_table, table_after_act
from referee.table.state import Table

SAMPLES = Path("tests/samples/partidas.jsonl.gz")
FOUR = 4
CARD, TAKER, REST = 1, 1, 2
PLAIN = {
    ev.PintaTurned: 1,
    ev.CanteAnnounced: 2,
    ev.PintaSwapped: 2,
    ev.ClaimMade: 2,
    ev.CountEntered: 1,
}
TOTAL = 3
"""Two digits of a total, and the button; the sheet opens by itself."""


def partidas() -> Iterator[tuple[Options, list[ev.TableAct]]]:
    """Each partida of the samples."""
    for line in gzip.decompress(SAMPLES.read_bytes()).decode().splitlines():
        sample = parse_sample(json.loads(line), observed=True)
        options = Options(players=sample.players, deck=sample.deck, hand_size=sample.hand_size)
        yield options, [act for deal in sample.deals for act in deal]


class Step(NamedTuple):
    """An act, and the table before and after it."""

    act: ev.TableAct
    before: Table
    after: Table


def deals_of(options: Options, acts: Iterable[ev.TableAct]) -> list[list[Step]]:
    """The acts of a partida, deal by deal."""
    table, found = empty_table(options), list[list[Step]]()
    for line, act in enumerate(acts, 1):
        after = table_after_act(table, line, act)
        if isinstance(act, ev.DealStarted):
            found.append([])
        found[-1].append(Step(act, table, after))
        table = after
    return found


def taps_of(steps: list[Step], *, helped: bool, half: bool) -> int:
    """How many taps a deal takes."""
    found, takers, is_given = 0, set[str](), False
    laid = sum(isinstance(step.act, ev.CardPlayed) for step in steps)
    for step in steps:
        found += PLAIN.get(type(step.act), 0)
        if not isinstance(step.act, ev.CardPlayed) or is_given:
            continue
        laid -= 1
        closed = step.after.all_deals[-1].tricks
        has_closed = not step.after.all_deals[-1].laid
        if half and is_before_arrastre(step.before):
            found += TAKER if has_closed else 0
            takers |= {closed[-1].taker[0]} if has_closed else set()
        elif helped and is_proved(step, steps[-1].after):
            found, is_given = found + REST, True
        elif not (helped and not takers and not laid and step.after.deal is None):
            found += CARD
    kinds = {type(step.act) for step in steps}
    return found + (TOTAL - (ev.CountEntered in kinds) if len(takers) > 1 else 0)


def is_before_arrastre(table: Table) -> bool:
    """Whether cards are drawn after the next trick."""
    deal = table.deal
    return deal is not None and deal.stock > (0 if deal.laid else len(deal.gap.to_draw))


def is_proved(step: Step, now: Table) -> bool:
    """Whether nobody can take a trick from the side of whoever leads, from this lead on."""
    deal = step.before.deal
    if deal is None or deal.laid or not isinstance(step.act, ev.CardPlayed):
        return False
    return judge_rest_claim(step.before, now, step.act.seat).answer in ("proved", "best_play")


WAYS = {
    "as it was": {"helped": False, "half": False},
    "with everything": {"helped": True, "half": False},
    "half record": {"helped": True, "half": True},
}


def main() -> None:
    """Print the mean number of taps a deal, first deals and vueltas apart."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    found = [deals_of(options, acts) for options, acts in partidas() if options.players == FOUR]
    firsts, others = [deals[0] for deals in found], [one for deals in found for one in deals[1:]]
    for name, way in WAYS.items():
        first, other, every = (
            mean(taps_of(deal, **way) for deal in chosen)
            for chosen in (firsts, others, firsts + others)
        )
        print(f"{name}: {every:.1f} taps a deal; first deals {first:.1f}, vueltas {other:.1f}")


if __name__ == "__main__":
    main()
