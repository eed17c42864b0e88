"""A person's own page at a secret address, without an account.

The name they agree to, who they are in other clubs.
"""

from __future__ import annotations

import secrets
from typing import Final, NamedTuple

from flask import Blueprint, Response, redirect
from werkzeug.wrappers import Response as AnyResponse

from api.html.forms import FieldErrors, attempt_write, form_value, load_by_schema, new_form_key
from api.html.pages import make_private, page
from api.html.private_addresses import (
    UnusableAddress,
    meta_of_address_form,
    note_wrong_address,
    unusable_page,
)
from api.http.access import guard
from api.http.access.prefix import prefix
from api.http.fields import MAX_NAME, RequestSchema, Text
from api.http.problems import Problem
from api.http.services import PendingTexts, await_end_of_log, current_services, pending_texts
from api.publication.issue import ids_under_which_player_agreed, issue_changes
from referee.access.addresses import parse_private_address
from referee.aggregates.publication import (
    ID_BYTES,
    AgreedName,
    JointCode,
    Publication,
    PublicationRule,
    fingerprint_of_club_key,
    read_joint_code,
)
from referee.audit.proofs import NotSigned
from referee.errors import Refused
from referee.events import PersonId
from referee.events.rankings import (
    JointOffered,
    NameAgreed,
    NameWithdrawn,
    PersonJoined,
    PersonParted,
    PublicationAct,
)
from referee.log.streams import Answer

blp = Blueprint("mine", __name__)
blp.register_error_handler(UnusableAddress, unusable_page)
_ONE: Final = "/yo/<address>"


class AgreedNameIn(RequestSchema):
    """The name under which a person agrees to be published."""

    name = Text(MAX_NAME, required=True)


class OwnPlace(NamedTuple):
    """Who speaks at an address, under which of their ids after merges, and what they agreed to."""

    owner: PersonId
    person: PersonId
    name: str
    state: Publication

    @property
    def agreement(self) -> AgreedName | None:
        """The name to which the person agreed; None if they did not agree."""
        return self.state.agreed.get(self.person)


class OwnJoint(NamedTuple):
    """A joint of a person, and the code that the other club has to get."""

    joint: str
    code: str


@blp.get(_ONE)
@guard.open_to_all
@guard.takes_secret_address
def show_own_page(address: str) -> Response:
    """Whether a person is published, under which name, and who they are in other clubs"""
    return _own_page(_person_at_secret_address(address), [], 200)


@blp.post(_ONE)
@guard.open_to_all
@guard.takes_secret_address
def record_own_form(address: str) -> AnyResponse:
    """A person agrees to a name, takes it back, or joins themselves to another club"""
    place = _person_at_secret_address(address)

    def write() -> Answer:
        here = current_services()
        renewals = place.state.renewals.get(place.owner, 0)
        meta = meta_of_address_form(f"address person {place.owner} {renewals + 1}")
        if answer := here.referee.answer_to(meta):
            return answer
        with pending_texts() as put:
            acts = _acts_of_form(place, put)
            answer = put.erase_if_replayed(here.referee.publication.record(acts, meta))
        issue_changes(here)
        return answer

    answer, wrong, status = attempt_write(write)
    if answer is None:
        return _own_page(_person_at_secret_address(address), wrong, status)
    return make_private(redirect(f"{prefix()}/yo/{address}", 303))


def _person_at_secret_address(address: str) -> OwnPlace:
    """The person to whom a secret address belongs.

    :raises UnusableAddress: nobody
    :raises Problem: too many wrong ones from here
    """
    here, given = current_services(), parse_private_address(address)
    if given is not None:
        owner, state = given.owner_id, here.referee.publication.publication()
        name, club = here.persons.name(owner), here.referee.players.club()
        is_own = here.addresses.is_secret_address_of_person(given, state.renewals.get(owner, 0))
        if is_own and name is not None:
            ids = [*ids_under_which_player_agreed(club, state, owner), club.id_after_merges(owner)]
            return OwnPlace(owner, ids[0], name, state)
    raise note_wrong_address()


def _acts_of_form(place: OwnPlace, put: PendingTexts) -> list[PublicationAct]:
    """The acts that a form asks for; a withdrawal applies to every id of the player.

    :raises ValidationError: the name is wrong
    :raises Refused: the code is none, or of this club
    :raises Problem: there is no such act
    """
    act = _act_of_form(place, put)
    if not isinstance(act, NameWithdrawn):
        return [act]
    club = current_services().referee.players.club()
    others = ids_under_which_player_agreed(club, place.state, place.person)[1:]
    return [act, *map(NameWithdrawn, others)]


def _act_of_form(place: OwnPlace, put: PendingTexts) -> PublicationAct:
    """The act that a form asks for.

    :raises ValidationError: the name is wrong
    :raises Refused: the code is none, or of this club
    :raises Problem: there is no such act
    """
    match form_value("kind"):
        case "agree":
            name = load_by_schema(AgreedNameIn, {"name": form_value("name")})["name"]
            return NameAgreed(place.person, put.add_text(name), secrets.token_hex(ID_BYTES))
        case "withdraw":
            return NameWithdrawn(place.person)
        case "offer":
            return JointOffered(place.person, secrets.token_hex(ID_BYTES))
        case "join":
            code = read_joint_code(form_value("code"))
            if code.key == club_fingerprint():
                raise Refused(PublicationRule.JOINT_OWN)
            return PersonJoined(place.person, code.joint, code.key, code.person)
        case "part":
            return PersonParted(place.person, form_value("joint"))
        case _:
            raise Problem("bad_request")


def club_fingerprint() -> str:
    """Fingerprint of the key of this club; empty as long as nothing is signed."""
    try:
        return fingerprint_of_club_key(current_services().auditor.require_key_text())
    except NotSigned:
        return ""


def _own_page(place: OwnPlace, wrong: FieldErrors, status: int) -> Response:
    await_end_of_log()
    agreed, key = place.agreement, club_fingerprint()
    codes = [] if agreed is None or not key else agreed.offered
    joined = [] if agreed is None or not key else [one.joint for one in agreed.joints]
    made = page(
        "publication/mine.html",
        place=place,
        agreed=agreed,
        name=agreed and current_services().persons.text_by_id(agreed.name),
        is_published=place.state.is_club_publishing,
        offered=[_own_joint_with_code(one, key, agreed) for one in codes],
        joined=[_own_joint_with_code(one, key, agreed) for one in joined],
        is_signed=bool(key),
        wrong=wrong,
        key=new_form_key(),
    )
    return make_private(made, status)


def _own_joint_with_code(joint: str, key: str, agreed: AgreedName | None) -> OwnJoint:
    public = "" if agreed is None else agreed.public
    return OwnJoint(joint, JointCode(joint, key, public).text)
