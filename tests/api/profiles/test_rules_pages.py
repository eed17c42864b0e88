"""Pages of the rules: every option of a profile in words, and in what two profiles differ."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest

from api.http.languages import LANGUAGES, option_words, texts_of_language, value_words
from api.profiles.words import GROUP_OF
from referee.rules.profile.options import OPTION_NAMES
from referee.rules.profile.profile import PROFILE_IDS, different_options, profile
from tests.support.servers.http_table import ENCUENTROS, HttpTable


@pytest.fixture(scope="module")
def table(shared_table: HttpTable) -> HttpTable:
    shared_table.client.post("/entrar", data={"token": shared_table.token})
    return shared_table


def shown(table: HttpTable, path: str, lang: str = "es") -> str:
    answer = table.client.get(path, headers={"Accept-Language": lang, "Accept": "text/html"})
    assert answer.status_code == 200, path
    return html.unescape(answer.text)


def terms(page: str) -> list[str]:
    return re.findall(r"<dt>(.*?)</dt>", page)


def said_of(page: str, title: str) -> list[str]:
    """Text of a page about an option."""
    (after,) = re.findall(rf"<dt>{re.escape(title)}</dt>(.*?)</div>", page, re.DOTALL)
    return re.findall(r"<strong>(.*?)</strong>", after)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("profile_id", PROFILE_IDS)
def test_a_profile_shows_every_option_in_its_order(
    table: HttpTable, profile_id: str, lang: str
) -> None:
    page = shown(table, f"/reglas/{profile_id}", lang)
    assert terms(page) == [option_words(name, lang) for name in OPTION_NAMES]
    for name, value in profile(profile_id).values.items():
        four = value[4] if isinstance(value, dict) else value
        assert said_of(page, option_words(name, lang)) == [value_words(name, four, lang)]


def test_every_option_is_in_a_group_that_has_a_name() -> None:
    assert list(GROUP_OF) == list(OPTION_NAMES)
    named = {
        key.removeprefix("group.") for key in texts_of_language("es") if key.startswith("group.")
    }
    assert set(GROUP_OF.values()) == named


def test_a_profile_shows_which_case_is_only_inferred(table: HttpTable) -> None:
    page = shown(table, "/reglas/escuela")
    (after,) = re.findall(
        rf"<dt>{option_words('renuncio_cases', 'es')}</dt>(.*?)</div>", page, re.DOTALL
    )
    assert "no asistir, no montar, jugar" in after
    assert "no fallar o no pisar: se saca del reglamento" in after
    assert after.count("lo dice el reglamento") == after.count("se saca del reglamento") == 1
    old = shown(table, "/reglas/escuela@2026-1")
    assert "no fallar o no pisar: se saca del reglamento" not in old


def test_a_profile_shows_where_a_value_stands_and_how_far(table: HttpTable) -> None:
    page = shown(table, "/reglas/guinyot")
    assert '«<span lang="ca">Les deu d\'últimes</span>» · lo dice el reglamento' in page
    assert "el reglamento no lo dice" in page
    assert "También se juega: 2; 3; 4; 5; 6; 7; 8; 9" in page


@pytest.mark.parametrize(
    ("players", "size"), [("", "10"), ("?players=3", "13"), ("?players=2", "10")]
)
def test_a_profile_is_shown_for_a_number_of_players(
    table: HttpTable, players: str, size: str
) -> None:
    page = shown(table, f"/reglas/sin-mazo{players}")
    assert said_of(page, option_words("hand_size", "es")) == [size]


@pytest.mark.parametrize("path", ["/reglas/club?players=3", "/reglas/club/y/guinyot?players=3"])
def test_a_number_of_players_that_a_profile_is_not_for_is_refused(
    table: HttpTable, path: str
) -> None:
    for lang in LANGUAGES:
        answer = table.client.get(path, headers={"Accept-Language": lang, "Accept": "text/html"})
        assert answer.status_code == 422
        words = texts_of_language(lang)["fault.not_one_of"].format(choices="4, 2")
        assert words in html.unescape(answer.text)


@pytest.mark.parametrize(
    "path", ["/reglas/nobody", "/reglas/club/y/nobody", "/reglas/nobody/y/club"]
)
def test_rules_of_nobody_are_not_found(table: HttpTable, path: str) -> None:
    assert table.client.get(path).status_code == 404


def test_a_difference_shows_both_values_side_by_side(table: HttpTable) -> None:
    page = shown(table, "/reglas/guinyot/y/ludoteka?players=4")
    names = different_options(profile("guinyot"), profile("ludoteka"), 4)
    assert terms(page) == [option_words(name, "es") for name in names]
    assert said_of(page, "Quién puede cantar las 101") == [
        "cualquier jugador",
        "el que gana la baza",
    ]
    assert f"Diferencias: {len(names)}" in page


def test_the_rules_lead_to_each_profile_and_each_profile_to_the_others(table: HttpTable) -> None:
    listed = shown(table, "/reglas")
    for profile_id in PROFILE_IDS:
        assert f'href="/reglas/{profile_id}"' in listed
    three = shown(table, "/reglas/guinyot?players=3")
    assert re.findall(r'href="/reglas/guinyot/y/([a-z-]+)\?players=3"', three) == ["sin-mazo"]


def opened(table: HttpTable, body: dict[str, Any]) -> str:
    answer = table.post(ENCUENTROS, body)
    assert answer.status_code == 201, answer.text
    table.get(answer.headers["Location"])
    return str(answer.headers["Location"]).rpartition("/")[2]


def test_an_encuentro_leads_to_the_rules_in_force_and_to_its_rulebook(table: HttpTable) -> None:
    encuentro = opened(table, {"profile": {"id": "escuela"}})
    page = shown(table, f"/e/{encuentro}")
    assert f'href="/e/{encuentro}/reglas"' in page
    assert 'href="/reglas/escuela?players=4"' in page
    assert terms(shown(table, f"/e/{encuentro}/reglas")) == terms(shown(table, "/reglas/escuela"))


def test_a_clubs_own_rules_are_shown_as_its_encuentro_froze_them(table: HttpTable) -> None:
    own = {"id": "casino", "edition": "3"}
    changes = {"two_for_seven": False, "renuncio_cases": ["follow"]}
    encuentro = opened(table, {"profile": {"id": "guinyot", "changes": changes, "as": own}})
    page = shown(table, f"/e/{encuentro}/reglas")
    assert said_of(page, "Cambio del dos por el siete") == ["no"]
    assert said_of(page, "Qué es renuncio") == ["no asistir"]
    assert 'href="/reglas/guinyot?players=4"' in page
    assert "norma del club" in page
    assert 'Guinyot catalán: «<span lang="ca">Les deu d\'últimes</span>»' in page


def test_another_language_keeps_the_number_of_players(table: HttpTable) -> None:
    assert 'href="?lang=fr&players=2"' in shown(table, "/reglas/club?players=2")


def test_an_earlier_edition_is_shown_with_what_changed_since(table: HttpTable) -> None:
    newest = shown(table, "/reglas/escuela?players=4")
    assert 'href="/reglas/escuela@2026-1?players=4"' in newest
    assert 'href="/reglas/escuela@2026-1/y/escuela?players=4"' in newest
    earlier = shown(table, "/reglas/escuela@2026-1?players=4")
    added = {"cante_40_shown", "min_malas_of", "vueltas_end", "renuncio_costs"}
    kept = [option_words(name, "es") for name in OPTION_NAMES if name not in added]
    assert "versión 2026-1" in earlier
    assert terms(earlier) == kept
    changed = shown(table, "/reglas/escuela@2026-1/y/escuela?players=4")
    assert terms(changed) == [option_words("cante_40_shown", "es")]
    assert said_of(changed, option_words("cante_40_shown", "es")) == [
        "como se quiera",
        "no se enseñan nunca",
    ]
    assert table.get("/reglas/escuela@2025").status_code == 404


def test_a_clubs_own_rules_stay_on_the_edition_of_their_base(table: HttpTable) -> None:
    own = {"id": "casino", "edition": "3"}
    body = {"id": "guinyot", "edition": "2026-1", "changes": {"tute": True}, "as": own}
    answer = table.get(f"{ENCUENTROS}/{opened(table, {'profile': body})}")
    options = answer.json["profile"]["options"]
    assert "renuncio_costs" not in options
    newest = {**body, "edition": "2026-2"}
    options = table.get(f"{ENCUENTROS}/{opened(table, {'profile': newest})}").json["profile"][
        "options"
    ]
    assert options["renuncio_costs"] == "when_proved"
    wrong = table.post(ENCUENTROS, {"profile": {"id": "club", "edition": "2025"}})
    assert wrong.status_code == 422
    later = {**body, "changes": {"vueltas_end": "at_target"}}
    answer = table.post(ENCUENTROS, {"profile": later})
    assert answer.status_code == 422
    assert answer.json["problems"] == [
        {"code": "unknown-option", "options": ["vueltas_end"], "facts": {}}
    ]
