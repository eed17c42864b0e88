"""Pages at a private address, without an account: which addresses are wrong, and who writes there.

The address is the credential. It is in no log, in no title, and in no ``Referer``.
"""

from __future__ import annotations

from flask import Response, request

from api.html.forms import key_of_form
from api.html.pages import page, private_page
from api.http.access.attempts import note_wrong_secret
from api.http.services import meta_of_form
from referee.log.streams import WriteMetadata


class UnusableAddress(Exception):  # noqa: N818 - it says what the address is
    """An address that is wrong, renewed, or of what is closed; ``key`` of its text."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def unusable_page(error: UnusableAddress) -> Response:
    """The page in the place of that of an address."""
    return private_page(page("html/no_address.html", key=error.key), 404)


def wrong_address() -> UnusableAddress:
    """What to raise of an address that is nobody's, which is counted.

    :raises Problem: too many wrong ones from here
    """
    note_wrong_secret("address_failed")
    return UnusableAddress("mine.gone")


def meta_of_address(author: str) -> WriteMetadata:
    """Author, time and idempotency key of a form at an address.

    :raises Problem: it has no valid key
    """
    sent = sorted(request.form.items(multi=True))
    return meta_of_form(author, "address", f"address {key_of_form()}", sent)
