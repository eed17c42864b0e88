"""Cases of tampering with the codes that every verifier must find."""

from __future__ import annotations

from tests.api.audit.corpus.changes import (
    another_tree,
    card_of,
    cards_changed,
    changed_with_its_entry,
    doubled,
    in_checkpoint,
    left_out,
    lists,
    other_encuentro,
    partida_again,
    partida_begun_late,
    partida_of,
    partida_twice,
    path_changed,
    path_cut,
    path_longer,
    path_swapped,
    path_written_otherwise,
    raw,
    resigned,
    scalar_beyond,
    set_in_card,
    set_in_proof,
    set_in_state,
    signature_with,
    swapped,
    two_states_swapped,
    with_foreign,
    without_own_stream,
    without_partida,
)
from tests.api.audit.corpus.proofs import (
    KEY,
    OTHER_KEY,
    OTHER_LOG,
    Case,
    b64,
    case,
    log,
    proof_of,
    written,
)

WITNESS = "\u2014 testigo.example AAAAAAAA\n"


size = len(log().rows)
half = proof_of(0, size // 4)
assert half["recorded"] > len(half["events"])
NOT_ALL = frozenset({"not_all_recorded", "end_unknown"})
HONEST: tuple[Case, ...] = (
    case("whole", ""),
    Case("the_other_encuentro", written(proof_of(1)), frozenset()),
    Case("a_part", written(half), frozenset(), missing=NOT_ALL),
    Case("the_first_event_alone", written(proof_of(0, 1)), frozenset(), missing=NOT_ALL),
    case("keys_in_another_order", "", lambda p: written(dict(reversed(p.items())))),
    case("without_blanks", "", lambda p: written(p).replace(b"\n", b"")),
    case("escapes_that_mean_the_same", "", raw(b'"card"', b'"\\u0063ard"')),
    case("another_signature_beside", "", lambda p: p.update(checkpoint=p["checkpoint"] + WITNESS)),
    case(
        "less_recorded_than_said",
        "",
        lambda p: p.update(recorded=p["recorded"] + 5),
        missing="not_all_recorded",
    ),
    case(
        "a_partida_left_out_at_the_end",
        "",
        without_partida,
        missing="not_all_recorded partida_left_out cause_left_out",
    ),
    case("the_last_left_out", "", left_out(-1), missing="not_all_recorded outcome_left_out"),
)
"""Proofs in which nothing is altered; each of them lacks something."""

size = len(log().rows)
last = proof_of()["events"][-1]["index"]
root = proof_of()["checkpoint"].split("\n")[2]
TAMPERED: tuple[Case, ...] = (
    case("card_changed", "entry_differs not_included", cards_changed),
    case("card_changed_with_its_entry", "not_included", changed_with_its_entry),
    case("entry_changed", "entry_differs", set_in_card(entry="{}")),
    case(
        "entry_with_a_blank",
        "entry_differs",
        lambda p: card_of(p).update(entry=card_of(p)["entry"] + " "),
    ),
    case("states_swapped", "entry_differs not_included", two_states_swapped),
    case("author_changed", "entry_differs not_included", set_in_state(by="otro")),
    case(
        "time_changed",
        "entry_differs not_included",
        set_in_state(at="2026-11-21T20:16:00.000Z"),
    ),
    case("device_changed", "entry_differs not_included", set_in_state(on="otra")),
    case(
        "salt_changed",
        "entry_differs not_included",
        set_in_state(salt="AAAAAAAAAAAAAAAAAAAAAA"),
    ),
    case("something_added", "entry_differs not_included", set_in_state(more=1)),
    case("name_changed", "entry_differs not_included", set_in_card(name="CardDrawn.1")),
    case("version_changed", "entry_differs not_included version_gap", set_in_card(version=900)),
    case(
        "moved_to_another_stream",
        "entry_differs not_included version_gap foreign_stream",
        set_in_card(stream="0" * 32),
    ),
    case(
        "index_changed",
        "not_included",
        lambda p: p["events"][-1].update(
            index=last - 1 if p["events"][-2]["index"] < last - 1 else last + 1
        ),
    ),
    case("index_beyond", "not_included", lambda p: p["events"][-1].update(index=size)),
    case("index_far_beyond", "not_included", lambda p: p["events"][-1].update(index=2**53 - 1)),
    case("order_changed", "index_order version_gap", swapped),
    case("one_left_out", "version_gap", left_out(5)),
    case("the_first_left_out", "version_gap", left_out(0)),
    case("one_doubled", "index_order version_gap count_differs", doubled),
    case("path_changed", "not_included", path_changed),
    case("path_cut", "not_included", path_cut),
    case("path_longer", "not_included", path_longer),
    case("path_swapped", "not_included", path_swapped),
    case("path_empty", "not_included", set_in_card(path=[])),
    case("foreign_event", "foreign_stream", with_foreign),
    case("own_stream_left_out", "stream_missing", without_own_stream),
    case("another_encuentro", "foreign_stream stream_missing", other_encuentro),
    case("fewer_recorded", "count_differs", set_in_proof(recorded=3)),
    case(
        "root_changed",
        "bad_signature",
        in_checkpoint(proof_of()["checkpoint"].split("\n")[2], b64(bytes(32))),
    ),
    case("root_changed_and_signed", "not_included", resigned(root=bytes(32))),
    case(
        "size_changed",
        "bad_signature",
        in_checkpoint(f"\n{size}\n", f"\n{4 * size}\n"),
    ),
    case("size_zero_and_signed", "not_included", resigned(root=bytes(32), size=1)),
    case(
        "signature_changed",
        "bad_signature",
        signature_with(lambda s: bytes([s[0] ^ 1]) + s[1:]),
    ),
    case("scalar_changed", "bad_signature", signature_with(lambda s: s[:63] + bytes([s[63] ^ 1]))),
    case("scalar_beyond_the_order", "bad_signature", signature_with(scalar_beyond)),
    case("signature_of_nothing", "bad_signature", signature_with(lambda _: bytes(64))),
    case("signature_cut", "bad_signature", signature_with(lambda s: s[:-1])),
    case("signature_longer", "bad_signature", signature_with(lambda s: s + b"x")),
    case("signed_by_another", "not_signed_by_key", resigned(key=OTHER_KEY)),
    case("of_another_log", "other_origin", resigned(key=OTHER_LOG)),
    case("extended_after_signing", "bad_signature", in_checkpoint("\n\n", "\nmore\n\n")),
    case(
        "no_signature",
        "checkpoint_malformed",
        lambda p: p.update(checkpoint=p["checkpoint"].rpartition("\n\n")[0] + "\n\n"),
    ),
    case("no_checkpoint", "checkpoint_malformed", set_in_proof(checkpoint="")),
    case("size_with_a_zero", "checkpoint_malformed", in_checkpoint(f"\n{size}\n", f"\n0{size}\n")),
    case(
        "root_too_short",
        "checkpoint_malformed",
        in_checkpoint(proof_of()["checkpoint"].split("\n")[2], b64(bytes(31))),
    ),
    case("another_key_inside", "other_key", set_in_proof(key=OTHER_KEY.public.text)),
    case("another_key_on_the_wall", "other_key not_signed_by_key", key=OTHER_KEY.public.text),
    case("another_log_on_the_wall", "other_key other_origin", key=OTHER_LOG.public.text),
    case("a_tree_of_a_forger", "other_key not_signed_by_key", another_tree),
    case(
        "key_with_a_wrong_id",
        "key_malformed",
        set_in_proof(key=KEY.public.text.replace("+", "+0", 1)),
    ),
    case("count_below_zero", "count_differs", set_in_proof(recorded=-1)),
    case("index_below_zero", "index_order not_included", set_in_card(index=-1)),
    case(
        "stream_in_capitals",
        "entry_differs not_included version_gap foreign_stream",
        lambda p: card_of(p).update(stream="A" * 32),
    ),
    case("path_too_short", "not_included", set_in_card(path=[b64(bytes(31))])),
    case("path_without_padding", "not_included", set_in_card(path=[b64(bytes(32))[:-1]])),
    case("two_histories_of_a_partida", "entry_differs not_included stream_twice", partida_twice),
    case("checkpoint_twice", "bad_signature", lambda p: p.update(checkpoint=p["checkpoint"] * 2)),
    case(
        "checkpoint_with_other_line_ends",
        "checkpoint_malformed",
        lambda p: p.update(checkpoint=p["checkpoint"].replace("\n", "\r\n")),
    ),
    case(
        "origin_with_a_plus",
        "checkpoint_malformed",
        in_checkpoint("guinote.example/log\n", "guinote+log\n"),
    ),
    case(
        "size_far_too_large",
        "checkpoint_malformed",
        in_checkpoint(f"\n{size}\n", "\n99999999999999999999\n"),
    ),
    case(
        "root_in_another_writing",
        "checkpoint_malformed",
        in_checkpoint(root, root[:-2] + chr(ord(root[-2]) + 1) + "="),
    ),
    case(
        "junk_after_the_signature",
        "checkpoint_malformed",
        lambda p: p.update(checkpoint=p["checkpoint"] + "junk\n"),
    ),
    case(
        "no_facts",
        "entry_differs foreign_stream not_included",
        lambda p: partida_of(p)["state"].update(fact=None),
    ),
    case(
        "other_signs",
        "entry_differs not_included",
        set_in_state(by="\U0001f0a1\u00f1\u2028\x7f"),
    ),
    case("a_sign_of_nothing", "entry_differs not_included", raw(b'"owner"', b'"own\\u0000er"')),
    case(
        "keys_that_sort_apart",
        "entry_differs not_included",
        raw(b'"line": 1,', b'"line": 1,"\\ue000":1,"\\ud83d\\ude00":2,'),
    ),
    case(
        "a_key_of_the_language",
        "entry_differs not_included",
        raw(b'"line": 1,', b'"line": 1,"__proto__":{"a":1},'),
    ),
    case("the_largest_number", "entry_differs not_included", set_in_state(line=2**53 - 1)),
    case("zero_below_zero", "entry_differs not_included", raw(b'"line": 1,', b'"line": -0,')),
    case("as_deep_as_may_be", "entry_differs not_included", set_in_state(deep=lists(97))),
    case(
        "version_far_below_zero",
        "entry_differs not_included version_gap",
        set_in_card(version=1 - 2**53),
    ),
    case("path_in_another_writing", "not_included", path_written_otherwise),
    case("path_longer_than_a_hash", "not_included", set_in_card(path=[b64(bytes(33))])),
    case(
        "size_just_too_large",
        "checkpoint_malformed",
        in_checkpoint(f"\n{size}\n", f"\n{2**53}\n"),
    ),
    case("size_below_zero", "checkpoint_malformed", in_checkpoint(f"\n{size}\n", "\n-1\n")),
    case(
        "origin_with_a_sign_nobody_sees",
        "checkpoint_malformed",
        in_checkpoint("guinote.example/log\n", "guinote.example\x85log\n"),
    ),
    case(
        "origin_too_long",
        "checkpoint_malformed",
        in_checkpoint("guinote.example/log\n", "g" * 201 + "\n"),
    ),
    case(
        "key_after_a_mark",
        "key_malformed",
        lambda p: p.update(key="\ufeff" + p["key"]),
    ),
    case(
        "a_number_as_text_is_another_number",
        "entry_differs not_included",
        partida_again(number="1"),
    ),
    case(
        "names_without_a_dot_are_of_one_kind",
        "entry_differs not_included stream_twice",
        partida_again(names=("abc", "xyz")),
    ),
    case("not_from_the_first_version", "foreign_stream version_gap", partida_begun_late),
)
"""One of each way to tamper."""
