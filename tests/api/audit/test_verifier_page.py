"""The verifier page in a browser: real files, its own policy, and what it looks like."""

from __future__ import annotations

import itertools

from playwright.sync_api import Browser

from tests.api.audit.corpus.cases import TAMPERED
from tests.api.audit.corpus.proofs import KEY, proof_of, resguardo_of, written
from tests.support.browser.in_browser import bring, codes, found, opened, verifier_address
from tests.support.browser.pages import weight
from tests.support.read_pages import HEAVIEST_PAGE
from tests.support.servers.served import Served

WALL = KEY.public.text


def test_files_that_a_browser_opens_are_checked_without_a_network_and_fit_a_narrow_screen(
    browser: Browser,
) -> None:
    whole, altered, paper = written(proof_of()), TAMPERED[0], resguardo_of()
    with opened(browser, offline=True) as one:
        bring(one, whole, WALL, paper)
        assert found(one) == ("unaltered", [])
        assert one.inner_text("#verdict h2") == "Todo está intacto"
        bring(one, altered.content, WALL, "")
        assert codes(one) == altered.codes
        files = {"p.json": whole, "k.txt": WALL.encode(), "r": paper.encode()}
        one.set_input_files(
            "#files", [{"name": n, "mimeType": "", "buffer": c} for n, c in files.items()]
        )
        one.wait_for_selector("#verdict[data-verdict=unaltered]")
        for content in (whole, altered.content, b"{}"):
            bring(one, content, WALL, paper)
            one.evaluate("for (const d of document.querySelectorAll('details')) d.open = true")
            for width, scheme in itertools.product((320, 390, 1280), ("light", "dark")):
                one.set_viewport_size({"width": width, "height": 700})
                one.emulate_media(color_scheme=scheme)
                assert one.evaluate("document.documentElement.scrollWidth") <= width
        assert found(one)[0] == "malformed"


def test_the_policy_lets_no_other_script_run_and_nothing_be_sent(browser: Browser) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(verifier_address())
    page.evaluate(
        "const one = document.createElement('script'); one.textContent = 'window.ran = 1';"
        "document.body.append(one)"
    )
    assert page.evaluate("window.ran") is None
    assert page.evaluate("fetch('data:,x').then(() => 'sent', () => 'barred')") == "barred"
    context.close()


def test_the_page_of_the_service_runs_in_a_browser_and_leads_on(
    browser: Browser, served: Served
) -> None:
    assert 30_000 < weight(browser, served, "/verificador") < HEAVIEST_PAGE
    with opened(browser, f"http://127.0.0.1:{served.port}/verificador") as one:
        bring(one, written(proof_of()), WALL)
        assert found(one) == ("incomplete", [])
        assert [one.get_attribute(f"#leading-on a >> nth={n}", "href") for n in (0, 1)] == [
            *("./", "ayuda/comprobar-una-prueba")
        ]
        assert one.locator("#leading-on").inner_text() == "Inicio Ayuda de esta página"
