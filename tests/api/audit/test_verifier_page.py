"""The verifier page in a real browser: every proof of the corpus, and what the page shows."""

from __future__ import annotations

import base64
import gzip
import hashlib
import importlib.util
import itertools
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from msgspec import to_builtins
from playwright.sync_api import Browser, Page

from api.http.languages import LANGUAGES, texts
from referee.audit import differences as audit_differences
from referee.audit.auditor import TrustedNotes, audit_proof
from referee.audit.checkpoint import read_key
from referee.audit.completeness import MISSING, MissingPart
from referee.audit.differences import AuditDifference
from tests.api.cases.test_actas import disputed_partida
from tests.api.cases.test_cases import of
from tests.api.cli.test_cli import RECORD, guinote
from tests.support.browser.in_browser import PAGE, bring, codes, found, opened
from tests.support.browser.pages import HEAVIEST_PAGE, weight
from tests.support.places import ROOT
from tests.support.proofs.cases import HONEST, TAMPERED
from tests.support.proofs.changes import card_of
from tests.support.proofs.corpus import (
    KEY,
    OTHER_KEY,
    Case,
    leaves,
    proof_of,
    resguardo_of,
    written,
)
from tests.support.proofs.malformed import MALFORMED
from tests.support.servers.http_table import HttpTable
from tests.support.servers.served import Served

KNOWN = {
    *audit_differences.OF_A_PROOF,
    *audit_differences.OF_A_RESGUARDO,
    "version_gap",
    "root_differs",
}
KNOWN |= {"key_malformed", "checkpoint_malformed", "other_origin"}
KNOWN |= {"not_signed_by_key", "bad_signature"}
SOURCES = ROOT / "docs" / "verifier"
WALL = KEY.public.text
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    with opened(browser, offline=True) as one:
        yield one


def by_python(content: bytes, key: str) -> tuple[list[dict[str, str]], list[dict[str, str]]]:
    """Differences and missing parts that the Python verifier finds, in the same form.

    Only it recomputes conclusions.
    """
    found = audit_proof(content, TrustedNotes(read_key(key)))
    wrong = [one for one in found.wrong if isinstance(one, AuditDifference)]
    missing = [one for one in found.missing if one.what != "conclusion_left_out"]
    return said(wrong), said(missing)


def said(found: Sequence[AuditDifference | MissingPart]) -> list[dict[str, str]]:
    """Each as an element of the page holds it."""
    return [
        {name: str(value) for name, value in to_builtins(each).items() if value is not None}
        for each in found
    ]


_VERIFIED = """async ({ content, key }) => {
  const part = (id) => document.getElementById(id);
  for (const [id, text] of [["key", key], ["paper", ""]]) {
    if (part(id).value === text) continue;
    part(id).value = text;
    part(id).dispatchEvent(new Event("input"));
  }
  part("verdict").hidden = true;
  const files = new DataTransfer();
  const bytes = Uint8Array.from(atob(content), (one) => one.charCodeAt(0));
  files.items.add(new File([bytes], "prueba.json"));
  part("files").files = files.files;
  part("files").dispatchEvent(new Event("change"));
  while (part("verdict").hidden) await new Promise((done) => setTimeout(done, 5));
  const data = (found) => [...document.querySelectorAll(found)].map((one) => ({ ...one.dataset }));
  return [part("verdict").dataset.verdict, data("#differences li"), data("#steps [data-missing]")];
}"""


def verified(
    page: Page, content: bytes, key: str
) -> tuple[str, list[dict[str, str]], list[dict[str, str]]]:
    """``bring`` and ``found`` in one request to the browser, and what is missing, for many files."""
    sent = {"content": base64.b64encode(content).decode(), "key": key}
    verdict, differences, missing = page.evaluate(_VERIFIED, sent)
    parts = [{"what": one.pop("missing"), **one} for one in missing]
    return verdict, differences, parts


@pytest.mark.parametrize("one", [*HONEST, *TAMPERED, *MALFORMED], ids=lambda one: one.name)
def test_both_verifiers_find_what_is_wrong_and_nothing_else(page: Page, one: Case) -> None:
    verdict, differences, missing = verified(page, one.content, one.key)
    assert {each["what"] for each in differences} == one.codes
    expected = "altered" if one.codes else "incomplete"
    assert verdict == ("malformed" if "proof_malformed" in one.codes else expected)
    by_program = by_python(one.content, one.key)
    assert sorted(differences, key=str) == sorted(by_program[0], key=str)
    if not one.codes:
        assert {each["what"] for each in missing} == one.missing
        assert sorted(missing, key=str) == sorted(by_program[1], key=str)


def test_both_verifiers_say_the_same_of_every_cut(page: Page, tmp_path: Path) -> None:
    """Of an encuentro with a case that is closed, and a result that is signed."""
    data = tmp_path / "data"
    data.mkdir()
    table = HttpTable(data)
    encuentro = of(disputed_partida(table)).split("/")[-1]
    table.close()
    sign = ("notary", "--keys", str(tmp_path / "keys"), "--origin", "club.example/mesas", "--once")
    assert guinote(*sign, data=data)[0] == 0
    whole = json.loads(guinote("audit", "prove", encuentro, data=data)[1])
    key = whole["key"]
    assert verified(page, written(whole), key) == ("unaltered", [], [])
    assert texts("es")["verifier.closed"] in page.inner_text("#steps")
    seen = set()
    for stream, length in Counter(one["stream"] for one in whole["events"]).items():
        for kept in range(1 if stream == encuentro.replace("-", "") else 0, length):
            events = [
                one for one in whole["events"] if one["stream"] != stream or one["version"] <= kept
            ]
            cut = written({**whole, "events": events, "recorded": len(events)})
            verdict, differences, missing = verified(page, cut, key)
            by_program = by_python(cut, key)
            assert (differences, by_program[0]) == ([], [])
            assert sorted(missing, key=str) == sorted(by_program[1], key=str)
            assert verdict == "incomplete", (stream, kept)
            seen |= {one["what"] for one in missing}
    assert seen == {*MISSING} - {"not_all_recorded", "conclusion_left_out"}


def test_a_difference_names_its_event(page: Page) -> None:
    proof = proof_of()
    one = card_of(proof)
    one["state"]["fact"]["card"] = "2B"
    bring(page, written(proof), WALL)
    about = {name: str(one[name]) for name in ("index", "stream", "version")}
    assert found(page)[1] == [
        {"what": "entry_differs", **about},
        {"what": "not_included", **about},
    ]
    said = page.inner_text("#differences li:first-child")
    assert f"juega el dos de bastos · hoja {one['index']}" in said
    assert page.locator("#acts .bad").count() == 1


# --- resguardos -------------------------------------------------------------------------

SIZE = len(leaves())
ALTERED = resguardo_of().rsplit(" ", 1)[0] + " " + resguardo_of(1).rsplit(" ", 1)[1]
MORE = resguardo_of().replace(f" {len(proof_of()['events'])} ", " 9000 ")
FEWER = resguardo_of().replace(f" {len(proof_of()['events'])} ", " 3 ")


@pytest.mark.parametrize(
    ("paper", "wrong", "step"),
    [
        (resguardo_of(), "", "Coincide"),
        (resguardo_of(0, SIZE // 4), "", "Coincide"),
        (proof_of()["checkpoint"], "", "Coincide"),
        (KEY.sign(SIZE + 7, bytes(32)), "", "de otro momento"),
        (KEY.sign(SIZE, bytes(32)), "root_differs", "No coincide"),
        (KEY.sign(7, bytes(32)) + KEY.sign(SIZE, bytes(32)), "root_differs", "No coincide"),
        (OTHER_KEY.sign(SIZE, bytes(32)), "not_signed_by_key", ""),
        (resguardo_of(1), "other_encuentro", "No coincide"),
        (ALTERED, "head_differs", "No coincide"),
        (FEWER, "head_differs", "No coincide"),
        (MORE, "events_missing", "No coincide"),
        (resguardo_of(key=OTHER_KEY), "not_signed_by_key", ""),
        (resguardo_of().replace(f" {SIZE} ", f" {SIZE - 1} "), "bad_signature", ""),
    ],
)
def test_what_was_taken_home_is_compared(page: Page, paper: str, wrong: str, step: str) -> None:
    bring(page, written(proof_of()), WALL, paper)
    assert codes(page) == set(wrong.split())
    assert step in page.inner_text("#steps")
    assert page.is_hidden("#paper-wrong")


@pytest.mark.parametrize("paper", ["hola", "guinote-resguardo/1 hola", "a\n1\nb\n\n\u2014 c"])
def test_an_invalid_paper_is_reported_and_changes_no_verdict(page: Page, paper: str) -> None:
    bring(page, written(proof_of()), WALL, paper)
    assert found(page)[0] == "incomplete"
    assert page.is_visible("#paper-wrong")


def test_files_of_every_kind_may_come_at_once(page: Page) -> None:
    bring(page, written(proof_of(1)))
    files = {"p.json": written(proof_of()), "k.txt": WALL.encode(), "r": resguardo_of().encode()}
    page.set_input_files(
        "#files", [{"name": n, "mimeType": "", "buffer": c} for n, c in files.items()]
    )
    page.wait_for_selector("#verdict[data-key=given]")
    assert found(page) == ("unaltered", [])
    assert page.input_value("#key") == WALL
    assert "Coincide" in page.inner_text("#steps")


def test_what_the_prover_gives_is_found_unaltered(page: Page, tmp_path: Path) -> None:
    data, keys = tmp_path / "data", tmp_path / "keys"
    encuentro = json.loads(guinote("import", str(RECORD), data=data)[1])["encuentro"]
    sign = ("notary", "--keys", str(keys), "--origin", "club.example/mesas", "--once")
    assert guinote(*sign, data=data)[0] == 0
    proof, key, paper = (
        guinote("audit", *words, data=data)[1]
        for words in (("prove", encuentro), ("key",), ("qr", encuentro, "--text"))
    )
    bring(page, proof.encode(), key, paper)
    assert found(page) == ("unaltered", [])
    assert "Coincide con lo que te llevaste" in page.inner_text("#steps")
    bring(page, proof.replace('"seat": "A1"', '"seat": "B1"', 1).encode(), key, paper)
    assert codes(page) == {"entry_differs", "not_included", "head_differs"}


# --- what a person sees --------------------------------------------------------------------------


def test_a_proof_checked_with_its_own_key_alone_is_not_called_intact(page: Page) -> None:
    bring(page, written(proof_of()))
    assert page.get_attribute("#verdict", "data-key") == "own"
    assert page.inner_text("#verdict h2") == "Cuadra, falta la llave"
    bring(page, written(proof_of()), WALL)
    assert page.inner_text("#verdict h2") == "Intacto hasta donde llega"
    bring(page, written(proof_of()), WALL, resguardo_of())
    assert page.inner_text("#verdict h2") == "Todo está intacto"


@pytest.mark.parametrize(
    ("locale", "language"),
    [("es-ES", "es"), ("ca-ES", "ca"), ("en-GB", "en"), ("fr-FR", "fr"), ("de-DE", "es")],
)
def test_the_page_is_in_the_language_of_the_browser(
    browser: Browser, locale: str, language: str
) -> None:
    with opened(browser, offline=True, locale=locale, **PHONE) as one:
        bring(one, written(proof_of()), WALL, resguardo_of())
        said = texts(language)
        assert one.get_attribute("html", "lang") == language
        assert one.inner_text("h1") == said["verifier.title"]
        assert one.inner_text("#verdict h2") == said["verifier.verdict_unaltered"]
        assert "verifier." not in one.inner_text("body")
        one.select_option("#language", "en" if language != "en" else "es")
        assert one.inner_text("#verdict h2") != said["verifier.verdict_unaltered"]


def test_every_act_is_shown_in_words(page: Page) -> None:
    bring(page, written(proof_of()), WALL)
    page.evaluate("for (const one of document.querySelectorAll('#acts details')) one.open = true")
    rows = page.locator("#acts li").all_inner_texts()
    assert len(rows) == len(proof_of()["events"])
    assert not [row for row in rows if re.search(r"\w\.\d+$|undefined|\{|\bact\.", row)]
    assert any("juega" in row and " de " in row for row in rows)


def test_nothing_runs_out_of_a_narrow_screen(browser: Browser) -> None:
    with opened(browser, offline=True) as one:
        for content in (written(proof_of()), TAMPERED[0].content, b"{}"):
            bring(one, content, WALL, resguardo_of())
            one.evaluate("for (const d of document.querySelectorAll('details')) d.open = true")
            for width, scheme in itertools.product((320, 390, 1280), ("light", "dark")):
                one.set_viewport_size({"width": width, "height": 700})
                one.emulate_media(color_scheme=scheme)
                assert one.evaluate("document.documentElement.scrollWidth") <= width


# --- the file ------------------------------------------------------------------------------------


def test_the_file_is_what_its_sources_give() -> None:
    spec = importlib.util.spec_from_file_location("build", SOURCES / "build.py")
    assert spec
    assert spec.loader
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    assert PAGE.read_text("utf-8") == build.built(), "run docs/verifier/build.py"


def test_a_saved_copy_has_no_links_to_pages_of_the_service(page: Page) -> None:
    assert page.url.startswith("file:")
    assert page.locator("#leading-on a").count() == 2
    assert page.locator("#leading-on").is_hidden()


def test_what_comes_from_others_is_as_it_came() -> None:
    vendor = SOURCES / "vendor"
    sums = {
        name: digest
        for digest, name in (
            line.split() for line in (vendor / "SHA256SUMS").read_text().splitlines()
        )
    }
    files = [one for one in vendor.rglob("*") if one.is_file() and one.name != "SHA256SUMS"]
    assert sums == {
        f"./{one.relative_to(vendor).as_posix()}": hashlib.sha256(one.read_bytes()).hexdigest()
        for one in files
    }
    assert len([one for one in files if one.name == "LICENSE"]) == 2


def test_the_page_may_load_nothing_and_run_nothing_else(browser: Browser) -> None:
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', PAGE.read_text("utf-8"))
    assert policy
    assert policy[1].startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy[1]
    context = browser.new_context()
    page = context.new_page()
    page.goto(PAGE.as_uri())
    page.evaluate(
        "const one = document.createElement('script'); one.textContent = 'window.ran = 1';"
        "document.body.append(one)"
    )
    assert page.evaluate("window.ran") is None
    assert page.evaluate("fetch('data:,x').then(() => 'sent', () => 'barred')") == "barred"
    context.close()


def test_every_text_of_the_verifier_is_used() -> None:
    sources = "".join(
        one.read_text("utf-8") for one in [*SOURCES.glob("*.js"), *SOURCES.glob("*.html")]
    )
    made = re.compile(r"^verifier\.(code|fact|verdict|means|missing)_")
    steps = re.compile(r"^verifier\.(signature|content|included|complete|ours|papers)(_|$)")
    keys = {key for key in texts("es") if key.startswith("verifier.")}
    assert len(keys) > 60
    keys -= {f"verifier.code_{code}" for code in KNOWN}
    assert [k for k in keys if k.startswith("verifier.code_")] == []
    assert [k for k in keys if not made.match(k) and not steps.match(k) and k not in sources] == []
    for language in LANGUAGES:
        assert [code for code in KNOWN if f"verifier.code_{code}" not in texts(language)] == []


def test_the_service_serves_the_page_to_everybody(browser: Browser, tmp_path: Path) -> None:
    table = HttpTable(tmp_path)
    answer = table.client.get("/verificador")
    assert (answer.status_code, answer.data) == (200, PAGE.read_bytes())
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    again = table.client.get("/verificador", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304
    packing = {"Accept-Encoding": "gzip"}
    packed = table.client.get("/verificador", headers=packing)
    assert gzip.decompress(packed.data) == PAGE.read_bytes()
    assert (packed.headers["Content-Encoding"], packed.headers["Vary"]) == (
        "gzip",
        "Accept-Encoding",
    )
    assert packed.headers["Content-Security-Policy"] == policy
    assert packed.headers["ETag"] != answer.headers["ETag"]
    packing["If-None-Match"] = packed.headers["ETag"]
    assert table.client.get("/verificador", headers=packing).status_code == 304
    table.close()
    served = Served(tmp_path)
    served.start()
    try:
        assert 30_000 < weight(browser, served, "/verificador") < HEAVIEST_PAGE
        with opened(browser, f"http://127.0.0.1:{served.port}/verificador") as one:
            bring(one, written(proof_of()), WALL)
            assert found(one) == ("incomplete", [])
            assert [one.get_attribute(f"#leading-on a >> nth={n}", "href") for n in (0, 1)] == [
                *("/", "/ayuda/comprobar-una-prueba")
            ]
            assert one.locator("#leading-on").inner_text() == "Inicio Ayuda de esta página"
    finally:
        served.kill_all()
