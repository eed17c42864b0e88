"""Signed lists: the standings of a tournament as another house reads and checks them.

The log of the house has an event with a digest of each name on the list. The file has the names,
that event, its path to a signed checkpoint and the key, so it needs no other proof. The form is
that of ``docs/law/roads.md``.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, NoReturn
from uuid import UUID

import msgspec

from referee.aggregates.tournament.formats.places import NAMED
from referee.audit.checkpoint import BadCheckpoint, Checkpoint, LogKey, open_checkpoint, read_key
from referee.audit.proofs import NotSigned, Proof, ProvedEvent, check_inclusion, value_in
from referee.events.tournament import ListIssued
from referee.log.mapper import CODEC
from referee.log.merkle import Unreadable, canonical

FORMAT: Final = "guinote-list/1"
_AT: Final = re.compile(r"`\$\.?([^`]*)`")
_LINE: Final = re.compile(r"pairs\[(\d+)\]")
_EVENT: Final = "ListIssued"


class BrokenList(Exception):  # noqa: N818 - an answer about a file
    """A file that is no signed list, or not as it was signed. ``field``: which part is wrong."""

    def __init__(self, field: str) -> None:
        super().__init__(field)
        self.field = field

    @property
    def line(self) -> int:
        """Number of the pair that is wrong, from 1; 0 if it is something else."""
        found = _LINE.match(self.field)
        return int(found[1]) + 1 if found else 0


class SignedPair(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A pair on a signed list, with the names of its players."""

    place: int
    pair: str
    players: tuple[str, ...]


class SignedList(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a file holds; ``house``: name of the club, ``name``: of the tournament."""

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
        return digests_of((self.house, self.name, self.date), self.pairs, self.nonce)


class CheckedList(NamedTuple):
    """A list whose proof holds, with the key that signed it."""

    signed: SignedList
    key: LogKey


def digests_of(
    named: tuple[str, str, str], pairs: Sequence[SignedPair], nonce: str
) -> tuple[str, ...]:
    """Digests of house, name and day, then of the names of each pair."""
    facts: list[list[str]] = [[field, value] for field, value in zip(NAMED, named, strict=True)]
    facts += [["pair", one.pair, *one.players] for one in pairs]
    return tuple(hashlib.sha256(canonical([nonce, *one])).hexdigest() for one in facts)


def last_list(proof: Proof) -> tuple[ProvedEvent, ListIssued]:
    """The list that went out last, in the proof of a tournament.

    :raises NotSigned: there is none under the checkpoint
    """
    issued = [one for one in proof.events if one.name.startswith(f"{_EVENT}.")]
    if not issued:
        raise NotSigned(proof.encuentro)
    event = _fact_of(issued[-1])
    assert isinstance(event, ListIssued)
    return issued[-1], event


def read_signed_list(text: bytes) -> CheckedList:
    """The list in a file, once its proof holds.

    :raises BrokenList: it holds none, or it was changed since it was signed
    """
    try:
        signed = msgspec.convert(value_in(text), SignedList)
    except msgspec.ValidationError as error:
        found = _AT.search(str(error))
        raise BrokenList(found[1] if found and found[1] else "file") from None
    except Unreadable:
        raise BrokenList("file") from None
    key = _key_of(signed)
    _check_event(signed.event, _checkpoint_of(signed, key))
    _check_names(signed, _event_in(signed))
    return CheckedList(signed, key)


def _key_of(signed: SignedList) -> LogKey:
    try:
        return read_key(signed.key)
    except BadCheckpoint:
        raise BrokenList("key") from None


def _checkpoint_of(signed: SignedList, key: LogKey) -> Checkpoint:
    try:
        return open_checkpoint(signed.checkpoint, key)
    except BadCheckpoint:
        raise BrokenList("checkpoint") from None


def _check_event(event: ProvedEvent, checkpoint: Checkpoint) -> None:
    wrong = {one.what for one in check_inclusion((event,), checkpoint)}
    if "entry_differs" in wrong:
        raise BrokenList("event")
    if wrong:
        raise BrokenList("event.path")


def _event_in(signed: SignedList) -> ListIssued:
    """The event that the log of the house has, if it is of this tournament."""
    try:
        is_own = UUID(signed.tournament).hex == signed.event.stream
        fact = _fact_of(signed.event)
    except Exception:  # noqa: BLE001 - whatever a foreign log may hold
        _refuse("event")
    if not is_own:
        _refuse("tournament")
    if not isinstance(fact, ListIssued):
        _refuse("event")
    return fact


def _check_names(signed: SignedList, issued: ListIssued) -> None:
    """Names, places and numbers have to be those of the log."""
    if len(signed.pairs) != len(issued.pairs) or len(signed.digests) != len(issued.digests):
        raise BrokenList("pairs")
    fields = [*NAMED, *(f"pairs[{line}]" for line in range(len(signed.pairs)))]
    for field, digest, own in zip(fields, signed.digests, issued.digests, strict=True):
        if digest != own:
            raise BrokenList(field)
    for line, (told, known) in enumerate(zip(signed.pairs, issued.pairs, strict=True)):
        if (told.place, told.pair) != (known.place, known.pair):
            raise BrokenList(f"pairs[{line}]")


def _fact_of(event: ProvedEvent) -> object:
    """The event as this program reads it."""
    state = msgspec.json.encode(event.state)
    return CODEC.decode(UUID(event.stream), event.version, event.name, state).event


def _refuse(field: str) -> NoReturn:
    raise BrokenList(field)
