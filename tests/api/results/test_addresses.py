"""A table's or a pair's own address: told, agreed to, denied; wrong, renewed, closed."""

from __future__ import annotations

import logging
import re
from typing import Any
from uuid import UUID

import pytest
from flask import before_render_template

from referee.aggregates.session import AddressSubject
from tests.api.results.test_scores import OURS, PLAYERS, Evening
from tests.support.guesses import use_up_strong
from tests.support.servers.http_table import HttpTable

TABLE = AddressSubject(1)


class Phones(Evening):
    """An evening whose players have phones, and cards on the table."""

    def __init__(self, table: HttpTable, players: int = 4, **profile: Any) -> None:
        super().__init__(table, players, **profile)
        self.phone = table.app.test_client()

    def address(self, subject: AddressSubject = TABLE) -> str:
        here = self.table.app.extensions["guinote"]()
        session = UUID(self.path.rpartition("/")[2])
        state = here.referee.seasons.session(session)
        return f"/m/{here.addresses.secret_address_of_table_or_pair(session.hex, state, subject)}"

    def shown(self, side: str = "", address: str = "") -> str:
        answer = self.phone.get(f"{address or self.address()}?side={side}")
        assert answer.status_code == 200, answer.text
        return str(answer.text)

    def says(self, side: str, text: str = "", address: str = "", **form: str) -> Any:
        """The answer to a button of a page, by default of the page as it is now."""
        text = text or self.shown(side, address)
        sent = {"key": self.hidden(text, "key"), "side": side, "seen": self.hidden(text, "seen")}
        return self.phone.post(address or self.address(), data={**sent, **form})


class PairPhones(Phones):
    """An evening of two pairs, each with a card of its own."""

    def coming(self, players: int) -> dict[str, Any]:
        two = [{"players": PLAYERS[at : at + 2]} for at in range(0, players, 2)]
        two[0]["name"] = "Los Reyes"
        return {"of": "pairs", "pairs": two}

    def of_side(self, side: str) -> str:
        """The address of the pair that sits on a side."""
        state = self.table.app.extensions["guinote"]().referee.seasons.session(
            UUID(self.path.rpartition("/")[2])
        )
        return self.address(AddressSubject(pair=state.tables[0].pairs["AB".index(side)]))


@pytest.fixture
def phones(table: HttpTable) -> Phones:
    return Phones(table)


def test_one_side_tells_its_result_and_the_other_confirms_it(phones: Phones) -> None:
    choosing = phones.shown()
    assert "¿Quiénes sois?" in choosing
    assert 'name="score"' not in choosing
    assert re.findall(r'name="score" value="([^"]+)"', phones.shown("B")) == [
        "0-2",
        "1-2",
        "2-1",
        "2-0",
    ], "the wins of who asks come first"
    told = phones.says("B", score="1-2")
    assert (told.status_code, phones.stands) == (303, ("1-2", "provisional"))
    assert told.headers["Location"].endswith("?side=B")
    assert "Falta la confirmación de" in phones.shown("B")
    asked = phones.shown("A")
    assert "Estamos de acuerdo" in asked
    agreed = phones.says("A", asked, say="agree")
    assert (agreed.status_code, phones.stands) == (303, ("1-2", "confirmed"))
    assert "Confirmado por todos" in phones.shown("A")


@pytest.mark.parametrize("is_phone", [False, True], ids=["evening", "phone"])
def test_what_happens_while_a_page_is_made_is_still_news_for_it(
    phones: Phones, *, is_phone: bool
) -> None:
    before, session = phones.shown("B"), phones.path.rpartition("/")[2]

    def report(*_: object, **__: object) -> None:
        before_render_template.disconnect(report)  # once, when all that is shown has been read
        phones.says("B", before, score="1-2")
        phones.caught_up()

    before_render_template.connect(report)
    shown = phones.shown("B") if is_phone else phones.page()
    assert "Ganan" not in shown
    public = phones.phone.get(f"/api/v1/public/sessions/{session}").headers["ETag"]
    assert f'data-tag="{public.strip(chr(34))}"' not in shown
    again = phones.shown("B") if is_phone else phones.page()
    assert f'data-tag="{public.strip(chr(34))}"' in again


def test_a_table_s_address_used_for_both_sides_is_noted_as_one(phones: Phones) -> None:
    phones.says("B", score="1-2")
    phones.says("A", say="agree")
    (confirmed,) = phones.view["result"]["confirmed"]
    assert confirmed["one_principal"] is True


def test_where_two_are_required_one_address_cannot_do_both(phones: Phones) -> None:
    version = phones.table.get("/api/v1/settings").json["version"]
    phones.table.post("/api/v1/settings", {"four_eyes": "required"}, version)
    phones.says("B", score="1-2")
    asked = phones.shown("A")
    assert "Estamos de acuerdo" not in asked
    assert "desde esta misma tarjeta" in asked
    refused = phones.says("A", asked, say="agree")
    assert (refused.status_code, phones.stands) == (409, ("1-2", "provisional"))
    assert phones.tap("1-2").status_code == 303
    assert phones.stands == ("1-2", "official")


def test_a_side_that_does_not_agree_and_then_its_own_score(phones: Phones) -> None:
    phones.says("A", score="2-0")
    assert phones.says("B", say="deny").status_code == 303
    assert phones.stands == ("2-0", "disputed")
    assert "No hay acuerdo" in phones.shown("A")
    assert "no estáis de acuerdo" in phones.shown("B")
    assert "no hay acuerdo" in phones.page()
    assert phones.says("B", score="1-2").status_code == 303
    assert phones.stands == ("1-2", "provisional")
    assert phones.says("A", say="agree").status_code == 303
    assert phones.stands == ("1-2", "confirmed")


def test_telling_the_score_that_was_reported_is_agreeing(phones: Phones) -> None:
    phones.says("A", score="2-0")
    phones.says("B", score="2-0")
    assert phones.stands == ("2-0", "confirmed")


def test_after_both_agreed_a_side_is_refused_in_words(phones: Phones) -> None:
    before = phones.shown("B")
    phones.says("A", score="2-0")
    phones.says("B", say="agree")
    late = phones.says("B", before, score="0-2")
    assert (late.status_code, phones.stands) == (409, ("2-0", "confirmed"))
    assert "Mientras tanto ha cambiado" in late.text
    now = phones.table.app.extensions["guinote"]().referee.encuentros.encuentro(UUID(phones.id))
    seen = f"confirmed 2-0 {now.version}".rpartition(" ")[0]
    form = {"key": "a" * 32, "side": "B", "seen": seen, "score": "0-2"}
    refused = phones.phone.post(phones.address(), data=form)
    assert (refused.status_code, phones.stands) == (409, ("2-0", "confirmed"))
    assert "Todos lo han dado ya por bueno" in refused.text


def test_a_second_tap_says_nothing_twice(phones: Phones) -> None:
    for side, form in (("A", {"score": "2-0"}), ("B", {"say": "deny"}), ("B", {"say": "agree"})):
        shown = phones.shown(side)
        assert [phones.says(side, shown, **form).status_code for _ in range(2)] == [303, 303]
    assert phones.stands == ("2-0", "confirmed")


def test_what_was_told_meanwhile_is_shown_and_not_overwritten(phones: Phones) -> None:
    before = phones.shown("B")
    phones.says("A", score="2-0")
    late = phones.says("B", before, score="0-2")
    assert (late.status_code, phones.stands) == (409, ("2-0", "provisional"))
    assert "Mientras tanto ha cambiado" in late.text


def test_a_score_of_fixed_partidas_is_told_by_two_numbers(table: HttpTable) -> None:
    fixed = {"match_format": {"4": "fixed_partidas"}, "fixed_partidas": {"4": 8}}
    phones = Phones(table, changes=fixed, **{"as": {"id": "ocho", "edition": "1"}})
    assert phones.says("A", **{"score-A": "6", "score-B": ""}).status_code == 303
    assert phones.stands == ("6-2", "provisional")
    assert phones.says("B", **{"score-A": "x", "score-B": ""}).status_code == 422


def test_a_pair_s_address_knows_its_side_and_is_a_principal_of_its_own(table: HttpTable) -> None:
    phones = PairPhones(table)
    version = table.get("/api/v1/settings").json["version"]
    table.post("/api/v1/settings", {"four_eyes": "required"}, version)
    one, other = phones.of_side("A"), phones.of_side("B")
    assert "¿Quiénes sois?" not in phones.shown("", one)
    phones.says("B", address=one, score="2-0")
    assert phones.view["result"]["reported"]["side"] == "A", "whatever side a form says"
    assert phones.says("", address=other, say="agree").status_code == 303
    assert phones.stands == ("2-0", "confirmed")
    (confirmed,) = phones.view["result"]["confirmed"]
    assert "one_principal" not in confirmed
    cards = phones.page(f"{phones.path}/tarjetas")
    assert cards.count("<svg") == 2, "the card of the table cannot confirm"
    assert "Ana · Blas" in cards or "Blas · Ana" in cards


def test_a_pair_is_called_by_its_name_on_cards_and_phones(table: HttpTable) -> None:
    phones = PairPhones(table)
    at = next(one for one in phones.shown("A").split("<li") if "Ana" in one)
    named = "A" if "vosotros" in at else "B"
    other = {"A": "B", "B": "A"}[named]
    cards = phones.page(f"{phones.path}/tarjetas")
    assert cards.count("<b>Los Reyes</b>") == 1, "beside its players on the card of the table"
    assert "<h2>Los Reyes</h2>" in cards
    assert '<span>Los Reyes<span class="both">' in phones.shown()
    phones.says(named, address=phones.of_side(named), score="2-0" if named == "A" else "0-2")
    assert "Según Los Reyes:" in phones.shown(other)
    phones.says(other, say="deny")
    assert "No hay acuerdo (Celia · Diego)" in phones.shown(named).replace(
        "Diego · Celia", "Celia · Diego"
    )


def test_three_sides_have_all_to_agree(table: HttpTable) -> None:
    phones = Phones(table, 3, id="guinyot")
    phones.says("A", score="2-0-0")
    phones.says("B", say="agree")
    assert phones.stands == ("2-0-0", "provisional")
    phones.says("C", say="agree")
    assert phones.stands == ("2-0-0", "confirmed")


def test_a_case_is_not_told_at_an_address(phones: Phones) -> None:
    started = phones.table.partida(phones.encuentro)
    phones.table.record(started, 0, {"kind": "result", "winner": "A"})
    phones.says("A", score="2-0")
    body = {"by": {"name": "Blas"}, "side": "B", "because": "No fue así.", "partida": 1}
    assert phones.post("result/contests", body).status_code == 201
    refused = phones.says("A", score="2-1")
    assert refused.status_code == 409
    assert "Ahora no se puede" in refused.text
    assert "caso" not in refused.text.lower()


def test_a_wrong_a_renewed_and_a_closed_address_show_nothing(phones: Phones) -> None:
    right = phones.address()
    wrong = right[:-3] + ("AAA" if right[-3:] != "AAA" else "BBB")
    for address in (wrong, "/m/short"):
        answer = phones.phone.get(address)
        assert answer.status_code == 404
        assert "ya no vale" in answer.text
        assert "Ana" not in answer.text
    cards = f"{phones.path}/tarjetas"
    form = {name: phones.hidden(phones.page(cards), name) for name in ("key", "version")}
    renewed = phones.official.post(cards, data={**form, "subject": "table 1"}, headers=OURS)
    assert renewed.status_code == 303
    assert phones.phone.get(right).status_code == 404
    assert phones.address() != right
    assert phones.phone.get(phones.address()).status_code == 200
    version = int(form["version"]) + 1
    assert phones.table.post(f"{phones.where}/closing", version=version).status_code == 200
    closed = phones.phone.get(phones.address())
    assert (closed.status_code, "está cerrada" in closed.text) == (404, True)
    assert "otra tarjeta" not in closed.text, "no card helps"


def test_guesses_are_limited_and_a_right_one_is_never_refused(phones: Phones) -> None:
    statuses = [phones.phone.get(f"/m/{'A' * 37}{digit}").status_code for digit in "AEIMQUYcgk"]
    assert statuses == [404] * 10
    use_up_strong(phones.table.app)
    assert phones.phone.get(f"/m/{'A' * 38}").status_code == 429
    assert phones.phone.get(phones.address()).status_code == 200


def test_an_address_is_of_one_table_alone(table: HttpTable) -> None:
    phones = Phones(table, 2)
    other = Phones(table, 2)
    phones.says("A", score="2-0")
    assert phones.stands[1] == "provisional"
    assert other.stands == ("0-0", "open")
    assert phones.address() != other.address()


def test_the_cards_have_the_address_of_each_table_as_a_code(phones: Phones) -> None:
    cards = phones.page(f"{phones.path}/tarjetas")
    assert "Mesa 1" in cards
    assert cards.count("<svg") == 1
    stranger = phones.table.app.test_client().get(f"{phones.path}/tarjetas")
    assert stranger.status_code == 302
    form = {name: phones.hidden(cards, name) for name in ("key", "version")}
    path = f"{phones.path}/tarjetas"
    none = phones.official.post(path, data={**form, "subject": "table 9"}, headers=OURS)
    assert none.status_code == 409
    assert "no es de esta jornada" in none.text


def test_the_secret_is_in_no_log_no_title_and_no_referrer(
    phones: Phones, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    secret = phones.address().rpartition("/")[2][-16:]
    answer = phones.phone.get(phones.address())
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["Cache-Control"] == "no-store"
    assert secret not in answer.text
    assert re.findall(r'(?:src|href)="(https?:[^"]*)"', answer.text) == []
    phones.says("A", score="2-0")
    phones.phone.get(phones.address()[:-2] + "AA")
    written = [record.getMessage() for record in caplog.records if "werkzeug" not in record.name]
    assert not any(secret[:8] in one for one in written)
    here = phones.table.app.extensions["guinote"]()
    rows = here.referee.rows_of_stream(UUID(phones.id), 0, 10_000, 100)
    assert rows
    assert not any(secret[:8].encode() in state for _, _, _, _, state in rows)


def test_a_page_without_a_referrer_may_write_and_another_site_gains_nothing(phones: Phones) -> None:
    text = phones.shown("A")
    form = {name: phones.hidden(text, name) for name in ("key", "seen")}
    sent = {**form, "side": "A", "score": "2-0"}
    answer = phones.phone.post(phones.address(), data=sent, headers={"Origin": "null"})
    assert (answer.status_code, phones.stands) == (303, ("2-0", "provisional"))
    for wrong in ({**sent, "key": "-"}, {**sent, "side": "C"}):
        assert phones.phone.post(phones.address(), data=wrong).status_code == 400
