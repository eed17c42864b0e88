"""The engine in Python: one WebAssembly module, the same bytes as in a browser.

``wasmtime`` is loaded at the first question only. An engine belongs to its thread; a question frees
the interpreter lock while it is worked on.
"""

from __future__ import annotations

import atexit
import ctypes
import threading
from base64 import b64encode
from enum import Enum
from functools import cache, lru_cache
from importlib.resources import files
from importlib.util import find_spec
from typing import Any, Final

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
    """What a side plays for: a lead in points, points of its own, or tricks."""

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


def write_question_on_sheet(
    sheet: Sheet, known: KnownPosition, side: Side, aim: Aim, friends: frozenset[Seat] | None = None
) -> None:
    """Write a question: the position, and for which side and what is asked.

    ``friends``: the seats that play for the side; its own, if not said.
    """
    seats = SEATS[known.options.players]
    ours = {seat for seat in seats if side_of(seat) == side}
    _write_law_on_sheet(sheet, known.options, aim)
    _write_cards_on_sheet(sheet, known)
    sheet.ours = _bits_of_members(seats, ours)
    sheet.with_us = _bits_of_members(seats, ours if friends is None else friends)


def position_on_sheet(sheet: Sheet, options: Options) -> KnownPosition:
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


def _bits_of_members(all_of: tuple[str, ...], chosen: frozenset[str] | set[str]) -> int:
    return sum(1 << place for place, one in enumerate(all_of) if one in chosen)


def _write_law_on_sheet(sheet: Sheet, options: Options, aim: Aim) -> None:
    sheet.players, sheet.law = options.players, law_bits(options)
    in_points = aim is not Aim.TRICKS
    sheet.points[:] = POINTS[:PLACES] if in_points else (0,) * PLACES
    sheet.last_trick = options.last_trick_points if in_points else 0
    sheet.per_trick = 0 if in_points else 1
    sheet.per_player = options.cantes_per_player if in_points else 0
    sheet.per_side = options.cantes_per_side
    sheet.sings_in_arrastre = options.cante_in_arrastre
    sheet.cante[:] = _CANTES[aim]


def _write_cards_on_sheet(sheet: Sheet, known: KnownPosition) -> None:
    seats = SEATS[known.options.players]
    sheet.hand[: len(seats)] = known.hands
    sheet.leader, sheet.trump = seats.index(known.leader), known.trump
    sheet.laid, sheet.stock_size = len(known.laid), len(known.stock)
    sheet.trick[: len(known.laid)] = known.laid
    sheet.stock[: len(known.stock)] = known.stock
    sheet.sung = sum(1 << suit for suit in known.sung)
    sheet.won = _bits_of_members(SIDES[len(seats)], known.winners)
    sheet.gap_open = known.sung_now is not None
    sheet.cantes_of_player[: len(seats)] = known.sung_now or (0,) * len(seats)
    sheet.swapper = seats.index(known.swap[0]) if known.swap else _NOBODY
    sheet.swap_card = known.swap[1] if known.swap else 0


MODULE: Final = "engine.wasm"
MOST_NODES: Final = 200_000
"""Nodes of a question, about 17 ms: no arrastre of 5,000 random ones needed so many."""

WHOLE_DEAL_NODES: Final = 20_000_000
"""The same where nobody waits, about two seconds: the first card of ten tricks without a stock
needs 2.6 million on average, and 13 million at most in 60 deals."""

WITHOUT_END: Final = (1 << 32) - 1
"""As many nodes as it takes."""


class NoAnalysis(Exception):  # noqa: N818 - an answer to whoever asks, not an error of the program
    """No position can be analysed here, since the optional package ``wasmtime`` does not work."""


def wasm_bytes() -> bytes:
    """Bytes of the WebAssembly module of the engine, the same as a browser gets."""
    return files(__package__).joinpath(MODULE).read_bytes()


@cache
def wasm_base64() -> str:
    """The WebAssembly module of the engine in base 64, as a page contains it."""
    return b64encode(wasm_bytes()).decode()


@cache
def _compile_wasm_module() -> tuple[Any, Any, Any]:
    """The package ``wasmtime``, an engine of it, and the compiled module; once a process.

    A service that may not make memory executable, as the units of ``deploy/`` may not, gets the
    module interpreted by the package: the same answers and nodes, later.

    :raises NoAnalysis: the package, or its library for this platform, is not there
    """
    try:
        import wasmtime  # noqa: PLC0415 - most commands and pages need it not: 42 ms and 9 MB

        engine = wasmtime.Engine()
    except (ImportError, OSError, RuntimeError) as error:
        raise NoAnalysis(str(error)) from None
    try:
        return wasmtime, engine, wasmtime.Module(engine, wasm_bytes())
    except wasmtime.WasmtimeError:
        interpreting = wasmtime.Config()
        interpreting.target = "pulley64"
        engine = wasmtime.Engine(interpreting)
        return wasmtime, engine, wasmtime.Module(engine, wasm_bytes())


def is_wasmtime_installed() -> bool:
    """Whether the package ``wasmtime`` is installed; it is not loaded for this."""
    return find_spec("wasmtime") is not None


def is_analysis_available() -> bool:
    """Whether positions can be analysed here."""
    try:
        _compile_wasm_module()
    except NoAnalysis:
        return False
    return True


class Engine:
    """An instance of the module: a sheet for the question, and the functions that answer it.

    A question has the same answer and uses as many nodes whatever was asked before.
    """

    def __init__(self, module: bytes | None = None) -> None:
        """``module``: another one than the engine's own, as the tests have them.

        :raises NoAnalysis: this platform has no ``wasmtime``
        """
        wasmtime, engine, own = _compile_wasm_module()
        self._store = wasmtime.Store(engine)
        chosen = own if module is None else wasmtime.Module(engine, module)
        self._exports = wasmtime.Instance(self._store, chosen, []).exports(self._store)
        memory = ctypes.addressof(self._exports["memory"].data_ptr(self._store).contents)
        self._memory = memory
        self.sheet = Sheet.from_address(memory + self.call_export("address"))

    def call_export(self, question: str, *arguments: int) -> int:
        """Answer of a function of the module to the question on the sheet."""
        found: int = self._exports[question](self._store, *arguments)
        return found

    def call_export_or_none(self, question: str, *arguments: int) -> int | None:
        """Answer of a function of the module to the sheet; None if the nodes did not suffice."""
        found = self.call_export(question, *arguments)
        return None if found == UNKNOWN else found

    def position_key(self) -> tuple[int, int]:
        """Key of the position in the table of the engine, for the tests."""
        words = (ctypes.c_uint64 * 2).from_address(self._memory + self.call_export("key"))
        return words[0], words[1]


class _OfThread(threading.local):
    """The engine of each thread; None before its first question."""

    engine: Engine | None = None


_of_thread = _OfThread()


@atexit.register
def _release_engine() -> None:
    """Release the engine before the interpreter unloads its package."""
    _of_thread.engine = None
    _compile_wasm_module.cache_clear()


def engine_of_thread() -> Engine:
    """The engine of this thread, made at the first question.

    :raises NoAnalysis: this platform has no ``wasmtime``
    """
    if _of_thread.engine is None:
        _of_thread.engine = Engine()
    return _of_thread.engine
