"""A small language for tests of a table: acts as text, and given-when-then."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from referee.aggregates.commands import Amend, PartidaCommand, Record, Undo
from referee.aggregates.partida import (
    Partida,
    dealer_due_next_partida,
    decide,
    fold,
    follow_command_of_partida,
)
from referee.errors import Refused
from referee.events import (
    Act,
    CanteAnnounced,
    CardDrawn,
    CardPlayed,
    Change,
    ClaimJudged,
    DealCounted,
    DealStarted,
    HandEntered,
    PartidaOpened,
    PintaTurned,
    TableAct,
    TrickEntered,
    VueltasBegun,
)
from referee.rules.articles import Rule
from referee.rules.cards import BIT, DECK_40, TOKENS, cards_in, mask_of, mask_of_tokens
from referee.rules.profile.options import Options, option_values
from referee.rules.profile.values import plain_value
from referee.table.counts import scores_without_called_totals
from referee.table.draws import deal_after_implied_draws
from referee.table.state import Deal, Finding, Table

Said = TableAct | PartidaCommand | Iterable[TableAct | PartidaCommand]

CLUB = Options()
TWO = Options(players=2)
THREE = Options(players=3)
NO_STOCK = Options(
    hand_size=10,
    deal_packets="one_by_one",
    pinta_from="dealers_last_card",
    duties_from="first_trick",
    swap=False,
)
"""Ten cards each and no stock: duties from the first trick."""


def plays(text: str) -> list[TableAct]:
    """Cards laid: ``A1 AO, B1 3C``."""
    return [CardPlayed(seat, card) for seat, card in _pairs(text)]


def draws(text: str) -> list[TableAct]:
    """Draws, seen or not: ``A1, B1 3C``."""
    return [CardDrawn(*words.split()) for words in text.split(",")]


def tricks(text: str) -> list[TableAct]:
    """Tricks without cards, with points if counted: ``A1 20, B1``."""
    found: list[TableAct] = []
    for words in text.split(","):
        seat, *points = words.split()
        found.append(TrickEntered(seat, int(points[0]) if points else None))
    return found


def dealt(pinta: str = "4O", dealer: str = "B2", **hands: str) -> list[TableAct]:
    """A deal with its pinta, and the dealt hands: ``A1="AO 3O"``."""
    entered = [HandEntered(seat, tuple(cards.split())) for seat, cards in hands.items()]
    return [DealStarted(dealer), PintaTurned(pinta), *entered]


def first_deal(text: str, dealer: str = "B2") -> list[TableAct]:
    """A deal of a record without cards: its tricks."""
    return [DealStarted(dealer), *tricks(text)]


def cante(seat: str, suit: str = "", *, shown: bool | None = True) -> CanteAnnounced:
    """A cante, shown unless it says otherwise."""
    return CanteAnnounced(seat, suit, shown)


def insert(line: int, act: TableAct) -> Amend:
    """An act that was forgotten, before this line."""
    return Amend((Change(line, "insert", act),))


def put_in_place(line: int, act: TableAct) -> Amend:
    """Another act in the place of this line."""
    return Amend((Change(line, "replace", act),))


def withdraw(*lines: int) -> Amend:
    """These lines did not happen."""
    return Amend(tuple(Change(line, "withdraw") for line in lines))


def _pairs(text: str) -> list[tuple[str, str]]:
    found = []
    for words in text.split(","):
        seat, card = words.split()
        found.append((seat, card))
    return found


def _flat(said: Iterable[Said]) -> list[TableAct | PartidaCommand]:
    found: list[TableAct | PartidaCommand] = []
    for one in said:
        if isinstance(one, Act | Record | Amend | Undo):
            found.append(one)  # type: ignore[arg-type]  # an act of the log is what was said
        else:
            found += list(one)  # type: ignore[arg-type]  # a list of them
    return found


def opened(options: Options, dealer_due: str = "") -> PartidaOpened:
    """A partida opened under these options."""
    values = {name: plain_value(value) for name, value in option_values(options).items()}
    return PartidaOpened("encuentro", 1, values, "hash", dealer_due)


class Scene:
    """A partida as recorded so far, and what was refused last."""

    def __init__(self, options: Options, dealer_due: str = "") -> None:
        self.state: Partida = fold([opened(options, dealer_due)])
        self.refusal: Refused | None = None

    @property
    def table(self) -> Table:
        """The table as it stands."""
        return self.state.table

    def tell(self, *said: Said) -> Self:
        """Record all of this; nothing may be refused."""
        for one in _flat(said):
            command = one if isinstance(one, Record | Amend | Undo) else Record(one)
            self.state = decide(command, self.state).state
            assert set(map(repr, self.state.stated)) == set(map(repr, self.table.conclusions))
        return self

    def play_out(self, until: int = 0) -> Self:
        """Play on with any cards that can be, to the last trick or until so many are closed."""
        while (deal := self.table.deal) is not None and not deal.is_played_out:
            if until and len(deal.tricks) == until:
                break
            seat, card = _any_play(deal)
            self.tell(CardPlayed(seat, card))
        return self

    def when(self, *said: Said) -> Self:
        """Record this, the last of it perhaps to be refused."""
        *before, last = _flat(said)
        self.tell(before)
        try:
            self.tell(last)
        except Refused as refused:
            self.refusal = refused
        return self

    def refused(self, rule: Rule, **facts: object) -> Self:
        """Assert that the last act was refused by this rule, with these facts among others."""
        assert self.refusal is not None, "nothing was refused"
        assert self.refusal.rule == rule, self.refusal
        assert {name: self.refusal.facts[name] for name in facts} == facts
        self.refusal = None
        return self

    def recorded(self) -> Self:
        """The last act was not refused."""
        assert self.refusal is None, self.refusal
        return self

    def finds(
        self,
        *rules: Rule,
        line: int | None = None,
        seat: str | None = None,
        known_at: int | None = None,
    ) -> Self:
        """A finding of each of these rules, and where it is written."""
        self.recorded()
        for rule in rules:
            found = [f for f in self.table.findings if f.rule == rule]
            assert any(
                line in (None, f.line) and seat in (None, f.seat) and known_at in (None, f.known_at)
                for f in found
            ), (rule, self.table.findings)
        return self

    def finds_not(self, *rules: Rule) -> Self:
        """No finding of these rules; without rules, no finding at all."""
        self.recorded()
        found = [f for f in self._findings(*rules) if not rules or f.rule in rules]
        assert not found, found
        return self

    def finds_only(self, *rules: Rule) -> Self:
        """Findings of exactly these rules."""
        self.recorded()
        assert sorted(f.rule for f in self._findings(*rules)) == sorted(rules)
        return self

    def _findings(self, *rules: Rule) -> list[Finding]:
        """Findings but those on points of tricks, unless asked for: scenes use tricks worth 60."""
        unasked = {Rule.TRICK_POINTS, Rule.TRICKS_SUM, Rule.TRICKS_TOGETHER} - {*rules}
        return [finding for finding in self.table.findings if finding.rule not in unasked]

    def then(self, winner: str, how: str, **totals: int) -> Self:
        """The partida is won so, with these totals where they are given."""
        self.recorded()
        found = follow_command_of_partida(self.state)
        assert (found.winner, found.how) == (winner, how)
        if totals:
            assert found.totals == totals
        return self

    def undecided(self) -> Self:
        """Nobody has won yet."""
        self.recorded()
        assert follow_command_of_partida(self.state).how == "undecided"
        return self

    def in_vueltas(self, deal: int = 2) -> Self:
        """The partida goes on with this deal."""
        self.undecided()
        assert VueltasBegun(deal) in self.state.stated
        return self

    def counted(self, deal: int, **totals: int) -> Self:
        """This deal was counted, with these totals of the partida."""
        found = [c for c in self.state.stated if isinstance(c, DealCounted) and c.deal == deal]
        assert [c.totals for c in found] == [totals]
        return self

    def judged(self, seat: str, total: int, *, reached: bool) -> Self:
        """The claim was counted so."""
        assert ClaimJudged(seat, total, reached) in self.state.stated
        return self

    def sung(self, **cantes: int) -> Self:
        """What the cantes of each side are worth so far."""
        self.recorded()
        found = scores_without_called_totals(self.table, self.table.all_deals)
        assert {side: score.cantes for side, score in found.items() if score.cantes} == cantes
        return self

    def next_dealer(self, seat: str) -> Self:
        """Assert the dealer of the next partida."""
        assert dealer_due_next_partida(self.state) == seat
        return self

    def winners(self, *seats: str) -> Self:
        """Who took the closed tricks of the running deal."""
        assert self.table.deal is not None
        assert tuple(t.taker for t in self.table.deal.tricks) == seats
        return self


def given(options: Options, *said: Said, dealer_due: str = "") -> Scene:
    """A table under these options at which all this was recorded."""
    return Scene(options, dealer_due).tell(*said)


def _any_play(deal: Deal) -> tuple[str, str]:
    """A card that the seat in turn can hold: one it is known to hold if it must."""
    if not deal.laid:
        deal = deal_after_implied_draws(deal)
    seat = deal.turn
    assert seat is not None
    held = deal.held[deal.place_of_seat(seat)]
    lying = BIT[deal.pinta] if deal.lies else 0
    unseen = deal.deck & ~(deal.played | sum(deal.held) | mask_of(deal.stock_cards) | lying)
    cards = cards_in(held if deal.is_hand_known(seat) else unseen)
    return seat, TOKENS[cards[0]]


def rest_of_deck(*without: str) -> list[str]:
    """Cards of the forty that are not in these texts."""
    return [TOKENS[c] for c in cards_in(DECK_40 & ~mask_of_tokens(" ".join(without).split()))]
