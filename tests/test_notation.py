"""The text record: what is written is read back, whatever people write is answered."""

from __future__ import annotations

import typing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from referee.events import Change, ClaimMade, DealStarted, LogAmended, PartidaAct, TableAct
from referee.notation import (
    BadRecord,
    Code,
    FindingText,
    PartidaText,
    TextRecord,
    Unprintable,
    check_record,
    normal_record,
    parse_act,
    parse_record,
    print_act,
    print_record,
    read_record,
    renamed_texts,
)
from referee.notation.grammar import FORMS
from referee.notation.parsing import MOST_ERRORS
from referee.rules.cards import TOKENS
from referee.rules.profile import frozen, profile

HERE = Path(__file__).parent
EXAMPLES = sorted((HERE / "notation").glob("*.guinote"))
MANUAL = (HERE.parent / "docs" / "notation.md").read_text(encoding="utf-8")
QR_BYTES = 2953
PACKS = ("spanish", "french_queen_sota", "french_queen_caballo")
CLUB = frozen(profile("club"), 4)["options"]

# --- any record ----------------------------------------------------------------------------------

seats = st.sampled_from(["A1", "B1", "C1", "A2", "B2"])
sides = st.sampled_from(["A", "B", "C"])
cards = st.sampled_from(TOKENS)
numbers = st.integers(-(10**9) + 1, 10**9 - 1)
words = st.text(max_size=40) | st.sampled_from(
    ["\u0301suelto", "\n\u0301", 'dice "voy" \\', "\u202e"]
)
texts = st.sampled_from(["x1", "x2", "x3", "x4"])
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    **dict.fromkeys(("seat", "dealer", "by", "against"), seats),
    **dict.fromkeys(("side", "winner"), sides),
    **dict.fromkeys(("card", "removed"), cards),
    **dict.fromkeys(("cut", "points", "trick", "line"), numbers),
    "hands": st.dictionaries(seats, numbers),
    "totals": st.dictionaries(sides, numbers),
    "void": st.lists(st.sampled_from("OCEB"), max_size=4).map(tuple),
    "text": texts,
    "article": words,
    "shown": st.sampled_from([None, True, False]),
    "whole": st.booleans(),
    "replayed": st.booleans(),
}


def any_of(kind: type[msgspec.Struct]) -> st.SearchStrategy[Any]:
    """Acts of a kind, every field of every value it can have."""
    hints = typing.get_type_hints(kind)
    values = {}
    for field in msgspec.structs.fields(kind):
        options = typing.get_args(hints[field.name])
        if typing.get_origin(hints[field.name]) is typing.Literal:
            value = st.sampled_from(options)
        elif field.name == "cards":
            value = numbers if hints["cards"] is int else st.lists(cards, max_size=12).map(tuple)
        else:
            value = FIELDS[field.name]
        has_default = field.default is not msgspec.NODEFAULT
        values[field.name] = st.just(field.default) | value if has_default else value
    return st.builds(kind, **values)


KINDS = typing.get_args(TableAct)
table_acts = st.one_of([any_of(kind) for kind in KINDS])
changes = st.one_of(
    st.builds(Change, numbers, st.just("withdraw"), st.none()),
    st.builds(Change, numbers, st.sampled_from(["replace", "insert"]), table_acts),
)
amendments = st.builds(LogAmended, st.lists(changes, max_size=3).map(tuple), st.just("") | texts)
acts = table_acts | amendments
findings = st.builds(
    FindingText, numbers, st.sampled_from(["out-of-turn", "beat", "misdeal"]), st.just("") | seats
)
partidas = st.builds(
    PartidaText,
    numbers,
    st.lists(acts, max_size=12).map(tuple),
    st.lists(findings, max_size=3).map(tuple),
)
option_values = st.booleans() | numbers | words | st.lists(words, max_size=3)
records = st.builds(
    TextRecord,
    profile=words,
    edition=words,
    hash=words,
    base=words,
    players=st.sampled_from([2, 3, 4]),
    deck=st.sampled_from([40, 48]),
    pack=st.sampled_from(PACKS),
    options=st.dictionaries(st.sampled_from(["swap", "cut_min", "tute"]), option_values),
    seats=st.dictionaries(seats, words),
    place=words,
    date=words,
    tags=st.dictionaries(st.sampled_from(["Round", "arbiter", "X-1"]), words),
    partidas=st.lists(partidas, max_size=2, unique_by=lambda partida: partida.number).map(tuple),
    texts=st.dictionaries(texts, words),
)


@given(records)
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
def test_what_is_printed_is_read_back(record: TextRecord) -> None:
    text = print_record(record)
    back = parse_record(text)
    assert back == normal_record(record)
    assert print_record(back) == text
    assert normal_record(back) == back
    assert parse_record(text.encode()) == back


@given(acts, st.sampled_from(PACKS))
@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
def test_an_act_alone_is_read_back(act: PartidaAct, pack: Any) -> None:
    alone = normal_record(TextRecord(partidas=(PartidaText(1, (act,)),), texts={"x1": "voy"}))
    written = print_act(alone.partidas[0].acts[0], alone.texts, pack)
    assert parse_act(written, pack) == (alone.partidas[0].acts[0], alone.texts)


@given(st.permutations(range(3)), records)
@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
def test_the_order_of_names_and_findings_changes_no_byte(
    order: list[int], record: TextRecord
) -> None:
    noticed = [FindingText(3, "beat", "A1"), FindingText(1, "talk"), FindingText(1, "beat")]
    seats = {"A1": "Pilar", "B1": "Nieves", "A2": "Blas"}
    one = msgspec.structs.replace(
        record, seats=seats, partidas=(PartidaText(1, (), tuple(noticed)),)
    )
    other = msgspec.structs.replace(
        record,
        seats=dict(list(seats.items())[i] for i in order),
        partidas=(PartidaText(1, (), tuple(noticed[i] for i in order)),),
    )
    assert print_record(one) == print_record(other)


def test_every_kind_of_act_has_a_form() -> None:
    assert {form.act for form in FORMS} == set(KINDS)
    assert {form.word for form in FORMS if form.word}.isdisjoint({"linea", "antes", "quita"})


def test_erased_and_kept_texts_are_renamed_for_an_importer() -> None:
    record = parse_record('pausa "se va la luz"\nsigue\npausa ?')
    names = iter(["id-1", "id-2"])
    asked: list[str | None] = []

    def name(said: str | None) -> str:
        asked.append(said)
        return next(names)

    renamed = renamed_texts(record, name)
    assert asked == ["se va la luz", None]
    assert renamed.texts == {"id-1": "se va la luz"}
    assert [getattr(act, "text", "") for act in renamed.partidas[0].acts] == ["id-1", "", "id-2"]
    assert print_record(renamed) == print_record(record)


UNPRINTABLE = [
    TextRecord(pack="tarot"),  # type: ignore[arg-type]  # what no type lets through
    TextRecord(players=5),
    TextRecord(seats={"D1": "Pilar"}),
    TextRecord(tags={"profile": "club"}),
    TextRecord(tags={"Round": "1", "round": "2"}),
    TextRecord(tags={"no name": "1"}),
    TextRecord(options={"Tute!": True}),
    TextRecord(place="\ud800"),
    TextRecord(partidas=(PartidaText(1), PartidaText(1))),
    TextRecord(partidas=(PartidaText(10**9),)),
    TextRecord(partidas=(PartidaText(1, (DealStarted("D1"),)),)),
    TextRecord(partidas=(PartidaText(1, (DealStarted("A1", removed="2X"),)),)),
    TextRecord(partidas=(PartidaText(1, (LogAmended((Change(1, "replace"),)),)),)),
    TextRecord(partidas=(PartidaText(1, (), (FindingText(1, "Not an id"),)),)),
]


@pytest.mark.parametrize("record", UNPRINTABLE)
def test_what_no_record_can_hold_is_not_printed(record: TextRecord) -> None:
    with pytest.raises(Unprintable):
        print_record(record)


# --- examples ------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_canonical(path: Path) -> None:
    written = path.read_bytes()
    assert print_record(parse_record(written)).encode() == written
    assert len(written) < QR_BYTES


@pytest.mark.parametrize(
    "name", ["abierta", "observada", "correcciones", "francesa", "mano-a-mano"]
)
def test_an_example_is_possible_under_the_profile_it_names(name: str) -> None:
    read = read_record((HERE / "notation" / f"{name}.guinote").read_bytes())
    under = frozen(profile(read.record.profile), read.record.players, read.record.deck)
    assert under["hash"] == read.record.hash
    assert check_record(read, under["options"]) == ()


def test_the_examples_use_every_word() -> None:
    used = (HERE / "notation" / "todo.guinote").read_text(encoding="utf-8").split()
    for form in FORMS:
        assert not form.word or form.word in used


def deal_alone(name: str) -> str:
    """The first deal of an example, and a claim at its end."""
    record = parse_record((HERE / "notation" / f"{name}.guinote").read_bytes())
    acts = record.partidas[0].acts
    second = [line for line, act in enumerate(acts) if isinstance(act, DealStarted)][1]
    first = PartidaText(1, (*acts[:second], ClaimMade("B1")))
    return print_record(msgspec.structs.replace(record, partidas=(first,)))


@pytest.mark.parametrize(("name", "title"), [("abierta", "open"), ("observada", "observed")])
def test_a_whole_deal_fits_a_code_of_which_the_manual_states_the_size(
    name: str, title: str
) -> None:
    deal = len(deal_alone(name).encode())
    whole = (HERE / "notation" / f"{name}.guinote").stat().st_size
    assert f"| {title} | {deal} | {whole} |" in MANUAL
    assert 2 * deal < QR_BYTES


def test_the_manual_shows_canonical_records_and_names_every_word_and_code() -> None:
    shown = [block.split("```")[0] for block in MANUAL.split("```guinote\n")[1:]]
    assert shown
    for block in shown:
        assert print_record(parse_record(block)) == block
    for word in (*(form.word for form in FORMS), *Code):
        assert str(word) in MANUAL


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


def test_partidas_are_told_in_their_order() -> None:
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
def test_a_fault_is_told_with_its_place(
    written: str | bytes, kind: str, code: Code, line: int, column: int
) -> None:
    with pytest.raises(BadRecord) as bad:
        parse_record(written)
    first = bad.value.errors[0]
    assert (first.kind, first.code, first.line, first.column) == (kind, code, line, column)


def test_every_code_has_its_fault() -> None:
    assert {row[2] for row in FAULTS} | {Code.TOO_MANY_ERRORS} == set(Code)


def test_two_readings_are_both_told() -> None:
    with pytest.raises(BadRecord) as bad:
        parse_record(FRENCH + "A1 CC")
    assert bad.value.errors[0].facts == {"token": "CC", "readings": ["CC", "CB"]}


def test_every_fault_is_told_not_only_the_first() -> None:
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
    assert len(bad.value.errors) == MOST_ERRORS + 1
    assert bad.value.errors[-1].code == Code.TOO_MANY_ERRORS


@pytest.mark.parametrize(
    ("written", "line"), [("", 1), ("A1 AO  B1 3C", 1), ("A1 AO\nA1 3O", 2), ("% 1 beat", 1)]
)
def test_one_act_is_asked_for(written: str, line: int) -> None:
    with pytest.raises(BadRecord) as bad:
        parse_act(written)
    assert bad.value.errors[0].line == line


# --- what cannot have happened -------------------------------------------------------------------

START = "reparto B2\npinta 4O\nA1 AC  B1 3C  A2 5C  B2 7B\n"
IMPOSSIBLE = [
    ("A1 AO", "no-deal", 1, 1),
    (START + "A1 AC", "card-played-before", 4, 1),
    (START + "+ A1 ?  B1 9O", "card-not-in-deck", 4, 9),
    (START + "enmienda\n  linea 4 es B1 AC", "card-played-before", 4, 1),
    (START + "enmienda\n  linea 40 es B1 AC", "line-unknown", 4, 1),
    ('[Players "4"]\nreparto C1', "seat-unknown", 2, 1),
]


@pytest.mark.parametrize(("written", "rule", "line", "column"), IMPOSSIBLE)
def test_what_cannot_have_happened_is_told_with_its_place(
    written: str, rule: str, line: int, column: int
) -> None:
    errors = check_record(read_record(written), CLUB)
    assert [(e.kind, e.code, e.line, e.column) for e in errors] == [
        ("impossible", rule, line, column)
    ]


def test_a_refused_act_is_passed_over() -> None:
    written = START + "A1 AC\nA1 3C\nenmienda\n  quita 3"
    errors = check_record(read_record(written), CLUB)
    assert [(e.code, e.line) for e in errors] == [
        ("card-played-before", 4),
        ("card-played-before", 5),
    ]


# --- anything at all -----------------------------------------------------------------------------

ALL = (HERE / "notation" / "todo.guinote").read_text(encoding="utf-8")
PIECES = [*sorted(set(ALL.replace("\n", " ").split(" "))), "\n", '"', "\\", "[", "?", "+", "/", ";"]


def read_or_answered(source: str | bytes) -> None:
    """The text is read and then is canonical once printed, or its faults are told in order."""
    try:
        record = parse_record(source)
    except BadRecord as bad:
        assert bad.errors
        places = [(error.line, error.column) for error in bad.errors]
        assert places == sorted(places)
        assert all(line >= 1 and column >= 1 for line, column in places)
    else:
        text = print_record(record)
        assert parse_record(text) == record
        assert print_record(parse_record(text)) == text


@given(st.text() | st.binary())
@example("\ufeff\ufeff")
@example("A1 \u0661O")
@example("\u2028 A1 AO")
@settings(max_examples=300, deadline=None)
def test_any_text_is_read_or_answered(source: str | bytes) -> None:
    read_or_answered(source)


@given(st.lists(st.sampled_from(PIECES), max_size=25).map(" ".join))
@settings(max_examples=300, deadline=None)
def test_any_words_of_a_record_are_read_or_answered(source: str) -> None:
    read_or_answered(source)


@given(st.integers(0, len(ALL)), st.integers(0, 8), st.text(max_size=4))
@settings(max_examples=150, deadline=None)
def test_a_damaged_record_is_read_or_answered(at: int, gone: int, put: str) -> None:
    read_or_answered(ALL[:at] + put + ALL[at + gone :])


@given(st.integers(0, len(ALL.encode()) - 1), st.binary(max_size=3))
@settings(max_examples=100, deadline=None)
def test_a_record_with_damaged_bytes_is_read_or_answered(at: int, put: bytes) -> None:
    source = ALL.encode()
    read_or_answered(source[:at] + put + source[at + 1 :])
