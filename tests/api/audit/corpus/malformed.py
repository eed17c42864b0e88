"""Malformed proof files; each verifier must report only that."""

from __future__ import annotations

from tests.api.audit.corpus.changes import (
    card_of,
    lists,
    raw,
    set_in_card,
    set_in_proof,
    set_in_state,
)
from tests.api.audit.corpus.proofs import Case, case, written

only = "proof_malformed"
MALFORMED: tuple[Case, ...] = (
    Case("nothing", b"", frozenset({only})),
    Case("a_list", b"[]", frozenset({only})),
    Case("a_word", b"guinote", frozenset({only})),
    case("cut_off", only, lambda p: written(p)[:-20]),
    case("two_of_them", only, lambda p: written(p) * 2),
    case("not_utf8", only, raw(b'"owner"', b'"\xff"')),
    case("with_a_mark_before", only, lambda p: b"\xef\xbb\xbf" + written(p)),
    case("another_format", only, set_in_proof(format="guinote-proof/2")),
    case("a_field_too_many", only, set_in_proof(note="")),
    case("a_field_missing", only, lambda p: p.pop("recorded") and None),
    case("no_events", only, set_in_proof(events=[])),
    case(
        "id_without_hyphens",
        only,
        lambda p: p.update(encuentro=p["encuentro"].replace("-", "")),
    ),
    case("count_as_text", only, set_in_proof(recorded="3")),
    case("count_with_a_fraction", only, set_in_proof(recorded=3.5)),
    case("key_is_no_text", only, set_in_proof(key=None)),
    case("index_true", only, set_in_card(index=True)),
    case("state_is_a_list", only, set_in_card(state=[])),
    case("path_is_a_text", only, set_in_card(path="")),
    case("path_of_numbers", only, set_in_card(path=[1])),
    case("event_with_more", only, set_in_card(more=1)),
    case("event_with_less", only, lambda p: card_of(p).pop("entry") and None),
    case("fraction_in_a_state", only, set_in_state(line=1.5)),
    case("whole_fraction_in_a_state", only, raw(b'"line": 1,', b'"line": 1.0,')),
    case("power_in_a_state", only, raw(b'"line": 1,', b'"line": 1e0,')),
    case("number_too_large", only, set_in_state(line=2**53)),
    case("number_far_too_large", only, set_in_state(line=10**40)),
    case("not_a_number", only, set_in_state(line=float("nan"))),
    case("number_far_below_zero", only, set_in_state(line=-(2**53))),
    case("index_too_large", only, set_in_card(index=2**53)),
    case("count_too_large", only, set_in_proof(recorded=2**53)),
    case("too_deep", only, set_in_state(deep=lists(98))),
    case("far_too_deep", only, raw(b'"line": 1,', b'"x": ' + b"[" * 9999 + b"]" * 9999 + b",")),
    *[
        case(f"{key.decode()}_twice", only, raw(b'"%s"' % key, b'"%s": 1, "%s"' % (key, key)))
        for key in (b"recorded", b"index", b"line", b"seat")
    ],
    case("half_a_sign_as_a_key", only, raw(b'"line": 1,', b'"line": 1, "\\udc00": 1,')),
    case("half_a_sign_in_a_name", only, raw(b'"CardPlayed.1"', b'"\\ud800"')),
    case("number_with_a_zero", only, raw(b'"line": 1,', b'"line": 01,')),
    case("number_with_a_plus", only, raw(b'"line": 1,', b'"line": +1,')),
    case("a_minus_alone", only, raw(b'"line": 1,', b'"line": -,')),
    case("half_a_sign", only, raw(b'"owner"', b'"\\ud800"')),
    case("line_break_in_a_text", only, raw(b'"owner"', b'"own\ner"')),
    case("comma_at_the_end", only, lambda p: written(p)[:-2] + b",\n}"),
)
"""Malformed proof files."""
