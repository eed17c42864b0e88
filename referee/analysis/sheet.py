"""The sheet between Python and the engine, as ``struct sheet`` of ``engine.c`` has it."""

from __future__ import annotations

import ctypes
from enum import Enum
from functools import lru_cache
from typing import Final

from referee.analysis.position import KnownPosition
from referee.rules.cards import PLACES, POINTS, SUITS
from referee.rules.counts import CANTE_OF_ANOTHER, CANTE_OF_TRUMP
from referee.rules.profile.options import Options
from referee.rules.seats import SEATS, SIDES, Seat, Side, side_of

UNKNOWN: Final = -9999
_NOBODY: Final = 255
_RANKS, _SEATS, _CARDS, _MOST_STOCK = 12, 4, 48, 36
_BYTE, _MASK = ctypes.c_uint8, ctypes.c_uint64


class Sheet(ctypes.Structure):
    """The question that the host writes, and the answer of the engine, in the engine's memory."""

    _fields_ = (
        ("hand", _MASK * _SEATS),
        ("lawful", _MASK),
        ("most_nodes", ctypes.c_uint32),
        ("nodes", ctypes.c_uint32),
        ("price", ctypes.c_int16 * _CARDS),
        ("points", _BYTE * _RANKS),
        ("cante", _BYTE * 4),
        ("trick", _BYTE * _SEATS),
        ("cantes_of_player", _BYTE * _SEATS),
        ("law", ctypes.c_uint16),
        ("players", _BYTE),
        ("leader", _BYTE),
        ("trump", _BYTE),
        ("laid", _BYTE),
        ("per_player", _BYTE),
        ("per_side", _BYTE),
        ("sings_in_arrastre", _BYTE),
        ("sung", _BYTE),
        ("won", _BYTE),
        ("gap_open", _BYTE),
        ("ours", _BYTE),
        ("with_us", _BYTE),
        ("last_trick", _BYTE),
        ("per_trick", _BYTE),
        ("swapper", _BYTE),
        ("swap_card", _BYTE),
        ("stock_size", _BYTE),
        ("stock", _BYTE * _MOST_STOCK),
        ("winner", _BYTE),
    )


class Aim(Enum):
    """What a side plays for."""

    LEAD = "lead"
    """Points; a cante counts half to the side that sings it, and half is taken from the others."""
    POINTS = "points"
    """Points of its own, its cantes whole; those of others do not matter."""
    TRICKS = "tricks"
    """Tricks, and nothing else."""


_CANTES: Final = {
    Aim.LEAD: (CANTE_OF_ANOTHER // 2, CANTE_OF_TRUMP // 2) * 2,
    Aim.POINTS: (CANTE_OF_ANOTHER, CANTE_OF_TRUMP, 0, 0),
    Aim.TRICKS: (0, 0, 0, 0),
}


@lru_cache(maxsize=64)
def law_bits(options: Options) -> int:
    """The options of play of a table as bits, in the order of ``enum law`` of ``engine.c``.

    >>> law_bits(Options()), law_bits(Options(cante_needs_trick="any_trick"))
    (8, 264)
    """
    flags = (
        options.beat_partner,
        options.trump_partner,
        options.beat_after_trumped,
        options.overtrump,
        options.undertrump == "forced",
        options.sota_caballo == "caballo_over_sota",
        options.cante_window == "before_draw",
        options.cante_before_swap,
        options.cante_needs_trick == "any_trick",
    )
    return sum(1 << place for place, flag in enumerate(flags) if flag)


def write_question(
    sheet: Sheet, known: KnownPosition, side: Side, aim: Aim, friends: frozenset[Seat] | None = None
) -> None:
    """Write a question: the position, and for which side and what is asked.

    ``friends``: the seats that play for the side; its own, if not said.
    """
    seats = SEATS[known.options.players]
    ours = {seat for seat in seats if side_of(seat) == side}
    _write_law(sheet, known.options, aim)
    _write_cards(sheet, known)
    sheet.ours = _bits(seats, ours)
    sheet.with_us = _bits(seats, ours if friends is None else friends)


def read_position(sheet: Sheet, options: Options) -> KnownPosition:
    """The position in arrastre that the engine has written on the sheet."""
    seats, sides = SEATS[options.players], SIDES[options.players]
    return KnownPosition(
        options,
        sheet.trump,
        seats[sheet.leader],
        tuple(sheet.hand[: len(seats)]),
        tuple(sheet.trick[: sheet.laid]),
        sung=frozenset(suit for suit in range(len(SUITS)) if sheet.sung >> suit & 1),
        winners=frozenset(one for place, one in enumerate(sides) if sheet.won >> place & 1),
    )


def _bits(all_of: tuple[str, ...], chosen: frozenset[str] | set[str]) -> int:
    return sum(1 << place for place, one in enumerate(all_of) if one in chosen)


def _write_law(sheet: Sheet, options: Options, aim: Aim) -> None:
    sheet.players, sheet.law = options.players, law_bits(options)
    in_points = aim is not Aim.TRICKS
    sheet.points[:] = POINTS[:PLACES] if in_points else (0,) * PLACES
    sheet.last_trick = options.last_trick_points if in_points else 0
    sheet.per_trick = 0 if in_points else 1
    sheet.per_player = options.cantes_per_player if in_points else 0
    sheet.per_side = options.cantes_per_side
    sheet.sings_in_arrastre = options.cante_in_arrastre
    sheet.cante[:] = _CANTES[aim]


def _write_cards(sheet: Sheet, known: KnownPosition) -> None:
    seats = SEATS[known.options.players]
    sheet.hand[: len(seats)] = known.hands
    sheet.leader, sheet.trump = seats.index(known.leader), known.trump
    sheet.laid, sheet.stock_size = len(known.laid), len(known.stock)
    sheet.trick[: len(known.laid)] = known.laid
    sheet.stock[: len(known.stock)] = known.stock
    sheet.sung = sum(1 << suit for suit in known.sung)
    sheet.won = _bits(SIDES[len(seats)], known.winners)
    sheet.gap_open = known.sung_now is not None
    sheet.cantes_of_player[: len(seats)] = known.sung_now or (0,) * len(seats)
    sheet.swapper = seats.index(known.swap[0]) if known.swap else _NOBODY
    sheet.swap_card = known.swap[1] if known.swap else 0
