"""A text record as a value: its header, and the acts of its partidas."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from itertools import count

import msgspec

from referee.events import Change, LogAmended, OptionValue, PartidaAct, SeatName, TableAct, TextId
from referee.rules.cards import Pack


class FindingText(msgspec.Struct, frozen=True, order=True):
    """What a program noticed about a line: the id of the rule, and the seat if it concerns one."""

    line: int
    rule: str
    seat: SeatName = ""


class PartidaText(msgspec.Struct, frozen=True):
    """A partida: every act in the order it was recorded, and apart from them the findings."""

    number: int
    acts: tuple[PartidaAct, ...] = ()
    findings: tuple[FindingText, ...] = ()


class TextRecord(msgspec.Struct, frozen=True, kw_only=True):
    """An encuentro, or a part of one, as a text record.

    ``options``: values changed from the profile. ``seats``: names or any other designation.
    ``tags``: header tags that this program does not know. ``texts``: the words behind the text ids
    of the acts; an id without words is a text that was erased.
    """

    profile: str = ""
    edition: str = ""
    hash: str = ""
    base: str = ""
    players: int = 4
    deck: int = 40
    pack: Pack = "spanish"
    options: dict[str, OptionValue] = {}
    seats: dict[SeatName, str] = {}
    place: str = ""
    date: str = ""
    tags: dict[str, str] = {}
    partidas: tuple[PartidaText, ...] = ()
    texts: dict[TextId, str] = {}


def normal_record(record: TextRecord) -> TextRecord:
    """The record as ``parse_record`` would give it back from its canonical form.

    Texts are in NFC and numbered ``t1``, ``t2``, … in the order of the acts; findings are sorted.
    """
    numbers = count(1)
    return replace_text_ids(_normalize_record(record), lambda _: f"t{next(numbers)}")


def replace_text_ids(record: TextRecord, name: Callable[[str | None], TextId]) -> TextRecord:
    """The record with a new id for each text, given its words (None: erased), in order.

    An importer puts the words into the erasable store, which gives the new ids.
    """
    texts: dict[TextId, str] = {}

    def replace_id(old: TextId) -> TextId:
        words = record.texts.get(old)
        new = name(words)
        if words is not None:
            texts[new] = words
        return new

    partidas = tuple(
        msgspec.structs.replace(
            partida, acts=tuple(_replace_act_text_ids(act, replace_id) for act in partida.acts)
        )
        for partida in record.partidas
    )
    return msgspec.structs.replace(record, partidas=partidas, texts=texts)


def _replace_act_text_ids(act: PartidaAct, rename: Callable[[TextId], TextId]) -> PartidaAct:
    if isinstance(act, LogAmended):
        text = rename(act.text) if act.text else ""
        changes = tuple(_replace_change_text_id(change, rename) for change in act.changes)
        return LogAmended(changes, text)
    return _replace_table_act_text_id(act, rename)


def _replace_change_text_id(change: Change, rename: Callable[[TextId], TextId]) -> Change:
    if change.act is None:
        return change
    return msgspec.structs.replace(change, act=_replace_table_act_text_id(change.act, rename))


def _replace_table_act_text_id(act: TableAct, rename: Callable[[TextId], TextId]) -> TableAct:
    text = getattr(act, "text", "")
    return msgspec.structs.replace(act, text=rename(text)) if text else act


def _normalize_record(record: TextRecord) -> TextRecord:
    """The record with every free string in NFC and findings in order, each once."""
    partidas = tuple(
        msgspec.structs.replace(
            partida,
            acts=tuple(_normalize_act(act) for act in partida.acts),
            findings=tuple(sorted(set(partida.findings))),
        )
        for partida in sorted(record.partidas, key=lambda partida: partida.number)
    )
    return msgspec.structs.replace(
        record,
        profile=_nfc(record.profile),
        edition=_nfc(record.edition),
        hash=_nfc(record.hash),
        base=_nfc(record.base),
        place=_nfc(record.place),
        date=_nfc(record.date),
        options={name: _normalize_option(value) for name, value in record.options.items()},
        seats={seat: _nfc(words) for seat, words in record.seats.items() if words},
        tags={tag: _nfc(words) for tag, words in record.tags.items()},
        partidas=partidas,
        texts={text: _nfc(words) for text, words in record.texts.items()},
    )


def _normalize_act(act: PartidaAct) -> PartidaAct:
    if isinstance(act, LogAmended):
        changes = tuple(
            msgspec.structs.replace(
                change, act=change.act and _normalize_article_of_act(change.act)
            )
            for change in act.changes
        )
        return LogAmended(changes, act.text)
    return _normalize_article_of_act(act)


def _normalize_article_of_act(act: TableAct) -> TableAct:
    article = getattr(act, "article", "")
    return msgspec.structs.replace(act, article=_nfc(article)) if article else act


def _normalize_option(value: OptionValue) -> OptionValue:
    if isinstance(value, str):
        return _nfc(value)
    return [_nfc(item) for item in value] if isinstance(value, list) else value


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)
