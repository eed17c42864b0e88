"""The form of the club's rules: plain answers become changes, and contradictions are named."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from api.http.languages import LANGUAGES, texts_of_language
from api.profiles.own.answers import read_answers, reader_of_typed_values
from api.profiles.own.questions import PLAIN, other_questions, plain_questions
from referee.rules.profile.checks import CONTRADICTIONS
from referee.rules.profile.options import EDITIONS, OPTION_NAMES
from referee.rules.profile.profile import PROFILE_IDS, Profile, profile, profiles
from tests.support.servers.http_table import ENCUENTROS, HttpTable
from tests.support.servers.kept_apps import kept_table

NEW = "/reglas/nuevas"
RULES = "/api/v1/club/rules"


@pytest.fixture
def table(tmp_path) -> Iterator[HttpTable]:
    with kept_table(tmp_path) as found:
        found.client.post("/entrar", data={"token": found.token})
        yield found


def shown(table: HttpTable, path: str, lang: str = "es") -> str:
    position = str(table.position)
    sent = {"Accept-Language": lang, "Accept": "text/html", "Guinote-Position": position}
    answer = table.client.get(path, headers=sent)
    assert answer.status_code == 200, path
    return html.unescape(answer.text)


def hidden(page: str) -> dict[str, str]:
    """Hidden fields of the last form of a page."""
    return dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page))


def sent(table: HttpTable, path: str, **typed: Any) -> Any:
    """The answer to the form of a page, with these answers beside its hidden fields."""
    held = hidden(shown(table, path))
    kept = {name: held[name] for name in ("key", "version", "base")}
    return posted(table, path.partition("?")[0], {**kept, **typed})


def posted(table: HttpTable, path: str, form: dict[str, Any]) -> Any:
    """The answer to a form of a page of this site."""
    answer = table.client.post(path, data=form, headers={"Sec-Fetch-Site": "same-origin"})
    if answer.status_code == 303:
        table.position = int(answer.headers["Location"].partition("?wait=")[2])
    return answer


def made(table: HttpTable, **typed: Any) -> Any:
    """The set of rules that a form made."""
    answer = sent(table, f"{NEW}?de={typed.pop('de', 'club')}", **{"name": "Peña", **typed})
    assert answer.status_code == 303, answer.text
    return view(table, answer)


def view(table: HttpTable, answer: Any) -> Any:
    where = answer.headers["Location"].partition("?")[0]
    return table.get(f"{RULES}/{where.rpartition('/')[2]}").json


def form_of(base: Profile, shown_profile: Profile | None = None) -> dict[str, list[str]]:
    """What a browser sends from the questions as they are preselected."""
    found: dict[str, list[str]] = {}
    asked = shown_profile or base
    for groups in (plain_questions, other_questions):
        for questions in groups(base, asked, lambda _: None, "es").values():
            for question in questions:
                for field in question.fields:
                    found[field.id] = list(field.chosen)
    return found


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("profile_id", PROFILE_IDS)
def test_a_form_sent_as_it_came_changes_nothing(profile_id: str, edition: str) -> None:
    base = profile(profile_id, edition)
    assert read_answers(base, reader_of_typed_values(form_of(base)), "es") == ({}, {})


@pytest.mark.parametrize("other_id", PROFILE_IDS)
def test_a_form_sent_as_it_came_has_the_changes_that_were_made_before(other_id: str) -> None:
    """Every option that another rulebook has otherwise, changed and asked again."""
    base, other = profile("club"), profile(other_id)
    changes = {
        name: [*value] if isinstance(value, tuple) else value
        for name, value in other.values.items()
        if not isinstance(value, Mapping) and value != base.values[name]
    }
    changes |= {"renuncio_cases": ["follow"]}
    own = base.changed("other", "1", changes)
    assert read_answers(base, reader_of_typed_values(form_of(base, own)), "es") == (changes, {})


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_option_is_asked_once_in_every_language(table: HttpTable, lang: str) -> None:
    for base in profiles():
        page = shown(table, f"{NEW}?de={base.id}", lang)
        ids = re.findall(r'<fieldset class="question" id="q-([a-z_0-9]+)', page)
        asked = {one for one in OPTION_NAMES if f'name="{one}' in page}
        assert set(ids) >= asked - {"name"}
        assert "own." not in re.sub(r"<[^>]*>", "", page)
        assert "ask." not in re.sub(r"<[^>]*>", "", page)


def test_every_plain_question_and_every_contradiction_has_words() -> None:
    words = texts_of_language("es")
    for group in PLAIN.values():
        assert {f"ask.{one}" for one in group} <= set(words)
    assert {f"clash.{one.code}" for one in CONTRADICTIONS} <= set(words)


@pytest.mark.parametrize(
    ("typed", "changes"),
    [
        ({"length": "1x3x1"}, {"cotos_to_win": 1}),
        ({"length": "8"}, {"match_format": "fixed_partidas"}),
        ({"length": "fixed", "length-fixed": "12"}, {"match_format": "fixed_partidas", "fixed_partidas": 12}),
        ({"length": "cotos", "length-cotos": "3", "length-partidas": "5"}, {"cotos_to_win": 3, "camas_per_coto": 5}),
        ({"min_malas": "30"}, {"min_malas": 30}),
        ({"min_malas": "other", "min_malas-other": "25"}, {"min_malas": 25}),
        ({"claim_by": "trick_winner"}, {"claim_by": "trick_winner"}),
        ({"deck": ["40", "48"]}, {"deck": [40, 48]}),
        ({"tute": "true"}, {"tute": True}),
        ({"renuncio_cases-asked": "1", "renuncio_cases": ["talk"]}, {"renuncio_cases": ["talk"]}),
        ({"renuncio_cases-asked": "1"}, {"renuncio_cases": []}),
        ({"swap": "false"}, {"swap": False}),
    ],
)  # fmt: skip
def test_an_answer_is_a_change(table: HttpTable, typed: Any, changes: Any) -> None:
    assert made(table, **typed)["changes"] == changes


def test_an_option_that_depends_on_the_players_is_asked_for_each_number(table: HttpTable) -> None:
    page = shown(table, f"{NEW}?de=sin-mazo")
    assert all(f'id="q-hand_size-{n}"' in page for n in (4, 3, 2))
    own = made(table, de="sin-mazo", **{"hand_size-2": "6", "deal_packets": "one_by_one"})
    assert own["changes"]["hand_size"] == {"2": 6}


@pytest.mark.parametrize(
    ("typed", "option"),
    [
        ({"swap": "false", "two_for_seven": "true"}, "two_for_seven"),
        ({"hand_size": "10"}, "hand_size"),
        ({"length": "cotos", "length-cotos": "9", "length-partidas": "1"}, "length"),
        ({"length": "fixed"}, "length"),
        ({"min_malas": "other", "min_malas-other": "99"}, "min_malas"),
        ({"deck-asked": "1"}, "deck"),
        ({"claim_by": "nobody"}, "claim_by"),
    ],
)
def test_what_cannot_be_played_is_named_at_its_question(
    table: HttpTable, typed: Any, option: str
) -> None:
    answer = sent(table, NEW, name="Peña", **typed)
    assert answer.status_code == 422
    page = html.unescape(answer.text)
    assert f'href="#q-{option}"' in page
    assert f'id="wrong-{option}-1"' in page
    assert 'value="Peña"' in page
    assert table.get(RULES).json["items"] == []


def test_a_form_with_a_fault_keeps_its_answers(table: HttpTable) -> None:
    page = sent(table, NEW, name="", min_malas="30", length="8").text
    assert 'name="min_malas" value="30" checked' in page
    assert 'name="length" value="8" checked' in page


def test_a_name_that_is_taken_is_named(table: HttpTable) -> None:
    made(table)
    answer = sent(table, NEW, name="PEÑA")
    assert answer.status_code == 422
    assert "ya tiene unas normas con ese nombre" in html.unescape(answer.text)


def test_rules_are_changed_copied_retired_and_offered_again(table: HttpTable) -> None:
    own = made(table, min_malas="30")
    here = f"/reglas/{own['id']}"
    assert 'name="min_malas" value="30" checked' in shown(table, f"{here}/cambiar")
    changed = view(table, sent(table, f"{here}/cambiar", name="Peña", min_malas="25", tute="true"))
    assert (changed["edition"], changed["changes"]) == (2, {"min_malas": 25, "tute": True})
    page = shown(table, here)
    assert "Versión 2" in page
    assert "Mínimo de tantos sin cantes" in page
    assert "norma del club" in page
    assert 'name="min_malas" value="25" checked' in shown(table, f"{NEW}?de={own['id']}")
    older = shown(table, f"{here}@1/y/{own['id']}")
    assert "Peña (versión 1)" in older
    assert "Diferencias: 2" in older
    form = {name: hidden(page)[name] for name in ("key", "version")}
    assert posted(table, f"{here}/retirada", form).status_code == 303
    assert posted(table, f"{here}/retirada", form).status_code == 303
    page = shown(table, here)
    assert "Retiradas" in page
    assert "Peña" not in re.findall(r"<option[^>]*>([^<]*)", shown(table, "/jornadas/nueva"))
    form = {name: hidden(page)[name] for name in ("key", "version")}
    assert posted(table, f"{here}/vuelta", form).status_code == 303
    assert "Peña" in re.findall(r"<option[^>]*>([^<]*)", shown(table, "/jornadas/nueva"))


def test_what_is_retired_already_is_refused_on_its_page(table: HttpTable) -> None:
    own = made(table)
    here = f"/reglas/{own['id']}"
    form = {name: hidden(shown(table, here))[name] for name in ("key", "version")}
    assert posted(table, f"{here}/retirada", form).status_code == 303
    now = {**form, "key": "f" * 32, "version": "2"}
    answer = posted(table, f"{here}/retirada", now)
    assert answer.status_code == 409
    assert "están retiradas" in html.unescape(answer.text)


def test_a_club_takes_the_newer_edition_of_its_rulebook(table: HttpTable) -> None:
    earlier = {
        "name": "Peña",
        "base": "club",
        "base_edition": EDITIONS[0],
        "changes": {"tute": True},
    }
    rules = table.post(RULES, earlier).json["rules"]
    here = f"/reglas/{rules}"
    page = shown(table, f"{here}?wait={table.position}")
    assert "Hay una versión nueva del reglamento" in page
    form = {name: hidden(page)[name] for name in ("key", "version")}
    now = view(table, posted(table, f"{here}/edicion", form))
    assert "Hay una versión nueva" not in shown(table, here)
    assert (now["edition"], now["changes"], now["behind"]) == (2, {"tute": True}, False)


def test_nobody_but_the_club_makes_its_rules(table: HttpTable) -> None:
    stranger = table.app.test_client()
    assert stranger.get(NEW).status_code in (302, 303, 401)
    own = made(table)
    seen = html.unescape(stranger.get(f"/reglas/{own['id']}").text)
    assert "Peña" in seen
    assert "Retirar" not in seen
    assert "Hacer normas propias" not in stranger.get("/reglas").text


def test_there_are_no_rules_of_another_id(table: HttpTable) -> None:
    for path in ("/reglas/none", "/reglas/none/cambiar", "/reglas/club/cambiar", "/reglas/club@9"):
        assert table.client.get(path, headers={"Accept": "text/html"}).status_code == 404
    own = made(table)
    for edition in ("0", "2", "x", "99999"):
        assert table.client.get(f"/reglas/{own['id']}@{edition}").status_code == 404


# --- never a raw id ------------------------------------------------------------------------------


def words_of(page: str) -> str:
    """What a page shows: its text and the texts of its attributes, without scripts."""
    page = re.sub(r"<(script|style)\b.*?</\1>", "", page, flags=re.DOTALL)
    said = " ".join(re.findall(r'(?:aria-label|title|alt)="([^"]*)"', page))
    return said + re.sub(r"<[^>]*>", " ", page)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_page_shows_the_id_of_a_profile(table: HttpTable, lang: str) -> None:
    own = made(table, name="Peña")["id"]
    at_table = {
        "id": own,
        "changes": {"cotos_to_win": 1},
        "as": {"id": f"{own}-mesa", "edition": "1"},
    }
    asked = [{"id": own}, at_table, {"id": "escuela"}]
    encuentros = [
        str(table.post(ENCUENTROS, {"profile": one}).headers["Location"]).rpartition("/")[2]
        for one in asked
    ]
    season = table.post("/api/v1/seasons", {"name": "Liga", "rules": own}).json["id"]
    evening = table.post("/api/v1/sessions", {"date": "2026-11-26", "season": season}).json["id"]
    at = {"name": "Copa", "profile": {"id": own}, "plan": {"format": "round_robin"}}
    cup = table.post("/api/v1/tournaments", at).json["id"]
    rules = [f"/reglas/{one}" for one in (own, "escuela", f"{own}/y/escuela", "club@2026-1/y/club")]
    pages = [
        "/",
        "/reglas",
        *rules,
        "/jornadas/",
        f"/jornadas/{evening}",
        f"/jornadas/{evening}/hoja",
    ]
    pages += [
        "/jornadas/nueva",
        "/temporadas/",
        f"/temporadas/{season}",
        "/torneos/nuevo",
        f"/torneos/{cup}",
    ]
    pages += [f"/e/{one}{more}" for one in encuentros for more in ("", "/reglas", "/acta", "/c")]
    pages += [f"/torneos/{cup}/direccion", f"/mesa/{encuentros[0]}", f"/e/{encuentros[0]}/tarjetas"]
    for path in pages:
        said = words_of(shown(table, path, lang))
        assert own not in said, path
        assert not re.search(r"\b(escuela|guinyot|ludoteka|baraja-francesa|sin-mazo)\b", said), path
        assert not re.search(r"\b(rulebook|own|ask)\.[a-z]", said), path


def test_old_encuentros_show_the_name_that_their_rules_have_now(table: HttpTable) -> None:
    own = made(table)["id"]
    where = str(table.post(ENCUENTROS, {"profile": {"id": own}}).headers["Location"])
    here, match = f"/reglas/{own}", f"/e/{where.rpartition('/')[2]}"
    view(table, sent(table, f"{here}/cambiar", name="Las nuestras", tute="true"))
    form = {name: hidden(shown(table, here))[name] for name in ("key", "version")}
    assert posted(table, f"{here}/retirada", form).status_code == 303
    assert "Las nuestras" in shown(table, f"{match}?wait={table.position}")


def test_a_profile_that_is_no_set_of_this_club_is_named_by_its_base(table: HttpTable) -> None:
    own = {"id": "casino", "edition": "3"}
    asked = {"profile": {"id": "guinyot", "changes": {"tute": True}, "as": own}}
    where = str(table.post(ENCUENTROS, asked).headers["Location"]).rpartition("/")[2]
    assert "Guinyot catalán, con cambios" in shown(table, f"/e/{where}?wait={table.position}")


def test_each_rule_of_the_club_leads_to_its_example(table: HttpTable) -> None:
    page = shown(table, f"/reglas/{made(table)['id']}")
    examples = set(re.findall(r'href="(/reglas/ejemplos/[a-z_0-9]+)"', page))
    assert {"/reglas/ejemplos/overtrump", "/reglas/ejemplos/renuncio_costs"} <= examples
    for example in examples:
        shown(table, example)
