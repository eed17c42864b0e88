"""Schemas of requests about cases and results."""

from __future__ import annotations

import typing
from typing import Any

import marshmallow as ma
from marshmallow import validate

from api.encuentros.acts import SEAT_NAMES, SIDE_NAMES
from api.http.fields import MAX_NUMBER, Bool, FieldFault, Int, RequestSchema, Text, choice_field
from api.http.people import PersonIn
from referee.aggregates.case import MEDIA_TYPES
from referee.events import Effect
from referee.rules.profile.options import OPTION_NAMES

_MOST_POINTS = 1000
_MOST_LINES = 100
_LONGEST_APPEAL_MIN = 60 * 24 * 30
EFFECTS: tuple[str, ...] = typing.get_args(Effect)
SHA256 = validate.Regexp(r"\A[0-9a-f]{64}\Z")
CODE = validate.Regexp(r"\A[2-9A-HJ-NP-Za-hj-np-z]{4}-?[2-9A-HJ-NP-Za-hj-np-z]{4}\Z")


def person_or_name_field(**more: Any) -> ma.fields.Nested:
    """Schema field of a person, by id or by name; a name in the encuentro is that person."""
    return ma.fields.Nested(PersonIn, required=True, **more)


def lines_field() -> ma.fields.List[Any]:
    """Schema field for a list of lines of a partida; empty if left out."""
    return ma.fields.List(
        Int(1, MAX_NUMBER), load_default=list, validate=validate.Length(0, _MOST_LINES)
    )


def side_field(**more: Any) -> ma.fields.String:
    """Schema field for a side of the table."""
    return choice_field(*SIDE_NAMES, **more)


class CaseIn(RequestSchema):
    """A dispute about a partida. No side: the arbiter opens it."""

    by = person_or_name_field()
    side = choice_field("", *SIDE_NAMES, load_default="")
    partida = Int(1, 9999, required=True)
    lines = lines_field()
    because = Text(lines=True, required=True)
    suspends = Bool(load_default=False)


class PhotoIn(RequestSchema):
    """A picture that is kept elsewhere: SHA-256 of its bytes, in hex."""

    sha256 = ma.fields.String(required=True, validate=SHA256)
    media_type = choice_field(*MEDIA_TYPES, required=True)


class EvidenceIn(RequestSchema):
    """Lines, the word of a witness, a photo: one of them or several."""

    by = person_or_name_field()
    side = choice_field("", *SIDE_NAMES, load_default="")
    lines = lines_field()
    note = Text(lines=True)
    photo = ma.fields.Nested(PhotoIn)


class CostIn(RequestSchema):
    """What the card of a line took is put on the acta."""

    by = person_or_name_field()
    line = Int(1, MAX_NUMBER, required=True)


class GroundIn(RequestSchema):
    """What a ruling rests on. ``basis`` must be said when the rulebook is silent on the option."""

    kind = choice_field("article", "not_regulated", "sovereign", required=True)
    option = choice_field(*OPTION_NAMES)
    basis = choice_field("", "stated", "inferred", "silent", load_default="")

    @ma.validates_schema
    def _refuse_option_mismatch(self, data: dict[str, Any], **_more: Any) -> None:
        if ("option" in data) != (data["kind"] == "article"):
            raise ma.ValidationError({"option": [FieldFault("option_of_article")]})
        if data["basis"] and data["kind"] != "article":
            raise ma.ValidationError({"basis": [FieldFault("basis_of_article")]})


class CaseRulingIn(RequestSchema):
    """What is ruled, on which ground, why."""

    component = "VerdictIn"

    effect = choice_field(*EFFECTS, required=True)
    ground = ma.fields.Nested(GroundIn, required=True)
    because = Text(lines=True, required=True)
    side = choice_field("", *SIDE_NAMES, load_default="")
    seat = choice_field("", *SEAT_NAMES, load_default="")
    points = Int(-_MOST_POINTS, _MOST_POINTS, load_default=0)
    line = Int(load_default=0)


class RulingPreviewIn(RequestSchema):
    """A ruling to be looked at. ``appeal_minutes``: time for an appeal; 0: the ruling is final."""

    by = person_or_name_field()
    verdict = ma.fields.Nested(CaseRulingIn, required=True)
    appeal_minutes = Int(0, _LONGEST_APPEAL_MIN, required=True)


class RulingIn(RulingPreviewIn):
    """A ruling. ``partida_version``: that of the preview."""

    partida_version = Int(0, 10**6, required=True)


class AppealIn(RequestSchema):
    """A side appeals."""

    by = person_or_name_field()
    side = side_field(required=True)
    because = Text(lines=True, required=True)


class DecisionPreviewIn(RequestSchema):
    """The decision of an appeal to be looked at. Without ``verdict`` the ruling is upheld."""

    by = person_or_name_field()
    because = Text(lines=True, required=True)
    verdict = ma.fields.Nested(CaseRulingIn)


class DecisionIn(DecisionPreviewIn):
    """The decision of an appeal. ``partida_version``: that of the preview."""

    partida_version = Int(0, 10**6, required=True)


class ClosingIn(RequestSchema):
    """A case is closed. ``waived``: sides that renounce an appeal; a reason if it was not ruled."""

    by = person_or_name_field()
    because = Text(lines=True)
    waived = ma.fields.List(side_field(), load_default=list, validate=validate.Length(0, 3))


# --- the result ----------------------------------------------------------------------------------


class CodeIn(RequestSchema):
    """A side that is to get a code."""

    side = side_field(required=True)


class ReportIn(RequestSchema):
    """The result as it stands, reported by a side or (no side) by an official of the club.

    An official's is official at once: nobody has to confirm it.
    """

    by = person_or_name_field()
    side = choice_field("", *SIDE_NAMES, load_default="")


class ScoreIn(RequestSchema):
    """The final score as a side or (no side) the table or an official of the club tells it.

    ``score`` counts cotos, or partidas where their number is fixed, of every side. ``by``: who told
    it, if that is to be named.
    """

    score = ma.fields.Dict(
        keys=side_field(),
        values=Int(0, 99),
        required=True,
        validate=validate.Length(2, len(SIDE_NAMES)),
    )
    side = choice_field("", *SIDE_NAMES, load_default="")
    by = ma.fields.Nested(PersonIn)


class ScoreWithdrawalIn(RequestSchema):
    """The final score that was told last is taken back, by a side or by nobody in particular."""

    side = choice_field("", *SIDE_NAMES, load_default="")


class DenialIn(RequestSchema):
    """A side does not agree with the result as it was reported."""

    side = side_field(required=True)
    by = ma.fields.Nested(PersonIn)


class ConfirmationIn(RequestSchema):
    """Another side agrees: signed in itself, or with the code that it got."""

    by = person_or_name_field()
    side = side_field(required=True)
    code = ma.fields.String(validate=CODE)


class ContestIn(RequestSchema):
    """A side does not agree. ``partida`` is the one in dispute, the last one if none is named."""

    by = person_or_name_field()
    side = side_field(required=True)
    because = Text(lines=True, required=True)
    partida = Int(1, 9999)
    lines = lines_field()


class SignatureIn(RequestSchema):
    """The acta is signed; unless every side confirmed, with the reason."""

    by = person_or_name_field()
    because = Text(lines=True)


class ReopeningIn(RequestSchema):
    """A signed acta is reopened by two persons; where the club requires it, not by who signed."""

    by = person_or_name_field()
    second = person_or_name_field()
    because = Text(lines=True, required=True)
