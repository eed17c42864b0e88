"""Two persons are two: one session tries to be both, under another name and another device."""

from __future__ import annotations

import re
from typing import Any

import pytest

from api.http.languages import LANGUAGES, say
from api.http.table_names import TableNames, use_table_names
from referee.events import FourEyes, Role
from referee.rules.articles import Rule
from tests.api.cases.test_cases import ANA, BLAS, JUEZ, OTRO, dispute, ruling
from tests.api.results.test_results import Finished
from tests.support.servers.http_table import NAMES, HttpTable

LAWS: tuple[FourEyes, ...] = ("required", "noted")
BOTH = pytest.mark.parametrize("four_eyes", LAWS)
OURS = {"Sec-Fetch-Site": "same-origin"}
STATUS = {"required": 409, "noted": 200}


def club(table: HttpTable, four_eyes: FourEyes) -> None:
    """The choice of the club, chosen over HTTP."""
    held = table.get("/api/v1/settings").json
    usual = {"four_eyes": "noted", "time_zone": "Europe/Madrid", "league_audience": "club"}
    assert held == {
        "version": 0,
        "chosen": False,
        **usual,
        "puzzle_audience": "nobody",
        "deal_luck": "hidden",
        "record_audience": "everybody",
        "study_consent": "none",
    }
    answer = table.post("/api/v1/settings", {"four_eyes": four_eyes}, 0)
    assert answer.status_code == 200, answer.text


class Attack(Finished):
    """A decided encuentro in a club that chose; every request is of the session ``who``."""

    def __init__(self, table: HttpTable, four_eyes: FourEyes, who: dict[str, str]) -> None:
        super().__init__(table)
        club(table, four_eyes)
        self.law, self.who = four_eyes, who
        self.id = self.where.rpartition("/")[2]

    def does(self, path: str, body: dict[str, Any], *, sent: Any = None, **more: str) -> Any:
        return self.post(f"result/{path}", body, **{**(sent or self.who), **more})

    def tries(self, path: str, body: dict[str, Any], *, sent: Any = None, **more: str) -> None:
        """The second act of two by the same principal: refused, or noted."""
        answer = self.does(path, body, sent=sent, **more)
        assert answer.status_code == STATUS[self.law], answer.text
        if self.law == "required":
            assert answer.json["code"] == Rule.SAME_PRINCIPAL.value

    def page(self, path: str, lang: str = "es") -> str:
        sent = {**self.table.owner(), "Accept-Language": lang}
        answer = self.table.client.get(f"/e/{self.id}{path}", headers=sent)
        assert answer.status_code == 200, answer.text
        return str(answer.text)

    def is_said(self, what: str, *paths: str, **facts: str) -> None:
        """Whether each page says it in every language, or none does."""
        self.table.get(self.where)
        for lang in LANGUAGES:
            with use_table_names(TableNames(names=NAMES)):
                words = say(f"one_principal.{what}", lang, **facts)
            for path in paths:
                shown = self.page(path, lang).replace("&#39;", "'")
                assert (words in shown) == (self.law == "noted"), (path, lang)


@pytest.fixture(params=["arbiter", "owner"])
def who(table: HttpTable, request: pytest.FixtureRequest) -> dict[str, str]:
    return table.owner() if request.param == "owner" else table.signed_in("arbiter")


@BOTH
def test_who_reported_confirms_under_another_name_and_device(
    table: HttpTable, four_eyes: FourEyes, who: dict[str, str]
) -> None:
    attack = Attack(table, four_eyes, who)
    assert attack.does("reports", {"by": ANA, "side": "A"}).status_code == 200
    attack.tries("confirmations", {"by": BLAS, "side": "B"}, **{"Guinote-Device": "phone-of-b"})
    is_noted = four_eyes == "noted"
    assert attack.result["stage"] == ("confirmed" if is_noted else "provisional")
    found = [one.get("one_principal", False) for one in attack.result["confirmed"]]
    assert found == [True] * is_noted
    said = table.get(f"{attack.where}/acta").json["result"]["confirmed"]
    assert [one["one_principal"] for one in said] == [True] * is_noted
    attack.is_said("confirmed", "", "/acta", side="B")


@BOTH
def test_who_reported_confirms_with_the_code_they_fetched(
    table: HttpTable, four_eyes: FourEyes, who: dict[str, str]
) -> None:
    attack = Attack(table, four_eyes, who)
    code = attack.does("codes", {"side": "B"}).json["code"]
    attack.does("reports", {"by": ANA, "side": "A"})
    attack.tries("confirmations", {"by": BLAS, "side": "B", "code": code})
    attack.is_said("confirmed", "", "/acta", side="B")


@BOTH
def test_or_at_the_page_of_the_phones(table: HttpTable, four_eyes: FourEyes) -> None:
    attack = Attack(table, four_eyes, table.signed_in("arbiter"))
    code = attack.does("codes", {"side": "B"}).json["code"]
    attack.does("reports", {"by": ANA, "side": "A"})
    stranger = table.app.test_client()
    form = {"seat": "B1", "code": code, "key": "k" * 16}
    answer = stranger.post(f"/r/{attack.id}", data=form)
    assert answer.status_code == {"required": 409, "noted": 303}[four_eyes]
    if answer.status_code == 303:
        stranger.get(answer.headers["Location"])  # it waits until the result is read
    assert (say("rule.same-principal", "es") in answer.text) == (four_eyes == "required")
    attack.is_said("confirmed", "", "/acta", side="B")


@BOTH
def test_who_keys_for_the_table_cannot_fetch_a_code(table: HttpTable, four_eyes: FourEyes) -> None:
    attack = Attack(table, four_eyes, table.signed_in("arbiter"))
    scorer = table.scorer(attack.where)
    version = table.get(attack.where).json["version"]
    sent = {"Idempotency-Key": table.key(), "If-Match": f'"{version}"', **OURS}
    asked = scorer.post(f"{attack.where}/result/codes", json={"side": "B"}, headers=sent)
    assert (asked.status_code, asked.json["code"]) == (403, "forbidden")


@BOTH
def test_who_signed_reopens_under_two_other_names(
    table: HttpTable, four_eyes: FourEyes, who: dict[str, str]
) -> None:
    attack = Attack(table, four_eyes, who)
    attack.does("signature", {"by": JUEZ, "because": "Se fueron."})
    body = {"by": {"name": "Rosa"}, "second": OTRO, "because": "Error."}
    attack.tries("reopenings", body)
    attack.is_said("reopened", "", "/acta")
    if four_eyes == "required":
        other = table.signed_in("director")
        assert attack.does("reopenings", body, sent=other).status_code == 200
        assert "one_principal" not in attack.result["reopened"][0]


@BOTH
def test_who_ruled_decides_the_appeal_under_another_name(
    table: HttpTable, four_eyes: FourEyes, who: dict[str, str]
) -> None:
    attack = Attack(table, four_eyes, who)
    case = dispute(table, f"{attack.where}/partidas/1", lines=[])
    table.post(f"{case}/ruling", {**ruling(), "partida_version": 0}, 1, **who)
    table.post(f"{case}/appeal", {"by": BLAS, "side": "B", "because": "No."}, 2, **who)
    decision = {"by": OTRO, "because": "Está visto.", "partida_version": 1}
    answer = table.post(f"{case}/decision", decision, 3, **who)
    assert answer.status_code == STATUS[four_eyes], answer.text
    decided = table.get(case).json["decided"]
    assert (decided is not None and decided.get("one_principal", False)) == (four_eyes == "noted")
    attack.is_said("decided", "/acta", "/c/1", "/c/1/acta")
    if four_eyes == "required":
        assert answer.json["code"] == Rule.SAME_PRINCIPAL.value
        other = table.signed_in("director")
        assert table.post(f"{case}/decision", decision, 3, **other).status_code == 200
        assert "one_principal" not in table.get(case).json["decided"]


@BOTH
@pytest.mark.parametrize("pairer", ["arbiter", "admin"])
def test_an_arbiter_and_the_phone_they_paired_for_themselves_are_one(
    table: HttpTable, four_eyes: FourEyes, pairer: Role
) -> None:
    attack = Attack(table, four_eyes, table.signed_in("arbiter"))
    by = attack.who if pairer == "arbiter" else table.signed_in(pairer)
    phone = table.paired_by(by, "arbiter")
    attack.does("signature", {"by": JUEZ, "because": "Se fueron."})
    body = {"by": {"name": "Rosa"}, "second": OTRO, "because": "Error."}
    if pairer == "admin":  # it is the phone of somebody else
        assert attack.does("reopenings", body, sent=phone).status_code == 200
        assert "one_principal" not in attack.result["reopened"][0]
    else:
        attack.tries("reopenings", body, sent=phone)
        attack.is_said("reopened", "", "/acta")


@BOTH
def test_a_ruling_from_the_arbiters_own_phone_is_the_arbiters(
    table: HttpTable, four_eyes: FourEyes
) -> None:
    attack = Attack(table, four_eyes, table.signed_in("arbiter"))
    phone = table.paired_by(attack.who, "arbiter")
    case = dispute(table, f"{attack.where}/partidas/1", lines=[])
    table.post(f"{case}/ruling", {**ruling(), "partida_version": 0}, 1, **phone)
    table.post(f"{case}/appeal", {"by": BLAS, "side": "B", "because": "No."}, 2, **attack.who)
    decision = {"by": OTRO, "because": "Está visto.", "partida_version": 1}
    answer = table.post(f"{case}/decision", decision, 3, **attack.who)
    assert answer.status_code == STATUS[four_eyes], answer.text


def test_two_accounts_are_two_and_so_is_a_card(table: HttpTable) -> None:
    attack = Attack(table, "required", table.signed_in("arbiter"))
    official = table.signed_in("director")
    code = attack.does("codes", {"side": "B"}, sent=official).json["code"]
    attack.does("reports", {"by": ANA, "side": "A"})
    body = {"by": BLAS, "side": "B", "code": code}
    assert attack.does("confirmations", body).status_code == 200  # keyed in where it was reported
    assert attack.result["confirmed"] == [
        {"by": attack.result["confirmed"][0]["by"], "side": "B", "with": "code"}
    ]


def test_the_public_is_not_told_who_was_signed_in(table: HttpTable) -> None:
    attack = Attack(table, "noted", table.signed_in("arbiter"))
    attack.does("reports", {"by": ANA, "side": "A"})
    attack.does("confirmations", {"by": BLAS, "side": "B"})
    for path in (f"/api/v1/public/encuentros/{attack.id}", f"/r/{attack.id}", f"/mesa/{attack.id}"):
        shown = table.app.test_client().get(path).text
        assert not re.search(r"\bprincipal\b", shown)
        assert say("one_principal.confirmed", "es", side="B") not in shown
    assert '"principal"' not in table.get(attack.where).text


# --- an official of the club ---------------------------------------------------------------------


@BOTH
def test_what_an_official_enters_is_official_and_the_acta_says_so(
    table: HttpTable, four_eyes: FourEyes
) -> None:
    attack = Attack(table, four_eyes, table.signed_in("director"))
    assert attack.does("reports", {"by": JUEZ}).status_code == 200
    assert attack.result["stage"] == "official"
    assert attack.result["missing"] == []
    public = table.get(f"/api/v1/public/encuentros/{attack.id}").json
    assert public["result"] == "official"
    for lang in LANGUAGES:
        words = say("result.entered", lang)
        assert words in attack.page("/acta", lang).replace("&#39;", "'")
        assert words in attack.page("", lang).replace("&#39;", "'")
    assert table.get(f"{attack.where}/acta").json["result"]["reported"]["entered_by"] == "official"
    assert attack.does("signature", {"by": JUEZ}).status_code == 200


def test_for_a_side_even_an_official_is_only_the_first_of_two(table: HttpTable) -> None:
    attack = Attack(table, "required", table.signed_in("director"))
    attack.does("reports", {"by": ANA, "side": "A"})
    assert attack.result["stage"] == "provisional"
    assert "entered_by" not in attack.result["reported"]


def test_who_only_keys_in_enters_nothing_official(table: HttpTable) -> None:
    attack = Attack(table, "noted", table.owner())
    scorer = table.scorer(attack.where)
    version = table.get(attack.where).json["version"]
    sent = {"Idempotency-Key": table.key(), "If-Match": f'"{version}"', **OURS}
    told = scorer.post(f"{attack.where}/result/reports", json={"by": JUEZ}, headers=sent)
    assert told.status_code == 200
    assert attack.result["stage"] == "provisional"
    assert attack.result["missing"] == ["A", "B"]
    form = {"by": "Julia Juez", "key": "k" * 16, "version": str(version + 1)}
    page = scorer.post(f"/e/{attack.id}/resultado", data=form, headers=OURS)
    assert page.status_code == 403


def test_an_official_enters_it_on_the_page_of_the_encuentro(table: HttpTable) -> None:
    attack = Attack(table, "required", table.owner())
    browser = table.app.test_client()
    browser.post("/entrar", data={"token": table.token})
    version = table.get(attack.where).json["version"]
    form = {"by": "Julia Juez", "key": "k" * 16, "version": str(version)}
    nobody = browser.post(f"/e/{attack.id}/resultado", data={**form, "by": ""}, headers=OURS)
    assert nobody.status_code == 422
    assert 'role="alert"' in nobody.text
    entered = browser.post(f"/e/{attack.id}/resultado", data=form, headers=OURS)
    assert entered.status_code == 303
    shown = browser.get(entered.headers["Location"]).text
    assert say("result.entered", "es") in shown
    assert say("result.enter", "es") not in shown


@BOTH
def test_who_keys_for_the_table_takes_no_official_result_back(
    table: HttpTable, four_eyes: FourEyes
) -> None:
    attack = Attack(table, four_eyes, table.signed_in("director"))
    attack.does("reports", {"by": JUEZ})
    tablet = table.signed_in("scorer", attack.id)
    for body in ({"by": ANA, "side": "A"}, {"by": ANA}):
        answer = attack.does("reports", body, sent=tablet)
        assert (answer.status_code, answer.json["code"]) == (409, Rule.RESULT_ENTERED.value)
    assert attack.result["stage"] == "official"


def test_a_code_that_was_typed_on_the_tablet_confirms_nothing_else(table: HttpTable) -> None:
    attack = Attack(table, "required", table.signed_in("director"))
    body = {"by": BLAS, "side": "B", "code": attack.does("codes", {"side": "B"}).json["code"]}
    tablet = table.signed_in("scorer", attack.id)
    attack.does("reports", {"by": ANA, "side": "A"}, sent=tablet)
    assert attack.does("confirmations", body, sent=tablet).status_code == 200
    attack.does("reports", {"by": ANA, "side": "A"}, sent=tablet)
    again = attack.does("confirmations", body, sent=tablet)
    assert (again.status_code, again.json["code"]) == (409, Rule.CODE_USED.value)
    assert attack.result["stage"] == "provisional"
