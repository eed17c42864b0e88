"""A proof in people's hands: from the button on an encuentro to the verifier, with the poster's key."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from api.http.languages import say, texts_of_language
from api.server.side_processes import NOTARY_VARIABLE, notary_folder_of
from tests.api.audit.test_verifier import Verifier
from tests.api.cases.test_actas import disputed_partida
from tests.api.cases.test_cases import of
from tests.api.cli.test_cli import guinote
from tests.support.browser.in_browser import opened
from tests.support.browser.kept_pages import no_violations_in_any_scheme
from tests.support.browser.pages import (
    PHONE,
    TABLET,
    address,
    visiting,
)
from tests.support.javascript import node_page
from tests.support.servers.http_table import HttpTable
from tests.support.servers.served import Served, command_of
from tests.support.waiting import wait_for

ES = texts_of_language("es")


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, str]]:
    """A site with its notary beside it, and an encuentro whose result is signed."""
    folder: Path = tmp_path_factory.mktemp("proofs")
    data = folder / "data"
    data.mkdir()
    table = HttpTable(data)
    encuentro = of(disputed_partida(table)).rpartition("/")[2]
    table.close()
    served = signing(data, folder / "keys")
    try:
        wait_for(lambda: (data / "log.checkpoint").exists(), "the first checkpoint")
        yield served, encuentro
    finally:
        served.kill_all()


def signing(data: Path, keys: Path, signs: str = "on") -> Served:
    served = Served(data, is_forked=True, GUINOTE_SIGNING=signs, GUINOTE_NOTARY=str(keys))
    served.start()
    return served


def notaries(served: Served) -> list[int]:
    return [pid for pid in served.children() if b"notary" in command_of(pid)]


def downloaded(page: Page, button: str, file: Path) -> Path:
    """The file that a button of a page hands out."""
    with page.expect_download() as found:
        page.get_by_role("link", name=button, exact=True).click()
    found.value.save_as(file)
    assert found.value.suggested_filename.endswith(file.suffix)
    return file


def groups(page: Page, there: str, place: str) -> list[str]:
    page.goto(there)
    return page.locator(place).all_inner_texts()


def test_a_pair_brings_its_download_and_the_key_to_the_verifier_in_a_browser(
    browser: Browser, signed: tuple[Served, str], tmp_path: Path
) -> None:
    served, encuentro = signed
    with visiting(browser, served, f"/e/{encuentro}", signed_in=True, **PHONE) as page:
        page.get_by_role("link", name=ES["proof.title"]).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(ES["proof.title"])
        proof = downloaded(page, ES["proof.file"], tmp_path / "prueba.json")
        root, of_proof = page.locator(".fingerprints code").all_inner_texts()
        page.get_by_role("link", name=ES["proof.key"], exact=True).click()
        key = downloaded(page, ES["proof.key_file"], tmp_path / "llave.txt")
        of_poster = page.locator(".poster .groups").inner_text()
        on_acta = groups(page, address(served, f"/e/{encuentro}/acta"), ".seal code")
    assert of_proof == of_poster
    assert len(of_poster.split()) == 16
    assert {root, of_poster} <= set(on_acta), "acta, poster and page write them the same way"
    with opened(browser, address(served, "/verificador")) as verifier:
        verifier.set_input_files("#files", [proof, key])
        expect(verifier.locator("#verdict h2")).to_have_text(ES["verifier.verdict_unaltered"])
        facts = verifier.locator("#facts .code").all_inner_texts()
        assert {root, of_poster} <= set(facts), "and so does the verifier"
    done = guinote("audit", "verify", str(proof), "--key", str(key))
    assert done[0] == 0, done


def test_whoever_compared_the_key_by_eye_says_so_in_the_verifier(
    signed: tuple[Served, str],
) -> None:
    served, encuentro = signed
    status, proof = served.ask("GET", f"/api/v1/encuentros/{encuentro}/proof")
    assert status == 200, "the result is official: the proof is for everybody"
    with node_page() as page:
        verifier = Verifier(page)
        seen = verifier.seen(json.dumps(proof).encode())
        assert seen["heading"] == ES["verifier.verdict_own"]
        seen = verifier.of_same_key()
        assert seen["heading"] == ES["verifier.verdict_unaltered"]
        assert seen["typed"] == proof["key"]


def test_the_pages_of_a_proof_have_contrast_for_everybody(
    browser: Browser, signed: tuple[Served, str]
) -> None:
    served, encuentro = signed
    for path in (f"/e/{encuentro}/prueba", "/llave"):
        with visiting(browser, served, path, **TABLET) as page:
            no_violations_in_any_scheme(page)


def test_what_nobody_has_signed_yet_is_said_in_words(table: HttpTable) -> None:
    encuentro = table.encuentro().rpartition("/")[2]
    for path in (f"/e/{encuentro}/prueba", "/llave"):
        assert say("proof.not_signed", "es") in table.get(path).text
    nobody = table.app.test_client().get(f"/e/{encuentro}/prueba")
    assert nobody.status_code in (302, 303, 401), "nobody reads an encuentro that runs"
    assert table.get(f"/e/{'0' * 8}-0000-4000-8000-{'0' * 12}/prueba").status_code == 404


def test_the_notary_ends_with_the_server_even_if_that_is_killed(
    signed: tuple[Served, str], tmp_path: Path
) -> None:
    data = tmp_path / "data"
    HttpTable(data).close()
    served = signing(data, tmp_path / "keys")
    (notary,) = wait_for(lambda: notaries(served), "the notary")
    assert served.process is not None
    os.kill(served.process.pid, signal.SIGKILL)
    try:
        wait_for(lambda: not command_of(notary), "the end of the notary")
    finally:
        served.kill_all()
    del signed


def test_a_server_that_is_told_so_starts_no_notary(tmp_path: Path) -> None:
    data = tmp_path / "data"
    HttpTable(data).close()
    served = signing(data, tmp_path / "keys", "off")
    try:
        wait_for(served.projectors, "the other process beside the server")
        assert not notaries(served)
    finally:
        served.kill_all()


def test_each_data_folder_has_its_own_folder_of_keys_outside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(NOTARY_VARIABLE, raising=False)
    usual = tmp_path / "var"
    assert notary_folder_of(usual, usual) == Path("notary"), "as guinote notary has it"
    assert notary_folder_of(tmp_path / "club", usual) == tmp_path.resolve() / "club-notary"
    monkeypatch.setenv(NOTARY_VARIABLE, "elsewhere")
    assert notary_folder_of(usual, usual) == Path("elsewhere")


def test_one_notary_signs_a_log(tmp_path: Path) -> None:
    data = tmp_path / "data"
    table = HttpTable(data)
    table.encuentro()
    table.close()
    first, second = (("notary", "--once", "--keys", str(tmp_path / one)) for one in "12")
    assert guinote(*first, data=data)[0] == 0
    code, said, _ = guinote(*second, data=data)
    assert (code, '"other_notary"' in said) == (4, True)
    assert guinote(*first, data=data)[0] == 0
    assert not (tmp_path / "2").exists(), "and no second key is made"
    assert guinote(*second, "--origin", "club.example/2", data=data)[0] == 4
    assert guinote(*second, "--new-key", "--origin", "club.example/2", data=data)[0] == 0
    assert guinote(*second, data=data)[0] == 0
    assert guinote(*first, data=data)[0] == 4, "the key of before"
    assert guinote("verify", data=data)[0] == 0
