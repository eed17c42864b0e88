"""Answers of writes in a partida: findings, and whether it is decided."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import msgspec
from flask import Response

from api.encuentros.acts import ReceivedAct
from api.http.answers import write_answer
from api.http.services import current_services
from api.profiles.findings import findings_in_words
from projections.official.findings import finding_row
from referee.encuentro import partida as partidas
from referee.events import PartidaWon
from referee.log.streams import Answer


def stored_act(heard: ReceivedAct, put_text: Any) -> Any:
    """An act for the log: its text goes into the erasable store, the act gets the id."""
    if not heard.text:
        return heard.act
    return msgspec.structs.replace(heard.act, text=put_text(heard.text))


def partida_after(answer: Answer) -> partidas.Partida:
    """State of a partida right after the acts of an answer."""
    if isinstance(answer.state, partidas.Partida):
        return answer.state
    mine = [e.originator_version for e in answer.events if e.originator_id == answer.id]
    events: Any = current_services().referee.log.history(answer.id)[: max(mine, default=0)]
    return partidas.fold(recorded.event for recorded in events)


def partida_answer(answer: Answer, encuentro_id: UUID) -> Response:
    """The response to a write in a partida, with findings and whether it is decided."""
    state, lines = partida_after(answer), set(answer.lines)
    noticed = [f for f in state.table.findings if f.known_at in lines]
    won = [one for one in state.stated if isinstance(one, PartidaWon)]
    return write_answer(
        answer,
        findings=findings_in_words([finding_row(one) for one in noticed], encuentro_id),
        decided=won[-1] if won else None,
    )
