"""The tree, its entries and its checkpoints, against published examples and by properties."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import msgspec
import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from referee.audit.checkpoint import (
    BadCheckpoint,
    SigningKey,
    parse_signing_key,
    print_note,
    read_key,
    split_notes,
    verify_checkpoint,
    verify_note,
)
from referee.log.merkle import (
    EMPTY_ROOT,
    Frontier,
    Subtrees,
    Unreadable,
    canonical_json,
    consistency_path,
    entry_bytes_of_event,
    frontier_after_leaf,
    inclusion_path,
    is_as_short_as_canonical,
    is_extension,
    is_included,
    leaf_hash,
    leaf_hash_of_event,
    pack_frontier,
    parse_event_json,
    root_of_frontier,
    root_of_leaves,
    unpack_frontier,
)

PUBLISHED = [
    *("", "00", "10", "2021", "3031", "40414243", "5051525354555657"),
    "606162636465666768696a6b6c6d6e6f",
]
LEAVES = [leaf_hash(n.to_bytes(4, "big")) for n in range(1100)]
SUBTREE = Subtrees(lambda first, last: LEAVES[first:last])
KEY = SigningKey("guinote.example/log", bytes(range(32)))
SIZES = (*range(1, 40), 255, 256, 257, 511, 513, 1024, 1100)


# --- the tree ------------------------------------------------------------------------------------


def by_definition(leaves: list[bytes]) -> bytes:
    """The root as the standard defines it."""
    if len(leaves) < 2:
        return leaves[0] if leaves else hashlib.sha256(b"").digest()
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    parts = by_definition(leaves[:k]) + by_definition(leaves[k:])
    return hashlib.sha256(b"\1" + parts).digest()


def test_roots_are_those_of_the_published_examples() -> None:
    leaves = [leaf_hash(bytes.fromhex(entry)) for entry in PUBLISHED]
    assert root_of_leaves(leaves).hex() == (
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"
    )
    assert root_of_leaves(leaves[:3]).hex() == (
        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77"
    )
    assert root_of_leaves([]) == EMPTY_ROOT == hashlib.sha256(b"").digest()


@pytest.mark.parametrize("size", SIZES)
def test_a_frontier_that_grew_has_the_root_of_the_definition(size: int) -> None:
    frontier: Frontier = ()
    for n, leaf in enumerate(LEAVES[:size]):
        frontier = unpack_frontier(pack_frontier(frontier_after_leaf(frontier, n, leaf)))
    assert root_of_frontier(frontier) == by_definition(LEAVES[:size]) == SUBTREE(0, size)


@pytest.mark.parametrize("size", SIZES)
def test_a_path_leads_from_its_leaf_to_its_root_and_no_other_does(size: int) -> None:
    root = by_definition(LEAVES[:size])
    for index in {0, 1 % size, size // 2, size - 1}:
        path = inclusion_path(index, size, SUBTREE)
        assert is_included(LEAVES[index], index, size, path, root)
        assert not is_included(leaf_hash(b"x"), index, size, path, root)
        assert not is_included(LEAVES[index], index, size, [*path, root], root)
        assert not is_included(LEAVES[index], size + index, size, path, root)
        for other in {0, size // 2, size - 1} - {index}:
            assert not is_included(LEAVES[index], other, size, path, root)
        for cut in range(len(path)):
            assert not is_included(LEAVES[index], index, size, path[:cut] + path[cut + 1 :], root)


@pytest.mark.parametrize("new", SIZES)
def test_a_tree_extends_each_of_its_beginnings_and_nothing_else(new: int) -> None:
    root = by_definition(LEAVES[:new])
    for old in {1, 2, new // 3, new // 2, new - 1, new} & set(range(1, new + 1)):
        older = by_definition(LEAVES[:old])
        path = consistency_path(old, new, SUBTREE)
        assert is_extension(old, older, new, root, path)
        assert not is_extension(old, leaf_hash(b"x"), new, root, path)
        assert not is_extension(old, older, new, leaf_hash(b"x"), path)
        assert not is_extension(old, older, new, root, [*path, root])
        assert not is_extension(new, root, old, older, path) or old == new
        for cut in range(len(path)):
            assert not is_extension(old, older, new, root, path[:cut] + path[cut + 1 :])
    assert is_extension(0, EMPTY_ROOT, new, root, [])


# --- entries -------------------------------------------------------------------------------------

WHOLE = st.integers(-(2**53) + 1, 2**53 - 1)
VALUES = st.recursive(
    st.none() | st.booleans() | WHOLE | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=4)
    ),
)


@given(VALUES)
def test_the_canonical_form_is_that_of_the_standard(value: Any) -> None:
    assert canonical_json(value) == rfc8785.dumps(value)
    assert parse_event_json(canonical_json(value)) == value
    assert is_as_short_as_canonical(msgspec.json.encode(value), canonical_json(value))


@pytest.mark.parametrize(
    "text", ['{"a":1.5}', "1e3", "1.0", "{", "", '"\\ud800"', b"\xff", "[" * 100_000]
)
def test_a_state_that_none_of_ours_is_cannot_be_read(text: str | bytes) -> None:
    with pytest.raises(Unreadable):
        parse_event_json(text)


def test_a_number_that_other_readers_lose_is_refused() -> None:
    assert canonical_json(2**53 - 1) == b"9007199254740991"
    for number in (2**53, -(2**53), 10**40):
        with pytest.raises(Unreadable):
            canonical_json({"a": number})


@pytest.mark.parametrize(
    "state", ['{"a":1,"a":2}', '{"a": 2}', '{"\\u0061":2}', '{"a":2}\n', '{"a":-0,"b":[]}']
)
def test_a_state_with_a_second_meaning_is_not_as_written(state: str) -> None:
    assert not is_as_short_as_canonical(state.encode(), canonical_json(parse_event_json(state)))


def test_a_leaf_is_what_the_page_says() -> None:
    state = b'{"salt":"AAECAwQFBgcICQoLDA0ODw","fact":{"seat":"A1"},"by":"\xc3\xb1"}'
    entry = entry_bytes_of_event(
        "0" * 31 + "1", 3, "CardPlayed.1", canonical_json(json.loads(state))
    )
    assert entry.decode() == (
        '{"c":"cHA6rqOwyOzBKF950ujwPyPjC-jw860fTV8KrL3af5Q",'
        '"o":"00000000000000000000000000000001","v":3}'
    )
    assert leaf_hash_of_event("0" * 31 + "1", 3, "CardPlayed.1", state) == leaf_hash(entry)


# --- checkpoints ---------------------------------------------------------------------------------


def test_a_published_note_is_read() -> None:
    key = read_key("PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW")
    text = (
        "If you think cryptography is the answer to your problem,\n"
        "then you don't know what your problem is.\n"
    )
    signature = "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM="
    assert verify_note(f"{text}\n— PeterNeumann {signature}\n", key) == text
    with pytest.raises(BadCheckpoint, match="bad_signature"):
        verify_note(f"{text.replace('your', 'my')}\n— PeterNeumann {signature}\n", key)


def test_what_a_key_signs_it_opens_and_both_keys_are_read_back() -> None:
    note = KEY.sign_checkpoint(7, root_of_leaves(LEAVES[:7]))
    found = verify_checkpoint(note, KEY.public)
    assert (found.origin, found.size, found.root) == (KEY.name, 7, root_of_leaves(LEAVES[:7]))
    assert read_key(KEY.public.text + "\n") == KEY.public
    assert parse_signing_key(KEY.text) == KEY


def test_signatures_of_others_are_passed_over() -> None:
    text, _, mine = KEY.sign_checkpoint(7, EMPTY_ROOT).partition("\n\n")
    other = f"— witness.example {mine.rstrip().split(' ')[2]}\n"
    assert verify_checkpoint(f"{text}\n\n{other}{mine}", KEY.public).size == 7
    with pytest.raises(BadCheckpoint, match="not_signed_by_key"):
        verify_checkpoint(f"{text}\n\n{other}", KEY.public)


NOTE = KEY.sign_checkpoint(7, root_of_leaves(LEAVES[:7]))
OTHER = SigningKey("other.example/log", bytes(32))
BAD = [
    (NOTE.replace("\n7\n", "\n8\n"), "bad_signature"),
    (NOTE.replace("\n7\n", "\n07\n"), "checkpoint_malformed"),
    (NOTE.replace("\n7\n", "\n-7\n"), "checkpoint_malformed"),
    (NOTE.rstrip("\n"), "checkpoint_malformed"),
    (NOTE.replace("\n\n", "\n"), "checkpoint_malformed"),
    (NOTE.replace("\n\n", "\n\nx\n"), "checkpoint_malformed"),
    (NOTE.split("—")[0], "checkpoint_malformed"),
    ("", "checkpoint_malformed"),
    (NOTE.replace("=\n", "\n", 1), "checkpoint_malformed"),
    (OTHER.sign_checkpoint(7, EMPTY_ROOT), "other_origin"),
    (SigningKey(KEY.name, bytes(32)).sign_checkpoint(7, EMPTY_ROOT), "not_signed_by_key"),
    (
        print_note(NOTE.split("\n\n")[0] + "\n", KEY.name, KEY.public.id + bytes(64)),
        "bad_signature",
    ),
    (print_note(NOTE.split("\n\n")[0] + "\n", KEY.name, KEY.public.id), "bad_signature"),
]


@pytest.mark.parametrize(("note", "code"), BAD)
def test_a_note_that_the_key_did_not_sign_is_refused_with_its_reason(note: str, code: str) -> None:
    with pytest.raises(BadCheckpoint) as bad:
        verify_checkpoint(note, KEY.public)
    assert bad.value.code == code


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a+b",
        KEY.public.text.replace("example", "elpmaxe"),
        KEY.public.text[:-4],
        KEY.public.text.replace("+A", "+B"),
        f"a b+{KEY.public.text.partition('+')[2]}",
    ],
)
def test_what_is_no_key_is_refused(text: str) -> None:
    for read in (read_key, parse_signing_key):
        with pytest.raises(BadCheckpoint, match="key_malformed"):
            read(text)
    with pytest.raises(BadCheckpoint):
        parse_signing_key(KEY.public.text)


def test_a_file_holds_notes_one_after_another() -> None:
    notes = [KEY.sign_checkpoint(n, EMPTY_ROOT) for n in range(3)]
    assert split_notes("".join(notes)) == notes
    assert split_notes("\n".join(notes)) == notes
    assert split_notes("") == split_notes("\n\n") == []
