"""Import of text records as encuentros, whole or not at all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TypeAlias
from uuid import UUID

from api.encuentros.citations import record_with_public_articles
from api.encuentros.record_export import DRAWN, FINAL_SCORE, RULED, RULED_FOR
from api.http.fields import MAX_NAME
from api.http.services import PendingTexts
from referee import events as ev
from referee.aggregates.commands import PartidaCommand, command_to_repeat_act
from referee.aggregates.encuentro import UNDECIDED
from referee.aggregates.partida import follow_command_of_partida
from referee.application import Referee
from referee.errors import Refused, Stale
from referee.kinds import partida_id
from referee.log.streams import WriteMetadata
from referee.people.persons import Persons, TooLong
from referee.record import (
    BadRecord,
    PartidaText,
    ReadRecord,
    RecordError,
    TextPlace,
    TextRecord,
    find_encuentro_errors,
    find_record_errors,
    read_record,
    replace_text_ids,
)
from referee.record.profiles import (
    CannotImport,
    frozen_profile_of_record,
    import_error_at_place,
    import_error_at_tag,
)
from referee.rules.match_scores import is_final_score, read_score
from referee.rules.seats import SEATS, SIDES

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


_Check: TypeAlias = Callable[[ReadRecord, dict[str, ev.OptionValue]], tuple[RecordError, ...]]


def read_valid_record(content: bytes, check: _Check = find_record_errors) -> TextRecord:
    """The record in a text, refused if anything in it is impossible.

    ``check``: The check of its acts.

    :raises BadRecord: with all that is malformed, ambiguous or impossible
    """
    read = read_record(content)
    errors = _errors_in_record(read, check)
    if errors:
        raise BadRecord(errors, read.record.pack)
    return read.record


def read_encuentro_record(content: bytes) -> TextRecord:
    """The record of a text, if a new encuentro can hold all of it.

    :raises BadRecord: as for ``read_valid_record``; or a partida begins before another has ended
    """
    return read_valid_record(content, find_encuentro_errors)


def _errors_in_record(read: ReadRecord, check: _Check) -> tuple[RecordError, ...]:
    """The errors of a record: one in its header, or else those of its acts."""
    try:
        frozen = profile_of_header(read.record)
    except CannotImport as cannot:
        return (import_error_at_tag(cannot, read),)
    errors = check(read, frozen.options)
    long = next(_places_of_long_articles(read.record), None)
    if long is not None and not errors:
        return (import_error_at_place(CannotImport("too_long", "article", ""), read.places[long]),)
    return errors


def profile_of_header(record: TextRecord) -> ev.FrozenProfile:
    """The profile of a record, frozen for its table.

    Refused if anything in the header is impossible.

    :raises CannotImport: as ``frozen_profile_of_record``; or a seat, a result or a score is of
        another table
    """
    frozen = frozen_profile_of_record(record)
    _refuse_impossible_header(record, frozen)
    return frozen


class ImportTexts(PendingTexts):
    """Names and texts of one import."""

    def __init__(self, persons: Persons) -> None:
        super().__init__(persons)
        self._store = persons

    def add_erased_text(self) -> str:
        """Store a text and erase it at once; returns its id."""
        found = self.add_text("?")
        self._store.erase(found)
        return found


def import_as_new_encuentro(
    referee: Referee,
    persons: Persons,
    record: TextRecord,
    meta: WriteMetadata,
    new: UUID | None = None,
) -> UUID:
    """Record a text record as a new encuentro; the whole record is checked first.

    Findings are left out, since they are computed again. ``meta`` has no key, since there are many
    writes; ``new``: id of the encuentro.

    :raises CannotImport: the profile of the record is unknown, or an act is impossible
    :raises Stale: there is an encuentro of this id
    """
    assert not meta.key, meta.key
    frozen = profile_of_header(record)
    _refuse_impossible_acts(record, frozen)
    put = ImportTexts(persons)
    try:
        return _record_encuentro(
            referee, _store_texts_of_record(record, put), frozen, put, meta, new
        )
    except Stale:  # as above
        put.erase_stored_texts()
        raise
    except TooLong as long:  # before anything was recorded
        put.erase_stored_texts()
        raise CannotImport("too_long", "texts", str(long)) from None
    except Refused as refused:  # acts between the partidas are not in a record
        raise CannotImport(refused.rule.value, "partidas", str(dict(refused.facts))) from None


def _refuse_impossible_acts(record: TextRecord, frozen: ev.FrozenProfile) -> None:
    places = {
        (partida.number, line): TextPlace(partida.number, line)
        for partida in record.partidas
        for line in range(1, len(partida.acts) + 1)
    }
    for error in find_record_errors(ReadRecord(record, places), frozen.options):
        at = f"partida {error.line}, act {error.column}"
        raise CannotImport(str(error.code), at, str(error.facts))
    if next(_places_of_long_articles(record), None) is not None:
        raise CannotImport("too_long", "article", "")


def _refuse_impossible_header(record: TextRecord, frozen: ev.FrozenProfile) -> None:
    sides = (DRAWN, *SIDES[record.players])
    if record.tags.get(RULED, DRAWN) not in sides:
        raise CannotImport("bad_value", RULED, record.tags[RULED])
    is_told, options = FINAL_SCORE in record.tags, ev.options_from(frozen.options)
    if is_told and not is_final_score(_final_score_or_empty(record), options):
        raise CannotImport("bad_value", FINAL_SCORE, record.tags[FINAL_SCORE])
    if unknown := set(record.seats) - set(SEATS[record.players]):
        raise CannotImport("bad_value", "seats", ",".join(sorted(unknown)))


def _final_score_or_empty(record: TextRecord) -> dict[str, int]:
    """The final score of a record; empty if there is none, or it is not written as one."""
    try:
        return read_score(record.tags.get(FINAL_SCORE, ""), record.players)
    except ValueError:
        return {}


def _store_texts_of_record(record: TextRecord, put: ImportTexts) -> TextRecord:
    """The record with ids in place of its texts, which are put into the erasable store."""
    public = record_with_public_articles(record)
    return replace_text_ids(
        public, lambda words: put.add_text(words) if words else put.add_erased_text()
    )


def _new_persons_of_seats(record: TextRecord, put: ImportTexts) -> dict[str, str]:
    """A new person for each seat, if any seat has a name; seats without one count as erased."""
    if not record.seats:
        return {}
    names = {seat: record.seats.get(seat) for seat in SEATS[record.players]}
    return {
        seat: put.add_person(name) if name else put.add_erased_text()
        for seat, name in names.items()
    }


def _place_and_day(record: TextRecord) -> tuple[str, str]:
    """Place and day. The log takes only a day of the calendar; other words go with the place."""
    if not record.date or _DAY.fullmatch(record.date):
        return record.place, record.date
    return ", ".join(filter(None, (record.place, record.date))), ""


def _places_of_long_articles(record: TextRecord) -> Iterator[tuple[int, int]]:
    """Partida and line of each ruling, also in a correction, whose article is too long."""
    for partida in record.partidas:
        for line, act in enumerate(partida.acts, 1):
            acts = [one.act for one in act.changes] if isinstance(act, ev.LogAmended) else [act]
            if any(isinstance(one, ev.RulingGiven) and len(one.article) > MAX_NAME for one in acts):
                yield partida.number, line


def _record_encuentro(
    referee: Referee,
    record: TextRecord,
    frozen: ev.FrozenProfile,
    put: ImportTexts,
    meta: WriteMetadata,
    new: UUID | None,
) -> UUID:
    seats = _new_persons_of_seats(record, put)
    place, day = _place_and_day(record)
    opened = ev.EncuentroOpened(frozen, put.add_text(place), day)
    ruled_for = put.add_text(record.tags.get(RULED_FOR, ""))
    found = referee.encuentros.open(opened, meta, new).id
    if seats:
        referee.encuentros.record_encuentro_act(found, ev.PlayersSeated(seats), meta)
    left = [
        (number, _record_until_decided(referee, found, number, partida, record, meta))
        for number, partida in enumerate(record.partidas, 1)
    ]
    for number, commands in left:
        if commands:
            referee.encuentros.record_partida_acts(partida_id(found, number), commands, meta)
    if FINAL_SCORE in record.tags:
        referee.encuentros.record_encuentro_act(
            found, ev.FinalScoreTold(_final_score_or_empty(record)), meta
        )
    if RULED in record.tags:
        winner = record.tags[RULED].removeprefix(DRAWN)
        referee.encuentros.record_encuentro_act(found, ev.EncuentroRuled(winner, ruled_for), meta)
    return found


def _record_until_decided(
    referee: Referee,
    encuentro_id: UUID,
    number: int,
    partida: PartidaText,
    record: TextRecord,
    meta: WriteMetadata,
) -> list[PartidaCommand]:
    """Record a partida until it is decided; returns acts to record after the next began."""
    referee.encuentros.start_partida(encuentro_id, meta)
    stream = partida_id(encuentro_id, number)
    commands = [command_to_repeat_act(act) for act in partida.acts]
    now = len(commands)
    if number < len(record.partidas):
        while now and _is_undecided_after(referee, stream, commands[:now]):
            now -= 1
    if now:
        referee.encuentros.record_partida_acts(stream, commands[:now], meta)
    return commands[now:]


def _is_undecided_after(referee: Referee, stream: UUID, commands: list[PartidaCommand]) -> bool:
    after = referee.encuentros.preview_partida_acts(stream, commands).after.partida
    assert after is not None
    return follow_command_of_partida(after).how == UNDECIDED
