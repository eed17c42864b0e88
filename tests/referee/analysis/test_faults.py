"""Faults planted in the engine: what the other tests compare finds each of them."""

from __future__ import annotations

from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from referee.analysis.engine import Engine
from tests.referee.analysis.freeze import frozen, numbers
from tests.referee.analysis.keys import ANY_TRICK, TWO, groups, values
from tests.support.analysis.building import SOURCE, build
from tests.support.analysis.endings import Ending, digest, ending
from tests.support.analysis.marks import NEEDS_COMPILER, NEEDS_ENGINE

pytestmark = [NEEDS_ENGINE, NEEDS_COMPILER]

FAULTS = {
    "partner is beaten": ("if (is_partner && !(sheet.law & BEAT_PARTNER)) return follow;", ""),
    "a trumped trick is beaten": (
        "if (is_trumped && !(sheet.law & BEAT_AFTER_TRUMPED)) return follow;",
        "",
    ),
    "partners after three": ("return sheet.players == 4 ? seat & 1 : seat;", "return seat & 1;"),
    "sota stays over caballo": (
        "if (!(sheet.law & CABALLO_OVER_SOTA)) return cards;",
        "return cards;",
    ),
    "neighbours of other worth": (" && class_of[rank_of(next)] == class_of[rank_of(card)]", ""),
    "neighbours across a live card": (
        "u64 weaker = live & suit_mask",
        "live = moves;\n        u64 weaker = live & suit_mask",
    ),
    "the taker draws last": (
        "hand[seat_after(leader, i)] ^= bit(stock[first + i]);",
        "hand[seat_after(leader, sheet.players - 1 - i)] ^= bit(stock[first + i]);",
    ),
    "trumps of two sides in a row": (
        " || (int)(our_cards >> card & 1) != is_our_row) break;",
        ") break;",
    ),
    "no cante ahead": ("    widen_by_cantes(least, most);\n", ""),
    "a cante sung twice": ("sung |= now;", ""),
    "no limit of a side": ("return !sheet.per_side || of_side <= sheet.per_side;", "return 1;"),
    "cantes in every arrastre": ("(stock_left || sheet.sings_in_arrastre)", "1"),
    "the swap is made": ("return better(other, value, for_us) ? other : value;", "return other;"),
    "the pinta is kept from the hand": (
        "hand[sheet.swapper] ^= both;",
        "hand[sheet.swapper] ^= bit(given);",
    ),
    "no leader in the key": (" | (u64)leader << 56", ""),
    "bounds of another question": ("entry->question == question && ", ""),
    "a bound taken for a value": (
        "if (value >= need) least = value;\n    else most = value;",
        "least = most = value;",
    ),
}
"""What is changed in the source. Each compiles, and answers most questions rightly."""

FAULTS_OF_THE_KEY = {
    "closing up while a stock lasts": (
        (TWO, 1),
        "if (stock_left) place = rank;\n        else place",
        "place",
    ),
    "closing up across the figures": (
        (TWO, 0),
        "class == class_of[rank] ? place + 1 : class_of[rank]",
        "place + 1",
    ),
    "no leader": ((TWO, 0), " | (u64)leader << 56", ""),
    "no winners": ((ANY_TRICK, 0), " | winners << 61", ""),
    "no cantes": ((TWO, 0), " | (u64)sung << 58", ""),
}


@cache
def endings(block: int) -> list[Ending]:
    return [ending(number) for number in numbers(block)]


def with_fault(folder: Path, old: str, new: str) -> Engine:
    source = SOURCE.read_text()
    assert source.count(old) == 1, old
    changed = folder / SOURCE.name
    changed.write_text(source.replace(old, new))
    return Engine(build(changed, folder / "engine.wasm", "-O1", "-w"))


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_gives_another_answer(fault: str, tmp_path: Path) -> None:
    engine = with_fault(tmp_path, *FAULTS[fault])
    assert any(
        digest([one.by(engine) for one in endings(block)]) != tried
        for block, (tried, _) in frozen().items()
    )


@pytest.mark.parametrize("fault", FAULTS_OF_THE_KEY)
def test_a_fault_of_the_key_makes_it_stand_for_two_values(fault: str, tmp_path: Path) -> None:
    kind, old, new = FAULTS_OF_THE_KEY[fault]
    engine = with_fault(tmp_path, old, new)
    assert any(len(values(group)) > 1 for group in islice(groups(engine, *kind), 500))
