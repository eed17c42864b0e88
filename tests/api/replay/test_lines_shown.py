"""Lines on the felt: best play by the law, whose points are those that the program has priced."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from referee.aggregates.partida import Partida, fold
from referee.analysis.deals import ArrastreCard, CannotAnalyse, arrastre_cards_with_positions
from referee.analysis.engine import WHOLE_DEAL_NODES
from referee.analysis.questions import card_prices_or_none, points_left
from referee.analysis.reports import analyse_cards
from referee.events import CanteAnnounced, CardPlayed, TableAct
from referee.rules.cards import TOKENS, mask_of, points_of
from referee.rules.profile.profile import profile_by_id_at_edition
from referee.rules.seats import SIDES, side_of
from referee.table.state import Deal
from tests.api.replay.lines_shown import (
    UNPLAYED,
    ShownCard,
    choices_shown,
    line_shown,
    numbers_of,
    numbers_shown,
    totals_shown,
)
from tests.support.analysis.marks import NEEDS_ENGINE
from tests.support.browser.replayed import saved_file
from tests.support.page_in_node import PageInNode, expect, page_in_node
from tests.support.records.dealt_out import Player, opened

pytestmark = NEEDS_ENGINE
SUNG = re.compile(r"canta (\w+) \((20|40)\)$")
SUITS = {"oros": "O", "copas": "C", "espadas": "E", "bastos": "B"}


class Recorded(NamedTuple):
    """A partida of these players, as everybody could see it, with the cards of its first arrastre."""

    profile: str
    players: int
    acts: list[TableAct]

    @classmethod
    def of(cls, name: str, players: int, seed: int) -> Recorded:
        player = Player(profile_by_id_at_edition(name).options(players), seed, observed=True)
        player.breaches_left = 2
        player.partida()
        return cls(name, players, player.acts)

    def state(self, acts: list[TableAct] | None = None) -> Partida:
        options = profile_by_id_at_edition(self.profile).options(self.players)
        return fold([opened(options), *(self.acts if acts is None else acts)])

    def cards(self) -> tuple[ArrastreCard, ...]:
        table = self.state().table
        for deal in table.all_deals:
            try:
                return arrastre_cards_with_positions(table, deal)
            except CannotAnalyse:
                continue
        raise AssertionError("no deal of it can be analysed")


@pytest.fixture(scope="module")
def page() -> Iterator[PageInNode]:
    with page_in_node() as one:
        yield one


def show(page: PageInNode, folder: Path, recorded: Recorded, line: int) -> None:
    """The replay as one file from the disk, without a service, at a line."""
    page.open_file(saved_file(folder, *recorded).as_uri())
    go_to(page, line)


def go_to(page: PageInNode, line: int) -> None:
    page.locator(f".acts [data-line='{line}']").click()


def by_the_law(recorded: Recorded, one: ArrastreCard, line: list[ShownCard]) -> Deal:
    """The deal if the line had been recorded: the table refuses what cannot be."""
    acts, wrong = recorded.acts[: one.line - 1], set()
    for laid in line:
        wrong |= {len(acts) + 1} if laid.wrong else set()
        acts = [*acts, CardPlayed(laid.seat, laid.card), *cantes_of(laid)]
        deal = recorded.state(acts).table.all_deals[-1]
        assert deal.turn == (laid.turn or deal.turn), laid
    state = recorded.state(acts)
    unlawful = {finding.line for finding in state.table.findings if finding.line >= one.line}
    assert unlawful == wrong
    return state.table.all_deals[-1]


def cantes_of(laid: ShownCard) -> list[TableAct]:
    """The cantes after a card; whoever holds the pair sings it."""
    suits = [SUITS[found[1]] for text in laid.sung if (found := SUNG.search(text))]
    assert len(suits) == len(laid.sung)
    return [
        CanteAnnounced(seat, suit)
        for suit in suits
        for seat, hand in laid.hands.items()
        if {f"R{suit}", f"S{suit}"} <= set(hand)
    ]


def totals(recorded: Recorded, deal: Deal) -> dict[str, int]:
    """Points of each side in a deal that was played to its end."""
    found = dict.fromkeys(SIDES[recorded.players], 0)
    for trick in deal.tricks:
        found[side_of(trick.taker)] += points_of(mask_of(play.card for play in trick.plays))
    found[side_of(deal.tricks[-1].taker)] += 10
    for cante in deal.cantes:
        assert not cante.void
        found[side_of(cante.seat)] += cante.points
    return found


def twice_the_value(recorded: Recorded, one: ArrastreCard, ended: dict[str, int]) -> int:
    """Twice what a side has made since a card: its cards, and half of the cantes of both."""
    side = side_of(one.before.seat_to_play)
    made = {other: ended[other] - one.made[other] for other in ended}
    cantes = sum(made.values()) - points_left(one.before)
    if recorded.players == 3:
        assert cantes == 0
        return 2 * made[side]
    return (
        made[side] - sum(made[other] for other in made if other != side) + points_left(one.before)
    )


PARTIDAS = [("club", 4, 4), ("escuela", 4, 10), ("club", 2, 2), ("guinyot", 3, 5)]


@pytest.mark.parametrize("table", PARTIDAS, ids=lambda table: f"{table[0]}-{table[1]}")
def test_a_line_is_best_play_by_the_law_and_makes_what_was_priced(
    page: PageInNode, tmp_path: Path, table: tuple[str, int, int]
) -> None:
    recorded = Recorded.of(*table)
    cards = recorded.cards()
    show(page, tmp_path, recorded, cards[0].line)
    for one in cards[:6:5]:
        go_to(page, one.line)
        page.locator(".show-line").click()
        line = line_shown(page)
        ended = totals(recorded, by_the_law(recorded, one, line))
        assert totals_shown(page) == list(ended.values())
        found = card_prices_or_none(one.before)
        assert found is not None
        assert twice_the_value(recorded, one, ended) == 2 * found.values[one.card]
        page.locator(".not-played .back").click()


def test_some_line_has_a_cante_in_it(page: PageInNode, tmp_path: Path) -> None:
    recorded = Recorded.of(*PARTIDAS[0])
    (first, *_) = recorded.cards()
    show(page, tmp_path, recorded, first.line)
    page.locator(".show-line").click()
    assert [text for laid in line_shown(page) for text in laid.sung]


def costly(recorded: Recorded) -> ArrastreCard:
    """The first card with an unlawful one beside it in the hand, which makes another number."""
    for one in recorded.cards():
        found = card_prices_or_none(one.before)
        assert found is not None
        values = {found.values[card] for card in found.values if not found.is_lawful(card)}
        if values - {found.values[one.card]}:
            return one
    raise AssertionError("all unlawful cards are worth the same")


def test_each_card_of_the_hand_has_its_price_and_can_be_tried(
    page: PageInNode, tmp_path: Path
) -> None:
    recorded = Recorded.of(*PARTIDAS[0])
    one = costly(recorded)
    found = card_prices_or_none(one.before)
    assert found is not None
    expected = {TOKENS[c]: (value, found.is_lawful(c)) for c, value in found.values.items()}
    show(page, tmp_path, recorded, one.line)
    assert choices_shown(page) == expected
    for card, (value, is_lawful) in expected.items():
        page.locator(f".candidate[data-card='{card}']").click()
        line = line_shown(page)
        assert (line[0].card, line[0].wrong) == (card, not is_lawful)
        ended = totals(recorded, by_the_law(recorded, one, line))
        assert totals_shown(page) == list(ended.values())
        assert twice_the_value(recorded, one, ended) == 2 * value
        said = page.locator(".not-played").inner_text()
        assert ("(no se podía)" in said) == (not is_lawful), card
        page.press("Escape")
    assert choices_shown(page) == expected
    assert page.locator(UNPLAYED).count() == 0


def test_within_a_line_another_card_is_tapped_in_a_hand_and_the_line_follows(
    page: PageInNode, tmp_path: Path
) -> None:
    recorded = Recorded.of(*PARTIDAS[0])
    (first, *_) = recorded.cards()
    show(page, tmp_path, recorded, first.line)
    page.locator(".show-line").click()
    line = line_shown(page)
    page.press("Home")
    turn = page.locator(".seat.turn")
    seat, other = (
        line[1].seat,
        next(c for c in line[0].hands[line[1].seat] if c != line[1].card),
    )
    assert turn.get_attribute("data-seat") == seat
    turn.locator(f"[data-card='{other}']").click()
    expect(page.locator(f".trick [data-line='-2'] use[href='#{other}']")).to_have_count(1)
    changed = line_shown(page)
    assert [laid.card for laid in changed[:2]] == [line[0].card, other]
    assert totals_shown(page) == list(
        totals(recorded, by_the_law(recorded, first, changed)).values()
    )
    page.locator(".not-played .back").click()
    assert page.locator(".acts [aria-current]").get_attribute("data-line") == str(first.line)
    assert page.locator(".not-played").inner_text() == ""


WITHOUT_STOCK = ("sin-mazo", 4, 1)
_CARDS_SHOWN = "(n) => document.querySelectorAll('.leads circle').length === n"


def test_ten_tricks_without_a_stock_have_their_numbers_and_lines_too(
    page: PageInNode, tmp_path: Path
) -> None:
    recorded = Recorded.of(*WITHOUT_STOCK)
    cards = recorded.cards()
    assert card_prices_or_none(cards[0].before) is None
    found = card_prices_or_none(cards[0].before, most_nodes=WHOLE_DEAL_NODES)
    assert found is not None
    show(page, tmp_path, recorded, cards[0].line)
    expected = {TOKENS[c]: (value, found.is_lawful(c)) for c, value in found.values.items()}
    assert choices_shown(page) == expected
    page.locator(".show-line").click()
    line = line_shown(page)
    assert len(line) == len(cards)
    ended = totals(recorded, by_the_law(recorded, cards[0], line))
    assert totals_shown(page) == list(ended.values())
    assert twice_the_value(recorded, cards[0], ended) == 2 * found.values[cards[0].card]
    page.press("Escape")
    page.wait_for_function(_CARDS_SHOWN, arg=len(cards))
    assert "Calculando" not in page.locator(".lead-line").inner_text()
    answers = analyse_cards(recorded.state().table, WHOLE_DEAL_NODES)
    assert numbers_shown(page) == numbers_of(msgspec.to_builtins([*answers]))


def test_a_file_without_a_worker_tries_fewer_nodes_and_offers_nothing_beyond(
    page: PageInNode, tmp_path: Path
) -> None:
    recorded = Recorded.of(*WITHOUT_STOCK)
    first, late = recorded.cards()[0], recorded.cards()[-9]
    page.evaluate("() => { globalThis.Thread = Worker; delete globalThis.Worker; }")
    show(page, tmp_path, recorded, first.line)
    page.evaluate("() => { globalThis.Worker = Thread; }")
    expect(page.locator(".choices")).to_contain_text("demasiadas maneras")
    expect(page.locator(".choices button, .felt.tries")).to_have_count(0)
    go_to(page, late.line)
    assert len(choices_shown(page)) == 3
    expect(page.locator(".choices .show-line, .felt.tries")).to_have_count(2)
    within = [one for one in recorded.cards() if card_prices_or_none(one.before) is not None]
    page.wait_for_function(_CARDS_SHOWN, arg=len(within))
