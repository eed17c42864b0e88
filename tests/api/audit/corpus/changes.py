"""Ways to tamper with a proof."""

from __future__ import annotations

import base64
import copy
from collections.abc import Callable
from typing import Any
from uuid import UUID

from referee.audit.checkpoint import SigningKey, print_note
from referee.log.merkle import Subtrees, inclusion_path, leaf_hash, root_of_leaves
from tests.api.audit.corpus.proofs import (
    KEY,
    Proof,
    b64,
    entry_of,
    leaves,
    log,
    proof_of,
    written,
)


def card_of(proof: Proof) -> dict[str, Any]:
    """The first card that was played."""
    return next(one for one in proof["events"] if one["name"] == "CardPlayed.1")


def cards_changed(proof: Proof) -> None:
    card_of(proof)["state"]["fact"]["card"] = "2B"


def changed_with_its_entry(proof: Proof) -> None:
    one = card_of(proof)
    one["state"]["fact"]["card"] = "2B"
    again = entry_of(one["stream"], one["version"], one["name"], one["state"])
    one["entry"] = again.decode()


def partida_of(proof: Proof) -> dict[str, Any]:
    """The opening of the partida."""
    return next(one for one in proof["events"] if one["name"] == "PartidaOpened.1")


def partida_twice(proof: Proof) -> None:
    again = copy.deepcopy(partida_of(proof))
    again |= {"stream": "1" * 32, "index": proof["events"][-1]["index"] + 1}
    proof["events"].append(again)
    proof["recorded"] += 1


def partida_again(number: Any = 1, names: tuple[str, str] | None = None) -> Callable[[Proof], None]:
    """A second stream of a partida, with another number or other names of its opening."""

    def change(proof: Proof) -> None:
        partida_twice(proof)
        first, again = partida_of(proof), proof["events"][-1]
        again["state"]["fact"]["number"] = number
        if names is not None:
            first["name"], again["name"] = names

    return change


def partida_begun_late(proof: Proof) -> None:
    """A partida without its opening; its next event names the encuentro."""
    opening = partida_of(proof)
    rest = [one for one in proof["events"] if one["stream"] == opening["stream"]][1:]
    dropped = {opening["index"], *(one["index"] for one in rest[1:])}
    proof["events"] = [one for one in proof["events"] if one["index"] not in dropped]


def lists(depth: int) -> list[Any]:
    """A list in a list, so many of them."""
    found: list[Any] = []
    for _ in range(depth - 1):
        found = [found]
    return found


def path_written_otherwise(proof: Proof) -> None:
    """The same bytes, with other bits where base64 has none."""
    path = card_of(proof)["path"]
    path[0] = path[0][:-2] + chr(ord(path[0][-2]) + 1) + "="


def set_in_card(**fields: Any) -> Callable[[Proof], None]:
    return lambda proof: card_of(proof).update(fields)


def set_in_state(**fields: Any) -> Callable[[Proof], None]:
    return lambda proof: card_of(proof)["state"].update(fields)


def set_in_proof(**fields: Any) -> Callable[[Proof], None]:
    return lambda proof: proof.update(fields)


def swapped(proof: Proof) -> None:
    one, other = proof["events"][5:7]
    proof["events"][5:7] = [other, one]


def two_states_swapped(proof: Proof) -> None:
    one, other = [e for e in proof["events"] if e["name"] == "CardPlayed.1"][:2]
    one["state"], other["state"] = other["state"], one["state"]


def left_out(at: int) -> Callable[[Proof], None]:
    return lambda proof: proof["events"].pop(at) and None


def doubled(proof: Proof) -> None:
    proof["events"].insert(6, copy.deepcopy(proof["events"][5]))


def path_changed(proof: Proof) -> None:
    path = card_of(proof)["path"]
    path[0] = b64(bytes(32))


def path_cut(proof: Proof) -> None:
    card_of(proof)["path"].pop()


def path_longer(proof: Proof) -> None:
    card_of(proof)["path"].append(b64(bytes(32)))


def path_swapped(proof: Proof) -> None:
    path = card_of(proof)["path"]
    path[0], path[1] = path[1], path[0]


def with_foreign(proof: Proof) -> None:
    """A genuine event of the other encuentro inserted into the proof."""
    proof["events"].append(proof_of(1)["events"][0])
    proof["recorded"] += 1


def without_own_stream(proof: Proof) -> None:
    own = UUID(proof["encuentro"]).hex
    proof["events"] = [one for one in proof["events"] if one["stream"] != own]


def without_partida(proof: Proof) -> None:
    """A whole stream left out cannot be seen from the proof alone, except by its count."""
    own = UUID(proof["encuentro"]).hex
    proof["events"] = [one for one in proof["events"] if one["stream"] == own]


def other_encuentro(proof: Proof) -> None:
    proof["encuentro"] = str(log().encuentros[1])


def resigned(size: int = 0, root: bytes = b"", key: SigningKey = KEY) -> Callable[[Proof], None]:
    """A checkpoint that says something else, signed by a key."""
    hashes = leaves()
    note = key.sign_checkpoint(size or len(hashes), root or root_of_leaves(hashes))
    return set_in_proof(checkpoint=note)


def in_checkpoint(old: str, new: str) -> Callable[[Proof], None]:
    def change(proof: Proof) -> None:
        assert old in proof["checkpoint"]
        proof["checkpoint"] = proof["checkpoint"].replace(old, new, 1)

    return change


def signature_with(change: Callable[[bytes], bytes]) -> Callable[[Proof], None]:
    """The checkpoint with its signature changed; the id of the key stays."""

    def of(proof: Proof) -> None:
        text, _, line = proof["checkpoint"].rpartition("\n\n")
        whole = base64.b64decode(line.split()[2])
        proof["checkpoint"] = print_note(f"{text}\n", KEY.name, whole[:4] + change(whole[4:]))

    return of


def scalar_beyond(signature: bytes) -> bytes:
    """The same signature with the order of the group added to its scalar: another text for it."""
    order = 2**252 + 27742317777372353535851937790883648493
    scalar = int.from_bytes(signature[32:], "little") + order
    return signature[:32] + scalar.to_bytes(32, "little")


def raw(old: bytes, new: bytes) -> Callable[[Proof], bytes]:
    def change(proof: Proof) -> bytes:
        content = written(proof)
        assert old in content
        return content.replace(old, new, 1)

    return change


def another_tree(proof: Proof) -> None:
    """A tree that a forger made over changed events and signed with another key."""
    changed_with_its_entry(proof)
    hashes = leaves()
    one = card_of(proof)
    hashes[one["index"]] = leaf_hash(one["entry"].encode())
    subtree = Subtrees(lambda first, last: hashes[first:last])
    for event in proof["events"]:
        found = inclusion_path(event["index"], len(hashes), subtree)
        event["path"] = [b64(part) for part in found]
    forger = SigningKey(KEY.name, b"f" * 32)
    proof["key"] = forger.public.text
    proof["checkpoint"] = forger.sign_checkpoint(len(hashes), root_of_leaves(hashes))
