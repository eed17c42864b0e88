"""Cantes and tute: windows, tricks needed, numbers allowed, what is shown and what disproves."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.events import (
    CanteAnnounced,
    CardsShown,
    ClaimMade,
    DealStarted,
    HandEntered,
    IncidentNoted,
    PintaSwapped,
    RulingGiven,
    StockEntered,
    SuitRequested,
    TuteAnnounced,
    WrongDraw,
)
from referee.rules.articles import Rule
from referee.rules.cards import SUITS
from referee.rules.evidence.history import SungEvidence
from referee.rules.profile.options import EARLIER_LAW, LAW, Options
from referee.table.verdicts import judge_acts
from tests.support.records.table_text import CLUB, NO_STOCK, TWO, cante, dealt, draws, given, plays

# Trump is oros, A1 is mano and takes the first trick.
WON = plays("A1 AC, B1 2C, A2 4C, B2 5C")
W1 = Options(cante_window="before_draw")
W3 = Options(cante_window="before_rival_card")
DRAWN = draws("A1, B1, A2, B2")
ALL_DRAWN_BUT_WINNER = draws("B1, A2, B2")

WINDOWS = [
    ("W1, at once", W1, [], cante("A1", "E"), []),
    ("W1, nobody noted the draws", W1, [], cante("A2", "E"), []),
    ("W1, the winner has drawn", W1, draws("A1"), cante("A2", "E"), [Rule.CANTE_LATE]),
    ("W1, others drew, the winner not", W1, draws("B1"), cante("A1", "E"), []),
    ("W2, all drew", CLUB, DRAWN, cante("A1", "E"), []),
    ("W2 is over with the lead", CLUB, plays("A1 6E"), cante("A1", "B"), [Rule.CANTE_LATE]),
    ("W3, after the own lead", W3, plays("A1 6E"), cante("A2", "B"), []),
    ("W3, after a rival's card", W3, plays("A1 6E, B1 2E"), cante("A2", "B"), [Rule.CANTE_LATE]),
    ("W3, a rival led", W3, plays("B1 2E"), cante("A1", "B"), [Rule.CANTE_LATE]),
]


@pytest.mark.parametrize(
    "about, options, between, act, rules", WINDOWS, ids=[w[0] for w in WINDOWS]
)
def test_a_cante_counts_while_its_window_is_open(about, options, between, act, rules) -> None:
    scene = given(options, *dealt(), *WON, *between).when(act)
    scene.finds(*rules)
    scene.sung(**{} if rules else {"A": 20})


def test_without_a_stock_the_window_runs_to_the_lead() -> None:
    options = replace(NO_STOCK, cante_window="before_draw")
    trick = plays("A1 AC, B1 2C, A2 4C, B2 5C")
    given(options, *dealt("4O"), *trick, cante("A1", "E")).sung(A=20).finds_not()
    led = given(options, *dealt("4O"), *trick, *plays("A1 2E"), cante("A1", "B"))
    led.sung().finds_only(Rule.CANTE_LATE)


def test_there_is_no_cante_before_a_trick_nor_after_the_last() -> None:
    given(CLUB, *dealt(), cante("A1", "E")).finds_only(Rule.CANTE_NO_TRICK).sung()
    unreachable = replace(TWO, target=230)
    scene = given(unreachable, *dealt("4O", "B1")).play_out().in_vueltas()
    assert len(scene.table.deal.tricks) == 20
    last = scene.table.deal.taker_of_last_trick
    scene.tell(cante(last, "B")).finds(Rule.CANTE_LATE).sung()


ANOTHER = plays("A1 6C, B1 3C, A2 7C, B2 CC")
NEEDS = [
    ("the side took the last trick", CLUB, WON, cante("A2", "E"), []),
    ("the side lost the last trick", CLUB, WON, cante("B1", "E"), [Rule.CANTE_NO_TRICK]),
    (
        "any trick, one taken",
        Options(cante_needs_trick="any_trick"),
        [*WON, *ANOTHER],
        cante("A1", "E"),
        [],
    ),
    (
        "any trick, none taken",
        Options(cante_needs_trick="any_trick"),
        WON,
        cante("B1", "E"),
        [Rule.CANTE_NO_TRICK],
    ),
    (
        "last trick, an earlier one taken",
        CLUB,
        [*WON, *ANOTHER],
        cante("A1", "E"),
        [Rule.CANTE_NO_TRICK],
    ),
    ("forty in trumps", CLUB, WON, cante("A1", "O"), []),
]


@pytest.mark.parametrize("about, options, before, act, rules", NEEDS, ids=[n[0] for n in NEEDS])
def test_a_cante_needs_a_trick(about, options, before, act, rules) -> None:
    scene = given(options, *dealt(), *before, act).finds_only(*rules)
    scene.sung(**{} if rules else {"A": 40 if act.suit == "O" else 20})


NUMBERS = [
    ("one a player", CLUB, [cante("A1", "E"), cante("A1", "B")], 20, [Rule.CANTES_PER_PLAYER]),
    ("two a player", Options(cantes_per_player=2), [cante("A1", "E"), cante("A1", "B")], 40, []),
    ("one each, two a side", CLUB, [cante("A1", "E"), cante("A2", "B")], 40, []),
    (
        "three a player, but two a side",
        Options(cantes_per_player=3),
        [cante("A1", "E"), cante("A2", "B"), cante("A1", "C")],
        40,
        [Rule.CANTES_PER_SIDE],
    ),
    (
        "three a player, no limit a side",
        Options(cantes_per_player=3, cantes_per_side=0),
        [cante("A1", "E"), cante("A1", "B"), cante("A1", "O")],
        80,
        [],
    ),
    (
        "the same suit twice",
        CLUB,
        [cante("A1", "E"), cante("A2", "E")],
        20,
        [Rule.CANTE_ALREADY_SUNG],
    ),
    (
        "a void one takes no place",
        CLUB,
        [cante("A1", "E"), cante("A2", "E"), cante("A2", "B")],
        40,
        [Rule.CANTE_ALREADY_SUNG],
    ),
    (
        "a twenty that had to be shown takes no place",
        Options(cantes_per_player=3, cantes_per_side=0, cante_20_shown="not_in_arrastre"),
        [cante("A1", "E"), cante("A1", "B"), cante("A2", ""), cante("A2", "C")],
        60,
        [Rule.CANTE_NOT_SHOWN],
    ),
    (
        "a fourth twenty is of no suit",
        Options(cantes_per_player=3, cantes_per_side=0, law=EARLIER_LAW),
        [cante("A1", "E"), cante("A1", "B"), cante("A2", ""), cante("A2", "C")],
        60,
        [Rule.CANTE_ALREADY_SUNG, Rule.CANTE_NOT_SHOWN],
    ),
]


@pytest.mark.parametrize(
    "about, options, cantes, points, rules", NUMBERS, ids=[n[0] for n in NUMBERS]
)
def test_so_many_cantes_for_a_trick(about, options, cantes, points, rules) -> None:
    cards = plays("A1 AC, B1 2C, A2 4C, B2 5C")
    said = [CanteAnnounced(act.seat, act.suit) for act in cantes]
    scene = given(options, *dealt(), *cards, *said)
    scene.finds(*rules).sung(A=points)


def test_the_number_of_cantes_begins_anew_with_each_trick() -> None:
    again = plays("A1 6C, B1 7C, A2 3C, B2 CC")
    scene = given(CLUB, *dealt(), *WON, cante("A1", "E"), *again, cante("A1", "B"))
    scene.sung(A=40).finds_not()


ARRASTRE = plays(
    "A1 AC, B1 2C, A2 4C, B2 5C, A1 3C, B1 6C, A2 7C, B2 CC, A1 AE, B1 2E, A2 4E, B2 5E,"
    " A1 3E, B1 6E, A2 7E, B2 CE"
)


@pytest.mark.parametrize("is_allowed", [True, False])
def test_a_cante_in_arrastre(is_allowed: bool) -> None:
    options = Options(cante_in_arrastre=is_allowed)
    unseen = given(options, *dealt(), *ARRASTRE, cante("A1", "B")).finds_not().sung(A=20)
    assert unseen.table.deal.stock == 4
    seen = given(options, *dealt(), *ARRASTRE, *DRAWN, cante("A1", "B"))
    seen.finds_only(*[] if is_allowed else [Rule.CANTE_IN_ARRASTRE])
    seen.sung(**{"A": 20} if is_allowed else {})


SWAP = PintaSwapped("A1")


@pytest.mark.parametrize("is_first", [True, False])
def test_a_cante_after_the_swap(is_first: bool) -> None:
    options = Options(cante_before_swap=is_first, cante_window="before_rival_card")
    late = [Rule.CANTE_AFTER_SWAP] if is_first else []
    given(options, *dealt(), *WON, SWAP, cante("A1", "E")).finds_only(*late)
    given(options, *dealt(), *WON, cante("A1", "E"), SWAP).finds_not().sung(A=20)
    after_lead = given(options, *dealt(), *WON, SWAP, *plays("A1 6E"), cante("A1", "B"))
    after_lead.finds_only(*late)
    next_trick = plays("A1 6E, B1 2E, A2 5E, B2 4E")
    given(options, *dealt(), *WON, SWAP, *next_trick, cante("A1", "B")).finds_not().sung(A=20)


NOT_SHOWN = [Rule.CANTE_NOT_SHOWN]
SHOWING = [
    ("always", "B", True, [], []),
    ("always", "B", False, NOT_SHOWN, NOT_SHOWN),
    ("always", "", True, NOT_SHOWN, NOT_SHOWN),
    ("always", "O", False, [], []),
    ("not_in_arrastre", "B", False, NOT_SHOWN, []),
    ("not_in_arrastre", "O", False, [], []),
    ("not_in_arrastre", "", None, NOT_SHOWN, []),
    ("suit_named", "B", False, [], []),
    ("suit_named", "", None, NOT_SHOWN, NOT_SHOWN),
    ("suit_on_request_in_arrastre", "B", False, [], []),
    ("suit_on_request_in_arrastre", "", None, NOT_SHOWN, []),
]


@pytest.mark.parametrize("shown, suit, was_shown, free, arrastre", SHOWING)
def test_a_twenty_is_shown_as_the_profile_says(shown, suit, was_shown, free, arrastre) -> None:
    options = Options(cante_20_shown=shown)
    act = CanteAnnounced("A1", suit, was_shown)
    points = 40 if suit == "O" else 20
    for before, finds in (([*dealt(), *WON], free), ([*dealt(), *ARRASTRE, *DRAWN], arrastre)):
        given(options, *before, act).finds_only(*finds).sung(**{} if finds else {"A": points})
        earlier = given(replace(options, law=EARLIER_LAW), *before, act)
        earlier.finds_only(*finds).sung(A=points)


def test_a_cante_is_void_when_its_cards_are_certainly_elsewhere() -> None:
    void = [Rule.CANTE_DISPROVED]
    played = plays("A1 SC, B1 2C, A2 AC, B2 5C")
    given(CLUB, *dealt(), *played, cante("A1", "C")).finds_only(*void).sung()
    given(CLUB, *dealt("RO"), *WON, cante("A1", "O")).finds_only(*void).sung()
    shown = CardsShown("B1", ("SE",))
    given(CLUB, *dealt(), *WON, shown, cante("A1", "E")).finds_only(*void).sung()
    without = CardsShown("A1", (), ("E",))
    given(CLUB, *dealt(), *WON, *DRAWN, without, cante("A1", "E")).finds_only(*void).sung()
    hand = dealt(A1="AC 2E 4E 5E 6E 7E")
    given(CLUB, *hand, *WON, cante("A1", "B")).finds_only(*void).sung()  # one draw, two cards
    # The draw of A1 may have happened, until it is noted.
    hand = dealt(A1="AC RB 4E 5E 6E 7E")
    for before in ([], draws("B1")):
        said = cante("A1", "B", shown=None)
        scene = given(CLUB, *hand, *WON, *before, said).finds_not().sung(A=20)
        scene.tell(*draws("A1")).finds(*void).sung()
    given(CLUB, *hand, *WON, *draws("A1"), cante("A1", "B")).finds_not().sung(A=20)
    hidden = CanteAnnounced("A1")
    twice = plays("A1 SC, B1 SE, A2 SB, B2 5C")
    scene = given(CLUB, *dealt(), *twice, hidden)
    scene.finds(*void).sung()


STOCK = "3C CC SC RC SE RE CE 3E AE CB SB RB 3B AB 2B"


def test_a_cante_whose_cards_lie_in_the_stock_is_void() -> None:
    stock = StockEntered(tuple(STOCK.split()))
    hands = dealt(A1="AC 2E 4E 5E 6E 7E")
    given(CLUB, *hands, stock, *WON, *draws("A1"), cante("A1", "E")).finds(Rule.CANTE_DISPROVED)
    # Nobody recorded the draws: the player may have drawn the top card unseen, but not the fourth too.
    given(CLUB, *hands, stock, *WON, cante("A1", "E")).finds(Rule.CANTE_DISPROVED).sung()


DISPROVING = [
    ("another plays it", plays("A1 6C, B1 SE")),
    ("another shows it", [CardsShown("B2", ("RE",))]),
    ("another exposes it", [IncidentNoted("exposed", "B2", "RE")]),
    ("it is drawn later", draws("A1 RE")),
    ("it is drawn wrongly", [WrongDraw("B1", "out_of_order", "RE")]),
    ("it was dealt to another", [HandEntered("B1", ("2C", "SE"))]),
    ("it lies in the stock", [StockEntered(("SE",))]),
]


@pytest.mark.parametrize("about, after", DISPROVING, ids=[d[0] for d in DISPROVING])
def test_a_cante_is_void_from_the_line_that_disproves_it(about, after) -> None:
    for law, points in ((LAW, {}), (EARLIER_LAW, {"A": 20})):
        options = replace(CLUB, law=law)
        scene = given(options, *dealt(), *WON, cante("A1", "E", shown=None)).finds_not()
        sung_at = scene.state.version
        scene.sung(A=20).tell(*after).finds(
            Rule.CANTE_DISPROVED, line=sung_at, seat="A1", known_at=scene.state.version
        )
        scene.sung(**points)
        ruling = RulingGiven("annul_act", "text", line=sung_at)
        scene.tell(ruling).sung()


def test_a_cante_disproved_after_a_claim_counts_until_a_ruling() -> None:
    options = Options(claim_in="any_deal", target=31)
    scene = given(options, *dealt(), *WON, cante("A1", "E", shown=None))
    sung_at = scene.state.version
    scene.tell(ClaimMade("A1")).judged("A1", 31, reached=True)
    scene.tell(HandEntered("B1", ("SE",), "now")).finds_only(Rule.CANTE_DISPROVED).sung(A=20)
    assert scene.table.deal.cantes[0].verdict.answer == "unlawful"
    scene.tell(RulingGiven("annul_act", "text", line=sung_at)).sung()
    scene.judged("A1", 11, reached=False).then("B", "false_claim", A=11, B=0)


def test_a_cante_is_disproved_once() -> None:
    scene = given(CLUB, *dealt(), *WON, cante("A1", "E", shown=None))
    scene.tell(plays("A1 6C, B1 SE, A2 7C, B2 RE"))
    assert [f.rule for f in scene.table.findings] == [Rule.CANTE_DISPROVED]


def test_a_hidden_twenty_is_disproved_when_every_suit_is() -> None:
    scene = given(replace(CLUB, law=EARLIER_LAW), *dealt(), *WON, CanteAnnounced("A1"))
    scene.tell(plays("A1 6C, B1 SC, A2 7C, B2 SE")).finds_only(Rule.CANTE_NOT_SHOWN)
    scene.tell(plays("B1 2E, A2 4E, B2 SB"))
    scene.finds_only(Rule.CANTE_NOT_SHOWN, Rule.CANTE_DISPROVED).sung(A=20)


def test_a_cante_that_a_condition_bars_stays_what_it_was() -> None:
    scene = given(CLUB, *dealt(), *WON, CanteAnnounced("A1")).sung()
    scene.tell(plays("A1 6C, B1 SC, A2 7C, B2 SE, B1 2E, A2 4E, B2 SB"))
    scene.finds_only(Rule.CANTE_NOT_SHOWN).sung()


def test_the_own_later_play_disproves_nothing() -> None:
    scene = given(CLUB, *dealt(), *WON, cante("A1", "E"), *plays("A1 RE, B1 2E, A2 4E, B2 5E"))
    scene.finds_not().sung(A=20)


def test_a_cante_annulled_by_ruling_frees_its_suit() -> None:
    scene = given(CLUB, *dealt(), *WON, cante("A1", "E", shown=None))
    scene.tell(RulingGiven("annul_act", "text", line=scene.state.version))
    scene.tell(cante("A2", "E", shown=None)).finds_not().sung(A=20)


def test_a_pair_that_is_shown_disproves_an_earlier_cante_at_once() -> None:
    """Score and evidence agree from the line at which the cards are shown, not from the next one.

    The suit was not sung by a cante that was false, so that of its true holder stands.
    """
    scene = given(CLUB, *dealt(), *WON, cante("A1", "E", shown=None))
    sung = scene.state.version
    scene.tell(*plays("A1 2O, B1 6C, A2 3O, B2 5B"), cante("A2", "E"))
    scene.finds_only(Rule.CANTE_DISPROVED).sung(A=20)
    scene.finds(Rule.CANTE_DISPROVED, line=sung, seat="A1")


def test_a_cante_repeated_before_the_first_is_known_to_be_false_is_void() -> None:
    scene = given(CLUB, *dealt(), *WON, cante("A1", "E", shown=None))
    scene.tell(*plays("A1 2O, B1 6C, A2 3O, B2 5B"), cante("A2", "E", shown=None))
    again = scene.state.version
    scene.finds(Rule.CANTE_ALREADY_SUNG, line=again, seat="A2").sung(A=20)
    scene.tell(CardsShown("A2", ("RE", "SE")))
    scene.finds(Rule.CANTE_ALREADY_SUNG, line=again, seat="A2").sung()


def test_a_cante_stands_again_when_a_ruling_annuls_the_first_of_its_suit() -> None:
    scene = given(CLUB, *dealt(), *WON, cante("A1", "E", shown=None))
    sung = scene.state.version
    scene.tell(*plays("A1 2O, B1 6C, A2 3O, B2 5B"), cante("A2", "E", shown=None))
    scene.finds(Rule.CANTE_ALREADY_SUNG, seat="A2").sung(A=20)
    scene.tell(RulingGiven("annul_act", "t1", line=sung))
    scene.finds_not(Rule.CANTE_ALREADY_SUNG).sung(A=20)
    assert [cante.void for cante in scene.table.deal.cantes] == [True, False]


def test_nobody_sings_before_there_is_a_trump() -> None:
    given(CLUB, DealStarted("B2")).when(cante("A1", "O")).refused(Rule.NO_PINTA)
    given(CLUB, DealStarted("B2")).when(TuteAnnounced("A1", "R")).refused(Rule.NO_PINTA)
    given(CLUB, DealStarted("B2")).when(PintaSwapped("A1")).refused(Rule.NO_PINTA)


# --- the suit of a hidden 20 is asked for ---------------------------------------------------------

ON_REQUEST = Options(cante_20_shown="suit_on_request_in_arrastre")
SUNG = [*dealt(), *ARRASTRE, *DRAWN, CanteAnnounced("A1", "")]
"""A1 sings a 20 in arrastre, without its suit."""


def test_a_hidden_twenty_is_named_when_the_partner_asks() -> None:
    scene = given(ON_REQUEST, *SUNG).finds_not().sung(A=20)
    sung_at = scene.state.version
    scene.tell(SuitRequested("A2", "A1", "B")).finds_not().sung(A=20)
    assert scene.table.deal.cantes[-1].suit == SUITS.index("B")
    scene.tell(HandEntered("B1", ("SB",), "now"))
    scene.finds_only(Rule.CANTE_DISPROVED).finds(Rule.CANTE_DISPROVED, line=sung_at).sung()


def test_a_suit_that_has_to_be_named_and_is_not_voids_the_twenty() -> None:
    scene = given(ON_REQUEST, *SUNG)
    sung_at = scene.state.version
    scene.tell(SuitRequested("A2", "A1")).finds_only(Rule.CANTE_NOT_SHOWN).sung()
    scene.finds(Rule.CANTE_NOT_SHOWN, line=sung_at, known_at=scene.state.version)


@pytest.mark.parametrize(("options", "by"), [(ON_REQUEST, "B1"), (CLUB, "A2")])
def test_a_suit_that_need_not_be_named_may_be_kept(options: Options, by: str) -> None:
    scene = given(options, *SUNG, SuitRequested(by, "A1"))
    scene.finds_only(Rule.SUIT_REQUEST_BARRED).sung(A=20)
    answered = given(options, *SUNG, SuitRequested(by, "A1", "B"))
    answered.finds_only(Rule.SUIT_REQUEST_BARRED).sung(A=20)


@pytest.mark.parametrize("suit", ["O", "E"], ids=["the trump", "one that is sung already"])
def test_a_twenty_stands_by_the_suit_that_it_turns_out_to_be(suit: str) -> None:
    options = replace(ON_REQUEST, cantes_per_player=2)
    scene = given(options, *SUNG, cante("A1", "E")).sung(A=40)
    scene.tell(SuitRequested("A2", "A1", suit))
    scene.finds_only(Rule.CANTE_ALREADY_SUNG).sung(A=20)


def test_a_true_cante_stands_beside_a_hidden_one_that_turns_out_to_be_false() -> None:
    scene = given(ON_REQUEST, *SUNG, cante("A2", "E")).sung(A=40)
    hidden = scene.table.deal.cantes[0].line
    scene.tell(SuitRequested("A2", "A1", "E")).finds_only(Rule.CANTE_DISPROVED)
    scene.finds(Rule.CANTE_DISPROVED, line=hidden).sung(A=20)


def test_a_pair_is_sung_again_when_a_ruling_annuls_the_hidden_twenty_of_its_singer() -> None:
    """The only pair of the hand: sung twice it is void, and alone it stands."""
    scene = given(
        replace(NO_STOCK, cante_20_shown="not_in_arrastre"),
        *dealt("2O", A1="RC SC AO 3O AE AB 4O 5O 6O 7O"),
        *plays("A1 AO, B1 2C, A2 4C, B2 5C"),
        cante("A1", shown=None),
    )
    hidden = scene.state.version
    scene.tell(*plays("A1 3O, B1 6C, A2 7C, B2 AC"), cante("A1", "C", shown=None))
    scene.finds(Rule.CANTE_DISPROVED, line=scene.state.version)
    scene.tell(RulingGiven("annul_act", "t1", line=hidden))
    assert [one.void for one in scene.table.deal.cantes] == [True, False]
    scene.sung(A=20)


def test_only_a_hidden_cante_can_be_asked_about() -> None:
    scene = given(ON_REQUEST, *dealt(), *ARRASTRE, *DRAWN, cante("A1", "E"))
    scene.when(SuitRequested("A2", "A1", "E")).refused(Rule.NO_HIDDEN_CANTE, seat="A1")
    scene.tell(CanteAnnounced("A2", "")).when(SuitRequested("A1", "A2", "B")).recorded()
    scene.when(SuitRequested("A1", "A2", "B")).refused(Rule.NO_HIDDEN_CANTE)


def test_a_barred_twenty_is_named_and_stays_void() -> None:
    late = [*dealt(), *ARRASTRE, *DRAWN, *plays("A1 2B"), CanteAnnounced("A1", "")]
    scene = given(ON_REQUEST, *late).finds_only(Rule.CANTE_LATE)
    scene.tell(SuitRequested("A2", "A1")).finds_only(Rule.CANTE_LATE).sung()


def test_whose_cards_prove_a_hidden_twenty_prove_only_the_suit_that_is_named() -> None:
    """Every side suit is in the hand; once its suit is named, the cante depends on that alone."""
    hand = HandEntered("A1", tuple("RC SC RE SE RB SB".split()), "now")
    scene = given(replace(ON_REQUEST, players=4), *dealt(), *ARRASTRE, *DRAWN, hand)
    scene.tell(CanteAnnounced("A1", "")).sung(A=20)
    assert scene.table.deal.cantes[-1].verdict.answer == "lawful"
    scene.tell(SuitRequested("A2", "A1", "C")).finds_not().sung(A=20)
    assert scene.table.deal.cantes[-1].verdict.answer == "lawful"


# --- the 40 ---------------------------------------------------------------------------------------


def test_a_forty_that_is_shown_where_it_never_is_counts_with_a_finding() -> None:
    never = Options(cante_40_shown="never")
    given(never, *dealt(), *WON, cante("A1", "O")).finds_only(Rule.CANTE_40_SHOWN).sung(A=40)
    given(never, *dealt(), *WON, cante("A1", "O", shown=False)).finds_not().sung(A=40)
    given(never, *dealt(), *WON, cante("A1", "E")).finds_not().sung(A=20)
    given(CLUB, *dealt(), *WON, cante("A1", "O")).finds_not().sung(A=40)


# --- a draw noted one act late --------------------------------------------------------------------

KNOWN = dealt(A1="AC RB 4E 5E 6E 7E")
SLIPS = [
    ("noted one act late", [cante("A1", "B", shown=None), *draws("A1")], (8, 9)),
    ("another act between", [cante("A1", "B", shown=None), *draws("B1, A1")], None),
    ("nor would it be true before", [cante("A1", "C", shown=None), *draws("A1 2B")], None),
    ("the draw of another", [cante("A1", "C", shown=None), *draws("B1"), *draws("A1")], None),
    ("nothing after it", [cante("A1", "C", shown=None)], None),
]


@pytest.mark.parametrize("about, after, lines", SLIPS, ids=[one[0] for one in SLIPS])
def test_a_draw_noted_late_may_explain_a_cante_that_is_disproved(about, after, lines) -> None:
    scene = given(CLUB, *KNOWN, *WON, *after).finds(Rule.CANTE_DISPROVED)
    rows = judge_acts(scene.table, scene.state.standing_acts)
    (row,) = [one for one in rows if one.rule == Rule.CANTE_DISPROVED]
    assert (row.slip and row.slip.lines) == lines
    assert row.slip is None or row.slip.kind == "draw_late"
    plain = judge_acts(scene.table, scene.state.standing_acts, with_slips=False)
    assert all(one.slip is None for one in plain)


def test_evidence_on_cantes_is_that_of_its_sights() -> None:
    deal = given(CLUB, *dealt(), *WON, cante("A1", "E", shown=None)).table.deal
    first = deal.sung
    assert first.evidence_from_all_sights(deal.sights) is first
    again = SungEvidence().evidence_from_all_sights(deal.sights)
    assert (again, hash(again)) == (first, hash(first))
    assert SungEvidence() != first
