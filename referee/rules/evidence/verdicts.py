"""Evidence: what the seen cards prove about each act, over all possible unseen cards.

``Evidence`` takes sights one after another and answers at any time: the verdict on each act, and
what is known of each hand. No act is presumed lawful in order to judge another: worlds are narrowed
by seen cards only. Law: section 6.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from dataclasses import replace
from typing import assert_never

from referee.rules.cards import BIT, Card, Mask, cards_in
from referee.rules.evidence.questions import Knowledge, Question, Verdict, certain_and_possible
from referee.rules.evidence.sights import (
    NOBODY,
    UNSEEN,
    Dealt,
    Drew,
    Held,
    Hidden,
    Lacked,
    Named,
    Played,
    Recalled,
    Reordered,
    Resized,
    Returned,
    Sang,
    Sight,
    Stacked,
    Swapped,
    Turned,
    Waited,
    WasDealt,
)
from referee.rules.evidence.worlds import ASIDE, STOCK, Impossible, Place, Places, Worlds


class Evidence:
    """Evidence from the sights of a deal so far."""

    def __init__(self) -> None:
        self.broken = 0
        """Line from which the record is impossible for all cards; 0 if it is possible."""
        self._is_due = False  # something was seen and not judged
        self._is_resized = False  # each sight is judged, since earlier answers may be wrong
        self._is_blind = False  # no further conclusions about unseen cards
        self._deck: Mask = 0
        self._worlds = Worlds(0, (), 0)
        self._fixed: list[Mask] = []  # cards in hand that are in no place: the pinta, seen draws
        self._shown: list[Mask] = []  # cards seen in a hand and not laid since
        self._gone: Mask = 0
        self._spent: list[Mask] = []  # cards laid that still fill a place of their seat
        self._unseen: list[Places] = []  # a place for each card that a seat laid unseen
        self._unseen_since: list[Places] = []  # those of them since the last draw of the seat
        self._closed: list[bool] = []  # whether the next draw of a seat opens a place
        self._pending: list[Place] = []  # the place of a draw that may have been made, or 0
        self._questions: list[Question] = []
        self._verdicts: dict[int, Verdict] = {}

    def copy(self) -> Evidence:
        """A copy, to which other sights can be added."""
        new = copy(self)
        for name, value in vars(self).items():
            if isinstance(value, (list, dict, Worlds)):
                setattr(new, name, value.copy())
        new._questions = [replace(asked) for asked in self._questions]  # noqa: SLF001 - of its class
        return new

    # --- asking ----------------------------------------------------------------------------------

    @property
    def verdicts(self) -> dict[int, Verdict]:
        """Verdict of each play and cante by its line, in the order in which they were seen."""
        self._verdicts.update((asked.line, asked.verdict) for asked in self._questions)
        return self._verdicts

    def knowledge(self) -> tuple[Knowledge, ...]:
        """What is known of every hand now."""
        seats = range(len(self._fixed))
        if self._is_blind:
            return tuple(
                Knowledge(self._fixed[seat], self._deck & ~self._absent(seat)) for seat in seats
            )
        worlds, _ = self._worlds_and_drawers()
        possible = worlds.possible_cards_by_place()
        found = []
        for seat in seats:
            seen = certain_and_possible(worlds.places_of_seat(seat), possible)
            fixed, spent = self._fixed[seat], self._spent[seat]
            found.append(Knowledge(seen.certain & ~spent | fixed, seen.possible & ~spent | fixed))
        return tuple(found)

    @property
    def has_limits_beyond_knowledge(self) -> bool:
        """Whether the limits on the hands are more than ``knowledge`` says of each hand.

        So it is where some cards of a hand were held before others, and may be others.
        """
        may = [
            {
                self._worlds.may[place] & ~self._gone
                for place in range(len(self._worlds.owner))
                if self._worlds.owner[place] == seat
            }
            for seat in range(len(self._fixed))
        ]
        return any(len(of_places) > 1 for of_places in may)

    def allows_hands(self, hands: Iterable[Mask]) -> bool:
        """Whether the seats can hold these hands, all together."""
        worlds = self._worlds_and_drawers()[0].copy()
        try:
            for seat, hand in enumerate(hands):
                if hand & self._absent(seat):  # what lies in no place cannot be narrowed
                    return False
                worlds.require(hand & ~self._fixed[seat], worlds.places_of_seat(seat))
        except Impossible:
            return False
        return True

    @property
    def seats_that_must_have_drawn(self) -> set[int]:
        """Seats that must have drawn although no record has the draw."""
        return self._worlds_and_drawers()[1]

    def _worlds_and_drawers(self) -> tuple[Worlds, set[int]]:
        """Worlds without draws that were not recorded, and the seats that must have drawn."""
        worlds, drawn = self._worlds, set[int]()
        for seat, pending in enumerate(self._pending):
            if not pending:
                continue
            other = worlds.copy()
            try:
                other.put_back_in_stock(pending)
            except Impossible:
                drawn.add(seat)
            else:
                worlds = other
        return worlds, drawn

    # --- seeing ----------------------------------------------------------------------------------

    def see_all(self, sights: Iterable[Sight]) -> Evidence:
        """Add more sights, judging after each; returns this same evidence, no copy."""
        for sight in sights:
            self.see(sight)
        return self

    def see(self, sight: Sight) -> None:
        """Add one sight, and judge the open questions again."""
        self._see_without_judging(sight)
        if sight.line:
            self._judge_questions(sight.line)

    def see_unjudged(self, sights: Iterable[Sight]) -> None:
        """Add sights, up to the first impossible one, without the lines of later answers."""
        for sight in sights:
            if self.broken:
                return
            if isinstance(sight, Drew | Recalled | Resized | Returned | Named):
                self.judge()  # what was judged before it stays
            self._is_resized = self._is_resized or self._changes_hand_size(sight)
            if self._is_resized:
                self.see(sight)
            else:
                self._see_without_judging(sight)
                self._is_due = self._is_due or bool(sight.line)

    def _changes_hand_size(self, sight: Sight) -> bool:
        """Whether a sight shows that a hand had another size than was assumed."""
        if isinstance(sight, Drew):
            return any(asked.charges for asked in self._questions)
        return isinstance(sight, Resized | Returned | Named)

    def judge(self) -> None:
        """Judge the open questions after ``see_unjudged``."""
        if self._is_due:
            self._is_due = False
            self._judge_questions(NOBODY)

    def _see_without_judging(self, sight: Sight) -> None:
        """Add one sight without a judgement; an impossible one breaks the evidence."""
        try:
            self._apply_sight(sight)
        except Impossible:
            self.broken = self.broken or sight.line or NOBODY
            self._is_blind = True

    def _apply_sight(self, sight: Sight) -> None:  # noqa: C901, PLR0912 - one case a sight
        match sight:
            case Dealt():
                self._begin_deal(sight)
            case Turned(_, card, seat):
                self._turn_card(card, seat)
            case Drew(line, seat, card):
                if line:
                    self._cancel_pending_draw(seat)
                self._see_draw(seat, card)
            case Recalled(_, seat, card):
                self._reveal_drawn_card(seat, card)
            case Played():
                self._see_play(sight)
            case Hidden(_, seats):
                for seat in seats:
                    self._play_unseen_card(seat)
            case Held(line, seat, cards, drawing, _):
                self._shown[seat] |= cards
                self._add_cards_had(seat, cards, line=line)
                self._narrow_to_hand(seat, cards, self._prepare_places(seat, drawing=drawing))
            case Lacked(_, seat, cards):
                self._closed[seat] = True
                if cards & self._fixed[seat]:
                    raise Impossible
                self._worlds.require(0, self._places_without_draw(seat), cards & ~self._spent[seat])
            case Waited(_, seat):
                self._cancel_pending_draw(seat)
            case WasDealt(_, seat, cards, _):
                places = 1 << self._worlds.first_place_of(seat) | self._unseen[seat]
                self._worlds.require(cards & self._worlds.placed_cards, places)
            case Swapped():
                self._swap(sight)
            case Sang():
                self._see_announcement(sight)
            case Named(_, said_at, sets, is_alone):
                for question in self._questions:
                    if question.line == said_at:
                        question.change_sets_of_cante(sets, is_alone=is_alone)
            case Resized(_, seat, more):
                self._worlds.resize_by(self._place_to_resize(seat, more), more)
                for question in self._questions:
                    question.reopen()
            case Returned():
                self._correct_draw_of_pinta(sight)
            case Reordered(line, known):
                self._redate_verdicts(line, dict(known))
            case Stacked(_, cards):
                self._take_back_draws(range(len(self._pending)))
                self._closed = [True] * len(self._closed)
                self._worlds.require(cards & self._worlds.placed_cards, 1 << STOCK)
            case _:
                assert_never(sight)

    def _swap(self, swapped: Swapped) -> None:
        _, seat, gave, took, drawing = swapped
        if any(fixed & BIT[took] for fixed in self._fixed):
            raise Impossible
        self._fixed[seat] |= BIT[took]
        self._prepare_places(seat, drawing=drawing)
        self._take_from_hand(seat, gave)

    def _place_to_resize(self, seat: int, more: int) -> Place:
        """The place of a hand that was wrongly dealt: the first, if that can be so much smaller."""
        first = self._worlds.first_place_of(seat)
        return first if self._worlds.sizes[first] + more >= 0 else self._worlds.last_place_of(seat)

    def _begin_deal(self, dealt: Dealt) -> None:
        seats = len(dealt.sizes)
        self._deck = dealt.deck
        self._worlds = Worlds(dealt.deck, dealt.sizes, dealt.stock)
        self._fixed, self._spent = [0] * seats, [0] * seats
        self._unseen, self._unseen_since = [0] * seats, [0] * seats
        self._closed, self._pending, self._shown = [False] * seats, [0] * seats, [0] * seats

    def _turn_card(self, card: Card, seat: int) -> None:
        if seat == NOBODY:
            self._worlds.take_out(BIT[card], 1 << (STOCK if self._worlds.sizes[STOCK] else ASIDE))
        else:
            self._fixed[seat] |= BIT[card]
            self._worlds.take_out(BIT[card], 1 << self._worlds.first_place_of(seat))

    def _see_draw(self, seat: int, card: Card) -> None:
        worlds, pending = self._worlds, self._pending[seat]
        self._unseen_since[seat] = 0
        if pending and (card == UNSEEN or worlds.placed_cards & ~self._gone & BIT[card]):
            self._pending[seat], self._closed[seat] = 0, True
            worlds.require(0 if card == UNSEEN else BIT[card], 1 << pending)
            return
        is_of_stock = card == UNSEEN or worlds.placed_cards & BIT[card]
        is_used_up = is_of_stock and not worlds.sizes[STOCK]
        self._take_back_draws(range(len(self._pending)) if is_used_up else [seat])
        if card == UNSEEN:
            worlds.draw(self._prepare_place_for_draw(seat))
            return
        self._fixed[seat] |= BIT[card]
        if self._gone & BIT[card]:  # it lay as pinta, since somebody put it there
            self._gone &= ~BIT[card]
        elif worlds.placed_cards & BIT[card]:
            worlds.take_out(BIT[card], 1 << STOCK)

    def _cancel_pending_draw(self, seat: int) -> None:
        """Take back the draw that was assumed for a seat: it happens at its own line."""
        self._take_back_draws([seat])
        for question in self._questions:
            if question.seat == seat:
                question.drawn &= self._fixed[seat] | self._gone

    def _reveal_drawn_card(self, seat: int, card: Card) -> None:
        """The card of an implied draw becomes known.

        If it is the pinta, nothing unseen was drawn.
        """
        since = self._unseen_since[seat]
        if not since:
            self._add_cards_had(seat, BIT[card])
        if self._worlds.placed_cards & ~self._gone & BIT[card]:
            self._shown[seat] |= 0 if since else BIT[card]
            self._worlds.require(BIT[card], 1 << self._worlds.last_place_of(seat) | since)
        elif any(fixed & BIT[card] for fixed in self._fixed):
            if not self._fixed[seat] & BIT[card]:
                raise Impossible
        else:
            self._fixed[seat] |= 0 if since else BIT[card]
            self._is_blind = self._is_blind or bool(since)
            self._gone &= ~BIT[card]
            self._worlds.resize_by(self._worlds.last_place_of(seat), -1)

    def _correct_draw_of_pinta(self, returned: Returned) -> None:
        """The pinta was not drawn but lies on the table; the seat has an unseen card instead."""
        seat, bit = returned.seat, BIT[returned.card]
        self._is_blind = self._is_blind or not self._fixed[seat] & bit  # perhaps laid unseen
        self._fixed[seat] &= ~bit
        place = self._prepare_place_for_draw(seat)
        self._worlds.draw(place)
        for question in self._questions:
            if question.line > returned.since and question.charges:
                question.charges, question.verdict = (), Verdict("lawful", returned.line)
            elif question.line > returned.since and question.seat == seat:
                question.had &= ~bit
                question.maybe |= 1 << place
                question.verdict = Verdict("open")

    def _redate_verdicts(self, line: int, known: dict[int, Verdict]) -> None:
        """Give each verdict the line since which it is known, after draws changed their order.

        The proof is that in the new order, if it was one by then.
        """
        for of, verdict in self.verdicts.items():
            before = known.get(of)
            if verdict.answer == "open":
                continue
            if before is None or before.answer != verdict.answer:
                self._verdicts[of] = verdict._replace(since=line, named=line)
            elif before.since != verdict.since:
                self._verdicts[of] = verdict._replace(since=before.since, proof=before.proof)
        for question in self._questions:
            question.verdict = self._verdicts[question.line]

    def _prepare_place_for_draw(self, seat: int) -> Place:
        if self._closed[seat]:
            self._closed[seat] = False
            return self._worlds.open_empty_place(seat, self._worlds.may[STOCK])
        return self._worlds.last_place_of(seat)

    def _prepare_places(self, seat: int, *, drawing: bool) -> Places:
        """Every place of a seat; ``drawing`` adds one for a card that it may have drawn.

        If it has not, that is the card that it draws next.
        """
        if drawing and not self._pending[seat] and self._worlds.sizes[STOCK]:
            self._pending[seat] = self._worlds.open_empty_place(seat, self._worlds.may[STOCK])
            self._worlds.draw(self._pending[seat])
        return self._worlds.places_of_seat(seat)

    def _take_back_draws(self, seats: Iterable[int]) -> None:
        """Take back draws assumed for these seats: their next draw takes another card."""
        for seat in seats:
            if pending := self._pending[seat]:
                self._pending[seat], self._closed[seat] = 0, True
                self._worlds.put_back_in_stock(pending)

    def _places_without_draw(self, seat: int) -> Places:
        """Places of a seat without that of a draw that nobody has recorded."""
        pending = self._pending[seat]
        return self._worlds.places_of_seat(seat) & ~(pending and 1 << pending)

    def _see_play(self, play: Played) -> None:
        try:
            self._take_from_hand(play.seat, play.card)
        finally:
            self._judge_play(play)

    def _judge_play(self, play: Played) -> None:
        if any(charge.cards & ~self._absent(play.seat) for charge in play.charges):
            places = self._worlds.places_of_seat(play.seat)
            self._add_question(Question(play.line, play.seat, places, charges=play.charges))
        else:
            self._verdicts[play.line] = Verdict("lawful", play.line)

    def _take_from_hand(self, seat: int, card: Card) -> None:
        """A card leaves a hand, where it was whenever its seat had it."""
        bit, worlds = BIT[card], self._worlds
        is_elsewhere = self._is_elsewhere(seat, bit)
        self._gone |= bit
        self._shown[seat] &= ~bit
        if self._fixed[seat] & bit:
            self._fixed[seat] &= ~bit
            return
        places = worlds.places_of_seat(seat)
        self._add_cards_had(seat, bit, places)
        if is_elsewhere:
            raise Impossible
        if places & places - 1:
            self._spent[seat] |= bit
            worlds.require(bit, places)
        else:
            worlds.take_out(bit, places)

    def _add_cards_had(self, seat: int, cards: Mask, places: Places = 0, line: int = 0) -> None:
        """Add cards to what a seat had at each of its questions since its last possible draw.

        After a card laid unseen they may have been in it at others.
        """
        unseen = self._unseen[seat]
        for question in self._questions:
            is_since = question.places & ~unseen == places if places else question.line == line
            if question.seat == seat and (question.charges or is_since):
                question.had |= cards
            elif question.seat == seat and unseen and question.maybe & places:
                question.drawn |= cards

    def _play_unseen_card(self, seat: int) -> None:
        """A seat lays one card unseen: any of those that it may have had until then."""
        self._shown[seat] = 0
        place = self._merge_hand(seat)
        new = self._worlds.split_off_card(place)
        self._unseen[seat] |= 1 << new
        self._unseen_since[seat] |= 1 << new
        for question in self._questions:
            if question.places >> place & 1:
                question.places |= 1 << new
            if question.maybe >> place & 1:
                question.maybe |= 1 << new

    def _merge_hand(self, seat: int) -> Place:
        """Merge all places of a seat into its first, with the cards that were known, and return it.

        Of a question about only some of its places it is not known any more which cards were there.
        """
        worlds, known, spent = self._worlds, self._fixed[seat], self._spent[seat]
        places, place = worlds.places_of_seat(seat), worlds.first_place_of(seat)
        self._fixed[seat] = self._spent[seat] = self._pending[seat] = 0
        for question in self._questions:
            if question.seat == seat:
                question.merge_places(places, place, known, spent)
        worlds.merge(places, place)
        for card in cards_in(spent):
            worlds.take_out(BIT[card], 1 << place)
        worlds.put_in(known, place)
        return place

    def _narrow_to_hand(self, seat: int, cards: Mask, places: Places) -> None:
        if self._is_elsewhere(seat, cards):
            raise Impossible
        self._worlds.require(cards & ~self._fixed[seat], places)

    def _is_elsewhere(self, seat: int, cards: Mask) -> bool:
        """Whether one of these cards is certainly not in a hand."""
        return bool(cards & (self._absent(seat) | ~self._worlds.placed_cards & ~self._fixed[seat]))

    # --- judging ---------------------------------------------------------------------------------

    def _absent(self, seat: int) -> Mask:
        """Cards that are certainly not in a hand, whatever the other hands are."""
        elsewhere = self._gone
        for other, fixed in enumerate(self._fixed):
            if other != seat:
                elsewhere |= fixed
        return elsewhere & ~self._fixed[seat]

    def _add_question(self, asked: Question) -> None:
        asked.never = self._absent(asked.seat) & ~asked.drawn
        asked.had = self._fixed[asked.seat] | self._shown[asked.seat]
        self._questions.append(asked)
        self._verdicts[asked.line] = asked.verdict

    def _see_announcement(self, sang: Sang) -> None:
        hand, filled = (
            self._prepare_places(sang.seat, drawing=sang.drawing),
            self._places_without_draw(sang.seat),
        )
        asked = Question(sang.line, sang.seat, filled, sets=sang.sets, drawn=sang.drawn)
        asked.maybe, asked.rival = hand & ~filled, sang.rival
        self._add_question(asked)
        self._closed[sang.seat] = True

    def _judge_questions(self, line: int) -> None:
        """Judge all open questions after the sight of a line."""
        if self._is_blind:
            for question in self._questions:
                question.update_verdict_by_known_cards(line)
        elif not all(question.is_settled for question in self._questions):
            possible = self._worlds.possible_cards_by_place()
            by_line = {question.line: question for question in self._questions}
            for question in self._questions:
                question.update_verdict(self._worlds, possible, line, by_line.get(question.rival))
