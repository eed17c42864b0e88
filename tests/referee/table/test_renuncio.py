"""Renuncio: what proves it, who denounced it in time, and what it costs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.events import (
    CardsShown,
    ClaimMade,
    Conceded,
    CountEntered,
    DealAnnulled,
    DealStarted,
    HandEntered,
    IncidentNoted,
    PintaTurned,
    RenuncioDenounced,
    RulingGiven,
)
from referee.rules.articles import Rule
from referee.rules.profile.options import Options
from tests.support.records.table_text import (
    CLUB,
    NO_STOCK,
    THREE,
    Scene,
    dealt,
    draws,
    first_deal,
    given,
    insert,
    plays,
    tricks,
    withdraw,
)

# Ten cards each, trump oros: the duties hold from the first trick, and B1 does not follow.
LEAD = "A1 2C, B1 2E, A2 4C, B2 5C"
BREACH = plays(LEAD)
PROOF = plays("B2 4E, A1 5E, B1 6C, A2 6E")
"""B1's own later card proves that B1 could have followed suit."""
NEXT = plays("B2 4E, A1 5E, B1 7E, A2 6E")
DENOUNCED = RenuncioDenounced("A1", "B1")
UNREACHABLE = replace(NO_STOCK, target=230)


def with_option(**options: object) -> Options:
    return replace(NO_STOCK, **options)


def test_a_known_hand_proves_it_at_once() -> None:
    hand = dealt("4O", B1="2E 6C 7C CC SC RC 3C AC 4E 5E")
    scene = given(NO_STOCK, *hand, *BREACH)
    scene.finds(Rule.FOLLOW, line=5, seat="B1", known_at=5).undecided()
    scene.tell(DENOUNCED).then("A", "renuncio")


def test_the_own_later_card_proves_it() -> None:
    scene = given(NO_STOCK, *dealt(), *BREACH).finds_not()
    scene.tell(DENOUNCED).undecided()
    scene.tell(PROOF[:3]).finds(Rule.FOLLOW, line=4, seat="B1", known_at=scene.state.version)
    scene.then("A", "renuncio")


def test_it_costs_nothing_until_somebody_denounces_it() -> None:
    scene = given(NO_STOCK, *dealt(), *BREACH, *PROOF).finds(Rule.FOLLOW).undecided()
    scene.tell(DENOUNCED).then("A", "renuncio")


PROOFS = [
    ("cards shown", CardsShown("B1", ("6C",))),
    ("a hand entered as dealt", HandEntered("B1", ("2E", "6C"))),
    ("a hand entered now", HandEntered("B1", ("6C", "7C"), "now")),
    ("a card exposed", IncidentNoted("exposed", "B1", "6C")),
]


@pytest.mark.parametrize("about, proof", PROOFS, ids=[p[0] for p in PROOFS])
def test_whatever_shows_the_card_proves_it(about, proof) -> None:
    scene = given(NO_STOCK, *dealt(), *BREACH, DENOUNCED).undecided()
    scene.tell(proof).finds(Rule.FOLLOW, line=4).then("A", "renuncio")


def test_the_second_of_two_cards_at_once_proves_it() -> None:
    scene = given(NO_STOCK, *dealt(), *plays("A1 2C, B1 2E, B1 6C"), DENOUNCED)
    scene.finds(Rule.TWO_CARDS_AT_ONCE, Rule.FOLLOW).then("A", "renuncio")


def test_an_accusation_after_the_decision_changes_nothing_while_it_is_not_proved() -> None:
    options = replace(NO_STOCK, claim_in="any_deal", target=20)
    trick = plays("A1 2C, B1 2E, A2 AC, B2 3C")
    scene = given(options, *dealt(), *trick, ClaimMade("A1")).then("A", "claim", A=21, B=0)
    scene.when(plays("A2 4C")).refused(Rule.PARTIDA_DECIDED, winner="A", how="claim")
    lost = given(options, *dealt(), *trick, ClaimMade("B1")).then("A", "false_claim")
    lost.tell(RenuncioDenounced("B1", "A1")).then("A", "false_claim")


DUTIES = [
    ("follow", LEAD, "B1", "6C", Rule.FOLLOW),
    ("beat", "A1 4C, B1 5C, A2 RC, B2 2C", "B2", "AC", Rule.BEAT),
    ("trump", "A1 RC, B1 2E, A2 4C, B2 5C", "B1", "2O", Rule.TRUMP),
    ("overtrump", "A1 RC, B1 4C, A2 5O, B2 4E", "B2", "AO", Rule.OVERTRUMP),
]


@pytest.mark.parametrize("about, trick, seat, card, rule", DUTIES, ids=[d[0] for d in DUTIES])
def test_each_duty_has_its_breach(about, trick, seat, card, rule) -> None:
    rival = "A1" if seat[0] == "B" else "B1"
    scene = given(NO_STOCK, *dealt("7O"), *plays(trick))
    scene.tell(RenuncioDenounced(rival, seat), CardsShown(seat, (card,)))
    scene.finds(rule, seat=seat).then(rival[0], "renuncio")


@pytest.mark.parametrize("undertrump, rule", [("free", None), ("forced", Rule.UNDERTRUMP)])
def test_undertrump_is_a_breach_where_it_is_a_duty(undertrump, rule) -> None:
    options = with_option(undertrump=undertrump)
    scene = given(options, *dealt("7O"), *plays("A1 RC, B1 AO, A2 2E"), CardsShown("A2", ("2O",)))
    scene.finds_only(*[rule] if rule else [])


@pytest.mark.parametrize("is_case", [True, False])
def test_only_the_cases_of_the_profile_are_a_renuncio(is_case) -> None:
    options = with_option(renuncio_cases=("follow", "beat") if is_case else ("beat", "trump"))
    scene = given(options, *dealt(), *BREACH, *PROOF, DENOUNCED).finds(Rule.FOLLOW)
    if is_case:
        scene.then("A", "renuncio")
    else:
        scene.undecided()


TALK = ("follow", "beat", "trump", "out_of_turn_in_arrastre", "talk")


@pytest.mark.parametrize("incident", ["talk", "signal"])
def test_talk_may_be_a_renuncio(incident) -> None:
    options = with_option(renuncio_cases=TALK)
    said = [*BREACH, IncidentNoted(incident, "B1"), DENOUNCED]
    given(options, *dealt(), *said).then("A", "renuncio")
    given(NO_STOCK, *dealt(), *said).undecided()
    annulled = RulingGiven("annul_act", "text", line=7)
    given(options, *dealt(), *said, annulled).undecided()


def test_out_of_turn_in_arrastre_may_be_a_renuncio() -> None:
    options = with_option(renuncio_cases=TALK)
    scene = given(options, *dealt(), *plays("B1 2C"), DENOUNCED)
    scene.finds_only(Rule.OUT_OF_TURN_IN_ARRASTRE).then("A", "renuncio")
    given(NO_STOCK, *dealt(), *plays("B1 2C"), DENOUNCED).finds_only(Rule.OUT_OF_TURN).undecided()
    free = Options(renuncio_cases=TALK)
    given(free, *dealt(), *plays("B1 2C"), DENOUNCED).finds_only(Rule.OUT_OF_TURN).undecided()


def test_while_there_is_a_stock_any_card_may_be_laid() -> None:
    scene = given(CLUB, *dealt(), *BREACH, CardsShown("B1", ("6C",)), DENOUNCED)
    scene.finds_not().undecided()


def test_with_the_stock_gone_the_duties_hold() -> None:
    scene = given(CLUB, *dealt("AO")).play_out(until=4)
    seats = leader, void, *_ = scene.table.deal.gap.to_draw
    scene.tell(draws(", ".join(seats)))
    scene.tell(CardsShown(void, ("4B", "5B")), *plays(f"{leader} 3B, {void} AE"))
    scene.finds(Rule.FOLLOW, seat=void)


LIMITS = [
    ("next_trick", BREACH, 0, True),
    ("next_trick", [*BREACH, *NEXT[:3]], 1, True),
    ("next_trick", [*BREACH, *NEXT], 1, False),
    ("next_trick", [*BREACH, *NEXT], 0, False),
    ("end_of_deal", [*BREACH, *NEXT], 1, True),
    ("end_of_partida", [*BREACH, *NEXT], 0, True),
]


@pytest.mark.rule(Rule.RENUNCIO)
@pytest.mark.parametrize("until, before, trick, in_time", LIMITS)
def test_a_renuncio_is_denounced_in_time_or_late(until, before, trick, in_time) -> None:
    said = RenuncioDenounced("A1", "B1", trick)
    scene = given(with_option(renuncio_until=until), *dealt(), *before, said)
    at = scene.state.version
    scene.tell(CardsShown("B1", ("6C",)))
    if in_time:
        scene.then("A", "renuncio").finds_not(Rule.DENOUNCED_LATE)
    else:
        scene.undecided().finds(Rule.DENOUNCED_LATE, line=at, seat="A1")
        scene.tell(CardsShown("B1", ("7C",)))
        assert sum(f.rule == Rule.DENOUNCED_LATE for f in scene.table.findings) == 1


def test_only_a_play_before_the_denunciation_is_denounced() -> None:
    scene = given(NO_STOCK, *dealt(), RenuncioDenounced("A1", "B1", 1), *BREACH, *PROOF)
    scene.finds(Rule.FOLLOW).undecided()
    other = given(NO_STOCK, *dealt(), *BREACH, *NEXT, RenuncioDenounced("A1", "B1", 2))
    other.tell(CardsShown("B1", ("6C",))).undecided()
    rival = given(NO_STOCK, *dealt(), *BREACH, RenuncioDenounced("A1", "B2"), *PROOF)
    rival.undecided()


@pytest.mark.parametrize("until, is_lost", [("end_of_deal", False), ("end_of_partida", True)])
def test_a_renuncio_of_the_first_deal_denounced_in_vueltas(until, is_lost) -> None:
    options = replace(UNREACHABLE, renuncio_until=until)
    scene = given(options, *dealt(), *BREACH, *PROOF).play_out()
    dealer = scene.table.deal.taker_of_last_trick
    scene.tell(DealStarted(dealer), PintaTurned("4O"), DENOUNCED)
    if is_lost:
        scene.then("A", "renuncio")
    else:
        scene.undecided().finds(Rule.DENOUNCED_LATE)


IN_DEALS = [
    ("the trick of that deal", "end_of_partida", RenuncioDenounced("A1", "B1", 1, 1), "won"),
    ("another trick of it", "end_of_partida", RenuncioDenounced("A1", "B1", 3, 1), "unfounded"),
    ("the whole of that deal", "end_of_partida", RenuncioDenounced("A1", "B1", 0, 1), "won"),
    ("a trick of this deal", "end_of_partida", RenuncioDenounced("A1", "B1", 1), "open"),
    ("this deal by its number", "end_of_partida", RenuncioDenounced("A1", "B1", 1, 2), "open"),
    ("a deal that is over", "end_of_deal", RenuncioDenounced("A1", "B1", 1, 1), "late"),
    ("a trick that is over", "next_trick", RenuncioDenounced("A1", "B1", 1, 1), "late"),
]


@pytest.mark.rule(Rule.RENUNCIO)
@pytest.mark.parametrize("about, until, said, comes_to", IN_DEALS, ids=[d[0] for d in IN_DEALS])
def test_a_denunciation_in_vueltas_names_deal_and_trick(about, until, said, comes_to) -> None:
    options = replace(UNREACHABLE, renuncio_until=until)
    scene = given(options, *dealt(), *BREACH, *PROOF).play_out()
    scene.tell(DealStarted(scene.table.deal.taker_of_last_trick), PintaTurned("4O"), said)
    if comes_to == "won":
        scene.then("A", "renuncio").finds_not(Rule.DENOUNCED_LATE)
    else:
        said_of_it = {Rule.ACCUSATION_UNFOUNDED: "unfounded", Rule.DENOUNCED_LATE: "late"}
        findings = scene.undecided().table.findings
        found = [said_of_it[f.rule] for f in findings if f.rule in said_of_it]
        assert found == ([] if comes_to == "open" else [comes_to])


def test_a_trick_of_another_deal_is_not_taken_for_one_of_this() -> None:
    """After five tricks of the vueltas there is a fifth trick of each deal."""
    options = replace(UNREACHABLE, renuncio_until="end_of_partida")
    scene = given(options, *dealt(), *BREACH, *PROOF).play_out()
    scene.tell(DealStarted(scene.table.deal.taker_of_last_trick), PintaTurned("4O")).play_out(
        until=5
    )
    scene.tell(RenuncioDenounced("A1", "B1", 1)).undecided()
    scene.tell(RenuncioDenounced("A1", "B1", 1, 1)).then("A", "renuncio")


def test_a_deal_that_a_denunciation_names_is_not_corrected_away() -> None:
    scene = given(UNREACHABLE, *dealt(), *BREACH, *PROOF).play_out()
    first = scene.state.version
    scene.tell(DealStarted(scene.table.deal.taker_of_last_trick), PintaTurned("4O"))
    scene.tell(RenuncioDenounced("A1", "B1", 0, 2)).undecided()
    scene.when(withdraw(first + 1, first + 2)).refused(Rule.DEAL_UNKNOWN, deal=2, deals=1)


@pytest.mark.parametrize(
    "said, rule",
    [
        (RenuncioDenounced("A1", "B1", 1, 3), Rule.DEAL_UNKNOWN),
        (RenuncioDenounced("A1", "B1", 0, 3), Rule.DEAL_UNKNOWN),
        (RenuncioDenounced("A1", "B1", 0, -1), Rule.DEAL_UNKNOWN),
        (RenuncioDenounced("A1", "B1", 11, 1), Rule.TRICK_UNKNOWN),
        (RenuncioDenounced("A1", "B1", 2, 2), Rule.TRICK_UNKNOWN),
    ],
)
def test_a_deal_or_trick_that_was_not_played_is_refused(said, rule) -> None:
    scene = given(UNREACHABLE, *dealt(), *BREACH, *PROOF).play_out()
    scene.tell(DealStarted(scene.table.deal.taker_of_last_trick), PintaTurned("4O")).when(
        said
    ).refused(rule)


def test_of_two_proved_the_earlier_act_loses() -> None:
    both = [*BREACH, *plays("B2 4E, A1 6E, B1 7E, A2 3B")]
    said = [RenuncioDenounced("B1", "A2"), DENOUNCED]
    shown = [CardsShown("A2", ("SE",)), CardsShown("B1", ("6C",))]
    late = given(NO_STOCK, *dealt(), *both, *said, shown[0]).then("B", "renuncio")
    late.tell(shown[1]).then("A", "renuncio")
    given(NO_STOCK, *dealt(), *both, *said, *reversed(shown)).then("A", "renuncio")


PENALTIES = [
    ("lose_partida", "renuncio", False),
    ("lose_match", "renuncio", True),
]


@pytest.mark.rule(Rule.RENUNCIO)
@pytest.mark.parametrize("penalty, how, whole", PENALTIES)
def test_what_a_renuncio_costs(penalty, how, whole) -> None:
    options = with_option(renuncio_penalty=penalty)
    scene = given(options, *dealt(), *BREACH, *PROOF, DENOUNCED).then("A", how)
    assert scene.table.decided.whole_match == whole


def test_where_the_wronged_side_chooses_the_deal_may_be_replayed() -> None:
    options = with_option(renuncio_penalty="replay_deal")
    scene = given(options, *dealt(), *BREACH, *PROOF, DENOUNCED).undecided()
    scene.tell(DealAnnulled(replayed=True), DealStarted("B2")).finds_not(Rule.WRONG_DEALER)
    other = given(options, *dealt(), *BREACH, *PROOF, DENOUNCED, Conceded("B"))
    other.then("A", "concession")


def unfounded(options: Options) -> Scene:
    """B1 is accused before B1 has played a card, and the deal is played out."""
    return given(options, *dealt(), DENOUNCED).play_out()


@pytest.mark.parametrize("price", ["none", "warning", "lose_partida"])
@pytest.mark.parametrize("penalty", ["lose_partida", "lose_match", "replay_deal"])
def test_an_accusation_that_nothing_supports(price, penalty) -> None:
    options = replace(UNREACHABLE, false_accusation=price, renuncio_penalty=penalty)
    scene = unfounded(options).finds(Rule.ACCUSATION_UNFOUNDED, line=3, seat="A1")
    if price != "lose_partida":
        scene.undecided()
        return
    scene.then("B", "renuncio")
    assert not scene.table.decided.whole_match
    scene.tell(RulingGiven("annul_act", "text", line=3)).undecided()


def test_an_accusation_is_open_until_every_card_was_seen() -> None:
    scene = given(UNREACHABLE, *dealt(), DENOUNCED).play_out(until=9)
    scene.finds_not(Rule.ACCUSATION_UNFOUNDED).play_out().finds(Rule.ACCUSATION_UNFOUNDED)


def test_an_accusation_in_a_deal_annulled_costs_nothing() -> None:
    options = replace(UNREACHABLE, false_accusation="lose_partida")
    scene = unfounded(options).then("B", "renuncio")
    scene.tell(RulingGiven("replay_deal", "text")).undecided()


def test_in_a_record_without_cards_an_accusation_stays_open() -> None:
    scene = given(CLUB, *first_deal("A1 30, A1 30, B1"), RenuncioDenounced("A1", "B1"))
    scene.tell(CountEntered({"A": 60, "B": 70})).finds_not(Rule.ACCUSATION_UNFOUNDED)


def test_of_three_the_higher_total_wins_when_the_third_lost() -> None:
    options = replace(THREE, renuncio_cases=TALK)
    scene = given(options, DealStarted("C1"), *tricks("A1 10, B1 20, C1 30"))
    scene.tell(IncidentNoted("talk", "C1"), RenuncioDenounced("A1", "C1"))
    scene.then("B", "renuncio", A=10, B=20, C=30)


def test_a_breach_inserted_later_counts_as_if_it_had_been_recorded_then() -> None:
    # Line 7 accuses; B1's card of line 4 was forgotten and is inserted as line 12.
    three = plays("A1 2C, A2 4C, B2 5C")
    scene = given(NO_STOCK, *dealt(), *three, DENOUNCED)
    assert scene.state.version == 6
    scene.tell(insert(4, plays("B1 2E")[0])).undecided()
    scene.tell(CardsShown("B1", ("6C",))).finds(Rule.FOLLOW, line=7).then("A", "renuncio")


def test_an_accusation_inserted_before_the_play_accuses_nobody() -> None:
    scene = given(NO_STOCK, *dealt(), *BREACH)
    scene.tell(insert(3, DENOUNCED), CardsShown("B1", ("6C",))).undecided()


def test_a_ruling_takes_a_breach_away() -> None:
    scene = given(NO_STOCK, *dealt(), *BREACH, *PROOF, DENOUNCED).then("A", "renuncio")
    scene.tell(RulingGiven("annul_act", "text", line=11)).undecided()
