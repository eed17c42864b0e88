"""A renuncio that everybody saw: the arbiter is asked, and nobody needs to denounce it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.events import (
    CardsShown,
    ClaimMade,
    DealStarted,
    HandEntered,
    IncidentNoted,
    PintaSwapped,
    PintaTurned,
    RenuncioDenounced,
    RulingGiven,
)
from referee.rules.articles import Rule
from referee.rules.profile.options import Options
from referee.table.accusations import public_proof_by_renuncio_line, renuncios_to_ask
from tests.support.records.table_text import (
    CLUB,
    NO_STOCK,
    Scene,
    dealt,
    draws,
    given,
    plays,
    tricks,
    withdraw,
)


def with_option(**options: object) -> Options:
    return replace(NO_STOCK, **options)


WHEN_PROVED = with_option(renuncio_costs="when_proved")
UNFOLLOWED = plays("A1 2C, B1 3C, A2 AB, B2 5C")
"""A2 does not follow; no slip in this trick explains it once the next two are played."""
SHOWN = plays("B1 2B, A2 RC, B2 4B, A1 5B, A1 4E, B1 5E, A2 7C, B2 6C")
ASKED = [(5, "A2", 1)]


def asked(scene: Scene) -> list[tuple[int, str, int]]:
    return [(one.line, one.seat, one.trick) for one in renuncios_to_ask(scene.table)]


def test_a_renuncio_that_everybody_saw_is_asked_about_and_play_goes_on() -> None:
    scene = given(WHEN_PROVED, *dealt(), *UNFOLLOWED).undecided()
    assert asked(scene) == []
    scene.tell(SHOWN).undecided()
    assert asked(scene) == ASKED
    scene.tell(RulingGiven("renuncio", "text", line=5)).then("B", "renuncio")
    assert asked(scene) == []
    scene.tell(RulingGiven("annul_act", "text", line=scene.state.version)).undecided()
    assert asked(scene) == ASKED
    scene.tell(RulingGiven("annul_act", "text", line=5)).undecided()
    assert asked(scene) == []


@pytest.mark.parametrize("costs", ["when_denounced", "when_proved"])
def test_a_confirmed_renuncio_costs_what_the_profile_says_whenever_it_is_confirmed(costs) -> None:
    options = with_option(renuncio_costs=costs, renuncio_until="next_trick")
    confirmed = RulingGiven("renuncio", "text", line=5)
    scene = given(options, *dealt(), *UNFOLLOWED, confirmed).undecided()
    scene.tell(SHOWN[:2]).then("B", "renuncio")
    replayed = replace(options, renuncio_penalty="replay_deal")
    given(replayed, *dealt(), *UNFOLLOWED, *SHOWN, confirmed).undecided()
    whole = given(replace(options, renuncio_penalty="lose_match"), *dealt(), *UNFOLLOWED, *SHOWN)
    assert whole.tell(confirmed).table.decided.whole_match
    unknown = RulingGiven("renuncio", "text", line=99)
    given(options, *dealt()).when(unknown).refused(Rule.LINE_UNKNOWN)


NOT_ASKED = [
    ("a hand that is entered is known to the arbiter alone", WHEN_PROVED,
     [HandEntered("A2", ("RC", "7C"), "now")]),
    ("one card may have been mistaken for its neighbour", WHEN_PROVED, SHOWN[:4]),
    ("somebody has to denounce it", NO_STOCK, SHOWN),
    ("it is no renuncio there", replace(WHEN_PROVED, renuncio_cases=("beat",)), SHOWN),
]  # fmt: skip


@pytest.mark.parametrize("about, options, after", NOT_ASKED, ids=[one[0] for one in NOT_ASKED])
def test_the_arbiter_is_not_asked(about, options, after) -> None:
    scene = given(options, *dealt(), *UNFOLLOWED, *after)
    assert asked(scene) == []


def test_cards_shown_prove_it_to_everybody() -> None:
    scene = given(WHEN_PROVED, *dealt(), *UNFOLLOWED, *SHOWN[:1], CardsShown("A2", ("RC", "7C")))
    assert public_proof_by_renuncio_line(scene.table.deal) == {5: 8}


def test_of_two_cards_that_prove_it_the_one_seen_first_does() -> None:
    shown = CardsShown("A2", ("7C",))
    scene = given(WHEN_PROVED, *dealt(), *UNFOLLOWED, shown, *SHOWN)
    assert public_proof_by_renuncio_line(scene.table.deal) == {5: 7}, "shown at 7, the RC laid at 9"


def test_of_several_proved_the_earliest_loses_whichever_is_confirmed() -> None:
    scene = given(WHEN_PROVED, *dealt(), *UNFOLLOWED, *SHOWN)
    scene.tell(*plays("B1 2E, A2 3E, B2 4C, A1 6E, A2 7E, B2 CE, A1 SE, B1 RB"))
    assert asked(scene)[0::2] == [*ASKED, (14, "B2", 3)]
    scene.tell(RulingGiven("renuncio", "text", line=14)).then("B", "renuncio")
    scene.tell(RulingGiven("renuncio", "text", line=5)).then("B", "renuncio")


def test_an_earlier_renuncio_that_all_saw_comes_before_one_that_was_denounced() -> None:
    plays_on = plays("B1 2E, A2 3E, B2 4C, A1 6E, A2 7E, B2 CE, A1 SE, B1 RB")
    denounced = RenuncioDenounced("A1", "B2", 3)
    both = [*dealt(), *UNFOLLOWED, *SHOWN, *plays_on, denounced]
    given(WHEN_PROVED, *both).then("B", "renuncio")
    given(replace(WHEN_PROVED, renuncio_costs="when_denounced"), *both).then("A", "renuncio")
    annulled = [RulingGiven("annul_act", "text", line=line) for line in (5, 13)]
    given(WHEN_PROVED, *both, *annulled).then("A", "renuncio")


def test_what_is_shown_after_the_end_changes_no_winner() -> None:
    later = plays("B1 2E, A2 3E, B2 4C, A1 6E, A2 7E, B2 CE, A1 SE, B1 RB")
    scene = given(WHEN_PROVED, *dealt(), *UNFOLLOWED, *later)
    denounced = scene.table.deal.breaches[0]
    assert denounced.seat == "B2"
    scene.tell(RenuncioDenounced("A1", "B2", denounced.trick)).then("A", "renuncio")
    scene.tell(CardsShown("A2", ("RC", "7C"))).then("A", "renuncio")


@pytest.mark.parametrize("cases", [("follow", "beat", "trump"), ("follow", "trump")])
def test_what_the_count_proved_stays_proved_then_when_its_card_is_seen(cases) -> None:
    """A2 alone can have copas; the trump that B1 kept back is shown only when that has decided."""
    laid = plays("A1 AC, B1 AB, A2 6E, B2 2C")
    shown = {"A1": (), "B1": (), "B2": ("7O",)}
    void = [CardsShown(seat, cards, ("C",)) for seat, cards in shown.items()]
    options = replace(WHEN_PROVED, renuncio_cases=cases)
    scene = given(options, *dealt(), *laid, *void, RenuncioDenounced("B1", "A2", 1))
    scene.then("B", "renuncio")
    scene.tell(CardsShown("B1", ("3O",))).then("B", "renuncio")
    scene.tell(CardsShown("A2", ("5C",))).then("B", "renuncio")
    assert public_proof_by_renuncio_line(scene.table.deal) == {4: 11, 5: 12}


ESCUELA = replace(WHEN_PROVED, renuncio_cases=("follow", "beat", "out_of_turn_in_arrastre", "talk"))


def test_conduct_that_is_a_renuncio_is_asked_about_too() -> None:
    talk = IncidentNoted("talk", "B1")
    scene = given(ESCUELA, *dealt(), *plays("A1 2C, B1 3C"), talk).undecided()
    assert asked(scene) == [(5, "B1", 1)]
    scene.tell(RulingGiven("renuncio", "text", line=5)).then("A", "renuncio")
    assert asked(given(WHEN_PROVED, *dealt(), *plays("A1 2C, B1 3C"), talk)) == []
    uncounted = given(ESCUELA, *dealt(), talk, *tricks("A1 10"))
    assert asked(uncounted) == [(3, "B1", 1)]


def test_a_card_out_of_turn_is_asked_about_unless_one_slip_explains_it() -> None:
    swapped = given(ESCUELA, *dealt(), *plays("A1 2C, A2 4C, B1 3C, B2 5C"))
    assert (len(swapped.table.deal.conduct), asked(swapped)) == (1, [])
    shown = CardsShown("A2", ("4C",))
    turned = given(ESCUELA, *dealt(), shown, *plays("A1 2C, A2 4C, B1 3C, B2 5C"))
    assert asked(turned) == [(5, "A2", 1)], "no other seat can have laid the 4C"
    untold = given(ESCUELA, *dealt(), *tricks("A1 10"), *plays("B1 3C"))
    assert (len(untold.table.deal.conduct), asked(untold)) == (1, [])


def test_a_card_that_everybody_knew_of_proves_it_at_once() -> None:
    turned = [DealStarted("A2"), PintaTurned("RC")]
    own = plays("B2 2C, A1 3C, B1 AC, A2 AB")
    assert public_proof_by_renuncio_line(given(WHEN_PROVED, *turned, *own).table.deal) == {6: 6}
    later = given(WHEN_PROVED, *turned, *tricks("B2 2"), *own)
    assert public_proof_by_renuncio_line(later.table.deal) == {}, (
        "the pinta may have gone with a trick unseen"
    )
    shown = CardsShown("B1", ("RC",))
    before = given(WHEN_PROVED, *dealt(), shown, *plays("A1 2C, B1 AB"))
    assert public_proof_by_renuncio_line(before.table.deal) == {5: 5}
    laid = given(WHEN_PROVED, *dealt(), shown, *plays("A1 2C, B1 RC, A2 4C, B2 5C"))
    assert public_proof_by_renuncio_line(laid.table.deal) == {}


STOCK_PROVED = replace(CLUB, renuncio_costs="when_proved")
UNTIL_THE_LAST_DRAW = plays(
    "A1 CC, B1 3C, A2 5O, B2 AB, A2 3O, B2 CE, A1 4C, B1 7C, A2 7E, B2 2B, A1 AE, B1 2E"
)
LAST_FREE = plays("A1 AC, B1 5C, A2 SE, B2 4E")
"""A1 takes it, so that B2 draws the pinta."""
UNTRUMPED = plays("A1 2O, B1 4O, A2 5E, B2 CB")


@pytest.mark.parametrize("noted", [[], draws("A1, B1, A2, B2"), draws("B2")], ids=len)
def test_the_pinta_that_was_drawn_proves_it_at_once(noted) -> None:
    scene = given(STOCK_PROVED, *dealt("6O"), *UNTIL_THE_LAST_DRAW, *LAST_FREE, *noted, *UNTRUMPED)
    line = scene.state.version
    assert public_proof_by_renuncio_line(scene.table.deal) == {line: line}


def test_the_card_taken_with_a_swap_proves_it_at_once() -> None:
    taken = given(STOCK_PROVED, *dealt("6O"), *UNTIL_THE_LAST_DRAW, PintaSwapped("A1"))
    scene = taken.tell(*LAST_FREE, *UNTRUMPED)
    assert public_proof_by_renuncio_line(scene.table.deal) == {
        scene.state.version: scene.state.version
    }, "7O"
    scene.tell(*plays("B1 AO, A2 2C, B2 6C, A1 RE"))
    assert scene.state.version in public_proof_by_renuncio_line(scene.table.deal), "6O"


def test_one_that_a_slip_may_explain_does_not_come_before_the_one_denounced() -> None:
    taken = given(STOCK_PROVED, *dealt("6O"), *UNTIL_THE_LAST_DRAW, PintaSwapped("A1"))
    scene = taken.tell(*LAST_FREE, *UNTRUMPED, *plays("B1 AO, A2 2C, B2 6C, A1 RE"))
    earlier, later = scene.table.deal.breaches[0], scene.table.deal.breaches[-1]
    assert (earlier.seat, later.seat, asked(scene)) == ("B2", "A1", [])
    scene.tell(RenuncioDenounced("B1", "A1", later.trick)).then("B", "renuncio")


@pytest.mark.parametrize("end", ["claim", "count"])
def test_a_renuncio_confirmed_after_the_count_or_a_claim_decides_nothing(end) -> None:
    options = replace(WHEN_PROVED, claim_in="any_deal", target=11, claim_by="any_player")
    scene = given(options, *dealt(), *UNFOLLOWED, *SHOWN)
    assert asked(scene) == ASKED
    if end == "claim":
        scene.tell(ClaimMade("B2"))
    else:
        scene.play_out()
    winner = scene.table.decided
    assert (winner is None, asked(scene)) == (False, [])
    scene.tell(RulingGiven("renuncio", "text", line=5))
    assert (scene.table.decided, asked(scene)) == (winner, [])
    scene.finds(Rule.CONFIRMED_LATE, line=scene.state.version)


def test_a_renuncio_of_the_first_deal_is_not_confirmed_any_more_in_vueltas() -> None:
    """The confirmation has to come before the deal is counted, whatever deal it is about."""
    scene = given(replace(WHEN_PROVED, target=201), *dealt(), *UNFOLLOWED, *SHOWN)
    scene.play_out().in_vueltas()
    scene.tell(RulingGiven("renuncio", "text", line=5)).undecided()
    scene.finds(Rule.CONFIRMED_LATE, line=scene.state.version)


def test_a_confirmation_decides_after_the_last_moment_to_denounce() -> None:
    """``renuncio_until`` bounds the denunciation only."""
    options = replace(WHEN_PROVED, renuncio_until="next_trick")
    scene = given(options, *dealt(), *UNFOLLOWED, *SHOWN)
    scene.play_out(until=len(scene.table.deal.tricks) + 2)
    scene.tell(RulingGiven("renuncio", "text", line=5))
    assert scene.table.decided is not None
    assert scene.table.decided.how == "renuncio"
    scene.finds_not(Rule.CONFIRMED_LATE)


def test_a_ruling_about_a_line_before_the_deal_or_withdrawn_confirms_nothing() -> None:
    scene = given(WHEN_PROVED, *dealt(), *UNFOLLOWED, withdraw(6))
    scene.tell(RulingGiven("renuncio", "text", line=6), RulingGiven("renuncio", "text", line=1))
    scene.undecided().finds_not(Rule.CONFIRMED_LATE)


LATER = plays("B1 2E, A2 3E, B2 4C, A1 6E, A2 7E, B2 CE, A1 SE, B1 RB")
"""Two more: A2 at line 13, by the 3E, and B2 at line 14, by the CE."""


def test_who_confirms_the_later_of_two_is_told_of_the_earlier() -> None:
    both = [*dealt(), *UNFOLLOWED, *SHOWN, *LATER]
    scene = given(WHEN_PROVED, *both, RulingGiven("renuncio", "text", line=14))
    (found,) = [one for one in scene.table.findings if one.rule == Rule.EARLIER_RENUNCIO]
    assert (found.line, found.seat) == (scene.state.version, "A2")
    assert dict(found.facts) == {"act": "5", "of_trick": "1", "laid": "AB"}
    scene.then("B", "renuncio")
    scene.tell(RulingGiven("annul_act", "text", line=5)).finds_not(Rule.EARLIER_RENUNCIO)


def test_nobody_is_told_of_an_earlier_one_without_need() -> None:
    both = [*dealt(), *UNFOLLOWED, *SHOWN, *LATER]
    first = [RulingGiven("renuncio", "text", line=line) for line in (5, 13, 14)]
    given(WHEN_PROVED, *both, *first).finds_not(Rule.EARLIER_RENUNCIO)
    denied = [RulingGiven("annul_act", "text", line=line) for line in (5, 13)]
    given(WHEN_PROVED, *both, *denied, first[2]).finds_not(Rule.EARLIER_RENUNCIO)
    denounced = replace(WHEN_PROVED, renuncio_costs="when_denounced")
    given(denounced, *both, first[2]).finds_not(Rule.EARLIER_RENUNCIO)


def test_a_trump_kept_back_proves_it_where_lower_trumps_are_forced_too() -> None:
    """The 7E accuses A2 of two duties at once: to overtrump the 6E, and to lay any trump at all."""
    options = replace(WHEN_PROVED, undertrump="forced")
    scene = given(options, *dealt("4E"), *plays("A1 4C, B1 6E, A2 5O, B2 6C"))
    assert public_proof_by_renuncio_line(scene.table.deal) == {}
    scene.tell(CardsShown("A2", ("7E",)))
    assert public_proof_by_renuncio_line(scene.table.deal) == {5: 7}
