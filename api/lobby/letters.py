"""Letters of the lobby, where the installation sends mail."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial

from flask import current_app

from api.accounts.mail import Letter, MailServer, is_mail_address
from api.http.access.attempts import caller_address
from api.http.languages import language, say
from api.lobby.book import PROOF_GOOD_FOR_S, TooManyRequests
from api.lobby.parts import lobby_parts

MINUTES = int(PROOF_GOOD_FOR_S // 60)
"""How long a code is good."""


def mail_new_code(to: str) -> str:
    """Make a code and send it to a mail address; returns the key of the page where it is typed.

    :raises TooManyRequests: no mail is sent for now
    """
    book, lang = lobby_parts().book(), language()
    key, code = book.create_mail_key_and_code(to, caller_address(), lang)
    facts = {"code": code, "place": lobby_parts().clubs.domain, "minutes": MINUTES}
    _send("code", to, lang, facts, partial(book.note_unsent_mail, to, key))
    return key


def send_request_link(link: str, contact: str, lang: str) -> None:
    """Send the link of a request to the contact in it, unless too many mails were sent.

    It has no word that somebody typed: nobody knows yet whose address it is.
    """
    book = lobby_parts().book()
    if is_mail_address(contact):
        with suppress(TooManyRequests):
            book.count_mail_or_refuse(contact, caller_address())
            _send("asked", contact, lang, {"link": link}, partial(book.note_unsent_mail, contact))


def send_decision(outcome: str, contact: str, lang: str, club: str) -> None:
    """Send what the owner has decided on a request."""
    if is_mail_address(contact):
        _send(outcome, contact, lang, {"club": club})


def _send(
    what: str,
    to: str,
    lang: str,
    facts: dict[str, object],
    if_failed: Callable[[], None] = lambda: None,
) -> None:
    server: MailServer | None = current_app.extensions["mail"]
    if server is None:
        return
    subject, text = (say(f"lobby.mail_{what}{end}", lang, **facts) for end in ("", "_text"))
    server.make_and_send_later(lambda: [Letter(to, subject, text)], if_failed)
