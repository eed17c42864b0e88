"""Forms of an evening and of a season, converted to the bodies of the API."""

from __future__ import annotations

from collections.abc import Sequence

import marshmallow as ma
from flask import request

from api.club import reading as club_reading
from api.club.matching import KnownNames, NameDoubt, are_answered, typed_lines
from api.http.bodies import Body
from api.http.faults import FieldFault
from api.seasons.rules import rules_without_choice
from referee.events import PersonId, SeasonScoring

SCORED = SeasonScoring.__struct_fields__


def present() -> list[dict[str, str]]:
    """Players who came: ticked ones, and names, one per line; a name of one player means them.

    :raises ma.ValidationError: a name may be one of several players, and it is not said which
    """
    named = typed_lines(request.form.get("names", ""))
    known = KnownNames(club_reading.players() if named else ())
    if not are_answered(known.doubts(named, request.form)):
        raise ma.ValidationError({"names": [FieldFault("name_in_doubt")]})
    found = [{"person": person} for person in request.form.getlist("person")]
    for name in named:
        meant = known.meant(name, request.form)
        found.append({"name": name} if meant is None else {"person": meant.player})
    return [one for at, one in enumerate(found) if one not in found[:at]]


def doubts() -> list[NameDoubt]:
    """Typed names that may be one of several players, with the answers so far."""
    named = typed_lines(request.form.get("names", ""))
    return KnownNames(club_reading.players()).doubts(named, request.form) if named else []


def session() -> Body:
    """An evening to be opened."""
    form = request.form
    season = form.get("season", "")
    body: Body = {
        "date": form.get("date", ""),
        "present": present(),
    }
    if chosen := form.get("profile") or rules_without_choice(season):
        body["profile"] = {"id": chosen}
    body |= {"season": season} if season else {}
    body |= {name: form[name].strip() for name in ("name", "place") if form.get(name, "").strip()}
    return body


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
