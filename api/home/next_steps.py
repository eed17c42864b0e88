"""What the reader of the home page can do next: a sentence and a button for each step, by role."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Final, NamedTuple
from uuid import UUID

from api.encuentros import views as encuentro_views
from api.encuentros.views import table_names_of_view
from api.home.cup import Cup
from api.http import moments
from api.http.access.prefix import prefix
from api.http.access.roles import Actor
from api.http.languages import language, player_names_of_side, say, texts_of_language
from api.http.services import are_seasons_public, current_services
from api.http.table_names import use_table_names
from api.seasons import next_evening, views
from api.seasons.next_evening import ComingEvening, next_evening_in_calendars
from api.tournaments.display import TournamentDisplay
from projections.cases.projection import keys_of_waiting_cases
from referee.rules.seats import SIDES

_LATEST: Final = 50
"""Latest encuentros among which those that play are looked for."""


class NextStep(NamedTuple):
    """What waits, in a sentence, and the button that leads there; ``about``: a line below."""

    says: str
    button: str
    path: str
    about: str = ""


def next_steps(actor: Actor | None, shown: Cup | None) -> list[NextStep]:
    """What the reader can do next, the main thing first; for a visitor only what is published.

    ``shown``: the tournament of the home page.
    """
    if actor is not None and actor.encuentro and "read" in actor.permissions:
        return list(_own_table_steps(actor.encuentro))
    match actor.role if actor else None:
        case "admin" | "director" as role:
            now, later = _evening_steps_now_and_later()
            tournament = list(_tournament_steps(shown))
            first = [*now, *tournament] if role == "admin" else [*tournament, *now]
            return [*first, *_case_steps(), *later]
        case "arbiter":
            return [*_case_steps(), *_table_steps()]
        case _:
            return list(_visitor_steps())


def say_count(key: str, n: int, **facts: object) -> str:
    """A text with a number; ``<key>_one`` for exactly one.

    >>> say_count("home.next.cases", 1), say_count("home.next.cases", 3)
    ('1 caso espera', '3 casos esperan')
    """
    return say(f"{key}_one" if n == 1 else key, language(), n=n, **facts)


# --- evenings ------------------------------------------------------------------------------------


def _evening_steps_now_and_later() -> tuple[list[NextStep], list[NextStep]]:
    """Steps for organisers of evenings: those to do now, and those for later; one in all at most.

    Now is the evening that is held, else to open today's; later is the next one.
    """
    today, lang = next_evening.today(), language()
    if held := latest_open_evening(today):
        button = say("home.next.to_evening", lang)
        return [
            NextStep(_current_evening_words(held), button, f"{prefix()}/jornadas/{held.id}")
        ], []
    coming, had_one = next_evening_in_calendars(today), bool(views.latest_sessions())
    if coming is not None and coming.is_on(today):
        how = "?como=misma" if had_one else ""
        button = say("home.next.open_same" if how else "home.next.open_evening", lang)
        return [
            NextStep(
                coming_evening_words(coming),
                button,
                f"{prefix()}/jornadas/nueva{how}",
                _place_and_season(coming),
            )
        ], []
    if coming is not None:
        button = say("home.next.to_calendar", lang)
        path = f"{prefix()}/temporadas/{coming.season.id}"
        return [], [NextStep(coming_evening_words(coming), button, path, _place_and_season(coming))]
    if had_one:
        says, button = (say(f"home.next.{one}", lang) for one in ("no_evening", "open_another"))
        return [], [NextStep(says, button, f"{prefix()}/jornadas/nueva?como=misma")]
    return [], []


def _current_evening_words(one: HeldEvening) -> str:
    """An evening in progress, in a sentence: who has come, and what is missing."""
    lang, today = language(), next_evening.today().isoformat()
    when = _day_words(one.date)
    key = "home.next.today" if one.date == today else "home.next.evening_of"
    came = say_count(f"home.next.came_{one.of}", one.came) if one.came else ""
    if not one.came:
        left = say("home.next.nobody", lang)
    elif one.is_drawn:
        left = say("home.next.drawn", lang)
    elif not one.tables:
        left = say("home.next.to_draw", lang)
    elif one.open_tables:
        left = say_count("home.next.open_tables", one.open_tables)
    else:
        left = say("home.next.all_done", lang)
    return say(key, lang, day=when, what=", ".join(filter(None, (came, left))))


def coming_evening_words(one: ComingEvening) -> str:
    """The next evening in a sentence."""
    is_today = one.is_on(next_evening.today())
    key = "home.next.today_coming" if is_today else "home.next.coming"
    at = say("home.next.at", language(), time=one.day.time) if one.day.time else ""
    return say(key, language(), day=_day_words(one.day.date), at=at)


def _place_and_season(one: ComingEvening) -> str:
    return " · ".join(filter(None, (one.day.place, one.season.name)))


def _day_words(day: str) -> str:
    """The day of the week alone if it is today, else with day and month."""
    words = texts_of_language(language())
    if day == next_evening.today().isoformat():
        return words[f"calendar.weekday_{next_evening.today().isoweekday()}"]
    return moments.day_words_with_weekday(day, words)


def _visitor_steps() -> Iterator[NextStep]:
    """The step for visitors, if the club shows its league: the evening in progress or the next."""
    if not are_seasons_public():
        return
    if held := latest_open_evening(next_evening.today()):
        button = say("home.next.to_evening", language())
        yield NextStep(_public_evening_words(held), button, f"{prefix()}/jornadas/{held.id}")
    elif coming := next_evening_in_calendars(next_evening.today()):
        button = say("home.next.to_league", language())
        yield NextStep(
            coming_evening_words(coming),
            button,
            f"{prefix()}/temporadas/{coming.season.id}",
            _place_and_season(coming),
        )


def _public_evening_words(one: HeldEvening) -> str:
    is_today = one.date == next_evening.today().isoformat()
    key = "home.next.today" if is_today else "home.next.evening_of"
    return say(
        key, language(), day=_day_words(one.date), what=say("home.next.is_played", language())
    )


# --- tournaments ---------------------------------------------------------------------------------


def _tournament_steps(shown: Cup | None) -> Iterator[NextStep]:
    """The step for tournament directors: the tournament of the home page, unless it is over."""
    if shown is not None and shown.display.view.stage not in ("over", "cancelled"):
        button = say("home.next.to_tournament", language())
        about = " · ".join(filter(None, (shown.display.name, shown.display.view.place)))
        yield NextStep(
            _tournament_step_words(shown.display), button, f"{shown.path}/direccion", about
        )


def _tournament_step_words(display: TournamentDisplay) -> str:
    now, stage = display.current_or_last_round, display.view.stage
    if stage != "running":
        return say_count(f"home.next.{stage}", len(display.pairs_by_number))
    if now is None:
        return say("home.next.first_round", language())
    if not now.is_over:
        return say_count(
            "home.next.meetings", len(now.meetings) - now.result_count, round=now.title
        )
    if champion := display.champion:
        return say("home.next.champion", language(), pair=champion.name)
    return say("home.next.next_round", language(), round=now.title)


# --- tables --------------------------------------------------------------------------------------


def _case_steps() -> Iterator[NextStep]:
    """The step for arbiters: cases that wait for them."""
    with current_services().reads.reading() as rows:
        waiting = keys_of_waiting_cases(rows)
    if waiting:
        encuentro, number = waiting[0]
        button = say("home.next.to_case", language())
        yield NextStep(
            say_count("home.next.cases", len(waiting)),
            button,
            f"{prefix()}/e/{encuentro}/c/{number}",
        )


def _table_steps() -> Iterator[NextStep]:
    """Steps for those who keep records: tables in play, or a first table to open."""
    found = encuentro_views.encuentro_list_page("", _LATEST).items
    playing = sum(one.decided is None and one.partidas > 0 for one in found)
    says = (
        say_count("home.next.playing", playing) if playing else say("home.next.quiet", language())
    )
    button = say("home.next.to_tables" if playing else "home.next.open_table", language())
    yield NextStep(says, button, f"{prefix()}/arbitro/")
    if not playing:
        says, button = (say(f"home.next.{one}", language()) for one in ("first_table", "to_tour"))
        yield NextStep(says, button, f"{prefix()}/arbitro/#/prueba")


def _own_table_steps(encuentro: str) -> Iterator[NextStep]:
    """The step for a device that is bound to a table: that table."""
    one = encuentro_views.encuentro_list_page("", 1, encuentro).items[0]
    table, lang = table_names_of_view(one), language()
    with use_table_names(table):
        sides = [player_names_of_side(side, lang) for side in SIDES[table.players]]
    names = say("home.next.between", lang).join(sides) if table.names else one.id[:8]
    says = say("home.next.own_table", lang, names=names)
    button = say("home.next.to_own_table", lang)
    yield NextStep(says, button, f"{prefix()}/arbitro/#/mesa/{encuentro}", one.place or "")


class HeldEvening(NamedTuple):
    """An evening that is not closed. ``came``: persons or pairs; ``open_tables``: without result.

    ``tables``: those that were opened; ``is_drawn``: a draw waits to be played.
    """

    id: str
    date: str
    of: str
    came: int
    tables: int
    open_tables: int
    is_drawn: bool


def latest_open_evening(today: date) -> HeldEvening | None:
    """The latest evening, of today or earlier, that is not closed; None if there is none."""
    latest = (one for one in views.latest_sessions() if one.date <= today.isoformat())
    found = next((one for one in latest if not one.closed), None)
    if found is None:
        return None
    view = views.complete_session_view(UUID(found.id))
    came = view.pairs if view.of == "pairs" else view.present
    waiting = [one for one in view.encuentros if one.decided is None]
    tables = len(view.encuentros), len(waiting)
    return HeldEvening(found.id, found.date, view.of, len(came), *tables, is_drawn=view.waiting)
