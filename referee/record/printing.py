"""Printer of text records in canonical form: the same facts give the same bytes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from referee import events as ev
from referee.record.errors import Unprintable
from referee.record.grammar import form_of_act
from referee.record.lexicon import (
    AMENDMENT,
    DRAW,
    FINDING,
    FORMAT,
    INSERT,
    IS,
    PARTIDA,
    REPLACE,
    RULE_ID,
    SEAT_ORDER,
    UNKNOWN,
    WITHDRAW,
    PrintContext,
    number_text,
    pack_by_name,
    print_string,
    refuse_unless_among,
    token_in_pack,
)
from referee.record.record import FindingText, PartidaText, TextRecord, normal_record
from referee.rules.cards import DECKS, Pack
from referee.rules.seats import SEATS

TAG_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
OPTION_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")
OPTION_TAG = "Option"
FIXED_TAGS = (
    "Guinote",
    "Profile",
    "Edition",
    "Hash",
    "Base",
    "Players",
    "Deck",
    "Pack",
    "Place",
    "Date",
)
KNOWN_TAGS = {tag.lower(): tag for tag in (*FIXED_TAGS, OPTION_TAG, *SEAT_ORDER)}


def print_record(record: TextRecord) -> str:
    """Canonical text of a record.

    :raises Unprintable: for a value that no record can hold.
    """
    record = normal_record(record)
    numbers = [partida.number for partida in record.partidas]
    if len(set(numbers)) < len(numbers):
        raise Unprintable(numbers)
    context = PrintContext(pack_by_name(record.pack), record.texts)
    blocks = [
        _header_lines(record),
        *(_partida_lines(partida, context) for partida in record.partidas),
    ]
    return "\n".join("".join(line + "\n" for line in block) for block in blocks)


def print_act(
    act: ev.PartidaAct, texts: Mapping[ev.TextId, str] | None = None, pack: Pack = "spanish"
) -> str:
    """Canonical text of one act, of several lines if it is an amendment.

    >>> print_act(ev.CardPlayed("A1", "3O")), print_act(ev.CardDrawn("B2"))
    ('A1 3O', '+ B2 ?')
    """
    return "\n".join(_act_lines(act, PrintContext(pack, texts or {})))


def _header_lines(record: TextRecord) -> list[str]:
    refuse_unless_among(str(record.players), [str(players) for players in SEATS])
    refuse_unless_among(str(record.deck), [str(deck) for deck in DECKS])
    values = (
        *(FORMAT, record.profile, record.edition, record.hash, record.base),
        *(str(record.players), str(record.deck), record.pack, record.place, record.date),
    )
    lines = [_tag_line(tag, value) for tag, value in zip(FIXED_TAGS, values, strict=True) if value]
    lines += [_option_line(name, record.options[name]) for name in sorted(record.options)]
    for seat in record.seats:
        refuse_unless_among(seat, SEAT_ORDER)
    lines += [_tag_line(seat, record.seats[seat]) for seat in SEAT_ORDER if seat in record.seats]
    for tag in sorted(record.tags):
        if not TAG_NAME.fullmatch(tag) or tag.lower() in KNOWN_TAGS:
            raise Unprintable(tag)
        lines.append(_tag_line(tag, record.tags[tag]))
    folded = [tag.lower() for tag in record.tags]
    if len(set(folded)) < len(folded):
        raise Unprintable(sorted(record.tags))
    return lines


def _tag_line(name: str, value: str) -> str:
    return f"[{name} {print_string(value)}]"


def _option_line(name: str, value: ev.OptionValue) -> str:
    if not OPTION_NAME.fullmatch(name):
        raise Unprintable(name)
    return f"[{OPTION_TAG} {name} {_option_text(value)}]"


def _option_text(value: ev.OptionValue) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return number_text(value)
    if isinstance(value, str):
        return print_string(value)
    return "(" + " ".join(print_string(item) for item in value) + ")"


def _partida_lines(partida: PartidaText, context: PrintContext) -> list[str]:
    lines = [f"{PARTIDA} {number_text(partida.number)}"]
    for group in _group_acts_into_lines(partida.acts):
        if len(group) == 1:
            lines += _act_lines(group[0], context)
        else:
            lines.append(_print_group(group, context))
    return lines + [_finding_line(finding) for finding in partida.findings]


def _group_acts_into_lines(acts: Iterable[ev.PartidaAct]) -> Iterator[list[ev.PartidaAct]]:
    """Acts of each line of the record: plays of a trick share a line, and so do draws."""
    group: list[ev.PartidaAct] = []
    for act in acts:
        if group and not _may_share_line(group, act):
            yield group
            group = []
        group.append(act)
    if group:
        yield group


def _may_share_line(group: list[ev.PartidaAct], act: ev.PartidaAct) -> bool:
    if not isinstance(act, ev.CardPlayed | ev.CardDrawn) or type(act) is not type(group[0]):
        return False
    return all(act.seat != getattr(other, "seat", "") for other in group)


def _print_group(group: list[ev.PartidaAct], context: PrintContext) -> str:
    pieces = []
    for act in group:
        assert isinstance(act, ev.CardPlayed | ev.CardDrawn)
        card = token_in_pack(act.card, context.pack) if act.card else UNKNOWN
        pieces.append(f"{refuse_unless_among(act.seat, SEAT_ORDER)} {card}")
    start = f"{DRAW} " if isinstance(group[0], ev.CardDrawn) else ""
    return start + "  ".join(pieces)


def _act_lines(act: ev.PartidaAct, context: PrintContext) -> list[str]:
    if not isinstance(act, ev.LogAmended):
        return [_table_act_text(act, context)]
    words = context.texts.get(act.text)
    reason = UNKNOWN if words is None else print_string(words)
    return [
        f"{AMENDMENT} {reason}" if act.text else AMENDMENT,
        *(f"  {_amendment_change_text(change, context)}" for change in act.changes),
    ]


def _amendment_change_text(change: ev.Change, context: PrintContext) -> str:
    line = number_text(change.line)
    match change:
        case ev.Change(how="withdraw", act=None):
            return f"{WITHDRAW} {line}"
        case ev.Change(how="replace", act=act) if act is not None:
            return f"{REPLACE} {line} {IS} {_table_act_text(act, context)}"
        case ev.Change(how="insert", act=act) if act is not None:
            return f"{INSERT} {line} {_table_act_text(act, context)}"
    raise Unprintable(change)


def _table_act_text(act: ev.TableAct, context: PrintContext) -> str:
    form = form_of_act(act)
    pieces = [form.word] if form.word else []
    for slot in form.slots:
        pieces += slot.tokens_with_label(getattr(act, slot.name), context)
    return " ".join(pieces)


def _finding_line(finding: FindingText) -> str:
    if not RULE_ID.fullmatch(finding.rule):
        raise Unprintable(finding.rule)
    seat = [refuse_unless_among(finding.seat, SEAT_ORDER)] if finding.seat else []
    return " ".join([FINDING, number_text(finding.line), finding.rule, *seat])
