"""Who is here: the choices of a page, and what its form says of an evening."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import marshmallow as ma
from flask import request

from api.club import views as club_views
from api.club.messages import read_message
from api.club.name_matches import KnownNames, NameDoubt, are_answered, name_lines
from api.club.pairs.drafts import pairs_read
from api.club.pairs.lines import PairLine
from api.club.players_csv import CellFault, faults_left_out
from api.http.bodies import Body
from api.http.faults import FieldFault, in_words
from api.http.languages import language, say
from api.http.names import words_of
from api.http.services import PendingTexts
from api.seasons.arrivals import arrivals
from referee import events as ev
from referee.aggregates.session import Session

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
    def ticked(self) -> int:
        """How many are ticked."""
        return sum(one.is_ticked for group in self[1:4] for one in group)


# --- the choices ---------------------------------------------------------------------------------


def choices(
    of: ev.Competitors,
    last: Sequence[str],
    ticked: Iterable[str],
    named: Mapping[str, str] | None = None,
) -> Choices:
    """Everybody who may be here.

    ``last``: who was there last, ``ticked``: who is here. ``named``: names of others to be shown.
    """
    sought, here = request.form.get(f"q-{of}", ""), set(ticked)
    found = _pairs() if of == "pairs" else _persons()
    known = {one.id for one, _ in found}
    found += [(PresentChoice(*one), False) for one in (named or {}).items() if one[0] not in known]
    first = {*last, *here}
    groups: tuple[list[PresentChoice], list[PresentChoice], list[PresentChoice]] = ([], [], [])
    for choice, is_guest in found:
        one = choice._replace(is_ticked=choice.id in here)
        group = 0 if one.id in first else 2 if is_guest else 1
        if group == 0 or _fits(one, sought):
            groups[group].append(one)
    lately, others, guests = groups
    return Choices(of, lately, others[:MOST_CHOICES], guests[:MOST_CHOICES], tuple(last))


def _persons() -> list[tuple[PresentChoice, bool]]:
    """Players, and whether they are of another club than most."""
    found = club_views.players_offered()
    clubs = Counter(one.club for one in found)
    home = clubs.most_common(1)[0][0] if clubs else ""
    return [
        (PresentChoice(one.player, one.name, one.nickname), one.club not in ("", home))
        for one in found
    ]


def _pairs() -> list[tuple[PresentChoice, bool]]:
    return [
        (
            PresentChoice(one.pair, one.title, " · ".join(one.names) if one.name else ""),
            False,
        )
        for one in club_views.pairs_offered()
    ]


def _fits(choice: PresentChoice, sought: str) -> bool:
    words = words_of(f"{choice.name} {choice.about}")
    return all(any(word.startswith(part) for word in words) for part in words_of(sought))


# --- the form ------------------------------------------------------------------------------------


def form_ids() -> list[str]:
    """Ids that are ticked in a form, of persons or pairs."""
    return [*request.form.getlist("person"), *request.form.getlist("pair")]


def attendance_in_form(of: ev.Competitors) -> Body:
    """Who is here by the form: what is ticked, and lines that were typed or pasted.

    :raises ma.ValidationError: a line is no pair, or has to be looked at
    """
    if of == "pairs":
        named = [_pair_body(one) for one in _lines()]
        found = [{"pair": pair} for pair in request.form.getlist("pair")] + named
        return {"pairs": _each_once(found)}
    return {"players": present()}


def present() -> list[dict[str, str]]:
    """Players who are here: ticked ones, and names, one per line; a name of one player means them.

    :raises ma.ValidationError: a name may be one of several players, and it is not said which; or
        something of the lines is left out, and has to be looked at
    """
    named = _lines_typed("persons")
    left_out = faults_left_out(read_message(request.form.get("names-persons", "")))
    if left_out and not request.form.get("sure"):
        raise ma.ValidationError({"names": [_in_words(one) for one in left_out]})
    known = KnownNames(club_views.players() if named else ())
    if not are_answered(known.doubts(named, request.form)):
        raise ma.ValidationError({"names": [FieldFault("name_in_doubt")]})
    found = [{"person": person} for person in request.form.getlist("person")]
    for name in named:
        meant = known.meant(name, request.form)
        found.append({"name": name} if meant is None else {"person": meant.player})
    return _each_once(found)


def doubts(of: ev.Competitors) -> list[NameDoubt]:
    """Typed names that may be one of several players, with the answers so far."""
    named = _lines_typed(of)
    if not named:
        return []
    if of == "pairs":
        return pairs_read(request.form["names-pairs"], request.form).doubts
    return KnownNames(club_views.players()).doubts(named, request.form)


def _lines_typed(of: ev.Competitors) -> list[str]:
    return name_lines(request.form.get(f"names-{of}", ""))


def _each_once(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [one for at, one in enumerate(found) if one not in found[:at]]


def _lines() -> list[PairLine]:
    """Pairs of the lines of a form."""
    if not _lines_typed("pairs"):
        return []
    read = pairs_read(request.form["names-pairs"], request.form)
    unclear = [] if request.form.get("sure") else read.unclear
    if faults := [*read.faults, *unclear]:
        raise ma.ValidationError({"names": [_in_words(one) for one in faults]})
    if not are_answered(read.doubts):
        raise ma.ValidationError({"names": [FieldFault("name_in_doubt")]})
    return read.lines


def _in_words(one: CellFault) -> str:
    where = say("players.at_line", language(), line=one.line, column=0)
    return f"{where}: {in_words([one.fault], language())[0]}"


def _pair_body(line: PairLine) -> dict[str, Any]:
    if line.pair and not line.name:
        return {"pair": line.pair}
    players = [{"person": who.person} if who.person else {"name": who.name} for who in line.players]
    return {"players": players, **({"name": line.name} if line.name else {})}


def changes(state: Session, wanted: Body, put: PendingTexts) -> AttendanceChange:
    """Acts after which those of a form are here, and nobody else."""
    assert state.opened is not None
    came = arrivals({"players": [], "pairs": [], **wanted}, put)
    of_pairs = state.opened.of == "pairs"
    before = tuple(state.pairs) if of_pairs else state.present
    now = {_who(act): act for act in came.acts}
    gone = [(ev.PairLeft if of_pairs else ev.PlayerLeft)(one) for one in before if one not in now]
    new = [act for one, act in now.items() if one not in before]
    return AttendanceChange([*gone, *new], came.enrolled)


def _who(act: ev.PlayerCame | ev.PairCame) -> str:
    """Id of the person or the pair that came."""
    return act.pair if isinstance(act, ev.PairCame) else act.person


def departures(before: Session, now: Session) -> list[ev.PersonId]:
    """Who left, by persons or by pairs: ids, in their order."""
    if now.pairs or before.pairs:
        return [one for one in before.pairs if one not in now.pairs]
    return [one for one in before.present if one not in now.present]
