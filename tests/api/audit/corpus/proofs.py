"""Proof files for the verifiers: honest ones, and one of each way to tamper with one.

They are made here from the log and the tree, as docs/operating/audit.md says, and not by the prover.
"""

from __future__ import annotations

import base64
import copy
import hashlib
import json
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import cache, cached_property, partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeAlias
from uuid import UUID

import rfc8785

from api.encuentros.record_import import import_as_new_encuentro
from referee.application import Referee
from referee.audit.checkpoint import SigningKey
from referee.log.merkle import Subtrees, inclusion_path, leaf_hash, parse_event_json, root_of_leaves
from referee.log.sqlite.recorder import create_tables
from referee.people.persons import Persons
from referee.record import read_record
from tests.support.places import ROOT
from tests.support.servers.one_log import META

Proof: TypeAlias = dict[str, Any]
RECORD = ROOT / "tests" / "records" / "abierta.guinote"
KEY = SigningKey("guinote.example/log", bytes(range(32)))
OTHER_KEY = SigningKey("guinote.example/log", bytes(32))
OTHER_LOG = SigningKey("otro.example/log", bytes(range(32)))


class Row(NamedTuple):
    """An event as it is stored."""

    stream: str
    version: int
    name: str
    state: Any

    @property
    def entry(self) -> bytes:
        return entry_of(self.stream, self.version, self.name, self.state)


def entry_of(stream: str, version: int, name: str, state: Any) -> bytes:
    """The entry of an event, by the page and the library for RFC 8785 alone."""
    said = hashlib.sha256(rfc8785.dumps({"s": state, "t": name})).digest()
    short = base64.urlsafe_b64encode(said).decode().rstrip("=")
    return rfc8785.dumps({"c": short, "o": stream, "v": version})


class Log(NamedTuple):
    """Every event of a log, and the encuentros on it."""

    rows: tuple[Row, ...]
    encuentros: tuple[UUID, ...]


@cache
def log() -> Log:
    """A log of two encuentros with a partida each, and one more event at the end."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "log.sqlite"
        create_tables(path)
        chance = random.Random(20261121)
        new_id = partial(next, (UUID(int=n) for n in count(1)))
        referee = Referee(path, salt=chance.randbytes, new_id=new_id)
        persons = Persons(Path(folder) / "persons.sqlite", random=chance.randbytes)
        record = read_record(RECORD.read_bytes()).record
        with closing(referee), closing(persons):
            ids = tuple(import_as_new_encuentro(referee, persons, record, META) for _ in range(2))
        with closing(sqlite3.connect(path)) as db:
            found = db.execute(
                "SELECT originator_id, originator_version, topic, state"
                " FROM stored_events ORDER BY position"
            )
            rows = tuple(Row(UUID(i).hex, v, t, parse_event_json(s)) for i, v, t, s in found)
        return Log(rows, ids)


def b64(content: bytes) -> str:
    return base64.b64encode(content).decode()


def streams_of(encuentro: UUID) -> set[str]:
    """Its own stream and those of its partidas."""
    return {
        encuentro.hex,
        *(
            row.stream
            for row in log().rows
            if row.name == "PartidaOpened.1" and row.state["fact"]["encuentro"] == str(encuentro)
        ),
    }


def leaves() -> list[bytes]:
    """Hashes of all events, for the caller to change."""
    return list(_leaves())


@cache
def _leaves() -> tuple[bytes, ...]:
    return tuple(leaf_hash(row.entry) for row in log().rows)


def proof_of(which: int = 0, size: int | None = None, key: SigningKey = KEY) -> Proof:
    """Proof of an encuentro under a checkpoint of so many leaves, for the caller to change."""
    return copy.deepcopy(_proof_of(which, size, key))


@cache
def _proof_of(which: int, size: int | None, key: SigningKey) -> Proof:
    rows, encuentro = log().rows, log().encuentros[which]
    hashes = leaves()[: size or len(rows)]
    subtree = Subtrees(lambda first, last: hashes[first:last])
    ours = [n for n, row in enumerate(rows) if row.stream in streams_of(encuentro)]
    events = [
        {
            "index": n,
            "stream": rows[n].stream,
            "version": rows[n].version,
            "name": rows[n].name,
            "state": rows[n].state,
            "entry": rows[n].entry.decode(),
            "path": [b64(one) for one in inclusion_path(n, len(hashes), subtree)],
        }
        for n in ours
        if n < len(hashes)
    ]
    return {
        "format": "guinote-proof/1",
        "encuentro": str(encuentro),
        "key": key.public.text,
        "checkpoint": key.sign_checkpoint(len(hashes), root_of_leaves(hashes)),
        "recorded": len(ours),
        "events": events,
    }


@dataclass
class Case:
    """A proof file, the key on the wall, and the codes that a verifier finds.

    ``made``: the file, or what makes it when it is first wanted. ``missing``: what a proof without
    differences lacks; the encuentros here are not signed.
    """

    name: str
    made: bytes | Callable[[], bytes]
    codes: frozenset[str]
    key: str = KEY.public.text
    missing: frozenset[str] = frozenset({"end_unknown"})

    @cached_property
    def content(self) -> bytes:
        """The proof file."""
        return self.made if isinstance(self.made, bytes) else self.made()


def written(proof: Any) -> bytes:
    return json.dumps(proof, ensure_ascii=False, indent=1).encode()


def case(
    name: str,
    codes: str,
    change: Callable[[Proof], Any] | None = None,
    key: str = "",
    missing: str = "",
) -> Case:
    """A case from the sound proof and a change to it."""

    def make() -> bytes:
        proof = proof_of()
        made = change(proof) if change else None
        return made if isinstance(made, bytes) else written(proof)

    lacks = frozenset({"end_unknown", *missing.split()})
    return Case(name, make, frozenset(codes.split()), key or KEY.public.text, lacks)


def resguardo_of(which: int = 0, size: int | None = None, key: SigningKey = KEY) -> str:
    """The resguardo of a pair when the log had ``size`` leaves."""
    hashes = leaves()[: size or len(leaves())]
    ours = [
        hashes[event["index"]]
        for event in proof_of(which)["events"]
        if event["index"] < len(hashes)
    ]
    note = key.sign_checkpoint(len(hashes), root_of_leaves(hashes))
    parts = [key.name, str(len(hashes)), b64(root_of_leaves(hashes)), note.split()[-1]]
    parts += [str(log().encuentros[which]), str(len(ours)), b64(root_of_leaves(ours))]
    return " ".join(["guinote-resguardo/1", *parts])
