"""The engine in Python: one WebAssembly module, the same bytes as in a browser.

``wasmtime`` is loaded at the first question only. An engine belongs to its thread; a question frees
the interpreter lock while it is worked on.
"""

from __future__ import annotations

import atexit
import ctypes
import threading
from base64 import b64encode
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from typing import Any, Final

from referee.analysis.sheet import UNKNOWN, Sheet

MODULE: Final = "engine.wasm"
MOST_NODES: Final = 200_000
"""Nodes of a question, about 17 ms: no arrastre of 5,000 random ones needed so many."""

WHOLE_DEAL_NODES: Final = 20_000_000
"""The same where nobody waits, about two seconds: the first card of ten tricks without a stock
needs 2.6 million on average, and 13 million at most in 60 deals."""

WITHOUT_END: Final = (1 << 32) - 1
"""As many nodes as it takes."""


class NoAnalysis(Exception):  # noqa: N818 - an answer to whoever asks, not an error of the program
    """There is no analysis here: this platform has no ``wasmtime``, an optional extra."""


def module_bytes() -> bytes:
    """The engine, for a browser as well."""
    return files(__package__).joinpath(MODULE).read_bytes()


@cache
def module_text() -> str:
    """The same in base 64, as a page has it."""
    return b64encode(module_bytes()).decode()


@cache
def _compile() -> tuple[Any, Any, Any]:
    """The package, and the module compiled by an engine of it: once a process, 13 ms.

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
        return wasmtime, engine, wasmtime.Module(engine, module_bytes())
    except wasmtime.WasmtimeError:
        interpreting = wasmtime.Config()
        interpreting.target = "pulley64"
        engine = wasmtime.Engine(interpreting)
        return wasmtime, engine, wasmtime.Module(engine, module_bytes())


def is_installed() -> bool:
    """Whether the package is installed; that is told without loading it."""
    return find_spec("wasmtime") is not None


def is_there() -> bool:
    """Whether positions can be analysed here."""
    try:
        _compile()
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
        wasmtime, engine, own = _compile()
        self._store = wasmtime.Store(engine)
        chosen = own if module is None else wasmtime.Module(engine, module)
        self._exports = wasmtime.Instance(self._store, chosen, []).exports(self._store)
        memory = ctypes.addressof(self._exports["memory"].data_ptr(self._store).contents)
        self._memory = memory
        self.sheet = Sheet.from_address(memory + self.ask("address"))

    def ask(self, question: str, *arguments: int) -> int:
        """What a function of the module answers to the sheet."""
        found: int = self._exports[question](self._store, *arguments)
        return found

    def try_ask(self, question: str, *arguments: int) -> int | None:
        """The same; None if the nodes did not suffice."""
        found = self.ask(question, *arguments)
        return None if found == UNKNOWN else found

    def key(self) -> tuple[int, int]:
        """Key of the position in the table of the engine, for the tests."""
        words = (ctypes.c_uint64 * 2).from_address(self._memory + self.ask("key"))
        return words[0], words[1]


class _OfThread(threading.local):
    engine: Engine | None = None


_of_thread = _OfThread()


@atexit.register
def _let_go() -> None:
    """Give the engine back before the interpreter takes its package apart."""
    _of_thread.engine = None
    _compile.cache_clear()


def engine_here() -> Engine:
    """The engine of this thread, made at the first question.

    :raises NoAnalysis: this platform has no ``wasmtime``
    """
    if _of_thread.engine is None:
        _of_thread.engine = Engine()
    return _of_thread.engine
