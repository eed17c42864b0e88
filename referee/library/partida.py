"""A partida that is played forward and back, with what the law says of it at each moment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from dataclasses import replace as with_fields
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from msgspec.structs import replace

from referee import events as ev
from referee.aggregates.commands import command_to_repeat_act
from referee.aggregates.partida import INITIAL, decide, evolve, fold_acts
from referee.aggregates.partida import Partida as PartidaState
from referee.errors import Refused
from referee.library.deals import Deal
from referee.library.drawing import TableView, table_svg
from referee.library.imagination import acts_with_unseen_cards_shuffled
from referee.rules.articles import Rule
from referee.rules.cards import ABOVE, BIT, SUITS, mask_of
from referee.rules.duties import lawful_plays, position_before_play
from referee.rules.library.hands import Hand
from referee.rules.library.tricks import Trick, options_of_table
from referee.rules.library.values import CARD_OF, Card, Rank, Seat, Side, Suit
from referee.rules.profile.options import Options, card_for_swap, two_for_seven_cards_or_none
from referee.rules.profile.profile import Frozen, Profile, freeze, profile
from referee.table import draws
from referee.table.counts import partida_totals
from referee.table.state import Deal as DealState
from referee.table.state import Finding, Play, Table

if TYPE_CHECKING:
    import random

    from referee.record import TextRecord

_TUTES: Final = ((Rank.REY, "reyes"), (Rank.SOTA, "sotas"))
Push: TypeAlias = Card | Deal | str
"""What is pushed: a card of the seat to play, a deal, or acts as a record writes them."""


class Outcome(NamedTuple):
    """How a partida ended: who won, by what, and the totals of the sides."""

    winner: Side | None
    how: str
    totals: Mapping[Side, int]


class ActVerdict(NamedTuple):
    """What the seen cards prove of an act: ``lawful``, ``unlawful`` or ``open``.

    ``seat``: None if nobody is named. ``rule``: what it offends. ``proof``: cards that prove it,
    none if it is proved by counting or by the act itself. ``settles``: unseen cards on which an
    open act depends.
    """

    line: int
    seat: Seat | None
    answer: str
    rule: Rule | None
    proof: Hand
    settles: Hand


@dataclass(slots=True)
class _Course:
    """Everything that was pushed, and the state of the partida before and after each push.

    ``rules``: the profile, frozen. ``header``: that of the record, which is made of it when it is
    asked for. ``words``: those of the acts.
    """

    states: list[PartidaState]
    rules: Frozen | None = None
    header: TextRecord | None = None
    pushed: list[Push] = field(default_factory=list)
    words: dict[ev.TextId, str] = field(default_factory=dict)


class Partida:
    """A partida: what was pushed, one after the other, and what the law says of it now.

    ``rules``: ``club`` if not given; ``players`` and ``deck``: what the profile names first. What
    is against the rules can be pushed, as it can be done at a table, and is among ``findings``;
    what is impossible raises ``Refused``. Two are equal if their records are.

    >>> partida = Partida()
    >>> partida.push(Deal.random(7))
    >>> partida.push("A1 3B  B1 4O")
    >>> partida.push(Card.parse("11C"))
    Traceback (most recent call last):
    referee.errors.Refused: ('card-elsewhere', {'card': 'CC', 'seat': 'A2', 'where': 'B1'})
    >>> partida.whose_turn, partida.trick, partida.lawful
    (Seat.A2, Trick.parse('A1 3B, B1 4O'), Hand.parse('4C AE SE 7E AB SB'))
    >>> partida.pop(), partida.whose_turn
    ('A1 3B  B1 4O', Seat.A1)
    """

    __hash__ = None  # type: ignore[assignment]  # what is pushed changes it

    def __init__(
        self,
        rules: Profile | None = None,
        *,
        players: int | None = None,
        deck: int | None = None,
    ) -> None:
        rules = rules or profile("club")
        options = options_of_table(rules, players or rules.players[0], deck)
        table = freeze(rules, options.players, options.deck)
        opened = ev.PartidaOpened("", 1, table["options"], table["hash"])
        self._course = _Course([evolve(INITIAL, opened)], table)

    @classmethod
    def _from_course(cls, course: _Course) -> Partida:
        """Partida with this course."""
        partida = cls.__new__(cls)
        partida._course = course  # noqa: SLF001 - its own
        return partida

    @classmethod
    def from_record(cls, text: str, number: int | None = None) -> Partida:
        """Partida of a text record, the first or that of a number; each of its acts can be popped.

        ``ValueError`` with all that is malformed or impossible; ``LookupError``: no such number.
        """
        from referee.library import texts  # noqa: PLC0415 - at the first text: a fifth of the time

        read = texts.parse_partida_in_record(text, number)
        course = _Course([evolve(INITIAL, read.opened)], None, read.header, [], read.words)
        for act in read.acts:
            state = evolve(course.states[-1], act)
            course.states.append(replace(state, stated=state.conclusions_from_acts))
            course.pushed.append(texts.print_partida_act(act, read))
        return cls._from_course(course)

    def record(self) -> str:
        """The partida as a text record, in its canonical form: ``from_record`` reads it."""
        from referee.library import texts  # noqa: PLC0415 - see above

        course = self._course
        if course.header is None:
            assert course.rules is not None
            course.header = texts.record_header_of_profile(course.rules)
        return texts.print_partida(course.header, self._state, course.words)

    def push(self, what: Push) -> None:
        """Lay a card of the seat to play, deal, or record acts as a record writes them.

        ``Refused`` if it is impossible; ``ValueError`` for a card when nobody is to play, or for a
        text that is no act. Then nothing has changed.
        """
        course, state = self._course, self._state
        acts, words = self._acts_of_push(what)
        for act in acts:
            state = decide(command_to_repeat_act(act), state).state
        course.words.update(words)
        course.states.append(state)
        course.pushed.append(what)

    def _acts_of_push(self, what: Push) -> tuple[tuple[ev.PartidaAct, ...], dict[ev.TextId, str]]:
        """Acts that a card, a deal or a text means for ``push``, and their free texts by id."""
        if isinstance(what, Deal):
            return what.acts, {}
        if isinstance(what, Card):
            if (seat := self.whose_turn) is None:
                raise ValueError(f"nobody is to play {what}")
            return (ev.CardPlayed(str(seat), str(what)),), {}
        from referee.library import texts  # noqa: PLC0415 - see above

        return texts.read_acts_and_texts(what, self.options.pack)

    def pop(self) -> Push:
        """Take back what was pushed last, and return it. ``IndexError`` if nothing was."""
        what = self._course.pushed.pop()
        self._course.states.pop()
        return what

    def copy(self) -> Partida:
        """A copy, which can be played on independently."""
        old = self._course
        return self._from_course(
            with_fields(old, states=[*old.states], pushed=[*old.pushed], words=dict(old.words))
        )

    __copy__ = copy

    def imagine(self, seat: Seat, chance: random.Random) -> Partida:
        """A copy with the cards that a seat cannot see shuffled.

        What was played stays, and nobody gets a card that would make a renuncio of it. It begins
        here: nothing can be popped. ``ValueError`` if not every card of the deal is known.

        >>> import random
        >>> partida = Partida()
        >>> partida.push(Deal.random(7))
        >>> other = partida.imagine(Seat.A1, random.Random(1))
        >>> [seat for seat in partida.seats if other.hand(seat) == partida.hand(seat)]
        [Seat.A1]
        """
        deal, state, old = self._latest_deal, self._state, self._course
        seat.check(self.options.players)
        if deal is None:
            raise ValueError("nothing is dealt")
        assert state.opened is not None
        acts = acts_with_unseen_cards_shuffled(str(seat), deal, state.standing_acts, chance)
        course = with_fields(old, states=[fold_acts(state.opened, acts)], pushed=[])
        return self._from_course(with_fields(course, words=dict(old.words)))

    @property
    def pushed(self) -> tuple[Push, ...]:
        """Everything that was pushed and not popped, in order."""
        return tuple(self._course.pushed)

    @property
    def options(self) -> Options:
        """Options that the table plays by."""
        return self._table.options

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Seats of the table in order of play."""
        return Seat.at_table(self.options.players)

    @property
    def outcome(self) -> Outcome | None:
        """Who has won, how, and the totals; None while nobody has."""
        won = self._table.decided
        if won is None:
            return None
        totals = {Side(side): points for side, points in won.totals.items()}
        return Outcome(Side(won.winner) if won.winner else None, won.how, totals)

    @property
    def score(self) -> dict[Side, int]:
        """Points of each side in all deals of the partida, as far as they are known."""
        return {Side(side): total for side, total in partida_totals(self._table).items()}

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the law finds against what was pushed: the rule, the seat, and the line of the act.

        >>> partida = Partida()
        >>> partida.push(Deal.random(7))
        >>> partida.push("B1 4O")
        >>> [(one.rule, one.seat, one.line) for one in partida.findings]
        [(Rule.OUT_OF_TURN, 'B1', 8)]
        """
        return self._table.findings

    def verdicts(self) -> tuple[ActVerdict, ...]:
        r"""Every act of a player with what is proved of it, whatever cards were not seen.

        >>> partida = Partida(profile("sin-mazo"), players=3)
        >>> partida.push("reparto C1\npinta 2O\nA1 AC  B1 5E")
        >>> partida.verdicts()[-1].answer
        'open'
        >>> partida.push("C1 2C  A1 3E  B1 7C")
        >>> one = partida.verdicts()[2]
        >>> one.answer, one.seat, one.rule, one.proof
        ('unlawful', Seat.B1, Rule.FOLLOW, Hand.parse('7C'))
        """
        from referee.table.verdicts import judge_acts  # noqa: PLC0415 - few ask for evidence

        judged = judge_acts(self._table, self._state.standing_acts, with_slips=False)
        return tuple(
            ActVerdict(
                *(one.line, Seat(one.seat) if one.seat else None, one.answer, one.rule),
                *(Hand.of_mask(mask_of(cards)) for cards in (one.cards, one.settles)),
            )
            for one in judged
        )

    @property
    def whose_turn(self) -> Seat | None:
        """Seat that is to lay a card; None before the deal, between two deals and at the end."""
        deal = self._latest_deal
        if deal is None or self._table.decided is not None or deal.turn is None:
            return None
        return Seat(deal.turn)

    @property
    def dealer(self) -> Seat | None:
        """Seat that has dealt; between two deals the one that is due to; None if open."""
        deal, due = self._latest_deal, self._table.dealer_due
        if due:
            return Seat(due)
        return Seat(deal.dealer) if deal else None

    @property
    def lawful(self) -> Hand:
        """Cards that the seat to play may lay; none if nobody is to play.

        ``ValueError`` if not all cards of its hand are known.
        """
        seat = self.whose_turn
        if seat is None:
            return Hand()
        hand, deal, options = self.hand(seat), self._latest_deal, self.options
        assert deal is not None
        if hand.mask.bit_count() < deal.sizes[deal.place_of_seat(seat)]:
            raise ValueError(f"of the hand of {seat} only these cards are known: {hand}")
        if not (deal.in_arrastre or options.duties_from == "first_trick"):
            return hand
        plays = [(play.seat, play.card) for play in deal.laid]
        position = position_before_play(plays, seat, deal.trump, options)
        return hand if position is None else Hand.of_mask(lawful_plays(position, hand.mask))

    def hand(self, seat: Seat) -> Hand:
        """Cards that a seat holds, as far as they are known, with the draw that is due."""
        seat.check(self.options.players)
        deal = self._latest_deal
        return Hand() if deal is None else Hand.of_mask(deal.held[deal.place_of_seat(seat)])

    @property
    def trick(self) -> Trick:
        """Cards on the table."""
        laid = self._latest_deal.laid if self._latest_deal else ()
        return Trick(_seats_and_cards_of_plays(laid), self.options.players)

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """Closed tricks of the running deal; one that was recorded without cards is empty."""
        closed = self._latest_deal.tricks if self._latest_deal else ()
        return tuple(
            Trick(_seats_and_cards_of_plays(one.plays), self.options.players) for one in closed
        )

    @property
    def trump(self) -> Suit | None:
        """Suit of trump; None before the pinta is turned."""
        deal = self._latest_deal
        return None if deal is None or deal.trump < 0 else Suit(SUITS[deal.trump])

    @property
    def pinta(self) -> Card | None:
        """Card that lies under the stock, or was turned; None before that."""
        deal = self._latest_deal
        return None if deal is None or deal.pinta < 0 else CARD_OF[deal.pinta]

    @property
    def stock(self) -> int:
        """Cards that are left to draw, the pinta among them."""
        return self._latest_deal.stock if self._latest_deal else 0

    def announcements(self, seat: Seat) -> tuple[str, ...]:
        """Cantes, tutes and swaps that a seat may announce now with the cards it has.

        Each is a text to push; after one the others may be barred.

        >>> partida = Partida()
        >>> partida.push(Deal.random(7))
        >>> partida.announcements(Seat.A1)
        ()
        >>> partida.push("A1 3B  B1 5O  A2 AB  B2 7O")
        >>> partida.push("B2 CE  A1 3E  B1 6C  A2 AE")
        >>> partida.announcements(Seat.A1)
        ('canta A1 oros',)
        """
        deal = self._latest_deal
        if deal is None or deal.trump < 0 or self.outcome:
            return ()
        possible = _announcement_texts(deal, self.options, seat, self.hand(seat))
        return tuple(text for text in possible if self._is_lawful_push(text))

    def _is_lawful_push(self, text: str) -> bool:
        """Whether these acts are possible and give no finding."""
        before = self.findings
        try:
            self.push(text)
        except Refused:
            return False
        is_right = self.findings == before
        self.pop()
        return is_right

    def svg(self, seat: Seat | None = None) -> str:
        """The table as an SVG drawing; with a seat, only the cards that this seat sees."""
        deal, open_to = self._latest_deal, (seat,) if seat else self.seats
        hands = dict[Seat, tuple[Hand, int]]()
        for one in self.seats:
            held = self.hand(one) if one in open_to else Hand()
            size = deal.sizes[deal.place_of_seat(one)] if deal else 0
            hands[one] = (held, max(size - len(held), 0))
        pinta = self.pinta if deal and deal.lies else None
        return table_svg(
            TableView(hands, self.trick, self.trump, pinta, self.stock, self.score, self.whose_turn)
        )

    _repr_html_ = svg

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Partida) and self.record() == other.record()

    def __repr__(self) -> str:
        return (
            f"<Partida of {len(self._course.pushed)} pushes, {self.whose_turn or 'nobody'} to play>"
        )

    @property
    def _state(self) -> PartidaState:
        return self._course.states[-1]

    @property
    def _table(self) -> Table:
        return self._state.table

    @property
    def _latest_deal(self) -> DealState | None:
        """The running deal, or the last one; before a lead every due draw is made."""
        deal = self._table.deal
        if deal is None or deal.laid or not deal.gap.to_draw:
            return deal
        return draws.deal_after_implied_draws(deal)


def _seats_and_cards_of_plays(laid: tuple[Play, ...]) -> tuple[tuple[Seat, Card], ...]:
    return tuple((Seat(play.seat), CARD_OF[play.card]) for play in laid)


def _announcement_texts(deal: DealState, options: Options, seat: Seat, hand: Hand) -> Iterator[str]:
    """Announcements that the cards of a hand allow, whether it is the moment for them or not.

    Each is written as in a record.
    """
    for suit in hand.cantes:
        yield f"canta {seat} {suit.name.lower()}"
    for rank, word in _TUTES:
        if options.tute and sum(card.rank is rank for card in hand) == len(Suit):
            yield f"tute {seat} {word}"
    for card in _cards_that_may_take_pinta(deal, options):
        if card in hand:
            is_usual = card.id == card_for_swap(options, deal.trump)
            yield f"cambia {seat}" if is_usual else f"cambia {seat} {card}"


def _cards_that_may_take_pinta(deal: DealState, options: Options) -> Iterator[Card]:
    """Cards that may take the pinta, if that is a higher one."""
    pair = two_for_seven_cards_or_none(options, deal.trump)
    dos = pair[0] if pair and deal.pinta == pair[1] else None
    for card in (card_for_swap(options, deal.trump), dos):
        if card is not None and ABOVE[options.sota_caballo][card] & BIT[deal.pinta]:
            yield CARD_OF[card]
