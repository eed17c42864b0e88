"""Sights: what a table could see of the cards, in order and without any conclusion.

Seats are their places in order of play, cards and sets of cards as in ``cards``. ``line`` is the
act that was seen; 0 for implied acts, such as a draw that was not recorded. ``drawing``: the seat
may just have drawn a card that is not recorded yet.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from referee.rules.cards import Card, Mask
from referee.rules.duties import Charge
from referee.rules.evidence.questions import Verdict

UNSEEN: Card = -1
NOBODY = -1


class Dealt(NamedTuple):
    """A deal begins: the cards in play, the size of each hand, and of the stock with the pinta."""

    line: int
    deck: Mask
    sizes: tuple[int, ...]
    stock: int


class Turned(NamedTuple):
    """The pinta is seen. It is a card of this seat, or ``NOBODY``: of the stock, or left over."""

    line: int
    card: Card
    seat: int


class Drew(NamedTuple):
    """A seat draws the next card of the stock, or the pinta; ``UNSEEN`` if nobody saw which."""

    line: int
    seat: int
    card: Card


class Recalled(NamedTuple):
    """The card of an earlier implied draw becomes known."""

    line: int
    seat: int
    card: Card


class Played(NamedTuple):
    """A seat lays a card; ``charges`` are the duties that it breaks if certain cards were held."""

    line: int
    seat: int
    card: Card
    charges: tuple[Charge, ...]


class Hidden(NamedTuple):
    """A trick is recorded without its cards: each of these seats laid one."""

    line: int
    seats: tuple[int, ...]


class Held(NamedTuple):
    """A seat certainly holds these cards now.

    ``is_secret``: only whoever keeps the record knows it.
    """

    line: int
    seat: int
    cards: Mask
    drawing: bool = False
    is_secret: bool = False


class Lacked(NamedTuple):
    """A seat certainly holds none of these cards now."""

    line: int
    seat: int
    cards: Mask


class Waited(NamedTuple):
    """A seat that may have drawn has not done so yet."""

    line: int
    seat: int


class WasDealt(NamedTuple):
    """Cards of the hand as it was dealt; ``whole`` if these are all of it."""

    line: int
    seat: int
    cards: Mask
    whole: bool


class Swapped(NamedTuple):
    """A seat swaps a card of its hand for the pinta."""

    line: int
    seat: int
    gave: Card
    took: Card
    drawing: bool = False


class Sang(NamedTuple):
    """A seat says that it holds all cards of one of these sets.

    ``drawn``: the known card that it may just have drawn. ``rival``: line at which it said so
    before, of no suit.
    """

    line: int
    seat: int
    sets: tuple[Mask, ...]
    drawing: bool = False
    drawn: Mask = 0
    rival: int = 0


class Named(NamedTuple):
    """What an earlier announcement meant becomes known: one of these sets.

    ``is_alone``: its earlier cante of no suit has been annulled, and so sang none of these.
    """

    line: int
    said_at: int
    sets: tuple[Mask, ...]
    is_alone: bool = False


class Resized(NamedTuple):
    """A hand has more or fewer cards than assumed."""

    line: int
    seat: int
    more: int


class Returned(NamedTuple):
    """The pinta that a seat was taken to have drawn was not drawn: it drew an unseen card.

    ``since``: line of that draw. The plays since then owe no duty, since the duties begin with the
    last draw.
    """

    line: int
    seat: int
    card: Card
    since: int


class Reordered(NamedTuple):
    """The draws were in another order than the record was taken to say.

    ``known``: what was taken for known, the verdict on each line.
    """

    line: int
    known: tuple[tuple[int, Verdict], ...]


class Stacked(NamedTuple):
    """Cards that certainly lie in the stock."""

    line: int
    cards: Mask


Sight: TypeAlias = (
    Dealt
    | Turned
    | Drew
    | Recalled
    | Played
    | Hidden
    | Held
    | Lacked
    | Waited
    | WasDealt
    | Swapped
    | Sang
    | Named
    | Resized
    | Returned
    | Reordered
    | Stacked
)
