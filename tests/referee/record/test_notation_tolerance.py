"""Variants of the canonical form that people write, and the errors of others."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from referee.record import (
    BadRecord,
    Code,
    RecordError,
    parse_act,
    parse_record,
    print_record,
)
from referee.record.parsing import MOST_ERRORS
from tests.support.places import ROOT
from tests.support.servers.long_runs import RUNS

HERE = ROOT / "tests"

# --- what people write ---------------------------------------------------------------------------

TOLERATED = [
    ("\ufeffa1 ao", "A1 AO"),
    ("A1 AO\r\nB1 3C\rA2 5O", "A1 AO  B1 3C  A2 5O"),
    ("A1 1o, B1: 10b   A2 12C/B2 11e", "A1 AO  B1 SB  A2 RC  B2 CE"),
    ("A1 3oros B1 7Copas ; dos triunfos\n\n; nada más", "A1 3O  B1 7C"),
    ("roba A1 2e b1 ?", "+ A1 2E  B1 ?"),
    ("A1 AO + A1 2E", "A1 AO\n+ A1 2E"),
    ("+A1 2E", "+ A1 2E"),
    ("Canta A1 C", "canta A1 copas"),
    ("CANTA a1 oro VISTAS", "canta A1 oros vistas"),
    ("canta A1?", "canta A1 ?"),
    ("enseña A1 AO sin bastos", "ensena A1 AO sin bastos"),
    ("incidente seña A1", "incidente sena A1"),
    ("cartas A1 AO ? ? 3O", "cartas A1 AO 3O"),
    ("ciento-una A1", "101 A1"),
    ('resuelve tantos A 20 "a\u0301"', 'resuelve tantos A +20 "\u00e1"'),
    ('pausa "uno\\ndos\\u{41}"', 'pausa "uno\\ndosA"'),
    ("A1 AO\nenmienda / línea 1 A1 3O / quita 1", "A1 AO\nenmienda\n  linea 1 es A1 3O\n  quita 1"),
    ('[A2 ""] [B1 ""]\nA1 AO', "A1 AO"),
    ("A1 AO\nenmienda\nantes 1 + A1 2E", "A1 AO\nenmienda\n  antes 1 + A1 2E"),
    ("+ A1 2E / enmienda / línea 1 + A1 ?", "+ A1 2E\nenmienda\n  linea 1 es + A1 ?"),
    ("% 2 BEAT A1\nA1 AO", "A1 AO\n% 2 beat A1"),
]


@pytest.mark.parametrize(("written", "canonical"), TOLERATED)
def test_what_people_write_is_understood(written: str, canonical: str) -> None:
    header, _, body = print_record(parse_record(written)).partition("\n\n")
    assert header.startswith("[Guinote")
    assert body == f"partida 1\n{canonical}\n"


def test_a_french_pack_is_read_by_its_own_letters() -> None:
    record = parse_record('[Pack "french_queen_caballo"]\nA1 QH B1 JD A2 1S B2 7c\ncanta A1 S')
    plays = [getattr(act, "card", getattr(act, "suit", "")) for act in record.partidas[0].acts]
    assert plays == ["CC", "SO", "AE", "7B", "E"]
    assert print_record(record).endswith("A1 QH  B1 JD  A2 AS  B2 7C\ncanta A1 picas\n")


def test_partidas_are_printed_in_their_order() -> None:
    record = parse_record('partida 2\npausa "b"\npartida 1\npausa "a"')
    assert record.texts == {"t1": "a", "t2": "b"}
    assert [partida.number for partida in record.partidas] == [1, 2]


FRENCH = '[Pack "french_queen_sota"]\n'
FAULTS = [
    ("juega A1 AO", "malformed", Code.WORD_UNKNOWN, 1, 1),
    ("\n  A1 XX", "malformed", Code.CARD_MALFORMED, 2, 6),
    ("A1", "malformed", Code.SOMETHING_MISSING, 1, 3),
    ("A1 ?", "malformed", Code.CARD_UNKNOWN_HERE, 1, 4),
    ("C2 AO", "malformed", Code.SEAT_MALFORMED, 1, 1),
    ("concede D", "malformed", Code.SIDE_MALFORMED, 1, 9),
    ("canta A1 picos", "malformed", Code.SUIT_MALFORMED, 1, 10),
    ("ensena A1 sin nada", "malformed", Code.SUIT_MALFORMED, 1, 15),
    ("mira A1 uno", "malformed", Code.NUMBER_MALFORMED, 1, 9),
    ("mira A1 1234567890", "malformed", Code.NUMBER_MALFORMED, 1, 9),
    ("tiempo ya", "malformed", Code.SOMETHING_LEFT, 1, 8),
    ("cuenta A 1 A 2", "malformed", Code.NAMED_TWICE, 1, 12),
    ("incidente grito A1", "malformed", Code.WORD_UNKNOWN, 1, 11),
    ("incidente", "malformed", Code.SOMETHING_MISSING, 1, 10),
    ("renuncio A1 B1", "malformed", Code.SOMETHING_MISSING, 1, 13),
    ("resuelve nada articulo 5", "malformed", Code.SOMETHING_MISSING, 1, 24),
    ('pausa "sin cerrar', "malformed", Code.STRING_UNCLOSED, 1, 7),
    ('pausa "a\\q"', "malformed", Code.ESCAPE_UNKNOWN, 1, 9),
    ('pausa "\\u{d800}"', "malformed", Code.ESCAPE_UNKNOWN, 1, 8),
    ("enmienda x", "malformed", Code.SOMETHING_MISSING, 1, 10),
    ("linea 1 es A1 AO", "malformed", Code.CHANGE_ALONE, 1, 1),
    ("enmienda\nlinea 1 es", "malformed", Code.SOMETHING_MISSING, 2, 11),
    ("enmienda\nlinea 1 es quita 2", "malformed", Code.CHANGE_OF_CHANGE, 2, 12),
    ("enmienda\nlinea 1 es A1 AO B1 3C", "malformed", Code.SOMETHING_LEFT, 2, 18),
    ("partida uno", "malformed", Code.NUMBER_MALFORMED, 1, 9),
    ("partida 1\npartida 1", "malformed", Code.PARTIDA_TWICE, 2, 9),
    ("% 1 no_id", "malformed", Code.WORD_UNKNOWN, 1, 5),
    ("[Profile club]", "malformed", Code.TAG_MALFORMED, 1, 10),
    ('["x" "y"]', "malformed", Code.TAG_MALFORMED, 1, 2),
    ('[Profile "club"', "malformed", Code.SOMETHING_MISSING, 1, 16),
    ('[Profile "club" "x"]', "malformed", Code.TAG_MALFORMED, 1, 17),
    ('[Profile "a"] [profile "b"]', "malformed", Code.TAG_TWICE, 1, 16),
    ('A1 AO\n[Profile "a"]', "malformed", Code.TAG_AFTER_ACTS, 2, 1),
    ('[Players "5"]', "malformed", Code.TAG_VALUE, 1, 10),
    ('[Pack "tarot"]', "malformed", Code.TAG_VALUE, 1, 7),
    ('[Guinote "2"]', "malformed", Code.FORMAT_UNKNOWN, 1, 10),
    ('[Option "x" 1]', "malformed", Code.TAG_MALFORMED, 1, 9),
    ("[Option swap maybe]", "malformed", Code.TAG_MALFORMED, 1, 14),
    ('[Option swap ("a" 1)]', "malformed", Code.TAG_MALFORMED, 1, 19),
    (FRENCH + "A1 AO", "malformed", Code.CARD_MALFORMED, 2, 4),
    ("x" * 3 + "\ud800", "malformed", Code.NOT_UTF_8, 1, 4),
    (b"A1 AO\n\xff", "malformed", Code.NOT_UTF_8, 2, 1),
    ("A1 AO 3C", "ambiguous", Code.SEAT_LEFT_OUT, 1, 7),
    ("AO 3C", "ambiguous", Code.SEAT_LEFT_OUT, 1, 1),
    ("+ 2E", "ambiguous", Code.SEAT_LEFT_OUT, 1, 3),
    ("canta A1", "ambiguous", Code.SUIT_LEFT_OUT, 1, 9),
    ("A1 10", "ambiguous", Code.ZERO_OR_OROS, 1, 4),
    ("A1 QH", "ambiguous", Code.PACK_NOT_STATED, 1, 4),
    ("A1 AH B1 7C", "ambiguous", Code.PACK_NOT_STATED, 1, 10),
    ("A1 AH\ncanta A1 c", "ambiguous", Code.PACK_NOT_STATED, 2, 10),
    ('[Pack "French"]', "ambiguous", Code.PACK_NOT_STATED, 1, 7),
    (FRENCH + "A1 CC", "ambiguous", Code.CARD_OF_TWO_PACKS, 2, 4),
]


@pytest.mark.parametrize(("written", "kind", "code", "line", "column"), FAULTS)
def test_a_fault_is_reported_with_its_place(
    written: str | bytes, kind: str, code: Code, line: int, column: int
) -> None:
    with pytest.raises(BadRecord) as bad:
        parse_record(written)
    first = bad.value.errors[0]
    assert (first.kind, first.code, first.line, first.column) == (kind, code, line, column)


def test_every_code_has_its_fault() -> None:
    assert {row[2] for row in FAULTS} | {Code.TOO_MANY_ERRORS} == set(Code)


def test_two_readings_are_both_reported() -> None:
    with pytest.raises(BadRecord) as bad:
        parse_record(FRENCH + "A1 CC")
    assert bad.value.errors[0].facts == {"token": "CC", "readings": ["CC", "CB"]}


def test_every_fault_is_reported_not_only_the_first() -> None:
    with pytest.raises(BadRecord) as bad:
        parse_record('A1 XX B1 YY A2 5O\nnada\npausa "a\ncanta A1\nA1 3O')
    assert [(e.line, e.column) for e in bad.value.errors] == [
        (1, 4),
        (1, 10),
        (2, 1),
        (3, 7),
        (4, 9),
    ]


@pytest.mark.parametrize("junk", ["lorem ipsum\n", "A1 ", "/ lorem", "A1 QH ", "A1 AH B1 7C "])
def test_the_faults_of_a_text_that_is_no_record_come_to_an_end(junk: str) -> None:
    with pytest.raises(BadRecord) as bad:
        parse_record(junk * 10_000)
    *told, last = bad.value.errors
    assert len({(one.code, one.facts.get("token")) for one in told}) == len(told) <= 2
    assert last.code == Code.TOO_MANY_ERRORS


def test_as_many_faults_are_told_as_somebody_may_read() -> None:
    with pytest.raises(BadRecord) as bad:
        parse_record("\n".join(f"lorem{number}" for number in range(10_000)))
    assert [one.line for one in bad.value.errors] == [*range(1, MOST_ERRORS + 2)]
    assert bad.value.errors[-1].code == Code.TOO_MANY_ERRORS


@pytest.mark.parametrize(
    ("written", "line"), [("", 1), ("A1 AO  B1 3C", 1), ("A1 AO\nA1 3O", 2), ("% 1 beat", 1)]
)
def test_one_act_is_asked_for(written: str, line: int) -> None:
    with pytest.raises(BadRecord) as bad:
        parse_act(written)
    assert bad.value.errors[0].line == line


# --- anything at all -----------------------------------------------------------------------------

ALL = (HERE / "records" / "todo.guinote").read_text(encoding="utf-8")
PIECES = [*sorted(set(ALL.replace("\n", " ").split(" "))), "\n", '"', "\\", "[", "?", "+", "/", ";"]


def read_or_answered(source: str | bytes) -> None:
    """The text is read and its print is canonical, or its faults are reported in order."""
    errors: tuple[RecordError, ...] = ()
    text = ""
    try:
        text = print_record(parse_record(source))
    except BadRecord as bad:
        errors = bad.errors
    places = [(error.line, error.column) for error in errors]
    assert text or errors
    assert places == sorted(places)
    assert all(line >= 1 and column >= 1 for line, column in places)
    if text:
        assert parse_record(text) == parse_record(source)
        assert print_record(parse_record(text)) == text


@given(st.text() | st.binary())
@example("\ufeff\ufeff")
@example("A1 \u0661O")
@example("\u2028 A1 AO")
@settings(max_examples=100 * RUNS, deadline=None)
def test_any_text_is_read_or_answered(source: str | bytes) -> None:
    read_or_answered(source)


@given(st.lists(st.sampled_from(PIECES), max_size=25).map(" ".join))
@settings(max_examples=100 * RUNS, deadline=None)
def test_any_words_of_a_record_are_read_or_answered(source: str) -> None:
    read_or_answered(source)


@given(st.integers(0, len(ALL)), st.integers(0, 8), st.text(max_size=4))
@settings(max_examples=50 * RUNS, deadline=None)
def test_a_damaged_record_is_read_or_answered(at: int, gone: int, put: str) -> None:
    read_or_answered(ALL[:at] + put + ALL[at + gone :])


@given(st.integers(0, len(ALL.encode()) - 1), st.binary(max_size=3))
@settings(max_examples=33 * RUNS, deadline=None)
def test_a_record_with_damaged_bytes_is_read_or_answered(at: int, put: bytes) -> None:
    source = ALL.encode()
    read_or_answered(source[:at] + put + source[at + 1 :])
