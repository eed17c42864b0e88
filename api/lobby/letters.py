"""Letters of the lobby, where the installation sends mail."""

from __future__ import annotations

from flask import current_app

from api.accounts.mail import Letter, MailServer, is_address
from api.http.languages import say


def send_letter(what: str, contact: str, lang: str, **facts: str) -> None:
    """Send a letter to a contact, if that is an address of mail; nobody waits for it."""
    server: MailServer | None = current_app.extensions["mail"]
    if server is None or not is_address(contact):
        return
    subject, text = (say(f"lobby.mail_{what}{end}", lang, **facts) for end in ("", "_text"))
    server.send_later(lambda: [Letter(contact, subject, text)])
