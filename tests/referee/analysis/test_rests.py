"""Claims of the rest against trying everything: every way of the unseen cards, every line of play."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

from referee.aggregates.partida import fold
from referee.analysis.claims import judge_rest_claim
from referee.analysis.engine import Aim
from referee.analysis.position import KnownPosition
from referee.events import CardDrawn, CardPlayed, RestClaimed, TableAct
from referee.rules.cards import CARD, Card, mask_of
from referee.rules.profile.options import Options
from referee.rules.seats import Seat, partner_of, side_of
from referee.table.state import Deal, Table
from tests.support.analysis.marks import NEEDS_ENGINE
from tests.support.analysis.minimax import Minimax
from tests.support.records.dealt_out import Player, opened

CLUB = Options()
TRICKS = 2


def claimed(seed: int) -> tuple[Table, Table, Seat, dict[Seat, set[Card]], set[Card]]:
    """A claim by who leads two tricks before the end, the whole deal, the hands, the cards seen."""
    player = Player(CLUB, seed, observed=True)
    player.deal("B1")
    plays = [n for n, act in enumerate(player.acts) if isinstance(act, CardPlayed)]
    until = plays[-TRICKS * 4]
    later = [act for act in player.acts[until:] if isinstance(act, CardPlayed)]
    seat = later[0].seat
    acts: list[TableAct] = [*player.acts[:until], RestClaimed(seat)]
    hands = {s: {CARD[act.card] for act in later if act.seat == s} for s in CLUB_SEATS}
    drawn = {CARD[a.card] for a in player.acts if isinstance(a, CardDrawn) and a.card}
    then, now = (fold([opened(CLUB), *some]).table for some in (acts, player.acts))
    return then, now, seat, hands, drawn


CLUB_SEATS = ("A1", "B1", "A2", "B2")


def by_trying(then: Table, seat: Seat, hands: dict[Seat, set[Card]], drawn: set[Card]) -> str:
    deal = then.all_deals[0]
    if all(takes_all(deal, seat, way, frozenset()) for way in ways(seat, hands, drawn)):
        return "proved"
    pair = frozenset(one for one in (seat, partner_of(seat, 4)) if one)
    return "best_play" if takes_all(deal, seat, hands, pair) else "fails"


def ways(seat: Seat, hands: dict[Seat, set[Card]], drawn: set[Card]) -> list[dict[Seat, set[Card]]]:
    """Every way in which the cards lie that nobody had seen but the claimer."""
    sure = {s: cards if s == seat else cards & drawn for s, cards in hands.items()}
    places = [s for s in hands for _ in hands[s] - sure[s]]
    unseen = sorted(card for s, cards in hands.items() for card in cards - sure[s])
    found = {}
    for order in permutations(unseen):
        way = {s: {*cards} for s, cards in sure.items()}
        for place, card in zip(places, order, strict=True):
            way[place].add(card)
        found[tuple(frozenset(cards) for cards in way.values())] = way
    return list(found.values())


def takes_all(
    deal: Deal, seat: Seat, hands: dict[Seat, set[Card]], friends: frozenset[Seat]
) -> bool:
    lying = tuple(mask_of(hands[s]) for s in deal.seats)
    known = KnownPosition(CLUB, deal.trump, deal.leader, lying)
    return Minimax(known, side_of(seat), Aim.TRICKS, friends).value() == TRICKS


@NEEDS_ENGINE
def test_a_claim_of_the_rest_is_judged_as_by_trying_everything() -> None:
    answers: Counter[str] = Counter()
    for seed in range(100):
        then, now, seat, hands, drawn = claimed(seed)
        found = judge_rest_claim(then, now, seat)
        if found.answer == "proved" or seed % 20 == 0:
            assert found.answer == by_trying(then, seat, hands, drawn)
        answers[found.answer] += 1
    assert answers["proved"] >= 1
    assert answers["best_play"] >= 3
    assert answers["fails"] >= 3


@NEEDS_ENGINE
def test_hands_that_nobody_saw_leave_it_open_unless_every_way_agrees() -> None:
    answers = {
        judge_rest_claim(then, then, seat).answer for then, _, seat, _, _ in map(claimed, range(30))
    }
    assert "cannot_tell" in answers


@NEEDS_ENGINE
def test_the_claim_decides_nothing() -> None:
    then, now, *_ = claimed(1)
    assert then.decided is None
    assert not then.findings
    assert judge_rest_claim(now, now, "A1").answer == "cannot_tell"
