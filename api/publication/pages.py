"""Pages of what the club publishes: in public, the admin's choice, and the address of a player."""

from __future__ import annotations

from typing import Final, NamedTuple

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from api.html import forms, qr_codes
from api.html.addresses import root_for_others
from api.html.forms import FieldErrors, attempt_write, new_form_key
from api.html.pages import page
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.problems import Problem
from api.http.rest import reply
from api.http.services import await_end_of_log, await_position_in_request, current_services
from api.publication.file import SignedResultsData, require_results_file, results_file_or_none
from api.publication.rest import choose_publishing
from referee.aggregates.publication import Publication
from referee.errors import NotFound
from referee.events import PersonId
from referee.events.rankings import PersonAddressRenewed

blp = Blueprint("publication_pages", __name__)
_HERE: Final = "/clasificaciones/publicada"
_CHOICE: Final = "/casa/publicada"
_ADDRESS: Final = "/jugadores/<string(length=32):person_id>/direccion"


class ShownPerson(NamedTuple):
    """A person of a publication, with the results that it has of them."""

    name: str
    results: int
    joints: int


@blp.get(_HERE)
@guard.open_to_all
def show_publication() -> Response:
    """What the club publishes for rankings: who agreed, results by month, the signed file"""
    await_position_in_request()
    state, signed = current_services().referee.publication.publication(), results_file_or_none()
    return page(
        "publication/published.html",
        state=state,
        signed=signed,
        people=[] if signed is None else _people(signed),
        address=f"{root_for_others()}api/v1/publication",
    )


@blp.get(f"{_HERE}.json")
@guard.open_to_all
def download() -> Response:
    """The publication as a file"""
    made = reply(require_results_file())
    made.headers["Content-Disposition"] = 'attachment; filename="resultados.json"'
    return made


def _people(signed: SignedResultsData) -> list[ShownPerson]:
    played: dict[str, int] = {}
    for results in signed.months.values():
        for one in results:
            for who in {who for side in one.sides for who in side if who}:
                played[who] = played.get(who, 0) + 1
    found = (
        ShownPerson(one.name, played.get(one.person, 0), len(one.joints)) for one in signed.people
    )
    return sorted(found, key=lambda one: one.name.casefold())


@blp.get(_CHOICE)
@guard.requires("access:manage")
def show_publishing_choice() -> Response:
    """Whether the club publishes its results, and who agreed"""
    await_position_in_request()
    return _choice_page([], 200)


@blp.post(_CHOICE)
@guard.requires("access:manage")
def record_choice_of_form() -> AnyResponse:
    """The club publishes its results, or does not any more"""
    chosen = forms.form_value("choice")
    if chosen not in ("published", "closed"):
        raise Problem("bad_request")
    answer, wrong, status = attempt_write(
        lambda: choose_publishing(
            "published" if chosen == "published" else "closed", forms.meta_of_form()
        )
    )
    if answer is None:
        return _choice_page(wrong, status)
    return redirect(f"{prefix()}{_CHOICE}?wait={answer.position}", 303)


def _choice_page(wrong: FieldErrors, status: int) -> Response:
    await_end_of_log()
    here = current_services()
    state = here.referee.publication.publication()
    names = here.persons.texts_by_id(one.name for one in state.agreed.values())
    return page(
        "publication/choice.html",
        state=state,
        signed=results_file_or_none(),
        people=sorted((names[one.name] or "…", person) for person, one in state.agreed.items()),
        wrong=wrong,
        key=new_form_key(),
        status=status,
    )


# --- the address of a player ---------------------------------------------------------------------


@blp.get(_ADDRESS)
@guard.requires("club:manage")
def show_player_address(person_id: PersonId) -> Response:
    """The secret address of a player's own page, to be given to them"""
    await_position_in_request()
    name = _require_person_name(person_id)
    state = current_services().referee.publication.publication()
    address = f"{root_for_others()}yo/{secret_address_part(person_id, state)}"
    return page(
        "publication/address.html",
        person=person_id,
        name=name,
        address=address,
        qr=qr_codes.qr_inline(address, omitsize=True, light="#fff"),
        is_agreed=person_id in state.agreed,
        is_renewed=request.args.get("done") == "renewed",
        key=new_form_key(),
    )


@blp.post(_ADDRESS)
@guard.requires("club:manage")
def renew_player_address(person_id: PersonId) -> AnyResponse:
    """Give a player another secret address; the old one stops working"""
    _require_person_name(person_id)

    acts = [PersonAddressRenewed(person_id)]
    current_services().referee.publication.record(acts, forms.meta_of_form())
    return redirect(f"{prefix()}/jugadores/{person_id}/direccion?done=renewed", 303)


def _require_person_name(person: PersonId) -> str:
    """The name of a person in the club.

    :raises NotFound: they were erased, or never known
    """
    name = current_services().persons.name(person)
    if name is None:
        raise NotFound(person)
    return name


def secret_address_part(person: PersonId, state: Publication) -> str:
    """The secret part of the address of a person's own page."""
    return current_services().addresses.secret_address_of_person(
        person, state.renewals.get(person, 0)
    )
