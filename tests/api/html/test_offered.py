"""Every form that a page offers can be sent: no 403 and no 409 after a button.

A walk over the pages of a club that has been through everything, as each role. Each form is sent
with the values that it is preset with. What one wrong tap costs is declared for each route.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

import pytest
from werkzeug.exceptions import HTTPException

from tests.api.html.offered_forms import OfferedForm, PageForms
from tests.support.servers.every_write import used_club
from tests.support.servers.http_table import HttpTable

ASKS, UNDO, ADDS, HARMLESS = "asks first", "has an undo", "adds only", "harmless"
COST: Final = {
    "/alta": ADDS,
    "/casa/<holder>/baja": ASKS,
    "/casa/<holder>/contrasena": ASKS,
    "/casa/<holder>/papel": UNDO,
    "/casa/<holder>/segundo/baja": ASKS,
    "/casa/ajustes": UNDO,
    "/casa/aplicaciones": ADDS,
    "/casa/aplicaciones/<token_id>/baja": ASKS,
    "/casa/avisos": ADDS,
    "/casa/avisos/<webhook_id>": UNDO,
    "/casa/avisos/<webhook_id>/baja": ASKS,
    "/casa/avisos/<webhook_id>/clave": ASKS,
    "/casa/avisos/<webhook_id>/mensajes": ADDS,
    "/casa/codigos": ADDS,
    "/casa/invitaciones": ADDS,
    "/casa/copias": ADDS,
    "/casa/copias/<name>/vuelta": ASKS,
    "/casa/copias/lugar": UNDO,
    "/casa/copias/subida": ADDS,
    "/casa/correo": ADDS,
    "/casa/marca": UNDO,
    "/casa/moviles": UNDO,
    "/casa/moviles/https": ADDS,
    "/casa/ofertas/<offer>/retirada": ASKS,
    "/casa/entradas/<sign_in>/salida": ASKS,
    "/certificado": HARMLESS,
    "/contrasena": ADDS,
    "/cuenta": ASKS,
    "/cuenta/correo": ASKS,
    "/cuenta/salida": ASKS,
    "/cuenta/segundo": ASKS,
    "/cuenta/segundo/baja": ASKS,
    "/cuenta/segundo/codigo": ASKS,
    "/cuenta/segundo/codigos": ASKS,
    "/cuenta/entradas/<sign_in>/salida": ASKS,
    "/e/<encuentro_id>/c": ADDS,
    "/e/<encuentro_id>/c/<c>/apelacion": ADDS,
    "/e/<encuentro_id>/c/<c>/cierre": ASKS,
    "/e/<encuentro_id>/c/<c>/coste": ADDS,
    "/e/<encuentro_id>/c/<c>/decision": ASKS,
    "/e/<encuentro_id>/c/<c>/pruebas": ADDS,
    "/e/<encuentro_id>/c/<c>/resolucion": ASKS,
    "/e/<encuentro_id>/dia": ASKS,
    "/e/<encuentro_id>/final": UNDO,
    "/e/<encuentro_id>/final/deshacer": UNDO,
    "/e/<encuentro_id>/firma": ASKS,
    "/e/<encuentro_id>/firma/reapertura": ASKS,
    "/e/<encuentro_id>/resultado": ASKS,
    "/e/<encuentro_id>/tarjetas": ASKS,
    "/entrar": HARMLESS,
    "/entrar/olvido": HARMLESS,
    "/jornadas/": ADDS,
    "/jornadas/nueva": HARMLESS,
    "/jornadas/traer": ASKS,
    "/jornadas/<session_id>/cambio": UNDO,
    "/jornadas/<session_id>/cierre": ASKS,
    "/jornadas/<session_id>/cuotas": UNDO,
    "/jornadas/<session_id>/cuotas/pagos": UNDO,
    "/jornadas/<session_id>/dia": ASKS,
    "/jornadas/<session_id>/llegadas": UNDO,
    "/jornadas/<session_id>/mesas": UNDO,
    "/jornadas/<session_id>/mesas/vuelta": UNDO,
    "/jornadas/<session_id>/presentes": UNDO,
    "/jornadas/<session_id>/reapertura": UNDO,
    "/jornadas/<session_id>/sorteo": UNDO,
    "/jornadas/<session_id>/temporada": ASKS,
    "/jornadas/<session_id>/tarjetas": ASKS,
    "/jugadores/": ADDS,
    "/jugadores/<person_id>": UNDO,
    "/jugadores/<person_id>/baja": ASKS,
    "/jugadores/<person_id>/juega": UNDO,
    "/jugadores/<person_id>/telefono": UNDO,
    "/jugadores/<person_id>/parejas/<partner_id>": UNDO,
    "/jugadores/<person_id>/union/<partner_id>": ASKS,
    "/jugadores/parejas": ADDS,
    "/jugadores/traer": ASKS,
    "/i/<address>": UNDO,
    "/l/<address>": UNDO,
    "/casa/publicada": UNDO,
    "/clasificaciones/<ranking_id>/direccion": UNDO,
    "/clasificaciones/<ranking_id>/persona/<line>/baja": ASKS,
    "/clasificaciones/nueva": ADDS,
    "/jugadores/<person_id>/direccion": UNDO,
    "/yo/<address>": UNDO,
    "/caminos/<road_id>/direccion": ASKS,
    "/caminos/nuevo": ADDS,
    "/ligas/<league_id>/direccion": UNDO,
    "/ligas/nueva": ADDS,
    "/m/<address>": UNDO,
    "/p": ADDS,
    "/r/<encuentro_id>": ASKS,
    "/reglas/<rules_id>/cambiar": UNDO,
    "/reglas/<rules_id>/edicion": ADDS,
    "/reglas/<rules_id>/retirada": UNDO,
    "/reglas/<rules_id>/vuelta": UNDO,
    "/reglas/nuevas": ADDS,
    "/repeticion/importar": HARMLESS,
    "/repeticion/importar/anotar": ADDS,
    "/salir": HARMLESS,
    "/temporadas/": ADDS,
    "/temporadas/<season_id>/calendario": UNDO,
    "/temporadas/<season_id>/cierre": ASKS,
    "/temporadas/<season_id>/cuotas": UNDO,
    "/temporadas/<season_id>/cuotas/pagos": UNDO,
    "/temporadas/<season_id>/puntos": UNDO,
    "/torneos/<tournament_id>/direccion": UNDO,
    "/torneos/<tournament_id>/direccion/cruces/<meeting>/mesa": UNDO,
    "/torneos/<tournament_id>/direccion/cruces/<meeting>/mesa/retirada": UNDO,
    "/torneos/<tournament_id>/direccion/dia": ASKS,
    "/torneos/<tournament_id>/direccion/parejas": UNDO,
    "/torneos/<tournament_id>/lista": ADDS,
    "/torneos/<tournament_id>/direccion/parejas/<pair>": UNDO,
    "/torneos/nuevo": ADDS,
}
"""What one wrong tap costs at each unsafe route of a page."""
LEAVING = ("/cuenta/salida", "/cuenta/entradas/<sign_in>/salida", "/salir")
OF_EACH = 4
"""Pages of one route that are visited, and times that one form is sent."""
OF_A_MACHINE = re.compile(r"\d{4}-\d{2}-\d{2}\S*|\bUTC\b|\d{2}:\d{2}:\d{2}\S*Z")
"""A day or a moment as the log writes it."""
SHEETS: Final = {
    "/casa/seguridad",
    "/e/<encuentro_id>",
    "/e/<encuentro_id>/acta",
    "/e/<encuentro_id>/c/<c>",
    "/e/<encuentro_id>/c/<c>/acta",
    "/jornadas/<session_id>/hoja",
    "/mesa/<encuentro_id>",
    "/repeticion/<encuentro_id>/<n>",
    "/torneos/<tournament_id>",
}
"""Pages and sheets with days or times, which the walk of an admin must have seen."""
STARTS = (
    "/",
    "/jornadas/",
    "/temporadas/",
    "/torneos/",
    "/ligas/",
    "/jugadores/",
    "/casa",
    "/cuenta",
    "/sala/",
)


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpTable]:
    """A club that has been through everything, with something at each stage."""
    with used_club(tmp_path_factory.mktemp("offered")) as table:
        yield table


class Walk:
    """A walk of one user over the pages that they are shown, and the forms that they are offered."""

    def __init__(self, table: HttpTable, headers: dict[str, str]) -> None:
        self.table, self.headers = table, headers
        self.client = table.app.test_client()
        self.visited: Counter[str] = Counter()
        self.sent: Counter[tuple[str, str]] = Counter()
        self.refused: list[tuple[object, ...]] = []
        self.unasked: set[tuple[str, str]] = set()
        self.of_a_machine: set[tuple[str, str]] = set()
        self._waiting, self._seen = list(STARTS), set(STARTS)

    def rule(self, path: str, method: str = "GET") -> str:
        """The route of an address; empty if there is none."""
        try:
            bound = self.table.app.url_map.bind("localhost")
            rule, _ = bound.match(
                path.partition("?")[0].partition("#")[0], method, return_rule=True
            )
        except HTTPException:
            return ""
        return without_converters(rule.rule)

    def walk(self) -> None:
        while self._waiting:
            path = re.sub(r"[?&]wait=\d+", "", self._waiting.pop(0))
            rule = self.rule(path)
            if rule and self.visited[rule] < OF_EACH and not rule.startswith(("/static", "/api")):
                self.visited[rule] += 1
                self._visit(path)

    def _visit(self, path: str) -> None:
        while (page := self._get(path)) is not None:
            for link in page.links:
                self._go_on(link)
            form = next((one for one in page.forms if self._is_new(one)), None)
            if form is None:
                return
            self._send(path, form)

    def _get(self, path: str) -> PageForms | None:
        headers = {**self.headers, "Guinote-Position": str(self.table.position)}
        answer = self.client.get(path, headers=headers)
        if answer.status_code != 200 or answer.mimetype != "text/html":
            return None
        found = OF_A_MACHINE.findall(read_by_people(answer.text))
        self.of_a_machine |= {(self.rule(path), one) for one in found}
        return PageForms(path.partition("?")[0], answer.text)

    def _is_new(self, form: OfferedForm) -> bool:
        rule = self.rule(form.action, "POST")
        is_known = self.sent[self._key(form)] >= OF_EACH
        return not (is_known or form.is_secret or rule in LEAVING)

    def _key(self, form: OfferedForm) -> tuple[str, str]:
        return self.rule(form.action, "POST"), dict(form.fields).get("do", "")

    def _send(self, path: str, form: OfferedForm) -> None:
        self.sent[self._key(form)] += 1
        rule = self.rule(form.action, "POST")
        if COST.get(rule) == ASKS and not form.asks:
            self.unasked.add((self.rule(path), rule))
        data: dict[str, list[str]] = {}
        for name, value in form.fields:
            data.setdefault(name, []).append(value)
        ours = {**self.headers, "Sec-Fetch-Site": "same-origin"}
        answer = self.client.post(form.action, data=data, headers=ours)
        if answer.status_code not in (200, 201, 302, 303, 422):
            words = re.search(r'class="wrong".*?</', answer.text, re.DOTALL)
            why = re.sub(r"<[^>]+>|class=\S+?>", " ", words[0]) if words else ""
            self.refused.append((path, form.action, dict(form.fields), answer.status_code, why))
        if answer.status_code in (302, 303):
            self._go_on(answer.headers["Location"])
        here = self.table.app.extensions["guinote"]()
        self.table.position = here.referee.position()

    def _go_on(self, path: str) -> None:
        if path not in self._seen:
            self._seen.add(path)
            self._waiting.append(path)


def read_by_people(page: str) -> str:
    """The text of a page, without what only programs read."""
    shown = re.sub(r"<(script|style|template|code)\b.*?</\1>", " ", page, flags=re.DOTALL)
    shown = re.sub(r'<ul class="fine" lang="en">.*?</ul>', " ", shown, flags=re.DOTALL)  # changelog
    shown = shown.replace('<option value="UTC">UTC</option>', "")
    return re.sub(r"<[^>]+>", " ", shown)


def without_converters(rule: str) -> str:
    """A route with the names of its parameters alone, as access.md has it."""
    return "<".join(part.rpartition(":")[2] for part in rule.split("<"))


def headers_of(table: HttpTable, role: Any) -> dict[str, str]:
    return table.owner() if role == "admin" else table.signed_in(role)


@pytest.mark.parametrize("role", ["spectator", "arbiter", "director", "admin"])
def test_no_form_that_is_offered_is_refused(used: HttpTable, role: str) -> None:
    walk = Walk(used, headers_of(used, role))
    walk.walk()
    assert not walk.refused, "\n".join(map(str, walk.refused))
    assert walk.unasked == set()
    assert walk.of_a_machine == set(), "people read days and times as they write them"
    assert len(walk.visited) >= {"spectator": 8, "arbiter": 12}.get(role, 25)
    if role == "admin":
        assert len(walk.sent) >= 20
        assert walk.visited.keys() >= SHEETS


def test_an_empty_house_offers_nothing_that_is_refused(table: HttpTable) -> None:
    walk = Walk(table, table.owner())
    walk.walk()
    assert not walk.refused, "\n".join(map(str, walk.refused))


def test_of_every_unsafe_route_of_a_page_it_is_said_what_a_wrong_tap_costs(
    table: HttpTable,
) -> None:
    rules = {
        without_converters(one.rule)
        for one in table.app.url_map.iter_rules()
        if one.methods & {"POST", "PUT", "PATCH", "DELETE"}
    }
    pages = {one for one in rules if not one.startswith(("/api/", "/static/"))}
    assert pages == set(COST)
