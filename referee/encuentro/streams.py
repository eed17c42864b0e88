"""Streams of an encuentro, of its partidas and of its cases."""

from __future__ import annotations

from uuid import UUID, uuid5

from referee.encuentro import case, encuentro, partida
from referee.encuentro.case import Case
from referee.encuentro.encuentro import Encuentro
from referee.encuentro.partida import Partida
from referee.events import CaseOpened, EncuentroOpened, PartidaOpened
from referee.log.streams import StreamKind

PARTIDA: StreamKind[Partida] = StreamKind(partida.INITIAL, partida.evolve, PartidaOpened)
ENCUENTRO: StreamKind[Encuentro] = StreamKind(encuentro.INITIAL, encuentro.evolve, EncuentroOpened)
CASE: StreamKind[Case] = StreamKind(case.INITIAL, case.evolve, CaseOpened)


def partida_id(encuentro_id: UUID, number: int) -> UUID:
    """Id of the n-th partida of an encuentro: it follows from both."""
    return uuid5(encuentro_id, str(number))


def case_id(encuentro_id: UUID, number: int) -> UUID:
    """Id of the n-th case of an encuentro: it follows from both."""
    return uuid5(encuentro_id, f"case {number}")
