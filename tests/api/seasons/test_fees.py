"""Fees and prizes of an evening and a season: what one types, who has paid, what everybody sees."""

from __future__ import annotations

import re
from typing import Any

import pytest

from api.http.spreadsheets import parse_numbered_rows
from tests.api.seasons.test_pairs import club_pairs, evening
from tests.api.seasons.test_seasons import drawn, opened, rule, season, session, version
from tests.api.seasons.test_session_pages import Secretary
from tests.support.servers.http_table import HttpTable

FOUR = ("Los Gavilanes", "Los Reyes", "As de Oros", "Tute")
TERMS = {"fee": 500, "kept": 100, "prizes": [{"amount": 1000}, {"words": "un jamón"}]}


@pytest.fixture
def secretary(table: HttpTable) -> Secretary:
    return Secretary(table)


def path_of(address: str) -> str:
    """The page of an evening or a season of the API."""
    kind, _, one = address.removeprefix("/api/v1/").partition("/")
    return f"/{'jornadas' if kind == 'sessions' else 'temporadas'}/{one}"


def fees(table: HttpTable, of_what: str) -> dict[str, Any]:
    answer = table.get(f"{of_what}/fees")
    assert answer.status_code == 200, answer.text
    return dict(answer.json)


def set_fees(table: HttpTable, of_what: str, **more: Any) -> None:
    answer = table.post(f"{of_what}/fees", {**TERMS, **more}, version(table, of_what))
    assert answer.status_code == 200, answer.text


def pay(table: HttpTable, of_what: str, **body: Any) -> Any:
    sent = {"paid": True, **body}
    return table.post(f"{of_what}/fees/payments", sent, version(table, of_what))


def paid(table: HttpTable, of_what: str) -> list[str]:
    return [one["name"] for one in fees(table, of_what)["payers"] if one["paid"]]


def played(table: HttpTable) -> str:
    """An evening of four pairs at two tables, the first side of each of which won."""
    where = evening(table, *FOUR)
    drawn(table, where, method="seed", seed="Calamocha")
    for one in opened(table, where):
        rule(table, one, "A")
    return where


def test_the_pot_follows_from_who_has_paid_and_the_prizes_go_by_the_table(
    table: HttpTable,
) -> None:
    where = played(table)
    set_fees(table, where)
    pairs = club_pairs(table)
    for name in FOUR[:3]:
        assert pay(table, where, pair=pairs[name]).status_code == 200
    found = fees(table, where)
    money = ("paid", "unpaid", "received", "for_club", "pot", "in_prizes", "left")
    assert [found[one] for one in money] == [3, 1, 1500, 300, 1200, 1000, 200]
    assert [one["name"] for one in found["payers"]] == sorted(FOUR)
    won = {one["name"] for one in table.get(where).json["standings"] if one["place"] == 1}
    assert len(won) == 2
    for prize in found["prizes"]:  # both won, and share the prizes of both places
        assert {one["name"] for one in prize["winners"]} == won
    back = pay(table, where, pair=pairs["Los Reyes"], paid=False)
    assert back.status_code == 200
    assert paid(table, where) == ["As de Oros", "Los Gavilanes"]


def test_what_cannot_be_is_refused_in_words(table: HttpTable) -> None:
    where = evening(table, *FOUR)
    pairs = club_pairs(table)
    reyes = {"pair": pairs["Los Reyes"]}
    assert pay(table, where, **reyes).json["code"] == "no-fee"
    set_fees(table, where)
    assert pay(table, where, paid=False, **reyes).json["code"] == "fee-not-paid"
    assert pay(table, where, **reyes).status_code == 200
    assert pay(table, where, **reyes).json["code"] == "fee-paid"
    person = table.get(where).json["present"][0]
    assert pay(table, where, person=person).json["code"] == "other-competitors"
    assert pay(table, where, pair="0" * 32).json["codes"] == {"json": {"pair": ["no_such_pair"]}}
    assert pay(table, where).status_code == 422
    wrong = {"fee": 500, "kept": 501, "prizes": [{"amount": 1, "words": "más"}]}
    codes = table.post(f"{where}/fees", wrong, version(table, where)).json["codes"]["json"]
    assert codes["prizes"]["0"]["_schema"] == ["amount_or_words"]
    more = table.post(f"{where}/fees", {"fee": 500, "kept": 501}, version(table, where))
    assert more.json["codes"] == {"json": {"kept": ["more_than_the_fee"]}}
    assert paid(table, where) == ["Los Reyes"]


def test_who_has_paid_is_on_no_public_page(table: HttpTable) -> None:
    where = played(table)
    league = season(table, of="pairs")
    set_fees(table, where)
    set_fees(table, league)
    stranger = table.app.test_client()
    addresses = [where, league, path_of(where), path_of(league), f"{path_of(where)}/hoja"]
    addresses += [f"{path_of(league)}/puntos.csv", f"/api/v1/public/sessions/{where[-36:]}"]

    def seen() -> list[str]:
        table.get(league)  # the views have followed
        answers = [stranger.get(one) for one in addresses]
        assert [one.status_code for one in answers] == [200] * len(addresses)
        return [re.sub(r'"version":\d+|nonce-[^\']+', "", one.text) for one in answers]

    before = seen()
    for of_what in (where, league):
        assert pay(table, of_what, pair=club_pairs(table)["Tute"]).status_code == 200
        assert paid(table, of_what) == ["Tute"]
    assert seen() == before
    for of_what in (where, league):
        hidden = (f"{of_what}/fees", f"{path_of(of_what)}/cuotas", f"{path_of(of_what)}/cuotas.csv")
        assert {stranger.get(one).status_code for one in hidden} <= {302, 303, 401}
        spectator = table.signed_in("spectator")
        assert stranger.get(f"{of_what}/fees", headers=spectator).status_code == 403


def test_fee_and_prizes_are_one_line_of_the_public_page_with_names_at_the_end(
    table: HttpTable,
) -> None:
    where = session(table, names=("Ana", "Blas", "Celia", "Diego"))
    drawn(table, where, method="seed", seed="Calamocha")
    (encuentro,) = opened(table, where)
    stranger = table.app.test_client()

    def shown() -> str:
        table.get(where)
        return str(stranger.get(path_of(where)).text)

    assert "Cuota" not in shown()
    set_fees(table, where, prizes=[{"amount": 1050}, {"words": "un jamón"}, {"words": "café"}])
    line = "Cuota: 5\u00a0€ por persona. Premios: 1.º 10,50\u00a0€, 2.º un jamón, 3.º café."
    assert line in shown()
    rule(table, encuentro, "A")
    assert line in shown()
    assert table.post(f"{where}/closing", version=version(table, where)).status_code == 200
    first, second = (one["name"] for one in table.get(where).json["standings"] if one["place"] == 1)
    assert f"1.º 10,50\u00a0€, 2.º un jamón ({first}, {second}), 3.º café (" in shown()
    assert table.get(where).json["prizes"][1] == {"amount": 0, "words": "un jamón"}


def test_a_secretary_types_three_fields_and_taps_once_a_pair(secretary: Secretary) -> None:
    table = secretary.table
    where = played(table)
    secretary.path = path_of(where)
    assert f'href="{secretary.path}/cuotas"' in secretary.page()
    typed = {"fee": "5,50 €", "kept": "1", "prizes": "1.º 60 €\n2º: un jamón\n\n1.500"}
    assert secretary.do("cuotas", **typed).status_code == 303
    secretary.page()
    found = fees(table, where)
    assert (found["fee"], found["kept"]) == (550, 100)
    assert [(one["amount"], one["words"]) for one in found["prizes"]] == [
        (6000, None),
        (0, "un jamón"),
        (150000, None),
    ]
    forms = re.findall(
        r'name="key" value="([0-9a-f]{64})"><input type="hidden" name="pair" value="(\w+)">'
        r'<input type="hidden" name="paid" value="yes">',
        secretary.page(f"{secretary.path}/cuotas"),
    )
    assert len(forms) == 4
    key, pair = forms[0]
    tap = secretary.send(f"{secretary.path}/cuotas/pagos", key=key, pair=pair, paid="yes")
    assert tap.headers["Location"].endswith(f"#q-{pair}")
    again = secretary.send(f"{secretary.path}/cuotas/pagos", key=key, pair=pair, paid="yes")
    assert again.status_code == 303  # a double tap is one payment
    page = secretary.page(f"{secretary.path}/cuotas")
    assert "1 de 4" in page
    assert "4,50\u00a0€" in page  # the pot
    assert 'value="5,50\u00a0€"' in page  # as it can be typed again
    assert "60\u00a0€\nun jamón\n1500\u00a0€</textarea>" in page
    back = secretary.send(f"{secretary.path}/cuotas/pagos", pair=pair, paid="no")
    assert back.status_code == 303
    assert "0 de 4" in secretary.page(f"{secretary.path}/cuotas")


def test_what_is_no_amount_is_said_and_nothing_typed_is_lost(secretary: Secretary) -> None:
    secretary.path = path_of(evening(secretary.table, *FOUR))
    answer = secretary.do("cuotas", fee="cinco", kept="", prizes="un jamón")
    assert answer.status_code == 422
    assert "Pon una cantidad, como 5 o 5,50." in answer.text
    assert 'value="cinco"' in answer.text
    assert ">un jamón</textarea>" in answer.text


def test_the_next_evening_proposes_the_fee_of_the_last(secretary: Secretary) -> None:
    table = secretary.table
    set_fees(table, evening(table, "Los Reyes"))
    page = secretary.page(f"{path_of(evening(table, 'Tute'))}/cuotas")
    assert 'value="5\u00a0€"' in page
    assert "10\u00a0€\nun jamón</textarea>" in page
    assert "Cuota" not in table.app.test_client().get(path_of(evening(table, "Oros"))).text


def test_somebody_pays_late_or_before_they_come(secretary: Secretary) -> None:
    table = secretary.table
    league = season(table, of="pairs")
    where = evening(table, *FOUR, league=league)
    for of_what in (where, league):
        set_fees(table, of_what)
        assert table.post(f"{of_what}/closing", version=version(table, of_what)).status_code == 200
        evening(table, "Los de Ejea")
        page = secretary.page(f"{path_of(of_what)}/cuotas")
        pair = club_pairs(table)["Los de Ejea"]
        assert f'<option value="{pair}">Los de Ejea</option>' in page
        sent = secretary.send(f"{path_of(of_what)}/cuotas/pagos", pair=pair, paid="yes")
        assert sent.status_code == 303
        secretary.page()
        assert paid(table, of_what) == ["Los de Ejea"]
        assert len(fees(table, of_what)["payers"]) == 5


def test_the_file_has_a_line_each_with_place_and_prize(secretary: Secretary) -> None:
    table = secretary.table
    where = played(table)
    set_fees(table, where, fee=550, prizes=[*TERMS["prizes"], {"amount": 500}, {"words": "=1"}])
    assert pay(table, where, pair=club_pairs(table)["As de Oros"]).status_code == 200
    answer = secretary.client.get(f"{path_of(where)}/cuotas.csv")
    assert "attachment" in answer.headers["Content-Disposition"]
    head, *rows = [one.cells for one in parse_numbered_rows(answer.data.decode())]
    assert head == ["Pareja", "Pagado", "Importe", "Para el club", "Puesto", "Premio"]
    found = {one[0]: one[1:] for one in rows}
    assert found["As de Oros"][:3] == ["sí", "5,50", "1,00"]
    assert found["Tute"][:3] == ["no", "0,00", "0,00"]
    shared = "1.º 10\u00a0€ (a repartir entre 2) + 2.º un jamón (a repartir entre 2)"
    assert max(one[4] for one in found.values()).startswith("3.º")
    assert [one[3] for one in found.values() if one[4] == shared] == ["1", "1"]


def test_an_erased_person_and_a_merged_one_keep_their_payment_under_no_name(
    table: HttpTable,
) -> None:
    where = session(table, names=("Ana", "Anna", "Celia", "Diego"))
    set_fees(table, where)
    ids = {name: who for who, name in table.get(where).json["names"].items()}
    for name in ("Anna", "Celia"):
        assert pay(table, where, person=ids[name]).status_code == 200
    merge = {"kept": ids["Ana"], "gone": ids["Anna"]}
    answer = table.post("/api/v1/players/merges", merge)
    assert answer.status_code == 200, answer.text
    assert paid(table, where) == ["Ana", "Celia"]
    assert pay(table, where, person=ids["Ana"], paid=False).status_code == 200
    assert paid(table, where) == ["Celia"]
    gone = table.client.delete(f"/api/v1/persons/{ids['Celia']}", headers=table.owner())
    assert gone.status_code in (200, 204), gone.text
    assert paid(table, where) == [None]
    page = table.client.get(f"{path_of(where)}/cuotas", headers=table.owner()).text
    csv = table.client.get(f"{path_of(where)}/cuotas.csv", headers=table.owner()).text
    assert "Celia" not in page + csv
    assert "sin nombre" in page
    assert '"sin nombre";"sí"' in csv
