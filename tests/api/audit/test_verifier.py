"""The verifier page, run in node: what it says of every proof, beside the verifier in Python."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins

from api.audit.bundle import SOURCES, VENDOR, verifier_html
from api.http.languages import LANGUAGES, texts_of_language
from referee.audit import differences as audit_differences
from referee.audit.auditor import TrustedNotes, audit_proof
from referee.audit.checkpoint import read_key
from referee.audit.completeness import MISSING, MissingPart
from referee.audit.differences import AuditDifference
from tests.api.audit.corpus.cases import HONEST, TAMPERED
from tests.api.audit.corpus.changes import card_of
from tests.api.audit.corpus.malformed import MALFORMED
from tests.api.audit.corpus.proofs import (
    KEY,
    OTHER_KEY,
    Case,
    leaves,
    proof_of,
    resguardo_of,
    written,
)
from tests.api.cases.test_actas import disputed_partida
from tests.api.cases.test_cases import of
from tests.api.cli.test_cli import RECORD, guinote
from tests.support.javascript import NodePage, node_page
from tests.support.places import ROOT
from tests.support.servers.http_table import HttpTable

KNOWN = {
    *audit_differences.OF_A_PROOF,
    *audit_differences.OF_A_RESGUARDO,
    "version_gap",
    "root_differs",
}
KNOWN |= {"key_malformed", "checkpoint_malformed", "other_origin"}
KNOWN |= {"not_signed_by_key", "bad_signature"}
WALL = KEY.public.text
_OPEN_AT = """([html, address, spoken]) => {
  openPage(html, address, [spoken]);
  (0, eval)(document.querySelector("script:not([type])").textContent);
}"""
_BRING = """async (files) => {
  const part = (id) => document.getElementById(id);
  const bytesOf = (content) => Uint8Array.from(atob(content), (one) => one.charCodeAt(0));
  const given = files.map(([name, content]) => new File([bytesOf(content)], name));
  part("verdict").hidden = true;
  Object.defineProperty(part("files"), "files", { value: given, configurable: true });
  part("files").dispatchEvent(new Event("change"));
  while (part("verdict").hidden) await new Promise((done) => setTimeout(done));
}"""
_FILL = """([id, text]) => {
  const field = document.getElementById(id);
  if (field.value !== text) {
    field.value = text;
    field.dispatchEvent(new Event("input"));
  }
}"""
_CHOOSE = """(language) => {
  const menu = document.getElementById("language");
  menu.value = language;
  menu.dispatchEvent(new Event("change"));
}"""
_SAME_KEY = "document.getElementById('same-key').click()"
_SEEN = """() => {
  const part = (id) => document.getElementById(id);
  const data = (found) => [...document.querySelectorAll(found)].map((one) => ({ ...one.dataset }));
  const text = (found) => [...document.querySelectorAll(found)].map((one) => one.textContent);
  return {
    verdict: part("verdict").dataset.verdict, key: part("verdict").dataset.key,
    heading: part("verdict").querySelector("h2").textContent, differences: data("#differences li"),
    missing: data("#steps [data-missing]"), steps: text("#steps li"), said: text("#differences li"),
    acts: text("#acts li"), bad: text("#acts .bad"), paper_wrong: !part("paper-wrong").hidden,
    leading_on: !part("leading-on").hidden, typed: part("key").value,
    noted: [...document.querySelectorAll("#steps li[data-noted]")].map((one) => [one.dataset.index, one.textContent]),
    lang: document.documentElement.lang, title: document.querySelector("h1").textContent,
    body: [...document.body.children].filter((one) => one.localName !== "script").map((one) => one.textContent).join(" "),
  };
}"""


class Verifier:
    """The page, and what it says of what is brought to it."""

    def __init__(self, page: NodePage, spoken: str = "es-ES") -> None:
        self._page = page
        page.evaluate(_OPEN_AT, [verifier_html(), "file:///verificador.html", spoken])

    def seen(self, content: bytes, key: str = "", paper: str = "") -> dict[str, Any]:
        """What it shows of a proof, with a key and a paper."""
        self._page.evaluate(_FILL, ["key", key])
        self._page.evaluate(_FILL, ["paper", paper])
        return self.of_files({"prueba.json": content})

    def of_files(self, files: dict[str, bytes]) -> dict[str, Any]:
        """What it shows of files that come at once."""
        sent = [[name, base64.b64encode(content).decode()] for name, content in files.items()]
        self._page.evaluate(_BRING, sent)
        return dict(self._page.evaluate(_SEEN))

    def in_language(self, language: str) -> dict[str, Any]:
        """What it shows of the same in another language."""
        self._page.evaluate(_CHOOSE, language)
        return dict(self._page.evaluate(_SEEN))

    def of_same_key(self) -> dict[str, Any]:
        """What it shows when the reader says that the key is the one on the wall."""
        self._page.evaluate(_SAME_KEY)
        return dict(self._page.evaluate(_SEEN))


@pytest.fixture(scope="module")
def verifier() -> Iterator[Verifier]:
    with node_page() as page:
        yield Verifier(page)


def codes(seen: dict[str, Any]) -> set[str]:
    """Codes of the differences that the page shows."""
    return {one["what"] for one in seen["differences"]}


def steps(seen: dict[str, Any]) -> str:
    return "\n".join(seen["steps"])


def missing_parts(seen: dict[str, Any]) -> list[dict[str, str]]:
    """What is missing by the page, in the form of ``by_python``."""
    return [
        {"what": one["missing"], **{k: v for k, v in one.items() if k != "missing"}}
        for one in seen["missing"]
    ]


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


@pytest.mark.parametrize("one", [*HONEST, *TAMPERED, *MALFORMED], ids=lambda one: one.name)
def test_both_verifiers_find_what_is_wrong_and_nothing_else(verifier: Verifier, one: Case) -> None:
    seen = verifier.seen(one.content, one.key)
    assert codes(seen) == one.codes
    expected = "altered" if one.codes else "incomplete"
    assert seen["verdict"] == ("malformed" if "proof_malformed" in one.codes else expected)
    by_program = by_python(one.content, one.key)
    assert sorted(seen["differences"], key=str) == sorted(by_program[0], key=str)
    if not one.codes:
        missing = missing_parts(seen)
        assert {each["what"] for each in missing} == one.missing
        assert sorted(missing, key=str) == sorted(by_program[1], key=str)


def test_both_verifiers_say_the_same_of_every_cut(verifier: Verifier, tmp_path: Path) -> None:
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
    shown = verifier.seen(written(whole), key)
    assert (shown["verdict"], shown["differences"], shown["missing"]) == ("unaltered", [], [])
    assert texts_of_language("es")["verifier.closed"] in steps(shown)
    seen = set()
    for stream, length in Counter(one["stream"] for one in whole["events"]).items():
        for kept in range(1 if stream == encuentro.replace("-", "") else 0, length):
            events = [
                one for one in whole["events"] if one["stream"] != stream or one["version"] <= kept
            ]
            cut = written({**whole, "events": events, "recorded": len(events)})
            shown = verifier.seen(cut, key)
            missing = missing_parts(shown)
            by_program = by_python(cut, key)
            assert (shown["differences"], by_program[0]) == ([], [])
            assert sorted(missing, key=str) == sorted(by_program[1], key=str)
            assert shown["verdict"] == "incomplete", (stream, kept)
            seen |= {one["what"] for one in missing}
    assert seen == {*MISSING} - {"not_all_recorded", "conclusion_left_out"}


def test_a_difference_names_its_event(verifier: Verifier) -> None:
    proof = proof_of()
    one = card_of(proof)
    one["state"]["fact"]["card"] = "2B"
    seen = verifier.seen(written(proof), WALL)
    about = {name: str(one[name]) for name in ("index", "stream", "version")}
    assert seen["differences"] == [
        {"what": "entry_differs", **about},
        {"what": "not_included", **about},
    ]
    assert f"juega el dos de bastos · hoja {one['index']}" in seen["said"][0]
    assert len(seen["bad"]) == 1


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
        (KEY.sign_checkpoint(SIZE + 7, bytes(32)), "", "de otro momento"),
        (KEY.sign_checkpoint(SIZE, bytes(32)), "root_differs", "No coincide"),
        (
            KEY.sign_checkpoint(7, bytes(32)) + KEY.sign_checkpoint(SIZE, bytes(32)),
            "root_differs",
            "No coincide",
        ),
        (OTHER_KEY.sign_checkpoint(SIZE, bytes(32)), "not_signed_by_key", ""),
        (resguardo_of(1), "other_encuentro", "No coincide"),
        (ALTERED, "head_differs", "No coincide"),
        (FEWER, "head_differs", "No coincide"),
        (MORE, "events_missing", "No coincide"),
        (resguardo_of(key=OTHER_KEY), "not_signed_by_key", ""),
        (resguardo_of().replace(f" {SIZE} ", f" {SIZE - 1} "), "bad_signature", ""),
    ],
)
def test_what_was_taken_home_is_compared(
    verifier: Verifier, paper: str, wrong: str, step: str
) -> None:
    seen = verifier.seen(written(proof_of()), WALL, paper)
    assert codes(seen) == set(wrong.split())
    assert step in steps(seen)
    assert not seen["paper_wrong"]


@pytest.mark.parametrize("paper", ["hola", "guinote-resguardo/1 hola", "a\n1\nb\n\n\u2014 c"])
def test_an_invalid_paper_is_reported_and_changes_no_verdict(
    verifier: Verifier, paper: str
) -> None:
    seen = verifier.seen(written(proof_of()), WALL, paper)
    assert (seen["verdict"], seen["paper_wrong"]) == ("incomplete", True)


def test_files_of_every_kind_may_come_at_once(verifier: Verifier) -> None:
    verifier.seen(written(proof_of(1)))
    files = {"p.json": written(proof_of()), "k.txt": WALL.encode(), "r": resguardo_of().encode()}
    seen = verifier.of_files(files)
    assert (seen["verdict"], seen["key"], seen["differences"]) == ("unaltered", "given", [])
    assert seen["typed"] == WALL
    assert "Coincide" in steps(seen)


def test_what_the_prover_gives_is_found_unaltered(verifier: Verifier, tmp_path: Path) -> None:
    data, keys = tmp_path / "data", tmp_path / "keys"
    encuentro = json.loads(guinote("import", str(RECORD), data=data)[1])["encuentro"]
    sign = ("notary", "--keys", str(keys), "--origin", "club.example/mesas", "--once")
    assert guinote(*sign, data=data)[0] == 0
    proof, key, paper = (
        guinote("audit", *words, data=data)[1].rstrip("\n")
        for words in (("prove", encuentro), ("key",), ("qr", encuentro, "--text"))
    )
    seen = verifier.seen(proof.encode(), key, paper)
    assert (seen["verdict"], seen["differences"]) == ("unaltered", [])
    assert "Coincide con lo que te llevaste" in steps(seen)
    changed = proof.replace('"seat": "A1"', '"seat": "B1"', 1).encode()
    assert codes(verifier.seen(changed, key, paper)) == {
        "entry_differs",
        "not_included",
        "head_differs",
    }


# --- what a person sees --------------------------------------------------------------------------


def test_a_proof_checked_with_its_own_key_alone_is_not_called_intact(verifier: Verifier) -> None:
    seen = verifier.seen(written(proof_of()))
    assert (seen["key"], seen["heading"]) == ("own", "Cuadra, falta la llave")
    assert verifier.seen(written(proof_of()), WALL)["heading"] == "Intacto hasta donde llega"
    seen = verifier.seen(written(proof_of()), WALL, resguardo_of())
    assert seen["heading"] == "Todo está intacto"


def test_every_act_is_shown_in_words(verifier: Verifier) -> None:
    rows = verifier.seen(written(proof_of()), WALL)["acts"]
    assert len(rows) == len(proof_of()["events"])
    assert not [row for row in rows if re.search(r"\w\.\d+$|undefined|\{|\bact\.", row)]
    assert any("juega" in row and " de " in row for row in rows)


def test_a_saved_copy_has_no_links_to_pages_of_the_service(verifier: Verifier) -> None:
    assert not verifier.seen(written(proof_of()))["leading_on"]


@pytest.mark.parametrize(
    ("spoken", "language"),
    [("es-ES", "es"), ("ca-ES", "ca"), ("en-GB", "en"), ("fr-FR", "fr"), ("de-DE", "es")],
)
def test_the_page_is_in_the_language_of_the_reader(spoken: str, language: str) -> None:
    with node_page() as page:
        verifier, said = Verifier(page, spoken), texts_of_language(language)
        seen = verifier.seen(written(proof_of()), WALL, resguardo_of())
        assert seen["lang"] == language
        assert seen["title"] == said["verifier.title"]
        assert seen["heading"] == said["verifier.verdict_unaltered"]
        assert "verifier." not in seen["body"]
        other = verifier.in_language("en" if language != "en" else "es")
        assert other["heading"] != said["verifier.verdict_unaltered"]


# --- the file ------------------------------------------------------------------------------------


def test_every_process_makes_the_same_bytes(tmp_path: Path) -> None:
    made = {
        subprocess.check_output(
            [sys.executable, "-m", "api.audit.bundle"],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed, "LC_ALL": "C"},
        )
        for seed in ("1", "2")
    }
    assert made == {verifier_html().encode()}


def test_what_comes_from_others_is_as_it_came() -> None:
    sums = {
        name: digest
        for digest, name in (
            line.split() for line in (VENDOR / "SHA256SUMS").read_text().splitlines()
        )
    }
    files = [one for one in VENDOR.rglob("*") if one.is_file() and one.name != "SHA256SUMS"]
    assert sums == {
        f"./{one.relative_to(VENDOR).as_posix()}": hashlib.sha256(one.read_bytes()).hexdigest()
        for one in files
    }
    assert len([one for one in files if one.name == "LICENSE"]) == 2


def test_every_text_of_the_verifier_is_used() -> None:
    sources = "".join(
        one.read_text("utf-8") for one in [*SOURCES.glob("*.js"), *SOURCES.glob("*.html")]
    )
    made = re.compile(r"^verifier\.(code|fact|verdict|means|missing)_")
    steps = re.compile(r"^verifier\.(signature|content|included|complete|ours|papers)(_|$)")
    keys = {key for key in texts_of_language("es") if key.startswith("verifier.")}
    assert len(keys) > 60
    keys -= {f"verifier.code_{code}" for code in KNOWN}
    assert [k for k in keys if k.startswith("verifier.code_")] == []
    assert [k for k in keys if not made.match(k) and not steps.match(k) and k not in sources] == []
    for language in LANGUAGES:
        assert [
            code for code in KNOWN if f"verifier.code_{code}" not in texts_of_language(language)
        ] == []


def test_the_service_serves_the_page_to_everybody(table: HttpTable) -> None:
    answer = table.client.get("/verificador")
    assert (answer.status_code, answer.data) == (200, verifier_html().encode())
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    again = table.client.get("/verificador", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304
    packing = {"Accept-Encoding": "gzip"}
    packed = table.client.get("/verificador", headers=packing)
    assert gzip.decompress(packed.data) == verifier_html().encode()
    assert (packed.headers["Content-Encoding"], packed.headers["Vary"]) == (
        "gzip",
        "Accept-Encoding",
    )
    assert packed.headers["Content-Security-Policy"] == policy
    assert packed.headers["ETag"] != answer.headers["ETag"]
    packing["If-None-Match"] = packed.headers["ETag"]
    assert table.client.get("/verificador", headers=packing).status_code == 304


def test_the_policy_of_the_page_allows_its_own_script_alone() -> None:
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', verifier_html())
    assert policy
    assert policy[1].startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy[1]
