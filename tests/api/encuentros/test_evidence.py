"""Evidence over HTTP: verdicts with proof and text, known hands, other profiles."""

from __future__ import annotations

from typing import Any

from tests.support.servers.http_table import HttpTable

START = [
    {"kind": "deal", "dealer": "B2"},
    {"kind": "pinta", "card": "4O"},
]
FALSE = [("A1", "2C"), ("B1", "6E"), ("A2", "4C"), ("B2", "7C")]
PROOF = [("B2", "4E"), ("A1", "2E"), ("B1", "5C")]


def cards(*plays: tuple[str, str]) -> list[dict[str, Any]]:
    return [{"kind": "card", "seat": seat, "card": card} for seat, card in plays]


def partida(table: HttpTable, *plays: tuple[str, str], profile: str = "sin-mazo") -> str:
    found = table.partida(table.encuentro(profile))
    acts = [*START, *cards(*plays)]
    answer = table.record(found, 0, *acts)
    assert answer.status_code == 200, answer.text
    return found


def act(table: HttpTable, found: str, line: int, at: int | None = None) -> dict[str, Any]:
    query = "" if at is None else f"?line={at}"
    acts = table.get(f"{found}/evidence{query}").json["acts"]
    return next(one for one in acts if one["line"] == line)


def test_an_act_is_open_until_a_card_proves_it(table):
    found = partida(table, *FALSE, *PROOF)
    before = act(table, found, 4, at=8)
    assert (before["verdict"], before["since"], before["rule"]) == ("open", None, None)
    assert "5C" in before["settles"]["cards"]
    after = act(table, found, 4)
    assert (after["verdict"], after["since"], after["rule"]) == ("unlawful", 9, "follow")
    assert after["proof"] == {"lines": [3, 4, 9], "cards": ["5C"]}
    assert after["article"]["profile"] == "sin-mazo"
    assert after["slip"]["kind"] == "seats_swapped"


def test_a_verdict_is_explained_in_four_languages(table):
    found = partida(table, *FALSE, *PROOF)
    texts = {}
    for lang in ("es", "ca", "en", "fr"):
        answer = table.get(f"{found}/evidence", **{"Accept-Language": lang}).json
        (one,) = [each for each in answer["acts"] if each["line"] == 4]
        texts[lang] = one["text"]
        assert "Blas" in one["text"]
        assert one["slip"]["text"]
    assert texts["es"] == (
        "Blas llevaba el cinco de copas. Lo prueba: el dos de copas de Ana, el seis de espadas de Blas"
        " y el cinco de copas de Blas."
    )
    assert len(set(texts.values())) == 4


def test_what_is_seen_after_the_proof_is_told_after_it(table):
    """A trump that was kept back proves the breach, and a copa two tricks later names the duty."""
    trumps = [("B2", "6O"), ("A1", "7O"), ("B1", "3O"), ("A2", "5O")]
    found = partida(table, *FALSE, *trumps, ("B1", "5C"))
    one = act(table, found, 4)
    assert (one["rule"], one["since"], one["proof"]["lines"]) == ("follow", 9, [3, 4, 9])
    assert one["later"] == {"line": 11, "cards": ["5C"]}
    assert one["text"] == (
        "Blas llevaba el tres de oros. Lo prueba: el dos de copas de Ana, el seis de espadas de Blas"
        " y el tres de oros de Blas."
        " Después se vio que llevaba el cinco de copas: el cinco de copas de Blas."
    )
    before = act(table, found, 4, at=9)
    assert (before["rule"], before["later"]) == ("trump", None)
    assert {key: before[key] for key in ("since", "proof", "by_count")} == {
        key: one[key] for key in ("since", "proof", "by_count")
    }


def test_hands_are_shown_as_known_and_never_invented(table):
    found = partida(table, *FALSE, *PROOF)
    hands = table.get(f"{found}/knowledge").json["hands"]
    assert hands["B2"]["certain"] == ["4O"], "the dealer turned their last card"
    assert hands["A1"]["certain"] == []
    assert "5C" in hands["A1"]["not"]
    assert {hands[seat]["size"] for seat in ("A2",)} == {9}
    early = table.get(f"{found}/knowledge?line=2").json
    assert (early["line"], early["hands"]["A1"]["size"]) == (2, 10)


def test_the_same_record_under_another_profile(table):
    plays = [("A1", "4C"), ("B1", "RC"), ("A2", "2C"), ("B2", "6C"), ("B1", "4E"), ("A2", "AC")]
    found = partida(table, *plays)
    view = table.get(f"{found}/what-if?profile=sin-mazo").json
    assert (view["options"], view["acts"]) == ([], [])
    refused = table.get(f"{found}/what-if?profile=club")
    assert refused.status_code == 422
    assert refused.json["codes"] == {"query": {"profile": ["other_deal"]}}
    assert "Cartas para cada uno" in refused.json["errors"]["query"]["profile"][0]
    unknown = table.get(f"{found}/what-if?profile=nobody")
    assert unknown.status_code == 422
    assert unknown.json["errors"]["query"]["profile"]


def test_what_is_not_there_is_not_found(table):
    found = partida(table, *FALSE)
    for path in ("evidence?line=99", "knowledge?line=99", "what-if?profile=club&line=99"):
        assert table.get(f"{found}/{path}").status_code == 404
    assert table.client.get(f"{found}/evidence").status_code == 401
