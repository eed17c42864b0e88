"""Forms of an evening and of a season, converted to the bodies of the API."""

from __future__ import annotations

from collections.abc import Sequence

from flask import request

from api.club import reading as club_reading
from api.http.bodies import Body
from api.http.names import words_of
from referee.events import PersonId, SeasonScoring

SCORED = SeasonScoring.__struct_fields__


def present() -> list[dict[str, str]]:
    """Players who came: ticked ones, and names, one per line; a unique name means its player."""
    ticked = request.form.getlist("person")
    named = [line.strip() for line in request.form.get("names", "").splitlines() if line.strip()]
    known: dict[str, list[str]] = {}
    for one in club_reading.players() if named else ():
        known.setdefault(" ".join(words_of(one.name)), []).append(one.player)
    found = [{"person": person} for person in ticked]
    for name in named:
        same = known.get(" ".join(words_of(name)), [])
        found.append({"person": same[0]} if len(same) == 1 else {"name": name})
    return [one for at, one in enumerate(found) if one not in found[:at]]


def session() -> Body:
    """An evening to be opened."""
    form = request.form
    season = form.get("season", "")
    body: Body = {
        "date": form.get("date", ""),
        "profile": {"id": form.get("profile", "")},
        "present": present(),
    }
    body |= {"season": season} if season else {}
    body |= {name: form[name].strip() for name in ("name", "place") if form.get(name, "").strip()}
    return body


def season() -> Body:
    """A season to be opened."""
    form = request.form
    days = {name: form[name] for name in ("since", "until") if form.get(name)}
    return {"name": form.get("name", "").strip(), **days, "scoring": scoring()}


def scoring() -> Body:
    """Points for each counted item; text that is not a number is returned as typed."""
    typed = {name: request.form.get(name, "").strip() for name in SCORED}
    return {name: int(v) if v.isdecimal() and v.isascii() else v for name, v in typed.items() if v}


def draw() -> Body:
    """How tables are to be drawn."""
    seed = request.form.get("seed", "").strip()
    return {"method": request.form.get("method", ""), **({"seed": seed} if seed else {})}


def by_hand(present: Sequence[PersonId]) -> list[Body]:
    """Tables entered by hand: for each person the number of a table and a side, or neither."""
    found: dict[int, dict[str, list[PersonId]]] = {}
    for person in present:
        number, side = (request.form.get(f"{name}-{person}", "") for name in ("table", "side"))
        if number.isdecimal() and number.isascii() and side:
            found.setdefault(int(number[:4]), {}).setdefault(side, []).append(person)
    return [
        {"number": number, "sides": [persons for _, persons in sorted(sides.items())]}
        for number, sides in sorted(found.items())
    ]
