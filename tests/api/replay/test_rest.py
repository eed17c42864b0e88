"""Replays over HTTP: public once decided, in four languages, without private texts."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from api.http.languages import say
from api.replay.words import comparison_with_words
from projections.legality.evidence import ComparisonData
from referee.rules.profile.options import Options
from tests.api.cases.test_cases import dispute
from tests.support.records.dealt_out import Player
from tests.support.servers.http_table import HttpTable

START = [{"kind": "deal", "dealer": "B2"}, {"kind": "pinta", "card": "4O"}]
FALSE = [("A1", "2C"), ("B1", "6E"), ("A2", "4C"), ("B2", "7C")]
PROOF = [("B2", "4E"), ("A1", "2E"), ("B1", "5C")]
RULING = {"kind": "ruling", "effect": "partida", "side": "A", "text": "El renuncio se paga"}
TALK = {"kind": "incident", "incident": "talk", "seat": "B1", "text": "pide una copa"}


def cards(*plays: tuple[str, str]) -> list[dict[str, Any]]:
    return [{"kind": "card", "seat": seat, "card": card} for seat, card in plays]


def disputed(table: HttpTable, *more: dict[str, Any]) -> str:
    """A partida in which B1 does not follow, and shows it."""
    found = table.partida(table.encuentro("sin-mazo"))
    answer = table.record(found, 0, *START, *cards(*FALSE, *PROOF), TALK, *more)
    assert answer.status_code == 200, answer.text
    return found


def whole(table: HttpTable, *, observed: bool = True) -> str:
    """A partida played to its end."""
    player = Player(Options(), 4, observed=observed)
    player.partida()
    found, version = table.partida(), 0
    acts = [msgspec.to_builtins(act) for act in player.acts]
    for start in range(0, len(acts), 50):
        part = acts[start : start + 50]
        assert table.record(found, version, *part).status_code == 200
        version += len(part)
    return found


def test_until_it_is_decided_it_is_for_the_arbiter_then_for_everybody(table):
    found = disputed(table)
    assert table.get(f"{found}/reel").status_code == 200
    assert table.client.get(f"{found}/reel").status_code == 401
    assert table.record(found, 10, RULING).status_code == 200
    assert table.client.get(f"{found}/reel").status_code == 200
    assert table.client.get(f"{found}/reel?seat=A1&profile=club").status_code == 422
    undone = table.post(f"{found}/undo", {}, 11)
    assert undone.status_code == 200, undone.text
    assert table.client.get(f"{found}/reel").status_code == 401


def test_everybody_reads_names_and_rulings_but_no_other_word_of_the_arbiter(table):
    found = disputed(table, RULING)
    mine = table.get(f"{found}/reel").json
    public = table.client.get(f"{found}/reel").json
    assert public["names"] == {"A1": "Ana", "B1": "Blas", "A2": "Celia", "B2": "Diego"}
    assert public["steps"][-1]["text"].endswith("El renuncio se paga")
    assert mine["steps"][-2]["text"].endswith("pide una copa")
    assert public["steps"][-2]["text"] == "Falta de Blas: habla"
    assert public["outcome"]["winner"] == "A"


def test_an_open_case_is_shown_only_to_the_arbiter(table):
    found = disputed(table, RULING)
    encuentro = found.removesuffix("/partidas/1")
    case = {"by": {"name": "Ana"}, "side": "A", "partida": 1, "lines": [4], "because": "no asiste"}
    version = table.get(encuentro).json["version"]
    assert table.post(f"{encuentro}/cases", case, version).status_code == 201
    (case,) = table.get(f"{found}/reel").json["cases"]
    scorer = table.scorer(encuentro)
    assert scorer.get(f"{encuentro}/cases").status_code == 403
    kept = scorer.get(f"{found}/reel").json
    assert (kept["cases"], len(kept["steps"])) == ([], 11)
    assert (case["lines"], case["because"], case["number"]) == ([4], "no asiste", 1)
    public = table.client.get(f"{found}/reel")
    assert public.json["cases"] == []
    assert "no asiste" not in public.text


def test_claims_are_judged_in_it_once_the_partida_is_decided_and_never_before(table):
    found = disputed(table, {"kind": "claim", "seat": "A1"}, {"kind": "claim_rest", "seat": "A1"})
    assert table.get(f"{found}/reel").json["judged"] == []
    assert table.record(found, 12, {"kind": "concede", "side": "A"}).status_code == 200
    case = dispute(table, found, side="", lines=[11, 12, 13])
    judged = table.get(f"{case}/analysis").json
    for lang in ("es", "fr"):
        claim, conceded, rest = table.client.get(f"{found}/reel?lang={lang}").json["judged"]
        assert [claim["line"], conceded["line"], rest["line"]] == [11, 13, 12]
        assert claim["text"][-1] == say("case.reach.decides_nothing", lang)
        assert rest["text"][-1] == say("case.rest.decides_nothing", lang)
        if lang == "es":
            assert [claim["text"][:-1], conceded["text"][:-1]] == [
                one["text"] for one in judged["reaches"]
            ]
            assert [rest["text"][0]] == [one["text"] for one in judged["rests"]]
    assert table.get(f"{found}/reel?seat=A1").json["judged"] == []
    assert table.get(f"{found}/reel?line=12").json["judged"] == []


def test_it_is_given_in_four_languages(table):
    found = disputed(table)
    said = {}
    for lang in ("es", "ca", "en", "fr"):
        replay = table.get(f"{found}/reel?lang={lang}").json
        (broken,) = [one for one in replay["verdicts"] if one["line"] == 4]
        said[lang] = (replay["steps"][2]["text"], broken["text"])
    assert said["es"] == (
        "Ana juega el dos de copas",
        (
            "Blas llevaba el cinco de copas. Lo prueba: el dos de copas de Ana, el seis de espadas de"
            " Blas y el cinco de copas de Blas."
        ),
    )
    assert len(set(said.values())) == 4


def test_the_record_as_it_stood_after_a_line(table):
    found = disputed(table)
    change = {"line": 4, "how": "replace", "act": cards(("B1", "6C"))[0]}
    body = {"changes": [change], "because": "era el seis de copas"}
    answer = table.post(f"{found}/amendments", body, 10)
    assert answer.status_code == 200, answer.text
    now, before = (table.get(f"{found}/reel{q}").json for q in ("", "?line=10"))
    assert (now["line"], before["line"], before["lines"]) == (11, 10, 11)
    assert now["steps"][3]["card"] == "6C"
    assert before["steps"][3]["card"] == "6E"
    assert now["amendments"] == [
        {
            "line": 11,
            "name": "la corrección",
            "text": "era el seis de copas",
            "stands": True,
            "changes": [
                {
                    "line": 4,
                    "how": "replace",
                    "before": "Blas juega el seis de espadas",
                    "after": "Blas juega el seis de copas",
                }
            ],
        }
    ]


def test_another_profile_says_what_it_changes_in_words(table):
    found = whole(table)
    replay = table.get(f"{found}/reel?profile=escuela").json
    assert (replay["own_profile"], replay["profile"]["id"]) == ("club", "escuela")
    assert "escuela" in replay["others"]
    titles = {one["option"]: one for one in replay["compared"]["options"]}
    assert titles["sota_caballo"]["other"] == "gana el caballo"
    assert replay["compared"]["outcome"]["text"].startswith("Gana")
    assert table.get(f"{found}/reel").json["compared"] is None


def test_an_edition_that_changes_something_is_named_in_words():
    outcome = {"winner": None, "how": None, "totals": {"A": 31, "B": 0}}
    edition = {"option": "edition", "value": "2026-1", "other": "2026-2"}
    view = {"profile": "club", "options": [edition], "outcome": outcome, "other_outcome": outcome,
            "outcome_by": ["edition"], "acts": []}  # fmt: skip
    said = comparison_with_words(msgspec.convert(view, ComparisonData), "es")
    assert msgspec.to_builtins(said.options) == [{**edition, "title": "Versión de las normas"}]
    assert said.outcome_by == ["Versión de las normas"]


def test_a_seat_is_one_of_the_table(table):
    found = disputed(table)
    assert table.get(f"{found}/reel?seat=A2").json["seat"] == "A2"
    wrong = table.get(f"{found}/reel?seat=C1")
    assert wrong.status_code == 422
    assert wrong.json["codes"] == {"query": {"seat": ["not_one_of"]}}
    for bad in ("seat=Z9", "profile=nobody", "profile=sin-nada", "line=-1"):
        assert table.get(f"{found}/reel?{bad}").status_code == 422, bad
    assert table.get(f"{found}/reel?line=99").status_code == 404


def test_a_whole_partida_is_sent_in_less_than_100_kb(table):
    for observed in (True, False):
        answer = table.get(f"{whole(table, observed=observed)}/reel?profile=guinyot")
        assert len(answer.data) < 100_000
        assert json.loads(answer.data)["outcome"]
