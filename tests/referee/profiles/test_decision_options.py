"""At tables of each profile: points, who wins, vueltas and the match as the law has them."""

from __future__ import annotations

from referee.aggregates.partida import dealer_due_next_partida
from referee.events import (
    ClaimMade,
    CountEntered,
    DealCounted,
    DealStarted,
    TrickEntered,
    TrickReviewed,
)
from referee.rules.articles import Rule
from referee.rules.counts import Score, winner_after_first_deal
from referee.rules.match_scores import match_standing
from referee.rules.profile.options import Options
from tests.referee.profiles.stated import (
    finds,
    tables_stating,
)
from tests.support.records.table_deals import deal_of, vueltas
from tests.support.records.table_text import Scene, cante, dealt, given, tricks

MOST = 30
"""Points of a trick that four cards can always have."""


def share(points: int) -> int:
    """What the next of several tricks takes of these points, so that each can be: none is worth 1."""
    return points if points <= MOST else MOST - 2 * (points == MOST + 1)


def deal_counted(options: Options, last: str, *sung: str, **points: int) -> Scene:
    """A first deal with so many card points for each side.

    ``sung``: cantes as ``B1 O, B2 C``, all of them after one trick of their side.
    """
    acts, many = dealt(), (options.hand_size * 4 + options.stock_size) // 4
    for cantes in sung:
        worth = share(points[cantes[0]])
        points[cantes[0]] -= worth
        acts += [TrickEntered(cantes[:2], worth)]
        acts += [cante(*one.split()) for one in cantes.split(", ")]
    taken = len(sung)
    for side in points:
        while worth := share(points[side]):
            points[side] -= worth
            acts += [TrickEntered(f"{side}1", worth)]
            taken += 1
    return given(options, *acts, *[TrickEntered(last, 0)] * (many - taken))


def totals(scene: Scene) -> dict[str, int]:
    """Totals of the first deal."""
    return next(one.totals for one in scene.state.stated if isinstance(one, DealCounted))


@tables_stating("last_trick_points")
def test_last_trick_points(options, value):
    found = totals(deal_counted(options, "B1", A=60, B=60))
    assert found == {"A": 60, "B": 60 + int(value)}


@tables_stating("target")
def test_target(options, value):
    winning = [
        a + 20
        for a in range(70, 91)
        if deal_counted(options, "B1", "A1 E", A=a, B=120 - a).table.decided is not None
    ]
    assert winning == list(range(int(value), 111))


@tables_stating("both_reach_target")
def test_both_reach_target(options, value):
    scene = deal_counted(options, "A1", "A1 E", "B1 O, B2 C", A=71, B=49)
    assert totals(scene) == {"A": 101, "B": 109}
    assert {"A": "last_trick", "B": "highest_total"}[scene.table.decided.winner] == value


SUNG = ("A1 E", "B1 O, B2 C", "B1 B")
WITHOUT_MINIMUM = ("club", "escuela", "baraja-francesa", "sin-mazo")


@tables_stating("min_malas")
def test_min_malas(options, value):
    """Both have 101, and B has 29 beside its cantes, or 30; the last trick is B's."""
    winners = [
        deal_counted(options, "B1", *SUNG, A=120 - b, B=b).table.decided.winner for b in (19, 20)
    ]
    assert {("A", "B"): "30", ("B", "B"): "0"}[tuple(winners)] == value


@tables_stating("min_malas_of", without=WITHOUT_MINIMUM)
def test_min_malas_of(options, value):
    """Both have 101; B has 30 with the ten of the last trick, and 20 without."""
    scene = deal_counted(options, "B1", *SUNG, A=100, B=20)
    assert {"B": "cards_and_ultimas", "A": "cards"}[scene.table.decided.winner] == value


@tables_stating("min_malas_applies", without=WITHOUT_MINIMUM)
def test_min_malas_applies(options, value):
    found = winner_after_first_deal(
        {"A": Score(cards=99), "B": Score(cards=29)}, options, ["B", "A"]
    )
    assert ("always" if found == "A" else "both_over_target") == value


@tables_stating("cantes_need_min_malas", without=WITHOUT_MINIMUM)
def test_cantes_need_min_malas(options, value):
    found = totals(deal_counted(options, "B1", *SUNG, A=101, B=19))
    assert {29: "true", 109: "false"}[found["B"]] == value


@tables_stating("claim_in")
def test_claim_in(options, value):
    first = [DealStarted("B2"), *tricks("A1 20"), ClaimMade("A1")]
    assert ("vueltas" if finds(options, Rule.CLAIM_IN, *first) else "any_deal") == value
    claimed = vueltas(options).tell(tricks("A1 20"), ClaimMade("A1")).table.decided
    assert claimed.how == "false_claim"


@tables_stating("vueltas_end")
def test_vueltas_end(options, value):
    reached = vueltas(options).tell(tricks("A1 31")).table.decided
    assert ("claim" if reached is None else "at_target") == value


@tables_stating("claim_by")
def test_claim_by(options, value):
    may = [
        seat
        for seat in ("A1", "A2", "B1")
        if vueltas(options).tell(tricks("A1 20"), ClaimMade(seat)).table.decided is not None
    ]
    ways = {1: "trick_winner", 2: "trick_winner_side", 3: "any_player"}
    assert may[0] == "A1"
    assert ways[len(may)] == value


@tables_stating("unclaimed_at_end")
def test_unclaimed_at_end(options, value):
    second = deal_of(options, "A1", A=0, B=120)[2:]
    scene = vueltas(options).tell(second, CountEntered())
    assert ("another_deal" if scene.table.decided is None else "latest_trick") == value


@tables_stating("tricks_viewable_in_vueltas")
def test_tricks_viewable_in_vueltas(options, value):
    noticed = []
    for number in (1, 2, 3):
        scene = vueltas(options).tell(tricks("B1 2, A1 2, B1 2"), TrickReviewed("A1", number))
        rules = [one.rule for one in scene.table.findings]
        noticed.append(Rule.TRICK_NOT_VIEWABLE in rules)
    ways = {(False, True, False): "first_and_last", (True, True, True): "none"}
    assert ways[tuple(noticed)] == value


@tables_stating("vueltas_dealer")
def test_vueltas_dealer(options, value):
    scene = given(options, *deal_of(options, "A2", dealer="B2", A=60, B=60))
    assert {"A2": "last_trick_winner"}[scene.table.dealer_due] == value


@tables_stating("next_dealer")
def test_next_dealer(options, value):
    due = dealer_due_next_partida(given(options, *deal_of(options, "B2", A=110, B=10)).state)
    assert {"B2": "last_trick_winner", "A1": "next_in_order"}[due] == value


def standing_after(text: str, options: Options):
    """Standing after partidas won by these sides."""
    return match_standing([(at, side, False) for at, side in enumerate(text, 1)], options)


def partidas_until(options: Options, winners: str, has_more: str) -> int:
    """How many of these partidas it takes until there is a cama, or a coto, or a match."""
    for many in range(1, len(winners) + 1):
        found = standing_after(winners[:many], options)
        ended = found.match_winner is not None
        made = {"cama": found.camas["A"] or found.made, "coto": found.made, "match": ended}
        if ended or made[has_more]:
            return many
    raise AssertionError(has_more)


@tables_stating("match_format")
def test_match_format(options, value):
    is_drawn = standing_after("AB" * 50, options).match_winner == ""
    assert ("fixed_partidas" if is_drawn else "cotos") == value


@tables_stating("partidas_per_cama", without=["sin-mazo"])
def test_partidas_per_cama(options, value):
    assert str(partidas_until(options, "A" * 99, "cama")) == value


@tables_stating("camas_per_coto", without=["sin-mazo"])
def test_camas_per_coto(options, value):
    camas = partidas_until(options, "A" * 99, "coto") // partidas_until(options, "A" * 99, "cama")
    assert str(camas) == value


@tables_stating("cotos_to_win", without=["sin-mazo"])
def test_cotos_to_win(options, value):
    assert str(len(standing_after("A" * 99, options).made)) == value


@tables_stating("fixed_partidas", without=["club"])
def test_fixed_partidas(options, value):
    assert str(partidas_until(options, "AB" * 50, "match")) == value
