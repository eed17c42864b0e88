"""Proofs, sound and altered, with what is wrong with each: for this verifier and for any other.

``PYTHONPATH=. python tests/golden_proofs.py`` writes ``tests/golden/proofs/corpus.json``. Each case is
the one sound proof with edits: a path in it, and the value to put there, or to drop what is there.
"""

from __future__ import annotations

import base64
import copy
import json
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from referee.application import partida_id
from referee.audit.checkpoint import SigningKey
from referee.audit.entry import canonical, entry_of
from referee.audit.resguardo import resguardo_of
from referee.audit.tree import leaf_hash
from referee.commands import Record, Undo
from referee.events import EncuentroOpened, IncidentNoted, PlayersSeated, ResultEntered
from tests.one_log import PROFILE, new_referee
from tests.signed_log import FIRST, SEATS, SECOND, SignedLog

FILE = Path(__file__).parent / "golden" / "proofs" / "corpus.json"
STATES: list[Any] = [
    {},
    {"b": 1, "a": [True, None, "", -5], "c": {"z": 0, "y": {}}},
    {"€": "Euro", "\r": "CR", "1": "one", "😀": "smile", "\u0080": "control", "ö": 1, "דּ": "dalet"},
    {"\"\\/\b\f\n\r\t\x00\x1f\x7f<>&'": "\u2028\u2029ñ🂡"},
    {"n": 9007199254740991, "m": -9007199254740991, "k": "0123456789012345"},
]
"""States that two writers of canonical JSON are likely to write in two ways."""


def sound() -> tuple[SignedLog, Any, str]:
    """A house, the proof of its first encuentro, and the resguardo."""
    with tempfile.TemporaryDirectory() as folder:
        house = SignedLog(Path(folder))
        with closing(new_referee(house.log)) as referee:
            for encuentro in (SECOND, FIRST):
                opened = EncuentroOpened(PROFILE, date="2026-11-21")
                referee.open_encuentro(opened, house.meta(), encuentro)
                referee.note(encuentro, PlayersSeated(SEATS), house.meta())
                referee.start_partida(encuentro, house.meta())
                for command in (
                    Record(IncidentNoted("talk", "B2", "3O")),
                    Record(IncidentNoted("late", "A1")),
                    Undo(),
                    Record(ResultEntered("A")),
                ):
                    referee.record(partida_id(encuentro, 1), [command], house.meta())
        house.sign()
        proof = house.proof(FIRST)
        house.close()
    return house, json.loads(msgspec.json.encode(proof)), resguardo_of(proof).text


def event(proof: Any, name: str) -> int:
    return next(n for n, one in enumerate(proof["events"]) if one["name"] == name)


def cases(proof: Any, house: SignedLog) -> list[dict[str, Any]]:
    """Name, edits, what is wrong. ``key``: the one that the verifier has; null for none."""
    key = house.key.text
    other = SigningKey("other.example/log", bytes(32))
    same_name = SigningKey(house.key.name, bytes(32))
    note, last = proof["checkpoint"], len(proof["events"]) - 1
    size = int(note.split("\n")[1])
    card = event(proof, "IncidentNoted.1")
    partida = event(proof, "PartidaOpened.1")
    events = proof["events"]
    hashed = base64.b64encode(bytes(32)).decode()

    def of(name: str, expected: list[str], *edits: list[Any], key: str | None = key) -> Any:
        return {"name": name, "key": key, "edits": list(edits), "expected": sorted(expected)}

    def at(number: int, *path: Any) -> list[Any]:
        return ["events", number, *path]

    altered = ["entry_differs", "not_included"]
    return [
        of("sound", []),
        of("sound, with the key in the file", [], key=None),
        of("another card", altered, [at(card, "state", "fact", "card"), "AO"]),
        of("another time", altered, [at(0, "state", "at"), "2026-11-21T19:00:00.000Z"]),
        of("another salt", altered, [at(0, "state", "salt"), "A" * 22]),
        of("another name", altered, [at(card, "name"), "TimeCalled.1"]),
        of("something more in a state", altered, [at(card, "state", "more"), 1]),
        of("another version", [*altered, "version_gap"], [at(last, "version"), 99]),
        of(
            "another stream",
            [*altered, "version_gap", "foreign_stream"],
            [at(last, "stream"), "f" * 32],
        ),
        of("another entry", ["entry_differs"], [at(card, "entry"), events[card + 1]["entry"]]),
        of("another index", ["not_included"], [at(last, "index"), events[last]["index"] + 1]),
        of("an index past the end", ["not_included"], [at(last, "index"), size]),
        of("a path one shorter", ["not_included"], [at(card, "path"), events[card]["path"][:-1]]),
        of(
            "a path one longer",
            ["not_included"],
            [at(card, "path"), [*events[card]["path"], hashed]],
        ),
        of("a path that is no base64", ["not_included"], [at(card, "path", 0), "?"]),
        of("another hash in a path", ["not_included"], [at(card, "path", 0), hashed]),
        of(
            "two events exchanged",
            ["index_order", "version_gap"],
            [at(card), events[card + 1]],
            [at(card + 1), events[card]],
        ),
        of(
            "an event twice",
            ["index_order", "version_gap"],
            [at(card + 1), events[card]],
            ["recorded", 99],
        ),
        of("an event left out", ["version_gap"], [at(card)]),
        of("the last one left out", [], [at(last)]),
        of("more events than recorded", ["count_differs"], ["recorded", 1]),
        of(
            "of another encuentro", ["foreign_stream", "stream_missing"], ["encuentro", str(SECOND)]
        ),
        of(
            "a partida of another encuentro",
            [*altered, "foreign_stream"],
            [at(partida, "state", "fact", "encuentro"), str(SECOND)],
        ),
        of(
            "another root",
            ["bad_signature"],
            ["checkpoint", note.replace(note.split("\n")[2], hashed)],
        ),
        of(
            "another size",
            ["bad_signature"],
            ["checkpoint", note.replace(f"\n{size}\n", f"\n{size + 1}\n")],
        ),
        of(
            "another origin",
            ["other_origin"],
            ["checkpoint", note.replace("club.example", "klub.example")],
        ),
        of(
            "no signature of the key",
            ["not_signed_by_key"],
            ["checkpoint", note.replace("— club.example", "— klub.example")],
        ),
        of(
            "a checkpoint without signature",
            ["checkpoint_malformed"],
            ["checkpoint", note.split("—")[0]],
        ),
        of(
            "a signature of a witness more",
            [],
            ["checkpoint", note + "— witness.example AAAAAAAA\n"],
        ),
        of(
            "lines more in the text",
            ["bad_signature"],
            ["checkpoint", note.replace("\n\n", "\nmore\n\n")],
        ),
        of("no key", ["key_malformed"], ["key", "club.example/mesas"]),
        of("no key at all to ask", ["key_malformed"], ["key", "x"], key=None),
        of(
            "signed by somebody else",
            ["other_key", "other_origin"],
            ["key", other.public.text],
            ["checkpoint", other.sign(size, bytes(32))],
        ),
        of(
            "signed with another key of the name",
            ["other_key", "not_signed_by_key"],
            ["key", same_name.public.text],
            ["checkpoint", same_name.sign(size, base64.b64decode(note.split("\n")[2]))],
        ),
        of("a field too many", ["proof_malformed"], ["more", 1]),
        of("a field of an event too many", ["proof_malformed"], [at(0, "more"), 1]),
        of("a field missing", ["proof_malformed"], ["recorded"]),
        of("no events", ["proof_malformed"], ["events", []]),
        of("another format", ["proof_malformed"], ["format", "guinote-proof/2"]),
        of("a number as text", ["proof_malformed"], [at(0, "index"), "0"]),
        of("a state that is no object", ["proof_malformed"], [at(0, "state"), []]),
        of("a fraction in a state", ["proof_malformed"], [at(0, "state", "more"), 1.5]),
        of("a number too large", ["proof_malformed"], [at(0, "state", "more"), 2**53]),
        of("an id that is none", ["proof_malformed"], ["encuentro", "1"]),
    ]


def edited(proof: Any, edits: list[list[Any]]) -> Any:
    """The proof with edits: ``[path, value]``, or ``[path]`` to drop; a path may be one key."""
    found = copy.deepcopy(proof)
    for path, *value in edits:
        steps = [path] if isinstance(path, str) else path
        inner = found
        for step in steps[:-1]:
            inner = inner[step]
        if value:
            inner[steps[-1]] = value[0]
        else:
            del inner[steps[-1]]
    return found


def entries() -> list[dict[str, Any]]:
    found = []
    for state in STATES:
        form = canonical(state)
        entry = entry_of("0" * 31 + "a", 7, "CardPlayed.1", form)
        found.append(
            {
                "state": state,
                "canonical": form.decode(),
                "entry": entry.decode(),
                "leaf": leaf_hash(entry).hex(),
            }
        )
    return found


def corpus() -> dict[str, Any]:
    house, proof, resguardo = sound()
    return {
        "proof": proof,
        "cases": cases(proof, house),
        "entries": entries(),
        "resguardo": resguardo,
    }


if __name__ == "__main__":
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(json.dumps(corpus(), ensure_ascii=False, indent=1) + "\n", "utf-8")
