"""Malicious inputs: each is refused with its problem, and none makes the program fail."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.servers.http_table import ENCUENTROS, HttpTable, card, deal, pinta

ACT = card("A1", "AO")
INCIDENT = {"kind": "incident", "incident": "other"}


@pytest.fixture(scope="module")
def table(shared_table: HttpTable) -> HttpTable:
    return shared_table


@pytest.fixture(scope="module")
def partida(table: HttpTable) -> str:
    where = table.partida()
    assert table.record(where, 0, deal(), pinta()).status_code == 200
    return where


def acts(*given: Any) -> bytes:
    return json.dumps({"acts": list(given)}).encode()


def text_of(value: str) -> bytes:
    return acts({**INCIDENT, "text": value})


BODIES: list[tuple[str, bytes, int, str]] = [
    ("nothing at all", b"", 422, "invalid"),
    ("white space", b"   ", 400, "malformed_json"),
    ("not JSON", b"acts=1", 400, "malformed_json"),
    ("half an object", b'{"acts": [', 400, "malformed_json"),
    ("two objects", b'{"acts": []}{"acts": []}', 400, "malformed_json"),
    ("a comma too many", b'{"acts": [],}', 400, "malformed_json"),
    ("a list", b"[]", 400, "malformed_json"),
    ("a number", b"7", 400, "malformed_json"),
    ("null", b"null", 400, "malformed_json"),
    ("NaN", b'{"acts": NaN}', 400, "malformed_json"),
    ("Infinity", b'{"acts": -Infinity}', 400, "malformed_json"),
    ("a number beyond floats", b'{"acts": 1e400}', 400, "malformed_json"),
    ("a number of 5000 digits", b'{"acts": ' + b"9" * 5000 + b"}", 400, "malformed_json"),
    ("the same key twice", b'{"acts": [], "acts": []}', 400, "duplicate_key"),
    (
        "the same key twice inside",
        b'{"acts": [{"kind": "card", "seat": "A1", "card": "AO", "card": "3O"}]}',
        400,
        "duplicate_key",
    ),
    ("a lone surrogate", b'{"acts": [{"kind": "\\ud800"}]}', 400, "bad_text"),
    ("a lone surrogate as a key", b'{"acts": [], "\\udfff": 1}', 400, "bad_text"),
    ("a NUL", b'{"acts": [{"kind": "a\\u0000"}]}', 400, "bad_text"),
    ("a raw control character", b'{"acts": "\x01"}', 400, "malformed_json"),
    ("bytes that are not UTF-8", b'{"acts": "\xff"}', 400, "not_utf8"),
    ("Latin-1", '{"acts": "guiñote"}'.encode("latin-1"), 400, "not_utf8"),
    ("UTF-16", '{"acts": []}'.encode("utf-16"), 400, "not_utf8"),
    ("UTF-16 without a mark", '{"acts": []}'.encode("utf-16-le"), 400, "malformed_json"),
    ("a byte order mark", b'\xef\xbb\xbf{"acts": []}', 400, "not_utf8"),
    ("an overlong slash", b'{"acts": "\xc0\xaf"}', 400, "not_utf8"),
    ("100,000 brackets", b"[" * 100_000, 400, "too_deep"),
    ("30 lists in one another", b'{"acts": ' + b"[" * 30 + b"]" * 30 + b"}", 400, "too_deep"),
    ("30 objects", b'{"a":' * 30 + b"1" + b"}" * 30, 400, "too_deep"),
    ("more than 256 KiB", b'{"acts": "' + b"a" * 262_144 + b'"}', 413, "too_large"),
    ("no acts", acts(), 422, "invalid"),
    ("101 acts", acts(*[ACT] * 101), 422, "invalid"),
    ("an unknown field beside", b'{"acts": [], "now": true}', 422, "invalid"),
    ("acts that are no list", b'{"acts": {}}', 422, "invalid"),
    ("an act that is null", acts(None), 422, "invalid"),
    ("an act that is a list", acts([]), 422, "invalid"),
    ("no kind", acts({}), 422, "invalid"),
    ("an unknown kind", acts({"kind": "shout"}), 422, "invalid"),
    ("a kind that is a list", acts({"kind": ["card"]}), 422, "invalid"),
    ("a kind of the log only", acts({"kind": "amend", "changes": []}), 422, "invalid"),
    ("a conclusion as an act", acts({"kind": "partida_won", "winner": "A"}), 422, "invalid"),
    ("an unknown field in an act", acts({**ACT, "points": 11}), 422, "invalid"),
    ("no card", acts({"kind": "card", "seat": "A1"}), 422, "invalid"),
    ("a card with a newline", acts(card("A1", "AO\n")), 422, "invalid"),
    ("a card in lower case", acts(card("A1", "ao")), 422, "invalid"),
    ("a card that is a number", acts({**ACT, "card": 3}), 422, "invalid"),
    ("a card that is null", acts({**ACT, "card": None}), 422, "invalid"),
    ("an empty card", acts(card("A1", "")), 422, "invalid"),
    ("a card with full-width signs", acts(card("A1", "ＡＯ")), 422, "invalid"),
    ("a seat with a blank", acts(card("A1 ", "AO")), 422, "invalid"),
    ("a truth that is a number", acts({"kind": "cante", "seat": "A1", "shown": 1}), 422, "invalid"),
    (
        "a truth that is a word",
        acts({"kind": "cante", "seat": "A1", "shown": "yes"}),
        422,
        "invalid",
    ),
    ("a number that is a word", acts({**deal(), "cut": "5"}), 422, "invalid"),
    ("a number that is a truth", acts({**deal(), "cut": True}), 422, "invalid"),
    ("half a card cut", acts({**deal(), "cut": 4.5}), 422, "invalid"),
    ("a number below 0", acts({**deal(), "cut": -1}), 422, "invalid"),
    ("2 to the 70th", acts({**deal(), "cut": 2**70}), 422, "invalid"),
    (
        "49 cards in a hand",
        acts({"kind": "hand", "seat": "A1", "cards": ["AO"] * 49}),
        422,
        "invalid",
    ),
    ("an unknown seat in a table", acts({"kind": "misdeal", "hands": {"Z9": 6}}), 422, "invalid"),
    ("numbers that are words", acts({"kind": "misdeal", "hands": {"A1": "6"}}), 422, "invalid"),
    ("a ruling without a reason", acts({"kind": "ruling", "effect": "none"}), 422, "invalid"),
    ("a text of 501", text_of("a" * 501), 422, "invalid"),
    ("an empty text", text_of(""), 422, "invalid"),
    ("a text of blanks", text_of("   "), 422, "invalid"),
    ("a text that turns around", text_of("abc\u202etxt"), 422, "invalid"),
    ("a text with an isolate", text_of("a\u2066b"), 422, "invalid"),
    ("a text with no width", text_of("a\u200bb"), 422, "invalid"),
    ("a text with an escape", text_of("\u001b[31m"), 422, "invalid"),
    ("a text with a private sign", text_of("\ue000"), 422, "invalid"),
    ("a text that is a number", acts({**INCIDENT, "text": 5}), 422, "invalid"),
    ("a card of 48 in a deck of 40", acts(card("A1", "9O")), 409, "card-not-in-deck"),
    ("a seat of three at a table of four", acts(card("C1", "AO")), 409, "seat-unknown"),
]


@pytest.mark.parametrize(
    ("body", "status", "code"), [row[1:] for row in BODIES], ids=[row[0] for row in BODIES]
)
def test_a_nasty_body_is_refused_with_its_code(
    table: HttpTable, partida: str, body: bytes, status: int, code: str
) -> None:
    answer = table.client.post(
        f"{partida}/acts",
        data=body,
        content_type="application/json",
        headers={**table.owner(), "Idempotency-Key": table.key(), "If-Match": '"2"'},
    )
    assert (answer.status_code, answer.json["code"]) == (status, code)
    assert answer.content_type == "application/problem+json"
    assert answer.json["status"] == status
    assert table.get(partida).headers["ETag"] == '"2"'


TYPES = [
    "",
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/json-patch+json",
    "application/vnd.api+json",
    "application/json; charset=utf-16",
    "multipart/form-data; boundary=x",
]


@pytest.mark.parametrize("content_type", TYPES)
def test_only_json_in_utf8_is_read(table: HttpTable, partida: str, content_type: str) -> None:
    answer = table.client.post(
        f"{partida}/acts",
        data=acts(ACT),
        content_type=content_type,
        headers={**table.owner(), "Idempotency-Key": table.key(), "If-Match": '"2"'},
    )
    assert (answer.status_code, answer.json["code"]) == (415, "media_type")


def test_a_body_cut_short_is_refused(table: HttpTable, partida: str) -> None:
    answer = table.client.post(
        f"{partida}/acts",
        input_stream=io.BytesIO(acts(ACT)),
        content_type="application/json",
        headers={**table.owner(), "Idempotency-Key": table.key(), "If-Match": '"2"'},
        environ_overrides={"CONTENT_LENGTH": "5000"},
    )
    assert (answer.status_code, answer.json["code"]) == (400, "body_cut")


class _Broken(io.BytesIO):
    def read(self, size: int | None = -1, /) -> bytes:
        raise ConnectionResetError

    def readinto(self, buffer: Any, /) -> int:
        raise ConnectionResetError


def test_a_line_that_breaks_is_no_failure_of_ours(table: HttpTable, partida: str) -> None:
    answer = table.client.post(
        f"{partida}/acts",
        input_stream=_Broken(acts(ACT)),
        content_type="application/json",
        headers={**table.owner(), "Idempotency-Key": table.key(), "If-Match": '"2"'},
        environ_overrides={"CONTENT_LENGTH": "9"},
    )
    assert (answer.status_code, answer.json["code"]) == (400, "body_cut")


def test_a_body_without_a_length_is_refused(table: HttpTable, partida: str) -> None:
    answer = table.client.post(
        f"{partida}/acts",
        content_type="application/json",
        headers={
            **table.owner(),
            "Idempotency-Key": table.key(),
            "If-Match": '"2"',
            "Transfer-Encoding": "chunked",
        },
    )
    assert (answer.status_code, answer.json["code"]) == (411, "length_required")


def addresses(partida: str) -> Iterator[tuple[str, int]]:
    encuentro = partida.rpartition("/partidas")[0]
    for bad in ("abc", "-1", "99999999999999999999", "1e3", "", "0", "%00", "１"):
        yield f"{ENCUENTROS}?limit={bad}", 422
        yield f"{partida}?wait={bad}", 422
    for cursor in ("abc", "-1", "%ff%fe", "9" * 600, "' OR 1=1 --"):
        yield f"{ENCUENTROS}?cursor={cursor}", 422
        yield f"{partida}/audit?cursor={cursor}", 422
    yield f"{partida}?now=1", 422
    yield f"{ENCUENTROS}?limit=5&offset=10", 422
    yield f"{partida}/replay?line=-1", 422
    yield f"{partida}/replay?line=x", 422
    yield f"{partida}/replay?line=9999", 404
    yield f"{encuentro}/partidas/0", 404
    yield f"{encuentro}/partidas/-1", 404
    yield f"{encuentro}/partidas/99999999999999999999", 404
    yield f"{encuentro}/partidas/２", 404
    yield f"{encuentro}/partidas/2", 404
    yield f"{ENCUENTROS}/00000000-0000-0000-0000-000000000000", 404
    yield f"{ENCUENTROS}/not-a-uuid", 404
    yield "/api/v1/public/encuentros/00000000-0000-0000-0000-000000000000", 404
    yield "/api/v1/profiles/../../etc/passwd", 404
    yield "/api/v1/profiles/%2e%2e%2fclub", 404
    yield "/static/../app.py", 404
    yield "/static/%2e%2e/app.py", 404


def test_nasty_addresses_are_refused(table: HttpTable, partida: str) -> None:
    wrong = [
        (path, answer.status_code)
        for path, status in addresses(partida)
        for answer in [table.get(path)]
        if answer.status_code != status and not path.endswith("wait=0")
    ]
    assert wrong == []


@pytest.mark.parametrize(
    "tag", ["2", "*", 'W/"2"', '"02x"', '"-1"', '"99999999999"', '"2", "3"', "\u00f1", '""']
)
def test_a_tag_that_is_no_version_matches_none(table: HttpTable, partida: str, tag: str) -> None:
    headers = {**table.owner(), "Idempotency-Key": table.key(), "If-Match": tag}
    answer = table.client.post(f"{partida}/acts", json={"acts": [ACT]}, headers=headers)
    assert (answer.status_code, answer.json["code"]) == (412, "stale")


@pytest.mark.parametrize(
    "key", ["short", "a" * 129, "with a blank in it", "ñandúñandú", "tab\tinside-it"]
)
def test_a_bad_key_is_refused(table: HttpTable, partida: str, key: str) -> None:
    headers = {**table.owner(), "Idempotency-Key": key, "If-Match": '"2"'}
    answer = table.client.post(f"{partida}/acts", json={"acts": [ACT]}, headers=headers)
    assert (answer.status_code, answer.json["code"]) == (400, "idempotency_key_bad")
