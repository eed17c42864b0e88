"""What forms say of telephones: a number, and that whose it is agrees."""

from __future__ import annotations

import marshmallow as ma
from flask import request

from api.club.phones.numbers import read_number
from api.html.forms import form_value
from api.http.faults import FieldFault


def phones_are_agreed() -> bool:
    """Whether whoever sent the form said that those people agree."""
    return request.form.get("phones") == "agreed"


def phone_of_form() -> str:
    """The typed number of somebody who agrees.

    :raises ma.ValidationError: it is no number, or that is not said
    """
    number = read_number(form_value("phone"))
    if not number:
        raise ma.ValidationError({"phone": [FieldFault("not_a_phone")]})
    if not phones_are_agreed():
        raise ma.ValidationError({"phone": [FieldFault("not_agreed")]})
    return number
