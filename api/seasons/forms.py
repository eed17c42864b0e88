"""Forms of an evening and of a season, converted to the bodies of the API."""

from __future__ import annotations

from flask import request

from api.http.bodies import Body
from api.seasons import attendance
from api.seasons.rules import rules_without_choice
from referee.aggregates.session import Session
from referee.events import Competitors, PersonId, SeasonScoring

SCORED = SeasonScoring.__struct_fields__


def session() -> Body:
    """An evening to be opened, with those who are here."""
    of = competitors()
    found = attendance.attendance_in_form(of)
    return {
        **terms(of),
        "of": of,
        "present": found.get("players", []),
        "pairs": found.get("pairs", []),
    }


def competitors() -> Competitors:
    """Whether persons or pairs come."""
    return "pairs" if request.form.get("of") == "pairs" else "persons"


def terms(of: Competitors) -> Body:
    """Day, place, rules and season of an evening."""
    form = request.form
    season = form.get(f"season-{of}", "")
    body: Body = {"date": form.get("date", "")}
    if chosen := form.get("profile") or rules_without_choice(season):
        body["profile"] = {"id": chosen}
    body |= {"season": season} if season else {}
    return body | ({"place": place} if (place := form.get("place", "").strip()) else {})


def season() -> Body:
    """A season to be opened."""
    form = request.form
    days = {name: form[name] for name in ("since", "until") if form.get(name)}
    days |= {"of": form["of"]} if form.get("of") else {}
    rules = {"rules": form["rules"]} if form.get("rules") else {}
    return {"name": form.get("name", "").strip(), **days, **rules, "scoring": scoring()}


def scoring() -> Body:
    """Points for each counted item; text that is not a number is returned as typed."""
    typed = {name: request.form.get(name, "").strip() for name in SCORED}
    return {name: int(v) if v.isdecimal() and v.isascii() else v for name, v in typed.items() if v}


def draw() -> Body:
    """How tables are to be drawn."""
    seed = request.form.get("seed", "").strip()
    return {"method": request.form.get("method", ""), **({"seed": seed} if seed else {})}


def by_hand(state: Session) -> list[Body]:
    """Tables entered by hand: for each person or pair the number of a table and a side, if any."""
    sides: dict[int, dict[str, list[PersonId]]] = {}
    units = state.pairs or {one: (one,) for one in state.present}
    for unit, persons in units.items():
        number, side = (request.form.get(f"{name}-{unit}", "") for name in ("table", "side"))
        if number.isdecimal() and number.isascii() and side:
            sides.setdefault(int(number[:4]), {}).setdefault(side, []).extend(persons)
    return [
        {"number": number, "sides": [persons for _, persons in sorted(found.items())]}
        for number, found in sorted(sides.items())
    ]
