"""Readings of a card as somebody wrote it: none, one, or more than one."""

from __future__ import annotations

import re

from referee.record.words import PACKS
from referee.rules.cards import CARD, TOKENS, Pack, parse_card

_SUIT_WORD = {"OROS": "O", "COPAS": "C", "ESPADAS": "E", "BASTOS": "B"}
_NUMERALS = {"1": "A", "10": "S", "11": "C", "12": "R"}
_WRITTEN = re.compile(r"(1[0-2]|[0-9AKQJRSC])([A-Z]|OROS|COPAS|ESPADAS|BASTOS)")
TEN_OR_AS = "10"


def may_be_card(text: str) -> bool:
    """Whether somebody who wrote this may have meant a card."""
    return text == TEN_OR_AS or _WRITTEN.fullmatch(text.upper()) is not None


def is_french_only(text: str) -> bool:
    """Whether a token is a card of a French pack and of no Spanish one."""
    return not _spanish(text.upper()) and bool(_french(text.upper(), PACKS[1]))


def readings(text: str, pack: Pack | None) -> tuple[str, ...]:
    """Cards that a token may name in a pack, or in a pack that nobody stated.

    >>> readings("3o", "spanish"), readings("10B", "spanish"), readings("XX", "spanish")
    (('3O',), ('SB',), ())
    >>> readings("QH", "french_queen_sota"), readings("QH", None)
    (('SC',), ('SC', 'CC'))
    >>> readings("CC", "french_queen_sota")
    ('CC', 'CB')
    """
    written = text.upper()
    if pack == "spanish":
        return _spanish(written)
    if pack is not None:
        return _french(written, pack) or _mixed(written)
    named = _spanish(written) or tuple(
        card for french in PACKS[1:] for card in _french(written, french)
    )
    return tuple(dict.fromkeys(named))


def other_suit(card: str) -> str:
    """What a token with the suit ``C`` names with French suits: copas or clubs.

    >>> other_suit("7C")
    '7B'
    """
    return card[0] + "B"


def _spanish(written: str) -> tuple[str, ...]:
    found = _WRITTEN.fullmatch(written)
    if found is None:
        return ()
    rank, suit = found.groups()
    token = _NUMERALS.get(rank, rank) + _SUIT_WORD.get(suit, suit)
    return (token,) if token in CARD else ()


def _french(written: str, pack: Pack) -> tuple[str, ...]:
    token = "A" + written[1:] if len(written) == 2 and written[0] == "1" else written  # noqa: PLR2004 - rank and suit
    try:
        return (TOKENS[parse_card(token, pack)],)
    except ValueError:
        return ()


def _mixed(written: str) -> tuple[str, ...]:
    """A Spanish figure with a C: copas by its rank, clubs (bastos) by its pack."""
    if written in {"RC", "SC", "CC"}:
        return (written, other_suit(written))
    return ()
