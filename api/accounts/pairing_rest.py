"""Pairing over HTTP: an app takes a code of ``/casa`` and gets a token of its own."""

from __future__ import annotations

import msgspec
from flask import Response

from api.accounts.entry import browser_and_system_of_request, try_redeem_pairing_code
from api.http.access import guard
from api.http.answers import register_answer_schema
from api.http.bodies import Body
from api.http.fields import MAX_NAME, FieldFault, RequestSchema, Text
from api.http.problems import Problem
from api.http.rest import Noun, reply, takes_headers_and_query
from api.http.services import current_services
from referee.access.keys import LASTS_S
from referee.events import HolderId, Role

blp = Noun("access", __name__, url_prefix="/api/v1", description="Who may come in")


class PairingIn(RequestSchema):
    """The code of a pairing, as ``/casa`` shows it."""

    code = Text(MAX_NAME, required=True)


class PairedData(msgspec.Struct, frozen=True):
    """A device that was paired: its token, which is shown once, and what it may do."""

    device: HolderId
    token: str
    role: Role
    encuentro: str
    lasts_s: int


@blp.route("/pairings", methods=["POST"])
@guard.open_to_all
@guard.signs_people_in
@takes_headers_and_query()
@blp.arguments(PairingIn)
@blp.response(201, register_answer_schema(PairedData))
def pair_device(body: Body) -> Response:
    """Take the code of a pairing: good once, for five minutes

    The answer is the only place where the token stands; if it is lost, another code is needed.
    """
    keys = current_services().keys
    device = keys.new_holder_id()
    if not try_redeem_pairing_code(body["code"], device):
        raise Problem("invalid", errors={"json": {"code": [FieldFault("no_code")]}})
    held = current_services().referee.roles.access().active_holder(device)
    assert held is not None
    paired = PairedData(
        device=device,
        token=keys.give_token("device", device, agent=browser_and_system_of_request()),
        role=held.role,
        encuentro=held.encuentro,
        lasts_s=int(LASTS_S["device"]),
    )
    return reply(paired, 201)
