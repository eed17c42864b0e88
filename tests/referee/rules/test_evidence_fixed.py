"""Evidence on fixed histories, deals and examples: fast enough to run for each mutant."""

from __future__ import annotations

import random
import re
from functools import cache

import pytest

from referee.rules.cards import BIT, CARD
from referee.rules.evidence.questions import Knowledge, Verdict
from referee.rules.evidence.sights import Hidden, Reordered, Resized, Returned, Sang, Sight
from referee.rules.evidence.verdicts import Evidence
from tests.referee.rules.seen_text import cards, hands, said, seen, sights_of
from tests.support.places import ROOT
from tests.support.records.dealt_out import TABLES
from tests.support.records.playing import options_of
from tests.support.records.small_decks import Account, Happening, conclusions_of
from tests.support.records.true_hands import Seen, Truth, are_possible, followed

SEEDS = range(120)
DEALS = [(table, seed, bool(seed % 2)) for seed, table in enumerate(TABLES[::2])]

Told = tuple[dict[int, Verdict], tuple[Knowledge, ...]]


@cache
def history(seed: int) -> tuple[list[Sight], list[Told]]:
    """Sights, and after each but the deal what all the ways that are left say."""
    sights = Happening(random.Random(seed), 6).history()
    account, said = Account(sights[0]), []
    for sight in sights[1:]:
        account.see(sight)
        said.append((dict(account.verdicts), account.knowledge))
    return sights, said


@cache
def deal(number: int) -> tuple[list[Seen], Truth]:
    table, seed, noted = DEALS[number]
    return followed(options_of(table), seed, noted=noted)


def test_after_each_sight_verdicts_and_hands_are_what_all_worlds_say():
    for seed in SEEDS:
        sights, said = history(seed)
        evidence = Evidence()
        evidence.see(sights[0])
        for sight, expected in zip(sights[1:], said, strict=True):
            evidence.see(sight)
            assert conclusions_of(evidence) == expected, (seed, sight)
            assert not evidence.broken


def test_a_record_is_contradicted_once_no_way_is_left_and_what_was_proved_before_stands():
    stood = 0
    for seed in SEEDS:
        happening = Happening(random.Random(seed), 6)
        sights, broken = happening.history(), 0
        account, evidence = Account(sights[0]), Evidence().see_all(sights)
        for sight in sights[1:]:
            account.see(sight)
        for line in range(20, 40):
            sight = happening.invented(line)
            evidence.see(sight)
            if account.left:
                account.see(sight)
                broken = 0 if account.left else line
            assert evidence.broken == broken, (seed, sight)
        for at, proved in account.verdicts.items():
            said = evidence.verdicts[at]
            assert proved.answer == "open" or said[:2] == proved[:2], (seed, at)
            stood += proved.answer != "open"
    assert stood > len(SEEDS)


def test_of_whole_deals_every_renuncio_is_found_and_none_invented():
    for number in range(len(DEALS)):
        acts, truth = deal(number)
        lawful, evidence, now = truth.lawful | truth.pairs, Evidence(), 0
        for line, at_table, sights, truly in acts:
            if at_table.number != now:
                evidence, now = Evidence(), at_table.number
            evidence.see_all(sights)
            assert not truly or are_possible(evidence.knowledge(), truly), (number, line)
            for at, verdict in evidence.verdicts.items():
                word = "lawful" if lawful[at] else "unlawful"
                is_open = verdict.answer == "open" and not at_table.is_played_out
                assert verdict.answer == word or is_open or at in truth.pairs, (number, at, line)


# Blocks of a deal, what was seen from line 2 on, and after "=" what follows: the verdicts but for
# what was lawful at once, the hands with the cards that are in them (and those that may be), and
# the line from which the record cannot be true.
EXAMPLES = ROOT / "tests" / "golden" / "evidence.txt"


@pytest.mark.parametrize("block", EXAMPLES.read_text(encoding="utf-8").split("\n\n"))
def test_an_example_is_as_it_was_read_and_found_right(block):
    deal, *lines = block.strip().split("\n")
    sights = [line.partition(" ")[2] for line in lines if line[0] != "="]
    evidence = seen(deal, *sights)
    assert list(evidence.verdicts) == sorted(evidence.verdicts)  # in the order seen
    found = [f"= {line} {said(verdict)}" for line, verdict in evidence.verdicts.items()]
    found = [text for text in found if not re.fullmatch(r"= (\d+) lawful since \1", text)]
    found.append(f"= {hands(evidence)}")
    found += [f"= broken {evidence.broken}"] if evidence.broken else []
    assert found == [line for line in lines if line[0] == "="]


def test_a_hand_that_shows_a_card_too_many_has_drawn():
    evidence = seen("2C 4C 5C 6C 7C AC: A 2, B 2, stock 2", "A shows 2C 4C", "A shows? 5C")
    assert evidence.seats_that_must_have_drawn == {0}
    assert hands(evidence).startswith("2C 4C 5C () |")


def test_a_card_laid_unseen_may_be_one_that_was_known_and_perhaps_drawn_before_a_cante():
    """Of a cante it stays open whether the card was there: neither a card shown nor one laid settles it."""
    sung = Sang(2, 0, (cards(["2C", "4C"]),), drawn=BIT[CARD["4C"]])
    first, *told = sights_of(
        SIX, "- A draws 4C", "- B draws", "AB unseen", "A lays 4C", "A shows 2C"
    )
    evidence = Evidence().see_all([first, sung, *told[:3]])
    assert evidence.verdicts[2].answer == "open"
    assert hands(evidence) == "- (2C 4C 5C 6C 7C AC) | - (2C 5C 6C 7C AC)"
    evidence.see_all(told[3:])
    assert evidence.verdicts[2].answer == "open"


def test_once_a_drawn_pinta_that_may_have_been_laid_unseen_lies_again_nothing_more_follows():
    told = sights_of(
        SIX, "pinta turns 2C", "- A draws 2C", "B lays 4C", "AB unseen", "B lays 5C against 6C"
    )
    evidence = Evidence().see_all([*told, Returned(7, 0, CARD["2C"], since=3)])
    assert evidence.verdicts[6].answer == "lawful"  # no duty before the last draw
    assert all(not known.certain for known in evidence.knowledge())


def test_draws_in_another_order_change_no_line_since_which_an_act_is_unlawful():
    """What proved it then is kept; an act that was not unlawful then is so since that line."""
    evidence = seen(
        "2C 4C 5C 6C AO 3O: A 3, B 3, stock 0", "A lays AO against 4C, 5C", "A shows 5C"
    )
    now = evidence.verdicts[2]
    for before, since, proof in (
        (now._replace(since=2, proof=BIT[CARD["4C"]]), 2, BIT[CARD["4C"]]),
        (Verdict("open"), 9, now.proof),
        (now, 3, now.proof),
    ):
        other = evidence.copy()
        other.see(Reordered(9, ((2, before),)))
        found = other.verdicts[2]
        assert (found.answer, found.since, found.proof) == ("unlawful", since, proof)


def test_before_a_deal_nothing_is_known():
    evidence = Evidence()
    assert (evidence.verdicts, evidence.knowledge(), evidence.broken) == ({}, (), 0)


def together(sights: list[Sight]) -> Evidence:
    """Evidence from sights that are judged once, after a copy on the way was carried on."""
    half = len(sights) // 2
    first = Evidence()
    first.see_unjudged(sights[:half])
    other = first.copy()
    other.see_unjudged(sights[half:])
    other.judge()
    first.judge()
    apart = Evidence().see_all(sights[:half])
    assert answers(first) == answers(apart)
    return other


def answers(evidence: Evidence) -> tuple[int, dict[int, str]]:
    """Where the record is impossible; if nowhere, the answer for each act."""
    said = {} if evidence.broken else evidence.verdicts
    return evidence.broken, {line: verdict.answer for line, verdict in said.items()}


def test_sights_that_are_judged_together_give_the_same_answers():
    blocks = [block.strip().split("\n") for block in EXAMPLES.read_text("utf-8").split("\n\n")]
    told = [history(seed)[0] for seed in SEEDS]
    for deal, *lines in blocks:
        texts = [line.partition(" ")[2] for line in lines if line[0] != "="]
        told.append(sights_of(deal, *texts))
    told = [sights for sights in told if not any(isinstance(one, Hidden) for one in sights)]
    assert any(isinstance(one, Resized) for sights in told for one in sights)
    for sights in told:
        assert answers(together(sights)) == answers(Evidence().see_all(sights)), sights


FOUR, SIX = "2C 4C 5C 6C: A 1, B 1, stock 2", "2C 4C 5C 6C 7C AC: A 2, B 2, stock 2"
NO_STOCK = "2C 4C 5C 6C: A 2, B 2, stock 0"


@pytest.mark.parametrize(
    ("deal", "texts", "said"),
    [
        (NO_STOCK, ["A lays 2C against 4C", "B shows 5C 6C", "A has -1"], {2: "unlawful"}),
        (FOUR, ["A has -2", "B draws", "B lays 6C against 5C", "B shows 5C"], {4: "unlawful"}),
        (FOUR, ["A lays 2C against 4C", "A draws"], {2: "lawful"}),
        (SIX, ["A lays AC against 4C", "A draws 4C", "A shows 4C"], {2: "lawful"}),
        (SIX, ["B shows? 6C", "A draws", "B sings? 4C AC", "- A draws"], {4: "open"}),
        (
            SIX,
            ["- B draws", "pinta turns 2C", "- B draws", "B lays 5C against 2C", "B drew 2C"],
            {5: "lawful"},
        ),
    ],
)
def test_judged_together_an_answer_stays_also_when_a_hand_gets_another_size(deal, texts, said):
    sights = sights_of(deal, *texts)
    assert answers(together(sights)) == answers(Evidence().see_all(sights)) == (0, said)
