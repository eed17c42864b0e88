"""The manual: every page of the program has its page, and what it quotes is there."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from api.help.pages import NAMED, PICTURES, every_page, task_page
from api.help.tasks import READERS, TASKS
from api.html.topics import (
    TASKS_OF_RULES,
    help_path_of_finding_rule,
    help_path_of_route,
    help_topic_of_route,
)
from api.http.languages import LANGUAGES, say, texts_of_language
from api.http.problems import PROBLEMS
from referee.rules.articles import ABOUT, Rule
from tests.api.help.manual.pictures import HEAVIEST, RENEWAL
from tests.support.servers.http_table import HttpTable
from tests.support.servers.kept_apps import kept_table

STEPS, TROUBLES = range(3, 7), range(1, 4)
UNDONE_OR_CORRECTED = set(
    """
    card-exposed card-not-dealt count-differs cut-too-small draw-out-of-order drawn-twice
    final-score-differs later-partida-stands misdeal misdeal-unfounded out-of-turn result-how result-other-wins
    result-points result-rare result-reached result-record result-short result-sum result-vueltas
    trick-not-viewable trick-points tricks-sum tricks-together two-cards-at-once wrong-cutter
    wrong-deal wrong-dealer wrong-draw wrong-gathering wrong-packets
    """.split()
)
"""Findings that only the last line of the table matches: what was keyed is looked at and corrected."""
NO_PAGES = re.compile(
    r"^/(api/|static/|healthz|livez|readyz|\.well-known/)|\.(css|png|svg|csv|ics|js|webmanifest)$|/fich[a-z]+$"
)
"""Addresses that answer with something else than a page."""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpTable]:
    with kept_table(tmp_path_factory.mktemp("help")) as made:
        yield made


def test_every_page_has_a_page_of_the_manual(table: HttpTable) -> None:
    pages = {
        rule.rule
        for rule in table.app.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and not NO_PAGES.search(rule.rule)
    }
    assert len(pages) > 80
    unexplained = sorted(rule for rule in pages if help_topic_of_route(rule) is None)
    assert unexplained == [], "name the task that explains it in api/html/topics.py"
    wrong = sorted(
        rule for rule in pages if (help_topic_of_route(rule) or "resultado") not in TASKS
    )
    assert wrong == []


def test_a_rule_has_the_last_resort_on_purpose_only() -> None:
    """A new rule of duties or findings has a task of its own, or a line in ``UNDONE_OR_CORRECTED``."""
    beginnings = [begins for begins, _ in TASKS_OF_RULES[:-1]]
    assert TASKS_OF_RULES[-1] == ("", "deshacer-y-corregir")
    noticed = {rule.value for rule, about in ABOUT.items() if about.kind in ("duty", "finding")}
    left = {rule for rule in noticed if not any(re.match(one, rule) for one in beginnings)}
    assert left == UNDONE_OR_CORRECTED
    idle = [one for one in beginnings if not any(re.match(one, rule) for rule in noticed)]
    assert idle == []


def test_every_finding_says_what_to_do_about_it() -> None:
    tasks = {rule.value: help_path_of_finding_rule(rule.value) for rule in Rule}
    assert {path.removeprefix("/ayuda/") for path in tasks.values()} <= {*TASKS}
    assert tasks["follow"] == "/ayuda/renuncio-y-caso"
    assert tasks["cante-late"] == "/ayuda/cantes-y-siete"
    assert tasks["claim-in"] == "/ayuda/cantar-las-101"


def test_the_bar_of_a_page_leads_to_its_help(table: HttpTable) -> None:
    for path, where in (
        ("/", "/ayuda"),
        ("/jornadas/nueva", "/ayuda/abrir-jornada"),
        ("/torneos/nuevo", "/ayuda/torneo-nuevo"),
        ("/entrar", "/ayuda/entrar-y-contrasena"),
        ("/casa/ajustes", "/ayuda/ajustes-del-club"),
        ("/casa/marca", "/ayuda/ajustes-del-club"),
        ("/casa/copias", "/ayuda/copias-de-seguridad"),
        ("/casa/seguridad", "/ayuda/quien-ha-hecho-que"),
        ("/jornadas/traer", "/ayuda/traer-resultados"),
        ("/nada", "/ayuda"),
        ("/m/no-address", "/ayuda/decir-el-resultado"),
    ):
        page = table.get(path, Accept="text/html").text
        assert f'class="round-button" href="{where}"' in page, path
    assert help_path_of_route("/ayuda/<string(maxlength=40):task>") == "/ayuda"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_the_manual_quotes_are_words_of_the_pages(lang: str) -> None:
    words = texts_of_language(lang)
    said = {key: text for key, text in words.items() if key.startswith("help.task.")}
    quoted = {name for text in said.values() for name in NAMED.findall(text)}
    assert len(quoted) > 80
    assert sorted(quoted - set(words)) == []
    assert sorted(one for one in quoted if "{" in words[one]) == []
    by_hand = sorted(key for key, text in said.items() if re.search('[«»“”"]', text))
    assert by_hand == [], "a button is named by its key"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_page_of_the_manual_has_few_steps_and_shows_all_its_texts(lang: str) -> None:
    for page in every_page(lang):
        assert len(page.steps) in STEPS, page.name
        assert len(page.troubles) in TROUBLES, page.name
        keys = [key for key in texts_of_language(lang) if key.startswith(f"help.task.{page.name}.")]
        shown = 2 + len(page.steps) + 2 * len(page.troubles) + len(page.pictures)
        assert len(keys) == shown, "every text of a task is on its page"


def test_every_picture_is_taken_light_described_and_shown_with_its_size(table: HttpTable) -> None:
    named = [name for task in TASKS.values() for name in task.pictures]
    files = {one.stem: one for one in PICTURES.iterdir()}
    assert sorted(files) == sorted(named), f"{RENEWAL} takes those that are missing"
    assert max(one.stat().st_size for one in files.values()) <= HEAVIEST
    said = {picture.words for page in every_page("fr") for picture in page.pictures}
    assert len(said) == len(named)
    (first, *_) = (page for page in every_page("es") if len(page.pictures) == 1)
    (picture,) = first.pictures
    shown = table.app.test_client().get(first.path).text
    size = f'loading="lazy" decoding="async" width="{picture.width}" height="{picture.height}"'
    assert f'alt="{picture.words}" {size}' in shown
    assert picture.width > 300 < picture.height
    sent = table.app.test_client().get(f"/static/help/pictures/{picture.name}.webp")
    assert (sent.mimetype, sent.content_length) == (
        "image/webp",
        files[picture.name].stat().st_size,
    )


def test_tasks_lead_to_one_another() -> None:
    named = {one for task in TASKS.values() for one in task.also}
    assert sorted(named - set(TASKS)) == []
    assert {task.reader for task in TASKS.values()} == set(READERS)
    told = {key.split(".")[2] for key in texts_of_language("es") if key.startswith("help.task.")}
    assert told == set(TASKS)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_finding_and_every_error_has_a_sentence_that_helps(lang: str) -> None:
    ends = (".", "?", "!", "»", "}")
    errors = [f"problem.{code}.detail" for code in PROBLEMS]
    findings = [f"rule.{rule}" for rule in Rule]
    silent = [
        key
        for key in (*errors, *findings)
        if not texts_of_language(lang)[key].rstrip().endswith(ends)
    ]
    assert silent == []
    echoes = [
        code
        for code in PROBLEMS
        if say(f"problem.{code}", lang).strip(".") == say(f"problem.{code}.detail", lang).strip(".")
    ]
    assert echoes == []


def test_anybody_reads_the_manual_without_an_account(table: HttpTable) -> None:
    reader = table.app.test_client()
    index = reader.get("/ayuda").text
    for name in TASKS:
        assert f'href="/ayuda/{name}"' in index
        page = reader.get(f"/ayuda/{name}?lang=es")
        assert page.status_code == 200
        assert all(str(step) in page.text for step in task_page(name, "es").steps)
    assert reader.get("/ayuda/no-hay").status_code == 404
    assert 'href="/casa"' not in reader.get("/ayuda/invitar-personas-y-aparatos").text
    assert (
        'href="/casa"' in table.get("/ayuda/invitar-personas-y-aparatos").text.partition("<main")[2]
    )


def test_a_booklet_has_every_task_of_its_reader(table: HttpTable) -> None:
    for reader in READERS:
        page = table.app.test_client().get(f"/ayuda/librillo?para={reader}").text
        its = [name for name, task in TASKS.items() if task.reader == reader]
        assert re.findall(r'<article class="sheet" id="([^"]+)"', page) == its
    assert table.app.test_client().get("/ayuda/librillo?para=nadie").status_code == 404


def test_the_search_finds_the_manual_by_its_words(table: HttpTable) -> None:
    reader = table.app.test_client()
    for sought, lang, path in (
        ("CONTRASEÑA", "es", "entrar-y-contrasena"),
        ("contrasena", "es", "entrar-y-contrasena"),
        ("password", "en", "entrar-y-contrasena"),
        ("bateria", "es", "sin-conexion"),
        ("Sortear mesas", "es", "abrir-jornada"),
        ("feuille de", "fr", "acta-y-firma"),
    ):
        page = reader.get(f"/buscar?q={sought}&lang={lang}").text
        assert f'href="/ayuda/{path}"' in page, sought
