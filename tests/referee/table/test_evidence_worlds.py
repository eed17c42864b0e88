"""Evidence against an enumeration of all distributions of small decks: sound and complete."""

from __future__ import annotations

import random
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.cards import BIT, cards_in, mask_of
from referee.rules.evidence.verdicts import Evidence
from tests.support.records.small_decks import (
    CARDS,
    Account,
    Happening,
    all_and_any,
    conclusions_of,
    is_lawful,
    worlds,
)
from tests.support.servers.long_runs import RUNS

histories = st.builds(lambda chance: Happening(chance).history(), st.randoms(use_true_random=False))


@settings(max_examples=47 * RUNS, deadline=None)
@given(histories)
def test_a_verdict_holds_in_every_world_and_open_has_two_of_them(sights):
    left = worlds(sights)
    evidence = Evidence().see_all(sights)
    assert not evidence.broken
    for sight in sights:
        if sight.line not in evidence.verdicts:
            continue
        verdict = evidence.verdicts[sight.line]
        answers = {is_lawful(sight, world.asked[sight.line]) for world in left}
        word = {(True,): "lawful", (False,): "unlawful"}.get(tuple(answers), "open")
        assert verdict.answer == word, (sight, verdict)


@settings(max_examples=33 * RUNS, deadline=None)
@given(histories)
def test_what_is_known_of_a_hand_is_what_all_worlds_say(sights):
    left = worlds(sights)
    for seat, known in enumerate(Evidence().see_all(sights).knowledge()):
        assert known == all_and_any([mask_of(world.hands[seat]) for world in left])


@settings(max_examples=33 * RUNS, deadline=None)
@given(histories)
def test_hands_are_allowed_together_if_they_are_those_of_a_world(sights):
    allowed_are_those_of_a_world(sights)


@pytest.mark.parametrize("seed", [*range(40), 57, 63])
def test_the_same_of_fixed_histories_some_with_the_pinta_or_a_seen_draw_in_a_hand(seed):
    allowed_are_those_of_a_world(Happening(random.Random(seed)).history())


def allowed_are_those_of_a_world(sights):
    """Assert it of the hands of every world, and of those with two cards changed."""
    evidence = Evidence().see_all(sights)
    left = {tuple(map(mask_of, world.hands)) for world in worlds(sights)}
    known, asked = evidence.knowledge(), set(left)
    for hands in left:
        for one, other in combinations(range(len(hands)), 2):
            for here, there in product(cards_in(hands[one]), cards_in(hands[other])):
                changed = list(hands)
                changed[one] ^= BIT[here] | BIT[there]
                changed[other] ^= BIT[here] | BIT[there]
                asked.add(tuple(changed))
    for hands in asked:
        assert evidence.allows_hands(hands) == (hands in left), hands
        fits = all(
            one.certain & ~hand == 0 and hand & ~one.possible == 0
            for one, hand in zip(known, hands, strict=True)
        )
        assert evidence.has_limits_beyond_knowledge or fits == (hands in left), hands


@settings(max_examples=33 * RUNS, deadline=None)
@given(histories)
def test_after_each_sight_every_verdict_has_the_reasons_that_all_worlds_give(sights):
    account, evidence = Account(sights[0]), Evidence()
    evidence.see(sights[0])
    for sight in sights[1:]:
        account.see(sight)
        evidence.see(sight)
        assert conclusions_of(evidence) == (account.verdicts, account.knowledge), sight


@settings(max_examples=27 * RUNS, deadline=None)
@given(histories)
def test_a_verdict_once_reached_stays_with_the_line_that_proved_it(sights):
    evidence = Evidence()
    reached: dict[int, tuple[str, int]] = {}
    for sight in sights:
        evidence.see(sight)
        for line, verdict in evidence.verdicts.items():
            if line in reached:
                assert (verdict.answer, verdict.since) == reached[line]
            elif verdict.answer != "open":
                assert verdict.since == sight.line
                reached[line] = verdict.answer, verdict.since
    assert evidence.verdicts == Evidence().see_all(sights).verdicts


def test_bits_are_cards():
    assert BIT[CARDS[1]] == mask_of([CARDS[1]])
