"""What is concluded at a table, whole: every item of points with its reason, and how it ends."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

import pytest

from referee.events import (
    Abandoned,
    CardsShown,
    ClaimJudged,
    ClaimMade,
    Conceded,
    CountEntered,
    DealAnnulled,
    DealCounted,
    DealStarted,
    IncidentNoted,
    Misdealt,
    PartidaWon,
    RenuncioDenounced,
    ResultEntered,
    RulingGiven,
    TableConclusion,
    TuteAnnounced,
    VueltasBegun,
)
from referee.rules.articles import Rule
from referee.rules.profile.options import Options
from referee.table.conclusions import dealer_of_next_partida
from tests.support.records.rules_named import rules_named_in
from tests.support.records.table_text import (
    CLUB,
    NO_STOCK,
    THREE,
    Scene,
    cante,
    dealt,
    first_deal,
    given,
    plays,
    tricks,
)

EVEN = first_deal("A1 12, B1 12, A1 12, B1 12, A1 12, B1 12, A1 12, B1 12, B1 12, A1 12")
"""70 to 60 after line 11; A1 took the last trick and deals the vueltas."""
EVEN_ITEMS = (
    "A cards 12 (2), B cards 12 (3), A cards 12 (4), B cards 12 (5), A cards 12 (6), "
    "B cards 12 (7), A cards 12 (8), B cards 12 (9), B cards 12 (10), A cards 12 (11), "
    "A ultimas 10 (11)"
)
VUELTAS = f"deal 1: {EVEN_ITEMS} = A 70, B 60 | vueltas 2"
WON = plays("A1 AC, B1 2C, A2 4C, B2 5C")
LEAD = plays("A1 2C, B1 2E, A2 4C, B2 5C")
TUTE = replace(NO_STOCK, tute=True)
ANY_DEAL = Options(claim_in="any_deal", target=20)
AT_TARGET = Options(vueltas_end="at_target")
UNCOUNTED = first_deal(", ".join(["A1"] * 4 + ["B1"] * 6))


def told(conclusion: TableConclusion) -> str:
    """A conclusion as a line of text: items as side, reason, points and line, then the totals."""
    match conclusion:
        case DealCounted(deal, items, totals):
            points = (f"{one.side} {one.reason} {one.points} ({one.line})" for one in items)
            return f"deal {deal}: {', '.join(points)} = {listed(totals)}"
        case VueltasBegun(deal):
            return f"vueltas {deal}"
        case ClaimJudged(seat, total, reached):
            return f"claim {seat} {total} {reached}"
        case PartidaWon(winner, how, totals, whole_match):
            return f"won {winner} {how} {listed(totals)}{' match' * whole_match}"
        case _:
            assert_never(conclusion)


def listed(totals: dict[str, int]) -> str:
    return ", ".join(f"{side} {total}" for side, total in totals.items())


def concluded(scene: Scene) -> str:
    """All conclusions, and who deals next: in this partida, and in another; - for nobody."""
    dealers = (scene.table.dealer_due, dealer_of_next_partida(scene.table))
    due, other = ("-" if seat == "" else seat for seat in dealers)
    return " | ".join([*map(told, scene.table.conclusions), f"dealers {due} {other}"])


def ruling(effect: str, **facts: object) -> RulingGiven:
    return RulingGiven(effect, "text", **facts)


CASES = [
    ("a trick without points", Rule.LAST_TRICK, CLUB, first_deal("A1 30, B1 30, A1 30, B1 30, A1 0, A1 0, A1 0, A1 0, A1 0, B1 0"), "deal 1: A cards 30 (2), B cards 30 (3), A cards 30 (4), B cards 30 (5), B ultimas 10 (11) = A 60, B 70 | vueltas 2 | dealers B1 B1"),
    ("no ten for the last", Rule.LAST_TRICK, Options(last_trick_points=0), first_deal("A1 42, A1 42, A1 22, A1 4, B1 2, B1 2, B1 2, B1 2, B1 2, B1 0"), "deal 1: A cards 42 (2), A cards 42 (3), A cards 22 (4), A cards 4 (5), B cards 2 (6), B cards 2 (7), B cards 2 (8), B cards 2 (9), B cards 2 (10), B ultimas 0 (11) = A 110, B 10 | won A first_deal A 110, B 10 | dealers B1 B1"),
    ("a first deal that leads to vueltas", Rule.VUELTAS, CLUB, EVEN, f"{VUELTAS} | dealers A1 A1"),
    ("cantes and rulings, in order of the tricks", Rule.VUELTAS, CLUB, [*dealt(), *WON, cante("A1", "O"), *tricks("B1 10, B1 20"), cante("B2", "E"), ruling("points", side="A", points=-5), *tricks("A1 20, A1 20, A1 20, B1 10, B1 9"), ruling("points", side="B", points=3), *tricks("B1 0, B1 0")], "deal 1: A cards 11 (6), A cante 40 (7), B cards 10 (8), B cards 20 (9), B cante 20 (10), A ruling -5 (11), A cards 20 (12), A cards 20 (13), A cards 20 (14), B cards 10 (15), B cards 9 (16), B ruling 3 (17), B ultimas 10 (19) = A 106, B 82 | won A first_deal A 106, B 82 | dealers B1 B1"),
    ("a first deal that is won", Rule.LAST_TRICK, CLUB, first_deal("A1 42, A1 42, A1 22, A1 4, B1 2, B1 2, B1 2, B1 2, B1 2, B1 0"), "deal 1: A cards 42 (2), A cards 42 (3), A cards 22 (4), A cards 4 (5), B cards 2 (6), B cards 2 (7), B cards 2 (8), B cards 2 (9), B cards 2 (10), B ultimas 10 (11) = A 110, B 20 | won A first_deal A 110, B 20 | dealers B1 B1"),
    ("three sides", Rule.LAST_TRICK, THREE, first_deal("A1 33, A1 33, A1 33, A1 2, " + ", ".join(["B1 0"] * 3 + ["B1 5"] + ["C1 2"] * 2 + ["C1 0", "C1 4", "C1 6"]), "C1"), "deal 1: A cards 33 (2), A cards 33 (3), A cards 33 (4), A cards 2 (5), B cards 5 (9), C cards 2 (10), C cards 2 (11), C cards 4 (13), C cards 6 (14), C ultimas 10 (14) = A 101, B 5, C 24 | won A first_deal A 101, B 5, C 24 | dealers C1 C1"),
    ("totals that were called", Rule.VUELTAS, CLUB, [*UNCOUNTED, CountEntered({"A": 50, "B": 80})], "deal 1: B ultimas 10 (11) = A 50, B 80 | vueltas 2 | dealers B1 B1"),
    ("totals that were called and win", Rule.LAST_TRICK, CLUB, [*UNCOUNTED, CountEntered({"A": 20, "B": 110})], "deal 1: B ultimas 10 (11) = A 20, B 110 | won B first_deal A 20, B 110 | dealers B1 B1"),
    ("a claim that is true", Rule.CLAIM, ANY_DEAL, [*dealt(), *plays("A1 AC, B1 3C, A2 4C, B2 5C"), ClaimMade("A2")], "claim A2 21 True | won A claim A 21, B 0 | dealers - A1"),
    ("a claim that is false", Rule.CLAIM, ANY_DEAL, [*dealt(), *WON, ClaimMade("A2")], "claim A2 11 False | won B false_claim A 11, B 0 | dealers - A1"),
    ("a claim on the target", Rule.CLAIM, replace(ANY_DEAL, target=11), [*dealt(), *WON, ClaimMade("A2")], "claim A2 11 True | won A claim A 11, B 0 | dealers - A1"),
    ("a claim that waits for a count", Rule.CLAIM, CLUB, [*EVEN, DealStarted("A1"), *tricks("A1"), ClaimMade("A1")], f"{VUELTAS} | dealers - A1"),
    ("a claim that was counted", Rule.CLAIM, CLUB, [*EVEN, DealStarted("A1"), *tricks("A1"), ClaimMade("A1"), CountEntered({"A": 102, "B": 60})], f"{VUELTAS} | deal 2: A ultimas 10 (13) = A 102, B 60 | claim A1 102 True | won A claim A 102, B 60 | dealers A1 A1"),
    ("a claim of vueltas", Rule.CLAIM, CLUB, [*EVEN, DealStarted("A1"), *tricks("A1 31"), ClaimMade("A1")], f"{VUELTAS} | claim A1 101 True | won A claim A 101, B 60 | dealers - A1"),
    ("a false claim of vueltas", Rule.CLAIM, CLUB, [*EVEN, DealStarted("A1"), *tricks("A1 30"), ClaimMade("A1")], f"{VUELTAS} | claim A1 100 False | won B false_claim A 100, B 60 | dealers - A1"),
    ("vueltas to the target", Rule.VUELTAS, AT_TARGET, [*EVEN, DealStarted("A1"), *tricks("A1 31")], f"{VUELTAS} | won A target A 101, B 60 | dealers - A1"),
    ("vueltas below the target", Rule.VUELTAS, AT_TARGET, [*EVEN, DealStarted("A1"), *tricks("A1 30, B1")], f"{VUELTAS} | dealers - B1"),
    ("vueltas that nobody claimed", Rule.VUELTAS, CLUB, [*EVEN, DealStarted("A1"), *tricks("A1 12, B1 12, A1 12, B1 12, A1 12, B1 12, A1 12, B1 12, A1 12, B1 12"), CountEntered()], f"{VUELTAS} | deal 2: A cards 12 (13), B cards 12 (14), A cards 12 (15), B cards 12 (16), A cards 12 (17), B cards 12 (18), A cards 12 (19), B cards 12 (20), A cards 12 (21), B cards 12 (22), B ultimas 10 (22) = A 130, B 130 | won B unclaimed A 130, B 130 | dealers B1 B1"),
    ("a third deal", Rule.VUELTAS, Options(unclaimed_at_end="another_deal"), [*EVEN, DealStarted("A1"), *tricks("A1 12, B1 12, A1 12, B1 12, A1 12, B1 12, A1 12, B1 12, A1 12, B1 12"), CountEntered()], f"{VUELTAS} | deal 2: A cards 12 (13), B cards 12 (14), A cards 12 (15), B cards 12 (16), A cards 12 (17), B cards 12 (18), A cards 12 (19), B cards 12 (20), A cards 12 (21), B cards 12 (22), B ultimas 10 (22) = A 130, B 130 | vueltas 3 | dealers B1 B1"),
    ("conceded at once", Rule.CONCESSION, CLUB, [Conceded("A")], "won B concession A 0, B 0 | dealers - -"),
    ("conceded in vueltas", Rule.CONCESSION, CLUB, [*EVEN, DealStarted("A1"), *tricks("B1 20"), Conceded("B")], f"{VUELTAS} | won A concession A 70, B 80 | dealers - B1"),
    ("conceded by one of three", Rule.CONCESSION, THREE, [DealStarted("C1"), *tricks("C1 20, A1 10"), Conceded("B")], "won C concession A 10, B 0, C 20 | dealers - A1"),
    ("conceded after the first deal", Rule.CONCESSION, CLUB, [*EVEN, Conceded("A")], f"{VUELTAS} | won B concession A 70, B 60 | dealers A1 A1"),
    ("left", Rule.ABANDONMENT, CLUB, [*dealt(), *WON, Abandoned("A")], "won B abandonment A 11, B 0 | dealers - A1"),
    ("left after the first deal", Rule.ABANDONMENT, CLUB, [*EVEN, Abandoned("A")], f"{VUELTAS} | won B abandonment A 70, B 60 | dealers A1 A1"),
    ("a renuncio before a deal was counted at once", Rule.VUELTAS, replace(CLUB, renuncio_cases=("talk",), renuncio_until="end_of_partida"), [*first_deal("A1, B1"), IncidentNoted("talk", "B1"), CountEntered({"A": 50, "B": 80}), RenuncioDenounced("A1", "B1")], "deal 1: B ultimas 10 (3) = A 50, B 80 | won A renuncio A 50, B 80 | dealers B1 B1"),
    ("conceded after the count was noted", Rule.VUELTAS, CLUB, [*UNCOUNTED, CountEntered({"A": 50, "B": 80}), Conceded("A")], "deal 1: B ultimas 10 (11) = A 50, B 80 | vueltas 2 | won B concession A 50, B 80 | dealers B1 B1"),
    ("a renuncio", Rule.RENUNCIO, NO_STOCK, [*dealt(), *LEAD, RenuncioDenounced("A1", "B1"), CardsShown("B1", ("6C",))], "won A renuncio A 0, B 0 | dealers - B2"),
    ("a renuncio that loses the match", Rule.RENUNCIO, replace(NO_STOCK, renuncio_penalty="lose_match"), [*dealt(), *LEAD, RenuncioDenounced("A1", "B1"), CardsShown("B1", ("6C",))], "won A renuncio A 0, B 0 match | dealers - B2"),
    ("a renuncio after which the deal is played again", Rule.RENUNCIO, replace(NO_STOCK, renuncio_penalty="replay_deal"), [*dealt(), *LEAD, RenuncioDenounced("A1", "B1"), CardsShown("B1", ("6C",))], "dealers - B2"),
    ("a renuncio that a ruling confirms", Rule.RENUNCIO, replace(NO_STOCK, renuncio_penalty="lose_match"), [*dealt(), *LEAD, CardsShown("B1", ("6C",)), ruling("renuncio", line=4)], "won A renuncio A 0, B 0 match | dealers - B2"),
    ("a tute", Rule.TUTE, TUTE, [*dealt(), *WON, TuteAnnounced("A2", "R", shown=True)], "won A tute A 11, B 0 | dealers - A1"),
    ("a tute whose deal is annulled", Rule.TUTE, TUTE, [*dealt(), *WON, TuteAnnounced("A2", "R", shown=True), ruling("annul_deal")], "dealers - -"),
    ("a partida given by ruling", Rule.RULING, CLUB, [*dealt(), *WON, ruling("partida", side="B")], "won B ruling A 11, B 0 | dealers - A1"),
    ("the latest ruling", Rule.RULING, CLUB, [Conceded("B"), ruling("partida", side="B"), ruling("partida", side="A")], "won A ruling A 0, B 0 | dealers - -"),
    ("points by ruling that win", Rule.RULING, CLUB, [*EVEN, ruling("points", side="A", points=31)], f"deal 1: {EVEN_ITEMS}, A ruling 31 (12) = A 101, B 60 | won A first_deal A 101, B 60 | dealers A1 A1"),
    ("a dealer by ruling", Rule.NEXT_DEALER, CLUB, [*EVEN, ruling("dealer", seat="B2")], f"{VUELTAS} | dealers B2 B2"),
    ("the next in order", Rule.NEXT_DEALER, Options(next_dealer="next_in_order"), [DealStarted("A2"), *EVEN[1:]], f"{VUELTAS} | dealers A1 B2"),
    ("before any trick", Rule.NEXT_DEALER, CLUB, [DealStarted("B2")], "dealers - B2"),
    ("a deal annulled", Rule.NEXT_DEALER, CLUB, [*dealt(), *WON, DealAnnulled()], "dealers - -"),
    ("misdealt once", Rule.NEXT_DEALER, Options(misdeal="redeal_then_pass"), [DealStarted("B2"), Misdealt()], "dealers B2 -"),
    ("misdealt twice", Rule.NEXT_DEALER, Options(misdeal="redeal_then_pass"), [DealStarted("B2"), Misdealt()] * 2, "dealers A1 -"),
    ("misdealt three times", Rule.NEXT_DEALER, Options(misdeal="redeal_then_pass"), [*[DealStarted("B2"), Misdealt()] * 2, DealStarted("A1"), Misdealt()], "dealers A1 -"),
    ("misdealt after a deal that was annulled", Rule.NEXT_DEALER, Options(misdeal="redeal_then_pass"), [*dealt(), DealAnnulled(), DealStarted("B2"), Misdealt()], "dealers B2 -"),
    ("a deal annulled and replayed", Rule.NEXT_DEALER, CLUB, [*dealt(), *WON, DealAnnulled(replayed=True)], "dealers B2 -"),
    ("a deal replayed by ruling", Rule.NEXT_DEALER, CLUB, [*dealt(), *WON, ruling("replay_deal")], "dealers B2 -"),
    ("a result with totals", Rule.NEXT_DEALER, CLUB, [ResultEntered("B", "first_deal", {"B": 110, "A": 20})], "won B first_deal A 20, B 110 | dealers - -"),
    ("a result without totals", Rule.RENUNCIO, replace(CLUB, renuncio_penalty="lose_match"), [ResultEntered("B", "renuncio")], "won B renuncio A 0, B 0 match | dealers - -"),
    ("a claim as a result, no match", Rule.CLAIM, replace(CLUB, renuncio_penalty="lose_match"), [ResultEntered("B", "claim", {"A": 60, "B": 101})], "won B claim A 60, B 101 | dealers - -"),
]  # fmt: skip


@pytest.mark.parametrize("about, rule, options, acts, text", CASES, ids=[c[0] for c in CASES])
def test_what_is_concluded_tells_all_of_it(about, rule, options, acts, text) -> None:
    assert concluded(given(options, *acts)) == text


def test_every_rule_that_a_table_decides_by_has_a_case_here() -> None:
    assert rules_named_in("referee/table", "decision") <= {rule for _, rule, *_ in CASES}
