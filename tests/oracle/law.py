"""The law as the oracle reads it: options of the profiles, ranks, tricks, duties of play.

Written from the text of the law alone; nothing of the program is imported here. A card is its
token (``3O``), a seat its name (``A1``), a side its letter.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

SUITS = "OCEB"
WORTH = {"A": 11, "3": 10, "R": 4, "S": 3, "C": 2}
SEATS = {2: ("A1", "B1"), 3: ("A1", "B1", "C1"), 4: ("A1", "B1", "A2", "B2")}
EDITIONS = ("2026-1", "2026-2")
"""Of the six profiles, the newest last: under the first a cante that its line does not disprove keeps its points, and so
does a 20 that was not shown."""
Play = tuple[str, str]
"""A seat and the card it laid."""


@dataclass(frozen=True)
class Rules:
    """Values of the options at one table that the oracle needs; those of ``club`` by default."""

    profile: str = "club"
    players: int = 4
    deck: int = 40
    hand_size: int = 6
    pinta_from: str = "first_stock_card"
    french: bool = False
    sota_caballo: str = "sota_over_caballo"
    beat_partner: bool = False
    trump_partner: bool = False
    beat_after_trumped: bool = False
    overtrump: bool = True
    undertrump: str = "free"
    swap: bool = True
    swap_by: str = "qualifying_side"
    swap_window: str = "before_lead"
    swap_needs_trick: str = "last_trick"
    swap_only_for_value: bool = False
    swap_last_draw: str = "normal"
    two_for_seven: bool = False
    cante_window: str = "before_lead"
    cante_before_swap: bool = False
    cante_needs_trick: str = "last_trick"
    cantes_per_player: int = 1
    cantes_per_side: int | None = 2
    cante_in_arrastre: bool = True
    cante_20_shown: str = "not_in_arrastre"
    tute: bool = False
    target: int = 101
    min_malas: int = 0
    min_malas_of: str = "cards_and_ultimas"
    min_malas_applies: str = "both_over_target"
    cantes_need_min_malas: bool = False
    both_reach_target: str = "last_trick"
    vueltas_end: str = "claim"
    claim_in: str = "vueltas"
    claim_by: str = "any_player"
    talk_is_renuncio: bool = False
    renuncio_penalty: str = "lose_partida"
    renuncio_costs: str = "when_denounced"
    renuncio_until: str = "end_of_deal"
    edition: str = EDITIONS[-1]

    @cached_property
    def seats(self) -> tuple[str, ...]:
        """Seats in order of play."""
        return SEATS[self.players]

    @cached_property
    def ranks(self) -> str:
        """Ranks from high to low."""
        middle = "SC" if self.sota_caballo == "sota_over_caballo" else "CS"
        return f"A3R{middle}{'98' if self.deck == 48 else ''}76542"

    @cached_property
    def cards(self) -> tuple[str, ...]:
        """The whole deck; of three players at 40 cards, before the dos is taken out."""
        return tuple(rank + suit for suit in SUITS for rank in self.ranks)

    @property
    def blank(self) -> str:
        """Rank that takes the pinta."""
        return "9" if self.deck == 48 else "7"

    def order_from(self, seat: str) -> tuple[str, ...]:
        """Seats in order of play, this one first."""
        at = self.seats.index(seat)
        return self.seats[at:] + self.seats[:at]

    def above(self, card: str) -> str:
        """Ranks higher than that of the card."""
        return self.ranks[: self.ranks.index(card[0])]


OF_PROFILE: dict[str, dict[str, Any]] = {
    "club": {},
    "guinyot": {
        "swap_window": "before_draw",
        "two_for_seven": True,
        "cante_window": "before_draw",
        "cante_before_swap": True,
        "cante_in_arrastre": False,
        "cante_20_shown": "suit_named",
        "min_malas": 30,
        "min_malas_applies": "always",
        "cantes_need_min_malas": True,
        "renuncio_costs": "when_proved",
    },
    "escuela": {
        "sota_caballo": "caballo_over_sota",
        "beat_partner": True,
        "beat_after_trumped": True,
        "swap_needs_trick": "any_trick",
        "swap_last_draw": "not_with_partner",
        "cantes_per_player": 2,
        "talk_is_renuncio": True,
    },
    "ludoteka": {
        "swap_only_for_value": True,
        "cante_20_shown": "suit_on_request_in_arrastre",
        "min_malas": 30,
        "claim_by": "trick_winner",
    },
    "baraja-francesa": {
        "french": True,
        "beat_after_trumped": True,
        "undertrump": "forced",
        "swap_by": "leader",
        "swap_needs_trick": "none",
        "claim_in": "any_deal",
    },
    "sin-mazo": {
        "beat_partner": True,
        "trump_partner": True,
        "swap": False,
        "cante_20_shown": "suit_named",
        "tute": True,
        "both_reach_target": "highest_total",
        "renuncio_costs": "when_proved",
    },
}
TABLES = (
    *(("club", players, 40) for players in (4, 2)),
    *(("guinyot", players, 40) for players in (4, 3, 2)),
    *(("escuela", players, deck) for players in (4, 2) for deck in (40, 48)),
    ("ludoteka", 4, 40),
    ("baraja-francesa", 4, 40),
    *(("sin-mazo", players, 40) for players in (4, 3, 2)),
)
"""Profile, players and deck of every table that the six profiles allow."""
PINTA_OF_SIN_MAZO = {2: "first_stock_card", 3: "leftover_card", 4: "dealers_last_card"}


def rules_of(profile: str, players: int, deck: int = 40, **changes: Any) -> Rules:
    """Rules of a table of this profile, with changed options."""
    values = {**OF_PROFILE[profile], **changes}
    if profile == "sin-mazo":
        values["hand_size"] = 13 if players == 3 else 10
        values["pinta_from"] = PINTA_OF_SIN_MAZO[players]
    return replace(Rules(profile, players, deck), **values)


def deck_of(rules: Rules, left_out: str = "") -> tuple[str, ...]:
    """Cards in play in a deal."""
    return tuple(card for card in rules.cards if card != left_out)


def winning(plays: Sequence[Play], trump: str, rules: Rules) -> Play:
    """The play that wins so far: highest trump, else highest card of the suit led."""
    trumps = [play for play in plays if play[1][1] == trump]
    led = [play for play in plays if play[1][1] == plays[0][1][1]]
    return min(trumps or led, key=lambda play: rules.ranks.index(play[1][0]))


def lawful_cards(
    hand: Iterable[str], plays: Sequence[Play], seat: str, trump: str, rules: Rules
) -> set[str]:
    """Cards of this hand that may be laid in arrastre (section 3)."""
    cards = set(hand)
    if not plays:
        return cards
    led = plays[0][1][1]
    winner, best = winning(plays, trump, rules)
    is_partner = winner[0] == seat[0]
    if following := {card for card in cards if card[1] == led}:
        return _following(following, plays, is_partner=is_partner, trump=trump, rules=rules)
    trumps = {card for card in cards if card[1] == trump}
    if is_partner:
        return trumps if rules.trump_partner and trumps else cards
    if best[1] != trump:
        return trumps or cards
    higher = {card for card in trumps if card[0] in rules.above(best)}
    if higher:
        return higher if rules.overtrump else trumps
    return trumps if rules.undertrump == "forced" and trumps else cards


def _following(
    following: set[str], plays: Sequence[Play], *, is_partner: bool, trump: str, rules: Rules
) -> set[str]:
    """Cards of the suit led, of which these are held, that may be laid (section 3.2)."""
    led = plays[0][1][1]
    if is_partner and not rules.beat_partner:
        return following
    is_trumped = led != trump and any(card[1] == trump for _, card in plays)
    if is_trumped and not rules.beat_after_trumped:
        return following
    on_table = [card[0] for _, card in plays if card[1] == led]
    above = rules.ranks[: min(map(rules.ranks.index, on_table))]
    return {card for card in following if card[0] in above} or following


@lru_cache(10_000)
def accusers(
    card: str, plays: tuple[Play, ...], seat: str, trump: str, rules: Rules
) -> frozenset[str]:
    """Cards that make laying this one a breach if the seat held any of them besides."""
    return frozenset(
        other
        for other in rules.cards
        if other != card and card not in lawful_cards((card, other), plays, seat, trump, rules)
    )
