"""Evidence and slips on fixed histories, deals and examples: quick enough to be run on each mutant."""

from __future__ import annotations

import random
from functools import cache

from referee.rules.evidence import Evidence, Knowledge
from referee.rules.questions import Verdict
from referee.rules.sights import Sight
from tests.dealt_out import TABLES
from tests.playing import options_of
from tests.small_decks import Account, Happening, told
from tests.true_hands import Seen, Truth, are_possible, followed

SEEDS = range(60)
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
            assert told(evidence) == expected, (seed, sight)
            assert not evidence.broken


def test_of_whole_deals_every_renuncio_is_found_and_none_invented():
    for number in range(len(DEALS)):
        seen, truth = deal(number)
        lawful, evidence, now = truth.lawful | truth.pairs, Evidence(), 0
        for line, at_table, sights, hands in seen:
            if at_table.number != now:
                evidence, now = Evidence(), at_table.number
            evidence.see_all(sights)
            assert not hands or are_possible(evidence.knowledge(), hands), (number, line)
            for at, verdict in evidence.verdicts.items():
                word = "lawful" if lawful[at] else "unlawful"
                is_open = verdict.answer == "open" and not at_table.is_played_out
                assert verdict.answer == word or is_open or at in truth.pairs, (number, at, line)
