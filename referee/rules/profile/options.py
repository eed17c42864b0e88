"""Options: everything in which the rulebooks differ, one typed and defaulted field each.

``Options`` are the values in force at one table: a profile resolved for a number of players. The
defaults are those of the profile ``club`` with four players.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, TypeAlias

from referee.rules.cards import BIT, CARD, DECKS, NUEVE, PLACES, SIETE, SUITS, Card, Mask, Suit

Window: TypeAlias = Literal["before_draw", "before_lead", "before_rival_card"]
SwapWindow: TypeAlias = Literal[
    "before_draw", "before_lead", "before_rival_card", "before_next_trick_closes"
]
RenuncioCase: TypeAlias = Literal["follow", "beat", "trump", "out_of_turn_in_arrastre", "talk"]


EDITIONS = ("2026-1", "2026-2")
"""Editions of the six profiles, the newest last. A published one never changes."""
NEWEST = EDITIONS[-1]
LawEdition: TypeAlias = Literal[1, 2]
EARLIER_LAW: LawEdition = 1
LAW: LawEdition = 2
"""Under the earlier law a cante kept its points if the cards disproved it, or if it had to be shown
and was not. What the cards prove is the same under every law."""


def option_field(default: Any, about: str, since: str = EDITIONS[0]) -> Any:
    """A field with its description; ``about`` is one English line for the page of options.

    ``since``: the edition that added it. A profile of an earlier edition lacks the option, which
    then has its default: the way things were before it existed.
    """
    return field(default=default, metadata={"about": about, "since": since})


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Values in force at a table. Equal options mean equal law.

    ``law`` is no option: it follows from the edition of the profile.
    """

    players: Literal[2, 3, 4] = option_field(4, "How many sit at the table")
    deck: Literal[40, 48] = option_field(40, "Cards in the deck")
    three_deck: Literal["one_dos_out", "leftover_on_table"] = option_field(
        "one_dos_out", "With three players: what happens to the card too many"
    )
    pack: Literal["spanish", "french_queen_sota", "french_queen_caballo"] = option_field(
        "spanish", "Which pack is on the table"
    )
    direction: Literal["anticlockwise", "clockwise"] = option_field(
        "anticlockwise", "Direction of deal and play"
    )
    sota_caballo: Literal["sota_over_caballo", "caballo_over_sota"] = option_field(
        "sota_over_caballo", "Which of sota and caballo is higher"
    )
    hand_size: Literal[6, 10, 13] = option_field(6, "Cards dealt to each")
    deal_packets: Literal["3+3", "one_by_one"] = option_field("3+3", "How the cards are dealt")
    pinta_from: Literal["first_stock_card", "dealers_last_card", "leftover_card"] = option_field(
        "first_stock_card", "Which card is turned for trump"
    )
    cut_min: int = option_field(4, "Cards that a cut leaves in each part, at least")
    misdeal: Literal["redeal", "redeal_then_pass"] = option_field(
        "redeal_then_pass", "After a misdeal: deal again, or at the second lose the deal"
    )
    duties_from: Literal["stock_empty", "first_trick"] = option_field(
        "stock_empty", "When the duties of play begin"
    )
    beat_partner: bool = option_field(False, "Must beat though the partner is winning")
    trump_partner: bool = option_field(False, "Must trump though the partner is winning")
    beat_after_trumped: bool = option_field(False, "Must follow higher though the trick is trumped")
    overtrump: bool = option_field(True, "Must play a higher trump over an opponent's")
    undertrump: Literal["free", "forced"] = option_field(
        "free", "Void and holding only lower trumps than an opponent's"
    )
    swap: bool = option_field(True, "The siete (48 cards: nueve) of trump may take the pinta")
    swap_by: Literal["qualifying_side", "leader"] = option_field("qualifying_side", "Who may swap")
    swap_window: SwapWindow = option_field("before_lead", "Until when a swap may be made")
    swap_needs_trick: Literal["last_trick", "any_trick", "none"] = option_field(
        "last_trick", "Which trick the side of the swapper must have won"
    )
    swap_only_for_value: bool = option_field(False, "Only a pinta of value may be taken")
    swap_last_draw: Literal["normal", "not_with_partner"] = option_field(
        "normal", "The swap before the last draw"
    )
    two_for_seven: bool = option_field(
        False, "The dos of trump may take a siete that lies as pinta"
    )
    cante_window: Window = option_field("before_lead", "Until when a cante may be announced")
    cante_before_swap: bool = option_field(False, "Within the window, cantes come before the swap")
    cante_needs_trick: Literal["last_trick", "any_trick"] = option_field(
        "last_trick", "Which trick the side of the singer must have won"
    )
    cantes_per_player: int = option_field(1, "Cantes that one player may announce for a trick won")
    cantes_per_side: int = option_field(
        2, "Cantes that a side may announce for a trick won; 0: no limit"
    )
    cante_in_arrastre: bool = option_field(True, "Cantes are allowed with the stock empty")
    cante_20_shown: Literal[
        "always", "not_in_arrastre", "suit_named", "suit_on_request_in_arrastre"
    ] = option_field("not_in_arrastre", "How far a cante of 20 must be shown")
    cante_40_shown: Literal["free", "never"] = option_field(
        "free", "Whether the cards of a cante of 40 may be shown", "2026-2"
    )
    tute: bool = option_field(False, "Four reyes or four sotas in one hand win the partida")
    last_trick_points: int = option_field(10, "Tantos for the last trick")
    target: int = option_field(101, "Tantos that win the partida")
    both_reach_target: Literal["last_trick", "highest_total"] = option_field(
        "last_trick", "Who wins when several sides reach the target in one deal"
    )
    min_malas: int = option_field(0, "Tantos without cantes that a side must reach; 0: none")
    min_malas_of: Literal["cards_and_ultimas", "cards"] = option_field(
        "cards_and_ultimas", "Which of its tantos a side's minimum counts", "2026-2"
    )
    min_malas_applies: Literal["always", "both_over_target"] = option_field(
        "both_over_target", "When a side below the minimum loses"
    )
    cantes_need_min_malas: bool = option_field(False, "Below the minimum cantes count nothing")
    claim_in: Literal["vueltas", "any_deal"] = option_field(
        "vueltas", "In which deals 101 may be claimed"
    )
    vueltas_end: Literal["claim", "at_target"] = option_field(
        "claim", "What ends vueltas: a claim, or the trick or cante that makes the target", "2026-2"
    )
    claim_by: Literal["any_player", "trick_winner", "trick_winner_side"] = option_field(
        "any_player", "Who may claim 101"
    )
    unclaimed_at_end: Literal["latest_trick", "another_deal"] = option_field(
        "latest_trick", "Vueltas played out and nobody claimed"
    )
    tricks_viewable_in_vueltas: Literal["first_and_last", "none"] = option_field(
        "first_and_last", "Which closed tricks may be looked at in vueltas"
    )
    vueltas_dealer: Literal["last_trick_winner"] = option_field(
        "last_trick_winner", "Who deals the vueltas"
    )
    next_dealer: Literal["last_trick_winner", "next_in_order"] = option_field(
        "last_trick_winner", "Who deals the next partida"
    )
    renuncio_cases: tuple[RenuncioCase, ...] = option_field(
        ("follow", "beat", "trump"), "Breaches that are renuncio"
    )
    renuncio_penalty: Literal["lose_partida", "lose_match", "replay_deal"] = option_field(
        "lose_partida", "What a proved renuncio costs"
    )
    renuncio_costs: Literal["when_denounced", "when_proved"] = option_field(
        "when_denounced", "When a renuncio costs its penalty", "2026-2"
    )
    renuncio_until: Literal["next_trick", "end_of_deal", "end_of_partida"] = option_field(
        "end_of_deal", "Latest moment to denounce a renuncio"
    )
    false_accusation: Literal["none", "warning", "lose_partida"] = option_field(
        "warning", "What an unfounded denunciation costs"
    )
    false_cante: Literal["annul", "annul_and_warn", "lose_partida"] = option_field(
        "annul_and_warn", "What a cante not held costs"
    )
    wrong_swap: Literal["reverse", "reverse_and_warn", "lose_partida"] = option_field(
        "reverse_and_warn", "What a barred swap costs"
    )
    match_format: Literal["cotos", "fixed_partidas"] = option_field(
        "cotos", "How the match is scored"
    )
    partidas_per_cama: int = option_field(1, "Partidas that make a cama; 1: no such level")
    camas_per_coto: int = option_field(3, "Camas that win a coto")
    cotos_to_win: int = option_field(2, "Cotos that win the match")
    fixed_partidas: int = option_field(8, "Partidas of a match with a fixed number of them")
    law: LawEdition = LAW

    @property
    def has_stock(self) -> bool:
        """Whether cards are left to draw after the deal."""
        return self.stock_size > 0

    @property
    def stock_size(self) -> int:
        """Cards to draw after the deal, the pinta among them."""
        if self.pinta_from != "first_stock_card":
            return 0
        out = 1 if self.players == 3 and self.deck == 40 else 0  # noqa: PLR2004 - 39 cards for three
        return self.deck - out - self.hand_size * self.players

    @property
    def trick_count(self) -> int:
        """Number of tricks of a whole deal.

        >>> Options().trick_count, Options(players=2).trick_count
        (10, 20)
        """
        return self.hand_size + self.stock_size // self.players


OPTION_NAMES: tuple[str, ...] = tuple(f.name for f in fields(Options) if f.metadata)


def option_names_of_edition(edition: str) -> tuple[str, ...]:
    """Options that a profile of an edition has.

    >>> ["vueltas_end" in option_names_of_edition(one) for one in ("2026-1", "2026-2")]
    [False, True]
    """
    known = EDITIONS[: EDITIONS.index(edition) + 1]
    return tuple(f.name for f in fields(Options) if f.metadata.get("since") in known)


def option_values(options: Options) -> dict[str, Any]:
    """Value of each option that exists under the law of these options."""
    names = OPTION_NAMES if options.law == LAW else option_names_of_edition(EDITIONS[0])
    return {name: getattr(options, name) for name in names}


def options_from_values(values: Mapping[str, Any]) -> Options:
    """Options with these values, a list for a tuple; of an option that is missing, its default.

    Values of a profile from before the newest law are read under the earlier one.

    >>> options_from_values({"target": 101}).law
    1
    >>> options_from_values(option_values(Options())) == Options()
    True
    """
    known = {name: value for name, value in values.items() if name in OPTION_NAMES}
    law = LAW if known.keys() >= set(option_names_of_edition("2026-2")) else EARLIER_LAW
    found: dict[str, Any] = {n: tuple(v) if isinstance(v, list) else v for n, v in known.items()}
    return Options(**found, law=law)


REMOVED_DOS = "2B"
_DOSES = frozenset(f"2{suit}" for suit in SUITS)


def packet_sizes(options: Options) -> tuple[int, ...]:
    """Sizes of the packets in which each seat gets its cards, in order.

    >>> packet_sizes(Options()), packet_sizes(Options(hand_size=10, deal_packets="one_by_one"))[:2]
    ((3, 3), (1, 1))
    """
    return (3, 3) if options.deal_packets == "3+3" else (1,) * options.hand_size


def is_dos_out(options: Options) -> bool:
    """Whether three players take one dos out of forty cards."""
    return (options.players, options.deck, options.three_deck) == (3, 40, "one_dos_out")


def deck_size(options: Options) -> int:
    """Number of cards that are shuffled.

    >>> deck_size(Options()), deck_size(Options(players=3))
    (40, 39)
    """
    return options.deck - is_dos_out(options)


def deck_mask(options: Options, removed: str = REMOVED_DOS) -> Mask:
    """Cards that are shuffled; ``removed`` is the dos that three players take out.

    ``ValueError`` if that is no dos.

    >>> deck_mask(Options(players=3)).bit_count()
    39
    """
    if removed not in _DOSES:
        raise ValueError(removed)
    whole = DECKS[options.deck]
    return whole & ~BIT[CARD[removed]] if is_dos_out(options) else whole


def card_for_swap(options: Options, trump: Suit) -> Card:
    """Card that may take the pinta: the highest blank of trump, siete or (48 cards) nueve.

    >>> card_for_swap(Options(), 0) == CARD["7O"], card_for_swap(Options(deck=48), 3) == CARD["9B"]
    (True, True)
    """
    place = {40: SIETE, 48: NUEVE}[options.deck]
    return trump * PLACES + place


def two_for_seven_cards_or_none(
    options: Options, trump: Suit, removed: str = REMOVED_DOS
) -> tuple[Card, Card] | None:
    """Dos of trump and the siete it may take where that lies as pinta; None where it may not.

    With the dos of trump out of the deck nobody can.
    """
    dos, siete = (CARD[rank + SUITS[trump]] for rank in "27")
    is_held = bool(deck_mask(options, removed) & BIT[dos])
    return (dos, siete) if options.two_for_seven and is_held else None
