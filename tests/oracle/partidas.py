"""Random partidas as text records: dealt and played here, and recorded more or less fully.

What is recorded of cards is true, so that every record can be. Plays may be unlawful, cantes false
or late, hands entered whole or in part at any line, draws noted, partly noted or not at all.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from tests.oracle.counting import counted
from tests.oracle.habits import CHANGES, COUNT_CHANGES, SWAP_CHANGES, Habits
from tests.oracle.law import (
    EDITIONS,
    SUITS,
    TABLES,
    Play,
    Rules,
    deck_of,
    lawful_cards,
    rules_of,
    winning,
)
from tests.oracle.reading import read
from tests.oracle.texts import FRENCH, FRENCH_SUITS, FRENCH_WORDS, WORDS, Written, header_of


@dataclass
class Table:
    """The true cards of a table, and what was written down."""

    rules: Rules
    chance: random.Random
    habits: Habits
    changes: dict[str, str | int | bool] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    dealt: dict[str, set[str]] = field(default_factory=dict)
    hands: dict[str, set[str]] = field(default_factory=dict)
    stock: list[str] = field(default_factory=list)
    pinta: str = ""
    noted: float = 0.0
    sung: dict[str, str] = field(default_factory=dict)
    taker: str = ""
    has_sung: bool = False
    in_vueltas: bool = False
    has_ended: bool = False
    is_quiet: bool = False
    owes_a_draw: str = ""
    plays: list[Play] = field(default_factory=list)
    hidden: str = ""
    answered: bool = False
    told_until: int = 0

    @property
    def trump(self) -> str:
        """Suit of the turned card."""
        return self.pinta[1]

    def happens(self, probability: float) -> bool:
        """Whether something of this probability happens."""
        return self.chance.random() < probability

    def card(self, card: str) -> str:
        """A card as the record writes it."""
        if not self.rules.french:
            return card
        return card[0].replace("C", "J").translate(FRENCH) + FRENCH_SUITS[card[1]]

    def cards(self, cards: set[str] | list[str]) -> str:
        """Cards as the record writes them."""
        return " ".join(map(self.card, sorted(cards)))

    def word(self, suit: str) -> str:
        """A suit as the record writes it."""
        return (FRENCH_WORDS if self.rules.french else WORDS)[suit]

    def play_deal(self, dealer: str) -> str:
        """One deal; who took its last trick."""
        self._deal(dealer)
        self.is_quiet = bool(self.habits.told_in)
        leader, swept = self.rules.order_from(dealer)[1], len(self.stock)
        self._state_facts()
        self._announce(leader)
        while self._may_go_on() and not self.has_ended:
            leader = self._trick(leader, free=swept > 0)
            swept = len(self.stock)
            if not self.has_ended:
                self._gap(leader)
        return leader

    def _may_go_on(self) -> bool:
        """Whether there is another trick to which every seat lays a card."""
        return all(self.hands.values())

    def _deal(self, dealer: str) -> None:
        rules, left_out = self.rules, ""
        if rules.players == 3 and rules.deck == 40 and rules.pinta_from == "first_stock_card":
            left_out = "2B"
        cards = list(deck_of(rules, left_out))
        self.chance.shuffle(cards)
        size = rules.hand_size
        if self.habits.cantes:
            self._pair_up(cards, size)
        if self.happens(self.habits.tutes):
            self._bring_together(cards, size)
        order = [*rules.order_from(dealer)[1:], dealer]
        sizes = dict.fromkeys(order, size)
        if self.happens(self.habits.wrong):
            more, less = self.chance.sample(order, 2)
            sizes |= {more: size + 1, less: size - 1}
        rest = cards[:]
        self.dealt = {seat: {rest.pop(0) for _ in range(sizes[seat])} for seat in order}
        self.pinta = rest[0] if rest else cards[-1]
        self.stock = [*rest[1:], rest[0]] if rules.pinta_from == "first_stock_card" else []
        self.hands = {seat: set(hand) for seat, hand in self.dealt.items()}
        out = f" sin {self.card(left_out)}" if left_out else ""
        self.lines += [f"reparto {dealer}{out}", f"pinta {self.card(self.pinta)}"]
        wrong = [f"tiene {seat} {many}" for seat, many in sizes.items() if many != size]
        self.lines += wrong
        self.noted = self.chance.choice(self.habits.draws_noted)
        self.sung, self.taker, self.owes_a_draw = {}, "", ""
        for seat in rules.seats:
            if self.happens(self.habits.hands_at_deal):
                self.lines.append(f"cartas {seat} {self.cards(self.dealt[seat])}")

    def _pair_up(self, cards: list[str], size: int) -> None:
        """Deal some reyes and their sotas into one hand, so that there is something to sing."""
        start = self.chance.randrange(self.rules.players) * size
        for suit in self.chance.sample(SUITS, self.chance.randint(0, 4)):
            if self.happens(0.4):
                start = self.chance.randrange(self.rules.players) * size
            places = self.chance.sample(range(start, start + size), 2)
            for place, card in zip(places, (f"R{suit}", f"S{suit}"), strict=True):
                at = cards.index(card)
                cards[at], cards[place] = cards[place], cards[at]

    def _bring_together(self, cards: list[str], size: int) -> None:
        """Deal four reyes or four sotas into one hand."""
        start = self.chance.randrange(self.rules.players) * size
        rank = self.chance.choice("RS")
        for place, suit in zip(
            self.chance.sample(range(start, start + size), 4), SUITS, strict=True
        ):
            at = cards.index(f"{rank}{suit}")
            cards[at], cards[place] = cards[place], cards[at]

    def _trick(self, leader: str, *, free: bool) -> str:
        plays = self.plays = list[Play]()
        for seat in self.rules.order_from(leader):
            if self.has_ended:
                return leader
            hand = sorted(self.hands[seat])
            if not free and not self.happens(self.habits.breaches):
                hand = sorted(lawful_cards(hand, plays, seat, self.trump, self.rules))
            card = self.chance.choice(self._kept(hand, seat) or hand)
            plays.append((seat, card))
            self.hands[seat].remove(card)
            self.lines.append(f"{seat} {self.card(card)}")
            self._state_facts()
            if self.taker and any(self.hands.values()) and self.happens(self.habits.late):
                self._announce(self.taker)
            if self._claim():
                return leader
        return winning(plays, self.trump, self.rules)[0]

    def _kept(self, hand: list[str], seat: str) -> list[str]:
        """Most of the time the cards that part no rey from its sota."""
        if not self.habits.cantes or self.happens(0.3):
            return hand
        other = {"R": "S", "S": "R"}
        return [c for c in hand if other.get(c[0], "") + c[1] not in self.hands[seat]]

    def _gap(self, taker: str) -> None:
        """What happens between two tricks: draws, announcements, cards shown."""
        steps: list[Callable[[], None]] = []
        if self.stock:
            steps = self._draws(list(self.rules.order_from(taker)))
        if not any(self.hands.values()):
            return
        self.has_sung, self.taker = False, taker
        told_in = self.habits.told_in
        if told_in and not self.told_until:
            self.is_quiet = told_in == "last" and len(self.stock) != self.rules.players
        self._announce(taker)
        for step in steps:
            if self.has_ended:
                break
            step()
            self._state_facts()
            self._announce(taker)
        if told_in and not self.is_quiet:
            self.is_quiet, self.told_until = True, self.told_until or len(self.lines)

    def _draws(self, seats: list[str]) -> list[Callable[[], None]]:
        """The draws of a gap; perhaps one before its turn, or one that is made up for in the next."""
        drawing = dict.fromkeys(seats, self._draw)
        many = len(self.stock)
        if self.owes_a_draw:
            drawing[self.owes_a_draw], self.owes_a_draw = self._draw_none, ""
        elif many > 2 * self.rules.players and self.happens(self.habits.wrong):
            self.owes_a_draw = seat = self.chance.choice(seats)
            drawing[seat] = self._draw_two
        elif many > self.rules.players and self.happens(self.habits.wrong):
            at = self.chance.randrange(1, len(seats))
            seats[at - 1], seats[at] = seats[at], seats[at - 1]
            drawing |= {seats[at - 1]: self._draw_early, seats[at]: self._draw_seen}
        elif many == self.rules.players and self.happens(self.habits.wrong):
            seats = [*seats[:-2], seats[-1], seats[-2]]
            drawing = dict.fromkeys(seats, self._draw_noted)
        elif many == self.rules.players and self.happens(self.habits.early):
            at = self.chance.randrange(len(seats) - 1)
            seats = [*seats[:at], seats[-1], *seats[at:-1]]
            drawing = dict.fromkeys(seats, self._draw_unnoted) | {seats[at]: self._draw_unseen}
        return [lambda seat=seat: drawing[seat](seat) for seat in seats]

    def _draw_two(self, seat: str) -> None:
        cards = [self.stock.pop(0) for _ in range(2)]
        self.hands[seat] |= set(cards)
        seen = f" {self.card(cards[1])}" if self.happens(self.habits.draws_seen) else ""
        self.lines.append(f"malrobo {seat} dos{seen}")

    def _draw_none(self, seat: str) -> None:
        self.lines.append(f"malrobo {seat} nada")

    def _draw_early(self, seat: str) -> None:
        card = self.stock.pop(0)
        self.hands[seat].add(card)
        seen = f" {self.card(card)}" if self.happens(self.habits.draws_seen) else ""
        self.lines.append(f"malrobo {seat} turno{seen}")

    def _draw_unnoted(self, seat: str) -> None:
        self.hands[seat].add(self.stock.pop(0))

    def _draw_unseen(self, seat: str) -> None:
        self._draw_unnoted(seat)
        self.lines.append(f"+ {seat} ?")

    def _draw_seen(self, seat: str) -> None:
        card = self.stock.pop(0)
        self.hands[seat].add(card)
        self.lines.append(f"+ {seat} {self.card(card)}")

    def _claim(self) -> bool:
        """Somebody says that they have 101, whether they have or not."""
        if not self.in_vueltas and not any(self.hands.values()):
            return False
        if self._is_at_target():
            return True
        if not self.happens(self.habits.claims * (1.0 if self.in_vueltas else 0.1)):
            return False
        self.lines.append(f"101 {self.chance.choice(self.rules.seats)}")
        text = Written(header_of(self.rules, self.changes), self.lines).text
        self.has_ended = counted(read(text)).claim is not None
        return self.has_ended

    def _is_at_target(self) -> bool:
        """Whether the vueltas ended by themselves."""
        if self.in_vueltas and self.changes.get("vueltas_end") == "at_target":
            text = Written(header_of(self.rules, self.changes), self.lines).text
            self.has_ended = bool(counted(read(text)).winner)
        return self.has_ended

    def enter_hands(self) -> None:
        """Hands that are known only when the partida is over."""
        for seat in self.rules.seats:
            if self.happens(0.4):
                self._fact_hand(seat)

    def _draw_noted(self, seat: str) -> None:
        card = self.stock.pop(0)
        self.hands[seat].add(card)
        is_seen = not self.stock or self.happens(self.habits.draws_seen)
        self.lines.append(f"+ {seat} {self.card(card) if is_seen else '?'}")

    def _draw(self, seat: str) -> None:
        card = self.stock.pop(0)
        self.hands[seat].add(card)
        if self.is_quiet or self.happens(self.noted):
            is_seen = self.happens(self.habits.draws_seen)
            if is_seen and self.happens(self.habits.lies):
                card = self.chance.choice(self.rules.cards)
            self.lines.append(f"+ {seat} {self.card(card) if is_seen else '?'}")

    def _announce(self, taker: str) -> None:
        if self.is_quiet:
            return
        if self.happens(self.habits.cantes):
            self._sing(taker)
        if self.habits.rivals and self.happens(self.habits.rivals):
            self._answer_rival(taker)
        if self.habits.rules and self.happens(self.habits.rules):
            self._annul()
        if "" in self.sung and self.happens(self.habits.asks):
            self._ask_suit(self.sung[""])
        if self.happens(self.habits.tutes) and self._sing_tute(taker):
            return
        if not self._is_at_target() and self.happens(self.habits.swaps):
            self._swap(taker)

    def _answer_rival(self, taker: str) -> None:
        """A false cante of somebody, or the true holder of what was sung sings it, or shows it."""
        held = [
            (seat, suit)
            for seat in self.rules.seats
            for suit in SUITS
            if self._has_pair(seat, suit)
        ]
        asked = [pair for pair in held if pair[1] in self.sung and self.sung[pair[1]] != pair[0]]
        free = [pair for pair in held if pair[1] not in self.sung]
        if asked and self.happens(0.7):
            seat, suit = self.chance.choice(asked)
            if self.happens(0.3):
                self.lines.append(f"ensena {seat} {self.cards({'R' + suit, 'S' + suit})}")
            elif seat[0] == taker[0] or self.happens(0.2):
                way = self.chance.choice(("", " vistas"))
                self.lines.append(f"canta {seat} {self.word(suit)}{way}")
        elif free:
            suit = self.chance.choice(free)[1]
            self.sung[suit] = taker
            self.lines.append(f"canta {taker} {self.word(suit)}")

    def _has_pair(self, seat: str, suit: str) -> bool:
        return {f"R{suit}", f"S{suit}"} <= self.hands[seat]

    def _annul(self) -> None:
        """A ruling annuls one of the cantes."""
        text = Written(header_of(self.rules, self.changes), self.lines).text
        sung = [act.line for act in read(text).deals[-1].acts if act.word == "canta"]
        if sung:
            self.lines.append(
                f'resuelve anula-linea linea {self.chance.choice(sung)} "no las llevaba"'
            )

    def _ask_suit(self, singer: str) -> None:
        """Somebody asks for the suit of a hidden 20, most of the time the partner."""
        if self.answered:
            return
        others = [seat for seat in self.rules.seats if seat != singer]
        partners = [seat for seat in others if seat[0] == singer[0]]
        by = self.chance.choice(partners if partners and self.happens(0.8) else others)
        suit = self.hidden if self.happens(0.7) else ""
        self.answered = bool(suit)
        self.lines.append(f"pregunta {by} a {singer} {self.word(suit) if suit else '?'}")

    def _sing_tute(self, taker: str) -> bool:
        """A tute of whoever holds one, in time or not, or a false one; whether play is over."""
        fours = [(s, r) for s in self.rules.seats for r in "RS" if self._has_four(s, r)]
        word = {"R": "reyes", "S": "sotas"}
        if fours:
            seat, rank = self.chance.choice(fours)
            how = self.chance.choice(("", " vistas", " vistas", " tapadas"))
            self.lines.append(f"tute {seat} {word[rank]}{how}")
        elif self.happens(0.5):
            how = self.chance.choice(("", " tapadas"))
            self.lines.append(f"tute {taker} {word[self.chance.choice('RS')]}{how}")
        else:
            return False
        text = Written(header_of(self.rules, self.changes), self.lines).text
        self.has_ended = bool(counted(read(text)).winner)
        return self.has_ended

    def _has_four(self, seat: str, rank: str) -> bool:
        return {rank + suit for suit in SUITS} <= self.hands[seat]

    def _swap(self, taker: str) -> None:
        """A swap of somebody who holds the card for it, whether they may or not."""
        blank = ("9" if self.rules.deck == 48 else "7") + self.trump
        gave = "2" + self.trump if self.pinta == "7" + self.trump else blank
        holder = next((seat for seat in self.rules.seats if gave in self.hands[seat]), "")
        if not self.stock or not holder or self.happens(0.3 if holder[0] == taker[0] else 0.7):
            return
        self.hands[holder].remove(gave)
        self.hands[holder].add(self.pinta)
        self.stock[-1] = self.pinta = gave
        named = f" {self.card(gave)}" if gave != blank or self.happens(0.3) else ""
        self.lines.append(f"cambia {holder}{named}")

    def _sing(self, taker: str) -> None:
        """A cante, most of the time of somebody who holds one."""
        pairs = [
            (seat, suit)
            for seat in self.rules.seats
            for suit in SUITS
            if {f"R{suit}", f"S{suit}"} <= self.hands[seat]
        ]
        own = [pair for pair in pairs if pair[0][0] == taker[0]]
        if own and self.happens(0.5):
            seat, suit = self.chance.choice(own)
        elif pairs and self.happens(0.15):
            seat, suit = self.chance.choice(pairs)
        elif self.habits.sings_falsely and self.happens(0.2):
            partners = [seat for seat in self.rules.seats if seat[0] == taker[0]]
            seats = self.rules.seats if self.happens(0.2) else partners
            seat, suit = self.chance.choice(seats), self.chance.choice(SUITS)
        else:
            return
        if (suit in self.sung or self.has_sung) and not self.habits.sings_again:
            return
        if self.sung.get("") == seat:
            return
        is_plain = len(self.stock) > self.rules.players or not self.stock
        ways = ["", "", "", " tapadas" if is_plain and self.habits.sings_falsely else ""]
        ways += [" vistas"] * 2 if (seat, suit) in pairs else []
        way = f" {self.word(suit)}{self.chance.choice(ways)}"
        if (
            is_plain
            and suit != self.trump
            and "" not in self.sung
            and self.happens(self.habits.hidden)
        ):
            self.hidden, self.answered = suit, False
            suit, way = "", " ?"
        self.sung[suit] = seat
        is_sure = (seat, suit) in own and way != " ?" and not way.endswith("tapadas")
        self.has_sung = self.has_sung or not is_sure
        self.lines.append(f"canta {seat}{way}")

    def _state_facts(self) -> None:
        """Something true of a hand, by chance; half of the time of one who sang."""
        if self.habits.kinds and not self.is_quiet and self.happens(self.habits.facts):
            singers = sorted(set(self.sung.values()))
            is_singers = singers and self.happens(0.5)
            seat = self.chance.choice(singers if is_singers else self.rules.seats)
            getattr(self, f"_fact_{self.chance.choice(self.habits.kinds)}")(seat)

    def _fact_hand(self, seat: str) -> None:
        self.lines.append(f"cartas {seat} {self.cards(self.dealt[seat])}")

    def _fact_part(self, seat: str) -> None:
        self._named("cartas", seat, self.dealt[seat])

    def _fact_now(self, seat: str) -> None:
        self._named("ahora", seat, self.hands[seat])

    def _fact_show(self, seat: str) -> None:
        self._named("ensena", seat, self.hands[seat])

    def _named(self, word: str, seat: str, cards: set[str]) -> None:
        if cards:
            some = self.chance.sample(sorted(cards), self.chance.randint(1, len(cards)))
            if self.happens(self.habits.lies):
                some[0] = self.chance.choice(sorted(set(self.rules.cards) - set(some)))
            self.lines.append(f"{word} {seat} {self.cards(some)}")

    def _fact_void(self, seat: str) -> None:
        held = {card[1] for card in self.hands[seat]}
        if lacking := [suit for suit in SUITS if suit not in held]:
            self.lines.append(f"ensena {seat} sin {self.word(self.chance.choice(lacking))}")

    def _fact_all(self, seat: str) -> None:
        if self.hands[seat]:
            self.lines.append(f"ensena {seat} todas {self.cards(self.hands[seat])}")


def partida(seed: int, habits: Habits) -> Written:
    """A random partida of these habits."""
    chance = random.Random(seed)
    name, players, deck = chance.choice(TABLES)
    changes = {}
    if chance.random() < habits.changes:
        tables = [CHANGES] if not habits.claims else [COUNT_CHANGES]
        if habits.swaps and name != "sin-mazo":
            tables = [SWAP_CHANGES, SWAP_CHANGES, CHANGES]
        table = chance.choice(tables)
        for option in chance.sample(sorted(table), 3):
            changes[option] = chance.choice(table[option])
    if habits.tutes and chance.random() < 0.7:
        changes["tute"] = True
    rules = rules_of(name, players, deck, **changes)
    if habits.editions and not changes:
        rules = replace(rules, edition=chance.choice(EDITIONS))
    table = Table(rules, chance, habits, changes)
    dealer = chance.choice(rules.seats)
    header = header_of(rules, changes)
    for number in range(habits.deals):
        table.in_vueltas = number > 0
        dealer = table.play_deal(dealer)
        if number and not table.has_ended:
            table.lines.append("cuenta")
        is_counted = habits.claims or habits.tutes
        if table.has_ended or (is_counted and _has_winner(Written(header, table.lines))):
            break
    if habits.kinds and table.has_ended:
        table.enter_hands()
    lines = table.lines
    if habits.told_in:
        lines = lines[: max(table.told_until, 2) + chance.randint(0, rules.players + 1)]
    elif chance.random() < habits.cut:
        lines = lines[: chance.randint(2, len(lines))]
        while lines[-1].startswith(("reparto", "tiene")):
            lines.pop()
    return Written(header, lines)


def _has_winner(written: Written) -> bool:
    return bool(counted(read(written.text)).winner)
