"""Every finding of a table, whole: line, rule, seat, since when it is known, and all facts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.aggregates.partida import fold
from referee.events import (
    CardDrawn,
    CardsShown,
    ClaimMade,
    CountEntered,
    DealStarted,
    HandEntered,
    IncidentNoted,
    Misdealt,
    PintaSwapped,
    PintaTurned,
    RenuncioDenounced,
    ResultEntered,
    RulingGiven,
    StockEntered,
    SuitRequested,
    TrickReviewed,
    TuteAnnounced,
    WrongDealFound,
    WrongDraw,
)
from referee.rules.articles import Rule
from referee.rules.profile.options import Options
from referee.table.state import Finding
from tests.support.records.rules_named import rules_named_in
from tests.support.records.table_text import (
    CLUB,
    NO_STOCK,
    THREE,
    cante,
    dealt,
    draws,
    first_deal,
    given,
    opened,
    plays,
    tricks,
    withdraw,
)

WON = plays("A1 AC, B1 2C, A2 4C, B2 5C")
"""A1 took the first trick; with ``dealt()`` before it, line 7 is next."""
EVEN = "A1 15, B1 15, A1 15, B1 15, A1 13, B1 13, A1 13, B1 13, B1 4, A1 4"
"""Ten tricks, of which A1 takes the last: 70 to 60. Vueltas follow on line 12."""
RIGHT = dict.fromkeys(("A1", "B1", "A2", "B2"), 6)
LEAD = plays("A1 2C, B1 2E, A2 4C, B2 5C")
"""Ten cards each: B1 does not follow, and nothing proves it yet."""
PROOF = plays("B2 4E, A1 5E, B1 6C, A2 6E")
FOUR_TRICKS = plays(
    "A1 2O, B1 4O, A2 5O, B2 6O, B2 2C, A1 4B, B1 5C, A2 6C, A2 2B, B2 4C, A1 5B, B1 6B, "
    "B1 7O, A2 7C, B2 7B, A1 CB"
)
"""Trump is espadas. A2 took the second trick and B1 the last: A1 draws the pinta."""
B1_ACCUSED = RenuncioDenounced("A1", "B1")
HIDDEN_20 = cante("A1", shown=False)
NO_STOCK_ON_REQUEST = replace(NO_STOCK, cante_20_shown="suit_on_request_in_arrastre")
TUTE = replace(NO_STOCK, tute=True)


TWO_UNFOLLOWED = plays(
    "A1 2C, B1 3C, A2 AB, B2 5C, B1 2B, A2 RC, B2 4B, A1 5B, A1 4E, B1 5E, A2 7C, B2 6C,"
    " B1 2E, A2 3E, B2 4C, A1 6E"
)


def told(finding: Finding) -> str:
    """A finding as a line of text: ``5 follow B1 9 card=6C trick=1``; - for no seat."""
    seat = "-" if finding.seat == "" else finding.seat
    facts = [f"{name}={value}" for name, value in finding.facts]
    return " ".join([str(finding.line), finding.rule, str(seat), str(finding.known_at), *facts])


CASES = [
    ("a card out of turn", CLUB, dealt(), plays("B1 AC"), "3 out-of-turn B1 3 turn=A1"),
    ("out of turn in arrastre", replace(NO_STOCK, renuncio_cases=("out_of_turn_in_arrastre",)), dealt(), plays("A2 AC, B1 3C"), "3 out-of-turn-in-arrastre A2 3 turn=A1 | 4 out-of-turn-in-arrastre B1 4 turn=B2"),
    ("a second card of a seat", CLUB, dealt(), plays("A1 AC, A1 3C"), "4 two-cards-at-once A1 4 card=3C"),
    ("a card that was not dealt", CLUB, dealt(A1="2C 4C 5C 6C 7C CC"), plays("A1 SC"), "4 card-not-dealt A1 4 card=SC"),
    ("a renuncio by a card laid later", NO_STOCK, dealt(), [*LEAD, *PROOF], "4 follow B1 9 card=6C trick=1"),
    ("a renuncio by a known hand", NO_STOCK, dealt(B1="2E 6C 7C CC SC RC 3C AC 4E 5E"), LEAD, "5 follow B1 5 card=6C trick=1"),
    ("a renuncio of an earlier duty than was known", NO_STOCK, dealt(), [*LEAD, CardsShown("B1", ("5O",)), CardsShown("B1", ("6C",))], "4 follow B1 7 card=6C trick=1"),
    ("a renuncio by a cante that is shown", NO_STOCK, dealt(), [*LEAD, cante("B2", "O")], ""),
    ("a renuncio by a cante of its seat", NO_STOCK, dealt(), [*LEAD, cante("B1", "C")], "4 follow B1 7 card=SC trick=1"),
    ("a swap that accuses nobody", CLUB, dealt(), [*WON, PintaSwapped("A1")], ""),
    ("a small cut", CLUB, [], [DealStarted("A1", cut=3)], "1 cut-too-small A1 1 cut=3"),
    ("a cut that leaves too few below", CLUB, [], [DealStarted("A1", cut=37)], "1 cut-too-small A1 1 cut=37"),
    ("the largest cut", CLUB, [], [DealStarted("A1", cut=36)], ""),
    ("another cutter", CLUB, [], [DealStarted("A1", 5, "", "B1")], "1 wrong-cutter B1 1 due=B2"),
    ("another cutter, clockwise", replace(CLUB, direction="clockwise"), [], [DealStarted("A1", 5, "", "A2")], "1 wrong-cutter A2 1 due=B1"),
    ("other packets", CLUB, [], [DealStarted("A1", packets="one_by_one")], "1 wrong-packets A1 1 packets=3+3"),
    ("a misdeal", CLUB, [DealStarted("A1")], [Misdealt({"A1": 7, "B1": 5})], "2 misdeal A1 2 hands=A1 7 B1 5"),
    ("a misdeal that nobody counted", CLUB, [DealStarted("A1")], [Misdealt()], "2 misdeal A1 2 hands="),
    ("a misdeal of right hands", CLUB, [DealStarted("A1")], [Misdealt(RIGHT)], "2 misdeal A1 2 hands=A1 6 B1 6 A2 6 B2 6 | 2 misdeal-unfounded A1 2"),
    ("a misdeal of which one hand is told", CLUB, [DealStarted("A1")], [Misdealt({"A1": 6})], "2 misdeal A1 2 hands=A1 6"),
    ("the wrong dealer of vueltas", CLUB, first_deal(EVEN), [DealStarted("B1")], "12 wrong-dealer B1 12 due=A1"),
    ("found with seven", CLUB, dealt(), [WrongDealFound("B1", 7)], "3 wrong-deal B1 3 cards=7"),
    ("seven dealt", CLUB, dealt(), [HandEntered("A1", tuple("AC 3C RC SC CC 7C 6C".split()))], "3 wrong-deal A1 3 cards=7"),
    ("two named of those dealt", CLUB, dealt(), [HandEntered("A1", ("2O", "AC"))], ""),
    ("seven held now", CLUB, dealt(), [HandEntered("A2", tuple("AC 3C RC SC CC 7C 6C".split()), "now")], "3 wrong-deal A2 3 cards=7"),
    ("a stock of another number", CLUB, dealt(), [StockEntered(("AC",))], "3 wrong-deal - 3 cards=1"),
    ("ten tricks that make 119", CLUB, first_deal(EVEN[:-6]), tricks("A1 3"), "11 tricks-sum - 11 sum=119"),
    ("thirteen tricks and a card left over", replace(THREE, hand_size=13, three_deck="leftover_on_table", pinta_from="leftover_card", duties_from="first_trick", swap=False), dealt("AO", "A1"), tricks(", ".join(["A1 0"] * 12 + ["A1 44"])), "9 tricks-together - 9 sum=0 | 15 tricks-sum - 15 sum=44"),
    ("tricks that no cards make together", CLUB, [DealStarted("B2"), *tricks("A1 44")], tricks("A1 44"), "3 tricks-together - 3 sum=88"),
    ("a renuncio confirmed after a claim", Options(renuncio_costs="when_proved", claim_in="any_deal"), dealt(), [ClaimMade("A1"), RulingGiven("renuncio", "text", line=2)], "4 confirmed-late - 4 act=2"),
    ("a later of two proved renuncios confirmed", replace(NO_STOCK, renuncio_costs="when_proved"), dealt(), [*TWO_UNFOLLOWED, RulingGiven("renuncio", "text", line=13)], "5 follow A2 8 card=RC trick=1 | 13 follow A2 16 card=3E trick=3 | 17 trump B2 17 card=4O trick=4 | 19 earlier-renuncio A2 19 act=5 laid=AB of_trick=1"),
    ("before their turn", CLUB, [*dealt(), *WON], draws("B1, A1"), "7 draw-out-of-order B1 8"),
    ("two of them", CLUB, [*dealt(), *WON], draws("B2, B1, A1"), "7 draw-out-of-order B2 8 | 8 draw-out-of-order B1 9"),
    ("after the lead", CLUB, [*dealt(), *WON], [*plays("A1 6C"), CardDrawn("B1")], "8 draw-out-of-order B1 8"),
    ("twice", CLUB, [*dealt(), *WON], draws("A1, A1"), "8 drawn-twice A1 8"),
    ("the pinta early", CLUB, [*dealt(), *WON], draws("A1 4O"), "7 wrong-draw A1 7 fault=pinta_early"),
    ("two cards", CLUB, [*dealt(), *WON], [WrongDraw("A1", "two_cards", "3C")], "7 wrong-draw A1 7 fault=two_cards"),
    ("none", CLUB, [*dealt(), *WON], [WrongDraw("B1", "none")], "7 wrong-draw B1 7 fault=none"),
    ("out of order, as reported", CLUB, [*dealt(), *WON], [WrongDraw("B1", "out_of_order")], "7 wrong-draw B1 7 fault=out_of_order"),
    ("out of order, late", CLUB, [*dealt(), *WON], [*plays("A1 6C"), WrongDraw("B1", "out_of_order", "7C")], "8 wrong-draw B1 8 fault=out_of_order"),
    ("the pinta early, as reported", CLUB, [*dealt(), *WON], [WrongDraw("B1", "pinta_early")], "7 wrong-draw B1 7 fault=pinta_early"),
    ("without a trick", CLUB, dealt(), [cante("A1", "E")], "3 cante-no-trick A1 3 suit=E"),
    ("of a rival", CLUB, [*dealt(), *WON], [cante("B1", "O")], "7 cante-no-trick B1 7 suit=O"),
    ("late", CLUB, [*dealt(), *WON], [*plays("A1 6C"), cante("A1", "B")], "8 cante-late A1 8 suit=B"),
    ("after the swap", Options(cante_before_swap=True), [*dealt(), *WON], [PintaSwapped("A1"), cante("A2", "E")], "8 cante-after-swap A2 8 suit=E"),
    ("in arrastre", replace(NO_STOCK, cante_in_arrastre=False), [*dealt(), *WON], [cante("A1", "E")], "7 cante-in-arrastre A1 7 suit=E"),
    ("sung already", Options(cantes_per_player=2), [*dealt(), *WON], [cante("A1", "E"), cante("A1", "E")], "8 cante-already-sung A1 8 suit=E"),
    ("two of a player", CLUB, [*dealt(), *WON], [cante("A1", "E"), cante("A1", "B")], "8 cantes-per-player A1 8 suit=B"),
    ("two of a side", Options(cantes_per_side=1), [*dealt(), *WON], [cante("A1", "E"), cante("A2", "B")], "8 cantes-per-side A2 8 suit=B"),
    ("a 20 that was not shown", CLUB, [*dealt(), *WON], [cante("A1", "E", shown=False)], "7 cante-not-shown A1 7 suit=E"),
    ("a 20 of a hidden suit", CLUB, [*dealt(), *WON], [HIDDEN_20], "7 cante-not-shown A1 7 suit="),
    ("a 40 that was shown", Options(cante_40_shown="never"), [*dealt(), *WON], [cante("A1", "O")], "7 cante-40-shown A1 7 suit=O"),
    ("not with the sota laid", CLUB, dealt(), [*plays("A1 AC, B1 2C, A2 SC, B2 5C"), cante("A1", "C")], "7 cante-disproved A1 7 costs=annul_and_warn suit=C"),
    ("disproved by a later card", replace(NO_STOCK, false_cante="annul"), [*dealt(), *WON, cante("A1", "E", shown=None)], [CardsShown("B1", ("SE",))], "7 cante-disproved A1 8 costs=annul suit=E"),
    ("of a hidden suit, disproved later", NO_STOCK, [*dealt(), *WON, HIDDEN_20], [CardsShown("B1", ("RC", "RE", "RB"))], "7 cante-disproved A1 8 costs=annul_and_warn suit="),
    ("barred for several reasons", CLUB, dealt(), [cante("B1", "E", shown=False)], "3 cante-no-trick B1 3 suit=E | 3 cante-not-shown B1 3 suit=E"),
    ("the suit asked where it need not be named", CLUB, [*dealt(), *WON, HIDDEN_20], [SuitRequested("A2", "A1", "E")], "7 cante-not-shown A1 7 suit= | 8 suit-request-barred A2 8 by=A1"),
    ("the suit asked by a rival", NO_STOCK_ON_REQUEST, [*dealt(), *WON, HIDDEN_20], [SuitRequested("B1", "A1", "E")], "8 suit-request-barred B1 8 by=A1"),
    ("the suit asked and not named", NO_STOCK_ON_REQUEST, [*dealt(), *WON, HIDDEN_20], [SuitRequested("A2", "A1")], "7 cante-not-shown A1 8 suit="),
    ("the suit of trump named", NO_STOCK_ON_REQUEST, [*dealt(), *WON, HIDDEN_20], [SuitRequested("A2", "A1", "O")], "7 cante-already-sung A1 8 suit=O"),
    ("a suit named that was sung before", replace(NO_STOCK_ON_REQUEST, cantes_per_player=2), [*dealt(), *WON, cante("A2", "E", shown=None), HIDDEN_20], [SuitRequested("A2", "A1", "E")], "8 cante-already-sung A1 9 suit=E"),
    ("a suit named that was sung after", replace(NO_STOCK_ON_REQUEST, cantes_per_player=2), [*dealt(), *WON, HIDDEN_20, cante("A2", "E", shown=None)], [SuitRequested("A2", "A1", "E")], "8 cante-already-sung A2 9 suit=E"),
    ("a tute that the profile lacks", NO_STOCK, [*dealt(), *WON], [TuteAnnounced("A1", "S", shown=True)], "7 tute-barred A1 7"),
    ("a tute of which a sota was laid", TUTE, dealt(), [*plays("A1 AC, B1 2C, A2 SC, B2 5C"), TuteAnnounced("A2", "S", shown=True)], "7 tute-disproved A2 7 costs=annul_and_warn"),
    ("a tute that was not shown", TUTE, [*dealt(), *WON], [TuteAnnounced("A2", "R", shown=False)], "7 cante-not-shown A2 7"),
    ("barred", Options(swap=False), [*dealt(), *WON], [PintaSwapped("A1")], "7 swap-barred A1 7 card=7O costs=reverse_and_warn pinta=4O"),
    ("with another card", CLUB, [*dealt(), *WON], [PintaSwapped("A1", "6O")], "7 swap-barred A1 7 card=6O costs=reverse_and_warn pinta=4O"),
    ("the dos for no siete", CLUB, [*dealt(), *WON], [PintaSwapped("A1", "2O")], "7 two-for-seven-barred A1 7 card=2O costs=reverse_and_warn pinta=4O"),
    ("by the partner of the leader", Options(swap_by="leader", swap_needs_trick="none", wrong_swap="reverse"), dealt(), [PintaSwapped("A2")], "3 swap-by A2 3 card=7O costs=reverse pinta=4O"),
    ("without a trick", CLUB, dealt(), [PintaSwapped("A1")], "3 swap-no-trick A1 3 card=7O costs=reverse_and_warn pinta=4O"),
    ("after the lead", CLUB, [*dealt(), *WON], [*plays("A1 6E"), PintaSwapped("A1")], "8 swap-late A1 8 card=7O costs=reverse_and_warn pinta=4O"),
    ("for a blank", Options(swap_only_for_value=True), [*dealt(), *WON], [PintaSwapped("A1")], "7 swap-only-for-value A1 7 card=7O costs=reverse_and_warn pinta=4O"),
    ("before the partner draws the pinta", Options(swap_last_draw="not_with_partner", swap_needs_trick="any_trick"), dealt("4E"), [*FOUR_TRICKS, PintaSwapped("A2")], "19 swap-last-draw A2 19 card=7E costs=reverse_and_warn pinta=4E"),
    ("in 48 cards", Options(deck=48), dealt(), [PintaSwapped("A1")], "3 swap-no-trick A1 3 card=9O costs=reverse_and_warn pinta=4O"),
    ("with a siete that was laid by another", CLUB, [*dealt(A1="AC 3C RC SC CC 6C"), *plays("A1 AC, B1 2C, A2 4C, B2 5C"), *draws("A1 7C, B1, A2, B2")], [PintaSwapped("A2"), PintaSwapped("A1", "6O")], "13 swap-barred A1 13 card=6O costs=reverse_and_warn pinta=7O | 13 swap-disproved A1 13 card=6O costs=reverse_and_warn pinta=7O"),
    ("a claim in the first deal", CLUB, [*dealt(), *WON], [ClaimMade("A1")], "7 claim-in A1 7"),
    ("a claim after the count", Options(claim_in="any_deal", target=100), first_deal(EVEN), [ClaimMade("A1")], "12 claim-in A1 12"),
    ("a claim of another than the taker", Options(claim_in="any_deal", claim_by="trick_winner"), [*dealt(), *WON], [ClaimMade("A2")], "7 claim-by A2 7"),
    ("a claim of the other side", Options(claim_in="any_deal", claim_by="trick_winner_side"), [*dealt(), *WON], [ClaimMade("B1")], "7 claim-by B1 7"),
    ("a claim before any trick", Options(claim_in="any_deal", claim_by="trick_winner_side"), dealt(), [ClaimMade("B1")], "3 claim-by B1 3"),
    ("a claim where the target ends", Options(vueltas_end="at_target"), [*first_deal(EVEN), DealStarted("A1")], [ClaimMade("B1")], "13 claim-in B1 13"),
    ("a look at a trick of vueltas", CLUB, [*first_deal(EVEN), DealStarted("A1"), *tricks("B1 2, B1 2, B1 2")], [TrickReviewed("B2", 2)], "16 trick-not-viewable B2 16 trick=2"),
    ("any look at a trick of vueltas", Options(tricks_viewable_in_vueltas="none"), [*first_deal(EVEN), DealStarted("A1"), *tricks("B1 2")], [TrickReviewed("B2", 1)], "14 trick-not-viewable B2 14 trick=1"),
    ("a count that differs", CLUB, first_deal(EVEN), [CountEntered({"A": 70, "B": 61})], "12 count-differs - 12 called=61 counted=60 side=B"),
    ("a count that differs for both", CLUB, first_deal(EVEN), [CountEntered({"A": 60, "B": 70})], "12 count-differs - 12 called=60 counted=70 side=A | 12 count-differs - 12 called=70 counted=60 side=B"),
    ("a count of tricks without points", CLUB, first_deal(", ".join(["A1"] * 10)), [CountEntered({"A": 30, "B": 101})], "12 result-sum - 12 nearest=130, 150 sum=131"),
    ("a result with too few points", CLUB, [], [ResultEntered("A", "first_deal", {"A": 90, "B": 40})], "1 result-short - 1 points=90 side=A target=101"),
    ("a result below what is recorded", CLUB, first_deal(EVEN), [ResultEntered("A", "claim", {"A": 60, "B": 101})], "12 result-record - 12 counted=70 points=60 side=A"),
    ("late", replace(NO_STOCK, renuncio_until="next_trick"), [*dealt(), *LEAD, *PROOF], [B1_ACCUSED], "4 follow B1 9 card=6C trick=1 | 11 denounced-late A1 11 against=B1"),
    ("late, and proved later", replace(NO_STOCK, renuncio_until="next_trick"), [*dealt(), *LEAD, *plays("B2 4E, A1 5E, B1 7E, A2 6E"), B1_ACCUSED], [CardsShown("B1", ("6C",))], "4 follow B1 12 card=6C trick=1 | 11 denounced-late A1 12 against=B1"),
    ("talk", CLUB, [], [IncidentNoted("talk", "A1")], "1 talk A1 1 card="),
    ("signal", CLUB, dealt(), [IncidentNoted("signal", "B1")], "3 signal B1 3 card="),
    ("exposed", CLUB, dealt(), [IncidentNoted("exposed", "B1", "AC")], "3 card-exposed B1 3 card=AC"),
    ("to_partner", CLUB, dealt(), [IncidentNoted("to_partner", "B1", "AC")], "3 shown-to-partner B1 3 card=AC"),
    ("wrong_draw", CLUB, dealt(), [IncidentNoted("wrong_draw")], "3 wrong-draw - 3 card="),
    ("wrong_gathering", CLUB, [], [IncidentNoted("wrong_gathering", "A1")], "1 wrong-gathering A1 1 card="),
    ("late", CLUB, [], [IncidentNoted("late", "A1")], "1 late A1 1 card="),
    ("talk that is a renuncio", replace(CLUB, renuncio_cases=("talk",)), dealt(), [IncidentNoted("talk", "B1", "AC")], "3 talk B1 3 card=AC"),
]  # fmt: skip


@pytest.mark.parametrize("about, options, before, acts, text", CASES, ids=[c[0] for c in CASES])
def test_each_finding_tells_all_of_it(about, options, before, acts, text) -> None:
    scene = given(options, *before, *acts)
    assert " | ".join(map(told, scene.table.findings)) == text


def test_a_trick_that_was_recorded_with_impossible_points_tells_all_of_it() -> None:
    """It is refused now; an old log keeps it with its finding."""
    state = fold([opened(CLUB), DealStarted("B2"), *tricks("A1 1")])
    assert list(map(told, state.table.findings)) == ["2 trick-points A1 2 points=1"]


FIRST_DEALERS = [
    (CLUB, DealStarted("B1"), "1 wrong-dealer B1 1 due=A2"),
    (NO_STOCK, DealStarted("B1", 2, "", "A2", "3+3"), "1 wrong-dealer B1 1 due=A2 | 1 cut-too-small B1 1 cut=2 | 1 wrong-cutter A2 1 due=A1 | 1 wrong-packets B1 1 packets=one_by_one"),
]  # fmt: skip


@pytest.mark.parametrize("options, act, text", FIRST_DEALERS)
def test_a_deal_of_another_dealer_than_due_tells_all_of_it(options, act, text) -> None:
    scene = given(options, act, dealer_due="A2")
    assert " | ".join(map(told, scene.table.findings)) == text


@pytest.mark.parametrize("cost", ["none", "warning", "lose_partida"])
def test_an_unfounded_accusation_tells_all_of_it(cost) -> None:
    options = replace(NO_STOCK, target=230, false_accusation=cost)
    scene = given(options, *dealt(), B1_ACCUSED).play_out()
    last = 3 + 40
    found = [f for f in scene.table.findings if f.rule == Rule.ACCUSATION_UNFOUNDED]
    assert list(map(told, found)) == [f"3 accusation-unfounded A1 {last} against=B1 costs={cost}"]


def accusations(scene) -> list[str]:
    found = scene.table.findings
    return [told(one) for one in found if one.rule == Rule.ACCUSATION_UNFOUNDED]


def test_each_of_two_unfounded_accusations_is_noted() -> None:
    options = replace(NO_STOCK, target=230, false_accusation="none")
    scene = given(options, *dealt(), B1_ACCUSED, RenuncioDenounced("B2", "A1")).play_out()
    assert [text.split()[:3] for text in accusations(scene)] == [
        ["3", "accusation-unfounded", "A1"],
        ["4", "accusation-unfounded", "B2"],
    ]


def test_an_accusation_in_vueltas_waits_for_the_cards_of_this_deal() -> None:
    options = replace(NO_STOCK, target=230, renuncio_until="end_of_partida")
    scene = given(options, *dealt()).play_out()
    scene.tell(DealStarted("A1"), PintaTurned("4O"), B1_ACCUSED)
    assert accusations(scene) == []


def test_a_finding_is_taken_back_with_the_card_that_was_its_proof() -> None:
    sung = [*dealt(), *WON, cante("A1", "E", shown=None), CardsShown("B1", ("SE",))]
    scene = given(NO_STOCK, *sung)
    assert list(map(told, scene.table.findings)) == [
        "7 cante-disproved A1 8 costs=annul_and_warn suit=E"
    ]
    assert not scene.tell(withdraw(8)).table.findings


def test_every_rule_that_a_table_notes_has_a_case_here() -> None:
    texts = [*(case[-1] for case in CASES), *(case[-1] for case in FIRST_DEALERS)]
    noted = {text.split()[1] for row in texts for text in row.split(" | ") if text}
    noted.add(Rule.ACCUSATION_UNFOUNDED)  # in a test of its own, after a whole deal
    noted.add(Rule.TRICK_POINTS)  # as above, of an old log
    assert rules_named_in("referee/table", "finding") <= noted
