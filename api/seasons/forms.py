"""Forms of an evening and of a season, converted to the bodies of the API."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import marshmallow as ma
from flask import request

from api.club import views as club_views
from api.club.messages import parse_pasted_list
from api.club.name_matches import KnownNames, NameDoubt, are_name_doubts_answered, name_lines
from api.club.pairs.drafts import parse_pasted_pairs
from api.club.pairs.lines import PairLine
from api.club.players_csv import CellFault, faults_for_left_out_text
from api.http.bodies import Body
from api.http.fields import FieldFault, faults_in_words
from api.http.languages import language, say
from api.http.names import words_of_folded_name
from api.http.services import PendingTexts
from api.seasons.arrivals import build_arrivals_of_body
from api.seasons.rules import usual_rules_id_or_empty
from referee import events as ev
from referee.aggregates.session import Session
from referee.events import Competitors, PersonId, SeasonScoring

MOST_CHOICES = 300
"""Number of persons or pairs offered at once; who is not among them is found by typing."""


class PresentChoice(NamedTuple):
    """Somebody who may be here: a person or a pair. ``about``: nickname, or the players."""

    id: str
    name: str
    about: str = ""
    is_ticked: bool = False


class AttendanceChange(NamedTuple):
    """Acts of an evening, and those of the club that come with them."""

    acts: list[ev.SessionAct]
    enrolled: list[ev.ClubAct]


class Choices(NamedTuple):
    """Those who may be here: who was there last, others of the club, players of other clubs.

    ``of``: persons or pairs. ``last``: ids of those who were there last.
    """

    of: ev.Competitors
    lately: list[PresentChoice]
    others: list[PresentChoice]
    guests: list[PresentChoice]
    last: tuple[str, ...] = ()

    @property
    def number_of_ticks(self) -> int:
        """How many are ticked."""
        return sum(one.is_ticked for group in self[1:4] for one in group)


# --- the choices ---------------------------------------------------------------------------------


def attendance_choices(
    of: ev.Competitors,
    last: Sequence[str],
    ticked: Iterable[str],
    named: Mapping[str, str] | None = None,
) -> Choices:
    """Persons or pairs whom the form of an evening offers as present, in groups.

    ``last``: who was there last, ``ticked``: who is here. ``named``: names of others to be shown.
    """
    sought, here = request.form.get(f"q-{of}", ""), set(ticked)
    found = _pair_choices() if of == "pairs" else _person_choices()
    known = {one.id for one, _ in found}
    found += [(PresentChoice(*one), False) for one in (named or {}).items() if one[0] not in known]
    first = {*last, *here}
    groups: tuple[list[PresentChoice], list[PresentChoice], list[PresentChoice]] = ([], [], [])
    for choice, is_guest in found:
        one = choice._replace(is_ticked=choice.id in here)
        group = 0 if one.id in first else 2 if is_guest else 1
        if group == 0 or _matches_search(one, sought):
            groups[group].append(one)
    lately, others, guests = groups
    return Choices(of, lately, others[:MOST_CHOICES], guests[:MOST_CHOICES], tuple(last))


def _person_choices() -> list[tuple[PresentChoice, bool]]:
    """Players whom a form can offer, each with whether they are of another club than most."""
    found = club_views.players_offered()
    clubs = Counter(one.club for one in found)
    home = clubs.most_common(1)[0][0] if clubs else ""
    return [
        (PresentChoice(one.player, one.name, one.nickname), one.club not in ("", home))
        for one in found
    ]


def _pair_choices() -> list[tuple[PresentChoice, bool]]:
    return [
        (
            PresentChoice(one.pair, one.title, " · ".join(one.names) if one.name else ""),
            False,
        )
        for one in club_views.pairs_offered()
    ]


def _matches_search(choice: PresentChoice, sought: str) -> bool:
    words = words_of_folded_name(f"{choice.name} {choice.about}")
    return all(
        any(word.startswith(part) for word in words) for part in words_of_folded_name(sought)
    )


# --- the form ------------------------------------------------------------------------------------


def ids_ticked() -> list[str]:
    """Ids that are ticked in a form, of persons or pairs."""
    return [*request.form.getlist("person"), *request.form.getlist("pair")]


def attendance_in_form(of: ev.Competitors) -> Body:
    """Who is here by the form: what is ticked, and lines that were typed or pasted.

    :raises ma.ValidationError: a line is no pair, or has to be looked at
    """
    if of == "pairs":
        named = [_pair_body(one) for one in _pair_lines_in_form()]
        found = [{"pair": pair} for pair in request.form.getlist("pair")] + named
        return {"pairs": _without_repeats(found)}
    return {"players": players_in_form()}


def players_in_form() -> list[dict[str, str]]:
    """Players who are here: ticked ones, and names, one per line; a name of one player means them.

    :raises ma.ValidationError: a name may be one of several players, and it is not said which; or
        something of the lines is left out, and has to be looked at
    """
    named = _lines_of_form("persons")
    left_out = faults_for_left_out_text(parse_pasted_list(request.form.get("names-persons", "")))
    if left_out and not request.form.get("sure"):
        raise ma.ValidationError({"names": [_fault_in_words(one) for one in left_out]})
    known = KnownNames(club_views.players() if named else ())
    if not are_name_doubts_answered(known.doubts_about_names(named, request.form)):
        raise ma.ValidationError({"names": [FieldFault("name_in_doubt")]})
    found = [{"person": person} for person in request.form.getlist("person")]
    for name in named:
        meant = known.player_meant(name, request.form)
        found.append({"name": name} if meant is None else {"person": meant.player})
    return _without_repeats(found)


def name_doubts_in_form(of: ev.Competitors) -> list[NameDoubt]:
    """Typed names that may be one of several players, with the answers so far."""
    named = _lines_of_form(of)
    if not named:
        return []
    if of == "pairs":
        return parse_pasted_pairs(request.form["names-pairs"], request.form).doubts
    return KnownNames(club_views.players()).doubts_about_names(named, request.form)


def _lines_of_form(of: ev.Competitors) -> list[str]:
    return name_lines(request.form.get(f"names-{of}", ""))


def _without_repeats(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [one for at, one in enumerate(found) if one not in found[:at]]


def _pair_lines_in_form() -> list[PairLine]:
    """Pairs of the lines of a form."""
    if not _lines_of_form("pairs"):
        return []
    read = parse_pasted_pairs(request.form["names-pairs"], request.form)
    unclear = [] if request.form.get("sure") else read.unclear
    if faults := [*read.faults, *unclear]:
        raise ma.ValidationError({"names": [_fault_in_words(one) for one in faults]})
    if not are_name_doubts_answered(read.doubts):
        raise ma.ValidationError({"names": [FieldFault("name_in_doubt")]})
    return read.lines


def _fault_in_words(one: CellFault) -> str:
    where = say("players.at_line", language(), line=one.line, column=0)
    return f"{where}: {faults_in_words([one.fault], language())[0]}"


def _pair_body(line: PairLine) -> dict[str, Any]:
    if line.pair and not line.name:
        return {"pair": line.pair}
    players = [{"person": who.person} if who.person else {"name": who.name} for who in line.players]
    return {"players": players, **({"name": line.name} if line.name else {})}


def attendance_change(state: Session, wanted: Body, put: PendingTexts) -> AttendanceChange:
    """Arrivals and departures by which exactly those of the form are present."""
    assert state.opened is not None
    came = build_arrivals_of_body({"players": [], "pairs": [], **wanted}, put)
    of_pairs = state.opened.of == "pairs"
    before = tuple(state.pairs) if of_pairs else state.present
    now = {_competitor_id_of_arrival(act): act for act in came.acts}
    gone = [(ev.PairLeft if of_pairs else ev.PlayerLeft)(one) for one in before if one not in now]
    new = [act for one, act in now.items() if one not in before]
    return AttendanceChange([*gone, *new], came.enrolled)


def _competitor_id_of_arrival(act: ev.PlayerCame | ev.PairCame) -> str:
    """Id of the person or the pair that came."""
    return act.pair if isinstance(act, ev.PairCame) else act.person


def departures_between(before: Session, now: Session) -> list[ev.PersonId]:
    """Persons or pairs who left between two states of an evening: ids, in their order."""
    if now.pairs or before.pairs:
        return [one for one in before.pairs if one not in now.pairs]
    return [one for one in before.present if one not in now.present]


SCORED = SeasonScoring.__struct_fields__


def session_in_form() -> Body:
    """Request body that opens an evening, from its form, with those who are present."""
    of = competitor_kind_in_form()
    found = attendance_in_form(of)
    return {
        **session_terms_in_form(of),
        "of": of,
        "present": found.get("players", []),
        "pairs": found.get("pairs", []),
    }


def competitor_kind_in_form() -> Competitors:
    """Whether the form is of an evening of persons or of pairs."""
    return "pairs" if request.form.get("of") == "pairs" else "persons"


def session_terms_in_form(of: Competitors) -> Body:
    """Day, place, rules and season of an evening, from its form."""
    form = request.form
    season = form.get(f"season-{of}", "")
    body: Body = {"date": form.get("date", "")}
    if chosen := form.get("profile") or usual_rules_id_or_empty(season):
        body["profile"] = {"id": chosen}
    body |= {"season": season} if season else {}
    return body | ({"place": place} if (place := form.get("place", "").strip()) else {})


def season_in_form() -> Body:
    """Request body that opens a season, from its form."""
    form = request.form
    days = {name: form[name] for name in ("since", "until") if form.get(name)}
    days |= {"of": form["of"]} if form.get("of") else {}
    rules = {"rules": form["rules"]} if form.get("rules") else {}
    return {"name": form.get("name", "").strip(), **days, **rules, "scoring": scoring_in_form()}


def scoring_in_form() -> Body:
    """Points for each counted item; text that is not a number is returned as typed."""
    typed = {name: request.form.get(name, "").strip() for name in SCORED}
    return {name: int(v) if v.isdecimal() and v.isascii() else v for name, v in typed.items() if v}


def draw_method_and_seed_in_form() -> Body:
    """Request body of a draw, from its form: the method, and a seed if there is one."""
    seed = request.form.get("seed", "").strip()
    return {"method": request.form.get("method", ""), **({"seed": seed} if seed else {})}


def tables_in_form(state: Session) -> list[Body]:
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
