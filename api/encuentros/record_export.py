"""Encuentros as text records.

A ruling on the encuentro itself and a final score have no act in a text record: tags of the header
state them.
"""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

import msgspec

from referee.aggregates.encuentro import Encuentro, final_score_in_force
from referee.aggregates.partida import Partida
from referee.application import Referee
from referee.events import EncuentroRuled, options_from
from referee.kinds import partida_id
from referee.people.persons import Persons
from referee.record import FindingText, PartidaText, TextRecord, replace_text_ids
from referee.record.profiles import base_and_changes
from referee.rules.match_scores import score_text

RULED: Final = "Ruled"
RULED_FOR: Final = "Ruled-For"
DRAWN: Final = "-"
FINAL_SCORE: Final = "Final-Score"


def text_record_of_encuentro(referee: Referee, persons: Persons, encuentro_id: UUID) -> TextRecord:
    """The record of an encuentro, with the names and texts that are not erased.

    :raises NotFound: no encuentro has this id
    """
    state = referee.encuentros.encuentro(encuentro_id)
    assert state.opened is not None
    frozen = state.opened.profile
    base, changed = base_and_changes(frozen)
    played = [
        referee.encuentros.partida_by_id(partida_id(encuentro_id, p.partida))
        for p in state.partidas
    ]
    partidas = tuple(_partida_for_record(one) for one in played)
    names = {seat: persons.name(person) for seat, person in state.seats}
    options = options_from(frozen.options)
    record = TextRecord(
        profile=frozen.id,
        edition=frozen.edition,
        hash=frozen.hash,
        base=base,
        players=options.players,
        deck=options.deck,
        pack=options.pack,
        options=changed,
        seats={seat: name for seat, name in names.items() if name},
        place=persons.text_by_id(state.opened.place) or "",
        date=state.opened.date,
        tags={**_final_score_tags(state), **_ruling_tags(referee, persons, encuentro_id, state)},
        partidas=partidas,
    )
    return _record_with_words(record, persons)


def _partida_for_record(state: Partida) -> PartidaText:
    assert state.opened is not None
    found = state.table.findings
    findings = sorted({FindingText(one.line, one.rule.value, one.seat or "") for one in found})
    return PartidaText(state.opened.number, tuple(one.act for one in state.log), tuple(findings))


def _final_score_tags(state: Encuentro) -> dict[str, str]:
    score = final_score_in_force(state)
    return {} if score is None else {FINAL_SCORE: score_text(score)}


def _ruling_tags(
    referee: Referee, persons: Persons, encuentro_id: UUID, state: Encuentro
) -> dict[str, str]:
    if state.ruled is None:
        return {}
    acts = [one.event for one in referee.history(encuentro_id)]
    ruling = [act for act in acts if isinstance(act, EncuentroRuled)][-1]
    return {RULED: ruling.winner or DRAWN, RULED_FOR: persons.text_by_id(ruling.text) or ""}


def _record_with_words(record: TextRecord, persons: Persons) -> TextRecord:
    """The record with the words of every text its acts name."""
    old: list[str] = []

    class _Every(dict[str, str]):
        """A mapping of any id to itself, in order to collect the ids."""

        def get(self, key: str, default: Any = None) -> Any:
            del default
            return key

    def collect_id(text: str | None) -> str:
        assert text is not None
        old.append(text)
        return text

    replace_text_ids(msgspec.structs.replace(record, texts=_Every()), collect_id)
    words = {text: persons.text_by_id(text) for text in old}
    return msgspec.structs.replace(record, texts={t: w for t, w in words.items() if w is not None})
