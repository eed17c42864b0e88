"""Half records: of the tricks before arrastre only who took them, and cards from then on.

The oracle judges the whole record, with every hand and every draw; the program only has half of it.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from referee.rules.articles import ABOUT, Rule
from referee.table.verdicts import judge_acts
from tests.oracle.partidas import partida
from tests.oracle.reading import Deal, read
from tests.oracle.verdicts import play_answers
from tests.support.records.asked import played_text
from tests.support.records.half_records import WHOLE, half_of
from tests.support.servers.long_runs import PARTS

ON_CARDS = {Rule.CANTE_DISPROVED, *(rule for rule in Rule if ABOUT[rule].kind == "duty")}


def hand_at(deal: Deal, seat: str, line: int) -> set[str]:
    """The true hand of a seat before a line: dealt, drawn, laid and swapped cards."""
    hand, pinta = set(), deal.pinta
    for act in deal.acts:
        if act.line >= line:
            break
        if act.word == "cambia":
            usual = ("9" if deal.rules.deck == 48 else "7") + deal.trump
            gave = act.cards[0] if act.cards else usual
            hand = (hand - {gave}) | {pinta} if act.seat == seat else hand
            pinta = gave
        elif act.seat == seat and act.word in ("cartas", "draw"):
            hand |= set(act.cards)
        elif act.seat == seat and act.word == "play":
            hand -= set(act.cards)
    return hand


def truth_of_cantes(deal: Deal) -> dict[int, str]:
    """Whether each cante was held when it was sung, whatever else may bar it."""
    found = {}
    for act in deal.acts:
        if act.word == "canta":
            hand = hand_at(deal, act.seat, act.line)
            pair = {f"R{act.suits}", f"S{act.suits}"}
            found[act.line] = "lawful" if pair <= hand else "unlawful"
    return found


def others_without_cards(seed: int, deal: Deal) -> frozenset[int]:
    """In some records also the last tricks, given as the rest, or any tricks of arrastre."""
    chance, numbers = random.Random(seed), range(deal.gaps, len(deal.tricks))
    match seed % 4:
        case 1 if numbers:
            return frozenset(range(chance.choice(numbers), len(deal.tricks)))
        case 2:
            return frozenset(number for number in numbers if chance.random() < 0.3)
    return frozenset()


@pytest.mark.parametrize("part", PARTS)
def test_a_half_record_accuses_nobody_falsely(part):
    """Each verdict that rests on cards is that of the whole record, or open."""
    proved, known = Counter(), 0
    for seed in range(part * 250, (part + 1) * 250):
        written = partida(seed, WHOLE)
        (deal,) = read(written.text).deals
        secret = ("cartas",) if seed % 2 else ("cartas", "draw")
        half, kept = half_of(written, deal, secret, others_without_cards(seed, deal))
        truth = truth_of_cantes(deal) | play_answers(deal)
        state = played_text(half.text)
        said = {
            row.line: row for row in judge_acts(state.table, state.standing_acts, with_slips=False)
        }
        for line, true in truth.items():
            row = said.get(kept.get(line, 0))
            if row and (row.answer != "unlawful" or row.rule in ON_CARDS):
                answer = row.answer
                assert answer in ("open", true), f"seed {seed}, {line}: {true}, {row}\n{half.text}"
                proved[row.rule] += answer == "unlawful"
                known += answer == "lawful"
    assert proved[Rule.CANTE_DISPROVED] > 10
    assert sum(proved.values()) > 250
    assert known > 1000
