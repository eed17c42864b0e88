"""At tables of each profile: swaps, cantes and the tute as the law has them."""

from __future__ import annotations

import pytest

from referee.events import (
    CanteAnnounced,
    PintaSwapped,
    TableAct,
    TuteAnnounced,
)
from referee.rules.articles import Rule
from referee.rules.profile.options import Options
from tests.referee.profiles.stated import (
    FOUR_TRICKS,
    LOST,
    WON,
    deal_until_arrastre,
    finds,
    flag,
    tables_stating,
)
from tests.support.records.table_text import cante, dealt, draws, given, plays


@tables_stating("swap")
def test_swap(options, value):
    scene = given(options, *dealt("AO"), *WON).when(PintaSwapped("A1"))
    is_barred = any(one.rule == Rule.SWAP_BARRED for one in scene.table.findings)
    assert flag(scene.refusal is None and not is_barred) == value


@tables_stating("swap_by")
def test_swap_by(options, value):
    is_leader = finds(options, Rule.SWAP_BY, *dealt("AO"), *WON, PintaSwapped("A2"))
    assert ("leader" if is_leader else "qualifying_side") == value


SWAP_TIMES = {
    "before_draw": draws("A1"),
    "before_lead": plays("A1 6E"),
    "before_rival_card": plays("A1 6E, B1 2E"),
}


@tables_stating("swap_window")
def test_swap_window(options, value):
    late = [
        window
        for window, after in SWAP_TIMES.items()
        if finds(options, Rule.SWAP_LATE, *dealt("AO"), *WON, *after, PintaSwapped("A1"))
    ]
    assert (late[0] if late else "before_next_trick_closes") == value


@tables_stating("swap_needs_trick")
def test_swap_needs_trick(options, value):
    at_once = finds(options, Rule.SWAP_NO_TRICK, *dealt("AO"), PintaSwapped("A1"))
    later = finds(options, Rule.SWAP_NO_TRICK, *dealt("AO"), *WON, *LOST, PintaSwapped("A1"))
    needed = "last_trick" if later else "any_trick"
    assert (needed if at_once else "none") == value


@tables_stating("swap_only_for_value")
def test_swap_only_for_value(options, value):
    barred = {
        rank: finds(options, Rule.SWAP_ONLY_FOR_VALUE, *dealt(f"{rank}O"), *WON, PintaSwapped("A1"))
        for rank in "A3RSC2456"
    }
    blanks = [rank for rank, is_barred in barred.items() if is_barred]
    assert {"2456": "true", "": "false"}["".join(blanks)] == value


@tables_stating("swap_last_draw")
def test_swap_last_draw(options, value):
    """B2 draws last, so its partner B1 would give it the siete."""
    swap = PintaSwapped("B1")
    is_barred = finds(options, Rule.SWAP_LAST_DRAW, *dealt("AO"), *FOUR_TRICKS, swap)
    assert ("not_with_partner" if is_barred else "normal") == value


@tables_stating("two_for_seven")
def test_two_for_seven(options, value):
    dos = PintaSwapped("A1", "2O")
    assert flag(not finds(options, Rule.TWO_FOR_SEVEN_BARRED, *dealt("7O"), *WON, dos)) == value


@tables_stating("cante_window")
def test_cante_window(options, value):
    late = [
        window
        for window, after in SWAP_TIMES.items()
        if finds(options, Rule.CANTE_LATE, *dealt(), *WON, *after, cante("A1", "B"))
    ]
    assert (late[0] if late else "no end") == value


@tables_stating("cante_before_swap")
def test_cante_before_swap(options, value):
    swapped = [*dealt("AO"), *WON, PintaSwapped("A1")]
    assert flag(finds(options, Rule.CANTE_AFTER_SWAP, *swapped, cante("A1", "E"))) == value


@tables_stating("cante_needs_trick")
def test_cante_needs_trick(options, value):
    singers = ("A1", "A2", "B1", "B2")
    right = [
        seat
        for seat in singers
        if not finds(options, Rule.CANTE_NO_TRICK, *dealt(), *WON, cante(seat, "E"))
    ]
    assert right == ["A1", "A2"]
    is_lost = finds(options, Rule.CANTE_NO_TRICK, *dealt(), *WON, *LOST, cante("A1", "E"))
    assert ("last_trick" if is_lost else "any_trick") == value


def cantes_before(options: Options, rule: Rule, *sung: TableAct) -> int | None:
    """How many of these cantes of one trick may be sung before one is too many by this rule."""
    for many in range(len(sung)):
        if finds(options, rule, *dealt(), *WON, *sung[: many + 1]):
            return many
    return None


@tables_stating("cantes_per_player")
def test_cantes_per_player(options, value):
    sung = [cante("A1", suit) for suit in "EBC"]
    assert str(cantes_before(options, Rule.CANTES_PER_PLAYER, *sung) or 3) == value


@tables_stating("cantes_per_side")
def test_cantes_per_side(options, value):
    sung = [cante("A1", "E"), cante("A2", "B"), cante("A1", "C")]
    assert str(cantes_before(options, Rule.CANTES_PER_SIDE, *sung) or "no_limit") == value


@tables_stating("cante_in_arrastre")
def test_cante_in_arrastre(options, value):
    sung = [*deal_until_arrastre(options), cante("A1", "B")]
    assert flag(not finds(options, Rule.CANTE_IN_ARRASTRE, *sung)) == value


@tables_stating("cante_20_shown")
def test_cante_20_shown(options, value):
    free, arrastre = [*dealt(), *WON], deal_until_arrastre(options)
    hidden, unnamed = CanteAnnounced("A1", "B", shown=False), CanteAnnounced("A1", "")
    faults = [
        finds(options, Rule.CANTE_NOT_SHOWN, *before, sung)
        for before in (free, arrastre)
        for sung in (hidden, unnamed)
    ]
    ways = {
        (True, True, True, True): "always",
        (True, True, False, False): "not_in_arrastre",
        (False, True, False, True): "suit_named",
        (False, True, False, False): "suit_on_request_in_arrastre",
    }
    assert ways[tuple(faults)] == value


@tables_stating("cante_40_shown")
def test_cante_40_shown(options, value):
    is_fault = finds(options, Rule.CANTE_40_SHOWN, *dealt(), *WON, cante("A1", "O"))
    assert ("never" if is_fault else "free") == value


@tables_stating("tute")
@pytest.mark.parametrize("rank", ["R", "S"])
def test_tute(options, value, rank):
    scene = given(options, *dealt(), *WON, TuteAnnounced("A2", rank, shown=True))
    assert flag(scene.table.decided) == value
