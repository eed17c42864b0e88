"""The tasks that the manual explains: who does them, where, and what goes with them."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

TaskReader: TypeAlias = Literal["secretaria", "arbitro", "jugador", "direccion"]
READERS: Final[tuple[TaskReader, ...]] = ("secretaria", "arbitro", "jugador", "direccion")


class Task(NamedTuple):
    """A page of the manual; its texts are those of ``help.task.{name}``."""

    reader: TaskReader
    way: str = ""
    """Name of the main page where it is done, as in ``PLACES``; empty if there is none."""
    also: tuple[str, ...] = ()
    """Tasks that go with it."""
    pictures: tuple[str, ...] = ()
    """Files in ``static/help/pictures`` without ``.webp``; their texts are under ``picture``."""


TASKS: Final[dict[str, Task]] = {
    "primera-jornada": Task(
        "secretaria",
        "sessions",
        ("jugadores-y-parejas", "normas-del-club", "quien-ha-venido"),
        ("tres-pasos",),
    ),
    "abrir-jornada": Task(
        "secretaria",
        "sessions",
        ("quien-ha-venido", "resultado", "decir-el-resultado"),
        ("la-misma", "mesas-sorteadas"),
    ),
    "quien-ha-venido": Task(
        "secretaria", "sessions", ("abrir-jornada", "jugadores-y-parejas"), ("quien-ha-venido",)
    ),
    "resultado": Task(
        "secretaria",
        "sessions",
        ("corregir-resultado", "decir-el-resultado", "temporada"),
        ("resultado",),
    ),
    "corregir-resultado": Task(
        "secretaria", "sessions", ("resultado", "acta-y-firma"), ("corregir-resultado",)
    ),
    "temporada": Task(
        "secretaria", "seasons", ("abrir-jornada", "calendario-en-el-movil"), ("reglas-de-puntos",)
    ),
    "cuotas-y-premios": Task("secretaria", "sessions", ("temporada", "abrir-jornada")),
    "traer-resultados": Task(
        "secretaria", "sessions", ("temporada", "corregir-resultado"), ("traer-resultados",)
    ),
    "jugadores-y-parejas": Task(
        "secretaria",
        "players",
        ("quien-ha-venido", "mi-pagina"),
        ("jugador-nuevo", "traer-una-lista"),
    ),
    "normas-del-club": Task(
        "secretaria", "rules", ("primera-jornada", "abrir-mesa"), ("normas-propias",)
    ),
    "ajustes-del-club": Task(
        "secretaria", "settings", ("normas-del-club", "quien-ha-hecho-que"), ("marca",)
    ),
    "invitar-personas-y-aparatos": Task(
        "secretaria", "access", ("entrar-y-contrasena", "sin-conexion"), ("invitar",)
    ),
    "avisos-a-otras-webs": Task(
        "secretaria", "access", ("pared-y-web", "invitar-personas-y-aparatos")
    ),
    "quien-ha-hecho-que": Task(
        "secretaria",
        "access",
        ("invitar-personas-y-aparatos", "ajustes-del-club"),
    ),
    "aplicaciones": Task("secretaria", "access", ("invitar-personas-y-aparatos", "pared-y-web")),
    "clasificacion-entre-clubes": Task(
        "secretaria", "access", ("jugadores-y-parejas", "comprobar-una-prueba")
    ),
    "problema-de-la-semana": Task(
        "secretaria", "puzzle", ("seguir-en-directo", "apuntar-cartas"), ("problema",)
    ),
    "suerte-del-reparto": Task(
        "secretaria", "seasons", ("temporada", "apuntar-cartas"), ("suerte",)
    ),
    "copias-de-seguridad": Task("secretaria", "", ("comprobar-una-prueba",)),
    "abrir-mesa": Task("arbitro", "tablet", ("apuntar-cartas", "normas-del-club"), ("abrir-mesa",)),
    "apuntar-cartas": Task(
        "arbitro",
        "tablet",
        ("deshacer-y-corregir", "cantes-y-siete", "cantar-las-101"),
        ("apuntar-cartas", "tanteo"),
    ),
    "deshacer-y-corregir": Task(
        "arbitro", "tablet", ("apuntar-cartas", "renuncio-y-caso"), ("bazas", "que-cambia")
    ),
    "cantes-y-siete": Task("arbitro", "tablet", ("apuntar-cartas", "cantar-las-101"), ("cante",)),
    "cantar-las-101": Task(
        "arbitro", "tablet", ("cantes-y-siete", "acta-y-firma"), ("ciento-una",)
    ),
    "renuncio-y-caso": Task(
        "arbitro", "tablet", ("deshacer-y-corregir", "acta-y-firma"), ("probado", "resolucion")
    ),
    "acta-y-firma": Task(
        "arbitro", "tablet", ("corregir-resultado", "comprobar-una-prueba"), ("de-acuerdo",)
    ),
    "sin-conexion": Task(
        "arbitro", "tablet", ("apuntar-cartas", "entrar-y-contrasena"), ("sin-conexion",)
    ),
    "decir-el-resultado": Task(
        "jugador",
        "",
        ("mi-pagina", "corregir-resultado"),
        ("decir-el-resultado", "de-acuerdo-en-el-movil"),
    ),
    "mi-pagina": Task(
        "jugador", "seasons", ("seguir-en-directo", "decir-el-resultado"), ("mi-pagina",)
    ),
    "calendario-en-el-movil": Task(
        "jugador", "seasons", ("mi-pagina", "temporada"), ("suscribirse",)
    ),
    "seguir-en-directo": Task(
        "jugador", "hall", ("mi-pagina", "pared-y-web"), ("mesa-en-directo",)
    ),
    "ver-la-repeticion": Task(
        "jugador", "", ("seguir-en-directo", "renuncio-y-caso"), ("el-arrastre",)
    ),
    "comprobar-una-prueba": Task(
        "jugador", "verifier", ("acta-y-firma",), ("descargar-la-prueba",)
    ),
    "entrar-y-contrasena": Task(
        "jugador", "account", ("invitar-personas-y-aparatos",), ("abrir-una-cuenta",)
    ),
    "torneo-nuevo": Task(
        "direccion",
        "tournaments",
        ("sorteo", "jugadores-y-parejas"),
        ("formato", "inscribir-muchas"),
    ),
    "sorteo": Task(
        "direccion", "tournaments", ("torneo-nuevo", "rondas-y-mesas"), ("preparar-el-sorteo",)
    ),
    "rondas-y-mesas": Task(
        "direccion",
        "tournaments",
        ("corregir-en-torneo", "pared-y-web"),
        ("lo-siguiente", "ronda-en-juego"),
    ),
    "corregir-en-torneo": Task(
        "direccion", "tournaments", ("rondas-y-mesas", "sorteo"), ("corregir-en-torneo",)
    ),
    "liga-por-equipos": Task("direccion", "leagues", ("calendario-en-el-movil", "pared-y-web")),
    "pared-y-web": Task(
        "direccion", "tournaments", ("seguir-en-directo", "rondas-y-mesas"), ("pared",)
    ),
}
"""Every task by its name, which is the end of its address, in the order of the manual."""


def task_names_of_reader(reader: TaskReader) -> tuple[str, ...]:
    """Names of the tasks for a kind of reader, in the order of the manual."""
    return tuple(name for name, task in TASKS.items() if task.reader == reader)
