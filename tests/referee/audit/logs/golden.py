"""Sound and altered proofs with their expected differences, for all verifiers.

``PYTHONPATH=. python tests/referee/audit/logs/golden.py`` writes ``tests/golden/proofs/corpus.json``. Each case is
the one sound proof with edits: a path in it and the value to put there, or none to drop it; it is
checked with the key, or without. ``texts`` are changes to its compact text.
"""

from __future__ import annotations

import base64
import copy
import json
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from referee.aggregates.commands import Record, Undo
from referee.audit.checkpoint import LogKey, SigningKey
from referee.audit.resguardo import resguardo_from_proof
from referee.events import EncuentroOpened, IncidentNoted, PlayersSeated, ResultEntered
from referee.kinds import partida_id
from referee.log.merkle import canonical_json, entry_bytes_of_event, leaf_hash
from tests.support.places import ROOT
from tests.support.proofs.signed_log import FIRST, SEATS, SECOND, SignedLog
from tests.support.servers.one_log import PROFILE, new_referee

FILE = ROOT / "tests" / "golden" / "proofs" / "corpus.json"
STATES: list[Any] = [
    {},
    {"b": 1, "a": [True, None, "", -5], "c": {"z": 0, "y": {}}},
    {"€": "Euro", "\r": "CR", "1": "one", "😀": "smile", "\u0080": "control", "ö": 1, "דּ": "dalet"},
    {"\"\\/\b\f\n\r\t\x00\x1f\x7f<>&'": "\u2028\u2029ñ🂡"},
    {"n": 9007199254740991, "m": -9007199254740991, "k": "0123456789012345"},
]
"""States that two writers of canonical JSON are likely to write in two ways."""


def sound() -> tuple[SignedLog, Any, str]:
    """A log, the proof of its first encuentro, and the resguardo."""
    with tempfile.TemporaryDirectory() as folder:
        signed = SignedLog(Path(folder))
        with closing(new_referee(signed.log)) as referee:
            for encuentro in (SECOND, FIRST):
                opened = EncuentroOpened(PROFILE, date="2026-11-21")
                referee.encuentros.open(opened, signed.meta(), encuentro)
                referee.encuentros.record_encuentro_act(
                    encuentro, PlayersSeated(SEATS), signed.meta()
                )
                referee.encuentros.start_partida(encuentro, signed.meta())
                for command in (
                    Record(IncidentNoted("talk", "B2", "3O")),
                    Record(IncidentNoted("late", "A1")),
                    Undo(),
                    Record(ResultEntered("A")),
                ):
                    referee.encuentros.record_partida_acts(
                        partida_id(encuentro, 1), [command], signed.meta()
                    )
        signed.sign()
        proof = signed.proof(FIRST)
        signed.close()
    return signed, json.loads(msgspec.json.encode(proof)), resguardo_from_proof(proof).text


Case: TypeAlias = dict[str, Any]
ALTERED = ["entry_differs", "not_included"]
NOTHING = base64.b64encode(bytes(32)).decode()


def of(name: str, expected: list[str], *edits: list[Any]) -> Case:
    """A case for a verifier that has the key."""
    return {"name": name, "has_key": True, "edits": list(edits), "expected": sorted(expected)}


def unaltered(name: str, missing: list[str], *edits: list[Any]) -> Case:
    """A case in which nothing differs, with what the proof lacks besides its end."""
    return {**of(name, [], *edits), "missing": sorted([*missing, "end_unknown"])}


def at(number: int, *path: Any) -> list[Any]:
    return ["events", number, *path]


def place(proof: Any, name: str) -> int:
    return next(n for n, one in enumerate(proof["events"]) if one["name"] == name)


def of_events(proof: Any) -> list[Case]:
    """Cases about events: changed, missing, added."""
    card, partida = place(proof, "IncidentNoted.1"), place(proof, "PartidaOpened.1")
    events, last = proof["events"], len(proof["events"]) - 1
    exchanged = [[at(card), events[card + 1]], [at(card + 1), events[card]]]
    twice = [[at(card + 1), events[card]], ["recorded", 99]]
    gap = ["index_order", "version_gap"]
    other = [*ALTERED, "version_gap", "foreign_stream"]
    return [
        of("another card", ALTERED, [at(card, "state", "fact", "card"), "AO"]),
        of("another time", ALTERED, [at(0, "state", "at"), "2026-11-21T19:00:00.000Z"]),
        of("another salt", ALTERED, [at(0, "state", "salt"), "A" * 22]),
        of("another name", ALTERED, [at(card, "name"), "TimeCalled.1"]),
        of("something more in a state", ALTERED, [at(card, "state", "more"), 1]),
        of("another version", [*ALTERED, "version_gap"], [at(last, "version"), 99]),
        of("another stream", other, [at(last, "stream"), "f" * 32]),
        of("another entry", ["entry_differs"], [at(card, "entry"), events[card + 1]["entry"]]),
        of("two events exchanged", gap, *exchanged),
        of("an event twice", gap, *twice),
        of("an event left out", ["version_gap"], [at(card)]),
        unaltered("the last one left out", ["not_all_recorded", "outcome_left_out"], [at(last)]),
        of("more events than recorded", ["count_differs"], ["recorded", 1]),
        of("another encuentro", ["foreign_stream", "stream_missing"], ["encuentro", str(SECOND)]),
        of(
            "a partida of another encuentro",
            [*ALTERED, "foreign_stream"],
            [at(partida, "state", "fact", "encuentro"), str(SECOND)],
        ),
    ]


def of_missing_parts(proof: Any) -> list[Case]:
    """Cases of proofs that were cut, with the count of events made to fit."""
    events = proof["events"]
    own = proof["encuentro"].replace("-", "")
    partida = [n for n, one in enumerate(events) if one["stream"] != own]
    followed = place(proof, "OutcomeFollowed.1")
    return [
        unaltered(
            "a partida left out",
            ["partida_left_out", "cause_left_out"],
            *([at(n)] for n in reversed(partida)),
            ["recorded", len(events) - len(partida)],
        ),
        unaltered(
            "the end of a partida left out",
            ["cause_left_out"],
            *([at(n)] for n in reversed(partida[-3:])),
            ["recorded", len(events) - 3],
        ),
        unaltered(
            "the end of the encuentro left out",
            ["outcome_left_out"],
            *([at(n)] for n in reversed(range(followed, len(events)))),
            ["recorded", followed],
        ),
        unaltered("more recorded", ["not_all_recorded"], ["recorded", len(events) + 1]),
    ]


def of_paths(proof: Any) -> list[Case]:
    """Cases about indices and paths."""
    events, last = proof["events"], len(proof["events"]) - 1
    path, size = events[last]["path"], int(proof["checkpoint"].split("\n")[1])
    changed = [
        ("another index", [at(last, "index"), events[last]["index"] + 1]),
        ("an index past the end", [at(last, "index"), size]),
        ("a path one shorter", [at(last, "path"), path[:-1]]),
        ("a path one longer", [at(last, "path"), [*path, NOTHING]]),
        ("a path that is no base64", [at(last, "path", 0), "?"]),
        ("another hash in a path", [at(last, "path", 0), NOTHING]),
    ]
    return [of(name, ["not_included"], edit) for name, edit in changed]


def of_the_checkpoint(proof: Any, key: LogKey) -> list[Case]:
    """Cases about the checkpoint and its signature."""
    note = proof["checkpoint"]
    _, size, root, *_ = note.split("\n")
    other = SigningKey("other.example/log", bytes(32))
    same_name = SigningKey(key.name, bytes(32))

    def put(new: str) -> list[Any]:
        return ["checkpoint", new]

    return [
        of("another root", ["bad_signature"], put(note.replace(root, NOTHING))),
        of("another size", ["bad_signature"], put(note.replace(f"\n{size}\n", "\n99\n"))),
        of("lines more in the text", ["bad_signature"], put(note.replace("\n\n", "\nmore\n\n"))),
        of("another origin", ["other_origin"], put(note.replace("club.", "klub."))),
        of("no signature of it", ["not_signed_by_key"], put(note.replace("— club", "— klub"))),
        of("no signature at all", ["checkpoint_malformed"], put(note.split("—")[0])),
        unaltered("a signature of a witness", [], put(note + "— witness.example AAAAAAAA\n")),
        of("no key in the file", ["key_malformed"], ["key", "club.example/mesas"]),
        of(
            "signed by somebody else",
            ["other_key", "other_origin"],
            ["key", other.public.text],
            put(other.sign_checkpoint(int(size), bytes(32))),
        ),
        of(
            "signed with another key of the name",
            ["other_key", "not_signed_by_key"],
            ["key", same_name.public.text],
            put(same_name.sign_checkpoint(int(size), base64.b64decode(root))),
        ),
        {**unaltered("sound, with the key in the file", []), "has_key": False},
        {**of("no key anywhere", ["key_malformed"], ["key", "x"]), "has_key": False},
    ]


def of_the_shape() -> list[Case]:
    """Cases of malformed proofs."""
    changed: list[tuple[str, list[Any]]] = [
        ("a field too many", ["more", 1]),
        ("a field of an event too many", [at(0, "more"), 1]),
        ("a field missing", ["recorded"]),
        ("no events", ["events", []]),
        ("another format", ["format", "guinote-proof/2"]),
        ("a number as text", [at(0, "index"), "0"]),
        ("a state that is no object", [at(0, "state"), []]),
        ("a fraction in a state", [at(0, "state", "more"), 1.5]),
        ("a number too large", [at(0, "state", "more"), 2**53]),
        ("an id that is none", ["encuentro", "1"]),
    ]
    return [of(name, ["proof_malformed"], edit) for name, edit in changed]


TEXTS: list[tuple[str, str, str]] = [
    ("a key twice", '"recorded":', '"recorded":1,"recorded":'),
    ("a key of an event twice", '"index":', '"index":0,"index":'),
    ("a key of a state twice", '"line":', '"line":1,"line":'),
    ("a whole number with a point", '"line":1,', '"line":1.0,'),
    ("a number beyond 2^53 - 1", '"line":1,', '"line":9007199254740992,'),
    ("a number below -(2^53 - 1)", '"line":1,', '"line":-9007199254740992,'),
    ("an index beyond 2^53 - 1", '"index":10,', '"index":9007199254740992,'),
    ("a number with a zero before", '"line":1,', '"line":01,'),
    ("half a sign", '"by":"owner"', '"by":"\\ud800"'),
    ("a list in a hundred lists", '"line":1,', '"line":' + "[" * 101 + "]" * 101 + ","),
    ("two proofs", '{"format"', '{}{"format"'),
]
"""Edits of the compact text: name, old text (first occurrence), new text."""


def compact(proof: Any) -> str:
    """A proof without blanks, its keys as they are in the file."""
    return json.dumps(proof, ensure_ascii=False, separators=(",", ":"))


def of_the_text(proof: Any) -> list[Case]:
    """Cases of JSON that parsers may read in different ways."""
    whole = compact(proof)
    assert all(old in whole for _, old, _ in TEXTS)
    return [
        {"name": name, "old": old, "new": new, "expected": ["proof_malformed"]}
        for name, old, new in TEXTS
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
        form = canonical_json(state)
        entry = entry_bytes_of_event("0" * 31 + "a", 7, "CardPlayed.1", form)
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
    signed, proof, resguardo = sound()
    return {
        "key": signed.key.text,
        "proof": proof,
        "cases": [
            unaltered("sound", []),
            *of_missing_parts(proof),
            *of_events(proof),
            *of_paths(proof),
            *of_the_checkpoint(proof, signed.key),
            *of_the_shape(),
        ],
        "texts": of_the_text(proof),
        "entries": entries(),
        "resguardo": resguardo,
    }


if __name__ == "__main__":
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(json.dumps(corpus(), ensure_ascii=False, indent=1) + "\n", "utf-8")
