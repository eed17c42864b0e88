"""Writing over HTTP: versions, keys, batches, corrections, and what is answered."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.support.servers.http_table import HttpTable, card, deal, pinta


@pytest.fixture
def partida(table: HttpTable) -> str:
    """A partida dealt by B2, oros trump, A1 has led the tres."""
    where = table.partida()
    assert table.record(where, 0, deal(), pinta("RO")).status_code == 200
    assert table.record(where, 2, card("A1", "3C")).status_code == 200
    return where


def test_an_act_is_recorded_and_answered_with_its_line(table: HttpTable, partida: str) -> None:
    answer = table.record(partida, 3, card("B1", "AC"))
    assert answer.status_code == 200
    assert answer.headers["ETag"] == '"4"'
    body = answer.json
    assert (body["version"], body["lines"], body["decided"]) == (4, [4], None)
    assert answer.headers["Guinote-Position"] == str(body["position"])


def test_a_batch_is_recorded_wholly_or_not_at_all(table: HttpTable, partida: str) -> None:
    refused = table.record(partida, 3, card("B1", "AC"), card("A2", "AC"))
    assert (refused.status_code, refused.json["code"]) == (409, "card-played-before")
    assert refused.json["facts"] == {"card": "AC", "command": 1}
    assert table.get(partida).json["version"] == 3
    done = table.record(partida, 3, card("B1", "AC"), card("A2", "4C"), card("B2", "5C"))
    assert done.json["lines"] == [4, 5, 6]


def test_a_finding_comes_with_the_act_that_showed_it(table: HttpTable, partida: str) -> None:
    answer = table.record(partida, 3, card("B2", "AC"))
    (found,) = answer.json["findings"]
    assert (found["line"], found["rule"], found["seat"]) == (4, "out-of-turn", "B2")
    assert found["text"]


def test_a_finding_names_the_article_it_rests_on(table: HttpTable) -> None:
    partida = table.partida(table.encuentro("guinyot"))
    answer = table.record(
        partida, 0, deal("A1"), pinta(), {"kind": "cante", "seat": "B1", "suit": "O"}
    )
    assert answer.status_code == 200, answer.text
    articles = {one["rule"]: one["article"] for one in answer.json["findings"]}
    assert articles["cante-no-trick"] == {
        "profile": "guinyot",
        "option": "cante_needs_trick",
        "section": articles["cante-no-trick"]["section"],
        "basis": "stated",
    }
    assert articles["cante-no-trick"]["section"]


def test_a_decided_partida_stays_decided_in_every_answer(table: HttpTable, partida: str) -> None:
    decided = table.record(partida, 3, {"kind": "concede", "side": "B"})
    assert decided.json["decided"]["winner"] == "A"
    later = table.record(partida, 4, {"kind": "show", "seat": "A1", "cards": ["AC"]})
    assert (later.status_code, later.json["conclusions"]) == (200, [])
    assert later.json["decided"]["winner"] == "A"
    undone = table.post(f"{partida}/amendments", {"changes": [{"line": 4, "how": "withdraw"}]}, 5)
    assert undone.json["decided"] is None
    assert [one["kind"] for one in undone.json["conclusions"]] == [
        "conclusion_revised",
        "outcome_followed",
    ]


def test_a_write_needs_a_version(table: HttpTable, partida: str) -> None:
    answer = table.post(f"{partida}/acts", {"acts": [card("B1", "AC")]})
    assert (answer.status_code, answer.json["code"]) == (428, "if_match_missing")


def test_a_stale_write_is_refused_with_the_version_of_now(table: HttpTable, partida: str) -> None:
    answer = table.record(partida, 2, card("B1", "AC"))
    assert (answer.status_code, answer.json["code"]) == (412, "stale")
    assert answer.json["version"] == 3


def test_a_write_needs_a_key(table: HttpTable, partida: str) -> None:
    headers = {**table.owner(), "If-Match": '"3"'}
    body = {"acts": [card("B1", "AC")]}
    answer = table.client.post(f"{partida}/acts", json=body, headers=headers)
    assert (answer.status_code, answer.json["code"]) == (400, "idempotency_key_missing")


def test_the_same_key_is_answered_with_the_same_bytes(table: HttpTable, partida: str) -> None:
    body, key = {"acts": [card("B2", "AC")]}, table.key()
    first = table.post(f"{partida}/acts", body, 3, key)
    assert "Idempotent-Replayed" not in first.headers
    table.record(partida, 4, card("B1", "4C"))
    table.post(f"{partida}/amendments", {"changes": [{"line": 4, "how": "withdraw"}]}, 5)
    again = table.post(f"{partida}/acts", body, 3, key)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert (again.status_code, again.data) == (first.status_code, first.data)
    assert again.headers["ETag"] == first.headers["ETag"]
    assert table.get(partida).json["version"] == 6


def test_a_key_answers_however_the_body_is_spaced(table: HttpTable, partida: str) -> None:
    key = table.key()
    headers = {**table.owner(), "Idempotency-Key": key, "If-Match": '"3"'}
    bodies = (
        b'{"acts":[{"kind":"card","seat":"B1","card":"AC"}]}',
        b'{ "acts" : [ {"card": "AC", "seat": "B1", "kind": "card"} ] }',
    )
    answers = [
        table.client.post(
            f"{partida}/acts", data=one, content_type="application/json", headers=headers
        )
        for one in bodies
    ]
    assert [one.status_code for one in answers] == [200, 200]
    assert answers[1].headers["Idempotent-Replayed"] == "true"


@pytest.mark.parametrize("other", ["body", "path"])
def test_a_key_serves_one_request(table: HttpTable, partida: str, other: str) -> None:
    key = table.key()
    table.post(f"{partida}/acts", {"acts": [card("B1", "AC")]}, 3, key)
    body = {"acts": [card("B1", "AC" if other == "path" else "4C")]}
    where = f"{table.partida()}/acts" if other == "path" else f"{partida}/acts"
    answer = table.post(where, body, 4, key)
    assert (answer.status_code, answer.json["code"]) == (422, "key_reused")


def test_a_refused_key_may_be_used_again(table: HttpTable, partida: str) -> None:
    key = table.key()
    assert table.post(f"{partida}/acts", {"acts": [card("B1", "AC")]}, 1, key).status_code == 412
    assert table.post(f"{partida}/acts", {"acts": [card("B1", "AC")]}, 3, key).status_code == 200


def test_of_many_who_send_the_same_one_records(table: HttpTable, partida: str) -> None:
    key = table.key()

    def send(_: int) -> tuple[int, str | None]:
        headers = {**table.owner(), "Idempotency-Key": key, "If-Match": '"3"'}
        body = {"acts": [card("B1", "AC")]}
        answer = table.app.test_client().post(f"{partida}/acts", json=body, headers=headers)
        return answer.status_code, answer.headers.get("Idempotent-Replayed")

    with ThreadPoolExecutor(8) as pool:
        answers = sorted(pool.map(send, range(16)), key=str)
    assert answers == [*[(200, "true")] * 15, (200, None)]


def test_of_rivals_one_records(table: HttpTable, partida: str) -> None:
    def send(number: int) -> int:
        headers = {**table.owner(), "Idempotency-Key": f"rival-{number:04}", "If-Match": '"3"'}
        body = {"acts": [card("B1", "AC")]}
        return (
            table.app.test_client().post(f"{partida}/acts", json=body, headers=headers).status_code
        )

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(send, range(12))) == [200] + [412] * 11


def test_a_correction_is_seen_before_it_is_made(table: HttpTable, partida: str) -> None:
    change = {
        "changes": [{"line": 3, "how": "replace", "act": card("A1", "2C")}],
        "because": "mal visto",
    }
    table.record(partida, 3, card("B1", "4C"), card("A2", "5C"), card("B2", "6C"))
    seen = table.client.post(f"{partida}/amendments/preview", json=change, headers=table.owner())
    assert (seen.status_code, seen.headers["ETag"]) == (200, '"6"')
    totals = [seen.json[side]["score"]["totals"] for side in ("before", "after")]
    assert totals == [{"A": 10}, {"A": 0}]
    assert seen.json["words"] == ["Tantos de Ana y Celia: 10 → 0"]
    assert table.get(partida).json["version"] == 6
    assert "partida" not in seen.json["after"]
    made = table.post(f"{partida}/amendments", change, 6)
    assert (made.status_code, made.json["lines"]) == (200, [7])
    assert table.get(partida).json["totals"] == {"A": 0, "B": 0}
    entries = table.get(f"{partida}/audit").json["items"]
    assert list(entries[-1]["texts"].values()) == ["mal visto"]
    assert next(one for one in entries if one["line"] == 3)["amended_by"] == [7]


CHANGES: list[tuple[str, dict[str, Any], int]] = [
    ("a line that is not there", {"line": 99, "how": "withdraw"}, 409),
    ("nothing in place of something", {"line": 3, "how": "replace"}, 422),
    ("something withdrawn", {"line": 3, "how": "withdraw", "act": card("A1", "2C")}, 422),
    ("an impossible card", {"line": 3, "how": "replace", "act": card("A1", "9O")}, 409),
    ("line 0", {"line": 0, "how": "withdraw"}, 422),
]


@pytest.mark.parametrize(
    ("change", "status"), [row[1:] for row in CHANGES], ids=[row[0] for row in CHANGES]
)
def test_a_correction_that_cannot_be_is_refused(
    table: HttpTable, partida: str, change: dict[str, Any], status: int
) -> None:
    answer = table.post(f"{partida}/amendments", {"changes": [change]}, 3)
    assert answer.status_code == status
    assert table.get(partida).json["version"] == 3


def test_undo_takes_back_one_line_after_the_other(table: HttpTable, partida: str) -> None:
    for version in (3, 4, 5):
        assert table.post(f"{partida}/undo", version=version).status_code == 200
    answer = table.post(f"{partida}/undo", version=6)
    assert (answer.status_code, answer.json["code"]) == (409, "nothing-to-undo")
    assert table.get(partida).json["deals"] == []


def test_a_refusal_names_rule_and_facts_in_the_language_asked_for(
    table: HttpTable, partida: str
) -> None:
    answers = {
        lang: table.post(
            f"{partida}/acts", {"acts": [card("B1", "3C")]}, 3, **{"Accept-Language": lang}
        ).json
        for lang in ("es", "ca", "en", "fr")
    }
    assert {one["rule"] for one in answers.values()} == {"card-played-before"}
    assert answers["es"]["detail"] == "El tres de copas ya se ha jugado en este reparto."
    assert len({one["detail"] for one in answers.values()}) == 4


def test_a_text_is_kept_apart_from_the_log(table: HttpTable, partida: str, tmp_path: Path) -> None:
    act = {"kind": "incident", "incident": "talk", "seat": "B1", "text": "habló con Ana"}
    assert table.record(partida, 3, act).status_code == 200
    last = table.get(f"{partida}/audit").json["items"][-1]
    assert last["texts"] == {last["fact"]["text"]: "habló con Ana"}
    log = b"".join(one.read_bytes() for one in tmp_path.glob("log.sqlite*"))
    assert "habló".encode() not in log


def test_a_write_that_is_not_made_leaves_no_text(
    table: HttpTable, partida: str, tmp_path: Path
) -> None:
    act = {"kind": "incident", "incident": "other", "text": "secretísimo"}
    key = table.key()
    assert table.post(f"{partida}/acts", {"acts": [act]}, 1, key).status_code == 412
    kept = b"".join(one.read_bytes() for one in tmp_path.glob("persons.sqlite*"))
    assert "secretísimo".encode() not in kept


@pytest.mark.parametrize("name", ["a:b", "x" * 81, "tab\tlet"])
def test_a_device_whose_name_could_be_taken_for_another_is_refused(
    table: HttpTable, partida: str, name: str
) -> None:
    body = {"acts": [card("B1", "AC")]}
    answer = table.post(f"{partida}/acts", body, 3, **{"Guinote-Device": name})
    assert (answer.status_code, answer.json["code"]) == (400, "bad_request")
    assert table.get(partida).json["version"] == 3
