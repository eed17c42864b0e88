"""Random records: any acts, with any value in each field."""

from __future__ import annotations

import typing
from typing import Any

import msgspec
from hypothesis import strategies as st

from referee.events import (
    CardCount,
    CardToken,
    Change,
    DealNumber,
    LogAmended,
    PointAdjustment,
    Points,
    SeatName,
    SideName,
    SuitName,
    TableAct,
    TextId,
    TrickNumber,
    split_optional_type,
)
from referee.record import FindingText, PartidaText, TextRecord
from referee.rules.cards import TOKENS

PACKS = ("spanish", "french_queen_sota", "french_queen_caballo")

seats = st.sampled_from(["A1", "B1", "C1", "A2", "B2"])
sides = st.sampled_from(["A", "B", "C"])
cards = st.sampled_from(TOKENS)
numbers = st.integers(-(10**9) + 1, 10**9 - 1)
words = st.text(max_size=40) | st.sampled_from(
    ["\u0301suelto", "\n\u0301", 'dice "voy" \\', "\u202e"]
)
texts = st.sampled_from(["x1", "x2", "x3", "x4"])
VALUES: dict[object, st.SearchStrategy[Any]] = {
    SeatName: seats,
    SideName: sides,
    CardToken: cards,
    tuple[CardToken, ...]: st.lists(cards, max_size=12).map(tuple),
    tuple[SuitName, ...]: st.lists(st.sampled_from("OCEB"), max_size=4).map(tuple),
    **dict.fromkeys((int, CardCount, DealNumber, TrickNumber, Points, PointAdjustment), numbers),
    dict[SeatName, CardCount]: st.dictionaries(seats, numbers),
    dict[SideName, int]: st.dictionaries(sides, numbers),
    TextId: texts,
    str: words,
    bool: st.booleans(),
}


def any_of(kind: type[msgspec.Struct]) -> st.SearchStrategy[Any]:
    """Acts of a kind, every field of every value it can have."""
    values = {}
    for field in msgspec.structs.fields(kind):
        plain, _ = split_optional_type(field.type)
        if typing.get_origin(plain) is typing.Literal:
            value: st.SearchStrategy[Any] = st.sampled_from(typing.get_args(plain))
        else:
            value = VALUES[plain]
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
