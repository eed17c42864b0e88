"""Free texts in which the name of a person stands: found, offered, erased, and gone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, get_args, get_origin
from uuid import UUID

import msgspec
import pytest

from api.club.mentions import IN_CLEAR
from api.http.problems import Problem
from api.http.services import refuse_text_with_names
from referee.aggregates.commands import Record
from referee.aggregates.tournament.lots import RevealedLots
from referee.aggregates.tournament.lots import lots_differences as differences_of_lots
from referee.events import Fact, RulingGiven
from referee.kinds import partida_id
from referee.log.mapper import event_classes_by_name
from referee.log.streams import WriteMetadata
from tests.api.cases.test_cases import dispute, of
from tests.api.cli.test_cli import guinote, lines
from tests.api.club.test_persons import differences, erase, events
from tests.support.html import Html
from tests.support.servers.http_table import ENCUENTROS, HttpTable, deal, pinta
from tests.support.servers.sealed_names import forms, traces

NAME = "Celia Zubiri"
OURS = {"Sec-Fetch-Site": "same-origin"}
WHOLE = (f"{NAME} enseñó la sota antes de tiempo", f"Memorial {NAME.upper()}", f"la rifa de {NAME}")
PART = "Lo vio la otra Celia"
NOT_WORDED = {
    *("account", "by", "device", "encuentro", "engine", "held_in", "holder", "pair", "principal"),
    *("case", "meeting", "person", "rules", "season", "tournament", "candidates", "cards"),
    *("hash", "profile_hash", "salt", "code", "commitment", "sha256", "media_type", "key"),
    *("at", "date", "since", "until", "time", "appeal_until", "zone", "colour", "winner"),
    *("base", "base_edition", "basis", "section", "sections", "source", "sources", "profile"),
    *("option", "options", "value", "values", "changes", "order", "pairs", "byes", "pairings"),
    "apart",
    *("encuentros", "outcome", "was", "now", "tables", "seed"),
    *("match", "matches", "team", "home", "away", "absent", "sanction", "days"),
    *("final", "qualifier", "entry", "invitation", "digests", "hours", "place_of"),
    *("public", "joint", "other", "month", "months", "club", "checkpoint", "event", "profile"),
    *("sides", "webhook", "address", "notified", "token", "origins"),
}
"""Fields with plain strings that nobody words: ids, hashes, days, one of a list; see each event."""


def plain_strings(kind: Any) -> bool:
    """Whether a type of a field holds strings that are neither an id of a text nor of a list."""
    if get_origin(kind) is Annotated or get_origin(kind) is None:
        return kind is str
    return any(plain_strings(one) for one in get_args(kind))


def test_every_field_in_which_words_may_stand_is_looked_at_or_nobody_words_it() -> None:
    facts = {*event_classes_by_name().values(), *Fact.__subclasses__()}
    for kind in facts:
        for field in msgspec.structs.fields(kind):
            if plain_strings(field.type):
                known = field.name in NOT_WORDED or field.name in IN_CLEAR.get(kind, ())
                assert known, f"{kind.__name__}.{field.name}"


def mentions(table: HttpTable, person: str) -> list[dict[str, Any]]:
    return list(table.get(f"/api/v1/persons/{person}/mentions").json["items"])


def written(table: HttpTable) -> tuple[str, str]:
    """A person, and the partida whose case names them, beside a tournament with their name."""
    seats = {s: {"name": n} for s, n in zip(("A1", "B1"), (NAME, "Blas Ara"), strict=True)}
    body = {"profile": {"id": "club"}, "players": 2, "seats": seats}
    where = table.post(ENCUENTROS, body).headers["Location"]
    partida = table.partida(where)
    assert table.record(partida, 0, deal("B1"), pinta()).status_code == 200
    dispute(table, partida, by={"name": "Ana"}, because=WHOLE[0], lines=[1])
    note = {"kind": "incident", "incident": "other", "text": PART}
    assert table.record(partida, 2, note).status_code == 200
    plan = {"format": "knock_out"}
    body = {"name": WHOLE[1], "profile": {"id": "club"}, "players": 4, "plan": plan}
    cup = table.post("/api/v1/tournaments", body)
    assert cup.status_code == 201, cup.text
    pairs = [{"players": [{"name": f"A{n}"}, {"name": f"B{n}"}]} for n in range(4)]
    entered = table.post(f"{cup.headers['Location']}/pairs", {"pairs": pairs}, cup.json["version"])
    drawn = {"heads": 0, "word_from": WHOLE[2]}
    draw = table.post(f"{cup.headers['Location']}/draw", drawn, entered.json["version"])
    assert draw.status_code in (200, 201), draw.text
    return str(table.get(where).json["seats"]["A1"]), partida


def test_texts_with_the_name_are_offered_and_those_chosen_are_in_no_file(
    table: HttpTable, tmp_path: Path
) -> None:
    person, partida = written(table)
    found = {one["words"]: one for one in mentions(table, person)}
    assert {words: one["whole"] for words, one in found.items()} == {
        **dict.fromkeys(WHOLE, True),
        PART: False,
    }
    assert {one["place"] for one in found.values()} == {"case", "tournament", "partida"}
    path = f"/jugadores/{person}/baja"
    page = Html(table.get(path).text)
    assert set(page.values("input[name=text][checked]", "value")) == {
        found[words]["text"] for words in WHOLE
    }
    assert all(table.get(one["path"]).status_code == 200 for one in found.values())
    listed = lines(guinote("persons", "mentions", person, data=tmp_path)[1])
    assert {one["text"] for one in listed} == {one["text"] for one in found.values()}
    before = events(tmp_path)
    form = {"sure": "yes", "text": page.values("input[name=text][checked]", "value")}
    done = table.client.post(path, data=form, headers={**table.owner(), **OURS})
    assert (done.status_code, done.headers["Location"]) == (303, "/jugadores/?done=erased")
    assert guinote("backup", str(tmp_path / "copy"), data=tmp_path)[0] == 0
    gone = [form for words in (*WHOLE, NAME) for form in forms(words)]
    assert traces(tmp_path, gone) == []
    assert events(tmp_path) == before
    assert differences(tmp_path) == []
    assert guinote("verify", data=tmp_path)[0] == 0
    assert (
        PART in table.get(partida.replace("/api/v1/encuentros", "/e").replace("partidas", "p")).text
    )
    assert table.get(f"{of(partida)}/cases/1").status_code == 200


def test_words_in_clear_are_said_to_stay_and_only_what_is_offered_is_erased(
    table: HttpTable,
) -> None:
    person, partida = written(table)
    services = table.app.extensions["guinote"]()
    old = RulingGiven("warning", "", "A", seat="A1", article=f"as {NAME} said")
    meta = WriteMetadata("owner", "console", services.clock())
    encuentro, number = UUID(of(partida).rpartition("/")[2]), 1
    services.referee.encuentros.record_partida_acts(
        partida_id(encuentro, number), [Record(old)], meta
    )
    (stays,) = [one for one in mentions(table, person) if not one["text"]]
    assert (stays["words"], stays["place"], stays["line"]) == (old.article, "partida", 4)
    page = Html(table.get(f"/jugadores/{person}/baja").text)
    assert old.article in page.text("ul.cases")
    other = services.persons.add_text("no name in it")
    form = {"sure": "yes", "text": [other]}
    sent = {**table.owner(), **OURS}
    assert (
        table.client.post(f"/jugadores/{person}/baja", data=form, headers=sent).status_code == 404
    )
    assert services.persons.text_by_id(other)
    assert erase(table, person) == 204
    assert table.get(f"/api/v1/persons/{person}/mentions").status_code == 404


def test_a_ruling_cites_an_article_in_clear_and_other_words_are_sealed_with_its_reason(
    table: HttpTable, tmp_path: Path
) -> None:
    partida = table.partida()
    ruling = {"kind": "ruling", "effect": "warning", "seat": "A1", "side": "A", "text": "Avisado."}
    cited = [{**ruling, "article": one} for one in ("overtrump", "art. 24.3", WHOLE[0])]
    assert table.record(partida, 0, deal(), pinta(), *cited).status_code == 200
    acts = [one["fact"] for one in table.get(f"{partida}/audit").json["items"]]
    rulings = [one for one in acts if one.get("effect")]
    assert [one.get("article", "") for one in rulings] == ["overtrump", "art. 24.3", ""]
    texts = table.app.extensions["guinote"]().persons.texts_by_id(one["text"] for one in rulings)
    assert list(texts.values())[-1] == f"{WHOLE[0]}: Avisado."
    assert traces(tmp_path, forms(WHOLE[0])) == []


def test_a_word_or_a_seed_with_the_name_of_somebody_is_refused(table: HttpTable) -> None:
    table.encuentro()
    services = table.app.extensions["guinote"]()
    with table.app.test_request_context():
        for word in ("Celia", "celia-1980", "«CELIA»"):
            with pytest.raises(Problem) as refused:
                refuse_text_with_names("word", word)
            assert refused.value.code == 422
        for word in ("4711", "celiaca", "", "el rey de oros"):
            refuse_text_with_names("word", word)
    assert services.persons.ids_and_names()


def test_a_draw_is_verified_after_the_source_of_its_word_was_erased(table: HttpTable) -> None:
    person, _ = written(table)
    (source,) = [one for one in mentions(table, person) if one["words"] == WHOLE[2]]
    cup = f"/api/v1{source['path'].replace('torneos', 'tournaments')}"
    before = table.get(f"{cup}/draw").json
    assert before["draw"]["word_from"] == source["text"]
    assert table.get(cup).json["draw"]["word_from"] == WHOLE[2]
    assert erase(table, source["text"]) == 204
    assert table.get(cup).json["draw"]["word_from"] == "…"
    version = table.get(cup).json["version"]
    assert table.post(f"{cup}/lots", {"word": "4711"}, version).status_code == 200
    drawn = msgspec.convert(table.get(f"{cup}/draw").json, RevealedLots)
    assert drawn.commitment == before["commitment"]
    assert differences_of_lots(drawn, before["commitment"]) == ()
