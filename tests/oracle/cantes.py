"""Conditions of a cante, and whether its cards can have been held (section 4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

from tests.oracle.law import SUITS
from tests.oracle.reading import Act, Deal
from tests.oracle.worlds import Worlds, has_drawn, stock_is_gone, worlds_of

Wanted = list[tuple[str, int, bool]]
"""Cards that a hand must hold, or lack, at a line."""
IsVoid = Callable[[Act, int], bool]
"""Whether an earlier cante is void as of a line, by the rulings known now, or by those of then."""


def broken_condition(
    deal: Deal, act: Act, is_void: IsVoid, was_void: IsVoid, *, must_show: bool = True
) -> str | None:
    """Suits in which the cante can stand; None if it is out of its conditions.

    The conditions are judged at the line of the cante, by what was recorded until then. A suit was
    not sung by a cante that is disproved by that line, perhaps by the cards that this one shows, nor
    by one that a ruling annulled, also later. ``must_show``: a 20 that had to be shown, or its suit
    named, is out of them.
    """
    past = deal.cut(act.line)
    before = [one for one in past.acts if one.line < act.line and one.word == "canta"]
    valid = [one for one in before if one.line not in past.annulled()]
    sung = [one for one in valid if not was_void(one, act.line - 1)]
    if not _window_is_open(past, act) or not _has_trick(past, act):
        return None
    if _is_barred(past, act) or _too_many(past, act, sung) or (must_show and _not_shown(past, act)):
        return None
    left = [one for one in before if one.line not in deal.annulled()]
    standing = [one for one in left if not is_void(one, act.line)]
    taken = {named_by(deal, one, act.line - 1) for one in standing}
    suits = act.suits or "".join(suit for suit in SUITS if suit != deal.trump)
    return "".join(suit for suit in suits if suit not in taken) or None


def named_by(deal: Deal, cante: Act, line: int) -> str:
    """Suit of a cante as said by a line: one without a suit may have been asked for it since."""
    if cante.suits:
        return cante.suits
    answers = (a.suits for a in deal.acts if is_about(a, cante) and a.line <= line and a.suits)
    return next(answers, "")


def is_about(act: Act, cante: Act) -> bool:
    """Whether a question is about the suit of this cante."""
    return act.word == "pregunta" and act.seat == cante.seat and act.line > cante.line


def must_answer(deal: Deal, question: Act) -> bool:
    """Whether the suit of a hidden 20 has to be told: to the partner, or to anybody without one."""
    if deal.rules.cante_20_shown != "suit_on_request_in_arrastre":
        return False
    return len(deal.rules.seats) < 4 or (
        question.by != question.seat and question.by[0] == question.seat[0]
    )


def wins_by_tute(deal: Deal, act: Act) -> bool:
    """Whether a tute wins the partida: allowed, in time, not hidden, and not disproved by now."""
    past = deal.cut(act.line)
    is_in_time = _window_is_open(past, act, after_swap=True) and _has_trick(past, act)
    if not deal.rules.tute or act.shown is False or not is_in_time:
        return False
    four = [(card, act.line, True) for card in act.cards]
    return any(one.can_have(act.seat, four) for one in worlds_of(deal, act.line))


def gap_of(deal: Deal, line: int) -> int:
    """Number of the last trick closed before a line."""
    return deal.tricks_before(line)


def _window_is_open(deal: Deal, act: Act, *, after_swap: bool = False) -> bool:
    """Whether an announcement comes before the window is closed; a cante perhaps before any swap."""
    gap = gap_of(deal, act.line)
    if not gap or gap == deal.many_tricks:
        return False
    window, taker = deal.rules.cante_window, deal.takers[gap - 1]
    laid = [one for one in deal.acts if one.word == "play" and deal.closes(gap) < one.line]
    since = [one for one in deal.acts if deal.closes(gap) < one.line < act.line]
    if window == "before_rival_card":
        return not any(one.seat[0] != act.seat[0] for one in laid)
    if laid:
        return False
    if window == "before_draw" and gap <= deal.gaps:
        if has_drawn(deal, taker, gap, act.line):
            return False
    has_swapped = any(one.word == "cambia" for one in since)
    return after_swap or not (deal.rules.cante_before_swap and has_swapped)


def _has_trick(deal: Deal, act: Act) -> bool:
    """Whether the singer's side has the trick that a cante needs."""
    sides = [taker[0] for taker in deal.takers]
    needed = sides if deal.rules.cante_needs_trick == "any_trick" else sides[-1:]
    return act.seat[0] in needed


def _is_barred(deal: Deal, act: Act) -> bool:
    """Whether the stock is gone and cantes are sung only while there is one."""
    return not deal.rules.cante_in_arrastre and _stock_is_gone(deal, act)


def _stock_is_gone(deal: Deal, act: Act) -> bool:
    """Whether the last card was certainly drawn before this act."""
    gap = gap_of(deal, act.line)
    if gap != deal.gaps or not gap:
        return gap >= deal.gaps
    has_led = any(one.word == "play" and one.line > deal.closes(gap) for one in deal.acts)
    return has_led or stock_is_gone(deal, act.line)


def _too_many(deal: Deal, act: Act, sung: list[Act]) -> bool:
    """Whether the singer or the side has sung enough for this trick."""
    closes = deal.closes(gap_of(deal, act.line))
    here = [one for one in sung if one.line > closes]
    own = [one for one in here if one.seat == act.seat]
    of_side = [one for one in here if one.seat[0] == act.seat[0]]
    most = deal.rules.cantes_per_side
    return len(own) >= deal.rules.cantes_per_player or (most is not None and len(of_side) >= most)


def _not_shown(deal: Deal, act: Act) -> bool:
    """Whether a 20 had to be shown or named, and was not: one without a suit is neither."""
    if act.suits == deal.trump or (act.suits and act.shown is not False):
        return False
    match deal.rules.cante_20_shown:
        case "always":
            return True
        case "suit_named":
            return not act.suits
        case "not_in_arrastre":
            return not _stock_is_gone(deal, act)
        case _:  # in arrastre the suit is told when the partner asks for it, before it is named
            return not act.suits and not _stock_is_gone(deal, act)


@dataclass(frozen=True)
class Sung:
    """A cante with the suits in which it can stand."""

    act: Act
    suits: str

    def held(self, suit: str) -> Wanted:
        """Rey and sota of this suit in the hand at the line of the cante."""
        return [(f"R{suit}", self.act.line, True), (f"S{suit}", self.act.line, True)]

    def lacked(self, without: str = "") -> list[Wanted]:
        """Every choice of a card of each suit that was not in that hand."""
        suits = [suit for suit in self.suits if suit != without]
        chosen = product(*((f"R{suit}", f"S{suit}") for suit in suits))
        return [[(card, self.act.line, False) for card in cards] for cards in chosen]


def may_be_true(worlds: tuple[Worlds, ...], sung: Sung, hidden: Sung | None) -> str:
    """Whether the singer held rey and sota of one of the suits, over all worlds.

    ``hidden`` is a 20 that the same player sang before without a suit: it was one of the pairs that
    they held then, if they held any, and that suit is not sung again.
    """
    right, wrong = _right(sung, hidden), _wrong(sung, hidden)
    seat = sung.act.seat
    if not any(one.can_have(seat, wanted) for wanted in right for one in worlds):
        return "unlawful"
    is_doubtful = any(one.can_have(seat, wanted) for wanted in wrong for one in worlds)
    return "open" if is_doubtful else "lawful"


def _right(sung: Sung, hidden: Sung | None) -> list[Wanted]:
    """The hands in which the cante can stand."""
    if hidden is None:
        return [sung.held(suit) for suit in sung.suits]
    others = {
        suit: [*hidden.lacked(), *(hidden.held(other) for other in hidden.suits if other != suit)]
        for suit in sung.suits
    }
    return [[*sung.held(suit), *other] for suit in sung.suits for other in others[suit]]


def _wrong(sung: Sung, hidden: Sung | None) -> list[Wanted]:
    """The hands in which the cante may not stand."""
    found = sung.lacked()
    for suit in hidden.suits if hidden else "":
        found += [[*hidden.held(suit), *lacked] for lacked in sung.lacked(without=suit)]
    return found
