"""Analysis: what a card was worth, exactly, once every card is known.

The engine is ``engine.c``, which explains the method; ``docs/law/analysis.md`` says what the
answers mean and what is not in them. It needs ``wasmtime``, an extra: without it each question
raises ``NoAnalysis``.
"""

from __future__ import annotations

from referee.analysis.engine import NoAnalysis, is_analysis_available, wasm_bytes
from referee.analysis.library import OpenHands
from referee.analysis.position import BadPosition, KnownPosition
from referee.analysis.questions import (
    CardPrices,
    ClaimStrength,
    can_make_points,
    card_prices_or_none,
    points_left,
    position_after_card_or_none,
    position_value_or_none,
    strength_of_rest_claim_or_none,
)

__all__ = [
    "BadPosition",
    "CardPrices",
    "ClaimStrength",
    "KnownPosition",
    "NoAnalysis",
    "OpenHands",
    "can_make_points",
    "card_prices_or_none",
    "is_analysis_available",
    "points_left",
    "position_after_card_or_none",
    "position_value_or_none",
    "strength_of_rest_claim_or_none",
    "wasm_bytes",
]
