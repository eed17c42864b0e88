"""Parser of text records: the canonical form, and the variants that people write."""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from referee.events import Change, LogAmended, PartidaAct, TableAct, TextId
from referee.record.causes import STRING_FAULTS, faults_with_own_cause
from referee.record.errors import BadRecord, Code, RecordError
from referee.record.grammar import BY_WORD, DRAWN, PLAY, ActForm
from referee.record.header import Header
from referee.record.lexicon import (
    AMENDMENT,
    DRAW,
    FINDING,
    INSERT,
    IS,
    PARTIDA,
    REPLACE,
    RULE_ID,
    SEAT_ORDER,
    WITHDRAW,
    Misread,
    Token,
    canonical_keyword,
    lines_of,
    record_error_at,
    statements_of_tokens,
    tokens_of,
)
from referee.record.reader import FileState, Reader
from referee.record.record import FindingText, PartidaText, TextRecord, normal_record
from referee.rules.cards import Pack
from referee.rules.seats import SEATS

MOST_ERRORS = 200
CHANGES = frozenset({REPLACE, INSERT, WITHDRAW})


class TextPlace(msgspec.Struct, frozen=True):
    """Line and column in a text, both counted from 1."""

    line: int
    column: int


class ReadRecord(msgspec.Struct, frozen=True):
    """A record with the place of each act, by partida and by the line of the act in its log.

    Line 0 is where the partida begins, if the text says it.

    ``tags``: the place of what each tag says, by the name of the tag, and of each option by its
    name, in lower case.
    """

    record: TextRecord
    places: dict[tuple[int, int], TextPlace]
    tags: dict[str, TextPlace] = {}


def parse_record(source: str | bytes) -> TextRecord:
    """Record of a text, canonical or not.

    :raises BadRecord: with all that is malformed or ambiguous.
    """
    return read_record(source).record


def read_record(source: str | bytes) -> ReadRecord:
    """Record of a text with the place of each act and tag; ``BadRecord`` with all faults."""
    return _File().parse_text(_decode(source))


def parse_act(text: str, pack: Pack = "spanish") -> tuple[PartidaAct, dict[TextId, str]]:
    """One act and the words of its texts.

    :raises BadRecord: also when the text holds no act, or more than one.

    >>> parse_act("a1 3o")[0]
    CardPlayed(seat='A1', card='3O')
    """
    file = _File(FileState(pack))
    read = file.parse_text(_decode(text))
    acts = [act for partida in read.record.partidas for act in partida.acts]
    if len(acts) != 1:
        code = Code.SOMETHING_LEFT if acts else Code.SOMETHING_MISSING
        place = read.places.get((read.record.partidas[0].number, 2)) if acts else None
        line, column = (place.line, place.column) if place else (1, 1)
        raise BadRecord((record_error_at(code, line, column, expected="act"),))
    return acts[0], read.record.texts


def _decode(source: str | bytes) -> str:
    try:
        if isinstance(source, str):
            source.encode()
            return source
        return _refuse_zero_bytes(source).decode("utf-8-sig")
    except UnicodeEncodeError as error:
        before = lines_of(error.object[: error.start])
        raise BadRecord(
            (record_error_at(Code.NOT_UTF_8, len(before), len(before[-1]) + 1),)
        ) from None
    except UnicodeDecodeError as error:
        before = lines_of(error.object[: error.start].decode("utf-8-sig", "replace"))
        place = (len(before), len(before[-1]) + 1)
        byte = error.object[error.start]
        raise BadRecord((record_error_at(Code.NOT_UTF_8, *place, byte=byte),)) from None


def _refuse_zero_bytes(source: bytes) -> bytes:
    """The bytes unchanged; ``BadRecord`` if one of them is zero, since UTF-8 text has none."""
    zero = source.find(0)
    if zero >= 0:
        before = lines_of(source[:zero].decode("utf-8-sig", "replace"))
        raise BadRecord(
            (record_error_at(Code.NOT_UTF_8, len(before), len(before[-1]) + 1, byte=0),)
        )
    return source


@dataclass(slots=True)
class _PartidaBuilder:
    """Acts and findings of a partida, collected while its text is read."""

    number: int
    begun: TextPlace | None = None
    acts: list[PartidaAct] = field(default_factory=list)
    places: list[TextPlace] = field(default_factory=list)
    findings: list[FindingText] = field(default_factory=list)
    amendment: TextId = ""
    changes: list[Change] | None = None

    def add(self, act: PartidaAct, token: Token) -> None:
        """Add the next act."""
        self.close_amendment()
        self.acts.append(act)
        self.places.append(TextPlace(token.line, token.column))

    def close_amendment(self) -> None:
        """Put the changes gathered so far into their amendment."""
        if self.changes is not None:
            self.acts[-1] = LogAmended(tuple(self.changes), self.amendment)
            self.changes = None

    def finish(self) -> PartidaText:
        """The partida as a value."""
        self.close_amendment()
        return PartidaText(self.number, tuple(self.acts), tuple(sorted(set(self.findings))))


class _File:
    """The parser of one text, with what it has read so far."""

    def __init__(self, sheet: FileState | None = None) -> None:
        self.sheet = sheet or FileState()
        self.header = Header(self.sheet)
        self.drafts: dict[int, _PartidaBuilder] = {}
        self.draft: _PartidaBuilder | None = None
        self.is_amendment_lost = False
        """Whether the changes that follow may be those of a statement that could not be read."""

    def parse_text(self, text: str) -> ReadRecord:
        errors = self.sheet.errors
        for number, line in enumerate(lines_of(text), 1):
            for statement in statements_of_tokens(tokens_of(line, number, errors), CHANGES):
                try:
                    self._read_statement(statement)
                except Misread as misread:
                    self.is_amendment_lost = True
                    self._add_fault(misread.error)
                if not self._has_room_for_errors:
                    raise _bad_record_exception(errors, self.sheet.pack)
        self.sheet.add_ambiguous_suit_faults()
        if errors:
            raise _bad_record_exception(errors, self.sheet.pack)
        return self._build_record()

    def _build_record(self) -> ReadRecord:
        partidas = tuple(self.drafts[number].finish() for number in sorted(self.drafts))
        record = TextRecord(
            **self.header.record_fields(),
            options=self.header.options,
            seats=self.header.seats,
            tags=self.header.tags,
            partidas=partidas,
            texts=self.sheet.texts,
        )
        places = {
            (draft.number, line): place
            for draft in self.drafts.values()
            for line, place in enumerate(draft.places, 1)
        }
        begun = {(draft.number, 0): draft.begun for draft in self.drafts.values() if draft.begun}
        tags = {tag: TextPlace(*place) for tag, place in self.header.places.items()}
        return ReadRecord(normal_record(record), begun | places, tags)

    def _add_fault(self, error: RecordError) -> None:
        """Add the fault of a statement, unless a malformed string of its line caused it."""
        errors = self.sheet.errors
        if not any(one.line == error.line and one.code in STRING_FAULTS for one in errors):
            errors.append(error)

    def _read_statement(self, tokens: list[Token]) -> None:
        first = tokens[0]
        if first.kind == "mark" and first.text == "[":
            if self.draft is not None:
                raise Misread(record_error_at(Code.TAG_AFTER_ACTS, first.line, first.column))
            self.header.read_tag(tokens)
            return
        reader = Reader(tokens, self.sheet)
        word = canonical_keyword(first.text) if first.kind != "string" else ""
        self.is_amendment_lost = self.is_amendment_lost and word in CHANGES
        if word == PARTIDA:
            self._begin_partida(reader)
        elif word == FINDING:
            self._add_finding(reader)
        elif word == AMENDMENT:
            self._begin_amendment(reader)
        elif word in CHANGES:
            self._add_amendment_change(reader, word)
        else:
            self._add_acts_of_statement(reader, word)

    def _current_draft(self) -> _PartidaBuilder:
        if self.draft is None:
            self.draft = self.drafts[1] = _PartidaBuilder(1)
        return self.draft

    def _begin_partida(self, reader: Reader) -> None:
        first = reader.take_any_token(PARTIDA)
        token = reader.token_at_cursor
        number = reader.take_number()
        if number in self.drafts:
            raise reader.misread_exception(Code.PARTIDA_TWICE, token)
        begun = TextPlace(first.line, first.column)
        self.draft = self.drafts[number] = _PartidaBuilder(number, begun)
        _refuse_rest(reader)

    def _add_finding(self, reader: Reader) -> None:
        reader.take_any_token(FINDING)
        line = reader.take_number()
        rule = reader.take_any_token("rule")
        if rule.kind != "word" or not RULE_ID.fullmatch(rule.word):
            raise reader.misread_exception(Code.WORD_UNKNOWN, rule)
        seat = reader.take_seat() if reader.is_seat_next else ""
        _refuse_rest(reader)
        self._current_draft().findings.append(FindingText(line, rule.word, seat))

    def _begin_amendment(self, reader: Reader) -> None:
        first = reader.take_any_token(AMENDMENT)
        draft = self._current_draft()
        draft.add(LogAmended(()), first)
        draft.changes = []
        draft.amendment = ""
        if reader.token_at_cursor is not None:
            words = None if reader.is_unknown_next else reader.take_string()
            if words is None:
                reader.take_any_token("text")
            draft.amendment = self.sheet.add_text(words)
            _refuse_rest(reader)

    def _add_amendment_change(self, reader: Reader, word: str) -> None:
        first = reader.take_any_token(word)
        draft = self._current_draft()
        if draft.changes is None:
            if self.is_amendment_lost:
                return
            raise reader.misread_exception(Code.CHANGE_ALONE, first)
        line = reader.take_number()
        if word == WITHDRAW:
            _refuse_rest(reader)
            draft.changes.append(Change(line, "withdraw"))
            return
        if word == REPLACE and reader.word_at_cursor == IS:
            reader.take_any_token(IS)
        if reader.token_at_cursor is None:
            raise reader.misread_exception(Code.SOMETHING_MISSING, expected="act")
        act = self._read_act_of_change(reader)
        draft.changes.append(Change(line, "replace" if word == REPLACE else "insert", act))

    def _read_act_of_change(self, reader: Reader) -> TableAct:
        word = canonical_keyword(reader.word_at_cursor)
        if word in CHANGES | {AMENDMENT, PARTIDA}:
            raise reader.misread_exception(Code.CHANGE_OF_CHANGE)
        form = self._act_form_at_cursor(reader, word)
        if form.word:
            reader.take_any_token(form.word)
        act = _parse_act_by_form(form, reader)
        _refuse_rest(reader)
        return act

    def _act_form_at_cursor(self, reader: Reader, word: str) -> ActForm:
        if reader.is_seat_next:
            return PLAY
        if reader.is_card_next:
            raise self._missing_seat_exception(reader)
        form = BY_WORD.get(word)
        if form is None:
            raise reader.misread_exception(Code.WORD_UNKNOWN)
        return form

    def _add_acts_of_statement(self, reader: Reader, word: str) -> None:
        form = self._act_form_at_cursor(reader, word)
        if form is not PLAY and form is not DRAWN:
            first = reader.take_any_token(form.word)
            act = _parse_act_by_form(form, reader)
            _refuse_rest(reader)
            self._current_draft().add(act, first)
            return
        if form is DRAWN:
            reader.take_any_token(DRAW)
        self._add_plays_or_draws(reader, form)

    def _add_plays_or_draws(self, reader: Reader, form: ActForm) -> None:
        """Plays or draws in sequence; each faulty one is reported separately."""
        has_any = False
        while (reader.token_at_cursor is not None or not has_any) and self._has_room_for_errors:
            has_any = True
            first = reader.token_at_cursor
            try:
                if reader.is_card_next:
                    raise self._missing_seat_exception(reader)
                act = _parse_act_by_form(form, reader)
                assert first is not None
                self._current_draft().add(act, first)
            except Misread as misread:
                self.sheet.errors.append(misread.error)
                _skip_to_next_seat_or_card(reader, first, misread.error)

    @property
    def _has_room_for_errors(self) -> bool:
        return len(self.sheet.errors) <= MOST_ERRORS

    def _missing_seat_exception(self, reader: Reader) -> Misread:
        players = self.header.fields.get("players")
        seats = SEATS[players] if players else SEAT_ORDER
        return reader.misread_exception(Code.SEAT_LEFT_OUT, readings=list(seats))


def _skip_to_next_seat_or_card(reader: Reader, first: Token | None, error: RecordError) -> None:
    """Skip tokens after a faulty pair, up to the next seat or card."""
    if reader.token_at_cursor is first and first is not None:
        reader.take_any_token("seat")
    if error.code == Code.SEAT_MALFORMED and reader.is_card_next:
        reader.take_any_token("card")
    while reader.token_at_cursor is not None and not (reader.is_seat_next or reader.is_card_next):
        reader.take_any_token("seat")


def _parse_act_by_form(form: ActForm, reader: Reader) -> TableAct:
    values = {slot.name: slot.parse_value_or_default(reader) for slot in form.slots}
    return form.act(**form.fixed, **values)


def _refuse_rest(reader: Reader) -> None:
    if reader.token_at_cursor is not None:
        raise reader.misread_exception(Code.SOMETHING_LEFT)


def _bad_record_exception(errors: list[RecordError], pack: Pack | None) -> BadRecord:
    """Exception with the faults in order, each cause once; if too many, the last one says so."""
    ordered = sorted(errors, key=lambda error: (error.line, error.column))
    causes = faults_with_own_cause(ordered[:MOST_ERRORS])
    if len(ordered) > MOST_ERRORS:
        first_left_out = ordered[MOST_ERRORS]
        causes.append(
            record_error_at(Code.TOO_MANY_ERRORS, first_left_out.line, first_left_out.column)
        )
    return BadRecord(tuple(causes), pack or "spanish")
