"""Pages at a secret address, open without an account.

What is shown at a wrong one, and who writes there.

The address is the credential. It is in no log, in no title, and in no ``Referer``.
"""

from __future__ import annotations

from flask import Response, request

from api.html.forms import key_of_form
from api.html.pages import make_private, page
from api.http.access.attempts import note_wrong_secret
from api.http.services import metadata_of_form_values
from referee.log.streams import WriteMetadata


class UnusableAddress(Exception):  # noqa: N818 - it says what the address is
    """The secret address is wrong, was renewed, or is of something closed.

    ``key``: Of the text that says so.
    """

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def unusable_page(error: UnusableAddress) -> Response:
    """The page that is shown at a secret address which cannot be used."""
    return make_private(page("html/no_address.html", key=error.key), 404)


def note_wrong_address() -> UnusableAddress:
    """Count a try of a secret address that nobody has; returns the error to raise.

    :raises Problem: too many wrong ones from here
    """
    note_wrong_secret("address_failed")
    return UnusableAddress("mine.gone")


def meta_of_address_form(author: str) -> WriteMetadata:
    """Author, time and idempotency key of a form at a secret address.

    :raises Problem: it has no valid key
    """
    sent = sorted(request.form.items(multi=True))
    return metadata_of_form_values(author, "address", f"address {key_of_form()}", sent)
