"""How a table of the oracle plays and records, and the options that its records may change."""

from __future__ import annotations

from dataclasses import dataclass

FACTS = ("hand", "part", "now", "show", "void", "all")
CHANGES: dict[str, tuple[str | int | bool, ...]] = {
    "cante_window": ("before_draw", "before_lead", "before_rival_card"),
    "cante_needs_trick": ("last_trick", "any_trick"),
    "cantes_per_player": (1, 2, 3),
    "cantes_per_side": (0, 2),
    "cante_in_arrastre": (True, False),
    "cante_20_shown": (
        *("always", "not_in_arrastre", "suit_named", "suit_on_request_in_arrastre"),
    ),
    "tute": (True, False),
    "beat_partner": (True, False),
    "trump_partner": (True, False),
    "beat_after_trumped": (True, False),
    "overtrump": (True, False),
    "undertrump": ("free", "forced"),
    "sota_caballo": ("sota_over_caballo", "caballo_over_sota"),
}
"""Options that a record may change, with the values from which it chooses."""
SWAP_CHANGES: dict[str, tuple[str | int | bool, ...]] = {
    "swap_by": ("qualifying_side", "leader"),
    "swap_window": ("before_draw", "before_lead", "before_rival_card", "before_next_trick_closes"),
    "swap_needs_trick": ("last_trick", "any_trick", "none"),
    "swap_only_for_value": (True, False),
    "swap_last_draw": ("normal", "not_with_partner"),
    "two_for_seven": (True, False),
    "cante_before_swap": (True, False),
}
COUNT_CHANGES: dict[str, tuple[str | int | bool, ...]] = {
    "target": (41, 61, 81, 101),
    "min_malas": (0, 30, 60),
    "min_malas_applies": ("always", "both_over_target"),
    "min_malas_of": ("cards_and_ultimas", "cards"),
    "vueltas_end": ("claim", "at_target"),
    "cantes_need_min_malas": (True, False),
    "both_reach_target": ("last_trick", "highest_total"),
    "claim_in": ("vueltas", "any_deal"),
    "claim_by": ("any_player", "trick_winner", "trick_winner_side"),
}
RENUNCIO_CHANGES: dict[str, tuple[str | int | bool, ...]] = {
    "renuncio_costs": ("when_denounced", "when_proved"),
    "renuncio_until": ("next_trick", "end_of_deal", "end_of_partida"),
    "renuncio_penalty": (*("lose_partida",) * 4, "replay_deal"),
}


@dataclass(frozen=True)
class Habits:
    """How a table is played and recorded; a number is a probability.

    ``asks``: somebody asks for the suit of a hidden 20. ``tutes``: four reyes or four sotas are dealt
    to one hand, and are sung. ``wrong``: two hands are dealt wrongly, or cards drawn wrongly, and the
    record says so. ``rules``: the arbiter annuls a cante. ``rivals``: somebody sings, or shows, a pair
    that a rival sang before. ``early``: whoever draws last in turn draws earlier; only that draw is noted, and which
    card it was is seen neither then nor, by most, later. ``accuses``: somebody accuses of a renuncio, or the arbiter rules about one; ``stock``: the table has one. ``told_in``: the first or the last gap with draws. Nothing is said or shown before it, all other
    draws are noted, and the record ends soon after it. ``editions``: a record may be of an older edition.
    """

    breaches: float = 0.3
    draws_noted: tuple[float, ...] = (0.0, 0.5, 1.0)
    draws_seen: float = 0.1
    facts: float = 0.08
    lies: float = 0.0
    kinds: tuple[str, ...] = FACTS
    hands_at_deal: float = 0.2
    cantes: float = 0.0
    hidden: float = 0.0
    sings_again: bool = False
    sings_falsely: bool = True
    rules: float = 0.0
    rivals: float = 0.0
    swaps: float = 0.0
    asks: float = 0.0
    tutes: float = 0.0
    wrong: float = 0.0
    early: float = 0.0
    late: float = 0.2
    claims: float = 0.0
    deals: int = 1
    cut: float = 0.5
    told_in: str = ""
    changes: float = 0.4
    editions: bool = False
    accuses: float = 0.0
    stock: float = 0.0
