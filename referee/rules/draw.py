"""Draws for players, partners and dealer, computed from the cards that fell.

A draw is a list of candidates in order of play, and the cards in the order in which they fell,
each with who got it. These functions are deterministic: a draw by the program takes its cards from
a stated seed, so that anybody can repeat it (``docs/law/duties.md`` gives the algorithm).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Literal, TypeAlias

from referee.errors import Refused
from referee.rules.articles import NamedText, Rule, mark_rule_decider
from referee.rules.cards import (
    ABOVE,
    BIT,
    DECKS,
    PLACES,
    REY,
    SUIT_OF,
    TOKENS,
    Card,
    Mask,
    cards_in,
)
from referee.rules.chance import shuffle_by_seed
from referee.rules.profile.options import Options
from referee.rules.seats import SEATS

Candidate: TypeAlias = str
Fallen: TypeAlias = tuple[Candidate, Card]
Method: TypeAlias = Literal["a_reyes", "a_la_mas_alta", "por_palo"]
Purpose: TypeAlias = Literal["players", "partners", "dealer"]

PAIRED = 4
SEAL = b"guinote-shuffle-1\n"


class SeatDrawRule(NamedText):
    """Reasons to refuse a draw for seats: it cannot have been so, or cannot be recorded."""

    CANDIDATE_TWICE = "candidate-twice"
    CANDIDATE_UNKNOWN = "candidate-unknown"
    CANDIDATES_DO_NOT_FIT = "candidates-do-not-fit"
    PURPOSE_UNFIT = "purpose-unfit"
    CARD_NOT_IN_DECK = "card-not-in-deck"
    CARD_TWICE = "card-twice"
    NOT_NEXT = "not-next"
    DRAW_OVER = "draw-over"
    UNFINISHED = "unfinished"


@dataclass(frozen=True, slots=True)
class SeatDraw:
    """Input of a draw: the candidates in order of play, the purpose, the options.

    ``players``: more candidates than seats; ``partners``: four candidates, pairs unset;
    ``dealer``: the candidates are the seats, or who sits there.
    """

    candidates: tuple[Candidate, ...]
    purpose: Purpose
    options: Options

    def __post_init__(self) -> None:
        """Refuse a number of candidates that does not fit the purpose, and one named twice."""
        found, seats = len(self.candidates), self.options.players
        fits = {
            "players": seats < found <= self.options.deck,
            "partners": found == seats == PAIRED,
            "dealer": found == seats,
        }
        if len(set(self.candidates)) != found:
            raise Refused(SeatDrawRule.CANDIDATE_TWICE, candidates=self.candidates)
        if not fits[self.purpose]:
            raise Refused(SeatDrawRule.CANDIDATES_DO_NOT_FIT, candidates=found, seats=seats)

    @property
    def is_for_pairs(self) -> bool:
        """Whether the draw also says who plays with whom."""
        return self.purpose != "dealer" and self.options.players == PAIRED


@dataclass(frozen=True, slots=True)
class SeatDrawOutcome:
    """Outcome: who deals, and for players or partners who sits where, the dealer at A1.

    ``seats`` tells who plays and with whom; ``may_choose``: the dealer chooses where at the table
    that A1 is.
    """

    dealer: Candidate
    seats: tuple[tuple[str, Candidate], ...] = ()
    may_choose: bool = False

    @property
    def outcome_for_log(self) -> dict[str, str]:
        """The outcome as the log holds it: ``dealer``, and a person for each seat."""
        return {"dealer": self.dealer, **dict(self.seats)}


@dataclass(frozen=True, slots=True)
class UnfinishedSeatDraw:
    """A draw that needs more cards: who may get the next one, and in which round."""

    waiting: tuple[Candidate, ...]
    round: int = 1


@mark_rule_decider(Rule.A_REYES)
def outcome_a_reyes(
    draw: SeatDraw, cards: Sequence[Fallen]
) -> SeatDrawOutcome | UnfinishedSeatDraw:
    """Outcome of a draw by kings: dealt face up in order of play, holders of a king are skipped.

    As many kings as seats for players, two for partners, one for the dealer; the first deals, and
    the second is their partner. ``Refused`` names the card that cannot have fallen so.
    """
    wanted = {"players": draw.options.players, "partners": 2, "dealer": 1}[draw.purpose]
    kings: list[Candidate] = []
    seen: Mask = 0
    turn = 0
    for index, (candidate, card) in enumerate(cards):
        if len(kings) == wanted:
            raise Refused(SeatDrawRule.DRAW_OVER, index=index)
        expected = draw.candidates[turn]
        if candidate != expected:
            raise Refused(SeatDrawRule.NOT_NEXT, index=index, expected=expected, given=candidate)
        seen = _mask_with_new_card(draw, seen, card)
        if card % PLACES == REY:
            kings.append(candidate)
        turn = _next_place_without_king(draw, turn, kings)
    if len(kings) < wanted:
        return UnfinishedSeatDraw((draw.candidates[turn],))
    return _outcome_by_ranking(draw, kings, may_choose=False)


def _next_place_without_king(draw: SeatDraw, turn: int, kings: Sequence[Candidate]) -> int:
    """Place of the next candidate without a king: kings are fewer than candidates."""
    places = (place % len(draw.candidates) for place in count(turn + 1))
    return next(place for place in places if draw.candidates[place] not in kings)


@mark_rule_decider(Rule.A_LA_MAS_ALTA)
def outcome_a_la_mas_alta(
    draw: SeatDraw, cards: Sequence[Fallen]
) -> SeatDrawOutcome | UnfinishedSeatDraw:
    """Outcome of a draw by the highest card, by rank in guiñote: a card each, in any order.

    The two highest play the two next, the highest deals and chooses a seat. All draw again if
    a tie leaves open who plays or with whom; for the dealer only the tied draw again.
    """
    drawers, number = draw.candidates, 1
    ranking: list[Candidate] = []
    left = list(cards)
    while True:
        heights, left = _heights_and_cards_left(draw, drawers, left)
        if len(heights) < len(drawers):
            return UnfinishedSeatDraw(tuple(c for c in drawers if c not in heights), number)
        if not ranking and not _is_split_by_tie(draw, heights):
            ranking = sorted(heights, key=lambda c: -heights[c])
        if ranking:
            drawers = tuple(c for c in drawers if heights[c] == max(heights.values()))
            if len(drawers) == 1:
                break
        number += 1
    if left:
        raise Refused(SeatDrawRule.DRAW_OVER, index=len(cards) - len(left))
    dealer = drawers[0]
    ranking.remove(dealer)
    return _outcome_by_ranking(draw, [dealer, *ranking], may_choose=True)


def _heights_and_cards_left(
    draw: SeatDraw, drawers: Sequence[Candidate], cards: list[Fallen]
) -> tuple[dict[Candidate, int], list[Fallen]]:
    """Height of the card of each candidate in one round, and the cards that fell after it."""
    heights: dict[Candidate, int] = {}
    seen: Mask = 0
    for candidate, card in cards[: len(drawers)]:
        if candidate not in drawers or candidate in heights:
            is_known = candidate in draw.candidates
            rule = SeatDrawRule.NOT_NEXT if is_known else SeatDrawRule.CANDIDATE_UNKNOWN
            left = [c for c in drawers if c not in heights]
            raise Refused(rule, given=candidate, expected=left)
        seen = _mask_with_new_card(draw, seen, card)
        heights[candidate] = -ABOVE[draw.options.sota_caballo][card].bit_count()
    return heights, cards[len(drawers) :]


def _is_split_by_tie(draw: SeatDraw, heights: Mapping[Candidate, int]) -> bool:
    """Whether a tie leaves open who plays, or who are partners."""
    ranked = sorted(heights.values(), reverse=True)
    lines = [draw.options.players] if draw.purpose == "players" else []
    lines += [2] if draw.is_for_pairs else []
    return any(ranked[line - 1] == ranked[line] for line in lines)


@mark_rule_decider(Rule.POR_PALO)
def outcome_por_palo(
    draw: SeatDraw, cards: Sequence[Fallen]
) -> SeatDrawOutcome | UnfinishedSeatDraw:
    """Outcome of a draw of the dealer by the suit of a card that somebody cuts.

    Counted from the cutter's right: oros, copas, espadas, bastos; so with four the bastos is the
    cutter.
    """
    if draw.purpose != "dealer":
        raise Refused(SeatDrawRule.PURPOSE_UNFIT, purpose=draw.purpose)
    if not cards:
        return UnfinishedSeatDraw(draw.candidates)
    (cutter, card), *others = cards
    if cutter not in draw.candidates:
        raise Refused(SeatDrawRule.CANDIDATE_UNKNOWN, given=cutter)
    if others:
        raise Refused(SeatDrawRule.DRAW_OVER, index=1)
    _mask_with_new_card(draw, 0, card)
    to_right = 1 if draw.options.direction == "anticlockwise" else -1
    place = draw.candidates.index(cutter) + to_right * (SUIT_OF[card] + 1)
    return SeatDrawOutcome(draw.candidates[place % len(draw.candidates)])


METHODS: Mapping[
    Method, Callable[[SeatDraw, Sequence[Fallen]], SeatDrawOutcome | UnfinishedSeatDraw]
] = {
    "a_reyes": outcome_a_reyes,
    "a_la_mas_alta": outcome_a_la_mas_alta,
    "por_palo": outcome_por_palo,
}


def _mask_with_new_card(draw: SeatDraw, seen: Mask, card: Card) -> Mask:
    """Set of the cards seen so far with this one; ``Refused`` if it cannot have fallen."""
    if not DECKS[draw.options.deck] & BIT[card]:
        raise Refused(SeatDrawRule.CARD_NOT_IN_DECK, card=TOKENS[card])
    if seen & BIT[card]:
        raise Refused(SeatDrawRule.CARD_TWICE, card=TOKENS[card])
    return seen | BIT[card]


def _outcome_by_ranking(
    draw: SeatDraw, ranking: Sequence[Candidate], *, may_choose: bool
) -> SeatDrawOutcome:
    """Outcome for the candidates as ranked: the dealer, their partner, then the two others.

    The others sit in order of play.
    """
    dealer = ranking[0]
    if draw.purpose == "dealer":
        return SeatDrawOutcome(dealer)
    playing = ranking[: draw.options.players] if draw.purpose == "players" else draw.candidates
    partner = ranking[1:2] if draw.is_for_pairs else []
    others = [c for c in draw.candidates if c in playing and c not in (dealer, *partner)]
    seated = [dealer, others[0], *partner, *others[1:]]
    return SeatDrawOutcome(
        dealer, tuple(zip(SEATS[draw.options.players], seated, strict=True)), may_choose
    )


def shuffle_deck_by_seed(seed: str, deck: Mask) -> tuple[Card, ...]:
    """Deck in the order that a seed determines, top card first: the same on every machine.

    >>> from referee.rules.cards import DECK_40
    >>> [TOKENS[card] for card in shuffle_deck_by_seed("Calamocha", DECK_40)[:4]]
    ['4O', '2E', '3C', '3E']
    """
    return shuffle_by_seed(SEAL, seed, cards_in(deck))


def draw_seats_by_program(
    method: Method, draw: SeatDraw, seed: str
) -> tuple[SeatDrawOutcome, tuple[Fallen, ...]]:
    """Outcome and cards of a draw that the program makes from a seed.

    Each round has a deck of its own, shuffled from the seed, a slash and the number of the round.
    Who waits draws in order of play; a card cut for the suit is cut by the first candidate.
    """
    cards: list[Fallen] = []
    deck: list[Card] = []
    shown = 0
    while isinstance(state := METHODS[method](draw, cards), UnfinishedSeatDraw):
        if state.round != shown:
            shown = state.round
            deck = list(shuffle_deck_by_seed(f"{seed}/{shown}", DECKS[draw.options.deck]))
        cards.append((state.waiting[0], deck.pop(0)))
    return state, tuple(cards)
