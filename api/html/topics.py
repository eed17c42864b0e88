"""Which page of the manual explains each page of the site, for the "?" in its bar."""

from __future__ import annotations

import re
from typing import Final

from api.http.access.prefix import prefix

MANUAL: Final = "/ayuda"
_OF: Final = {
    "/api/docs": "",
    "/buscar": "",
    "/demostracion": "primera-jornada",
    "/estilo": "",
    "/jornadas": "abrir-jornada",
    "/jornadas/*": "quien-ha-venido",
    "/jornadas/*/hoja": "resultado",
    "/jornadas/*/sala": "seguir-en-directo",
    "/jornadas/*/tarjetas": "decir-el-resultado",
    "/jornadas/*/dia": "abrir-jornada",
    "/jornadas/*/temporada": "temporada",
    "/jornadas/*/cuotas": "cuotas-y-premios",
    "/jornadas/nueva": "abrir-jornada",
    "/jornadas/traer": "traer-resultados",
    "/temporadas": "temporada",
    "/temporadas/*/compartir": "pared-y-web",
    "/temporadas/*/cuotas": "cuotas-y-premios",
    "/temporadas/*/jugador": "mi-pagina",
    "/temporadas/*/suerte": "suerte-del-reparto",
    "/temporadas/*/pareja": "mi-pagina",
    "/jugador": "mi-pagina",
    "/jugadores": "jugadores-y-parejas",
    "/reglas": "normas-del-club",
    "/casa": "invitar-personas-y-aparatos",
    "/certificado": "invitar-personas-y-aparatos",
    "/casa/*/contrasena": "entrar-y-contrasena",
    "/casa/ajustes": "ajustes-del-club",
    "/casa/aplicaciones": "aplicaciones",
    "/casa/avisos": "avisos-a-otras-webs",
    "/casa/copias": "copias-de-seguridad",
    "/casa/marca": "ajustes-del-club",
    "/casa/publicada": "clasificacion-entre-clubes",
    "/casa/seguridad": "quien-ha-hecho-que",
    "/alta": "entrar-y-contrasena",
    "/contrasena": "entrar-y-contrasena",
    "/cuenta": "entrar-y-contrasena",
    "/entrar": "entrar-y-contrasena",
    "/salir": "entrar-y-contrasena",
    "/p": "invitar-personas-y-aparatos",
    "/arbitro": "apuntar-cartas",
    "/mesas": "abrir-mesa",
    "/e": "corregir-resultado",
    "/e/*/acta": "acta-y-firma",
    "/e/*/c": "renuncio-y-caso",
    "/e/*/p": "deshacer-y-corregir",
    "/e/*/firma": "acta-y-firma",
    "/e/*/prueba": "comprobar-una-prueba",
    "/e/*/reglas": "normas-del-club",
    "/e/*/tarjetas": "acta-y-firma",
    "/r": "acta-y-firma",
    "/m": "decir-el-resultado",
    "/encuentro": "comprobar-una-prueba",
    "/repeticion": "ver-la-repeticion",
    "/llave": "comprobar-una-prueba",
    "/verificador": "comprobar-una-prueba",
    "/mesa": "seguir-en-directo",
    "/incrustar": "pared-y-web",
    "/mesa/*/compartir": "pared-y-web",
    "/i": "",
    "/l": "",
    "/ligas": "liga-por-equipos",
    "/ligas/*/compartir": "pared-y-web",
    "/sala": "seguir-en-directo",
    "/problema": "problema-de-la-semana",
    "/problema/*/hoja": "problema-de-la-semana",
    "/sala/compartir": "pared-y-web",
    "/caminos": "torneo-nuevo",
    "/clasificaciones": "clasificacion-entre-clubes",
    "/yo": "clasificacion-entre-clubes",
    "/jugadores/*/direccion": "clasificacion-entre-clubes",
    "/torneos": "torneo-nuevo",
    "/torneos/*": "seguir-en-directo",
    "/torneos/*/compartir": "pared-y-web",
    "/torneos/*/direccion": "rondas-y-mesas",
    "/torneos/*/direccion/cruces/*/correccion": "corregir-en-torneo",
    "/torneos/*/direccion/dia": "rondas-y-mesas",
    "/torneos/*/direccion/parejas": "torneo-nuevo",
    "/torneos/*/ficheros": "pared-y-web",
    "/torneos/*/imprimir": "pared-y-web",
    "/torneos/*/lista": "pared-y-web",
    "/torneos/*/lista.json": "pared-y-web",
    "/torneos/*/pared": "pared-y-web",
    "/torneos/*/sorteo": "sorteo",
    "/torneos/nuevo": "torneo-nuevo",
}
"""Task by the beginning of an address, ``*`` for what stands for itself; the longest counts.

An empty one is the whole manual, as for the home page, the manual itself and an unknown address.
"""
TASKS_OF_RULES: Final = (
    (r"^(cante|tute|suit-request|swap|two-for-seven)", "cantes-y-siete"),
    (r"^claim", "cantar-las-101"),
    (r"^(follow|beat|trump|overtrump|undertrump|out-of-turn-in|denounced)", "renuncio-y-caso"),
    (r"^(confirmed|earlier-renuncio|accusation|talk|signal|shown|late$)", "renuncio-y-caso"),
    (r"", "deshacer-y-corregir"),
)
"""Task that says what to do about a finding, by the beginning of its rule; the first counts.

The tablet gets these with its page.
"""
_VARIABLE: Final = re.compile(r"<[^>]*>")


def help_topic_of_route(rule: str) -> str | None:
    """Name of the page of the manual that explains the pages of a route.

    Empty for the first page, None if none is named.

    >>> (
    ...     help_topic_of_route("/jornadas/<uuid:session_id>/tarjetas"),
    ...     help_topic_of_route("/jornadas/"),
    ...     help_topic_of_route("/nada"),
    ... )
    ('decir-el-resultado', 'abrir-jornada', None)
    """
    address = _VARIABLE.sub("*", rule).rstrip("/")
    if address in ("", MANUAL) or address.startswith(f"{MANUAL}/"):
        return ""
    parts = address.split("/")
    beginnings = ("/".join(parts[:length]) for length in range(len(parts), 1, -1))
    return next((_OF[one] for one in beginnings if one in _OF), None)


def help_path_of_finding_rule(rule: str) -> str:
    """Address of the page of the manual that says what to do about a finding, by its rule.

    >>> help_path_of_finding_rule("follow"), help_path_of_finding_rule("wrong-draw")
    ('/ayuda/renuncio-y-caso', '/ayuda/deshacer-y-corregir')
    """
    task = next(task for begins, task in TASKS_OF_RULES if re.match(begins, rule))
    return f"{prefix()}{MANUAL}/{task}"


def help_path_of_route(rule: str) -> str:
    """Address of the page of the manual that explains the pages of a route."""
    found = help_topic_of_route(rule)
    return f"{prefix()}{MANUAL}/{found}" if found else f"{prefix()}{MANUAL}"
