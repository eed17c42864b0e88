"""Cards of the sides: a code on paper for each, made by an official and shown once."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pytest
import segno
from playwright.sync_api import Browser, expect

from api.http.languages import say
from tests.api.cases.test_cases import ANA
from tests.api.results.test_results import AtDesk
from tests.support.browser.pages import (
    PHONE,
    READ,
    TABLET,
    address,
    no_violations,
    no_violations_in_any_language,
    site,
    visiting,
)
from tests.support.servers.http_table import HttpTable

OURS = {"Sec-Fetch-Site": "same-origin"}
CODE = re.compile(r'<b class="code">(\w{4}-\w{4})</b>')


class Cards(AtDesk):
    """A decided encuentro, and the page that makes its cards."""

    def __init__(self, table: HttpTable) -> None:
        super().__init__(table, "tarjetas")

    def form(self) -> dict[str, str]:
        self.result  # the read side has what was written  # noqa: B018
        key = re.search(r'name="key" value="(\w+)"', self.official.get(self.path).text)
        assert key
        return {"key": key[1]}

    def made(self, form: dict[str, str] | None = None) -> Any:
        answer = self.official.post(self.path, data=form or self.form(), headers=OURS)
        here = self.table.app.extensions["guinote"]()
        assert here.reads.wait(here.referee.position(), 30)
        return answer


@pytest.fixture
def cards(table: HttpTable) -> Cards:
    return Cards(table)


def test_each_side_gets_a_code_that_is_shown_once(cards: Cards) -> None:
    assert CODE.search(cards.official.get(cards.path).text) is None
    form = cards.form()
    shown = cards.made(form).text
    codes = CODE.findall(shown)
    assert len(set(codes)) == 2
    assert "Ana · Celia" in shown
    again = cards.made(form)
    assert say("cards.repeated", "es") in again.text
    assert CODE.search(again.text) is None
    assert cards.result["codes"] == ["A", "B"]
    audit = cards.table.get(f"{cards.where}/audit").text
    assert not any(code.replace("-", "") in audit or code in audit for code in codes)


def test_the_qr_code_is_the_page_of_the_phones_with_the_code_filled_in(cards: Cards) -> None:
    shown = cards.made().text
    for code in CODE.findall(shown):
        drawn = io.BytesIO()
        address = f"http://localhost/r/{cards.id}#{code}"
        made = segno.make(address, error="m", micro=False)
        look = {"omitsize": True, "light": "#fff", "xmldecl": False, "border": 2, "nl": False}
        made.save(drawn, kind="svg", **look)
        assert drawn.getvalue().decode() in shown


def test_new_cards_make_the_earlier_ones_invalid(cards: Cards) -> None:
    first, second = (CODE.findall(cards.made().text)[1] for _ in range(2))
    cards.post("result/reports", {"by": ANA, "side": "A"})
    for code, status in ((first, 409), (second, 200)):
        body = {"by": {"name": "Blas"}, "side": "B", "code": code}
        assert cards.post("result/confirmations", body).status_code == status


def test_only_officials_make_cards_and_not_of_a_signed_acta(cards: Cards) -> None:
    scorer = cards.table.scorer(cards.where)
    assert scorer.get(cards.path).status_code == 403
    assert scorer.post(cards.path, data={"key": "k" * 16}, headers=OURS).status_code == 403
    cards.post("result/signature", {"by": ANA, "because": "Se fueron."})
    late = cards.made()
    assert late.status_code == 409
    assert say("rule.acta-signed", "es") in late.text


def test_cards_what_they_confirm_on_a_phone_and_the_acta_are_readable(
    browser: Browser, tmp_path: Path
) -> None:
    table = HttpTable(tmp_path)
    cards, left = Cards(table), AtDesk(table, "firma")
    assert table.post("/api/v1/settings", {"four_eyes": "required"}, 0).status_code == 200
    scorer = table.scorer(cards.where)
    version = table.get(cards.where).json["version"]
    sent = {"Idempotency-Key": table.key(), "If-Match": f'"{version}"', **OURS}
    report = {"by": ANA, "side": "A"}
    told = scorer.post(f"{cards.where}/result/reports", json=report, headers=sent)
    assert told.status_code == 200
    table.close()
    with site(tmp_path) as served:
        with visiting(browser, served, cards.path, signed_in=True, **TABLET) as page:
            no_violations_in_any_language(page)
            page.get_by_role("button", name=say("cards.make", "es")).click()
            expect(page.locator(".side-cards article")).to_have_count(2)
            no_violations(page)
            code = page.locator("#card-B ~ p .code").inner_text()
        with visiting(browser, served, f"/r/{cards.id}", **PHONE) as phone:
            for lang in READ:
                phone.goto(address(served, f"/r/{cards.id}?lang={lang}"))
                no_violations_in_any_language(phone)
            phone.goto(address(served, f"/r/{cards.id}#{code}"))
            expect(phone.get_by_label(say("page.confirm_code", "es"))).to_have_value(code)
            assert "#" not in phone.url
            phone.get_by_label("Diego").check()
            phone.get_by_role("button", name=say("page.confirm_agree", "es")).click()
            phone.get_by_text(say("result.confirmed", "es"), exact=True).wait_for()
            no_violations(phone)
        with visiting(browser, served, left.path, signed_in=True, **PHONE) as phone:
            no_violations_in_any_language(phone)
            phone.get_by_label(say("case.field.by", "es"), exact=True).fill("Julia Vera")
            phone.get_by_label(say("case.field.because", "es")).fill("Se fueron antes.")
            phone.get_by_role("button", name=say("signing.sign", "es")).click()
            expect(phone.locator(".acta .stamp")).to_have_text(say("result.official", "es"))
            phone.get_by_role("link", name=say("signing.reopen", "es")).click()
            no_violations(phone)
