"""Signed lists: the standings of a tournament as another house reads and checks them.

The log of the house has an event with a digest of each name on the list. The file has the names,
that event, its path to a signed checkpoint and the key, so it needs no other proof. The form is
that of ``docs/law/roads.md``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, NoReturn
from uuid import UUID

import msgspec

from referee.aggregates.tournament.formats.places import NAMED
from referee.audit.checkpoint import LogKey
from referee.audit.house_files import (
    BrokenFile,
    decode_proved_event,
    digests_of_facts,
    parse_file_into_type,
    verify_event_under_checkpoint,
)
from referee.audit.proofs import ProvedEvent
from referee.events.tournament import ListIssued

FORMAT: Final = "guinote-list/1"


class SignedPair(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A pair on a signed list, with the names of its players."""

    place: int
    pair: str
    players: tuple[str, ...]


class SignedList(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Content of a file with a signed list; ``house``: name of the club, ``name``.

    Name of the tournament.
    """

    format: Literal["guinote-list/1"]
    house: str
    tournament: str
    name: str
    date: str
    nonce: str
    pairs: tuple[SignedPair, ...]
    key: str
    checkpoint: str
    event: ProvedEvent

    @property
    def digests(self) -> tuple[str, ...]:
        """A digest of each named fact, then of each pair."""
        return compute_list_digests((self.house, self.name, self.date), self.pairs, self.nonce)


class CheckedList(NamedTuple):
    """A signed list after its proof was verified, and the key that signed it."""

    signed: SignedList
    key: LogKey


def compute_list_digests(
    named: tuple[str, str, str], pairs: Sequence[SignedPair], nonce: str
) -> tuple[str, ...]:
    """Digests of house, name and day, then of the names of each pair."""
    facts: list[list[str]] = [[field, value] for field, value in zip(NAMED, named, strict=True)]
    facts += [["pair", one.pair, *one.players] for one in pairs]
    return digests_of_facts(facts, nonce)


def read_signed_list(text: bytes) -> CheckedList:
    """The signed list in a file, after its proof was verified.

    :raises BrokenFile: it holds none, or it was changed since it was signed
    """
    signed = parse_file_into_type(text, SignedList)
    key = verify_event_under_checkpoint(signed.key, signed.checkpoint, signed.event)
    _refuse_changed_list(signed, _decode_list_event(signed))
    return CheckedList(signed, key)


def _decode_list_event(signed: SignedList) -> ListIssued:
    """The event by which the house issued the list; an error if it is not of this tournament."""
    try:
        is_own = UUID(signed.tournament).hex == signed.event.stream
        fact = decode_proved_event(signed.event)
    except Exception:  # noqa: BLE001 - whatever a foreign log may hold
        _refuse_field("event")
    if not is_own:
        _refuse_field("tournament")
    if not isinstance(fact, ListIssued):
        _refuse_field("event")
    return fact


def _refuse_changed_list(signed: SignedList, issued: ListIssued) -> None:
    """Refuse a list whose names, places or pairs are not those that the log issued.

    :raises BrokenFile: with the field that differs
    """
    if len(signed.pairs) != len(issued.pairs) or len(signed.digests) != len(issued.digests):
        raise BrokenFile("pairs")
    fields = [*NAMED, *(f"pairs[{line}]" for line in range(len(signed.pairs)))]
    for field, digest, own in zip(fields, signed.digests, issued.digests, strict=True):
        if digest != own:
            raise BrokenFile(field)
    for line, (told, known) in enumerate(zip(signed.pairs, issued.pairs, strict=True)):
        if (told.place, told.pair) != (known.place, known.pair):
            raise BrokenFile(f"pairs[{line}]")


def _refuse_field(field: str) -> NoReturn:
    raise BrokenFile(field)
