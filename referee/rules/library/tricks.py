"""Tricks as values: who laid which card, in that order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from referee.rules.cards import Pack, index_of_winning_card
from referee.rules.library.drawing import HEIGHT, WIDTH, cards_over_seats_svg, svg_document
from referee.rules.library.values import Card, Seat, Suit, check_type
from referee.rules.profile.options import Options
from referee.rules.profile.profile import Profile

Plays: TypeAlias = tuple[tuple[Seat, Card], ...]

_TABLE = re.compile(r"\((\d+) players\)\s*$")


@dataclass(frozen=True, slots=True, repr=False)
class Trick:
    """Cards laid one after the other, each with its seat; empty before the lead.

    ``players``: how many sit at the table. ``ValueError`` if a seat or a card is there twice, or
    if a seat is not of the table.

    >>> trick = Trick.parse("A1 AO, B1 3O")
    >>> str(trick), trick.points, trick.to_play
    ('A1 AO, B1 3O', 21, Seat.A2)
    >>> str(Trick.parse("A1 AO", players=2))
    'A1 AO (2 players)'
    """

    plays: Plays = ()
    players: int = 4

    def __post_init__(self) -> None:
        Seat.at_table(self.players)
        for at, (seat, card) in enumerate(self.plays):
            check_type(Seat, seat)
            check_type(Card, card)
            seat.check(self.players)
            for twin in (seat, card):
                if any(twin in play for play in self.plays[:at]):
                    raise ValueError(f"{twin} is twice in the trick")

    @classmethod
    def parse(cls, text: str, players: int | None = None, pack: Pack = "spanish") -> Trick:
        """Trick as written: seat and card, with commas between. ``ValueError`` says what is wrong.

        A table of another size than the seats show is named at the end: ``A1 AO (2 players)``.
        Without that and without ``players`` three play if C1 has played, else four.
        """
        written, at_table = text, players
        if named := _TABLE.search(text):
            written, at_table = text[: named.start()], int(named[1])
            if players not in (None, at_table):
                raise ValueError(f"{text!r} is of {at_table} players, not of {players}")
        plays = tuple(_parse_play(play, pack) for play in written.split(",") if written.strip())
        return cls(plays, _guess_players(plays) if at_table is None else at_table)

    @property
    def cards(self) -> tuple[Card, ...]:
        """Cards in the order in which they were laid."""
        return tuple(card for _, card in self.plays)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Seats that have played, in that order."""
        return tuple(seat for seat, _ in self.plays)

    @property
    def points(self) -> int:
        """Tantos in the trick, without the últimas."""
        return sum(card.points for card in self.cards)

    @property
    def led(self) -> Suit | None:
        """Suit led; None before the lead."""
        return self.plays[0][1].suit if self.plays else None

    @property
    def is_complete(self) -> bool:
        """Whether every seat has laid a card."""
        return len(self.plays) == self.players

    @property
    def to_play(self) -> Seat | None:
        """Next seat in order of play; None if any seat may lead, or if all have played."""
        if not self.plays or self.is_complete:
            return None
        seat = self.seats[-1]
        while seat in self.seats:
            seat = seat.next(self.players)
        return seat

    def play(self, seat: Seat, card: Card) -> Trick:
        """Trick with one card more. ``ValueError`` if the seat or the card is in it already."""
        return Trick((*self.plays, (seat, card)), self.players)

    def taker(self, trump: Suit, profile: Profile) -> Seat:
        """Seat that takes the trick: highest trump, else highest card of the suit led.

        Of an open trick the seat that would take it. The profile says which of sota and caballo is
        higher. ``ValueError`` if nobody has played.

        >>> from referee.rules import profile
        >>> Trick.parse("A1 AO, B1 2C").taker(Suit.COPAS, profile("club"))
        Seat.B1
        """
        check_type(Suit, trump)
        if not self.plays:
            raise ValueError("nobody has played to this trick")
        order = options_of_table(profile, self.players).sota_caballo
        return self.plays[index_of_winning_card([card.id for card in self.cards], trump.id, order)][
            0
        ]

    def text(self, pack: Pack = "spanish") -> str:
        """Trick as ``parse`` reads it, with the number of players if the seats do not show it."""
        plays = ", ".join(f"{seat} {card.text(pack)}" for seat, card in self.plays)
        is_shown = self.players == _guess_players(self.plays)
        return plays if is_shown else f"{plays} ({self.players} players)".lstrip()

    def svg(self) -> str:
        """The cards as a drawing, each over its seat; a notebook shows it by itself.

        >>> Trick.parse("A1 AO, B1 3O").svg().count("<title>")
        2
        """
        width = (WIDTH + 6) * max(len(self), 1) - 6
        return svg_document(width, HEIGHT + 24, cards_over_seats_svg(self.plays), str(self))

    _repr_html_ = svg

    def __iter__(self) -> Iterator[tuple[Seat, Card]]:
        return iter(self.plays)

    def __len__(self) -> int:
        return len(self.plays)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"Trick.parse({self.text()!r})"


@lru_cache(maxsize=256)
def options_of_table(profile: Profile, players: int, deck: int | None = None) -> Options:
    """Options of a table under a profile. ``ValueError`` if it has no such table."""
    check_type(Profile, profile)
    cards = deck or profile.decks[0]
    asked = (("players", players, profile.players), ("cards", cards, profile.decks))
    for what, given, allowed in asked:
        if given not in allowed:
            several = " or ".join(map(str, allowed))
            raise ValueError(f"profile {profile.id!r} is for {several} {what}, not for {given}")
    return profile.options(players, cards)


def _guess_players(plays: Plays) -> int:
    """Players of a table as far as the seats show it: 3 if C1 has played, else 4."""
    return 3 if any(seat is Seat.C1 for seat, _ in plays) else 4


def _parse_play(text: str, pack: Pack) -> tuple[Seat, Card]:
    parts = text.split()
    if len(parts) != 2 or parts[0] not in list(Seat):  # noqa: PLR2004 - a seat and a card
        raise ValueError(f"{text.strip()!r} is no play: seat and card, as in 'A1 3O'")
    return Seat(parts[0]), Card.parse(parts[1], pack)
