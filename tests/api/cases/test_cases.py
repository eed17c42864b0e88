"""Cases over HTTP: opened, proved, previewed, ruled, appealed, closed."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from referee.rules.articles import Rule
from tests.support.records.table_text import dealt, plays
from tests.support.servers.http_table import HttpTable, card, deal, pinta

ANA, BLAS, JUEZ, OTRO = ({"name": name} for name in ("Ana", "Blas", "Julia Juez", "Óscar"))
SOVEREIGN = {"kind": "sovereign"}
PHOTO = {"sha256": "ab" * 32, "media_type": "image/jpeg"}


@pytest.fixture
def partida(table: HttpTable) -> str:
    where = table.partida()
    assert table.record(where, 0, deal(), pinta(), card("A1", "AC")).status_code == 200
    return where


def of(partida: str) -> str:
    return partida.rpartition("/partidas/")[0]


def dispute(table: HttpTable, partida: str, **more: Any) -> str:
    """Address of a new case."""
    where = of(partida)
    body = {"by": ANA, "side": "A", "partida": 1, "lines": [3], "because": "No asistió.", **more}
    answer = table.post(f"{where}/cases", body, table.get(where).json["version"])
    assert answer.status_code == 201, answer.text
    return str(answer.headers["Location"])


def verdict(effect: str = "partida", **more: Any) -> dict[str, Any]:
    return {"effect": effect, "ground": SOVEREIGN, "because": "Está visto.", **more}


def ruling(**more: Any) -> dict[str, Any]:
    return {"by": JUEZ, "verdict": verdict(side="A"), "appeal_minutes": 30, **more}


def preview(table: HttpTable, address: str, body: dict[str, Any]) -> Any:
    return table.client.post(f"{address}/preview", json=body, headers=table.owner())


def confirmed(table: HttpTable, address: str, body: dict[str, Any]) -> Any:
    """Preview, then confirm at the versions of the preview."""
    seen = preview(table, address, body)
    assert seen.status_code == 200, seen.text
    body = {**body, "partida_version": seen.json["partida_version"]}
    return table.post(address, body, seen.json["version"])


def test_a_case_from_its_opening_to_its_last_word(table: HttpTable, partida: str) -> None:
    case = dispute(table, partida, suspends=True)
    assert case == f"{of(partida)}/cases/1"
    assert table.get(partida).json["suspended"]
    proof = {"by": {"name": "Mirón"}, "lines": [3], "note": "Lo vi.", "photo": PHOTO}
    assert table.post(f"{case}/evidence", proof, 1).status_code == 200
    made = confirmed(table, f"{case}/ruling", ruling())
    assert (made.status_code, made.json["version"]) == (200, 3)
    assert table.get(partida).json["decided"]["winner"] == "A"
    assert not table.get(partida).json["suspended"]
    appeal = {"by": BLAS, "side": "B", "because": "No es cierto."}
    assert table.post(f"{case}/appeal", appeal, 3).status_code == 200
    decision = {"by": OTRO, "because": "No está probado.", "verdict": verdict("warning", side="B")}
    assert confirmed(table, f"{case}/decision", decision).status_code == 200
    assert table.get(partida).json["decided"] is None
    assert table.post(f"{case}/closing", {"by": OTRO}, 5).status_code == 200
    view = table.get(case).json
    assert (view["stage"], view["version"]) == ("closed", 6)
    assert view["texts"][view["text"]] == "No asistió."
    assert view["names"][view["by"]] == "Ana"
    assert view["ruled"]["verdict"]["effect"] == "partida"
    assert view["verdict"]["effect"] == "warning"
    assert view["words"]["decided"]["effect"] == "Aviso para Blas y Diego."
    listed = table.get(f"{of(partida)}/cases").json
    assert [one["number"] for one in listed["items"]] == [1]
    assert listed["warnings"] == {"B": [{"partida": 1, "line": 6}]}
    trail = table.get(f"{case}/audit").json["items"]
    assert [one["event"] for one in trail] == [
        "CaseOpened.1", "EvidenceAttached.1", "CaseRuled.1", "Appealed.1", "AppealDecided.1", "CaseClosed.1",
    ]  # fmt: skip
    assert all(one["at"] and one["device"] for one in trail)


def test_a_preview_tells_only_what_differs_and_in_words(table: HttpTable, partida: str) -> None:
    case = dispute(table, partida)
    seen = preview(table, f"{case}/ruling", ruling())
    assert (seen.status_code, seen.headers["ETag"]) == (200, '"1"')
    assert seen.json["before"]["partida"]["decided"] is None
    assert seen.json["after"]["partida"]["decided"]["winner"] == "A"
    assert seen.json["after"]["coto"] == {"camas": {"A": 1}}
    assert "score" not in seen.json["after"]
    words = [
        "Partida: sin decidir → ganan Ana y Celia, por decisión del árbitro",
        "Partidas de Ana y Celia en el coto: 0 → 1",
    ]
    assert seen.json["words"][:2] == words
    assert seen.json["partida_version"] == 3
    nothing = preview(table, f"{case}/ruling", ruling(verdict=verdict("none")))
    assert (nothing.json["before"], nothing.json["after"]) == ({}, {})
    assert nothing.json["words"] == ["No cambia nada."]
    assert table.get(case).json["version"] == 1
    assert len(table.get(of(partida)).json["names"]) == 4


def test_an_appeal_that_would_give_the_partida_to_the_other_side_is_previewed(
    table: HttpTable, partida: str
) -> None:
    case = dispute(table, partida)
    assert confirmed(table, f"{case}/ruling", ruling()).status_code == 200
    appeal = {"by": BLAS, "side": "B", "because": "No es cierto."}
    assert table.post(f"{case}/appeal", appeal, 2).status_code == 200
    decision = {"by": OTRO, "because": "Era de B.", "verdict": verdict(side="B")}
    seen = preview(table, f"{case}/decision", decision)
    assert seen.status_code == 200, seen.text
    decided = [seen.json[when]["partida"]["decided"] for when in ("before", "after")]
    assert [(one["winner"], one["how"]) for one in decided] == [("A", "ruling"), ("B", "ruling")]
    assert seen.json["words"][0] == (
        "Partida: ganan Ana y Celia, por decisión del árbitro → ganan Blas y Diego, por decisión del árbitro"
    )


def test_what_was_previewed_at_another_version_is_stale(table: HttpTable, partida: str) -> None:
    case = dispute(table, partida)
    body = ruling(partida_version=3)
    assert table.post(f"{case}/ruling", body, 2).status_code == 412
    assert table.record(partida, 3, card("B1", "3C")).status_code == 200
    answer = table.post(f"{case}/ruling", body, 1)
    assert (answer.status_code, answer.json["version"], answer.json["of"]) == (412, 4, "partida")
    assert table.post(f"{case}/ruling", {**body, "partida_version": 4}, 1).status_code == 200


def test_a_ruling_cites_the_frozen_profile_and_says_when_it_is_silent(
    table: HttpTable,
) -> None:
    partida = table.partida(table.encuentro("guinyot"))
    case = dispute(table, partida, lines=[])
    ground: dict[str, Any] = {"kind": "article", "option": "overtrump"}
    bare = preview(table, f"{case}/ruling", ruling(verdict=verdict(side="A", ground=ground)))
    assert (bare.status_code, bare.json["code"]) == (409, Rule.BASIS_DIFFERS.value)
    assert bare.json["facts"] == {"option": "overtrump", "basis": "silent"}
    said = {**ground, "basis": "silent"}
    body = ruling(verdict=verdict(side="A", ground=said))
    assert confirmed(table, f"{case}/ruling", body).status_code == 200
    view = table.get(case).json
    assert view["verdict"]["ground"]["value"] is True
    assert "el reglamento no lo dice" in view["words"]["ruled"]["ground"]


def test_a_name_that_is_known_is_the_same_person(table: HttpTable, partida: str) -> None:
    case = dispute(table, partida)
    confirmed(table, f"{case}/ruling", ruling())
    table.post(f"{case}/appeal", {"by": BLAS, "side": "B", "because": "No."}, 2)
    for name in ("julia  JUEZ", "Blas", "Ana"):
        again = preview(table, f"{case}/decision", {"by": {"name": name}, "because": "Sí."})
        assert (again.status_code, again.json["code"]) == (409, Rule.SAME_PERSON.value), name
    view = table.get(case).json
    seats = table.get(of(partida)).json["seats"]
    assert (view["by"], view["appealed"]["by"]) == (seats["A1"], seats["B1"])
    unknown = {"by": {"person": "0" * 32}, "because": "Sí."}
    assert preview(table, f"{case}/decision", unknown).status_code == 422


def test_the_time_for_an_appeal_is_over(table: HttpTable, partida: str) -> None:
    case = dispute(table, partida)
    confirmed(table, f"{case}/ruling", ruling(appeal_minutes=0))
    answer = table.post(f"{case}/appeal", {"by": BLAS, "side": "B", "because": "No."}, 2)
    assert (answer.status_code, answer.json["code"]) == (409, Rule.NOT_APPEALABLE.value)


BAD: list[tuple[str, dict[str, Any], str]] = [
    ("an article without option", {"verdict": verdict(ground={"kind": "article"})}, "option"),
    (
        "an unknown option",
        {"verdict": verdict(ground={"kind": "article", "option": "x"})},
        "option",
    ),
    (
        "a basis of no article",
        {"verdict": verdict(ground={"kind": "sovereign", "basis": "silent"})},
        "basis",
    ),
    ("an effect that is none", {"verdict": verdict("prize")}, "effect"),
    ("no reason", {"verdict": {"effect": "none", "ground": SOVEREIGN}}, "because"),
    ("endless time", {"appeal_minutes": 10**6}, "appeal_minutes"),
    ("nobody", {"by": {}}, "by"),
]


@pytest.mark.parametrize(("_why", "more", "field"), BAD, ids=[row[0] for row in BAD])
def test_what_is_no_ruling(
    table: HttpTable, partida: str, _why: str, more: dict[str, Any], field: str
) -> None:
    case = dispute(table, partida)
    answer = preview(table, f"{case}/ruling", ruling(**more))
    assert answer.status_code == 422
    assert f'"{field}"' in answer.text


def test_evidence_that_is_none(table: HttpTable, partida: str) -> None:
    case = dispute(table, partida)
    assert table.post(f"{case}/evidence", {"by": ANA}, 1).status_code == 409
    photo = {**PHOTO, "sha256": "AB" * 32}
    assert table.post(f"{case}/evidence", {"by": ANA, "photo": photo}, 1).status_code == 422
    assert table.get(f"{of(partida)}/cases/2").status_code == 404


def test_a_ruling_without_a_case_is_previewed_too(table: HttpTable, partida: str) -> None:
    act = {"kind": "ruling", "effect": "partida", "side": "B", "text": "Se fueron."}
    seen = preview(table, f"{partida}/acts", {"acts": [act]})
    assert seen.json["after"]["partida"]["decided"]["winner"] == "B"
    match = preview(table, f"{of(partida)}/rulings", {"winner": "", "because": "Lluvia."})
    assert match.json["words"] == [
        "Encuentro: sin decidir → empate",
        "Resultado: sin terminar → provisional",
    ]
    assert match.headers["ETag"] == f'"{table.get(of(partida)).json["version"]}"'


def test_a_preview_says_what_goes_away(table: HttpTable, partida: str) -> None:
    case = dispute(table, partida)
    confirmed(table, f"{case}/ruling", ruling(verdict=verdict("warning", seat="B2")))
    table.post(f"{case}/appeal", {"by": BLAS, "side": "B", "because": "No."}, 2)
    decision = {"by": OTRO, "because": "No.", "verdict": verdict(side="B")}
    words = preview(table, f"{case}/decision", decision).json["words"]
    assert words[0] == "Partida: sin decidir → ganan Blas y Diego, por decisión del árbitro"
    assert words[-2:] == ["Sin el aviso a Blas y Diego", "Daría Diego la siguiente."]
    upheld = preview(table, f"{case}/decision", {"by": OTRO, "because": "Sí."})
    assert upheld.json["words"] == ["No cambia nada."]
    won = preview(table, f"{of(partida)}/rulings", {"winner": "B", "because": "Se fueron."})
    assert won.json["words"][0] == "Encuentro: sin decidir → ganan Blas y Diego"


def test_somebody_is_known_by_their_id_too(table: HttpTable, partida: str) -> None:
    seats = table.get(of(partida)).json["seats"]
    case = dispute(table, partida, by={"person": seats["A2"]})
    assert table.get(case).json["by"] == seats["A2"]


PLAYED = [card("A1", "AC"), card("B1", "2C"), card("A2", "4C"), card("B2", "5C")]
SUNG = {"kind": "cante", "seat": "A1", "suit": "E", "shown": False}


@pytest.mark.parametrize(
    ("edition", "apart"), [("2026-1", ["Tantos de la pareja A: 31 → 11"]), ("2026-2", [])]
)
def test_a_preview_tells_apart_what_todays_law_alone_would_change(
    table: HttpTable, edition: str, apart: list[str]
) -> None:
    """A 20 that had to be shown, and was not, counted under the first edition."""
    match = table.post("/api/v1/encuentros", {"profile": {"id": "club", "edition": edition}})
    partida = table.partida(match.headers["Location"])
    table.record(partida, 0, deal(), pinta(), *PLAYED, SUNG)
    correction = {"changes": [{"line": 6, "how": "replace", "act": card("B2", "6C")}]}
    said = preview(table, f"{partida}/amendments", correction).json
    assert said["words"] == ["No cambia nada."]
    assert said["earlier_law"] == apart


def test_who_confirms_the_later_of_two_renuncios_is_told_of_the_earlier(table: HttpTable) -> None:
    """Celia does not follow at lines 5 and 13; the cards that she lays later prove both."""
    proved = plays(
        "A1 2C, B1 3C, A2 AB, B2 5C, B1 2B, A2 RC, B2 4B, A1 5B, A1 4E, B1 5E, A2 7C, B2 6C,"
        " B1 2E, A2 3E, B2 4C, A1 6E"
    )
    partida = table.partida(table.encuentro("sin-mazo"))
    acts = [dict(msgspec.to_builtins(act)) for act in [*dealt(), *proved]]
    assert table.record(partida, 0, *acts).status_code == 200
    text = "Antes hay otro renuncio probado: baza 1, as de bastos. Pierde el primero."
    case = dispute(table, partida, lines=[13])
    seen = preview(table, f"{case}/ruling", ruling(verdict=verdict("renuncio", line=13)))
    assert f"Indicio nuevo de Celia: {text}" in seen.json["words"]
    act = {"kind": "ruling", "effect": "renuncio", "line": 13, "text": "Está visto."}
    alone = preview(table, f"{partida}/acts", {"acts": [act]})
    assert f"Indicio nuevo de Celia: {text}" in alone.json["words"]
    first = preview(table, f"{partida}/acts", {"acts": [{**act, "line": 5}]})
    assert text not in " ".join(first.json["words"])
    version = table.get(partida).json["version"]
    assert table.record(partida, version, act).status_code == 200
    found = table.get(f"{partida}/findings").json["findings"]
    assert [(one["line"], one["text"]) for one in found if one["rule"] == "earlier-renuncio"] == [
        (version + 1, text)
    ]
